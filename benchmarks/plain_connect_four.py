"""Connect Four as anyone would write it first: the rules, and nothing for a search to lean on."""

from __future__ import annotations

from collections.abc import Iterator

from perfectplay import Game


class PlainConnectFour(Game[tuple[int, int, int], int]):
    """The stones of the player to move, all stones, and how many there are: 7 bits a column."""

    def initial(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def to_move(self, state: tuple[int, int, int]) -> int:
        return state[2] % 2

    def actions(self, state: tuple[int, int, int]) -> Iterator[int]:
        mover, mask, _ = state
        if not self.has_four(mover ^ mask):
            for column in range(7):
                if not mask >> 7 * column + 5 & 1:
                    yield column

    def result(self, state: tuple[int, int, int], action: int) -> tuple[int, int, int]:
        mover, mask, stones = state
        return mover ^ mask, mask | mask + (1 << 7 * action), stones + 1

    def is_terminal(self, state: tuple[int, int, int]) -> bool:
        mover, mask, stones = state
        return stones == 42 or self.has_four(mover ^ mask)

    def utility(self, state: tuple[int, int, int], player: int) -> int:
        mover, mask, stones = state
        if not self.has_four(mover ^ mask):
            return 0
        return -1 if player == stones % 2 else 1

    def has_four(self, board: int) -> bool:
        for step in (1, 6, 7, 8):
            pairs = board & board >> step
            if pairs & pairs >> 2 * step:
                return True
        return False
