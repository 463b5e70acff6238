"""Nested dicts: a market of goods, dict comprehension, update, setdefault, items, pop."""
from perfectplay import Game

PRICES = {"corn": {"low": 1, "high": 3}, "silk": {"low": 2, "high": 7}}
GOODS = list(PRICES)


class Market(Game):
    """Buy or sell; prices flip with every sale."""

    def initial(self):
        stock = {good: 2 for good in GOODS}
        level = {good: "low" for good in GOODS}
        return self.freeze(stock), self.freeze(level), (0, 0), 0

    @staticmethod
    def freeze(d):
        return tuple(sorted(d.items()))

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        stock = {k: v for k, v in state[0]}
        return [good for good, left in stock.items() if left > 0]

    def result(self, state, action):
        stock = dict(state[0])
        level = dict(state[1])
        price = PRICES[action][level[action]]
        stock[action] -= 1
        if stock[action] == 0:
            del stock[action]
            level.pop(action)
        else:
            level.update({action: "high" if level[action] == "low" else "low"})
        for other in level:
            if other != action:
                level[other] = "high"
        money = {i: m for i, m in enumerate(state[2])}
        money[state[3]] = money.get(state[3], 0) + price
        return self.freeze(stock), self.freeze(level), tuple(money.values()), 1 - state[3]

    def is_terminal(self, state):
        return not state[0]

    def utility(self, state, player):
        mine, other = state[2][player], state[2][1 - player]
        return mine - other
