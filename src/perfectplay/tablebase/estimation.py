"""Estimation: roughly how many positions a game has, before anyone waits for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from time import monotonic, thread_time
from typing import Any, NamedTuple

import numpy as np

from perfectplay.game import Game, require_two_sides
from perfectplay.tablebase.crowds import Crowd
from perfectplay.tablebase.encoding import ShapeEncoding, first_encoding
from perfectplay.tablebase.expansion import Expander, OtherFormError, Successors
from perfectplay.tablebase.forming import played
from perfectplay.tablebase.growth import MOST, continued, played_out
from perfectplay.tablebase.layout import Layout
from perfectplay.tablebase.numbered import Numbered
from perfectplay.tablebase.rows import Words, in_order, sorted_once, without
from perfectplay.tablebase.sampling import Drift, NarrowError, Particles
from perfectplay.tablebase.undoing import Undoing, UnsuitedError

SECONDS = 10.0
COUNTING = 0.2  # of them; the others are for samples
PATIENCE = 2.0  # so many times the time may pass where the processor has other things to do
FIRST_PATIENCE = 6.0  # the same until the first sample is finished: without one, there is no telling
PARTICLES, PARTICLES_INTERPRETED = 32, 8  # of the first sample: each later one has twice as many
CROWD, LEAST_CROWD = 256, 256  # the same, where moves can be taken back; later ones fill the time
FILLED = 0.7  # so much of the time
PRIMED = 2000  # states of games played at random that show which bits moves change
BLOCK, BLOCK_INTERPRETED = 1 << 16, 1 << 9  # positions between two looks at the clock
SAMPLE = 50  # positions of a block whose tiers are compared with those of their successors

BEGINNING = 2.0  # seconds to compile the loops, or to load them
SOLVING = 1.2  # how much longer solving takes than discovering
SOLVING_TIERS = 1.5  # the same, where actions stay in a tier
SOLVING_CIRCLES = 4.0  # the same, where all levels are solved together


class Estimate(NamedTuple):
    """What to expect of a build."""

    positions: int
    exact: bool  # were they all counted?
    levels: int  # by the moves from the start
    bytes: int
    compressed: int
    seconds: float
    counted: int  # positions that were looked at for this
    circles: bool  # do actions lead back, or stay in a tier? Levels are solved together then


class _Census:
    """The sizes of the levels, as they are counted."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.circles = False
        self.complete = False
        self.expanded = 0
        self.seconds = 0.0


def estimate(
    game: Game[Any, Any], *, seconds: float = SECONDS, symmetry: bool = True, workers: int | None = None
) -> Estimate:
    """Count positions for some seconds; if there are more, the larger levels are judged by samples of them.

    A sample says how many times larger each level is than the one before, where every position leads to a
    later level; `seconds` should let one be finished. Where actions lead in circles, or time is too short,
    how the last levels have grown decides: a line is laid through the logarithms of these ratios, up to the
    length of the longest of some games played at random.
    """
    require_two_sides(game, "the estimate of a tablebase")
    expander = Expander(game, symmetry=symmetry)
    began = monotonic()
    deadline = began + seconds * COUNTING
    census, narrow = _fitting(expander, deadline)
    while narrow:  # a successor did not fit: what was counted before it did is right
        again, narrow = _fitting(expander, deadline)
        census = again if again.complete or len(again.sizes) > len(census.sizes) else census
    sizes = census.sizes
    if not census.complete:
        longest, circles = played_out(game, tiers=expander.has_tiers)
        census.circles = census.circles or circles
        finished = False
        if not census.circles:
            left = max(began + seconds - monotonic(), 0.0)
            clock = _Clock(left, began + seconds * PATIENCE, began + seconds * FIRST_PATIENCE)
            ratios, finished = _sampled(game, longest, clock)
            sizes = [*sizes, *_grown(sizes[-1], ratios[len(sizes) - 1 :])]
        if not finished:
            sizes = [*sizes, *continued(sizes, longest)]
    positions = sum(sizes)
    return Estimate(
        positions,
        census.complete,
        len(sizes),
        positions * (expander.encoding.row_bytes + 3),
        positions,
        _seconds(census, positions, expander, workers or os.cpu_count() or 1),
        sum(census.sizes),
        census.circles,
    )


