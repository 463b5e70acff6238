"""Places where a compiler and Python may part: each body is asked in machine code and in Python.

Those of `meanings.txt` are asked in every run, and a part of `more_meanings.txt`; all of them by
`python tests/compiler/test_python_meaning.py`.
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from typing import Any

import pytest
from comparing import Machine, module_of, same

from perfectplay.compiler import traps
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.traps import Trap

HEAD = """
import bisect, copy, functools, math, operator
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, IntEnum, IntFlag, auto
from functools import cache, cached_property, lru_cache, partial, reduce, total_ordering
from heapq import heapify, heappop, heappush, heappushpop, heapreplace, nlargest, nsmallest
from itertools import *
from operator import add, attrgetter, itemgetter, mul, neg, or_, sub, xor
from bisect import bisect
from math import isclose
from operator import countOf, indexOf
from functools import wraps
from dataclasses import astuple
from functools import cmp_to_key
from typing import NamedTuple, Optional
from fractions import Fraction

n = 4

WEIGHTS = defaultdict(lambda: 1.0, {"a": 1.5})
LISTS = defaultdict(list)
NEAR = defaultdict(list, {"a": [1], "b": [2, 3]})
compose = lambda *fs: reduce(lambda f, g: lambda *a: f(g(*a)), fs)
SHOUT = compose("".join, partial(map, str.upper), reversed)
COUNT_TRUE = compose(len, list, partial(filter, None))

LIST = [1, 2, 3]
TABLE = {"a": 1, "b": 2}

def adding(k):
    def add(x):
        return x + k
    return add

def moving(k):
    return (lambda x: x >= k), (lambda x: x - k)

SLICES = {"a": slice(1, 3), "b": slice(None, 4, 2)}
ADDERS = [adding(k) for k in (1, 10, 100)]
MOVES = {name: moving(k) for name, k in (("a", 1), ("b", 3), ("c", 50))}
sorted_words = ("pear", "fig", "apple")

class Colour(Enum):
    RED = 1
    GREEN = 2
    @property
    def other(self):
        return Colour.GREEN if self is Colour.RED else Colour.RED

class Rank(IntEnum):
    LOW = 1
    HIGH = 5

class Word(str, Enum):
    YES = "yes"
    NO = "no"

class Way(Flag):
    LEFT = auto()
    RIGHT = auto()
    BOTH = LEFT | RIGHT

class Vector(NamedTuple):
    x: int
    y: int = 0
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)
    def __bool__(self):
        return self.x != 0 or self.y != 0

class Pair(NamedTuple):
    a: int
    b: int

@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    label: int = field(default=0, compare=False)
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)
    def __neg__(self):
        return Point(-self.x, -self.y)
    def __len__(self):
        return abs(self.x) + abs(self.y)
    def __contains__(self, n):
        return n == self.x or n == self.y
    def __getitem__(self, i):
        return (self.x, self.y)[i]
    def __call__(self, k):
        return self.x * k

@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: str = "x"

@dataclass(frozen=True)
class Odd:
    n: int
    def __eq__(self, other):
        return isinstance(other, Odd) and self.n % 10 == other.n % 10
    def __lt__(self, other):
        return self.n % 10 < other.n % 10
    def __hash__(self):
        return self.n % 10

class Sized:
    def __init__(self, size):
        self.__size = size
    def twice(self):
        return 2 * self.__size
    def __abs__(self):
        return abs(self.__size)
    def __len__(self):
        return abs(self.__size)
    def __int__(self):
        return self.__size
    def __float__(self):
        return self.__size / 2
    def __iter__(self):
        yield self.__size
        yield -self.__size
    def __eq__(self, other):
        return isinstance(other, Sized) and self.__size == other.__size
    def __hash__(self):
        return hash((self.__size, 1))
    def __lt__(self, other):
        return self.__size < other.__size

class Named:
    def __init__(self, name, n):
        self.name = name
        self.n = n
    def __eq__(self, other):
        return self.name == other.name
    def __hash__(self):
        return hash(self.name) ^ 5

@dataclass(frozen=True)
class Positive:
    n: int
    def __post_init__(self):
        if self.n <= 0:
            raise ValueError

class Oops(Exception):
    pass

class Worse(Oops):
    pass

def grow(a, n, into=[]):
    a.append(n)
    return len(a)

def changed(by):
    def outer(function):
        @wraps(function)
        def inner(*args):
            return by(function(*args))
        return inner
    return outer

