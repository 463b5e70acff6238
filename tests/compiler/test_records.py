"""Records: one declaration, which Python runs on objects and machine code on raw words, with the same outcome."""

from __future__ import annotations

import ctypes
import mmap
from math import inf, nextafter
from pathlib import Path

import pytest
from comparing import games_in

from perfectplay import Game
from perfectplay.compiler.backend import compilation, known
from perfectplay.compiler.compilation import compile_function
from perfectplay.compiler.kernels import Kernel, Machine
from perfectplay.compiler.primitives import from_single_bits, prefetch, single_bits, word
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.records import (
    RAW,
    Atomic,
    Byte,
    FieldKind,
    Known,
    Room,
    Short,
    State,
    Word,
    kind_of,
    kinds_in,
    made_raw,
    offset,
    raw_class,
    record,
    size,
)
from perfectplay.compiler.shapes import FLOAT, INT, WORD, Record
from perfectplay.compiler.state_kind import has_digests
from perfectplay.compiler.stored_shapes import Storing
from perfectplay.games import ConnectFour


def corpus(name):
    """A game of the corpus."""
    return games_in(Path(__file__).parent.parent / "corpus" / f"{name}.py")[0]()


@record
class Threads:
    stop: Atomic[int] = 0
    busy: list[Atomic[Word]]


@record
class Step:
    order: float = 0.0
    key: Word = 0
    number: int = 0


@record
class Desk:
    nodes: int = 0
    weight: float = 0.0
    key: Word = 0
    done: bool = False
    threads: Threads
    steps: list[Step]
    numbers: list[int]
    reals: list[float]
    words: list[Word]
    small: list[Byte]
    shorts: list[Short]
    absent: Step | None = None


@record
class Wider(Desk):
    more: int = 7


@record
class Entry:
    check: Atomic[Word] = 0
    state: State | None = None
    data: Word = 0
    like: State = None
    has_state: Known[bool] = False
    last: int = 0


@record
class Small:
    byte: Byte = 0


ROOM = Room(0, 0)
SIZE = 5
ARRAYS = {"numbers": int, "reals": float, "words": Word, "small": Byte, "shorts": Short}


def on_objects():
    arrays = {name: [0.0 if kind is float else 0] * SIZE for name, kind in ARRAYS.items()}
    return Desk(threads=Threads(busy=[0] * SIZE), steps=[Step()] * SIZE, **arrays)


def on_words(cls=Desk):
    def memory(words):
        return mmap.mmap(-1, 8 * words)

    arrays = {name: (RAW[kind_of(kind).name] * SIZE)() for name, kind in ARRAYS.items()}
    threads = made_raw(Threads, ROOM, memory(2), busy=(ctypes.c_uint64 * SIZE)())
    steps = (raw_class(Step, ROOM) * SIZE)()
    return made_raw(cls, ROOM, memory(32), threads=threads, steps=steps, **arrays)


def contents(desk):
    """All that is in there."""
    return {
        **{name: getattr(desk, name) for name in ("nodes", "weight", "key", "done")},
        **{name: list(getattr(desk, name)) for name in ARRAYS},
        "threads": (desk.threads.stop, list(desk.threads.busy)),
        "steps": [(step.order, step.key, step.number) for step in desk.steps],
    }


def both(function, *arguments, shapes=(), cls=Desk):
    """What a function answers as Python and compiled, which must leave the same behind."""
    plain, raw = on_objects(), on_words(cls)
    machine = Machine(compile_function(function, [Record(cls), *shapes]).made, 1 << 20)
    wanted = function(plain, *arguments)
    words = [
        word
        for value, shape in zip(arguments, shapes, strict=True)
        for word in machine.coder.encode(value, shape)
    ]
    assert machine.answered([ctypes.addressof(raw), *words]) == wanted
    found = contents(raw)
    assert {**found, "done": bool(found["done"])} == contents(plain)
    return wanted


