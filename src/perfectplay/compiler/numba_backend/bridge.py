"""The bridge: a game object becomes a value that numba can compile with, its class as it stands.

Every game has a numba type of its own, named after its class, its configuration and the digest of its
rules. The value itself is empty: a method of the type is the method of the class, and an attribute is a
constant. So a function under `njit` takes a game as an argument and calls its rules, and its entry in
numba's cache on disk is found again by a new process, and only as long as the rules are the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import int64, njit, typeof, types, uint64
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from perfectplay.compiler.digest import code_digest
from perfectplay.compiler.object_memory import has_digests
from perfectplay.game import TUPLE, Game, default_key

PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Rules(NamedTuple):
    """What the type of a game stands for, as it was when the type was made: a game may change later."""

    game_class: type[Game[Any, Any]]
    constants: dict[str, Any]
    has_digests: bool  # for keys, which two states may share
    endgames: Callable[..., Any] | None  # what looks a state up in a table of solved ones, if there is one


_rules: dict[str, Rules] = {}  # by the name of their type
_functions: dict[Callable[..., Any], Any] = {}  # what the rules call, compiled
_bridged: set[tuple[str, int]] = set()  # methods by name and number of arguments


class GameType(types.Type):
    """The type of a game; two games share one exactly if they have the same rules and configuration."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def rules(self) -> Rules:
        """What the type stands for."""
        return _rules[self.name]

    def __reduce__(self) -> tuple[Any, ...]:  # how it is written into numba's cache on disk
        return GameType, (self.name,)


register_model(GameType)(models.OpaqueModel)


@unbox(GameType)
def _unbox_game(game_type: GameType, game: Any, context: Any) -> NativeValue:
    return NativeValue(cgutils.get_null_value(context.context.get_value_type(game_type)))


_latest: WeakKeyDictionary[Game[Any, Any], GameType] = WeakKeyDictionary()


@typeof_impl.register(Game)
def _type_in_a_call(game: Game[Any, Any], context: object) -> GameType:
    """The type of a game as it was last looked at: to look takes longer than most calls."""
    try:
        return _latest[game]
    except (KeyError, TypeError):  # not yet seen, or without a hash
        return game_type(game)


def game_type(game: Game[Any, Any], *, endgames: Callable[..., Any] | None = None) -> GameType:
    """The numba type of a game, by its rules and configuration as they are now; another one with endgames."""
    game_class = type(game)
    known = constants(game)
    configuration = ", ".join(f"{name}={value!r}" for name, value in known.items())
    name = f"{game_class.__module__}.{game_class.__qualname__}({configuration}) {code_digest(game)}"
    name += " with endgames" if endgames else ""
    if name not in _rules:
        _rules[name] = Rules(game_class, known, has_digests(game, game.initial()), endgames)
        learnt: set[FunctionType] = set()
        for method in methods(game_class).values():
            _learn(method.__code__, method.__globals__, learnt)
            _bridge_method(method)
    made = GameType(name)
    if endgames:
        return made
    with suppress(TypeError):
        _latest[game] = made
    return made


@typeof_impl.register(FunctionType)
def _function_type(function: FunctionType, context: object) -> types.Type | None:
    """Functions that some rule calls are compiled with it; what other functions are is not our business."""
    compiled = _functions.get(function)
    return None if compiled is None else types.Dispatcher(compiled)


def methods(game_class: type[Game[Any, Any]]) -> dict[str, FunctionType]:
    """The methods of a class, inherited ones included, by name."""
    members = {name: inspect.getattr_static(game_class, name) for name in dir(game_class)}
    return {
        name: member
        for name, member in members.items()
        if isinstance(member, FunctionType) and not name.startswith("__")
    }


def constants(game: Game[Any, Any]) -> dict[str, Any]:
    """The attributes of a game that are plain values: its configuration, and what its class sets."""
    found = {}
    for name in dir(game):
        if not name.startswith("__"):
            value = _attribute(game, name)
            if is_plain(value):
                found[name] = value
    return found


