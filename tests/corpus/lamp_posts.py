"""Lamps along two streets: places are values that ask `self is other` first, squares have a type of their own."""
from typing import NewType, cast

from perfectplay import Game

House = NewType("House", int)


class Post:
    """Where a lamp stands."""

    def __init__(self, street, house):
        self.street = street
        self.house = house

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, Post):
            return NotImplemented
        return (self.street, self.house) == (other.street, other.house)

    def __hash__(self):
        return 31 * self.street + self.house

    def __lt__(self, other):
        return (self.street, self.house) < (other.street, other.house)

    def lights(self, other):
        return self != other and abs(self.street - other.street) + abs(self.house - other.house) == 1


class LampPosts(Game):
    """No lamp may stand next to another; whoever cannot put one up loses."""

    def __init__(self, houses=4):
        self.posts = [Post(street, House(house)) for street in range(2) for house in range(houses)]

    def initial(self):
        return ()

    def to_move(self, state):
        return cast(int, len(state) % 2)

    def actions(self, state):
        return [
            post for post in self.posts if post not in state and not any(post.lights(lamp) for lamp in state)
        ]

    def result(self, state, action):
        return tuple(sorted((*state, action)))

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if player == self.to_move(state) else 1
