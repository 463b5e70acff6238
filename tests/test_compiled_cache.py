"""Machine code is kept on disk: found again by the same rules alone, and never needed."""

from __future__ import annotations

import importlib.util
import itertools
import marshal
import os
import subprocess
import sys
from dataclasses import fields
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

import pytest

from perfectplay import Engine
from perfectplay.compiler import backend, cache
from perfectplay.compiler.function_source import code_exactly
from perfectplay.compiler.kernels import Made
from perfectplay.compiler.layouts import Lengths, layout_of
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.reading import is_as_written
from perfectplay.compiler.shapes import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    STR,
    Array,
    Atom,
    Const,
    Frozen,
    Seq,
    Struct,
    Union,
)
from perfectplay.compiler.stored_shapes import Storing, Unstorable
from perfectplay.engine.perft import compiled_perft

GAME = '''
from enum import Enum
from typing import NamedTuple

from perfectplay import Game

STEPS = {"far": 2, "near": 1}
HEIGHT = 6


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"


class Place(NamedTuple):
    height: int
    side: Side


class Climb(Game):
    """Two climb in turn; who reaches the top wins."""

    def __init__(self, slope=0):
        self.slope = slope

    def initial(self):
        return Place(0, Side.LEFT)

    def to_move(self, state):
        return 0 if state.side is Side.LEFT else 1

    def actions(self, state):
        return [name for name in STEPS if state.height + STEPS[name] <= HEIGHT + self.slope]

    def result(self, state, action):
        other = Side.RIGHT if state.side is Side.LEFT else Side.LEFT
        return Place(state.height + STEPS[action], other)

    def is_terminal(self, state):
        return state.height >= HEIGHT + self.slope

    def utility(self, state, player):
        return -1 if player == self.to_move(state) else 1
'''
PROGRAM = """
import sys
from perfectplay import Engine, load_game
game = load_game(sys.argv[1])
found = Engine(game, compile="always", table_mb=1).solve(game.initial())
passes = [name for name in sys.modules if name.startswith("perfectplay.compiler.lowering")]
others = [name for name in ("numpy", "perfectplay.check", "perfectplay.textbook") if name in sys.modules]
print(found.value, found.nodes, "compiled" if passes else "found", *others)
"""
numbers = itertools.count()


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it does not see two edits in one second
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch):
    """What is found out and compiled from now on, by name."""
    done = []

    def noting(name):
        inner = getattr(backend, name)

        def noted(*arguments, **named):
            done.append(name)
            return inner(*arguments, **named)

        monkeypatch.setattr(backend, name, noted)

    noting("_found_out")
    noting("compilation")
    return done


