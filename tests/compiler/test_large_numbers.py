"""Integers of more than 64 bits: computed with, kept, compared and hashed as Python does, or a trap."""

from __future__ import annotations

import operator
from random import Random
from typing import Any

import pytest
from asked import Asked, exactly

from perfectplay import Engine, Game
from perfectplay.compiler import traps
from perfectplay.compiler.traps import Trap
from perfectplay.engine import why_not
from perfectplay.textbook import value as textbook_value

EDGES = [0, 1, -1, 2**31, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 2**64, -(2**64), 2**100 + 7, -(2**90)]
NUMBERS = [*EDGES, *(Random(1).randrange(-(2**120), 2**120) for _ in range(12))]


def added(a: int, b: int) -> Any:
    return a + b, a - b, -a, abs(b)


def multiplied(a: int, b: int) -> Any:
    return a * b


def joined(a: int, b: int) -> Any:
    return a & b, a | b, a ^ b, ~a


def divided(a: int, b: int) -> Any:
    return a // b, a % b, divmod(a, b)


def by_powers_of_two(a: int, b: int) -> Any:
    return a // 8, a % 64, a >> 3, a >> 70, b & 0xFFFF, b & 0xFFFF_FFFF_FFFF_FFFF


def compared(a: int, b: int) -> Any:
    return a == b, a != b, a < b, a <= b, a > b, a >= b, bool(a), min(a, b), max(a, b), not b


def counted(a: int, b: int) -> Any:
    return a.bit_count(), b.bit_length(), a & -a


def kept(a: int, b: int) -> Any:
    rows = [a, b, a & b]
    rows.append(b)
    rows.sort()
    return rows, (a, (b, a)), tuple(rows[1:]), a in rows, rows.index(b), rows.count(a)


def looked_up(a: int, b: int) -> Any:
    found = {a: 1, b: 2}
    found[a] += 3
    several = {a, b, 5}
    return found[a], found.get(b), a in several, 2**64 in several, len(several), (a, b) in {(a, b), (b, b)}


@pytest.mark.parametrize(
    "function",
    [added, multiplied, joined, divided, by_powers_of_two, compared, counted, kept, looked_up],
    ids=operator.attrgetter("__name__"),
)
def test_large_numbers_are_pythons(function):
    asked = Asked(function, [(2**70, 2**70)])
    answered = 0
    for a in NUMBERS:
        for b in NUMBERS:
            try:
                wanted: Any = exactly(function(a, b))
            except ZeroDivisionError:
                wanted = "ZeroDivisionError"
            try:
                found: Any = exactly(asked(a, b))
            except Trap as trap:
                if traps.code_in(trap.status) == traps.OVERFLOW:  # more than 128 bits: Python says
                    continue
                found = str(trap).partition(" ")[0]
            assert found == wanted, (a, b)
            answered += 1
    assert answered > len(NUMBERS) ** 2 / 4


class NineByNine(Game[int, int]):
    """Stones on a board of 81 points in one integer; who completes the corner wins. Bit 81 says who moves."""

    POINTS = (0, 17, 40, 62, 63, 64, 79, 80)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state >> 81

    def actions(self, state: int) -> Any:
        return [point for point in self.POINTS if not state >> point & 1]

    def result(self, state: int, action: int) -> int:
        return (state | 1 << action) ^ 1 << 81

    def is_terminal(self, state: int) -> bool:
        corner = 1 << 80 | 1 << 79 | 1 << 62
        return state & corner == corner

    def utility(self, state: int, player: int) -> int:
        return -1 if player == self.to_move(state) else 1


def test_a_state_of_more_than_64_bits_is_searched_in_machine_code():
    game = NineByNine()
    assert why_not(game) is None
    compiled, interpreted = (Engine(game, compile=mode, table_mb=1) for mode in ("always", "never"))
    assert compiled.stores_states  # their keys are digests
    answers = [engine.solve(0) for engine in (compiled, interpreted)]
    assert answers[0].value == textbook_value(game, 0)
    assert len({(one.value, one.nodes, one.line, one.proof) for one in answers}) == 1
    ranked = [[(one.action, one.value) for one in engine.rank(1 << 80)] for engine in (compiled, interpreted)]
    assert ranked[0] == ranked[1]
