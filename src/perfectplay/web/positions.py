"""A position as a request gives it, and as a page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isfinite
from typing import Any

from perfectplay.errors import BrokenGameError, IllegalActionError
from perfectplay.game import MAX, Game
from perfectplay.play import Match, side_name, verdict
from perfectplay.web.faults import blamed

MOST_ACTIONS = 1000  # in a position that a page shows


def read_position(game: Game[Any, Any], moves: Sequence[str]) -> Match:
    """The position after these moves."""
    with blamed():
        match = Match(game)
        _check_width(match)
        for text in moves:
            try:
                match.read(text)
            except IllegalActionError as error:
                after = f"after {' '.join(match.names)}, " if match.actions else ""
                raise IllegalActionError(f"{after}{error}") from None
            _check_width(match)
        return match


def position_json(name: str, match: Match) -> dict[str, Any]:
    """Everything that a page shows of a position."""
    with blamed():
        game, state, over = match.game, match.state, bool(match.over)
        value = figure(game.utility(state, MAX)) if over else None
        return {
            "game": name,
            "moves": [str(each) for each in match.names],
            "to_move": side_name(game.to_move(state)),
            "over": over,
            "result": None if value is None else verdict(value),
            "value": value,
            "text": str(game.render(state)),
            "scene": _scene(game, state),
            "previous": _scene(game, match.states[-2]) if match.actions else None,
            "actions": [] if over else [str(game.action_name(action)) for action in game.actions(state)],
            "players": int(game.players),
        }


def figure(value: Any) -> float | None:
    """A value for JSON: an int or a float, and None for what JSON has no number for."""
    if isinstance(value, int):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BrokenGameError(f"the game gave {value!r} as a worth, which is no number.") from None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _scene(game: Game[Any, Any], state: Any) -> dict[str, Any] | None:
    return None


def _check_width(match: Match) -> None:
    if match.over:
        return
    if len(list(islice(match.game.actions(match.state), MOST_ACTIONS + 1))) > MOST_ACTIONS:
        raise BrokenGameError(
            f"there are more than {MOST_ACTIONS:,} legal moves, too many for a page: try a smaller board."
        )
