"""The board of a chess endgame, as text and as shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from perfectplay.game import MAX
from perfectplay.games.chess_board import KING, LETTERS, PLACING, PROMOTED, SETUP, State
from perfectplay.games.chess_material import PROMOTIONS, is_dead
from perfectplay.games.chess_notation import board_of, square_name
from perfectplay.games.squares import Squares
from perfectplay.scene import Scene, Shape, line, polygon, rect, text

PLAYERS = "White", "Black"
NAMES = {"Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn", "K": "king"}
STRIP = 1.2  # below the board, for what a pawn is promoted to, or whose turn it is

# The right half of each outline from the foot to the top, around the middle of a square and in hundredths of
# it; the left half is its mirror image, but for the knight, who has all of his.
OUTLINES = {
    "K": "24,36 22,22 29,2 22,-12 10,-14 4,-10 4,-22 11,-22 11,-29 4,-29 4,-38",
    "Q": "24,36 21,22 31,-24 18,-6 15,-34 6,-9 0,-38",
    "R": "26,36 26,26 17,18 15,-12 23,-19 23,-36 13,-36 13,-28 5,-28 5,-36",
    "B": "24,36 24,28 10,20 20,4 17,-10 5,-28 5,-38",
    "N": "24,36 22,12 17,-12 6,-28 -5,-37 -8,-28 -19,-14 -28,2 -22,10 -8,3 -1,3 -16,22 -24,36",
    "P": "21,36 21,27 10,14 7,2 13,-5 13,-15 6,-22",
}


class Rules(Protocol):
    """What a picture asks of the game."""

    @property
    def pawns(self) -> int:
        """How many of its men are pawns."""

    def actions(self, state: State) -> Iterator[int]:
        """The legal actions."""

    def is_terminal(self, state: State) -> bool:
        """Is the game over?"""

    def utility(self, state: State, player: int) -> int:
        """What the end is worth."""

    def in_check(self, state: State, colour: int) -> bool:
        """Is the king of this colour attacked?"""


def written(game: Rules, state: State) -> str:
    """The board as text, with what is to be done next."""
    letters = board_of(state)
    lines = []
    for rank in range(7, -1, -1):
        marks = [letters.get(8 * rank + file, ".") for file in range(8)]
        lines.append(f" {rank + 1} {' '.join(marks)}")
    return "\n".join([*lines, "   a b c d e f g h", outlook(game, state)])


def outlook(game: Rules, state: State) -> str:
    """Whose turn it is, and what else there is to know of it, or how the game has ended."""
    turn, _, _, one, other, passing = state
    if turn == SETUP:
        men = sorted({LETTERS[action >> 12 & 15] for action in game.actions(state)})
        return f"to be placed next: {'K and k' if men == ['K'] else men[0]}"
    if is_dead(one, other):
        return "a tie: nobody can mate with these men"
    if game.is_terminal(state):
        worth = game.utility(state, MAX)
        return f"checkmate: {PLAYERS[worth < 0]} has won" if worth else "a tie: stalemate"
    check = ", in check" if game.in_check(state, turn) else ""
    taken = f", and may take the pawn on {square_name(passing)} in passing" if passing else ""
    return f"{PLAYERS[turn]} to move{check}{taken}"


def drawn(game: Rules, state: State) -> Scene:
    """The board with its men; below it what a pawn may become, or whose turn it may be."""
    board = Squares(8, 8)
    letters = board_of(state)
    words = {divmod(square, 8): man_name(letter) for square, letter in letters.items()}
    shapes = [*board.squares(words, chequered=True), *board.coordinates()]
    for square, letter in letters.items():
        shapes += man(letter, *board.middle(divmod(square, 8)), square_name(square))
    actions = [] if game.is_terminal(state) else [*game.actions(state)]
    clicks = tuple((action, places(action)) for action in actions)
    has_strip = game.pawns > 0 or state[0] == SETUP
    if has_strip:
        shapes += strip(board, state, {path[-1] for _, path in clicks})
    height = board.height + (STRIP if has_strip else 0)
    return Scene(board.width, height, tuple(shapes), clicks, "white-black")


def places(action: int) -> tuple[str, ...]:
    """What to click for an action: two squares, and what a pawn becomes; or where men are placed."""
    man, target = action >> 6 & 1023, action & 63
    source = square_name(man & 63)
    if not action & PLACING or man >> 6 == KING:
        promoted = action >> PROMOTED & 7
        return (source, square_name(target), *([f"={LETTERS[promoted]}"] if promoted else []))
    return (source,) if target == SETUP else (source, PLAYERS[target])


def strip(board: Squares, state: State, last: set[str]) -> Iterator[Shape]:
    """The places below the board that are clicked last."""
    y = board.height + STRIP / 2
    for number, kind in enumerate(PROMOTIONS):
        letter = LETTERS[state[0] << 3 & 8 | kind]
        if (at := f"={LETTERS[kind]}") in last:
            x = board.middle((0, 2 + number))[0]
            yield rect(x - 0.5, y - 0.5, 1, 1, "cell", at=at, label=f"becomes a {NAMES[LETTERS[kind]]}")
            yield from man(letter, x, y, at)
    for number, player in enumerate(PLAYERS):
        if player in last:
            x = board.middle((0, 1 + 4 * number))[0] + 0.5
            yield rect(x - 1.5, y - 0.4, 3, 0.8, "cell", at=player, label=f"{player} moves first")
            yield text(x, y, 0.36, f"{player} to move", "count", at=player)


def asked(game: Rules, state: State, chosen: tuple[str, ...]) -> str:
    """What is to be done next, where these places were clicked."""
    if state[0] == SETUP:
        return "" if len(chosen) else f"Place the men: {outlook(game, state)}."
    if len(chosen) == 2:
        return "Choose what the pawn becomes, below the board."
    if chosen:
        return f"Choose where the {_standing(state, chosen[0])} goes."
    return f"{PLAYERS[state[0]]} is in check." if game.in_check(state, state[0]) else ""


def objected(game: Rules, state: State, chosen: tuple[str, ...]) -> str:
    """Why clicking these places is no move."""
    if state[0] == SETUP:
        return ""
    check = f": {PLAYERS[state[0]]} is in check" if game.in_check(state, state[0]) else ""
    if len(chosen) == 2:
        return f"The {_standing(state, chosen[0])} cannot go to {chosen[1]}{check}."
    men = {square_name(square): letter for square, letter in board_of(state).items()}
    if chosen[0] in men and men[chosen[0]].islower() == (state[0] == 1):
        return f"The {_standing(state, chosen[0])} cannot move now{check}."
    return ""


def _standing(state: State, name: str) -> str:
    """What stands on a square, with the square, as in "rook on a1"."""
    men = {square_name(square): NAMES[letter.upper()] for square, letter in board_of(state).items()}
    return f"{men[name]} on {name}"


def man_name(letter: str) -> str:
    """A man in words."""
    return f"{PLAYERS[letter.islower()].lower()} {NAMES[letter.upper()]}"


def man(letter: str, x: float, y: float, at: str) -> Iterator[Shape]:
    """A man; those of Black stand on a thick line, so that they are told apart without colours."""
    points = [tuple(map(int, point.split(","))) for point in OUTLINES[letter.upper()].split()]
    if letter.upper() != "N":
        points += [(-aside, down) for aside, down in reversed(points) if aside]
    outline = [(x + aside / 100, y + down / 100) for aside, down in points]
    yield polygon(outline, "min" if letter.islower() else "max", at=at)
    if letter.islower():
        yield line(x - 0.25, y + 0.36, x + 0.25, y + 0.36, "min-mark", at=at)
