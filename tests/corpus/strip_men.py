"""Flags in a set, an en-passant-like Optional square, moves as dataclass with default flags."""
from dataclasses import dataclass, field
from typing import FrozenSet, Optional, Tuple
from perfectplay import Game


@dataclass(frozen=True, order=True)
class Move:
    start: int
    end: int
    special: str = ""

    def __str__(self):
        return f"{self.start}-{self.end}{self.special}"


@dataclass(frozen=True)
class State:
    pieces: Tuple[Tuple[int, str], ...]
    side: str = "w"
    rights: FrozenSet[str] = frozenset({"w", "b"})
    passing: Optional[int] = None
    ply: int = 0

    def at(self, square):
        for where, what in self.pieces:
            if where == square:
                return what
        return None


class Strip(Game):
    """Men on a strip of 8: step, jump two once with the right (may be taken in passing)."""

    def initial(self):
        return State(pieces=((0, "w"), (1, "w"), (6, "b"), (7, "b")))

    def to_move(self, state):
        return "wb".index(state.side)

    def actions(self, state):
        step = +1 if state.side == "w" else -1
        moves = []
        for square, side in state.pieces:
            if side != state.side:
                continue
            target = square + step
            if not 0 <= target <= 7:
                continue
            there = state.at(target)
            if there is None:
                moves.append(Move(square, target))
                if state.side in state.rights and 0 <= target + step <= 7 and state.at(target + step) is None:
                    moves.append(Move(square, target + step, "!"))
                if state.passing is not None and state.passing == target:
                    moves.append(Move(square, target, "x"))
            elif there != side and square % 2 == 0:
                moves.append(Move(square, target, "x"))
        moves.sort()
        return moves

    def result(self, state, action):
        pieces = dict(state.pieces)
        side = pieces.pop(action.start)
        step = 1 if side == "w" else -1
        if action.special == "x":
            if action.end in pieces:
                del pieces[action.end]
            else:
                pieces.pop(action.end + step, None)
        pieces[action.end] = side
        rights = state.rights - {side} if action.special == "!" else state.rights
        return State(
            tuple(sorted(pieces.items())),
            {"w": "b", "b": "w"}[side],
            rights,
            action.start + step if action.special == "!" else None,
            state.ply + 1,
        )

    def is_terminal(self, state):
        return state.ply > 10 or not self.actions(state)

    def utility(self, state, player):
        counts = {"w": 0, "b": 0}
        for _, side in state.pieces:
            counts[side] += 1
        value = counts["w"] - counts["b"] + (0.5 if state.side == "b" else -0.5)
        return value if player == 0 else -value
