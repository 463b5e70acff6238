"""The textbook functions against easyAI and OpenSpiel: the same positions, the same answers, the time.

Nodes are counted in a pass of their own. Then the libraries take turns on the clock, and the best of
several rounds stands. The benchmark stops where two libraries give different answers, and where they
should go through the same tree and do not.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
from importlib import import_module
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import with_perfectplay
from with_perfectplay import Shortened

from perfectplay.games import ConnectFour, TicTacToe

# Random positions with X (MAX) to move and no win at once: wins, losses and draws are among them.
START = ("",)
MIDDLE = ("645222431775", "233257365114", "143263631355", "437146126674")
LATE = (
    "75372771541331713214241225",
    "43636222672661321325156771",
    "63663725166326135753777735",
    "12461747475375133766667134",
)
DEPTH = 8  # from the middle
LAST = len(MIDDLE[0]) + DEPTH
LEFT = 42 - len(LATE[0])

MARK, END = "<!-- results: textbook -->", "<!-- end -->"  # around the results in docs/benchmarks.md


class Entry(NamedTuple):
    """A library's way to answer a question about a position."""

    library: str  # the module with_... that calls it
    function: str  # what is called, as the reader knows it
    search: str  # the function of that module
    arguments: tuple[Any, ...] = ()


class Work(NamedTuple):
    """Positions, a question about each of them, and who answers it: first we, then the others."""

    name: str
    game: str
    positions: tuple[str, ...]
    entries: tuple[Entry, ...]
    same_tree: bool = True  # must they all visit the same nodes and find the same move?


class Row(NamedTuple):
    """What an entry took."""

    library: str
    function: str
    nodes: int
    seconds: float
    nodes_per_second: float
    time_to_ours: float  # 2: twice our time


WORKS = (
    Work(
        "tic-tac-toe: outcome",
        "tic-tac-toe",
        START,
        (
            Entry("perfectplay", "alpha_beta_search", "without_table", (TicTacToe(),)),
            Entry("openspiel", "alpha_beta_search", "outcome", (9,)),
        ),
    ),
    Work(
        "tic-tac-toe: outcome, window -1 to 1",
        "tic-tac-toe",
        START,
        (
            Entry("perfectplay", "alpha_beta_search", "without_table", (TicTacToe(), -1, 1)),
            Entry("easyai", "Negamax(win_score=1)", "outcome", (9,)),
        ),
    ),
    Work(
        "tic-tac-toe: outcome, window -1 to 1, with a table",
        "tic-tac-toe",
        START,
        (
            Entry("perfectplay", "sound_alpha_beta", "with_table", (TicTacToe(), -1, 1)),
            Entry("perfectplay", "minimax", "whole_table", (TicTacToe(),)),
            Entry("easyai", "Negamax(win_score=1, tt)", "outcome", (9, True)),
        ),
        same_tree=False,
    ),
    Work(
        f"Connect Four, {DEPTH} moves ahead: outcome",
        "connect-four",
        MIDDLE,
        (
            Entry(
                "perfectplay", "alpha_beta_search", "without_table", (Shortened(score="outcome", last=LAST),)
            ),
            Entry("openspiel", "alpha_beta_search", "outcome", (DEPTH,)),
        ),
    ),
    Work(
        f"Connect Four, {DEPTH} moves ahead: distance",
        "connect-four",
        MIDDLE,
        (
            Entry("perfectplay", "alpha_beta_search", "without_table", (Shortened(last=LAST),)),
            Entry("easyai", "Negamax", "distance", (DEPTH,)),
        ),
    ),
    Work(
        f"Connect Four, {DEPTH} moves ahead: distance, with a table",
        "connect-four",
        MIDDLE,
        (
            Entry("perfectplay", "sound_alpha_beta", "with_table", (ConnectFour(), -inf, inf, DEPTH)),
            Entry("easyai", "Negamax(tt)", "distance", (DEPTH, True)),
        ),
        same_tree=False,
    ),
    Work(
        f"Connect Four, the last {LEFT} moves: outcome",
        "connect-four",
        LATE,
        (
            Entry("perfectplay", "alpha_beta_search", "without_table", (ConnectFour(score="outcome"),)),
            Entry("openspiel", "alpha_beta_search", "outcome", (LEFT,)),
        ),
    ),
    Work(
        f"Connect Four, the last {LEFT} moves: distance",
        "connect-four",
        LATE,
        (
            Entry("perfectplay", "alpha_beta_search", "without_table", (ConnectFour(),)),
            Entry("easyai", "Negamax", "distance", (LEFT,)),
        ),
    ),
    Work(
        f"Connect Four, the last {LEFT} moves: distance, with a table",
        "connect-four",
        LATE,
        (
            Entry("perfectplay", "sound_alpha_beta", "with_table", (ConnectFour(),)),
            Entry("easyai", "Negamax(tt)", "distance", (LEFT, True)),
        ),
        same_tree=False,
    ),
)


class Found(NamedTuple):
    """What an entry says of one position, and the nodes it takes."""

    board: str
    value: float
    move: Any
    nodes: int


