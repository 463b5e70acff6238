"""A gallery of broken games for the tests of check_game: each breaks the contract in one way only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from math import inf, nan
from typing import Any, NamedTuple

from perfectplay.game import CHANCE, MAX, MIN, Game
from perfectplay.games import ConnectFour
from perfectplay.scene import Scene, circle, polygon, rect, text


class Takeaway(Game[Any, Any]):
    """Take one or two of five; whoever takes the last one wins. A lawful game, for the others to spoil."""

    start = 5

    def initial(self) -> Any:
        return self.start, MAX

    def to_move(self, state: Any) -> Any:
        return state[1]

    def actions(self, state: Any) -> Any:
        return [take for take in (1, 2) if take <= state[0]]

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, 1 - state[1]

    def is_terminal(self, state: Any) -> Any:
        return state[0] == 0

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state[1] else 1

    def action_name(self, action: Any) -> Any:
        return f"t{action}"


class Broken(NamedTuple):
    """A game of the gallery, the finding it must give, and the shortest line of play that shows it."""

    game: type[Game[Any, Any]]
    kind: str
    line: str | None  # None: any line will do

    def __repr__(self) -> str:
        return f"{self.game.__name__}: {self.kind}"


GALLERY: list[Broken] = []


def broken(kind: str, line: str | None = "") -> Callable[[type[Game[Any, Any]]], type[Game[Any, Any]]]:
    """Hang a game into the gallery."""

    def hung(game: type[Game[Any, Any]]) -> type[Game[Any, Any]]:
        GALLERY.append(Broken(game, kind, line))
        return game

    return hung


# Where play begins.


@broken("initial-raises")
class NoStart(Takeaway):
    def initial(self) -> Any:
        raise NotImplementedError


@broken("initial-raises")
class Quitter(Takeaway):
    def initial(self) -> Any:
        sys.exit("no more of this")


@broken("table-start-wrong")
class TableStartsWithAList(Takeaway):
    def table_start(self) -> Any:
        return [self.start, MAX]


@broken("initial-wrong")
class StartsWithAList(Takeaway):
    def initial(self) -> Any:
        return [self.start, MAX]


@broken("initial-wrong")
class StartsWithASetInside(Takeaway):
    def initial(self) -> Any:
        return {self.start}, MAX


@broken("initial-wrong")
class StartsWithNothing(Takeaway):
    def initial(self) -> Any:
        return None


@broken("initial-not-pure")
class StartsAnywhere(Takeaway):
    def __init__(self) -> None:
        self.starts = count(5)

    def initial(self) -> Any:
        return next(self.starts), MAX


@broken("initial-not-pure")
class StartsFromTheLastGame(Takeaway):
    """The start changes once somebody has taken the last one."""

    def result(self, state: Any, action: Any) -> Any:
        left, turn = super().result(state, action)
        if left == 0:
            self.start = 4
        return left, turn


@broken("players-wrong")
class NoPlayers(Takeaway):
    players = 0


# States.


class Heap:
    """A state with what each class below adds to it, or fails to add."""

    def __init__(self, left: int, turn: int) -> None:
        self.left = left
        self.turn = turn


class TakeawayOfHeaps(Takeaway):
    """The same game on states of a class."""

    heap: type[Heap] = Heap

    def initial(self) -> Any:
        return self.heap(self.start, MAX)

    def to_move(self, state: Any) -> Any:
        return state.turn

    def actions(self, state: Any) -> Any:
        return [take for take in (1, 2) if take <= state.left]

    def result(self, state: Any, action: Any) -> Any:
        return self.heap(state.left - action, 1 - state.turn)

    def is_terminal(self, state: Any) -> Any:
        return state.left == 0

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state.turn else 1


class GoodHeap(Heap):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and (self.left, self.turn) == (other.left, other.turn)

    def __hash__(self) -> int:
        return hash((self.left, self.turn))

    def __repr__(self) -> str:
        return f"Heap({self.left}, {self.turn})"


class LawfulHeaps(TakeawayOfHeaps):
    heap = GoodHeap


@broken("state-without-eq")
class StatesWithoutEq(TakeawayOfHeaps):
    pass


@broken("state-without-eq")
class StatesWithSlotsWithoutEq(TakeawayOfHeaps):
    class heap(Heap):  # noqa: N801
        __slots__ = ("left", "turn")


@broken("state-hash-differs")
class StatesWithAnyHash(TakeawayOfHeaps):
    class heap(GoodHeap):  # noqa: N801
        __hash__ = object.__hash__


@broken("state-raises", None)
class StatesThatCannotBeCompared(TakeawayOfHeaps):
    class heap(GoodHeap):  # noqa: N801
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("do not compare")

        __hash__ = GoodHeap.__hash__


@broken("state-does-not-return", None)
class StatesThatCompareForever(TakeawayOfHeaps):
    class heap(GoodHeap):  # noqa: N801
        def __eq__(self, other: object) -> bool:
            while True:
                pass

        __hash__ = GoodHeap.__hash__


@broken("key-of-equal-states", "t1")
class StatesThatAreNumbered(TakeawayOfHeaps):
    class heap(GoodHeap):  # noqa: N801
        made = count()

        def __init__(self, left: int, turn: int) -> None:
            super().__init__(left, turn)
            self.number = next(self.made)


@broken("pack-of-equal-states", "t1")
class PacksTheNumberOfTheObject(TakeawayOfHeaps):
    """Equal states come back from different numbers."""

    class heap(GoodHeap):  # noqa: N801
        made = count()

        def __init__(self, left: int, turn: int) -> None:
            super().__init__(left, turn)
            self.number = next(self.made)

    def pack(self, state: Any) -> Any:
        return 100 * state.number + 2 * state.left + state.turn

    def unpack(self, number: Any) -> Any:
        return self.heap(number % 100 // 2, number % 2)


@broken("equal-states-differ", "t2")
class StatesThatForgetTheTurn(TakeawayOfHeaps):
    """Three are left after t2 with MIN to move, and after t1 t1 with MAX to move."""

    class heap(GoodHeap):  # noqa: N801
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Heap) and self.left == other.left

        def __hash__(self) -> int:
            return self.left


@broken("equal-states-differ", "t1 t2")
class StatesThatTellTruthFromOne(Takeaway):
    """Whoever moves after two were taken is a truth value; equal states lead elsewhere then."""

    def result(self, state: Any, action: Any) -> Any:
        left, turn = state[0] - action, 1 - state[1]
        if type(state[1]) is bool and state[0] == 2:
            left = 0
        return left, turn == 1 if action == 2 else turn


@dataclass(frozen=True)
class Remembering:
    left: int
    turn: int
    last: int = field(default=0, compare=False)


@broken("equal-states-differ", "t1 t2")
class StatesThatRememberMoreThanTheyCompare(TakeawayOfHeaps):
    """Whoever finds two after two were taken must take both."""

    def initial(self) -> Any:
        return Remembering(self.start, MAX)

    def result(self, state: Any, action: Any) -> Any:
        take = 2 if state.left == state.last == 2 else action
        return Remembering(state.left - take, 1 - state.turn, action)


@broken("equal-states-differ", None)
class OrderOfASet(Game[Any, Any]):
    """The numbers taken so far, in a set: 8 and 0 come in the order in which they were put in."""

    def initial(self) -> Any:
        return frozenset()

    def to_move(self, state: Any) -> int:
        return len(state) % 2

    def actions(self, state: Any) -> Any:
        return [("drop", number) for number in state] if len(state) == 2 else [8, 0] if len(state) < 3 else []

    def result(self, state: Any, action: Any) -> Any:
        if isinstance(action, tuple):
            return frozenset({0, 8, 16})
        return frozenset([*state, action]) if action not in state else frozenset({0, 8, 16})

    def key(self, state: Any) -> int:
        return sum(1 << number for number in state)

    def is_terminal(self, state: Any) -> bool:
        return len(state) == 3

    def utility(self, state: Any, player: int) -> float:
        return 0


# Actions and their results.


@broken("actions-raises", "t1 t2 t2")
class ActionsRaise(Takeaway):
    def actions(self, state: Any) -> Iterable[Any]:
        yield from super().actions(state)
        if state[0] == 0:
            yield [][0]


@broken("actions-wrong")
class ActionsOfNothing(Takeaway):
    def actions(self, state: Any) -> Any:
        super().actions(state)


@broken("actions-wrong")
class ActionsOfLists(Takeaway):
    def actions(self, state: Any) -> Any:
        return [[take] for take in super().actions(state)]


@broken("actions-not-pure")
class ActionsTurnAround(Takeaway):
    def __init__(self) -> None:
        self.step = 1

    def actions(self, state: Any) -> Any:
        self.step = -self.step
        return super().actions(state)[:: self.step]


@broken("actions-changes-state")
class ActionsChangeTheState(LawfulHeaps):
    def actions(self, state: Any) -> Any:
        state.left = max(state.left - 1, 0)
        return super().actions(state)


@broken("actions-repeated")
class ActionsTwice(Takeaway):
    def actions(self, state: Any) -> Any:
        return super().actions(state) * 2


@broken("actions-missing", "t2 t2")
class ActionsMissing(Takeaway):
    def actions(self, state: Any) -> Any:
        return [2] if state[0] > 1 else []


@broken("actions-after-end", "t1 t2 t2")
class ActionsAfterTheEnd(Takeaway):
    def actions(self, state: Any) -> Any:
        return super().actions(state) or [1]


@broken("actions-unordered")
class ActionsInASet(Takeaway):
    def actions(self, state: Any) -> Any:
        return set(super().actions(state))


@broken("actions-many")
class ActionsOfMillions(Takeaway):
    def actions(self, state: Any) -> Any:
        return (number for number in range(0 if state[0] == 0 else 20_000))

    def result(self, state: Any, action: Any) -> Any:
        return 0, 1 - state[1]


@broken("is-terminal-does-not-return", "t1 t2")
class LoopsWithTwoLeft(Takeaway):
    def is_terminal(self, state: Any) -> Any:
        while state == (2, MAX):
            pass
        return super().is_terminal(state)


@broken("actions-does-not-return")
class ActionsFillTheMemory(Takeaway):
    def actions(self, state: Any) -> Any:
        found: list[bytes] = []
        while True:
            found.append(bytes(1 << 16))


@broken("actions-endless")
class ActionsWithoutEnd(Takeaway):
    def actions(self, state: Any) -> Any:
        return [] if state[0] == 0 else count(1)

    def result(self, state: Any, action: Any) -> Any:
        return max(state[0] - action, 0), 1 - state[1]


@broken("result-raises", "t1 t2")
class ResultRaises(Takeaway):
    def result(self, state: Any, action: Any) -> Any:
        if state == (2, MAX):
            raise KeyError("lost")
        return super().result(state, action)


@broken("result-wrong")
class ResultForgotten(Takeaway):
    def result(self, state: Any, action: Any) -> Any:
        super().result(state, action)


@broken("result-wrong", "t2")
class ResultOfAList(Takeaway):
    def result(self, state: Any, action: Any) -> Any:
        successor = super().result(state, action)
        return list(successor) if state[0] == 3 else successor


@broken("result-not-pure")
class ResultRemembers(Takeaway):
    def __init__(self) -> None:
        self.turn = MAX

    def result(self, state: Any, action: Any) -> Any:
        self.turn = 1 - self.turn
        return state[0] - action, self.turn


@broken("result-changes-state")
class ResultChangesTheState(LawfulHeaps):
    def result(self, state: Any, action: Any) -> Any:
        state.left -= action
        state.turn = 1 - state.turn
        return state


# Turns and ends.


@broken("to-move-raises", "t1 t2 t2")
class NobodyMovesAtTheEnd(Takeaway):
    def to_move(self, state: Any) -> Any:
        return {1: state[1], 2: state[1], 3: state[1], 4: state[1], 5: state[1]}[state[0]]


@broken("to-move-wrong", "t1")
class ThirdPlayer(Takeaway):
    def to_move(self, state: Any) -> Any:
        return 2 * state[1]


@broken("to-move-wrong")
class PlayersWithNames(Takeaway):
    def to_move(self, state: Any) -> Any:
        return "OX"[state[1]]


@broken("to-move-not-pure", None)
class TurnInTheGame(Takeaway):
    """The beginner's way: whose turn it is lives in the game object."""

    def __init__(self) -> None:
        self.turn = MAX

    def to_move(self, state: Any) -> Any:
        return self.turn

    def result(self, state: Any, action: Any) -> Any:
        self.turn = 1 - self.turn
        return super().result(state, action)


