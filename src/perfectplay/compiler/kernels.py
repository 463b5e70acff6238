"""Kernels: functions of the search or of tablebases in machine code, called as the Python functions are."""

from __future__ import annotations

import ctypes
import mmap
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from perfectplay.compiler.emitting import Loaded
from perfectplay.compiler.layouts import Layout, restored
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.shapes import BOOL, FLOAT, INT, WORD, Array, Shape, kinds
from perfectplay.compiler.traps import Misfit, Trap
from perfectplay.compiler.values import Coder

PLAIN: dict[str, Shape] = {"number": INT, "word": WORD, "real": FLOAT, "flag": BOOL}
ARENA = 1 << 26  # bytes for one question, of which only those in use are there
STACK = 3 << 20  # bytes of stack that a question may take, where nobody says more
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
TRAPPED, DEPTH, ROOM = 5, 6, 7  # words of a context: was a state noted, calls counted, where the state lies


class Context:
    """Memory for one thread of machine code."""

    def __init__(self, state_words: int = 0) -> None:
        self.arena = mmap.mmap(-1, ARENA)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.arena))
        self.words = (ctypes.c_uint64 * (ROOM + state_words))(self.start, self.start + ARENA)
        self.address = ctypes.addressof(self.words)

    def prepare(self, stack: int) -> None:
        """Give all memory back."""
        self.words[0] = self.start
        self.words[2] = 0
        self.words[4] = stack
        self.words[TRAPPED] = 0
        self.words[DEPTH] = 0


@dataclass
class Made:
    """A function in machine code, with what is needed to call it."""

    code: bytes
    entry: str  # what it is called in there
    shapes: list[Shape]  # of its arguments
    result: Shape
    words: list[str]  # by their numbers
    layout: Layout | None  # of a state
    exact: bool = False  # are hashes those of this process?


class Machine:
    """A function in machine code: how it is called."""

    def __init__(self, made: Made, stack: int) -> None:
        self.made = made
        self.stack = stack
        self.loaded = Loaded(made.code)
        self.call = ENTRY(self.loaded.address(made.entry))
        self.numbers = {text: number for number, text in enumerate(made.words)}
        self.coder = Coder(self.numbers, made.exact)  # for answers: it keeps nothing
        self.size = len(kinds(made.result))
        self.local = threading.local()
        self.contexts: list[Context] = []

    def stop(self) -> None:
        """Have rules leave their loops, in all threads; whoever runs then gets a Trap that says so."""
        for context in self.contexts:
            context.words[2] = 1

    def run(self, words: list[int]) -> Any:
        """What it answers to arguments that are words; Trap where only Python can say."""
        given = (ctypes.c_uint64 * max(len(words), 1))(*words)
        out = (ctypes.c_uint64 * max(self.size, 1))()
        context = self.context()
        context.prepare(self.stack)
        status = self.call(context.address, given, out)
        if status:
            raise Trap(status, self.noted(context))
        return self.coder.decode(list(out)[: self.size], self.made.result)

    def context(self) -> Context:
        """The memory of this thread."""
        if not hasattr(self.local, "context"):
            self.local.context = Context(self.made.layout.words if self.made.layout else 0)
            self.contexts.append(self.local.context)
        return self.local.context

    def noted(self, context: Context) -> Any:
        """The state that a trap was at."""
        layout = self.made.layout
        if layout is None or not context.words[TRAPPED]:
            return None
        words = list(context.words)[ROOM : ROOM + layout.words]
        return restored(words, layout, self.coder)


class Kernel:
    """A function in machine code for one game; called as the Python function is."""

    def __init__(
        self,
        game: Any,
        function: Callable[..., Any],
        kinds: Sequence[str],
        made: Made,
        *,
        endgames: Callable[..., Any] | None = None,
        leaves: Layout | None = None,
        observed: Observed,
        stack: int = STACK,
    ) -> None:
        self.game = game
        self.function, self.kinds, self.endgames = function, kinds, endgames
        self.leaves = leaves
        self.observed = observed
        self.machine = Machine(made, stack)
        self.widenings = 0

    def stop(self) -> None:
        """Have all threads leave the rules."""
        self.machine.stop()

    @property
    def state_bytes(self) -> int:
        """The bytes of a state in memory."""
        layout = self.machine.made.layout
        return 8 * layout.words if layout else 0

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers; Trap where only Python can say, Misfit if a state is of another kind."""
        coder = Coder(self.machine.numbers, self.machine.coder.exact)
        words: list[int] = []
        for kind, shape, value in zip(self.kinds, self.machine.made.shapes, arguments, strict=True):
            if isinstance(shape, Array):
                words += [value.ctypes.data, len(value)]
            elif kind in ("game", "form"):
                continue
            elif kind == "flag":
                words.append(int(value))
            elif kind == "state":
                try:
                    words += coder.encode(value, shape)
                except Misfit:
                    raise Misfit(value) from None
            else:
                words += coder.encode(int(value) if kind in ("number", "word") else value, shape)
        return self.machine.run(words)


class LooseKernel:
    """A function that knows no game, in machine code for every kind of arguments that it is given."""

    def __init__(
        self, function: Callable[..., Any], make: Callable[[Callable[..., Any], tuple[Shape, ...]], Made]
    ) -> None:
        self.function = function
        self.make = make
        self.machines: dict[tuple[Shape, ...], Machine] = {}

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers."""
        shapes = tuple(map(_shape_of, arguments))
        if shapes not in self.machines:
            self.machines[shapes] = Machine(self.make(self.function, shapes), STACK)
        machine = self.machines[shapes]
        coder = Coder(machine.numbers, machine.coder.exact)
        words: list[int] = []
        for shape, value in zip(shapes, arguments, strict=True):
            if isinstance(shape, Array):
                words += [value.ctypes.data, len(value)]
            else:
                words += coder.encode(float(value) if shape == FLOAT else int(value), shape)
        return machine.run(words)


ARRAYS = {"<i8": "numbers", "<u8": "words", "<f8": "reals", "|u1": "bytes", "<u2": "shorts", "<u4": "ints"}


def _shape_of(value: Any) -> Shape:
    """The shape of an argument: an array of numbers, a word, a number."""
    kind = getattr(value, "dtype", None)
    if kind is not None and value.shape:
        return Array(ARRAYS[kind.str])
    if kind is not None and kind.str == "<u8":
        return WORD
    return FLOAT if isinstance(value, float) else INT
