"""Recording: an algorithm of the textbook is run as it stands, and Python's own tracing looks on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from itertools import islice
from math import inf
from numbers import Real
from time import monotonic
from types import FrameType
from typing import Any

from perfectplay.game import Game, same_side
from perfectplay.textbook import Interval
from perfectplay.trace.document import ACTIONS, STATES, Entry, Event, Node
from perfectplay.trace.source import Source, written

HIDDEN = frozenset({"game", "state", "table", "cutoff_test", "evaluate", "_"})  # variables nobody asks for
MOST_SKIPPED = 1000  # actions named at one cut
LOOK = 64  # events between two looks at the clock
EVENTS_A_NODE = 4  # of a limit on events follows one on nodes: a cut may skip hundreds of them


class Full(BaseException):
    """Enough was recorded. No `except Exception` of a game may stop it."""


@dataclass
class Call:
    """A call of a function of the textbook that has not returned yet."""

    frame: FrameType
    node: int
    gives: str  # what the function returns, in the words of its annotation
    shown: dict[str, Any] = field(default_factory=dict)  # the variables as they were last recorded
    line: int = 0


@dataclass
class Loop:
    """A loop over the actions of a node."""

    lazy: bool  # are they generated one by one?
    taken: int = 0


class Recorder:
    """What happens in a run, as it happens: the events, and the tree that grows from them."""

    def __init__(
        self, game: Game[Any, Any], source: Source, player: int, *, limit: int, seconds: float
    ) -> None:
        self.game = game
        self.source = source
        self.player = player  # whose gain the values are
        self.limit = limit
        self.deadline = monotonic() + seconds
        self.events: list[Event] = []
        self.nodes: list[Node] = []
        self.entries: list[Entry] = []
        self.states: dict[Any, int] = {}  # and their numbers
        self.stopped = ""  # why it stopped early, if it did
        self.choosers: set[int] = set()  # nodes whose functions name their best action, if they have one
        self._calls: list[Call] = []
        self._loops: dict[int, Loop] = {}  # of the nodes
        self._newest: dict[Any, int] = {}  # the number of the entry of each state
        self._entered: int | None = None  # the node that the next call is about
        self._doubtful: set[int] = set()  # nodes whose values may rest on a bound that was taken for a value
        self._guessed: set[int] = set()  # nodes whose values may rest on an estimate
        self._answered: set[int] = set()  # nodes whose states the table knew, with something of use

    # The run.

    def run(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """What the function returns; None if it was stopped when enough was recorded."""
        self._entered = self._node(None, None, arguments["state"])
        file, game = function.__code__.co_filename, arguments["game"]

        def called(frame: FrameType, event: str, argument: Any) -> Any:
            if frame.f_code.co_filename == file and frame.f_locals.get("game") is game:
                return self._called(frame)  # rules may run the same function on a game of their own
            if not frame.f_code.co_flags & CO_GENERATOR and monotonic() > self.deadline:
                raise Full("the time was up")  # a generator may be about to be closed, where it would be lost
            return None

        before = sys.gettrace()
        sys.settrace(called)
        try:
            return function(**arguments)
        except Full as enough:
            self.stopped = str(enough)
        except RecursionError:
            self.stopped = "the line of play was too long for Python's stack"
        finally:
            sys.settrace(before)
        return None

    def _called(self, frame: FrameType) -> Any:
        """A function of the textbook is called: it is followed line by line."""
        if frame.f_code.co_name == "<lambda>":
            return self._followed  # it belongs to the call that it is in
        node = self._calls[-1].node if self._entered is None else self._entered
        self._entered = None
        function = frame.f_globals[frame.f_code.co_name]
        variables = frame.f_locals
        self._calls.append(Call(frame, node, function.__annotations__["return"], line=frame.f_lineno))
        if self.nodes[node].alpha is None and "alpha" in variables:
            self.nodes[node].alpha, self.nodes[node].beta = variables["alpha"], variables["beta"]
        self._record("call", {"function": function.__name__, **self._news(variables)})
        return self._followed

    def _followed(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Something happens in a function of the textbook."""
        if event == "line":
            self._calls[-1].line = frame.f_lineno
            variables = frame.f_locals
            self._record("line", self._news(variables))
            if frame.f_lineno in self.source.cuts:
                self._cut(variables)
        elif event == "return" and frame is self._calls[-1].frame:
            self._returned(frame, argument)
        return self._followed

    def _record(self, kind: str, data: dict[str, Any]) -> None:
        if len(self.events) >= self.limit:
            raise Full(f"{self.limit:,} events were recorded")
        if len(self.events) % LOOK == 0 and monotonic() > self.deadline:
            raise Full("the time was up")
        self.events.append(Event(kind, self._calls[-1].node, self._calls[-1].line, data))

    def _news(self, variables: dict[str, Any]) -> dict[str, Any]:
        """The variables that have changed since they were last recorded in this call."""
        shown = self._calls[-1].shown
        news = {}
        for name, value in variables.items():
            if name not in HIDDEN and (name not in shown or shown[name] is not value):
                shown[name] = value
                news[name] = self._said(name, value)
        return news

    def _said(self, name: str, value: Any) -> Any:
        """A variable as it can be shown."""
        if value is None:
            return None
        if name in ACTIONS:
            return self.game.action_name(value)
        if name in STATES:
            return value if isinstance(value, str) else f"state {self._state(value)}"
        return value if isinstance(value, Real) else str(value)

    # The tree.

    def _state(self, state: Any) -> int:
        return self.states.setdefault(state, len(self.states))

    def _node(self, parent: int | None, action: Any, state: Any) -> int:
        """A new node, for a state that the search is about to visit, or spared itself."""
        if len(self.nodes) > self.limit // EVENTS_A_NODE + 1:
            raise Full(f"{len(self.nodes):,} nodes were recorded")
        ply, name = 0, None
        if parent is not None:
            ply, name = self.nodes[parent].ply + 1, self.game.action_name(action)
        mover = self.game.to_move(state)
        role = "max" if same_side(mover, self.player) else "min"
        if self.game.is_terminal(state):
            role = "end"
        self.nodes.append(Node(parent, name, self._state(state), ply, role, mover))
        return len(self.nodes) - 1

    def _cut(self, variables: dict[str, Any]) -> None:
        """The loop over the actions is left: the rest of them are skipped."""
        number, state = self._calls[-1].node, variables["state"]
        node, loop = self.nodes[number], self._loops[number]
        node.cut = self.source.reason(self._calls[-1].line, variables)
        rest = list(islice(self.game.actions(state), loop.taken, loop.taken + MOST_SKIPPED))
        spared = [self._node(number, action, self.game.result(state, action)) for action in rest]
        for child in spared:
            self.nodes[child].skipped = node.cut
            self.nodes[child].generated = not loop.lazy
        self._record("cut", {"reason": node.cut, "nodes": spared})

    def _returned(self, frame: FrameType, answer: Any) -> None:
        """A value, or a move, goes up."""
        call = self._calls[-1]
        node = self.nodes[call.node]
        value, move = answer, frame.f_locals.get("best_move_for_state")
        if answer is not None and call.gives == "Pair":  # None: an error goes up
            value, move = answer
        elif call.gives.startswith("Action"):
            value, move = None, answer
        if "best_move_for_state" in frame.f_code.co_varnames:
            self.choosers.add(call.node)
        data: dict[str, Any] = {}
        if value is not None:
            node.value = data["value"] = value
        if move is not None:
            node.best = data["move"] = self.game.action_name(move)
        if node.leaf is None and call.node not in self._loops:
            if call.node in self._answered:  # by a narrow interval, or by a table that was given
                node.leaf = "table"
            else:
                node.leaf = "estimate"  # by a heuristic that came with the call
                self._guessed.add(call.node)
        self._record("return", data)
        self._calls.pop()
        if node.parent is not None:
            for doubts in (self._doubtful, self._guessed):
                if call.node in doubts:
                    doubts.add(node.parent)

    # What the game and the table tell.

    def looping(self, state: Any, *, lazy: bool) -> None:
        """A loop over the actions of the node begins."""
        self._loops[self._calls[-1].node] = Loop(lazy)

    def taking(self) -> None:
        """The loop takes its next action."""
        self._loops[self._calls[-1].node].taken += 1

    def trying(self, state: Any, action: Any, child: Any) -> None:
        """The node gets a child."""
        self._entered = self._node(self._calls[-1].node, action, child)
        self._record("try", {"node": self._entered, "action": self.nodes[self._entered].action})

    def ending(self, leaf: str) -> None:
        """The node is a leaf."""
        number = self._calls[-1].node
        self.nodes[number].leaf = leaf
        if leaf == "estimate":
            self._guessed.add(number)

    def looking(self, state: Any, *, found: bool) -> None:
        """The table knows the state, or does not."""
        if not found:
            self._record("miss", {})
            return
        call = self._calls[-1]
        if state not in self._newest:  # the table came with it
            self._answered.add(call.node)
            self._record("hit", {})
            return
        number = self._newest[state]
        entry = self.entries[number]
        depth = call.frame.f_locals.get("depth")
        usable = entry.believed or entry.depth == depth
        data: dict[str, Any] = {"entry": number} | ({} if usable else {"usable": False})
        if usable:
            self._answered.add(call.node)
        if usable and entry.believed:
            self.nodes[call.node].leaf = "table"
            if warning := self._misjudged(entry, depth):
                data["warning"] = warning
                self._doubtful.add(call.node)
        if entry.truth == "estimate":
            self._guessed.add(call.node)
        self._record("hit", data)

    def _misjudged(self, entry: Entry, depth: int | None) -> str:
        """What is wrong with taking the entry for the value, if anything is."""
        if entry.truth in ("at most", "at least"):
            bound = written(entry.upper)
            return f"the value is {entry.truth} {bound}, and is taken to be {bound}"
        if entry.truth == "doubtful":
            return "it may rest on a bound that was taken for a value"
        if entry.truth == "estimate" and entry.depth != depth:
            return f"an estimate from depth {entry.depth} is taken for one from depth {depth}"
        return ""

    def storing(self, state: Any, stored: Any) -> None:
        """The table gets an entry."""
        call = self._calls[-1]
        action = None if stored.action is None else self.game.action_name(stored.action)
        believed = not isinstance(stored, Interval)
        lower, upper = (stored.value, stored.value) if believed else (stored.lower, stored.upper)
        depth = call.frame.f_locals.get("depth")
        truth = self._truth(call.node, lower, upper, believed=believed)
        entry = Entry(self._state(state), call.node, lower, upper, action, depth, truth, believed)
        self.entries.append(entry)
        self._newest[state] = len(self.entries) - 1
        self._record("store", {"entry": self._newest[state]})

    def _truth(self, number: int, lower: float, upper: float, *, believed: bool) -> str:
        """What is really known of a value that the table is given."""
        node = self.nodes[number]
        if node.leaf == "end":
            return "exact"
        if believed and node.leaf is None and node.alpha is not None and node.beta is not None:
            if upper <= node.alpha:
                return "at most"
            if lower >= node.beta:
                return "at least"
        if lower < upper:
            return "at least" if upper == inf else "at most" if lower == -inf else "between"
        if number in self._doubtful:
            return "doubtful"
        return "estimate" if number in self._guessed else "exact"
