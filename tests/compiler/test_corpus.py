"""Classes as people write them: every rule of each, asked in machine code and in Python along random play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from comparing import differences, games_in

from perfectplay import Engine
from perfectplay.compiler import compilation
from perfectplay.compiler.emitting import quick_code

CORPUS = Path(__file__).parent.parent / "corpus"
CLASSES = [
    pytest.param(cls, id=f"{path.stem}-{cls.__name__}")
    for path in sorted(CORPUS.glob("*.py"))
    for cls in games_in(path)
]


@pytest.mark.parametrize("cls", CLASSES)
def test_a_class_compiles_as_it_stands(cls: Any) -> None:
    asked, left = differences(cls(), playouts=5, quick=True)
    assert asked > 0
    assert left == 0


@pytest.mark.parametrize("cls", CLASSES[::8])
def test_it_answers_the_same_when_it_is_optimised(cls: Any) -> None:
    asked, left = differences(cls(), playouts=5)
    assert asked > 0
    assert left == 0


# Classes that lay states, actions or sets out in memory in ways of their own.
ENGINE = [
    "getters_tictactoe",
    "fox_geese",
    "skirmish_pieces",
    "heap_mixins",
    "lanes_match",
    "farm_commands",
    "fence_flags",
    "match_falls_through",
    "corridor_clones",
    "harvest_homework",
    "egyptian_shares",
    "turtle_walk",
    "flea_circus",
    "guards_slots",
]


MOST_LINES = 17_000  # of assembly for a search with its rules: what LLVM takes a second for


@pytest.mark.parametrize("stem", ENGINE)
def test_the_engine_searches_it_node_for_node(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def noted(text: str) -> bytes:
        written.append(text)
        return quick_code(text)

    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    monkeypatch.setattr(compilation, "object_code", noted)  # what LLVM makes of it is asked elsewhere
    for cls in games_in(CORPUS / f"{stem}.py"):
        game = cls()
        compiled, interpreted = (
            Engine(game, compile=how).search(game.initial(), depth=4, nodes=2_000)
            for how in ("always", "never")
        )
        assert (compiled.value, compiled.nodes) == (interpreted.value, interpreted.nodes)
        assert list(map(repr, compiled.line)) == list(map(repr, interpreted.line))
    assert max(text.count("\n") for text in written) < MOST_LINES
    assert all(text.count("!llvm.loop") > 0 for text in written)  # LLVM leaves loops rolled
