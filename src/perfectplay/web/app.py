"""The web application: JSON over HTTP for the pages, and the pages."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp

from perfectplay.blame import told
from perfectplay.errors import BadParameterError, PerfectPlayError, UnknownGameError
from perfectplay.play import LEVELS, Match, TablebasePlayer, player_names, takes_depth, takes_seconds
from perfectplay.proven import ProvenValues
from perfectplay.textbook import ALGORITHMS
from perfectplay.trace.page import empty_page
from perfectplay.web import answers
from perfectplay.web.description import describe_streams
from perfectplay.web.engines import Engines
from perfectplay.web.exercises import add_exercises
from perfectplay.web.faults import RefusedError
from perfectplay.web.front import Front
from perfectplay.web.gates import Check, Gates, client_of
from perfectplay.web.guard import Hosts
from perfectplay.web.heap import Housekeeping
from perfectplay.web.late_positions import LatePositions
from perfectplay.web.metrics import Board, resident_memory
from perfectplay.web.models import (
    LONGEST,
    AnalyseQuestion,
    Games,
    Health,
    LatePosition,
    Position,
    Prompt,
    PromptQuestion,
    Question,
    RecordQuestion,
    RecordShown,
    ReplyQuestion,
    ReviewQuestion,
    Solution,
    Start,
    StartQuestion,
    TraceQuestion,
)
from perfectplay.web.offers import Offer, Offers
from perfectplay.web.own_games import OwnGames
from perfectplay.web.pages import PLACES, Pages
from perfectplay.web.positions import position_json, prompt_json, read_position
from perfectplay.web.records import record_json
from perfectplay.web.replies import JSON_REFUSALS, REFUSALS, json_reply
from perfectplay.web.review import review
from perfectplay.web.searches import Searches, Work
from perfectplay.web.streams import EventStream
from perfectplay.web.tablebases import solution_json

LOG = logging.getLogger(__name__)
STREAMED: dict[str, Any] = {
    "tags": ["searches"],
    "response_class": EventStream,
    "status_code": 200,
    "responses": JSON_REFUSALS,
}
PLAYERS = {
    "engine": "the compiled search, as deep as its time allows: the strongest",
    "mcts": "the engine by playouts at random, of which it makes as many as its time allows",
    "deepening": "looks one move further ahead, and again, in plain Python, until its time is up",
    "random": "any legal move, each as likely as the others",
    "tablebase": "knows every position of the game: wins as soon as it can, and loses as late",
}


class Application(FastAPI):
    """The routes behind what looks at every request first, and adds to every answer, a failure's too."""

    front: Callable[[ASGIApp], ASGIApp] = staticmethod(lambda app: app)

    def build_middleware_stack(self) -> ASGIApp:
        """What is asked, from the outside in."""
        return self.front(super().build_middleware_stack())


def make_app(
    hosts: Hosts | None,
    offers: Offers | None = None,
    searches: Searches | None = None,
    engines: Engines | None = None,
    proven: ProvenValues | None = None,
    own: OwnGames | None = None,
    front: Front | None = None,
) -> Application:
    """The application, for these names of the server, with these games and so many searches at once.

    Without hosts, somebody else has looked at the requests: then nothing is guarded here.
    """
    front = front or Front()
    offers = offers or Offers()
    proven = ProvenValues(None) if proven is None else proven
    app = Application(
        title="perfectplay",
        version=version("perfectplay"),
        summary="Games of perfect information: play them, analyse them, watch how a search works.",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
    )
    own = own or OwnGames({})
    app.front = own.before if hosts is None else lambda inner: front.before(own.before(inner), hosts)
    app.state.searches = searches = searches or Searches(os.cpu_count() or 1)
    app.state.gates = gates = Gates(offers.own)
    engines = engines or Engines()
    app.state.housekeeping = Housekeeping(searches, gates, engines)
    _add_errors(app)
    _add_games(app, offers)
    _add_state(app, searches, gates, own, front.board)
    _add_searches(app, offers, searches, engines, gates, proven)
    add_exercises(app, offers, gates)
    _add_pages(app, front.prefix)
    describe_streams(app)
    return app


