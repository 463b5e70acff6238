"""Sets of numbers and of tuples of numbers are walked through in Python's own order."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from asked import Asked
from hypothesis import given, settings
from hypothesis import strategies as st

from perfectplay.compiler.hashing import WORD, hash_word, order_is_known, sets_can_be_read, table_of

Steps = tuple[tuple[int, int], ...]


def numbers_in_sets(steps: Steps) -> Any:
    """Do to three sets whatever the steps say, and tell what is in them."""
    a: set[int] = set()
    b: set[int] = set()
    c = frozenset((3,))
    for code, n in steps:
        if code == 0:
            a.add(n)
        elif code == 1:
            b.add(n)
        elif code == 2:
            a.discard(n)
        elif code == 3:
            b.discard(n)
        elif code == 4:
            a |= b
        elif code == 5:
            a &= b
        elif code == 6:
            a -= b
        elif code == 7:
            a ^= b
        elif code == 8:
            c = c | a
        elif code == 9:
            c = c & b
        elif code == 10:
            c = c - a
        elif code == 11:
            c = c ^ b
        elif code == 12:
            b = a.copy()
        elif code == 13:
            b = set(c)
        elif code == 14:
            b.update([n, n + 8, n + 16, n * 5])
        elif code == 15:
            a = a.union(b, c, (n, n + 1))
        elif code == 16:
            a = a.intersection(c)
        elif code == 17:
            a = a.difference(c, b)
        elif code == 18:
            b = b.symmetric_difference(c)
        elif code == 19:
            a = {x * 3 + n for x in b}
        elif code == 20:
            c = frozenset(a)
        elif code == 21:
            b.difference_update([n, n + 8, n + 16, n + 24, n + 32])
        elif code == 22:
            a.intersection_update([n, *b])
        elif code == 23:
            b.clear()
        elif code == 24:
            if a:
                b.add(a.pop() + n)
        elif code == 25:
            for k in range(n % 200):
                a.add(k * n)
        elif code == 26:
            b = set(range(0, 64, n % 5 + 1))
    facts = (a <= b, a < b, b <= c, a == b, a == c, a.isdisjoint(b), a.issubset(c), a.issuperset(b))
    return list(a), list(b), list(c), facts, hash(c)


def pairs_in_sets(steps: Steps) -> Any:
    """The same with pairs, and with pairs of pairs."""
    a: set[tuple[int, int]] = set()
    b: set[tuple[tuple[int, int], int]] = set()
    for code, n in steps:
        if code % 3 == 0:
            a.add((code, n))
        elif code % 3 == 1:
            a.discard((code - 1, n))
        else:
            b.add(((code, n), n))
        if code == 20:
            a = {(y, x) for x, y in a}
    return list(a), list(b), [x for x in frozenset(b)]


@cache
def compiled(which: str) -> Asked:
    return Asked(
        {"numbers": numbers_in_sets, "pairs": pairs_in_sets}[which],
        [(((1, 2), (3, 4), (5, 6)),), (((0, 1),) * 9,)],
    )


@pytest.fixture(scope="module", autouse=True)
def _all_compiled() -> None:
    compiled("numbers")
    compiled("pairs")
    compiled_walks()
    compiled_hash()


whole = st.one_of(
    st.integers(-20, 70), st.integers(-(2**40), 2**40), st.sampled_from([0, 8, 16, 24, 32, 40, 64, 128, 1024])
)
some_steps = st.lists(st.tuples(st.one_of(st.integers(0, 26), st.integers(0, 3)), whole), max_size=60).map(
    tuple
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(some_steps)
def test_sets_of_numbers_have_pythons_order(steps: Steps) -> None:
    assert compiled("numbers")(steps) == numbers_in_sets(steps)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(some_steps)
def test_sets_of_tuples_have_pythons_order(steps: Steps) -> None:
    assert compiled("pairs")(steps) == pairs_in_sets(steps)


@pytest.mark.parametrize("seed", range(40))
def test_long_lives_of_sets_end_in_pythons_order(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    steps = tuple(
        (chance.choice((*range(27), 0, 0, 0, 1, 1)), chance.randrange(-50, 400)) for _ in range(150)
    )
    assert compiled("numbers")(steps) == numbers_in_sets(steps)
    assert compiled("pairs")(steps) == pairs_in_sets(steps)


def walked(given: frozenset[int]) -> list[int]:
    """A frozenset as it comes from Python."""
    return list(given)


def grown(given: frozenset[int]) -> list[int]:
    """What its table is like shows when something is added."""
    return list(given | {5, 77})


@pytest.mark.parametrize("seed", range(60))
def test_a_frozenset_from_python_keeps_its_order(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    given = frozenset(chance.sample(range(300), chance.randrange(40)))
    for _ in range(4):
        given = given ^ frozenset(chance.sample(range(300), chance.randrange(12)))
    for asked in compiled_walks():
        assert asked(given) == asked.python(given)


@cache
def compiled_walks() -> list[Asked]:
    return [Asked(function, [(frozenset({1}),)]) for function in (walked, grown)]


@given(
    st.recursive(
        st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False), lambda part: st.lists(part).map(tuple)
    )
)
def test_hashes_are_pythons(value: Any) -> None:
    assert hash_word(value) == hash(value) & WORD
    assert hash_word(frozenset({value, 1})) == hash(frozenset({value, 1})) & WORD


def hashed(number: float) -> int:
    return hash(number)


@settings(deadline=None)
@given(st.floats(allow_nan=False))
def test_hashes_of_floats_are_pythons(number: float) -> None:
    assert compiled_hash()(number) == hash(number)


@cache
def compiled_hash() -> Asked:
    return Asked(hashed, [(0.5,)])


def test_the_tables_of_this_python_are_known() -> None:
    assert order_is_known()
    assert sets_can_be_read()
    given = set(range(0, 90, 7))
    given.discard(14)
    table = table_of(given)
    assert (table.used, table.fill - table.used, table.items()) == (len(given), 1, list(given))
