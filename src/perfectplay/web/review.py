"""The review of a game: every position valued, from the last to the first, and every move judged."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, cast

from perfectplay.engine import Analysis, Engine
from perfectplay.engine.background import BEING_COMPILED
from perfectplay.errors import EndlessGameError
from perfectplay.game import MAX, Game, same_side
from perfectplay.play import Match, side_name
from perfectplay.play.verdicts import Standing, Verdict, judgement, standing_of, unit_of
from perfectplay.proven import Proven, ProvenRules, ProvenValues
from perfectplay.web.dice_review import review_with_dice
from perfectplay.web.engines import Engines
from perfectplay.web.models import PlyShown, Reviewed, ReviewQuestion, Started
from perfectplay.web.offers import Offer
from perfectplay.web.positions import figure, names
from perfectplay.web.searches import Search, Work

REVIEW = 5.0  # seconds for a whole game, where nobody says
SHARE = 4.0  # times the time that is left for each position, one of them may take
GUESS = 0.25  # of the time of a position is for an estimate, where nothing is proven
LINE = 12  # plies of best play, by a tablebase
COMPILING = 30.0  # seconds more, where the rules are compiled first,
A_WHILE = 1.0  # of which so many pass between two signs of life
EAGER = 2  # positions in a row that could not be proven: those before them are harder still


class Valued(NamedTuple):
    """What is known of a position."""

    standing: Standing  # to the player who moves there; of a position that is over, likewise
    line: tuple[Any, ...] = ()


def review(
    offer: Offer, match: Match, question: ReviewQuestion, engines: Engines, proven: ProvenValues
) -> Work:
    """The work of telling, ply by ply from the last, how every position stands and how good each move was."""
    seconds = REVIEW if question.seconds is None else question.seconds
    if offer.game.has_chance:
        return review_with_dice(offer, match, seconds, engines)

    def work(search: Search) -> None:
        if offer.table is not None:
            search.tell("started", Started())
            _tell(search, match, _Judge(offer, match, None, proven, seconds, search.check))
            return
        with engines.lent(offer, search) as engine:
            _tell(search, match, _Judge(offer, match, engine, proven, seconds, search.check))

    return work


def _tell(search: Search, match: Match, judge: _Judge) -> None:
    began = perf_counter()
    after: Valued | None = None
    exact = 0
    judged: dict[str, dict[str, int]] = {"MAX": {}, "MIN": {}}
    for ply in range(len(match.states) - 1, -1, -1):
        search.check()
        here = judge.valued(ply, after)
        shown = _shown(match, ply, here, after)
        search.tell("ply", shown)
        exact += here.standing.exact
        if shown.judgement is not None:
            counts = judged[side_name(match.game.to_move(match.states[ply]))]
            counts[shown.judgement] = counts.get(shown.judgement, 0) + 1
        after = here
    seconds = round(perf_counter() - began, 6)
    told = {"plies": len(match.actions), "exact": exact, "seconds": seconds, "judged": judged}
    search.tell("done", Reviewed.model_validate(told))


class _Judge:
    """Who values the positions of a game, from the last to the first, so that the table helps."""

    def __init__(
        self,
        offer: Offer,
        match: Match,
        engine: Engine | None,
        proven: ProvenValues,
        seconds: float,
        check: Callable[[], None],
    ) -> None:
        self.table = offer.table
        self.match = match
        self.game = offer.game
        self.engine = engine
        self.rules: ProvenRules = proven.of(offer.game)
        self.unit = unit_of(offer.game)
        self.deadline = perf_counter() + seconds
        self.check = check  # is asked now and then whether somebody waits
        self.unproven = 0  # positions in a row

    def valued(self, ply: int, after: Valued | None) -> Valued:
        """A position; `after` is the one that was played to from it."""
        game, state = self.game, self.match.states[ply]
        if game.is_terminal(state):
            worth = game.utility(state, game.to_move(state))
            return Valued(standing_of(game, state, worth, True, self.unit)._replace(remoteness=0))
        if self.table is not None and (entry := self.table.get(state)) is not None:
            found = standing_of(game, state, entry.value, True, self.unit)
            balance = 0.5 if entry.outcome == "draw" else found.balance
            standing = found._replace(
                verdict=cast("Verdict", entry.outcome), balance=balance, remoteness=entry.remoteness
            )
            return Valued(standing, tuple(self.table.line(state, LINE)))
        if known := self.rules.known(state):
            return Valued(standing_of(game, state, known.value, True, self.unit), known.line)
        if self.engine is None:  # a table that begins later than the game
            return Valued(Standing(0.0, "even", 0.5, False))
        return self._searched(self.engine, ply, after)

    def _searched(self, engine: Engine, ply: int, after: Valued | None) -> Valued:
        """By proof where there is time for one, or else by estimate."""
        game, state = self.game, self.match.states[ply]
        left = max(self.deadline - perf_counter(), 0.0)
        share = left / (ply + 1)
        if self.unproven < EAGER:
            found = self._proved(engine, state, min(SHARE * share, left) * (1 - GUESS))
            if found.exact:
                self.unproven = 0
                self.rules.remember([(state, Proven(found.value, found.line))])
                return Valued(standing_of(game, state, found.value, True, self.unit), found.line)
            self.unproven += 1
            share *= GUESS
        found = engine.search(state, seconds=share)
        guess = Valued(standing_of(game, state, found.value, found.exact, self.unit), found.line)
        return _at_least(guess, self._by_the_move(ply, after), self.match.actions[ply : ply + 1])

    def _proved(self, engine: Engine, state: Any, seconds: float) -> Analysis:
        """A proof, or what there is of one; time that a compiler takes is not taken from the review."""
        began = perf_counter()
        try:
            while engine.why_not == BEING_COMPILED and perf_counter() - began < COMPILING:
                self.check()
                found = engine.solve(state, seconds=A_WHILE)
                if found.exact:
                    return found
            self.deadline += perf_counter() - began
            return engine.solve(state, seconds=seconds)
        except EndlessGameError:  # play in circles: what is near is seen by deepening
            return engine.search(state, seconds=seconds)

    def _by_the_move(self, ply: int, after: Valued | None) -> Standing | None:
        """What the move that was played proves of the position: it is worth that, or more."""
        if after is None or after.standing.verdict != _winning(self.game, self.match, ply):
            return None
        standing = _to_mover(self.game, self.match, ply, after.standing)
        return standing._replace(exact=False, remoteness=None)


def _winning(game: Game[Any, Any], match: Match, ply: int) -> str:
    """The verdict after a move by which it wins: a loss, unless the same player moves again."""
    return "win" if _moves_again(game, match, ply) else "loss"


def _at_least(guess: Valued, proven: Standing | None, played: list[Any]) -> Valued:
    return guess if proven is None or guess.standing.exact else Valued(proven, tuple(played))


def _moves_again(game: Game[Any, Any], match: Match, ply: int) -> bool:
    return same_side(game.to_move(match.states[ply]), game.to_move(match.states[ply + 1]))


def _to_mover(game: Game[Any, Any], match: Match, ply: int, after: Standing) -> Standing:
    """How the position after a move stands, to the player who made it."""
    return after if _moves_again(game, match, ply) else after.to_other()


def _shown(match: Match, ply: int, here: Valued, after: Valued | None) -> PlyShown:
    game, state, standing = match.game, match.states[ply], here.standing
    to_max = standing if same_side(game.to_move(state), MAX) else standing.to_other()
    judged = None
    if after is not None:
        judged = judgement(standing, _to_mover(game, match, ply, after.standing))
        if here.line[:1] == (match.actions[ply],) and judged == "good":
            judged = "best"
    return PlyShown(
        ply=ply,
        to_move="MAX" if same_side(game.to_move(state), MAX) else "MIN",
        played=names(game, match.actions[ply : ply + 1])[0] if ply < len(match.actions) else None,
        judgement=judged,
        value=figure(standing.value),
        value_to_max=figure(to_max.value),
        exact=standing.exact,
        verdict=standing.verdict,
        remoteness=standing.remoteness,
        balance=round(to_max.balance, 4),
        line=names(game, here.line),
    )
