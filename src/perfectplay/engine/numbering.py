"""Numbering: states of any hashable kind, each with a number, and what the rules say of it in flat memory.

The rules are asked in Python, once for each state and only for what a search needs to know; after that
machine code reads it (`numbered_game.py`). Where it finds that something is not known yet, it calls back.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from math import inf
from typing import Any

from perfectplay.compiler import MEMORY, UNDECIDED, Kind, Trap, compiled_for_numbers
from perfectplay.compiler.primitives import ASKED, FOUND, exact_float, has_candidates, record_at
from perfectplay.compiler.records import Room, raw_class
from perfectplay.engine.digests import Digests
from perfectplay.engine.endgame_table import AskedEndgames, EndgameTable
from perfectplay.engine.endgames import narrowed
from perfectplay.engine.numbered_game import (
    END,
    HAS_ESTIMATE,
    HAS_KEY,
    HAS_QUIET,
    SLOT_DIGITS,
    UNKNOWN,
    Facts,
    KnownMove,
    NumberedCandidates,
    NumberedGame,
)
from perfectplay.engine.workspace import PLIES
from perfectplay.game import MAX, WORD, Game, packs
from perfectplay.rule_faults import note_question

MOST_STATES = 1 << 20  # that are numbered: beyond them a search goes on without numbers
MOST_MOVES = 1 << 22
CHUNK = 4096  # records that are made at once
OPEN = 16  # states whose actions are kept waiting for who asks for the next one

PLAIN = (int, float, str, bytes, tuple, frozenset, type(None))  # kinds of configuration
SLOTS = (1 << SLOT_DIGITS) - 1


class Chunks:
    """Records of one class that stay where they are, by their numbers."""

    def __init__(self, cls: type) -> None:
        self.raw = raw_class(cls, Room())
        self.size = ctypes.sizeof(self.raw)
        self.count = 0
        self.chunks: list[Any] = []
        self.places: list[int] = []  # where each chunk is

    def add(self, *fields: Any) -> int:
        """Write another record; its address."""
        index = self.count % CHUNK
        if index == 0:
            self.chunks.append((self.raw * CHUNK)())
            self.places.append(ctypes.addressof(self.chunks[-1]))
        self.chunks[-1][index] = fields
        self.count += 1
        return self.places[-1] + self.size * index

    def address(self, number: int) -> int:
        """Where a record is."""
        return self.places[number // CHUNK] + self.size * (number % CHUNK)

    def __getitem__(self, number: int) -> Any:
        """A record."""
        return self.chunks[number // CHUNK][number % CHUNK]


class Numbering:
    """The states of a game that a search has met, with what it has asked about them."""

    def __init__(self, game: Game[Any, Any], endgames: EndgameTable | None) -> None:
        self.game = game
        self.endgames: Any = None if endgames is None else AskedEndgames(endgames)
        self.failures: dict[int, BaseException] = {}  # of the rules, by the thread that asked
        self.lock = threading.RLock()
        kind = type(game)
        self.has_order = kind.order is not Game.order
        self.has_canonical = kind.canonical is not Game.canonical
        self.has_bounds = kind.bounds is not Game.bounds or endgames is not None
        self.known = (0 if kind.evaluate is not Game.evaluate else HAS_ESTIMATE) | (
            0 if kind.is_quiet is not Game.is_quiet else HAS_QUIET
        )
        # In the order of ASK_MOVE, ASK_NEXT, ...
        self.answers: tuple[Callable[[int, int], None], ...] = (
            self._first_move,
            self._next_move,
            self._key,
            self._estimate,
            self._quiet,
            self._order,
        )
        self.digests = Digests()
        self.key = self.digests.key if kind.key is Game.key and not packs(game) else game.key
        self.function = ASKED(self._asked)
        self.function_address = ctypes.cast(self.function, ctypes.c_void_p).value or 0
        self.forget()

    def forget(self) -> None:
        """Begin anew: nothing is known. A search that still runs keeps what it reads."""
        self.former = getattr(self, "facts", None), getattr(self, "moves", None)
        self.states: list[Any] = []
        self.numbers: dict[Any, int] = {}
        self.open: dict[int, Iterator[Any]] = {}  # actions that nobody has asked for yet
        self.unordered: dict[int, Any] = {}  # the actions of moves whose order nobody has asked for
        self.facts = Chunks(Facts)
        self.moves = Chunks(KnownMove)

    def address(self, state: Any) -> int:
        """Where the facts of a state are, which are written if they are not."""
        with self.lock:
            return self.facts.address(self._number(state))

    def state_at(self, address: int) -> Any:
        """The state whose facts are there."""
        return self.states[record_at(Facts, address).number]

    def _asked(self, number: int, what: int, which: int) -> int:
        """Answer machine code: FOUND, or 0 if an exception awaits it in Python."""
        try:
            with self.lock:
                self.answers[what](number, which)
        except BaseException as error:
            self.failures[threading.get_ident()] = error
            return 0
        return FOUND

    def _number(self, state: Any) -> int:
        fresh = len(self.states)
        try:
            number = self.numbers.setdefault(state, fresh)
        except Exception:  # it cannot be compared with others: search it without numbers
            raise Trap(UNDECIDED) from None
        if number != fresh:
            return number
        try:
            if fresh >= MOST_STATES or self.moves.count >= MOST_MOVES:
                raise Trap(MEMORY)
            first_facts = self._first_facts(state)
        except BaseException:
            del self.numbers[state]
            raise
        self.states.append(state)
        self.facts.add(self.function_address, fresh, self.known, *first_facts, 0, 0.0, 1, UNKNOWN)
        return fresh

    def _first_facts(self, state: Any) -> tuple[int, int, float, float]:
        """Who moves, is it over, and the limits of the value."""
        game = self.game
        player = game.to_move(state)
        mover = 0 if player == MAX else 1
        if game.is_terminal(state):
            value = exact_float(game.utility(state, 0))
            return mover, 1, value, value
        if not self.has_bounds:
            return mover, 0, -inf, inf
        low, high = game.bounds(state, player)
        return mover, 0, *narrowed(game, self.endgames, state, float(low), float(high))

    # What machine code asks for.

    def _first_move(self, number: int, _: int) -> None:
        facts = self.facts[number]
        if facts.first == UNKNOWN:
            facts.first = self._move(number, iter(self.game.candidates(self.states[number])))

    def _next_move(self, number: int, which: int) -> None:
        move = self.moves[which]
        if move.following == UNKNOWN:
            iterator = self.open.pop(number, None) or self._reopened(number, which)
            move.following = self._move(number, iterator)

    def _move(self, number: int, iterator: Iterator[Any]) -> int:
        """The address of the next move of a state."""
        try:
            action = next(iterator)
        except StopIteration:
            return END
        game = self.game
        state = self.states[number]
        child = game.result(state, action)
        if self.has_canonical:
            child = game.canonical(child)
        reached = self._number(child)
        slot = (action if isinstance(action, int) else self.digests.digest(action)) & SLOTS
        which = self.moves.count
        if self.has_order:
            self.unordered[which] = action
        self.open[number] = iterator
        if len(self.open) > OPEN:
            self._close(next(iter(self.open)))
        ordered = 0 if self.has_order else 1
        return self.moves.add(UNKNOWN, self.facts.address(reached), slot, 0.0, ordered, which)

    def _close(self, number: int) -> None:
        """Let go of actions that have waited longest: who comes back asks the rules again."""
        iterator = self.open.pop(number)
        if hasattr(iterator, "close"):
            iterator.close()

    def _reopened(self, number: int, which: int) -> Iterator[Any]:
        """The actions of a state after those that are known, of which `which` is the last."""
        last = self.moves.address(which)
        move = self.facts[number].first
        count = 1
        while move != last:
            move = record_at(KnownMove, move).following
            count += 1
        return islice(self.game.candidates(self.states[number]), count, None)

    def _key(self, number: int, _: int) -> None:
        facts = self.facts[number]
        facts.key = self.key(self.states[number]) & WORD
        facts.known |= HAS_KEY

    def _estimate(self, number: int, _: int) -> None:
        facts = self.facts[number]
        facts.estimate = float(self.game.evaluate(self.states[number], 0))
        facts.known |= HAS_ESTIMATE

    def _quiet(self, number: int, _: int) -> None:
        facts = self.facts[number]
        facts.quiet = 1 if self.game.is_quiet(self.states[number]) else 0
        facts.known |= HAS_QUIET

    def _order(self, number: int, which: int) -> None:
        if which in self.unordered:
            move = self.moves[which]
            move.order = float(self.game.order(self.states[number], self.unordered[which]))
            move.ordered = 1
            del self.unordered[which]


class NumberedSearch:
    """A search in machine code over numbered states, called as the one in Python is."""

    def __init__(self, kernel: Any, numbering: Numbering) -> None:
        self.kernel = kernel
        self.numbering = numbering
        self.state_bytes: int = kernel.state_bytes
        self.configuration = plain_configuration(numbering.game)
        self.own: set[str] = set()  # attributes that the rules change themselves

    def stop(self) -> None:
        """Have all threads leave."""
        self.kernel.stop()

    def resume(self) -> None:
        """Let all threads go on."""
        self.kernel.resume()

    def __call__(self, game: Game[Any, Any], workspace: Any, state: Any, *rest: Any) -> Any:
        """What the search answers; what the rules raise; Trap where it must go on without numbers."""
        before = plain_configuration(game)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * PLIES))  # as the search in Python has it
        try:
            return self.kernel(self.kernel.game, workspace, self.numbering.address(state), *rest)
        except Trap as trap:
            failure = self.numbering.failures.pop(threading.get_ident(), None)
            if failure is None:
                raise
            if isinstance(failure, Exception):  # and not an interrupt: no rule is to be asked again then
                note_question(failure, game, [*map(self.numbering.state_at, trap.path)] or [state])
            raise failure from None
        finally:
            self.configuration = after = plain_configuration(game)
            self.own |= {name for name in after if after[name] != before.get(name, after)}

    def is_outdated(self) -> bool:
        """Has the game been changed since the last search? What rules keep for themselves is no change."""
        now = plain_configuration(self.numbering.game)
        known = self.configuration
        return any(now.get(name) != known.get(name) for name in (now.keys() | known.keys()) - self.own)


def plain_configuration(game: Game[Any, Any]) -> dict[str, Any]:
    """The plain values that a game was made with."""
    return {name: value for name, value in getattr(game, "__dict__", {}).items() if isinstance(value, PLAIN)}


def numbered_search(
    game: Game[Any, Any],
    function: Callable[..., Any],
    kinds: tuple[Kind, ...],
    *,
    full: bool,
    endgames: EndgameTable | None,
    stack: int,
    numbering: Numbering | None = None,
) -> NumberedSearch | None:
    """A search in machine code for rules that stay in Python; None if there is no compiler, or no numbering.

    Two searches may share a numbering.
    """
    try:
        hash(game.initial())
    except Exception:  # nobody can number such states
        return None
    rules = NumberedCandidates() if has_candidates(game) else NumberedGame()
    kernel = compiled_for_numbers(rules, function, kinds, full=full, stack=stack)
    return None if kernel is None else NumberedSearch(kernel, numbering or Numbering(game, endgames))
