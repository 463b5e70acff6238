"""Games in natural styles that stay in Python: objects, arrays, exact numbers, patterns, caches."""

from __future__ import annotations

import copy
import json
import operator
import re
from collections import Counter, OrderedDict, deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

from perfectplay.game import Game, default_key

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class ArrayBoard:
    """A board in a numpy array, hashed by its bytes."""

    def __init__(self, cells: Any, mover: int) -> None:
        self.cells = cells
        self.mover = mover

    def __hash__(self) -> int:
        return hash((self.cells.tobytes(), self.mover))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayBoard) and np.array_equal(self.cells, other.cells)

    def __repr__(self) -> str:
        return f"ArrayBoard({self.cells.tolist()}, {self.mover})"


class ConnectThreeInArrays(Game[Any, Any]):
    """Three in a row on a 4x4 board where stones fall, in numpy."""

    def initial(self) -> Any:
        return ArrayBoard(np.zeros((4, 4), np.int8), 0)

    def to_move(self, state: Any) -> Any:
        return state.mover

    def actions(self, state: Any) -> Any:
        return [int(column) for column in np.flatnonzero(state.cells[0] == 0)]

    def result(self, state: Any, action: Any) -> Any:
        cells = state.cells.copy()
        row = np.flatnonzero(cells[:, action] == 0)[-1]
        cells[row, action] = 1 if state.mover == 0 else -1
        return ArrayBoard(cells, 1 - state.mover)

    def winner(self, state: Any) -> int:
        cells = state.cells
        windows = (
            cells[:, :-2] + cells[:, 1:-1] + cells[:, 2:],
            cells[:-2] + cells[1:-1] + cells[2:],
            cells[:-2, :-2] + cells[1:-1, 1:-1] + cells[2:, 2:],
            cells[2:, :-2] + cells[1:-1, 1:-1] + cells[:-2, 2:],
        )
        for window in windows:
            if (window == 3).any():
                return 1
            if (window == -3).any():
                return -1
        return 0

    def is_terminal(self, state: Any) -> Any:
        return self.winner(state) != 0 or bool(state.cells.all())

    def utility(self, state: Any, player: int) -> Any:
        return self.winner(state) * (1 if player == 0 else -1)


class Position:
    """A position that keeps what was found out about it, as programs for chess do."""

    def __init__(self, cells: tuple[str, ...], turn: str) -> None:
        self.cells = cells
        self.turn = turn
        self._line: str | None = None
        self._free: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.cells, self.turn) == (other.cells, other.turn)

    def __hash__(self) -> int:
        return hash((self.cells, self.turn))

    def __repr__(self) -> str:
        return f"<{''.join(self.cells)} {self.turn}>"

    @property
    def free(self) -> list[int]:
        if self._free is None:
            self._free = [at for at, cell in enumerate(self.cells) if cell == "."]
        return self._free

    @property
    def line(self) -> str:
        if self._line is None:
            self._line = next(
                (
                    self.cells[a]
                    for a, b, c in LINES
                    if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]
                ),
                "",
            )
        return self._line

    def push(self, at: int) -> Position:
        cells = list(self.cells)
        cells[at] = self.turn
        return Position(tuple(cells), "o" if self.turn == "x" else "x")


class TicTacToeOfPositions(Game[Any, Any]):
    """Tic-tac-toe with objects that cache."""

    def initial(self) -> Any:
        return Position((".",) * 9, "x")

    def to_move(self, state: Any) -> Any:
        return "xo".index(state.turn)

    def actions(self, state: Any) -> Any:
        yield from state.free

    def result(self, state: Any, action: Any) -> Any:
        return state.push(action)

    def is_terminal(self, state: Any) -> Any:
        return bool(state.line) or not state.free

    def utility(self, state: Any, player: int) -> Any:
        value = {"x": 1, "o": -1, "": 0}[state.line]
        return value if player == 0 else -value


