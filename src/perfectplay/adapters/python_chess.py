"""python-chess: chess as a Game, with its rules and its notation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import chess

from perfectplay.errors import BadParameterError, IllegalActionError
from perfectplay.game import MAX, WORD, Game
from perfectplay.games import make_game
from perfectplay.games.chess_picture import man
from perfectplay.games.squares import Squares
from perfectplay.scene import Scene, rect

MATE = 100_000  # what a win is worth, in hundredths of a pawn: more than any evaluation
WORTH = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
HEAVY = 2_600  # material of one side without pawns, below which its opponent's king should walk to the middle
STRIP = 1.2  # below the board, for what a pawn becomes
PROMOTIONS = "qrbn"

# Squares by their distance from the middle, each ring with all inside it.
_RINGS = tuple(
    sum(
        chess.BB_SQUARES[square]
        for square in chess.SQUARES
        if max(abs(2 * chess.square_file(square) - 7), abs(2 * chess.square_rank(square) - 7)) <= reach
    )
    for reach in (1, 3, 5)
)
_CENTRED = {  # for each ring that holds it: four, sixteen and thirty-six squares
    chess.PAWN: (12, 6, 0),
    chess.KNIGHT: (6, 12, 14),
    chess.BISHOP: (4, 6, 8),
    chess.ROOK: (2, 2, 0),
    chess.QUEEN: (2, 3, 4),
}
_ADVANCED = (0, 0, 2, 4, 10, 22, 45, 0)  # a pawn by its rank, as its own side counts them


class Position:
    """A board that nobody changes; equal are those from which the rules allow the same for ever."""

    __slots__ = ("board", "identity", "key", "tactical")

    def __init__(self, board: chess.Board, *, tactical: bool = False) -> None:
        self.board = board
        self.tactical = tactical  # did the last move take something, or give check?
        self.identity = (
            *(board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings),
            *(board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.promoted),
            *(int(board.turn), board.clean_castling_rights(), _passing(board), board.halfmove_clock),
            int(tactical),
        )
        self.key = hash(self.identity) & WORD  # of whole numbers alone: the same in every process

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.identity == other.identity

    def __hash__(self) -> int:
        return self.key

    def __repr__(self) -> str:
        return f"Position({self.board.fen()!r})"

    def __str__(self) -> str:
        return str(self.board)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reread, (self.board.fen(), self.tactical)


@dataclass(frozen=True)
class Chess(Game[Position, chess.Move]):
    """Chess, by the rules of python-chess: checkmate the king.

    White (MAX) begins, or play begins at fen=... A game also ends in a tie by stalemate, by men that
    cannot mate, and after fifty moves of both sides without a capture or a move of a pawn. Repetition ends
    nothing here: a state is the position and that count, and not all that was before. In notation e2e4, and
    e7e8q promotes; e4, Nf3, O-O and e8=Q are understood too. A win is worth 100000 and estimates are in
    hundredths of a pawn.
    """

    how_to_play = (
        "Move as in chess, and checkmate wins: the king is attacked and has no way out. Stalemate, and fifty "
        "moves of both sides without a capture or a pawn's move, are ties."
    )

    stays_in_python = "its rules are those of python-chess, whose boards are objects that change"

    fen: str = field(default=chess.STARTING_FEN, compare=False)

    def __post_init__(self) -> None:
        _ = self._start  # a wrong one is refused at once

    @cached_property
    def _start(self) -> Position:
        return self.parse_board(self.fen)

    def initial(self) -> Position:
        """The position of `fen`."""
        return self._start

    def to_move(self, state: Position) -> int:
        """White is MAX."""
        return 0 if state.board.turn else 1

    def actions(self, state: Position) -> Iterator[chess.Move]:
        """The legal moves as python-chess lists them."""
        if not _is_drawn(state.board):
            yield from state.board.legal_moves

    def result(self, state: Position, action: chess.Move) -> Position:
        """The board after a move; nothing remembers the moves before."""
        board = state.board.copy(stack=False)
        takes = board.is_capture(action)
        board.push(action)
        board.clear_stack()
        return Position(board, tactical=takes or board.is_check())

    def is_terminal(self, state: Position) -> bool:
        """Mate, stalemate, too few men, or fifty moves."""
        return _is_drawn(state.board) or not any(state.board.generate_legal_moves())

    def utility(self, state: Position, player: int) -> int:
        """Mate loses for who is to move."""
        board = state.board
        if not board.is_check() or any(board.generate_legal_moves()):
            return 0
        return -MATE if player == self.to_move(state) else MATE

    def evaluate(self, state: Position, player: int) -> int:
        """Material, men in the middle, advanced pawns, and a king who hides while there are heavy men."""
        board = state.board
        lead = _standing(board, chess.WHITE) - _standing(board, chess.BLACK)
        return lead if player == MAX else -lead

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Nothing is worth more than a win."""
        return -MATE, MATE

    def is_quiet(self, state: Position) -> bool:
        """Not while men are being taken, or a king is attacked."""
        return not state.tactical

    def order(self, state: Position, action: chess.Move) -> int:
        """Captures of much by little first, then promotions."""
        board = state.board
        worth = WORTH.get(action.promotion, 0) if action.promotion else 0
        victim = board.piece_type_at(action.to_square)
        if victim is None:
            return worth
        attacker = board.piece_type_at(action.from_square)
        return worth + 10 * WORTH[victim] - (WORTH[attacker] if attacker else 0) // 10 + 1000

    def key(self, state: Position) -> int:
        """A digest of all that matters."""
        return state.key

    # What people see and type.

    def render(self, state: Position) -> str:
        """The board with its coordinates."""
        rows = str(state.board).splitlines()
        lines = [f" {8 - number} {row}" for number, row in enumerate(rows)]
        return "\n".join([*lines, "   a b c d e f g h", _outlook(self, state)])

    def scene(self, state: Position) -> Scene:
        """The board with its men, and below it what a pawn may become."""
        board = Squares(8, 8)
        pieces = state.board.piece_map()
        words = {divmod(square, 8): _named(piece) for square, piece in pieces.items()}
        shapes = [*board.squares(words, chequered=True), *board.coordinates()]
        for square, piece in pieces.items():
            shapes += man(piece.symbol(), *board.middle(divmod(square, 8)), chess.square_name(square))
        actions = [] if self.is_terminal(state) else [*self.actions(state)]
        clicks = tuple((action, _places(action)) for action in actions)
        promoted = {path[-1] for _, path in clicks if len(path) == 3}
        for number, letter in enumerate(PROMOTIONS):
            if f"={letter}" in promoted:
                x, y = board.middle((0, 2 + number))[0], board.height + STRIP / 2
                name = chess.piece_name(chess.PIECE_SYMBOLS.index(letter))
                shapes.append(
                    rect(x - 0.5, y - 0.5, 1, 1, "cell", at=f"={letter}", label=f"becomes a {name}")
                )
                shapes += man(letter.upper() if state.board.turn else letter, x, y, f"={letter}")
        height = board.height + (STRIP if promoted else 0)
        return Scene(board.width, height, tuple(shapes), clicks, "white-black")

    def player_name(self, player: int) -> str:
        """White or Black."""
        return ("White", "Black")[player]

    def board_notation(self, state: Position) -> str:
        """The FEN."""
        return state.board.fen()

    def parse_board(self, text: str) -> Position:
        """The position of a FEN, or of an EPD without operations."""
        words = text.replace("_", " ").split()
        try:
            board = chess.Board(" ".join(words) if len(words) != 4 else f"{' '.join(words)} 0 1")
        except ValueError as error:
            raise BadParameterError(f"cannot set up {text!r}: {error}.") from None
        if not board.is_valid():
            raise BadParameterError(f"cannot set up {text!r}: {_fault(board)}.")
        return Position(board)

    def plies_left(self, state: Position, value: float) -> int | None:
        """A win says nothing of how far it is."""
        return None

    def action_name(self, action: chess.Move) -> str:
        """As chess programs write it: e2e4, e7e8q."""
        return action.uci()

    def san(self, state: Position, action: chess.Move) -> str:
        """As chess books write it: e4, Nf3, O-O."""
        return state.board.san(action)

    def parse_action(self, state: Position, text: str) -> chess.Move:
        """A legal move, written either way."""
        words = text.strip()
        for read in (state.board.parse_uci, state.board.parse_san):
            try:
                action = read(words.lower() if read == state.board.parse_uci else words.replace("0", "O"))
            except ValueError:
                continue
            if action and not _is_drawn(state.board):
                return action
        names = " ".join(map(self.action_name, self.actions(state)))
        choice = f"the legal moves are {names}" if names else "the game is over"
        raise IllegalActionError(f"illegal move {text!r}: {choice}.")


