"""Players: chance, any algorithm, the engine, or a tablebase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from perfectplay.engine import Analysis, Engine
from perfectplay.engine.methods import MCTS
from perfectplay.game import Game, require_two_sides
from perfectplay.textbook import (
    Algorithm,
    Answer,
    Counted,
    DepthLimit,
    Interval,
    check_depth,
    check_playouts,
    run_counted,
    sound_alpha_beta,
)

if TYPE_CHECKING:  # numpy comes with it, and few matches need one
    from perfectplay.tablebase import Entry, ExpectationTable, Tablebase

TABLEBASE = "tablebase:DIR"  # how that player is named
SECONDS = 1.0  # to think about a move, where nobody says


class Player(Protocol):
    """Anyone who can choose a move."""

    name: str

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The action to play in `state`; `game` counts the nodes as it goes."""

    def account(self) -> str:
        """What there is to say of the last choice, if anything."""


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)  # noqa: S311 - nothing secret hangs on it

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """Any legal action."""
        return self.random.choice(list(game.actions(state)))

    def account(self) -> str:
        """Nothing: it was chance."""
        return ""


class AlgorithmPlayer:
    """Plays by a textbook algorithm, and by the moves saved in its table where it keeps one."""

    def __init__(
        self,
        algorithm: Algorithm,
        depth: int | None = None,
        playouts: int | None = None,
        seed: int | None = None,
    ) -> None:
        check_depth(algorithm, depth)
        check_playouts(algorithm, playouts)
        self.name = algorithm.name
        self.algorithm = algorithm
        self.depth = depth
        self.playouts = playouts
        self.random = Random(seed)  # noqa: S311 - likewise
        self.answer: Answer | None = None

    @property
    def solves(self) -> bool:
        """Is one run, from the start, enough for the whole game?"""
        return self.algorithm.has_table and self.algorithm.depth is None and self.depth is None

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The saved move, or else that of a new run from `state`."""
        saved = self._saved(state)
        if saved is not None:
            return saved
        seed = self.random.getrandbits(32)
        self.answer = run_counted(
            self.algorithm, game, state, depth=self.depth, playouts=self.playouts, seed=seed
        )
        return self.answer.action

    def account(self) -> str:
        """What it expects of playouts or dice; of a solved game the dialogue says so at the start."""
        if self.answer is None or self.algorithm.exact:
            return ""
        if self.answer.values is not None:
            return f"averages {', '.join(f'{each:.3f}' for each in self.answer.values)}"
        return f"average {self.answer.value:.3f} to MAX"

    def _saved(self, state: Any) -> Any:
        """The move in the table: none from a search with a depth, which is run anew for every move."""
        if not self.solves or self.answer is None or self.answer.table is None:
            return None
        entry = self.answer.table.get(state)
        if isinstance(entry, Interval) and entry.lower < entry.upper:
            return None
        return entry.action if entry is not None else None


class DeepeningPlayer:
    """Looks one move further ahead, and again, until its time is up; tries promising moves first."""

    name = "deepening"

    def __init__(self, seconds: float = SECONDS, clock: Callable[[], float] = monotonic) -> None:
        self.seconds = seconds
        self.clock = clock
        self.moves = 0

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The action that the deepest finished search found best."""
        require_two_sides(game.game, self.name)
        deadline = self.clock() + self.seconds
        ordered = _Ordered(game)
        action = next(iter(ordered.actions(state)))  # a move there is, however little the time
        self.moves = 0
        try:
            while True:
                limit = _TimedLimit(game.game, self.moves + 1, self.clock, deadline)
                table: dict[Any, Interval[Any]] = {}
                sound_alpha_beta(ordered, state, table, -inf, inf, 1, limit)
                action = table[state].action
                self.moves += 1
                if not limit.reached:
                    return action
        except (_TimeUp, RecursionError):
            return action

    def account(self) -> str:
        """How far ahead it looked."""
        return f"depth {self.moves}"


