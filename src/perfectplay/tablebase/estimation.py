"""Estimation: roughly how many positions a game has, before anyone waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from perfectplay.game import Game
from perfectplay.tablebase.discovery import first_layout
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.rows import sorted_once, to_rows, to_words, without

SECONDS = 5.0
PLAYOUTS = 300
MOST_MOVES = 500
SOLVING = 1.2  # how much longer solving takes than discovering


class Estimate(NamedTuple):
    """What to expect of a build."""

    positions: int
    exact: bool  # were they all counted?
    levels: int
    bytes: int
    compressed: int
    seconds: float
    counted: int  # positions that were looked at for this


def estimate_tablebase(
    game: Game[Any, Any], *, seconds: float = SECONDS, symmetry: bool = True, workers: int = 2
) -> Estimate:
    """Count positions for some seconds; if there are more, judge by how the levels grow.

    How much a level is larger than the one before falls steadily in most games: a line is laid through
    the logarithms of these ratios, up to the length of the longest of some games played at random.
    """
    expander = Expander(game, symmetry=symmetry)
    layout = first_layout(expander)
    sizes: list[int] = []
    began = monotonic()
    rate = 1.0
    for size, speed in _levels(expander, layout, began + seconds):
        if size < 0:
            longest = _longest(game)
            guessed = [*sizes, *_guessed(sizes, longest)]
            return _estimate(guessed, sum(sizes), layout.width, rate * min(workers, 2), exact=False)
        sizes.append(size)
        rate = speed
    return _estimate(sizes, sum(sizes), layout.width, rate, exact=True)


def _levels(expander: Expander, layout: Any, deadline: float) -> Iterator[tuple[int, float]]:
    """The sizes of the levels, and positions a second; -1 when the time is up."""
    known = [to_rows(np.array([layout.pack(expander.root)], np.uint64))]
    began, done = monotonic(), 0
    yield 1, 1.0
    while True:
        successors = []
        for begin in range(0, len(known[-1]), 1 << 16):
            if monotonic() > deadline:
                yield -1, 0.0
                return
            found = expander.expand(layout, to_words(known[-1][begin : begin + (1 << 16)]))
            successors.append(sorted_once(to_rows(found.words)))
        done += len(known[-1])
        rows = sorted_once(np.concatenate(successors))
        for level in known:
            rows = without(rows, level)
        if not len(rows):
            return
        known.append(rows)
        yield len(rows), done / (monotonic() - began)


def _longest(game: Game[Any, Any]) -> int:
    """The moves of the longest of some games played at random."""
    random = Random(0)  # noqa: S311 - nothing secret hangs on it
    longest = 0
    for _ in range(PLAYOUTS):
        state, moves = game.initial(), 0
        while moves < MOST_MOVES and not game.is_terminal(state):
            state = game.result(state, random.choice(list(game.actions(state))))
            moves += 1
        longest = max(longest, moves)
    return longest


def _guessed(sizes: list[int], longest: int) -> Iterator[int]:
    """The sizes of the levels that follow, by how the ratios of the last ones changed."""
    ratios = np.log(np.array(sizes[1:], float) / np.array(sizes[:-1], float))
    half = ratios[len(ratios) // 2 :]
    slope, offset = np.polyfit(np.arange(len(half)), half, 1) if len(half) > 1 else (0.0, half[-1])
    size = float(sizes[-1])
    for step in range(len(half), len(half) + longest + 1 - len(sizes)):
        size *= float(np.exp(offset + min(slope, 0.0) * step))
        if size < 1:
            return
        yield int(size)


def _estimate(sizes: list[int], counted: int, width: int, rate: float, *, exact: bool) -> Estimate:
    positions = sum(sizes)
    seconds = positions / max(rate, 1.0) * (1 + SOLVING)
    return Estimate(positions, exact, len(sizes), positions * (8 * width + 3), positions, seconds, counted)