class FractionPie(Game[Any, Any]):
    """Both eat a fraction of what is left of a pie, each fraction once, as text; the difference counts."""

    def initial(self) -> Any:
        parts = "1/2", "1/3", "1/4", "2/5", "3/7", "1/9"
        return Fraction(1), Fraction(0), parts, 0

    def to_move(self, state: Any) -> Any:
        return state[3]

    def actions(self, state: Any) -> Any:
        return range(len(state[2]))

    def result(self, state: Any, action: Any) -> Any:
        left, lead, parts, mover = state
        over, under = re.fullmatch(r"(\d+)/(\d+)", parts[action]).groups()  # type: ignore[union-attr]
        eaten = left * Fraction(int(over), int(under))
        kept = parts[:action] + parts[action + 1 :]
        return left - eaten, lead + (eaten if mover == 0 else -eaten), kept, 1 - mover

    def is_terminal(self, state: Any) -> Any:
        return not state[2]

    def utility(self, state: Any, player: int) -> Any:
        return state[1] if player == 0 else -state[1]


class DecimalAuction(Game[Any, Any]):
    """Prices in exact decimals: take a lot at its price, or let it become cheaper."""

    def initial(self) -> Any:
        return (Decimal("1.10"), Decimal("2.35"), Decimal("0.75"), Decimal("3.20")), Decimal(0), 0, 0

    def to_move(self, state: Any) -> Any:
        return state[2]

    def actions(self, state: Any) -> Any:
        return [("take", lot) for lot in range(len(state[0]))] + [("wait", 0)] * (state[3] < 5)

    def result(self, state: Any, action: Any) -> Any:
        lots, lead, mover, waited = state
        word, lot = action
        if word == "wait":
            cheaper = tuple((price * Decimal("0.9")).quantize(Decimal("0.01")) for price in lots)
            return cheaper, lead, 1 - mover, waited + 1
        gain = lots[lot] - Decimal(lot) / 4
        rest = lots[:lot] + lots[lot + 1 :]
        return rest, lead + (gain if mover == 0 else -gain), 1 - mover, waited

    def is_terminal(self, state: Any) -> Any:
        return not state[0]

    def utility(self, state: Any, player: int) -> Any:
        return float(state[1] if player == 0 else -state[1])


class WideBitboards(Game[Any, Any]):
    """Dominoes on the free places of a board of 12 by 12, in integers of 300 bits."""

    free = tuple(row * 12 + column for row in range(4, 8) for column in range(3, 7))

    def initial(self) -> Any:
        return (1 << 144) - 1 - sum(1 << place for place in self.free) | 1 << 290

    def to_move(self, state: Any) -> Any:
        return state >> 288 & 1

    def actions(self, state: Any) -> Any:
        step = 1 if self.to_move(state) else 12
        for place in self.free:
            if not (state >> place | state >> (place + step)) & 1:
                yield place

    def result(self, state: Any, action: Any) -> Any:
        step = 1 if self.to_move(state) else 12
        return (state | 1 << action | 1 << (action + step)) ^ 1 << 288

    def is_terminal(self, state: Any) -> Any:
        return next(iter(self.actions(state)), None) is None

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == self.to_move(state) else 1


class Patterns(Game[Any, Any]):
    """Write a letter at either end: who completes a word of the language (ab|ba)c?a wins."""

    won = re.compile(r"(ab|ba)c?a")

    def initial(self) -> Any:
        return "c"

    def to_move(self, state: Any) -> Any:
        return (len(state) - 1) % 2

    def actions(self, state: Any) -> Any:
        return [side + letter for side in "<>" for letter in "abc"]

    def result(self, state: Any, action: Any) -> Any:
        return action[1] + state if action[0] == "<" else state + action[1]

    def is_terminal(self, state: Any) -> Any:
        return bool(self.won.search(state)) or len(state) > 8

    def utility(self, state: Any, player: int) -> Any:
        if not self.won.search(state):
            return 0
        return -1 if self.to_move(state) == player else 1


