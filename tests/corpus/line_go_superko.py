"""Go on a line with superko: the history of boards is in the state."""
from perfectplay import Game


def group(board, at):
    colour = board[at]
    stones, todo, free = set(), [at], set()
    while todo:
        here = todo.pop()
        if here in stones:
            continue
        stones.add(here)
        for n in (here - 1, here + 1):
            if not 0 <= n < len(board):
                continue
            if board[n] == "-":
                free.add(n)
            elif board[n] == colour and n not in stones:
                todo.append(n)
    return stones, free


def place(board, at, colour):
    cells = list(board)
    cells[at] = colour
    other = "W" if colour == "B" else "B"
    for n in (at - 1, at + 1):
        if 0 <= n < len(cells) and cells[n] == other:
            stones, free = group(cells, n)
            if not free:
                for s in stones:
                    cells[s] = "-"
    stones, free = group(cells, at)
    if not free:
        return None
    return "".join(cells)


class LineGo(Game):
    SIZE = 4

    def initial(self):
        return ("-" * self.SIZE,), "B", 0

    def to_move(self, state):
        return 0 if state[1] == "B" else 1

    def actions(self, state):
        history, colour, passes = state
        legal = ["pass"]
        for at in range(self.SIZE):
            if history[-1][at] == "-":
                after = place(history[-1], at, colour)
                if after is not None and after not in history:
                    legal.append(at)
        return legal

    def result(self, state, action):
        history, colour, passes = state
        other = "W" if colour == "B" else "B"
        if action == "pass":
            return history, other, passes + 1
        return history + (place(history[-1], action, colour),), other, 0

    def is_terminal(self, state):
        return state[2] == 2 or len(state[0]) > 7

    def utility(self, state, player):
        board = state[0][-1]
        score = board.count("B") - board.count("W")
        for i, cell in enumerate(board):
            if cell == "-":
                left = board[i - 1] if i else ""
                right = board[i + 1] if i + 1 < len(board) else ""
                around = {left, right} - {"", "-"}
                if around == {"B"}:
                    score += 1
                elif around == {"W"}:
                    score -= 1
        return score if player == 0 else -score
