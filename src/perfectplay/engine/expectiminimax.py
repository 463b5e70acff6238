"""Expectiminimax: alpha-beta with a table, through chance nodes by Star2, for one state, window and depth.

It is run in two ways, as `negamax` is: as it stands, on Python's objects, and compiled, on raw memory. Values
are those to MAX. A roll of dice is a ply as a move is.

Source: Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes, 1983.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, exact_float, word
from perfectplay.compiler.records import State, Word
from perfectplay.engine.expectation_table import (
    NO_ACTION,
    Branch,
    ExpectationWorkspace,
    action_in,
    fetch,
    find,
    height_in,
    keep,
    usable_bound,
)
from perfectplay.engine.negamax import extend_line
from perfectplay.engine.transposition import EXACT, LOWER, NOTHING, UPPER
from perfectplay.engine.workspace import (
    LINE,
    MOVES,
    ORDERING,
    OUT_OF_BUDGET,
    PLIES,
    PRUNING,
    RESTLESS,
    SCOUTING,
    SOLVING,
    TABLES,
    TOO_DEEP,
    TOO_WIDE,
    UNPROVEN,
)
from perfectplay.game import CHANCE, MAX

TRIALS = 32  # chance nodes where probing is tried in any case; after that
WORTH = 3  # it goes on while one of so many is cut by it
PROBED = 2  # plies below an outcome: with fewer, to look at one action first costs as much as to search


def search(
    game: Any,
    workspace: ExpectationWorkspace,
    state: State,
    key: Word,
    least: float,
    most: float,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
) -> float:
    """The expected value of `state` to MAX, as far as the window `alpha` < `beta` asks for it.

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
    workspace.heights[ply] = 0
    if ply < LINE:
        workspace.lengths[ply] = 0

    # 2. The end of the game, and the horizon.
    if ply > 0:  # at the root there must be an action too
        if least >= beta or least >= most:
            return least
        if most <= alpha:
            return most
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        workspace.heights[ply] = 0 if least >= most else UNPROVEN
        return max(least, min(most, float(game.evaluate(state, MAX))))

    # 3. What the table knows.
    flags = workspace.flags
    hint = NO_ACTION
    if flags & TABLES:
        value, data = find(workspace.table, state, key)
        if data != NOTHING:
            hint = action_in(data)
            bound = usable_bound(data, depth)
            if ply > 0 and (
                bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
            ):
                workspace.hits += 1
                workspace.heights[ply] = height_in(data)
                return value
    if ply == 0 and workspace.best >= 0:
        hint = workspace.best

    # 4. What comes next.
    low, high = (alpha, beta) if flags & PRUNING else (-inf, inf)
    first = workspace.top
    chosen = NO_ACTION
    if game.to_move(state) == CHANCE:
        value = average(game, workspace, state, low, high, depth, ply)
    else:
        value, chosen = choice(game, workspace, state, low, high, depth, hint, ply)
    workspace.top = first
    if workspace.stopped:
        return 0.0
    value = max(least, min(value, most))

    # 5. Remember.
    workspace.heights[ply] += 1
    if flags & TABLES:
        bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        work = (workspace.nodes - before + 1).bit_length()
        keep(workspace.table, state, key, value, bound, depth, workspace.heights[ply], chosen, work)
    return value