@broken("is-terminal-raises", "t1 t2 t2")
class EndRaises(Takeaway):
    def is_terminal(self, state: Any) -> Any:
        return 1 / state[0] == 0


@broken("is-terminal-wrong")
class EndForgotten(Takeaway):
    def is_terminal(self, state: Any) -> Any:
        if state[0] == 0:
            return True


@broken("is-terminal-not-bool")
class EndOfNumbers(Takeaway):
    def is_terminal(self, state: Any) -> Any:
        return 0 if state[0] else 1


@broken("is-terminal-not-pure", None)
class EndInTheGame(Takeaway):
    """result() writes down that the game is over, and is_terminal() reads that."""

    over = False

    def result(self, state: Any, action: Any) -> Any:
        successor = super().result(state, action)
        self.over = successor[0] == 0
        return successor

    def is_terminal(self, state: Any) -> Any:
        return self.over


# Worth.


@broken("utility-raises", "t1 t2 t2")
class UtilityRaises(Takeaway):
    def utility(self, state: Any, player: int) -> Any:
        return {MAX: 1}[player]


@broken("utility-wrong", "t1 t2 t2")
class UtilityOfWords(Takeaway):
    def utility(self, state: Any, player: int) -> Any:
        return "won" if player == MAX else "lost"


@broken("utility-wrong", "t1 t2 t2")
class UtilityWithoutLimit(Takeaway):
    def utility(self, state: Any, player: int) -> Any:
        return inf if player == MAX else -inf


