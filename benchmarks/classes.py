"""Classes as people write them: which are compiled, whether the answers are right, and how much is gained.

    python3 dev.py bench classes                 all of tests/corpus, and how long a first answer takes
    python3 dev.py bench classes --first         how long a first answer takes, and nothing else
    python3 dev.py bench classes FILE.py ...     the games of these files instead
    python3 dev.py bench classes --json OUT      the rows as data, too

Each class runs in a process of its own, with an empty cache. An answer is right if a search of depth 1 to 5
is worth what plain minimax of that depth says, and a game that can be walked through whole what minimax of
the whole says. A speed is the nodes a second of the whole engine, compiled over interpreted, on the same
questions in one run. A first answer is of a search of two plies: the processor's time from the start of
Python on, once with nothing kept, and once with what the first has kept. Let nothing else run on the machine
meanwhile.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
SECONDS = 120  # for one class
LARGEST = 100_000  # states of a game that is walked through whole
MOST = 1.5  # seconds that a first answer should take
LONG = 0.5  # seconds of a search after which its speed is known

ANSWER = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("own", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["own"] = module
spec.loader.exec_module(module)
game = getattr(module, sys.argv[2])()
from perfectplay import Engine
engine = Engine(game, table_mb=16)
engine.search(game.initial(), depth=2)
"""


