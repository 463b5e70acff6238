"""From a name on the command line to a game: connect-four:rows=5,cols=4 or my_game.py:MyGame."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from perfectplay.errors import (
    BadParameterError,
    BrokenGameError,
    PerfectPlayError,
    UnknownGameError,
    did_you_mean,
)
from perfectplay.game import Game
from perfectplay.games.bear_off import BearOff
from perfectplay.games.breakthrough import Breakthrough
from perfectplay.games.chess_endgame import ChessEndgame
from perfectplay.games.chinese_checkers import ChineseCheckers
from perfectplay.games.connect_four import ConnectFour
from perfectplay.games.dodgem import Dodgem
from perfectplay.games.domineering import Domineering
from perfectplay.games.dots_and_boxes import DotsAndBoxes
from perfectplay.games.einstein_wuerfelt_nicht import EinsteinWuerfeltNicht
from perfectplay.games.explicit_tree import Figure52
from perfectplay.games.hexapawn import Hexapawn
from perfectplay.games.kalah import Kalah
from perfectplay.games.mnk import MNK, TicTacToe
from perfectplay.games.nim import Nim
from perfectplay.games.nine_mens_morris import NineMensMorris
from perfectplay.games.othello import Othello
from perfectplay.games.pacman import Pacman
from perfectplay.games.pig import Pig
from perfectplay.games.royal_game_of_ur import RoyalGameOfUr
from perfectplay.games.three_mens_morris import ThreeMensMorris

GAMES: dict[str, type[Game[Any, Any]]] = {
    "bear-off": BearOff,
    "breakthrough": Breakthrough,
    "chess-endgame": ChessEndgame,
    "chinese-checkers": ChineseCheckers,
    "connect-four": ConnectFour,
    "dodgem": Dodgem,
    "domineering": Domineering,
    "dots-and-boxes": DotsAndBoxes,
    "einstein-wuerfelt-nicht": EinsteinWuerfeltNicht,
    "figure-5.2": Figure52,
    "hexapawn": Hexapawn,
    "kalah": Kalah,
    "mnk": MNK,
    "nim": Nim,
    "nine-mens-morris": NineMensMorris,
    "othello": Othello,
    "pacman": Pacman,
    "pig": Pig,
    "royal-game-of-ur": RoyalGameOfUr,
    "three-mens-morris": ThreeMensMorris,
    "tic-tac-toe": TicTacToe,
}

# Games of other libraries, which a layer above brings: what makes them of the words after the colon.
FOREIGN = {
    "openspiel": ("perfectplay.adapters", "openspiel_game"),
    "chess": ("perfectplay.adapters", "chess_game"),
}

_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?(?::(?P<settings>.*))?", re.DOTALL)


class Parameter(NamedTuple):
    """A parameter of a game, with what may be given for it in words."""

    name: str
    kind: Any
    default: Any
    compared: bool = True  # does another value make another game? One may only say where play begins

    @property
    def choices(self) -> str:
        """What may be given, in words."""
        if self.kind is bool:
            return "yes or no"
        if get_origin(self.kind) is Literal:
            return " or ".join(map(str, get_args(self.kind)))
        if (get_origin(self.kind) or self.kind) is tuple:
            return "whole numbers, as in 3+4+5"
        return {int: "a whole number", float: "a number"}.get(self.kind, "a word")

    def read(self, text: str) -> Any:
        """The value that `text` stands for; nothing of it is ever run."""
        try:
            return _READERS[get_origin(self.kind) or self.kind](self.kind, text)
        except (ValueError, KeyError):
            raise BadParameterError(f"cannot take {self.name}={text!r}: give {self.choices}.") from None

    def write(self, value: Any) -> str:
        """The text that stands for a value."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def load_game(name: str) -> Game[Any, Any]:
    """The game that `name` stands for.

    `name` is a registered one with its parameters, as in "connect-four:rows=5,cols=4", or a class in
    a Python file, as in "my_game.py:MyGame" or "my_game.py:MyGame:size=3", or one of another library, as in
    "openspiel:hex(board_size=5)" or "chess".
    """
    if file := _FILE.fullmatch(name):
        game_class = _class_in_file(Path(file["path"]), file["name"])
        return make_game(game_class, game_class.__name__, file["settings"] or "")
    registered, _, settings = name.partition(":")
    registered = registered.strip().lower().replace("_", "-")
    if registered in FOREIGN:
        module, maker = FOREIGN[registered]
        game: Game[Any, Any] = getattr(importlib.import_module(module), maker)(settings)
        return game
    if registered not in GAMES:
        hint = did_you_mean(registered, [*GAMES, *FOREIGN])
        raise UnknownGameError(
            f"there is no game {registered!r}: {hint} A game of your own is named FILE.py:CLASS."
        )
    return make_game(GAMES[registered], registered, settings)