@broken("utility-not-zero-sum", "t1 t2 t2")
class UtilityForAll(Takeaway):
    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == state[1] else 0


@broken("utility-not-zero-sum", "t1 t2 t2")
class UtilityOfThree(Takeaway):
    """Both MIN players want the same in our games."""

    players = 3

    def utility(self, state: Any, player: int) -> Any:
        return (1, -1, 0)[player]


@broken("utility-not-pure", "t1 t2 t2")
class UtilityCounts(Takeaway):
    def __init__(self) -> None:
        self.asked = 0

    def utility(self, state: Any, player: int) -> Any:
        self.asked += 1
        return self.asked if player == MAX else -self.asked


@broken("utility-not-pure", None)
class WinnerInTheGame(Takeaway):
    """result() writes down who made the last move, and utility() reads that."""

    winner = MAX

    def result(self, state: Any, action: Any) -> Any:
        self.winner = state[1]
        return super().result(state, action)

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == self.winner else -1


@broken("utility-not-pure", "t1 t2 t2")
class UtilityAsksWhoIsFirst(Takeaway):
    """A player who is asked for after the other one gets more."""

    last = MAX

    def utility(self, state: Any, player: int) -> Any:
        worth = (1 if player == MAX else -1) * (1 if player == self.last else 2)
        self.last = player
        return worth


