"""perfectplay games: what games there are."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from inspect import Signature
from typing import Any

from perfectplay.commands.command import Command, add_json
from perfectplay.commands.consulting import usable_game
from perfectplay.game import Game, choices
from perfectplay.games import GAMES, parameters
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="show the rules and the board of this one")
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """What games there are, or one of them with its board."""
    chosen = None if arguments.game is None else usable_game(arguments.game)
    if arguments.json:
        classes = GAMES if chosen is None else {arguments.game: type(chosen)}
        terminal.say(json.dumps([_described(*item) for item in classes.items()], indent=2))
    elif chosen is None:
        for name, game_class in GAMES.items():
            settings = ",".join(f"{p.name}={p.write(p.default)}" for p in parameters(game_class).values())
            terminal.say(f"{name}:{settings}" if settings else name, "bold")
            terminal.say(f"    {_summary(game_class)}")
        terminal.say("\nParameters follow a colon: perfectplay play connect-four:rows=4,cols=5,k=3")
        terminal.say("A game of your own is a class in a file: perfectplay play my_game.py:MyGame")
        terminal.say("Games of other libraries, once these are installed: chess, openspiel:hex(board_size=5)")
    else:
        terminal.say(_doc(type(chosen)) + "\n")
        for parameter in parameters(type(chosen)).values():
            now = getattr(chosen, parameter.name, parameter.default)
            terminal.say(f"  {parameter.name}={parameter.write(now)}: {parameter.choices}")
        if chosen.board_limits:
            terminal.say(f"  limits: {chosen.board_limits}")
        terminal.say()
        terminal.board(chosen.render(chosen.initial()))
        moves = [chosen.action_name(action) for action in choices(chosen, chosen.initial())]
        terminal.say(f"\nmoves at the start: {' '.join(moves)}")
    return 0


def _described(name: str, game_class: type[Game[Any, Any]]) -> dict[str, Any]:
    settings = {}
    for p in parameters(game_class).values():
        known = p.default if isinstance(p.default, int | float | str) else p.write(p.default)
        settings[p.name] = {"default": None if p.default is Signature.empty else known, "choices": p.choices}
    told = {"name": name, "summary": _summary(game_class), "parameters": settings}
    return told | {"limits": game_class.board_limits or None}


def _doc(game_class: type[Game[Any, Any]]) -> str:
    text = game_class.__doc__ or ""
    if text.startswith(f"{game_class.__name__}("):  # what a dataclass writes where its author did not
        text = ""
    lines = (text or game_class.__name__).strip().splitlines()
    return "\n".join(line.strip() for line in lines)


def _summary(game_class: type[Game[Any, Any]]) -> str:
    return _doc(game_class).splitlines()[0]


COMMAND = Command(
    "games", "what games there are, with their parameters", "perfectplay games connect-four", _arguments, _run
)
