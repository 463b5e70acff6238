"""Chess notation, both ways: positions as FEN, moves as Ra1-b1, Rb1 or a1b1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from perfectplay.errors import BadParameterError
from perfectplay.games.chess_board import (
    EMPTY,
    KING,
    LETTERS,
    PAWN,
    PLACING,
    PROMOTED,
    SETUP,
    TAKES,
    State,
    is_attacked,
    moved,
)
from perfectplay.games.chess_material import paired
from perfectplay.games.squares import cell_name

REMEDY = "give a FEN such as 8/8/8/4k3/8/8/8/KR6 w - - 0 1"
MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x]?([a-h][1-8])(?:=?([QRBNqrbn]))?")


class Rules(Protocol):
    """What notation asks of the game."""

    @property
    def men(self) -> str:
        """Their name."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Of the pairs of kinds that its men can come to; -1 for the others."""

    def moves(self, state: State) -> Iterator[int]:
        """The moves of chess."""


def square_name(square: int) -> str:
    """A square: a1, b1, ..."""
    return cell_name(divmod(square, 8))


def board_of(state: State) -> dict[int, str]:
    """The letters of the men on the board, by their squares; before the kings are placed there are none."""
    _, white, black, one, other, _ = state
    if white == black:
        return {}
    letters = {white: "K", black: "k"}
    return letters | {man & 63: LETTERS[man >> 6] for man in (one, other) if man}


# Positions.


def fen_of(state: State) -> str:
    """The FEN of a position, in which nobody can castle."""
    letters, turn, passing = board_of(state), state[0], state[5]
    ranks = []
    for rank in range(7, -1, -1):
        row = "".join(letters.get(8 * rank + file, " ") for file in range(8))
        ranks.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    behind = square_name(passing + (8 if turn == 0 else -8)) if passing else "-"
    return f"{'/'.join(ranks)} {'b' if turn == 1 else 'w'} - {behind} 0 1"


def position_of(game: Rules, text: str) -> State:
    """The position that a FEN gives, if the men of the game can come to it."""
    if text == "empty":
        return EMPTY
    words = text.replace("_", " ").split()
    turn, castling, behind = (*words[1:4], *("w", "-", "-")[len(words[1:4]) :])
    if not words or len(words) > 6 or turn not in ("w", "b"):
        raise refused(text, "it has a board, whose turn it is, and four fields more")
    if castling != "-":
        raise refused(text, f"castling is {castling}, and nobody castles in these endgames")
    men = men_of(text, words[0])
    kings = [[man & 63 for man in men if man >> 6 == colour << 3 | KING] for colour in (0, 1)]
    others = sorted((man for man in men if man >> 6 & 7 != KING), reverse=True)
    if [*map(len, kings)] != [1, 1]:
        raise refused(text, "each side has one king")
    one, other = (*others, 0, 0)[:2]
    if len(others) > 2 or game.numbers[paired(one >> 6, other >> 6)] < 0:
        raise refused(text, f"the men of {game.men} cannot come to these")
    if any(man >> 6 & 7 == PAWN and man & 63 not in range(8, 56) for man in others):
        raise refused(text, "a pawn is on its first or last rank")
    state = (int(turn == "b"), kings[0][0], kings[1][0], one, other, 0)
    waiting = state[2 - state[0]]
    if is_attacked(waiting, state[0], *state[1:5]):
        raise refused(text, "the king of who has moved can be taken")
    return state if behind == "-" else with_passing(text, state, behind)


def refused(text: str, why: str) -> BadParameterError:
    """The error of a FEN that is none."""
    told = text if len(text) <= 100 else f"{text[:97]}..."
    return BadParameterError(f"cannot set up {told!r}: {why}; {REMEDY}.")


def men_of(text: str, board: str) -> list[int]:
    """The men on the board of a FEN."""
    ranks = [re.sub("[1-8]", lambda gap: "." * int(gap[0]), rank) for rank in board.split("/")]
    if len(ranks) != 8 or any(not re.fullmatch("[QRBNPKqrbnpk.]{8}", rank) for rank in ranks):
        raise refused(text, "a board has eight ranks of eight squares")
    letters = [(8 * (7 - row) + file, ranks[row][file]) for row in range(8) for file in range(8)]
    return [LETTERS.index(letter) << 6 | square for square, letter in letters if letter != "."]


