"""check_game: is this a lawful game? A linter for the rules that people write.

It explores the game from the start and plays it out at random; every state on the way goes through the
checks of `contract`. What can be said only of many states together comes last, in `values`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from perfectplay.check.contract import CHECKS
from perfectplay.check.inspection import BROKEN, LENGTH, Inspection, Place
from perfectplay.check.machine import compare
from perfectplay.check.report import Finding, Report, short
from perfectplay.check.tables import foretold
from perfectplay.check.values import CHECKS_OF_THE_WHOLE
from perfectplay.errors import BadParameterError, BrokenGameError
from perfectplay.game import Game
from perfectplay.watchdog import Unreturned, watched

__all__ = ["Finding", "Report", "check_game"]

STATES, PLAYOUTS, SECONDS = 6_000, 100, 4.0  # where nobody says
WIDTH_IN_PLAY = 20  # actions followed from one state of a playout
ENDGAME = 10  # states examined around the end of a playout


def check_game(
    game: Game[Any, Any],
    *,
    states: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    compiled: bool = False,
    rule_seconds: float | None = None,
) -> Report:
    """Does `game` keep the contract of `perfectplay.Game`?

    Looks at so many states from the start (6,000), and at so many random playouts (100); the seed makes
    them the same every time. A game whose methods are slow is left after about `seconds` (4). Where neither
    is given, a game with many moves is left earlier, after some 240,000 calls of its methods. A method that
    has not returned after `rule_seconds` (2), nor after twenty times as long as any took before, is
    interrupted and told. With `compiled`, the rules are also compiled, and both forms compared.
    """
    given: object = game
    if not isinstance(given, Game):
        what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
        raise BrokenGameError(f"check_game was given {what}: give it a game, made of a subclass of Game.")
    exploring = states is None and seconds is None  # as far as is usual, that is
    playing = playouts is None and seconds is None
    states = STATES if states is None else states
    playouts = PLAYOUTS if playouts is None else playouts
    seconds = SECONDS if seconds is None else seconds
    if states < 1 or playouts < 0 or not seconds > 0:
        asked = f"{states} states, {playouts} playouts and {seconds:g} seconds"
        raise BadParameterError(f"cannot check with {asked}: give at least 1, 0 and more than 0.")
    look = Inspection(game, Random(seed), CHECKS)  # noqa: S311
    explored, complete, played, machine, tablebase = 0, False, 0, "", ""
    try:
        with watched(look.progress, rule_seconds):
            if root := _begin(look):
                look.allow(0.7 * seconds, limited=exploring)
                explored, complete = _explore(look, states)
                look.allow(seconds, limited=playing)
                played = _play_out(look, root, playouts)
                look.allow(1.2 * seconds, limited=exploring and playing)
                for check in CHECKS_OF_THE_WHOLE:
                    check(look, root)
        if root and compiled and not any(severity == "error" for severity, *_ in look.found.values()):
            machine, tablebase = compare(look), foretold(look, complete=complete)
    except BrokenGameError:  # it is written down, and what comes after would only follow from it
        complete = False
    except Unreturned as error:
        what = f"comparing or hashing states or actions {error}, at {look.line_of(error)}"
        look.note("state-does-not-return", None, what)
        complete = False
    except (Exception, SystemExit) as error:
        look.note("state-raises", None, f"looking into states or actions raised {look.told(error)}")
        complete = False
    explored = explored or look.examined
    with watched(look.progress, rule_seconds):
        findings = look.findings()
    return Report(type(game).__name__, findings, explored, complete, played, machine, tablebase)


def _begin(look: Inspection) -> Place | None:
    """The place where play begins, if there is one; where a tablebase begins is looked at as well."""
    players: Any = look.game.players
    if isinstance(players, int) and players > 0:
        look.players = players
    else:
        look.note("players-wrong", None, f"players is {short(players)}", "give a number above 0")
    zero_sum: Any = look.game.zero_sum
    if not isinstance(zero_sum, bool):
        look.note("zero-sum-wrong", None, f"zero_sum is {short(zero_sum)}", "give True or False")
    state = look.ask(None, "initial")
    root = None if state is BROKEN else look.arrive(state, None, None)
    if root and look.overrides("table_start"):
        first = look.ask(None, "table_start")
        if first is not BROKEN:
            look.arrive(first, None, None)
    return root


def _explore(look: Inspection, states: int) -> tuple[int, bool]:
    """Examine states breadth first; how many there were, and whether these are all."""
    for explored, place in enumerate(look.discovered):
        if explored >= states or look.spent():
            return explored, False
        look.examine(place)
    complete = all(place.whole and place.below is not None for place in look.discovered)
    return len(look.discovered), complete


def _play_out(look: Inspection, root: Place, playouts: int) -> int:
    """Examine the states on random lines of play, and around their ends; how many lines there were.

    Every second line shuns the moves that end the game, to get where little is left to play.
    """
    look.width = WIDTH_IN_PLAY
    if root.examined and not root.below:
        return 0
    for played in range(playouts):
        line = [root]
        while not look.spent():
            look.examine(line[-1])
            if not line[-1].below or len(line) > LENGTH:
                break
            choices = [look.random.choice(line[-1].below)[1] for _ in range(6 if played % 2 else 1)]
            line.append(next((place for place in choices if not look.over(place)), choices[0]))
        left = ENDGAME
        for place in reversed(line):
            left -= look.examine_below(place, left)
        if look.spent():
            return played
    return playouts
