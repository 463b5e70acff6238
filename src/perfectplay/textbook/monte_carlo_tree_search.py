"""MONTE-CARLO-TREE-SEARCH: play the game out at random, again and again, more often where it goes well (UCT).

The book leaves open whose utility U(n) adds up. Here a node has a total for every player, and whoever
chooses among nodes reads its own: nothing is negated, so that a player may move twice running, a draw is
worth what the game says, and there may be any number of players. Where chance moves, an outcome is drawn.

Source: Russell and Norvig, 4th edition, MONTE-CARLO-TREE-SEARCH and UCB1; Kocsis and Szepesvari, 2006, UCT.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any, Generic

from perfectplay.errors import EndlessGameError
from perfectplay.game import CHANCE, Action, Game, State

C = sqrt(2)  # how much a node that was seldom tried is preferred, for utilities from -1 to 1
LONGEST = 20_000  # moves of a playout: games that go round in circles have no end


class Node(Generic[State, Action]):
    """A state in the tree: the playouts that went through it, and what they were worth to every player."""

    def __init__(self, game: Game[State, Action], state: State, parent: Node[State, Action] | None) -> None:
        self.state = state
        self.parent = parent
        self.player = game.to_move(state)
        over = game.is_terminal(state)
        self.untried = [] if over or self.player == CHANCE else list(game.actions(state))
        self.over = over
        self.children: dict[Action, Node[State, Action]] = {}
        self.playouts = 0
        self.totals = [0.0] * game.players

    def average(self, player: int) -> float:
        """What the playouts through this node were worth to `player`."""
        return self.totals[player] / self.playouts


def monte_carlo_tree_search(
    game: Game[State, Action],
    state: State,
    *,
    playouts: int,
    seed: int,
    c: float = C,
    tree: Node[State, Action] | None = None,
) -> Action | None:
    """The action that was tried most often, or None where the game is over or chance moves.

    `tree` is a node for `state`: whoever gives one can look at it afterwards. `c` belongs to utilities
    of about 1; for larger ones give a larger one.
    """
    random = Random(seed)  # noqa: S311 - nothing secret hangs on it
    tree = tree or Node(game, state, None)
    for _ in range(playouts):  # while IS-TIME-REMAINING
        leaf = select(game, tree, random, c)
        child = expand(game, leaf)
        result = simulate(game, child.state, random)
        back_propagate(result, child)
    if tree.player == CHANCE or not tree.children:
        return None
    return max(tree.children, key=lambda action: tree.children[action].playouts)


def select(
    game: Game[State, Action], tree: Node[State, Action], random: Random, c: float
) -> Node[State, Action]:
    """Go down the tree to a node that has an untried action, or is the end of a game."""
    leaf = tree
    while not leaf.over:
        if leaf.player == CHANCE:
            outcome = drawn(game, leaf.state, random)
            if outcome not in leaf.children:
                leaf.untried = [outcome]
        if leaf.untried:
            return leaf
        if leaf.player == CHANCE:
            leaf = leaf.children[outcome]
        else:
            leaf = max(leaf.children.values(), key=lambda node: ucb1(node, c))
    return leaf


def ucb1(node: Node[State, Action], c: float) -> float:
    """U(n) / N(n) + C * sqrt(log N(PARENT(n)) / N(n)), to the player who chooses the node."""
    parent = node.parent
    assert parent is not None, "nobody chooses the root"
    return node.average(parent.player) + c * sqrt(log(parent.playouts) / node.playouts)


def expand(game: Game[State, Action], leaf: Node[State, Action]) -> Node[State, Action]:
    """A new child of the leaf, for its first untried action; the leaf itself where the game is over."""
    if leaf.over:
        return leaf
    action = leaf.untried.pop(0)
    child = leaf.children[action] = Node(game, game.result(leaf.state, action), leaf)
    return child


def simulate(game: Game[State, Action], state: State, random: Random) -> list[float]:
    """Play at random to the end of the game: its utility to every player."""
    moves = 0
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            action = drawn(game, state, random)
        else:
            action = random.choice(list(game.actions(state)))
        state = game.result(state, action)
        moves += 1
        if moves > LONGEST:
            raise EndlessGameError(
                f"a playout has not come to an end after {LONGEST:,} moves: the game can go round in "
                "circles; give it an end, or use a search with a depth."
            )
    return [game.utility(state, player) for player in range(game.players)]


def back_propagate(result: list[float], child: Node[State, Action]) -> None:
    """Add the result of a playout to all nodes from the child up to the root."""
    node: Node[State, Action] | None = child
    while node is not None:
        node.playouts += 1
        for player, utility in enumerate(result):
            node.totals[player] += utility
        node = node.parent


def drawn(game: Game[State, Action], state: State, random: Random) -> Any:
    """An outcome where chance moves, by the probabilities."""
    outcomes, probabilities = zip(*game.chances(state), strict=True)
    return random.choices(outcomes, probabilities)[0]
