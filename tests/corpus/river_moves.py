"""Builder methods, interfaces, a Move hierarchy: a race over a river with planks."""
from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass
from perfectplay import Game


@dataclass(frozen=True)
class Position:
    left: int
    right: int
    planks: tuple[int, int]
    turn: int

    def moved(self, player: int, steps: int) -> Position:
        if player == 0:
            return Position(self.left + steps, self.right, self.planks, self.turn)
        return Position(self.left, self.right + steps, self.planks, self.turn)

    def spending(self, player: int) -> Position:
        planks = list(self.planks)
        planks[player] -= 1
        return Position(self.left, self.right, tuple(planks), self.turn)

    def next_turn(self) -> Position:
        return Position(self.left, self.right, self.planks, 1 - self.turn)

    def place_of(self, player: int) -> int:
        return self.left if player == 0 else self.right


class Move(ABC):
    @abstractmethod
    def is_legal(self, position: Position) -> bool: ...

    @abstractmethod
    def apply(self, position: Position) -> Position: ...


@dataclass(frozen=True)
class Step(Move):
    length: int

    def is_legal(self, position: Position) -> bool:
        return position.place_of(position.turn) + self.length <= River.WIDTH

    def apply(self, position: Position) -> Position:
        return position.moved(position.turn, self.length)


@dataclass(frozen=True)
class Plank(Move):
    def is_legal(self, position: Position) -> bool:
        return position.planks[position.turn] > 0 and position.place_of(position.turn) + 3 <= River.WIDTH

    def apply(self, position: Position) -> Position:
        return position.spending(position.turn).moved(position.turn, 3)


@dataclass(frozen=True)
class Push(Move):
    """Push the other one back, if level."""

    def is_legal(self, position: Position) -> bool:
        return position.left == position.right and position.left > 0

    def apply(self, position: Position) -> Position:
        return position.moved(1 - position.turn, -1)


class River(Game):
    WIDTH = 7
    MOVES = (Step(1), Step(2), Plank(), Push())

    def initial(self) -> Position:
        return Position(0, 0, (1, 2), 0)

    def to_move(self, state: Position) -> int:
        return state.turn

    def actions(self, state: Position):
        return [move for move in self.MOVES if move.is_legal(state)]

    def result(self, state: Position, action: Move) -> Position:
        return action.apply(state).next_turn()

    def is_terminal(self, state: Position) -> bool:
        return max(state.left, state.right) == self.WIDTH

    def utility(self, state: Position, player: int) -> int:
        gain = state.left - state.right
        return gain if player == 0 else -gain
