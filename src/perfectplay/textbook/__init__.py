"""The textbook algorithms, each as its pseudocode has it; docs/textbook.md sets the names side by side.

`max_value`, `min_value` and `exp_value` here are those of the dispatch form, beside `value`. The other forms
keep their own in the module that is named after them. Called from here, a search refuses a game that it is
not for: one with chance, or without MIN.
"""

from perfectplay.textbook import (
    alpha_beta as _alpha_beta,
)
from perfectplay.textbook import (
    alpha_beta_search as _alpha_beta_search,
)
from perfectplay.textbook import (
    alpha_beta_value as _alpha_beta_value,
)
from perfectplay.textbook import (
    alpha_beta_with_heuristics as _alpha_beta_with_heuristics,
)
from perfectplay.textbook import (
    dispatch as _dispatch,
)
from perfectplay.textbook import (
    expectiminimax as _expectiminimax,
)
from perfectplay.textbook import (
    minimax as _minimax,
)
from perfectplay.textbook import (
    minimax_decision as _minimax_decision,
)
from perfectplay.textbook import (
    minimax_search as _minimax_search,
)
from perfectplay.textbook import (
    sound_alpha_beta as _sound_alpha_beta,
)
from perfectplay.textbook import (
    star1 as _star1,
)
from perfectplay.textbook import (
    star2 as _star2,
)
from perfectplay.textbook.algorithms import (
    ALGORITHMS,
    PLAYOUTS,
    Algorithm,
    Answer,
    check_depth,
    check_playouts,
    check_suited,
    find_algorithm,
    run,
    run_counted,
    with_depth,
)
from perfectplay.textbook.counting import Counted
from perfectplay.textbook.cut_off import CutOff
from perfectplay.textbook.expectimax import expectimax
from perfectplay.textbook.forms import DepthLimit
from perfectplay.textbook.max_n import max_n
from perfectplay.textbook.minimax import MinimaxInfo
from perfectplay.textbook.monte_carlo_tree_search import Node, drawn, monte_carlo_tree_search
from perfectplay.textbook.paranoid import paranoid
from perfectplay.textbook.sound_alpha_beta import Interval
from perfectplay.textbook.suitability import for_two_sides as _two_sided
from perfectplay.textbook.suitability import for_zero_sums as _zero_sum

alpha_beta = _two_sided(_alpha_beta.alpha_beta)
alpha_beta_search = _two_sided(_alpha_beta_search.alpha_beta_search)
alpha_beta_value = _two_sided(_alpha_beta_value.alpha_beta_value)
alpha_beta_with_heuristics = _two_sided(_alpha_beta_with_heuristics.alpha_beta_with_heuristics)
exp_value = _zero_sum(_dispatch.exp_value)
expectiminimax = _zero_sum(_expectiminimax.expectiminimax)
expectiminimax_decision = _zero_sum(_expectiminimax.expectiminimax_decision)
max_value = _zero_sum(_dispatch.max_value)
min_value = _zero_sum(_dispatch.min_value)
minimax = _two_sided(_minimax.minimax)
minimax_decision = _two_sided(_minimax_decision.minimax_decision)
minimax_search = _two_sided(_minimax_search.minimax_search)
sound_alpha_beta = _two_sided(_sound_alpha_beta.sound_alpha_beta)
star1 = _zero_sum(_star1.star1)
star2 = _zero_sum(_star2.star2)
value = _zero_sum(_dispatch.value)

__all__ = [
    "ALGORITHMS",
    "PLAYOUTS",
    "Algorithm",
    "Answer",
    "Counted",
    "CutOff",
    "DepthLimit",
    "Interval",
    "MinimaxInfo",
    "Node",
    "alpha_beta",
    "alpha_beta_search",
    "alpha_beta_value",
    "alpha_beta_with_heuristics",
    "check_depth",
    "check_playouts",
    "check_suited",
    "drawn",
    "exp_value",
    "expectimax",
    "expectiminimax",
    "expectiminimax_decision",
    "find_algorithm",
    "max_n",
    "max_value",
    "min_value",
    "minimax",
    "minimax_decision",
    "minimax_search",
    "monte_carlo_tree_search",
    "paranoid",
    "run",
    "run_counted",
    "sound_alpha_beta",
    "star1",
    "star2",
    "value",
    "with_depth",
]
