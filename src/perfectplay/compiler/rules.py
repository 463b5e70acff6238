"""The rules of a game in machine code, each to be asked by itself."""

from __future__ import annotations

import ast
import ctypes
import inspect
from contextlib import suppress
from types import FunctionType
from typing import Any

from perfectplay.compiler.compilation import compiling
from perfectplay.compiler.emitting import Loaded, object_code, quick_code
from perfectplay.compiler.kernels import ENTRY, STACK, Context
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.program import ExactOrder, Instance, Program
from perfectplay.compiler.reading import Function, Obstacle, function_of
from perfectplay.compiler.shapes import (
    INT,
    LARGE,
    WIDE,
    Const,
    List,
    Shape,
    Struct,
    as_played,
    holds_kept,
    join,
    kept,
)
from perfectplay.compiler.traps import Trap
from perfectplay.compiler.values import Coder
from perfectplay.game import Game

BOUNDARY = "__boundary__"  # in the globals of functions that call rules as the search does
# What each rule takes after the game: a state, an action, a player, a number that a state was packed into,
# a tier and a rank.
QUESTIONS = {
    "to_move": "s",
    "is_terminal": "s",
    "actions": "s",
    "chances": "s",
    "result": "sa",
    "utility": "sp",
    "evaluate": "sp",
    "order": "sa",
    "candidates": "s",
    "bounds": "sp",
    "canonical": "s",
    "key": "s",
    "is_quiet": "s",
    "tier": "s",
    "pack": "s",
    "unpack": "n",
    "rank": "s",
    "unrank": "tr",
}
OPTIONAL = set(QUESTIONS) - {"to_move", "is_terminal", "actions", "result", "utility"}


def questions(game: Game[Any, Any]) -> dict[str, str]:
    """The rules that a class has of its own: the defaults of `Game` are ours."""
    return {
        name: takes
        for name, takes in QUESTIONS.items()
        if name not in OPTIONAL or getattr(type(game), name) is not getattr(Game, name)
    }


def _entry(
    program: Program, game: Game[Any, Any], observed: Observed, name: str, takes: str, number: Shape = INT
) -> Instance:
    """A rule that is asked from outside."""
    shapes = {"s": observed.state, "a": observed.action, "p": INT, "n": number, "t": INT, "r": INT}
    copies = holds_kept(observed.state) or holds_kept(observed.action)
    if copies or not isinstance(inspect.getattr_static(type(game), name), FunctionType) or name in vars(game):
        return _entry_of_other(program, game, name, [shapes[kind] for kind in takes])
    function = function_of(getattr(type(game), name))
    known: list[Shape] = [Const(game), *(shapes[kind] for kind in takes)]
    for extra in function.parameters[len(known) :]:
        default = inspect.signature(getattr(type(game), name)).parameters[extra].default
        if default is inspect.Parameter.empty:
            obstacle = Obstacle(f"takes {extra} as well", "take what the contract says", function.node)
            obstacle.function = function
            raise obstacle
        known.append(Const(default))
    return program.entry(function, tuple(zip(function.parameters, known, strict=True)))


def _entry_of_other(program: Program, game: Game[Any, Any], name: str, shapes: list[Shape]) -> Instance:
    """A rule that is no method but something else to call: a static method, a getter, a partial function."""
    names = [f"given{number}" for number in range(len(shapes))]
    node = ast.parse(f"lambda game, {', '.join(names)}: game.{name}({', '.join(names)})", mode="eval").body
    assert isinstance(node, ast.Lambda)
    return program.entry(
        Function(node, {BOUNDARY: True}), tuple(zip(["game", *names], [Const(game), *shapes], strict=True))
    )


def obstacles_in(game: Game[Any, Any], observed: Observed) -> list[Obstacle]:
    """All that stands in the way of compiling the rules, as far as can be seen at once."""
    with compiling:
        program = Program(explaining=True)
        program.wide_lines = observed.wide_lines
        found = []
        for name, takes in questions(game).items():
            try:
                _entry(program, game, observed, name, takes)
            except Obstacle as obstacle:  # its source cannot be read, say
                found.append(obstacle)
        with suppress(Exception):  # whatever goes wrong where something is missing
            program.settle()
        for instance in program.instances.values():
            found += instance.noted or ([instance.obstacle] if instance.obstacle else [])
    found = [one for one in found if not one.follows and (one.function is None or one.function.is_of_rules)]
    return sorted(found, key=lambda one: (one.function.file if one.function else "", one.line))


class Rules:
    """The rules of a game, compiled one by one; what was observed is widened to what they give.

    They are optimised as a search is, or `quick` to be had, if they are not asked often.
    """

    def __init__(self, game: Game[Any, Any], observed: Observed, *, quick: bool = False) -> None:
        self.game = game
        self.quick = quick
        self.questions = questions(game)
        self.has_chance = "chances" in self.questions
        self.keeps = holds_kept(observed.state)  # are states copied for each rule?
        with compiling:
            self._compile(observed)
        self.context = Context()

    def _compile(self, observed: Observed) -> None:
        self.number: Shape = INT  # into which states are packed
        for _ in range(6):
            self.program = program = Program(exact=observed.exact)
            program.wide_lines = observed.wide_lines
            for text in observed.words:
                program.word(text)
            for shape in (observed.state, observed.action):
                program.show(shape)
            program.seen_state, program.seen_action = observed.state, observed.action
            self.entries = self._entries(observed)
            try:
                program.settle()
            except ExactOrder:
                observed.exact = True
                continue
            if program.obstacles:
                raise program.obstacles[0]
            state = observed.state
            for name in ("result", "canonical", "unpack", "unrank"):
                if name in self.entries:
                    state = join(state, as_played(kept(self.entries[name].result), state))
            wide = "pack" in self.entries and self.entries["pack"].result in (WIDE, LARGE)
            number = LARGE if wide else INT
            action: Shape = observed.action
            for name in ("actions", "candidates"):
                moves = self.entries[name].result if name in self.entries else None
                if isinstance(moves, List):
                    action = join(action, as_played(moves.cells[0].elem, action))
            outcomes = self.entries["chances"].result if "chances" in self.entries else None
            if isinstance(outcomes, List) and isinstance(outcomes.cells[0].elem, Struct):
                action = join(action, outcomes.cells[0].elem.fields[0])
            if (state, action, number) == (observed.state, observed.action, self.number):
                break
            observed.state, observed.action, self.number = state, action, number
        self.text = program.assembly()
        self.loaded = Loaded(quick_code(self.text) if self.quick else object_code(self.text))
        self.functions = {
            name: ENTRY(self.loaded.address(f"{entry.name}.entry")) for name, entry in self.entries.items()
        }

    def _entries(self, observed: Observed) -> dict[str, Instance]:
        return {
            name: _entry(self.program, self.game, observed, name, takes, self.number)
            for name, takes in self.questions.items()
        }

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule answers in machine code; Trap where only Python can say."""
        entry = self.entries[name]
        coder = Coder(self.program.words, self.program.exact)
        words = [
            word
            for (_, shape), value in zip(entry.arguments[1:], arguments, strict=False)
            for word in coder.encode(value, shape)
        ]
        given = (ctypes.c_uint64 * max(len(words), 1))(*words)
        size = len(entry.results)
        out = (ctypes.c_uint64 * max(size, 1))()
        self.context.prepare(STACK)
        status = self.functions[name](self.context.address, given, out)
        if status:
            raise Trap(status)
        return coder.decode(list(out)[:size], entry.result)