def loaded(path: Path, text: str = GAME):
    """The module of a file, as a process that has never seen it would load it."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{next(numbers)}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines(game):
    return compiled_perft(game, game.initial(), 3)


def started(path: Path):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, f"{path}:Climb"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def answer(process):
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    return printed.strip()


def interpreted(path: Path):
    game = loaded(path).Climb()
    found = Engine(game, compile="never", table_mb=1).solve(game.initial())
    return f"{found.value} {found.nodes}"


def test_a_new_process_finds_what_another_one_compiled_and_loads_no_compiler(tmp_path):
    path = tmp_path / "climb.py"
    path.write_text(GAME)
    first, second = answer(started(path)), answer(started(path))
    assert first == f"{interpreted(path)} compiled"
    assert second == first.replace("compiled", "found")


@pytest.mark.slow
def test_processes_that_start_at_once_do_not_disturb_each_other(tmp_path, place):
    path = tmp_path / "climb.py"
    path.write_text(GAME)
    answers = {answer(process) for process in [started(path), started(path)]}
    assert answers <= {f"{interpreted(path)} {how}" for how in ("compiled", "found")}
    assert {file.suffix for file in place.iterdir()} == {".kernel"}
    assert answer(started(path)).endswith("found")


def test_the_same_rules_are_compiled_once(tmp_path, compilations):
    assert lines(loaded(tmp_path / "climb.py").Climb()) == 8
    assert compilations == ["_found_out", "compilation"]
    assert lines(loaded(tmp_path / "climb.py").Climb()) == 8
    assert lines(loaded(tmp_path / "moved.py").Climb()) == 8  # whatever the file is called
    assert compilations == ["_found_out", "compilation"]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("state.side is Side.LEFT else 1", "state.side is not Side.RIGHT else 1", 8),  # a rule
        ("HEIGHT = 6", "HEIGHT = 5", 7),  # a constant that a rule reads
        ('"far": 2, "near": 1', '"near": 1, "far": 2', 8),  # the order of a dict, which is that of actions
        ("slope=0", "slope=-1", 7),  # the configuration
        (
            'LEFT = "left"\n    RIGHT = "right"',
            'RIGHT = "right"\n    LEFT = "left"',
            8,
        ),  # the order of an enum
        ("def to_move", "\n    def to_move", 8),  # the lines, which are named where machine code stops
    ],
)
def test_whatever_is_edited_is_compiled_again(tmp_path, compilations, old, new, found):
    lines(loaded(tmp_path / "climb.py").Climb())
    compilations.clear()
    assert old in GAME
    assert lines(loaded(tmp_path / "climb.py", GAME.replace(old, new)).Climb()) == found
    assert compilations == ["_found_out", "compilation"]


def test_an_order_that_only_one_process_has_is_not_kept(tmp_path, place, compilations):
    text = GAME.replace("for name in STEPS if", "for name in NAMES if").replace(
        "HEIGHT = 6", "HEIGHT = 6\nNAMES = {*STEPS}"
    )
    for _ in range(2):
        assert lines(loaded(tmp_path / "climb.py", text).Climb()) == 8
    assert compilations.count("compilation") == 2
    program = "import climb, perfectplay.compiler.digest as d; print(d.code_digest(climb.Climb()))"
    (tmp_path / "climb.py").write_text(text.replace("{*STEPS}", "{*STEPS, 'a', 'b', 'c', 'd'}"))
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 2


def test_another_configuration_of_the_same_class_is_another_game(tmp_path, compilations):
    module = loaded(tmp_path / "climb.py")
    assert (lines(module.Climb()), lines(module.Climb(-2))) == (8, 4)
    assert compilations == 2 * ["_found_out", "compilation"]


def test_a_class_that_does_not_compile_is_not_tried_again(tmp_path, compilations):
    text = GAME.replace("return 0 if state", "return print(end='') or 0 if state")
    reasons = {backend.why_not(loaded(tmp_path / "climb.py", text).Climb()) for _ in range(2)}
    assert len(reasons) == 1
    assert "`to_move` line 3" in reasons.pop()
    assert compilations == ["_found_out"]


@pytest.mark.parametrize(("old", "new"), [("HEIGHT = 6", "HEIGHT = 6\n"), ("LEFT else 1", "LEFT else 2")])
def test_rules_whose_file_was_edited_after_they_were_loaded_are_not_compiled_from_it(
    tmp_path, place, old, new
):
    game = loaded(tmp_path / "climb.py").Climb()
    (tmp_path / "climb.py").write_text(GAME.replace(old, new))
    expected = "`to_move` is not what its file says, which was edited since; load it again"
    assert backend.why_not(game) == expected
    assert not place.exists()


def walks_a_set(n):
    return [x + 1 for x in {10, 3, 2}] if n in {8, 0, 16} else []


def test_bytecode_that_was_kept_is_what_its_file_says_though_its_sets_are_in_another_order():
    of_file = compile(Path(__file__).read_text(), __file__, "exec", dont_inherit=True).co_consts
    made = next(code for code in of_file if getattr(code, "co_name", "") == walks_a_set.__name__)
    fresh, kept = (FunctionType(code, globals()) for code in (made, marshal.loads(marshal.dumps(made))))
    assert fresh(8) != kept(8)
    assert is_as_written(fresh)
    assert is_as_written(kept)
    assert code_exactly(fresh.__code__) != code_exactly(kept.__code__)


def damages(whole: bytes):
    middle = len(whole) // 2
    yield b""
    yield whole[:middle]
    yield whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    yield whole + b"\0"
    yield b"something else"


def test_damaged_files_are_as_good_as_none(tmp_path, place, compilations):
    lines(loaded(tmp_path / "climb.py").Climb())
    sound = {file: file.read_bytes() for file in place.iterdir()}
    for number in range(5):
        compilations.clear()
        for file, whole in sound.items():
            file.write_bytes([*damages(whole)][number])
        assert lines(loaded(tmp_path / "climb.py").Climb()) == 8
        assert compilations == ["_found_out", "compilation"]
        assert {file: file.read_bytes() for file in place.iterdir()}.keys() == sound.keys()


def test_a_file_under_another_name_is_not_believed(tmp_path, place, compilations):
    lines(loaded(tmp_path / "climb.py").Climb())
    one, other = sorted(place.iterdir(), key=lambda file: file.stat().st_size)
    small, large = one.read_bytes(), other.read_bytes()
    one.write_bytes(large)
    other.write_bytes(small)
    compilations.clear()
    assert lines(loaded(tmp_path / "climb.py").Climb()) == 8
    assert compilations == ["_found_out", "compilation"]


@pytest.mark.parametrize("where", ["a_file/cache", ""])
def test_where_nothing_can_be_written_everything_is_compiled(tmp_path, monkeypatch, compilations, where):
    (tmp_path / "a_file").write_text("no directory")
    monkeypatch.setenv(cache.PLACE, str(tmp_path / where) if where else "")
    for _ in range(2):
        assert lines(loaded(tmp_path / "climb.py").Climb()) == 8
    assert compilations == 2 * ["_found_out", "compilation"]


def test_the_oldest_files_go_when_there_are_too_many(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 5000)
    for number in range(5):
        cache._write(f"{number}", {"number": number}, bytes(1500))
        for file in place.glob(f"{number}.*"):
            os.utime(file, (number, number))
    assert sorted(file.stem for file in place.iterdir()) == ["2", "3", "4"]
    assert cache._read("3") == ({"number": 3}, bytes(1500))


def test_the_place_is_the_platforms(monkeypatch, tmp_path):
    assert cache.directory() == tmp_path / "cache"
    monkeypatch.delenv(cache.PLACE)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.directory() == Path("/somewhere/perfectplay")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert cache.directory() == Path("/local/perfectplay/Cache")
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache.directory() == Path("/home/me/Library/Caches/perfectplay")


STREAK = '''
from perfectplay import Game

LENGTH = 12


class Streak(Game):
    """Say yes or no twelve times in a pattern; if it is kept to the end, it is worth more than 64 bits."""

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return 0

    def actions(self, state):
        return (0, 1)

    def result(self, state, action):
        return (state[0] + 1, state[1] + 1 if action == state[0] % 3 % 2 else 0)

    def is_terminal(self, state):
        return state[0] == LENGTH

    def utility(self, state, player):
        worth = (1 << 6 * state[1]) >> 6 * LENGTH - 3
        return worth if player == 0 else -worth
'''


def test_what_was_compiled_again_after_a_trap_is_what_the_next_process_begins_with(tmp_path, monkeypatch):
    widenings = []
    inner = backend.widened
    monkeypatch.setattr(backend, "widened", lambda *given: (widenings.append(given[1]), inner(*given))[1])
    for traps in (1, 1):
        game = loaded(tmp_path / "streak.py", STREAK).Streak()
        engine = Engine(game, compile="always", table_mb=1)
        assert engine.solve(game.initial()).value == 8
        assert engine.compiled
        assert len(widenings) == traps


class Colour(Enum):
    RED = 1
    BLUE = 2


class Square(NamedTuple):
    colour: Colour
    piece: str


SHAPES = [
    INT,
    Atom(str),
    Atom(Colour),
    Struct(Square, (Atom(Colour), CHAR)),
    Struct(tuple, (BOOL, FLOAT, STR)),
    Seq(Struct(tuple, (INT, INT))),
    Frozen(INT),
    Union((Const(None), INT)),
    Array("words"),
    Const((1, 2.5, "x", None, True, Colour.BLUE)),
]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_shapes_are_read_as_they_were_written(shape):
    storing = Storing(None, [Colour, Square])
    assert storing.read_shape(storing.shape(shape)) == shape
    layout = layout_of(shape, Lengths())
    assert storing.read_layout(storing.layout(layout)) == layout


def test_a_class_that_cannot_be_told_from_another_is_not_written():
    other = type("Square", (Square,), {"__qualname__": "Square"})
    with pytest.raises(Unstorable):
        Storing(None, [Square, other]).shape(Struct(Square, (INT, INT)))
    with pytest.raises(Unstorable):
        Storing(None, []).shape(Atom(Colour))
    with pytest.raises(Unstorable):
        Storing(None, []).shape(Const(object()))


def test_everything_about_a_game_and_a_kernel_is_written_but_what_can_be_had_again():
    again = {"states", "late", "pairs", "others", "exact"}
    assert {field.name for field in fields(Observed)} == {*Storing().observed(Observed())} | again
    assert {field.name for field in fields(Made)} == {*Storing().made(Made(b"", "", [], INT, [], None))} | {
        "code",
        "exact",  # machine code with the hashes of one process is not kept
    }