@broken("evaluate-raises")
class EvaluateRaises(Takeaway):
    def evaluate(self, state: Any, player: int) -> Any:
        return self.weights[state]  # type: ignore[attr-defined]


@broken("evaluate-wrong")
class EvaluateNothing(Takeaway):
    def evaluate(self, state: Any, player: int) -> Any:
        return nan


@broken("evaluate-not-pure")
class EvaluateDrifts(Takeaway):
    def __init__(self) -> None:
        self.drift = count()

    def evaluate(self, state: Any, player: int) -> Any:
        return next(self.drift)


@broken("utility-not-pure", line=None)
class UtilityOfTheLastTurn(Takeaway):
    def to_move(self, state: Any) -> Any:
        self.last = state[1]
        return state[1]

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == self.last else 1


@broken("evaluate-too-large", line=None)
class EvaluateLikesToStay(Takeaway):
    def evaluate(self, state: Any, player: int) -> Any:
        return 1000 if player == MAX else -1000


@broken("evaluate-not-opposite")
class EvaluateForMax(Takeaway):
    def evaluate(self, state: Any, player: int) -> Any:
        return state[0] / 10


# What helps a search.


@broken("order-wrong")
class OrderOfWords(Takeaway):
    def order(self, state: Any, action: Any) -> Any:
        return "first" if action == 2 else "last"


@broken("is-quiet-not-bool")
class QuietNumbers(Takeaway):
    def is_quiet(self, state: Any) -> Any:
        return state[0]


@broken("is-quiet-wrong")
class QuietForgotten(Takeaway):
    def is_quiet(self, state: Any) -> Any:
        pass


@broken("bounds-wrong")
class BoundsOfOne(Takeaway):
    def bounds(self, state: Any, player: int) -> Any:
        return 1


@broken("bounds-wrong")
class BoundsUpsideDown(Takeaway):
    def bounds(self, state: Any, player: int) -> Any:
        return 1, -1


@broken("bounds-false", "t1")
class BoundsFalse(Takeaway):
    """Four left: a win for the player to move, who takes one; these bounds deny it to MIN."""

    def bounds(self, state: Any, player: int) -> Any:
        return (-1, 0) if state == (4, MIN) and player == MIN else (-1, 1)


@broken("candidates-wrong")
class CandidatesInWords(Takeaway):
    def candidates(self, state: Any) -> Any:
        return 1


@broken("candidates-not-legal")
class CandidatesNotLegal(Takeaway):
    def candidates(self, state: Any) -> Any:
        return [7]


@broken("candidates-missing")
class CandidatesMissing(Takeaway):
    def candidates(self, state: Any) -> Any:
        return []


@broken("candidates-miss-best", "t1")
class CandidatesMissBest(Takeaway):
    """Four left: only taking one wins."""

    def candidates(self, state: Any) -> Any:
        return [2] if state[0] == 4 else self.actions(state)


@broken("key-wrong")
class KeyBelowZero(Takeaway):
    def key(self, state: Any) -> Any:
        return -1 - state[0]


@broken("key-not-pure")
class KeyCounts(Takeaway):
    def __init__(self) -> None:
        self.keys = count()

    def key(self, state: Any) -> Any:
        return next(self.keys)


@broken("key-collision", "t1 t1 t2")
class KeyWithoutTurn(Takeaway):
    """One is left after t2 t2, with MAX to move, and after t1 t1 t2, with MIN to move."""

    def key(self, state: Any) -> Any:
        return 2 * state[0] + state[1] if state[0] > 1 else state[0]