def numbers(desk: Desk, start: int):
    desk.nodes = start
    desk.nodes += 1
    desk.weight = desk.nodes
    desk.weight -= 0.5
    desk.done = desk.weight > 3
    for place in range(5):
        desk.numbers[place] = place - desk.nodes
        desk.reals[place] = place / 4
        desk.small[place] = 250 + place
        desk.shorts[place] = 65531 + place
    return desk.nodes + desk.small[2] + desk.shorts[4], desk.weight, desk.done


def test_numbers_of_all_kinds():
    assert both(numbers, 3, shapes=[INT]) == (4 + 252 + 65535, 3.5, True)
    assert both(numbers, -3, shapes=[INT]) == (-2 + 252 + 65535, -2.5, False)


def words_of_64_bits(desk: Desk, key: Word):
    desk.key = key
    desk.words[0] = word(key * 0x9E3779B97F4A7C15)
    desk.words[1] = word(key + key)
    desk.words[3] = word(-1)
    desk.words[4] = single_bits(-1.25) | word(127 << 57 | 3 << 40)
    return desk.key >> 60, int(key >> 32) - 1, desk.key < desk.words[3], from_single_bits(desk.words[4])


def test_words_have_no_sign_and_wrap_around():
    assert both(words_of_64_bits, 0xFEDCBA9876543210, shapes=[WORD]) == (15, 0xFEDCBA97, True, -1.25)
    assert both(words_of_64_bits, 2**64 - 1, shapes=[WORD]) == (15, 2**32 - 2, False, -1.25)


def records_in_arrays(desk: Desk, order: float):
    for place in range(5):
        desk.steps[place] = Step(order=order * place, key=word(place), number=place)
    step = desk.steps[3]
    step.number += 10
    step.order = -step.order
    desk.steps[4] = Step(number=1)
    prefetch(desk.steps[0])
    return step.number, desk.steps[2].order, desk.steps[3].order


def test_records_in_arrays():
    assert both(records_in_arrays, 1.5, shapes=[FLOAT]) == (13, 3.0, -4.5)


def signals(desk: Desk):
    threads = desk.threads
    threads.stop = 4
    threads.busy[1] = word(-2)
    threads.stop += threads.stop
    if desk.absent is None:
        return threads.stop, threads.busy[1]
    return desk.absent.number, threads.busy[0]


def test_records_within_records_and_what_is_not_there():
    assert both(signals) == (8, 2**64 - 2)


def test_what_other_threads_write_is_read_whenever_it_is_asked_for():
    def waits(threads: Threads):
        while threads.stop == 0:
            pass
        return threads.stop

    text = compile_function(waits, [Record(Threads)]).text
    assert "load atomic volatile i64" in text


def test_a_record_that_has_more_fields_serves_where_fewer_are_wanted():
    assert list(kinds_in(Wider))[: len(kinds_in(Desk))] == list(kinds_in(Desk))
    machine = Machine(compile_function(numbers, [Record(Wider), INT]).made, 1 << 20)
    raw = on_words(Wider)
    assert machine.answered([ctypes.addressof(raw), 3])[1] == 3.5
    assert (raw.nodes, raw.more) == (4, 7)


def test_the_size_of_a_record_is_that_of_its_states():
    places = ["check", "state", "data", "like", "last"]
    assert [offset(Entry, name, Room(3, 3)) for name in places] == [0, 1, 4, 5, 8]
    assert [offset(Entry, name, Room(3, 0)) for name in places] == [0, 1, 1, 2, 5]
    assert (size(Entry, Room(3, 3)), size(Entry, Room(3, 0))) == (9, 6)
    assert ctypes.sizeof(raw_class(Entry, Room(3, 0))) == 8 * 6
    assert raw_class(Entry, Room(3, 3)).last.offset == 8 * 8