class _Clock:
    """The time for samples: of the processor, since few small ones are worth little, until some moment."""

    def __init__(self, seconds: float, latest: float, latest_of_first: float) -> None:
        self.end = thread_time() + seconds
        self.latest = latest
        self.latest_of_first = latest_of_first

    def left(self) -> float:
        """Seconds of the processor."""
        return self.end - thread_time() if monotonic() < self.latest else 0.0


def _sampled(game: Game[Any, Any], longest: int, clock: _Clock) -> tuple[list[float], bool]:
    """How many times larger each level is than the one before, by samples until the time is up.

    The first sample is small and may go on longer; whether it has come to the end.
    Symmetry is left out of it: all but a few positions of a large level have the same number of images.
    """
    expander = by_shape(game)
    if expander is None:
        return [], False
    shown = played(game, expander.first, symmetry=False)
    crowds = expander.compiled  # what is interpreted is too slow for them
    count = _first_count(expander, crowds=crowds)
    samples = None  # makes one, of so many states
    logarithms: dict[int, list[tuple[float, int]]] = {}  # of the sizes of each level, with their weights
    weight, seed = 0, 0
    while count and (began := clock.left()) > 0:
        try:
            samples = samples or _sampler(expander, shown, crowds=crowds)
            sample = samples(count, seed)
            ratios, finished = _one_sample(sample, longest, clock, first=not weight)
        except NarrowError as error:
            expander.use(error.encoding)
            samples = None
            continue
        except UnsuitedError:
            samples, crowds = None, False
            weight, count, logarithms = 0, _first_count(expander, crowds=False), {}
            continue
        except OtherFormError:
            return [], False
        if not finished:
            if not weight:
                return ratios, False
            break
        worth = sample.count**2 if crowds else count  # small crowds are wrong by more than their size says
        for level, size in enumerate(np.cumsum(np.log(ratios)).tolist(), 1):
            logarithms.setdefault(level, []).append((size, worth))
        weight, seed = weight + worth, seed + 1
        count = _next_count(count, began - clock.left(), clock.left()) if crowds else 2 * count
    means = [0.0, *(_mean(found, weight, crowds=crowds) for found in logarithms.values())]
    return np.exp(np.diff(means)).tolist(), weight > 0


def _first_count(expander: Expander, *, crowds: bool) -> int:
    """How many states the first sample has of a level."""
    if crowds:
        return CROWD
    return PARTICLES if expander.compiled else PARTICLES_INTERPRETED


def _next_count(count: int, took: float, left: float) -> int:
    """How many states a crowd has that uses most of the time that is left; none, if it is too short."""
    next_one = int(count * FILLED * left / took)
    return next_one if next_one >= LEAST_CROWD else 0


def _sampler(
    expander: Expander, shown: list[Any], *, crowds: bool
) -> Callable[[int, int], Crowd | Particles]:
    """What makes samples of so many states: crowds, if moves can be taken back."""
    if crowds:
        undoing = Undoing(expander, np.array([expander.encoding.pack(state) for state in shown], np.uint64))
        return lambda count, seed: Crowd(count, seed, undoing)
    few = shown[:: 1 if expander.compiled else 10][:PRIMED]
    return lambda count, seed: Particles(expander, count, seed, Drift(expander, few))


def by_shape(game: Game[Any, Any]) -> Expander | None:
    """The rules, applied to states whose bits mean something: packed by their numbers, not by the game."""
    first = game.table_start()
    form: Any = first_encoding(game, first, symmetry=False).form
    if isinstance(form, Numbered):
        return None
    form = getattr(form, "inner", form)
    layout = Layout.of([form.leaves(state) for state in played(game, first, symmetry=False)])
    return Expander(game, symmetry=False, encoding=ShapeEncoding(form, layout))


def _mean(found: list[tuple[float, int]], total: int, *, crowds: bool) -> float:
    """The logarithm of the size of a level by those that samples gave, with their weights.

    The sizes that crowds give are right in the mean; of other samples, some are much too large.
    """
    logarithms, weights = np.array(found, float).T
    if crowds:  # those that did not come as far are in the total
        return float(np.logaddexp.reduce(logarithms + np.log(weights / total)))
    return float(logarithms @ weights / weights.sum())


