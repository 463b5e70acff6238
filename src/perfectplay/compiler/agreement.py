"""Agreement: compiled rules are asked what Python's are asked, about the same states, and must say the same.

Machine code may differ where integers leave 64 bits, or in what a division or a power makes of negative
numbers. So nothing compiled is used before it was compared: on lines of play of several kinds, since what
differs is often rare, and on the states that a search finds best. What was found of some rules is known to
whoever compiles them next in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from perfectplay.compiler.digest import code_digest
from perfectplay.compiler.object_memory import leaves_of
from perfectplay.compiler.state_kind import alike
from perfectplay.game import MAX, MIN, WORD, Game

CALLS = 1500  # of the rules in Python, after which no more lines are begun
LINES = 24
LENGTH = 120  # moves of a line
COMPARED = 8  # states of a line, of which so many at its end
ENDING = 5
WIDTH = 6  # actions of a state that are tried
TRIED = 40  # actions, for one after which the game goes on
MANY = 10_000  # actions of one state, after which nobody waits for more
LATER = 32  # states of best lines that are compared, for all engines of some rules

Rules = dict[str, tuple[Any, str]]  # methods in machine code, as `compiled_rules` gives them
HOOKS = ("evaluate", "order", "candidates", "bounds", "canonical", "key", "is_quiet")
NOTHING: Any = object()  # the answer of rules that have none


class Difference(NamedTuple):
    """A question that machine code answers in another way than Python."""

    method: str
    state: Any
    interpreted: Any
    compiled: Any

    def __str__(self) -> str:
        answers = f"{_short(self.interpreted)} in Python and {_short(self.compiled)} in machine code"
        return f"`{self.method}` gives {answers} for the state {_short(self.state)}"


@dataclass
class Agreement:
    """What is known of some rules: where they differ, if they do, and how many states may yet be compared."""

    rules: Rules  # compiled
    difference: str | None = None  # in a sentence
    seen: set[Any] = field(default_factory=set)
    left: int = LATER

    def compare(self, game: Game[Any, Any], states: Iterable[Any]) -> str | None:
        """Where the rules differ, after a look at these states."""
        comparison = Comparison(game, self.rules, self.seen)
        for state in states:
            if self.difference is None and (found := comparison.of_state(state)):
                self.difference = str(found)
        return self.difference

    def compare_some(self, game: Game[Any, Any], states: Iterable[Any]) -> str | None:
        """The same after a look at some of them, and at fewer the more were compared this way before."""
        some = [] if self.left <= 0 else [state for state in states if state not in self.seen][: self.left]
        self.left -= len(some)
        return self.compare(game, some) if some else self.difference


_known: dict[str, Agreement] = {}  # by the digest of the rules


def known_agreement(game: Game[Any, Any], rules: Rules) -> Agreement:
    """What is known of the rules of a game, which are compared when somebody asks for the first time."""
    digest = code_digest(game)
    if digest not in _known:
        comparison = Comparison(game, rules)
        found = comparison.of_lines()
        _known[digest] = Agreement(rules, None if found is None else str(found), comparison.seen)
    return _known[digest]


class Comparison:
    """The rules of a game in Python and in machine code, side by side."""

    def __init__(self, game: Game[Any, Any], rules: Rules, seen: set[Any] | None = None) -> None:
        own = {name for name in rules if getattr(type(game), name) is not getattr(Game, name)}
        self.game = game
        self.start = game.initial()
        self.rules = {name: rule for name, (rule, _) in rules.items() if name not in HOOKS or name in own}
        self.random = Random(0)  # noqa: S311 - nothing secret hangs on it
        self.seen: set[Any] = set() if seen is None else seen
        self.width = WIDTH
        self.calls = 0

    # Where to look.

    def of_lines(self) -> Difference | None:
        """The first difference on lines of play from the start, or None."""
        wide: list[Callable[[Any, Sequence[Any]], Any]] = [
            self._first,
            self._last,
            self._lasting,
            self._growing,
        ]
        for number in range(LINES):
            choose = wide[number] if number < len(wide) else (self._any, self._lasting)[number % 2]
            line = self._line(choose)
            early = line[:-ENDING]
            some = self.random.sample(early, min(len(early), COMPARED - ENDING))
            for state in [*some, *line[-ENDING:]]:
                if found := self.of_state(state):
                    return found
            if self.calls > CALLS:
                break
        return None

    def _line(self, choose: Callable[[Any, Sequence[Any]], Any]) -> list[Any]:
        """States from the start on, by a way to choose, until rules end the game or raise an error."""
        line = [self.start]
        while len(line) < LENGTH and self._ask("is_terminal", line[-1]) is False:
            actions = self._ask("actions", line[-1])
            child = choose(line[-1], actions) if actions is not NOTHING and actions else NOTHING
            if child is NOTHING:
                break
            line.append(child)
        return line

    def _first(self, state: Any, actions: Sequence[Any]) -> Any:
        return self._ask("result", state, actions[0])

    def _last(self, state: Any, actions: Sequence[Any]) -> Any:
        return self._ask("result", state, actions[-1])

    def _any(self, state: Any, actions: Sequence[Any]) -> Any:
        return self._ask("result", state, self.random.choice(actions))

    def _lasting(self, state: Any, actions: Sequence[Any]) -> Any:
        """A child where the game goes on, if there is one: what is rare comes late."""
        child = NOTHING
        for action in self.random.sample(actions, min(len(actions), TRIED)):
            child = self._ask("result", state, action)
            if child is NOTHING or self._ask("is_terminal", child) is False:
                break
        return child

    def _growing(self, state: Any, actions: Sequence[Any]) -> Any:
        """The child with the largest numbers."""
        children = [self._ask("result", state, action) for action in self._some(actions)]
        return max((child for child in children if child is not NOTHING), key=_size, default=NOTHING)

    def _some(self, actions: Sequence[Any]) -> list[Any]:
        """The first and the last, and a few between them."""
        if len(actions) <= self.width:
            return list(actions)
        return [actions[0], *self.random.sample(actions[1:-1], self.width - 2), actions[-1]]

    # What to compare.

    def of_state(self, state: Any) -> Difference | None:
        """The first question about a state, or the moves from it, that is answered in two ways."""
        if state in self.seen:
            return None
        self.seen.add(state)
        over = self._ask("is_terminal", state)
        actions = self._ask("actions", state)
        questions: list[tuple[Any, ...]] = [("to_move",), ("is_terminal",), ("actions",), ("key",)]
        questions += [("canonical",), ("bounds", MAX), ("bounds", MIN)]
        if over is True:
            questions += [("utility", MAX), ("utility", MIN)]
        elif over is False and actions is not NOTHING:
            questions += [("candidates",), ("is_quiet",), ("evaluate", MAX), ("evaluate", MIN)]
            for action in self._some(actions):
                questions += [("result", action), ("order", action)]
        for method, *more in questions:
            if found := self._difference(method, state, *more):
                return found
        return self._below(state, actions) if over is False and actions is not NOTHING else None

    def _below(self, state: Any, actions: Sequence[Any]) -> Difference | None:
        """The first difference about whether moves end the game, and for whom."""
        for action in self._some(actions):
            child = self._ask("result", state, action)
            if child is NOTHING:
                continue
            if found := self._difference("is_terminal", child):
                return found
            if self._ask("is_terminal", child) is True and (
                found := self._difference("utility", child, MAX) or self._difference("utility", child, MIN)
            ):
                return found
        return None

    def _difference(self, method: str, state: Any, *more: Any) -> Difference | None:
        if method not in self.rules:
            return None
        interpreted = self._ask(method, state, *more)
        if interpreted is NOTHING:
            return None
        given = _as_words(state) if alike(state, self.start) else state
        try:
            compiled = self.rules[method](self.game, given, *more)
        except Exception as error:  # of the rules, of the compiler, or of a number beyond 64 bits
            return Difference(method, state, interpreted, error)
        states = method in ("result", "canonical", "key")
        same = _as_words(interpreted) == _as_words(compiled) if states else interpreted == compiled
        return None if same else Difference(method, state, interpreted, compiled)

    def _ask(self, method: str, *arguments: Any) -> Any:
        """What Python answers, or NOTHING: rules that raise errors are for `check_game` to find."""
        self.calls += 1
        try:
            answer = getattr(self.game, method)(*arguments)
            if method in ("actions", "candidates"):
                answer = list(islice(answer, MANY + 1))
                return NOTHING if len(answer) > MANY else answer
            return bool(answer) if method in ("is_terminal", "is_quiet") else answer
        except Exception:
            return NOTHING


def _as_words(state: Any) -> Any:
    """A state with its integers as machine code has them, with a sign, where they fit into 64 bits."""
    if isinstance(state, tuple):
        fields = map(_as_words, state)
        return type(state)(*fields) if hasattr(state, "_fields") else tuple(fields)
    return state - WORD - 1 if isinstance(state, int) and WORD >> 1 < state <= WORD else state


def _size(state: Any) -> float:
    """How large the numbers of a state are."""
    try:
        return max(map(abs, leaves_of(state)))
    except (TypeError, ValueError):
        return 0


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
