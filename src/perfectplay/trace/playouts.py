"""Recording a search by playouts: the four phases of each, one after the other, as the textbook has them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from functools import cache
from math import log, sqrt
from types import FrameType
from typing import Any

from perfectplay.game import Game
from perfectplay.textbook import Node as SearchNode
from perfectplay.textbook import monte_carlo_tree_search
from perfectplay.trace.document import Event
from perfectplay.trace.record import Record, View

PLAYOUTS = 40  # where nobody says: as many as one can watch
MOST_MOVES = 60  # of a playout that are told
Place = SearchNode[Any, Any]  # in the tree of the search itself


class PlayoutRecorder(Record):
    """The record of a search by playouts.

    Selection is an event at every node that it comes through, with the terms of UCB1 where somebody
    chooses; then come expansion, simulation, and back-propagation with an event at every node on the way up.
    """

    def __init__(self, game: Game[Any, Any], view: View, *, limit: int, seconds: float) -> None:
        super().__init__(game, view, limit=limit, seconds=seconds)
        self.tree: Place | None = None
        self._numbers: dict[int, int] = {}  # the node of each place, which the tree keeps alive
        self._main: FrameType | None = None
        self._constant = 0.0  # C of UCB1
        self._at: Place | None = None  # where selection is
        self._line = 0
        self._playout: list[Any] = []  # the states of the simulation, and the actions between them
        self._actions: list[str] = []

    def run(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """The action that was tried most often; None if it was stopped when enough was recorded."""
        self.tree = arguments["tree"]
        assert self.tree is not None
        self._numbers[id(self.tree)] = self._node(None, None, self.tree.state)
        self._constant = arguments["c"]
        return super().run(function, arguments)

    def _followed(self, frame: FrameType) -> Any:
        name, code = frame.f_code.co_name, monte_carlo_tree_search.__code__
        if frame.f_code is code and self._main is None and frame.f_locals.get("tree") is self.tree:
            self._main = frame
            self._record("call", 0, frame.f_lineno, {"function": name})
            return self._searching
        if (
            frame.f_back is not self._main
            or self._main is None
            or frame.f_code.co_filename != code.co_filename
        ):
            return None  # rules may search on their own
        return {
            "select": self._selecting,
            "expand": self._expanding,
            "simulate": self._simulating,
            "back_propagate": self._going_up,
        }.get(name)

    def _record(self, kind: str, node: int, line: int, data: dict[str, Any]) -> None:
        self._add(Event(kind, node, line, data))

    def _number(self, place: Place) -> int:
        return self._numbers[id(place)]

    # The search itself.

    def _searching(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._line = frame.f_lineno
        elif event == "return":
            data = {} if argument is None else {"move": self.game.action_name(argument)}
            self._record("return", 0, self._line, data)
        return self._searching

    # Selection.

    def _selecting(self, frame: FrameType, event: str, argument: Any) -> Any:
        at = argument if event == "return" else frame.f_locals.get("leaf")
        if self._at is not None and at is not None and at is not self._at:
            self._record("select", self._number(self._at), self._line, self._choice(self._at, at))
        self._at = at if event == "line" else None
        if event == "return" and argument is not None:  # None: an error goes up
            why = "over" if argument.over else "untried"
            self._record("select", self._number(argument), self._line, {"why": why})
        self._line = frame.f_lineno
        return self._selecting

    def _choice(self, place: Place, chosen: Place) -> dict[str, Any]:
        """The child that is taken, and what UCB1 says of all of them where a player chooses."""
        data: dict[str, Any] = {"chosen": self._number(chosen)}
        if self.nodes[self._number(place)].role == "chance":
            return data
        scores = []
        for child in place.children.values():
            bonus = self._constant * sqrt(log(place.playouts) / child.playouts)
            average = child.average(place.player)
            scores.append([self._number(child), average, bonus, average + bonus])
        return data | {"scores": scores}

    # Expansion.

    def _expanding(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._line = frame.f_lineno
        elif event == "return" and argument is not None:
            leaf: Place = frame.f_locals["leaf"]
            number = self._number(leaf)
            data: dict[str, Any] = {}
            if argument is not leaf:
                action = frame.f_locals["action"]
                child = self._numbers[id(argument)] = self._node(number, action, argument.state)
                if self.nodes[number].role == "chance":
                    self.nodes[child].probability = dict(self.game.chances(leaf.state))[action]
                data = {"node": child, "action": self.nodes[child].action}
            self._record("expand", number, self._line, data)
            self._playout, self._actions = [argument.state], []
            self._at = argument
        return self._expanding

    # Simulation.

    def _simulating(self, frame: FrameType, event: str, argument: Any) -> Any:
        state = frame.f_locals.get("state")
        if state is not self._playout[-1] and len(self._actions) < MOST_MOVES:
            self._actions.append(self.game.action_name(frame.f_locals["action"]))
        self._playout[-1] = state
        if event == "line":
            self._line = frame.f_lineno
        elif event == "return" and argument is not None:
            assert self._at is not None
            moves = {"moves": self._actions} | ({"more": True} if len(self._actions) == MOST_MOVES else {})
            data = moves | {"state": self._state(state), "result": list(argument)}
            self._record("simulate", self._number(self._at), self._line, data)
        return self._simulating

    # Back-propagation.

    def _going_up(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" and frame.f_lineno == _last_line_of_the_loop():
            place: Place = frame.f_locals["node"]
            data = {"visits": place.playouts, "totals": list(place.totals)}
            self._record("backup", self._number(place), self._line, data)
        self._line = frame.f_lineno
        if event == "return":
            self._at = None
        return self._going_up

    def complete(self) -> None:
        """Give the nodes their playouts and averages, and the actions that were tried most often."""
        assert self.tree is not None
        waiting = [self.tree]
        for place in waiting:
            node = self.nodes[self._number(place)]
            node.visits = place.playouts
            averages = [total / place.playouts for total in place.totals] if place.playouts else []
            if averages and self.view.kind == "players":
                node.values = averages
            elif averages:
                node.value = averages[0]
            if place.over:
                node.leaf = "end"
            if place.children and node.role != "chance":
                best = max(place.children, key=lambda action: place.children[action].playouts)
                node.best = self.game.action_name(best)
            waiting += [child for child in place.children.values() if id(child) in self._numbers]


@cache
def _last_line_of_the_loop() -> int:
    """The line of back_propagate that goes one node up: all is added to the node by then."""
    module = inspect.getmodule(monte_carlo_tree_search)
    assert module is not None
    functions = ast.parse(inspect.getsource(module)).body
    function = next(each for each in functions if getattr(each, "name", "") == "back_propagate")
    loop = next(each for each in ast.walk(function) if isinstance(each, ast.While))
    return loop.body[-1].lineno
