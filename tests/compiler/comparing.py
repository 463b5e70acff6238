"""Rules and functions asked twice, in machine code and in Python, and what differs."""

from __future__ import annotations

import ctypes
import importlib.util
import inspect
import linecache
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

from perfectplay import Game
from perfectplay.compiler import traps
from perfectplay.compiler.comparing import same_answer
from perfectplay.compiler.compilation import compiling
from perfectplay.compiler.emitting import Loaded, object_code, quick_code
from perfectplay.compiler.kernels import ENTRY, STACK, Context
from perfectplay.compiler.observing import Observed, _note_words, observe
from perfectplay.compiler.program import ExactOrder, Program
from perfectplay.compiler.reading import function_of
from perfectplay.compiler.rules import Rules
from perfectplay.compiler.shapes import Const, general
from perfectplay.compiler.traps import Trap
from perfectplay.compiler.value_classes import value_fields
from perfectplay.compiler.values import Coder


def games_in(path: Path) -> list[type[Game[Any, Any]]]:
    """The classes of games in a file."""
    name = f"corpus_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return [
        one
        for one in vars(sys.modules[name]).values()
        if inspect.isclass(one)
        and issubclass(one, Game)
        and one.__module__ == name
        and not inspect.isabstract(one)
    ]


def differences(
    game: Any, *, playouts: int = 20, plies: int = 80, seed: int = 5, quick: bool = False
) -> tuple[int, int]:
    """Ask every rule along random play in machine code and in Python; AssertionError where they differ.

    The number of questions, and how many of them machine code left to Python.
    """
    rules = Rules(game, observe(game), quick=quick)
    asked = left = 0
    hooks = rules.questions

    def compare(name: str, *arguments: Any) -> Any:
        nonlocal asked, left
        theirs = getattr(game, name)(*arguments)
        if name in ("actions", "candidates"):
            theirs = list(theirs)
        asked += 1
        try:
            ours = rules.ask(name, *arguments)
        except Trap as trap:
            if traps.code_in(trap.status) < traps.FIRST_LIMIT:
                raise AssertionError(f"{name}{arguments}: Python {theirs!r}, machine code {trap}") from None
            left += 1
            return theirs
        if not same_answer(name, ours, theirs):
            raise AssertionError(f"{name}{arguments}: Python {theirs!r}, machine code {ours!r}")
        return theirs

    chance = random.Random(seed)
    for _ in range(playouts):
        state = game.initial()
        for _ in range(plies):
            compare("to_move", state)
            for hook in ("key", "canonical", "tier"):
                if hook in hooks:
                    compare(hook, state)
            if compare("is_terminal", state):
                for player in range(game.players):
                    compare("utility", state, player)
                break
            for player in range(game.players):
                for hook in ("evaluate", "bounds"):
                    if hook in hooks:
                        compare(hook, state, player)
            for hook in ("candidates", "is_quiet"):
                if hook in hooks:
                    compare(hook, state)
            actions = compare("actions", state)
            if "order" in hooks:
                for action in actions:
                    compare("order", state, action)
            state = compare("result", state, chance.choice(actions))
    return asked, left


def same(ours: Any, theirs: Any) -> bool:
    """Is it the same value, of the same kind all through?"""
    if isinstance(ours, float) and isinstance(theirs, float):
        return repr(ours) == repr(theirs)
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, list | tuple) and len(ours) == len(theirs):
        return all(map(same, ours, theirs))
    if hasattr(ours, "__dataclass_fields__"):
        return all(same(getattr(ours, name), getattr(theirs, name)) for name in ours.__dataclass_fields__)
    if (names := value_fields(type(ours))) is not None:
        return all(same(getattr(ours, name), getattr(theirs, name)) for name in names)
    return bool(ours == theirs)


def module_of(text: str, name: str) -> dict[str, Any]:
    """The names that a text of Python defines, its source readable as if it were a file's."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"__name__": name}
    sys.modules.setdefault(name, type(sys)(name))
    exec(compile(text, file, "exec"), space)
    vars(sys.modules[name]).update(space)
    return space


class Machine:
    """A Python function in machine code, for arguments like some examples."""

    def __init__(self, python: Any, *examples: Any, quick: bool = False) -> None:
        self._made = quick_code if quick else partial(object_code, level=1)
        with compiling:
            try:
                self._compile(python, examples)
            except ExactOrder:
                self._compile(python, examples, exact=True)
        self.context = Context()

    def _compile(self, python: Any, examples: tuple[Any, ...], *, exact: bool = False) -> None:
        self.program = Program(exact=exact)
        seen = Observed()
        for example in examples:
            _note_words(seen, example)
        for word in seen.words:
            self.program.word(word)
        function = function_of(python)
        shapes = tuple((n, general(Const(e))) for n, e in zip(function.parameters, examples, strict=True))
        self.entry = self.program.entry(function, shapes)
        self.program.settle()
        if self.program.obstacles:
            raise self.program.obstacles[0]
        self.loaded = Loaded(self._made(self.program.assembly()))
        self.function = ENTRY(self.loaded.address(f"{self.entry.name}.entry"))

    def __call__(self, *arguments: Any) -> Any:
        """What it returns; Trap where it stops."""
        coder = Coder(self.program.words, self.program.exact)
        shapes = [shape for _, shape in self.entry.arguments]
        words = [
            word
            for shape, value in zip(shapes, arguments, strict=True)
            for word in coder.encode(value, shape)
        ]
        given = (ctypes.c_uint64 * max(len(words), 1))(*words)
        size = len(self.entry.results)
        out = (ctypes.c_uint64 * max(size, 1))()
        self.context.prepare(STACK)
        status = self.function(self.context.address, given, out)
        if status:
            raise Trap(status)
        return coder.decode(list(out)[:size], self.entry.result)
