"""Expansion: the successors of many positions at once, by the rules of a game, compiled where they can be."""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import MACHINE_STOPPED, compile_mode, widened
from perfectplay.compiler.forms import Form
from perfectplay.compiler.primitives import EXACT, exact_float
from perfectplay.compiler.records import Room, made_raw
from perfectplay.errors import BadParameterError, BrokenGameError, CompileError
from perfectplay.game import MAX, Game
from perfectplay.tablebase import kernels
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.encoding import Encoding, ShapeEncoding, first_encoding, wider_encoding
from perfectplay.tablebase.forming import is_like
from perfectplay.tablebase.layout import signed
from perfectplay.tablebase.numbered import Numbered
from perfectplay.tablebase.rows import Words

Arrays = dict[str, NDArray[Any]]  # of a record, by their names
MOST_SUCCESSORS = 1 << 20  # of one position
BRANCHING = 8  # successors of a position, roughly: where there are more, it takes another round


class Successors(NamedTuple):
    """What there is to know of a block of positions by the rules alone."""

    words: Words  # of the successors, one position after the other
    tiers: NDArray[np.int64]  # of the successors
    counts: NDArray[np.int64]  # successors of each position
    kinds: NDArray[np.uint8]  # who moves, or OVER
    utilities: NDArray[np.float64]  # to MAX, where it is over
    least: NDArray[np.int64]  # what tells whether they fit the encoding: see `Encoding.widened`
    varying: NDArray[np.int64]