@broken("canonical-wrong")
class CanonicalList(Takeaway):
    def canonical(self, state: Any) -> Any:
        return list(state)


@broken("canonical-not-idempotent")
class CanonicalGoesOn(Takeaway):
    """Adds three, which keeps the value, again and again."""

    def canonical(self, state: Any) -> Any:
        return (state[0] + 3, state[1]) if state[0] else state


@broken("canonical-changes-to-move", "t1")
class CanonicalChangesSides(Takeaway):
    def canonical(self, state: Any) -> Any:
        return state[0], MAX


@broken("canonical-changes-is-terminal", "t1 t2 t2")
class CanonicalGoesOnAfterTheEnd(Takeaway):
    def canonical(self, state: Any) -> Any:
        return (3, state[1]) if state[0] == 0 else state


class Scores(Takeaway):
    """The last one is worth twice as much after an odd number of moves that took two."""

    def initial(self) -> Any:
        return self.start, MAX, 0

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, 1 - state[1], state[2] ^ (action == 2)

    def utility(self, state: Any, player: int) -> Any:
        return super().utility(state, player) * (1 + state[2])


@broken("canonical-changes-utility", "t1 t2 t2")
class CanonicalForgetsTheScore(Scores):
    """Only at the end, where nothing but the utility tells."""

    start = 5

    def canonical(self, state: Any) -> Any:
        return (*state[:2], 1) if state[0] == 0 else state


@broken("canonical-changes-value", "t1")
class CanonicalChangesValue(Takeaway):
    """Takes a win of the player to move, four left, for a loss, three left."""

    def canonical(self, state: Any) -> Any:
        return (3, state[1]) if state[0] == 4 else state


@broken("canonical-changes-value", "t1")
class CanonicalOutOfReach(Takeaway):
    """Likewise with six left, which play does not reach."""

    def canonical(self, state: Any) -> Any:
        return (6, state[1]) if state[0] == 4 else state


# What people see and type.


@broken("render-wrong")
class RenderForgotten(Takeaway):
    def render(self, state: Any) -> Any:
        print(state, file=sys.stderr)


