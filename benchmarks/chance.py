"""How fast dice and playouts are: compiled beside interpreted, beside OpenSpiel, and against alpha-beta.

python3 dev.py bench chance [--games N] [--seconds S] [--contests]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from plain_connect_four import PlainConnectFour

from perfectplay import Engine, Game, load_game
from perfectplay.arena import Standing, contest, find_openings
from perfectplay.play import EnginePlayer
from perfectplay.tablebase import ExpectationTable, build_tablebase

DICE = {  # and how deep to search
    "bear-off:mine=6+5+4,theirs=6+5+4": 9,
    "einstein-wuerfelt-nicht": 7,
    "royal-game-of-ur": 9,
    "pig": 12,
}
ROUNDS = 3
PLAYOUTS = 100_000
FEW_PLAYOUTS = 2_000  # for Python
CONTESTS: dict[str, Game[Any, Any]] = {
    "connect-four": load_game("connect-four"),
    "connect-four without evaluate": PlainConnectFour(),
    "breakthrough:rows=5,cols=5": load_game("breakthrough:rows=5,cols=5"),
    "othello:size=6": load_game("othello:size=6"),
    "einstein-wuerfelt-nicht": load_game("einstein-wuerfelt-nicht"),
}


def main() -> None:
    """Everything, one after the other."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=20, help="of each contest")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a move")
    parser.add_argument("--contests", action="store_true", help="and nothing else")
    arguments = parser.parse_args()
    if not arguments.contests:
        expectiminimax()
        playouts()
        pig()
    contests(arguments.games, arguments.seconds)


def seconds_of(engine: Engine, state: Any, **limits: Any) -> tuple[float, int]:
    """Processor time, with an empty table, in the middle of some rounds; and nodes."""
    times, nodes = [], 0
    for _ in range(ROUNDS):
        engine.forget()
        began = process_time()
        nodes = engine.search(state, **limits).nodes
        times.append(process_time() - began)
    return median(times), nodes


def expectiminimax() -> None:
    """Nodes a second of classes with dice, compiled over interpreted."""
    print("expectiminimax, one thread, the same nodes both ways")
    for name, depth in DICE.items():
        game = load_game(name)
        state = game.initial()
        compiled, interpreted = (Engine(game, table_mb=4, compile=mode) for mode in ("always", "never"))
        compiled.search(state, depth=2)
        fast, nodes = seconds_of(compiled, state, depth=depth)
        slow, same = seconds_of(interpreted, state, depth=depth)
        assert nodes == same
        print(
            f"  {name:34} depth {depth:2}  {nodes:9,} nodes  {nodes / fast:12,.0f}/s  "
            f"{nodes / slow:9,.0f}/s  {slow / fast:6.0f} times"
        )


def playouts() -> None:
    """Playouts a second of Connect Four as anyone would write it."""
    print("playouts on Connect Four, a plain class, from the empty board, one thread")
    game: Game[Any, Any] = PlainConnectFour()
    state = game.initial()
    compiled, interpreted = (Engine(game, method="mcts", compile=mode) for mode in ("always", "never"))
    compiled.search(state, nodes=1000)
    fast = PLAYOUTS / seconds_of(compiled, state, nodes=PLAYOUTS)[0]
    slow = FEW_PLAYOUTS / seconds_of(interpreted, state, nodes=FEW_PLAYOUTS)[0]
    print(f"  compiled {fast:,.0f}/s, interpreted {slow:,.0f}/s: {fast / slow:.0f} times")
    try:
        import pyspiel
    except ImportError:
        print("  OpenSpiel is not here")
        return
    theirs = pyspiel.load_game("connect_four")
    rates = []
    for _ in range(ROUNDS):
        evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
        bot = pyspiel.MCTSBot(theirs, evaluator, 2.0, PLAYOUTS, 1000, False, 42, False)
        began = process_time()
        bot.mcts_search(theirs.new_initial_state())
        rates.append(PLAYOUTS / (process_time() - began))
    rate = median(rates)
    print(f"  OpenSpiel's MCTSBot, C++: {rate:,.0f}/s: ours is {fast / rate:.1f} times that")


def pig() -> None:
    """Pig to 100, solved as a table, from nothing."""
    game = load_game("pig")
    build_tablebase(load_game("pig:goal=9"), Path(TemporaryDirectory().name))  # the compiler, loaded
    with TemporaryDirectory() as directory:
        began, spent = perf_counter(), process_time()
        build_tablebase(game, Path(directory) / "pig")
        seconds, spent = perf_counter() - began, process_time() - spent
        table = ExpectationTable(Path(directory) / "pig", game)
        share = (table.probe(game.initial()).value + 1) / 2
        print(
            f"Pig to 100: {len(table):,} positions in {seconds:.1f} s ({spent:.1f} s of the processor); the "
            f"first player wins {share:.7f}, with an error below {table.error:.1e}"
        )


def contests(games: int, seconds: float) -> None:
    """UCT against alpha-beta (with dice, expectiminimax), the same time for a move."""
    print(f"mcts against the default method, {seconds:g} s a move, {games} games each")
    for name, game in CONTESTS.items():
        players = EnginePlayer(seconds, method="mcts"), EnginePlayer(seconds)
        openings = find_openings(game, games // 2, None, 1)
        pairs = [(one.score, other.score) for one, other in contest(game, players, openings)]
        standing = Standing(tuple(pairs))
        lower, upper = standing.limits
        won, drawn, lost = standing.tally
        print(
            f"  {name:30} {won} won, {drawn} drawn, {lost} lost: {100 * standing.score:.0f} % "
            f"({100 * lower:.0f} to {100 * upper:.0f})",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
