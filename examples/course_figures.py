"""The course's two tables of Connect-n boards, computed anew: python examples/course_figures.py.

Prints, for each board, what minimax and alpha-beta with a table find, how many states they leave in
it, and how often they prune, beside the author's figures (Rhodes College, "Project 2: Connect Four",
P. Kirlin). The largest board of part A has two million states and wants 2 GB and a minute.
"""

from __future__ import annotations

import sys
from time import perf_counter

from perfectplay.games import ConnectFour
from perfectplay.textbook import run

# rows, columns, n in a row, does the first player win, states
PART_A = [
    (3, 3, 3, False, 694),
    (3, 4, 3, True, 7157),
    (3, 5, 3, True, 70914),
    (3, 6, 3, True, 692970),
    (4, 3, 3, False, 2715),
    (4, 4, 3, True, 41750),
    (4, 5, 3, True, 613459),
    (5, 3, 3, False, 8789),
    (5, 4, 3, True, 195472),
    (6, 3, 3, False, 25753),
    (6, 4, 3, True, 844488),
    (3, 4, 4, False, 12031),
    (3, 5, 4, False, 158911),
    (3, 6, 4, False, 2087325),
    (4, 3, 4, False, 6000),
    (4, 4, 4, False, 161029),
    (5, 3, 4, False, 38310),
    (5, 4, 4, False, 1706255),
    (6, 3, 4, False, 235781),
]

# the same, and prunings
PART_B = [
    (3, 3, 3, False, 206, 149),
    (3, 4, 3, True, 926, 986),
    (4, 3, 3, False, 606, 522),
    (4, 4, 3, True, 4102, 4619),
    (5, 3, 3, False, 1465, 1169),
    (3, 4, 4, False, 632, 694),
    (4, 4, 4, False, 7115, 9004),
    (5, 4, 4, False, 55040, 92778),
]


def main() -> int:
    """Print both tables; the exit code is the number of rows that differ."""
    differ = 0
    for algorithm, boards in (("minimax", PART_A), ("alpha-beta", PART_B)):
        print(f"{algorithm}\n  board  n  result             value    states  prunings  seconds")
        for rows, cols, k, wins, *figures in boards:
            game = ConnectFour(rows, cols, k, score="course")
            start = perf_counter()
            answer = run(algorithm, game, game.initial())
            seconds = perf_counter() - start
            counts = [len(answer.table or ()), answer.prunings]
            same = counts[: len(figures)] == figures and (answer.value > 0) == wins
            differ += not same
            result = "first player wins" if answer.value > 0 else "tie"
            print(
                f"  {rows} x {cols}  {k}  {result:17} {answer.value:6} {counts[0]:9,} {counts[1]:9,}",
                f" {seconds:7.1f}  {'as published' if same else f'PUBLISHED: {figures}'}",
                flush=True,
            )
    return differ


if __name__ == "__main__":
    sys.exit(main())
