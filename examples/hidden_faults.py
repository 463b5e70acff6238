"""Show how well the fault of the course's alpha-beta hides: python examples/hidden_faults.py.

Counts how often the course's alpha-beta, and ways people change it, are wrong: on every position of
tic-tac-toe and of the course's own boards, on random games, and in the moves that a program plays by
the table. Every search of a root starts with an empty table. `--only NAME` prints one of the tables:
tic-tac-toe, boards, random (with `--games N` of each kind) or orders.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import inf
from random import Random
from typing import Any, NamedTuple

from perfectplay import MAX, MIN, Game
from perfectplay.games import ConnectFour, ExplicitTree, TicTacToe
from perfectplay.textbook import Counted, Interval, MinimaxInfo, alpha_beta, minimax, sound_alpha_beta

Table = dict[Any, Any]  # from a state to what a search keeps of it
Search = Callable[[Game[Any, Any], Any, Table], float]
Truth = Mapping[Any, MinimaxInfo[Any]]  # from every state to its value, by minimax

BOARDS = [(3, 3, 3), (3, 4, 3), (4, 3, 3), (4, 4, 3), (5, 3, 3), (3, 4, 4)]  # rows, columns, n in a row


def alpha_beta_changed(
    game: Game[Any, Any],
    state: Any,
    table: Table,
    alpha: float = -inf,
    beta: float = inf,
    *,
    keeps_pruned: bool = False,
    prunes_on_equality: bool = True,
) -> float:
    """The course's alpha-beta, but for what the two flags say; as they stand it is the same."""
    if state in table:
        return table[state].value
    if game.is_terminal(state):
        table[state] = MinimaxInfo(game.utility(state, MAX), None)
        return table[state].value
    maximizes = game.to_move(state) == MAX
    best, best_move = (-inf if maximizes else inf), None
    for a in game.actions(state):
        value_of_child = alpha_beta_changed(
            game,
            game.result(state, a),
            table,
            alpha,
            beta,
            keeps_pruned=keeps_pruned,
            prunes_on_equality=prunes_on_equality,
        )
        if (value_of_child > best) if maximizes else (value_of_child < best):
            best, best_move = value_of_child, a
        outside = best > beta if maximizes else best < alpha
        if outside or (prunes_on_equality and best == (beta if maximizes else alpha)):
            if keeps_pruned:
                table[state] = MinimaxInfo(best, best_move)
            return best
        alpha, beta = (max(alpha, best), beta) if maximizes else (alpha, min(beta, best))
    table[state] = MinimaxInfo(best, best_move)
    return best


SEARCHES: dict[str, Search] = {
    "as printed": alpha_beta,
    "keeps pruned states too": partial(alpha_beta_changed, keeps_pruned=True),
    "prunes beyond the window only": partial(alpha_beta_changed, prunes_on_equality=False),
    "sound_alpha_beta": sound_alpha_beta,
}


def values_of(game: Game[Any, Any]) -> Truth:
    """The value of every state that can be reached, by minimax."""
    table: Table = {}
    minimax(game, game.initial(), table)
    return table


def wrong_roots(search: Search, game: Game[Any, Any], truth: Truth) -> list[Any]:
    """The states to which a search that starts there gives a wrong value."""
    return [state for state in truth if search(game, state, {}) != truth[state].value]


class Kept(NamedTuple):
    """What a search leaves in its table."""

    entries: int
    wrong: int  # of these, with a wrong value, or limits that leave the value out
    bad_actions: int  # of these, with an action that gives away part of the value


def kept(search: Search, game: Game[Any, Any], truth: Truth) -> Kept:
    """What a search from the start of the game leaves in its table."""
    table: Table = {}
    search(game, game.initial(), table)
    wrong = bad_actions = 0
    for state, entry in table.items():
        limits = (entry.lower, entry.upper) if isinstance(entry, Interval) else (entry.value, entry.value)
        wrong += not limits[0] <= truth[state].value <= limits[1]
        if limits[0] == limits[1] and entry.action is not None:  # a bound does not claim to have a best move
            bad_actions += truth[game.result(state, entry.action)].value != truth[state].value
    return Kept(len(table), wrong, bad_actions)


class Blunder(NamedTuple):
    """A move that turns a win into a draw or a loss, or a draw into a loss."""

    state: Any
    entry: MinimaxInfo[Any]