def _one_sample(
    sample: Crowd | Particles, longest: int, clock: _Clock, *, first: bool
) -> tuple[list[float], bool]:
    """The ratios of a sample, and whether there was time to go to the end of the game.

    A crowd becomes smaller on the way if it would be too late at the end of the longest game.
    """
    ratios: list[float] = []
    before = monotonic()
    while ratio := sample.step():
        ratios.append(ratio)
        now = monotonic()
        left = clock.latest_of_first - now if first else clock.left()
        if left <= 0:
            return ratios, False
        if isinstance(sample, Crowd) and (longest - len(ratios)) * (now - before) > left:
            sample.thin()
        before = now
    return ratios, True


def _grown(size: float, ratios: list[float]) -> Iterator[int]:
    """The sizes of the levels after one, by their ratios."""
    for ratio in ratios:
        size = min(size * ratio, MOST)
        if size < 1:
            return
        yield int(size)


def _seconds(census: _Census, positions: int, expander: Expander, workers: int) -> float:
    """How long a build takes, by how long it took to count; what is interpreted runs on one processor."""
    rate = census.expanded / max(census.seconds, 1e-6)
    solving = SOLVING
    if census.circles:
        solving = SOLVING_TIERS if expander.has_tiers else SOLVING_CIRCLES
    if not expander.compiled:
        return positions / rate * (1 + solving)
    return BEGINNING + positions / (rate * workers) * (1 + solving)


def _fitting(expander: Expander, deadline: float) -> tuple[_Census, bool]:
    """The same, with another form where a successor is of none that play has shown."""
    try:
        return _counted(expander, deadline)
    except OtherFormError:
        expander.widen()
        return _Census(), True


def _counted(expander: Expander, deadline: float) -> tuple[_Census, bool]:
    """Count the levels until the time is up, or until a successor does not fit: then it has a wider one."""
    census = _Census()
    level = np.array([expander.packed_root()], np.uint64)
    known: list[Words] = []  # all levels, merged so that there are few
    began = monotonic()
    while len(level):
        census.sizes.append(len(level))
        _remember(known, level)
        successors = [level[:0]]
        least, varying = expander.encoding.unmet()
        for words, found in _blocks(expander, level):
            least, varying = np.minimum(least, found.least), varying | found.varying
            successors.append(sorted_once(found.words))
            census.circles = census.circles or _stays(expander, words, found)
            census.expanded += len(words)
            census.seconds = monotonic() - began
            if monotonic() > deadline and census.expanded < sum(census.sizes):
                return census, False
        if (wider := expander.encoding.widened(least, varying)) is not None:
            expander.use(wider)
            return census, True
        rows = sorted_once(np.concatenate(successors))
        level = rows
        for run in known:
            level = without(level, run)
        census.circles = census.circles or (len(level) < len(rows) and not expander.has_tiers)
        if len(level) and monotonic() > deadline:
            census.sizes.append(len(level))
            return census, False
    census.complete = True
    return census, False


def _blocks(expander: Expander, level: Words) -> Iterator[tuple[Words, Successors]]:
    step = BLOCK if expander.compiled else BLOCK_INTERPRETED
    for begin in range(0, len(level), step):
        words = level[begin : begin + step]
        yield words, expander.expand(words)


def _remember(known: list[Words], level: Words) -> None:
    """Add a level to what is known: each run is at least twice as long as the next, so there are few."""
    known.append(level)
    while len(known) > 1 and len(known[-2]) < 2 * len(known[-1]):
        known[-2:] = [in_order(np.concatenate(known[-2:]))]


def _stays(expander: Expander, words: Words, found: Successors) -> bool:
    """Does an action of some of these positions stay in their tier, where there are tiers?"""
    if not expander.has_tiers:
        return False
    ends = np.cumsum(found.counts)
    for place in range(0, len(words), max(1, len(words) // SAMPLE)):
        tier = expander.game.tier(expander.encoding.unpack(words[place].tolist()))
        if (found.tiers[ends[place] - found.counts[place] : ends[place]] == tier).any():
            return True
    return False
