"""Calls whose function or whose arguments are found out when compiling: machine code calls as Python does."""

# ruff: noqa: E701, E702, D103 - a case in a line
from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import singledispatch, singledispatchmethod
from typing import Any, NamedTuple, NewType, assert_never, cast

import pytest
from asked import Asked, assert_same

from perfectplay import Game
from perfectplay.compiler.digest import code_digest, rules_digest
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.traps import Trap
from perfectplay.compiler.value_classes import value_fields
from perfectplay.games import ConnectFour


class Suit(Enum):
    RED = "r"
    BLACK = "b"


class Rank(IntEnum):
    LOW = 1
    HIGH = 2


class Pair(NamedTuple):
    left: int
    right: int


@dataclass(frozen=True)
class Piece:
    at: int


@dataclass(frozen=True)
class King(Piece):
    crowned: bool


@dataclass(frozen=True)
class Knight(Piece):
    leaps: int


# Generic functions.


@singledispatch
def kind(value, more=0):
    return "object", more


@kind.register
def _(value: int, more=0):
    return "int", value + more


@kind.register(bool)
def _(value, more=0):
    return "bool", more


@kind.register
def _(value: str | float, more=0):
    return "str or float", more


@kind.register(Sequence)
def _(value, more=0):
    return "sequence", len(value) + more


@kind.register
def _(value: Piece, more=0):
    return "piece", value.at + more


@kind.register
def _(value: King, more=0):
    return "king", more - value.at


@kind.register(list)
def kind_of_list(value, more=0):
    return "list", sum(value)


def by_union(value):
    return kind(value)


def by_each_kind(n):
    return (
        [kind(n), kind(n > 1, 2), kind(1.5, more=n), kind("ab"), kind("a"), kind((n, 2)), kind(Pair(n, 1))],
        [kind([n, n]), kind(deque([n])), kind({n: 1}), kind({n}), kind(None), kind(range(n)), kind(Suit.RED)],
        [kind(Rank.HIGH), kind(King(n, True)), kind(Knight(n, 2)), kind(Piece(n)), kind(tuple(range(n)))],
    )


def mapped(n):
    return list(map(kind, (n, n > 2, "x", King(n, False))))


@singledispatch
def total(value):
    raise TypeError(value)


@total.register(int)
def _(value):
    return value


@total.register(tuple)
def _(value):
    return sum(map(total, value))


def nested_total(n):
    return total(((n, 2), (3, (n, n)), 4))


def total_of_text(n):
    return total("a" * n)


def without_argument(n):
    return kind(value=n)


@singledispatch
def worth(value):
    return 0


worth.register(int, lambda value: value * 10)
worth.register(dict, lambda value: 1)
worth.register(Counter, lambda value: 2)
worth.register(defaultdict, lambda value: 3)
worth.register(deque, lambda value: 4)


def containers(n):
    return worth(n), worth({n: 1}), worth(Counter([n])), worth(defaultdict(int)), worth(deque([n]))


@pytest.mark.parametrize(
    "value", [3, True, 2.5, "ab", (1, 2), None, Suit.RED, King(2, True), Knight(1, 3), Piece(5)]
)
def test_one_of_several_kinds_is_dispatched_by_its_class(value: Any) -> None:
    assert_same(by_union, (value,), (7,), (King(4, False),), ("xyz",), (None,), ((),))


@pytest.mark.parametrize(
    "function", [by_each_kind, mapped, nested_total, total_of_text, without_argument, containers]
)
def test_a_generic_function_is_the_one_for_the_class_of_its_argument(function: Any) -> None:
    assert_same(function, (1,), (3,))


class Robot:
    """An object that changes by the events that it is told of."""

    def __init__(self, at):
        self.at = at
        self.log = []

    @singledispatchmethod
    def tell(self, event, times=1):
        self.log.append(0)

    @tell.register
    def _(self, event: int, times=1):
        self.at += event * times
        self.log.append(1)

    @tell.register
    def _(self, event: Pair, times=1):
        for _ in range(times):
            self.tell(event.left)
            self.tell(event.right)

    @singledispatchmethod
    @staticmethod
    def named(thing):
        return "thing"

    @named.register
    @staticmethod
    def _(thing: int):
        return "number"

    @singledispatchmethod
    @classmethod
    def made(cls, thing):
        return cls(0)

    @made.register
    @classmethod
    def _(cls, thing: int):
        return cls(thing)


class Crawler(Robot):
    """One whose generic method goes on to the one above."""

    @singledispatchmethod
    def tell(self, event, times=1):
        return super().tell(event, times=times)

    @tell.register
    def _(self, event: str, times=1):
        self.log.append(len(event))


def told(n):
    robot = Robot(n)
    robot.tell(2)
    robot.tell(Pair(n, 3), times=2)
    robot.tell("hop")
    for each in map(robot.tell, (1, n)):
        robot.log.append(each is None)
    return robot.at, robot.log, robot.named(n), Robot.named("a"), Robot.made(n).at, robot.made("a").at


