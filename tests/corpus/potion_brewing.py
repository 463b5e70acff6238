"""Recipes as they would stand in JSON: effects in a registry, called with ** of dicts; stock by _asdict and **."""

from collections import namedtuple
from operator import itemgetter

from perfectplay import Game

EFFECTS = {}


def effect(name, **defaults):
    def register(function):
        EFFECTS[name] = (function, defaults)
        return function

    return register


Stock = namedtuple("Stock", "herb root gold", defaults=[0])

RECIPES = {
    "pick": [{"do": "add", "what": "herb"}, {"do": "add", "what": "root", "many": 2}],
    "brew": [{"do": "spend", "herb": 1, "root": 1}, {"do": "add", "what": "gold", "many": 3}],
    "sell": [{"do": "spend", "root": 2}, {"do": "add", "what": "gold"}],
}


@effect("add", many=1)
def add(stock, what, many):
    changed = stock._asdict()
    changed[what] += many
    return Stock(**changed)


@effect("spend")
def spend(stock, **price):
    left = {name: getattr(stock, name) - price.get(name, 0) for name in Stock._fields}
    return Stock(**left) if min(left.values()) >= 0 else None


def brew(stock, name):
    for step in RECIPES[name]:
        given = dict(step)
        function, defaults = EFFECTS[given.pop("do")]
        stock = function(stock, **{**defaults, **given})
        if stock is None:
            return None
    return stock


class PotionBrewing(Game):
    """A state: both stocks, and the number of the move."""

    def initial(self):
        start = {"herb": 1, "root": 0}
        return (Stock(**start), Stock(gold=1, **start), 0)

    clock = staticmethod(itemgetter(2))

    def to_move(self, state):
        return self.clock(state) % 2

    def actions(self, state):
        mine = state[self.to_move(state)]
        return [name for name in RECIPES if brew(mine, name) is not None]

    def result(self, state, action):
        who = self.to_move(state)
        stocks = list(state[:2])
        stocks[who] = brew(stocks[who], action)
        return (*stocks, state[2] + 1)

    def is_terminal(self, state):
        return self.clock(state) == 8

    def utility(self, state, player):
        worth = [stock.gold for stock in state[:2]]
        return worth[player] - worth[1 - player]