def main() -> int:
    """Print a row for every class, and what they come to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files with games of their own")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the rows to this file")
    parser.add_argument("--first", action="store_true", help="measure first answers only")
    parser.add_argument("--one", nargs=2, metavar=("FILE", "CLASS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured(Path(arguments.one[0]), arguments.one[1])))
        return 0
    rows = []
    for path in arguments.files or sorted(CORPUS.glob("*.py")):
        for name in listed(path):
            measure = first_answers if arguments.first else in_a_process
            rows.append(row := {"file": path.name, "class": name} | measure(path, name))
            print(told(row), flush=True)
    print("\n" + (summary_of_first(rows) if arguments.first else summary(rows)))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    return 0


def listed(path: Path) -> list[str]:
    """The classes of games in a file."""
    from perfectplay import Game

    spec = importlib.util.spec_from_file_location("own", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["own"] = module
    spec.loader.exec_module(module)
    return [
        name
        for name, one in vars(module).items()
        if inspect.isclass(one) and issubclass(one, Game) and one.__module__ == "own"
        if not inspect.isabstract(one)
    ]


def in_a_process(path: Path, name: str) -> dict[str, Any]:
    """What is measured of one class, and how long its first answer takes in two new processes."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"PERFECTPLAY_CACHE": cache}
        command = [sys.executable, __file__, "--one", str(path), name]
        pipes: dict[str, Any] = {"capture_output": True, "text": True, "env": environment, "check": False}
        first = first_answers_with(path, name, environment)
        try:
            done = subprocess.run(command, timeout=SECONDS, **pipes)
        except subprocess.TimeoutExpired:
            return {"failed": f"not done in {SECONDS} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1][:100]}
    return json.loads(done.stdout.splitlines()[-1]) | first


def first_answers(path: Path, name: str) -> dict[str, Any]:
    """The same of a class that is asked nothing else."""
    with tempfile.TemporaryDirectory() as cache:
        return first_answers_with(path, name, os.environ | {"PERFECTPLAY_CACHE": cache})


def first_answers_with(path: Path, name: str, environment: dict[str, str]) -> dict[str, Any]:
    """How long first answers take in two new processes, the second of which finds what the first has kept."""
    return {what: answered(path, name, environment) for what in ("first", "cached")}


def answered(path: Path, name: str, environment: dict[str, str]) -> float:
    """Seconds of a processor from the start of Python to the first answer."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-c", ANSWER, str(path), name],
        env=environment,
        check=False,
        capture_output=True,
        timeout=SECONDS,
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measured(path: Path, name: str) -> dict[str, Any]:
    """One class: is it compiled, are its values right, and how many times faster is it?"""
    from perfectplay import Engine

    assert name in listed(path)
    game = getattr(sys.modules["own"], name)()
    start = game.initial()
    engine = Engine(game, table_mb=64)
    row: dict[str, Any] = {"compiled": engine.compiled, "why_not": engine.why_not}
    root = game.to_move(start)
    right = True
    for depth in range(1, 6):
        began = perf_counter()
        right &= near(engine.search(start, depth=depth).value, minimax(game, start, depth, root))
        if perf_counter() - began > 3:
            break
    worth = whole(game, start)
    if worth is not None:
        right &= near(engine.solve(start).value, worth if root == 0 else -worth)
    row |= {"right": right, "whole": worth is not None}
    speeds = [speed(game, start, mode) for mode in ("auto", "never")]
    return row | {"times": speeds[0] / speeds[1], "nodes": speeds[0]}


def speed(game: Any, start: Any, mode: str) -> float:
    """Nodes a second, of the fastest of ever deeper searches."""
    from perfectplay import Engine

    engine = Engine(game, table_mb=64, compile=mode)
    engine.search(start, depth=1)
    best = 0.0
    for depth in range(2, 60):
        engine.forget()
        answer = engine.search(start, depth=depth, seconds=3)
        best = max(best, answer.nodes / max(answer.seconds, 1e-9))
        if answer.seconds > LONG or answer.exact:
            break
    return best


def minimax(game: Any, state: Any, depth: int, root: int) -> float:
    """Plain minimax to a depth, to one of the sides."""
    if game.is_terminal(state):
        return float(game.utility(state, root))
    if depth == 0:
        return float(game.evaluate(state, root))
    values = [minimax(game, game.result(state, action), depth - 1, root) for action in game.actions(state)]
    return max(values) if (game.to_move(state) == 0) == (root == 0) else min(values)


def whole(game: Any, start: Any) -> float | None:
    """The value to MAX of a game that ends and is small enough, or None."""
    values: dict[Any, float] = {}
    path: set[Any] = set()
    stack: list[tuple[Any, list[Any] | None]] = [(start, None)]
    while stack:
        state, children = stack.pop()
        if children is not None:
            path.discard(state)
            found = [values[child] for child in children]
            values[state] = max(found) if game.to_move(state) == 0 else min(found)
        elif state in path or len(values) + len(path) > LARGEST:
            return None
        elif game.is_terminal(state):
            values[state] = float(game.utility(state, 0))
        elif state not in values:
            path.add(state)
            children = [game.result(state, action) for action in game.actions(state)]
            stack.append((state, children))
            stack.extend((child, None) for child in children)
    return values[start]


def near(one: float, other: float) -> bool:
    """Equal, as far as numbers of single precision can be."""
    return abs(one - other) <= 1e-6 * max(1.0, abs(other))


def told(row: dict[str, Any]) -> str:
    """A row in words."""
    if "failed" in row:
        return f"{row['file']:24} {row['class']:18} {row['failed']}"
    if "compiled" not in row:
        return f"{row['file']:24} {row['class']:18} first {row['first']:.2f} s, then {row['cached']:.2f} s"
    how = "compiled" if row["compiled"] else f"interpreted: {row['why_not']}"[:70]
    answer = "right" if row["right"] else "WRONG"
    times = f"{row['times']:8.1f} times  first {row['first']:.2f} s, then {row['cached']:.2f} s"
    return f"{row['file']:24} {row['class']:18} {answer} {times}  {how}"


def summary(rows: list[dict[str, Any]]) -> str:
    """What all of them come to."""
    right = [row for row in rows if row.get("right")]
    compiled = [row for row in right if row["compiled"]]
    lines = [f"{len(rows)} classes: {len(right)} right, {len(compiled)} of them compiled"]
    for title, some in (
        ("compiled", compiled),
        ("not compiled", [row for row in right if not row["compiled"]]),
    ):
        if some:
            times = sorted(row["times"] for row in some)
            firsts, later = ([row[name] for row in some] for name in ("first", "cached"))
            lines += [
                f"{title}: {times[0]:.1f} to {times[-1]:.1f} times as fast as interpreted, "
                f"median {median(times):.1f}",
                f"{title}: a first answer after {median(firsts):.2f} s (at most {max(firsts):.2f}), "
                f"from the cache after {median(later):.2f} s (at most {max(later):.2f})",
            ]
    return "\n".join(lines)


def summary_of_first(rows: list[dict[str, Any]]) -> str:
    """What first answers come to."""
    firsts, later = ([row[name] for row in rows] for name in ("first", "cached"))
    slow = sum(seconds > MOST for seconds in firsts)
    return (
        f"{len(rows)} classes: a first answer after {median(firsts):.2f} s (at most {max(firsts):.2f}, "
        f"{slow} of more than {MOST}), from the cache after {median(later):.2f} s (at most {max(later):.2f})"
    )


if __name__ == "__main__":
    sys.exit(main())