def _add_games(app: FastAPI, offers: Offers) -> None:
    gates: Gates = app.state.gates

    @cache  # every page asks for it first, and it stays the same
    def catalogue() -> bytes:
        found = {
            "games": offers.described(),
            "others": offers.described(two_sides=False),
            "opponents": _opponents(offers),
            "algorithms": _algorithms(),
            "version": version("perfectplay"),
        }
        return bytes(json_reply(found).body)

    if offers.apart:
        catalogue()  # before anybody asks, for rules of others are not run here after that
        offers.serving = True

    @app.get("/api/games", tags=["games"], response_model=Games)
    def games() -> Response:
        """Every game, opponent and algorithm that there is here."""
        return Response(catalogue(), media_type="application/json")

    @app.post("/api/position", tags=["games"], response_model=Position, responses=REFUSALS)
    async def position(request: Request, question: Question) -> Response:
        """The position after the moves: the board, whose turn it is, and what may be played."""

        def shown(check: Check) -> Response:
            offer = offers.read(question.game)
            return json_reply(position_json(offer, read_position(offer, question.moves, check)))

        return await gates.of(question.game).answered(request, shown)

    @app.post("/api/start", tags=["games"], response_model=Start, responses=REFUSALS)
    async def start(request: Request, question: StartQuestion) -> Response:
        """The position that a game with these parameters begins with, or why there is no such board."""

        def shown(check: Check) -> Response:
            try:
                offer = offers.read(question.game)
                position = position_json(offer, read_position(offer, [], check))
                return json_reply({"position": position, "why_not": None})
            except BadParameterError as error:
                return json_reply({"position": None, "why_not": str(error)})

        return await gates.of(question.game).answered(request, shown)

    @app.post("/api/prompt", tags=["games"], response_model=Prompt, responses=REFUSALS)
    async def prompt(request: Request, question: PromptQuestion) -> Response:
        """What the game says where these places are clicked: what is next, or why that is no move."""

        def shown(check: Check) -> Response:
            offer = offers.read(question.game)
            match = read_position(offer, question.moves, check)
            return json_reply(prompt_json(offer, match, question.places))

        return await gates.of(question.game).answered(request, shown)

    late_positions = LatePositions()

    @app.post("/api/late", tags=["games"], response_model=LatePosition, responses=REFUSALS)
    async def late(request: Request, question: Question) -> Response:
        """A position whose tree can be seen whole: this one, or one that play from here may lead to."""

        def found(check: Check) -> Response:
            offer = offers.read(question.game, any_players=True)
            return json_reply(late_positions.find(offer, question.moves, check))

        return await gates.long.answered(request, found)

    @app.post("/api/tablebase", tags=["games"], response_model=Solution, responses=REFUSALS)
    async def tablebase(request: Request, question: Question) -> Response:
        """What the tablebase of the game says of the position after the moves, and of every legal move."""

        def shown(check: Check) -> Response:
            offer = offers.read(question.game)
            return json_reply(solution_json(offer, read_position(offer, question.moves, check)))

        return await gates.of(question.game).answered(request, shown)

    @app.post("/api/record", tags=["games"], response_model=RecordShown, responses=REFUSALS)
    async def record(request: Request, question: RecordQuestion) -> Response:
        """The moves that a text has, with its variations, every one of them legal; or a position as FEN."""
        return await gates.of(question.game).answered(
            request, lambda check: json_reply(record_json(offers, question.game, question.text, check))
        )


