"""Games that pack their states into numbers, for the tests of tablebases: each in a way of its own."""

from __future__ import annotations

from typing import Any

from perfectplay import MAX, Game


class Heap(Game[Any, Any]):
    """Take one to three of a heap; who takes the last one wins. Its numbers are `step` apart."""

    size, step = 12, 1

    def initial(self) -> Any:
        return self.size, 0

    def to_move(self, state: Any) -> int:
        return state[1]

    def actions(self, state: Any) -> Any:
        for take in range(1, min(state[0], 3) + 1):  # noqa: UP028 - that does not compile
            yield take

    def result(self, state: Any, action: int) -> Any:
        return state[0] - action, 1 - state[1]

    def is_terminal(self, state: Any) -> bool:
        return state[0] == 0

    def utility(self, state: Any, player: int) -> int:
        return -1 if player == state[1] else 1

    def pack(self, state: Any) -> int:
        return (2 * state[0] + state[1]) * self.step

    def unpack(self, number: int) -> Any:
        whole = number // self.step
        return whole // 2, whole % 2


class HeapOf64Bits(Heap):
    """Numbers that need the last bit of a word, but no other word."""

    step = 2**59 + 12345


class HeapOfTwoWords(Heap):
    """Numbers of more than a hundred bits."""

    step = 2**97 + 2**66 + 3


class HeapOfThreeWords(Heap):
    """Numbers that no register of machine code holds."""

    step = 2**150 + 1


class LateHeap(Heap):
    """A number of many bits for a state that play at random hardly ever comes to: all took one."""

    size = 26

    def initial(self) -> Any:
        return self.size, 0, 0

    def result(self, state: Any, action: int) -> Any:
        return state[0] - action, 1 - state[1], state[2] + 1

    def pack(self, state: Any) -> int:
        far = 1 << self.bits if state[2] > 22 else 0
        return (state[0] * 32 + state[2]) * 2 + state[1] | far

    def unpack(self, number: int) -> Any:
        low = number & (1 << 20) - 1
        return low // 64, low % 2, low // 2 % 32

    bits = 40


class LateWideHeap(LateHeap):
    """The same with a number that needs another word."""

    bits = 75


class LateLargeHeap(LateHeap):
    """The same with a number that no two registers hold, after some that two words did."""

    step = 1 << 66
    bits = 127

    def pack(self, state: Any) -> int:
        return super().pack(state) | self.step


class Unlike(Heap):
    """States of no plain shape: tuples in sets, which only their numbers can stand for."""

    def initial(self) -> Any:
        return frozenset({(self.size, 0), "heap"})

    def parts(self, state: Any) -> Any:
        return next(part for part in state if isinstance(part, tuple))

    def to_move(self, state: Any) -> int:
        return self.parts(state)[1]

    def actions(self, state: Any) -> Any:
        return [*range(1, min(self.parts(state)[0], 3) + 1)]

    def result(self, state: Any, action: int) -> Any:
        left, turn = self.parts(state)
        return frozenset({(left - action, 1 - turn), "heap" if turn else 1.5})

    def is_terminal(self, state: Any) -> bool:
        return self.parts(state)[0] == 0

    def utility(self, state: Any, player: int) -> int:
        return 1 if (player == MAX) == (self.parts(state)[1] == 1) else -1

    def pack(self, state: Any) -> int:
        left, turn = self.parts(state)
        return (left * 2 + turn) * 2 + ("heap" in state)

    def unpack(self, number: int) -> Any:
        return frozenset({(number // 4, number // 2 % 2), "heap" if number % 2 else 1.5})