@changed(lambda x: 2 * x)
def doubled(n):
    return n + 1

@changed(lambda x: min(x, 20))
def clipped(n):
    return n

CALLED = Point(3, 4)

def late():
    return LIST[0]
def _deco(f):
    def g(x):
        return f(x) * 10
    return g
@_deco
def decorated(x):
    return x + 1
def _deco2(k):
    def deco(f):
        def g(*a, **kw):
            return f(*a, **kw) * k
        return g
    return deco
@_deco2(2)
def twice(x):
    return x
def _w(f):
    @functools.wraps(f)
    def g(*a):
        return f(*a) + 100
    return g
@_w
def wrapped(x):
    return x
class Counter2:
    def __init__(self):
        self.k = 0
    def bump(self):
        self.k += 1
class Stack(list):
    def top(self):
        return self[-1]
class Base:
    def step(self, x):
        return x + 1
    def run(self, x):
        return self.step(x) * 2
class Sub(Base):
    def step(self, x):
        return super().step(x) + 10
class Sub1:
    def __init__(self, k):
        self.k = k
    def describe(self):
        return ("base", self.k)
class Sub2(Sub1):
    def describe(self):
        return super(Sub2, self).describe() + ("sub",)
class Ticket:
    count = 7
"""

EACH = 8  # of the further ones, one of so many is asked in every run


def meanings_in(name: str) -> dict[str, str]:
    """The bodies of a file, by their titles."""
    found: dict[str, str] = {}
    title = ""
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            title = line[2:].strip()
            assert title not in found, title
            found[title] = ""
        else:
            found[title] += line + "\n"
    return {title: textwrap.dedent(body).strip() for title, body in found.items()}


ALWAYS, SOMETIMES = meanings_in("meanings.txt"), meanings_in("more_meanings.txt")
MEANINGS = ALWAYS | SOMETIMES


def source_of(body: str) -> str:
    """The text of a module with a function of this body; its classes are the module's."""
    tree = ast.parse(body)
    classes = [part for part in tree.body if isinstance(part, ast.ClassDef)]
    if classes:
        body = "\n".join(ast.unparse(part) for part in tree.body if part not in classes)
    above = "\n".join(map(ast.unparse, classes))
    return f"{HEAD}\n{above}\ndef worth(n):\n" + textwrap.indent(body, "    ") + "\n"


def asked(title: str, n: int = 4) -> tuple[str, Any, Any]:
    """What became of a question: same, left to Python, refused, or WRONG; and both answers."""
    number = list(MEANINGS).index(title)
    space = module_of(source_of(MEANINGS[title]), f"meaning_{number}")
    theirs: Any
    try:
        theirs = space["worth"](n)
    except Exception as error:
        theirs = type(error)
    try:
        machine = Machine(space["worth"], n, quick=True)
        ours = machine(n)
    except Obstacle as obstacle:
        return (
            "refused",
            f"line {obstacle.line - HEAD.count(chr(10)) - 2}: {obstacle.what}; {obstacle.remedy}",
            theirs,
        )
    except Trap as trap:
        code = traps.code_in(trap.status)
        if code >= traps.FIRST_LIMIT:
            return "left", traps.said(trap.status), theirs
        kinds = {code: kind for kind, code in machine.program.exceptions.items()}
        kind = kinds.get(code) or traps.EXCEPTIONS[code - 1]
        same_kind = isinstance(theirs, type) and issubclass(theirs, kind)
        return ("same" if same_kind else "WRONG"), kind, theirs
    return ("same" if not isinstance(theirs, type) and same(ours, theirs) else "WRONG"), ours, theirs


@pytest.mark.parametrize("title", [*ALWAYS, *list(SOMETIMES)[::EACH]])
def test_machine_code_means_what_python_means(title: str) -> None:
    what, ours, theirs = asked(title)
    allowed = ("same", "left", "refused") if title.endswith("(Python answers)") else ("same",)
    assert what in allowed, (ours, theirs)


if __name__ == "__main__":
    import collections
    import sys

    counts: collections.Counter[str] = collections.Counter()
    for one in MEANINGS:
        if len(sys.argv) > 1 and sys.argv[1] not in one:
            continue
        try:
            what, ours, theirs = asked(one)
        except Exception as error:
            what, ours, theirs = "ERROR", f"{type(error).__name__}: {error}"[:200], ""
        counts[what] += 1
        if what != "same":
            print(f"{what:8} {one}: Python {theirs!r}, machine code {ours!r}")
    print(dict(counts))
