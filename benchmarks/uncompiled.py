"""What cannot be compiled: the engine over numbered states beside the one that runs in Python.

    python3 benchmarks/uncompiled.py

Both give the same answer after the same nodes. Times are of the processor, the best of three.
"""

from __future__ import annotations

import json
import sys
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from perfectplay.engine import Engine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from classes_beyond import BEYOND

NODES = 8_000
# Where the games of the tests are too small to be measured: a position of more moves.
LARGER: dict[str, Any] = {
    "FractionPie": (Fraction(1), Fraction(0), tuple(f"1/{n}" for n in range(2, 10)), 0),
    "DecimalAuction": (
        tuple(map(Decimal, ("1.10", "2.35", "0.75", "3.20", "1.95", "2.05"))),
        Decimal(0),
        0,
        0,
    ),
    "JsonNim": json.dumps({"heaps": [2, 4, 5, 6], "turn": 0}),
    "Dynamic": (("gold", 7), ("iron", 6), ("turn", 0), ("wood", 8), ("lead", 0)),
    "Calendar": (date(2023, 3, 1), 0),
}


def main() -> int:
    """Print a line for every class, and the median."""
    print(f"{'class':22}{'nodes':>7}{'in Python':>12}{'numbered':>12}{'ratio':>8}{'solving':>9}")
    searching, solving = [], []
    for kind in BEYOND:
        game = kind()
        state = LARGER.get(kind.__name__, game.initial())
        slow, nodes = measured(game, state, "never", solve=False)
        fast, same = measured(game, state, "auto", solve=False)
        slow_solving, _ = measured(game, state, "never", solve=True)
        fast_solving, _ = measured(game, state, "auto", solve=True)
        assert nodes == same, "the two searches differ"
        searching.append(slow / fast)
        solving.append(slow_solving / fast_solving)
        print(
            f"{kind.__name__:22}{nodes:7}{slow * 1000:9.1f} ms{fast * 1000:9.1f} ms"
            f"{searching[-1]:8.2f}{solving[-1]:9.2f}",
            flush=True,
        )
    print(f"median of {len(searching)}: {median(searching):.2f} searching, {median(solving):.2f} solving")
    return 0


def measured(game: Any, state: Any, mode: str, *, solve: bool) -> tuple[float, int]:
    """The least processor time of three engines for a question, and the nodes it took."""
    times = []
    for _ in range(3):
        engine = Engine(game, compile=mode, table_mb=16)
        assert not engine.compiled
        began = process_time()
        answer = (engine.solve if solve else engine.search)(state, nodes=NODES)
        times.append(process_time() - began)
    return min(times), answer.nodes


if __name__ == "__main__":
    sys.exit(main())
