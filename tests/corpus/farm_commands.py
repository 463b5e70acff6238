"""Command pattern: actions are classes with execute(), chosen by __subclasses__-free registry; abstract properties."""
from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar
from perfectplay import Game


@dataclass(frozen=True)
class Farm:
    wheat: int = 0
    coins: int = 2
    barns: int = 0


@dataclass(frozen=True)
class World:
    farms: tuple[Farm, Farm] = field(default_factory=lambda: (Farm(), Farm()))
    season: int = 0

    @property
    def active(self) -> Farm:
        return self.farms[self.season % 2]

    def updated(self, farm: Farm) -> World:
        farms = (farm, self.farms[1]) if self.season % 2 == 0 else (self.farms[0], farm)
        return replace(self, farms=farms, season=self.season + 1)


class Command(ABC):
    cost: ClassVar[int] = 0

    def allowed(self, farm: Farm) -> bool:
        return farm.coins >= self.cost

    @abstractmethod
    def execute(self, farm: Farm) -> Farm: ...

    def __repr__(self) -> str:
        return type(self).__name__


class Sow(Command):
    cost = 1

    def execute(self, farm):
        return replace(farm, wheat=farm.wheat + 2, coins=farm.coins - self.cost)


class Sell(Command):
    def allowed(self, farm):
        return farm.wheat > 0

    def execute(self, farm):
        return replace(farm, wheat=0, coins=farm.coins + farm.wheat * (2 if farm.barns else 1))


class Build(Command):
    cost = 2

    def allowed(self, farm):
        return super().allowed(farm) and farm.barns == 0

    def execute(self, farm):
        return replace(farm, coins=farm.coins - self.cost, barns=1)


class Wait(Command):
    def execute(self, farm):
        return farm


COMMANDS = (Sow(), Sell(), Build(), Wait())


class Farming(Game):
    SEASONS = 8

    def initial(self):
        return World()

    def to_move(self, state):
        return state.season % 2

    def actions(self, state):
        return [c for c in COMMANDS if c.allowed(state.active)]

    def result(self, state, action):
        return state.updated(action.execute(state.active))

    def is_terminal(self, state):
        return state.season >= self.SEASONS

    def utility(self, state, player):
        worth = [f.coins + 0.5 * f.wheat + f.barns for f in state.farms]
        return worth[player] - worth[1 - player]
