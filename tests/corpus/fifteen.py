"""The game itself is a dataclass: parameters as fields, tables in __post_init__."""
from dataclasses import dataclass, field
from itertools import combinations

from perfectplay import Game


@dataclass(eq=False)
class Fifteen(Game):
    """Pick numbers in turn; three that sum to fifteen win."""

    top: int = 9
    goal: int = 15
    size: int = 3
    sets: list = field(default_factory=list)

    def __post_init__(self):
        numbers = range(1, self.top + 1)
        self.sets = [trio for trio in combinations(numbers, self.size) if sum(trio) == self.goal]

    def initial(self):
        return (), ()

    def to_move(self, state):
        mine, theirs = state
        return int(len(mine) > len(theirs))

    def actions(self, state):
        taken = state[0] + state[1]
        return [n for n in range(1, self.top + 1) if n not in taken]

    def result(self, state, n):
        mine, theirs = state
        if len(mine) == len(theirs):
            return tuple(sorted(mine + (n,))), theirs
        return mine, tuple(sorted(theirs + (n,)))

    def has(self, numbers):
        return any(all(n in numbers for n in trio) for trio in self.sets)

    def is_terminal(self, state):
        mine, theirs = state
        return self.has(mine) or self.has(theirs) or len(mine) + len(theirs) == self.top

    def utility(self, state, player):
        mine, theirs = state
        score = self.has(mine) - self.has(theirs)
        return score if player == 0 else -score