def test_kinds_are_read_from_annotations():
    assert kinds_in(Desk)["steps"] == FieldKind("array", FieldKind("record", Step))
    assert kinds_in(Threads)["busy"] == FieldKind("array", FieldKind("word", atomic=True))
    assert kinds_in(Entry)["state"] == FieldKind("state", optional=True)
    with pytest.raises(TypeError, match="a field of a record cannot be <class 'str'>"):
        kind_of(str)
    with pytest.raises(TypeError, match="a field of a record cannot be .*atomic"):
        kind_of(Atomic[bool])
    with pytest.raises(TypeError, match="Small.byte cannot be a byte: only elements of arrays can"):
        kinds_in(Small)
    with pytest.raises(AttributeError, match="a Step has no field 'weight'"):
        offset(Step, "weight", ROOM)


def test_a_record_has_no_other_fields():
    with pytest.raises(AttributeError):
        on_objects().other = 1

    def writes(step: Step):
        step.other = 1

    def reads(step: Step):
        return step.other

    def replaces(desk: Desk):
        desk.threads = desk.threads

    def misplaces(desk: Desk):
        desk.steps[0] = desk.steps[1]

    for function, cls, why in (
        (writes, Step, "changes .other of a Step"),
        (reads, Step, "reads .other of a Step"),
        (replaces, Desk, "changes what a record refers to"),
        (misplaces, Desk, "puts Step where a Step belongs"),
    ):
        with pytest.raises(Obstacle, match=why):
            compile_function(function, [Record(cls)])


@record
class Shelf:
    """Room for states."""

    count: int = 0
    entries: list[Entry]
    last: State = None
    stores_states: Known[bool] = False


def shelved(game: Game, shelf: Shelf, state: State):
    """Put the successors of a state on a shelf; how many are still what they were, and were stored."""
    for action in game.actions(state):
        child = game.result(state, action)
        stored = child if shelf.stores_states else None
        shelf.entries[shelf.count] = Entry(check=word(7), state=stored, like=child, last=shelf.count)
        shelf.last = child
        shelf.count += 1
    same = kept = number = 0
    for action in game.actions(state):
        entry, child = shelf.entries[number], game.result(state, action)
        if entry.like == child and entry.last == number and entry.check == 7:
            same += 1
        if shelf.stores_states and entry.state == child:
            kept += 1
        number += 1
    return same, kept, shelf.last == child, shelf.last


@pytest.mark.parametrize(
    ("game", "stores_states"),
    [(corpus("nim_sorted"), True), (ConnectFour(), False), (corpus("tictactoe_string"), True)],
    ids=["tuple", "word", "text"],
)
def test_states_in_records(game, stores_states):
    state = game.initial()
    assert has_digests(game, state) is stores_states
    kinds = ("game", "record", "state")
    observed = known(game)
    made = compilation(game, shelved, kinds, observed=observed).made
    kernel = Kernel(game, shelved, kinds, made, observed=observed)
    words = kernel.state_bytes // 8
    room = Room(words, words if stores_states else 0)
    raw = made_raw(Shelf, room, entries=(raw_class(Entry, room) * 32)())
    plain = Shelf(entries=[None] * 32, stores_states=stores_states)
    count = len(list(game.actions(state)))
    same, kept, is_last, last = shelved(game, plain, state)
    assert (same, kept, is_last) == (count, count if stores_states else 0, True)
    assert kernel(game, raw, state) == (same, kept, is_last, last)
    assert raw.count == count
    assert raw.entries[count - 1].last == count - 1


@pytest.mark.parametrize(
    "value", [0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -5e-324, 1e308, inf, -inf, 1.7976931348623157e308]
)
def test_the_next_greater_number(value):
    def above(value: float):
        return nextafter(value, inf)

    machine = Machine(compile_function(above, [FLOAT]).made, 1 << 20)
    assert machine.answered(machine.coder.encode(value, FLOAT)) == nextafter(value, inf)


def test_the_next_smaller_number_is_left_to_python():
    def below(value: float):
        return nextafter(value, -inf)

    with pytest.raises(Obstacle, match="asks for the next smaller number"):
        compile_function(below, [FLOAT])


def test_what_is_known_of_a_record_can_be_kept_on_disk():
    storing = Storing()
    assert storing.read_shape(storing.shape(Record(Step))) == Record(Step)
    with pytest.raises(KeyError):
        storing.read_shape(["record", "os.system"])
