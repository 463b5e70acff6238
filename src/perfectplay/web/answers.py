"""What a search does for the one who asked: every move with its value, or a move of an opponent."""

from __future__ import annotations

import json
from random import Random
from time import perf_counter
from typing import Any, cast

from perfectplay.engine import Analysis, Engine, Ranked, Ranking
from perfectplay.errors import (
    BadParameterError,
    GameOverError,
    UnknownAlgorithmError,
    UnknownStateError,
    did_you_mean,
)
from perfectplay.game import CHANCE, MAX, Game, choices, same_side
from perfectplay.play import (
    PERFECT,
    AlgorithmPlayer,
    EnginePlayer,
    Match,
    PerfectPlayer,
    Player,
    ShallowPlayer,
    TablebasePlayer,
    find_player,
    player_names,
    takes_depth,
    takes_seconds,
)
from perfectplay.play.verdicts import Verdict, standing_of, unit_of
from perfectplay.proven import ProvenValues
from perfectplay.textbook import Counted, check_depth, check_playouts, drawn, find_algorithm
from perfectplay.trace import trace
from perfectplay.web.engines import Engines
from perfectplay.web.models import (
    LONGEST,
    Analysed,
    AnalyseQuestion,
    DepthShown,
    MoveShown,
    Replied,
    ReplyQuestion,
    Started,
    TraceQuestion,
)
from perfectplay.web.offers import Offer
from perfectplay.web.positions import clean, figure, names
from perfectplay.web.searches import Search, Work
from perfectplay.web.tablebases import not_in_it, table_of
from perfectplay.web.watched import Watched

ANALYSIS = 10.0  # seconds, where nobody says
REPLY = 1.0
PROOF = 10.0  # seconds in which a perfect opponent must have proved its move
ALGORITHM = 30.0  # seconds that an algorithm of the textbook has,
STATES = 2_000_000  # and states that it may visit, for its table grows with them
RECORDING = 10.0  # seconds to record one


def analysis(
    offer: Offer, match: Match, question: AnalyseQuestion, engines: Engines, proven: ProvenValues
) -> Work:
    """The work of telling what every legal move is worth: by estimates, then proofs, or at once if known."""
    _check_going(match)
    state = match.state
    seconds = question.seconds
    if seconds is None:
        seconds = ANALYSIS if question.depth is None else LONGEST

    def work(search: Search) -> None:
        known = proven.of(offer.game)
        if remembered := known.ranking(state):
            search.tell("started", Started())
            told = _remembered(offer.game, state, remembered)
            search.tell("depth", told)
            search.tell("done", Analysed.model_validate({**told.model_dump(), "reason": "exact"}))
            return
        with engines.lent(offer, search) as engine:
            last, complete, kept = None, False, 0
            if question.depth is None:
                rankings = engine.analyse(state, seconds=seconds, known=known.limits(state))
            else:
                rankings = engine.rankings(state, depth=question.depth, seconds=seconds)
            for ranking in rankings:
                last, complete = _shown(engine, state, ranking), ranking.exact
                search.tell("depth", last)
                sure = ranking.found.exact + sum(move.exact for move in ranking.moves)
                if sure > kept:  # there is news between two proofs, too
                    known.keep(state, ranking)
                    kept = sure
            if last is None:
                last = _guessed(engine, state)
            reason = "time"
            if complete:
                reason = "exact"
            elif search.stopped:
                reason = "stopped"
            elif last.depth == question.depth:
                reason = "depth"
            search.tell("done", Analysed.model_validate({**last.model_dump(), "reason": reason}))

    return work


