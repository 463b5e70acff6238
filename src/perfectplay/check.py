"""check_game: is this a lawful game? A linter for the rules that people write.

It explores the game from the start and plays it out at random; every state on the way goes through
CHECKS. What can be said only of many states together comes last, in CHECKS_OF_THE_WHOLE.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf, isclose
from numbers import Integral, Real
from pathlib import Path
from random import Random
from time import perf_counter
from traceback import walk_tb
from typing import Any

from perfectplay.errors import BrokenGameError
from perfectplay.game import MAX, MIN, WORD, Game
from perfectplay.textbook import ALGORITHMS

CALLS = 300_000  # of the game's methods in the exploration, and as many again in the playouts
MANY = 10_000  # actions of one state, after which nobody waits for more
WIDTH, WIDTH_IN_PLAY = 1_000, 20  # actions followed from one state
LENGTH = 1_000  # moves of a playout
ENDGAME, IMAGE = 10, 100  # states examined around the end of a playout, and from a canonical state on

RULES = ("to_move", "is_terminal", "actions", "utility", "initial", "result")
BROKEN: Any = object()  # the answer of a method that has none
REFUSED: Any = object()  # the answer of parse_action to a text that names no legal action

_WITH_DEPTH = " or ".join(algorithm.name for algorithm in ALGORITHMS.values() if algorithm.takes_depth)

REMEDIES = {  # by the end of the kind of finding
    "-raises": "mend that",
    "-changes-state": "leave the state as it is, and make a new one",
    "-not-pure": "let it depend on nothing but what it is given, neither on chance nor on earlier calls",
    "state-without-eq": "use a tuple, or give the class __eq__ and __hash__, for the two are not equal",
    "state-hash-differs": "give the two the same hash, for they are equal",
    "equal-states-differ": "let a state say all that matters, and __eq__ compare all of it",
    "key-of-equal-states": "write a key() that is the same for both",
    "actions-repeated": "give each action once",
    "actions-missing": "end the game there, or give an action, be it a pass",
    "actions-after-end": "give none where the game is over",
    "utility-not-zero-sum": "give a MIN player minus what MAX gets",
    "key-collision": "give every state a key of its own",
    "canonical-not-idempotent": "let a representative represent itself",
    "canonical-changes": "let only states that are the same game share a representative",
    "bounds-false": "claim only what is proven",
    "action-name-ambiguous": "give each a name of its own",
    "parse-action-not-inverse": "let action_name() and parse_action() undo each other",
    "parse-action-accepts-nonsense": "raise ValueError",
}
WARNINGS = {
    "-not-bool": "give True or False",
    "evaluate-not-opposite": "give a MIN player minus what MAX gets",
    "actions-unordered": "give a list",
    "actions-endless": "see that they come to an end",
    "cycle": f"use {_WITH_DEPTH} with a depth, for the other algorithms find no end",
    "too-long": f"use {_WITH_DEPTH} with a depth, for the other algorithms go too deep for Python's stack",
}


@dataclass(frozen=True)
class Finding:
    """One way in which a game breaks the contract, with the shortest line of play that shows it."""

    kind: str  # as in "result-not-pure"
    severity: str  # "error" or "warning"
    message: str
    state: Any  # None where it happened before there was one
    line: tuple[str, ...]  # the moves from the start to the state, in the game's notation
    board: str  # the state as the game draws it, where it can
    count: int  # how often it was seen

    def __str__(self) -> str:
        times = f", seen {self.count:,} times" if self.count > 1 else ""
        rows = [f"{self.severity}: {self.message} [{self.kind}{times}]"]
        if self.state is not None:
            moves = [*self.line[:12], "...", *self.line[-12:]] if len(self.line) > 24 else self.line
            rows.append(f"  after {' '.join(moves)}:" if moves else "  at the start:")
            drawn = [] if self.board == _short(self.state) else self.board.splitlines()
            drawn = [_short(self.state), *drawn[:24], *(["..."] if drawn[24:] else [])]
            rows.extend(f"    {row[:100]}".rstrip() for row in drawn)
        return "\n".join(rows)


@dataclass(frozen=True)
class Report:
    """What check_game found, and how far it looked."""

    game: str
    findings: tuple[Finding, ...]  # errors first
    states: int  # explored from the start
    complete: bool  # are these all that play can reach?
    playouts: int

    @property
    def ok(self) -> bool:
        """Is there no error? Warnings do not count."""
        return all(finding.severity != "error" for finding in self.findings)

    def __str__(self) -> str:
        severities = [finding.severity for finding in self.findings]
        counts = [(severities.count(word), word) for word in ("error", "warning") if word in severities]
        verdict = ", ".join([*(["lawful"] if self.ok else []), *(_counted(*pair) for pair in counts)])
        states = f"{'all ' if self.complete else ''}{_counted(self.states, 'state')}"
        headline = f"{self.game}: {verdict}; {states} and {_counted(self.playouts, 'playout')} checked"
        return "\n\n".join([headline, *map(str, self.findings)])


@dataclass(eq=False, slots=True)
class _Place:
    """A state with the move that led there, and what is known of it."""

    state: Any
    before: _Place | None = None
    action: Any = None
    depth: int = 0
    examined: bool = False
    picture: Any = None  # of a state that can change; None for an int, or a tuple of ints
    twins: int = 0  # equal states that were compared with this one
    mover: int | None = None
    terminal: bool | None = None
    below: list[tuple[Any, _Place]] | None = None  # where the actions lead; None: not known
    whole: bool = True  # are all the actions in `below`?
    claims: tuple[tuple[float, float], ...] = ()  # the bounds to MAX and to MIN
    image: Any = None  # its canonical state, if that is another one
    lower: float = -inf  # lower <= value to MAX <= upper, as far as it is known
    upper: float = inf
    height: int | None = None  # the longest line of play from here; None: there is a cycle


def check_game(
    game: Game[Any, Any], *, states: int = 6_000, playouts: int = 100, seed: int = 0, seconds: float = 5.0
) -> Report:
    """Does `game` keep the contract of `perfectplay.Game`?

    Looks at no more than so many states from the start, and at so many random playouts; the seed
    makes them the same every time. A game whose methods are slow is left after about `seconds`.
    """
    look = _Inspection(game, Random(seed))  # noqa: S311
    start = perf_counter()
    explored, complete, played = 0, False, 0
    try:
        if (state := look.ask(None, "initial")) is not BROKEN:
            root = look.arrive(state, None, None)
            look.allow(start + 0.6 * seconds)
            explored, complete = _explore(look, states)
            look.allow(start + seconds)
            played = _play_out(look, root, playouts)
            for check in CHECKS_OF_THE_WHOLE:
                check(look, root)
    except BrokenGameError:  # it is written down, and what comes after would only follow from it
        complete = False
    except (Exception, SystemExit) as error:
        look.note("state-raises", None, f"comparing states raised {look.told(error)}")
        complete = False
    return Report(type(game).__name__, look.findings(), explored, complete, played)


class _Inspection:
    """A game under inspection: the ways to ask it, the places seen, and what was found."""

    def __init__(self, game: Game[Any, Any], random: Random) -> None:
        self.game = game
        self.random = random
        self.places: dict[Any, _Place] = {}
        self.discovered: list[_Place] = []  # the same, in a list that may grow under a loop
        self.examined = 0
        self.thorough = True  # in a large game, only one state in four gets the costlier checks
        self.keys: dict[int, _Place] = {}
        self.names: dict[Any, Any] = {}
        self.found: dict[str, tuple[str, str, _Place | None, int]] = {}
        self.width = WIDTH
        self.calls = self.last_call = 0
        self.deadline = inf
        self.players: Any = game.players
        if not isinstance(self.players, int) or self.players < 1:
            self.note("players-wrong", None, f"players is {_short(self.players)}", "give a number above 0")
            self.players = 2

    def allow(self, deadline: float) -> None:
        """Begin a part of the work, with calls of its own."""
        self.last_call, self.deadline = self.calls + CALLS, deadline

    def spent(self) -> bool:
        """Is it time to leave this part of the work?"""
        return self.calls > self.last_call or perf_counter() > self.deadline

    def overrides(self, method: str) -> bool:
        """Does the game have its own form of a method?"""
        return getattr(type(self.game), method, None) is not getattr(Game, method)

    # Asking.

    def call(self, place: _Place | None, method: str, *arguments: Any, quiet: bool = False) -> Any:
        """What a method answers; BROKEN, with a finding unless quiet, if it raises an exception."""
        self.calls += 1
        try:
            answer = getattr(self.game, method)(*arguments)
            if method == "actions" and isinstance(answer, Iterable):
                if isinstance(answer, set | frozenset) and not quiet:
                    what = "actions(state) gave a set, whose order can differ from run to run"
                    self.note("actions-unordered", place, what)
                answer = list(islice(answer, MANY + 1))
        except (Exception, SystemExit) as error:
            if method == "parse_action" and isinstance(error, ValueError):
                return REFUSED
            if not quiet:
                what = f"{_asked(place, method, arguments)} raised {self.told(error)}"
                self.note(f"{method}-raises", place, what)
            return BROKEN
        if place and place.picture is not None and _picture(place.state) != place.picture:
            what = f"{_asked(place, method, arguments)} changed the state into {_short(place.state)}"
            self.note(f"{method}-changes-state", place, what)
            raise BrokenGameError(what)
        return answer

    def quietly(self, method: str, *arguments: Any) -> Any:
        """What a method answers, or BROKEN, without a finding."""
        return self.call(None, method, *arguments, quiet=True)

    def ask(self, place: _Place | None, method: str, *arguments: Any) -> Any:
        """What a method answers at any time; BROKEN, with a finding, if there is no such answer.

        The rules are asked just after the move to the state, and again just after another move: a
        game object that remembers the last move gives itself away.
        """
        if place and method in RULES[:4]:
            self._move(place.before, place.action)
        first = self.call(place, method, *arguments)
        if first is BROKEN:
            return BROKEN
        is_right, wish = WANTED[method]
        if not is_right(first):
            what = f"{_asked(place, method, arguments)} gave {_short(first)}"
            self.note(f"{method}-wrong", place, what, wish)
            return BROKEN
        if wish == "give True or False" and not isinstance(first, bool):
            self.note(f"{method}-not-bool", place, f"{method}(state) gave {_short(first)}")
        if method not in RULES and not self.thorough:
            return first
        if method in RULES[:4] and self.discovered[0].below:
            self._move(self.discovered[0], self.discovered[0].below[0][0])
        later = self.call(place, method, *arguments)
        same = later is not BROKEN and _same(first, later)
        if later is BROKEN or (same and (method not in RULES[4:] or hash(first) == hash(later))):
            return later
        what = f"{_asked(place, method, arguments)} gave {_short(first)} and then {_short(later)}"
        if same:
            self.note("state-hash-differs", place, what)
        elif method in RULES[4:] and _picture(first) == _picture(later):
            self.note("state-without-eq", place, what)
        else:
            self.note(f"{method}-not-pure", place, what)
        return BROKEN

    def _move(self, before: _Place | None, action: Any) -> None:
        if before is None:
            self.quietly("initial")
        else:
            self.quietly("result", before.state, action)

    # Getting around.

    def arrive(self, state: Any, before: _Place | None, action: Any) -> _Place:
        """The place of a state that this move has led to."""
        place = self.places.get(state)
        if place is None:
            place = self.places[state] = _Place(state, before, action, before.depth + 1 if before else 0)
            self.discovered.append(place)
        return place

    def examine(self, place: _Place) -> None:
        """Put a place through all the checks, once."""
        if not place.examined:
            place.examined = True
            place.picture = None if _is_plain(place.state) else _picture(place.state)
            self.examined += 1
            self.thorough = self.examined <= 200 or self.examined % 4 == 0
            for check in CHECKS:
                check(self, place)

    def over(self, place: _Place) -> bool:
        """Is the game over here, as far as can be told without a finding?"""
        if place.terminal is None and not place.examined and not self.spent():
            answer = self.quietly("is_terminal", place.state)
            place.terminal = isinstance(answer, int) and answer != 0
        return place.terminal is True

    # Telling.

    def note(self, kind: str, place: _Place | None, what: str, remedy: str = "") -> None:
        """Write down a finding; of each kind, the one with the shortest line of play is kept."""
        kind, count = kind.replace("_", "-"), 0
        if not remedy:
            remedy = next(words for end, words in (REMEDIES | WARNINGS).items() if end in kind)
        message = f"{what}: {remedy}."
        if kind in self.found:
            _, first, where, count = self.found[kind]
            if place is None or where is None or place.depth >= where.depth:
                message, place = first, where
        severity = "warning" if any(end in kind for end in WARNINGS) else "error"
        self.found[kind] = severity, message, place, count + 1

    def told(self, error: BaseException) -> str:
        """An exception in the game's own code, with the line where it happened."""
        owners = [owner for owner in type(self.game).__mro__ if owner is not Game]
        codes = [getattr(part, "__code__", None) for owner in owners for part in vars(owner).values()]
        files = {code.co_filename for code in codes if code}
        steps = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        steps = [at for at in steps if at[0] in files] or [at for at in steps if at[0] != __file__]
        where = f" (line {steps[-1][1]} of {Path(steps[-1][0]).name})" if steps else ""
        message = str(error).strip().partition("\n")[0][:100]
        return f"{type(error).__name__}{': ' if message else ''}{message}{where}"

    def findings(self) -> tuple[Finding, ...]:
        """What was found, errors first."""
        findings = []
        for kind, (severity, message, place, count) in self.found.items():
            state = place.state if place else None
            drawn = self.quietly("render", state) if place else ""
            line = []
            while place and place.before:
                name = self.quietly("action_name", place.action)
                line.append(name if isinstance(name, str) else _short(place.action))
                place = place.before
            board = drawn if isinstance(drawn, str) else ""
            findings.append(Finding(kind, severity, message, state, tuple(reversed(line)), board, count))
        return tuple(sorted(findings, key=lambda finding: finding.severity))


