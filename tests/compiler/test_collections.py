"""Sets, dicts and their kin: machine code does with them what Python does."""

# ruff: noqa: E701, E702, D103 - a case in a line
from __future__ import annotations

import enum
from collections import Counter, defaultdict, deque
from typing import Any

import pytest
from asked import Asked, assert_same

from perfectplay.compiler.lowering import hashes, sets
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.traps import Trap


class Color(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3


class Num(enum.IntEnum):
    A = 5
    B = 2


SEEN = {"a", "b", "cc"}
BIG = {i * i for i in range(40)}
WORDS = {w: i for i, w in enumerate("one two three four five six seven eight nine ten".split())}
PAIRS = {(r, c): r * 10 + c for r in range(5) for c in range(5)}
FUNS = {"x": lambda n: n + 1, "y": lambda n: n * 2}
LISTS = {0: [1, 2], 1: [3], 2: []}
TUPS = {"a": (1,), "b": (1, 2, 3)}
NEST = {"p": {1: 2, 3: 4}, "q": {5: 6}}


def lit(n):
    return [x for x in {3, 1, n}], [x for x in {10, 3, 2}], 4 in {1, 2, 4}, n in {1, 2, n + 1}


def lit2(n):
    s = {30, 20, 10, 0}
    s.add(n)
    return list(s)


def walk_lit(n):
    t = []
    for x in {90, 33, n and 5, 7}:
        t.append(x)
    for x in {64, 8, 16}:
        t.append(x)
    return t


def strs(t):
    s = set(t)
    return len(s), "a" in s, sorted(s), min(s), s == {"a", "b"}, s <= {"a", "b", "c"}


def strs2(t):
    s = {x for x in t if x != "."}
    return s.pop() if len(s) == 1 else "none"


def strs3(t):
    return (
        sum(1 for x in set(t) if x in SEEN),
        any(x == "a" for x in set(t)),
        sorted({x + "!" for x in set(t)}),
    )


def enums(n):
    s = {Color.RED, Color(n)}
    return len(s), Color.BLUE in s, s == {Color.RED}


def enumfs(n):
    return frozenset({Color.RED, Color(n)})


def nums(n):
    return list({Num.A, Num(n), 7})


def nones(n):
    s = {None, n, 3}
    return len(s), None in s, n in s


def const(n):
    return n in BIG, n in PAIRS, (n, 1) in PAIRS, WORDS["one"], PAIRS.get((n, n), -1)


def const2(w):
    return WORDS.get(w), w in WORDS


def const3(n):
    return (
        FUNS["x" if n > 2 else "y"](n),
        sum(LISTS[n % 3]),
        TUPS["a" if n else "b"],
        NEST["p" if n else "q"].get(n, 9),
    )


def const4(k):
    return FUNS[k](4), TUPS[k] if k in TUPS else ()


def dd(n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 3].append(i)
    e = defaultdict(int)
    for i in range(n):
        e[i % 4] += i
    return [(k, sum(v)) for k, v in d.items()], dict(e), len(d), 1 in d, d == e


def dd2(n):
    d = defaultdict(set)
    d["a"].add(n)
    d["b"].add(1)
    d["a"].add(n + 1)
    e = defaultdict(lambda: 7)
    x = e[n]
    e[n] += 1
    return sorted(d["a"]), x, e[n], len(e)


def cnt(t):
    c = Counter(t)
    c["a"] += 2
    return c["a"], c["zz"], len(c), c.most_common(), c.most_common(1), sum(c.values()), c.total()


def dq(n):
    q = deque([n])
    seen = {n}
    out = []
    while q:
        x = q.popleft()
        out.append(x)
        for y in (x * 2 % 17, x + 3):
            if y < 30 and y not in seen:
                seen.add(y)
                q.append(y)
    q.appendleft(4)
    q.append(5)
    q.extend([6, 7])
    a = q.pop()
    q.rotate(1)
    return out, list(q), a, len(q), q[0], q[-1], bool(q), 5 in q


def dicts(n):
    d = {"a": 1, "b": n}
    d["c"] = d.pop("a")
    d.update({"z": 9})
    d.update(y=5)
    d |= {"q": 4}
    e = dict(d)
    del e["z"]
    f = {**e, "b": 0}
    g = dict([(1, 2), (n, 3)])
    h = dict.fromkeys((1, 2, n), 0)
    return (
        d,
        e,
        f,
        g,
        h,
        e == d,
        d == dict(d),
        list(d),
        list(d.values()),
        sorted(d.items()),
        d.get("nope"),
        d.get("b", 3),
        d.setdefault("w", 8),
        len(d),
        d.pop("nix", -1),
        max(d, key=d.get),
        {v: k for k, v in g.items()},
        e.popitem(),
        dict(a=1) | {"n": n},
    )


def missing(n):
    d = {1: 2}
    return d[n]


def caught(n):
    d = {1: 2}
    try:
        return d[n]
    except KeyError:
        return -1


def grow(n):
    s = {1, 2, 3}
    for x in s:
        if n:
            s.add(x + 10)
    return len(s)


def growd(n):
    s = {1: 1}
    for x in s:
        if n:
            s[x + 10] = 1
    return len(s)


def big(n):
    d = {}
    for i in range(n):
        d[i * i % 1009, i % 3] = i
    for i in range(0, n, 2):
        d.pop((i * i % 1009, i % 3), None)
    return list(d.items())[:40], len(d)


def unpack(t):
    (x,) = set(t)
    return x


def nexti(t):
    s = set(t)
    return next(iter(s)) if len(s) == 1 else "-"


def frz(s, x):
    return s | {x}, s - {x}, x in s, len(s), [a for a, b in s], frozenset([x]), s ^ {x}


def nested(n):
    s = {frozenset({1, n}), frozenset({n, 1})}
    return len(s), frozenset({1, n}) in s, [sorted(x) for x in s]


def emptyset(n):
    s = set()
    return len(s), list(s), 3 in s, bool(s), s | {n}, s == set()


def emptyd(n):
    d = {}
    return len(d), list(d), 3 in d, bool(d), d.get(3), d == {}


def keysview(n):
    d = {1: 2, n: 4}
    return (
        1 in d.keys(),
        len(d.keys()),
        4 in d.values(),
        sorted(d.keys()),
        (n, 4) in d.items(),
        list(reversed(list(d))),
    )


def delset(n):
    s = set(range(n))
    s.remove(3)
    return s


def ops(n):
    a = {1, 2, n}
    b = frozenset({2, 3})
    return (
        a & b,
        a | b,
        a - b,
        a ^ b,
        b | a,
        type(b | a) is frozenset,
        a < b,
        a <= a,
        a >= b,
        a.isdisjoint(b),
        a.issubset([1, 2, 3, n]),
        a.union([9], [n + 1]),
        a.intersection([1, 5]),
        a.difference([1], (2,)),
    )


CASES: list[Any] = [
    (lit, [(4,), (17,)]),
    (lit2, [(5,)]),
    (walk_lit, [(1,)]),
    (strs, [("ab",), ("abc.",)]),
    (strs, [(("a", "b"),)]),
    (strs2, [("XXX",), ("X.O",)]),
    (strs3, [("abc",)]),
    (enums, [(1,), (2,)]),
    (enumfs, [(1,), (2,)]),
    (nums, [(2,), (5,)]),
    (nones, [(4,), (3,)]),
    (const, [(4,), (3,), (77,)]),
    (const2, [("one",), ("nix",)]),
    (const3, [(0,), (1,), (3,)]),
    (const4, [("x",), ("y",)]),
    (dd, [(0,), (10,)]),
    (dd2, [(10,)]),
    (cnt, [("abca",)]),
    (dq, [(1,), (5,)]),
    (dicts, [(1,), (7,)]),
    (missing, [(1,), (2,)]),
    (caught, [(1,), (2,)]),
    (grow, [(0,), (1,)]),
    (growd, [(0,), (1,)]),
    (big, [(500,)]),
    (unpack, [("aa",)]),
    (nexti, [("aa",)]),
    (frz, [(frozenset({(1, 2), (3, 4)}), (1, 2)), (frozenset(), (5, 6))]),
    (nested, [(1,), (2,)]),
    (emptyset, [(1,)]),
    (emptyd, [(1,)]),
    (keysview, [(1,), (2,)]),
    (delset, [(2,), (5,)]),
    (ops, [(3,), (4,)]),
]


@pytest.mark.parametrize(("function", "examples"), CASES, ids=lambda one: getattr(one, "__name__", ""))
def test_collections_are_pythons(function: Any, examples: list[tuple[Any, ...]]) -> None:
    assert_same(function, *examples)


def a_loop_over_words(text):
    total = []
    for word in set(text):
        total.append(word)
    return total


def numbers_by_words(text):
    return list({len(word) + 1 for word in set(text.split(","))})


@pytest.mark.parametrize("function", [a_loop_over_words, numbers_by_words])
def test_sets_of_words_are_in_the_order_of_this_process(function: Any) -> None:
    assert_same(function, ("abc",), ("a,bb",), ("one,two,three,four",))


def a_changed_constant(n):
    SEEN.add("d")
    return n


@pytest.mark.parametrize(
    ("function", "argument", "said"),
    [
        (a_loop_over_words, "abc", "order differs between processes"),
        (numbers_by_words, "a,bb", "order is another one in every process"),
        (a_changed_constant, 1, "constant"),
    ],
)
def test_what_python_leaves_open_is_refused_where_its_hashes_are_not_known(
    function: Any, argument: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sets, hashes):
        monkeypatch.setattr(module, "text_key", lambda: None)
    with pytest.raises(Obstacle) as refused:
        Asked(function, [(argument,)])
    assert said in refused.value.what
    assert refused.value.remedy


def popped(text):
    return set(text).pop()


def test_the_first_of_several_words_is_left_to_python() -> None:
    asked = Asked(popped, [("ab",), ("aa",)])
    assert asked("aa") == "a"
    with pytest.raises(Trap, match="only Python can say"):
        asked("ab")