class JsonNim(Game[Any, Any]):
    """Nim whose states are documents."""

    def initial(self) -> Any:
        return json.dumps({"heaps": [1, 3, 4, 5], "turn": 0})

    def to_move(self, state: Any) -> Any:
        return json.loads(state)["turn"]

    def actions(self, state: Any) -> Any:
        heaps = json.loads(state)["heaps"]
        return [(heap, taken) for heap, size in enumerate(heaps) for taken in range(1, size + 1)]

    def result(self, state: Any, action: Any) -> Any:
        told = json.loads(state)
        told["heaps"][action[0]] -= action[1]
        told["heaps"].sort()
        told["turn"] = 1 - told["turn"]
        return json.dumps(told)

    def is_terminal(self, state: Any) -> Any:
        return not any(json.loads(state)["heaps"])

    def utility(self, state: Any, player: int) -> Any:
        return -1 if self.to_move(state) == player else 1


class Formulas(Game[Any, Any]):
    """Both write a formula, sign by sign, and Python works it out: MAX wants it large."""

    def initial(self) -> Any:
        return "5"

    def to_move(self, state: Any) -> Any:
        return len(state) // 2 % 2

    def actions(self, state: Any) -> Any:
        return [sign + digit for sign in "+-*" for digit in "123"]

    def result(self, state: Any, action: Any) -> Any:
        return state + action

    def is_terminal(self, state: Any) -> Any:
        return len(state) >= 9

    def utility(self, state: Any, player: int) -> Any:
        value = eval(state)
        return value if player == 0 else -value


class Dynamic(Game[Any, Any]):
    """Counters whose attributes are made up while it runs."""

    def __init__(self) -> None:
        for place, name in enumerate(("gold", "wood", "iron")):
            setattr(self, f"worth_{name}", place + 2)

    def initial(self) -> Any:
        return (("gold", 3), ("iron", 2), ("turn", 0), ("wood", 4), ("lead", 0))

    def to_move(self, state: Any) -> Any:
        return dict(state)["turn"]

    def actions(self, state: Any) -> Any:
        have = SimpleNamespace(**dict(state))
        return [name for name in ("gold", "wood", "iron") if getattr(have, name) > 0]

    def result(self, state: Any, action: Any) -> Any:
        have = SimpleNamespace(**dict(state))
        left = getattr(have, action)
        gain = getattr(self, f"worth_{action}") * left
        setattr(have, action, left - 1)
        have.lead += gain if have.turn == 0 else -gain
        have.turn = 1 - have.turn
        return tuple(sorted(vars(have).items()))

    def is_terminal(self, state: Any) -> Any:
        return not self.actions(state)

    def utility(self, state: Any, player: int) -> Any:
        lead = operator.itemgetter("lead")(dict(state))
        return lead if player == 0 else -lead


class Calendar(Game[Any, Any]):
    """Each moves the date on by days, or to the next month; who reaches 31 December wins."""

    def initial(self) -> Any:
        return date(2023, 9, 1), 0

    def to_move(self, state: Any) -> Any:
        return state[1]

    def actions(self, state: Any) -> Any:
        days = [n for n in (1, 2, 3, 7) if state[0] + timedelta(n) <= date(2023, 12, 31)]
        return days + (["month"] if state[0].month < 12 else [])

    def result(self, state: Any, action: Any) -> Any:
        if action == "month":
            return state[0].replace(month=state[0].month + 1, day=min(state[0].day, 30)), 1 - state[1]
        return state[0] + timedelta(action), 1 - state[1]

    def is_terminal(self, state: Any) -> Any:
        return state[0] == date(2023, 12, 31)

    def utility(self, state: Any, player: int) -> Any:
        return -1 if self.to_move(state) == player else 1

    def evaluate(self, state: Any, player: int) -> Any:
        return (state[0].day % 5 - 2) * (1 if player == 0 else -1)