# The ways to reach states.


def _explore(look: _Inspection, states: int) -> tuple[int, bool]:
    """Examine states breadth first; how many there were, and whether these are all."""
    for explored, place in enumerate(look.discovered):
        if explored >= states or look.spent():
            return explored, False
        look.examine(place)
    complete = all(place.whole and place.below is not None for place in look.discovered)
    return len(look.discovered), complete


def _play_out(look: _Inspection, root: _Place, playouts: int) -> int:
    """Examine the states on random lines of play, and around their ends; how many lines there were.

    Every second line shuns the moves that end the game, to get where little is left to play.
    """
    look.width = WIDTH_IN_PLAY
    for played in range(playouts):
        line = [root]
        while not look.spent():
            look.examine(line[-1])
            if not line[-1].below or len(line) > LENGTH:
                break
            choices = [look.random.choice(line[-1].below)[1] for _ in range(6 if played % 2 else 1)]
            line.append(next((place for place in choices if not look.over(place)), choices[0]))
        left = ENDGAME
        for place in reversed(line):
            left -= _examine_below(look, place, left)
        if look.spent():
            return played
    return playouts


def _examine_below(look: _Inspection, place: _Place, most: int) -> int:
    """Examine states from a place on, nearest first; how many of them were new."""
    near, new = [place], 0
    for other in near:
        if new >= most or look.spent():
            break
        new += not other.examined
        look.examine(other)
        near.extend(child for _, child in other.below or () if not child.examined)
    return new


