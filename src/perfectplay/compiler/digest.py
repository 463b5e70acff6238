"""The digest of a game's rules: it changes with anything that the rules depend on, and with nothing else.

It has the rules and all that they call, and the contents of all constants that they read: globals, attributes
of classes, and attributes of the game itself. What the rules write to is no constant but a memo, wherever it
is kept, and does not count; neither does what they never read.

There are two readings of a function. By its source, the digest is the same in every process and version of
Python: a tablebase keeps that. By the code that Python runs, it is true even of rules whose file was edited
after they were loaded: compiled rules are kept by that.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial, singledispatchmethod
from hashlib import blake2b
from numbers import Number
from operator import attrgetter, itemgetter, methodcaller
from string import Template
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

from perfectplay.compiler.function_source import (
    code_exactly,
    may_write,
    names_in,
    near_writing,
    source,
    written_by,
)
from perfectplay.game import Game

RULES = (
    *("initial", "to_move", "actions", "result", "is_terminal", "utility"),
    *("chances", "canonical", "tier", "pack", "unpack"),  # by which tables are built
    *("rank", "unrank", "ranks"),  # and by which their states are left out
)
HOOKS = ("evaluate", "key", "order", "candidates", "bounds", "is_quiet")  # what else a search calls
TRAITS = ("players", "zero_sum")  # and what else it reads
FOREIGN = ("numpy",)  # libraries whose functions count by their names, as those of Python do
PYTHON = os.path.dirname(os.__file__)
MAKING = ("__init__", "__new__", "__post_init__")  # what these write is how the object begins
LONGEST = 65536  # letters of an encoding; of a longer one, a digest: objects that share parts are no tree
PLAIN = (int, float, complex, str, bytes, type(None), range, slice)


def rules_digest(game: Game[Any, Any] | type[Game[Any, Any]]) -> str:
    """A digest of the source of the rules of a game, of what they call and of the constants they read.

    Comments, names of files and what only draws the board do not count. It is the same in every process.
    Of a class, it leaves out what only its objects have.
    """
    return Dependencies(game).digest()


def code_digest(game: Game[Any, Any]) -> str:
    """A digest of the code of the rules, and of all that a search calls besides, as Python runs it now.

    The order of what is in a dict or a set counts here, since rules may walk through it, and so do lines.
    """
    return code_dependencies(game).digest()


def code_dependencies(game: Game[Any, Any]) -> Dependencies:
    """All that machine code for a game depends on."""
    return Dependencies(game, (*RULES, *HOOKS, *TRAITS), by_code=True)


def attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object, in its dict or in slots."""
    slots = [name for owner in type(value).__mro__ for name in _slots(owner)]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    own = getattr(value, "__dict__", {})
    return found | own if isinstance(own, dict) else found  # an object may call anything its __dict__


def _slots(owner: type) -> tuple[str, ...]:
    slots = vars(owner).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


