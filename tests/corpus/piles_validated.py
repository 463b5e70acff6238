"""dataclasses.asdict/astuple, field(default_factory), __post_init__ validation, InitVar-free, replace chains."""
from dataclasses import astuple, dataclass, field, replace
from perfectplay import Game


@dataclass(frozen=True)
class Pile:
    red: int = 2
    blue: int = 3

    def __post_init__(self):
        if self.red < 0 or self.blue < 0:
            raise ValueError("negative")

    def total(self):
        return sum(astuple(self))


@dataclass(frozen=True)
class PileState:
    piles: tuple = field(default_factory=lambda: (Pile(), Pile(3, 1)))
    turn: int = 0


class Piles(Game):
    """Take one red or up to two blue from a pile."""

    def initial(self):
        return PileState()

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        acts = []
        for i, pile in enumerate(state.piles):
            for red, blue in ((1, 0), (0, 1), (0, 2)):
                try:
                    replace(pile, red=pile.red - red, blue=pile.blue - blue)
                except ValueError:
                    continue
                acts.append((i, red, blue))
        return acts

    def result(self, state, action):
        i, red, blue = action
        piles = list(state.piles)
        piles[i] = replace(piles[i], red=piles[i].red - red, blue=piles[i].blue - blue)
        return replace(state, piles=tuple(piles), turn=1 - state.turn)

    def is_terminal(self, state):
        return sum(p.total() for p in state.piles) == 0

    def utility(self, state, player):
        return -1 if state.turn == player else 1
