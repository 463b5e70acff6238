"""A game of numbers: every state is the address of what is known of it, and Python is asked for the rest.

The rules below read records. They are the same for all games, so that a search over them is compiled once
and for all; `numbering.py` writes the records, asking the rules of a game that stays in Python.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import ask, record_at
from perfectplay.compiler.records import Word, record
from perfectplay.game import Game

UNKNOWN, END = 0, 1  # in the place of a move: Python is to be asked for it; there is none

HAS_KEY, HAS_ESTIMATE, HAS_QUIET = 1, 2, 4  # bits of what is known
ASK_MOVE, ASK_NEXT, ASK_KEY, ASK_ESTIMATE, ASK_QUIET, ASK_ORDER = range(6)

SLOT_DIGITS = 16  # of an action: the rest is the address of its move, whose last three digits are 0
ALIGNED = 3


@record
class Facts:
    """What is known of a state."""

    function: int  # the address of whom to ask for more
    number: int
    known: int
    mover: int
    over: bool
    low: float  # limits of its value to the player who moves; both are the utility to MAX if it is over
    high: float
    key: Word = 0
    estimate: float = 0.0
    quiet: bool = True
    first: int = UNKNOWN  # its first move


@record
class KnownMove:
    """A move of a state."""

    following: int = UNKNOWN  # the next move of the same state
    child: int  # the state that it leads to
    slot: int
    order: float = 0.0
    ordered: bool  # is that known?
    number: int


class NumberedGame(Game[Any, Any]):
    """The rules as they are kept in memory."""

    def initial(self) -> Any:
        """A number like all others."""
        return 0

    def to_move(self, state: Any) -> Any:
        """Whose turn it is."""
        return record_at(Facts, state).mover

    def actions(self, state: Any) -> Any:
        """The candidates of the game, as far as anyone has asked for them, and then the others."""
        facts = record_at(Facts, state)
        if facts.first == UNKNOWN:
            ask(facts.function, facts.number, ASK_MOVE, 0)
        address = facts.first
        while address != END:
            move = record_at(KnownMove, address)
            yield address << (SLOT_DIGITS - ALIGNED) | move.slot
            if move.following == UNKNOWN:
                ask(facts.function, facts.number, ASK_NEXT, move.number)
            address = move.following

    def result(self, state: Any, action: Any) -> Any:
        """Where a move leads, in its canonical form."""
        return record_at(KnownMove, address_of_move(action)).child

    def is_terminal(self, state: Any) -> Any:
        """Is the game over?"""
        return record_at(Facts, state).over

    def utility(self, state: Any, player: int) -> Any:
        """What the end is worth to MAX."""
        return record_at(Facts, state).low

    def bounds(self, state: Any, player: int) -> Any:
        """Limits of the value to the player who moves, which an endgame table has narrowed."""
        facts = record_at(Facts, state)
        return facts.low, facts.high

    def key(self, state: Any) -> Any:
        """The key of the state."""
        facts = record_at(Facts, state)
        if not facts.known & HAS_KEY:
            ask(facts.function, facts.number, ASK_KEY, 0)
        return facts.key

    def evaluate(self, state: Any, player: int) -> Any:
        """The estimate, to MAX."""
        facts = record_at(Facts, state)
        if not facts.known & HAS_ESTIMATE:
            ask(facts.function, facts.number, ASK_ESTIMATE, 0)
        return facts.estimate

    def is_quiet(self, state: Any) -> Any:
        """May the search stop here?"""
        facts = record_at(Facts, state)
        if not facts.known & HAS_QUIET:
            ask(facts.function, facts.number, ASK_QUIET, 0)
        return facts.quiet

    def order(self, state: Any, action: Any) -> Any:
        """How promising a move looks."""
        move = record_at(KnownMove, address_of_move(action))
        if not move.ordered:
            facts = record_at(Facts, state)
            ask(facts.function, facts.number, ASK_ORDER, move.number)
        return move.order


class NumberedCandidates(NumberedGame):
    """The same for a game that says which actions are worth trying: a search asks whether one does."""

    def candidates(self, state: Any) -> Any:
        """The candidates."""
        return self.actions(state)


def address_of_move(action: int) -> int:
    """Where the move of an action is."""
    return action >> SLOT_DIGITS << ALIGNED