class Dependencies:
    """All that some methods of a game depend on."""

    def __init__(
        self,
        game: Game[Any, Any] | type[Game[Any, Any]],
        methods: tuple[str, ...] = RULES,
        *,
        by_code: bool = False,
    ) -> None:
        self.game_class = game if isinstance(game, type) else type(game)
        self.own = {} if isinstance(game, type) else attributes(game)
        self._by_code = by_code
        self.lineage = [each for each in self.game_class.__mro__ if not is_foreign_class(each)]
        self.written: set[str] = set()  # names of what the rules write to
        self.read: list[tuple[str, str, Any]] = []  # where, the name, and what is there
        self.places: list[tuple[Any, str, Any]] = []  # the same by dicts, of modules and of classes
        self.functions: list[FunctionType] = []  # all that are called
        self._sources: dict[FunctionType, str] = {}
        self._known: dict[int, Any] = {id(game): game}
        self._busy = {id(game)}
        self._encodings: dict[int, str] = {}  # by the number of an object: each is put into words once
        self._kept: list[Any] = []  # these objects
        for name in _asked(self.game_class, methods):
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
        if self._by_code and any(map(_asks_for_hashes, self.functions)):
            parts.add(f"hash {hash('perfectplay')}")  # of texts, another one in every process
        return _digest("\n".join(sorted(parts)))

    def classes(self) -> list[type]:
        """The classes that the rules know by name, in whatever order they were found."""
        return [value for value in self._known.values() if isinstance(value, type)]

    # What there is.

    def _follow_function(self, function: FunctionType) -> None:
        # A name with @ is none of Python's: a test runner's own module, in what it has made of `assert`.
        names = sorted(name for name in names_in(function.__code__) if not name.startswith("@"))
        if function.__name__ not in MAKING:
            self.written.update(self._written_by(function.__code__))
        self._follow_all((function.__defaults__, function.__kwdefaults__, *_cells(function)))
        for name in names:
            self._attribute(name, every="super" in names)
            if name in function.__globals__:
                self._global(name, function.__globals__, names)

    def _written_by(self, code: CodeType) -> Iterable[str]:
        if self._by_code:  # without a source, better compile once more than run what is out of date
            return (written_by(code) or ()) if may_write(code) else ()
        written = written_by(code)
        return near_writing(code) if written is None else written

    def _attribute(self, name: str, *, every: bool) -> None:
        """An attribute of the game; with `every`, those of its ancestors that it hides as well."""
        found = [vars(owner) for owner in self.lineage if name in vars(owner)]
        if name in self.own and not (found and isinstance(found[0][name], property | cached_property)):
            self._constant("self.", name, self.own[name])
            return
        for members in found if every else found[:1]:
            self._constant("class.", name, members[name], members)

    def _global(self, name: str, place: Any, names: list[str]) -> None:
        value = place[name]
        if not isinstance(value, ModuleType):
            self._constant("", name, value, place)
            return
        for member in names:
            part = vars(value).get(member)
            if isinstance(part, ModuleType) and id(part) not in self._known:
                self._known[id(part)] = part
                self._global(member, vars(value), names)
            elif member in vars(value):
                self._constant(f"{value.__name__}.", member, part, vars(value))

    def _constant(self, where: str, name: str, value: Any, place: Any = None) -> None:
        self.read.append((where, name, value))
        if place is not None:
            self.places.append((place, name, value))
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
        elif not is_array(value) and not is_foreign_class(type(value)):
            self._follow(type(value))
            self._follow_all(attributes(value).values())

    def _follow_all(self, values: Any) -> None:
        for value in values:
            self._follow(value)

    def _follow_class(self, owner: type) -> None:
        """Another class counts as a whole, but what dataclasses and tuples make of it does not."""
        if owner in self.lineage:  # of these, what the rules name
            return
        if self._by_code and is_dataclass(owner):
            self.read.append((f"{owner.__qualname__}.", "fields", [field.name for field in fields(owner)]))
        if self._by_code and issubclass(owner, Enum):
            self.read.append((f"{owner.__qualname__}.", "members", [*owner.__members__]))
        for ancestor in owner.__mro__:
            if not is_foreign_class(ancestor):
                for name, member in _members(ancestor):
                    self._constant(f"{ancestor.__qualname__}.", name, member, vars(ancestor))

    # What it is in words.

    def shown(self, value: Any) -> str:
        """A parameter as Python writes it, or else its type and a digest of what is in it."""
        if is_literal(value):
            return repr(value)
        return f"<{type(value).__name__} {_digest(self.encoded(value))}>"

    def encoded(self, value: Any) -> str:
        """A value in words that are the same in every process: what is in it, and never where it is."""
        if isinstance(value, PLAIN) and not isinstance(value, Enum):
            return f"{type(value).__name__} {_plainly(value)}"
        if id(value) in self._busy:
            return "itself"
        if id(value) not in self._encodings:
            self._busy.add(id(value))
            try:
                text = self._structure(value)
            finally:
                self._busy.discard(id(value))
            self._kept.append(value)  # so that no other object gets its number
            self._encodings[id(value)] = text if len(text) <= LONGEST else f"digest {_digest(text)}"
        return self._encodings[id(value)]

    def _structure(self, value: Any) -> str:
        kind = type(value).__qualname__
        if is_array(value):
            contents = (
                self.encoded(value.ravel().tolist()) if value.dtype.hasobject else value.tobytes().hex()
            )
            return f"{kind} {'' if value.dtype.hasobject else f'{value.dtype.str} '}{value.shape} {contents}"
        if isinstance(value, Enum):
            return f"{kind} {value.name} {self.encoded(value.value)}"
        if isinstance(value, tuple | list | deque):
            return f"{kind} [{', '.join(map(self.encoded, value))}]"
        if isinstance(value, set | frozenset):
            return f"{kind} {{{', '.join(_listed(map(self.encoded, value), self._by_code))}}}"
        if isinstance(value, dict):
            items = (f"{self.encoded(key)}: {self.encoded(each)}" for key, each in value.items())
            return f"{kind} {{{', '.join(_listed(items, self._by_code))}}}"
        if isinstance(value, FunctionType):
            return f"function {self._function(value)}"
        if isinstance(value, type | ModuleType):
            return f"{kind} {value.__name__}"
        if wrapped := _wrapped(value):
            return f"{kind} of {', '.join(map(self.encoded, wrapped))}"
        if not is_foreign_class(type(value)):
            own = {name: each for name, each in attributes(value).items() if name not in self.written}
            return f"{kind} {self.encoded(own)}"
        parts = _reduced(value)
        return f"{kind} {_contents(value) if parts is None else self.encoded(parts)}"

    def _function(self, function: FunctionType) -> str:
        if _is_foreign(function):
            inside = ", ".join(map(self.encoded, _wrapped(function)))
            return f"{function.__module__}.{function.__qualname__} {inside}"
        if function not in self._sources:
            read = code_exactly if self._by_code else source
            self._sources[function] = read(function.__code__)
        given = [function.__defaults__, function.__kwdefaults__, *_wrapped(function), *_cells(function)]
        return f"{self._sources[function]} {', '.join(map(self.encoded, given))}"


