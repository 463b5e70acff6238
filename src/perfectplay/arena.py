"""The arena: two players, many games, and how sure one can be which of them is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from random import Random
from typing import Any

from perfectplay.errors import BadParameterError, did_you_mean
from perfectplay.game import CHANCE, MAX, MIN, Game, choices, require_zero_sum, same_side
from perfectplay.play import OTHERS, Match, Player, TablebasePlayer, find_player, takes_depth, takes_seconds
from perfectplay.textbook import Counted, drawn

SECONDS = 0.1  # for a move, where nobody says
MANY = 20_000  # openings are counted up to here, and drawn at random beyond
PLIES = 8  # the longest openings where nobody says how long
LENGTH = 2_000  # moves, after which a game is a draw
SURE = 0.95
DEVIATIONS = 1.959964  # to either side of the mean that SURE of a normal distribution has


@dataclass(frozen=True)
class Played:
    """One game of a contest."""

    first_is: int  # the side of the first player, MAX or MIN
    opening: tuple[str, ...]
    moves: tuple[str, ...]  # those of the opening included
    movers: tuple[int, ...]  # who made each
    worth: float  # to the first player
    cut: bool  # was it too long?

    @property
    def score(self) -> float:
        """Of the first player: 1 for a win, a half for a draw."""
        return 1.0 if self.worth > 0 else 0.0 if self.worth < 0 else 0.5

    @property
    def result(self) -> str:
        """As in the notation of chess, MAX first."""
        to_max = self.score if self.first_is == MAX else 1 - self.score
        return {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[to_max]

    @property
    def notation(self) -> str:
        """The moves, numbered whenever MAX is to move after MIN, and at the start."""
        words = []
        number = 0
        for index, (move, mover) in enumerate(zip(self.moves, self.movers, strict=True)):
            begins = same_side(mover, self.movers[0])
            if index == 0 or (begins and not same_side(mover, self.movers[index - 1])):
                number += 1
                words.append(f"{number}.")
            words.append(move)
        return " ".join([*words, self.result])


@dataclass(frozen=True)
class Standing:
    """The result of a contest so far, to the first player, by the scores of its pairs of games."""

    pairs: tuple[tuple[float, float], ...]

    @property
    def games(self) -> int:
        """How many games that makes."""
        return 2 * len(self.pairs)

    @property
    def tally(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        scores = [score for pair in self.pairs for score in pair]
        return scores.count(1.0), scores.count(0.5), scores.count(0.0)

    @property
    def score(self) -> float:
        """The share of the points."""
        return sum(map(sum, self.pairs)) / self.games if self.pairs else 0.5

    @property
    def limits(self) -> tuple[float, float]:
        """Between these the score lies with SURE confidence.

        The two games of a pair share their opening, so it is pairs that are independent: the error
        comes from the variance of their scores. Where all n pairs ended alike there is none, and what
        can be said is that of all pairs a share of at least 0.05**(1/n) ends like that.
        """
        count = len(self.pairs)
        if count == 0:
            return 0.0, 1.0
        scores = [sum(pair) / 2 for pair in self.pairs]
        mean = self.score
        if min(scores) == max(scores):
            alike = (1 - SURE) ** (1 / count)
            return alike * mean, alike * mean + 1 - alike
        variance = sum((score - mean) ** 2 for score in scores) / (count - 1)
        error = DEVIATIONS * sqrt(variance / count)
        return max(0.0, mean - error), min(1.0, mean + error)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo that the score stands for, and those of its limits."""
        lower, upper = self.limits
        return elo(self.score), elo(lower), elo(upper)


