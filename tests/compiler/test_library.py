"""Python's library, as far as rules use it: machine code answers as the library does."""

# ruff: noqa: E701, E702, D103 - a case in a line
from __future__ import annotations

import functools
import itertools
import math
import operator
from functools import partial, reduce
from itertools import *  # noqa: F403
from operator import itemgetter
from typing import Any

import pytest
from asked import Asked, assert_same

from perfectplay.compiler.reading import Obstacle

TABLE = str.maketrans("XO.", "ox ")


def i1(n):
    return (
        list(product(range(n), "ab")),
        list(product((0, 1), repeat=n)),
        [a + b + c for a, b, c in product(range(n), repeat=3)],
    )


def i2(t):
    return (
        list(combinations(t, 2)),
        list(combinations(t, 3)),
        list(permutations(t, 2)),
        list(permutations(t)),
        list(combinations(t, 0)),
        list(combinations_with_replacement(t, 2)),
    )


def i3(t, n):
    return list(combinations(t, n)), list(permutations(t, n)), list(combinations((1, 2, 3), n))


def i4(t):
    return list(chain(t, [7], range(2), (x for x in t if x > 1))), list(
        chain.from_iterable([[1], [2, 3], list(t)])
    )


def i5(n):
    return (
        list(islice(count(), n)),
        list(islice(count(3, 2), 1, n, 2)),
        list(islice((x for x in range(100)), 2, 5)),
        list(zip(count(), "abc")),
        list(zip("ab", count(5))),
        list(repeat(n, 2)),
        [x for x, _ in zip(cycle([1, 2]), range(n))],
    )


def i6(t):
    return (
        list(takewhile(lambda x: x < 3, t)),
        list(dropwhile(lambda x: x < 2, t)),
        list(accumulate(t)),
        list(accumulate(t, operator.mul)),
        list(accumulate(t, max, initial=2)),
        list(pairwise(t)),
        list(starmap(pow, [(2, 3), (3, 2)])),
        list(filterfalse(lambda x: x % 2, t)),
        list(compress(t, [1, 0, 1])),
    )


def i7(t):
    return (
        list(zip_longest(t, [1])),
        list(zip_longest(t, "ab", fillvalue=0)),
        list(zip(t, t[1:], t[2:], t)),
        list(zip(t)),
    )


def i8(t):
    return list(zip(t, [1, 2, 3], strict=True))


def i9(t):
    out = []
    for a, b in product(t, t):
        if a == b:
            continue
        if a + b > 4:
            break
        out.append((a, b))
    return out


def f1(t):
    return reduce(lambda a, b: a * 10 + b, t), reduce(operator.add, t, 5), reduce(operator.or_, t)


def f2(n):
    g = partial(lambda a, b, c: a * 100 + b * 10 + c, n)
    h = partial(max, 3)
    k = partial(pow, exp=2)
    return g(2, 3), h(n), k(n), list(map(partial(operator.mul, n), [1, 2, 3]))


def f3(t):
    return (
        sorted(t, key=itemgetter(1)),
        max(t, key=itemgetter(1, 0)),
        list(map(itemgetter(0), t)),
        operator.getitem(t, 0),
    )


def f4(n):
    return (
        operator.lt(n, 3),
        operator.neg(n),
        operator.not_(n),
        operator.contains([1, 2], n),
        operator.floordiv(n, 2),
        operator.eq(n, 3),
    )


def m1(n):
    return (
        math.gcd(n, 12),
        math.gcd(n, 8, 12),
        math.lcm(n, 4),
        math.comb(n, 2),
        math.perm(n, 2),
        math.factorial(n),
        math.isqrt(n * n + 1),
        math.prod([n, 2, 3]),
        math.floor(n / 2),
        math.ceil(n / 2),
        math.sqrt(n),
        pow(n, 5, 7),
        divmod(-n, 3),
        math.inf > n,
        round(n / 2),
        abs(-n),
        pow(n, 2),
        math.fabs(-n),
        math.isinf(n),
    )


def s1(t):
    return (
        sorted(t),
        sorted(t, reverse=True),
        sorted(t, key=lambda x: -x),
        sorted(t, key=lambda x: x % 3),
        sorted(t, key=lambda x: x % 3, reverse=True),
        min(t),
        max(t),
        min(t, key=lambda x: (x % 5, x)),
        max(t, default=7),
        sum(t),
        sum(t, 10),
    )


def s2(n):
    a = [(i * 7919) % 101 for i in range(n)]
    b = sorted(a)
    a.sort(key=lambda x: (x % 7, -x))
    c = sorted(range(n), key=lambda i: (i * 31) % 17, reverse=True)
    d = sorted([str(i) for i in range(n)])
    return a, b, c, d


def b1(n):
    return (
        bin(n),
        hex(n),
        oct(n),
        bin(n).count("1"),
        bin(n)[2:].zfill(8),
        format(n, "04d"),
        format(n, "b"),
        f"{n:>5}|{n:<5}|{n:^5}|{n:05d}|{n:+d}|{n:x}|{n:#x}|{n:#b}",
        "%d-%s-%03d" % (n, "a", n),
        "{}:{:>3}:{k}".format(n, n, k=n),
        f"{n!r}{n}",
        f"{n:*^7}",
    )


def t1(s):
    return (
        s.split(","),
        s.split(),
        s.strip(),
        s.strip("a"),
        s.lstrip(),
        s.rstrip(),
        s.partition(","),
        s.rpartition(","),
        s.zfill(9),
        s.ljust(9),
        s.rjust(9, "."),
        s.center(9),
        s.center(8, "-"),
        s.title(),
        s.capitalize(),
        s.upper(),
        s.split(",", 1),
        s.removeprefix("a"),
        s.removesuffix("b"),
        s.startswith(("x", "a")),
        s.endswith(("b", "z")),
        s.startswith("b", 2),
        s.rfind("a"),
        s.find("b", 1),
        s.replace(",", ";"),
        s.count("a"),
        s * 2,
        s.splitlines(),
        s.isalnum(),
    )


