"""Proof-number search: is the value of a state more than this? The moves that look easiest to prove first.

The proof number of a state is how many states must still be shown to be worth more than the threshold to
show it of this one, at the least, and the disproof number how many must be shown not to be. A search that
knows both goes where fewest are left, and needs no depth and no evaluation. This is Nagai's df-pn, which
goes deep and comes back only when a number has passed its limit, with the numbers in a table.

Allis, van der Meulen and van den Herik 1994 (proof numbers); Nagai 2002 (df-pn); Pawlewicz and Lew 2007
(limits with a margin).
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, word
from perfectplay.compiler.records import State, Word
from perfectplay.engine.negamax import limits
from perfectplay.engine.proof_table import (
    INFINITE,
    LARGEST,
    UNKNOWN,
    Child,
    ProofWorkspace,
    answered,
    recalled,
    remember,
)
from perfectplay.engine.transposition import fetch
from perfectplay.engine.workspace import MOVES, OUT_OF_BUDGET, PLIES, TOO_DEEP, TOO_WIDE
from perfectplay.game import MAX

MARGIN = 1  # a move may look harder than the next by one part in 2**MARGIN before the search leaves it
PATIENCE = 32  # visits to a move after which its limits grow, whatever the numbers say


def prove(
    game: Any,
    workspace: ProofWorkspace,
    state: State,
    key: Word,
    threshold: float,
    proof_limit: int,
    disproof_limit: int,
    ply: int,
) -> tuple[int, int, float]:
    """Is the value of `state` to MAX more than the threshold? Proof number, disproof number, and a limit.

    One of the numbers has reached its limit. (0, INFINITE, value): it is, and at least `value`, which is
    more than the threshold. (INFINITE, 0, value): it is not, and at most `value`.
    """
    # 1. Count, and stop when told to.
    if workspace.nodes >= workspace.limit or workspace.threads.stop:
        workspace.stopped = OUT_OF_BUDGET
        return 1, 1, 0.0
    workspace.nodes += 1
    before = workspace.nodes
    if ply >= PLIES:
        workspace.stopped = TOO_DEEP
        return 1, 1, 0.0
    if ply == 0:
        workspace.above, workspace.below = inf, -inf

    # 2. The moves, and the states they lead to.
    is_max = game.to_move(state) == MAX
    children = workspace.children
    first = workspace.top
    end = first
    for action in game.candidates(state):
        if end >= MOVES:
            workspace.stopped = TOO_WIDE
            return 1, 1, 0.0
        mark = arena_mark()
        below = game.canonical(game.result(state, action))
        below_key = word(game.key(below))
        order = float(game.order(state, action))
        children[end] = Child(order=order, key=below_key, index=end - first, state=below)
        fetch(workspace.table, below_key)
        end += 1
        arena_release(mark)
    workspace.top = end

    # 3. What is known of them.
    start = first
    for number in range(first, end):
        child = children[number]
        mark = arena_mark()
        proof, disproof, value = known(game, workspace, child.state, child.key, threshold)
        arena_release(mark)
        child.mine, child.theirs = (proof, disproof) if is_max else (disproof, proof)
        if proof == 0 or disproof == 0:
            child.value = value
            if (proof == 0) == is_max:  # it decides: the others do not matter
                start, end = number, number + 1
                break
    mine_limit, theirs_limit = (proof_limit, disproof_limit) if is_max else (disproof_limit, proof_limit)
    while True:
        # 4. The numbers of this state: one move is enough for whoever moves, the others need all.
        easiest = -1
        mine = second = INFINITE
        theirs = 0
        order = -inf
        value = -inf if is_max else inf
        for number in range(start, end):
            child = children[number]
            if child.theirs == 0:
                value = max(value, child.value) if is_max else min(value, child.value)
                continue
            theirs = min(theirs + child.theirs, LARGEST)
            if child.mine < mine or (child.mine == mine and child.order > order):
                second = mine
                easiest, mine, order = number, child.mine, child.order
            elif child.mine < second:
                second = child.mine
            if mine == 0:
                value = child.value
                theirs = INFINITE
                if ply == 0:
                    workspace.best = child.index
                break
        if mine >= mine_limit or theirs >= theirs_limit or theirs == 0:
            break

        # 5. The easiest move, until it is not the easiest any more or this state has met a limit.
        child = children[easiest]
        child.visits += 1
        least = 1 << min(child.visits - 1 - PATIENCE, 24) if child.visits - 1 > PATIENCE else 0
        limit = max(min(mine_limit, capped(second + (second >> MARGIN) + 1)), capped(least))
        other = INFINITE
        if theirs_limit != INFINITE:
            other = max(theirs_limit - theirs + child.theirs, capped(least))
        down, up = (limit, other) if is_max else (other, limit)
        mark = arena_mark()
        proof, disproof, value = prove(game, workspace, child.state, child.key, threshold, down, up, ply + 1)
        arena_release(mark)
        if workspace.stopped:
            workspace.top = first
            return 1, 1, 0.0
        child.mine, child.theirs = (proof, disproof) if is_max else (disproof, proof)
        if proof == 0 or disproof == 0:
            child.value = value
    workspace.top = first

    # 6. Remember.
    proof, disproof = (mine, theirs) if is_max else (theirs, mine)
    work = (workspace.nodes - before + 1).bit_length()
    remember(workspace, state, key, proof, disproof, value, work)
    return proof, disproof, value


def known(
    game: Any, workspace: ProofWorkspace, state: State, key: Word, threshold: float
) -> tuple[int, int, float]:
    """The numbers of a state before it is searched, and a limit of its value where one of them is 0."""
    is_max = game.to_move(state) == MAX
    least, most = limits(game, workspace, state)
    if not is_max:
        least, most = -most, -least
    if least > threshold:
        return answered(workspace, least, threshold)
    if most <= threshold:
        return answered(workspace, most, threshold)
    proof, disproof, value = recalled(workspace, state, key, threshold)
    if proof != UNKNOWN:
        if proof == 0 or disproof == 0:
            workspace.hits += 1
        return proof, disproof, value
    moves = 0
    for _ in game.candidates(state):
        moves += 1
    moves = max(moves, 1)
    return (1, moves, 0.0) if is_max else (moves, 1, 0.0)


def capped(limit: int) -> int:
    """A limit, or INFINITE where no number but that of an answer could reach it."""
    return limit if limit <= LARGEST else INFINITE
