"""Connect Four, and Connect-n on a board of any size: stones fall to the bottom of a column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from perfectplay.errors import BadParameterError
from perfectplay.game import Game
from perfectplay.games.lines import Shifts, completions, count_lines, has_line, line_shifts
from perfectplay.games.squares import MARGIN, RIM, disc, in_lines
from perfectplay.scene import Scene, circle, rect, text

# The stones of the player to move, all stones, how many there are, and whether the last one made a line.
# X moves when their number is even.
#
# A bit a cell, column by column from below, with an empty one on top of each column. 7x6:
#
#    6 13 20 27 34 41 48    always empty
#    5 12 19 26 33 40 47    top row
#    4 11 18 25 32 39 46
#    3 10 17 24 31 38 45
#    2  9 16 23 30 37 44
#    1  8 15 22 29 36 43
#    0  7 14 21 28 35 42    bottom row
#
# So all stones plus the lowest bit of a column carries into the lowest empty cell of that column.
State = tuple[int, int, int, bool]

SCORES = ("course", "distance", "outcome")
COURSE, DISTANCE = 0, 1  # places in SCORES


@dataclass(frozen=True)
class ConnectFour(Game[State, int]):
    """k in a row wins; stones fall to the bottom of their column; X begins.

    An action is a column, from 0 at the left; in notation columns count from 1. A win is worth:
    with score="distance", one more for every stone the winner need not play any more; with
    score="course", int(10000 * rows * cols / stones on the board); with score="outcome", 1.
    """

    board_limits = "1 to 20 rows and columns, and k of 1 or more."
    how_to_play = (
        "Drop a stone into a column; it falls to the lowest free cell. Who first has k of their own in a "
        "row, four as a rule, across, upright or diagonally, wins. If the board is full before that, it "
        "is a tie."
    )
    state_fields = (
        (
            "mine",
            "the stones of the player to move, a bit a cell: columns from the left, in each rows from below, "
            "and one empty bit on top",
        ),
        ("all", "the stones of both players, likewise"),
        ("moves", "how many there are; MAX moves when the number is even"),
        ("won", "has the last stone made a line?"),
    )

    rows: int = 6
    cols: int = 7
    k: int = 4
    score: Literal["course", "distance", "outcome"] = "distance"
    bottoms: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the lowest cell of each column
    tops: tuple[int, ...] = field(init=False, repr=False, compare=False)
    shifts: Shifts = field(init=False, repr=False, compare=False)
    steps: tuple[int, ...] = field(init=False, repr=False, compare=False)  # up, right, and the diagonals
    scoring: int = field(init=False, repr=False, compare=False)  # the place of the score in SCORES
    column: int = field(init=False, repr=False, compare=False)  # the cells of the first
    bottom: int = field(init=False, repr=False, compare=False)  # the bottom row
    cells: int = field(init=False, repr=False, compare=False)  # all of them
    upper_cells: int = field(init=False, repr=False, compare=False)  # the top row, and every second below it
    # How far bits are spread downwards in a column, step by step, and the cells that they may get to.
    smears: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.rows <= 20 or not 1 <= self.cols <= 20:
            raise BadParameterError(
                f"a board of {self.rows} rows and {self.cols} columns cannot be: give 1 to 20 of each."
            )
        if self.k < 1:
            raise BadParameterError(f"k={self.k} in a row cannot be: give 1 or more.")
        if self.score not in SCORES:
            raise BadParameterError(f"there is no score {self.score!r}: give one of {', '.join(SCORES)}.")

        bottoms = tuple(1 << col * (self.rows + 1) for col in range(self.cols))
        object.__setattr__(self, "bottoms", bottoms)
        object.__setattr__(self, "tops", tuple(bottom << self.rows - 1 for bottom in bottoms))
        object.__setattr__(self, "shifts", line_shifts(self.k, self.rows + 1))
        object.__setattr__(self, "steps", (1, self.rows + 1, self.rows, self.rows + 2))
        object.__setattr__(self, "scoring", SCORES.index(self.score))
        object.__setattr__(self, "column", (1 << self.rows) - 1)
        object.__setattr__(self, "bottom", sum(bottoms))
        object.__setattr__(self, "cells", sum(bottoms) * self.column)
        upper_rows = sum(1 << row for row in range((self.rows - 1) % 2, self.rows, 2))
        object.__setattr__(self, "upper_cells", sum(bottoms) * upper_rows)
        distances = [1 << step for step in range(self.rows.bit_length())]
        reaches = [sum(bottoms) * ((1 << max(self.rows + 1 - each, 0)) - 1) for each in distances]
        object.__setattr__(self, "smears", tuple(zip(distances, reaches, strict=True)))

    def initial(self) -> State:
        return 0, 0, 0, False

    def to_move(self, state: State) -> int:
        return state[2] & 1

    def actions(self, state: State) -> Iterator[int]:
        _, mask, _, won = state
        if not won:
            for action, top in enumerate(self.tops):
                if not mask & top:
                    yield action

    def result(self, state: State, action: int) -> State:
        mover, mask, stones, _ = state
        both = mask | mask + self.bottoms[action]
        theirs = mover ^ mask
        return theirs, both, stones + 1, has_line(both ^ theirs, self.shifts)

    def is_terminal(self, state: State) -> bool:
        return state[3] or state[2] == self.rows * self.cols

    def utility(self, state: State, player: int) -> int:
        _, _, stones, won = state
        if not won:
            return 0
        worth = self.worth_of_win(stones)
        return -worth if player == stones & 1 else worth  # the last stone was the other player's

    def worth_of_win(self, stones: int) -> int:
        """What a win is worth to the winner, with so many stones on the board at the end."""
        if stones > self.rows * self.cols:
            return 0  # nobody can win any more
        if self.scoring == DISTANCE:
            return (self.rows * self.cols + 2 - stones) // 2
        if self.scoring == COURSE:
            return 10000 * self.rows * self.cols // stones
        return 1

    def plies_left(self, state: State, value: float) -> int | None:
        """The stones until the end, by which the score of a win counts."""
        stones, cells = state[2], self.rows * self.cols
        if self.scoring != DISTANCE or value == 0:
            return cells - stones if self.scoring == DISTANCE else None
        at_end = cells + 2 - 2 * int(abs(value))  # or one less: the winner lays the last stone
        wins_now = (at_end - stones) % 2 == 1
        return at_end - stones - (0 if wins_now == (value > 0) else 1)

    def evaluate(self, state: State, player: int) -> float:
        """The share of lines still open to `player`, less the opponent's: always less than a win."""
        mover, mask, stones, _ = state
        free = self.cells ^ mask
        mine = count_lines(mover | free, self.shifts)
        theirs = count_lines(mover ^ mask | free, self.shifts)
        worth = (mine - theirs) / (mine + theirs + 1)
        return worth if player == stones & 1 else -worth

    def order(self, state: State, action: int) -> float:
        """How soon the lines that lack one stone after it can be completed, and what runs through its cell.

        The weights come from hill climbing on random positions of 12 stones, by nodes visited.
        """
        mover, mask, _, _ = state
        stone = mask + self.bottoms[action] & ~mask
        mine, theirs, both = mover | stone, mover ^ mask, mask | stone
        # a cell above one where the opponent wins will not be reached
        chances = self.completing(mine) & ~both & ~(self.completing(theirs) & ~mask) << 1
        now = both + self.bottom & self.cells
        soon, later = now << 1 & self.cells, now << 2 & self.cells
        promise = 120.0 * (chances & soon).bit_count() + 38.0 * (chances & later).bit_count()
        promise += 41.0 * (chances & now).bit_count() + (58.0 if chances & chances << 1 else 0.0)
        row = (stone // self.bottoms[action]).bit_length() - 1
        return (
            promise
            + 1.4 * min(action, self.cols - 1 - action)
            + self.lines_through(stone, theirs)
            + 0.5 * row
        )

    def lines_through(self, stone: int, theirs: int) -> int:
        """How many lines through the cell of a stone the opponent's do not block."""
        count = 0
        for direction in range(4):
            starts = self.cells & ~theirs
            for shift in self.shifts:
                starts &= starts >> shift[direction]
            through = stone
            for distance in range(1, self.k):
                through |= stone >> distance * self.steps[direction]
            count += (starts & through).bit_count()
        return count

    def candidates(self, state: State) -> Iterator[int]:
        """The moves that win or, if there are none, those that do not let the opponent win at once."""
        mover, mask, _, won = state
        playable = mask + self.bottom & self.cells
        threats = self.completing(mover ^ mask) & ~mask
        cells = self.completing(mover) & playable or self.safe(mask, threats) or playable
        if won:
            return
        while cells:
            yield (cells & -cells).bit_length() // (self.rows + 1)
            cells &= cells - 1

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """What the next two stones decide, and what a player gets who answers on top of every stone."""
        mover, mask, stones, _ = state
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        threats = self.completing(mover ^ mask) & ~mask
        if self.completing(mover) & mask + self.bottom:
            lower = upper = self.worth_of_win(stones + 1)
        elif self.safe(mask, threats) == 0:
            lower = upper = -self.worth_of_win(stones + 2)
        else:
            lower, upper = -self.worth_of_win(stones + 4), self.ceiling(state, threats)
            if lower < 0 and not has_line(mover ^ self.cells, self.shifts):  # no line left for the opponent
                lower = 0
        return (lower, upper) if player == stones & 1 else (-upper, -lower)

    def ceiling(self, state: State, threats: int) -> int:
        """The most that the mover can hope for, where the next two stones decide nothing.

        The opponent may answer every stone with one on top of it. Columns fill in pairs, so that he gets
        each cell of his parity that is not at the bottom of its column now; if the number of empty cells
        is odd, he can do so in all columns but one in which he has a threat: nobody wants to play below
        it, so that it is the mover who must when all others are full.
        """
        mover, mask, stones, _ = state
        theirs = mover ^ mask
        empty = self.cells & ~mask
        open_cells = empty & ~(mask + self.bottom)  # not to be reached by the next stone
        even = (self.rows * self.cols - stones) % 2 == 0
        most = self.worth_of_win(stones + 3)
        if most > 0 and not has_line(mover | empty, self.shifts):
            most = 0

        # 1. On top of every stone: enough to stop all lines of the mover, or even to get one.
        if even:
            held = self.upper_cells & open_cells
            if not has_line(mover | empty & ~held, self.shifts):
                most = min(most, 0)
                kept = theirs
                for row in range((self.rows - 1) % 2, self.rows, 2):
                    kept |= held & self.bottom << row
                    if has_line(kept, self.shifts):
                        most = min(most, -self.worth_of_last(row))
                        break

        # 2. With a threat that decides when everything else is full.
        parity = self.upper_cells if even else self.cells & ~self.upper_cells
        waiting = threats & open_cells
        left = waiting & parity
        while left:
            threat = left & -left
            left &= left - 1
            place = threat.bit_length() - 1
            row = place % (self.rows + 1)
            column = self.column << place - row
            below = threat - 1
            held = (self.upper_cells & ~column | parity & column & below) & open_cells
            reached = empty & ~(column & ~below) & ~self.above(waiting & held)
            if not has_line(mover | reached & ~held, self.shifts):
                most = min(most, -self.worth_of_last(row))
        return most

    def worth_of_last(self, row: int) -> int:
        """What a line is worth that a stone in this row completes when all other columns are full."""
        return self.worth_of_win(self.rows * (self.cols - 1) + row + 1)

    def above(self, board: int) -> int:
        """The cells above those of a board."""
        cells = board << 1 & self.cells
        for _ in range(self.rows - 2):
            cells |= cells << 1 & self.cells
        return cells

    def completing(self, board: int) -> int:
        """The cells that would complete a line with the stones of a board."""
        up, across, falling, rising = self.steps
        k, cells = self.k, self.cells
        upright, flat = completions(board, k, up, cells), completions(board, k, across, cells)
        return upright | flat | completions(board, k, falling, cells) | completions(board, k, rising, cells)

    def safe(self, mask: int, threats: int) -> int:
        """The cells where a stone can fall without the opponent's next one winning in one of his."""
        playable = mask + self.bottom & self.cells
        forced = playable & threats
        if forced & forced - 1:
            return 0  # two threats at once
        return (forced or playable) & ~(threats >> 1)

    def pack(self, state: State) -> int:
        """In each column, the mover's stones plus all stones: no two columns give the same sum.

        It has a bit a cell and one more a column: 49 bits of the usual board.
        """
        return state[0] + state[1]

    def unpack(self, number: int) -> State:
        """In each column the highest bit of the sum, plus one, is the lowest empty cell."""
        marked = number + self.bottom
        filled = marked  # up to that bit
        for distance, reach in self.smears:
            filled |= filled >> distance & reach
        mask = filled >> 1 & self.cells
        mover = marked ^ filled ^ mask
        return mover, mask, mask.bit_count(), has_line(mover ^ mask, self.shifts)

    def tier(self, state: State) -> int:
        """The stones."""
        return state[2]

    def canonical(self, state: State) -> State:
        """The smaller of this board and its mirror image."""
        mover, mask, stones, won = state
        mirrored_mask, mirrored_mover = self.mirrored(mask), self.mirrored(mover)
        if mirrored_mask < mask or (mirrored_mask == mask and mirrored_mover < mover):
            return mirrored_mover, mirrored_mask, stones, won
        return state

    def mirrored(self, board: int) -> int:
        """The board with left and right swapped."""
        column = (1 << self.rows + 1) - 1
        image = 0
        for _ in range(self.cols):
            image = image << self.rows + 1 | board & column
            board >>= self.rows + 1
        return image

    def render(self, state: State) -> str:
        mover, mask, stones, _ = state
        crosses = mover if stones % 2 == 0 else mover ^ mask
        width = len(str(self.cols))
        lines = []
        for row in reversed(range(self.rows)):
            bits = [col * (self.rows + 1) + row for col in range(self.cols)]
            cells = ["X" if crosses >> b & 1 else "O" if mask >> b & 1 else "." for b in bits]
            lines.append(" ".join(f"{cell:>{width}}" for cell in cells))
        numbers = " ".join(f"{col + 1:{width}}" for col in range(self.cols))
        return "\n".join([*lines, numbers])

    def scene(self, state: State) -> Scene:
        mover, mask, stones, won = state
        crosses = mover if stones % 2 == 0 else mover ^ mask
        shapes = [rect(0, 0, self.cols + 2 * RIM, self.rows + 2 * RIM, "board")]
        taken: dict[tuple[int, int], int] = {}
        for col in range(self.cols):
            name = str(col + 1)
            bits = [col * (self.rows + 1) + row for row in range(self.rows)]
            words = ["X" if crosses >> b & 1 else "O" for b in bits if mask >> b & 1]
            taken |= {(row, col): "XO".index(word) for row, word in enumerate(words)}
            label = ", ".join([f"column {name}", *words, f"{self.rows - len(words)} free"])
            shapes.append(rect(RIM + col, RIM, 1, self.rows, "board", at=name, label=label))
            shapes += [circle(*self.middle((row, col)), 0.4, "hole", at=name) for row in range(self.rows)]
            shapes.append(text(RIM + col + 0.5, 2 * RIM + self.rows + MARGIN / 2, 0.3, name, at=name))
        if won:
            last = [cell for cell, player in taken.items() if player != stones % 2]
            shapes += [circle(*self.middle(cell), 0.46, "win") for cell in in_lines(last, self.k)]
        for (row, col), player in taken.items():
            shapes += disc(player, *self.middle((row, col)), str(col + 1))
        clicks = tuple((action, (self.action_name(action),)) for action in self.actions(state))
        return Scene(self.cols + 2 * RIM, self.rows + 2 * RIM + MARGIN, tuple(shapes), clicks)

    def middle(self, cell: tuple[int, int]) -> tuple[float, float]:
        """The middle of a cell, given by its row from below and its column, in a scene."""
        return RIM + cell[1] + 0.5, RIM + self.rows - cell[0] - 0.5

    def player_name(self, player: int) -> str:
        return "XO"[player]

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        return f"Column {places[-1]} is full: choose another one."

    def action_name(self, action: int) -> str:
        return str(action + 1)
