"""A game under inspection: the ways to ask it, the places seen, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from traceback import walk_tb
from typing import Any, NoReturn

from perfectplay.check.answers import WANTED, never_changes, picture, same
from perfectplay.check.report import Finding, short
from perfectplay.errors import BrokenGameError
from perfectplay.game import CHANCE, Game
from perfectplay.textbook import with_depth
from perfectplay.watchdog import Unreturned

CALLS = 240_000  # of the game's methods in each part of the work, where nobody says how much there is
MANY = 10_000  # actions of one state, of which the first are looked at
ENDLESS = 1_000_000  # after which nobody waits for more
WIDTH = 1_000  # actions followed from one state
LENGTH = 1_000  # moves of a playout

HERE = str(Path(__file__).parent)

RULES = ("initial", "to_move", "actions", "result", "is_terminal", "utility", "chances")
CANONICAL = "canonical()"  # stands for a move to a canonical state that play does not reach
BROKEN: Any = object()  # the answer of a method that has none
REFUSED: Any = object()  # the answer of parse_action to a text that names no legal action

CALLS_ITSELF = "let it come to a case where it calls itself no more"
_DEPTH = "use WITH_DEPTH with a depth, for"  # by algorithms that are for the game

REMEDIES = {  # by a part of the kind of finding
    "parse-action-raises": "raise ValueError, and nothing else, for a text that names no legal action",
    "-raises": "it must have an answer here",
    "-does-not-return": "see that every loop there comes to an end",
    "actions-endless": "let them come to an end",
    "-changes-state": "leave it as it is, and make a new one",
    "-not-pure": "let it depend on nothing but what it is given, neither on chance nor on earlier calls",
    "state-without-eq": "use a tuple, or give the class __eq__ and __hash__, for the two are not equal",
    "state-hash-differs": "give the two the same hash, for they are equal",
    "equal-states-differ": "let __eq__ compare all that matters, and sort what has no order",
    "key-of-equal-states": "write a key() that is the same for both, for the default is made of the repr",
    "actions-repeated": "give each action once",
    "actions-missing": "end the game there, or give an action, be it a pass",
    "utility-not-zero-sum": "give a MIN player minus what MAX gets, or set zero_sum to False",
    "chances-missing": "give an outcome, with probability 1 if there is no other",
    "chances-repeated": "give each outcome once, with all of its probability",
    "chances-not-positive": "leave out what cannot happen",
    "chances-not-one": "let the probabilities add up to 1",
    "key-collision": "give every state a key of its own",
    "pack-of-equal-states": "write a pack() that is the same for both, for they are equal",
    "pack-collision": "give every state a number of its own",
    "pack-alone": "give both or neither, for tables use them together",
    "unpack-not-inverse": "let unpack() give back what pack() was given",
    "rank-alone": "give rank(), unrank() and ranks(), or none of them, for tables use them together",
    "rank-too-large": "give every state a number from 0 on, below what ranks() says of its tier",
    "rank-collision": "give every state of a tier a number of its own",
    "unrank-not-inverse": "let unrank() give back what rank() was given",
    "canonical-not-idempotent": "let a representative represent itself",
    "tier-falls": "let it be a number that no action lowers, or leave it out",
    "canonical-changes": "let only states that are the same game share a representative",
    "bounds-false": "claim only what is proven",
    "candidates-not-legal": "give legal actions only",
    "candidates-missing": "give one action at least, where the game is not over",
    "candidates-miss-best": "leave an action out only if another is proven to be as good",
    "compiled-differs": "use --no-compile, and report it, for it is the compiler's mistake",
    "action-name-ambiguous": "give each a name of its own",
    "parse-action-not-inverse": "let action_name() and parse_action() undo each other",
    "parse-action-accepts-nonsense": "raise ValueError",
}
WARNINGS = {
    "-not-bool": "give True or False",
    "evaluate-not-opposite": "give a MIN player minus what MAX gets",
    "evaluate-too-large": "keep estimates below what a game can be worth, or a search prefers them to a win",
    "actions-unordered": "give a list",
    "actions-after-end": "give none where the game is over, for nobody may play them",
    "actions-many": "let a move have several parts, for what is after this state was not checked",
    "cycle": f"{_DEPTH} other algorithms may find no end",
    "too-long": f"{_DEPTH} the other algorithms go too deep for Python's stack",
}


@dataclass(eq=False, slots=True)
class Place:
    """A state with the move that led there, and what is known of it."""

    state: Any
    before: Place | None = None
    action: Any = None
    depth: int = 0
    examined: bool = False
    picture: Any = None  # of a state that can change; None for an int, or a tuple of ints
    written: str = ""  # likewise, for people
    twins: int = 0  # equal states that were compared with this one
    mover: int | None = None
    terminal: bool | None = None
    below: list[tuple[Any, Place]] | None = None  # where the actions lead; None: not known
    whole: bool = True  # are all the actions in `below`?
    chances: dict[Any, Any] | None = None  # the probabilities of the outcomes, where chance moves
    claims: tuple[tuple[float, float], ...] = ()  # the bounds to MAX and to MIN
    candidates: list[Any] | None = None  # the actions that are said to be worth trying, where that was asked
    image: Any = None  # its canonical state, if that is another one
    tier: int | None = None  # where that was asked
    lower: float = -inf  # lower <= value to MAX <= upper, as far as it is known
    upper: float = inf
    height: int | None = None  # the longest line of play from here; None: there is a cycle


class Inspection:
    """A game under inspection: the ways to ask it, the places seen, and what was found."""

    def __init__(
        self,
        game: Game[Any, Any],
        random: Random,
        checks: Iterable[Callable[[Inspection, Place], None]],
    ) -> None:
        self.game = game
        self.checks = tuple(checks)  # of every state
        self.random = random
        self.places: dict[Any, Place] = {}
        self.discovered: list[Place] = []  # the same, in a list that may grow under a loop
        self.examined = 0
        self.thorough = True  # in a large game, only one state in four gets the costlier checks
        self.keys: dict[int, Place] = {}
        self.packed: dict[int, Place] = {}
        self.ranked: dict[tuple[int, int], Any] = {}  # by tier and rank, the state that has it
        self.names: dict[Any, Any] = {}
        self.found: dict[str, tuple[str, str, Place | None, int]] = {}
        self.width = WIDTH
        self.calls = 0
        self.settled = 0  # places, as often as they were
        self.last_call: float = 0
        self.began, self.deadline = (process_time(), perf_counter()), inf
        self.players = 2
        self.largest_utility = 0.0
        self.largest_estimate: tuple[float, Place | None] = 0.0, None

    def allow(self, deadline: float, *, limited: bool) -> None:
        """Begin a part of the work, with calls of its own, that may last until so many seconds are over."""
        self.last_call, self.deadline = self.calls + CALLS if limited else inf, deadline

    def spent(self) -> bool:
        """Is it time to leave this part of the work? Waiting counts a third: the machine may be busy."""
        seconds = max(process_time() - self.began[0], (perf_counter() - self.began[1]) / 3)
        return self.calls > self.last_call or seconds > self.deadline

    def progress(self) -> object:
        """What changes while rules return: nothing else may take long, but for settling all places."""
        return self.calls, self.settled

    def overrides(self, method: str) -> bool:
        """Does the game have its own form of a method?"""
        return getattr(type(self.game), method, None) is not getattr(Game, method)

    def choices(self, state: Any) -> list[Any]:
        """What may happen next in a state, actions or outcomes; nothing where that cannot be told."""
        if self.game.has_chance and self.quietly("to_move", state) == CHANCE:
            pairs = self.quietly("chances", state)
            return [] if pairs is BROKEN else [pair[0] for pair in pairs]
        actions = self.quietly("actions", state)
        return [] if actions is BROKEN else list(actions)

    # Asking.

    def call(self, place: Place | None, method: str, *arguments: Any, quiet: bool = False) -> Any:
        """What a method answers; BROKEN, with a finding unless quiet, if it raises an exception."""
        self.calls += 1
        try:
            answer = getattr(self.game, method)(*arguments)
            if method in ("actions", "candidates", "chances") and isinstance(answer, Iterable):
                if isinstance(answer, set | frozenset) and not quiet:
                    what = f"{method}(state) gave a set, whose order can differ from run to run"
                    self.note("actions-unordered", place, what)
                answer = self._listed(place, method, answer)
        except BrokenGameError:
            raise
        except Unreturned as error:
            self._give_up(place, method, arguments, error)
        except (Exception, SystemExit) as error:
            if method == "parse_action" and isinstance(error, ValueError):
                return REFUSED
            if not quiet:
                what = f"{asked(place, method, arguments)} raised {self.told(error)}"
                endless = isinstance(error, RecursionError)
                self.note(f"{method}-raises", place, what, CALLS_ITSELF if endless else "")
            return BROKEN
        if place and place.picture is not None and picture(place.state) != place.picture:
            change = f"changed the state from {place.written} to {short(place.state)}"
            what = f"{asked(place, method, arguments)} {change}"
            self.note(f"{method}-changes-state", place, what)
            raise BrokenGameError(what)
        return answer

    def _listed(self, place: Place | None, method: str, answer: Iterable[Any]) -> list[Any]:
        """The actions, or the first of them where there are very many; there must be an end."""
        actions = iter(answer)
        first = list(islice(actions, MANY + 1))
        if len(first) > MANY:
            more = len(answer) if isinstance(answer, Sized) else sum(1 for _ in islice(actions, ENDLESS))
            if more >= ENDLESS:
                what = f"{method}(state) gave {ENDLESS:,} actions, and then more"
                self.note("actions-endless", place, what)
                raise BrokenGameError(what)
        return first

    def _give_up(
        self, place: Place | None, method: str, arguments: tuple[Any, ...], error: Unreturned
    ) -> NoReturn:
        """Write down a call that does not return; another one would not either."""
        place = place or (self.places.get(arguments[0]) if arguments else None)
        where = f", at {line}" if (line := self.line_of(error)) else ""
        what = f"{asked(place, method, arguments)} {error}{where}"
        self.note(f"{method}-does-not-return", place, what)
        raise BrokenGameError(what)

    def quietly(self, method: str, *arguments: Any) -> Any:
        """What a method answers, or BROKEN, without a finding."""
        return self.call(None, method, *arguments, quiet=True)

    def ask(self, place: Place | None, method: str, *arguments: Any) -> Any:
        """What a method answers at any time; BROKEN, with a finding, if there is no such answer.

        The rules are asked just after the move to the state, and again just after another move: a
        game object that remembers the last move gives itself away.
        """
        of_the_state = method in ("to_move", "is_terminal", "actions", "chances", "utility")
        if of_the_state and place and place.before and place.action is not CANONICAL:
            self.quietly("result", place.before.state, place.action)
        first = self.call(place, method, *arguments)
        if first is BROKEN:
            return BROKEN
        is_right, wish = WANTED[method]
        if not is_right(first):
            what = f"{asked(place, method, arguments)} gave {short(first)}"
            self.note(f"{method}-wrong", place, what, wish if first is not None else f"{wish}, with return")
            return BROKEN
        if method.startswith("is_") and not isinstance(first, bool):
            self.note(f"{method}-not-bool", place, f"{method}(state) gave {short(first)}")
        if method not in RULES and not self.thorough:
            return first
        start = self.discovered[0] if self.discovered else None
        if of_the_state and start and start.below:
            self.quietly("result", start.state, start.below[0][0])
            if method == "utility":  # which comes last, and must not rest on what came before
                for rule in ("to_move", "is_terminal", "actions"):
                    self.quietly(rule, start.state)
        later = self.call(place, method, *arguments)
        is_state = method in ("initial", "table_start", "result")
        equal = later is not BROKEN and same(first, later)
        if later is BROKEN or (equal and not (is_state and hash(first) != hash(later))):
            return later
        what = f"{asked(place, method, arguments)} gave {short(first)} and then {short(later)}"
        if equal:
            self.note("state-hash-differs", place, what)
        elif is_state and picture(first) == picture(later):
            self.note("state-without-eq", place, what)
        else:
            self.note(f"{method}-not-pure", place, what)
        return BROKEN

    # Getting around.

    def arrive(self, state: Any, before: Place | None, action: Any) -> Place:
        """The place of a state that this move has led to."""
        place = self.places.get(state)
        if place is None:
            place = self.places[state] = Place(state, before, action, before.depth + 1 if before else 0)
            self.discovered.append(place)
        return place

    def examine(self, place: Place) -> None:
        """Put a place through all the checks, once."""
        if not place.examined:
            place.examined = True
            if not never_changes(place.state):
                place.picture, place.written = picture(place.state), short(place.state)
            self.examined += 1
            self.thorough = self.examined <= 200 or self.examined % 4 == 0
            for check in self.checks:
                check(self, place)

    def examine_below(self, place: Place, most: int) -> int:
        """Examine states from a place on, nearest first; how many of them were new."""
        near, new = [place], 0
        for other in near:
            if new >= most or self.spent():
                break
            new += not other.examined
            self.examine(other)
            near.extend(child for _, child in other.below or () if not child.examined)
        return new

    def over(self, place: Place) -> bool:
        """Is the game over here, as far as can be told without a finding?"""
        if place.terminal is None and not place.examined and not self.spent():
            answer = self.quietly("is_terminal", place.state)
            place.terminal = isinstance(answer, int) and answer != 0
        return place.terminal is True

    # Telling.

    def note(self, kind: str, place: Place | None, what: str, remedy: str = "") -> None:
        """Write down a finding; of each kind, the one with the shortest line of play is kept."""
        kind, count = kind.replace("_", "-"), 0
        if not remedy:
            remedy = next(words for end, words in (REMEDIES | WARNINGS).items() if end in kind)
            remedy = remedy.replace("WITH_DEPTH", with_depth(self.game))
        message = f"{what}: {remedy}."
        if kind in self.found:
            _, first, where, count = self.found[kind]
            if place is None or where is None or place.depth >= where.depth:
                message, place = first, where
        severity = "warning" if any(end in kind for end in WARNINGS) else "error"
        self.found[kind] = severity, message, place, count + 1

    def told(self, error: BaseException) -> str:
        """An exception in the game's own code, with the line where it happened."""
        where = f" ({line})" if (line := self.line_of(error)) else ""
        message = short(error, str)
        return f"{type(error).__name__}{': ' if message else ''}{message}{where}"

    def line_of(self, error: BaseException) -> str:
        """The line of the game's own code where something happened."""
        owners = [owner for owner in type(self.game).__mro__ if owner is not Game]
        codes = [getattr(part, "__code__", None) for owner in owners for part in vars(owner).values()]
        files = {code.co_filename for code in codes if code}
        steps = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        steps = [at for at in steps if at[0] in files] or [at for at in steps if not at[0].startswith(HERE)]
        return f"line {steps[-1][1]} of {Path(steps[-1][0]).name}" if steps else ""

    def findings(self) -> tuple[Finding, ...]:
        """What was found, errors first."""
        findings = []
        for kind, (severity, message, place, count) in list(self.found.items()):
            state = place.state if place else None
            drawn = self._at_last("render", state) if place else ""
            line = []
            while place and place.before:
                is_move = place.action is not CANONICAL
                name = self._at_last("action_name", place.action) if is_move else CANONICAL
                line.append(name if isinstance(name, str) else short(place.action))
                place = place.before
            board = drawn if isinstance(drawn, str) else ""
            findings.append(Finding(kind, severity, message, state, tuple(reversed(line)), board, count))
        return tuple(sorted(findings, key=lambda finding: finding.severity))

    def _at_last(self, method: str, *arguments: Any) -> Any:
        """What a method answers to whoever tells of its faults, or BROKEN."""
        try:
            return self.quietly(method, *arguments)
        except BrokenGameError:
            return BROKEN


def asked(place: Place | None, method: str, arguments: tuple[Any, ...]) -> str:
    """A call of a method, as the reader of a finding would write it."""
    words = ["state" if place and argument is place.state else short(argument) for argument in arguments]
    return f"{method}({', '.join(words)})"