class EnginePlayer:
    """Plays by the engine, compiled where the rules allow that; what it learns it keeps for later moves."""

    name = "engine"

    def __init__(
        self,
        seconds: float | None = None,
        depth: int | None = None,
        threads: int = 1,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
        nodes: int | None = None,
        method: str | None = None,
    ) -> None:
        self.seconds = SECONDS if seconds is None and depth is None and nodes is None else seconds
        self.depth = depth
        self.nodes = nodes
        self.threads = threads
        self.compile = compile
        self.method = method
        self.name = method or self.name
        self.engine: Engine | None = None
        self.analysis: Analysis | None = None

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The best action of the deepest search that its limits allow."""
        engine = self.open(game.game)
        found = None
        for found in engine.deepen(state, depth=self.depth, seconds=self.seconds, nodes=self.nodes):
            game.results = found.nodes - 1
        self.analysis = found or engine.search(state, nodes=0)
        return self.analysis.action

    def open(self, game: Game[Any, Any]) -> Engine:
        """The engine, which is one of this game."""
        if self.engine is None or self.engine.game is not game:
            self.engine = Engine(game, threads=self.threads, compile=self.compile, method=self.method)
        return self.engine

    def account(self) -> str:
        """How far it looked, and what it thinks of its chances."""
        if self.analysis is None:
            return ""
        found = self.analysis
        if found.values is not None:
            averages = "averages" if self.method == MCTS else "values"
            return f"{averages} {', '.join(f'{each:.3f}' for each in found.values)}"
        if self.method == MCTS and not found.exact:
            return f"average {found.value:.3f}, {found.nodes:,} playouts"
        value = f"value {found.value:g}{'' if found.exact else ' by estimate'}"
        return f"{value}, depth {found.depth}, {found.nodes:,} nodes"


class TablebasePlayer:
    """Plays perfectly, by a tablebase: wins as soon as it can, and loses as late."""

    name = "tablebase"

    def __init__(
        self,
        directory: str,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    ) -> None:
        self.directory = directory
        self.compile = compile
        self.table: Tablebase | ExpectationTable | None = None
        self.entry: Entry | None = None

    def open(self, game: Game[Any, Any]) -> Tablebase | ExpectationTable:
        """The tablebase, which must be one of this game."""
        if self.table is None or self.table.game is not game:
            from perfectplay.tablebase import ExpectationTable, Tablebase

            if game.has_chance:
                self.table = ExpectationTable(self.directory, game)
            else:
                self.table = Tablebase(self.directory, game, compile=self.compile)
        return self.table

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The first of the best actions."""
        table = self.open(game.game)
        self.entry = table.probe(state)
        return table.best(state)[0]

    def account(self) -> str:
        """What becomes of the game with best play, and how soon."""
        if self.entry is None:
            return ""
        value, outcome, plies = self.entry
        if outcome == "average":
            return f"average {value:.6f}"
        worth = "" if value in (-1, 0, 1) else f", value {value:g}"
        if outcome == "draw":
            return "draw: nobody can force an end"
        if plies is None:  # the table has outcomes alone
            return outcome
        return f"{outcome} in {plies} {'ply' if plies == 1 else 'plies'}{worth}"


class _TimeUp(Exception):  # noqa: N818 - nothing has gone wrong
    pass


class _TimedLimit(DepthLimit):
    """A depth limit that ends the whole search when the time is up."""

    def __init__(self, game: Game[Any, Any], moves: int, clock: Callable[[], float], deadline: float) -> None:
        super().__init__(game, moves)
        self.clock = clock
        self.deadline = deadline

    def __call__(self, state: Any, depth: int) -> bool:
        if self.clock() > self.deadline:
            raise _TimeUp
        return super().__call__(state, depth)


class _Ordered(Counted[Any, Any]):
    """The game with the actions that its `order` finds most promising first."""

    def __init__(self, game: Counted[Any, Any]) -> None:
        super().__init__(game.game)
        self.counted = game

    def actions(self, state: Any) -> Iterator[Any]:
        """The legal actions, best first."""
        order = self.game.order
        yield from sorted(self.game.actions(state), key=lambda action: -order(state, action))

    def result(self, state: Any, action: Any) -> Any:
        """The successor, counted where the caller counts."""
        return self.counted.result(state, action)
