"""A few random programs and games of the fuzzers; long runs are commands (see their docstrings)."""

from __future__ import annotations

import fuzzed_games
import fuzzing
import pytest


@pytest.mark.parametrize("seed", range(12))
def test_a_random_program_means_what_python_means(seed: int) -> None:
    what, why = fuzzing.compared(seed)
    assert what not in ("WRONG", "CRASH"), why


@pytest.mark.parametrize("seed", range(6))
def test_a_random_game_is_worth_what_minimax_says(seed: int) -> None:
    what, why = fuzzed_games.compared(seed)
    assert what == "same", why
