"""Statistics: how many positions of each kind there are, level by level and by plies to the end."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import rules_digest
from perfectplay.errors import BadTablebaseError
from perfectplay.game import MAX, Game, same_side
from perfectplay.tablebase.build_state import check_counts, open_level, stored_encoding
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.encoding import Encoding, layout_from
from perfectplay.tablebase.identity import registered_game
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import stored_values
from perfectplay.tablebase.ranks import Ranks
from perfectplay.tablebase.rows import Words
from perfectplay.tablebase.storage import read_manifest
from perfectplay.tablebase.table import Tablebase
from perfectplay.tablebase.unverified import unverified

KINDS = ("MAX wins", "MIN wins", "tie", "draw")
FOR_MOVER = ("win", "loss")  # ties and draws are the same to both
PART = 1 << 18  # positions counted at a time
MANY = 300_000  # positions for which it pays to compile whose turn it is
FILLS = dict(zip(KINDS, ("#2f6fb2", "#c4622d", "#9aa1a9", "#d9b24a"), strict=True))
WIDE, HIGH, EDGE = 760, 200, 56  # of a panel of the plot
PANEL, TITLE, LEGEND = HIGH + 62, 32, 28  # how high its parts are

Counts = dict[str, int]  # positions by kind


@dataclass
class Statistics:
    """Counts of positions by outcome: in all, by level, and by remoteness.

    Who wins is always known; whether it is the player to move, only where the game is.
    """

    game: str
    positions: int
    outcomes: Counts
    levels: list[Counts]
    remoteness: dict[int, Counts]
    longest: dict[str, tuple[int, Any]]  # plies to the end, and a position that needs them
    rules: Game[Any, Any] | None  # None: not known here, and positions are tuples of their numbers

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        told: dict[str, Any] = {
            "game": self.game,
            "positions": self.positions,
            "outcomes": _only(KINDS, self.outcomes),
            "levels": [_only(KINDS, counts) for counts in self.levels],
            "remoteness": {str(end): _only(KINDS, counts) for end, counts in self.remoteness.items()},
            "longest": {
                kind: {"plies": plies, "state": repr(state)} for kind, (plies, state) in self.longest.items()
            },
        }
        if self.rules is not None:
            told["for_player_to_move"] = {
                "outcomes": _only(FOR_MOVER, self.outcomes),
                "levels": [_only(FOR_MOVER, counts) for counts in self.levels],
                "remoteness": {str(end): _only(FOR_MOVER, counts) for end, counts in self.remoteness.items()},
            }
        return told


def _only(kinds: Sequence[str], counts: Counts) -> Counts:
    return {kind: counts[kind] for kind in kinds if kind in counts}


def statistics(path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> Statistics:
    """Count the positions of a tablebase; of a game that is not given and not ours, all but who moves."""
    directory = Path(path)
    manifest = read_manifest(directory)
    rules = game if game is not None else _registered(manifest)
    if rules is not None:
        Tablebase(directory, rules, compile="never").close()  # which refuses other rules and broken files
    return _Count(directory, manifest, rules).counted()


def _registered(manifest: dict[str, Any]) -> Game[Any, Any] | None:
    """The game of a tablebase, if it is one of ours and its rules are still the same."""
    game = registered_game(str(manifest.get("game")))
    return game if game is not None and rules_digest(game) == manifest["rules"] else None


class _Count:
    """The counts as they grow: a column for each kind, who wins first."""

    def __init__(self, directory: Path, manifest: dict[str, Any], rules: Game[Any, Any] | None) -> None:
        if manifest["phase"] != "done":
            raise BadTablebaseError(
                f"the tablebase in {str(directory)!r} is not finished: build it again, and it goes on."
            )
        self.directory = directory
        self.manifest = manifest
        self.rules = rules
        self.encoding = None if rules is None else stored_encoding(manifest, rules)
        check_counts(manifest, len(manifest["start"]) if self.encoding is None else self.encoding.form.count)
        self.names = KINDS if rules is None else (*KINDS, *FOR_MOVER)
        self.kinds = np.array([*(_kind(value) for value in stored_values(manifest)), 3], np.int64)
        ranks = None
        if rules is not None and self.encoding is not None and "by_rank" in manifest:
            ranks = Ranks(rules, self.encoding)
        count = len(manifest["levels"])
        self.levels = [open_level(directory, manifest, number, ranks) for number in range(count)]
        self.movers = (
            None if rules is None or self.encoding is None else _Movers(rules, self.encoding, manifest)
        )
        self.timed = "outcomes" not in manifest  # or else nobody knows how far the end is
        self.by_end = np.zeros((len(self.names), FAR + 1), np.int64)
        self.longest: dict[str, tuple[int, Any]] = {}

    def counted(self) -> Statistics:
        """All of them."""
        levels = [self._named(self._level(level)) for level in self.levels]
        ends = np.flatnonzero(self.by_end.sum(axis=0))
        return Statistics(
            self.manifest["game"],
            self.manifest["positions"],
            {name: sum(level.get(name, 0) for level in levels) for name in self.names},
            levels,
            {int(end): self._named(self.by_end[:, end]) for end in ends},
            self.longest,
            self.rules,
        )

    def _named(self, counts: NDArray[np.int64]) -> Counts:
        return {name: int(count) for name, count in zip(self.names, counts, strict=True) if count}

    def _level(self, level: Level) -> NDArray[np.int64]:
        counts = np.zeros(len(self.names), np.int64)
        for rows, values, far in level.parts(PART):
            kinds = self.kinds[np.minimum(np.asarray(values, np.int64), len(self.kinds) - 1)]
            ends = np.asarray(far, np.int64)
            members = [kinds == kind for kind in range(len(KINDS))]
            if self.movers is not None:
                with unverified(self.directory, lambda: self.movers and self.movers.asked):
                    mine = kinds == self.movers.of(rows)
                members += [mine, (kinds < 2) & ~mine]
            for which, member in enumerate(members):
                counts[which] += np.count_nonzero(member)
                if self.timed and which != KINDS.index("draw"):  # which has no end
                    self.by_end[which] += np.bincount(ends[member], minlength=FAR + 1)
            for which, kind in enumerate(KINDS[:3] if self.timed else ()):
                self._note_longest(kind, rows, np.where(members[which], ends, -1))
        return counts

    def _note_longest(self, kind: str, rows: Words, ends: NDArray[np.int64]) -> None:
        place = int(ends.argmax())
        if ends[place] > self.longest.get(kind, (-1, None))[0]:
            words = rows[place].tolist()
            with unverified(self.directory, lambda: 0):
                state = self._unshaped(words) if self.encoding is None else self.encoding.unpack(words)
            self.longest[kind] = int(ends[place]), state

    def _unshaped(self, words: list[int]) -> tuple[int, ...]:
        """The numbers of a state of a game that is not known here; where the game packs it, one number."""
        data = self.manifest["layout"]
        if "bits" in data or "by_rank" in self.manifest:
            return (sum(word << 64 * place for place, word in enumerate(words)),)
        return tuple(layout_from(data).unpack(words))


def _kind(value: float) -> int:
    """The place in KINDS of a value to MAX."""
    return 0 if value > 0 else 1 if value < 0 else 2


class _Movers:
    """Whose turn it is in many positions, compiled where there are very many."""

    def __init__(self, game: Game[Any, Any], encoding: Encoding, manifest: dict[str, Any]) -> None:
        self.game = game
        self.encoding = encoding
        mode = "auto" if manifest["positions"] > MANY else "never"
        self.kernel, _ = compiled_kernel(game, encoding.form, "movers", mode)
        self.asked = 0  # positions until now

    def of(self, words: Words) -> NDArray[np.int64]:
        """0 where MAX moves, 1 where MIN does."""
        if self.kernel is None:
            movers = []
            for row in words.tolist():
                movers.append(0 if same_side(self.game.to_move(self.encoding.unpack(row)), MAX) else 1)
                self.asked += 1
            return np.array(movers, np.int64)
        answers = np.empty(len(words), np.int64)
        scratch, flat = np.zeros(self.encoding.form.count, np.int64), np.ascontiguousarray(words).reshape(-1)
        packing = self.encoding.raw_packing()
        self.kernel(self.game, self.encoding.form, packing, flat, scratch, answers)
        return answers


# The plot.


def plotted(found: Statistics, title: str) -> str:
    """The counts as an SVG picture: a stack of bars for every level, and one for every remoteness."""
    panels = (
        ("level", dict(enumerate(found.levels))),
        ("plies to the end", found.remoteness),
    )
    high = TITLE + len(panels) * PANEL + LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" width="{WIDE}" '
        f'height="{high}" font-family="system-ui,sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{high}" fill="#fff"/>',
        f'<text x="{EDGE}" y="22" font-size="15" fill="#22262b">{escape(title)}</text>',
    ]
    for number, (name, bars) in enumerate(panels):
        parts.append(f'<g transform="translate(0 {TITLE + number * PANEL})">')
        parts += _panel(name, bars)
        parts.append("</g>")
    for place, (kind, fill) in enumerate(FILLS.items()):
        x, y = EDGE + 165 * place, high - LEGEND + 6
        parts.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{fill}"/>')
        parts.append(_label(x + 18, y + 10, f"{kind}: {found.outcomes[kind]:,}"))
    return "".join([*parts, "</svg>\n"])


def _panel(name: str, bars: dict[int, Counts]) -> Iterator[str]:
    """The bars of one question, from 0 on, above their axis."""
    places = range(max(bars, default=0) + 1)
    top = max((sum(_only(KINDS, counts).values()) for counts in bars.values()), default=1)
    step = (WIDE - 2 * EDGE) / len(places)
    foot = HIGH + 12
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = foot - share * HIGH
        yield f'<line x1="{EDGE}" x2="{WIDE - EDGE}" y1="{y:g}" y2="{y:g}" stroke="#e3e6ea"/>'
        yield _label(EDGE - 6, y + 4, _short(share * top), "end")
    for place, counts in bars.items():
        yield from _bar(counts, HIGH / top, foot, EDGE + place * step, step)
    for place in places[:: max(1, len(places) // 12)]:
        yield _label(EDGE + (place + 0.5) * step, foot + 18, str(place), "middle")
    yield _label(WIDE / 2, foot + 36, name, "middle")


def _bar(counts: Counts, scale: float, foot: float, x: float, step: float) -> Iterator[str]:
    y = foot
    for kind, fill in FILLS.items():
        high = counts.get(kind, 0) * scale
        if high:
            y -= high
            place = f'x="{x + step * 0.1:.2f}" y="{y:.2f}" width="{step * 0.8:.2f}" height="{high:.2f}"'
            yield f'<rect {place} fill="{fill}"/>'


def _label(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="#3f444b">{words}</text>'


def _short(number: float) -> str:
    for unit, word in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{word}"
    return f"{number:g}"
