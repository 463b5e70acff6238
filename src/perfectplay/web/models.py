"""What a request may hold, with all its bounds, and what an answer holds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from perfectplay.play.verdicts import Judgement, Verdict

LONGEST = 60.0  # seconds of a search
DEEPEST = 64  # plies

Move = Annotated[str, StringConstraints(min_length=1, max_length=32)]
Seconds = Annotated[float, Field(ge=0, le=LONGEST, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=DEEPEST)]


class Question(BaseModel):
    """Something about a position: the game, and the moves that lead there from its start."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(
        min_length=1,
        max_length=200,
        description="a game and its parameters, as on the command line",
        examples=["tic-tac-toe", "connect-four:rows=5,cols=4"],
    )
    moves: list[Move] = Field(default=[], max_length=512, description="in the game's notation")


class AnalyseQuestion(Question):
    """What is every move of the position worth?"""

    seconds: Seconds | None = Field(default=None, description="10, or 60 where a depth is given")
    depth: Depth | None = Field(default=None, description="plies; null: as deep as the time allows")


class ReplyQuestion(Question):
    """Which move does that player make?"""

    player: str = Field(default="engine", min_length=1, max_length=64, description="one of the opponents")
    seconds: Seconds | None = Field(
        default=None,
        description="to think, for a player that looks at the clock: 1, or 60 where a depth is given",
    )
    depth: Depth | None = Field(default=None, description="for a player that can look only so far ahead")
    seed: int | None = Field(
        default=None, ge=0, lt=1 << 32, description="the same moves every time, of a player that draws lots"
    )


class ReviewQuestion(Question):
    """How does every position of the game stand, and how good was every move?"""

    seconds: Seconds | None = Field(
        default=None, description="for the whole game: 5; more where the rules are compiled first"
    )


class RecordQuestion(BaseModel):
    """Which moves does a text have?"""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(min_length=1, max_length=200, description="where the text names none")
    text: str = Field(max_length=60_000, description="a list of moves, or a position of chess as FEN")


class TraceQuestion(Question):
    """How does that algorithm work on the position?"""

    algorithm: str = Field(min_length=1, max_length=64, description="one of the algorithms of the textbook")
    depth: Depth | None = Field(default=None, description="for an algorithm that can look only so far ahead")
    limit: int = Field(default=20_000, ge=1, le=50_000, description="events to record at the most")
    playouts: int | None = Field(default=None, ge=1, le=2_000, description="of a search that makes any")


