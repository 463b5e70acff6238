"""Kalah: sow the seeds of a pit around the board; a last seed in the own store moves again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, pi, sin

from perfectplay.errors import BadParameterError
from perfectplay.game import Game
from perfectplay.scene import Scene, Shape, circle, rect, text

# South's side, North's side, and whose turn it is (0: South, who is MAX). A side has eight bits a pit
# in the order of sowing, and its store on top. With 6 pits:
#
#    55  48 47  40 39  32 31  24 23  16 15   8 7    0
#    store  pit 6  pit 5  pit 4  pit 3  pit 2  pit 1
State = tuple[int, int, int]

SEEDS = 12  # of a pit are drawn one by one


@dataclass(frozen=True)
class Kalah(Game[State, int]):
    """Sow a pit around the board; a last seed in the own store moves again; most seeds win.

    A last seed in an empty pit of the own side takes the seeds opposite, and itself, into the store;
    with empty_capture=yes it goes there even if there are none opposite. When a side is empty the
    game is over, and the other side's seeds are its own. South (MAX) begins. An action is a pit,
    from 0, counted by its owner in the order of sowing; in notation pits count from 1.
    """

    board_limits = "255 seeds at the most, of all pits together."
    how_to_play = (
        "Choose one of your pits: its seeds are sown one by one into the next pits and your store, "
        "counterclockwise. A last seed in your store moves again; a last seed in an empty pit of yours "
        "takes the seeds opposite. When a side is empty the game is over, and most seeds win."
    )
    state_fields = (
        ("south", "the side of MAX: eight bits a pit in the order of sowing, and the store on top"),
        ("north", "the side of MIN, likewise"),
        ("turn", "0: MAX moves, 1: MIN moves"),
    )

    pits: int = 6
    seeds: int = 4
    empty_capture: bool = False

    def __post_init__(self) -> None:
        if self.pits < 1 or self.seeds < 1 or 2 * self.pits * self.seeds > 255:
            raise BadParameterError(
                f"{self.pits} pits of {self.seeds} seeds cannot be: "
                "give 1 or more of each, and no more than 255 seeds in all."
            )

    def initial(self) -> State:
        side = 0
        for pit in range(self.pits):
            side |= self.seeds << 8 * pit
        return side, side, 0

    def to_move(self, state: State) -> int:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        if self.is_terminal(state):
            return
        mine = state[state[2]]
        for pit in range(self.pits):
            if mine >> 8 * pit & 255:
                yield pit

    def result(self, state: State, action: int) -> State:
        south, north, turn = state
        mine, theirs = (south, north) if turn == 0 else (north, south)
        store = self.pits

        # 1. Sow: the own pits, the own store, the opponent's pits, and the own pits again.
        seeds = mine >> 8 * action & 255
        mine -= seeds << 8 * action
        cell = action
        for _ in range(seeds):
            cell = cell + 1 if cell < 2 * self.pits else 0
            if cell <= store:
                mine += 1 << 8 * cell
            else:
                theirs += 1 << 8 * (cell - store - 1)

        # 2. Capture: the last seed fell into a pit of the own side that was empty.
        if cell < store and mine >> 8 * cell & 255 == 1:
            opposite = self.pits - 1 - cell
            taken = theirs >> 8 * opposite & 255
            if taken or self.empty_capture:
                theirs -= taken << 8 * opposite
                mine += (taken + 1 << 8 * store) - (1 << 8 * cell)

        # 3. The end: what is left belongs to the side it lies on.
        if self.in_pits(mine) == 0 or self.in_pits(theirs) == 0:
            mine = self.in_pits(mine) + (mine >> 8 * store) << 8 * store
            theirs = self.in_pits(theirs) + (theirs >> 8 * store) << 8 * store

        south, north = (mine, theirs) if turn == 0 else (theirs, mine)
        return south, north, turn if cell == store else 1 - turn

    def is_terminal(self, state: State) -> bool:
        south, north, _ = state
        pits = (1 << 8 * self.pits) - 1
        return (south | north) & pits == 0

    def utility(self, state: State, player: int) -> int:
        return self.lead(state, player)

    def evaluate(self, state: State, player: int) -> int:
        """The lead in the stores."""
        return self.lead(state, player)

    def order(self, state: State, action: int) -> int:
        """Moves that move again first, then those that play for the store."""
        seeds = state[state[2]] >> 8 * action & 255
        return 2 * self.pits if (seeds - self.pits + action) % (2 * self.pits + 1) == 0 else action

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """The lead cannot change by more than the seeds that are still in play."""
        lead = self.lead(state, player)
        in_play = self.in_pits(state[0]) + self.in_pits(state[1])
        return lead - in_play, lead + in_play

    def tier(self, state: State) -> int:
        """The seeds in the stores: they stay there."""
        return (state[0] >> 8 * self.pits) + (state[1] >> 8 * self.pits)

    def lead(self, state: State, player: int) -> int:
        """The player's store less the opponent's."""
        south, north, _ = state
        lead = (south >> 8 * self.pits) - (north >> 8 * self.pits)
        return lead if player == 0 else -lead

    def in_pits(self, side: int) -> int:
        """The seeds in the pits of one side."""
        seeds = 0
        for pit in range(self.pits):
            seeds += side >> 8 * pit & 255
        return seeds

    def render(self, state: State) -> str:
        south, north, turn = state
        souths = [south >> 8 * pit & 255 for pit in range(self.pits)]
        norths = [north >> 8 * pit & 255 for pit in reversed(range(self.pits))]
        numbers = range(1, self.pits + 1)
        wall = " " * (3 * self.pits)

        def row(values: Iterable[int]) -> str:
            return "".join(f"{value:3}" for value in values)

        return "\n".join(
            [
                f"pit  {row(reversed(numbers))}" + ("  North to move" if turn == 1 else ""),
                f"     {row(norths)}",
                f"{north >> 8 * self.pits:4} {wall}{south >> 8 * self.pits:4}",
                f"     {row(souths)}",
                f"pit  {row(numbers)}" + ("  South to move" if turn == 0 else ""),
            ]
        )

    def scene(self, state: State) -> Scene:
        width = self.pits + 2
        shapes = [rect(0, 0.4, width, 1.1, "min-area"), rect(0, 1.5, width, 1.1, "max-area")]
        for player, (name, side) in enumerate(zip(("South", "North"), state[:2], strict=True)):
            store = side >> 8 * self.pits
            x, y, edge = (width - 0.5, 2.05, 2.8) if player == 0 else (0.5, 0.95, 0.2)
            shapes.append(
                rect(x - 0.4, 0.6, 0.8, 1.8, ("max", "min")[player], label=f"{name}'s store: {store}")
            )
            shapes.append(text(x, 1.5, 0.5, str(store), "count"))
            shapes.append(text(x, edge, 0.28, name))
            for pit in range(self.pits):
                middle = pit + 1.5 if player == 0 else width - pit - 1.5
                at, seeds = f"{name[0].lower()}{pit + 1}", side >> 8 * pit & 255
                words = f"{name}'s pit {pit + 1}: {seeds}"
                shapes.append(circle(middle, y, 0.44, "hole", at=at, label=words))
                shapes += seeds_in(seeds, middle, y, at)
                shapes.append(text(middle, edge, 0.28, str(pit + 1)))
        mover = "sn"[state[2]]
        clicks = tuple((action, (f"{mover}{action + 1}",)) for action in self.actions(state))
        return Scene(width, 3, tuple(shapes), clicks)

    def player_name(self, player: int) -> str:
        return ("South", "North")[player]

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        mover, other = ("South", "North") if state[2] == 0 else ("North", "South")
        if places[-1][0] != mover[0].lower():
            return f"That is a pit of {other}: {mover} sows from the {('lower', 'upper')[state[2]]} row."
        return "That pit is empty: choose one with seeds."

    def action_name(self, action: int) -> str:
        return str(action + 1)


def seeds_in(seeds: int, x: float, y: float, at: str) -> Iterator[Shape]:
    """The number of seeds in a pit and, if they are few, a ring of them around it."""
    for seed in range(seeds if seeds <= SEEDS else 0):
        angle = 2 * pi * seed / seeds - pi / 2
        yield circle(x + 0.34 * cos(angle), y + 0.34 * sin(angle), 0.06, "piece", at=at)
    if seeds:
        yield text(x, y, 0.32, str(seeds), "count", at=at)