def parameters(game_class: type[Game[Any, Any]]) -> dict[str, Parameter]:
    """The parameters of a game class, by name."""
    accepted = inspect.signature(game_class).parameters.values()
    hints = _hints(game_class)
    declared: tuple[Field[Any], ...] = fields(game_class) if is_dataclass(game_class) else ()
    uncompared = {each.name for each in declared if not each.compare}
    found = {}
    for parameter in accepted:
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            kind = str if parameter.default is parameter.empty else type(parameter.default)
            kind = hints.get(parameter.name, kind)
            if type(None) in get_args(kind):  # int | None is read as int
                kind = next(choice for choice in get_args(kind) if choice is not type(None))
            compared = parameter.name not in uncompared
            found[parameter.name] = Parameter(parameter.name, kind, parameter.default, compared)
    return found


@lru_cache(maxsize=256)  # a server asks at every request
def _hints(game_class: type[Game[Any, Any]]) -> dict[str, Any]:
    """The types of the parameters: of the fields of a dataclass, or of the arguments of __init__."""
    hints: dict[str, Any] = {}
    for annotated in (game_class, game_class.__init__):
        try:
            hints |= get_type_hints(annotated)
        except (NameError, TypeError):
            continue
    return hints


def make_game(game_class: type[Game[Any, Any]], name: str, settings: str) -> Game[Any, Any]:
    """A game of that class with settings such as "rows=5,cols=4"; errors call the class by `name`."""
    if missing := sorted(getattr(game_class, "__abstractmethods__", ())):
        raise BrokenGameError(f"{name} has no {', '.join(missing)}: every game needs these methods.")
    known = parameters(game_class)
    given: dict[str, Any] = {}
    for setting in filter(None, settings.split(",")):
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals or not text:
            raise BadParameterError(
                f"cannot read {setting!r}: give parameters as {name}:name=value,name=value."
            )
        if key in given:
            raise BadParameterError(f"{name} was given {key} twice: give it once.")
        if key not in known:
            hint = did_you_mean(key, known) if known else "it takes none."
            raise BadParameterError(f"{name} has no parameter {key!r}: {hint}")
        given[key] = known[key].read(text)
    needed = [
        key
        for key, parameter in known.items()
        if parameter.default is inspect.Parameter.empty and key not in given
    ]
    if needed:
        raise BadParameterError(f"{name} needs {needed[0]}: give {name}:{needed[0]}=VALUE.")
    try:
        return game_class(**given)
    except PerfectPlayError:
        raise
    except Exception as error:
        raise BrokenGameError(f"{name} cannot be made: {_told(error)}") from None


def _class_in_file(path: Path, name: str | None) -> type[Game[Any, Any]]:
    module = _module(path)
    classes = {
        found.__name__: found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Game) and found.__module__ == module.__name__
    }
    if name is None and len(classes) == 1:
        return next(iter(classes.values()))
    if name is None:
        which = f"name one of {', '.join(classes)}" if classes else "write class MyGame(perfectplay.Game)"
        raise UnknownGameError(f"{path} has {len(classes)} game classes: {which}.")
    if name in classes:
        return classes[name]
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Game):
        return found
    if isinstance(found, type):
        raise BrokenGameError(f"{name} in {path} is not a Game: write class {name}(perfectplay.Game).")
    hint = did_you_mean(name, classes) if classes else "write class MyGame(perfectplay.Game)."
    raise UnknownGameError(f"{path} has no class {name!r}: {hint}")


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise UnknownGameError(f"there is no file {str(path)!r}: give the path of the file with your game.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None, "every .py file has one"
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem], shadowed = module, sys.modules.get(path.stem)  # dataclasses look it up
    beside = str(path.parent.resolve())
    sys.path.insert(0, beside)  # for what it imports
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BrokenGameError(f"{path} cannot be imported: {_told(error, path)}") from None
    except SystemExit:
        raise BrokenGameError(
            f'{path} cannot be imported: it exits by itself; put that under if __name__ == "__main__".'
        ) from None
    finally:
        sys.path.remove(beside)
        if shadowed is not None:
            sys.modules[path.stem] = shadowed
    return module


def _told(error: Exception, path: Path | None = None) -> str:
    """An error of somebody else's code in one sentence, with the line of theirs where it happened."""
    if isinstance(error, SyntaxError):
        return f"{error.msg}{f' (line {error.lineno})' if error.lineno else ''}."
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame for frame in frames if path and Path(frame.filename) == path.resolve()]
    where = f" (line {lines[-1].lineno})" if lines else ""
    return f"{type(error).__name__}: {str(error).strip() or 'no message'}{where}."


def _read_flag(kind: Any, text: str) -> bool:
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]


def _read_choice(kind: Any, text: str) -> Any:
    return {str(choice).lower(): choice for choice in get_args(kind)}[text.lower()]


def _read_tuple(kind: Any, text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("+"))


_READERS: Mapping[Any, Callable[[Any, str], Any]] = {
    bool: _read_flag,
    int: lambda kind, text: int(text),
    float: lambda kind, text: float(text),
    str: lambda kind, text: text,
    tuple: _read_tuple,
    Literal: _read_choice,
}
