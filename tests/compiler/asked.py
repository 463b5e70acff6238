"""One Python function compiled by itself, to be asked in machine code and compared with Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

from perfectplay.compiler.emitting import Loaded, object_code
from perfectplay.compiler.kernels import ENTRY, STACK, Context
from perfectplay.compiler.program import ExactOrder, Program
from perfectplay.compiler.reading import function_of
from perfectplay.compiler.shapes import Const, general, join_all
from perfectplay.compiler.traps import Trap
from perfectplay.compiler.values import Coder


class Asked:
    """A function in machine code, for arguments like these."""

    def __init__(self, function: Callable[..., Any], examples: Iterable[tuple[Any, ...]]) -> None:
        self.python = function
        read = function_of(function)
        columns = list(zip(*examples, strict=True)) or [() for _ in read.parameters]
        shapes = [join_all(general(Const(value)) for value in column) for column in columns]
        for exact in (False, True):
            self.program = Program(exact=exact)
            for text in _words(columns):
                self.program.word(text)
            self.entry = self.program.entry(read, tuple(zip(read.parameters, shapes, strict=True)))
            try:
                self.program.settle()
                break
            except ExactOrder:
                assert not exact
        if self.program.obstacles:
            raise self.program.obstacles[0]
        self.loaded = Loaded(object_code(self.program.assembly(), level=1))
        self.machine = ENTRY(self.loaded.address(f"{self.entry.name}.entry"))
        self.context = Context()

    def __call__(self, *arguments: Any) -> Any:
        """What machine code answers."""
        coder = Coder(self.program.words, self.program.exact)
        pairs = zip(self.entry.arguments, arguments, strict=True)
        words = [word for (_, shape), value in pairs for word in coder.encode(value, shape)]
        given = (ctypes.c_uint64 * max(len(words), 1))(*words)
        size = len(self.entry.results)
        out = (ctypes.c_uint64 * max(size, 1))()
        self.context.prepare(STACK)
        status = self.machine(self.context.address, given, out)
        if status:
            raise Trap(status)
        return coder.decode(list(out)[:size], self.entry.result)


def _words(columns: Iterable[Any]) -> Iterable[str]:
    for value in columns:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple | list | frozenset):
            yield from _words(value)


def exactly(value: Any) -> Any:
    """A value in a form that tells apart what == does not: 1, True and 1.0, and the order of dicts."""
    if isinstance(value, tuple | list):
        return type(value).__name__, [exactly(part) for part in value]
    if isinstance(value, dict):
        return "dict", [(exactly(key), exactly(part)) for key, part in value.items()]
    if isinstance(value, set | frozenset):
        return type(value).__name__, value
    return type(value).__name__, value


def assert_same(function: Callable[..., Any], *examples: tuple[Any, ...]) -> None:
    """Machine code answers as Python does, exceptions included."""
    asked = Asked(function, examples)
    for example in examples:
        try:
            wanted = exactly(function(*example))
        except Exception as error:  # noqa: BLE001 - whatever Python raises, machine code has to
            wanted = type(error).__name__
        try:
            found = exactly(asked(*example))
        except Trap as trap:
            found = str(trap).partition(" ")[0]
        assert found == wanted, f"{function.__name__}{example}"