class Warehouse:
    """A state that others might have written: changed in place, copied deeply, compared by what is in it."""

    def __init__(self) -> None:
        self.stock = Counter(apple=3, pear=2, plum=2)
        self.baskets = [Counter(), Counter()]
        self.turn = 0

    def key(self) -> Any:
        return tuple(tuple(sorted(one.items())) for one in (self.stock, *self.baskets)), self.turn

    def __hash__(self) -> int:
        return hash(self.key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Warehouse) and self.key() == other.key()

    def __repr__(self) -> str:
        return f"Warehouse{self.key()}"


class Baskets(Game[Any, Any]):
    """Take fruit in turn; pairs are worth more."""

    def initial(self) -> Any:
        return Warehouse()

    def to_move(self, state: Any) -> Any:
        return state.turn

    def actions(self, state: Any) -> Any:
        return sorted(+state.stock)

    def result(self, state: Any, action: Any) -> Any:
        new = copy.deepcopy(state)
        new.stock[action] -= 1
        new.baskets[new.turn][action] += 1
        new.turn = 1 - new.turn
        return new

    def is_terminal(self, state: Any) -> Any:
        return not +state.stock

    def utility(self, state: Any, player: int) -> Any:
        mine, theirs = (sum(n * n for n in basket.values()) for basket in state.baskets)
        return mine - theirs if player == 0 else theirs - mine

    def key(self, state: Any) -> Any:
        return default_key(state.key())


class Memoised(Game[Any, Any]):
    """Sevens in a row of numbers, with a cache of its own in the object."""

    def __init__(self) -> None:
        self.cache: OrderedDict[Any, int] = OrderedDict()

    def initial(self) -> Any:
        return (7, 3, 4, 5, 2, 7, 1, 6, 2, 5), 0, 0

    def to_move(self, state: Any) -> Any:
        return state[2]

    def actions(self, state: Any) -> Any:
        return ("left", "right") if len(state[0]) > 1 else ("left",)

    def worth(self, row: Any) -> int:
        if row not in self.cache:
            self.cache[row] = sum(1 for a, b in pairwise(row) if a + b == 7) + row[0]
        return self.cache[row]

    def result(self, state: Any, action: Any) -> Any:
        row, lead, mover = state
        waiting = deque(row)
        before = self.worth(row)
        taken = waiting.popleft() if action == "left" else waiting.pop()
        gain = taken + before % 3
        return tuple(waiting), lead + (gain if mover == 0 else -gain), 1 - mover

    def is_terminal(self, state: Any) -> Any:
        return not state[0]

    def utility(self, state: Any, player: int) -> Any:
        return state[1] if player == 0 else -state[1]


class ChipsByComplex(Game[Any, Any]):
    """A stone walks over the plane of numpy's complex numbers; who steps where someone was has lost."""

    steps = tuple(map(np.complex128, (1 + 0j, 1j, -1 + 0j, -1j)))

    def initial(self) -> Any:
        return np.complex128(0), frozenset([np.complex128(0)]), 0

    def to_move(self, state: Any) -> Any:
        return state[2]

    def actions(self, state: Any) -> Any:
        for step in self.steps:
            place = state[0] + step
            if abs(place.real) <= 2 and abs(place.imag) <= 1 and place not in state[1]:
                yield step

    def result(self, state: Any, action: Any) -> Any:
        place = state[0] + action
        return place, state[1] | {place}, 1 - state[2]

    def is_terminal(self, state: Any) -> Any:
        return not list(self.actions(state))

    def utility(self, state: Any, player: int) -> Any:
        return -1 if self.to_move(state) == player else 1


BEYOND = [
    ConnectThreeInArrays,
    TicTacToeOfPositions,
    FractionPie,
    DecimalAuction,
    WideBitboards,
    Patterns,
    JsonNim,
    Formulas,
    Dynamic,
    Calendar,
    Baskets,
    Memoised,
    ChipsByComplex,
]
