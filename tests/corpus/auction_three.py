"""Three players bid in turn: MAX against two MINs, *args and defaults, sums of generators of fields."""
from typing import NamedTuple

from perfectplay import Game


class Bidder(NamedTuple):
    money: int
    worth: int = 0

    def pays(self, price):
        return self._replace(money=self.money - price, worth=self.worth + 5 - price)


class Auction(NamedTuple):
    bidders: tuple
    turn: int
    price: int
    leader: int
    passes: int
    lots: int


def total(*amounts, start=0):
    result = start
    for amount in amounts:
        result += amount
    return result


class ThreeBidders(Game):
    players = 3

    def initial(self):
        return Auction(tuple(Bidder(money) for money in (3, 2, 2)), 0, 0, -1, 0, 2)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        money = state.bidders[state.turn].money
        return ["pass", *[f"bid {price}" for price in range(state.price + 1, money + 1)]]

    def result(self, state, action):
        word, *rest = action.split()
        turn = (state.turn + 1) % self.players
        if word == "bid":
            return state._replace(turn=turn, price=int(rest[0]), leader=state.turn, passes=0)
        passes = state.passes + 1
        if passes < (3 if state.leader < 0 else 2):
            return state._replace(turn=turn, passes=passes)
        bidders = list(state.bidders)
        if state.leader >= 0:
            bidders[state.leader] = bidders[state.leader].pays(state.price)
        return Auction(tuple(bidders), turn, 0, -1, 0, state.lots - 1)

    def is_terminal(self, state):
        return state.lots == 0

    def utility(self, state, player):
        first, *others = state.bidders
        worth = total(first.worth, start=first.money) - sum(one.worth + one.money for one in others) / 2
        return worth if player == 0 else -worth
