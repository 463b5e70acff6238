"""Nim: take any number from one heap; the player who takes the last one wins, or loses in misere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfectplay.errors import BadParameterError
from perfectplay.game import Game
from perfectplay.games.squares import MARGIN, RIM
from perfectplay.scene import Scene, circle, text

# Eight bits a heap, the first heap lowest, and the turn in bit 0. With heaps 3, 4, 5, MIN to move:
#
#    24     17 16      9 8       1 0
#    00000101  00000100  00000011  1
State = int
Action = tuple[int, int]  # a heap, counted from 0, and how many to take from it

ROW = 16  # counters of a heap that are drawn side by side


@dataclass(frozen=True)
class Nim(Game[State, Action]):
    """Take any number from one heap; whoever takes the last one wins, or loses with misere=yes.

    In notation heaps are letters: b3 takes three from the second heap.
    """

    board_limits = "1 to 26 heaps, of 0 to 255 each."
    how_to_play = (
        "Take as many counters as you like from one heap, at least one: to click a counter takes it and "
        "all to the right of it. Who takes the last one of all wins, or loses with misere=yes."
    )
    state_fields = (
        (
            "heaps",
            "eight bits a heap, the first heap lowest, above bit 0, which is the turn: "
            "0: MAX moves, 1: MIN moves",
        ),
    )

    heaps: tuple[int, ...] = (3, 4, 5)
    misere: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.heaps) <= 26:
            raise BadParameterError(f"{len(self.heaps)} heaps cannot be: give 1 to 26, as in heaps=3+4+5.")
        if not all(0 <= heap <= 255 for heap in self.heaps):
            raise BadParameterError(f"heaps of {self.heaps} cannot be: give sizes from 0 to 255.")

    def initial(self) -> State:
        state = 0
        for heap in range(len(self.heaps)):
            state |= self.heaps[heap] << 8 * heap + 1
        return state

    def to_move(self, state: State) -> int:
        return state & 1

    def actions(self, state: State) -> Iterator[Action]:
        for heap in range(len(self.heaps)):
            for take in range(1, self.left(state, heap) + 1):
                yield heap, take

    def result(self, state: State, action: Action) -> State:
        heap, take = action
        return state - (take << 8 * heap + 1) ^ 1

    def is_terminal(self, state: State) -> bool:
        return state < 2

    def utility(self, state: State, player: int) -> int:
        lost = player == state & 1  # to have nothing left to take
        return 1 if lost == self.misere else -1

    def evaluate(self, state: State, player: int) -> float:
        """Bouton's rule: the mover wins if the heaps do not xor to 0 (misere: while one is above 1)."""
        nim_sum, largest = 0, 0
        for heap in range(len(self.heaps)):
            nim_sum ^= self.left(state, heap)
            largest = max(largest, self.left(state, heap))
        wins = (nim_sum != 0) != (self.misere and largest <= 1)
        return 0.5 if wins == (player == state & 1) else -0.5

    def order(self, state: State, action: Action) -> int:
        """Large takes first: they end the game sooner."""
        return action[1]

    def rank(self, state: State) -> int:
        """A digit for every heap, the first lowest, in a base of its size and one more; then the turn."""
        number = 0
        for heap in range(len(self.heaps) - 1, -1, -1):
            number = number * (self.heaps[heap] + 1) + self.left(state, heap)
        return number << 1 | state & 1

    def unrank(self, tier: int, number: int) -> State:
        state, number = number & 1, number >> 1
        for heap in range(len(self.heaps)):
            state |= number % (self.heaps[heap] + 1) << 8 * heap + 1
            number //= self.heaps[heap] + 1
        return state

    def ranks(self, tier: int) -> int:
        count = 2
        for heap in self.heaps:
            count *= heap + 1
        return count

    def left(self, state: State, heap: int) -> int:
        """What is left of a heap."""
        return state >> 8 * heap + 1 & 255

    def render(self, state: State) -> str:
        sizes = [self.left(state, heap) for heap in range(len(self.heaps))]
        return "\n".join(f"{chr(ord('a') + heap)} {'| ' * size}({size})" for heap, size in enumerate(sizes))

    def scene(self, state: State) -> Scene:
        """A row of counters a heap: to click one takes it and all that are after it."""
        longest = max(1, min(ROW, max(self.heaps)))
        shapes, top = [], RIM
        for heap, size in enumerate(self.heaps):
            left, name = self.left(state, heap), chr(ord("a") + heap)
            shapes.append(text(MARGIN / 2, top + 0.5, 0.36, name))
            for index in range(size):
                x, y = MARGIN + index % ROW + 0.5, top + index // ROW + 0.5
                take = left - index
                words = {"at": f"{name}{take}", "label": f"take {take} of heap {name}"} if take > 0 else {}
                shapes.append(circle(x, y, 0.38, "piece" if take > 0 else "hole", **words))
            shapes.append(text(MARGIN + longest + 0.4, top + 0.5, 0.36, str(left), "count"))
            top += max(1, -(-size // ROW))
        clicks = tuple((action, (self.action_name(action),)) for action in self.actions(state))
        return Scene(MARGIN + longest + 0.8, top + RIM, tuple(shapes), clicks, "none")

    def player_name(self, player: int) -> str:
        return ("First", "Second")[player]

    def action_name(self, action: Action) -> str:
        heap, take = action
        return f"{chr(ord('a') + heap)}{take}"
