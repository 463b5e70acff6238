"""Records of games that a request brings: lists of moves, and positions of chess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfectplay.errors import BadParameterError
from perfectplay.games import parameters
from perfectplay.play.records import is_fen, men_of, read_record, read_tags
from perfectplay.web.faults import blamed
from perfectplay.web.offers import Offer, Offers
from perfectplay.web.positions import clean, returning

FEN = "fen"  # the parameter of a game that can begin at one


def record_json(offers: Offers, game: str, text: str, check: Callable[[], None]) -> dict[str, Any]:
    """The game that a text names, or else that one, and its moves."""
    if is_fen(text):
        return {"game": _from_fen(offers, game, " ".join(text.split())).name, "steps": []}
    named = read_tags(text).get("game") or game
    base = named.partition(":")[0]
    if base in offers.own and base != game.partition(":")[0]:  # whose rules run in a process of their own
        raise BadParameterError(f"these are moves of {base}: ask about that game.")
    offer = offers.read(named)
    with blamed(), returning(offer, check):
        record = read_record(offer.game, text, check)
    steps = [{"move": clean(step.move), "parent": step.parent} for step in record.steps]
    return {"game": offer.name, "steps": steps}


def _from_fen(offers: Offers, game: str, fen: str) -> Offer:
    """The game that begins at a FEN, if it can."""
    name = offers.read(game).name.partition(":")[0]
    if FEN not in parameters(offers.classes[name]):
        raise BadParameterError(f"{name} does not begin at a FEN: choose a chess endgame first.")
    place, *rest = fen.split()
    return offers.read(f"{name}:men={men_of(fen)},fen={place} {rest[0] if rest else 'w'}")
