"""perfectplay serve: the games in a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from pathlib import Path
from threading import Thread
from typing import Any

from perfectplay.commands.command import Command, UsageError, whole
from perfectplay.commands.consulting import usable_game
from perfectplay.files import cache_directory
from perfectplay.game import Game
from perfectplay.games import GAMES
from perfectplay.terminal import Terminal

PORT = 8765
NETWORK = (
    "Anyone who can reach this machine over the network, as {}, can now use its processors for searches: "
    "there is no password and no encryption. Leave --host out to be the only one."
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        dest="games",
        action="append",
        default=[],
        metavar="FILE.py:CLASS",
        help="a game of your own to offer as well, under the name of its class; may be given more than once",
    )
    parser.add_argument(
        "--tablebase",
        dest="tablebases",
        action="append",
        default=[],
        metavar="DIR",
        help="a tablebase: every move of its game is shown with its outcome; may be given more than once",
    )
    parser.add_argument(
        "--port", type=whole(0), default=PORT, help="where to listen (default: %(default)s; 0: any free port)"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: %(default)s, this machine only)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--searches",
        type=whole(1),
        metavar="N",
        help="so many searches at once, the others wait (default: 256 in machine code, and one for each "
        "processor in Python)",
    )
    parser.add_argument(
        "--remember",
        metavar="DIR",
        help="where values are kept that were proven once, so that whoever comes next sees them at once "
        "(default: the cache of this user; none: nowhere)",
    )
    parser.add_argument(
        "--allow-host",
        dest="names",
        action="append",
        default=[],
        metavar="NAME",
        help="another name by which browsers reach the server, as in games.example.org (others are refused)",
    )


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Serve the games until Ctrl-C."""
    from perfectplay.proven import ProvenValues
    from perfectplay.web.offers import Offers
    from perfectplay.web.own_games import OwnGame, OwnGames
    from perfectplay.web.server import SEARCHES, WebServer, listen
    from perfectplay.web.tablebases import open_tablebases

    own = _own_games(arguments.games)
    offers = Offers({title: game_class for title, (_, game_class) in own.items()}, apart=True)
    open_tablebases(arguments.tablebases, offers)
    remember = _place(arguments.remember)
    processes = {
        title: OwnGame(
            file,
            tuple(str(table.directory) for name, table in offers.tablebases.items() if _is_of(name, title)),
            arguments.searches or SEARCHES,
            arguments.searches or os.cpu_count() or 1,
            remember,
        )
        for title, (file, _) in own.items()
    }
    listener = listen(arguments.host, arguments.port)

    def ready() -> None:
        terminal.say(f"perfectplay is at {server.address} (Ctrl-C stops it)", "bold")
        if server.abroad:
            terminal.say(NETWORK.format(server.abroad))
        if arguments.open:
            Thread(target=_open, args=(server.address, terminal), daemon=True).start()

    server = WebServer(
        listener,
        offers,
        searches=arguments.searches,
        hosts=arguments.names,
        proven=ProvenValues(remember),
        own=OwnGames(processes),
        ready=ready,
    )
    ended = server.serve_until_stopped()
    terminal.say("Stopped.")
    if not ended:  # a compiler, or rules without end: Python would wait for them
        sys.stdout.flush()
        os._exit(0)
    return 0


def _place(remember: str | None) -> Path | None:
    """The directory of what is remembered, or None for nowhere."""
    if remember is None:
        return cache_directory()
    return None if remember == "none" else Path(remember)


def _is_of(name: str, title: str) -> bool:
    """Is that game, with its parameters, one of that class?"""
    return name.partition(":")[0] == title


def _own_games(names: list[str]) -> dict[str, tuple[str, type[Game[Any, Any]]]]:
    """The classes that the operator named with their files, each after a look at it."""
    own: dict[str, tuple[str, type[Game[Any, Any]]]] = {}
    for name in names:
        game_class = type(usable_game(name, engine=True))
        title = game_class.__name__
        if game_class in GAMES.values():
            raise UsageError(f"{name!r} comes with perfectplay and is offered anyway: leave --game out.")
        if own.setdefault(title, (name, game_class))[1] is not game_class or title in GAMES:
            raise UsageError(f"there are two games called {title}: rename the class in one of the files.")
    return own


def _open(address: str, terminal: Terminal) -> None:
    try:
        opened = webbrowser.open(address)
    except Exception:  # whatever a browser's launcher can stumble over
        opened = False
    if not opened:
        terminal.say("There is no browser to open here: type the address into one.")


SERVE = Command(
    "serve",
    "play, analyse and explain games in a browser",
    "Only this machine can reach the page, unless --host says otherwise.\n\n"
    "perfectplay serve --open\n"
    "perfectplay serve --game my_game.py:MyGame --port 8000\n"
    "perfectplay serve --tablebase c4    (of perfectplay tablebase build GAME c4)",
    _arguments,
    _run,
)
