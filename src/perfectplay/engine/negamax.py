"""The search: principal variation search with a table, for one state, window and depth.

It is run in two ways: as it stands, on Python's objects, and compiled, on raw memory. Both visit the same
states in the same order.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import Any

from perfectplay.compiler.primitives import (
    action_slot,
    arena_mark,
    arena_release,
    exact_float,
    has_candidates,
    word,
)
from perfectplay.compiler.records import State, Word
from perfectplay.engine.endgames import narrowed
from perfectplay.engine.transposition import (
    EXACT,
    LOWER,
    NO_ACTION,
    NOTHING,
    UPPER,
    action_in,
    fetch,
    find,
    height_in,
    keep,
    scattered,
    usable_bound,
    value_in,
)
from perfectplay.engine.workspace import (
    BUSY_DIGITS,
    CHAIN,
    DEFERRED,
    DONE,
    FRESH,
    LINE,
    LOOKING,
    MOVES,
    ORDERING,
    OUT_OF_BUDGET,
    PLIES,
    PRUNING,
    RESTLESS,
    SCOUTING,
    SLOTS,
    SOLVING,
    TABLES,
    TOO_DEEP,
    TOO_WIDE,
    UNPROVEN,
    Move,
    Workspace,
)
from perfectplay.game import MAX, same_side


def search(
    game: Any,
    workspace: Workspace,
    state: State,
    key: Word,
    least: float,
    most: float,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
) -> float:
    """The value of `state` to the player who moves, as far as the window `alpha` < `beta` asks for it.

    result <= alpha means value <= result, result >= beta means value >= result, and in between it is the
    value: that of a search of exactly this depth, whatever is in the table. It is known to be from `least`
    to `most`. A depth of SOLVING goes to the end of the game. `workspace.heights[ply]` says afterwards how
    many plies of play prove the result.
    """
    # 1. Count, and stop when told to.
    if workspace.nodes >= workspace.limit or workspace.threads.stop:
        workspace.stopped = OUT_OF_BUDGET
        return 0.0
    workspace.nodes += 1
    before = workspace.nodes
    if ply >= PLIES:
        workspace.stopped = TOO_DEEP
        return 0.0
    heights = workspace.heights
    heights[ply] = 0
    is_open = beta > nextafter(alpha, inf)
    if is_open and ply < LINE:
        workspace.lengths[ply] = 0

    # 2. The end of the game, and the horizon.
    if ply > 0:  # at the root there must be an action too
        if least >= beta or least >= most:
            return least
        if most <= alpha:
            return most
    player = game.to_move(state)
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        value = float(game.evaluate(state, MAX))
        heights[ply] = 0 if least >= most else UNPROVEN
        return max(least, min(most, value if player == MAX else -value))

    # 3. What the table knows.
    flags = workspace.flags
    table = workspace.table
    hint = NO_ACTION
    if flags & TABLES:
        data = find(table, state, key)
        if data != NOTHING:
            hint = action_in(data)
            bound = usable_bound(data, depth)
            if bound and ply > 0 and not (is_open and depth != SOLVING):
                value = value_in(data)
                if (
                    bound == EXACT
                    or (bound == LOWER and value >= beta)
                    or (bound == UPPER and value <= alpha)
                ):
                    workspace.hits += 1
                    heights[ply] = height_in(data)
                    return value
    if ply == 0 and workspace.best >= 0:
        hint = workspace.best

    # 4. The moves, and the states they lead to: some need no search, one may be good enough already.
    depth_below = SOLVING if depth == SOLVING else depth - 1
    moves = workspace.moves
    ranked = workspace.ranked
    killers = workspace.killers
    side = 0 if player == MAX else SLOTS
    looking = flags & LOOKING and ply > 0
    best = least if ply > 0 else -inf
    low = max(alpha, best)
    high = min(beta, most)
    chosen = NO_ACTION
    height = 0
    index = -1
    first = last = workspace.top  # those of this state are moves[first:last]
    for action in game.candidates(state):
        index += 1
        if last >= MOVES:
            workspace.stopped = TOO_WIDE
            return 0.0
        mark = arena_mark()
        child = game.canonical(game.result(state, action))
        floor, ceiling = limits(game, workspace, child)
        if looking and depth == SOLVING:
            for _ in range(CHAIN if has_candidates(game) else 0):
                if floor >= ceiling:
                    break
                forced, below = only_reply(game, child)
                if not forced:
                    break
                child = below
                floor, ceiling = limits(game, workspace, child)
        if looking:
            same = same_side(player, game.to_move(child))
            if (floor if same else -ceiling) >= high:
                heights[ply] = 1
                return min(floor if same else -ceiling, most)
            if (ceiling if same else -floor) <= low:
                best = max(best, ceiling if same else -floor)
                arena_release(mark)
                continue
        child_key = word(game.key(child))
        if flags & TABLES:
            fetch(table, child_key)
        order = 0.0
        tie = 0
        slot = action_slot(action, SLOTS)
        if flags & ORDERING:
            order = float(game.order(state, action))
            tie = workspace.history[side + slot]
            if slot == killers[2 * ply] or slot == killers[2 * ply + 1]:
                tie += 1 << 40
            if index == hint:
                order = inf
        moves[last] = Move(
            order=order,
            tie=tie,
            key=child_key,
            slot=slot,
            index=index,
            waiting=FRESH,
            least=floor,
            most=ceiling,
            state=child,
        )
        place = last
        while place > first:  # behind all that promise as much
            other = moves[ranked[place - 1]]
            if other.order > order or (other.order == order and other.tie >= tie):
                break
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = last
        last += 1
        arena_release(mark)

    # 5. The same by what the table knows of them.
    left = last - first
    if looking and flags & TABLES and (depth == SOLVING or depth > 1) and not is_open:
        for number in range(first, last):
            move = moves[number]
            child = move.state
            data = find(table, child, move.key)
            if data != NOTHING:
                bound = usable_bound(data, depth_below)
                same = same_side(player, game.to_move(child))
                value = value_in(data) if same else -value_in(data)
                if bound & (LOWER if same else UPPER) and value >= high:
                    workspace.hits += 1
                    heights[ply] = height_in(data) + 1
                    return min(value, most)
                if bound & (UPPER if same else LOWER) and value <= low:
                    workspace.hits += 1
                    move.waiting = DONE
                    left -= 1
                    best = max(best, value)
                    height = max(height, height_in(data))

    # 6. Try the others, the most promising first.
    workspace.top = last
    splitting = ply <= workspace.split
    busy = workspace.threads.busy
    tried = 0
    place = first
    phase = FRESH
    while left > 0:
        if place == last:  # the rest is what other threads were at
            place, phase = first, DEFERRED
        move = moves[ranked[place]]
        place += 1
        if move.waiting != phase:
            continue
        child_key = move.key
        if splitting:
            seat = scattered(child_key, 64 - BUSY_DIGITS)
            if tried > 0 and phase == FRESH and busy[seat] == child_key:
                move.waiting = DEFERRED
                continue
            busy[seat] = child_key
        move.waiting = DONE
        left -= 1
        mark = arena_mark()
        child = move.state
        same = same_side(player, game.to_move(child))
        top = high
        if tried > 0 and flags & SCOUTING:
            top = min(high, nextafter(low, inf))
        while True:
            if is_open and ply + 1 < LINE:  # a window that holds no value leaves no line
                workspace.lengths[ply + 1] = 0
            down, up = (low, top) if same else (-top, -low)
            if not flags & PRUNING:
                down, up = -inf, inf
            value = search(
                game, workspace, child, child_key, move.least, move.most, down, up, depth_below, ply + 1
            )
            if not same:
                value = -value
            if not low < value or not value < high or top == high or workspace.stopped:
                break
            top = high
        arena_release(mark)
        if splitting:
            busy[scattered(child_key, 64 - BUSY_DIGITS)] = word(0)
        if workspace.stopped:
            workspace.top = first
            return best
        tried += 1
        below = heights[ply + 1]
        height = max(height, below)
        if value > best:
            best = value
            chosen = move.index
        if value > low:
            low = value
            if ply == 0:
                workspace.best = chosen
            if is_open and ply + 1 < LINE:
                extend_line(workspace, ply, child_key)
            if value >= high and flags & PRUNING:
                height = below
                if flags & ORDERING:
                    reward(workspace, first, place, side, ply)
                break
    workspace.top = first

    # 7. Remember.
    best = max(least, min(best, most))
    height += 1
    heights[ply] = height
    if flags & TABLES:
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        work = (workspace.nodes - before + 1).bit_length()
        keep(table, state, key, best, bound, depth, height, chosen, work)
    return best


def limits(game: Any, workspace: Workspace, state: State) -> tuple[float, float]:
    """What the value of a state is known to be between, to the player who moves: of the end, it is both."""
    mover = game.to_move(state)
    if game.is_terminal(state):
        value = exact_float(game.utility(state, MAX))
        if mover != MAX:
            value = -value
        return value, value
    low, high = game.bounds(state, mover)
    return narrowed(game, workspace.endgames, state, float(low), float(high))


def only_reply(game: Any, state: State) -> tuple[bool, State]:
    """Is there but one candidate? And the state that it leads to."""
    replies = 0
    child = state
    for action in game.candidates(state):
        replies += 1
        if replies > 1:
            break
        child = game.canonical(game.result(state, action))
    return replies == 1, child


def extend_line(workspace: Workspace, ply: int, key: Word) -> None:
    """The best line of a ply: the state that was just found best, and its own best line."""
    lines = workspace.lines
    here, below = ply * LINE, (ply + 1) * LINE
    length = min(workspace.lengths[ply + 1], LINE - 2)
    workspace.lengths[ply] = length + 1
    lines[here] = key
    for step in range(length):
        lines[here + 1 + step] = lines[below + step]


def reward(workspace: Workspace, first: int, end: int, side: int, ply: int) -> None:
    """Remember that the last of the moves up to here cut, and that those before it did not."""
    moves, ranked = workspace.moves, workspace.ranked
    history, killers = workspace.history, workspace.killers
    for place in range(first, end - 1):
        history[side + moves[ranked[place]].slot] -= 1
    slot = moves[ranked[end - 1]].slot
    history[side + slot] += end - first
    if slot != killers[2 * ply]:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = slot