def t2(s):
    return (
        s.translate(TABLE),
        s.translate(str.maketrans("X", "y", "O")),
        "".join(sorted(s)),
        "".join(reversed(s)),
        s[::-1],
        [ord(c) for c in s],
        [c * 2 for c in s],
    )


def t3(s):
    return int(s)


def t4(s):
    return int(s, 2), int(s, 16)


def t5(n):
    return str((n, 1)), str([n, 2]), repr("ab"), str((n,)), f"{(n, n)}", str([(n, "a")]), str(()), str(n == 2)


def t6(s):
    return f"{s:>4}|{s:<4}|{s:^4}|{s:.2}|{s!r}", "%s=%5s|%-5s|" % (s, s, s), "%s" % s, "100%% %s" % s


def e1(t):
    return (
        list(enumerate(t, start=1)),
        list(reversed(t)),
        list(map(lambda a, b: a + b, t, t)),
        list(map(str, t)),
        list(filter(None, t)),
        any(t),
        all(t),
        any(x > 2 for x in t),
        all([]),
        list(reversed(range(3))),
        list(map(max, t, t[1:])),
    )


def e2(t):
    d = {x: x * x for x in t}
    return (
        list(zip(d, d.values())),
        list(enumerate(d)),
        list(map(lambda kv: kv[0] + kv[1], d.items())),
        sum(d.values()),
        list(reversed(d)),
        list(zip(*[t, t])),
        list(zip(*[(1, 2), (3, 4)])),
    )


def e3(t):
    xs = list(t)
    out = []
    for a, b in zip(xs, xs):
        out.append(a + b)
        if len(xs) < 6:
            xs.append(a)
    return out


def e4(t):
    return (
        next((x for x in t if x > 100), None),
        next(iter(t)),
        max((x for x in t if x > 100), default=-1),
        min(t, t),
        max(1, 2, t[0]),
        min(3, t[0], key=lambda x: -x),
    )


def e5(fl):
    return sum(fl), sum([0.5, fl[0]]), max(fl), sorted(fl), sum(fl, 1)


def e6(t):
    rows = [list(t), [9, 8, 7, 6]]
    return (
        list(zip(*rows)),
        list(chain(*rows)),
        max(*t),
        list(product(*rows)),
        set().union(*rows),
        math.gcd(*t),
    )


def e7(b):
    return list(zip(*b)), tuple(zip(*b[::-1])), [list(r) for r in zip(*b)]


def e8(n):
    rows = [{1, 2, n}, {2, n, 3}, {n, 9, 2}]
    return (
        set.union(*rows),
        set.intersection(*rows),
        set().union(*rows),
        rows[0].union(*rows),
        rows[0].intersection(*rows),
        rows[0].difference(*rows[1:]),
        set.union({1}, {n}),
        list(map(sorted, rows)),
    )


def e9(t):
    xs = list(t)
    out = [xs.pop(0)]
    while xs:
        out.append(xs.pop(0) * 2)
    xs.append(3)
    xs.insert(0, 4)
    return out, xs


CASES: list[Any] = [
    (i1, [(2,), (3,)]),
    (i2, [((1, 2, 3, 4),), ((1, 2),)]),
    (i3, [((1, 2, 3, 4), 2), ((1, 2, 3, 4), 3), ((1, 2, 3, 4), 0), ((1, 2, 3, 4), 5)]),
    (i4, [((1, 2, 3),), ((),)]),
    (i5, [(4,), (0,)]),
    (i6, [((1, 2, 3, 4),)]),
    (i6, [((1, 2, 3, 4),), ((2,),)]),
    (i7, [((1, 2, 3, 4),)]),
    (i8, [((1, 2, 3),), ((1, 2),), ((1, 2, 3, 4),)]),
    (i9, [((1, 2, 3, 4),)]),
    (f1, [((1, 2, 3, 4),)]),
    (f2, [(4,)]),
    (f3, [(((1, 5), (2, 3), (0, 3)),)]),
    (f4, [(4,), (1,), (0,)]),
    (m1, [(5,), (8,)]),
    (s1, [((5, 2, 9, 1, 7, 7, 3),), ((1,),)]),
    (s2, [(0,), (5,), (16,), (17,), (100,)]),
    (b1, [(5,), (0,), (-9,), (255,)]),
    (t1, [("a,b",), (" ab c,",), ("",), ("xa,b,a\nq",)]),
    (t2, [("XO.X",)]),
    (t3, [("12",), ("-7",), (" 4 ",), ("x",), ("",), ("4x",)]),
    (t4, [("101",), ("12",)]),
    (t5, [(2,)]),
    (t6, [("ab",), ("xyz",)]),
    (e1, [((1, 2, 3),), ((),)]),
    (e2, [((3, 1, 2),)]),
    (e3, [((1, 2, 3),)]),
    (e4, [((1, 2, 3),)]),
    (e5, [((0.1, 0.2, 0.3),)]),
    (e6, [((1, 2, 3),)]),
    (e7, [(((1, 2), (3, 4), (5, 6)),)]),
    (e7, [(((1, 2), (3, 4), (5, 6)),), (((1, 2),),)]),
    (e8, [(5,), (70,)]),
    (e9, [((1, 2, 3),)]),
]


@pytest.mark.parametrize(("function", "examples"), CASES, ids=lambda one: getattr(one, "__name__", ""))
def test_the_library_is_pythons(function: Any, examples: list[tuple[Any, ...]]) -> None:
    assert_same(function, *examples)