def choice(
    game: Any,
    workspace: ExpectationWorkspace,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    hint: int,
    ply: int,
) -> tuple[float, int]:
    """The value where a player moves, and the number of the action that is worth it.

    `workspace.heights[ply]` is that of the successors, which are left in the moves from `workspace.top` on.
    """
    # 1. The actions, the most promising first.
    branches, ranked = workspace.moves, workspace.ranked
    first = last = workspace.top
    index = -1
    for action in game.candidates(state):
        index += 1
        if last >= MOVES:
            workspace.stopped = TOO_WIDE
            return 0.0, NO_ACTION
        mark = arena_mark()
        order = 0.0
        if workspace.flags & ORDERING:
            order = inf if index == hint else float(game.order(state, action))
        put(game, workspace, last, game.canonical(game.result(state, action)), index, order, 0.0)
        place = last
        while place > first and branches[ranked[place - 1]].order < order:
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = last
        last += 1
        arena_release(mark)
    workspace.top = last

    # 2. Try them.
    is_max = game.to_move(state) == MAX
    below = SOLVING if depth == SOLVING else depth - 1
    best = -inf if is_max else inf
    chosen = NO_ACTION
    height = 0
    for place in range(first, last):
        number = ranked[place]
        low, high = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        value = descend(game, workspace, number, low, high, below, ply + 1)
        if workspace.stopped:
            return 0.0, NO_ACTION
        height = max(height, workspace.heights[ply + 1])
        if (value > best) if is_max else (value < best):
            best = value
            chosen = branches[number].index
            if ply == 0:
                workspace.best = chosen
            if ply + 1 < LINE and alpha < value < beta:
                extend_line(workspace, ply, branches[number].key)
            if (value >= beta) if is_max else (value <= alpha):
                height = workspace.heights[ply + 1]
                break
    workspace.heights[ply] = height
    return best, chosen


def average(
    game: Any,
    workspace: ExpectationWorkspace,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
) -> float:
    """The value where chance moves: the average, until what is left cannot bring it back into the window."""
    # 1. The outcomes, with what is known of them.
    branches = workspace.moves
    below = SOLVING if depth == SOLVING else depth - 1
    first = last = workspace.top
    for outcome, chance in game.chances(state):
        if last >= MOVES:
            workspace.stopped = TOO_WIDE
            return 0.0
        mark = arena_mark()
        put(game, workspace, last, game.canonical(game.result(state, outcome)), 0, 0.0, float(chance))
        recall(workspace, last, below)
        last += 1
        arena_release(mark)
    workspace.top = last
    least, most = sum_up(workspace, first, last)

    # 2. One action after every outcome, where that may be enough (Star2).
    decided = least >= beta or most <= alpha
    value = least if least >= beta else most
    probing = workspace.flags & SCOUTING and below >= PROBED and (alpha > -inf or beta < inf)
    if probing and not decided and workspace.probes < TRIALS + WORTH * workspace.cuts:
        workspace.probes += 1
        least = most = 0.0  # of those before
        for number in range(first, last):
            branch = branches[number]
            chance = branch.chance
            low, high = shared(alpha - most - branch.rest_most, beta - least - branch.rest_least, chance)
            probe(game, workspace, number, low, high, below, ply + 1)
            if workspace.stopped:
                return 0.0
            least += chance * branch.least
            most += chance * branch.most
            decided = branch.least >= high or branch.most <= low
            if branch.least >= high:
                value = max(beta, least + branch.rest_least)
            elif branch.most <= low:
                value = min(alpha, most + branch.rest_most)
            if decided:
                workspace.cuts += 1
                break
        sum_up(workspace, first, last)
    if decided:
        workspace.heights[ply] = tallest(workspace, first, last)
        return value

    # 3. All of them (Star1).
    value = 0.0
    for number in range(first, last):
        branch = branches[number]
        chance, rest_least, rest_most = branch.chance, branch.rest_least, branch.rest_most
        low, high = shared(alpha - value - rest_most, beta - value - rest_least, chance)
        found = descend(
            game, workspace, number, max(low, branch.least), min(high, branch.most), below, ply + 1
        )
        if workspace.stopped:
            return 0.0
        branch.height = max(branch.height, workspace.heights[ply + 1])
        value += chance * found
        if found <= low:
            value = min(alpha, value + rest_most)
            break
        if found >= high:
            value = max(beta, value + rest_least)
            break
    if ply < LINE:  # what dice show is not known in advance
        workspace.lengths[ply] = 0
    workspace.heights[ply] = tallest(workspace, first, last)
    return value