def blunders(game: Game[Any, Any], player: int, truth: Truth) -> Iterator[Blunder]:
    """Those of a program that plays by the table of `alpha_beta`, whatever its opponent plays.

    It searches from the start of the game, and from a position that its table does not have anew.
    """
    first_table: Table = {}
    alpha_beta(game, game.initial(), first_table)
    sign = 1 if player == MAX else -1
    waiting = [game.initial()]
    met = set(waiting)
    for state in waiting:
        if game.is_terminal(state):
            continue
        actions = list(game.actions(state))
        if game.to_move(state) == player:
            table: Table = first_table if state in first_table else {}
            alpha_beta(game, state, table)
            entry = table[state]
            actions = [entry.action]
            before, after = truth[state].value, truth[game.result(state, entry.action)].value
            if outcome(sign * after) < outcome(sign * before):
                yield Blunder(state, entry)
        for action in actions:
            successor = game.result(state, action)
            if successor not in met:
                met.add(successor)
                waiting.append(successor)


def outcome(worth: float) -> int:
    """A win, a draw or a loss: 1, 0, -1."""
    return (worth > 0) - (worth < 0)


class Kind(NamedTuple):
    """A kind of random game: layers of states, each with moves to some states of the next layer."""

    layers: int
    states: int  # in a layer; the first has the root only
    moves: int  # of a state
    values: int  # so many different utilities
    alternate: bool  # or turns are drawn at random


KINDS = [
    Kind(layers=6, states=6, moves=3, values=10, alternate=True),
    Kind(layers=8, states=8, moves=3, values=3, alternate=True),
    Kind(layers=8, states=8, moves=3, values=1000, alternate=True),
    Kind(layers=8, states=12, moves=4, values=1000, alternate=True),
    Kind(layers=10, states=12, moves=3, values=1000, alternate=True),
    Kind(layers=14, states=12, moves=2, values=1000, alternate=True),
    Kind(layers=14, states=12, moves=2, values=1000, alternate=False),
    Kind(layers=20, states=16, moves=2, values=1000, alternate=True),
    Kind(layers=20, states=16, moves=2, values=1000, alternate=False),
]


def random_dag(kind: Kind, seed: int) -> ExplicitTree:
    """A random game of that kind."""
    random = Random(seed)
    layers = [[(0, 0)], *([(n, i) for i in range(kind.states)] for n in range(1, kind.layers))]
    moves, turns = {}, {}
    for n, layer in enumerate(layers[:-1]):
        for state in layer:
            moves[state] = dict(enumerate(random.sample(layers[n + 1], kind.moves)))
            turns[state] = (MAX, MIN)[n % 2] if kind.alternate else random.choice((MAX, MIN))
    utilities = {state: random.randrange(kind.values) for state in layers[-1]}
    return ExplicitTree(moves, utilities, turns)


def wrong_random_games(search: Search, kind: Kind, games: int) -> int:
    """How many of so many random games a search gives a wrong value."""
    wrong = 0
    for seed in range(games):
        game = random_dag(kind, seed)
        wrong += search(game, game.initial(), {}) != minimax(game, game.initial(), {})
    return wrong


class MiddleFirst(Counted[Any, Any]):
    """Connect Four with the middle columns tried first."""

    def actions(self, state: Any) -> Iterator[Any]:
        """The columns, from the middle outwards."""
        self.loops_begun += 1
        columns = self.game.cols  # type: ignore[attr-defined]
        yield from sorted(self.game.actions(state), key=lambda column: abs(2 * column - columns + 1))
        self.loops_ended += 1


def tic_tac_toe_table() -> Iterator[str]:
    """How many roots, entries and actions are wrong in tic-tac-toe."""
    game = TicTacToe()
    truth = values_of(game)
    yield f"Tic-tac-toe: all {len(truth)} positions as roots, and the table left from the empty board"
    yield ""
    yield f"  {'alpha-beta with a table':30} wrong roots  entries  wrong  bad actions"
    for name, search in SEARCHES.items():
        progress(f"tic-tac-toe, {name}")
        left = kept(search, game, truth)
        wrong = len(wrong_roots(search, game, truth))
        yield f"  {name:30} {wrong:11} {left.entries:8} {left.wrong:6} {left.bad_actions:12}"
    state = game.initial()
    for move in ("c3", "b2", "a2"):
        state = game.result(state, game.parse_action(state, move))
    says = SEARCHES["keeps pruned states too"](game, state, {})
    yield f"\n{game.render(state)}\n"
    yield f"O to move: worth {truth[state].value} to X, {says} to the search that keeps pruned states too."


