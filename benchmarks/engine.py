"""The speed of the engine: every figure of docs/engine.md, from one command.

    python3 dev.py bench engine              all of it, in about five minutes
    python3 dev.py bench engine perft peer   some parts: perft, bare, peer, empty, start, ideas, question

A ratio is of two measurements in the same run. Let nothing else run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter, process_time
from typing import Any

from plain_connect_four import PlainConnectFour

from perfectplay import Game
from perfectplay.engine import Engine
from perfectplay.engine.perft import compiled_perft, perft
from perfectplay.engine.workspace import EVERYTHING, LOOKING
from perfectplay.games import ConnectFour, Kalah, Othello

POSITIONS = 100
SEED = 1


def main() -> int:
    """Print the parts that are asked for."""
    parts = {
        "perft": perft_of_a_plain_class,
        "bare": an_engine_without_hooks,
        "peer": beside_bitbully,
        "empty": the_empty_board,
        "start": compiling_and_starting,
        "ideas": what_each_idea_buys,
        "question": what_a_question_costs,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    chosen = parser.parse_args().parts or list(parts)
    for name in chosen:
        if name not in parts:
            parser.error(f"there is no part {name!r}: give one of {', '.join(parts)}.")
    for name in chosen:
        print(f"\n{(parts[name].__doc__ or '').splitlines()[0]}\n", flush=True)
        for line in parts[name]():
            print(f"  {line}", flush=True)
    return 0


def perft_of_a_plain_class() -> Iterator[str]:
    """Perft: leaves a second, compiled and interpreted."""
    works: list[tuple[Game[Any, Any], int, int]] = [
        (PlainConnectFour(), 10, 7),
        (ConnectFour(), 10, 7),
        (Othello(), 9, 6),
        (Kalah(), 11, 7),
    ]
    for game, deep, shallow in works:
        start = game.initial()
        compiled_perft(game, start, 1)
        fast = max(_rate(lambda g=game, s=start, d=deep: compiled_perft(g, s, d)) for _ in range(3))
        slow = max(_rate(lambda g=game, s=start, d=shallow: perft(g, s, d)) for _ in range(3))
        name = type(game).__name__
        yield f"{name:18} {fast / 1e6:7.1f} M/s  {slow / 1e6:7.3f} M/s  {fast / slow:5.0f} times"


def an_engine_without_hooks() -> Iterator[str]:
    """The whole engine on a class with no hooks at all: nodes a second, compiled and interpreted."""
    game = PlainConnectFour()
    start = game.initial()
    rates = []
    for mode, depth in (("always", 14), ("never", 9)):
        best = 0.0
        for _ in range(3):
            engine = Engine(game, compile=mode)
            began = process_time()
            answer = engine.search(start, depth=depth)
            best = max(best, answer.nodes / (process_time() - began))
        rates.append(best)
        yield f"compile={mode:7} depth {depth:2}  {answer.nodes:10,} nodes  {best:12,.0f} a second"
    yield f"{rates[0] / rates[1]:.0f} times"


def beside_bitbully() -> Iterator[str]:
    """Connect Four, 100 random positions each, exact scores, one thread, beside BitBully's mtdf."""
    game = ConnectFour()
    engine = Engine(game, table_mb=64)
    try:
        import bitbully
    except ImportError:
        bitbully = None
        yield "bitbully cannot be imported here: ours alone"
    for plies in (12, 10):
        positions = random_positions(game, plies)
        engine.forget()
        began = perf_counter()
        answers = [engine.solve(state, line=False) for _, state in positions]
        ours = perf_counter() - began
        nodes = sum(answer.nodes for answer in answers)
        yield f"{plies} stones  perfectplay  {ours:6.2f} s  {nodes / 1e6:7.2f} M nodes"
        if bitbully is None:
            continue
        peer = bitbully.BitBully(opening_book=None)
        began = perf_counter()
        scores = [peer.mtdf(bitbully.Board(moves)) for moves, _ in positions]
        theirs = perf_counter() - began
        visited = peer.get_node_counter()
        assert scores == [answer.value for answer in answers], "the scores differ"
        yield f"{plies} stones  BitBully     {theirs:6.2f} s  {visited / 1e6:7.2f} M nodes   same scores"
        yield f"{plies} stones  ours / theirs {ours / theirs:.2f}"


def the_empty_board() -> Iterator[str]:
    """The empty 7x6 board, exact, with a table of 1 GB."""
    game = ConnectFour()
    times = []
    for threads in (1, 2):
        engine = Engine(game, table_mb=1024, threads=threads)
        answer = engine.solve(game.initial(), line=False)
        assert (answer.value, answer.exact) == (1, True)
        times.append(answer.seconds)
        yield f"{threads} threads  {answer.seconds:6.1f} s  {answer.nodes / 1e6:6.1f} M nodes"
        del engine
    yield f"two threads over one: {times[0] / times[1]:.2f} times"


