"""Description: what a manifest tells whoever reads it without the rules.

What the numbers of a state are, who moves, how symmetric positions map, and the first position as an example.
It is for people and for readers in other languages; nothing here goes by it but `verify`, which checks it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from perfectplay.game import MAX, Game, same_side
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.file_names import states_file
from perfectplay.tablebase.json_data import MOST_TEXT
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.manifest import MOST_FIELDS, stored_values

LOOKED_AT = 4000  # states that show by which number one can tell who moves,
LEAST = 8  # of each level
PLACE = re.compile(r" at 0x[0-9a-fA-F]+")  # in memory: another one in every process


def describe(build: Build) -> dict[str, Any]:
    """What the manifest of a solved table says of its states."""
    game, encoding = build.expander.game, build.expander.encoding
    told: dict[str, Any] = {
        "symmetry": symmetry_told(game, symmetry=build.manifest["symmetry"]),
        "to_move": _turn(game, encoding, _some_states(build)),
        "example": example(build),
    }
    if encoding.form.data is None and encoding.form.count <= MOST_FIELDS:  # or else the form tells
        told["fields"] = _fields(game, encoding)
    return told


def symmetry_told(game: Game[Any, Any], *, symmetry: bool) -> str:
    """How a position becomes the one that is stored."""
    if not symmetry:
        return "All positions are stored."
    said = inspect.getdoc(type(game).canonical) if "canonical" in _named(type(game)) else ""
    return _plain(f"Representatives alone are stored. Of a position that is: {said or 'canonical(state)'}")


def _named(game_class: type) -> set[str]:
    """The methods that a class, or one above it but for Game, describes."""
    classes = game_class.__mro__[: game_class.__mro__.index(Game)]
    return {name for each in classes for name, value in vars(each).items() if getattr(value, "__doc__", None)}


def _fields(game: Game[Any, Any], encoding: Encoding) -> list[dict[str, str]]:
    """The numbers of a state: what each is called, what kind it is of, and what it means."""
    kinds = encoding.form.kinds()
    given = type(game).state_fields
    names: Sequence[str] = getattr(game.initial(), "_fields", ())
    if len(given) != len(kinds):
        given = tuple((name, "") for name in names) if len(names) == len(kinds) else ()
    pairs = given or tuple((str(place), "") for place in range(len(kinds)))
    return [
        {"name": _plain(name), "kind": kind.__name__, "meaning": _plain(meaning)}
        for (name, meaning), kind in zip(pairs, kinds, strict=True)
    ]


def _some_states(build: Build) -> list[Any]:
    """Positions of every level, all of it where it has few."""
    levels = range(len(build.manifest["levels"]))  # none of them is compressed yet
    each = max(LOOKED_AT // len(levels), LEAST)
    found = []
    for number in levels:
        rows = build.rows(states_file(number))
        places = np.unique(np.linspace(0, len(rows) - 1, min(each, len(rows))).astype(np.int64))
        found += [
            build.expander.encoding.unpack(rows[int(place) : int(place) + 1][0].tolist()) for place in places
        ]
    return found


def _turn(game: Game[Any, Any], encoding: Encoding, shown: list[Any]) -> dict[str, Any]:
    """Which number of a state says whose turn it is, if one does: MAX moves where it is even."""
    states = [state for state in shown if not game.is_terminal(state)]
    movers = tuple(0 if same_side(game.to_move(state), MAX) else 1 for state in states)
    columns = [*zip(*(encoding.form.leaves(state) for state in states), strict=True)]
    fitting = [place for place, column in enumerate(columns) if tuple(leaf & 1 for leaf in column) == movers]
    same = [place for place in fitting if columns[place] == movers]  # which says it by itself
    return {"even": (same or fitting)[0]} if fitting else {}


def example(build: Build) -> dict[str, Any]:
    """The first position, and where everything about it is."""
    expander, manifest = build.expander, build.manifest
    root, words = expander.root, expander.packed_root()
    level = build.level(0)
    place = level.place_of(words)
    value, end = level.worth_at(place)
    values = stored_values(manifest)
    worth = values[value] if value < len(values) else None
    told: dict[str, Any] = {
        "state": [f"{leaf:x}" for leaf in expander.form.leaves(root)],
        "packed": f"{sum(word << 64 * number for number, word in enumerate(words)):x}",
        "level": 0,
        "place": place,
        "value": worth,
        "outcome": outcome(worth),
        "remoteness": None if end == FAR or "outcomes" in manifest else end,
        "over": bool(expander.game.is_terminal(root)),
        "to_move": "MAX" if same_side(expander.game.to_move(root), MAX) else "MIN",
    }
    try:
        told["board"] = PLACE.sub("", _plain(str(expander.game.render(root))))
    except Exception:  # a table needs no picture
        told["board"] = ""
    return told


def outcome(worth: float | None) -> str:
    """Who wins, in words, by a value to MAX; None is a draw."""
    return "draw" if worth is None else "tie" if worth == 0 else "MAX wins" if worth > 0 else "MIN wins"


def _plain(text: str) -> str:
    """Text without what is not to be printed, and not too much of it."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")[:MOST_TEXT]
