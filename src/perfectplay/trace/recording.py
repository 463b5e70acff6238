"""Recording: an algorithm of the textbook is run as it stands, and Python's own tracing looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from numbers import Real
from types import FrameType
from typing import Any

from perfectplay.game import Game
from perfectplay.textbook import Interval
from perfectplay.trace.document import ACTIONS, STATES, Entry, Event
from perfectplay.trace.record import Record, View
from perfectplay.trace.source import Source, worth, written

HIDDEN = frozenset(  # variables nobody asks for, and those that are made of states
    {"game", "state", "table", "cutoff_test", "evaluate", "_", ".0", "actions", "outcomes", "successors"}
    | {"successor", "rest", "others", "first"}
)
MOST_SKIPPED = 1000  # actions named at one cut
PROBE = "probe"  # the function of Star2 that looks at one action
VALUE, MOVE, VALUES, LIMITS = "value", "move", "values", "limits"  # what functions return
GIVES = {  # by their annotations; whatever has another is no answer about its state
    "float": (VALUE,),
    "Pair": (VALUE, MOVE),
    "Action": (MOVE,),
    "Action | None": (MOVE,),
    "Values": (VALUES,),
    "tuple[Values, Any]": (VALUES, MOVE),
    "tuple[float, float]": (LIMITS,),
}


@dataclass
class Child:
    """A successor that a call has made, and the functions that it was handed to."""

    node: int
    state: Any
    handed: set[str] = field(default_factory=set)


@dataclass
class Call:
    """A call of a function of the textbook that has not returned yet."""

    frame: FrameType
    node: int
    gives: tuple[str, ...]  # what the function returns
    shown: dict[str, Any] = field(default_factory=dict)  # the variables as they were last recorded
    line: int = 0
    children: list[Child] = field(default_factory=list)  # where chance moves, all of them; else the newest


@dataclass
class Loop:
    """A loop over the actions of a node."""

    lazy: bool  # are they generated one by one?
    taken: int = 0


class Recorder(Record):
    """The record of a search that calls itself: every call, line and value, the table, and what was cut."""

    def __init__(
        self,
        game: Game[Any, Any],
        source: Source,
        view: View,
        *,
        limit: int,
        seconds: float,
        cut_off: bool = False,
    ) -> None:
        super().__init__(game, view, limit=limit, seconds=seconds, cut_off=cut_off)
        self.source = source
        self.entries: list[Entry] = []
        self.choosers: set[int] = set()  # nodes whose functions name their best action, if they have one
        self._calls: list[Call] = []
        self._loops: dict[int, Loop] = {}  # of the nodes
        self._odds: dict[int, dict[Any, float]] = {}  # of what chance may do at a node
        self._newest: dict[Any, int] = {}  # the number of the entry of each state
        self._doubtful: set[int] = set()  # nodes whose values may rest on a bound that was taken for a value
        self._guessed: set[int] = set()  # nodes whose values may rest on an estimate
        self._answered: set[int] = set()  # nodes whose states the table knew, with something of use

    # The run.

    def run(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """What the function returns; None if it was stopped when enough was recorded."""
        self._file, self._watched = function.__code__.co_filename, arguments["game"]
        self._node(None, None, arguments["state"])
        return super().run(function, arguments)

    def _followed(self, frame: FrameType) -> Any:
        """A function of the textbook is called: it is followed line by line."""
        if frame.f_code.co_filename != self._file or frame.f_locals.get("game") is not self._watched:
            return None  # rules may run the same function on a game of their own
        if frame.f_code.co_name.startswith("<"):
            return self._told  # it belongs to the call that it is in
        function = frame.f_globals[frame.f_code.co_name]
        variables = frame.f_locals
        node = self._about(function.__name__, variables["state"])
        gives = GIVES.get(function.__annotations__["return"], ())
        self._calls.append(Call(frame, node, gives, line=frame.f_lineno))
        if self.nodes[node].alpha is None and "alpha" in variables:
            self.nodes[node].alpha, self.nodes[node].beta = variables["alpha"], variables["beta"]
        self._record("call", {"function": function.__name__, **self._news(variables)})
        return self._told

    def _about(self, function: str, state: Any) -> int:
        """The node that a call is about: a child of the call that it is made in, or the same as that."""
        if not self._calls:
            return 0
        for child in self._calls[-1].children:
            if child.state is state and function not in child.handed:
                child.handed.add(function)
                return child.node
        return self._calls[-1].node

    def _told(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Something happens in a function of the textbook."""
        call = self._calls[-1]
        if event == "line":
            variables, again = frame.f_locals, frame.f_lineno == call.line
            call.line = frame.f_lineno
            news = self._news(variables)
            if news or not again or frame is call.frame:  # an expression within a line is no line of its own
                self._record("line", news)
            if frame.f_lineno in self.source.cuts:
                self._cut(variables)
        elif event == "return" and frame is self._calls[-1].frame:
            self._returned(frame, argument)
        return self._told

    def _record(self, kind: str, data: dict[str, Any]) -> None:
        self._add(Event(kind, self._calls[-1].node, self._calls[-1].line, data))

    def _news(self, variables: dict[str, Any]) -> dict[str, Any]:
        """The variables that have changed since they were last recorded in this call."""
        shown = self._calls[-1].shown
        news = {}
        for name, value in variables.items():
            if name in HIDDEN:
                continue
            seen = str(value) if isinstance(value, list) else value  # a list may be changed in its place
            if name not in shown or not _is_same(shown[name], seen):
                shown[name] = seen
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
        if name == "best":  # of max^n: values, and the action that gets them
            return f"{worth(value[0])} by {self.game.action_name(value[1])}"
        if name == "limits" and isinstance(value, list):
            return " ".join(map(worth, value))
        return value if isinstance(value, Real) else worth(value)

    # The tree.

    def _cut(self, variables: dict[str, Any]) -> None:
        """The loop over the actions, or over what chance may do, is left: the rest of them are skipped."""
        call = self._calls[-1]
        node = self.nodes[call.node]
        node.cut = self.source.reason(call.line, variables)
        if node.role == "chance":
            spared = [child.node for child in call.children if not child.handed]
        else:
            spared = self._untaken(call.node, variables["state"])
        for child in spared:
            self.nodes[child].skipped = node.cut
        self._record("cut", {"reason": node.cut, "nodes": spared})

    def _untaken(self, number: int, state: Any) -> list[int]:
        """Nodes for the actions that the loop has not come to."""
        loop = self._loops[number]
        plain = state[0] if self.cut_off else state
        rest = list(islice(self.game.actions(plain), loop.taken, loop.taken + MOST_SKIPPED))
        spared = []
        for action in rest:
            after = self.game.result(plain, action)
            spared.append(self._node(number, action, (after, 0) if self.cut_off else after))
            self.nodes[spared[-1]].generated = not loop.lazy
        return spared

    def _returned(self, frame: FrameType, answer: Any) -> None:
        """A value, or a move, goes up."""
        call = self._calls[-1]
        node = self.nodes[call.node]
        parts = (answer,) if len(call.gives) == 1 or answer is None else answer  # None: an error goes up
        told = {name: part for name, part in zip(call.gives, parts, strict=False) if part is not None}
        if LIMITS in call.gives and answer is not None:
            told = {LIMITS: list(answer)}
        move = told.pop(MOVE, frame.f_locals.get("best_move_for_state"))
        if "best_move_for_state" in frame.f_code.co_varnames:
            self.choosers.add(call.node)
        for name, part in told.items():
            told[name] = list(part) if name == VALUES else part
            setattr(node, name, told[name])
        if move is not None:
            node.best = told[MOVE] = self.game.action_name(move)
        if VALUE in told and node.leaf is None and call.node not in self._loops:
            if call.node in self._answered:  # by a narrow interval, or by a table that was given
                node.leaf = "table"
            else:
                node.leaf = "estimate"  # by a heuristic that came with the call
                self._guessed.add(call.node)
        self._record("return", told)
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

    def chancing(self, chances: Iterable[tuple[Any, float]]) -> None:
        """Chance moves at the node: this may happen."""
        number = self._calls[-1].node
        self._loops[number] = Loop(lazy=False)
        self._odds[number] = dict(chances)

    def trying(self, state: Any, action: Any, child: Any) -> None:
        """The node gets a child."""
        call = self._calls[-1]
        number = self._node(call.node, action, child)
        node = self.nodes[number]
        if self.nodes[call.node].role == "chance":
            call.children.append(Child(number, child))
            node.probability = self._probability(call.node, state, action)
        else:
            call.children = [Child(number, child)]
        if call.frame.f_code.co_name == PROBE:
            node.probe = True
        self._record("try", {"node": number, "action": node.action})

    def _probability(self, number: int, state: Any, action: Any) -> float:
        """How likely it is that chance takes this action, or who moves at random."""
        if number not in self._odds:
            actions = list(self.game.actions(state))
            self._odds[number] = dict.fromkeys(actions, 1 / len(actions))
        return self._odds[number][action]

    def ending(self, leaf: str) -> None:
        """The node is a leaf: the game is over there, or the search goes no further."""
        node = self.nodes[self._calls[-1].node]
        node.leaf = "estimate" if node.role != "end" else leaf
        if node.leaf == "estimate":
            self._guessed.add(self._calls[-1].node)

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


def _is_same(before: Any, now: Any) -> bool:
    """Is a variable what it was? Of a list it is the text that is compared."""
    return before is now or (isinstance(before, str) and isinstance(now, str) and before == now)
