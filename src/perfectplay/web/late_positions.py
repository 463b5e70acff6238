"""Where the theatre opens: positions whose trees can be seen whole, each looked for once."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from perfectplay.errors import GameOverError
from perfectplay.trace.late_position import late_position
from perfectplay.watchdog import watched
from perfectplay.web.gates import Check
from perfectplay.web.offers import Offer
from perfectplay.web.positions import names, read_position
from perfectplay.web.watched import Watched

SECONDS = 5.0
STATES = 100_000
REMEMBERED = 300
TOO_LONG = f"no small tree was found here in {SECONDS:g} seconds: give a depth, or a smaller board."


class LatePositions:
    """Late positions by game and moves; the first who asks waits for them."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
        self._lock = Lock()  # of what is known: many threads ask

    def find(self, offer: Offer, moves: Sequence[str], check: Check) -> dict[str, Any]:
        """A position that these moves may lead to, as JSON has it."""
        asked = (offer.name, tuple(moves))
        with self._lock:
            known = self.known.get(asked)
        if known is not None:
            return known
        found = _found(offer, moves, check)
        with self._lock:
            if len(self.known) >= REMEMBERED:
                del self.known[next(iter(self.known))]
            self.known[asked] = found
        return found


def _found(offer: Offer, moves: Sequence[str], check: Check) -> dict[str, Any]:
    match = read_position(offer, moves, check)
    if match.over:
        raise GameOverError("the game is over here, and there is nothing to search: take moves back.")
    game = Watched(offer.game, check)
    game.limit(SECONDS, STATES, TOO_LONG)
    with watched(lambda: game.asked, SECONDS):
        line, depth, nodes = late_position(game, match.state)
    played = [*match.actions, *line]
    return {
        "moves": names(offer.game, played),
        "depth": depth,
        "nodes": nodes,
        "here": not line and not depth,
    }
