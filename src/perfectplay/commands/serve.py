"""perfectplay serve: the games in a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from dataclasses import replace
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
WORD = "PERFECTPLAY_TOKEN"  # the environment variable with it, which no list of processes shows
NETWORK = (
    "Anyone who can reach this machine over the network, as {}, can now use its processors for searches: "
    "there is no password and no encryption. Leave --host out to be the only one."
)
INVITED = (
    "Other machines reach it as {}, without encryption: whoever listens in the network can read the word. "
    "docs/deploying.md shows how to put a proxy with encryption in front."
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        dest="games",
        action="append",
        default=[],
        metavar="FILE.py:CLASS",
        help="a game of your own to offer as well, under the name of its class, or another library's, as in "
        "chess or openspiel:hex; may be given more than once",
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
        "--token",
        metavar="WORD",
        help="let in only who knows this word, of 12 letters or more; the server prints a link with it "
        f"(default: ${WORD}, or else one is made up where --host is not this machine only)",
    )
    parser.add_argument("--no-token", action="store_true", help="let in everybody who can reach the server")
    parser.add_argument(
        "--prefix",
        default="",
        metavar="PATH",
        help="the path below which a proxy has the server, as in /games (default: none)",
    )
    parser.add_argument(
        "--proxy",
        dest="proxies",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy whose X-Forwarded-For and -Proto are believed, as in 127.0.0.1 or 10.0.0.0/8",
    )
    parser.add_argument(
        "--workers",
        type=whole(1),
        default=1,
        metavar="N",
        help="so many processes that share the work (default: %(default)s)",
    )
    parser.add_argument(
        "--access-log", metavar="FILE", help="a line for every request goes there (-: to standard error)"
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
    from perfectplay.web.access import checked_token, invitation, new_token
    from perfectplay.web.deployment import Settings, checked_proxies, make_server
    from perfectplay.web.prefix import checked_prefix
    from perfectplay.web.server import address_of, is_loopback, listen
    from perfectplay.web.workers import Workers

    if arguments.no_token and arguments.token:
        raise UsageError("--token and --no-token cannot both be: leave one of them out.")
    settings = Settings(
        own=_own_games(arguments.games),
        tablebases=tuple(arguments.tablebases),
        searches=arguments.searches,
        workers=arguments.workers,
        hosts=tuple(arguments.names),
        remember=_place(arguments.remember),
        prefix=checked_prefix(arguments.prefix),
        proxies=checked_proxies(arguments.proxies),
        access_log=arguments.access_log,
    )
    given = arguments.token or ("" if arguments.no_token else os.environ.get(WORD, ""))
    token = checked_token(given) if given else ""
    listener = listen(arguments.host, arguments.port)
    host = listener.getsockname()[0]
    if not token and not arguments.no_token and not is_loopback(host):
        token = new_token()
    address, abroad = address_of(listener, settings.prefix)

    def ready() -> None:
        terminal.say(f"perfectplay is at {address} (Ctrl-C stops it)", "bold")
        if abroad:
            terminal.say((INVITED if token else NETWORK).format(abroad))
        if token:
            terminal.say(f"Whoever has this link is let in: {invitation(abroad or address, token)}")
        if arguments.open:
            page = invitation(address, token) if token else address
            Thread(target=_open, args=(page, terminal), daemon=True).start()

    settings = replace(settings, token=token)
    with listener:
        if settings.workers > 1:
            ended = Workers(settings, listener, ready).serve_until_stopped()
        else:
            ended = make_server(settings, listener, ready).serve_until_stopped()
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


def _own_games(names: list[str]) -> dict[str, str]:
    """The files of games that the operator named, by the names of their classes, each after a look at it."""
    files: dict[str, str] = {}
    classes: dict[str, type[Game[Any, Any]]] = {}
    for name in names:
        game_class = type(usable_game(name, engine=True))
        title = game_class.__name__
        if game_class in GAMES.values():
            raise UsageError(f"{name!r} comes with perfectplay and is offered anyway: leave --game out.")
        if classes.setdefault(title, game_class) is not game_class or title in GAMES:
            raise UsageError(f"there are two games called {title}: rename the class in one of the files.")
        files.setdefault(title, name)
    return files


def _open(address: str, terminal: Terminal) -> None:
    try:
        opened = webbrowser.open(address)
    except Exception:  # whatever a browser's launcher can stumble over
        opened = False
    if not opened:
        terminal.say("There is no browser to open here: type the address into one.")


COMMAND = Command(
    "serve",
    "play, analyse and explain games in a browser",
    "Only this machine can reach the page, unless --host says otherwise.\n\n"
    "perfectplay serve --open\n"
    "perfectplay serve --game my_game.py:MyGame --port 8000\n"
    "perfectplay serve --tablebase c4    (of perfectplay tablebase build GAME c4)\n"
    "perfectplay serve --host 0.0.0.0    (prints a link for a class; docs/deploying.md has the rest)",
    _arguments,
    _run,
)
