"""Dots and Boxes: draw a line between two dots; who closes a box gets it and moves again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.errors import BadParameterError
from perfectplay.game import Game, default_key
from perfectplay.games.squares import MARGIN, TALLY, Squares, tally
from perfectplay.games.words import cells, count, flipped, mirrored, transposed
from perfectplay.scene import Scene, circle, rect

# The horizontal lines, the vertical lines, the lead of MAX in boxes, and whose turn it is.
#
# A bit a dot, row by row from below: in the first word for the line from it to the right, in the second for
# the line from it upwards. A box has the bit of the dot at its lower left. 2x2 boxes:
#
#    3  6 - 7 - 8
#       |   |   |
#    2  3 - 4 - 5
#       |   |   |
#    1  0 - 1 - 2
#       a   b   c
#
# So with a row of dots being `pitch` bits, a box is closed where lines & lines >> pitch of the first word
# and lines & lines >> 1 of the second are set.
State = tuple[int, int, int, int]


@dataclass(frozen=True)
class DotsAndBoxes(Game[State, int]):
    """Draw a line between two dots; who closes a box gets it and moves again; most boxes win.

    The board has rows times cols boxes, and the value is the lead in boxes. An action is the dot where
    a line begins, row by row from a1 at the lower left, plus the number of dots if it goes upwards. In
    notation a line is named by its two dots: a1-b1 to the right, a1-a2 upwards.
    """

    board_limits = "25 columns and 63 dots at the most."
    how_to_play = (
        "Draw a line between two neighbouring dots. Who draws the fourth line of a box gets it and must "
        "draw another line. When all lines are drawn, most boxes win."
    )
    state_fields = (
        (
            "horizontal",
            "the lines from a dot to the right, a bit a dot: rows from below, in each columns from the left",
        ),
        ("vertical", "the lines from a dot upwards, likewise"),
        ("lead", "the boxes of MAX less those of MIN"),
        ("turn", "0: MAX moves, 1: MIN moves"),
    )

    rows: int = 2
    cols: int = 2
    pitch: int = field(init=False, repr=False, compare=False)  # dots in a row
    dots: int = field(init=False, repr=False, compare=False)
    boxes: int = field(init=False, repr=False, compare=False)  # the bits of them all
    across: int = field(init=False, repr=False, compare=False)  # all horizontal lines
    upright: int = field(init=False, repr=False, compare=False)  # all vertical lines
    column: int = field(init=False, repr=False, compare=False)  # the first dot of each row
    packs: bool = field(init=False, repr=False, compare=False)  # do 63 bits hold a state?
    # At each corner of the board, its two lines: a bit of the horizontal ones and a bit of the vertical ones.
    corners: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pitch, dots = self.cols + 1, (self.rows + 1) * (self.cols + 1)
        if self.rows < 1 or self.cols < 1 or dots > 63 or pitch > 26:
            raise BadParameterError(
                f"{self.rows} rows and {self.cols} columns of boxes cannot be: "
                "give 1 or more of each, at most 25 columns, and no more than 63 dots in all."
            )
        row = (1 << self.cols) - 1
        boxes = sum(row << pitch * number for number in range(self.rows))
        top, right = self.rows * pitch, self.cols
        corners = (
            (1, 1),
            (1 << right - 1, 1 << right),
            (1 << top, 1 << top - pitch),
            (1 << top + right - 1, 1 << top - pitch + right),
        )
        object.__setattr__(self, "pitch", pitch)
        object.__setattr__(self, "dots", dots)
        object.__setattr__(self, "boxes", boxes)
        object.__setattr__(self, "across", boxes | row << top)
        object.__setattr__(self, "upright", (1 << top) - 1)
        object.__setattr__(self, "column", sum(1 << pitch * number for number in range(self.rows + 1)))
        object.__setattr__(self, "packs", (4 * self.rows * self.cols + 1).bit_length() + dots + top <= 63)
        object.__setattr__(self, "corners", corners)

    def initial(self) -> State:
        return 0, 0, 0, 0

    def to_move(self, state: State) -> int:
        return state[3]

    def actions(self, state: State) -> Iterator[int]:
        across, upright, _, _ = state
        for dot in cells(self.across & ~across):
            yield dot
        for dot in cells(self.upright & ~upright):
            yield dot + self.dots

    def result(self, state: State, action: int) -> State:
        across, upright, lead, turn = state
        closed = count(self.closed(across, upright))
        if action < self.dots:
            across |= 1 << action
        else:
            upright |= 1 << action - self.dots
        gain = count(self.closed(across, upright)) - closed
        if gain:
            return across, upright, lead + gain if turn == 0 else lead - gain, turn
        return across, upright, lead, 1 - turn

    def is_terminal(self, state: State) -> bool:
        across, upright, _, _ = state
        return across == self.across and upright == self.upright

    def utility(self, state: State, player: int) -> int:
        lead = state[2]
        return lead if player == 0 else -lead

    def closed(self, across: int, upright: int) -> int:
        """The boxes that are closed."""
        return across & across >> self.pitch & upright & upright >> 1

    def ready(self, across: int, upright: int) -> int:
        """The boxes that one more line closes."""
        below, above, left, right = across, across >> self.pitch, upright, upright >> 1
        return (below & above & (left ^ right) | left & right & (below ^ above)) & self.boxes

    def candidates(self, state: State) -> Iterator[int]:
        """All lines, or only one that closes every box it touches, if there is one.

        Nothing is better than such a line, for its owner can go on as if it were not drawn. Who would
        draw it later has its boxes already and still moves; who would be left with nothing else to
        draw does not give them to the opponent.
        """
        across, upright, _, _ = state
        done = self.ready(across, upright) | ~self.boxes  # beyond the edge there is nothing to close
        free_across = self.across & ~across & done & (done << self.pitch | (1 << self.pitch) - 1)
        free_upright = self.upright & ~upright & done & (done << 1 | 1)
        for dot in cells(free_across):
            yield dot
            return
        for dot in cells(free_upright):
            yield dot + self.dots
            return
        for dot in cells(self.across & ~across):
            yield dot
        for dot in cells(self.upright & ~upright):
            yield dot + self.dots

    def evaluate(self, state: State, player: int) -> float:
        """The lead, most of the boxes that can be closed now, and who has to open the next chain then."""
        across, upright, lead, turn = state
        before = count(self.closed(across, upright))
        ready = self.ready(across, upright)
        while ready:
            across |= ready | ready << self.pitch
            upright |= ready | ready << 1
            ready = self.ready(across, upright)
        closed = count(self.closed(across, upright))
        left = self.rows * self.cols - closed
        worth = lead if turn == 0 else -lead
        last = count(self.safe_across(across, upright)) + count(self.safe_upright(across, upright)) & 1
        estimate = worth + (6 * (closed - before) + (left if last else -left)) / 8
        return estimate if player == turn else -estimate

    def full_of_two(self, across: int, upright: int) -> int:
        """The boxes with two lines or more."""
        below, above, left, right = across, across >> self.pitch, upright, upright >> 1
        return (below & above | left & right | (below | above) & (left | right)) & self.boxes

    def safe_across(self, across: int, upright: int) -> int:
        """The horizontal lines to be drawn that make no box ready."""
        risky = self.full_of_two(across, upright)
        return self.across & ~(across | risky | risky << self.pitch)

    def safe_upright(self, across: int, upright: int) -> int:
        """The vertical lines to be drawn that make no box ready."""
        risky = self.full_of_two(across, upright)
        return self.upright & ~(upright | risky | risky << 1)

    def order(self, state: State, action: int) -> int:
        """Lines that close a box first, then those that make none ready for the opponent."""
        across, upright, _, _ = state
        ready, risky = self.ready(across, upright), self.full_of_two(across, upright)
        dot, back = (action, self.pitch) if action < self.dots else (action - self.dots, 1)
        closing = (ready | ready << back) >> dot & 1
        opening = (risky | risky << back) >> dot & 1
        return 2 * closing - opening

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """The lead cannot change by more than the boxes that are left."""
        across, upright, lead, _ = state
        left = self.rows * self.cols - count(self.closed(across, upright))
        if player != 0:
            lead = -lead
        return lead - left, lead + left

    def tier(self, state: State) -> int:
        """The lines."""
        return count(state[0]) + count(state[1])

    def pack(self, state: State) -> int:
        """A bit a line, and above them whose turn it is and how many boxes MAX has."""
        across, upright, lead, turn = state
        number = lead + count(self.closed(across, upright)) + turn
        for row in range(self.rows, -1, -1):
            number = number << self.cols | across >> row * self.pitch & (1 << self.cols) - 1
        return number << self.rows * self.pitch | upright

    def unpack(self, number: int) -> State:
        upright = number & self.upright
        number >>= self.rows * self.pitch
        across = 0
        for row in range(self.rows + 1):
            across |= (number & (1 << self.cols) - 1) << row * self.pitch
            number >>= self.cols
        lead = number // 2 * 2 - count(self.closed(across, upright))
        return across, upright, lead, number % 2

    def key(self, state: State) -> int:
        across, upright, lead, turn = state
        if not self.packs:
            return default_key(state)
        score = 2 * (lead + self.rows * self.cols) + turn
        return default_key((score << self.rows * self.pitch | upright) << self.dots | across)

    def canonical(self, state: State) -> State:
        """The smallest of the boards that turning, mirroring and swapping lines in a corner make of this."""
        across, upright, lead, turn = state
        best_across, best_upright = self.cornered(across, upright)
        for symmetry in range(1, 8 if self.rows == self.cols else 4):
            if symmetry == 4:
                across, upright = transposed(upright, self.pitch), transposed(across, self.pitch)
            elif symmetry & 1:
                across = mirrored(across, self.pitch, self.column) >> 1
                upright = mirrored(upright, self.pitch, self.column)
            else:
                across = flipped(across, self.rows + 1, self.pitch)
                upright = flipped(upright, self.rows + 1, self.pitch) >> self.pitch
            one, other = self.cornered(across, upright)
            if one < best_across or (one == best_across and other < best_upright):
                best_across, best_upright = one, other
        return best_across, best_upright, lead, turn

    def cornered(self, across: int, upright: int) -> tuple[int, int]:
        """At each corner both lines belong to one box: if only one is drawn, let it be the vertical one."""
        if self.rows > 1 and self.cols > 1:
            for horizontal, vertical in self.corners:
                if across & horizontal and not upright & vertical:
                    across ^= horizontal
                    upright |= vertical
        return across, upright

    def render(self, state: State) -> str:
        across, upright, lead, turn = state
        closed = self.closed(across, upright)
        lines = []
        for row in reversed(range(self.rows + 1)):
            first = row * self.pitch
            if row < self.rows:
                walls = ["|" if upright >> dot & 1 else " " for dot in range(first, first + self.pitch)]
                insides = [" # " if closed >> dot & 1 else "   " for dot in range(first, first + self.cols)]
                lines.append("   " + "".join(map("".join, zip(walls, [*insides, ""], strict=True))))
            drawn = ["---" if across >> dot & 1 else "   " for dot in range(first, first + self.cols)]
            lines.append(f"{row + 1:2} +" + "".join(f"{line}+" for line in drawn))
        lines.append("   " + "   ".join(chr(ord("a") + col) for col in range(self.pitch)))
        boxes = count(closed)
        score = f"MAX {(boxes + lead) // 2}  MIN {(boxes - lead) // 2}"
        lines.append(score if self.is_terminal(state) else f"{score}  {('MAX', 'MIN')[turn]} to move")
        return "\n".join(line.rstrip() for line in lines)

    def scene(self, state: State) -> Scene:
        """The lines and the boxes; whose box is whose is not in a state, so the tally below says how many."""
        across, upright, lead, _ = state
        board = Squares(self.rows + 1, self.pitch, half=0.2)  # a dot is in the middle of a square
        places = [board.middle(divmod(dot, self.pitch)) for dot in range(self.dots)]
        closed = self.closed(across, upright)
        shapes = [rect(places[dot][0], places[dot][1] - 1, 1, 1, "soft") for dot in cells(closed)]
        for action in [*cells(self.across), *(dot + self.dots for dot in cells(self.upright))]:
            upwards, dot = divmod(action, self.dots)
            x, y = places[dot]
            drawn = (upright if upwards else across) >> dot & 1
            thick = 0.08 if drawn else 0.24
            low, left = (y - 0.9, x - thick / 2) if upwards else (y - thick / 2, x + 0.1)
            sides = (thick, 0.8) if upwards else (0.8, thick)
            name = self.action_name(action)
            label = f"{name}: {'drawn' if drawn else 'free'}"
            shapes.append(rect(left, low, *sides, "piece" if drawn else "edge", at=name, label=label))
        shapes += [circle(x, y, 0.1, "label") for x, y in places]
        shapes += board.coordinates()
        boxes = count(closed)
        counts = ((boxes + lead) // 2, (boxes - lead) // 2)
        shapes += tally(MARGIN, board.height + TALLY[1] / 2, counts)
        clicks = tuple((action, (self.action_name(action),)) for action in self.actions(state))
        width = max(board.width, MARGIN + TALLY[0])
        return Scene(width, board.height + TALLY[1], tuple(shapes), clicks)

    def player_name(self, player: int) -> str:
        return "XO"[player]

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        return "That line is drawn already: choose a free one."

    def action_name(self, action: int) -> str:
        upwards, dot = divmod(action, self.dots)
        row, col = divmod(dot, self.pitch)
        there = (col, row + 1) if upwards else (col + 1, row)
        return f"{chr(ord('a') + col)}{row + 1}-{chr(ord('a') + there[0])}{there[1] + 1}"
