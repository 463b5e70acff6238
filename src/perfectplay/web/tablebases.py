"""Tablebases in the application: the directories that the operator named, and what they say of a position."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfectplay.errors import BadTablebaseError, PerfectPlayError
from perfectplay.game import MAX, MIN, same_side
from perfectplay.games import GAMES, parameters
from perfectplay.play import Match
from perfectplay.web.faults import RefusedError, blamed
from perfectplay.web.offers import Offer, Offers
from perfectplay.web.positions import clean, figure, names, result_words

if TYPE_CHECKING:  # numpy comes with it, and few servers need one
    from perfectplay.tablebase import Entry, Tablebase

LONGEST_LINE = 40  # plies of best play that an answer holds


def open_tablebases(directories: Iterable[str], offers: Offers) -> None:
    """Open these directories, each for the offered game, with its parameters, that it was built for."""
    for directory in directories:
        name, table = _opened(directory, offers)
        other = offers.tablebases.setdefault(name, table)
        if other is not table:
            raise BadTablebaseError(
                f"{str(other.directory)!r} and {directory!r} are both tablebases of {name}: give one of them."
            )


def _opened(directory: str, offers: Offers) -> tuple[str, Tablebase]:
    from perfectplay.tablebase import Tablebase
    from perfectplay.tablebase.storage import read_manifest

    built_for = str(read_manifest(Path(directory)).get("game"))
    offer = _offered(directory, built_for, offers)
    # A page asks about a few moves at a time: that is not worth the seconds of a compiler.
    return offer.name, Tablebase(directory, offer.game, compile="never")


def _offered(directory: str, built_for: str, offers: Offers) -> Offer:
    """The game that a manifest names."""
    whose = f"the tablebase in {directory!r} is of {built_for}"
    if built_for.partition(":")[0] in GAMES:
        name = built_for
    else:
        title = built_for.partition("(")[0]
        if title not in offers.own:
            raise BadTablebaseError(f"{whose}, which is not offered: give --game FILE.py:{title} as well.")
        name = f"{title}:{_settings(offers, title, built_for)}"
    try:
        return offers.read(name)
    except PerfectPlayError as error:
        raise BadTablebaseError(f"{whose}, which cannot be offered: {error}") from None


def _settings(offers: Offers, title: str, built_for: str) -> str:
    """The parameters in "Stones(heap=7, most=2)" as a request writes them, as far as they can be read."""
    known = parameters(offers.own[title])
    try:
        call = ast.parse(built_for, mode="eval").body
        given = {each.arg: ast.literal_eval(each.value) for each in getattr(call, "keywords", [])}
    except (ValueError, SyntaxError):  # an object that only its own class can write down
        return ""
    return ",".join(f"{key}={known[key].write(given[key])}" for key in known if key in given)


def solution_json(offer: Offer, match: Match) -> dict[str, Any]:
    """What the tablebase says of a position and of every move."""
    table = table_of(offer)
    with blamed():
        game, state = match.game, match.state
        entry = table.get(state)
        going = entry is not None and not match.over
        found = table.explain(state) if going else []
        mover = MAX if same_side(game.to_move(state), MAX) else MIN
        return {
            "game": offer.name,
            "known": entry is not None,
            "sentence": _sentence(offer, mover, entry),
            "outcome": entry.outcome if entry else None,
            "value": figure(entry.value) if entry else None,
            "value_to_max": figure(entry.value if mover == MAX else -entry.value + 0) if entry else None,
            "remoteness": entry.remoteness if entry else None,
            "line": names(game, table.line(state, LONGEST_LINE)) if going else [],
            "moves": [
                {
                    "action": clean(game.action_name(each.action)),
                    "outcome": each.outcome,
                    "value": figure(each.value),
                    "remoteness": each.remoteness,
                    "best": each.best,
                }
                for each in found
            ],
        }


def table_of(offer: Offer) -> Tablebase:
    """The tablebase of a game, if there is one."""
    if offer.table is None:
        raise RefusedError(404, f"there is no tablebase of {offer.name} here: ask /api/analyse instead.")
    return offer.table


def not_in_it(offer: Offer) -> str:
    """Why there is no answer, where the tablebase begins later than the game."""
    return f"this position is not in the tablebase of {offer.name}: no game comes here from its start."


def _sentence(offer: Offer, mover: int, entry: Entry | None) -> str:
    if entry is None:
        sentence = not_in_it(offer)
        return sentence[0].upper() + sentence[1:]
    value, outcome, plies = entry
    if outcome == "draw":
        return "A draw: nobody can force an end."
    winner = mover if outcome == "win" else MAX + MIN - mover
    told = "A tie" if outcome == "tie" else f"{clean(offer.game.player_name(winner))} wins"
    if plies is None:  # the table has outcomes alone
        return f"{told}."
    if plies == 0:
        return f"The game is over: {result_words(offer.game, value if mover == MAX else -value)}."
    worth = "" if abs(value) in (0, 1) else f", by {abs(value):g}"
    return f"{told} in {plies} {'ply' if plies == 1 else 'plies'}{worth}."
