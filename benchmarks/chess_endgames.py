"""How fast chess endgames are solved, and whether they come out as published.

    python3 dev.py bench chess_endgames              KBNK, built and verified, its kernels compiled before
    python3 dev.py bench chess_endgames KQK KPKP     any others
    python3 dev.py bench chess_endgames all          all those below whose figures are published
    python3 dev.py bench chess_endgames perft        leaves a second, compiled and interpreted

Seconds are those of the clock and, after a slash, of the processors. It ends with 1 if a figure is not as
published.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from os import times
from time import perf_counter, process_time

from perfectplay.engine.perft import compiled_perft, perft
from perfectplay.games import ChessEndgame
from perfectplay.tablebase import build_tablebase, statistics, verify

# The longest mates in moves, White to move, in E. Nalimov's tables; and how many positions take as long, up
# to symmetry, where that is published too (kirill-kryukov.com, "Longest Mate in kqk", of 2006).
PUBLISHED: dict[str, tuple[int, int | None]] = {
    "KQK": (10, 1),
    "KRK": (16, 121),
    "KPK": (28, 3),
    "KBBK": (19, None),
    "KBNK": (33, 138),
    "KQKR": (35, None),
}
PERFT = (
    ("KBNK", 7, 5),
    ("KPKP", 8, 6),
    ("KQKR", 5, 4),
)  # men, plies compiled, plies in Python


def main() -> int:
    wanted = sys.argv[1:] or ["KBNK"]
    if wanted == ["perft"]:
        for men, deep, shallow in PERFT:
            print(rates(men, deep, shallow), flush=True)
        return 0
    right = [solved(men) for men in (PUBLISHED if wanted == ["all"] else wanted)]
    return 0 if all(right) else 1


def solved(men: str) -> bool:
    """Build and verify a table; is the longest mate as published?"""
    game = ChessEndgame(men)
    with tempfile.TemporaryDirectory() as place:  # the kernels are compiled, or loaded, with another start
        build_tablebase(game, place, start=game.from_fen("8/8/8/8/8/2k5/8/K7 w"))
    with tempfile.TemporaryDirectory() as place:
        built, _ = timed(lambda: build_tablebase(game, place))
        checked, faults = timed(lambda: verify(place))
        counts = statistics(place)
    moves, times_as_long = longest(counts.remoteness)
    known = PUBLISHED.get(game.men)
    agrees = not faults and (known is None or (known[0] == moves and known[1] in (None, times_as_long)))
    verdict = "as published" if known and agrees else "NOT AS PUBLISHED" if known else ""
    print(
        f"{game.men}: {counts.positions:,} positions, built in {built} s, verified in {checked} s; mate in "
        f"{moves} at most, in {times_as_long:,} of them {verdict}{faults[:1] or ''}",
        flush=True,
    )
    return agrees


def longest(counts: dict[int, dict[str, int]]) -> tuple[int, int]:
    """The moves of the longest mate by White, who is to move, and how many positions take as long."""
    wins = {until: kinds.get("MAX wins", 0) for until, kinds in counts.items() if until % 2}
    most = max(until for until, count in wins.items() if count)
    return (most + 1) // 2, wins[most]


def timed(work: Callable[[], object]) -> tuple[str, object]:
    began, before = perf_counter(), times()
    answer = work()
    after = times()
    used = after.user + after.system - before.user - before.system
    return f"{perf_counter() - began:.1f}/{used:.1f}", answer


def rates(men: str, deep: int, shallow: int) -> str:
    """Leaves a second."""
    game = ChessEndgame(men)
    start = game.initial()
    compiled_perft(game, start, 1)
    found = []
    for count, depth in ((compiled_perft, deep), (perft, shallow)):
        began = process_time()
        leaves = count(game, start, depth)
        found.append(leaves / (process_time() - began))
    fast, slow = found
    return f"{men:5} {fast / 1e6:6.1f} M/s compiled, {slow / 1e6:6.3f} M/s in Python: {fast / slow:.0f} times"


if __name__ == "__main__":
    sys.exit(main())
