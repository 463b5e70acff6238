"""Chess endgames: two kings and one or two men more, pawns and their promotion included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random

from perfectplay.errors import IllegalActionError
from perfectplay.game import Game
from perfectplay.games.chess_board import (
    BISHOP,
    BIT,
    EDGE,
    EMPTY,
    HOME,
    KING,
    KNIGHT,
    LIGHT,
    MIRROR,
    NOBODY,
    PASSING,
    PAWN,
    PLACING,
    PROMOTED,
    REACH,
    SETUP,
    TAKES,
    TRANSPOSE,
    State,
    image,
    is_attacked,
    moved,
    targets,
)
from perfectplay.games.chess_material import (
    PROMOTIONS,
    WORTH,
    apart,
    from_corner,
    from_middle,
    has_men,
    is_dead,
    kinds_of,
    later_kinds,
    name_of,
    paired,
    past,
    worth,
)
from perfectplay.games.chess_notation import fen_of, move_name, moves_named, position_of, san_of
from perfectplay.games.chess_picture import asked, drawn, objected, written
from perfectplay.games.chess_ranks import (
    KING_NUMBERS,
    KINGS,
    PAIRS,
    PLACED,
    TIERS,
    apart_by_rank,
    groups_of,
    is_pawn,
    kings_for,
    man_at,
    pair_of,
    place_of,
    places_for,
    row_of,
    ways_for,
)
from perfectplay.games.words import cells
from perfectplay.scene import Scene

WIN = 4000  # more than any evaluation, in hundredths of a pawn


@dataclass(frozen=True)
class ChessEndgame(Game[State, int]):
    """Checkmate the king with the few men that are left, White with the capital letters.

    men=KBNK is king, bishop and knight against king: two kings and one or two men more. The rules are those
    of chess, promotion and taking in passing included, without castling, the fifty moves and repetition. A
    position that nobody can win, as with king and knight against king, is a tie, and so is stalemate. Play
    begins at the position that fen gives, as in fen=8/8/8/4k3/8/8/8/KR6 w; at one chosen at random, the same
    for each seed, with White to move; or with fen=empty, where the men are placed first. In notation Ra1-b1
    moves, Ra1xb1 takes, e7-e8=Q promotes; Rb1, Rxb1 and e8=Q are understood too, and so is a1b1.

    A tablebase has every legal position of the men, with either side to move, and all that follow by captures
    and promotions.
    """

    board_limits = "Two kings and one or two men more, with which someone can mate."
    how_to_play = (
        "Men move as in chess, pawns promote, and there is no castling. Checkmate wins: the king is "
        "attacked and has no way out. Stalemate, and a position that nobody can win, are ties."
    )
    state_fields = (
        ("turn", "0: White, MAX, moves; 1: Black, MIN, moves; 2: the men are being placed"),
        ("white_king", "its square: 0 is a1, 1 is b1, 63 is h8"),
        ("black_king", "its square"),
        (
            "man",
            "another man: its square, 64 times its kind (1 Q, 2 R, 3 B, 4 N, 5 P), 512 if it is black; or 0",
        ),
        ("other", "a fourth man, likewise"),
        ("passing", "the square of the pawn that may be taken in passing, or 0"),
    )

    men: str = "KRK"
    fen: str = field(default="random", compare=False)
    seed: int = field(default=0, compare=False)
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)  # of the men besides the kings
    materials: tuple[int, ...] = field(init=False, repr=False, compare=False)  # pairs of kinds there can be
    numbers: tuple[int, ...] = field(init=False, repr=False, compare=False)  # of these, by pairs
    pawns: int = field(init=False, repr=False, compare=False)  # how many of the kinds are pawns
    passes: bool = field(init=False, repr=False, compare=False)  # are there pawns on both sides?
    groups: tuple[int, ...] = field(init=False, repr=False, compare=False)  # of ranks, by their tiers
    begins: tuple[int, ...] = field(init=False, repr=False, compare=False)  # of groups, in their tiers
    group_begins: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the same, by group
    tier_groups: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the first of each tier
    tier_ranks: tuple[int, ...] = field(init=False, repr=False, compare=False)  # how many there are
    start: State = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds = kinds_of(self.men)
        materials = sorted({paired(*pair) for pair in product(*map(later_kinds, (*kinds, NOBODY)[:2]))})
        numbers = tuple(materials.index(pair) if pair in materials else -1 for pair in range(256))
        object.__setattr__(self, "men", name_of(kinds))
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "materials", tuple(materials))
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "pawns", sum(kind & 7 == PAWN for kind in kinds))
        object.__setattr__(self, "passes", PAWN in kinds and 8 | PAWN in kinds)
        self.number_groups()
        at_random = self.fen == "random"
        object.__setattr__(self, "start", self.placed_at_random() if at_random else self.from_fen(self.fen))

    def placed_at_random(self) -> State:
        """A legal position of the men, the same for each seed: White moves, and has something to do."""
        random = Random(self.seed)  # noqa: S311 - nothing secret hangs on it
        while True:
            state = EMPTY
            while state[0] == SETUP:
                actions = [each for each in self.placements(state) if each & 63 != 1 or state == EMPTY]
                if not actions:  # Black would be in check wherever the last man stands
                    break
                state = self.result(state, random.choice(actions))
            if state[0] != SETUP and not self.is_terminal(state) and not self.in_check(state, 0):
                return state

    # The rules.

    def initial(self) -> State:
        return self.start

    def table_start(self) -> State:
        return EMPTY

    def to_move(self, state: State) -> int:
        """Black, who would rather not lose, places the men."""
        return 1 if state[0] == SETUP else state[0]

    def actions(self, state: State) -> Iterator[int]:
        if state[0] == SETUP:
            for action in self.placements(state):
                yield action
        elif not is_dead(state[3], state[4]):
            for action in self.moves(state):
                yield action

    def moves(self, state: State) -> Iterator[int]:
        """The moves of chess, those of a dead position too."""
        turn, white, black, one, other, passing = state
        king = turn << 9 | KING << 6 | (black if turn else white)
        behind = passing + 8 - 16 * turn if passing else -1  # where a pawn goes that takes in passing
        for man in (king, one, other):
            if man and man >> 9 == turn:
                is_pawn = man >> 6 & 7 == PAWN
                for target in cells(targets(state, man, behind)):
                    action = man << 6 | target
                    if (one and one & 63 == target) or (other and other & 63 == target):
                        action |= TAKES
                    elif is_pawn and target == behind:
                        action |= TAKES | PASSING
                    if not self.in_check(moved(state, action), turn):
                        if is_pawn and EDGE >> target & 1:
                            for kind in PROMOTIONS:
                                yield action | kind << PROMOTED
                        else:
                            yield action

    def placements(self, state: State) -> Iterator[int]:
        """The ways to place both kings, or one man more: with the last one, whose turn it is then."""
        _, white, black, one, _, _ = state
        if white == black:
            for square in range(64):
                king = KING << 6 | square
                for there in cells(~(REACH[king] | BIT[square])):
                    yield PLACING | king << 6 | there
        else:
            kind = self.kinds[0] if one == 0 else self.kinds[-1]
            taken = BIT[white] | BIT[black]
            if one:
                taken |= BIT[one & 63]
            if kind & 7 == PAWN:
                taken |= EDGE
            for square in cells(~taken):
                action = PLACING | (kind << 6 | square) << 6
                if one == 0 and len(self.kinds) == 2:
                    yield action | SETUP
                else:
                    for turn in (0, 1):
                        if not self.in_check(moved(state, action | turn), 1 - turn):
                            yield action | turn

    def result(self, state: State, action: int) -> State:
        return moved(state, action)

    def in_check(self, state: State, colour: int) -> bool:
        """Is the king of this colour attacked?"""
        _, white, black, one, other, _ = state
        return is_attacked(black if colour else white, 1 - colour, white, black, one, other)

    def is_terminal(self, state: State) -> bool:
        if state[0] == SETUP:
            return False
        if is_dead(state[3], state[4]):
            return True
        for _ in self.moves(state):
            return False
        return True

    def utility(self, state: State, player: int) -> int:
        turn = state[0]
        if is_dead(state[3], state[4]) or not self.in_check(state, turn):
            return 0
        return -1 if player == turn else 1

    # What helps a search.

    def tier(self, state: State) -> int:
        """The men placed, and then what each man has behind it: the steps of a pawn, promotion, its end."""
        turn, white, black, one, other, _ = state
        if turn == SETUP:
            return 0 if white == black else 1 if one == 0 else 2
        return 3 + past(one) + past(other)

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Who has nothing but a king wins no more."""
        if state[0] == SETUP:
            return -1, 1
        lower, upper = -1, 1
        if not has_men(state, player):
            upper = 0
        if not has_men(state, 1 - player):
            lower = 0
        return lower, upper

    def evaluate(self, state: State, player: int) -> float:
        """What the men are worth, and how far the weaker king is from the middle and near the other king."""
        turn, white, black, one, other, _ = state
        if turn == SETUP:
            return 0.0
        lead = worth(one) + worth(other)
        weak = black if lead > 0 else white
        driven = 10 * from_middle(weak) + 4 * (14 - apart(white, black))
        if one >> 6 & 7 == KNIGHT and other >> 6 == one >> 6 & 8 | BISHOP:
            driven += 20 * (7 - from_corner(weak, LIGHT >> (other & 63) & 1))
        if lead > 0:
            lead += driven
        elif lead < 0:
            lead -= driven
        return (lead if player == 0 else -lead) / WIN

    def order(self, state: State, action: int) -> int:
        """Promotions and captures first."""
        promoted = action >> PROMOTED & 7
        return (WORTH[promoted] if promoted < KING else 0) + (1000 if action & TAKES else 0)

    def canonical(self, state: State) -> State:
        """The board turned until the white king is in the triangle of a1, d1 and d4; with pawns, mirrored."""
        turn, white, black, one, other, _ = state
        if white == black:
            return state
        pawns = one >> 6 & 7 == PAWN or other >> 6 & 7 == PAWN
        if pawns or (turn == SETUP and self.pawns):
            return image(state, MIRROR) if white & 7 > 3 else state
        home = image(state, HOME[white])
        if home[1] >> 3 != home[1] & 7:
            return home
        swapped = image(home, TRANSPOSE)  # the king stays on the diagonal
        return swapped if swapped < home else home

    def pack(self, state: State) -> int:
        """The state in a number of its own: 28 bits for KBNK, 36 where pawns can be taken in passing."""
        turn, white, black, one, other, passing = state
        number = self.numbers[one >> 6 << 4 | other >> 6] * 3 + turn
        number = ((number << 6 | white) << 6 | black) << 6 | one & 63
        number = number << 6 | other & 63
        if self.passes:
            number = number * 9 + (1 + (passing & 7) if passing else 0)
        return number

    def unpack(self, number: int) -> State:
        passing = 0
        if self.passes:
            passing = number % 9
            number //= 9
        other, one, black, white = number & 63, number >> 6 & 63, number >> 12 & 63, number >> 18 & 63
        number >>= 24
        turn, pair = number % 3, self.materials[number // 3]
        if passing:
            passing += 31 if turn == 0 else 23  # Black's pawn is on its fifth rank, White's on the fourth
        return turn, white, black, pair >> 4 << 6 | one, (pair & 15) << 6 | other, passing

    def number_groups(self) -> None:
        """Give every group of positions its ranks, one group of a tier after the other."""
        kings = len(KINGS[self.pawns > 0])
        sizes = [1, kings, 64 * kings if len(self.kinds) == 2 else 0] + [0] * (TIERS - PLACED)
        found = sorted(groups_of(self.materials))
        begins, by_group = [], [-1] * (len(self.materials) << 6)
        for tier, group, size in found:
            by_group[group] = sizes[tier]
            begins.append(sizes[tier])
            sizes[tier] += size
        firsts = [sum(known < tier for known, _, _ in found) for tier in range(TIERS + 1)]
        object.__setattr__(self, "groups", tuple(group for _, group, _ in found))
        object.__setattr__(self, "begins", tuple(begins))
        object.__setattr__(self, "group_begins", tuple(by_group))
        object.__setattr__(self, "tier_groups", tuple(firsts))
        object.__setattr__(self, "tier_ranks", tuple(sizes))

    def rank(self, state: State) -> int:
        """By the men and the ranks of pawns; then by whose turn it is, the kings and where the men stand."""
        turn, white, black, one, other, passing = state
        if white == black:
            return 0
        kind, second = one >> 6, other >> 6
        pawns = is_pawn(kind) or is_pawn(second) or (turn == SETUP and self.pawns > 0)
        number = KING_NUMBERS[1 if pawns else 0][white << 6 | black]
        if turn == SETUP:
            return number if one == 0 else number << 6 | one & 63
        material = self.numbers[kind << 4 | second]
        if number < 0 or material < 0:
            return -1
        begin = self.group_begins[material << 6 | row_of(one) << 3 | row_of(other)]
        if kind == second and kind != NOBODY and not is_pawn(kind):
            way = apart_by_rank(one & 63, other & 63)
        else:
            way = place_of(one) * places_for(second) + place_of(other)
            if is_pawn(kind) and is_pawn(second) and kind != second:
                way = 2 * way + (1 if passing else 0)
        return begin + (turn * kings_for(kind, second) + number) * ways_for(kind, second) + way

    def unrank(self, tier: int, number: int) -> State:
        if tier < PLACED:
            return self.being_placed(tier, number)
        low, high = self.tier_groups[tier], self.tier_groups[tier + 1]
        while high - low > 1:
            middle = low + high >> 1
            if self.begins[middle] <= number:
                low = middle
            else:
                high = middle
        group, left = self.groups[low], number - self.begins[low]
        pair = self.materials[group >> 6]
        kind, second, row, next_row = pair >> 4, pair & 15, group >> 3 & 7, group & 7
        ways, kings = ways_for(kind, second), kings_for(kind, second)
        turn, place, way = left // ways // kings, left // ways % kings, left % ways
        squares = KINGS[1 if is_pawn(kind) or is_pawn(second) else 0][place]
        passing = 0
        if ways == PAIRS:
            one, other = pair_of(way)
            return turn, squares >> 6, squares & 63, kind << 6 | one, second << 6 | other, 0
        if is_pawn(kind) and is_pawn(second) and kind != second:
            passing, way = way & 1, way >> 1
        one = man_at(kind, row, way // places_for(second))
        other = man_at(second, next_row, way % places_for(second))
        if passing:  # the higher man is Black's
            passing = one & 63 if turn == 0 else other & 63
        return turn, squares >> 6, squares & 63, one, other, passing

    def being_placed(self, tier: int, number: int) -> State:
        """The state of a rank while the men are placed."""
        if tier == 0:
            return EMPTY
        man = 0
        if tier == 2:
            number, square = number >> 6, number & 63
            man = self.kinds[0] << 6 | square
        squares = KINGS[1 if self.pawns > 0 else 0][number]
        return SETUP, squares >> 6, squares & 63, man, 0, 0

    def ranks(self, tier: int) -> int:
        return self.tier_ranks[tier] if 0 <= tier < TIERS else 0

    # What people see and type.

    def from_fen(self, text: str) -> State:
        """The position that a FEN gives."""
        return position_of(self, text)

    def to_fen(self, state: State) -> str:
        """The FEN of a position; of one that is being set up, that of the men on the board."""
        return fen_of(state)

    def board_notation(self, state: State) -> str:
        return fen_of(state)

    def parse_board(self, text: str) -> State:
        return position_of(self, text)

    def render(self, state: State) -> str:
        return written(self, state)

    def scene(self, state: State) -> Scene:
        return drawn(self, state)

    def player_name(self, player: int) -> str:
        return ("White", "Black")[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        return asked(self, state, places)

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        return objected(self, state, places)

    def action_name(self, action: int) -> str:
        return move_name(action)

    def san(self, state: State, action: int) -> str:
        """The action in the short notation of chess books, as in Rxb1+."""
        return san_of(self, state, action)

    def parse_action(self, state: State, text: str) -> int:
        try:
            return super().parse_action(state, text)
        except IllegalActionError:
            found = moves_named(list(self.actions(state)), text)
            if len(found) > 1:
                choice = " or ".join(map(move_name, found))
                raise IllegalActionError(f"the move {text!r} may be {choice}: name one of them.") from None
            if not found:
                raise
            return found[0]