def boards_table() -> Iterator[str]:
    """How many roots and entries are wrong on the course's boards, and what that does to its play."""
    yield "Connect-n with the course's utilities: alpha_beta as printed, and where pruned states are kept"
    yield ""
    yield "                    wrong  table from the start  blunders when playing  wrong roots if"
    yield "  board  n  states  roots  entries  wrong          first  second        pruned are kept"
    shown: list[str] = []
    for rows, cols, k in BOARDS:
        name = f"{rows} x {cols}, {k} in a row"
        progress(name)
        game = ConnectFour(rows, cols, k, score="course")
        truth = values_of(game)
        roots = wrong_roots(alpha_beta, game, truth)
        others = wrong_roots(SEARCHES["keeps pruned states too"], game, truth)
        left = kept(alpha_beta, game, truth)
        first, second = list(blunders(game, MAX, truth)), list(blunders(game, MIN, truth))
        yield (
            f"  {rows} x {cols}  {k} {len(truth):7} {len(roots):6} {left.entries:8} {left.wrong:6} "
            f"{len(first):14} {len(second):7} {len(others):15}"
        )
        shown += (wrong_winner(name, game, state, truth) for state in roots)
        shown += (blunder_shown(name, game, blunder, truth) for blunder in first + second)
    yield "\nThe roots with a wrong winner, and the blunders:"
    for part in filter(None, shown):
        yield f"\n{part}"


def wrong_winner(name: str, game: Game[Any, Any], state: Any, truth: Truth) -> str:
    """A position whose winner the search gets wrong, drawn, or nothing."""
    says = alpha_beta(game, state, {})
    if outcome(says) == outcome(truth[state].value):
        return ""
    return f"{on_board(name, game, state)}: alpha_beta says {says}, minimax {truth[state].value}."


def blunder_shown(name: str, game: Game[Any, Any], blunder: Blunder, truth: Truth) -> str:
    """A blunder and its position, drawn."""
    state, entry = blunder
    best = truth[state]
    gets = truth[game.result(state, entry.action)].value
    return (
        f"{on_board(name, game, state)}: the table plays {game.action_name(entry.action)} for {entry.value}, "
        f"which gets {gets}.\nThe right move is {game.action_name(best.action)}, which gets {best.value}."
    )


def on_board(name: str, game: Game[Any, Any], state: Any) -> str:
    """A position, drawn, and whose turn it is."""
    return f"{game.render(state)}\n\n{name}, {'XO'[game.to_move(state)]} to move"


def random_games_table(games: int) -> Iterator[str]:
    """How often a random game gets a wrong value."""
    yield f"Random games, {games} of each kind: wrong values at the root, in percent"
    yield ""
    yield "                                                   keeps pruned  prunes beyond"
    yield "  layers  states  moves  values  turns       printed  states too  window only  sound"
    for kind in KINDS:
        progress(f"random games, {kind.layers} layers of {kind.states}")
        rates = [100 * wrong_random_games(search, kind, games) / games for search in SEARCHES.values()]
        turns = "alternate" if kind.alternate else "at random"
        yield (
            f"  {kind.layers:6} {kind.states:7} {kind.moves:6} {kind.values:7}  {turns} "
            f"{rates[0]:9.1f} {rates[1]:11.1f} {rates[2]:12.1f} {rates[3]:6.1f}"
        )


def orders_table() -> Iterator[str]:
    """What the order of the actions does to the size of the table."""
    yield "The order of the actions: entries in the table of alpha_beta, and prunings"
    yield ""
    yield "  board  n   left to right    middle first"
    for rows, cols, k in BOARDS:
        progress(f"{rows} x {cols}, {k} in a row, in two orders")
        game = ConnectFour(rows, cols, k, score="course")
        counts: list[int] = []
        for counted in (Counted(game), MiddleFirst(game)):
            table: Table = {}
            alpha_beta(counted, game.initial(), table)
            counts += len(table), counted.prunings
        yield "  {} x {}  {} {:8} {:6} {:8} {:6}".format(rows, cols, k, *counts)


def main() -> None:
    """Print the tables."""
    tables = {
        "tic-tac-toe": tic_tac_toe_table,
        "boards": boards_table,
        "random": lambda: random_games_table(arguments.games),
        "orders": orders_table,
    }
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=tables, help="one of the tables")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="random games in a row")
    arguments = parser.parse_args()
    for name in [arguments.only] if arguments.only else tables:
        for line in tables[name]():
            progress("")
            print(line, flush=True)
        print()


def progress(what: str) -> None:
    """One line on the terminal, written over by the next."""
    if sys.stderr.isatty():
        print(f"\r{what:<50}\r", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
