"""Identity: what makes a game the same game, in words that any process prints alike.

A game is named after its class and the parameters that it was made with, as far as it keeps them under their
names, or else after all plain attributes that its rules read. The digest of its rules has the
source of the rules and of all that they call, and the contents of all constants that they read: globals,
attributes of classes, and attributes of the game itself. What the rules write to is no constant but a memo,
wherever it is kept, and does not count; neither does what they never read.
"""

from __future__ import annotations

import ast
import dis
import inspect
import os
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from functools import cached_property, partial
from hashlib import blake2b
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from perfectplay.game import Game
from perfectplay.games import GAMES, parameters

RULES = ("initial", "to_move", "actions", "result", "is_terminal", "utility", "canonical", "tier")
FOREIGN = ("numpy", "numba")  # libraries whose functions count by their names, as those of Python do
PYTHON = os.path.dirname(os.__file__)
WRITING = (
    *("add", "append", "appendleft", "clear", "discard", "extend"),
    *("insert", "pop", "popitem", "remove", "setdefault", "update"),
)  # what containers have to be changed by
MAKING = ("__init__", "__new__", "__post_init__")  # what these write is how the object begins
STORES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL")
PLAIN = (int, float, complex, str, bytes, type(None), range, slice)


def identity(game: Game[Any, Any]) -> dict[str, Any]:
    """The name of a game, its parameters, and a digest of its rules."""
    rules = _Rules(game)
    return {"game": _name(game, rules), "rules": rules.digest()}


def game_name(game: Game[Any, Any]) -> str:
    """What `load_game` would make this game of, or its class and the parameters that it was made with."""
    return _name(game, _Rules(game))


def rules_digest(game: Game[Any, Any]) -> str:
    """A digest of the source of the rules, of what they call and of the constants they read.

    Comments, names of files and what only draws the board do not count. It is the same in every process.
    """
    return _Rules(game).digest()


def _name(game: Game[Any, Any], rules: _Rules) -> str:
    for name, game_class in GAMES.items():
        if type(game) is game_class:
            known = parameters(game_class)
            given = [f"{key}={known[key].write(getattr(game, key))}" for key in known if hasattr(game, key)]
            return f"{name}:{','.join(given)}" if given else name
    own, asked = _attributes(game), _parameters(type(game))
    stored = {key: next((each for each in (key, f"_{key}") if each in own), None) for key in asked}
    shown = {key: name for key, name in stored.items() if name is not None}
    if len(shown) < len(asked):  # a parameter has another name inside: it is in what the rules read
        shown |= {name: name for where, name, value in rules.read if where == "self." and _is_literal(value)}
    told = [
        f"{key}={rules.shown(own[shown[key]])}" for key in sorted(shown) if shown[key] not in rules.written
    ]
    return f"{type(game).__qualname__}({', '.join(told)})"


