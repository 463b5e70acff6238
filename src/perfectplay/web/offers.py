"""The games that a server offers: those that come with perfectplay, and the operator's own."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from perfectplay.errors import BadParameterError, PerfectPlayError, UnknownGameError, did_you_mean
from perfectplay.game import Game, require_zero_sum
from perfectplay.games import GAMES, Parameter, make_game, parameters
from perfectplay.web.faults import RefusedError, blamed

if TYPE_CHECKING:
    from perfectplay.tablebase import Tablebase

LARGEST = 64  # number that a request may give a game as a parameter
MOST_NUMBERS = 16  # in a parameter that takes several
LONGEST_WORD = 64
IN_A_TERMINAL = "perfectplay play in a terminal"


class Offer(NamedTuple):
    """A game with its parameters, and the tablebase of it where there is one."""

    name: str  # as in "connect-four:rows=5,cols=4"
    game: Game[Any, Any]
    table: Tablebase | None = None


class Offers:
    """Games by name, and nothing else: no request can name a file or bring code."""

    def __init__(self, own: Mapping[str, type[Game[Any, Any]]] | None = None, *, apart: bool = False) -> None:
        self.own = dict(own or {})
        self.apart = apart  # do processes of their own answer for these?
        self.classes: dict[str, type[Game[Any, Any]]] = {**GAMES, **self.own}
        self.tablebases: dict[str, Tablebase] = {}  # by the name of the offer
        self.serving = False  # then the rules of these are not run here any more

    def read(self, text: str, *, any_players: bool = False) -> Offer:
        """The game that a request names, as in "connect-four:rows=5,cols=4", within the bounds.

        With `any_players` every one may have a utility of its own: the theatre shows those games, too.
        """
        name, _, settings = text.partition(":")
        known = name if name in self.own else name.strip().lower().replace("_", "-")
        if known not in self.classes:
            raise UnknownGameError(f"there is no game {name!r} here: {did_you_mean(known, self.classes)}")
        if self.apart and self.serving and known in self.own:
            raise RefusedError(400, f"{known} cannot be asked for in this way: name it once, as game.")
        given = list(filter(None, (setting.strip() for setting in settings.split(","))))
        _check_settings(self.classes[known], given)
        with blamed():
            game = make_game(self.classes[known], known, ",".join(given))
            written = _written(self.classes[known], given)
            solved = _written(self.classes[known], given, compared=True)
        if not any_players:
            require_zero_sum(game, "the page", IN_A_TERMINAL)
        title, solved = (f"{known}:{each}" if each else known for each in (written, solved))
        return Offer(title, game, self.tablebases.get(solved))

    def described(self, *, two_sides: bool = True) -> list[dict[str, Any]]:
        """Every game of MAX against MIN with its rules and its parameters, for JSON; or every other one."""
        games = [self._described(name, game_class) for name, game_class in self.classes.items()]
        return [each for each in games if each["two_sides"] == two_sides]

    def _described(self, name: str, game_class: type[Game[Any, Any]]) -> dict[str, Any]:
        rules = _rules(game_class)
        return {
            "name": name,
            "title": _title(name),
            "summary": rules.splitlines()[0],
            "rules": rules,
            "how_to_play": _how_to_play(game_class, rules),
            "parameters": [_parameter(each) for each in parameters(game_class).values()],
            **self._kind(name, game_class),
            "own": name in self.own,
            "tablebases": [each for each in self.tablebases if each.partition(":")[0] == name],
        }

    def _kind(self, name: str, game_class: type[Game[Any, Any]]) -> dict[str, Any]:
        """How many play it, whether they are MAX and MIN, and whether chance moves too."""
        try:
            with blamed():
                game = make_game(game_class, name, "")
                return {
                    "players": int(game.players),
                    "two_sides": bool(game.zero_sum),
                    "dice": game.has_chance is True,
                }
        except PerfectPlayError:  # it needs parameters, say
            players = game_class.players if isinstance(game_class.players, int) else 2
            return {"players": players, "two_sides": True, "dice": False}


def _check_settings(game_class: type[Game[Any, Any]], settings: list[str]) -> None:
    """Refuse numbers that make a board no page can hold, before a game is made of them."""
    known = parameters(game_class)
    for setting in settings:
        key, _, text = (part.strip() for part in setting.partition("="))
        if key in known and text and (value := known[key].read(text)) != known[key].default:
            _check_value(key, value)


def _written(game_class: type[Game[Any, Any]], settings: list[str], *, compared: bool = False) -> str:
    """The settings as one writes them: one game has one name, however a request spells it.

    With `compared`, those that make another game of it: the others only say where play begins.
    """
    known = {key: each for key, each in parameters(game_class).items() if each.compared or not compared}
    given = dict(setting.split("=", 1) for setting in settings)
    stripped = {key.strip(): text.strip() for key, text in given.items()}
    values = {key: known[key].read(text) for key, text in stripped.items() if key in known}
    changed = [key for key in known if key in values and values[key] != known[key].default]
    return ",".join(f"{key}={known[key].write(values[key])}" for key in changed)


def _check_value(key: str, value: Any) -> None:
    numbers = value if isinstance(value, tuple) else (value,)
    if len(numbers) > MOST_NUMBERS:
        raise BadParameterError(
            f"{key} has {len(numbers)} numbers: a request may give {MOST_NUMBERS} at the most."
        )
    for number in numbers:
        if isinstance(number, str) and len(number) > LONGEST_WORD:
            raise BadParameterError(
                f"{key} is a word of {len(number)} characters: give {LONGEST_WORD} or less."
            )
        if isinstance(number, float) and not (isfinite(number) and abs(number) <= LARGEST):
            raise BadParameterError(
                f"cannot take {key}={number}: give a number from -{LARGEST} to {LARGEST}."
            )
        if isinstance(number, int) and not 0 <= number <= LARGEST:
            raise BadParameterError(f"cannot take {key}={number}: give a whole number from 0 to {LARGEST}.")


def _parameter(parameter: Parameter) -> dict[str, Any]:
    kind = get_origin(parameter.kind) or parameter.kind
    kinds: dict[Any, str] = {bool: "bool", int: "int", float: "float", tuple: "numbers", Literal: "choice"}
    choices = {bool: ["yes", "no"], Literal: [str(choice) for choice in get_args(parameter.kind)]}.get(kind)
    needed = parameter.default in (inspect.Parameter.empty, None)
    return {
        "name": parameter.name,
        "kind": kinds.get(kind, "word"),
        "choices": choices,
        "default": None if needed else parameter.write(parameter.default),
        "help": parameter.choices,
        "compared": parameter.compared,
    }


def _rules(game_class: type[Game[Any, Any]]) -> str:
    text = game_class.__doc__ or ""
    if text.startswith(f"{game_class.__name__}("):  # what a dataclass writes where its author did not
        text = ""
    return inspect.cleandoc(text).strip() or game_class.__name__


def _how_to_play(game_class: type[Game[Any, Any]], rules: str) -> str:
    """What the class says to players, or else the first paragraph of its rules."""
    given = game_class.how_to_play
    return " ".join((given if isinstance(given, str) and given else rules.split("\n\n")[0]).split())


def _title(name: str) -> str:
    """A name for people: connect-four is Connect Four, and MyGame My Game."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("-", " ").replace("_", " ").split()
    small = {"and", "or", "of", "the"}
    titled = [word if word in small else word[0].upper() + word[1:] for word in words]
    written = " ".join(titled).replace("Tic Tac Toe", "Tic-tac-toe").replace(" Mens ", " Men's ")
    return "m,n,k game" if name == "mnk" else written
