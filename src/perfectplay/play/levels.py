"""Levels of strength: four opponents for people, who need not know what a search is."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from perfectplay.engine import Engine, Ranked
from perfectplay.errors import UnsolvedError
from perfectplay.game import Game
from perfectplay.play.players import EnginePlayer, Player
from perfectplay.textbook import Counted

HARD_SECONDS = 1.0  # that a move of the hard level takes at the most,
HARD_NODES = 2_000_000  # and states that it visits
PROOF_SECONDS = 60.0  # in which the perfect level must have proved its move
TABLE_MB = 4  # is enough for the few states of a shallow search


class Shallow(NamedTuple):
    """How far a weak player looks, and how often it does not look at all."""

    depth: int  # plies
    nodes: int  # states that it visits at the most: on a large board it sees less far
    slips: float  # the share of its moves that are any legal ones


class Level(NamedTuple):
    """A level of strength."""

    name: str
    summary: str
    shallow: Shallow | None = None  # none: the engine plays


LEVELS = {
    level.name: level
    for level in (
        Level(
            "easy",
            "sees what its own move does and no answer to it; every third move is any move",
            Shallow(depth=1, nodes=4_000, slips=1 / 3),
        ),
        Level(
            "medium",
            "looks four moves ahead, two of its own and two of yours; every twelfth move is any move",
            Shallow(depth=4, nodes=20_000, slips=1 / 12),
        ),
        Level("hard", "the engine, as deep as a second or two million positions allow"),
        Level("perfect", "makes no mistake: every move is proven best, by a tablebase or by the engine"),
    )
}
HARD, PERFECT = "hard", "perfect"


class ShallowPlayer:
    """Plays the best move that a shallow search sees, one of the best where there are several, and slips.

    It searches in Python, so that nobody waits for a compiler. The same seed makes the same moves.
    """

    def __init__(self, level: Level, seed: int | None = None) -> None:
        assert level.shallow is not None
        self.name = level.name
        self.shallow = level.shallow
        self.random = Random(seed)  # noqa: S311 - nothing secret hangs on it
        self.engine: Engine | None = None
        self.played: Ranked | None = None

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """One of the best moves in sight, or any."""
        engine = self.open(game.game)
        ranked = engine.rank(state, depth=self.shallow.depth, nodes=self.shallow.nodes)
        slips = self.random.random() < self.shallow.slips
        self.played = self.random.choice([move for move in ranked if move.best or slips])
        return self.played.action

    def open(self, game: Game[Any, Any]) -> Engine:
        """The engine, which is one of this game."""
        if self.engine is None or self.engine.game is not game:
            self.engine = Engine(game, table_mb=TABLE_MB, compile="never")
        return self.engine

    def account(self) -> str:
        """Nothing: what it thinks of its chances would teach little."""
        return ""


class PerfectPlayer(EnginePlayer):
    """Plays moves that are proven best, and no others."""

    name = PERFECT

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """An action that is worth all that the state is; UnsolvedError where that takes too long to prove."""
        found = self.open(game.game).solve(state, seconds=self.seconds)
        if not found.exact:
            raise UnsolvedError(
                f"the best move is not proven after {self.seconds:g} seconds: "
                f"choose {HARD} here, or a smaller board."
            )
        game.results = max(found.nodes - 1, 0)
        self.analysis = found
        return found.action


class HardPlayer(EnginePlayer):
    """The engine within limits of positions as well as of time, so that it plays alike on fast machines."""

    name = HARD


def level_player(
    name: str,
    *,
    threads: int | None = None,
    seed: int | None = None,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
) -> Player:
    """The player of a level."""
    if LEVELS[name].shallow is not None:
        return ShallowPlayer(LEVELS[name], seed)
    if name == HARD:
        return HardPlayer(HARD_SECONDS, None, threads or 1, compile, HARD_NODES)
    return PerfectPlayer(PROOF_SECONDS, None, threads or 1, compile)
