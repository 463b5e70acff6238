"""max^n: every player takes what is best for itself, with a table, for one state and depth.

It is run in two ways, as `negamax` is: as it stands, on Python's objects, and compiled, on raw memory. A
value is one number for every player. Of equal actions the first is taken, as in the textbook: another order
would be another way to play, so that nothing is reordered, and symmetry is left aside. Where chance moves,
values are averages.

Source: Luckhardt and Irani, An Algorithmic Solution of N-Person Games, 1986.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, exact_float, word
from perfectplay.compiler.records import State, Word, record
from perfectplay.engine.negamax import extend_line
from perfectplay.engine.transposition import (
    BUCKET,
    ENDLESS,
    EXACT,
    NO_ACTION,
    SOLVING,
    UNPROVEN,
    Entry,
    age_in,
    first_place,
    height_in,
    usable_bound,
    work_in,
)
from perfectplay.engine.workspace import LINE, OUT_OF_BUDGET, PLIES, RESTLESS, TABLES, TOO_DEEP, Workspace
from perfectplay.game import CHANCE

NOWHERE = -1  # no place in the table


@record
class MaxNWorkspace(Workspace):
    """The work of a thread that looks for values to every player."""

    values: list[float]  # by ply and player
    vectors: list[float]  # by entry of the table and player


def search(game: Any, workspace: MaxNWorkspace, state: State, key: Word, depth: int, ply: int) -> float:
    """The value of `state` to the player who moves; to all players, it is in `workspace.values`.

    It is that of a search of exactly this depth, whatever is in the table. A depth of SOLVING goes to the end
    of the game. `workspace.heights[ply]` says afterwards how many plies of play prove the result.
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
    heights, values = workspace.heights, workspace.values
    players = game.players
    here, below = ply * players, (ply + 1) * players
    heights[ply] = 0
    if ply < LINE:
        workspace.lengths[ply] = 0

    # 2. The end of the game, and the horizon.
    player = game.to_move(state)
    mine = here + max(player, 0)
    if game.is_terminal(state):
        for each in range(players):
            values[here + each] = exact_float(game.utility(state, each))
        return values[mine]
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        heights[ply] = UNPROVEN
        for each in range(players):
            values[here + each] = float(game.evaluate(state, each))
        return values[mine]

    # 3. What the table knows.
    if workspace.flags & TABLES and ply > 0:
        place = find(workspace, state, key)
        if place != NOWHERE and usable_bound(workspace.table.entries[place].data, depth):
            workspace.hits += 1
            heights[ply] = height_in(workspace.table.entries[place].data)
            for each in range(players):
                values[here + each] = workspace.vectors[place * players + each]
            return values[mine]

    # 4. Try all actions, or outcomes.
    depth_below = SOLVING if depth == SOLVING else depth - 1
    height = 0
    chosen = NO_ACTION
    if player == CHANCE:
        for each in range(players):
            values[here + each] = 0.0
        for outcome, chance in game.chances(state):
            mark = arena_mark()
            child = game.result(state, outcome)
            search(game, workspace, child, word(game.key(child)), depth_below, ply + 1)
            arena_release(mark)
            if workspace.stopped:
                return 0.0
            height = max(height, heights[ply + 1])
            for each in range(players):
                values[here + each] += chance * values[below + each]
    else:
        _, most = game.bounds(state, player)
        index = -1
        for action in game.actions(state):
            index += 1
            mark = arena_mark()
            child = game.result(state, action)
            child_key = word(game.key(child))
            search(game, workspace, child, child_key, depth_below, ply + 1)
            arena_release(mark)
            if workspace.stopped:
                return 0.0
            height = max(height, heights[ply + 1])
            if index == 0 or values[below + player] > values[mine]:
                chosen = index
                if ply == 0:
                    workspace.best = index
                if ply + 1 < LINE:
                    extend_line(workspace, ply, child_key)
                for each in range(players):
                    values[here + each] = values[below + each]
            if values[mine] >= most:  # nothing is better, and the first is taken
                break

    # 5. Remember.
    heights[ply] = height + 1
    if workspace.flags & TABLES:
        work = (workspace.nodes - before + 1).bit_length()
        keep(game, workspace, state, key, ply, depth, chosen, work)
    return values[mine]


def find(workspace: MaxNWorkspace, state: State, key: Word) -> int:
    """The place of a state in the table, or NOWHERE."""
    table = workspace.table
    first = first_place(table, key)
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        data = entry.data
        if entry.check ^ data == key and data != 0 and (not table.stores_states or entry.state == state):
            return place
    return NOWHERE


def keep(
    game: Any, workspace: MaxNWorkspace, state: State, key: Word, ply: int, depth: int, action: int, work: int
) -> None:
    """Write what was found out about a state, over what is least worth keeping."""
    table = workspace.table
    height = workspace.heights[ply]
    proven = 1
    if depth == SOLVING:
        height = ENDLESS
    elif height >= ENDLESS:
        proven = 0
        height = depth + 32
    first = first_place(table, key)
    chosen = first
    least = 1 << 20
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        old = entry.data
        if entry.check ^ old == key:
            chosen = place
            break
        worth = work_in(old)
        if age_in(old) == table.age:
            worth += 64
        if worth < least:
            least = worth
            chosen = place
    rest = min(action, NO_ACTION) << 32 | height << 40 | EXACT << 48 | proven << 50 | work << 51
    data = word(rest | table.age << 57)
    stored = state if table.stores_states else None
    table.entries[chosen] = Entry(check=key ^ data, data=data, state=stored)
    for each in range(game.players):
        workspace.vectors[chosen * game.players + each] = workspace.values[ply * game.players + each]