def probe(
    game: Any, workspace: ExpectationWorkspace, number: int, low: float, high: float, depth: int, ply: int
) -> None:
    """Narrow the limits of a successor, by its most promising action."""
    branch = workspace.moves[number]
    state = branch.state
    mover = game.to_move(state)
    if branch.least >= branch.most or branch.least >= high or branch.most <= low or mover == CHANCE:
        return
    if (high == inf) if mover == MAX else (low == -inf):
        return
    _, data = find(workspace.table, state, branch.key)
    hint = action_in(data) if data != NOTHING else NO_ACTION
    place = workspace.top
    index = -1
    promise = -inf
    for action in game.candidates(state):
        index += 1
        mark = arena_mark()
        order = inf if index == hint else float(game.order(state, action))
        if index == 0 or order > promise:
            promise = order
            put(game, workspace, place, game.canonical(game.result(state, action)), index, order, 0.0)
        arena_release(mark)
    if index < 0:
        return
    workspace.top = place + 1
    least, most = branch.least, branch.most
    down, up = (least, min(high, most)) if mover == MAX else (max(low, least), most)
    value = descend(game, workspace, place, down, up, SOLVING if depth == SOLVING else depth - 1, ply + 1)
    workspace.top = place
    if workspace.stopped:
        return
    if mover == MAX and value > least:
        branch.least = min(value, most)
        branch.height = max(branch.height, workspace.heights[ply + 1] + 1)
    elif mover != MAX and value < most:
        branch.most = max(value, least)
        branch.height = max(branch.height, workspace.heights[ply + 1] + 1)


def put(
    game: Any,
    workspace: ExpectationWorkspace,
    place: int,
    child: State,
    index: int,
    order: float,
    chance: float,
) -> None:
    """Write what there is to know of a successor before it is searched."""
    key = word(game.key(child))
    if workspace.flags & TABLES:
        fetch(workspace.table, key)
    least, most = limits(game, child)
    workspace.moves[place] = Branch(
        order=order, chance=chance, key=key, index=index, least=least, most=most, height=0, state=child
    )


def limits(game: Any, state: State) -> tuple[float, float]:
    """What the value of a state to MAX is known to be between: of the end, it is both."""
    if game.is_terminal(state):
        value = exact_float(game.utility(state, MAX))
        return value, value
    least, most = game.bounds(state, MAX)
    return float(least), float(most)


def recall(workspace: ExpectationWorkspace, place: int, depth: int) -> None:
    """Narrow the limits of a successor by what the table knows of it."""
    if not workspace.flags & TABLES:
        return
    branch = workspace.moves[place]
    value, data = find(workspace.table, branch.state, branch.key)
    if data == NOTHING:
        return
    bound = usable_bound(data, depth)
    if bound & LOWER and value > branch.least:
        branch.least = min(value, branch.most)
        branch.height = height_in(data)
    if bound & UPPER and value < branch.most:
        branch.most = max(value, branch.least)
        branch.height = height_in(data)


def sum_up(workspace: ExpectationWorkspace, first: int, last: int) -> tuple[float, float]:
    """The limits of the average, and of what the outcomes after each add to it."""
    least = most = 0.0
    for number in range(last - 1, first - 1, -1):
        branch = workspace.moves[number]
        branch.rest_least, branch.rest_most = least, most
        least += branch.chance * branch.least
        most += branch.chance * branch.most
    return least, most


def shared(least: float, most: float, chance: float) -> tuple[float, float]:
    """The window of an outcome that has this chance, where the average's was from `least` to `most`.

    Rounding may leave nothing of it, and what is found in an empty window would be kept as a bound.
    """
    low, high = least / chance, most / chance
    return (low, high) if low < high else (-nextafter(-low, inf), nextafter(high, inf))


def tallest(workspace: ExpectationWorkspace, first: int, last: int) -> int:
    """The plies that prove what is known of all of these outcomes."""
    height = 0
    for number in range(first, last):
        height = max(height, workspace.moves[number].height)
    return height


def descend(
    game: Any, workspace: ExpectationWorkspace, number: int, alpha: float, beta: float, depth: int, ply: int
) -> float:
    """The value of a successor."""
    branch = workspace.moves[number]
    mark = arena_mark()
    value = search(
        game, workspace, branch.state, branch.key, branch.least, branch.most, alpha, beta, depth, ply
    )
    arena_release(mark)
    return value