def reply(offer: Offer, match: Match, question: ReplyQuestion, engines: Engines) -> Work:
    """The work of choosing a move."""
    _check_going(match)
    if offer.game.to_move(match.state) == CHANCE:
        return _rolled(match, question.seed)
    seconds = question.seconds
    if seconds is None:
        seconds = REPLY if question.depth is None else LONGEST
    player = _player(offer, question, seconds)
    state = match.state

    def work(search: Search) -> None:
        if isinstance(player, EnginePlayer):
            with engines.lent(offer, search, player.method) as engine:
                player.engine = engine
                search.tell("done", _chosen(player, engine.game, Counted(engine.game), state))
        elif isinstance(player, ShallowPlayer):
            with engines.interpreted(offer, search) as engine:
                player.engine = engine
                search.tell("done", _chosen(player, engine.game, Counted(engine.game), state))
        elif isinstance(player, TablebasePlayer):
            search.tell("started", Started())
            table = player.open(table_of(offer).game)
            if state not in table:
                raise UnknownStateError(f"{not_in_it(offer)[:-1]}; another opponent can go on.")
            search.tell("done", _chosen(player, table.game, Counted(table.game), state))
        else:
            with search.interpreting():
                search.tell("started", Started())
                watched = Watched(offer.game, search.check)
                if not takes_seconds(player.name):
                    watched.limit(ALGORITHM, STATES, _too_much(player.name, question.depth))
                search.tell("done", _chosen(player, offer.game, Counted(watched), state))

    return work


def _rolled(match: Match, seed: int | None) -> Work:
    """The work of rolling dice, whoever is asked; with a seed, the same after the same moves."""
    dice = Random() if seed is None else Random(f"{seed} {match.names}")  # noqa: S311 - for a game

    def work(search: Search) -> None:
        search.tell("started", Started())
        outcome = clean(match.game.action_name(drawn(match.game, match.state, dice)))
        unknown: dict[str, Any] = dict.fromkeys(("value", "value_to_max", "verdict", "remoteness", "depth"))
        told = Replied(**unknown, action=outcome, exact=False, nodes=0, seconds=0.0, account="")
        search.tell("done", told)

    return work


def _player(offer: Offer, question: ReplyQuestion, seconds: float) -> Player:
    """The player that a request names: no directory is among the names."""
    name, depth = question.player, question.depth
    if name in (TablebasePlayer.name, PERFECT):
        if depth is not None:
            raise BadParameterError(f"{name} takes no depth: it knows how every game ends.")
        if name == PERFECT and offer.table is None:
            return PerfectPlayer(PROOF if question.seconds is None else seconds)
        player = TablebasePlayer("")
        player.table = table_of(offer)
        return player
    if ":" in name:
        raise UnknownAlgorithmError(f"there is no player {name!r}: {did_you_mean(name, player_names())}")
    return find_player(
        name, depth=depth, seconds=seconds if takes_seconds(name) else None, seed=question.seed
    )


def recording(offer: Offer, match: Match, question: TraceQuestion) -> Work:
    """The work of recording an algorithm of the textbook, step by step."""
    algorithm = find_algorithm(question.algorithm)
    check_depth(algorithm, question.depth)
    check_playouts(algorithm, question.playouts)
    options = {"playouts": question.playouts} if question.playouts else {}

    def work(search: Search) -> None:
        with search.interpreting():
            search.tell("started", Started())
            watched = Watched(offer.game, search.check)
            found = trace(
                question.algorithm,
                watched,
                match.state,
                depth=question.depth,
                limit=question.limit,
                seconds=RECORDING,
                moves=match.names,
                title=question.game,
                **options,
            )
            search.tell_text("done", json.dumps(found.to_dict(), allow_nan=False, separators=(",", ":")))

    return work


def _chosen(player: Player, game: Game[Any, Any], counted: Counted[Any, Any], state: Any) -> Replied:
    """The move of a player, and what it thinks of it."""
    began = perf_counter()
    action = player.choose(counted, state)
    seconds = perf_counter() - began
    value: float | None = None  # to MAX
    exact, depth, account = False, None, player.account()
    if isinstance(player, EnginePlayer) and player.analysis:
        found = player.analysis
        value, exact, depth = _to_max(game, state, found.value), found.exact, found.depth
    elif isinstance(player, TablebasePlayer) and player.entry:
        value, exact = _to_max(game, state, player.entry.value), True
    elif isinstance(player, AlgorithmPlayer) and player.answer:
        answer = player.answer
        value, exact = answer.value, answer.lower == answer.upper and player.algorithm.sound
        depth = player.depth or player.algorithm.depth
        account = f"value {_to_max(game, state, value):g} (to the player to move), {answer.nodes:,} nodes"
    standing = None
    if value is not None:
        standing = standing_of(game, state, _to_max(game, state, value), exact, unit_of(game))
        if isinstance(player, TablebasePlayer) and player.entry:
            outcome = cast("Verdict", player.entry.outcome)
            standing = standing._replace(verdict=outcome, remoteness=player.entry.remoteness)
    return Replied(
        action=clean(game.action_name(action)),
        value=None if value is None else figure(_to_max(game, state, value)),
        value_to_max=None if value is None else figure(value),
        verdict=standing.verdict if standing else None,
        remoteness=standing.remoteness if standing else None,
        exact=exact,
        depth=depth,
        nodes=counted.nodes,
        seconds=round(seconds, 6),
        account=clean(account),
    )