def is_plain(value: object) -> bool:
    """Is it a number, a text, or a tuple of such? Then it is the same wherever it is read."""
    return all(map(is_plain, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def _attribute(game: Game[Any, Any], name: str) -> Any:
    try:
        return getattr(game, name)
    except Exception:  # a property that has no value here is no constant
        return game


def _bridge_method(method: FunctionType) -> None:
    name = method.__name__
    parameters = list(inspect.signature(method).parameters.values())
    if (name, len(parameters)) in _bridged:
        return
    _bridged.add((name, len(parameters)))

    def resolve(game: GameType, *arguments: Any, **named: Any) -> Callable[..., Any] | None:
        found = methods(game.rules.game_class).get(name)
        return found if found is not None and found.__code__.co_argcount == len(parameters) else None

    # numba takes the arguments apart by the signature of what resolves the method
    untyped = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    vars(resolve)["__signature__"] = inspect.Signature(untyped)
    overload_method(GameType, name, strict=False, jit_options={"forceinline": True})(resolve)


@infer_getattr
class _Attributes(AttributeTemplate):
    """The attributes of a game that are constants; what is none of these may be a method."""

    key = GameType

    def generic_resolve(self, game: GameType, name: str) -> types.Type | None:
        known = game.rules.constants
        return typeof(known[name]) if name in known else None


@lower_getattr_generic(GameType)
def _constant(context: Any, builder: Any, game: GameType, value: Any, name: str) -> Any:
    constant = game.rules.constants[name]
    return context.get_constant_generic(builder, typeof(constant), constant)


def _learn(code: CodeType, scope: dict[str, Any], learnt: set[FunctionType]) -> None:
    """Compile the functions that code calls by a name of its module, and those that they call.

    They are compiled anew for every type: what they read may have changed since the last one.
    """
    for function in _called(code, scope):
        if function not in learnt and function is not default_key:
            learnt.add(function)
            _functions[function] = njit(function, forceinline=True)
            _learn(function.__code__, function.__globals__, learnt)


def _called(code: CodeType, scope: dict[str, Any]) -> Iterator[FunctionType]:
    for name in code.co_names:
        value = scope.get(name)
        members = [getattr(value, other, None) for other in code.co_names]
        for function in [value, *(members if isinstance(value, ModuleType) else [])]:
            if isinstance(function, FunctionType):
                yield function
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _called(part, scope)


# What Python's integers can do and numba's cannot yet, and the default key in machine arithmetic. The
# functions that only raise are never run: numba compiles their overloads wherever they are called.


@intrinsic
def _ones(context: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@overload_method(types.Integer, "bit_count", strict=False)
def _bit_count(number: types.Integer) -> Callable[..., Any]:
    if number.signed:
        return lambda number: _ones(uint64(abs(number)))  # as Python has it, the sign does not count
    return lambda number: _ones(uint64(number))


@intrinsic
def float_bits(context: Any, value: Any) -> Any:
    """The bits of a floating-point number."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), build


@intrinsic
def _digits(context: Any, word: Any) -> Any:
    """How many binary digits a word has."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = signature.return_type.bitwidth
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(size), size), zeros)

    return types.int64(types.uint64), build


@overload_method(types.Integer, "bit_length", strict=False)
def _bit_length(number: types.Integer) -> Callable[..., Any]:
    if number.signed:
        return lambda number: _digits(uint64(abs(number)))
    return lambda number: _digits(uint64(number))


def compiled_key(state: Any) -> int:
    """The twin of `default_key`: the same 64 bits, with a sign as all integers of compiled rules have it.

    A word without one beside an int would make both of them floats, as numba has it, and lose bits.
    """
    raise NotImplementedError


@overload(compiled_key, strict=False)
def _compiled_key(state: types.Type) -> Callable[..., Any]:
    if isinstance(state, types.Integer):
        return lambda state: int64(state)
    return lambda state: int64(compiled_digest(state))


def compiled_digest(value: Any) -> int:
    """The twin of the digest in `default_key`."""
    raise NotImplementedError


@overload(compiled_digest, strict=False)
def _compiled_digest(value: types.Type) -> Callable[..., Any] | None:
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: _mix(uint64(value))
    if isinstance(value, types.Float):
        return lambda value: _mix(uint64(float_bits(value + 0.0)))
    if isinstance(value, types.BaseTuple):
        start = TUPLE + len(value)
        return lambda value: _fold(value, _mix(uint64(start)))
    return None


def _fold(fields: Any, digest: Any) -> Any:
    raise NotImplementedError


@overload(_fold, strict=False)
def _compiled_fold(fields: types.Type, digest: types.Type) -> Callable[..., Any]:
    if len(fields) == 0:
        return lambda fields, digest: digest
    return lambda fields, digest: _fold(
        fields[1:], _mix(uint64(uint64(31) * digest + compiled_digest(fields[0])))
    )


@njit
def _mix(word: Any) -> Any:
    word = uint64(word + uint64(0x9E3779B97F4A7C15))
    word = uint64((word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9))
    word = uint64((word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB))
    return word ^ (word >> uint64(31))


@njit
def _key(state: Any) -> Any:
    return compiled_key(state)


_functions[default_key] = _key
