"""Comparing: before machine code is trusted, every rule is asked on observed states, there and in Python."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from time import perf_counter, process_time
from typing import Any, NamedTuple

from perfectplay.compiler import traps
from perfectplay.compiler.faults import contained
from perfectplay.compiler.observing import Observed, observe
from perfectplay.compiler.program import Instance
from perfectplay.compiler.reading import Obstacle, Untrusted, said
from perfectplay.compiler.rules import Rules, obstacles_in
from perfectplay.compiler.shapes import KEPT, fields_of, struct_names
from perfectplay.compiler.traps import Misfit, Trap
from perfectplay.game import CHANCE, WORD, Game, choices
from perfectplay.watchdog import watched

STATES = 240  # that are asked about
ACTIONS = 12  # of each
SECONDS = 2.0  # after which slow rules are asked no more, but for so many states
FEWEST = 24
RARE = 0.1  # of the questions to a rule, at most, may lead to numbers that only Python holds
TRIES = 24  # compilations, each with what the one before has shown
LISTS = ("actions", "candidates", "chances")
NUMBERS = ("utility", "evaluate", "order")


def trusted(game: Game[Any, Any], observed: Observed | None = None) -> Observed:
    """What machine code for a game must know; Untrusted if it would not answer as Python does."""
    observed = observed or observe(game)
    for _ in range(TRIES):
        try:
            with contained():
                rules = Rules(game, observed, quick=True)
        except Obstacle as obstacle:
            first = _explained(game, observed, obstacle)
            raise Untrusted(said(first)) from first
        trap = disagreement(rules, observed)
        if trap is None:
            return observed
        line = traps.line_in(trap.status)
        if traps.code_in(trap.status) != traps.OVERFLOW or line in observed.wide_lines:
            met = _met(rules, trap)
            where = f"`{met.function.name}` line {met.line}" if met.function else f"line {line}"
            raise Untrusted(f"{where}: {met.what}") from met
        observed.wide_lines.add(line)
    raise Untrusted("its numbers need more than 64 bits in too many places")


def _explained(game: Game[Any, Any], observed: Observed, obstacle: Obstacle) -> Obstacle:
    """The first of all obstacles, where rules cannot be compiled."""
    found: list[Obstacle] = []
    with suppress(Untrusted), contained():
        found = obstacles_in(game, observed)
    found = found or [obstacle, *obstacle.others]
    found[0].others = found[1:]
    return found[0]


def _met(rules: Rules, trap: Trap) -> Obstacle:
    """A trap as an obstacle at its line of the rules, or at the rule that calls what is ours."""
    line, code = traps.line_in(trap.status), traps.code_in(trap.status)
    met = Obstacle(traps.said(trap.status), traps.REMEDIES.get(code, ""))
    there = [one for one in rules.program.live if _holds(one, line)]
    there.sort(key=lambda one: one.function.is_ours)
    for one in there:  # which grows while it is walked through
        if not one.function.is_ours:
            met.function = one.function
            met.node = ast.Pass(lineno=line if _holds(one, line) else one.function.node.lineno)
            break
        there += [caller for caller in one.callers if caller not in there]
    return met


def _holds(one: Instance, line: int) -> bool:
    node = one.function.node
    return node.lineno <= line <= (node.end_lineno or 0)


def disagreement(rules: Rules, observed: Observed, states: Iterable[Any] | None = None) -> Trap | None:
    """The first trap that Python knows nothing of; Untrusted where answers differ.

    Asked about are states that play has shown, or these.
    """
    progress = [0]
    with watched(lambda: progress[0]):
        return _disagreement(rules, chosen(observed) if states is None else states, progress)


def _disagreement(rules: Rules, states: Iterable[Any], progress: list[int]) -> Trap | None:
    asked: Counter[str] = Counter()
    large: dict[str, list[Trap]] = {}  # by the rule: numbers that 128 bits do not hold
    for progress[0], (name, arguments) in enumerate(_asked(rules, states)):
        asked[name] += 1
        try:
            found = difference(rules, name, arguments)
        except Trap as trap:
            if not _is_too_large(rules, trap):
                return trap
            large.setdefault(name, []).append(trap)
            continue
        except Misfit:
            raise Untrusted(f"`{name}` is asked about {arguments!r}, which is unlike all others") from None
        if found is not None:
            raise Untrusted(str(found))
    return next((met[0] for name, met in large.items() if len(met) > RARE * asked[name]), None)


def _is_too_large(rules: Rules, trap: Trap) -> bool:
    """Did a number need more bits than there are? Where that is rare, Python is asked when it happens."""
    wide = traps.line_in(trap.status) in rules.program.wide_lines
    return wide and traps.code_in(trap.status) == traps.OVERFLOW


class Difference(NamedTuple):
    """A question that machine code answers in another way than Python."""

    rule: str
    arguments: tuple[Any, ...]
    interpreted: str
    compiled: str

    @property
    def state(self) -> Any:
        """What it is about."""
        return self.arguments[0]

    def __str__(self) -> str:
        where = ", ".join(map(repr, self.arguments))
        return f"`{self.rule}({where})` is {self.interpreted} in Python and {self.compiled} in machine code"


def difference(rules: Rules, name: str, arguments: tuple[Any, ...]) -> Difference | None:
    """How two answers to a question differ; Trap or Misfit where only Python has one."""
    raised: BaseException | None = None
    expected: Any = None
    before = _contents(arguments[0]) if rules.keeps else None
    try:
        expected = getattr(rules.game, name)(*arguments)
        if name in LISTS:
            expected = list(expected)
    except Exception as error:
        raised = error
    if rules.keeps and _contents(arguments[0]) != before:
        raise Untrusted(f"`{name}` changes the state that it is asked about, {arguments[0]!r}; change a copy")
    try:
        with contained():
            found = rules.ask(name, *arguments)
    except Trap:
        if raised is None:
            raise
        return None
    if raised is None and same_answer(name, found, expected):
        return None
    return Difference(name, arguments, type(raised).__name__ if raised else repr(expected), repr(found))


def _contents(value: Any) -> Any:
    """All that is in a state, in a form that does not change with it."""
    if isinstance(value, tuple) or type(value) in KEPT or struct_names(type(value)):
        parts = value if isinstance(value, tuple) else fields_of(value)
        return type(value), *map(_contents, parts)
    return value


def first_difference(rules: Rules, states: Iterable[Any]) -> Difference | None:
    """The first question about these states with two answers, left aside what is left to Python."""
    for name, arguments in _asked(rules, states):
        with suppress(Trap, Misfit):
            if found := difference(rules, name, arguments):
                return found
    return None


def chosen(observed: Observed) -> list[Any]:
    """States as different as play has shown, those at the ends of lines among them."""
    step = max(1, len(observed.states) // max(1, STATES - len(observed.late)))
    return list(dict.fromkeys([*observed.late, *observed.states[::step]]))


def _asked(rules: Rules, states: Iterable[Any]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every question to ask about states; where rules are slow, about fewer of them."""
    game = rules.game
    players = range(getattr(game, "players", 2))
    began = process_time(), perf_counter()
    for number, state in enumerate(states):
        slow = max(process_time() - began[0], (perf_counter() - began[1]) / 3) > SECONDS
        if slow and number >= FEWEST:
            return
        over = game.is_terminal(state)
        rolls = not over and rules.has_chance and game.to_move(state) == CHANCE
        actions = [] if over else list(choices(game, state))
        for name, takes in rules.questions.items():
            if name in ("utility",) and not over:
                continue
            if name in ("evaluate", "bounds", "actions", "candidates", "chances") and over:
                continue
            if name in (("actions", "candidates", "order") if rolls else ("chances",)):
                continue
            if takes == "s":
                yield name, (state,)
            elif takes == "sp":
                for player in players:
                    yield name, (state, player)
            elif takes == "n":
                yield from ((name, (number,)) for number in _packed(game, state))
            elif takes == "tr":
                yield from ((name, ranked) for ranked in _ranked(game, state))
            else:
                for action in actions[:: max(1, len(actions) // ACTIONS)]:
                    yield name, (state, action)


def _packed(game: Game[Any, Any], state: Any) -> list[int]:
    """The number of a state; none where `pack` fails, which is asked about it as well."""
    try:
        return [game.pack(state)]
    except Exception:
        return []


def _ranked(game: Game[Any, Any], state: Any) -> list[tuple[int, int]]:
    """The tier and the rank of what stands for a state; nothing where one of these fails."""
    try:
        chosen = game.canonical(state)
        return [(game.tier(chosen), game.rank(chosen))]
    except Exception:
        return []


def same_answer(name: str, found: Any, expected: Any) -> bool:
    """Is it the same answer, as far as anyone could tell?"""
    if name in NUMBERS and _is_number(found) and _is_number(expected):
        return float(found) == float(expected) or (found != found and expected != expected)
    if name == "key":
        return bool(found & WORD == expected & WORD)
    if name in ("is_terminal", "is_quiet"):
        return bool(found) == bool(expected)
    if name == "bounds":
        return tuple(map(float, found)) == tuple(map(float, expected))
    if name in LISTS:
        return len(found) == len(expected) and all(map(_alike, found, expected))
    return _alike(found, expected)


def _is_number(value: Any) -> bool:
    """Is it a number, or what float() takes for one?"""
    return isinstance(value, int | float) or hasattr(value, "__float__")


def _alike(found: Any, expected: Any) -> bool:
    """Equal, and made in the same way; a truth value may be the number that it is."""
    if isinstance(expected, int) and isinstance(found, int):
        return found == expected
    if type(found) is not type(expected):
        return False
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(_alike, found, expected))
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(_alike, found, expected))
    if type(found) is dict:
        return len(found) == len(expected) and all(map(_alike, found.items(), expected.items()))
    if struct_names(type(found)):
        return all(map(_alike, fields_of(found), fields_of(expected)))
    return bool(found == expected)
