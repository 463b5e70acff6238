"""Order by str(), keys by repr, sorted by tuple keys with None handled, max by multiple keys, key=str.lower."""
from dataclasses import dataclass
from typing import Optional
from perfectplay import Game


@dataclass(frozen=True, order=True)
class Guest:
    name: str
    mood: int = 0

    def __str__(self):
        return f"{self.name}:{self.mood:+d}"


class Party(Game):
    """Seat guests beside one another; moods of neighbours decide."""

    GUESTS = (Guest("Ann", 2), Guest("bob", -1), Guest("Cid", 1), Guest("dee", 3))

    def initial(self):
        return (None,) * 4, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        seated = {g for g in state[0] if g is not None}
        free = [i for i, g in enumerate(state[0]) if g is None]
        left = sorted((g for g in self.GUESTS if g not in seated), key=lambda g: g.name.lower())
        return [(free[0], str(g)) for g in left] + ([(free[-1], str(left[0]))] if len(free) > 1 else [])

    def result(self, state, action):
        where, text = action
        guest = next(g for g in self.GUESTS if str(g) == text)
        seats = state[0][:where] + (guest,) + state[0][where + 1:]
        return seats, 1 - state[1]

    def is_terminal(self, state):
        return None not in state[0]

    def utility(self, state, player):
        value = sum(a.mood * b.mood * (1 if a < b else -1) for a, b in zip(state[0], state[0][1:]))
        happiest = max(state[0], key=lambda g: (g.mood, g.name))
        value += state[0].index(happiest)
        return value if player == 0 else -value
