"""Compilation: a function of the search or of tablebases, together with the rules of a game, pass by pass."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, get_type_hints

from perfectplay.compiler.emitting import object_code
from perfectplay.compiler.kernels import PLAIN, Made
from perfectplay.compiler.layouts import Layout, layout_of
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.program import ExactOrder, Instance, Program
from perfectplay.compiler.reading import function_of
from perfectplay.compiler.shapes import Array, Const, Record, Shape, join
from perfectplay.compiler.state_kind import has_digests

compiling = threading.RLock()  # the cells of constant lists belong to one program at a time


@dataclass
class Compilation:
    """What became of a function: all that was written, and the seconds that each pass took."""

    program: Program
    entry: Instance
    layout: Layout | None
    text: str  # LLVM's assembly, as it was emitted
    code: bytes
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def made(self) -> Made:
        """What is needed to call it."""
        shapes = [shape for _, shape in self.entry.arguments]
        words = list(self.program.words)
        return Made(
            self.code,
            f"{self.entry.name}.entry",
            shapes,
            self.entry.result,
            words,
            self.layout,
            self.program.exact,
        )


def compile_kernel(
    game: Any,
    function: Callable[..., Any],
    kinds: Sequence[str],
    *,
    endgames: Callable[..., Any] | None,
    observed: Observed,
    leaves: Layout | None = None,
    full: bool | None = None,
) -> Compilation:
    """A function for a game whose states are as was observed; Obstacle if it cannot be.

    `full` says whether a table must hold whole states; if nobody says, the keys of the game do.
    """
    state = observed.state
    full = has_digests(game, game.initial()) if full is None else full
    began = perf_counter()
    read = function_of(function)
    hints = get_type_hints(function) if "record" in kinds else {}
    with compiling:
        for _ in range(8):
            program = Program(exact=observed.exact)
            for text in observed.words:
                program.word(text)
            for shape in (state, observed.action):
                program.show(shape)
            program.seen_state, program.seen_action = state, observed.action
            program.layout = layout = layout_of(state, observed.lengths)
            program.leaves = leaves
            program.endgames = endgames
            program.full = full
            program.known["stores_states"] = full
            program.wide_lines = observed.wide_lines
            shapes = [
                _shape(kind, game, state, hints.get(name))
                for name, kind in zip(read.parameters, kinds, strict=True)
            ]
            entry = program.entry(read, tuple(zip(read.parameters, shapes, strict=True)))
            entry.watched = "state" if "state" in read.parameters else ""
            try:
                program.settle()
            except ExactOrder:
                observed.exact = True
                continue
            if program.obstacles:
                raise program.obstacles[0]
            wider = join(state, program.stored)
            if wider == state:
                break
            state = wider
        return _emitted(program, entry, layout, began)


def compile_function(function: Callable[..., Any], shapes: Sequence[Shape]) -> Compilation:
    """A function that knows no game."""
    began = perf_counter()
    read = function_of(function)
    with compiling:
        program = Program()
        entry = program.entry(read, tuple(zip(read.parameters, shapes, strict=True)))
        program.settle()
        if program.obstacles:
            raise program.obstacles[0]
        return _emitted(program, entry, None, began)


def _emitted(program: Program, entry: Instance, layout: Layout | None, began: float) -> Compilation:
    lowered = perf_counter()
    text = program.assembly()
    written = perf_counter()
    code = object_code(text)
    seconds = {
        "lowering": lowered - began,
        "emitting": written - lowered,
        "optimising": perf_counter() - written,
    }
    return Compilation(program, entry, layout, text, code, seconds)


def _shape(kind: str, game: Any, state: Shape, hint: Any) -> Shape:
    if kind == "game":
        return Const(game)
    if kind == "form":  # which is in the layout of leaves
        return Const(None)
    if kind == "state":
        return state
    if kind == "record":
        return Record(hint)
    return PLAIN[kind] if kind in PLAIN else Array(kind)
