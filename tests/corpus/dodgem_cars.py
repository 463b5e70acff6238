"""Dodgem 3x3: cars as lists of positions, words for the directions, None for a car that is gone."""
from typing import List, Optional, Tuple

from perfectplay import Game

Car = Optional[Tuple[int, int]]
N = 3
STEPS = {
    0: {"right": (0, 1), "up": (-1, 0), "down": (1, 0)},
    1: {"up": (-1, 0), "left": (0, -1), "right": (0, 1)},
}


class CarsDodgem(Game):
    """Cars of player 0 leave at the right, those of player 1 at the top."""

    def __init__(self, limit: int = 8):
        self.limit = limit

    def initial(self):
        ours: Tuple[Car, ...] = tuple((r, 0) for r in range(N - 1))
        theirs: Tuple[Car, ...] = tuple((N - 1, c) for c in range(1, N))
        return (ours, theirs), 0, 0

    def to_move(self, state) -> int:
        return state[1]

    def actions(self, state) -> List[Tuple[int, str]]:
        cars, turn, ply = state
        taken = [car for side in cars for car in side if car is not None]
        moves = []
        for number, car in enumerate(cars[turn]):
            if car is None:
                continue
            r, c = car
            for word, (dr, dc) in STEPS[turn].items():
                to = (r + dr, c + dc)
                leaves = (turn == 0 and to[1] == N) or (turn == 1 and to[0] < 0)
                inside = 0 <= to[0] < N and 0 <= to[1] < N
                if leaves or (inside and to not in taken):
                    moves.append((number, word))
        return moves

    def result(self, state, action):
        cars, turn, ply = state
        number, word = action
        r, c = cars[turn][number]
        dr, dc = STEPS[turn][word]
        r, c = r + dr, c + dc
        gone = c == N if turn == 0 else r < 0
        mine = list(cars[turn])
        mine[number] = None if gone else (r, c)
        cars = (tuple(mine), cars[1]) if turn == 0 else (cars[0], tuple(mine))
        return cars, 1 - turn, ply + 1

    def is_terminal(self, state) -> bool:
        cars, turn, ply = state
        if ply >= self.limit:
            return True
        return any(all(car is None for car in side) for side in cars) or not self.actions(state)

    def utility(self, state, player) -> float:
        cars, turn, ply = state
        for side in (0, 1):
            if all(car is None for car in cars[side]):
                return 1 if side == player else -1
        if not self.actions(state):  # blocking the other is forbidden: the blocked one wins
            return 1 if turn == player else -1
        return 0