class Expander:
    """The rules of a game, applied to packed states."""

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        start: Any = None,
        symmetry: bool = True,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
        encoding: Encoding | None = None,  # of an earlier build
    ) -> None:
        self.game = game
        self.start = game.initial()
        self.first = game.table_start() if start is None else start  # where the positions begin
        if start is not None and not is_like(start, self.start):
            name = type(game).__name__
            raise BadParameterError(f"{start!r} is no state of {name}: give one like {self.start!r}.")
        self.symmetry = symmetry and type(game).canonical is not Game.canonical
        self.has_tiers = type(game).tier is not Game.tier
        self.mode = compile_mode(compile)
        self.lock = Lock()
        self.compiled_form: Any = None
        self.use(encoding or first_encoding(game, self.first, symmetry=self.symmetry))

    def use(self, encoding: Encoding) -> None:
        """Go by an encoding from now on."""
        before, self.compiled_form = self.compiled_form, _compiled_as(encoding.form)
        self.encoding = encoding
        self.form = encoding.form
        if before == self.compiled_form:
            return
        found, self.why_not = compiled_kernel(self.game, self.form, "expand", self.mode)
        self.compiled = found is not None
        self._expand: Any = found

    def widen(self) -> None:
        """Take a form that holds more: states are made in other ways than play has shown."""
        self.use(wider_encoding(self.game, self.first, self.encoding, symmetry=self.symmetry))

    def stop(self) -> None:
        """Have rules in machine code leave their loops, in all threads."""
        if self._expand is not None:
            self._expand.stop()

    @property
    def root(self) -> Any:
        """The first state, or its representative."""
        return self.game.canonical(self.first) if self.symmetry else self.first

    def packed_root(self) -> tuple[int, ...]:
        """The words of that state."""
        words = self.encoding.pack(self.root)
        assert words is not None, "play begins there, and has shown it"
        return words

    def expand(self, words: Words) -> Successors:
        """The successors of positions."""
        if isinstance(self.form, Numbered):  # type: ignore[unreachable]
            return _numbered(self.form, self.encoding, words)  # type: ignore[unreachable]
        count, width, leaves = len(words), self.encoding.width, self.form.count
        counts, kinds = np.zeros(count, np.int64), np.zeros(count, np.uint8)
        utilities = np.full(count, np.nan)
        least, varying = self.encoding.unmet()
        pieces = [np.empty(0, np.uint64)]
        tiers = [np.empty(0, np.int64)]
        first, room = 0, max(count * BRANCHING, 64)
        flat = np.ascontiguousarray(words).reshape(-1)
        positions: Arrays = {"words": flat, "counts": counts, "kinds": kinds, "utilities": utilities}
        while first < count:
            block, tier = np.empty(room * width, np.uint64), np.zeros(room, np.int64)
            scratch = np.zeros(leaves, np.int64), np.zeros(leaves, np.int64)
            reached: Arrays = {"words": block, "tiers": tier, "least": least, "varying": varying}
            reached |= {"parent_leaves": scratch[0], "leaves": scratch[1]}
            done = self._run(first, positions, reached)
            used = int(counts[first:done].sum())
            pieces.append(block[: used * width])
            tiers.append(tier[:used])
            if done == first and room >= MOST_SUCCESSORS:
                raise BrokenGameError(
                    f"a position has more than {MOST_SUCCESSORS:,} actions, which is too many."
                )
            if done == first:
                room *= 2  # this position alone has more successors than there was room for
            first = done
        self._check_exact(words, utilities)
        successors = np.concatenate(pieces).reshape(-1, width)
        return Successors(successors, np.concatenate(tiers), counts, kinds, utilities, least, varying)

    def _check_exact(self, words: Words, utilities: NDArray[np.float64]) -> None:
        """Refuse integers that a float cannot be: beyond 2**53, the rules are asked for each once more."""
        for place in np.flatnonzero(np.abs(utilities) >= EXACT).tolist():
            exact_float(self.game.utility(self.encoding.unpack(words[place].tolist()), MAX))

    def _check_ends(self, words: Words) -> None:
        """Refuse the first of these that ends the game with a utility beyond all floats."""
        for row in words.tolist():
            state = self.encoding.unpack(row)
            if self.game.is_terminal(state):
                exact_float(self.game.utility(state, MAX))

    def _run(self, first: int, positions: Arrays, reached: Arrays) -> int:
        """One call of the kernel; the first position that is not done."""
        function = self._expand
        done = None
        if function is not None:
            try:
                done = self._run_compiled(function, first, positions, reached)
            except MACHINE_STOPPED as trap:
                self._give_way(function, trap)
        if done is None:
            done = self._run_python(first, positions, reached)  # raises what the rules raise
            if self._expand is None and self.mode == "always":
                name = type(self.game).__name__
                raise CompileError(f"{name} cannot go on compiled: {self.why_not}.")
        if done < 0:
            raise OtherFormError
        return done

    def _run_compiled(self, function: Any, first: int, positions: Arrays, reached: Arrays) -> int:
        begin = made_raw(kernels.Positions, Room(), count=len(positions["counts"]), **positions)
        end = made_raw(kernels.Reached, Room(), room=len(reached["tiers"]), **reached)
        return int(
            function(self.game, self.form, self.encoding.raw_packing(), begin, first, end, self.symmetry)
        )

    def _run_python(self, first: int, positions: Arrays, reached: Arrays) -> int:
        """The twin of what is compiled."""
        begin = kernels.Positions(count=len(positions["counts"]), **_lists(positions))
        end = kernels.Reached(room=len(reached["tiers"]), **_lists(reached))
        packing = self.encoding.packing()
        try:
            done = kernels.expand(self.game, self.form, packing, begin, first, end, self.symmetry)
        except OverflowError:  # of a utility, perhaps, that is beyond all floats
            self._check_ends(positions["words"].reshape(-1, self.encoding.width)[first:])
            raise
        end.varying = [*map(signed, end.varying)]  # a difference of two numbers may need a bit more
        for name in ("counts", "kinds", "utilities"):
            positions[name][:] = getattr(begin, name)
        for name in ("words", "tiers", "least", "varying"):
            reached[name][:] = getattr(end, name)
        return done

    def _give_way(self, function: Any, trap: Exception) -> None:
        """Machine code has met what it was not made for: Python answers, and it is compiled again."""
        with self.lock:
            if function is not self._expand:  # another thread has seen to it
                return
            self._expand, reason = widened(function, trap)
            if self._expand is None:
                self.why_not = reason


class OtherFormError(Exception):
    """A successor is not made as the form says."""


def _compiled_as(form: Form) -> Any:
    """What machine code for a form depends on."""
    return form if form.layout is None else form.layout


def _numbered(form: Numbered, encoding: Encoding, words: Words) -> Successors:
    """The successors of positions whose states are numbers."""
    assert isinstance(encoding, ShapeEncoding)
    (chosen,) = encoding.columns(words)
    found, counts, kinds, utilities = form.expanded(chosen)
    packed = np.zeros((len(found), 1), np.uint64)
    for _, up, mask, _, down in encoding.layout.parts:
        packed[:, 0] |= ((found >> up & mask) << down).astype(np.uint64)
    return Successors(packed, form.tiers[found], counts, kinds, utilities, *encoding.unmet())


def _lists(arrays: Arrays) -> dict[str, Any]:
    return {name: array.tolist() for name, array in arrays.items()}
