"""EndgameTable: what the engine asks of a table of solved states; a Tablebase answers all of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from perfectplay.compiler.forms import Form
from perfectplay.compiler.primitives import exact_float
from perfectplay.engine.analysis import Analysis, Ranked, Ranking
from perfectplay.errors import BadParameterError, DamagedTablebaseError
from perfectplay.game import Game, same_side

PROOF = "a tablebase"


class Worth(Protocol):
    """What a state, or an action, is worth to the player who moves."""

    @property
    def value(self) -> float:
        """The exact value."""


class Choice(Worth, Protocol):
    """An action with its worth."""

    @property
    def action(self) -> Any:
        """The action."""


@runtime_checkable
class EndgameTable(Protocol):
    """A table of solved states, with all that can be reached from each of them."""

    form: Form  # how its states are made of numbers

    @property
    def exact(self) -> bool:
        """Are its values those of the game, and not who wins alone?"""

    def check_game(self, game: Game[Any, Any]) -> None:
        """Refuse another game than that of the table, or other rules."""

    def get(self, state: Any) -> Worth | None:
        """What a state is worth, if it is there."""

    def explain(self, state: Any) -> Sequence[Choice]:
        """Every action, the best first."""

    def line(self, state: Any, most: int = ...) -> list[Any]:
        """Actions of best play on both sides, so many at most."""

    def probe_index(self) -> Any:
        """An `endgames.ProbeIndex` in raw memory, for the probes of one more thread."""


class AskedEndgames:
    """What a search that Python runs has in the place of a `ProbeIndex`: the table itself."""

    def __init__(self, table: EndgameTable) -> None:
        self.table = table

    def value(self, game: Game[Any, Any], state: Any) -> float:
        """What a state is worth to the player who moves; not a number if the table does not have it."""
        try:
            found = self.table.get(state)
        except DamagedTablebaseError:  # what is damaged there, a search finds by itself
            return nan
        return nan if found is None else float(found.value)


class Endgames:
    """The answers that an engine has from its table, if it has one."""

    def __init__(self, table: object, game: Game[Any, Any]) -> None:
        if table is not None and not isinstance(table, EndgameTable):
            raise BadParameterError(
                f"tablebase={table!r} cannot be: open it first, as in tablebase=Tablebase(directory, game)."
            )
        if table is not None:
            table.check_game(game)
            if not table.exact:
                raise BadParameterError(
                    f"tablebase={table!r} cannot be: it has outcomes alone, and a search compares values; "
                    "give one that was built with values."
                )
        self.table = table
        self.game = game

    def value(self, state: Any) -> float | None:
        """What a state of the table is worth to the player who moves."""
        try:
            found = None if self.table is None else self.table.get(state)
        except DamagedTablebaseError:
            return None
        return None if found is None else _plain(found.value)

    def value_after(self, state: Any, child: Any) -> float | None:
        """What it is worth to go from a state to a child that is over, or in the table."""
        game = self.game
        if game.is_terminal(child):
            return exact_float(game.utility(child, game.to_move(state)))
        value = self.value(child)
        return value if value is None or same_side(game.to_move(state), game.to_move(child)) else -value

    def analysis(self, state: Any, began: float) -> Analysis | None:
        """All there is to say about a state of the table, asked for at that time of the clock."""
        value = self.value(state)
        if self.table is None or value is None:
            return None
        line = tuple(self.table.line(state))
        depth, nodes, seconds, hits = len(line), 1, perf_counter() - began, 0
        return Analysis(value, line[0], line, depth, nodes, seconds, True, hits, value, value, PROOF)

    def ranking(self, state: Any, began: float) -> Ranking | None:
        """Every action of a state of the table, the best first, and of these the soonest to win."""
        found = self.analysis(state, began)
        if self.table is None or found is None:
            return None
        choices = self.table.explain(state)
        moves = []
        for each in choices:
            worth = _plain(each.value)
            moves.append(Ranked(each.action, worth, worth == found.value, True, worth, worth))
        return Ranking(found, moves)

    def extended(self, state: Any, line: tuple[Any, ...]) -> tuple[Any, ...]:
        """A line of play from a state, to the end of the game if it comes into the table."""
        if self.table is None:
            return line
        for action in line:
            state = self.game.result(state, action)
        return line if self.value(state) is None else (*line, *self.table.line(state))


def _plain(value: float) -> float:
    return int(value) if isinstance(value, float) and value.is_integer() else value
