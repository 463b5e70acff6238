"""A ferry that two captains load: what is done with an action depends on its class (`singledispatchmethod`)."""
from dataclasses import dataclass, replace
from enum import Enum
from functools import singledispatch, singledispatchmethod
from typing import NamedTuple

from perfectplay import Game


class Weather(Enum):
    CALM = 0
    STORM = 1


class Cargo(NamedTuple):
    weight: int


class Fragile(NamedTuple):
    weight: int
    padding: int


@dataclass(frozen=True)
class Ferry:
    room: int
    aboard: tuple = ()
    turn: int = 0
    weather: Weather = Weather.CALM

    @singledispatchmethod
    def takes(self, thing) -> bool:
        return thing is None

    @takes.register
    def _(self, thing: Cargo) -> bool:
        return thing.weight <= self.room

    @takes.register(Fragile)
    def takes_fragile(self, thing) -> bool:
        return self.weather is Weather.CALM and thing.weight + thing.padding <= self.room


@singledispatch
def price(thing, day=0):
    return 0


@price.register(Cargo)
@price.register(Fragile)
def price_of_goods(thing, day=0):
    return 2 * thing.weight - day % 2


@price.register
def _(thing: int, day=0):
    return thing


class FerryCargo(Game):
    """Each captain is paid for what the ferry takes; whoever finds no room left for anything waits it out."""

    goods = (Cargo(1), Fragile(2, 1), Cargo(3), None)

    def initial(self):
        return Ferry(7), (0, 0), 0

    def to_move(self, state):
        return state[0].turn

    def actions(self, state):
        ferry, _, day = state
        if day == 5:
            return []
        return [thing for thing in self.goods if ferry.takes(thing)]

    @singledispatchmethod
    def loaded(self, thing, ferry):
        raise TypeError(f"no such thing: {thing}")

    @loaded.register
    def _(self, thing: None, ferry):
        return self.blown(ferry)

    @loaded.register
    def _(self, thing: tuple, ferry):
        return replace(ferry, room=ferry.room - sum(thing), aboard=(*ferry.aboard, thing[0]))

    def blown(self, ferry):
        return replace(ferry, weather=Weather(1 - ferry.weather.value))

    def result(self, state, action):
        ferry, paid, day = state
        after = self.loaded(action, ferry)
        worth = price(action, day=day)
        paid = tuple(sum_ + worth * (ferry.turn == player) for player, sum_ in enumerate(paid))
        return replace(after, turn=1 - ferry.turn), paid, day + 1

    def is_terminal(self, state):
        return state[2] == 5

    def utility(self, state, player):
        first, second = map(price, state[1])
        return first - second if player == 0 else second - first