def chess_game(settings: str) -> Game[Any, Any]:
    """The game that chess, or chess:fen=..., names on the command line."""
    return make_game(Chess, "chess", settings)


def _passing(board: chess.Board) -> int:
    """The square behind a pawn that may be taken in passing, or -1: one that nobody can take is none."""
    return board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1


def _is_drawn(board: chess.Board) -> bool:
    """By men that cannot mate, or by fifty moves; a mate on the last of them counts."""
    if board.is_insufficient_material():
        return True
    return board.halfmove_clock >= 100 and (not board.is_check() or any(board.generate_legal_moves()))


def _standing(board: chess.Board, side: chess.Color) -> int:
    """What the men of a side are worth where they stand."""
    own = board.occupied_co[side]
    worth = 0
    for kind, bonuses in _CENTRED.items():
        men = own & board.pieces_mask(kind, side)
        worth += WORTH[kind] * men.bit_count()
        for ring, bonus in zip(_RINGS, bonuses, strict=True):
            worth += bonus * (men & ring).bit_count()
    pawns = own & board.pawns
    for rank, bonus in enumerate(_ADVANCED):
        worth += bonus * (pawns & chess.BB_RANKS[rank if side else 7 - rank]).bit_count()
    if (own & board.bishops).bit_count() >= 2:
        worth += 30
    return worth + _of_king(board, side)


