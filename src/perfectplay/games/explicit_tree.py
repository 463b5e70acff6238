"""ExplicitTree: a game given move by move, as a drawing in a book or on a blackboard gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import count
from math import inf
from numbers import Real
from typing import Any

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, MIN, Game
from perfectplay.scene import Scene, Shape, circle, line, polygon, rect, text

LEVELS = 50  # of a tree are drawn as text
STATES = 60  # of a tree are drawn as shapes
ACROSS, DOWN = 1.2, 1.5  # from one of them to the next
LETTER = 0.13  # the width of a letter, more or less

AGENTS: dict[Any, Any] = {"max": MAX, "min": MIN, "exp": CHANCE}  # words that may be given for a turn
ADD_UP = 1e-9  # as far as probabilities may be off

Worth = float | tuple[float, ...]  # to MAX, or to every player where each has a utility of its own


class ExplicitTree(Game[Any, Any]):
    """A tree, or a DAG, given as a mapping from each state to its actions and where they lead.

    `utilities` gives the worth to MAX of every terminal state, or a tuple with the worth to every player:
    then the game is not zero-sum. `turns` says who moves in the other states: MAX, or MIN, or 2, 3, ...
    for further players, or CHANCE; "max", "min" and "exp" are the same. Without it MAX begins, and the
    turn goes round all `agents`. `probabilities` are those of the actions of a state where chance moves;
    where there are none, all are as likely. `estimates` are the worths that `evaluate` answers with, and
    `bounds` the limits of all values. States that cannot be reached may be there.
    """

    def __init__(
        self,
        moves: Mapping[Any, Mapping[Any, Any]],
        utilities: Mapping[Any, Worth],
        turns: Mapping[Any, int | str] | None = None,
        *,
        start: Any = None,
        estimates: Mapping[Any, Worth] | None = None,
        probabilities: Mapping[Any, Mapping[Any, float]] | None = None,
        bounds: tuple[float, float] = (-inf, inf),
        agents: int = 2,
    ) -> None:
        self.moves = {state: dict(successors) for state, successors in moves.items()}
        self.utilities = dict(utilities)
        self.estimates = dict(estimates or {})
        self.limits = bounds
        self.start = start if start is not None else next(iter([*self.moves, *self.utilities]), None)
        self._check_states()
        if turns is None:
            self.turns = self._alternating(agents)
        else:
            self.turns = {state: AGENTS.get(turn, turn) for state, turn in turns.items()}
        self._check_turns()
        self.probabilities = self._checked(probabilities or {})
        self.players = max([MIN, agents - 1, *self.turns.values()]) + 1
        self._check_worths()

    @classmethod
    def from_lines(
        cls,
        successors: str,
        evaluation: str,
        turns: Mapping[Any, int | str] | None = None,
        *,
        start: str = "",
        agents: int = 2,
    ) -> ExplicitTree:
        """The tree of lines "state action successor" and "state worth", as CS 188's project writes it.

        A state without successors is terminal, and its worth is its utility; that of another is its
        estimate. The first state is the start, if no other is named.
        """
        moves: dict[str, dict[str, str]] = {}
        for state, action, successor in _words(successors, 3, "state action successor"):
            if action in moves.setdefault(state, {}):
                raise BadParameterError(f"state {state!r} has the action {action!r} twice: give it once.")
            moves[state][action] = successor
        worths: dict[str, float] = {}
        for state, worth in _words(evaluation, 2, "state worth"):
            try:
                worths[state] = float(worth)
            except ValueError:
                raise BadParameterError(f"the worth {worth!r} of {state!r} is no number: give one.") from None
        return cls(
            moves,
            {state: worth for state, worth in worths.items() if state not in moves},
            turns,
            start=start or None,
            estimates={state: worth for state, worth in worths.items() if state in moves},
            agents=agents,
        )

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

    @property
    def has_chance(self) -> bool:
        """Is there a state where chance moves?"""
        return bool(self.probabilities)

    def to_move(self, state: Any) -> int:
        return self.turns.get(state, MAX)

    def chances(self, state: Any) -> Iterable[tuple[Any, float]]:
        return tuple(self.probabilities[state].items())

    def actions(self, state: Any) -> Iterable[Any]:
        return self.moves.get(state, ())

    def result(self, state: Any, action: Any) -> Any:
        return self.moves[state][action]

    def is_terminal(self, state: Any) -> bool:
        return state in self.utilities

    def utility(self, state: Any, player: int) -> float:
        return worth_to(player, self.utilities[state])

    def evaluate(self, state: Any, player: int) -> float:
        return worth_to(player, self.estimates.get(state, 0))

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        lower, upper = self.limits
        return (lower, upper) if player == MAX or not self.zero_sum else (-upper, -lower)

    def render(self, state: Any) -> str:
        """The tree from here down; a state that hangs in it twice is drawn once."""
        return "\n".join(self._drawn(state, "", set()))

    def _drawn(self, state: Any, indent: str, drawn: set[Any]) -> Iterator[str]:
        label = state if isinstance(state, str) else repr(state)
        if self.is_terminal(state):
            yield f"{label} = {written(self.utilities[state])}"
        elif state in drawn:
            yield f"{label} (drawn above)"
        elif len(indent) >= 3 * LEVELS:
            yield f"{label} ..."
        else:
            drawn.add(state)
            yield f"{label} {self._mover(state)}"
            last = len(self.moves[state]) - 1
            for index, (action, successor) in enumerate(self.moves[state].items()):
                branch, below = ("└─", "   ") if index == last else ("├─", "│  ")
                first, *rest = self._drawn(successor, indent + below, drawn)
                yield f"{indent}{branch} {self._labelled(state, action)}: {first}"
                yield from rest

    def _mover(self, state: Any) -> str:
        """Who moves, in capital letters."""
        turn = self.turns.get(state, MAX)
        if turn == CHANCE:
            return "CHANCE"
        if not self.zero_sum:
            return f"PLAYER {turn}"
        return "MAX" if turn == MAX else "MIN" if self.players == 2 else f"MIN {turn}"

    def _labelled(self, state: Any, action: Any) -> str:
        """An action, and where chance takes it how likely that is."""
        p = self.probabilities.get(state, {}).get(action)
        return str(action) if p is None else f"{action} ({float(p):.3g})"

    def scene(self, state: Any) -> Scene:
        """The tree, with a mark where play is; of a large one, the nearest states from here on."""
        shown = self._below(self.start)
        if len(shown) > STATES or state not in shown:
            shown = self._below(state)[: max(STATES, len(self.moves.get(state, ())) + 1)]
        places = self._places(shown)
        actions = self.moves.get(state, {})
        names = {action: self.action_name(action) for action in actions}
        shapes: list[Shape] = []
        pills: list[Shape] = []
        for above in shown:
            for action, below in self.moves.get(above, {}).items():
                if below in places:
                    shapes.append(line(*places[above], *places[below]))
                    at = names[action] if above == state else ""
                    pills += pill(places[above], places[below], self._labelled(above, action), at)
        shapes.append(circle(*places[state], 0.46, "win", label="play is here"))
        ways = list(actions.values())
        targets = {below: names[action] for action, below in actions.items() if ways.count(below) == 1}
        for each in shown:
            shapes += self._node(each, *places[each], targets.get(each, ""))
        shapes += pills
        right = max(shape.numbers[0] + max(0.2, LETTER / 2 * len(shape.text)) for shape in shapes)
        bottom = max(y for _, y in places.values())
        clicks = tuple((action, (name,)) for action, name in names.items())
        return Scene(right + 0.4, bottom + DOWN / 2, tuple(shapes), clicks, "none")

    def _below(self, state: Any) -> list[Any]:
        """The states that can be reached from here, the nearest first: all, or more than can be drawn."""
        found = {state: None}
        waiting = [state]
        for above in waiting:
            if len(found) > STATES:
                break
            new = [below for below in self.moves.get(above, {}).values() if below not in found]
            found |= dict.fromkeys(new)
            waiting += dict.fromkeys(new)
        return list(found)

    def _places(self, shown: list[Any]) -> dict[Any, tuple[float, float]]:
        """Where to draw states, the first of them on top: below what leads there, above where it leads."""
        levels: dict[Any, int] = dict.fromkeys(shown, 0)
        before = {
            state: [above for above in shown if state in self.moves.get(above, {}).values()]
            for state in shown
        }
        for state in TopologicalSorter(before).static_order():
            levels[state] = max((levels[above] + 1 for above in before[state]), default=0)
        columns: dict[Any, float] = {}
        slots = count()

        def place(state: Any) -> float:
            columns[state] = 0
            new = [below for below in self.moves.get(state, {}).values() if below in levels]
            own = [place(below) for below in new if below not in columns]
            columns[state] = (own[0] + own[-1]) / 2 if own else next(slots)
            return columns[state]

        place(shown[0])
        return {state: (ACROSS * (columns[state] + 0.5), DOWN * (levels[state] + 0.5)) for state in shown}

    def _node(self, state: Any, x: float, y: float, at: str) -> list[Shape]:
        """A triangle, up for MAX and down for MIN, a circle for chance, a box for the worth at the end."""
        name = state if isinstance(state, str) else repr(state)
        short = name if len(name) <= 8 else f"{name[:7]}…"
        if self.is_terminal(state):
            worth = written(self.utilities[state])
            half = 0.32 if self.zero_sum else 0.47  # several numbers need room
            box = rect(x - half, y - 0.24, 2 * half, 0.48, "cell", at=at, label=f"{name}, worth {worth}")
            size = 0.3 if self.zero_sum else min(0.3, 1.5 / len(worth))
            return [box, text(x, y, size, worth, "count", at=at), text(x, y + 0.6, 0.22, short)]
        turn = self.turns.get(state, MAX)
        up = 1 if turn == MAX else -1
        corners = [(x - 0.36, y + 0.28 * up), (x + 0.36, y + 0.28 * up), (x, y - 0.36 * up)]
        mover = self._mover(state)
        style = "max" if turn == MAX else "min"
        body = polygon(corners, style, at=at, label=f"{name}, {mover} to move")
        if turn == CHANCE:
            body = circle(x, y, 0.34, "piece", at=at, label=f"{name}, chance moves")
        if len(name) > 3:
            x += 0.48 + LETTER / 2 * len(short)
            y -= 0.2
        return [
            body,
            text(x, y, 0.22, short, "count"),
        ]

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
            for each in worth if isinstance(worth, tuple) else (worth,):
                if isinstance(each, Real):
                    continue
                raise BadParameterError(f"the utility {worth!r} of state {state!r} is no number: give one.")
        if self.start not in known:
            raise BadParameterError(f"the start {self.start!r} is not given: give its moves or its utility.")
        try:
            TopologicalSorter({state: below.values() for state, below in self.moves.items()}).prepare()
        except CycleError as error:
            states = " from ".join(repr(state) for state in error.args[1])
            raise BadParameterError(f"the moves go round in a circle ({states}): break it.") from None

    def _check_turns(self) -> None:
        for state in self._reached():
            turn = self.turns.get(state)
            if turn is None and state in self.moves:
                raise BadParameterError(
                    f"nobody moves in state {state!r}: give its turn, 0 for MAX or 1 for MIN."
                )
        for state, turn in self.turns.items():
            if not isinstance(turn, int) or turn < CHANCE:
                raise BadParameterError(
                    f"the turn {turn!r} of state {state!r} is no player: give 0, 1, 2, ..., "
                    f"or {', '.join(AGENTS)}."
                )

    def _checked(self, given: Mapping[Any, Mapping[Any, float]]) -> dict[Any, dict[Any, float]]:
        """The probabilities of every state where chance moves, in the order of its actions."""
        chance = [state for state in self.moves if self.turns.get(state) == CHANCE]
        if strangers := [state for state in given if state not in chance]:
            raise BadParameterError(
                f"state {strangers[0]!r} has probabilities, and chance does not move there: "
                "give it the turn CHANCE, or leave them out."
            )
        found: dict[Any, dict[Any, float]] = {}
        for state in chance:
            actions = self.moves[state]
            those = given.get(state) or dict.fromkeys(actions, 1 / len(actions))
            if those.keys() != actions.keys() or not all(p > 0 for p in those.values()):
                raise BadParameterError(
                    f"the probabilities {dict(those)!r} of state {state!r} are not those of its actions: "
                    "give each a number above 0."
                )
            if abs(sum(those.values()) - 1) > ADD_UP:
                raise BadParameterError(
                    f"the probabilities of state {state!r} add up to {float(sum(those.values())):g}: "
                    "let them add up to 1."
                )
            found[state] = {action: those[action] for action in actions}
        return found

    def _check_worths(self) -> None:
        """Numbers, or one number for every player; whether it is zero-sum follows."""
        worths = [*self.utilities.items(), *self.estimates.items()]
        tuples = [worth for _, worth in worths if isinstance(worth, tuple)]
        self.zero_sum = not tuples
        self.players = max([self.players, *map(len, tuples)])
        for state, worth in worths:
            if tuples and (not isinstance(worth, tuple) or len(worth) != self.players):
                raise BadParameterError(
                    f"the worth {worth!r} of state {state!r} is not one for each of {self.players} players: "
                    "give a tuple of them."
                )

    def _reached(self) -> list[Any]:
        """The states that can be reached from the start."""
        found = {self.start: None}
        waiting = [self.start]
        for state in waiting:
            new = [each for each in dict.fromkeys(self.moves.get(state, {}).values()) if each not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return waiting

    def _alternating(self, agents: int) -> dict[Any, int]:
        turns: dict[Any, int] = {self.start: MAX}
        waiting = [self.start]
        for state in waiting:
            for successor in self.moves.get(state, {}).values():
                turn = (turns[state] + 1) % agents
                if successor not in turns:
                    turns[successor] = turn
                    waiting.append(successor)
                elif turns[successor] != turn and successor in self.moves:
                    raise BadParameterError(
                        f"state {successor!r} can be reached at either player's turn: give turns."
                    )
        return turns


def worth_to(player: int, worth: Worth) -> float:
    """What a worth is to a player: what MAX gains, MIN loses, where there is one number."""
    if isinstance(worth, tuple):
        return worth[player]
    return worth if player == MAX else -worth


def written(worth: Worth) -> str:
    """A worth as people write it."""
    return f"({', '.join(f'{each:g}' for each in worth)})" if isinstance(worth, tuple) else f"{worth:g}"


def _words(lines: str, count: int, wanted: str) -> Iterator[list[str]]:
    """The words of every line that is not empty, so many of them."""
    for words in filter(None, map(str.split, lines.splitlines())):
        if len(words) != count:
            raise BadParameterError(f"cannot read the line {' '.join(words)!r}: give {wanted}.")
        yield words


def pill(above: tuple[float, float], below: tuple[float, float], words: str, at: str) -> list[Shape]:
    """The name of an action on its line, where the lines from one state are apart."""
    share = 0.56 * DOWN / (below[1] - above[1])
    x, y = (start + share * (end - start) for start, end in zip(above, below, strict=True))
    width = 0.12 + LETTER * len(words)
    return [
        rect(x - width / 2, y - 0.16, width, 0.32, "cell", at=at, label=at),
        text(x, y, 0.22, words, at=at),
    ]


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
