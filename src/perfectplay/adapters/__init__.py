"""Other people's games as Games, and ours as theirs: one foreign API a file, imported when asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.errors import MissingExtraError

if TYPE_CHECKING:
    from perfectplay.adapters.gymnasium import to_gymnasium
    from perfectplay.adapters.openspiel import OpenSpielGame, from_openspiel
    from perfectplay.adapters.openspiel_export import to_openspiel
    from perfectplay.adapters.pettingzoo import to_pettingzoo
    from perfectplay.adapters.python_chess import Chess

__all__ = ["Chess", "OpenSpielGame", "from_openspiel", "to_gymnasium", "to_openspiel", "to_pettingzoo"]


class _Home(NamedTuple):
    """Where a name lives, and what must be installed for it."""

    module: str
    needs: str  # the package that is imported there
    extra: str  # of ours, that installs it
    what: str  # is done with it, in words
    verb: str = "needs"


_CHESS = _Home("python_chess", "chess", "chess", "chess")
_OPENSPIEL = _Home("openspiel", "pyspiel", "openspiel", "OpenSpiel's games", "need")
_HOMES = {
    "Chess": _CHESS,
    "chess_game": _CHESS,
    "OpenSpielGame": _OPENSPIEL,
    "from_openspiel": _OPENSPIEL,
    "openspiel_game": _OPENSPIEL,
    "to_openspiel": _Home("openspiel_export", "pyspiel", "openspiel", "OpenSpiel", "needs"),
    "to_pettingzoo": _Home("pettingzoo", "pettingzoo", "pettingzoo", "an environment of PettingZoo"),
    "to_gymnasium": _Home("gymnasium", "gymnasium", "gymnasium", "an environment of Gymnasium"),
}


def __getattr__(name: str) -> Any:
    """A public name, from where it lives; MissingExtraError if what it needs is not installed."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    try:
        module = import_module(f"{__name__}.{home.module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != home.needs:
            raise
        raise MissingExtraError(
            f"{home.needs} is not installed, and {home.what} {home.verb} it: "
            f"pip install 'perfectplay[{home.extra}]'."
        ) from None
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *__all__})