@broken("render-raises", "t1 t2 t2")
class RenderRaises(Takeaway):
    def render(self, state: Any) -> Any:
        return "|" * (60 // state[0])


@broken("scene-raises")
class SceneRaises(Takeaway):
    def scene(self, state: Any) -> Any:
        raise NotImplementedError("not yet\nnot ever")


@broken("action-name-raises")
class NameRaises(Takeaway):
    def action_name(self, action: Any) -> Any:
        return f"t{action.number}"


@broken("action-name-wrong")
class NameOfNumbers(Takeaway):
    def action_name(self, action: Any) -> Any:
        return action


@broken("action-name-ambiguous")
class OneNameForAll(Takeaway):
    def action_name(self, action: Any) -> Any:
        return "take"


@broken("parse-action-not-inverse")
class ParseAsText(Takeaway):
    def parse_action(self, state: Any, text: str) -> Any:
        return self.action_name(super().parse_action(state, text))


@broken("parse-action-not-inverse")
class ParseRefusesAll(Takeaway):
    def parse_action(self, state: Any, text: str) -> Any:
        raise ValueError(text)


@broken("parse-action-raises", None)
class ParseRaises(Takeaway):
    def parse_action(self, state: Any, text: str) -> Any:
        return {self.action_name(action): action for action in self.actions(state)}[text]


@broken("parse-action-accepts-nonsense", None)
class ParseAcceptsAll(Takeaway):
    def parse_action(self, state: Any, text: str) -> Any:
        return {"t1": 1, "t2": 2}.get(text)


@broken("parse-action-accepts-nonsense", None)
class ParseAcceptsIllegal(Takeaway):
    """Reads every move, be there enough left to take or not."""

    def parse_action(self, state: Any, text: str) -> Any:
        if text not in ("t1", "t2"):
            raise ValueError(text)
        return int(text[1])


# Play without end.


@broken("cycle", "t2 back")
class GoesBack(Takeaway):
    """Who has three left may put two back; the turns alternate all the same."""

    def actions(self, state: Any) -> Any:
        return [*super().actions(state), -2] if state == (3, MIN) else super().actions(state)

    def action_name(self, action: Any) -> Any:
        return "back" if action == -2 else super().action_name(action)


@broken("cycle", "pass")
class PassesOn(Takeaway):
    def actions(self, state: Any) -> Any:
        return [*super().actions(state), 0] if state == (5, MAX) else super().actions(state)

    def result(self, state: Any, action: Any) -> Any:
        return state if action == 0 else super().result(state, action)

    def action_name(self, action: Any) -> Any:
        return super().action_name(action) if action else "pass"


@broken("too-long")
class VeryDeep(Takeaway):
    start = 2_000


@broken("too-long")
class CountsUp(Takeaway):
    """Never ends, and is never twice in the same state."""

    def result(self, state: Any, action: Any) -> Any:
        return state[0] + action, 1 - state[1]


# Boards as shapes.


class Counters(Takeaway):
    """The same game with a board: to click one of the last two counters takes it and what is after it."""

    def scene(self, state: Any) -> Any:
        counters = range(state[0])
        shapes = [circle(each + 0.5, 0.5, 0.4, "piece", at=str(state[0] - each)) for each in counters]
        clicks = [(take, (str(take),)) for take in self.actions(state)]
        return Scene(self.start, 1, (rect(0, 0, self.start, 1, "board"), *shapes), tuple(clicks))


def with_shape(*shapes: Any) -> type[Game[Any, Any]]:
    """The same game, whose board has other shapes too."""

    class Shaped(Counters):
        def scene(self, state: Any) -> Any:
            scene = super().scene(state)
            return scene._replace(shapes=(*scene.shapes, *shapes))

    return Shaped


@broken("scene-not-pure")
class SceneByChance(Counters):
    widths = count(10)

    def scene(self, state: Any) -> Any:
        return super().scene(state)._replace(width=next(self.widths))


@broken("scene-colours")
class SceneInNoColours(Counters):
    def scene(self, state: Any) -> Any:
        return super().scene(state)._replace(colours="plaid")


@broken("scene-wrong")
class SceneIsText(Counters):
    def scene(self, state: Any) -> Any:
        return self.render(state)


@broken("scene-wrong")
class SceneWithoutSize(Counters):
    def scene(self, state: Any) -> Any:
        return super().scene(state)._replace(height=0)


@broken("scene-wrong")
class SceneWithAList(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(shapes=list(scene.shapes))


@broken("scene-wrong")
class SceneWithAListOfClicks(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=list(scene.clicks))


@broken("scene-wrong", "t1 t2 t2")
class SceneOfTuples(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene if state[0] else scene._replace(shapes=(("rect", (0, 0, 1, 1), "board"),))


@broken("scene-wrong")
class SceneSaysANumber(with_shape(text(0.5, 0.5, 0.3, 5))):
    pass


@broken("scene-wrong")
class SceneOfLoosePlaces(Counters):
    """A text is as many places to click as it has letters, if it is not in a tuple."""

    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=tuple((action, place) for action, (place,) in scene.clicks))


@broken("scene-wrong")
class SceneOfActionsWithoutAHash(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=(*scene.clicks, ([1], ("1",))))


@broken("scene-kind")
class SceneOfSquares(with_shape(rect(0, 0, 1, 1, "cell")._replace(kind="square"))):
    pass


@broken("scene-style")
class SceneInRed(with_shape(rect(0, 0, 1, 1, "red"))):
    pass


@broken("scene-numbers")
class SceneWithTooFewNumbers(with_shape(rect(0, 0, 1, 1, "cell")._replace(numbers=(0, 0, 1)))):
    pass


@broken("scene-numbers")
class SceneWithHalfACorner(
    with_shape(polygon([(0, 0), (1, 0), (1, 1)], "cell")._replace(numbers=(0, 0, 1, 0, 1, 1, 0)))
):
    pass


@broken("scene-numbers")
class SceneOfALineOfTwoCorners(with_shape(polygon([(0, 0), (1, 0)], "cell"))):
    pass


@broken("scene-numbers")
class SceneOfLessThanNothing(with_shape(rect(1, 0, -1, 1, "cell"))):
    pass


@broken("scene-numbers")
class SceneWithoutEnd(with_shape(circle(1, 0.5, inf, "cell"))):
    pass


@broken("scene-numbers")
class SceneOfWords(with_shape(circle(1, 1, 1, "cell")._replace(numbers=("1", 1, 1)))):
    pass


@broken("scene-outside")
class SceneTooWide(with_shape(rect(4.5, 0, 1, 1, "cell"))):
    pass


@broken("scene-outside")
class SceneTooHigh(with_shape(circle(1, 0.3, 0.4, "cell"))):
    pass


@broken("scene-outside")
class SceneOfWordsBelow(with_shape(text(1, 0.9, 0.3, "below"))):
    pass


@broken("scene-clicks")
class SceneForgetsAnAction(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=scene.clicks[:1])


@broken("scene-clicks", "t1 t2")
class SceneOffersTooMuch(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=(*scene.clicks, (3, ("1", "1")))) if state[0] == 2 else scene


@broken("scene-clicks")
class SceneOffersTwice(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(
            clicks=(*scene.clicks, *((action, ("1", *path)) for action, path in scene.clicks))
        )


@broken("scene-targets", "t2 t2")
class SceneOffersNoPlace(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=((1, ("elsewhere",)),)) if state[0] == 1 else scene


@broken("scene-targets")
class SceneOffersNothingToClick(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=((1, ()), *scene.clicks[1:])) if state[0] == 5 else scene


@broken("scene-ambiguous")
class SceneOffersAllAtOnce(Counters):
    def scene(self, state: Any) -> Any:
        scene = super().scene(state)
        return scene._replace(clicks=tuple((action, ("1",)) for action, _ in scene.clicks))


# What tablebases rely on.


@broken("tier-wrong")
class TierOfWords(Takeaway):
    def tier(self, state: Any) -> Any:
        return f"{state[0]} left"


@broken("tier-raises", "t1 t2 t2")
class TierRaises(Takeaway):
    def tier(self, state: Any) -> Any:
        return 5 // state[0]


@broken("tier-falls")
class TierCountsDown(Takeaway):
    """What is left, and not what is gone."""

    def tier(self, state: Any) -> Any:
        return state[0]


@broken("tier-falls", "t1 t2")
class TierFallsAtTheEnd(Takeaway):
    def tier(self, state: Any) -> Any:
        return self.start - state[0] if state[0] else 0


class Packed(Takeaway):
    """A lawful one, for the others to spoil."""

    def pack(self, state: Any) -> Any:
        return 2 * state[0] + state[1]

    def unpack(self, number: Any) -> Any:
        return number // 2, number % 2


class Ranked(Takeaway):
    """A lawful one that numbers its states."""

    def ranks(self, tier: Any) -> Any:
        return 2 * self.start + 2

    def rank(self, state: Any) -> Any:
        return 2 * state[0] + state[1]

    def unrank(self, tier: Any, number: Any) -> Any:
        return number // 2, number % 2


@broken("rank-alone")
class RanksWithoutTheWayBack(Takeaway):
    def rank(self, state: Any) -> Any:
        return 2 * state[0] + state[1]


@broken("ranks-wrong")
class CountsInWords(Ranked):
    def ranks(self, tier: Any) -> Any:
        return "a few"


@broken("rank-wrong")
class RanksInWords(Ranked):
    def rank(self, state: Any) -> Any:
        return f"{super().rank(state)}"


@broken("unrank-wrong")
class FindsNothing(Ranked):
    def unrank(self, tier: Any, number: Any) -> Any:
        return None


@broken("rank-too-large", None)
class CountsTooFew(Ranked):
    def ranks(self, tier: Any) -> Any:
        return 2


@broken("rank-collision", None)
class RanksBothEndsAlike(Ranked):
    def rank(self, state: Any) -> Any:
        return super().rank(state) if state[0] else 1


@broken("unrank-not-inverse")
class FindsOneMore(Ranked):
    def unrank(self, tier: Any, number: Any) -> Any:
        return number // 2 + 1, number % 2


@broken("pack-wrong", "t1 t2 t2")
class PacksBelowZero(Packed):
    def pack(self, state: Any) -> Any:
        return super().pack(state) - 2

    def unpack(self, number: Any) -> Any:
        return super().unpack(number + 2)


@broken("pack-wrong")
class PacksIntoWords(Packed):
    def pack(self, state: Any) -> Any:
        return f"{super().pack(state)}"


@broken("pack-collision", None)
class ForgetsWhoseTurnItIs(Packed):
    def pack(self, state: Any) -> Any:
        return state[0]

    def unpack(self, number: Any) -> Any:
        return number, MAX


@broken("pack-collision", None)
class ForgetsWhoseTurnItIsAndRemembersTheLast(Packed):
    """Play comes to it in either order; the number stands for one of the two alone."""

    def pack(self, state: Any) -> Any:
        return state[0]

    def unpack(self, number: Any) -> Any:
        return number, MIN


@broken("unpack-not-inverse")
class UnpacksWithOneMore(Packed):
    def unpack(self, number: Any) -> Any:
        return number // 2 + 1, number % 2


@broken("unpack-not-inverse", "t1 t2 t2")
class UnpacksNoEnd(Packed):
    def unpack(self, number: Any) -> Any:
        return max(number // 2, 1), number % 2


@broken("unpack-raises", "t1 t2 t2")
class UnpackRaises(Packed):
    def unpack(self, number: Any) -> Any:
        return (number // 2, number % 2) if number > 1 else (0, 5 // (number // 2))


@broken("unpack-wrong")
class UnpacksLists(Packed):
    def unpack(self, number: Any) -> Any:
        return [number // 2, number % 2]


@broken("pack-alone")
class PacksAndDoesNotUnpack(Takeaway):
    def pack(self, state: Any) -> Any:
        return 2 * state[0] + state[1]


@broken("pack-alone")
class UnpacksAndDoesNotPack(Takeaway):
    def unpack(self, number: Any) -> Any:
        return number // 2, number % 2


@broken("canonical-changes-tier", "t1")
class CanonicalChangesTier(Takeaway):
    """The tier is what was taken, which a representative forgets."""

    def initial(self) -> Any:
        return self.start, MAX, 0

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, 1 - state[1], state[2] + action

    def canonical(self, state: Any) -> Any:
        return *state[:2], 0

    def tier(self, state: Any) -> Any:
        return state[2]


@broken("canonical-changes-successors")
class CanonicalTakesThree(Takeaway):
    """The value is the same with three less, but not the way to it."""

    def canonical(self, state: Any) -> Any:
        return (state[0] - 3, state[1]) if state[0] > 3 else state


# Large games, where the fault is far from the start.


class SeesNoWinInTheCorner(ConnectFour):
    """Denies the player to move a win with the last stones of a full board."""

    def bounds(self, state: Any, player: int) -> Any:
        lower, upper = super().bounds(state, player)
        late = state[2] >= self.rows * self.cols - 6 and not self.is_terminal(state)
        return (min(lower, 0), min(upper, 0)) if late and player == state[2] & 1 else (lower, upper)


class SwapsTheStones(ConnectFour):
    """A canonical that gives each player the stones of the other, and leaves the turn as it is."""

    def canonical(self, state: Any) -> Any:
        mover, mask, stones, won = state
        return state if self.is_terminal(state) else min(state, (mover ^ mask, mask, stones, won))


# Games with dice, and games for more than two sides.


class Roll(Game[Any, Any]):
    """Hold, or roll for the last word: it is heads or tails who wins. A lawful game with chance."""

    def initial(self) -> Any:
        return "start"

    def to_move(self, state: Any) -> Any:
        return CHANCE if state == "rolling" else MAX

    def actions(self, state: Any) -> Any:
        return ["hold", "roll"] if state == "start" else []

    def chances(self, state: Any) -> Any:
        return [("heads", 0.25), ("tails", 0.75)]

    def result(self, state: Any, action: Any) -> Any:
        return {"hold": "even", "roll": "rolling"}.get(action, action)

    def is_terminal(self, state: Any) -> Any:
        return state not in ("start", "rolling")

    def utility(self, state: Any, player: int) -> Any:
        worth = {"even": 0, "heads": 3, "tails": -1}[state]
        return worth if player == MAX else -worth


@broken("to-move-wrong")
class NobodyRolls(Takeaway):
    def to_move(self, state: Any) -> Any:
        return state[1] - 1


@broken("chances-wrong", "roll")
class OutcomesAlone(Roll):
    def chances(self, state: Any) -> Any:
        return ["heads", "tails"]


@broken("chances-missing", "roll")
class NoOutcome(Roll):
    def chances(self, state: Any) -> Any:
        return []


@broken("chances-repeated", "roll")
class HeadsTwice(Roll):
    def chances(self, state: Any) -> Any:
        return [("heads", 0.25), ("heads", 0.25), ("tails", 0.5)]


@broken("chances-not-positive", "roll")
class Impossible(Roll):
    def chances(self, state: Any) -> Any:
        return [("heads", 0.0), ("tails", 1.0)]


@broken("chances-not-one", "roll")
class TooLikely(Roll):
    def chances(self, state: Any) -> Any:
        return [("heads", 0.5), ("tails", 0.6)]


@broken("chances-not-pure", "roll")
class LoadedDice(Roll):
    def __init__(self) -> None:
        self.asked = count()

    def chances(self, state: Any) -> Any:
        return [("heads", 0.25), ("tails", 0.75)][:: 1 - 2 * (next(self.asked) % 2)]


@broken("result-wrong", "roll")
class LeadsNowhere(Roll):
    def result(self, state: Any, action: Any) -> Any:
        return None if action == "tails" else super().result(state, action)


@broken("bounds-false", "roll")
class DiceForget(Roll):
    """The average of 3 and -1, one to three, is 0, and not what is claimed."""

    def bounds(self, state: Any, player: int) -> Any:
        return (1, 3) if state == "rolling" and player == MAX else (-3, 3)


class Shares(Takeaway):
    """The same take-away for three, of whom each has a utility of its own. A lawful game, too."""

    players = 3
    zero_sum = False

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, (state[1] + 1) % 3

    def utility(self, state: Any, player: int) -> Any:
        return (player - state[1]) % 3


@broken("utility-not-zero-sum", None)
class SharesOfASum(Shares):
    zero_sum = True


@broken("utility-raises", None)
class TwoUtilities(Shares):
    def utility(self, state: Any, player: int) -> Any:
        return (1, 2)[player]


@broken("zero-sum-wrong")
class Perhaps(Takeaway):
    zero_sum: Any = None
