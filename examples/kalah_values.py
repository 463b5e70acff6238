"""The values of small Kalah boards, computed anew: python examples/kalah_values.py.

Prints the lead of the first player under best play beside the published one, for boards that plain
Python solves in a minute or so each. With the empty capture the figures are those of G. Irving's
solver, without it those of J. Sellison's.
"""

from __future__ import annotations

import sys
from time import perf_counter

from perfectplay.games import Kalah
from perfectplay.textbook import run

# pits, seeds, empty capture, lead of the first player
BOARDS = [
    (2, 6, True, 8),
    (3, 3, True, 2),
    (3, 4, True, 2),
    (3, 5, True, 6),
    (3, 6, True, -10),
    (4, 1, True, 2),
    (4, 2, True, 6),
    (4, 2, False, 6),
    (5, 1, True, 0),
    (6, 1, True, 2),
    (5, 2, True, 0),
    (4, 3, True, 8),
    (4, 3, False, 6),
]


def main() -> int:
    """Print the table; the exit code is the number of boards that differ."""
    differ = 0
    print("pits  seeds  empty capture  lead  published     states       nodes  seconds")
    for pits, seeds, empty_capture, lead in BOARDS:
        game = Kalah(pits, seeds, empty_capture)
        start = perf_counter()
        answer = run("sound-alpha-beta", game, game.initial())
        seconds = perf_counter() - start
        differ += answer.value != lead
        print(
            f"{pits:4} {seeds:6}  {'yes' if empty_capture else 'no':13} {answer.value:5} {lead:10}",
            f"{len(answer.table or ()):10,} {answer.nodes:11,} {seconds:8.1f}",
            flush=True,
        )
    return differ


if __name__ == "__main__":
    sys.exit(main())