def elo(score: float) -> float:
    """The difference in strength at which one scores so: 400 points are ten to one."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


@dataclass(frozen=True)
class Openings:
    """Distinct lines of play to begin games with."""

    lines: tuple[tuple[Any, ...], ...]
    plies: int
    complete: bool  # are there no others of this length?


def find_openings(game: Game[Any, Any], wanted: int, plies: int | None, seed: int) -> Openings:
    """So many openings at random, no two of which lead to the same position or its mirror image.

    Without `plies` they are as short as they can be, so that there are enough.
    """
    require_zero_sum(game, "the arena")
    random = Random(seed)  # noqa: S311 - nothing secret hangs on it
    start = game.initial()
    if game.has_chance and not game.is_terminal(start):  # every pair has dice of its own
        drawn_lines = tuple(_line(game, plies or 0, random) for _ in range(wanted))
        return Openings(drawn_lines, plies or 0, complete=False)
    level: dict[Any, tuple[Any, ...]] = {} if game.is_terminal(start) else {start: ()}
    depth = 0
    while depth < (PLIES if plies is None else plies) and not (plies is None and len(level) >= wanted):
        below = _next_level(game, level, MANY + wanted)
        if plies is not None and len(below) > MANY + wanted:
            return _drawn(game, wanted, plies, random)
        if plies is None and len(below) < len(level):
            break
        level = below
        depth += 1
    if not level:
        if game.is_terminal(start):
            raise BadParameterError("the game is over before it begins: there is nothing to play.")
        raise BadParameterError(f"the game is always over after {depth} moves: give shorter openings.")
    lines = list(level.values())
    random.shuffle(lines)
    return Openings(tuple(lines[:wanted]), depth, complete=len(lines) <= wanted)


def _next_level(
    game: Game[Any, Any], level: dict[Any, tuple[Any, ...]], many: int
) -> dict[Any, tuple[Any, ...]]:
    """The positions one ply on where the game is not over, each with a line to it; not too many."""
    below: dict[Any, tuple[Any, ...]] = {}
    met = set()
    for state, line in level.items():
        for action in game.actions(state):
            child = game.result(state, action)
            known = game.canonical(child)
            if known not in met and not game.is_terminal(child):
                met.add(known)
                below[child] = (*line, action)
                if len(below) > many:
                    return below
    return below


def _drawn(game: Game[Any, Any], wanted: int, plies: int, random: Random) -> Openings:
    """Openings drawn at random, where there are too many to list."""
    lines: dict[Any, tuple[Any, ...]] = {}
    for _ in range(20 * wanted):
        line = _line(game, plies, random)
        state = game.initial()
        for action in line:
            state = game.result(state, action)
        if not game.is_terminal(state):
            lines.setdefault(game.canonical(state), line)
        if len(lines) == wanted:
            break
    if not lines:
        raise BadParameterError(f"no opening of {plies} moves was found: give fewer.")
    return Openings(tuple(lines.values()), plies, complete=False)


def _line(game: Game[Any, Any], plies: int, random: Random) -> tuple[Any, ...]:
    """So many moves at random, dice among them; fewer where the game is over before."""
    state = game.initial()
    line: list[Any] = []
    while len(line) < plies and not game.is_terminal(state):
        line.append(random.choice(list(choices(game, state))))
        state = game.result(state, line[-1])
    return tuple(line)


def contest(
    game: Game[Any, Any], players: Sequence[Player], openings: Openings, *, dice: int = 0
) -> Iterator[tuple[Played, Played]]:
    """Each opening twice, with sides swapped: first the one player is MAX, then the other.

    Both games of a pair have the same dice, of which the first pair's have the number `dice`.
    """
    first, second = players
    for number, line in enumerate(openings.lines, dice):
        yield (
            play_game(game, {MAX: first, MIN: second}, line, first_is=MAX, dice=number),
            play_game(game, {MAX: second, MIN: first}, line, first_is=MIN, dice=number),
        )


def play_game(
    game: Game[Any, Any], sides: dict[int, Player], opening: Sequence[Any], *, first_is: int, dice: int = 0
) -> Played:
    """One game from an opening to its end."""
    require_zero_sum(game, "the arena")
    random = Random(dice)  # noqa: S311 - likewise
    match = Match(game)
    for action in opening:
        match.play(action)
    began = tuple(match.names)
    while not match.over and len(match.actions) < LENGTH:
        turn = game.to_move(match.state)
        if turn == CHANCE:
            match.play(drawn(game, match.state, random))
            continue
        match.play(sides[MAX if turn == MAX else MIN].choose(Counted(game), match.state))
    worth = game.utility(match.state, MAX) if match.over else 0.0
    movers = tuple(game.to_move(state) for state in match.states[:-1])
    to_first = worth if first_is == MAX else -worth
    return Played(first_is, began, tuple(match.names), movers, to_first, cut=not match.over)


# Players by their names and settings.

SETTINGS: dict[str, Callable[[str], Any]] = {
    "seconds": float,
    "depth": int,
    "threads": int,
    "playouts": int,
}


def read_players(
    texts: Sequence[str],
    *,
    seconds: float | None = None,
    depth: int | None = None,
    seed: int = 0,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
) -> list[Player]:
    """The players that texts name, each with settings of its own after a colon, as in engine:depth=4.

    `seconds` and `depth` are for those without settings who can make use of them.
    """
    known = [text.partition(":")[0] for text in texts]
    if seconds is not None and not any(map(takes_seconds, known)):
        raise BadParameterError(f"neither {known[0]} nor {known[1]} looks at the clock: give no seconds.")
    if depth is not None and not any(map(takes_depth, known)):
        raise BadParameterError(f"neither {known[0]} nor {known[1]} takes a depth: leave it out.")
    players = []
    for number, (name, text) in enumerate(zip(known, texts, strict=True)):
        if name == TablebasePlayer.name:  # what follows is no setting but a directory
            players.append(find_player(text, compile=compile))
            continue
        if text.startswith(OTHERS.partition(":")[0] + ":"):  # a command, with settings of its own
            pace = SECONDS if seconds is None and depth is None else seconds
            players.append(find_player(text, seconds=pace, depth=depth))
            continue
        given = _settings(name, text)
        if not given and depth is not None and takes_depth(name):
            given = {"depth": depth}
        elif not given and takes_seconds(name):
            given = {"seconds": SECONDS if seconds is None else seconds}
        players.append(find_player(name, **given, seed=seed + number, compile=compile))
    return players


def _settings(name: str, text: str) -> dict[str, Any]:
    """What follows the colon, read."""
    given: dict[str, Any] = {}
    for setting in filter(None, text.partition(":")[2].split(",")):
        key, _, value = (part.strip() for part in setting.partition("="))
        if key not in SETTINGS:
            raise BadParameterError(f"{name} has no setting {key!r}: {did_you_mean(key, SETTINGS)}")
        try:
            given[key] = SETTINGS[key](value)
        except ValueError:
            raise BadParameterError(f"cannot read {setting!r}: give {name}:{key}=NUMBER.") from None
    return given
