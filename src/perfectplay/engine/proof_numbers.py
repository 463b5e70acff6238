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

from perfectplay.compiler import object_memory as machine
from perfectplay.engine.negamax import limits
from perfectplay.engine.proof_table import (
    ABOVE,
    BELOW,
    INFINITE,
    LARGEST,
    NEAREST,
    NOTHING,
    answered,
    recalled,
    remember,
)
from perfectplay.engine.transposition import prefetch
from perfectplay.engine.workspace import (
    BEST,
    HITS,
    INDEX,
    KEY,
    LEAST,
    LIMIT,
    NODES,
    ORDER,
    OUT_OF_BUDGET,
    PLIES,
    RECORDS,
    ROOM,
    SLOT,
    STOP,
    STOPPED,
    TIE,
    TOO_DEEP,
    TOO_WIDE,
    TOP,
    WAITING,
)

# The places of a record that have another meaning here.
MINE, THEIRS = TIE, SLOT  # how hard it is to show what whoever moves wants, and what the others want
VISITS, VALUE = WAITING, LEAST  # how often it was searched; the limit of its value once there is one

MARGIN = 1  # a move may look harder than the next by one part in 2**MARGIN before the search leaves it
PATIENCE = 32  # visits to a move after which its limits grow, whatever the numbers say


def prove(
    game: Any,
    workspace: Any,
    state: Any,
    key: Any,
    threshold: Any,
    proof_limit: Any,
    disproof_limit: Any,
    ply: Any,
) -> Any:
    """Is the value of `state` to MAX more than the threshold? Proof number, disproof number, and a limit.

    One of the numbers has reached its limit. (0, INFINITE, value): it is, and at least `value`, which is
    more than the threshold. (INFINITE, 0, value): it is not, and at most `value`.
    """
    # 1. Count, and stop when told to.
    nodes = machine.number(workspace, NODES) + 1
    if nodes > machine.number(workspace, LIMIT) or machine.number(machine.number(workspace, STOP), 0) != 0:
        machine.put(workspace, STOPPED, OUT_OF_BUDGET)
        return 1, 1, 0.0
    machine.put(workspace, NODES, nodes)
    if ply >= PLIES:
        machine.put(workspace, STOPPED, TOO_DEEP)
        return 1, 1, 0.0

    if ply == 0:
        nearest = machine.number(workspace, NEAREST)
        machine.put(nearest, ABOVE, inf)
        machine.put(nearest, BELOW, -inf)

    # 2. The moves, and the states they lead to.
    is_max = machine.for_max(game.to_move(state))
    records = machine.number(workspace, RECORDS)
    first = machine.number(workspace, TOP)
    room = machine.number(workspace, ROOM)
    end = first
    for action in game.candidates(state):
        if end >= room:
            machine.put(workspace, STOPPED, TOO_WIDE)
            return 1, 1, 0.0
        child = game.canonical(game.result(state, action))
        child_key = machine.as_word(game.key(child))
        record = machine.record(records, end, state)
        machine.put_state(record, child, state)
        machine.put(record, KEY, child_key)
        machine.put(record, INDEX, end - first)
        machine.put(record, VISITS, 0)
        machine.put(record, ORDER, machine.as_real(game.order(state, action)))
        prefetch(game, workspace, child, child_key)
        end += 1
    machine.put(workspace, TOP, end)

    # 3. What is known of them.
    start = first
    for index in range(first, end):
        record = machine.record(records, index, state)
        child = machine.state_in(record, state)
        proof, disproof, value = known(game, workspace, child, machine.word(record, KEY), threshold)
        machine.put(record, MINE, proof if is_max else disproof)
        machine.put(record, THEIRS, disproof if is_max else proof)
        if proof == 0 or disproof == 0:
            machine.put(record, VALUE, value)
            if (proof == 0) == is_max:  # it decides: the others do not matter
                start, end = index, index + 1
                break
    mine_limit, theirs_limit = (proof_limit, disproof_limit) if is_max else (disproof_limit, proof_limit)
    while True:
        # 4. The numbers of this state: one move is enough for whoever moves, the others need all.
        at = -1
        mine = second = INFINITE
        theirs = 0
        order = -inf
        value = -inf if is_max else inf
        for index in range(start, end):
            record = machine.record(records, index, state)
            its_mine = machine.number(record, MINE)
            its_theirs = machine.number(record, THEIRS)
            if its_theirs == 0:
                its_value = machine.real(record, VALUE)
                value = max(value, its_value) if is_max else min(value, its_value)
                continue
            its_order = machine.real(record, ORDER)
            theirs = min(theirs + its_theirs, LARGEST)
            if its_mine < mine or (its_mine == mine and its_order > order):
                second = mine
                at, mine, order = index, its_mine, its_order
            elif its_mine < second:
                second = its_mine
            if mine == 0:
                value = machine.real(record, VALUE)
                theirs = INFINITE
                if ply == 0:
                    machine.put(workspace, BEST, machine.number(record, INDEX))
                break
        if mine >= mine_limit or theirs >= theirs_limit or theirs == 0:
            break

        # 5. The easiest move, until it is not the easiest any more or this state has met a limit.
        record = machine.record(records, at, state)
        visits = machine.number(record, VISITS)
        machine.put(record, VISITS, visits + 1)
        least = 1 << min(visits - PATIENCE, 24) if visits > PATIENCE else 0
        limit = max(min(mine_limit, capped(second + (second >> MARGIN) + 1)), capped(least))
        other = INFINITE
        if theirs_limit != INFINITE:
            other = max(theirs_limit - theirs + machine.number(record, THEIRS), capped(least))
        child = machine.state_in(record, state)
        child_key = machine.word(record, KEY)
        down, up = (limit, other) if is_max else (other, limit)
        proof, disproof, value = prove(game, workspace, child, child_key, threshold, down, up, ply + 1)
        if machine.number(workspace, STOPPED) != 0:
            machine.put(workspace, TOP, first)
            return 1, 1, 0.0
        machine.put(record, MINE, proof if is_max else disproof)
        machine.put(record, THEIRS, disproof if is_max else proof)
        if proof == 0 or disproof == 0:
            machine.put(record, VALUE, value)
    machine.put(workspace, TOP, first)

    # 6. Remember.
    proof, disproof = (mine, theirs) if is_max else (theirs, mine)
    work = machine.length(machine.number(workspace, NODES) - nodes + 1)
    remember(game, workspace, state, key, proof, disproof, value, work)
    return proof, disproof, value


def known(game: Any, workspace: Any, state: Any, key: Any, threshold: Any) -> Any:
    """The numbers of a state before it is searched, and a limit of its value where one of them is 0."""
    is_max = machine.for_max(game.to_move(state))
    least, most = limits(game, workspace, state)
    if not is_max:
        least, most = -most, -least
    if least > threshold:
        return answered(workspace, least, threshold)
    if most <= threshold:
        return answered(workspace, most, threshold)
    proof, disproof, value = recalled(game, workspace, state, key, threshold)
    if proof != NOTHING:
        if proof == 0 or disproof == 0:
            machine.put(workspace, HITS, machine.number(workspace, HITS) + 1)
        return proof, disproof, value
    moves = 0
    for _ in game.candidates(state):
        moves += 1
    moves = max(moves, 1)
    return (1, moves, 0.0) if is_max else (moves, 1, 0.0)


def capped(limit: Any) -> Any:
    """A limit, or INFINITE where no number but that of an answer could reach it."""
    return limit if limit <= LARGEST else INFINITE
