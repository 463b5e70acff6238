"""Actions of several kinds, told apart by isinstance and match on classes."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Union

from perfectplay import Game


@dataclass(frozen=True)
class Grow:
    plot: int


@dataclass(frozen=True)
class Trade:
    give: int
    get: int


@dataclass(frozen=True)
class Rest:
    pass


Action = Union[Grow, Trade, Rest]


@dataclass(frozen=True)
class Garden:
    plots: tuple[int, ...]
    gold: tuple[int, int]
    ply: int = 0

    def with_plot(self, plot: int, height: int) -> Garden:
        plots = self.plots[:plot] + (height,) + self.plots[plot + 1:]
        return Garden(plots, self.gold, self.ply)

    def paid(self, player: int, amount: int) -> Garden:
        gold = tuple(g + amount if p == player else g for p, g in enumerate(self.gold))
        return Garden(self.plots, gold, self.ply)

    def later(self) -> Garden:
        return Garden(self.plots, self.gold, self.ply + 1)


class Gardeners(Game):
    LIMIT = 6

    def initial(self) -> Garden:
        return Garden((1, 0, 2), (1, 1))

    def to_move(self, state: Garden) -> int:
        return state.ply % 2

    def actions(self, state: Garden) -> Iterator[Action]:
        me = self.to_move(state)
        for plot, height in enumerate(state.plots):
            if height < 3:
                yield Grow(plot)
        for give, a in enumerate(state.plots):
            for get, b in enumerate(state.plots):
                if a > b:
                    yield Trade(give, get)
        if state.gold[me] > 0:
            yield Rest()

    def result(self, state: Garden, action: Action) -> Garden:
        me = self.to_move(state)
        match action:
            case Grow(plot=p):
                grown = state.with_plot(p, state.plots[p] + 1)
                if grown.plots[p] == 3:
                    grown = grown.with_plot(p, 0).paid(me, 3)
                return grown.later()
            case Trade(give, get):
                a, b = state.plots[give], state.plots[get]
                return state.with_plot(give, b).with_plot(get, 0).paid(me, a - b).later()
            case Rest():
                return state.paid(me, -1).later()
        raise TypeError(action)

    def is_terminal(self, state: Garden) -> bool:
        return state.ply >= self.LIMIT

    def utility(self, state: Garden, player: int) -> int:
        return state.gold[player] - state.gold[1 - player]

    def order(self, state: Garden, action: Action) -> float:
        if isinstance(action, Trade):
            return state.plots[action.give] - state.plots[action.get]
        if isinstance(action, Grow):
            return state.plots[action.plot] == 2 and 3
        return -1
