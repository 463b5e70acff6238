"""Typed dict-ish: TypedDict annotations, Mapping proxies, MappingProxyType constants, frozenset keyed dict, tuple types."""
from types import MappingProxyType, SimpleNamespace
from typing import Dict, List, Mapping, Tuple, TypedDict
from perfectplay import Game

Cell = Tuple[int, int]
CONFIG = SimpleNamespace(width=3, height=2, win=4)
COSTS: Mapping[str, int] = MappingProxyType({"fort": 2, "road": 1})


class Info(TypedDict):
    gold: int
    points: int


class Settlers(Game):
    """Build forts or roads on a tiny map with gold; adjacent roads add points."""

    def initial(self):
        return (" " * (CONFIG.width * CONFIG.height), (3, 3), (0, 0), 0)

    def info(self, state, player) -> Info:
        return {"gold": state[1][player], "points": state[2][player]}

    def to_move(self, state):
        return state[3] % 2

    def actions(self, state) -> List[Tuple[str, int]]:
        board, *_ , ply = state
        info = self.info(state, ply % 2)
        acts: List[Tuple[str, int]] = [("wait", -1)]
        for i, ch in enumerate(board):
            if ch == " ":
                for what, cost in COSTS.items():
                    if info["gold"] >= cost:
                        acts.append((what, i))
        return acts

    def result(self, state, action):
        board, gold, points, ply = state
        who = ply % 2
        what, where = action
        golds: Dict[int, int] = dict(enumerate(gold))
        score: Dict[int, int] = dict(enumerate(points))
        if what == "wait":
            golds[who] += 1
        else:
            golds[who] -= COSTS[what]
            mark = what[0].upper() if who == 0 else what[0]
            left = board[where - 1] if where % CONFIG.width else " "
            score[who] += (2 if what == "fort" else 1) + (left.lower() == "r")
            board = board[:where] + mark + board[where + 1:]
        return board, tuple(golds.values()), tuple(score.values()), ply + 1

    def is_terminal(self, state):
        return state[3] >= 5 or max(state[2]) >= CONFIG.win

    def utility(self, state, player):
        return state[2][player] - state[2][1 - player]