def _of_king(board: chess.Board, side: chess.Color) -> int:
    """A king hides on its own rank while there are heavy men, and is strong in the middle after."""
    king = board.kings & board.occupied_co[side]
    others = board.occupied_co[not side]
    heavy = 900 * (others & board.queens).bit_count() + 500 * (others & board.rooks).bit_count()
    heavy += 320 * (others & (board.knights | board.bishops)).bit_count()
    middle = sum(10 for ring in _RINGS if king & ring)
    if heavy < HEAVY // 2:
        return middle
    first = chess.BB_RANK_1 if side else chess.BB_RANK_8
    home = king & first and not king & (chess.BB_FILE_D | chess.BB_FILE_E)
    return (35 if home else 0) - middle


def _places(action: chess.Move) -> tuple[str, ...]:
    """What to click for a move."""
    squares = chess.square_name(action.from_square), chess.square_name(action.to_square)
    return (*squares, f"={chess.piece_symbol(action.promotion)}") if action.promotion else squares


def _named(piece: chess.Piece) -> str:
    return f"{'white' if piece.color else 'black'} {chess.piece_name(piece.piece_type)}"


def _outlook(game: Chess, state: Position) -> str:
    """Whose turn it is, or how the game has ended."""
    board = state.board
    names = ("Black", "White")
    if not game.is_terminal(state):
        return f"{names[board.turn]} to move{', in check' if board.is_check() else ''}"
    if game.utility(state, MAX):
        return f"checkmate: {names[not board.turn]} has won"
    if board.is_insufficient_material():
        return "a tie: nobody can mate with these men"
    return "a tie: fifty moves without progress" if board.halfmove_clock >= 100 else "a tie: stalemate"


def _fault(board: chess.Board) -> str:
    """Why a board cannot be, in words."""
    status = board.status()
    return ", ".join((flag.name or "").lower().replace("_", " ") for flag in chess.Status if flag & status)


def _reread(fen: str, tactical: bool) -> Position:
    return Position(chess.Board(fen), tactical=tactical)
