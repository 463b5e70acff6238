"""Verdicts: what a value says of a position, and what a move gave away."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any, Literal, NamedTuple

from perfectplay.game import MAX, Game

Verdict = Literal["win", "tie", "loss", "draw", "better", "even", "worse"]  # the last three are estimates
Judgement = Literal["best", "good", "mistake", "blunder"]

EVEN = 0.05  # of the unit: an estimate nearer to nothing than this says nothing
SPREAD = 0.4  # how far from the middle an estimate can be: only a proven win is at the end
SETTLED: dict[str, float] = {"win": 1.0, "tie": 0.5, "draw": 0.5, "loss": 0.0}
SLIGHT, MISTAKE, BLUNDER = 0.04, 0.25, 0.75  # of the balance given away; from a win to a tie it is a half
DICE_SLIGHT, DICE_MISTAKE, DICE_BLUNDER = 0.005, 0.03, 0.1  # the same with dice, where little is certain
OPPOSITE: dict[Verdict, Verdict] = {
    "win": "loss",
    "loss": "win",
    "better": "worse",
    "worse": "better",
    "tie": "tie",
    "draw": "draw",
    "even": "even",
}


class Standing(NamedTuple):
    """How a position stands, to one of the players."""

    value: float
    verdict: Verdict
    balance: float  # from 0, a proven loss, to 1, a proven win
    exact: bool  # is the value proven?
    remoteness: int | None = None  # plies to the end with best play, where that is known
    chance: float | None = None  # to win, where dice decide and a game is won or lost

    def to_other(self) -> Standing:
        """The same to the other player."""
        return self._replace(
            value=-self.value + 0.0,
            verdict=OPPOSITE[self.verdict],
            balance=1 - self.balance,
            chance=None if self.chance is None else 1 - self.chance,
        )


def unit_of(game: Game[Any, Any]) -> float:
    """An estimate that is worth mentioning: a part of what can be won, or 1 where nobody says how much."""
    lower, upper = game.bounds(game.initial(), MAX)
    most = min(abs(lower), abs(upper))
    return most / 10 if isfinite(most) and most > 0 else 1.0


def verdict_of(value: float, exact: bool, unit: float) -> Verdict:
    """The word for a value."""
    if exact:
        return "win" if value > 0 else "loss" if value < 0 else "tie"
    if abs(value) < EVEN * unit:
        return "even"
    return "better" if value > 0 else "worse"


def standing_of(
    game: Game[Any, Any],
    state: Any,
    value: float,
    exact: bool,
    unit: float,
    lower: float = -inf,
    upper: float = inf,
) -> Standing:
    """How a position stands by a value to the player who moves there, and by the limits that are proven."""
    average = game.has_chance and not game.is_terminal(state)  # which is no outcome, however exact
    verdict = verdict_of(value, exact and not average, unit)
    if not average and (lower > 0 or upper < 0):
        verdict = "win" if lower > 0 else "loss"
    remoteness = game.plies_left(state, value) if exact and not average else None
    chance = chance_to_win(game, value) if average else None
    balance = balance_of(verdict, value, unit) if chance is None else chance
    return Standing(value, verdict, balance, exact, remoteness, chance)


def balance_of(verdict: Verdict, value: float, unit: float) -> float:
    """Where a position stands between a proven loss, 0, and a proven win, 1."""
    if verdict in SETTLED:
        return SETTLED[verdict]
    if not isfinite(value):
        return 0.5 + (SPREAD if value > 0 else -SPREAD)
    return 0.5 + SPREAD * value / (abs(value) + unit)


def chance_to_win(game: Game[Any, Any], value: float) -> float | None:
    """How likely a win is by an average over wins and losses, 1 and -1; None where there is more to win."""
    if game.bounds(game.initial(), MAX) != (-1, 1) or not isfinite(value):
        return None
    return min(max((1 + value) / 2, 0.0), 1.0)  # sums of fractions may come out beyond


def judgement_with_dice(given_away: float) -> Judgement:
    """How good a move was that gave away so much of the balance; what dice do is nobody's mistake."""
    if given_away >= DICE_BLUNDER:
        return "blunder"
    if given_away >= DICE_MISTAKE:
        return "mistake"
    return "good" if given_away > DICE_SLIGHT else "best"


def judgement(before: Standing, after: Standing) -> Judgement:
    """How good a move was, by how its player stood before and after it.

    Mistakes and blunders give the outcome away: by one step, from a win to a tie or from a tie to a loss, or
    from a win to a loss; or as much by estimate. Good is a move that wins more slowly, or by less.
    """
    given_away = before.balance - after.balance
    if given_away >= BLUNDER:
        return "blunder"
    if given_away >= MISTAKE:
        return "mistake"
    if before.exact and after.exact:
        return "best" if _is_as_good(before, after) else "good"
    return "best" if given_away <= SLIGHT else "good"


def _is_as_good(before: Standing, after: Standing) -> bool:
    if after.value < before.value:
        return False
    if before.remoteness is None or after.remoteness is None or before.verdict not in ("win", "loss"):
        return True
    sooner = after.remoteness + 1 <= before.remoteness
    return sooner if before.verdict == "win" else after.remoteness + 1 >= before.remoteness
