"""Lights out for two on an int: a class used as a namespace, bit tricks, classmethods."""
from perfectplay import Game


class Config:
    WIDTH = 3
    HEIGHT = 2
    START = 0b101011
    LIMIT = 6

    @classmethod
    def cells(cls):
        return cls.WIDTH * cls.HEIGHT

    @staticmethod
    def mask(i):
        x, y = i % Config.WIDTH, i // Config.WIDTH
        m = 1 << i
        if x > 0:
            m |= 1 << (i - 1)
        if x + 1 < Config.WIDTH:
            m |= 1 << (i + 1)
        if y > 0:
            m |= 1 << (i - Config.WIDTH)
        if y + 1 < Config.HEIGHT:
            m |= 1 << (i + Config.WIDTH)
        return m


class LightsDuel(Game):
    """MAX wants lights on, MIN wants them off; the cell pressed last may not be pressed again."""

    def initial(self):
        return Config.START, -1, 0

    def to_move(self, s):
        return s[2] & 1

    def actions(self, s):
        return [i for i in range(Config.cells()) if i != s[1]]

    def result(self, s, i):
        lights, _, ply = s
        return lights ^ Config.mask(i), i, ply + 1

    def is_terminal(self, s):
        return s[2] == Config.LIMIT - 1

    def utility(self, s, player):
        on = bin(s[0]).count("1")
        off = Config.cells() - on
        return on - off if player == 0 else off - on