def _asked(game_class: type, methods: tuple[str, ...]) -> tuple[str, ...]:
    """These methods; where tables begin elsewhere than play does, it is no rule where that begins."""
    elsewhere = getattr(game_class, "table_start", Game.table_start) is not Game.table_start
    return tuple("table_start" if elsewhere and name == "initial" else name for name in methods)


def _asks_for_hashes(function: FunctionType) -> bool:
    """Does a rule ask for hashes, other than to say what the hash of an object is?"""
    return function.__name__ != "__hash__" and "hash" in names_in(function.__code__)


def _listed(parts: Iterable[str], in_order: bool) -> list[str]:
    return list(parts) if in_order else sorted(parts)


def is_array(value: Any) -> bool:
    """Is it numpy's? Who has not imported that has none."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.generic)


def _contents(value: Any) -> str:
    """What is in an object of Python's own, as far as that is known; a function of C has a name."""
    if isinstance(value, Number):  # a fraction, or a decimal number
        return repr(value)
    if hasattr(value, "tobytes"):  # an array
        return f"{getattr(value, 'typecode', '')} {value.tobytes().hex()}"
    if isinstance(value, bytearray):
        return bytes(value).hex()
    kind: Any = type(value)
    if kind.__eq__ is not object.__eq__ and " at 0x" not in repr(value):
        return repr(value)  # a date, a pattern, a path: what is equal looks equal
    return str(getattr(value, "__name__", ""))


def _reduced(value: Any) -> tuple[Any, ...] | None:
    """What an object of `operator` or `string` was made with: a getter of one place is not one of another."""
    if isinstance(value, itemgetter | attrgetter | methodcaller):
        return tuple(value.__reduce__())
    return (value.template,) if isinstance(value, Template) else None


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
    if isinstance(value, singledispatchmethod):
        return [value.dispatcher]
    if isinstance(value, FunctionType) and isinstance(vars(value).get("registry"), MappingProxyType):
        return [dict(vars(value)["registry"])]  # of singledispatch: classes, and what is called for each
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


def is_foreign_class(owner: type) -> bool:
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


def is_literal(value: Any) -> bool:
    """Can it be read again as it is written?"""
    if type(value) is dict:
        return all(map(is_literal, (*value, *value.values())))
    if type(value) in (tuple, list):
        return all(map(is_literal, value))
    return type(value) in (bool, int, float, str, bytes, type(None))


def _plainly(value: Any) -> str:
    """A number or a text, whatever a class of its own may print."""
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind.__repr__(value)
    return repr(value)


def _digest(words: str) -> str:
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