def compiling_and_starting() -> Iterator[str]:
    """From nothing to an answer, in a process of its own."""
    program = (
        "from time import perf_counter; began = perf_counter()\n"
        "from perfectplay import load_game\n"
        "from perfectplay.engine import Engine\n"
        "game = load_game({name!r}); engine = Engine(game, compile='always')\n"
        "answer = engine.search(game.initial(), depth=9)\n"
        "print(perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as cache:
        for name in ("tic-tac-toe", "connect-four", "othello", "kalah"):
            for what in ("first time", "from the cache", "from the cache"):
                began = perf_counter()
                done = subprocess.run(
                    [sys.executable, "-c", program.format(name=name)],
                    env=os.environ | {"NUMBA_CACHE_DIR": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                whole = perf_counter() - began
                yield f"{name:14} {what:15} {float(done.stdout):5.2f} s, with Python itself {whole:5.2f} s"


class WithoutBounds(ConnectFour):
    """Nothing is proven but the end."""

    def bounds(self, state: Any, player: int) -> Any:
        return -100, 100


class WithoutOrder(ConnectFour):
    """Columns from left to right, by history and killers."""

    def order(self, state: Any, action: int) -> float:
        return 0.0


class MiddleFirst(ConnectFour):
    """Columns from the middle."""

    def order(self, state: Any, action: int) -> float:
        return -abs(2.0 * action - self.cols + 1)


class WithoutCandidates(ConnectFour):
    """Every legal move."""

    def candidates(self, state: Any) -> Any:
        return self.actions(state)


class WithoutCanonical(ConnectFour):
    """No symmetry."""

    def canonical(self, state: Any) -> Any:
        return state


class WithoutKey(ConnectFour):
    """A digest for a key, so that whole states are stored."""

    key = Game.key


def what_each_idea_buys() -> Iterator[str]:
    """What each idea buys: 20 positions of 12 stones, exact, one thread, 64 MB."""
    games: list[ConnectFour] = [
        ConnectFour(),
        WithoutBounds(),
        WithoutOrder(),
        MiddleFirst(),
        WithoutCandidates(),
        WithoutCanonical(),
        WithoutKey(),
    ]
    positions = random_positions(ConnectFour(), 12)[:20]
    for game in games:
        yield _idea(type(game).__name__, game, positions, EVERYTHING, "mtdf")
    yield _idea("replies not looked at", ConnectFour(), positions, EVERYTHING & ~LOOKING, "mtdf")
    yield _idea("by bisection", ConnectFour(), positions, EVERYTHING, "bisection")


def what_a_question_costs() -> Iterator[str]:
    """Questions of a few nodes, one engine, another end of Connect Four each time: processor time of one."""
    game = ConnectFour()
    engine = Engine(game, compile="always")
    questions: dict[str, Callable[[Any], Any]] = {
        "solve": engine.solve,
        "solve, no line": lambda state: engine.solve(state, line=False),
        "search, depth 2": lambda state: engine.search(state, depth=2),
    }
    for plies in (25, 30):
        positions = random_positions(game, plies)
        for name, ask in questions.items():
            times, nodes = [], 0
            for _ in range(5):
                engine.forget()
                ask(positions[0][1])
                began = process_time()
                nodes = sum(ask(state).nodes for _, state in positions[1:])
                times.append((process_time() - began) / (POSITIONS - 1))
            each = nodes / (POSITIONS - 1)
            yield f"{plies} stones  {name:16} {each:6.1f} nodes  {1e3 * min(times):6.3f} ms"


def _idea(name: str, game: ConnectFour, positions: list[Any], flags: int, driver: str) -> str:
    engine = Engine(game, table_mb=64)
    engine._flags = flags
    began = process_time()
    nodes = sum(engine.solve(state, line=False, driver=driver).nodes for _, state in positions)
    return f"{name:22} {nodes:12,} nodes  {process_time() - began:6.2f} s"


def random_positions(game: ConnectFour, plies: int) -> list[tuple[list[int], Any]]:
    """Random positions, all different, that the next stone does not decide."""
    random = Random(SEED)
    found: dict[Any, list[int]] = {}
    while len(found) < POSITIONS:
        state, moves = game.initial(), []
        while len(moves) < plies and not game.is_terminal(state):
            moves.append(random.choice(list(game.actions(state))))
            state = game.result(state, moves[-1])
        if not game.is_terminal(state) and not any(
            game.is_terminal(game.result(state, action)) for action in game.actions(state)
        ):
            found.setdefault(state, moves)
    return [(moves, state) for state, moves in found.items()]


def _rate(count: Callable[[], int]) -> float:
    began = process_time()
    counted = count()
    return counted / (process_time() - began)


if __name__ == "__main__":
    sys.exit(main())
