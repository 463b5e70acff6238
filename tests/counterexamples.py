"""The smallest games on which the course's searches are wrong: examples/smallest_counterexamples.py."""

from perfectplay import MAX, MIN
from perfectplay.games import ExplicitTree

# alpha_beta says 1: it searches C below b2, where b1 has gained 1, learns only that C is worth at most
# that, and keeps 1 as its value. The value is 0.
BOUND_KEPT_AS_VALUE = ExplicitTree(
    {
        "A": {"a1": "B", "a2": "C"},
        "B": {"b1": "T1", "b2": "C"},
        "C": {"c1": "D"},
        "D": {"d1": "T1", "d2": "T0"},
    },
    {"T1": 1, "T0": 0},
    {"A": MIN, "B": MAX, "C": MAX, "D": MIN},
)

# The same where the players take turns.
BOUND_KEPT_AS_VALUE_IN_TURN = ExplicitTree(
    {
        "A": {"a1": "B", "a2": "D"},
        "B": {"b1": "T1", "b2": "C"},
        "C": {"c1": "D"},
        "D": {"d1": "E"},
        "E": {"e1": "T1", "e2": "T0"},
    },
    {"T1": 1, "T0": 0},
    {"A": MIN, "B": MAX, "C": MIN, "D": MAX, "E": MIN},
)

# Cut off after LIMIT moves, alpha_beta_with_heuristics says 1: it meets C below b1, where the search ends,
# and keeps the estimate, which then answers for C below a2. The value is 0.
GUESS_KEPT_WITHOUT_DEPTH = ExplicitTree(
    {"A": {"a1": "B", "a2": "C"}, "B": {"b1": "C"}, "C": {"c1": "T0"}},
    {"T0": 0},
    {"A": MIN, "B": MAX, "C": MAX},
    estimates={"C": 1},
)
LIMIT = 2

# The same where the players take turns.
GUESS_KEPT_WITHOUT_DEPTH_IN_TURN = ExplicitTree(
    {"A": {"a1": "B", "a2": "D"}, "B": {"b1": "C"}, "C": {"c1": "D"}, "D": {"d1": "T0"}},
    {"T0": 0},
    {"A": MIN, "B": MAX, "C": MIN, "D": MAX},
    estimates={"D": 1},
)
LIMIT_IN_TURN = 3