# The checks of one state.


def _check_rules(look: _Inspection, place: _Place) -> None:
    """Whose turn it is, whether the game is over, and where the actions lead."""
    turn = look.ask(place, "to_move", place.state)
    if turn is not BROKEN and turn >= look.players:
        what, remedy = f"to_move(state) gave {turn}", f"count from 0, and set players, now {look.players}"
        look.note("to-move-wrong", place, what, remedy)
    elif turn is not BROKEN:
        place.mover = turn
    over = look.ask(place, "is_terminal", place.state)
    actions = look.ask(place, "actions", place.state)
    place.terminal = None  # until the actions agree
    if over is BROKEN or actions is BROKEN:
        return
    what = f"is_terminal(state) is {over}, and actions(state) gave {_short(actions)}"
    if over and actions:
        look.note("actions-after-end", place, what)
    elif not over and not actions:
        look.note("actions-missing", place, what)
    elif len(set(actions)) < len(actions):
        look.note("actions-repeated", place, f"actions(state) gave {_short(actions)}")
    else:
        place.terminal = bool(over)
        _follow(look, place, actions)


def _follow(look: _Inspection, place: _Place, actions: list[Any]) -> None:
    """Make the moves; a state that was there already is compared with its equal."""
    if len(actions) > MANY:
        look.note("actions-endless", place, f"actions(state) gave more than {MANY:,}")
    place.below = []
    for action in actions if len(actions) <= look.width else look.random.sample(actions, look.width):
        state = look.ask(place, "result", place.state, action)
        if state is not BROKEN:
            successor = look.arrive(state, place, action)
            place.below.append((action, successor))
            _check_equal_states(look, successor, state)
            if not _is_plain(state):
                _check_equal_states(look, successor, look.quietly("result", place.state, action))
    place.whole = len(place.below) == len(actions)


