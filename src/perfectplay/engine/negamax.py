"""The search: principal variation search with a table, for one state, window and depth.

This file is loaded twice: as it stands, with Python objects for its memory, and compiled, with raw
addresses. Both visit the same states in the same order.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler import object_memory as machine
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
from perfectplay.engine.workspace import (
    BEST,
    BUSY,
    CHAIN,
    DEFERRED,
    DONE,
    ENDGAMES,
    FLAGS,
    FRESH,
    HEIGHTS,
    HISTORY,
    HITS,
    INDEX,
    KEY,
    KILLERS,
    LEAST,
    LIMIT,
    LINE,
    LINES,
    LOOKING,
    MOST,
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


def search(
    game: Any,
    workspace: Any,
    state: Any,
    key: Any,
    least: Any,
    most: Any,
    alpha: Any,
    beta: Any,
    depth: Any,
    ply: Any,
) -> Any:
    """The value of `state` to the player who moves, as far as the window `alpha` < `beta` asks for it.

    result <= alpha means value <= result, result >= beta means value >= result, and in between it is the
    value: that of a search of exactly this depth, whatever is in the table. It is known to be from `least`
    to `most`. A depth of SOLVING goes to the end of the game. HEIGHTS[ply] says afterwards how many plies
    of play prove the result.
    """
    # 1. Count, and stop when told to.
    nodes = machine.number(workspace, NODES) + 1
    if nodes > machine.number(workspace, LIMIT) or machine.number(machine.number(workspace, STOP), 0) != 0:
        machine.put(workspace, STOPPED, OUT_OF_BUDGET)
        return 0.0
    machine.put(workspace, NODES, nodes)
    if ply >= PLIES:
        machine.put(workspace, STOPPED, TOO_DEEP)
        return 0.0
    heights = machine.number(workspace, HEIGHTS)
    machine.put(heights, ply, 0)
    is_open = beta > machine.above(alpha)
    lines = machine.number(workspace, LINES)
    if is_open and ply < LINE:
        machine.put(lines, ply * LINE, 0)

    # 2. The end of the game, and the horizon.
    if ply > 0:  # at the root there must be an action too
        if least >= beta or least >= most:
            return least
        if most <= alpha:
            return most
    is_max = machine.for_max(game.to_move(state))
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        value = machine.as_real(game.evaluate(state, 0))
        machine.put(heights, ply, 0 if least >= most else UNPROVEN)
        return max(least, min(most, value if is_max else -value))

    # 3. What the table knows.
    flags = machine.number(workspace, FLAGS)
    hint = NO_ACTION
    if flags & TABLES:
        data = find(game, workspace, state, key)
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
                    machine.put(workspace, HITS, machine.number(workspace, HITS) + 1)
                    machine.put(heights, ply, height_in(data))
                    return value
    if ply == 0 and machine.number(workspace, BEST) >= 0:
        hint = machine.number(workspace, BEST)

    # 4. The moves, and the states they lead to: some need no search, one may be good enough already.
    depth_below = SOLVING if depth == SOLVING else depth - 1
    records = machine.number(workspace, RECORDS)
    first = machine.number(workspace, TOP)
    room = machine.number(workspace, ROOM)
    history = machine.number(workspace, HISTORY)
    killers = machine.number(workspace, KILLERS)
    side = 0 if is_max else SLOTS
    looking = flags & LOOKING and ply > 0
    best = least if ply > 0 else -inf
    low = max(alpha, best)
    high = min(beta, most)
    chosen = NO_ACTION
    height = 0
    number = -1
    count = 0
    for action in game.candidates(state):
        number += 1
        if first + count >= room:
            machine.put(workspace, STOPPED, TOO_WIDE)
            return 0.0
        mark = machine.mark()
        child = game.canonical(game.result(state, action))
        floor, ceiling = limits(game, workspace, child)
        if looking and depth == SOLVING:
            for _ in range(CHAIN if machine.has_candidates(game) else 0):
                if floor >= ceiling:
                    break
                forced, below = only_reply(game, child)
                if not forced:
                    break
                child = below
                floor, ceiling = limits(game, workspace, child)
        if looking:
            same = machine.for_max(game.to_move(child)) == is_max
            if (floor if same else -ceiling) >= high:
                machine.put(heights, ply, 1)
                return min(floor if same else -ceiling, most)
            if (ceiling if same else -floor) <= low:
                best = max(best, ceiling if same else -floor)
                machine.release(mark)
                continue
        child_key = machine.as_word(game.key(child))
        record = machine.record(records, first + count, state)
        machine.put_state(record, child, state)
        machine.put(record, KEY, child_key)
        machine.put(record, LEAST, floor)
        machine.put(record, MOST, ceiling)
        machine.put(record, INDEX, number)
        machine.put(record, WAITING, FRESH)
        if flags & TABLES:
            prefetch(game, workspace, child, child_key)
        order = 0.0
        tie = 0
        slot = machine.action_slot(action, SLOTS)
        if flags & ORDERING:
            order = machine.as_real(game.order(state, action))
            tie = machine.number(history, side + slot)
            if slot == machine.number(killers, 2 * ply) or slot == machine.number(killers, 2 * ply + 1):
                tie += 1 << 40
            if number == hint:
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
        machine.release(mark)

    # 5. The same by what the table knows of them.
    left = count
    if looking and flags & TABLES and (depth == SOLVING or depth > 1) and not is_open:
        for index in range(first, first + count):
            record = machine.record(records, index, state)
            child = machine.state_in(record, state)
            data = find(game, workspace, child, machine.word(record, KEY))
            if data != 0:
                bound = bound_in(data, depth_below)
                same = machine.for_max(game.to_move(child)) == is_max
                value = value_in(data) if same else -value_in(data)
                if bound & (LOWER if same else UPPER) and value >= high:
                    machine.put(workspace, HITS, machine.number(workspace, HITS) + 1)
                    machine.put(heights, ply, height_in(data) + 1)
                    return min(value, most)
                if bound & (UPPER if same else LOWER) and value <= low:
                    machine.put(workspace, HITS, machine.number(workspace, HITS) + 1)
                    machine.put(record, WAITING, DONE)
                    left -= 1
                    best = max(best, value)
                    height = max(height, height_in(data))

    # 6. Try the others, the most promising first.
    machine.put(workspace, TOP, first + count)
    splitting = ply <= machine.number(workspace, SPLIT)
    busy = machine.number(workspace, BUSY)
    tried = 0
    place = 0
    phase = FRESH
    while left > 0:
        if place == count:  # the rest is what other threads were at
            place, phase = 0, DEFERRED
        at = machine.number(machine.record(records, first + place, state), PLACE)
        place += 1
        record = machine.record(records, at, state)
        if machine.number(record, WAITING) != phase:
            continue
        child_key = machine.word(record, KEY)
        if splitting:
            seat = machine.scattered(child_key, 64 - 12)
            if tried > 0 and phase == FRESH and machine.word(busy, seat) == child_key:
                machine.put(record, WAITING, DEFERRED)
                continue
            machine.put(busy, seat, child_key)
        machine.put(record, WAITING, DONE)
        left -= 1
        mark = machine.mark()
        child = machine.state_in(record, state)
        same = machine.for_max(game.to_move(child)) == is_max
        top = high
        if tried > 0 and flags & SCOUTING:
            top = min(high, machine.above(low))
        while True:
            if is_open and ply + 1 < LINE:  # a window that holds no value leaves no line
                machine.put(lines, (ply + 1) * LINE, 0)
            down, up = (low, top) if same else (-top, -low)
            if not flags & PRUNING:
                down, up = -inf, inf
            value = search(
                game,
                workspace,
                child,
                child_key,
                machine.real(record, LEAST),
                machine.real(record, MOST),
                down,
                up,
                depth_below,
                ply + 1,
            )
            if not same:
                value = -value
            if not low < value or not value < high or top == high or machine.number(workspace, STOPPED) != 0:
                break
            top = high
        machine.release(mark)
        if splitting:
            machine.put(busy, machine.scattered(child_key, 64 - 12), machine.as_word(0))
        if machine.number(workspace, STOPPED) != 0:
            machine.put(workspace, TOP, first)
            return best
        tried += 1
        below = machine.number(heights, ply + 1)
        height = max(height, below)
        if value > best:
            best = value
            chosen = machine.number(record, INDEX)
        if value > low:
            low = value
            if ply == 0:
                machine.put(workspace, BEST, chosen)
            if is_open and ply + 1 < LINE:
                extend_line(lines, ply, child_key)
            if value >= high and flags & PRUNING:
                height = below
                if flags & ORDERING:
                    reward(workspace, state, first, place, side, ply, machine.number(record, SLOT))
                break
    machine.put(workspace, TOP, first)

    # 7. Remember.
    best = max(least, min(best, most))
    height += 1
    machine.put(heights, ply, height)
    if flags & TABLES:
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        work = machine.length(machine.number(workspace, NODES) - nodes + 1)
        keep(game, workspace, state, key, best, bound, depth, height, chosen, work)
    return best


def limits(game: Any, workspace: Any, state: Any) -> Any:
    """What the value of a state is known to be between, to the player who moves: of the end, it is both."""
    mover = game.to_move(state)
    if game.is_terminal(state):
        value = machine.as_real(game.utility(state, 0))
        if not machine.for_max(mover):
            value = -value
        return value, value
    low, high = game.bounds(state, mover)
    endgames = machine.number(workspace, ENDGAMES)
    return machine.endgame(game, endgames, state, machine.as_real(low), machine.as_real(high))


def only_reply(game: Any, state: Any) -> Any:
    """Is there but one candidate? And the state that it leads to."""
    replies = 0
    child = state
    for action in game.candidates(state):
        replies += 1
        if replies > 1:
            break
        child = game.canonical(game.result(state, action))
    return replies == 1, child


def extend_line(lines: Any, ply: Any, key: Any) -> None:
    """The best line of a ply: the state that was just found best, and its own best line."""
    length = min(machine.number(lines, (ply + 1) * LINE), LINE - 2)
    machine.put(lines, ply * LINE, length + 1)
    machine.put(lines, ply * LINE + 1, key)
    for step in range(length):
        moved = machine.word(lines, (ply + 1) * LINE + 1 + step)
        machine.put(lines, ply * LINE + 2 + step, moved)


def reward(workspace: Any, state: Any, first: Any, tried: Any, side: Any, ply: Any, slot: Any) -> None:
    """Remember which action cut, and that those before it did not."""
    records = machine.number(workspace, RECORDS)
    history = machine.number(workspace, HISTORY)
    killers = machine.number(workspace, KILLERS)
    for place in range(tried - 1):
        before = machine.number(machine.record(records, first + place, state), PLACE)
        other = machine.number(machine.record(records, before, state), SLOT)
        machine.put(history, side + other, machine.number(history, side + other) - 1)
    machine.put(history, side + slot, machine.number(history, side + slot) + tried)
    if slot != machine.number(killers, 2 * ply):
        machine.put(killers, 2 * ply + 1, machine.number(killers, 2 * ply))
        machine.put(killers, 2 * ply, slot)
