"""Playout searches beside the engine's own: RAVE, PUCT and virtual loss, to see whether any is better.

They are compiled as the engine's own search is, and share with it all that is not changed here.

Sources: Gelly and Silver, Combining Online and Offline Knowledge in UCT, 2007 (RAVE); Rosin, Multi-armed
Bandits with Episode Context, 2011, and Silver and others, 2017 (PUCT); Chaslot, Winands and van den Herik,
Parallel Monte-Carlo Tree Search, 2008 (virtual loss).
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Any

from perfectplay.compiler import Kind
from perfectplay.compiler.primitives import action_slot, arena_mark, arena_release
from perfectplay.compiler.records import Room, State, Word, record, size
from perfectplay.engine.memory import RawWords
from perfectplay.engine.methods import MCTS
from perfectplay.engine.monte_carlo import EXPLORATION, LONGEST, below, limits, uniform
from perfectplay.engine.playout_search import PlayoutEngine, TreeMemory
from perfectplay.engine.workspace import OUT_OF_BUDGET, PLIES, SLOTS, Threads
from perfectplay.game import CHANCE, MAX, Game

UCT, RAVE, PUCT = 0, 1, 2
EQUAL = 300.0  # playouts of a node at which RAVE trusts them as much as those of all moves alike
SHARPNESS = 4.0  # of PUCT: an action that `evaluate` thinks 1 better is exp(4) times as likely
PULL = 2.0  # of PUCT: how much a node is preferred for being likely


@record
class Node:
    """A state in the tree, with what RAVE and PUCT know of it."""

    playouts: int = 0
    total: float = 0.0
    least: float = 0.0
    most: float = 0.0
    mover: int = 0
    first: int = 0
    children: int = 0
    chance: float = 0.0
    slot: int = 0  # of the action that leads here
    alike: int = 0  # playouts in which the same side played this action later
    alike_total: float = 0.0
    prior: float = 0.0
    state: State = None


@record
class Workspace:
    """The work of one thread."""

    nodes: list[Node]
    used: int = 0
    room: int
    random: Word = 0
    squares: float = 0.0
    spread: float = 1.0
    stopped: int = 0
    threads: Threads
    path: list[int]  # those of all leaves that are played out together, PLIES each
    lengths: list[int]
    results: list[float]
    sums: list[float]
    kind: int = 0  # UCT, RAVE or PUCT
    together: int = 1  # leaves that are chosen before the first is played out, as so many threads would
    loss: float = 1.0  # what a playout is counted as that is not done yet
    slots: list[int]  # of the moves of a playout beyond the tree, twice the slot and the side
    played: int = 0  # how many
    stamps: list[int]  # by that: the last playout that had it
    stamp: int = 0


def playouts(game: Any, workspace: Workspace, state: State, count: int) -> int:
    """Play so many games out from the root, or until its value is proven; how many were played."""
    if workspace.used == 0:
        put(game, workspace, 0, state, 0.0)
        workspace.used = 1
    root = workspace.nodes[0]
    made = 0
    while made < count:
        if workspace.threads.stop:
            workspace.stopped = OUT_OF_BUDGET
            return made
        if root.least >= root.most:
            return made
        group = min(workspace.together, count - made)
        for number in range(group):
            select(game, workspace, number)
            lose(workspace, number, 1 if group > 1 else 0)
        for number in range(group):
            mark = arena_mark()
            length = workspace.lengths[number]
            leaf = workspace.nodes[workspace.path[number * PLIES + length - 1]]
            workspace.played = 0
            if leaf.least >= leaf.most:
                workspace.results[0] = leaf.least
            else:
                simulate(game, workspace, leaf.state)
            lose(workspace, number, -1 if group > 1 else 0)
            back_propagate(game, workspace, number)
            arena_release(mark)
        made += group
    return made


def lose(workspace: Workspace, number: int, times: int) -> None:
    """Count a playout as lost on its whole path, or no longer."""
    if times == 0:
        return
    for step in range(workspace.lengths[number]):
        node = workspace.nodes[workspace.path[number * PLIES + step]]
        node.playouts += times
        node.total -= times * workspace.loss


def select(game: Any, workspace: Workspace, number: int) -> None:
    """Go down to a leaf, which gets children if it is ripe."""
    nodes, path = workspace.nodes, workspace.path
    begin = number * PLIES
    place = 0
    path[begin] = 0
    length = 1
    while length < PLIES:
        node = nodes[place]
        is_new = node.first == 0 and place > 0
        if node.first == 0:
            expand(game, workspace, place)
        if node.least >= node.most or node.first == 0 or is_new:
            break
        place = drawn_child(workspace, node) if node.mover == CHANCE else best_child(game, workspace, node)
        path[begin + length] = place
        length += 1
    workspace.lengths[number] = length


def best_child(game: Any, workspace: Workspace, node: Node) -> int:
    """The child that the formula prefers, of those that may still be best."""
    nodes = workspace.nodes
    kind = workspace.kind
    best = node.first
    highest = -inf
    effort = log(max(node.playouts, 1))
    root = sqrt(float(max(node.playouts, 1)))
    wish = EXPLORATION * workspace.spread
    average = 0.0
    seen = 0
    for number in range(node.first, node.first + node.children):
        average += nodes[number].total
        seen += nodes[number].playouts
    average = average / seen if seen > 0 else 0.0
    for number in range(node.first, node.first + node.children):
        child = nodes[number]
        hopeless = child.most <= node.least if node.mover == MAX else child.least >= node.most
        if hopeless:
            continue
        if kind == PUCT:
            value = child.total / child.playouts if child.playouts > 0 else average
            bound = value + PULL * workspace.spread * child.prior * root / (1 + child.playouts)
        elif kind == RAVE:
            if child.playouts == 0 and child.alike == 0:
                return number
            trust = sqrt(EQUAL / (3.0 * child.playouts + EQUAL))
            alike = child.alike_total / child.alike if child.alike > 0 else average
            value = child.total / child.playouts if child.playouts > 0 else alike
            bound = (1.0 - trust) * value + trust * alike
            bound += 0.5 * wish * sqrt(effort / (child.playouts + 1))
        else:
            if child.playouts == 0:
                return number
            value = child.total / child.playouts
            if node.mover == MAX:
                value = max(child.least, min(child.most, value))
            else:
                value = max(-child.most, min(-child.least, value))
            bound = value + wish * sqrt(effort / child.playouts)
        if bound > highest:
            highest = bound
            best = number
    return best


def drawn_child(workspace: Workspace, node: Node) -> int:
    """A child by the chances that it has."""
    luck = uniform(workspace)
    for number in range(node.first, node.first + node.children):
        luck -= workspace.nodes[number].chance
        if luck < 0:
            return number
    return node.first


def expand(game: Any, workspace: Workspace, number: int) -> None:
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
        whole = 0.0
        for action in game.candidates(state):
            if last >= workspace.room:
                return
            mark = arena_mark()
            child = game.result(state, action)
            put(game, workspace, last, child, 0.0)
            made = workspace.nodes[last]
            made.slot = action_slot(action, SLOTS)
            if workspace.kind == PUCT:
                over = game.is_terminal(child)
                worth = float(game.utility(child, MAX) if over else game.evaluate(child, MAX))
                worth = worth if node.mover == MAX else -worth
                made.prior = exp(SHARPNESS * max(-3.0, min(3.0, worth / workspace.spread)))
                whole += made.prior
            arena_release(mark)
            last += 1
        if workspace.kind == PUCT:
            for place in range(first, last):
                workspace.nodes[place].prior = workspace.nodes[place].prior / whole
    if last > first:
        node.first = first
        node.children = last - first
        workspace.used = last
        tighten(workspace, node)


def put(game: Any, workspace: Workspace, number: int, state: State, chance: float) -> None:
    """Write a node that nobody has visited."""
    least, most = -inf, inf
    if number > 0:
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
        slot=0,
        alike=0,
        alike_total=0.0,
        prior=0.0,
        state=state,
    )


def simulate(game: Any, workspace: Workspace, state: State) -> None:
    """Play at random to the end of the game, and write down what it is worth, and what was played."""
    moves = 0
    while not game.is_terminal(state) and moves < LONGEST:
        moves += 1
        mover = game.to_move(state)
        if mover == CHANCE:
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
                    if workspace.kind == RAVE:
                        side = 0 if mover == MAX else 1
                        workspace.slots[workspace.played] = 2 * action_slot(action, SLOTS) + side
                        workspace.played += 1
                    after = game.result(state, action)
                    break
                pick -= 1
            state = after
    over = game.is_terminal(state)
    workspace.results[0] = float(game.utility(state, MAX) if over else game.evaluate(state, MAX))


def back_propagate(game: Any, workspace: Workspace, number: int) -> None:
    """Add the result of a playout to all nodes on its path, and tighten what is proven of them."""
    nodes, path, results = workspace.nodes, workspace.path, workspace.results
    begin, length = number * PLIES, workspace.lengths[number]
    workspace.sums[0] += results[0]
    workspace.squares += results[0] * results[0]
    if workspace.squares > 0:
        workspace.spread = sqrt(workspace.squares / (nodes[0].playouts + 1))
    workspace.stamp += 1
    for place in range(workspace.played):
        workspace.stamps[workspace.slots[place]] = workspace.stamp
    changed = True
    for step in range(length - 1, -1, -1):
        node = nodes[path[begin + step]]
        node.playouts += 1
        if step > 0:
            chooser = nodes[path[begin + step - 1]].mover
            node.total += results[0] if chooser <= MAX else -results[0]
        if changed and node.first > 0 and step < length - 1:
            changed = tighten(workspace, node)
        if workspace.kind == RAVE and node.mover != CHANCE:
            side = 0 if node.mover == MAX else 1
            if step < length - 1:
                taken = nodes[path[begin + step + 1]]
                workspace.stamps[2 * taken.slot + side] = workspace.stamp
            worth = results[0] if side == 0 else -results[0]
            for place in range(node.first, node.first + node.children):
                child = nodes[place]
                if workspace.stamps[2 * child.slot + side] == workspace.stamp:
                    child.alike += 1
                    child.alike_total += worth


def tighten(workspace: Workspace, node: Node) -> bool:
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


class VariantMemory(TreeMemory):
    """Memory for the trees of a variant."""

    kind, together = UCT, 1

    def workspace(self, game: Game[Any, Any], share: int, seed: int) -> Any:
        room = self.allocator.room if isinstance(self.allocator, RawWords) else Room(4)
        count = max(2, self.bytes // share // (8 * size(Node, room)))
        array = self.allocator.array
        return self.allocator.record(
            Workspace,
            nodes=array(Node, count),
            room=count,
            random=seed,
            threads=self.threads,
            path=array(int, (PLIES + 1) * self.together),
            lengths=array(int, self.together),
            results=array(float, game.players),
            sums=array(float, game.players),
            kind=self.kind,
            together=self.together,
            slots=array(int, LONGEST + 1),
            stamps=array(int, 2 * SLOTS),
        )


class Variant(PlayoutEngine):
    """An engine that plays out in another way."""

    method = MCTS
    kernel = staticmethod(playouts)
    arguments: tuple[Kind, ...] = ("game", "record", "state", "number")


def variant(kind: int, together: int = 1) -> type[Variant]:
    """The engine of a kind, whose leaves are chosen so many at once."""
    memory = type("Memory", (VariantMemory,), {"kind": kind, "together": together})
    return type("Engine", (Variant,), {"memory_class": memory})
