"""The search: principal variation search with a table, for one state, window and depth.

This file is loaded twice: as it stands, with Python objects for its memory, and compiled, with raw
addresses. Both visit the same states in the same order.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.engine import plain as machine
from perfectplay.engine.desk import (
    BEST,
    BUSY,
    DEFERRED,
    DONE,
    FLAGS,
    FRESH,
    HEIGHTS,
    HISTORY,
    HITS,
    INDEX,
    KEY,
    KILLERS,
    LIMIT,
    LINE,
    LINES,
    LOOKING,
    NODES,
    ORDER,
    ORDERING,
    OUT_OF_BUDGET,
    PLACE,
    PLIES,
    PRUNING,
    RECORDS,
    RESTLESS,
    ROOM,
    SCOUTING,
    SLOT,
    SLOTS,
    SOLVING,
    SPLIT,
    STOP,
    STOPPED,
    TABLES,
    TIE,
    TOO_DEEP,
    TOO_WIDE,
    TOP,
    UNPROVEN,
    WAITING,
)
from perfectplay.engine.transposition import (
    EXACT,
    LOWER,
    NO_ACTION,
    UPPER,
    action_in,
    bound_in,
    find,
    height_in,
    keep,
    prefetch,
    value_in,
)


def search(game: Any, desk: Any, state: Any, key: Any, alpha: Any, beta: Any, depth: Any, ply: Any) -> Any:
    """The value of `state` to the player who moves, as far as the window `alpha` < `beta` asks for it.

    result <= alpha means value <= result, result >= beta means value >= result, and in between it is the
    value: that of a search of exactly this depth, whatever is in the table. A depth of SOLVING goes to
    the end of the game. HEIGHTS[ply] says afterwards how many plies of play prove the result.
    """
    # 1. Count, and stop when told to.
    nodes = machine.number(desk, NODES) + 1
    machine.put(desk, NODES, nodes)
    if nodes > machine.number(desk, LIMIT) or machine.number(machine.number(desk, STOP), 0) != 0:
        machine.put(desk, STOPPED, OUT_OF_BUDGET)
        return 0.0
    heights = machine.number(desk, HEIGHTS)
    machine.put(heights, ply, 0)
    is_open = beta > machine.above(alpha)
    lines = machine.number(desk, LINES)
    if is_open and ply < LINE:
        machine.put(lines, ply * LINE, 0)

    # 2. The end of the game, the horizon, and what the game itself knows.
    mover = game.to_move(state)
    is_max = machine.for_max(mover)
    if game.is_terminal(state):
        value = machine.as_real(game.utility(state, 0))
        return value if is_max else -value
    low, high = game.bounds(state, mover)
    least, most = machine.as_real(low), machine.as_real(high)
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        value = machine.as_real(game.evaluate(state, 0))
        machine.put(heights, ply, 0 if least >= most else UNPROVEN)
        return max(least, min(most, value if is_max else -value))
    if ply > 0:  # at the root there must be an action too
        if least >= beta or least >= most:
            return least
        if most <= alpha:
            return most
    flags = machine.number(desk, FLAGS)

    # 3. What the table knows.
    hint = NO_ACTION
    if flags & TABLES:
        data = find(game, desk, state, key)
        if data != 0:
            hint = action_in(data)
            bound = bound_in(data, depth)
            if bound != 0 and ply > 0 and not (is_open and depth != SOLVING):
                value = value_in(data)
                if (
                    bound == EXACT
                    or (bound == LOWER and value >= beta)
                    or (bound == UPPER and value <= alpha)
                ):
                    machine.put(desk, HITS, machine.number(desk, HITS) + 1)
                    machine.put(heights, ply, height_in(data))
                    return value
    if ply == 0 and machine.number(desk, BEST) >= 0:
        hint = machine.number(desk, BEST)
    if ply >= PLIES:
        machine.put(desk, STOPPED, TOO_DEEP)
        return 0.0

    # 4. The moves, and the states they lead to.
    depth_below = SOLVING if depth == SOLVING else depth - 1
    records = machine.number(desk, RECORDS)
    first = machine.number(desk, TOP)
    room = machine.number(desk, ROOM)
    history = machine.number(desk, HISTORY)
    killers = machine.number(desk, KILLERS)
    side = 0 if is_max else SLOTS
    count = 0
    for action in game.candidates(state):
        if first + count >= room:
            machine.put(desk, STOPPED, TOO_WIDE)
            return 0.0
        child = game.canonical(game.result(state, action))
        child_key = machine.as_word(game.key(child))
        record = machine.record(records, first + count, state)
        machine.put_state(record, child, state)
        machine.put(record, KEY, child_key)
        machine.put(record, INDEX, count)
        if flags & TABLES:
            prefetch(game, desk, child, child_key)
        order = 0.0
        tie = 0
        slot = machine.action_slot(action, SLOTS)
        if flags & ORDERING:
            order = machine.as_real(game.order(state, action))
            tie = machine.number(history, side + slot)
            if slot == machine.number(killers, 2 * ply) or slot == machine.number(killers, 2 * ply + 1):
                tie += 1 << 40
            if count == hint:
                order = inf
        machine.put(record, ORDER, order)
        machine.put(record, TIE, tie)
        machine.put(record, SLOT, slot)
        place = count
        while place > 0:
            before = machine.number(machine.record(records, first + place - 1, state), PLACE)
            other = machine.record(records, before, state)
            its_order = machine.real(other, ORDER)
            if its_order > order or (its_order == order and machine.number(other, TIE) >= tie):
                break
            machine.put(machine.record(records, first + place, state), PLACE, before)
            place -= 1
        machine.put(machine.record(records, first + place, state), PLACE, first + count)
        count += 1
    machine.put(desk, TOP, first + count)

    # 5. A reply that the table knows to be good enough already.
    if flags & LOOKING and (depth == SOLVING or depth > 1) and not is_open:
        for index in range(first, first + count):
            record = machine.record(records, index, state)
            child = machine.state_in(record, state)
            data = find(game, desk, child, machine.word(record, KEY))
            if data != 0:
                bound = bound_in(data, depth_below)
                same = machine.for_max(game.to_move(child)) == is_max
                value = value_in(data) if same else -value_in(data)
                if bound & (LOWER if same else UPPER) and value >= beta:
                    machine.put(desk, HITS, machine.number(desk, HITS) + 1)
                    machine.put(heights, ply, height_in(data) + 1)
                    machine.put(desk, TOP, first)
                    if ply == 0:
                        machine.put(desk, BEST, machine.number(record, INDEX))
                    return value

    # 6. Try them, the most promising first.
    best = least if ply > 0 else -inf
    chosen = NO_ACTION
    low = max(alpha, best)
    high = min(beta, most)
    height = 0
    tried = 0
    splitting = ply <= machine.number(desk, SPLIT)
    busy = machine.number(desk, BUSY)
    place = 0
    phase = FRESH
    while tried < count:
        if place == count:  # the rest is what other threads were at
            place, phase = 0, DEFERRED
        at = machine.number(machine.record(records, first + place, state), PLACE)
        place += 1
        record = machine.record(records, at, state)
        child_key = machine.word(record, KEY)
        if splitting:
            if phase == DEFERRED and machine.number(record, WAITING) == DONE:
                continue
            seat = machine.scattered(child_key, 64 - 12)
            if tried > 0 and phase == FRESH and machine.word(busy, seat) == child_key:
                machine.put(record, WAITING, DEFERRED)
                continue
            machine.put(busy, seat, child_key)
            machine.put(record, WAITING, DONE)
        child = machine.state_in(record, state)
        same = machine.for_max(game.to_move(child)) == is_max
        top = high
        if tried > 0 and flags & SCOUTING:
            top = min(high, machine.above(low))
        while True:
            down, up = (low, top) if same else (-top, -low)
            if not flags & PRUNING:
                down, up = -inf, inf
            value = search(game, desk, child, child_key, down, up, depth_below, ply + 1)
            if not same:
                value = -value
            if not low < value or not value < high or top == high or machine.number(desk, STOPPED) != 0:
                break
            top = high
        if splitting:
            machine.put(busy, machine.scattered(child_key, 64 - 12), machine.as_word(0))
        if machine.number(desk, STOPPED) != 0:
            machine.put(desk, TOP, first)
            return best
        tried += 1
        below = machine.number(heights, ply + 1)
        if below > height:
            height = below
        if value > best:
            best = value
            chosen = machine.number(record, INDEX)
        if value > low:
            low = value
            if ply == 0:
                machine.put(desk, BEST, chosen)
            if is_open and ply + 1 < LINE:
                length = min(machine.number(lines, (ply + 1) * LINE), LINE - 2)
                machine.put(lines, ply * LINE, length + 1)
                machine.put(lines, ply * LINE + 1, child_key)
                for step in range(length):
                    moved = machine.word(lines, (ply + 1) * LINE + 1 + step)
                    machine.put(lines, ply * LINE + 2 + step, moved)
            if value >= high and flags & PRUNING:
                height = below
                slot = machine.number(record, SLOT)
                cuts = machine.number(history, side + slot) + 1
                machine.put(history, side + slot, cuts)
                if slot != machine.number(killers, 2 * ply):
                    machine.put(killers, 2 * ply + 1, machine.number(killers, 2 * ply))
                    machine.put(killers, 2 * ply, slot)
                break
    machine.put(desk, TOP, first)

    # 7. Remember.
    best = max(least, min(best, most))
    height += 1
    machine.put(heights, ply, height)
    if flags & TABLES:
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        work = machine.length(machine.number(desk, NODES) - nodes + 1)
        keep(game, desk, state, key, best, bound, depth, height, chosen, work)
    return best
