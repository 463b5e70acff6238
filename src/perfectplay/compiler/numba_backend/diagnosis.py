"""Why a class does not compile, in one sentence: the method, the line, and what to write instead."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

from numba import typeof

from perfectplay.compiler.numba_backend.bridge import game_type, is_plain, methods
from perfectplay.compiler.numba_backend.probes import PROBES
from perfectplay.game import MAX, Game


class Cause(NamedTuple):
    """Something that rules may do in Python and not in machine code."""

    what: str
    remedy: str
    is_it: Callable[[ast.AST], bool]


def _calls(*names: str) -> Callable[[ast.AST], bool]:
    return lambda node: (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    )


def _is(*kinds: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, kinds)


CAUSES = (
    Cause("uses super()", "call the other method by a name of its own", _calls("super")),
    Cause("uses a set", "use a tuple or an int bit mask", _is(ast.SetComp)),
    Cause("uses a set", "use a tuple or an int bit mask", _calls("set", "frozenset")),
    Cause("uses a dict", "use a tuple, and a number for the place in it", _is(ast.DictComp)),
    Cause("uses a dict", "use a tuple, and a number for the place in it", _calls("dict")),
    Cause("uses a generator expression", "write a loop", _is(ast.GeneratorExp)),
    Cause("uses yield from", "write a loop with yield", _is(ast.YieldFrom)),
    Cause("uses a lambda", "write a loop", _is(ast.Lambda)),
    Cause("takes a tuple apart with *", "write its parts out", _is(ast.Starred)),
    Cause("makes a tuple of any length", "use a tuple of fixed length or an int", _calls("tuple")),
    Cause("uses any or all", "write a loop", _calls("any", "all")),
    Cause("builds a text", "compute with numbers", _is(ast.JoinedStr)),
    Cause("takes a slice", "use single places, or an int bit mask", _is(ast.Slice)),
)


# The lines of a numba error that mean something to whoever wrote the rules.
TELLING = re.compile(
    r"(?:Untyped global|Unknown attribute|Cannot unify|Invalid use|Unsupported|Use of|Cannot infer)[^\n]*"
)


def why_not(game: Game[Any, Any]) -> str | None:
    """Why the rules of a game cannot be compiled, in one sentence, or None if they can."""
    start = game.initial()
    if reason := odd_state(start) or odd_action(game, start) or odd_object(game):
        return reason
    action = next(iter(game.actions(start)), None)
    samples = {"s": start, "a": action, "p": MAX}
    for method, (probe, arguments) in PROBES.items():
        if "a" in arguments and action is None:
            continue
        signature = (game_type(game), *(typeof(samples[kind]) for kind in arguments))
        if reason := _tried(game, method, probe, signature):
            return reason
    return None


def odd_state(state: Any) -> str | None:
    """Why a state cannot be compiled, or None."""
    if not _is_of_numbers(state):
        return f"`initial` gives the state {state!r}; use an int, or a tuple of ints"
    if not _fits(state):
        remedy = "use a smaller board, or several ints"
        return f"`initial` gives the state {state!r}, which does not fit into 64 bits; {remedy}"
    return None


def odd_action(game: Game[Any, Any], state: Any) -> str | None:
    """Why the actions of a game cannot be compiled, or None."""
    action = next(iter(game.actions(state)), 0)
    return None if _is_of_numbers(action) else f"`actions` gives {action!r}; use an int, or a tuple of ints"


def odd_object(game: Game[Any, Any]) -> str | None:
    """Why this object does not have the rules of its class, or None if it does."""
    own = [name for name in getattr(game, "__dict__", {}) if name in methods(type(game))]
    return f"`{own[0]}` is set on the object; define it in the class" if own else None


def _is_of_numbers(state: Any) -> bool:
    return all(map(_is_of_numbers, state)) if isinstance(state, tuple) else isinstance(state, int | float)


def _fits(state: Any) -> bool:
    if isinstance(state, tuple):
        return all(map(_fits, state))
    return isinstance(state, float) or -(2**63) <= state < 2**64


def _tried(game: Game[Any, Any], method: str, probe: Any, signature: tuple[Any, ...]) -> str | None:
    try:
        probe.compile(signature)
    except Exception as error:  # numba's own, and whatever else a compiler can stumble over
        return _explained(game, method, str(error))
    returned = probe.overloads[signature].signature.return_type
    if method in ("result", "canonical") and returned != signature[1]:
        same = "give both the same types, field by field"
        return f"`{method}` gives {returned} where `initial` gives {signature[1]}; {same}"
    return None


def _explained(game: Game[Any, Any], method: str, complaint: str) -> str:
    """The cause in the method where numba stopped, or in those that it calls, or else numba's own words."""
    for name, function in _with_helpers(game, method):
        for line, node in _nodes(function):
            for cause in CAUSES:
                if cause.is_it(node):
                    return f"`{name}` line {line} {cause.what}; {cause.remedy}"
            if attribute := _odd_attribute(game, node):
                return f"`{name}` line {line} reads {attribute}"
    lines = [int(found) for found in re.findall(r'File ".*?", line (\d+)', complaint)]
    where = f" line {lines[0]}" if lines else ""
    reason = next(iter(TELLING.findall(complaint)), "numba gives no reason that helps")
    return f"`{method}`{where} cannot be compiled ({reason[:120]}); use ints, tuples, arithmetic and loops"


def _with_helpers(game: Game[Any, Any], method: str) -> Iterator[tuple[str, FunctionType]]:
    """A method, and the methods and functions that it calls, by name."""
    known = methods(type(game))
    waiting = [(method, known[method])]
    for name, function in waiting:
        yield name, function
        for called in function.__code__.co_names:
            helper = known.get(called) or function.__globals__.get(called)
            if isinstance(helper, FunctionType) and (called, helper) not in waiting:
                waiting.append((called, helper))


def _nodes(function: FunctionType) -> Iterator[tuple[int, ast.AST]]:
    """What a function is made of, with the lines of its file."""
    try:
        source, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return
    tree = ast.parse(textwrap.dedent("".join(source)))
    body = tree.body[0]
    for node in ast.walk(body):
        line = getattr(node, "lineno", None)
        if node is not body and line is not None:
            yield first + line - 1, node


def _odd_attribute(game: Game[Any, Any], node: ast.AST) -> str | None:
    """An attribute of the game that no constant can stand for."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"):
        return None
    if isinstance(inspect.getattr_static(game, node.attr, None), staticmethod | classmethod):
        return f"self.{node.attr}, a static or class method; make it a method, or a function of the module"
    value = getattr(game, node.attr, None)
    if value is None or callable(value) or isinstance(value, str) or (_is_of_numbers(value) and _fits(value)):
        return None
    if is_plain(value):
        return f"self.{node.attr}, which does not fit into 64 bits; use a smaller board, or several ints"
    return f"self.{node.attr}, a {type(value).__name__}; make it a number or a tuple of numbers"