def _check_equal_states(look: _Inspection, place: _Place, twin: Any) -> None:
    """States that are equal stand for each other in a table, so they must give equal answers."""
    if twin is place.state or place.twins > 3 or (_is_plain(twin) and repr(twin) == repr(place.state)):
        return
    place.twins += 1
    for method in ("to_move", "is_terminal", "actions", "key"):
        mine, its = look.quietly(method, place.state), look.quietly(method, twin)
        if mine is not BROKEN and its is not BROKEN and not _same(mine, its):
            what = f"{method}(state) is {_short(mine)}, and {_short(its)} for the equal state {_short(twin)}"
            look.note("key-of-equal-states" if method == "key" else "equal-states-differ", place, what)
            return


def _check_worth(look: _Inspection, place: _Place) -> None:
    """The worth to each player, and to MAX again after the others; it must add up to nothing."""
    method = "utility" if place.terminal else "evaluate"
    if place.terminal is None or not look.overrides(method):
        return
    players = range(min(look.players, 8))
    worths = [look.ask(place, method, place.state, player) for player in (*players, MAX)]
    if any(worth is BROKEN for worth in worths):
        return
    if place.terminal:
        place.lower = place.upper = worths[MAX]
    for player in players[1:]:
        if not isclose(worths[player], -worths[MAX], rel_tol=1e-9, abs_tol=1e-9):
            what = f"{method}(state, 0) is {_short(worths[MAX])}"
            what = f"{what}, and {method}(state, {player}) is {_short(worths[player])}"
            look.note("utility-not-zero-sum" if place.terminal else "evaluate-not-opposite", place, what)


