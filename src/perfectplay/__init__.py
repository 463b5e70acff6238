"""perfectplay: write the rules of a game once; run every textbook algorithm and an engine on them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfectplay.errors import PerfectPlayError
from perfectplay.game import CHANCE, MAX, MIN, Game

if TYPE_CHECKING:
    from perfectplay.check import check_game
    from perfectplay.engine import Analysis, Engine
    from perfectplay.games import GAMES, load_game

__all__ = [
    "CHANCE",
    "GAMES",
    "MAX",
    "MIN",
    "Analysis",
    "Engine",
    "Game",
    "PerfectPlayError",
    "check_game",
    "load_game",
]

_HOMES = {  # of what is imported when somebody asks for it: who searches need not load what checks
    "GAMES": "perfectplay.games",
    "Analysis": "perfectplay.engine",
    "Engine": "perfectplay.engine",
    "check_game": "perfectplay.check",
    "load_game": "perfectplay.games",
}


def __getattr__(name: str) -> Any:
    """A public name, from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *__all__})
