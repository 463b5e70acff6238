"""The web application: JSON over HTTP for the pages, and the pages."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from perfectplay.errors import PerfectPlayError, UnknownGameError
from perfectplay.play import player_names, takes_depth, takes_seconds
from perfectplay.textbook import ALGORITHMS
from perfectplay.web.faults import RefusedError
from perfectplay.web.guard import Guard, Hosts
from perfectplay.web.models import Problem, Question
from perfectplay.web.offers import Offers
from perfectplay.web.pages import STATIC, THEATRE, Files
from perfectplay.web.positions import position_json, read_position

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in {
        400: "the game, a parameter or a move is not one",
        404: "there is no such game",
        413: "the body is too large",
        415: "the body is not application/json",
        421: "the Host header names another server",
        422: "something is missing, of another type, or out of bounds",
    }.items()
}
PLAYERS = {
    "engine": "the compiled search, as deep as its time allows: the strongest",
    "deepening": "looks one move further ahead, and again, in plain Python, until its time is up",
    "random": "any legal move, each as likely as the others",
}


def make_app(hosts: Hosts, offers: Offers | None = None) -> FastAPI:
    """The application, for these names of the server and with these games."""
    offers = offers or Offers()
    app = FastAPI(
        title="perfectplay",
        version=version("perfectplay"),
        summary="Games of perfect information: play them, analyse them, watch how a search works.",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
    )
    app.add_middleware(Guard, hosts=hosts)
    _add_errors(app)
    _add_questions(app, offers)
    _add_pages(app)
    return app


def _add_questions(app: FastAPI, offers: Offers) -> None:
    @app.get("/api/games", tags=["games"])
    def games() -> dict[str, Any]:
        """Every game, opponent and algorithm that there is here."""
        return {
            "games": offers.described(),
            "opponents": _opponents(),
            "algorithms": _algorithms(),
            "version": version("perfectplay"),
        }

    @app.post("/api/position", tags=["games"], responses=REFUSALS)
    def position(question: Question) -> dict[str, Any]:
        """The position after the moves: the board, whose turn it is, and what may be played."""
        return position_json(question.game, read_position(offers.game(question.game), question.moves))

    @app.get("/healthz", tags=["server"])
    def health() -> dict[str, Any]:
        """Is the server there, and how busy is it?"""
        return {"status": "ok"}


def _add_pages(app: FastAPI) -> None:
    static = Files(directory=STATIC)

    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return await static.get_response("index.html", request.scope)

    app.mount("/static", static)
    if THEATRE.is_dir():
        app.mount("/theatre", Files(directory=THEATRE))


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


def _problem(status: int, message: str, headers: Any = None) -> JSONResponse:
    clean = message.encode("utf-8", "replace").decode()
    return JSONResponse({"message": clean}, status, headers=headers)


def _in_words(error: RequestValidationError) -> str:
    """The first thing that is wrong with a body, in one sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return f"{where}: {first['msg']}."


def _opponents() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "summary": PLAYERS[name] if name in PLAYERS else ALGORITHMS[name].summary,
            "takes_depth": takes_depth(name),
            "takes_seconds": takes_seconds(name),
        }
        for name in player_names()
    ]


def _algorithms() -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "summary": each.summary,
            "takes_depth": each.takes_depth,
            "has_table": each.has_table,
            "prunes": each.prunes,
            "sound": each.sound,
        }
        for each in ALGORITHMS.values()
    ]