def _check_key(look: _Inspection, place: _Place) -> None:
    """A key is an integer below 2**64 that no other state has."""
    key = look.ask(place, "key", place.state)
    other = place if key is BROKEN else look.keys.setdefault(key, place)
    if other is not place:
        what = f"key(state) is {key} for {_short(other.state)} and for {_short(place.state)}"
        look.note("key-collision", place, what)


def _check_canonical(look: _Inspection, place: _Place) -> None:
    """The representative of a state represents itself, and is the same game for the same player."""
    image = look.ask(place, "canonical", place.state) if look.overrides("canonical") else place.state
    if image is BROKEN or _same(image, place.state):
        return
    place.image = image
    again = look.call(place, "canonical", image)
    if again is not BROKEN and not _same(again, image):
        what = f"canonical(state) is {_short(image)}, whose own canonical state is {_short(again)}"
        look.note("canonical-not-idempotent", place, what)
    questions: list[tuple[str, tuple[int, ...]]] = [("to_move", ()), ("is_terminal", ()), ("utility", (MAX,))]
    for method, player in questions if place.terminal else questions[:2]:
        mine, its = look.quietly(method, place.state, *player), look.call(place, method, image, *player)
        if mine is not BROKEN and its is not BROKEN and not _same(mine, its):
            what = f"{method}() gives {_short(mine)}, and {_short(its)} for the canonical {_short(image)}"
            look.note(f"canonical-changes-{method}", place, what)
            return


def _check_hints(look: _Inspection, place: _Place) -> None:
    """What helps a search: the limits of the value, the order of the actions, quiet states."""
    if look.overrides("bounds"):
        claims = [look.ask(place, "bounds", place.state, player) for player in (MAX, MIN)]
        place.claims = () if any(claim is BROKEN for claim in claims) else tuple(claims)
    if place.below and look.overrides("order"):
        for action, _ in look.random.sample(place.below, min(len(place.below), 8)):
            look.ask(place, "order", place.state, action)
    if place.below and look.overrides("is_quiet"):
        look.ask(place, "is_quiet", place.state)