def _parameters(game_class: type) -> list[str]:
    try:
        return [*inspect.signature(game_class).parameters]
    except (TypeError, ValueError):
        return []


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object, in its dict or in slots."""
    slots = [name for owner in type(value).__mro__ for name in _slots(owner)]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def _slots(owner: type) -> tuple[str, ...]:
    slots = vars(owner).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


class _Rules:
    """All that the rules of a game depend on."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game_class = type(game)
        self.own = _attributes(game)
        self.lineage = [each for each in self.game_class.__mro__ if not _is_foreign_class(each)]
        self.written: set[str] = set()  # names of what the rules write to
        self.read: list[tuple[str, str, Any]] = []  # where, the name, and what is there
        self.functions: list[FunctionType] = []  # all that are called
        self._sources: dict[FunctionType, str] = {}
        self._known: dict[int, Any] = {id(game): game}
        self._busy = {id(game)}
        for name in RULES:
            self._attribute(name, every=False)
        for function in self.functions:  # the list grows meanwhile
            self._follow_function(function)

    def digest(self) -> str:
        """The digest of all of it, in whatever order it was found."""
        parts = {f"{function.__name__}: {self._function(function)}" for function in self.functions}
        parts |= {
            f"{where}{name} = {self.encoded(value)}"
            for where, name, value in self.read
            if name not in self.written
        }
        return _digest("\n".join(sorted(parts)))

    # What there is.

    def _follow_function(self, function: FunctionType) -> None:
        names = sorted(_names(function.__code__))
        if function.__name__ not in MAKING:
            self.written |= _written(function)
        self._follow_all((function.__defaults__, function.__kwdefaults__, *_cells(function)))
        for name in names:
            self._attribute(name, every="super" in names)
            if name in function.__globals__:
                self._global(name, function.__globals__[name], names)

    def _attribute(self, name: str, *, every: bool) -> None:
        """An attribute of the game; with `every`, those of its ancestors that it hides as well."""
        found = [vars(owner)[name] for owner in self.lineage if name in vars(owner)]
        if name in self.own and not (found and isinstance(found[0], property | cached_property)):
            self._constant("self.", name, self.own[name])
            return
        for member in found if every else found[:1]:
            self._constant("class.", name, member)

    def _global(self, name: str, value: Any, names: list[str]) -> None:
        if not isinstance(value, ModuleType):
            self._constant("", name, value)
            return
        for member in names:
            part = vars(value).get(member)
            if isinstance(part, ModuleType) and id(part) not in self._known:
                self._known[id(part)] = part
                self._global(member, part, names)
            elif member in vars(value):
                self._constant(f"{value.__name__}.", member, part)

    def _constant(self, where: str, name: str, value: Any) -> None:
        self.read.append((where, name, value))
        self._follow(value)

    def _follow(self, value: Any) -> None:
        """Note the functions and the classes in a value."""
        if isinstance(value, PLAIN) or id(value) in self._known:
            return
        self._known[id(value)] = value  # it also keeps the object, and so its number, alive
        for part in _wrapped(value):
            self._follow(part)
        if isinstance(value, FunctionType):
            if not _is_foreign(value):
                self.functions.append(value)
        elif isinstance(value, type):
            self._follow_class(value)
        elif isinstance(value, dict):
            self._follow_all([*value, *value.values()])
        elif isinstance(value, tuple | list | set | frozenset):
            self._follow_all(value)
        elif not isinstance(value, np.ndarray) and not _is_foreign_class(type(value)):
            self._follow(type(value))
            self._follow_all(_attributes(value).values())

    def _follow_all(self, values: Any) -> None:
        for value in values:
            self._follow(value)

    def _follow_class(self, owner: type) -> None:
        """Another class counts as a whole, but what dataclasses and tuples make of it does not."""
        if owner in self.lineage:  # of these, what the rules name
            return
        for ancestor in owner.__mro__:
            if not _is_foreign_class(ancestor):
                for name, member in _members(ancestor):
                    self._constant(f"{ancestor.__qualname__}.", name, member)

    # What it is in words.

    def shown(self, value: Any) -> str:
        """A parameter as Python writes it, or else its type and a digest of what is in it."""
        if _is_literal(value):
            return repr(value)
        return f"<{type(value).__name__} {_digest(self.encoded(value))}>"

    def encoded(self, value: Any) -> str:
        """A value in words that are the same in every process: what is in it, and never where it is."""
        if isinstance(value, PLAIN) and not isinstance(value, Enum):
            return f"{type(value).__name__} {_plainly(value)}"
        if id(value) in self._busy:
            return "itself"
        self._busy.add(id(value))
        try:
            return self._structure(value)
        finally:
            self._busy.discard(id(value))

    def _structure(self, value: Any) -> str:
        kind = type(value).__qualname__
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return f"{kind} {value.dtype.str} {value.shape} {value.tobytes().hex()}"
        if isinstance(value, np.ndarray):
            return f"{kind} {value.shape} {self.encoded(value.ravel().tolist())}"
        if isinstance(value, Enum):
            return f"{kind} {value.name} {self.encoded(value.value)}"
        if isinstance(value, tuple | list):
            return f"{kind} [{', '.join(map(self.encoded, value))}]"
        if isinstance(value, set | frozenset):
            return f"{kind} {{{', '.join(sorted(map(self.encoded, value)))}}}"
        if isinstance(value, dict):
            items = sorted(f"{self.encoded(key)}: {self.encoded(each)}" for key, each in value.items())
            return f"{kind} {{{', '.join(items)}}}"
        if isinstance(value, FunctionType):
            return f"function {self._function(value)}"
        if isinstance(value, type | ModuleType):
            return f"{kind} {value.__name__}"
        if wrapped := _wrapped(value):
            return f"{kind} of {', '.join(map(self.encoded, wrapped))}"
        if not _is_foreign_class(type(value)):
            own = {name: each for name, each in _attributes(value).items() if name not in self.written}
            return f"{kind} {self.encoded(own)}"
        return f"{kind} {getattr(value, '__name__', '')}"  # a function of C has a name

    def _function(self, function: FunctionType) -> str:
        if _is_foreign(function):
            inside = ", ".join(map(self.encoded, _wrapped(function)))
            return f"{function.__module__}.{function.__qualname__} {inside}"
        if function not in self._sources:
            self._sources[function] = _source(function)
        given = [function.__defaults__, function.__kwdefaults__, *_wrapped(function), *_cells(function)]
        return f"{self._sources[function]} {', '.join(map(self.encoded, given))}"


def _wrapped(value: Any) -> list[Any]:
    """What is in a static method, a property, a cache, a partial or compiled function."""
    if isinstance(value, type):
        return []
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, property):
        return [value.fget]
    if isinstance(value, cached_property):
        return [value.func]
    names = ("__func__", "py_func", "__wrapped__")
    found = [inspect.getattr_static(value, name, None) is not None for name in names]
    return [getattr(value, name) for name, there in zip(names, found, strict=True) if there][:1]


