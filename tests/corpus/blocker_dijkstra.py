"""Stack-based iterative DFS and BFS with deque and visited dicts, sentinel objects, tuple priorities, heapq Dijkstra."""
import heapq
from collections import defaultdict, deque
from perfectplay import Game

MAPS = ["S.#", "..E", "#.."]
WALLS = {(r, c) for r, row in enumerate(MAPS) for c, ch in enumerate(row) if ch == "#"}
START = next((r, c) for r, row in enumerate(MAPS) for c, ch in enumerate(row) if ch == "S")
END = next((r, c) for r, row in enumerate(MAPS) for c, ch in enumerate(row) if ch == "E")


def neighbours(cell, walls):
    r, c = cell
    for nr, nc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
        if 0 <= nr < 3 and 0 <= nc < 3 and (nr, nc) not in walls:
            yield nr, nc


def distance(start, end, walls):
    best = defaultdict(lambda: 99)
    best[start] = 0
    queue = [(0, start)]
    while queue:
        d, cell = heapq.heappop(queue)
        if cell == end:
            return d
        if d > best[cell]:
            continue
        for n in neighbours(cell, walls):
            if d + 1 < best[n]:
                best[n] = d + 1
                heapq.heappush(queue, (d + 1, n))
    return None


class Blocker(Game):
    """The walker goes to the exit, the builder puts walls but must leave a way."""

    def initial(self):
        return START, frozenset(WALLS), 0

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        cell, walls, ply = state
        if ply % 2 == 0:
            return list(neighbours(cell, walls))
        out = [None]
        for r in range(3):
            for c in range(3):
                if (r, c) not in walls and (r, c) not in (cell, END):
                    if distance(cell, END, walls | {(r, c)}) is not None:
                        out.append((r, c))
        return out

    def result(self, state, action):
        cell, walls, ply = state
        if ply % 2 == 0:
            return action, walls, ply + 1
        return cell, walls if action is None else walls | {action}, ply + 1

    def is_terminal(self, state):
        return state[0] == END or state[2] >= 6

    def utility(self, state, player):
        cell, walls, ply = state
        value = -ply if cell == END else -10 - distance(cell, END, walls)
        return value if player == 0 else -value
