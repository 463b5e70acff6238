"""The speed of the engine beside that of another commit: the same nodes, and in which time?

    python3 dev.py bench before DIRECTORY [PYTHON]

DIRECTORY is the root of a checkout of that commit, PYTHON an interpreter that has what it needs, if this one
has not. Both are measured in turns, each in a process of its own, by processor time, the best of many: other
work on the machine changes little. `first` is a search with a table that was never used, `again` one with a
table that was emptied, `kept` one that finds there what it found before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parent.parent
ROUNDS = 3  # processes of each
REPEATED = 15  # times in each
WORKS = {"connect-four": 12, "kalah": 12, "othello": 8}  # plies


def main() -> int:
    """Print a line for every game and every way to begin."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measured(sys.argv[2], int(sys.argv[3]))))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("directory", type=Path, help="the root of a checkout of another commit")
    parser.add_argument("python", nargs="?", default=sys.executable, help="what runs it")
    given = parser.parse_args()
    source = given.directory / "src"
    if not (source / "perfectplay").is_dir():
        parser.error(
            f"{given.directory} is no checkout of perfectplay: give the directory that has src in it."
        )
    for name, depth in WORKS.items():
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(in_a_process(sys.executable, ROOT / "src", name, depth))
            theirs.append(in_a_process(given.python, source, name, depth))
        nodes = {each["nodes"] for each in (*ours, *theirs)}
        print(f"{name}, depth {depth}: {', '.join(f'{count:,}' for count in nodes)} nodes")
        for way in ("first", "again", "kept"):
            now, before = (min(each[way] for each in them) for them in (ours, theirs))
            print(
                f"  {way:6} {now * 1e3:7.2f} ms, {before * 1e3:7.2f} ms before: {now / before:.2f}",
                flush=True,
            )
    return 0


def in_a_process(python: str, source: Path, name: str, depth: int) -> dict[str, Any]:
    """What a tree measures of itself."""
    command = [python, __file__, "--one", name, str(depth)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(source)}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{source} cannot be measured: {(done.stderr.splitlines() or ['no word'])[-1]}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def measured(name: str, depth: int) -> dict[str, Any]:
    """Nodes and seconds of one search."""
    from perfectplay import load_game
    from perfectplay.engine import Engine

    game = load_game(name)
    start = game.initial()

    def seconds(engine: Any) -> float:
        began = process_time()
        engine.search(start, depth=depth)
        return process_time() - began

    Engine(game, compile="always").search(start, depth=2)
    first = min(seconds(Engine(game, compile="always")) for _ in range(REPEATED))
    engine = Engine(game, compile="always")
    nodes = engine.search(start, depth=depth).nodes
    again = []
    for _ in range(REPEATED):
        engine.forget()
        again.append(seconds(engine))
    kept = min(seconds(engine) for _ in range(REPEATED))
    return {"nodes": nodes, "first": first, "again": min(again), "kept": kept}


if __name__ == "__main__":
    sys.exit(main())
