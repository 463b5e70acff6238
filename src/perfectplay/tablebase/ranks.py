"""Ranks: packed states as the numbers that a game gives them within their tier, and back."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import MACHINE_STOPPED
from perfectplay.compiler.forms import Misfit
from perfectplay.errors import BadTablebaseError
from perfectplay.game import Game
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.rows import Words
from perfectplay.tablebase.storage import REMEDY

MANY = 2000  # states for which it pays to fetch machine code
Places = NDArray[np.int64]


class Ranks:
    """The ranks of a game's states, asked for in machine code where there are many and the rules compile."""

    def __init__(self, game: Game[Any, Any], encoding: Encoding, mode: str | bool = "auto") -> None:
        self.game = game
        self.encoding = encoding
        self.mode = mode
        self.asked = 0  # states that Python was asked about, by which one sees that it goes on

    @cached_property
    def _put_ranks(self) -> Any:
        return compiled_kernel(self.game, self.encoding.form, "put_ranks", self.mode)[0]

    @cached_property
    def _put_states(self) -> Any:
        return compiled_kernel(self.game, self.encoding.form, "put_states", self.mode)[0]

    def of_words(self, tier: int, words: Words) -> Places:
        """The rank of each packed state of a tier; -1 of one that has none, or does not come back from it."""
        count = self.game.ranks(tier)
        if len(words) >= MANY and self._put_ranks is not None:
            ranks, scratch = np.empty(len(words), np.int64), np.zeros(self.encoding.form.count, np.int64)
            flat, packing = np.ascontiguousarray(words).reshape(-1), self.encoding.raw_packing()
            try:
                self._put_ranks(self.game, self.encoding.form, packing, tier, count, flat, scratch, ranks)
                return ranks
            except MACHINE_STOPPED:  # where only Python can say
                pass
        return np.array([self._rank(tier, count, row) for row in words.tolist()], np.int64)

    def _rank(self, tier: int, count: int, row: list[int]) -> int:
        state = self.encoding.unpack(row)
        rank = self.game.rank(state)
        if isinstance(rank, int) and 0 <= rank < count and self.game.unrank(tier, rank) == state:
            return rank
        return -1

    def words(self, tier: int, ranks: Places) -> Words:
        """The packed states of some ranks of a tier."""
        words = np.zeros((len(ranks), self.encoding.width), np.uint64)
        if len(ranks) >= MANY and self._put_states is not None:
            scratch, row = np.zeros(self.encoding.form.count, np.int64), np.zeros(words.shape[1], np.uint64)
            flat, packing = np.ascontiguousarray(ranks, np.int64), self.encoding.raw_packing()
            try:
                done = self._put_states(
                    self.game, self.encoding.form, packing, tier, flat, scratch, row, words.reshape(-1)
                )
                if done == len(ranks):
                    return words
            except MACHINE_STOPPED:
                pass
        for place, rank in enumerate(ranks.tolist()):
            self.asked += 1
            words[place] = self._packed(tier, rank)
        return words

    def _packed(self, tier: int, rank: int) -> tuple[int, ...]:
        try:
            found = self.encoding.pack(self.game.unrank(tier, rank))
        except Misfit:
            found = None
        if found is None:
            raise BadTablebaseError(f"rank {rank:,} of tier {tier} is that of no position: {REMEDY}.")
        return found