class Runner:
    """An entry with the positions in its library's own form, and its best time for all of them."""

    def __init__(self, entry: Entry, work: Work, module: Any) -> None:
        self.library = module.LIBRARY
        self.function = entry.function
        self.game = work.game
        self.module = module
        self.search = getattr(module, entry.search)
        self.arguments = entry.arguments
        numbered = [[int(move) - 1 for move in moves] for moves in work.positions]
        self.positions = [module.position(work.game, actions) for actions in numbered]
        self.nodes = 0
        self.seconds = inf

    def look(self, number: int) -> Found:
        """The answer for one of the positions, with the nodes counted."""
        position = self.positions[number]
        board = self.module.board(self.game, position)
        value, move = self.search(position, *self.arguments)
        nodes = self.module.nodes(self.search, position, *self.arguments)
        self.nodes += nodes
        return Found(board, value, move, nodes)

    def clock(self) -> None:
        """Time the search on all the positions, undisturbed by garbage collection."""
        gc.collect()
        gc.disable()
        start = perf_counter()
        for position in self.positions:
            self.search(position, *self.arguments)
        self.seconds = min(self.seconds, perf_counter() - start)
        gc.enable()


def load_libraries() -> dict[str, Any]:
    """The modules that call the libraries; a peer that cannot be imported is left out."""
    libraries = {"perfectplay": with_perfectplay}
    for name in ("easyai", "openspiel"):
        try:
            libraries[name] = import_module(f"with_{name}")
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return libraries


def measure(work: Work, libraries: dict[str, Any], rounds: int) -> list[Row]:
    """What each entry takes, once all of them agree."""
    runners = [Runner(e, work, libraries[e.library]) for e in work.entries if e.library in libraries]
    for number, moves in enumerate(work.positions):
        check_agreement(work, moves, {f"{r.library} {r.function}": r.look(number) for r in runners})
    for _ in range(rounds):
        for runner in runners:
            runner.clock()
    ours = runners[0].seconds
    return [
        Row(r.library, r.function, r.nodes, r.seconds, r.nodes / r.seconds, r.seconds / ours) for r in runners
    ]


def check_agreement(work: Work, moves: str, found: dict[str, Found]) -> None:
    """Stop the benchmark where it would compare different work."""
    for what in Found._fields if work.same_tree else ("board", "value"):
        said = {name: getattr(of_one, what) for name, of_one in found.items()}
        if len(set(said.values())) > 1:
            who = "; ".join(f"{name}: {value}" for name, value in said.items())
            sys.exit(f"{work.name}, after {moves or 'no moves'}: not the same {what}. {who}")


def described(libraries: dict[str, Any]) -> dict[str, Any]:
    """Where the figures come from."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "libraries": [module.LIBRARY for module in libraries.values()],
    }


def cells(row: Row) -> tuple[str, ...]:
    """The figures as people read them."""
    return (
        f"{row.nodes:,}",
        f"{row.seconds:.3f}",
        f"{row.nodes_per_second:,.0f}",
        f"{row.time_to_ours:.2f}",
    )


def print_rows(rows: list[Row]) -> None:
    """The results as they are shown on a terminal."""
    for row in rows:
        nodes, seconds, speed, ratio = cells(row)
        print(f"  {row.library:18} {row.function:25} {nodes:>10} {seconds:>9} {speed:>10} {ratio:>11}")


def markdown(results: dict[str, list[Row]], where: str) -> str:
    """The results as docs/benchmarks.md shows them."""
    lines = [
        where,
        "",
        "| work | library | function | nodes | seconds | nodes/s | time / ours |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    for name, rows in results.items():
        for row in rows:
            work = name if row is rows[0] else ""
            lines.append(f"| {work} | {row.library} | `{row.function}` | {' | '.join(cells(row))} |")
    return "\n".join(lines)


def replace_results(page: Path, text: str) -> None:
    """Put the results between the marks of the page."""
    before, rest = page.read_text(encoding="utf-8").split(MARK, 1)
    _, after = rest.split(END, 1)
    page.write_text(f"{before}{MARK}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="times that each search is run (default 9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="put the results into this page")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("give 1 round or more.")

    libraries = load_libraries()
    machine = described(libraries)
    where = "{python}, {system}, {cpus} CPUs".format(**machine)
    print(f"{where}; {', '.join(machine['libraries'])}; best of {arguments.rounds}")
    print(
        f"  {'library':18} {'function':25} {'nodes':>10} {'seconds':>9} {'nodes/s':>10} {'time / ours':>11}"
    )
    results = {}
    for work in WORKS:
        print(work.name, flush=True)
        results[work.name] = measure(work, libraries, arguments.rounds)
        print_rows(results[work.name])

    if arguments.json:
        works = [
            {
                "work": work.name,
                "game": work.game,
                "positions": work.positions,
                "rows": [row._asdict() for row in results[work.name]],
            }
            for work in WORKS
        ]
        arguments.json.write_text(json.dumps({**machine, "works": works}, indent=2) + "\n")
    if arguments.docs:
        replace_results(arguments.docs, markdown(results, f"{where}, best of {arguments.rounds}."))


if __name__ == "__main__":
    main()