def crawled(n):
    robot = Crawler(n)
    robot.tell(2)
    robot.tell("hop")
    robot.tell(None)
    return robot.at, robot.log


def by_the_class(n):
    return Robot.tell(Robot(n), 3)


class Purse:
    """A value with a generic method that nothing changes by."""

    def __init__(self, coins):
        self.coins = coins

    def __eq__(self, other):
        return isinstance(other, Purse) and self.coins == other.coins

    def __hash__(self):
        return hash(self.coins)

    @singledispatchmethod
    def plus(self, what):
        return self

    @plus.register
    def _(self, what: int):
        return Purse(self.coins + what)


class Till(Purse):
    """The same, but one of its methods changes it: no value."""

    @singledispatchmethod
    def put(self, what):
        return None

    @put.register
    def _(self, what: int):
        self.coins = what

    @put.register
    def _(self, what: str):
        return None


def purses(n):
    return Purse(n).plus(2).plus(None).plus(n).coins


@pytest.mark.parametrize("function", [told, crawled, by_the_class, purses])
def test_a_generic_method_is_the_one_for_the_class_of_its_argument(function: Any) -> None:
    assert_same(function, (1,), (3,))


def test_a_generic_method_that_changes_its_object_makes_it_no_value() -> None:
    assert value_fields(Purse) == ("coins",)
    assert value_fields(Till) is None


def by_a_generator(n):
    return kind(x for x in range(n))


def test_a_class_that_is_not_known_is_said() -> None:
    with pytest.raises(Obstacle, match="chooses a function by the class of"):
        Asked(by_a_generator, [(1,)])


def one_more(*given):
    return given[-1] + 1


def two_more(*given):
    return given[-1] + 2


def _game(step: Any, method: bool) -> Game[Any, Any]:
    generic: Any = singledispatchmethod(max) if method else singledispatch(max)
    generic.register(int, step)

    class Counting(ConnectFour):
        """Counts."""

        stepped = generic if method else staticmethod(generic)

        def result(self, state, action):
            return self.stepped(state)

    return Counting()


@pytest.mark.parametrize("method", [False, True])
def test_the_digest_of_rules_sees_what_is_registered(method: bool) -> None:
    for digest in (rules_digest, code_digest):
        assert digest(_game(one_more, method)) == digest(_game(one_more, method))
        assert digest(_game(one_more, method)) != digest(_game(two_more, method))


# Names of types, and objects that are one.

Square = NewType("Square", int)
Corner = NewType("Corner", Square)


def new_types(n):
    def checked(value):
        match value:
            case int() | str():
                return value
            case _:
                assert_never(value)

    return (
        Square(n) + Corner(Square(2)),
        cast("Square", n),
        list(map(Square, (n, 3))),
        checked(n),
        checked("a"),
    )


def test_a_new_type_is_a_name_only() -> None:
    assert_same(new_types, (1,), (3,))


class Place:
    """A value that asks first whether the other one is itself."""

    def __init__(self, row, col):
        self.row = row
        self.col = col

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, Place):
            return NotImplemented
        return self.row == other.row and self.col == other.col

    def __hash__(self):
        return hash((self.row, self.col))


class Card:
    """The same in one expression, and by one of its attributes alone."""

    def __init__(self, name, price):
        self.name = name
        self.price = price

    def __eq__(self, other):
        return other is self or (isinstance(other, Card) and self.name == other.name)

    def __hash__(self):
        return hash(self.name)


class Ghost(Card):
    """Equal to itself alone, whatever is in it: only Python knows."""

    def __eq__(self, other):
        if self is other:
            return True
        return False

    def __hash__(self):
        return 1


class Twin(Card):
    """It asks for more than to say True at once."""

    def __eq__(self, other):
        if self is other:
            return False
        return True

    def __hash__(self):
        return 1


def places(n):
    one, other = Place(n, 2), Place(1, 2)
    found = [one == other, one != other, one == one, one == 3, 3 != one, one in [other, one]]
    return found, [other].count(one), len({one, other, Place(n, 3)}), {other: n}.get(one)


def cards(n):
    one = Card("ab"[n % 2], n)
    return one == Card("a", 5), one != Card("b", n), one == one, (one,) == (Card("a", n),), one == "a"


def ghosts(n):
    return Ghost("a", n) == Ghost("a", 1)


def twins(n):
    return Twin("a", n) == Twin("a", 1)


@pytest.mark.parametrize("function", [places, cards])
def test_an_object_that_is_the_other_is_equal_to_it(function: Any) -> None:
    assert_same(function, (1,), (2,), (3,))


def test_python_decides_where_it_matters_whether_two_objects_are_one() -> None:
    asked = Asked(ghosts, [(1,), (2,)])
    assert asked(2) is False
    with pytest.raises(Trap):
        asked(1)
    with pytest.raises(Obstacle, match="whether two values are one object"):
        Asked(twins, [(1,)])
