"""The review of a game with dice: what every decision gave away of the chance to win, luck apart."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Literal, cast

from perfectplay.engine import Engine, Ranking
from perfectplay.game import CHANCE, MAX, same_side, side_of
from perfectplay.play import Match, side_name
from perfectplay.play.verdicts import Standing, judgement_with_dice, standing_of, unit_of
from perfectplay.web.engines import Engines
from perfectplay.web.models import PlyShown, Reviewed
from perfectplay.web.offers import Offer
from perfectplay.web.positions import figure, names
from perfectplay.web.searches import Search, Work


def review_with_dice(offer: Offer, match: Match, seconds: float, engines: Engines) -> Work:
    """The work of telling, from the last position to the first, how each stands and what each move gave away.

    A move is compared with the best one in the same search, equally deep, and not with how the game went on.
    """

    def work(search: Search) -> None:
        with engines.lent(offer, search) as engine:
            _tell(search, match, engine, seconds)

    return work


def _tell(search: Search, match: Match, engine: Engine, seconds: float) -> None:
    began = perf_counter()
    judged: dict[str, dict[str, int]] = {"MAX": {}, "MIN": {}}
    exact = 0
    for ply in range(len(match.states) - 1, -1, -1):
        search.check()
        share = max(began + seconds - perf_counter(), 0.0) / (ply + 1)
        shown = _shown(match, ply, engine, share)
        search.tell("ply", shown)
        exact += shown.exact
        if shown.judgement is not None:
            counts = judged[shown.to_move]
            counts[shown.judgement] = counts.get(shown.judgement, 0) + 1
    taken = round(perf_counter() - began, 6)
    told = {"plies": len(match.actions), "exact": exact, "seconds": taken, "judged": judged}
    search.tell("done", Reviewed.model_validate(told))


def _shown(match: Match, ply: int, engine: Engine, seconds: float) -> PlyShown:
    """A position, and what the move that was played there gave away."""
    game, state = match.game, match.states[ply]
    mover = game.to_move(state)
    unit = unit_of(game)
    gave = None
    line: tuple[Any, ...] = ()
    if game.is_terminal(state):
        mover = side_of(mover)
        standing = standing_of(game, state, game.utility(state, mover), True, unit)._replace(remoteness=0)
    else:
        ranking = _ranked(engine, state, seconds)
        found = ranking.found if ranking else engine.search(state, nodes=0)
        standing = standing_of(game, state, found.value, found.exact, unit)
        line = () if mover == CHANCE else found.line[:1]  # what follows is up to the dice
        if ranking and mover != CHANCE and ply < len(match.actions):
            gave = _given_away(match, ply, ranking, unit)
    to_max = standing if same_side(side_of(mover), MAX) else standing.to_other()
    return PlyShown(
        ply=ply,
        to_move=cast('Literal["MAX", "MIN", "chance"]', side_name(mover)),
        played=names(game, match.actions[ply : ply + 1])[0] if ply < len(match.actions) else None,
        judgement=None if gave is None else judgement_with_dice(gave),
        gave=None if gave is None else round(gave, 4),
        chance=None if standing.chance is None else round(standing.chance, 4),
        value=figure(standing.value),
        value_to_max=figure(to_max.value),
        exact=standing.exact,
        verdict=standing.verdict,
        remoteness=standing.remoteness,
        balance=round(to_max.balance, 4),
        line=names(game, line),
    )


def _ranked(engine: Engine, state: Any, seconds: float) -> Ranking | None:
    """Every move or outcome with its value, as deep as time allows."""
    last = None
    for last in engine.rankings(state, seconds=seconds):  # noqa: B007
        pass
    return last


def _given_away(match: Match, ply: int, ranking: Ranking, unit: float) -> float:
    """How much better the best move stands than the one that was played."""
    game, state = match.game, match.states[ply]

    def stands(value: float) -> Standing:
        return standing_of(game, state, value, False, unit)

    played = next(move for move in ranking.moves if move.action == match.actions[ply])
    return max(stands(ranking.moves[0].value).balance - stands(played.value).balance, 0.0)
