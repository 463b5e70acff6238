"""Identity: what makes a game the same game, in words that any Python prints alike."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from hashlib import blake2b
from types import FunctionType, ModuleType
from typing import Any

from perfectplay.game import Game
from perfectplay.games import GAMES, parameters

RULES = ("initial", "to_move", "actions", "result", "is_terminal", "utility", "canonical", "tier")


def identity(game: Game[Any, Any]) -> dict[str, Any]:
    """The name of a game, its parameters, and a digest of its rules."""
    return {"game": game_name(game), "rules": rules_digest(game)}


def game_name(game: Game[Any, Any]) -> str:
    """What `load_game` would make this game of, or its class and configuration."""
    for name, game_class in GAMES.items():
        if type(game) is game_class:
            known = parameters(game_class)
            given = [f"{key}={known[key].write(getattr(game, key))}" for key in known if hasattr(game, key)]
            return f"{name}:{','.join(given)}" if given else name
    return f"{type(game).__qualname__}({', '.join(f'{k}={v!r}' for k, v in sorted(vars(game).items()))})"


def rules_digest(game: Game[Any, Any]) -> str:
    """A digest of the source of the rules, of what they call and of the constants they read.

    Comments, names of files and what only draws the board do not count, nor does the version of Python.
    """
    digest = blake2b(digest_size=16)
    for part in _parts(type(game)):
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()


def _parts(game_class: type[Game[Any, Any]]) -> Iterator[str]:
    seen: set[Any] = set()
    waiting: list[tuple[str, Any]] = [(name, getattr(game_class, name)) for name in RULES]
    while waiting:
        name, value = waiting.pop(0)
        if not isinstance(value, FunctionType):
            yield f"{name} = {value!r}"
            continue
        if value in seen:
            continue
        seen.add(value)
        yield f"{name}: {_source(value)}"
        names = sorted(_names(value))
        for each in names:
            member = inspect.getattr_static(game_class, each, None)
            if isinstance(member, FunctionType | int | float | str | tuple):
                waiting.append((each, member))
            outside = value.__globals__.get(each)
            if isinstance(outside, FunctionType | int | float | str | tuple):
                waiting.append((each, outside))
            elif isinstance(outside, ModuleType):
                waiting += [
                    (f"{each}.{other}", vars(outside)[other])
                    for other in names
                    if isinstance(vars(outside).get(other), FunctionType | int | float | str | tuple)
                ]


def _source(function: FunctionType) -> str:
    """A function as Python would write it: without comments, docstrings and types."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):  # typed at a prompt: its code is what there is
        return f"{function.__code__.co_code.hex()} {function.__code__.co_consts!r}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns, node.decorator_list = None, []
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def _names(function: FunctionType) -> set[str]:
    codes, found = [function.__code__], set()
    for code in codes:
        found |= set(code.co_names)
        codes += [value for value in code.co_consts if inspect.iscode(value)]
    return found
