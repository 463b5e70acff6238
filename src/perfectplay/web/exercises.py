"""Exercises over HTTP: a tree, its answers checked, one hint, and pages to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field, StringConstraints
from starlette.responses import Response

from perfectplay.exercise import RANDOM_KINDS, Exercise, Verdict, make_exercise, random_exercise
from perfectplay.exercise.sheet import STYLE, sheet, solution
from perfectplay.game import Game, require_two_sides
from perfectplay.games import ExplicitTree
from perfectplay.watchdog import watched
from perfectplay.web.gates import Check, Gates
from perfectplay.web.models import Move, Question
from perfectplay.web.offers import Offer, Offers
from perfectplay.web.positions import clean, read_position
from perfectplay.web.replies import JSON_REFUSALS, REFUSALS, json_reply
from perfectplay.web.watched import Watched

SECONDS = 5.0  # to find a tree
STATES = 100_000  # that may be visited for it
TOO_LONG = "no tree was found here in {:g} seconds: try another position, or a smaller board."
MOST_SHEETS = 40  # at a time
STYLESHEET = "/exercise/sheet.css"
LINKS = {"stylesheet": "sheet.css", "icon": "../static/icon.svg"}  # wherever the server is below

Kind = Literal["minimax", "alpha-beta", "expectiminimax", "max-n", "uct"]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
Answer = Annotated[str, StringConstraints(max_length=200)]
Name = Annotated[str, StringConstraints(max_length=32)]


class ExerciseQuestion(Question):
    """Which tree is asked for? The same question gives the same tree."""

    seed: Seed = Field(default=0, description="another number gives another tree")
    kind: Kind = Field(default="alpha-beta", description="what is asked about the tree")


class CheckQuestion(ExerciseQuestion):
    """Are these answers right?"""

    answers: dict[Name, Answer | Annotated[list[Name], Field(max_length=16)] | None] = Field(
        max_length=200,
        description="by the names of the questions; cut branches may be a list of the nodes they lead to",
        examples=[{"window:B": "(-inf, inf)", "cuts:C": ["C2", "C3"], "value:C": "2", "move": "a1"}],
    )
    reveal: list[Name] = Field(
        default=[], max_length=200, description="questions whose right answers are wanted, given or not"
    )


class NodeShown(BaseModel):
    """A node of the tree."""

    name: str
    role: Literal["max", "min", "chance", "player", "leaf"]
    parent: str | None
    action: str = Field(description="the move that leads here")
    children: list[str]
    ply: int
    across: float = Field(description="where it is from left to right, in leaves")
    text: str = Field(description="the board in letters")
    scene: dict[str, Any] | None = Field(description="the board in shapes, if the game has them")
    value: int | None = Field(default=None, description="of a leaf")
    leaf: Literal["end", "estimate"] | None = Field(default=None, description="why nothing hangs below it")
    omitted: int = Field(default=0, description="legal moves that are not drawn")
    probability: str | None = Field(default=None, description="of the branch to it, as a fraction")
    player: int | None = Field(default=None, description="who moves, where everybody plays for itself")
    values: list[int] | None = Field(default=None, description="of a leaf, to every player")


class QuestionShown(BaseModel):
    """Something that is asked."""

    name: str
    kind: Literal["window", "cuts", "value", "move"]
    node: str
    text: str


class ExerciseShown(BaseModel):
    """A tree and what is asked about it, without the answers."""

    game: str
    kind: Kind
    seed: int
    moves: list[str]
    position: str
    rules: list[str]
    notes: list[str]
    nodes: list[NodeShown]
    questions: list[QuestionShown]


class VerdictShown(BaseModel):
    """What an answer is worth."""

    question: str
    right: bool
    given: str
    wanted: str | None = Field(description="the right answer; null of a wrong one that is not to be revealed")
    explanation: str = Field(description="why; of a wrong one that is not revealed, what to look at again")
    readable: bool = Field(description="false: nobody can say what was meant")


class Checked(BaseModel):
    """What the answers are worth."""

    verdicts: list[VerdictShown]
    right: int
    missing: int
    questions: int = Field(description="about nodes that the algorithm looks at: no others are counted")


class Hinted(BaseModel):
    """The next step."""

    hint: VerdictShown | None = Field(description="null where all is right")
    cut: list[str] = Field(description="where it is about cuts, the nodes that the cut branches lead to")


def add_exercises(app: FastAPI, offers: Offers, gates: Gates) -> None:
    """Answer questions about exercises, few at once: each can take a processor for seconds."""
    gate = gates.long

    @app.post("/api/exercise", tags=["exercises"], response_model=ExerciseShown, responses=REFUSALS)
    async def exercise(request: Request, question: ExerciseQuestion) -> Response:
        """A tree from the position after the moves, or from one further on, and what is asked about it."""
        return await gate.answered(
            request, lambda check: json_reply(_made(offers, question, check)[0].to_dict())
        )

    @app.post("/api/exercise/check", tags=["exercises"], response_model=Checked, responses=REFUSALS)
    async def check_answers(request: Request, question: CheckQuestion) -> Response:
        """Each answer judged: a right one is explained, a wrong one put right only where it is revealed."""
        return await gate.answered(
            request,
            lambda check: _judged(_made(offers, question, check)[0], question.answers, question.reveal),
        )

    @app.post("/api/exercise/hint", tags=["exercises"], response_model=Hinted, responses=REFUSALS)
    async def hint(request: Request, question: CheckQuestion) -> Response:
        """The first answer that is missing or wrong, put right."""
        return await gate.answered(
            request, lambda check: _hinted(_made(offers, question, check)[0], question.answers)
        )

    _add_pages(app, offers, gates)


def _judged(made: Exercise, answers: Mapping[str, Any], revealed: Sequence[str]) -> Response:
    verdicts = made.check(answers)
    given = {verdict.question for verdict in verdicts}
    verdicts += [each for each in made.solution if each.question in revealed and each.question not in given]
    right = sum(verdict.right and verdict.question in made.needed & given for verdict in verdicts)
    return json_reply(
        {
            "verdicts": [_told(each, each.right or each.question in revealed) for each in verdicts],
            "right": right,
            "missing": len(made.needed - given),
            "questions": len(made.needed),
        }
    )


def _told(verdict: Verdict, openly: bool) -> dict[str, Any]:
    """A verdict; the right answer is in it only where it may be known."""
    told = verdict._asdict()
    nudge = told.pop("nudge")
    if openly or not verdict.readable:
        return told | ({} if openly else {"wanted": None})
    return told | {"wanted": None, "explanation": nudge}


def _hinted(made: Exercise, answers: Mapping[str, Any]) -> Response:
    found = made.hint(answers)
    if found is None:
        return json_reply({"hint": None, "cut": []})
    kind, _, node = found.question.partition(":")
    visit = made.run.visits.get(node) if kind == "cuts" else None
    return json_reply({"hint": _told(found, True), "cut": visit.skipped if visit else []})


async def _asked(
    game: Annotated[str, Query(min_length=1, max_length=200)],
    moves: Annotated[Sequence[Move], Query(max_length=512)] = (),
    seed: Seed = 0,
    kind: Kind = "alpha-beta",
    count: Annotated[int, Query(ge=1, le=MOST_SHEETS)] = 1,
) -> tuple[ExerciseQuestion, int]:
    """Which exercise, and how many of them from its seed on."""
    return ExerciseQuestion(game=game, moves=list(moves), seed=seed, kind=kind), count


Asked = Annotated[tuple[ExerciseQuestion, int], Depends(_asked)]


def _add_pages(app: FastAPI, offers: Offers, gates: Gates) -> None:
    @app.get("/exercise/sheet", tags=["exercises"], response_class=HTMLResponse, responses=JSON_REFUSALS)
    async def blank(request: Request, asked: Asked) -> Response:
        """A page to print: the tree with blanks; with a count, so many of them from that seed on."""
        question, count = asked
        return await gates.long.answered(
            request, lambda check: HTMLResponse(sheet(_made(offers, question, check, count), LINKS))
        )

    @app.get("/exercise/solution", tags=["exercises"], response_class=HTMLResponse, responses=JSON_REFUSALS)
    async def filled(request: Request, asked: Asked) -> Response:
        """The solutions of the same pages."""
        question, count = asked
        return await gates.long.answered(
            request, lambda check: HTMLResponse(solution(_made(offers, question, check, count), LINKS))
        )

    @app.get(STYLESHEET, include_in_schema=False)
    async def style() -> Response:
        return Response(STYLE, media_type="text/css")


def _made(offers: Offers, question: ExerciseQuestion, check: Check, count: int = 1) -> list[Exercise]:
    """So many exercises, from the seed of the question on; the time is for all of them together."""
    if question.kind in RANDOM_KINDS:  # whose trees belong to no game
        return [random_exercise(question.kind, question.seed + each) for each in range(count)]
    offer = offers.read(question.game)
    require_two_sides(offer.game, "an exercise of this kind", "one about expectiminimax or max^n")
    game = _bounded(offer, check)
    with watched(lambda: game.asked, SECONDS) if isinstance(game, Watched) else nullcontext():
        match = read_position(offer, question.moves, check)
        state = match.state if match.actions else None
        moves = [clean(name) for name in match.names]
        return [
            make_exercise(game, state, seed=seed, kind=question.kind, moves=moves, name=offer.name)
            for seed in range(question.seed, question.seed + count)
        ]


def _bounded(offer: Offer, check: Check) -> Game[Any, Any]:
    """The game, which may take so long; one that is a tree is as small as somebody wrote it."""
    if isinstance(offer.game, ExplicitTree):
        return offer.game
    game = Watched(offer.game, check)
    game.limit(SECONDS, STATES, TOO_LONG.format(SECONDS))
    return game
