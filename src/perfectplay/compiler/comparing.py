"""Comparing: before machine code is trusted, every rule is asked on observed states, there and in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.faults import contained
from perfectplay.compiler.observing import Observed, observe
from perfectplay.compiler.reading import Obstacle, Untrusted, said
from perfectplay.compiler.rules import Rules
from perfectplay.compiler.traps import Misfit, Trap
from perfectplay.game import WORD, Game

STATES = 240  # that are asked about
ACTIONS = 12  # of each
TRIES = 24  # compilations, each with what the one before has shown
LISTS = ("actions", "candidates")
NUMBERS = ("utility", "evaluate", "order")


def trusted(game: Game[Any, Any], observed: Observed | None = None) -> Observed:
    """What machine code for a game must know; Untrusted if it would not answer as Python does."""
    observed = observed or observe(game)
    for _ in range(TRIES):
        try:
            with contained():
                rules = Rules(game, observed)
        except Obstacle as obstacle:
            raise Untrusted(said(obstacle)) from obstacle
        trap = disagreement(rules, observed)
        if trap is None:
            return observed
        line = traps.line_in(trap.status)
        if traps.code_in(trap.status) != traps.OVERFLOW or line in observed.wide_lines:
            raise Untrusted(f"line {line}: {traps.said(trap.status)}")
        observed.wide_lines.add(line)
    raise Untrusted("its numbers need more than 64 bits in too many places")


def disagreement(rules: Rules, observed: Observed) -> Trap | None:
    """The first trap that Python knows nothing of; Untrusted where answers differ."""
    for name, arguments in _asked(rules, observed):
        raised: BaseException | None = None
        expected: Any = None
        try:
            expected = getattr(rules.game, name)(*arguments)
            if name in LISTS:
                expected = list(expected)
        except Exception as error:
            raised = error
        try:
            with contained():
                found = rules.ask(name, *arguments)
        except Trap as trap:
            if raised is None:
                return trap
            continue
        except Misfit:
            raise Untrusted(f"`{name}` is asked about {arguments!r}, which is unlike all others") from None
        if raised is not None or not same_answer(name, found, expected):
            shown = f"{type(raised).__name__}" if raised else repr(expected)
            where = ", ".join(map(repr, arguments))
            raise Untrusted(f"`{name}({where})` is {shown} in Python and {found!r} in machine code")
    return None


def _asked(rules: Rules, observed: Observed) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every question to ask, about states as different as play has shown."""
    game = rules.game
    states = observed.states
    step = max(1, len(states) // STATES)
    players = range(getattr(game, "players", 2))
    for state in states[::step]:
        over = game.is_terminal(state)
        actions = [] if over else list(game.actions(state))
        for name, takes in rules.questions.items():
            if name in ("utility",) and not over:
                continue
            if name in ("evaluate", "bounds", "actions", "candidates") and over:
                continue
            if takes == "s":
                yield name, (state,)
            elif takes == "sp":
                for player in players:
                    yield name, (state, player)
            else:
                for action in actions[:: max(1, len(actions) // ACTIONS)]:
                    yield name, (state, action)


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
    return bool(found == expected)
