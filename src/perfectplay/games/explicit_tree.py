"""ExplicitTree: a game given move by move, as a drawing in a book or on a blackboard gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from numbers import Real
from typing import Any

from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, MIN, Game

LEVELS = 50  # of a tree are drawn


class ExplicitTree(Game[Any, Any]):
    """A tree, or a DAG, given as a mapping from each state to its actions and where they lead.

    `utilities` gives the worth to MAX of every terminal state. `turns` says who moves in the other
    states: MAX, or MIN, or 2, 3, ... for further MIN players; without it MAX begins and turns
    alternate. `estimates` are the worths to MAX that `evaluate` answers with.
    """

    def __init__(
        self,
        moves: Mapping[Any, Mapping[Any, Any]],
        utilities: Mapping[Any, float],
        turns: Mapping[Any, int] | None = None,
        *,
        start: Any = None,
        estimates: Mapping[Any, float] | None = None,
    ) -> None:
        self.moves = {state: dict(successors) for state, successors in moves.items()}
        self.utilities = dict(utilities)
        self.estimates = dict(estimates or {})
        self.start = start if start is not None else next(iter([*self.moves, *self.utilities]), None)
        self._check_states()
        self.turns = self._alternating() if turns is None else dict(turns)
        self._check_turns()
        self.players = max([MIN, *self.turns.values()]) + 1

    @classmethod
    def from_nested(cls, tree: Any) -> ExplicitTree:
        """The tree of nested lists of utilities, e.g. [[3, 12, 8], [2, 4, 6]]; a state is a path."""
        moves: dict[tuple[int, ...], dict[int, tuple[int, ...]]] = {}
        utilities: dict[tuple[int, ...], float] = {}
        waiting: list[tuple[tuple[int, ...], Any]] = [((), tree)]
        for path, part in waiting:
            if isinstance(part, list | tuple):
                moves[path] = {action: (*path, action) for action in range(len(part))}
                waiting.extend(((*path, action), below) for action, below in enumerate(part))
            else:
                utilities[path] = part
        return cls(moves, utilities, start=())

    def __repr__(self) -> str:
        return f"<ExplicitTree of {len(self.moves) + len(self.utilities)} states>"

    def initial(self) -> Any:
        return self.start

    def to_move(self, state: Any) -> int:
        return self.turns.get(state, MAX)

    def actions(self, state: Any) -> Iterable[Any]:
        return self.moves.get(state, ())

    def result(self, state: Any, action: Any) -> Any:
        return self.moves[state][action]

    def is_terminal(self, state: Any) -> bool:
        return state in self.utilities

    def utility(self, state: Any, player: int) -> float:
        worth: float = self.utilities[state]
        return worth if player == MAX else -worth

    def evaluate(self, state: Any, player: int) -> float:
        worth: float = self.estimates.get(state, 0)
        return worth if player == MAX else -worth

    def render(self, state: Any) -> str:
        """The tree from here down; a state that hangs in it twice is drawn once."""
        return "\n".join(self._drawn(state, "", set()))

    def _drawn(self, state: Any, indent: str, drawn: set[Any]) -> Iterator[str]:
        label = state if isinstance(state, str) else repr(state)
        if self.is_terminal(state):
            yield f"{label} = {self.utilities[state]:g}"
        elif state in drawn:
            yield f"{label} (drawn above)"
        elif len(indent) >= 3 * LEVELS:
            yield f"{label} ..."
        else:
            drawn.add(state)
            turn = self.turns[state]
            yield f"{label} {'MAX' if turn == MAX else 'MIN' if self.players == 2 else f'MIN {turn}'}"
            last = len(self.moves[state]) - 1
            for index, (action, successor) in enumerate(self.moves[state].items()):
                branch, below = ("└─", "   ") if index == last else ("├─", "│  ")
                first, *rest = self._drawn(successor, indent + below, drawn)
                yield f"{indent}{branch} {action}: {first}"
                yield from rest

    def _check_states(self) -> None:
        if self.start is None:
            raise BadParameterError("the tree has no state: give moves, or the utility of one state.")
        known = self.moves.keys() | self.utilities.keys()
        for state, successors in self.moves.items():
            if state in self.utilities:
                raise BadParameterError(f"state {state!r} has both moves and a utility: give it one of them.")
            if not successors:
                raise BadParameterError(f"state {state!r} has no moves: give it a utility instead.")
            for action, successor in successors.items():
                if successor not in known:
                    raise BadParameterError(
                        f"action {action!r} of state {state!r} leads to {successor!r}, which is not given: "
                        "give its moves or its utility."
                    )
        for state, worth in self.utilities.items():
            if not isinstance(worth, Real):
                raise BadParameterError(f"the utility {worth!r} of state {state!r} is no number: give one.")
        if self.start not in known:
            raise BadParameterError(f"the start {self.start!r} is not given: give its moves or its utility.")
        try:
            TopologicalSorter({state: below.values() for state, below in self.moves.items()}).prepare()
        except CycleError as error:
            states = " from ".join(repr(state) for state in error.args[1])
            raise BadParameterError(f"the moves go round in a circle ({states}): break it.") from None

    def _check_turns(self) -> None:
        for state in self.moves:
            turn = self.turns.get(state)
            if turn is None:
                raise BadParameterError(
                    f"nobody moves in state {state!r}: give its turn, 0 for MAX or 1 for MIN."
                )
            if not isinstance(turn, int) or turn < 0:
                raise BadParameterError(
                    f"the turn {turn!r} of state {state!r} is no player: give 0, 1, 2, ..."
                )

    def _alternating(self) -> dict[Any, int]:
        turns: dict[Any, int] = {self.start: MAX}
        waiting = [self.start]
        for state in waiting:
            for successor in self.moves.get(state, {}).values():
                turn = MIN if turns[state] == MAX else MAX
                if successor not in turns:
                    turns[successor] = turn
                    waiting.append(successor)
                elif turns[successor] != turn and successor in self.moves:
                    raise BadParameterError(
                        f"state {successor!r} can be reached at either player's turn: give turns."
                    )
        return turns


class Figure52(ExplicitTree):
    """The two-ply tree of figure 5.2 in Russell and Norvig: worth 3 to MAX, who plays a1."""

    def __init__(self) -> None:
        super().__init__(
            {
                "A": {"a1": "B", "a2": "C", "a3": "D"},
                "B": {"b1": "B1", "b2": "B2", "b3": "B3"},
                "C": {"c1": "C1", "c2": "C2", "c3": "C3"},
                "D": {"d1": "D1", "d2": "D2", "d3": "D3"},
            },
            {"B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2},
        )