def _shown(engine: Engine, state: Any, ranking: Ranking) -> DepthShown:
    return _depth(engine, state, ranking.found, _moves(engine.game, state, ranking))


def _remembered(game: Game[Any, Any], state: Any, ranking: Ranking) -> DepthShown:
    """What was proven before, by whatever means."""
    moves = _moves(game, state, ranking)
    return _told(game, state, ranking.found, moves, compiled=False, why_not=None, remembered=True)


def _guessed(engine: Engine, state: Any) -> DepthShown:
    """What to say where there was no time for a single ply."""
    found = engine.search(state, nodes=0)
    actions = choices(engine.game, state)
    moves = [
        MoveShown(action=name, value=None, verdict=None, remoteness=None, exact=False, best=False)
        for name in names(engine.game, actions)
    ]
    return _depth(engine, state, found, moves)


def _depth(engine: Engine, state: Any, found: Analysis, moves: list[MoveShown]) -> DepthShown:
    return _told(engine.game, state, found, moves, compiled=engine.compiled, why_not=engine.why_not)


def _told(
    game: Game[Any, Any], state: Any, found: Analysis, moves: list[MoveShown], **how: Any
) -> DepthShown:
    standing = standing_of(game, state, found.value, found.exact, unit_of(game), found.lower, found.upper)
    to_max = standing if same_side(game.to_move(state), MAX) else standing.to_other()
    return DepthShown(
        depth=found.depth,
        value=figure(found.value),
        value_to_max=figure(to_max.value),
        verdict=standing.verdict,
        remoteness=standing.remoteness,
        balance=round(to_max.balance, 4),
        chance=None if standing.chance is None else round(standing.chance, 4),
        exact=found.exact,
        line=names(game, found.line),
        nodes=found.nodes,
        seconds=round(found.seconds, 6),
        speed=round(found.speed),
        moves=moves,
        **how,
    )


def _moves(game: Game[Any, Any], state: Any, ranking: Ranking) -> list[MoveShown]:
    unit = unit_of(game)
    return [_move(game, state, move, unit) for move in ranking.moves]


def _move(game: Game[Any, Any], state: Any, move: Ranked, unit: float) -> MoveShown:
    standing = standing_of(game, state, move.value, move.exact, unit, move.lower, move.upper)
    return MoveShown(
        action=clean(game.action_name(move.action)),
        value=figure(move.value),
        verdict=standing.verdict,
        remoteness=standing.remoteness,
        exact=move.exact,
        best=move.best,
        lower=figure(move.lower),
        upper=figure(move.upper),
        chance=None if standing.chance is None else round(standing.chance, 4),
    )


def _to_max(game: Game[Any, Any], state: Any, value: float) -> float:
    """A value to the player to move as one to MAX, and the other way round."""
    return value if same_side(game.to_move(state), MAX) else -value


def _too_much(player: str, depth: int | None) -> str:
    instead = "choose engine, which looks at the clock, or sound-alpha-beta with a depth"
    if takes_depth(player):
        instead = f"give a {'smaller ' if depth else ''}depth, or choose engine, which looks at the clock"
    return (
        f"{player} was not done after {ALGORITHM:g} seconds or {STATES:,} states, "
        f"which is all that it may take here: {instead}."
    )


def _check_going(match: Match) -> None:
    if match.over:
        raise GameOverError("the game is over here: there is no move to find.")