def _cells(function: FunctionType) -> Iterator[Any]:
    """What a function keeps of where it was made, but for its own class, which `super` is there for."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name != "__class__":
            try:
                yield cell.cell_contents
            except ValueError:  # not yet filled
                continue


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """What the author of a class wrote into it."""
    if issubclass(owner, Enum):
        yield from owner.__members__.items()
    made = _is_made(owner)
    for name, member in vars(owner).items():
        private = name.startswith("__")
        if isinstance(member, FunctionType):
            by_python = made and private and member.__code__.co_filename.startswith("<")
            if not by_python and not _is_foreign(member):
                yield name, member
        elif not private and name != "_abc_impl" and not issubclass(owner, Enum):
            yield name, member


def _is_foreign(function: FunctionType) -> bool:
    """Does it belong to Python itself, or to a library that the rules only use?"""
    file = function.__code__.co_filename
    if file.startswith("<frozen") or (function.__module__ or "").partition(".")[0] in FOREIGN:
        return True
    return file.startswith(PYTHON + os.sep) and "-packages" not in file[len(PYTHON) :]


def _is_foreign_class(owner: type) -> bool:
    """The same of a class; the contract of games is foreign to the rules of one, too."""
    if owner is Game or owner.__module__.partition(".")[0] in ("builtins", *FOREIGN):
        return True
    written = [member for member in vars(owner).values() if isinstance(member, FunctionType)]
    if not written:
        module = inspect.getmodule(owner)
        file = getattr(module, "__file__", None) or ""
        return file.startswith(PYTHON + os.sep) and "-packages" not in file[len(PYTHON) :]
    made = [member for member in written if not member.__code__.co_filename.startswith("<")]
    return bool(made) and all(map(_is_foreign, made)) and not _is_made(owner)


def _is_made(owner: type) -> bool:
    """Has Python written methods of its own into it, as into a dataclass, a named tuple or an enumeration?"""
    return (
        is_dataclass(owner)
        or hasattr(owner, "_fields")
        or (issubclass(owner, Enum) and bool(owner.__members__))
    )


def _is_literal(value: Any) -> bool:
    """Can it be read again as it is written?"""
    if type(value) is dict:
        return all(map(_is_literal, (*value, *value.values())))
    if type(value) in (tuple, list):
        return all(map(_is_literal, value))
    return type(value) in (bool, int, float, str, bytes, type(None))


def _plainly(value: Any) -> str:
    """A number or a text, whatever a class of its own may print."""
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind.__repr__(value)
    return repr(value)


def _digest(words: str) -> str:
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# Functions, and what they write to.


def _source(function: FunctionType) -> str:
    """A function as Python would write it: without comments, docstrings and types."""
    tree = _tree(function)
    if tree is None:  # typed at a prompt, or part of a line: its code is what there is
        return _code(function.__code__)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns, node.decorator_list = None, []
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def _names(code: CodeType) -> set[str]:
    """The names of globals and attributes in a function, and in the functions inside it."""
    found = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found |= _names(part)
    return found


def _written(function: FunctionType) -> set[str]:
    """The globals and attributes that a function writes to, or into: a memo is such a one."""
    tree = _tree(function)
    if tree is None:
        return _written_by_line(function.__code__)
    code = function.__code__
    local = _locals(code)
    game = code.co_varnames[0] if code.co_argcount else ""  # if it is a method
    aliases: dict[str, ast.expr] = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Name | ast.Attribute)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            found |= {*node.names}
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            found |= _owner(node, local, game, aliases)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) in WRITING:
            assert isinstance(node.func, ast.Attribute)
            found |= _owner(node.func.value, local, game, aliases)
    return found


def _owner(node: ast.expr, local: set[str], game: str, aliases: dict[str, ast.expr]) -> set[str]:
    """The global, or the attribute, that this is or is in; nothing, if it belongs to a local variable."""
    place = node
    while isinstance(place, ast.Subscript):
        place = place.value
    root = place
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    own = {place.attr} if isinstance(place, ast.Attribute) else set()
    if not isinstance(root, ast.Name):
        return set()
    if root.id not in local:
        return own or {root.id}
    if root.id == game and own:
        return own
    behind = _owner(aliases[root.id], local, game, {}) if root.id in aliases else set()
    return own or behind if behind else set()


def _locals(code: CodeType) -> set[str]:
    parts = [_locals(part) for part in code.co_consts if isinstance(part, CodeType)]
    return {*code.co_varnames, *code.co_cellvars}.union(*parts)


def _written_by_line(code: CodeType) -> set[str]:
    """The same where there is no source: every name in a line that writes into something."""
    lines: dict[Any, set[str]] = {}
    writing = set()
    for step in dis.get_instructions(code):
        line = step.positions.lineno if step.positions else None
        if isinstance(step.argval, str) and not step.opname.startswith(("LOAD_FAST", "STORE_FAST")):
            lines.setdefault(line, set()).add(step.argval)
        if step.opname in STORES or step.argval in WRITING:
            writing.add(line)
    found = {name for line in writing for name in lines.get(line, ())}
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found |= _written_by_line(part)
    return found


def _tree(function: FunctionType) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function.__code__)))
    except (OSError, TypeError, SyntaxError):
        return None


def _code(code: CodeType) -> str:
    constants = [_code(part) if isinstance(part, CodeType) else _constant(part) for part in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _constant(value: Any) -> str:
    """A constant in code: sets in order."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return repr(sorted(map(_constant, value))) if isinstance(value, frozenset) else repr(value)
