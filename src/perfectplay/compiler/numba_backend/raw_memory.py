"""The memory of a search, as raw addresses: what `object_memory` does with Python objects, in machine words.

An array as an argument of a recursive function is seven words; an address is one. A block is the address
of its first word, and a place in it eight bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from llvmlite import ir
from numba import njit, typeof, types, uint64
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

from perfectplay.compiler.numba_backend.bridge import compiled_digest, float_bits
from perfectplay.compiler.object_memory import ORDERS
from perfectplay.game import MAX, Game

INFINITE = inf
HEADER = 72  # bytes of a record before its state: nine words

_I8 = ir.IntType(8)
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_F32 = ir.FloatType()
_F64 = ir.DoubleType()


def _place(builder: Any, block: Any, index: Any) -> Any:
    """The address of a word of a block."""
    return builder.add(block, builder.mul(index, ir.Constant(_I64, 8)))


def _pointer(builder: Any, address: Any, kind: Any) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


def _loader(result: Any, kind: Any) -> Any:
    @intrinsic
    def load(context: Any, block: Any, place: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block, place = arguments
            return builder.load(_pointer(builder, _place(builder, block, place), kind))

        return result(types.int64, types.int64), build

    return load


number = _loader(types.int64, _I64)
word = _loader(types.uint64, _I64)
real = _loader(types.float64, _F64)


def _small_loader(size: int) -> Any:
    @intrinsic
    def load(context: Any, block: Any, place: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block, place = arguments
            address = builder.add(block, builder.mul(place, ir.Constant(_I64, size)))
            small = builder.load(_pointer(builder, address, ir.IntType(8 * size)))
            return builder.zext(small, _I64)

        return types.int64(types.int64, types.int64), build

    return load


byte = _small_loader(1)
short = _small_loader(2)


@intrinsic
def put(context: Any, block: Any, place: Any, value: Any) -> Any:
    """Write into a place of a block."""
    kept = {types.uint64: types.uint64, types.float64: types.float64}.get(value, types.int64)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        block, place, value = arguments
        kind = _F64 if kept == types.float64 else _I64
        builder.store(value, _pointer(builder, _place(builder, block, place), kind))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, kept), build


def _size(context: Any, state: Any) -> int:
    """The bytes of a state in memory, a multiple of eight."""
    size = context.get_abi_sizeof(context.get_value_type(state))
    return (size + 7) // 8 * 8


@intrinsic
def record(context: Any, block: Any, index: Any, state: Any) -> Any:
    """The address of the record of that index."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stride = ir.Constant(_I64, HEADER + _size(context, signature.args[2]))
        return builder.add(arguments[0], builder.mul(arguments[1], stride))

    return types.int64(types.int64, types.int64, state), build


def state_bytes(state: Any) -> int:
    """The bytes of a state like this one in memory."""
    return _size(cpu_target.target_context, typeof(state))


@intrinsic
def state_in(context: Any, record: Any, state: Any) -> Any:
    """The state that a record holds."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.add(arguments[0], ir.Constant(_I64, HEADER))
        kind = context.get_value_type(signature.args[1])
        return builder.load(_pointer(builder, address, kind), align=8)

    return state(types.int64, state), build


@intrinsic
def put_state(context: Any, record: Any, state: Any, like: Any) -> Any:
    """Write the state of a record: one of the same type as `like`, or it does not compile."""
    if state != like:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.add(arguments[0], ir.Constant(_I64, HEADER))
        kind = context.get_value_type(signature.args[1])
        builder.store(arguments[1], _pointer(builder, address, kind), align=8)
        return context.get_dummy_value()

    return types.none(types.int64, state, like), build


@intrinsic
def stores_states(context: Any, game: Any, full: Any) -> Any:
    """Must an entry hold the whole state? Known when it is compiled."""
    known = game.rules.has_digests

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(known))

    return types.boolean(game, types.int64), build


@intrinsic
def has_candidates(context: Any, game: Any) -> Any:
    """Does the game say which actions are worth trying? Known when it is compiled."""
    own = game.rules.game_class.candidates is not Game.candidates

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(own))

    return types.boolean(game), build


def endgame(game: Any, endgames: Any, state: Any, low: Any, high: Any) -> Any:
    """The limits of the value of a state: both are the value if there is a table of endgames that has it."""
    raise NotImplementedError


@overload(endgame, strict=False)
def _endgame(game: Any, endgames: Any, state: Any, low: Any, high: Any) -> Any:
    """Whether there is a table is known when it is compiled: a search without one has no code for it."""
    if game.rules.endgames is None:
        return lambda game, endgames, state, low, high: (low, high)
    from perfectplay.compiler.numba_backend.twins import compiled_function_twin

    narrowed = compiled_function_twin(game.rules.endgames)
    return lambda game, endgames, state, low, high: narrowed(game, endgames, state, low, high)


@intrinsic
def entry(context: Any, table: Any, slot: Any, state: Any, full: Any) -> Any:
    """The address of an entry."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, slot, _, full = arguments
        short = ir.Constant(_I64, 16)
        long = ir.Constant(_I64, 16 + _size(context, signature.args[2]))
        return builder.add(table, builder.mul(slot, builder.select(full, long, short)))

    return types.int64(types.int64, types.int64, state, types.boolean), build


@njit
def entry_word(table: Any, entry: Any, place: Any) -> Any:
    """A word of an entry."""
    return word(entry, place)


@njit
def put_entry_word(table: Any, entry: Any, place: Any, value: Any) -> None:
    """Write a word of an entry."""
    put(entry, place, value)


