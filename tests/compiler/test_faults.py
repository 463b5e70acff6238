"""An error of the compiler itself never reaches a user: the game runs interpreted, and a sentence says why."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest

from perfectplay import Engine, Game
from perfectplay.compiler import backend
from perfectplay.compiler.emitting import Loaded, object_code
from perfectplay.compiler.lowering.coercion import Coercion
from perfectplay.compiler.lowering.control_flow import ControlFlow
from perfectplay.compiler.program import Program
from perfectplay.errors import CompileError


class Heap(Game[Any, Any]):
    def initial(self) -> Any:
        return (5, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Any:
        return [take for take in (1, 2) if take <= state[0]]

    def result(self, state: Any, action: Any) -> Any:
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state: Any) -> bool:
        return state[0] == 0

    def utility(self, state: Any, player: int) -> float:
        return -1 if state[1] == player else 1


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    monkeypatch.setattr(backend, "_known", {})


def broken(*_: Any, **__: Any) -> Any:
    raise KeyError("a fault")


@pytest.mark.parametrize(
    ("where", "name"),
    [(ControlFlow, "merge"), (Coercion, "coerce"), (Program, "settle"), (Program, "assembly")],
)
def test_a_fault_of_the_compiler_leaves_the_game_interpreted(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    monkeypatch.setenv("PERFECTPLAY_FAULTS", "")
    monkeypatch.setattr(where, name, broken)
    engine = Engine(Heap())
    assert not engine.compiled
    assert engine.why_not == "the compiler itself fails on its rules (KeyError: 'a fault'); please report it"
    assert engine.solve((5, 0)).value == 1
    with pytest.raises(CompileError, match="please report it"):
        Engine(Heap(), compile="always")


def test_assembly_that_llvm_does_not_take_leaves_the_game_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PERFECTPLAY_FAULTS", "")
    monkeypatch.setattr(Program, "assembly", lambda self: "define nonsense")
    engine = Engine(Heap())
    assert not engine.compiled
    assert engine.solve((5, 0)).value == 1


def test_a_fault_is_raised_where_our_tests_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_FAULTS", "raise")
    monkeypatch.setattr(Program, "settle", broken)
    with pytest.raises(Exception, match="a fault"):
        Engine(Heap())


def test_without_a_fault_the_game_is_compiled() -> None:
    assert Engine(Heap()).compiled


def test_code_that_asks_the_c_library_is_loaded_wherever_its_parts_lie() -> None:
    calls = "declare double @sin(double)\ndefine double @f(double %x) {\n  %y = call double @sin(double %x)\n"
    table = "@c = internal constant [2 x i64] [i64 3, i64 4], align 16\ndefine i64 @g(i64 %i) {\n"
    reads = "  %p = getelementptr i64, ptr @c, i64 %i\n  %v = load i64, ptr %p\n  ret i64 %v\n}\n"
    loaded = [
        Loaded(object_code(f"{calls}  ret double %y\n}}\n{table}{reads}{'; ' * number}\n"))
        for number in range(3)
    ]
    for one in loaded:
        assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(one.address("g"))(1) == 4
        assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(one.address("f"))(0.5) == math.sin(0.5)