def _check_notation(look: _Inspection, place: _Place) -> None:
    """What people see and type: the board, and a name for every action that can be read back."""
    if not look.thorough:
        return
    look.ask(place, "render", place.state)
    look.call(place, "scene", place.state)
    actions: dict[str, Any] = {}
    for action, _ in place.below or ():
        if action not in look.names:
            look.names[action] = look.ask(place, "action_name", action)
        name = look.names[action]
        if name is BROKEN:
            return
        if name in actions:
            what = f"the actions {_short(actions[name])} and {_short(action)} are both called {name!r}"
            return look.note("action-name-ambiguous", place, what)
        actions[name] = action
    for name in look.random.sample(list(actions), min(len(actions), 3)):
        answer = look.call(place, "parse_action", place.state, name)
        if answer is not BROKEN and not _same(answer, actions[name]):
            reads = "refuses" if answer is REFUSED else f"reads as {_short(answer)}"
            what = f"the action {_short(actions[name])} is called {name!r}, which parse_action() {reads}"
            look.note("parse-action-not-inverse", place, what)
    text = look.random.choice(["", "?!", look.names.get(place.action, "no such move")])
    answer = look.call(place, "parse_action", place.state, text)
    legal = (REFUSED, BROKEN, *look.quietly("actions", place.state))
    if not any(_same(answer, action) for action in legal):
        what = f"parse_action(state, {text!r}) gave {_short(answer)}, which is not a legal action"
        look.note("parse-action-accepts-nonsense", place, what)


CHECKS: tuple[Callable[[_Inspection, _Place], None], ...] = (
    _check_rules,
    _check_worth,
    _check_key,
    _check_canonical,
    _check_hints,
    _check_notation,
)


# The checks of all states together.


def _check_start(look: _Inspection, root: _Place) -> None:
    """A new game begins where the first one did."""
    later = look.call(None, "initial")
    if later is not BROKEN and not _same(later, root.state):
        look.note("initial-not-pure", root, f"initial() gave this state, and {_short(later)} after some play")


def _check_ends(look: _Inspection, root: _Place) -> None:
    """Does every line of play come to an end, and before Python's stack does?"""
    _settle(look)
    if root.height is None:
        place, moves = _cycle(root)
        look.note(
            "cycle", place, f"the state {_short(place.state)} comes back after {_counted(moves, 'move')}"
        )
    elif 2 * root.height > sys.getrecursionlimit() - 100:  # the dispatch form goes down twice a move
        look.note("too-long", root, f"a line of play goes on for {root.height:,} moves or more")


def _cycle(root: _Place) -> tuple[_Place, int]:
    """A state that comes back, at the end of a line that passes it twice, and the moves between."""
    line: dict[_Place, int] = {}
    place = root
    while place not in line:  # what can reach a cycle has a successor that can, too
        line[place] = len(line)
        returning = [child for _, child in place.below or () if child.height is None]
        place = min(returning, key=lambda child: child.depth)
    cycle = [*list(line)[line[place] :], place]
    for here, there in pairwise(cycle):
        action = next(action for action, child in here.below or () if child is there)
        place = _Place(there.state, place, action, place.depth + 1)
    return place, len(cycle) - 1


def _check_values(look: _Inspection, root: _Place) -> None:
    """Are `bounds` and `canonical` true to the values, where these are known?"""
    spoilt = ("state-", "equal-", "players-", *(method.replace("_", "-") for method in RULES))
    if any(kind.startswith(spoilt) for kind, found in look.found.items() if found[0] == "error"):
        return
    for place in list(look.places.values()):
        known = place.lower == place.upper and place.image is not None
        if known and place.image not in look.places and not look.spent():
            _examine_below(look, look.arrive(place.image, place, "canonical()"), IMAGE)
    _settle(look)  # once more, with these
    for place in look.places.values():
        values = (place.lower, place.upper), (-place.upper, -place.lower)
        for player, claim in enumerate(place.claims):
            if not _overlap(claim, values[player]):
                what = (
                    f"bounds(state, {player}) is {_short(claim)}, and the value is {_limits(values[player])}"
                )
                look.note("bounds-false", place, what)
        image = None if place.image is None else look.places.get(place.image)
        if image and not _overlap((image.lower, image.upper), values[MAX]):
            its = f"{_limits((image.lower, image.upper))} for the canonical {_short(image.state)}"
            look.note(
                "canonical-changes-value", place, f"the value to MAX is {_limits(values[MAX])}, and {its}"
            )


CHECKS_OF_THE_WHOLE: tuple[Callable[[_Inspection, _Place], None], ...] = (
    _check_start,
    _check_ends,
    _check_values,
)


def _settle(look: _Inspection) -> None:
    """Work out heights and values from the ends of the game backwards, without recursion.

    A state above a cycle gets neither; one that was not followed may have any value.
    """
    above: dict[_Place, list[_Place]] = defaultdict(list)
    unsettled: dict[_Place, int] = {}
    for place in look.places.values():
        place.height = None
        unsettled[place] = len(place.below or ())
        for _, child in place.below or ():
            above[child].append(place)
    settled = [place for place, children in unsettled.items() if children == 0]
    for place in settled:
        _settle_one(look, place, [child for _, child in place.below or ()])
        for parent in above[place]:
            unsettled[parent] -= 1
            if unsettled[parent] == 0:
                settled.append(parent)


