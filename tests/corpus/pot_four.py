"""Four seats around a table (one MAX, three MINs), skipping those who are out; a list comprehension over seats."""
from dataclasses import dataclass
from perfectplay import Game


@dataclass(frozen=True)
class TableState:
    chips: tuple
    seat: int
    pot: int = 0
    round: int = 0

    def next_seat(self):
        n = len(self.chips)
        for step in range(1, n + 1):
            candidate = (self.seat + step) % n
            if self.chips[candidate] > 0:
                return candidate
        return self.seat


class Pot(Game):
    players = 4

    def initial(self):
        return TableState((2, 1, 2, 1), 0)

    def to_move(self, state):
        return state.seat

    def actions(self, state):
        acts = ["pay"]
        if state.pot >= 2:
            acts += ["grab"]
        if state.chips[state.seat] > 1:
            acts += ["double"]
        return acts

    def result(self, state, action):
        chips = list(state.chips)
        pot = state.pot
        match action:
            case "pay":
                chips[state.seat] -= 1
                pot += 1
            case "double":
                chips[state.seat] -= 2
                pot += 2
            case "grab":
                chips[state.seat] += pot // 2
                pot -= pot // 2
        seat = TableState(tuple(chips), state.seat).next_seat()
        return TableState(tuple(chips), seat, pot, state.round + 1)

    def is_terminal(self, state):
        return state.round >= 7 or sum(c > 0 for c in state.chips) <= 1

    def utility(self, state, player):
        first, *others = state.chips
        value = first - max(others)
        return value if player == 0 else -value
