"""Record: what every recording has, whatever it looks on at: events, a tree that grows, and an end."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from inspect import CO_GENERATOR
from time import monotonic
from types import FrameType
from typing import Any

from perfectplay.game import CHANCE, MAX, Game, same_side
from perfectplay.trace.document import Event, Node

LOOK = 64  # events between two looks at the clock
EVENTS_A_NODE = 4  # of a limit on events follows one on nodes: a cut may skip hundreds of them


class Full(BaseException):
    """Enough was recorded. No `except Exception` of a game may stop it."""


@dataclass(frozen=True)
class View:
    """How an algorithm sees who moves."""

    player: int  # whose gain the values are
    kind: str = "sides"  # or "paranoid": one against all; "random": all but MAX move at random;
    # "players": everybody for themselves

    def role(self, mover: int) -> str:
        """What happens where this player is to move: "max", "min", "chance" or "player"."""
        if mover == CHANCE or (self.kind == "random" and mover != MAX):
            return "chance"
        if self.kind == "players":
            return "player"
        alike = mover == self.player if self.kind == "paranoid" else same_side(mover, self.player)
        return "max" if alike else "min"


class Record(ABC):
    """What happens in a run, as it happens: the events, and the tree that grows from them.

    `cut_off` says that the states of the search are pairs, with the moves that are left: `CutOff` has them.
    """

    def __init__(
        self, game: Game[Any, Any], view: View, *, limit: int, seconds: float, cut_off: bool = False
    ) -> None:
        self.game = game
        self.view = view
        self.limit = limit
        self.deadline = monotonic() + seconds
        self.cut_off = cut_off
        self.events: list[Event] = []
        self.nodes: list[Node] = []
        self.states: dict[Any, int] = {}  # and their numbers
        self.stopped = ""  # why it stopped early, if it did

    def run(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """What the function returns; None if it was stopped when enough was recorded."""

        def called(frame: FrameType, event: str, argument: Any) -> Any:
            if follow := self._followed(frame):
                return follow
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

    @abstractmethod
    def _followed(self, frame: FrameType) -> Any:
        """What is to be told of the lines of a function that is called; None: nothing."""

    def _add(self, event: Event) -> None:
        if len(self.events) >= self.limit:
            raise Full(f"{self.limit:,} events were recorded")
        if len(self.events) % LOOK == 0 and monotonic() > self.deadline:
            raise Full("the time was up")
        self.events.append(event)

    def _state(self, state: Any) -> int:
        """The number of a state, as the search has it."""
        return self._numbered(state[0] if self.cut_off else state)

    def _numbered(self, state: Any) -> int:
        return self.states.setdefault(state, len(self.states))

    def _node(self, parent: int | None, action: Any, state: Any) -> int:
        """A new node, for a state that the search is about to visit, or spared itself."""
        if len(self.nodes) > self.limit // EVENTS_A_NODE + 1:
            raise Full(f"{len(self.nodes):,} nodes were recorded")
        plain = state[0] if self.cut_off else state
        ply, name = 0, None
        if parent is not None:
            ply, name = self.nodes[parent].ply + 1, self.game.action_name(action)
        mover = self.game.to_move(plain)
        role = "end" if self.game.is_terminal(plain) else self.view.role(mover)
        self.nodes.append(Node(parent, name, self._numbered(plain), ply, role, mover))
        return len(self.nodes) - 1