def _settle_one(look: _Inspection, place: _Place, children: list[_Place]) -> None:
    place.height = max((1 + (child.height or 0) for child in children), default=0)
    if not children and not place.examined and look.over(place):
        worth = look.quietly("utility", place.state, MAX)
        if _is_finite(worth):
            place.lower = place.upper = worth
    elif children and place.mover is not None:
        best = max if place.mover == MAX else min
        place.lower = best(child.lower for child in children)
        place.upper = best(child.upper for child in children)
        if not place.whole and place.mover == MAX:
            place.upper = inf
        elif not place.whole:
            place.lower = -inf


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] + 1e-9 and other[0] <= one[1] + 1e-9


def _limits(value: tuple[float, float]) -> str:
    return f"{value[0]:g}" if value[0] == value[1] else f"{value[0]:g} to {value[1]:g}"


# What an answer must be, and how to say so.


def _is_state(answer: Any) -> bool:
    try:
        hash(answer)
    except Exception:
        return False
    return answer is not None


def _is_list_of_actions(answer: Any) -> bool:
    return isinstance(answer, list) and all(map(_is_state, answer))


def _is_finite(answer: Any) -> bool:
    return isinstance(answer, Real) and abs(answer) <= sys.float_info.max


def _is_interval(answer: Any) -> bool:
    numbers = isinstance(answer, tuple | list) and all(isinstance(number, Real) for number in answer)
    return numbers and len(answer) == 2 and bool(answer[0] <= answer[1])


def _is(*kinds: type, lower: float = -inf, upper: float = inf) -> Callable[[Any], bool]:
    return lambda answer: isinstance(answer, kinds) and lower <= answer <= upper


def _is_text(answer: Any) -> bool:
    return isinstance(answer, str)


WANTED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "initial": (_is_state, "give a state that has a hash and cannot change, such as a tuple"),
    "to_move": (_is(Integral, lower=0), "give a player, 0 for MAX or 1 for MIN"),
    "actions": (_is_list_of_actions, "give a list, a tuple or a generator, of values such as ints or tuples"),
    "result": (_is_state, "give a state that has a hash and cannot change, such as a tuple"),
    "is_terminal": (_is(int), "give True or False"),
    "utility": (_is_finite, "give a finite number"),
    "evaluate": (_is_finite, "give a finite number"),
    "key": (_is(Integral, lower=0, upper=WORD), "give an integer from 0 to 2**64 - 1"),
    "order": (_is(Real), "give a number"),
    "bounds": (_is_interval, "give a pair of numbers, lower <= upper"),
    "canonical": (_is_state, "give a state"),
    "is_quiet": (_is(int), "give True or False"),
    "render": (_is_text, "give a str"),
    "action_name": (_is_text, "give a str"),
}


# Values of any kind, well-behaved or not.


def _same(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(one == other)
    except Exception:
        return False


def _is_plain(value: Any) -> bool:
    """Is it made of ints and the like, which never change?"""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return type(value) in (int, str, bool, float, bytes, type(None))


def _picture(value: Any, depth: int = 6) -> Any:
    """What a value looks like inside, whatever its class says about equality."""
    if depth == 0 or callable(value):
        return type(value)
    if isinstance(value, dict):
        return type(value), [
            (_picture(key, depth - 1), _picture(part, depth - 1)) for key, part in value.items()
        ]
    if isinstance(value, set | frozenset):
        return type(value), sorted(map(_short, value))
    if isinstance(value, list | tuple):
        return type(value), [_picture(part, depth - 1) for part in value]
    slots = [slot for owner in type(value).__mro__ for slot in getattr(owner, "__slots__", ())]
    inside = getattr(value, "__dict__", None) or {slot: getattr(value, slot, None) for slot in slots}
    return (type(value), _picture(inside, depth - 1)) if inside else (type(value), repr(value))


def _asked(place: _Place | None, method: str, arguments: tuple[Any, ...]) -> str:
    words = ["state" if place and argument is place.state else _short(argument) for argument in arguments]
    return f"{method}({', '.join(words)})"


def _short(value: Any) -> str:
    """The value as Python writes it, on one line of no great length."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"<a {type(value).__name__} without a repr>"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