@intrinsic
def _entry_state(context: Any, entry: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.add(arguments[0], ir.Constant(_I64, 16))
        kind = context.get_value_type(signature.args[1])
        return builder.load(_pointer(builder, address, kind), align=8)

    return state(types.int64, state), build


@njit
def entry_holds(table: Any, entry: Any, state: Any) -> Any:
    """Is this the state that the entry was written for?"""
    return _entry_state(entry, state) == state


@intrinsic
def _put_entry_state(context: Any, entry: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.add(arguments[0], ir.Constant(_I64, 16))
        kind = context.get_value_type(signature.args[1])
        builder.store(arguments[1], _pointer(builder, address, kind), align=8)
        return context.get_dummy_value()

    return types.none(types.int64, state), build


@njit
def put_entry_state(table: Any, entry: Any, state: Any) -> None:
    """Write the state of an entry."""
    _put_entry_state(entry, state)


@intrinsic
def _prefetch(context: Any, address: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(builder, arguments[0], _I8)
        kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        for_reading, keep_close, data = (ir.Constant(_I32, value) for value in (0, 3, 1))
        builder.call(function, [pointer, for_reading, keep_close, data])
        return context.get_dummy_value()

    return types.none(types.int64), build


@njit
def prefetch(table: Any, entry: Any) -> None:
    """Ask for an entry before it is needed."""
    _prefetch(entry)


def as_word(value: Any) -> Any:
    """An integer modulo 2**64: of a float, bits would be lost."""
    raise NotImplementedError


@overload(as_word, strict=False)
def _as_word(value: types.Type) -> Any:
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: uint64(value)
    return None


@intrinsic
def swapped(context: Any, word: Any) -> Any:
    """A word with its bytes in the opposite order."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), build


@njit
def as_number(value: Any) -> Any:
    """A small word as an integer."""
    return types.int64(value)


@njit
def as_real(value: Any) -> Any:
    """A number as a floating-point number."""
    return types.float64(value)


@njit
def scattered(key: Any, shift: Any) -> Any:
    """The first 64 - shift bits of a key's multiplicative hash."""
    return types.int64((key * uint64(ORDERS)) >> uint64(shift))


@intrinsic
def single(context: Any, value: Any) -> Any:
    """The 32 bits of the nearest number of single precision."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(builder.fptrunc(arguments[0], _F32), _I32)
        return builder.zext(bits, _I64)

    return types.uint64(types.float64), build


@intrinsic
def double(context: Any, bits: Any) -> Any:
    """The number of single precision that has these bits."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.bitcast(builder.trunc(arguments[0], _I32), _F32)
        return builder.fpext(value, _F64)

    return types.float64(types.uint64), build


@intrinsic
def _from_bits(context: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], _F64)

    return types.float64(types.int64), build


@njit
def above(value: Any) -> Any:
    """The next greater number."""
    if value == 0:
        return _from_bits(1)
    bits = float_bits(value)
    if bits == 0x7FF0000000000000:  # nothing is greater than infinity
        return value
    return _from_bits(bits + 1) if value > 0 else _from_bits(bits - 1)


@njit
def length(value: Any) -> Any:
    """How many binary digits a positive integer has."""
    return value.bit_length()


def action_slot(action: Any, size: Any) -> Any:
    """A place for an action among `size` of them, a power of two."""
    raise NotImplementedError


@overload(action_slot, strict=False)
def _action_slot(action: types.Type, size: types.Type) -> Any:
    if isinstance(action, types.Integer | types.Boolean):
        return lambda action, size: types.int64(action) & (size - 1)
    return lambda action, size: types.int64(compiled_digest(action) & uint64(size - 1))


@njit
def for_max(player: Any) -> Any:
    """Is it MAX?"""
    return player == MAX


@intrinsic
def put_leaves(context: Any, block: Any, state: Any) -> Any:
    """Write the numbers that a state is made of into a block; floats and truth values as integers."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        block, state = arguments
        for place, (kind, value) in enumerate(_leaves(builder, signature.args[1], state)):
            word = _as_leaf(builder, kind, value)
            address = builder.add(block, ir.Constant(_I64, 8 * place))
            builder.store(word, _pointer(builder, address, _I64))
        return context.get_dummy_value()

    return types.none(types.int64, state), build


@intrinsic
def state_of(context: Any, block: Any, like: Any) -> Any:
    """The state that was written into a block: one of the type of `like`."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = 0

        def built(kind: Any) -> Any:
            nonlocal place
            if isinstance(kind, types.BaseTuple):
                return context.make_tuple(builder, kind, [built(field) for field in kind.types])
            address = builder.add(arguments[0], ir.Constant(_I64, 8 * place))
            place += 1
            word = builder.load(_pointer(builder, address, _I64))
            return _from_leaf(builder, context, kind, word)

        return built(signature.args[1])

    return like(types.int64, like), build


def _leaves(builder: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers in a value of tuples, each with its type."""
    if isinstance(kind, types.BaseTuple):
        for place, field in enumerate(kind.types):
            yield from _leaves(builder, field, builder.extract_value(value, place))
    else:
        yield kind, value


def _as_leaf(builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Float):
        return builder.bitcast(value, _I64)
    if isinstance(kind, types.Boolean):
        return builder.zext(value, _I64)
    if kind.bitwidth == 64:
        return value
    return builder.sext(value, _I64) if kind.signed else builder.zext(value, _I64)


def _from_leaf(builder: Any, context: Any, kind: Any, word: Any) -> Any:
    if isinstance(kind, types.Float):
        return builder.bitcast(word, _F64)
    if isinstance(kind, types.Boolean):
        return builder.trunc(word, ir.IntType(1))
    return word if kind.bitwidth == 64 else builder.trunc(word, context.get_value_type(kind))
