"""A typing enthusiast: Protocol, Final, Literal, match with class patterns, StrEnum, override."""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, IntEnum, StrEnum, auto, unique
from typing import ClassVar, Final, Iterator, Literal, NamedTuple, Protocol, TypeAlias, assert_never

from perfectplay import MAX, MIN, Game

Player: TypeAlias = Literal[0, 1]


@unique
class Piece(StrEnum):
    PAWN = "p"
    GUARD = "g"

    @property
    def strength(self) -> int:
        match self:
            case Piece.PAWN:
                return 1
            case Piece.GUARD:
                return 2


class Direction(IntEnum):
    LEFT = -1
    RIGHT = 1

    def flipped(self) -> Direction:
        return Direction(-self.value)


@dataclass(frozen=True, slots=True)
class Unit:
    owner: Player
    piece: Piece


@dataclass(frozen=True, slots=True)
class Walk:
    origin: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class Promote:
    at: int


@dataclass(frozen=True, slots=True)
class Pass:
    pass


Move: TypeAlias = Walk | Promote | Pass


class HasLane(Protocol):
    lane: tuple[Unit | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneState:
    lane: tuple[Unit | None, ...]
    turn: Player = 0
    clock: int = 0
    LIMIT: ClassVar[int] = 6

    def with_lane(self, lane: tuple[Unit | None, ...]) -> LaneState:
        return replace(self, lane=lane, turn=1 - self.turn, clock=self.clock + 1)


class Lanes(Game[LaneState, Move]):
    LENGTH: Final = 6

    def initial(self) -> LaneState:
        first, second = Unit(0, Piece.PAWN), Unit(1, Piece.PAWN)
        return LaneState(lane=(first, first, None, None, second, second))

    def to_move(self, state: LaneState) -> int:
        return MAX if state.turn == 0 else MIN

    def _walks(self, state: LaneState) -> Iterator[Move]:
        for i, unit in enumerate(state.lane):
            if unit is None or unit.owner != state.turn:
                continue
            forward = Direction.RIGHT if unit.owner == 0 else Direction.LEFT
            for direction in (forward, forward.flipped()):
                j = i + direction
                if not 0 <= j < self.LENGTH:
                    continue
                match state.lane[j]:
                    case None:
                        yield Walk(i, direction)
                    case Unit(owner=o, piece=p) if o != state.turn and unit.piece.strength > p.strength:
                        yield Walk(i, direction)

    def actions(self, state: LaneState) -> list[Move]:
        moves: list[Move] = list(self._walks(state))
        moves.extend(
            Promote(i) for i, unit in enumerate(state.lane)
            if unit is not None and unit.owner == state.turn and unit.piece is Piece.PAWN
        )
        return moves or [Pass()]

    def result(self, state: LaneState, action: Move) -> LaneState:
        lane = [*state.lane]
        match action:
            case Walk(origin, direction):
                lane[origin], lane[origin + direction] = None, lane[origin]
            case Promote(at=i):
                unit = lane[i]
                assert unit is not None
                lane[i] = replace(unit, piece=Piece.GUARD)
            case Pass():
                pass
            case _:
                assert_never(action)
        return state.with_lane(tuple(lane))

    def is_terminal(self, state: LaneState) -> bool:
        return state.clock >= LaneState.LIMIT or len({u.owner for u in state.lane if u}) < 2

    def utility(self, state: LaneState, player: int) -> float:
        score = sum((u.piece.strength if u.owner == 0 else -u.piece.strength) for u in state.lane if u is not None)
        return float(score if player == MAX else -score)
