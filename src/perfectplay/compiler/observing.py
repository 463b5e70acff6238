"""Observing: lines of play of several kinds show what states and actions look like.

Chance alone seldom comes to what is rare, and machine code and Python part where things are rare: where
numbers are large, or late in a game that most moves end. So some lines are played for that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from numbers import Number
from time import perf_counter, process_time
from typing import Any

from perfectplay.compiler.layouts import Lengths
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.reading import Untrusted
from perfectplay.compiler.shapes import (
    BOTTOM,
    KEPT,
    Shape,
    fields_of,
    has_own_class,
    holds_kept,
    is_struct_class,
    join,
    shown,
    struct_names,
)
from perfectplay.compiler.value_classes import note_kept, note_seen
from perfectplay.game import attributes_of, choices
from perfectplay.watchdog import watched

PLAYOUTS = 30
PLIES = 200  # of a line
LATE = 3  # new states at the end of a line, which are always compared
CHOSEN = 120  # plies of a line that is not played at random
CHILDREN = 6  # that are compared to choose one
TRIED = 40  # actions, for one after which the game goes on
SECONDS = 0.5  # after which slow rules are played no more, but for the lines that are chosen
KINDS = 64  # objects that machine code cannot look into, and tells apart by what they are


@dataclass
class Observed:
    """What play has shown."""

    states: list[Any] = field(default_factory=list)
    late: list[Any] = field(default_factory=list)  # those at the ends of lines
    pairs: list[tuple[Any, Any]] = field(default_factory=list)  # states and actions
    state: Shape = BOTTOM
    action: Shape = BOTTOM
    words: dict[str, None] = field(default_factory=dict)
    wide_lines: set[int] = field(default_factory=set)  # of the rules: numbers need more than 64 bits there
    lengths: Lengths = field(default_factory=Lengths)
    others: dict[int, Any] = field(default_factory=dict)  # objects that machine code cannot look into
    exact: bool = False  # do rules walk through sets whose order follows from this process's hashes?


def observe(game: Any, playouts: int = PLAYOUTS, plies: int = PLIES, most: int = 2000) -> Observed:
    """Play, and join the shapes of all that comes up."""
    seen = Observed()
    known: set[Any] = set()
    chance = random.Random(1)  # noqa: S311 - the same play every time
    began = process_time(), perf_counter()
    with watched(lambda: len(seen.pairs)):
        for number in range(playouts):
            chosen = number < len(CHOICES)
            choose = CHOICES[number] if chosen else _any
            line = _line(game, seen, known, choose, chance, CHOSEN if chosen else plies, most)
            seen.late += line[-LATE:]
            slow = max(process_time() - began[0], (perf_counter() - began[1]) / 3) > SECONDS
            if len(seen.states) >= most or (slow and not chosen):
                break
        seen.state = _joined(seen, seen.state, seen.states)
    for state in seen.states:
        seen.lengths.note(state)
    return seen


Choice = Callable[[Any, Any, Sequence[Any], random.Random], Any]  # from a game, a state, actions, by chance


def _line(
    game: Any, seen: Observed, known: set[Any], choose: Choice, chance: random.Random, plies: int, most: int
) -> list[Any]:
    """Play one line, note what is new on it, and say what was."""
    state = game.initial()
    line: list[Any] = []
    for _ in range(plies):
        if state not in known:
            known.add(state)
            seen.states.append(state)
            line.append(state)
        if game.is_terminal(state) or len(seen.states) >= most:
            break
        actions = list(choices(game, state))
        if not actions:
            break
        seen.action = _joined(seen, seen.action, actions)
        action = choose(game, state, actions, chance)
        seen.pairs.append((state, action))
        state = game.result(state, action)
    return line


def _any(game: Any, state: Any, actions: Sequence[Any], chance: random.Random) -> Any:
    return chance.choice(actions)


def _first(game: Any, state: Any, actions: Sequence[Any], chance: random.Random) -> Any:
    return actions[0]


def _last(game: Any, state: Any, actions: Sequence[Any], chance: random.Random) -> Any:
    return actions[-1]


def _lasting(game: Any, state: Any, actions: Sequence[Any], chance: random.Random) -> Any:
    """An action after which the game goes on, if there is one: what is rare comes late."""
    for action in chance.sample(actions, min(len(actions), TRIED)):
        if not game.is_terminal(game.result(state, action)):
            return action
    return actions[0]


def _growing(game: Any, state: Any, actions: Sequence[Any], chance: random.Random) -> Any:
    """The action to the largest numbers, of the first, the last and a few between them."""
    some = actions
    if len(actions) > CHILDREN:
        some = [actions[0], *chance.sample(actions[1:-1], CHILDREN - 2), actions[-1]]
    return max(some, key=lambda action: _size(game.result(state, action)))


CHOICES: tuple[Choice, ...] = (_first, _last, _lasting, _growing)


def _size(value: Any) -> float:
    """How large the numbers of a state are, and how long what it holds."""
    if isinstance(value, int | float):
        return abs(value)
    if isinstance(value, str | bytes | frozenset):
        return len(value)
    if isinstance(value, tuple | list | set):
        return max(len(value), max(map(_size, value), default=0))
    if isinstance(value, Enum) or value is None:
        return 0
    return max(map(_size, fields_of(value)), default=0)


def observe_again(game: Any, seen: Observed) -> None:
    """Have the states again that have shown what is known."""
    again = observe(game)
    seen.states, seen.late, seen.pairs = again.states, again.late, again.pairs
    seen.state, seen.action = join(again.state, seen.state), join(again.action, seen.action)
    for word in again.words:
        seen.words.setdefault(word)
    for state in again.states:
        seen.lengths.note(state)


def observe_from(game: Any, seen: Observed, state: Any, plies: int = 40) -> None:
    """Look at a state that play has not shown, at all that it leads to, and at some play from there."""
    chance = random.Random(len(seen.states))  # noqa: S311 - the same play every time
    new = [state]
    if not game.is_terminal(state):
        for action in choices(game, state):
            seen.action = _joined(seen, seen.action, [action])
            child = game.result(state, action)
            new.append(child)
            for _ in range(plies):
                if game.is_terminal(child):
                    game.utility(child, 0)
                    break
                actions = list(choices(game, child))
                if not actions:
                    break
                seen.action = _joined(seen, seen.action, actions)
                child = game.result(child, chance.choice(actions))
                new.append(child)
    seen.states[:0] = dict.fromkeys(new)
    seen.state = _joined(seen, seen.state, new)
    for one in new:
        seen.lengths.note(one)


def _joined(seen: Observed, shape: Shape, values: list[Any]) -> Shape:
    for value in values:
        note_classes(seen, value)
        shape = join(shape, shown(value))
        _note_words(seen, value)
    return shape


def note_classes(seen: Observed, value: Any) -> None:
    """Note of what classes a state or an action and its parts are."""
    _note_classes(seen, value, {})
    written = {name for one in type(value).__mro__[:-1] for name in vars(one)}
    if "__eq__" not in written and holds_kept(shown(value)):
        raise Untrusted(f"{value!r} is equal to no other one; write __eq__ and __hash__ for its class")


def _note_classes(seen: Observed, value: Any, held: dict[int, Any]) -> None:
    if has_own_class(value):
        raise Untrusted(_unlike(value))
    if type(value) in KEPT or (struct_names(type(value)) and not is_struct_class(type(value))):
        if id(value) in held:
            raise Untrusted(f"{value!r} is in one state in two places, and may change; copy it")
        held[id(value)] = value
    if isinstance(value, tuple | frozenset) or type(value) in KEPT:
        for part in fields_of(value) if type(value) in KEPT else value:
            _note_classes(seen, part, held)
    elif not isinstance(value, int | float | str | Enum) and value is not None:
        if kind_of_number(type(value)) or type(value) is bytes:
            return
        note_seen(type(value))
        if not is_struct_class(type(value)) and is_keepable(value) and id(value) not in held:
            held[id(value)] = value
        if isinstance(value, bytes | Number) or not (is_struct_class(type(value)) or is_keepable(value)):
            seen.others.setdefault(id(value), value)
        if isinstance(value, bytes | Number) or len(seen.others) > KINDS:
            raise Untrusted(_unlike(value))
        for part in fields_of(value):
            _note_classes(seen, part, held)


def _unlike(value: Any) -> str:
    return (
        f"{value!r} in its states or actions is a {type(value).__name__};"
        " use numbers, strings, tuples, named tuples or frozen dataclasses"
    )


def is_keepable(value: Any) -> bool:
    """Is it an object that has what its class gives it, and nothing else?"""
    return note_kept(type(value)) and {*attributes_of(value)} == {*struct_names(type(value))}


def _note_words(seen: Observed, value: Any) -> None:
    if isinstance(value, str):
        if len(seen.words) < 64:
            seen.words[value] = None
    elif isinstance(value, tuple | frozenset | list | set):
        for part in value:
            _note_words(seen, part)
    elif not isinstance(value, int | float | Enum) and value is not None:
        for part in fields_of(value):
            _note_words(seen, part)