class StartQuestion(BaseModel):
    """A game with its parameters, which may be impossible ones."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(min_length=1, max_length=200, examples=["connect-four:rows=5,cols=4"])


class PromptQuestion(Question):
    """What does the game say where these places of its board are clicked?"""

    places: list[Annotated[str, StringConstraints(max_length=64)]] = Field(
        min_length=1, max_length=8, description="names of places, as the scene has them, in their order"
    )


# Answers.


class Problem(BaseModel):
    """Why a request was refused."""

    message: str = Field(description="one sentence")


class ParameterShown(BaseModel):
    """A parameter of a game."""

    name: str
    kind: Literal["int", "float", "bool", "choice", "numbers", "word"]
    choices: list[str] | None
    default: str | None = Field(description="as it is written; null where one must be given")
    help: str = Field(description="what may be given, in words")
    compared: bool = Field(description="does another value make another game, with another tablebase?")


class GameShown(BaseModel):
    """A game that can be asked about."""

    name: str
    title: str
    summary: str
    rules: str
    how_to_play: str = Field(description="the rules for whoever plays, in about three sentences")
    parameters: list[ParameterShown]
    players: int
    two_sides: bool = Field(description="is it MAX against MIN? Else every player has a utility of its own")
    dice: bool = Field(description="does chance move, too?")
    own: bool = Field(description="is it the operator's own?")
    tablebases: list[str] = Field(description="the game with the parameters of which there is a tablebase")


class OpponentShown(BaseModel):
    """Somebody to play with."""

    name: str
    kind: Literal["level", "algorithm"] = Field(description="a level of strength, or a way to search")
    summary: str
    takes_depth: bool
    takes_seconds: bool


class AlgorithmShown(BaseModel):
    """An algorithm of the textbook."""

    name: str
    summary: str
    takes_depth: bool
    has_table: bool
    prunes: bool
    sound: bool = Field(description="false: the printed form can be wrong, see the errata")
    takes_chance: bool = Field(description="is it for games in which chance moves, too?")
    takes_utilities: bool = Field(description="and for those in which every player has a utility of its own?")
    takes_playouts: bool


class Games(BaseModel):
    """What there is."""

    games: list[GameShown]
    others: list[GameShown] = Field(description="games that the theatre shows and nobody plays here")
    opponents: list[OpponentShown]
    algorithms: list[AlgorithmShown]
    version: str


class Position(BaseModel):
    """A position as a page shows it."""

    game: str
    moves: list[str]
    to_move: Literal["MAX", "MIN", "chance"] = Field(description="chance: dice are to be rolled")
    moved: Literal["MAX", "MIN", "chance"] | None = Field(description="who made the last move")
    names: list[str] = Field(description="what MAX and MIN are called at the board")
    prompt: str = Field(description="what the player to move is to do, where the game says so")
    over: bool
    result: str | None = Field(description="who has won, by name, where the game is over")
    value: float | None = Field(description="what that is worth to MAX")
    margin: float | None = Field(description="by how much it was won, in games where that differs")
    text: str = Field(description="the board in letters")
    notation: str = Field(description="the board in a line, as FEN, where the game has such a notation")
    scene: dict[str, Any] | None = Field(description="the board in shapes, if the game has them")
    previous: dict[str, Any] | None = Field(description="the same before the last move")
    actions: list[str] = Field(description="the legal moves")
    players: int
    dice: bool = Field(description="does chance move in this game?")
    tablebase: bool = Field(description="can /api/tablebase be asked about this game?")


class Start(BaseModel):
    """The position that a game begins with, or why there is none: what was typed may be no board at all."""

    position: Position | None
    why_not: str | None = Field(description="one sentence")


class LatePosition(BaseModel):
    """A position whose tree can be seen whole."""

    moves: list[str] = Field(description="from the start: those that were given, and more where need be")
    depth: int | None = Field(description="how deep to look, where the tree ends nowhere near")
    nodes: int = Field(description="of the whole tree")
    here: bool = Field(description="is it the position that was asked about?")


class Prompt(BaseModel):
    """What the game says to a click."""

    legal: bool = Field(description="does a legal move begin with these places?")
    words: str = Field(description="what is next, or why that is no move; may be empty")


Outcome = Literal["win", "tie", "loss", "draw"]  # to the player to move; a draw: nobody can force an end


class SolvedMove(BaseModel):
    """A legal move with what it leads to, as the player who makes it sees it."""

    action: str
    outcome: Outcome
    value: float | None
    remoteness: int | None = Field(description="plies to the end, this one included; null of a draw")
    best: bool


class StepShown(BaseModel):
    """A move of a record."""

    move: str
    parent: int = Field(description="the step before it, by its place in the list; -1 at the start")


class RecordShown(BaseModel):
    """A game as a text has it; the first step after another is what was played, others are variations."""

    game: str
    steps: list[StepShown]


class Solution(BaseModel):
    """What a tablebase says of a position."""

    game: str
    known: bool = Field(description="is the position in it? One that begins later does not have all")
    sentence: str = Field(description="who wins and how soon, or why that is not known")
    outcome: Outcome | None
    value: float | None = Field(description="to the player to move")
    value_to_max: float | None
    remoteness: int | None = Field(description="plies to the end; null of a draw")
    line: list[str] = Field(description="best play from here, or its beginning")
    moves: list[SolvedMove] = Field(description="every legal move, the best first")


class Health(BaseModel):
    """How busy the server is."""

    status: Literal["ok"] = "ok"
    searches: int = Field(description="that can run at once")
    running: int
    queued: int
    answering: int = Field(description="positions and exercises that are being made")
    expected: int = Field(description="those that wait for their turn")
    processes: int = Field(description="that run the rules of games of your own")


# Events of a stream.


class Queued(BaseModel):
    """The search waits; so many wait before it."""

    ahead: int


class Compiling(BaseModel):
    """The rules are compiled first."""

    message: str


class Started(BaseModel):
    """The search has begun."""


class Failed(BaseModel):
    """The search found nothing, and why."""

    message: str


class MoveShown(BaseModel):
    """A legal move with its value to the player who makes it."""

    action: str
    value: float | None
    verdict: Verdict | None = Field(description="null where nothing is known")
    remoteness: int | None = Field(description="plies to the end, this one included, where the value tells")
    exact: bool
    best: bool
    lower: float | None = Field(
        default=None, description="it is proven to be at least this; null: nothing is"
    )
    upper: float | None = Field(default=None, description="and at most this")
    chance: float | None = Field(default=None, description="to win, where dice decide")


class DepthShown(BaseModel):
    """What an analysis has found by now."""

    depth: int  # plies that every move has been searched to, unless it was proven before
    value: float | None  # to the player to move
    value_to_max: float | None
    verdict: Verdict  # likewise
    remoteness: int | None  # plies to the end, where the value tells
    chance: float | None = None  # of the player to move to win, where dice decide
    balance: float  # from 0, where MIN has won for certain, to 1, where MAX has
    exact: bool
    line: list[str]
    nodes: int
    seconds: float
    speed: float  # nodes a second
    compiled: bool
    why_not: str | None
    remembered: bool = False  # was it proven here before? Then nothing was searched
    moves: list[MoveShown]


class Analysed(DepthShown):
    """The last of them, and why it was the last."""

    reason: Literal["exact", "time", "depth", "stopped"]


class PlyShown(BaseModel):
    """A position of a game that is reviewed, and the move that was played there."""

    ply: int  # moves before it
    to_move: Literal["MAX", "MIN", "chance"]
    played: str | None  # null at the end
    judgement: Judgement | None  # of that move; what dice do is not judged
    gave: float | None = None  # what the move gave away of the balance, in games with dice
    chance: float | None = (
        None  # of the player to move to win, where dice decide; of MAX, before they are rolled
    )
    value: float | None  # to the player to move
    value_to_max: float | None
    exact: bool
    verdict: Verdict  # to the player to move
    remoteness: int | None
    balance: float  # from 0, where MIN has won for certain, to 1, where MAX has
    line: list[str]  # best play, or its beginning


class Reviewed(BaseModel):
    """All of them were told."""

    plies: int
    exact: int  # positions with a proven value
    seconds: float
    judged: dict[Literal["MAX", "MIN"], dict[Judgement, int]]


class Replied(BaseModel):
    """The move that a player makes."""

    action: str
    value: float | None  # to the player to move; null for one that does not say
    value_to_max: float | None
    verdict: Verdict | None
    remoteness: int | None  # plies to the end, this one included, where that is known
    exact: bool
    depth: int | None
    nodes: int
    seconds: float
    account: str  # what the player says of it


class Recorded(BaseModel):
    """A trace, of which this is the beginning; docs/trace-format.md has the rest."""

    model_config = ConfigDict(extra="allow")

    format: Literal["perfectplay-trace"]
    version: int
