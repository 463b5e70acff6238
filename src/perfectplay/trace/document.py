"""Trace: a run of an algorithm as data, with its tree, its totals and its pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from html import escape
from math import inf
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.errors import BadTraceError
from perfectplay.files import write_whole

FORMAT = "perfectplay-trace"
VERSION = 2
READABLE = (1, 2)  # what is new in 2 is chance, many players and playouts: all else is as it was
ACTIONS = frozenset(  # variables of the textbook
    {"a", "a2", "action", "move", "best_move_for_state", "outcome", "r"}
)
STATES = frozenset({"state", "child_state"})
WORDS = frozenset(  # the names of what is no number, though it may be called "inf"
    {"game", "algorithm", "summary", "values_to", "file", "note", "action", "best", "cut", "skipped", "role"}
    | {"leaf", "truth", "function", "reason", "warning", "why", "moves", "players", *ACTIONS, *STATES}
)
LISTS = frozenset({"values", "limits", "totals", "result", "scores"})  # of numbers
PHASES = ("select", "expand", "simulate", "backup")  # of a playout
KINDS = ("call", "line", "try", "miss", "hit", "store", "cut", "return", *PHASES)


class Event(NamedTuple):
    """One step of a run: what happened, at which node, and in which line of the source."""

    kind: str  # one of KINDS
    node: int
    line: int
    data: dict[str, Any]


@dataclass
class Node:
    """A state of the game where it stands in the tree of the search."""

    parent: int | None
    action: str | None  # that led here
    state: int  # its number among the states
    ply: int
    # Who chooses here, as the algorithm sees it: "max" or "min"; "player" where everybody plays for itself;
    # "chance" where nobody does; "end" where the game is over.
    role: str
    player: int  # who is to move; -1 is chance
    alpha: float | None = None  # the window on entering
    beta: float | None = None
    value: float | None = None  # what the search returned for it
    best: str | None = None  # the action that gained the value
    leaf: str | None = None  # why nothing hangs below: "end", "estimate" or "table"
    cut: str | None = None  # the comparison that ended the loop over its actions
    skipped: str | None = None  # of a node that was never visited: the comparison that spared it
    generated: bool = True  # of such a node: was its action ever generated?
    probability: float | None = None  # of the outcome that led here, where chance moved
    values: list[float] | None = None  # to every player, where each has its own
    limits: list[float] | None = None  # what a look at one of its actions has proven of the value
    probe: bool | None = None  # was it only looked at to find such limits?
    visits: int | None = None  # playouts through it; the value is their average then


@dataclass
class Entry:
    """What was stored in the table, and what it is worth believing."""

    state: int
    node: int
    lower: float  # equal to upper where the algorithm stores one value
    upper: float
    action: str | None
    depth: int | None
    truth: str  # what the value really is: "exact", "at most", "at least", "between", "estimate", "doubtful"
    believed: bool  # does the algorithm take it for exact, whatever it is?


@dataclass
class Board:
    """A state as it is shown: its text, and its shapes by number where the game has a scene."""

    text: str
    width: float = 0
    height: float = 0
    shapes: list[int] = field(default_factory=list)
    colours: str = ""  # of the pieces, as the scene says


@dataclass
class Trace:
    """A run of an algorithm of the textbook, recorded line by line.

    `nodes[0]` is the root; `events` are the steps in their order. It is complete unless `note` says
    where it stopped. docs/trace-format.md describes the JSON.
    """

    game: str
    algorithm: str
    summary: str
    values_to: str  # whose gain the values are: "MAX", "MIN", a player's name, or "every player"
    moves: list[str]  # that led to the root
    depth: int | None
    file: str
    code: list[tuple[int, str]]
    nodes: list[Node]
    events: list[Event]
    entries: list[Entry]
    states: list[Board]
    shapes: list[dict[str, Any]]
    value: float | None
    action: str | None
    complete: bool
    note: str
    players: list[str] = field(default_factory=list)  # their names, where every one has values of its own
    values: list[float] | None = None  # what came out for each of them
    playouts: int | None = None  # that were asked for, and the constant C of UCB1
    c: float | None = None

    @property
    def totals(self) -> dict[str, int]:
        """What the run cost, as `perfectplay textbook` counts it, and what it did not cost."""
        count = {kind: sum(event.kind == kind for event in self.events) for kind in KINDS}
        visited = [node for node in self.nodes if node.skipped is None]
        return {
            "nodes": len(visited),
            "leaves": sum(node.leaf is not None for node in visited),
            "deepest": max(node.ply for node in visited),
            "prunings": count["cut"],
            "skipped": len(self.nodes) - len(visited),
            "never_generated": sum(not node.generated for node in self.nodes),
            "table_hits": count["hit"],
            "table_misses": count["miss"],
            "table_stores": count["store"],
            "table_entries": len({entry.state for entry in self.entries}),
            "bounds_believed": sum(_is_misjudged(entry) for entry in self.entries),
            "chance_nodes": sum(node.role == "chance" for node in visited),
            "playouts": count["simulate"],
            "events": len(self.events),
        }

    @property
    def children(self) -> list[list[int]]:
        """The nodes below each node, those that were skipped included, in the order of the actions."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            if node.parent is not None:
                below[node.parent].append(number)
        return below

    # As data.

    def to_dict(self) -> dict[str, Any]:
        """What JSON can hold: infinities are the words "inf" and "-inf", and what is None is left out."""
        head = {"format": FORMAT, "version": VERSION}
        return (
            head
            | {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
            | {"totals": self.totals}
        )

    def to_json(self) -> str:
        """The trace as JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the JSON to a file."""
        write_whole(path, self.to_json())

    @classmethod
    def from_dict(cls, data: Any) -> Trace:
        """The trace that `to_dict` gave this for."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadTraceError(f"this is no trace: it does not say that its format is {FORMAT!r}.")
        if data.get("version") not in READABLE:
            raise BadTraceError(
                f"this trace has version {data.get('version')!r}, and {VERSION} is what can be read here: "
                "record it again, or update perfectplay."
            )
        try:
            given = {each.name: _revived(data.get(each.name), each.name) for each in fields(cls)}
            given["players"] = data.get("players") or []
            given["code"] = [(number, text) for number, text in data["code"]]
            given["events"] = [
                Event(e[0], e[1], e[2], _revived(e[3]) if e[3:] else {}) for e in data["events"]
            ]
            given["nodes"] = [Node(**_fields(Node, each)) for each in data["nodes"]]
            given["entries"] = [Entry(**_fields(Entry, each)) for each in data["entries"]]
            given["states"] = [Board(**each) for each in data["states"]]
            made = cls(**given)
            made._check()
        except (TypeError, KeyError, IndexError, ValueError, AttributeError) as error:
            raise BadTraceError(f"this trace is damaged ({error}): record it again.") from None
        return made

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Trace:
        """The trace that was saved in a file."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadTraceError(f"cannot read {str(path)!r}: {error.strerror}.") from None
        except (ValueError, RecursionError):
            raise BadTraceError(f"{str(path)!r} holds no JSON: give a file that Trace.save wrote.") from None
        return cls.from_dict(data)

    def _check(self) -> None:
        """Are all the numbers that refer to something those of something?"""
        for number, node in enumerate(self.nodes):
            if not (0 <= node.state < len(self.states) and (node.parent is None) == (number == 0)):
                raise ValueError(f"node {number}")
            if node.parent is not None and not 0 <= node.parent < number:
                raise ValueError(f"node {number}")
        for number, event in enumerate(self.events):
            if event.kind not in KINDS or not 0 <= event.node < len(self.nodes):
                raise ValueError(f"event {number}")

    # As something to look at.

    def to_text(self, *, most: int | None = None) -> str:
        """The tree as indented text, of at most so many lines."""
        from perfectplay.trace.text import drawn

        return drawn(self, most)

    def to_svg(self, path: str | PathLike[str] | None = None) -> str:
        """A still picture of the tree; also written to a file if one is given."""
        from perfectplay.trace.picture import drawn

        return _written(drawn(self), path)

    def to_html(self, path: str | PathLike[str] | None = None, *, beside: Trace | None = None) -> str:
        """A page with the player, in one file that needs no other; `beside` another trace to compare."""
        from perfectplay.trace.page import page

        return _written(page(self, beside), path)

    def _repr_html_(self) -> str:
        """The player, for a notebook."""
        held = escape(self.to_html(), quote=True)
        return (
            f'<iframe srcdoc="{held}" sandbox="allow-scripts" title="{escape(self.algorithm)}" width="100%" '
            'height="720" style="border:1px solid #8886;border-radius:8px;box-sizing:border-box"></iframe>'
        )

    def __repr__(self) -> str:
        at = "" if self.complete else ", incomplete"
        return f"<Trace of {self.algorithm} on {self.game}: {len(self.events):,} events{at}>"


def _is_misjudged(entry: Entry) -> bool:
    """Does the algorithm take a bound for the value?"""
    return entry.believed and entry.truth in ("at most", "at least")


def _written(text: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        write_whole(path, text)
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value != value:
        return None  # nan, which JSON does not have
    if isinstance(value, float) and value in (inf, -inf):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, Event):
        return [value.kind, value.node, value.line, *([_plain(value.data)] if value.data else [])]
    if isinstance(value, Node | Entry):
        return {name: _plain(each) for name, each in asdict(value).items() if each is not None}
    if isinstance(value, Board):
        return {"text": value.text} if not value.width else asdict(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | str | None) else _number(value)


def _number(value: Any) -> Any:
    """A fraction, say, as JSON can have it."""
    return float(value) if isinstance(value, Real) else str(value)


def _revived(value: Any, name: str = "") -> Any:
    """The same with its infinities as numbers, wherever a number may stand."""
    if isinstance(value, dict):
        return {key: _revived(each, key) for key, each in value.items()}
    if name in LISTS and isinstance(value, list):
        return [_revived(each, name) for each in value]
    if name not in WORDS and isinstance(value, str):
        return {"inf": inf, "-inf": -inf}.get(value, value)
    return value


def _fields(made: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a node or an entry; what was None is not there, and what has a default may be missing."""
    known = [each for each in fields(made) if each.name in data or each.default is MISSING]
    return {each.name: _revived(data.get(each.name), each.name) for each in known}
