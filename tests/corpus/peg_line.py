# peg solitaire for two, written by a beginner with lots of flags, nested loops, continue/break and index juggling
from perfectplay import Game

board_size = 7


class PegLine(Game):
    def initial(self):
        start = ""
        for i in range(board_size):
            if i == 3:
                start += "_"
            else:
                start += "o"
        return start + "A"

    def to_move(self, state):
        who = state[len(state) - 1]
        if who == "A":
            return 0
        if who == "B":
            return 1

    def actions(self, state):
        possible = []
        i = 0
        while i < board_size:
            if state[i] == "o":
                for direction in ("left", "right"):
                    if direction == "left":
                        step = -1
                    else:
                        step = 1
                    over = i + step
                    to = i + 2 * step
                    if to < 0 or to >= board_size:
                        pass
                    elif state[over] == "o" and state[to] == "_":
                        possible.append(str(i) + "-" + str(to))
            i += 1
        return possible

    def result(self, state, action):
        parts = action.split("-")
        a = int(parts[0])
        b = int(parts[1])
        pegs = []
        for ch in state[:-1]:
            pegs.append(ch)
        pegs[a] = "_"
        pegs[(a + b) // 2] = "_"
        pegs[b] = "o"
        if state[-1] == "A":
            pegs += "B"
        else:
            pegs += "A"
        new_state = ""
        for p in pegs:
            new_state = new_state + p
        return new_state

    def is_terminal(self, state):
        if len(self.actions(state)) > 0:
            return False
        else:
            return True

    def utility(self, state, player):
        count = 0
        for ch in state:
            if ch != "o":
                continue
            count = count + 1
        loser = self.to_move(state)
        if player == loser:
            return -count
        return count
