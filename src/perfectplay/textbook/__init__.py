"""The textbook algorithms, each as its pseudocode has it; docs/textbook.md sets the names side by side.

`max_value` and `min_value` here are those of the dispatch form, beside `value`. The other forms keep
their own in the module that is named after them.
"""

from perfectplay.textbook.algorithms import (
    ALGORITHMS,
    Algorithm,
    Answer,
    DepthLimit,
    check_depth,
    find_algorithm,
    run,
    run_counted,
)
from perfectplay.textbook.alpha_beta import alpha_beta
from perfectplay.textbook.alpha_beta_search import alpha_beta_search
from perfectplay.textbook.alpha_beta_with_heuristics import alpha_beta_with_heuristics
from perfectplay.textbook.counting import Counted
from perfectplay.textbook.dispatch import max_value, min_value, value
from perfectplay.textbook.minimax import MinimaxInfo, minimax
from perfectplay.textbook.minimax_decision import minimax_decision
from perfectplay.textbook.minimax_search import minimax_search
from perfectplay.textbook.sound_alpha_beta import Interval, sound_alpha_beta

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Answer",
    "Counted",
    "DepthLimit",
    "Interval",
    "MinimaxInfo",
    "alpha_beta",
    "alpha_beta_search",
    "alpha_beta_with_heuristics",
    "check_depth",
    "find_algorithm",
    "max_value",
    "min_value",
    "minimax",
    "minimax_decision",
    "minimax_search",
    "run",
    "run_counted",
    "sound_alpha_beta",
    "value",
]
