"""Random games on graphs for the tests of tablebases: with and without circles, plain and compiled."""

from __future__ import annotations

from random import Random

from perfectplay import Game


class Graph(Game):
    """Positions are numbers; the moves of each lead to others, as the tuples say."""

    def __init__(self, starts, targets, turns, worths):
        self.starts = starts  # where the moves of a position begin; one more at the end
        self.targets = targets
        self.turns = turns  # whose turn it is, or 2 where it is over
        self.worths = worths  # to MAX

    def initial(self):
        return 0

    def to_move(self, state):
        return self.turns[state] & 1

    def actions(self, state):
        for place in range(self.starts[state], self.starts[state + 1]):  # noqa: UP028 - that does not compile
            yield place

    def result(self, state, action):
        return self.targets[action]

    def is_terminal(self, state):
        return self.turns[state] == 2

    def utility(self, state, player):
        return self.worths[state] if player == 0 else -self.worths[state]


class Tiered(Graph):
    """The same, with tiers: no move leads to a position of a lower one."""

    def tier(self, state):
        return state // 5


def random_graph(seed: int, *, states: int = 24, circles: bool, values: int = 2, kind: type = Graph) -> Graph:
    """A random game; with circles, some moves lead back (within a tier, if it has tiers)."""
    random = Random(seed)
    starts, targets, turns, worths = [0], [], [], []
    for state in range(states):
        last = state >= states - 3
        over = last or random.random() < 0.15
        turns.append(2 if over else random.randrange(2))
        worths.append(random.randint(-values, values))
        if not over:
            low = state + 1
            if circles:
                low = state // 5 * 5 if issubclass(kind, Tiered) else 0
            for _ in range(random.randint(1, 3)):
                target = random.randrange(low, min(states, state + 9))
                targets.append(target if target != state else state + 1)
        starts.append(len(targets))
    targets = targets or [0]
    return kind(tuple(starts), tuple(targets), tuple(turns), tuple(worths))


def naive_solution(game: Graph) -> dict[int, tuple[float, bool, int | None]]:
    """Of every position that can be reached: value to MAX, does it end, and when; by the definition alone.

    A value is at least v if MAX can force an end worth v or more: the least fixed point of that. What
    neither side can force is worth 0; it is a tie if one can still play to an end worth 0 when both would
    rather end the game than not, and otherwise a draw.
    """
    reached = [0]
    for state in reached:
        for action in game.actions(state):
            if game.result(state, action) not in reached:
                reached.append(game.result(state, action))
    children = {state: [game.result(state, action) for action in game.actions(state)] for state in reached}
    over = {state for state in reached if game.is_terminal(state)}
    ends = sorted({game.utility(state, 0) for state in over})

    def forced(side: int, goal) -> set[int]:
        """From where `side` can force an end that is in `goal`."""
        found = {state for state in over if goal(game.utility(state, 0))}
        while True:
            more = {
                state
                for state in reached
                if state not in found
                and state not in over
                and (any if game.to_move(state) == side else all)(child in found for child in children[state])
            }
            if not more:
                return found
            found |= more

    value = dict.fromkeys(reached, 0.0)
    ending = set()
    for v in ends:
        if v > 0:
            won = forced(0, lambda worth, v=v: worth >= v)
            value |= dict.fromkeys(won, v)
            ending |= won
    for v in reversed(ends):
        if v < 0:
            lost = forced(1, lambda worth, v=v: worth <= v)
            value |= dict.fromkeys(lost, v)
            ending |= lost
    ties = {state for state in over if game.utility(state, 0) == 0}
    while True:
        more = {
            s for s in reached if s not in ending and s not in ties and any(c in ties for c in children[s])
        }
        if not more:
            break
        ties |= more
    ending |= ties
    far = dict.fromkeys(over, 0)
    for moment in range(1, len(reached) + 1):
        near = {}
        for state in ending - far.keys():
            same = [child for child in children[state] if value[child] == value[state] and child in ending]
            loses = value[state] < 0 if game.to_move(state) == 0 else value[state] > 0
            if (all if loses else any)(child in far for child in same):
                near[state] = moment
        far |= near
    return {state: (value[state], state in ending, far.get(state)) for state in reached}
