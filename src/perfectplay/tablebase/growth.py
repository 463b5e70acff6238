"""Growth: how many positions there will be, by how the levels have grown until now."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from perfectplay.game import Game

PLAYOUTS = 300
MOST_MOVES = 500
MOST_PLAYED = 10_000  # moves of all of them
MOST = 1e30  # positions that a level is guessed to have: more is no number that anyone can use


def played_out(game: Game[Any, Any], *, tiers: bool) -> tuple[int, bool]:
    """Of some games played at random: the moves of the longest, and whether one led back or stayed."""
    random = Random(0)  # noqa: S311 - nothing secret hangs on it
    longest, moves, circles = 0, 0, False
    for _ in range(PLAYOUTS):
        line = [game.table_start()]
        while len(line) <= MOST_MOVES and not game.is_terminal(line[-1]):
            line.append(game.result(line[-1], random.choice(list(game.actions(line[-1])))))
        marks = [game.tier(state) if tiers else state for state in line]
        circles = circles or len(set(marks)) < len(marks)
        longest, moves = max(longest, len(line) - 1), moves + len(line)
        if moves > MOST_PLAYED:
            break
    return longest, circles


def continued(sizes: list[int], longest: int) -> Iterator[int]:
    """The sizes of the levels that follow, by how the ratios of the last ones changed."""
    ratios = np.log(np.array(sizes[1:], float) / np.array(sizes[:-1], float))
    half = ratios[len(ratios) // 2 :]
    slope, offset = np.polyfit(np.arange(len(half)), half, 1) if len(half) > 1 else (0.0, half[-1])
    size = float(sizes[-1])
    for step in range(len(half), len(half) + longest + 1 - len(sizes)):
        size = min(size * float(np.exp(offset + min(slope, 0.0) * step)), MOST)
        if size < 1:
            return
        yield int(size)
