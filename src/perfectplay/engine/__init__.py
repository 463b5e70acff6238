"""From a class of rules to machine code; numba is imported when something is to be compiled."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfectplay.engine.analysis import Analysis, Ranked, Ranking
from perfectplay.engine.engine import Engine

if TYPE_CHECKING:
    from perfectplay.engine.bridge import game_type
    from perfectplay.engine.diagnosis import why_not
    from perfectplay.engine.digest import rules_digest
    from perfectplay.engine.leaves import perft

__all__ = ["Analysis", "Engine", "Ranked", "Ranking", "game_type", "perft", "rules_digest", "why_not"]

_COMPILING = {"game_type": "bridge", "perft": "leaves", "rules_digest": "digest", "why_not": "diagnosis"}


def __getattr__(name: str) -> Any:
    if name not in _COMPILING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_COMPILING[name]}"), name)
