"""Find the smallest games on which published searches with chance or playouts choose a worse action.

    python examples/smallest_chance_games.py

Each fault is alone in an otherwise right search. Games are tried with fewer states first, until the search
chooses an action that gains less than another. MAX moves at the root. The ends of a game are worth -1, 0 or
1 in every way, and -2 to 2 for the first fault: with -1 to 1 no game of up to six states shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import log, sqrt
from random import Random
from typing import Any, NamedTuple

from perfectplay import CHANCE, MAX, MIN, Game
from perfectplay.games import ExplicitTree
from perfectplay.textbook import Node, expectiminimax, expectiminimax_decision, monte_carlo_tree_search
from perfectplay.textbook.monte_carlo_tree_search import C, expand, simulate

PLAYOUTS, SEEDS = 300, range(3)  # of a search by playouts: all must agree
Chooses = Callable[[Game[Any, Any]], Any]  # a search, by the action that it chooses


# The faults.


def divided(game: Game[Any, Any], state: Any) -> float:
    """Expectiminimax that weights by probability, and divides by the number of outcomes as well."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        pairs = list(game.chances(state))
        return sum(p * divided(game, game.result(state, outcome)) for outcome, p in pairs) / len(pairs)
    best = max if game.to_move(state) == MAX else min
    return best(divided(game, game.result(state, action)) for action in game.actions(state))


def overwritten(game: Game[Any, Any], state: Any) -> float:
    """Expectiminimax whose loop over the outcomes puts each into the variable that held the state."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        total: float = 0
        for outcome, p in list(game.chances(state)):
            state = game.result(state, outcome)
            total += p * overwritten(game, state)
        return total
    best = max if game.to_move(state) == MAX else min
    return best(overwritten(game, game.result(state, action)) for action in game.actions(state))


def by_value(value: Callable[[Game[Any, Any], Any], float]) -> Chooses:
    """The action whose result has the best value."""

    def chooses(game: Game[Any, Any]) -> Any:
        start = game.initial()
        return max(game.actions(start), key=lambda action: value(game, game.result(start, action)))

    return chooses


def by_playouts(
    credit: Callable[[float, int], float], playouts: int = PLAYOUTS
) -> Callable[[Game[Any, Any], int], Any]:
    """UCT with one total a node: what a playout adds to it, by its utility to whoever chose the last node.

    `credit` takes that utility and how many plies above the last node a node is.
    """

    def search(game: Game[Any, Any], seed: int) -> Any:
        random = Random(seed)
        tree: Node[Any, Any] = Node(game, game.initial(), None)
        for _ in range(playouts):
            leaf = tree
            while not leaf.untried and not leaf.over:
                leaf = max(leaf.children.values(), key=score)
            node: Node[Any, Any] | None = expand(game, leaf)
            assert node is not None
            result = simulate(game, node.state, random)
            utility = result[MAX if node.parent is None else node.parent.player]
            plies = 0
            while node is not None:
                node.playouts += 1
                node.totals[0] += credit(utility, plies)
                node, plies = node.parent, plies + 1
        return max(tree.children, key=lambda action: tree.children[action].playouts)

    return search


def score(node: Node[Any, Any]) -> float:
    """UCB1, by the one total."""
    assert node.parent is not None
    return node.totals[0] / node.playouts + C * sqrt(log(node.parent.playouts) / node.playouts)


def surely(search: Callable[[Game[Any, Any], int], Any]) -> Chooses:
    """The action that a search by playouts chooses with every seed, and None if they differ."""

    def chooses(game: Game[Any, Any]) -> Any:
        actions = {search(game, seed) for seed in SEEDS}
        return actions.pop() if len(actions) == 1 else None

    return chooses


negated = by_playouts(lambda utility, plies: utility * (-1) ** plies)
wins_only = by_playouts(lambda utility, plies: max(0.0, utility * (-1) ** plies))


def right_playouts(game: Game[Any, Any], seed: int) -> Any:
    """The textbook's own."""
    return monte_carlo_tree_search(game, game.initial(), playouts=PLAYOUTS, seed=seed)


# The games.


def trees(states: int, movers: tuple[int, ...], worths: tuple[int, ...]) -> Iterator[ExplicitTree]:
    """Every game in which no state can be reached twice, with so many states, by these movers and worths."""
    for parents in product(*(range(state) for state in range(1, states))):
        below: dict[int, list[int]] = {}
        for state, parent in enumerate(parents, 1):
            below.setdefault(parent, []).append(state)
        inner, ends = [*below], [state for state in range(states) if state not in below]
        for others in product(movers, repeat=len(inner) - 1):
            turns = dict(zip(sorted(inner), (MAX, *others), strict=True))
            for utilities in product(worths, repeat=len(ends)):
                yield ExplicitTree(
                    {
                        named(state, below): {
                            f"{named(state, below).lower()}{n}": named(each, below)
                            for n, each in enumerate(below[state], 1)
                        }
                        for state in sorted(inner)
                    },
                    {named(state, below): worth for state, worth in zip(ends, utilities, strict=True)},
                    {named(state, below): turn for state, turn in turns.items()},
                )


