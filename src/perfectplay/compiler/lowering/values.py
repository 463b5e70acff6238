"""What the lowering passes around: values in registers, ends of blocks, and frames of names."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from perfectplay.compiler.ir import Block, Operand
from perfectplay.compiler.reading import Function
from perfectplay.compiler.shapes import Const, Shape


@dataclass(frozen=True, slots=True)
class Value:
    """A value: what is known of it, and the registers that hold the rest."""

    shape: Shape
    regs: tuple[Operand, ...] = ()


def constant(value: Any) -> Value:
    """A value that is known when compiling; a view of a dict is the dict, and an array a list."""
    if isinstance(value, MappingProxyType | array):
        if id(value) not in _viewed or _viewed[id(value)][0] is not value:
            _viewed[id(value)] = value, dict(value) if isinstance(value, MappingProxyType) else list(value)
        value = _viewed[id(value)][1]
    return Value(Const(value))


_viewed: dict[int, tuple[Any, Any]] = {}


class Iter(Shape):
    """Something to walk through once: `each` writes a loop around what is done with every item."""

    def __init__(
        self,
        each: Callable[[Callable[[Value], None]], None],
        what: str = "iterator",
        given: dict[str, Value | str] | None = None,
    ) -> None:
        self.each = each
        self.what = what
        self.given = {} if given is None else given  # what it was made with: values, or names that hold them
        self.settled = True  # does it read nothing else that may change?

    def __repr__(self) -> str:
        return self.what


@dataclass(frozen=True)
class Spread(Shape):
    """The last arguments of a call, as many as a sequence has."""

    inner: Value


Names = dict[str, Shape]  # the variables that have a value at some point, by what is known of it


@dataclass(slots=True)
class End:
    """A place where control leaves, to be joined with others: the block, its names, and a value."""

    block: Block
    names: Names
    value: Value | None = None


@dataclass
class Loop:
    """A loop that is being written: who leaves it, and who goes on with the next round."""

    breaks: list[End] = field(default_factory=list)
    continues: list[End] = field(default_factory=list)


@dataclass
class Frame:
    """A function whose statements are being written: its own, or one that is written into it."""

    function: Function
    prefix: str  # of its names, so that they do not meet others'
    outer: dict[str, Value]  # what it found around it
    inlined: bool = False
    returns: list[End] = field(default_factory=list)
    yields: Callable[[Value], None] | None = None
    scopes: list[dict[str, str]] = field(default_factory=list)  # names of comprehensions
    loops: list[Loop] = field(default_factory=list)
    enclosing: Frame | None = None  # where a comprehension's generator was written

    def key(self, name: str) -> str:
        """What a local name is called in this function of the intermediate form."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.prefix + name
