"""Kernels: functions of the search or of tablebases in machine code, called as the Python functions are."""

from __future__ import annotations

import ctypes
import mmap
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from perfectplay.compiler.context import ALLOWED, CALLS, DEPTH, NEXT, NOTED, ROOM, STOP, TRAPPED
from perfectplay.compiler.emitting import Loaded
from perfectplay.compiler.layouts import Layout, restored
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.records import address_of
from perfectplay.compiler.shapes import BOOL, FLOAT, INT, WORD, Array, Plain, Record, Shape, Struct, kinds
from perfectplay.compiler.traps import Misfit, Trap
from perfectplay.compiler.values import Coder

PLAIN: dict[str, Shape] = {"number": INT, "word": WORD, "real": FLOAT, "flag": BOOL}
ARENA = 1 << 26  # bytes for one question, of which only those in use are there
# Of memory: a process that forks does not share it.
OUR_OWN: Any = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
STACK = 3 << 20  # bytes of stack that a question may take, where nobody says more
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
SIGN = 1 << 63


class Context:
    """Memory for one thread of machine code: for its own use, for what it is given and what it answers."""

    def __init__(self, state_words: int = 0, given: int = 1, answered: int = 1) -> None:
        self.arena = mmap.mmap(-1, ARENA, **OUR_OWN)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.arena))
        self.words = (ctypes.c_uint64 * (ROOM + NOTED * state_words))(self.start, self.start + ARENA)
        self.address = ctypes.addressof(self.words)
        self.given = (ctypes.c_uint64 * given)()
        self.given_reals = (ctypes.c_double * given).from_buffer(self.given)  # the same words
        self.answer = (ctypes.c_uint64 * answered)()
        self.answer_reals = (ctypes.c_double * answered).from_buffer(self.answer)
        self.state: Any = None  # that was given last,
        self.coder: Any = None  # and who keeps its parts

    def prepare(self, stack: int) -> None:
        """Give all memory back."""
        self.words[NEXT] = self.start
        self.words[ALLOWED] = stack
        self.words[TRAPPED] = 0
        self.words[DEPTH] = self.words[CALLS] = 0


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
        self.given = sum(len(kinds(shape)) for shape in made.shapes)
        self.size = len(kinds(made.result))
        self.is_number = made.result == INT
        self.local = threading.local()
        self.contexts: list[Context] = []

    def stop(self) -> None:
        """Have rules leave their loops, in all threads; whoever runs then gets a Trap that says so."""
        for context in self.contexts:
            context.words[STOP] = 1

    def resume(self) -> None:
        """Have rules stay in their loops again."""
        for context in self.contexts:
            context.words[STOP] = 0

    def run(self, context: Context) -> Any:
        """What it answers to the arguments in a context; Trap where only Python can say."""
        context.prepare(self.stack)
        status = self.call(context.address, context.given, context.answer)
        if status:
            raise Trap(status, self.noted(context))
        if self.is_number:
            word = context.answer[0]
            return word - 2 * SIGN if word >= SIGN else word
        if self.made.result == FLOAT:
            return context.answer_reals[0]
        return self.coder.decode(context.answer[: self.size], self.made.result)

    def answered(self, words: Sequence[int]) -> Any:
        """What it answers to arguments that are words."""
        context = self.context()
        for place, word in enumerate(words):
            context.given[place] = word
        return self.run(context)

    def context(self) -> Context:
        """The memory of this thread."""
        try:
            return self.local.context
        except AttributeError:
            words = self.made.layout.words if self.made.layout else 0
            context = self.local.context = Context(words, max(self.given, 1), max(self.size, 1))
            self.contexts.append(context)
            return context

    def noted(self, context: Context) -> list[Any]:
        """The states on the way to a trap, from the one that was asked about."""
        layout = self.made.layout
        if layout is None:
            return []
        ends = range(ROOM, ROOM + context.words[TRAPPED] * layout.words, layout.words)
        return [restored(context.words[at : at + layout.words], layout, self.coder) for at in reversed(ends)]


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
        self.places = _places(kinds, made.shapes)
        self.plain = {place: _plain(shape) for _, place, kind, shape in self.places if kind == "state"}
        self.widenings = 0

    def stop(self) -> None:
        """Have all threads leave the rules."""
        self.machine.stop()

    def resume(self) -> None:
        """Let all threads go on in the rules."""
        self.machine.resume()

    @property
    def state_bytes(self) -> int:
        """The bytes of a state in memory."""
        layout = self.machine.made.layout
        return 8 * layout.words if layout else 0

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers; Trap where only Python can say, Misfit if a state is of another kind."""
        context = self.machine.context()
        given = context.given
        for number, place, kind, shape in self.places:
            value = arguments[number]
            if kind == "real":
                context.given_reals[place] = value
            elif kind == "state":
                if value is not context.state:
                    self._give(context, value, place, shape)
            elif kind == "record":
                given[place] = address_of(value)
            elif kind == "array":
                given[place], given[place + 1] = value.ctypes.data, len(value)
            else:
                value = int(value)
                if kind == "number" and not -SIGN <= value < SIGN:
                    raise Misfit(value)
                given[place] = value  # modulo 2**64
        return self.machine.run(context)

    def _give(self, context: Context, state: Any, place: int, shape: Shape) -> None:
        """Write a state, which stays there until another one is given."""
        plain = self.plain[place]
        if (
            plain is not None
            and type(state) is plain[0]
            and [*map(type, state)] == plain[1]
            and min(state) >= -SIGN
            and max(state) < SIGN
        ):
            context.given[place : place + len(state)] = state
            context.state = state
            return
        context.state, context.coder = None, Coder(self.machine.numbers, self.machine.coder.exact)
        try:
            words = context.coder.encode(state, shape)
        except Misfit:
            raise Misfit(state) from None
        context.given[place : place + len(words)] = words
        context.state = state


def _places(given: Sequence[str], shapes: Sequence[Shape]) -> list[tuple[int, int, str, Shape]]:
    """Of every argument that is passed: its number, the first of its words, how it is written, its shape."""
    places, place = [], 0
    for number, (kind, shape) in enumerate(zip(given, shapes, strict=True)):
        if kind not in ("game", "form"):
            places.append((number, place, "array" if isinstance(shape, Array) else kind, shape))
            place += len(kinds(shape))
    return places


def _plain(shape: Shape) -> tuple[Any, list[type]] | None:
    """The class of a tuple of integers and truth values and the types of its fields; None of other shapes."""
    types: dict[Shape, type] = {INT: int, BOOL: bool}
    if not isinstance(shape, Struct) or not issubclass(shape.cls, tuple) or not shape.fields:
        return None
    if any(not isinstance(field, Plain) or field not in types for field in shape.fields):
        return None
    return shape.cls, [types[field] for field in shape.fields]


class LooseKernel:
    """A function that knows no game, in machine code for every kind of arguments that it is given."""

    def __init__(
        self, function: Callable[..., Any], make: Callable[[Callable[..., Any], tuple[Shape, ...]], Made]
    ) -> None:
        self.function = function
        self.make = make
        self.machines: dict[tuple[Shape, ...], Machine] = {}

    def bound(self, cls: type, memory: Any) -> Callable[[], int]:
        """The same for one record, in which whoever asks writes; for one thread at a time."""
        machine = self._machine((Record(cls),))
        context = Context()
        context.prepare(STACK)
        context.given[0] = address_of(memory)
        call, place, given, out = machine.call, context.address, context.given, context.answer

        def answer() -> int:
            status = call(place, given, out)
            if status:
                raise Trap(status)
            return out[0]

        answer.kept = machine, context  # type: ignore[attr-defined] # they live as long as it does
        return answer

    def _machine(self, shapes: tuple[Shape, ...]) -> Machine:
        if shapes not in self.machines:
            self.machines[shapes] = Machine(self.make(self.function, shapes), STACK)
        return self.machines[shapes]

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers."""
        shapes = tuple(map(_shape_of, arguments))
        machine = self._machine(shapes)
        coder = Coder(machine.numbers, machine.coder.exact)
        words: list[int] = []
        for shape, value in zip(shapes, arguments, strict=True):
            if isinstance(shape, Array):
                words += [value.ctypes.data, len(value)]
            else:
                words += coder.encode(float(value) if shape == FLOAT else int(value), shape)
        return machine.answered(words)


ARRAYS = {"<i8": "numbers", "<u8": "words", "<f8": "reals", "|u1": "bytes", "<u2": "shorts", "<u4": "ints"}


def _shape_of(value: Any) -> Shape:
    """The shape of an argument: an array of numbers, a word, a number."""
    kind = getattr(value, "dtype", None)
    if kind is not None and value.shape:
        return Array(ARRAYS[kind.str])
    if kind is not None and kind.str == "<u8":
        return WORD
    return FLOAT if isinstance(value, float) else INT
