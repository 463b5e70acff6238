"""Men on points that lines join, placed first and moved then: what the morris games have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.game import Game, default_key
from perfectplay.games.combinations import CHOOSE, rank, spread, squeezed, unranked
from perfectplay.games.squares import TALLY, Cell, Squares, cell_name, disc, tally
from perfectplay.games.words import cells, count
from perfectplay.scene import Scene, Shape, circle, line, rect, text

# The men of MAX, the men of MIN, how many have been placed so far, and whose turn it is. A bit a point, as
# each game draws it.
State = tuple[int, int, int, int]

# An action: the point where a man is taken away, the one where a man comes from, and the one where it goes.
#
#    14   10 9     5 4    0
#     taken   source target      NOWHERE: no man is taken; the man comes from the hand
NOWHERE = 31


@dataclass(frozen=True)
class Morris(Game[State, int]):
    """Place your men in turn, then move them along the lines; who is lost, or cannot move, is the mover."""

    state_fields = (
        ("max", "the men of MAX, a bit a point"),
        ("min", "the men of MIN, likewise"),
        ("placed", "how many men have been placed"),
        ("turn", "0: MAX moves, 1: MIN moves"),
    )

    men: int = field(init=False, repr=False, compare=False)  # of each player
    board: int = field(init=False, repr=False, compare=False)  # all points: no more than 24
    points: tuple[Cell, ...] = field(init=False, repr=False, compare=False)  # row and column of each
    edges: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)  # the lines, by ends
    # How states are packed: kinds of them, by phase and by the men of each player. The phase is how many have
    # been placed, or one more when all have been and it is MIN's turn.
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the numbers of those there are
    begins: tuple[int, ...] = field(init=False, repr=False, compare=False)  # their first states
    kind_places: tuple[int, ...] = field(init=False, repr=False, compare=False)  # where each is among them

    @abstractmethod
    def is_lost(self, state: State) -> bool:
        """Has the player to move lost, with moves or without?"""

    @abstractmethod
    def in_lines(self, men: int) -> int:
        """Those of the men that stand three in a line."""

    @abstractmethod
    def near(self, men: int) -> int:
        """The points that are one step from one of these."""

    @abstractmethod
    def flies(self, men: int) -> bool:
        """May a player with these men move one to any free point?"""

    @abstractmethod
    def prey(self, men: int) -> int:
        """Those of the men that the opponent may take away by making a line."""

    @abstractmethod
    def marks(self, state: State) -> Iterator[Shape]:
        """What else there is to see on the board: drawn before the men."""

    def initial(self) -> State:
        return 0, 0, 0, 0

    def to_move(self, state: State) -> int:
        return state[3]

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_lost(state):
            mine, free = state[state[3]], self.free(state)
            prey = self.prey(state[1 - state[3]])
            if state[2] < 2 * self.men:
                for target in cells(free):
                    action = NOWHERE << 5 | target
                    if prey and self.makes_line(mine, target):
                        for taken in cells(prey):
                            yield taken << 10 | action
                    else:
                        yield NOWHERE << 10 | action
            else:
                for source in cells(mine):
                    rest = mine ^ 1 << source
                    for target in cells(free if self.flies(mine) else free & self.near(1 << source)):
                        action = source << 5 | target
                        if prey and self.makes_line(rest, target):
                            for taken in cells(prey):
                                yield taken << 10 | action
                        else:
                            yield NOWHERE << 10 | action

    def result(self, state: State, action: int) -> State:
        first, second, placed, turn = state
        target, source, taken = action & 31, action >> 5 & 31, action >> 10
        mine, theirs = (first, second) if turn == 0 else (second, first)
        mine |= 1 << target
        if source == NOWHERE:
            placed += 1
        else:
            mine ^= 1 << source
        if taken != NOWHERE:
            theirs ^= 1 << taken
        return (mine, theirs, placed, 1) if turn == 0 else (theirs, mine, placed, 0)

    def is_terminal(self, state: State) -> bool:
        return self.is_lost(state) or self.is_stuck(state)

    def is_stuck(self, state: State) -> bool:
        """Has the player to move no man to place, and none that can move?"""
        mine = state[state[3]]
        if state[2] < 2 * self.men or self.flies(mine):
            return False
        return self.near(mine) & self.free(state) == 0

    def utility(self, state: State, player: int) -> int:
        return -1 if player == state[3] else 1  # who won moved last

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        return -1, 1

    def free(self, state: State) -> int:
        """The points without a man."""
        return self.board & ~(state[0] | state[1])

    def makes_line(self, men: int, target: int) -> bool:
        """Does one man more, on `target`, stand in a line with these?"""
        return self.in_lines(men | 1 << target) >> target & 1 == 1

    def threats(self, men: int, free: int, placing: bool) -> int:
        """At how many points a player with these men could make a line next."""
        found = 0
        for target in cells(free):
            if self.makes_line(men, target):
                if placing or self.flies(men):
                    found += 1
                else:
                    for source in cells(self.near(1 << target) & men):
                        if self.makes_line(men ^ 1 << source, target):
                            found += 1
                            break
        return found

    def in_hand(self, state: State, player: int) -> int:
        """How many men a player has still to place: MAX began."""
        return self.men - (state[2] + 1 - player) // 2

    def key(self, state: State) -> int:
        first, second, placed, turn = state
        return default_key(((placed << 1 | turn) << 24 | first) << 24 | second)

    def number_kinds(self) -> None:
        """Give every kind of state its place among all, for `pack`: whoever makes a game calls it."""
        size, side = count(self.board), self.men + 1
        kinds: list[int] = []
        begins, begin = [], 0
        places = [-1] * ((2 * self.men + 2) * side * side)
        takes = self.prey(self.board) != 0
        for phase in range(2 * self.men + 2):
            placed = min(phase, 2 * self.men)
            most = (placed + 1) // 2, placed // 2
            pairs = [(one, other) for one in range(most[0] + 1) for other in range(most[1] + 1)]
            for one, other in pairs if takes else [most]:
                kind = (phase * side + one) * side + other
                places[kind] = len(kinds)
                kinds.append(kind)
                begins.append(begin)
                begin += CHOOSE[size][one] * CHOOSE[size - one][other]
        object.__setattr__(self, "kinds", tuple(kinds))
        object.__setattr__(self, "begins", tuple(begins))
        object.__setattr__(self, "kind_places", tuple(places))

    def pack(self, state: State) -> int:
        """The rank of a state among all that have as many men on the board, after those of smaller kinds."""
        first, second, placed, turn = state
        one, other, side = count(first), count(second), self.men + 1
        phase = placed + turn if placed == 2 * self.men else placed
        place = self.kind_places[(phase * side + one) * side + other]
        ways = CHOOSE[count(self.board) - one][other]
        return self.begins[place] + rank(first) * ways + rank(squeezed(second, first))

    def unpack(self, number: int) -> State:
        low, high = 0, len(self.begins)
        while high - low > 1:
            middle = low + high >> 1
            if self.begins[middle] <= number:
                low = middle
            else:
                high = middle
        side, size, kind = self.men + 1, count(self.board), self.kinds[low]
        phase, one, other = kind // (side * side), kind // side % side, kind % side
        ways = CHOOSE[size - one][other]
        left = number - self.begins[low]
        first = unranked(left // ways, one, size)
        second = spread(unranked(left % ways, other, size - one), self.board & ~first)
        if phase < 2 * self.men:
            return first, second, phase, phase & 1
        return first, second, 2 * self.men, phase - 2 * self.men

    def outlook(self, state: State) -> str:
        """What is to be done next, or who has won."""
        turn = state[3]
        if self.is_terminal(state):
            return f"{'OX'[turn]} has won"
        if state[2] == 2 * self.men:
            return f"{'XO'[turn]} to move"
        hands = [self.in_hand(state, player) for player in (0, 1)]
        return f"to place: X {hands[0]}  O {hands[1]}  {'XO'[turn]} to move"

    def letters(self, state: State) -> dict[Cell, str]:
        """What stands on each point: X, O or nothing."""
        first, second, _, _ = state
        return {
            cell: "X" if first >> point & 1 else "O" if second >> point & 1 else "."
            for point, cell in enumerate(self.points)
        }

    def scene(self, state: State) -> Scene:
        side = 1 + max(row for row, _ in self.points)
        board = Squares(side, side)
        places = [board.middle(cell) for cell in self.points]
        (left, bottom), (right, top) = board.middle((0, 0)), board.middle((side - 1, side - 1))
        shapes = [rect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1, "board")]
        shapes += [line(*places[one], *places[other]) for one, other in self.edges]
        shapes += [*board.coordinates(), *self.marks(state)]
        for cell, letter in self.letters(state).items():
            x, y = board.middle(cell)
            name = cell_name(cell)
            label = f"{name}: {'free' if letter == '.' else letter}"
            shapes.append(circle(x, y, 0.22, "hole", at=name, label=label))
            if letter != ".":
                shapes += disc("XO".index(letter), x, y, name)
        strip = board.height + TALLY[1] / 2
        if state[2] < 2 * self.men:
            shapes.append(text(0.65, strip, 0.3, "to place"))
            shapes += tally(1.4, strip, (self.in_hand(state, 0), self.in_hand(state, 1)))
        clicks = tuple((action, self.places(action)) for action in self.actions(state))
        return Scene(board.width, board.height + TALLY[1], tuple(shapes), clicks)

    def places(self, action: int) -> tuple[str, ...]:
        """The names of the points of an action: from where, to where, and the man that is taken."""
        numbers = action >> 5 & 31, action & 31, action >> 10
        return tuple(cell_name(self.points[point]) for point in numbers if point != NOWHERE)

    def player_name(self, player: int) -> str:
        return "XO"[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        turn, placing = state[3], state[2] < 2 * self.men
        if len(places) == (1 if placing else 2):
            return f"Mill: take a man of {'OX'[turn]}."
        if places:
            return f"Choose where the man on {places[0]} goes."
        if placing:
            return f"Place a man on a free point: {self.in_hand(state, turn)} left."
        flies = ": with three left, it may go to any free point" if self.flies(state[turn]) else ""
        return f"Choose a man to move{flies}."

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        turn, placing = state[3], state[2] < 2 * self.men
        stands = {cell_name(cell): letter for cell, letter in self.letters(state).items()}
        last = stands[places[-1]]
        if len(places) == (2 if placing else 3):
            return (
                f"That man stands in a mill: take one of {'OX'[turn]} who does not."
                if last == "OX"[turn]
                else f"Mill: take a man of {'OX'[turn]}."
            )
        if len(places) == (1 if placing else 2):
            apart = f"No line joins {places[0]} and {places[-1]}."
            return apart if last == "." else f"{places[-1]} is taken."
        if last == "XO"[turn]:
            return f"The man on {places[0]} has no free point beside it."
        return f"There is no man of {'XO'[turn]} on {places[0]}."

    def action_name(self, action: int) -> str:
        names = self.places(action)
        if action >> 10 == NOWHERE:
            return "-".join(names)
        return f"{'-'.join(names[:-1])}x{names[-1]}"
