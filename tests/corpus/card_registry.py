"""Metaprogramming light: __init_subclass__ registry, class attributes as rules, type(x).__name__, isinstance dispatch on classes."""
from perfectplay import Game


class Card:
    registry = {}
    power = 0

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Card.registry[cls.__name__.lower()] = cls

    @classmethod
    def effect(cls, mine, theirs):
        return mine, theirs - cls.power


class Bolt(Card):
    power = 3


class Heal(Card):
    @classmethod
    def effect(cls, mine, theirs):
        return mine + 2, theirs


class Drain(Card):
    power = 1

    @classmethod
    def effect(cls, mine, theirs):
        mine, theirs = super().effect(mine, theirs)
        return mine + 1, theirs


class CardDuel(Game):
    def initial(self):
        return (7, 7), ("bolt", "heal", "drain"), 0

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        return state[1] if state[1] else ("heal",)

    def result(self, state, action):
        life, deck, ply = state
        who = ply % 2
        mine, theirs = Card.registry[action].effect(life[who], life[1 - who])
        life = (mine, theirs) if who == 0 else (theirs, mine)
        deck = tuple(c for c in deck if c != action) or ("bolt", "drain")
        return life, deck, ply + 1

    def is_terminal(self, state):
        return min(state[0]) <= 0 or state[2] >= 6

    def utility(self, state, player):
        a, b = state[0]
        return a - b if player == 0 else b - a
