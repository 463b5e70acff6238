"""Observing: random play shows what states and actions look like."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum
from numbers import Number
from typing import Any

from perfectplay.compiler.layouts import Lengths
from perfectplay.compiler.reading import Untrusted
from perfectplay.compiler.shapes import BOTTOM, Const, Shape, fields_of, general, is_struct_class, join
from perfectplay.compiler.value_classes import note_seen

KINDS = 64  # objects that machine code cannot look into, and tells apart by what they are


@dataclass
class Observed:
    """What play has shown."""

    states: list[Any] = field(default_factory=list)
    pairs: list[tuple[Any, Any]] = field(default_factory=list)  # states and actions
    state: Shape = BOTTOM
    action: Shape = BOTTOM
    words: dict[str, None] = field(default_factory=dict)
    wide_lines: set[int] = field(default_factory=set)  # of the rules: numbers need more than 64 bits there
    lengths: Lengths = field(default_factory=Lengths)
    others: dict[int, Any] = field(default_factory=dict)  # objects that machine code cannot look into
    exact: bool = False  # do rules walk through sets whose order follows from this process's hashes?


def observe(game: Any, playouts: int = 30, plies: int = 200, most: int = 2000) -> Observed:
    """Play at random, and join the shapes of all that comes up."""
    seen = Observed()
    known: set[Any] = set()
    chance = random.Random(1)  # noqa: S311 - the same play every time
    for _ in range(playouts):
        state = game.initial()
        for _ in range(plies):
            if state not in known:
                known.add(state)
                seen.states.append(state)
            if game.is_terminal(state) or len(seen.states) >= most:
                break
            actions = list(game.actions(state))
            if not actions:
                break
            action = chance.choice(actions)
            seen.pairs.append((state, action))
            seen.action = _joined(seen, seen.action, actions)
            state = game.result(state, action)
        if len(seen.states) >= most:
            break
    seen.state = _joined(seen, seen.state, seen.states)
    for state in seen.states:
        seen.lengths.note(state)
    return seen


def observe_again(game: Any, seen: Observed) -> None:
    """Have the states again that have shown what is known."""
    again = observe(game)
    seen.states, seen.pairs = again.states, again.pairs
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
        for action in game.actions(state):
            seen.action = _joined(seen, seen.action, [action])
            child = game.result(state, action)
            new.append(child)
            for _ in range(plies):
                if game.is_terminal(child):
                    game.utility(child, 0)
                    break
                actions = list(game.actions(child))
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
        shape = join(shape, general(Const(value)))
        _note_words(seen, value)
    return shape


def note_classes(seen: Observed, value: Any) -> None:
    """Note of what classes a state or an action and its parts are."""
    if isinstance(value, tuple | frozenset):
        for part in value:
            note_classes(seen, part)
    elif not isinstance(value, int | float | str | Enum) and value is not None:
        note_seen(type(value))
        if isinstance(value, bytes | Number) or not is_struct_class(type(value)):
            seen.others.setdefault(id(value), value)
        if isinstance(value, bytes | Number) or len(seen.others) > KINDS:
            raise Untrusted(
                f"{value!r} in its states or actions is a {type(value).__name__};"
                " use numbers, strings, tuples, named tuples or frozen dataclasses"
            )
        for part in fields_of(value):
            note_classes(seen, part)


def _note_words(seen: Observed, value: Any) -> None:
    if isinstance(value, str):
        if len(seen.words) < 64:
            seen.words[value] = None
    elif isinstance(value, tuple | frozenset):
        for part in value:
            _note_words(seen, part)
    elif not isinstance(value, int | float | Enum) and value is not None:
        for part in fields_of(value):
            _note_words(seen, part)