def _add_state(app: FastAPI, searches: Searches, gates: Gates, own: OwnGames, board: Board) -> None:
    async def counted() -> None:
        """Put on the board how things stand here."""
        apart = await own.counts()
        board.set(
            searches_running=len(searches.turns.working) + apart["running"],
            searches_queued=len(searches.turns.waiting) + apart["queued"],
            answers_running=gates.answering + apart["answering"],
            answers_queued=gates.expected + apart["expected"],
            rules_processes=apart["processes"],
            rules_processes_started_total=own.started,
            rules_processes_ended_total=own.ended,
            resident_memory_bytes=resident_memory() + apart["memory"],
        )

    app.state.counted = counted

    @app.get("/healthz", tags=["server"], response_model=Health)
    async def health() -> Health:
        """Is the server there, and how busy is it?"""
        await counted()
        return Health(
            searches=searches.at_once,
            running=int(board.total("searches_running")),
            queued=int(board.total("searches_queued")),
            answering=int(board.total("answers_running")),
            expected=int(board.total("answers_queued")),
            processes=int(board.total("rules_processes")),
        )

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def metrics() -> Response:
        """What the server has done and does now, as Prometheus reads it."""
        await counted()
        return Response(board.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_searches(
    app: FastAPI,
    offers: Offers,
    searches: Searches,
    engines: Engines,
    gates: Gates,
    proven: ProvenValues,
) -> None:
    async def begun(request: Request, question: Question, work: Callable[[Offer, Match], Work]) -> Response:
        """The stream of a search, as soon as the position that it is about is known."""

        def begin(check: Check) -> Response:
            offer = offers.read(question.game, any_players=isinstance(question, TraceQuestion))
            found.append(work(offer, read_position(offer, question.moves, check)))
            return Response()

        found: list[Work] = []
        nothing = await gates.of(question.game).answered(request, begin)
        if not found:  # nobody waits any more
            return nothing
        seconds = getattr(question, "seconds", None)
        limit = LONGEST if seconds is None else seconds
        return EventStream(searches.begin(found[0], client_of(request), limit), searches.leave)

    @app.post("/api/analyse", **STREAMED)
    async def analyse(request: Request, question: AnalyseQuestion) -> Response:
        """The value of every legal move, streamed as the engine looks deeper.

        Events: `queued {"ahead"}` while others are first, `compiling {"message"}`, `started {}`, `depth` for
        every depth with the value, the line and every move, and last `done`, the same with the reason why it
        ended, or `failed {"message"}`.
        """
        return await begun(
            request, question, lambda offer, match: answers.analysis(offer, match, question, engines, proven)
        )

    @app.post("/api/reply", **STREAMED)
    async def reply(request: Request, question: ReplyQuestion) -> Response:
        """The move of an opponent.

        Events: `queued {"ahead"}`, `compiling {"message"}`, `started {}`, and last `done` with the action and
        what the player says of it, or `failed {"message"}`.
        """
        return await begun(
            request, question, lambda offer, match: answers.reply(offer, match, question, engines)
        )

    @app.post("/api/review", **STREAMED)
    async def judge(request: Request, question: ReviewQuestion) -> Response:
        """How every position of a game stands and how good every move was, from the last to the first.

        Events: `queued {"ahead"}`, `compiling {"message"}`, `started {}`, `ply` for every position, and
        last `done` with how many moves of each side were best, good, mistakes and blunders, or `failed
        {"message"}`.
        """
        return await begun(
            request, question, lambda offer, match: review(offer, match, question, engines, proven)
        )

    @app.post("/api/trace", **STREAMED)
    async def record(request: Request, question: TraceQuestion) -> Response:
        """A run of an algorithm of the textbook, recorded step by step.

        Events: `queued {"ahead"}`, `started {}`, and last `done` with the trace, or `failed {"message"}`.
        """
        return await begun(request, question, lambda offer, match: answers.recording(offer, match, question))


def _add_pages(app: FastAPI, prefix: str) -> None:
    pages = Pages(prefix=prefix)

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def index(request: Request) -> Response:
        return pages.response("/static/index.html", request.headers)

    @app.get("/trace/page.html", include_in_schema=False)
    def theatre_page() -> Response:
        """The file of a trace without the trace: the browser has that already, and puts it in."""
        attached = {"Content-Disposition": 'attachment; filename="page.html"'}
        return HTMLResponse(empty_page(), headers=attached)

    for place in PLACES:
        app.mount(place.rstrip("/"), pages.at(place))


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(PerfectPlayError)
    async def refused(request: Request, error: Exception) -> Response:
        status = 404 if isinstance(error, UnknownGameError) else 400
        return _problem(error.status if isinstance(error, RefusedError) else status, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return _problem(422, _in_words(error))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _problem(error.status_code, f"{request.url.path}: {error.detail}.", error.headers)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        sentence = f"this is a bug in perfectplay ({told(error)}); please report it."
        LOG.error("perfectplay: %s %s: %s", request.method, request.url.path, sentence)
        return _problem(500, sentence)


def _problem(status: int, message: str, headers: Any = None) -> Response:
    return json_reply({"message": message}, status, headers)


def _in_words(error: RequestValidationError) -> str:
    """The first thing that is wrong with a body, in one sentence."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return f"the body is not JSON: {first['ctx']['error']} at character {first['loc'][-1]}."
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return f"{where}: {first['msg']}."


def _opponents(offers: Offers) -> list[dict[str, Any]]:
    solved = [TablebasePlayer.name] if offers.tablebases else []
    return [
        {
            "name": name,
            "kind": "level" if name in LEVELS else "algorithm",
            "summary": _summary(name),
            "takes_depth": takes_depth(name),
            "takes_seconds": takes_seconds(name),
        }
        for name in [*player_names(), *solved]
    ]


def _summary(player: str) -> str:
    if player in LEVELS:
        return LEVELS[player].summary
    return PLAYERS[player] if player in PLAYERS else ALGORITHMS[player].summary


def _algorithms() -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "summary": each.summary,
            "takes_depth": each.takes_depth,
            "has_table": each.has_table,
            "prunes": each.prunes,
            "sound": each.sound,
            "takes_chance": each.takes_chance,
            "takes_utilities": each.takes_utilities,
            "takes_playouts": each.takes_playouts,
        }
        for each in ALGORITHMS.values()
    ]
