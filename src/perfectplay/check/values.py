"""The checks of all states together: does play end, and are `bounds` and `canonical` true?"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import pairwise
from math import inf
from typing import Any

from perfectplay.check.answers import is_finite, same
from perfectplay.check.inspection import BROKEN, CANONICAL, LENGTH, RULES, Inspection, Place
from perfectplay.check.report import counted, short
from perfectplay.game import CHANCE, MAX

SYMMETRIES = 500  # states whose successors are compared with those of their representatives
PLIES = 2  # that are looked at where these are not the same
IMAGE, IMAGES = 100, 1_000  # states examined below a canonical state out of reach, and below all of these


def _check_start(look: Inspection, root: Place) -> None:
    """A new game begins where the first one did."""
    later = look.call(None, "initial")
    if later is not BROKEN and not same(later, root.state):
        look.note("initial-not-pure", root, f"initial() gave this state, and {short(later)} after some play")


def _check_ends(look: Inspection, root: Place) -> None:
    """Does every line of play come to an end, and before Python's stack does?"""
    _settle(look)
    if root.height is None:
        place, moves = _cycle(root)
        what = f"the state {short(place.state)} comes back after {counted(moves, 'move')}"
        look.note("cycle", place, what)
    elif root.height >= min(LENGTH, sys.getrecursionlimit() // 2 - 50):  # `value` goes down twice a move
        look.note("too-long", root, f"a line of play goes on for {root.height:,} moves or more")


def _cycle(root: Place) -> tuple[Place, int]:
    """A state that comes back, at the end of a line that passes it twice, and the moves between."""
    line: dict[Place, int] = {}
    place = root
    while place not in line:  # what can reach a cycle has a successor that can, too
        line[place] = len(line)
        returning = [child for _, child in place.below or () if child.height is None]
        place = min(returning, key=lambda child: child.depth)
    cycle = [*list(line)[line[place] :], place]
    for here, there in pairwise(cycle):
        action = next(action for action, child in here.below or () if child is there)
        place = Place(there.state, place, action, place.depth + 1)
    return place, len(cycle) - 1


def _check_values(look: Inspection, root: Place) -> None:
    """Are `bounds`, `canonical` and `candidates` true to the values, where these are known?"""
    if not look.game.zero_sum:  # then values are not those to two sides
        return
    spoilt = ("state-", "equal-", "players-", "canonical-", *(method.replace("_", "-") for method in RULES))
    if any(kind.startswith(spoilt) for kind, found in look.found.items() if found[0] == "error"):
        return
    left = IMAGES
    for place in list(look.places.values()):
        known = place.lower == place.upper and place.image is not None
        if known and left > 0 and place.image not in look.places:
            left -= look.examine_below(look.arrive(place.image, place, CANONICAL), IMAGE)
    _settle(look)  # once more, with these
    for place in look.places.values():
        values = (place.lower, place.upper), (-place.upper, -place.lower)
        for player, claim in enumerate(place.claims):
            if not _overlap(claim, values[player]):
                value = _limits(values[player])
                what = f"bounds(state, {player}) is {short(claim)}, and the value is {value}"
                look.note("bounds-false", place, what)
        _check_candidates(look, place)
        image = None if place.image is None else look.places.get(place.image)
        if image and not _overlap((image.lower, image.upper), values[MAX]):
            its = f"{_limits((image.lower, image.upper))} for the canonical {short(image.state)}"
            what = f"the value to MAX is {_limits(values[MAX])}, and {its}"
            look.note("canonical-changes-value", place, what)


def _check_candidates(look: Inspection, place: Place) -> None:
    """Is a best action among those that are said to be worth trying?"""
    if not place.candidates or not place.whole or place.mover in (None, CHANCE) or place.height is None:
        return
    sign = 1 if place.mover == MAX else -1
    tried = [child for action, child in place.below or () if action in place.candidates]
    hoped = max(max(sign * child.lower, sign * child.upper) for child in tried)
    proven = min(sign * place.lower, sign * place.upper)
    if hoped < proven - 1e-9:
        what = (
            f"the best of candidates(state) is worth {hoped:g} to the mover, and the best action {proven:g}"
        )
        look.note("candidates-miss-best", place, what)


def _check_estimates(look: Inspection, root: Place) -> None:
    """Is no estimate larger than everything that was seen at the end of a game?"""
    largest, place = look.largest_estimate
    if 0 < look.largest_utility < largest:
        what = f"evaluate(state, player) is as much as {largest:g}, and utility never more than "
        look.note("evaluate-too-large", place, f"{what}{look.largest_utility:g}")


def _check_symmetry(look: Inspection, root: Place) -> None:
    """Do a state and its representative lead to the same states, up to symmetry?

    A value can be the same without that, and then it is the plies to the end that are wrong in a tablebase.
    Where the successors have other representatives, the next moves are compared: a game may leave symmetry
    alone in some of its states.
    """
    if any(found[0] == "error" for found in look.found.values()):
        return
    imaged = [place for place in look.places.values() if place.image is not None and place.below]
    for place in imaged[:: max(1, len(imaged) // SYMMETRIES)]:
        if look.spent():
            return
        mine, its = (_successors(look, state) for state in (place.state, place.image))
        if mine == its or _unfolded(look, place.state, PLIES) == _unfolded(look, place.image, PLIES):
            continue
        odd = next(iter(its - mine or mine - its))
        has, lacks = ("it", "the state") if odd in its else ("the state", "it")
        what = f"the canonical state is {short(place.image)}; {has} leads to a state like {short(odd)}"
        look.note("canonical-changes-successors", place, f"{what}, and {lacks} does not")


def _successors(look: Inspection, state: Any) -> set[Any]:
    """The representatives of the successors of a state."""
    states = [look.quietly("result", state, action) for action in look.choices(state)]
    return {look.quietly("canonical", state) for state in states if state is not BROKEN}


def _unfolded(look: Inspection, state: Any, plies: int) -> Any:
    """What can happen from here in so many plies, whatever the states are called."""
    if look.quietly("is_terminal", state):
        return look.quietly("utility", state, MAX)
    mover = look.quietly("to_move", state)
    if plies == 0 or look.spent():
        return mover, None
    return mover, frozenset(_unfolded(look, child, plies - 1) for child in _successors(look, state))


CHECKS_OF_THE_WHOLE = (_check_start, _check_ends, _check_values, _check_symmetry, _check_estimates)


def _settle(look: Inspection) -> None:
    """Work out heights and values from the ends of the game backwards, without recursion.

    A state above a cycle gets neither; one that was not followed may have any value.
    """
    above: dict[Place, list[Place]] = defaultdict(list)
    unsettled: dict[Place, int] = {}
    for place in look.places.values():
        look.settled += 1
        place.height = None
        unsettled[place] = len(place.below or ())
        for _, child in place.below or ():
            above[child].append(place)
    settled = [place for place, children in unsettled.items() if children == 0]
    for place in settled:
        look.settled += 1
        _settle_one(look, place, [child for _, child in place.below or ()])
        for parent in above[place]:
            unsettled[parent] -= 1
            if unsettled[parent] == 0:
                settled.append(parent)


def _settle_one(look: Inspection, place: Place, children: list[Place]) -> None:
    place.height = max((1 + (child.height or 0) for child in children), default=0)
    if not children and not place.examined and look.over(place):
        worth = look.quietly("utility", place.state, MAX)
        if is_finite(worth):
            place.lower = place.upper = worth
    elif children and place.mover == CHANCE and place.chances is not None:
        if place.whole and look.game.zero_sum:
            place.lower = sum(place.chances[action] * child.lower for action, child in place.below or ())
            place.upper = sum(place.chances[action] * child.upper for action, child in place.below or ())
    elif children and place.mover is not None and look.game.zero_sum:
        best = max if place.mover == MAX else min
        place.lower = best(child.lower for child in children)
        place.upper = best(child.upper for child in children)
        if not place.whole and place.mover == MAX:
            place.upper = inf
        elif not place.whole:
            place.lower = -inf


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] + 1e-9 and other[0] <= one[1] + 1e-9


def _limits(value: tuple[float, float]) -> str:
    return f"{value[0]:g}" if value[0] == value[1] else f"{value[0]:g} to {value[1]:g}"
