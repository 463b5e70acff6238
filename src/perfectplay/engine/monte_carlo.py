"""Monte Carlo tree search: UCT with proven limits, by playouts at random.

It is run in two ways, as `negamax` is: as it stands, on Python's objects, and compiled, on raw memory.
Whoever chooses among nodes reads what playouts were worth to itself, so that a player may move twice running
and there may be any number of players. Of two sides every node has limits of its value as well, which the
end of a game proves and the nodes above inherit: what cannot be better than something proven is not tried
again.

Sources: Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning, 2006; Winands, Bjornsson and Saito,
Monte-Carlo Tree Search Solver, 2008; Cazenave and Saffidine, Score Bounded Monte-Carlo Tree Search, 2010.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, exact_float, word
from perfectplay.compiler.records import State, Word, record
from perfectplay.engine.workspace import OUT_OF_BUDGET, PLIES, Threads
from perfectplay.game import CHANCE, MAX

EXPLORATION = 1.0  # how much a node that was seldom tried is preferred, where results are about 1
LONGEST = 2000  # moves of a playout: where it goes round in circles, an estimate ends it
STEP = 0x9E3779B97F4A7C15  # of the random numbers (Steele's splitmix64)


@record
class Node:
    """A state in the tree."""

    playouts: int = 0
    total: float = 0.0  # what they were worth to whoever chooses this node
    least: float = 0.0  # of two sides: the value to MAX is proven to be from here
    most: float = 0.0  # to here
    mover: int = 0
    first: int = 0  # the number of its first child; 0 before there are any
    children: int = 0
    chance: float = 0.0  # of this outcome, where chance chooses
    state: State = None


@record
class PlayoutWorkspace:
    """The work of one thread: a tree of its own."""

    nodes: list[Node]  # the root is the first
    used: int = 0  # how many there are
    room: int  # and how many there can be
    random: Word = 0
    squares: float = 0.0  # of all results, added up
    spread: float = 1.0  # and how large that makes them: the root of their mean square
    stopped: int = 0
    threads: Threads
    path: list[int]  # the nodes from the root to the leaf
    results: list[float]  # of the last playout, by player; of two sides, to MAX alone
    sums: list[float]  # of all playouts, likewise


def playouts(game: Any, workspace: PlayoutWorkspace, state: State, count: int) -> int:
    """Play so many games out from the root, or until its value is proven; how many were played.

    An empty tree gets the root `state`.
    """
    if workspace.used == 0:
        put(game, workspace, 0, state, 0.0)
        workspace.used = 1
    root = workspace.nodes[0]
    for made in range(count):
        if workspace.threads.stop:
            workspace.stopped = OUT_OF_BUDGET
            return made
        if root.least >= root.most:
            return made
        mark = arena_mark()
        length = select(game, workspace)
        leaf = workspace.nodes[workspace.path[length - 1]]
        if leaf.least >= leaf.most:
            workspace.results[0] = leaf.least
        else:
            simulate(game, workspace, leaf.state)
        back_propagate(game, workspace, length)
        arena_release(mark)
    return count


def select(game: Any, workspace: PlayoutWorkspace) -> int:
    """Go down to a leaf, which gets children if it is ripe; how many nodes are on the path."""
    nodes, path = workspace.nodes, workspace.path
    number = 0
    path[0] = 0
    length = 1
    while length < PLIES:
        node = nodes[number]
        is_new = node.first == 0 and number > 0
        if node.first == 0:
            expand(game, workspace, number)
        if node.least >= node.most or node.first == 0 or is_new:
            break
        number = drawn_child(workspace, node) if node.mover == CHANCE else best_child(game, workspace, node)
        path[length] = number
        length += 1
    return length


def best_child(game: Any, workspace: PlayoutWorkspace, node: Node) -> int:
    """The child with the highest upper confidence bound (UCB1), of those that may still be best."""
    nodes = workspace.nodes
    best = node.first
    highest = -inf
    effort = log(max(node.playouts, 1))
    wish = EXPLORATION * workspace.spread
    for number in range(node.first, node.first + node.children):
        child = nodes[number]
        if game.zero_sum:
            hopeless = child.most <= node.least if node.mover == MAX else child.least >= node.most
            if hopeless:
                continue
        if child.playouts == 0:
            return number
        average = child.total / child.playouts
        if game.zero_sum:  # playouts from before something was proven may say what cannot be
            if node.mover == MAX:
                average = max(child.least, min(child.most, average))
            else:
                average = max(-child.most, min(-child.least, average))
        bound = average + wish * sqrt(effort / child.playouts)
        if bound > highest:
            highest = bound
            best = number
    return best


def drawn_child(workspace: PlayoutWorkspace, node: Node) -> int:
    """A child by the chances that it has."""
    luck = uniform(workspace)
    for number in range(node.first, node.first + node.children):
        luck -= workspace.nodes[number].chance
        if luck < 0:
            return number
    return node.first


def expand(game: Any, workspace: PlayoutWorkspace, number: int) -> None:
    """Give a node all its children, if there is room for them."""
    node = workspace.nodes[number]
    first = last = workspace.used
    state = node.state
    if node.mover == CHANCE:
        for outcome, chance in game.chances(state):
            if last >= workspace.room:
                return
            mark = arena_mark()
            put(game, workspace, last, game.result(state, outcome), float(chance))
            arena_release(mark)
            last += 1
    else:
        for action in game.candidates(state):
            if last >= workspace.room:
                return
            mark = arena_mark()
            put(game, workspace, last, game.result(state, action), 0.0)
            arena_release(mark)
            last += 1
    if last > first:
        node.first = first
        node.children = last - first
        workspace.used = last
        if game.zero_sum:
            tighten(workspace, node)


def put(game: Any, workspace: PlayoutWorkspace, number: int, state: State, chance: float) -> None:
    """Write a node that nobody has visited."""
    least, most = -inf, inf
    if game.zero_sum and number > 0:  # at the root there must be an action too
        least, most = limits(game, state)
    workspace.nodes[number] = Node(
        playouts=0,
        total=0.0,
        least=least,
        most=most,
        mover=game.to_move(state),
        first=0,
        children=0,
        chance=chance,
        state=state,
    )


def limits(game: Any, state: State) -> tuple[float, float]:
    """What the value of a state to MAX is known to be between: of the end, it is both."""
    if game.is_terminal(state):
        value = exact_float(game.utility(state, MAX))
        return value, value
    least, most = game.bounds(state, MAX)
    return float(least), float(most)


def simulate(game: Any, workspace: PlayoutWorkspace, state: State) -> None:
    """Play at random to the end of the game, and write down what it is worth."""
    moves = 0
    while not game.is_terminal(state) and moves < LONGEST:
        moves += 1
        if game.to_move(state) == CHANCE:
            luck = uniform(workspace)
            after = state
            for outcome, chance in game.chances(state):
                luck -= chance
                if luck < 0:
                    after = game.result(state, outcome)
                    break
            state = after
        else:
            count = 0
            for _ in game.actions(state):
                count += 1
            pick = below(workspace, count)
            after = state
            for action in game.actions(state):
                if pick == 0:
                    after = game.result(state, action)
                    break
                pick -= 1
            state = after
    if game.zero_sum:
        over = game.is_terminal(state)
        workspace.results[0] = float(game.utility(state, MAX) if over else game.evaluate(state, MAX))
    else:
        for player in range(game.players):
            over = game.is_terminal(state)
            worth = float(game.utility(state, player) if over else game.evaluate(state, player))
            workspace.results[player] = worth


def back_propagate(game: Any, workspace: PlayoutWorkspace, length: int) -> None:
    """Add the result of a playout to all nodes on its path, and tighten what is proven of them."""
    nodes, path, results = workspace.nodes, workspace.path, workspace.results
    kept = 1 if game.zero_sum else game.players
    for player in range(kept):
        workspace.sums[player] += results[player]
        workspace.squares += results[player] * results[player]
    if workspace.squares > 0:
        workspace.spread = sqrt(workspace.squares / (kept * (nodes[0].playouts + 1)))
    changed = True
    for step in range(length - 1, -1, -1):
        node = nodes[path[step]]
        node.playouts += 1
        if step > 0:
            chooser = nodes[path[step - 1]].mover
            if game.zero_sum:
                node.total += results[0] if chooser <= MAX else -results[0]
            else:
                node.total += results[max(chooser, 0)]
        if game.zero_sum and changed and node.first > 0 and step < length - 1:
            changed = tighten(workspace, node)


def tighten(workspace: PlayoutWorkspace, node: Node) -> bool:
    """Narrow the limits of a node to what its children prove; has that changed them?"""
    if node.mover == CHANCE:
        least = most = 0.0
    else:
        least = most = -inf if node.mover == MAX else inf
    for number in range(node.first, node.first + node.children):
        child = workspace.nodes[number]
        if node.mover == CHANCE:
            least += child.chance * child.least
            most += child.chance * child.most
        elif node.mover == MAX:
            least = max(least, child.least)
            most = max(most, child.most)
        else:
            least = min(least, child.least)
            most = min(most, child.most)
    changed = least > node.least or most < node.most
    node.least = max(node.least, least)
    node.most = min(node.most, most)
    return changed


# Random numbers.


def uniform(workspace: PlayoutWorkspace) -> float:
    """A number from 0 to 1, which is not 1."""
    return float(int(random_word(workspace) >> 11)) * 2.0**-53


def below(workspace: PlayoutWorkspace, count: int) -> int:
    """A whole number from 0 to below `count`."""
    return int(word((random_word(workspace) >> 32) * count) >> 32)


def random_word(workspace: PlayoutWorkspace) -> Word:
    """64 bits, each as likely as the others."""
    workspace.random = word(workspace.random + STEP)
    mixed = workspace.random
    mixed = word((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9)
    mixed = word((mixed ^ mixed >> 27) * 0x94D049BB133111EB)
    return mixed ^ mixed >> 31
