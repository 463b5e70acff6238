"""A position as a request gives it, and as a page shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from math import isfinite
from typing import Any

from perfectplay.errors import BrokenGameError, IllegalActionError
from perfectplay.game import MAX, MIN, Game, choices, same_side
from perfectplay.games import GAMES
from perfectplay.play import Match, side_name
from perfectplay.scene import scene_faults, scene_json
from perfectplay.watchdog import watched
from perfectplay.web.faults import blamed
from perfectplay.web.offers import Offer

SECONDS = 5.0  # for one question to rules that somebody brought
MOST_ACTIONS = 1000  # in a position that a page shows


def returning(offer: Offer, progress: Callable[[], object]) -> AbstractContextManager[None]:
    """Interrupt rules that somebody brought and that do not return: ours do."""
    return nullcontext() if type(offer.game) in GAMES.values() else watched(progress, SECONDS)


def read_position(offer: Offer, moves: Sequence[str], check: Callable[[], None] = lambda: None) -> Match:
    """The position after these moves; `check` is asked before each whether somebody waits for it."""
    read = [0]
    with blamed(), returning(offer, lambda: read[0]):
        match = Match(offer.game)
        _check_width(match)
        for read[0], text in enumerate(moves):
            check()
            try:
                match.read(text)
            except IllegalActionError as error:
                after = f"after {' '.join(match.names)}, " if match.actions else ""
                raise IllegalActionError(f"{after}{error}") from None
            _check_width(match)
        return match


def position_json(offer: Offer, match: Match) -> dict[str, Any]:
    """Everything that a page shows of a position."""
    with blamed(), returning(offer, lambda: None):
        game, state, over = match.game, match.state, bool(match.over)
        value = figure(game.utility(state, MAX)) if over else None
        return {
            "game": offer.name,
            "moves": names(game, match.actions),
            "to_move": side_name(game.to_move(state)),
            "moved": side_name(game.to_move(match.states[-2])) if match.actions else None,
            "names": [clean(game.player_name(player)) for player in (MAX, MIN)],
            "prompt": "" if over else clean(game.prompt(state, ())),
            "over": over,
            "result": None if value is None else result_words(game, value),
            "value": value,
            "margin": None if value is None else _margin(game, state, value),
            "text": clean(game.render(state)),
            "notation": clean(game.board_notation(state)),
            "scene": _scene(game, state),
            "previous": _scene(game, match.states[-2]) if match.actions else None,
            "actions": [] if over else names(game, choices(game, state)),
            "players": int(game.players),
            "dice": bool(game.has_chance),
            "tablebase": offer.table is not None,
        }


def prompt_json(offer: Offer, match: Match, places: Sequence[str]) -> dict[str, Any]:
    """What the game says where these places of it were clicked: what is next, or why that is no move."""
    with blamed(), returning(offer, lambda: None):
        game, state, chosen = match.game, match.state, tuple(places)
        scene = None if match.over else game.scene(state)
        known = {shape.at for shape in scene.shapes} if scene else set()
        if strange := [place for place in chosen if place not in known]:
            raise IllegalActionError(f"there is no place {strange[0]!r} on this board.")
        assert scene is not None
        opens = any(path[: len(chosen)] == chosen for _, path in scene.clicks)
        words = game.prompt(state, chosen) if opens else game.objection(state, chosen)
        return {"legal": opens, "words": clean(words)}


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


def result_words(game: Game[Any, Any], value: float) -> str:
    """Who has won where the end is worth `value` to MAX, by the name that the player has at the board."""
    return "a tie" if value == 0 else f"{clean(game.player_name(MAX if value > 0 else MIN))} wins"


def _margin(game: Game[Any, Any], state: Any, value: float) -> float | None:
    """By how much it was won: not where all wins are alike, or are worth the more the sooner they come."""
    to_mover = value if same_side(game.to_move(state), MAX) else -value
    if abs(value) <= 1 or game.plies_left(state, to_mover) is not None:
        return None
    return abs(value)


def names(game: Game[Any, Any], actions: Iterable[Any]) -> list[str]:
    """Actions in the game's notation."""
    return [clean(game.action_name(action)) for action in actions]


def clean(text: Any) -> str:
    """A text that can be sent: half a character cannot."""
    return str(text).encode("utf-8", "replace").decode()


def _scene(game: Game[Any, Any], state: Any) -> dict[str, Any] | None:
    scene = game.scene(state)
    if scene is None:
        return None
    faults = scene_faults(game, state, scene)
    if game.is_terminal(state):  # nothing can be clicked there, whatever actions() says
        faults = [fault for fault in faults if fault.kind != "scene-clicks"]
    if faults:
        raise BrokenGameError(f"{str(faults[0]).rstrip('.')}; perfectplay check says more.")
    return scene_json(game, scene)


def _check_width(match: Match) -> None:
    if match.over:
        return
    if len(list(islice(choices(match.game, match.state), MOST_ACTIONS + 1))) > MOST_ACTIONS:
        raise BrokenGameError(
            f"there are more than {MOST_ACTIONS:,} legal moves, too many for a page: try a smaller board."
        )
