"""The Nim of the README, as it stands, searched by the engine: interpreted, and compiled.

Both modes run the same search and visit the same states; only the second is machine code.
"""

from __future__ import annotations

import sys
from pathlib import Path

from perfectplay.engine import Engine

sys.path.insert(0, str(Path(__file__).parent))

from my_nim import Nim


def main() -> None:
    """Solve it both ways, and compare."""
    game = Nim((9, 8, 7, 6))
    speeds = []
    for mode in "never", "always":
        engine = Engine(game, compile=mode, table_mb=1)
        answer = engine.solve(game.initial(), line=False)
        speeds.append(answer.speed)
        name = "compiled" if engine.compiled else "interpreted"
        print(f"{name:12} value {answer.value}, {answer.nodes:,} nodes, {answer.speed:,.0f} a second")
    print(f"{speeds[1] / speeds[0]:.0f} times as fast, by adding nothing")


if __name__ == "__main__":
    main()
