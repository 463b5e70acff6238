"""What a request may hold, with all its bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

LONGEST_SEARCH = 60.0  # seconds

Move = Annotated[str, StringConstraints(min_length=1, max_length=32)]


class Question(BaseModel):
    """Something about a position: the game, and the moves that lead there from its start."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(
        min_length=1,
        max_length=200,
        description="a game and its parameters, as on the command line",
        examples=["tic-tac-toe", "connect-four:rows=5,cols=4"],
    )
    moves: list[Move] = Field(
        default=[], max_length=512, description="in the game's notation", examples=[["b2", "a1"]]
    )


class AnalyseQuestion(Question):
    """What is every move of the position worth?"""

    seconds: float = Field(default=10, ge=0, le=LONGEST_SEARCH, allow_inf_nan=False)
    depth: int | None = Field(
        default=None, ge=1, le=64, description="plies; none: as deep as the time allows"
    )


class ReplyQuestion(Question):
    """Which move does that player make?"""

    player: str = Field(default="engine", min_length=1, max_length=64, description="one of the opponents")
    seconds: float = Field(
        default=1,
        ge=0,
        le=LONGEST_SEARCH,
        allow_inf_nan=False,
        description="to think, for a player that looks at the clock",
    )
    depth: int | None = Field(default=None, ge=1, le=64)


class Problem(BaseModel):
    """Why a request was refused."""

    message: str = Field(description="one sentence")