def with_passing(text: str, state: State, behind: str) -> State:
    """The same position after a pawn has gone two steps, past the square that is named."""
    turn = state[0]
    if not re.fullmatch("[a-h][36]", behind) or (behind[1] == "6") != (turn == 0):
        raise refused(text, f"no pawn can have passed {behind}")
    square = "abcdefgh".index(behind[0]) + 8 * (int(behind[1]) - 1)
    pawn, source = square + (-8 if turn == 0 else 8), square + (8 if turn == 0 else -8)
    walker = (1 - turn) << 9 | PAWN << 6
    if walker | pawn not in state[3:5] or {square, source} & set(board_of(state)):
        raise refused(text, f"no pawn can have passed {behind}")
    one, other = (walker | source if man == walker | pawn else man for man in state[3:5])
    before = (1 - turn, *state[1:3], max(one, other), min(one, other), 0)
    return moved(before, (walker | source) << 6 | pawn)


# Moves.


def move_name(action: int) -> str:
    """A move with both its squares, as in Ra1-b1 or e7xd8=Q; of a man that is placed, letter and square."""
    man, target = action >> 6 & 1023, action & 63
    if action & PLACING:
        name = f"{LETTERS[man >> 6]}{square_name(man & 63)}"
        if man >> 6 == KING:
            return f"{name}k{square_name(target)}"
        return name if target == SETUP else f"{name}/{'wb'[target]}"
    letter = "" if man >> 6 & 7 == PAWN else LETTERS[man >> 6 & 7]
    between = "x" if action & TAKES else "-"
    return f"{letter}{square_name(man & 63)}{between}{square_name(target)}{promotion(action)}"


def promotion(action: int) -> str:
    """What a pawn becomes, as in =Q, or nothing."""
    promoted = action >> PROMOTED & 7
    return f"={LETTERS[promoted]}" if promoted else ""


def san_of(game: Rules, state: State, action: int) -> str:
    """A move as chess books have it: no more of its first square than tells it from others, and + or #."""
    if action & PLACING:
        return move_name(action)
    man, target = action >> 6 & 1023, action & 63
    source, takes = square_name(man & 63), "x" if action & TAKES else ""
    if man >> 6 & 7 == PAWN:
        start = source[0] if takes else ""
    else:
        likes = [each >> 6 & 63 for each in game.moves(state) if is_like(each, action)]
        names = [square_name(square) for square in likes if square != man & 63]
        start = LETTERS[man >> 6 & 7] + distinction(source, names)
    after = moved(state, action)
    turn, white, black, one, other, _ = after
    check = is_attacked(black if turn else white, 1 - turn, white, black, one, other)
    mark = ("+" if any(True for _ in game.moves(after)) else "#") if check else ""
    return f"{start}{takes}{square_name(target)}{promotion(action)}{mark}"


def is_like(action: int, other: int) -> bool:
    """Do two actions move men of one kind to one square?"""
    return action & 63 == other & 63 and action >> 12 & 15 == other >> 12 & 15


def distinction(source: str, others: list[str]) -> str:
    """What of a square tells it from others: its file, or else its rank, or both."""
    if not others:
        return ""
    if all(name[0] != source[0] for name in others):
        return source[0]
    return source[1] if all(name[1] != source[1] for name in others) else source


def moves_named(actions: Sequence[int], text: str) -> list[int]:
    """The moves that a text may mean, in the short notation of books or in that of chess programs."""
    found = MOVE.fullmatch(re.sub(r"e\.p\.|[+#!?\s]", "", text))
    if not found:
        return []
    letter, file, rank, target, promoted = found.groups()
    return [
        action
        for action in actions
        if not action & PLACING
        and square_name(action & 63) == target
        and square_name(action >> 6 & 63).startswith(file)
        and square_name(action >> 6 & 63).endswith(rank)
        and promotion(action)[1:] == (promoted or "").upper()
        and (LETTERS[action >> 12 & 7] == (letter or "P") or (not letter and file and rank))
    ]