def named(state: int, below: dict[int, list[int]]) -> str:
    """A, B, C, ... for states with moves, and T1, T2, ... for the ends."""
    if state in below:
        return chr(ord("A") + sorted(below).index(state))
    return f"T{state - sum(each < state for each in below) + (0 not in below)}"


class Purse(Game[tuple[int, int], int]):
    """Keep what you have, or toss a coin that adds one of two amounts to it; the state is the amount."""

    def __init__(self, start: int, heads: int, tails: int) -> None:
        self.start, self.heads, self.tails = start, heads, tails

    def initial(self) -> tuple[int, int]:
        """The amount, and 0 for the first choice, 1 while the coin is in the air, 2 for the end."""
        return self.start, 0

    def to_move(self, state: tuple[int, int]) -> int:
        return CHANCE if state[1] == 1 else MAX

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [2, 1] if state[1] == 0 else []

    def chances(self, state: tuple[int, int]) -> list[tuple[int, float]]:
        return [(self.heads, 0.5), (self.tails, 0.5)]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0], action) if state[1] == 0 else (state[0] + action, 2)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] == 2

    def utility(self, state: tuple[int, int], player: int) -> int:
        return state[0] if player == MAX else -state[0]

    def render(self, state: tuple[int, int]) -> str:
        return f"{self.start} in the purse: keep it, or toss a coin for {self.heads:+} or {self.tails:+}"


def purses(size: int) -> Iterator[Purse]:
    """Every purse whose largest amount is of this size."""
    for amounts in product(range(-size, size + 1), repeat=3):
        if max(map(abs, amounts)) == size:
            yield Purse(*amounts)


# The search for the smallest.


class Found(NamedTuple):
    """The first game on which a fault shows, and how many were tried before, by their size."""

    game: Game[Any, Any]
    tried: dict[int, int]


def is_wrong(game: Game[Any, Any], chooses: Chooses) -> bool:
    """Does a search choose an action that is worth less than another?"""
    start = game.initial()
    action = chooses(game)
    if action is None:
        return False
    best = expectiminimax(game, game.result(start, expectiminimax_decision(game, start)))
    return expectiminimax(game, game.result(start, action)) < best


def smallest_tree(
    chooses: Chooses,
    right: Chooses,
    movers: tuple[int, ...] = (MAX, MIN),
    worths: tuple[int, ...] = (-1, 0, 1),
) -> Found:
    """The smallest tree where a search is wrong, and another on the same tree is right."""
    tried: dict[int, int] = {}
    for states in range(2, 7):
        for game in trees(states, movers, worths):
            tried[states] = tried.get(states, 0) + 1
            if is_wrong(game, chooses) and not is_wrong(game, right):
                return Found(game, tried)
    raise AssertionError("there is one")


def smallest_purse(chooses: Chooses) -> Found:
    """The purse with the smallest amounts where a search is wrong."""
    tried: dict[int, int] = {}
    for size in range(1, 5):
        for game in purses(size):
            tried[size] = tried.get(size, 0) + 1
            if is_wrong(game, chooses):
                return Found(game, tried)
    raise AssertionError("there is one")


CHOOSES: dict[str, Chooses] = {
    "An average that is divided once more": by_value(divided),
    "Outcomes that are put on top of each other": by_value(overwritten),
    "Playouts whose signs change at every ply": surely(negated),
    "Playouts of which only wins are counted": surely(wins_only),
}


def smallest(title: str) -> Found:
    """The smallest game for a fault."""
    chooses = CHOOSES[title]
    if title.startswith("Playouts"):
        return smallest_tree(chooses, surely(right_playouts))
    if title.startswith("Outcomes"):
        return smallest_purse(chooses)
    return smallest_tree(chooses, by_value(expectiminimax), (MAX, MIN, CHANCE), (-2, -1, 0, 1, 2))


def main() -> None:
    """Search, and show what was found."""
    for title, chooses in CHOOSES.items():
        game, tried = smallest(title)
        start = game.initial()
        unit = "amounts up to" if isinstance(game, Purse) else "states"
        print(f"{title}\n")
        print("\n".join(f"  {unit} {size}: {count:,} games" for size, count in tried.items()))
        chosen, best = chooses(game), expectiminimax_decision(game, start)
        worths = [expectiminimax(game, game.result(start, action)) for action in (chosen, best)]
        print(f"\n{game.render(start)}\n")
        names = ["toss" if action == 1 else "keep" for action in (chosen, best)]
        said = names if isinstance(game, Purse) else [chosen, best]
        print(f"It chooses {said[0]}, worth {worths[0]:g}; {said[1]} is worth {worths[1]:g}.\n")


if __name__ == "__main__":
    main()
