"""Two piles, a toll and a pledge: a rule whose `match` has no last case, so that it might return None."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from perfectplay import MAX, Game


class Toll(IntEnum):
    ONE = 1
    TWO = 2
    THREE = 3


@dataclass(frozen=True)
class Table:
    piles: tuple[frozenset[int], frozenset[int]]
    paid: tuple[int, int] = (0, 0)
    turn: int = MAX
    pledge: Toll | None = None


class Pledges(Game):
    """Say how much you take, and the other pays it from a pile; who cannot pay has lost the difference."""

    def initial(self) -> Table:
        return Table((frozenset({1, 2, 3, 4}), frozenset({1, 2, 5})))

    def to_move(self, state: Table) -> int:
        return state.turn

    def actions(self, state: Table) -> list[int]:
        if state.pledge is None:
            return [int(toll) for toll in Toll if toll <= len(state.piles[0]) + len(state.piles[1])]
        return sorted(card for pile in state.piles for card in pile if card >= state.pledge) or [0]

    def result(self, state: Table, action: int) -> Table:
        match state.pledge:
            case None:
                return replace(state, pledge=Toll(action), turn=1 - state.turn)
            case Toll() as toll:
                first, second = state.paid
                more = action - toll if action else -4
                paid = (first + more, second) if state.turn == MAX else (first, second + more)
                return Table(tuple(pile - {action} for pile in state.piles), paid, turn=state.turn)

    def is_terminal(self, state: Table) -> bool:
        return not any(state.piles) or min(state.paid) < -3

    def utility(self, state: Table, player: int) -> int:
        return state.paid[player] - state.paid[1 - player]
