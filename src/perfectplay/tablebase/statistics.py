"""Statistics: how many positions of each kind there are, level by level and by plies to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.rows import to_words
from perfectplay.tablebase.table import Tablebase

KINDS = ("MAX wins", "MIN wins", "tie", "draw")
PART = 1 << 20  # positions counted at a time
FILLS = dict(zip(KINDS, ("#2f6fb2", "#c4622d", "#9aa1a9", "#d9b24a"), strict=True))
WIDE, HIGH, EDGE = 760, 260, 56  # of the plot


@dataclass
class Statistics:
    """Counts of positions by outcome: in all, by level, and by remoteness."""

    positions: int
    outcomes: dict[str, int]
    levels: list[dict[str, int]]
    remoteness: dict[int, dict[str, int]]
    longest: dict[str, tuple[int, Any]]  # plies to the end, and a position that needs them

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "positions": self.positions,
            "outcomes": self.outcomes,
            "levels": self.levels,
            "remoteness": {str(end): counts for end, counts in self.remoteness.items()},
            "longest": {
                kind: {"plies": plies, "state": repr(state)} for kind, (plies, state) in self.longest.items()
            },
        }


def statistics(table: Tablebase) -> Statistics:
    """Count the positions of a tablebase."""
    kinds = np.array([1 if value < 0 else 0 if value > 0 else 2 for value in table.values], np.int64)
    by_end = np.zeros((len(KINDS), FAR + 1), np.int64)
    levels: list[dict[str, int]] = []
    longest: dict[str, tuple[int, Any]] = {}
    for level in table.levels():
        counts = np.zeros(len(KINDS), np.int64)
        for rows, values, far in level.parts(PART):
            codes, ends = np.asarray(values, np.int64), np.asarray(far, np.int64)
            kind = np.where(codes < len(kinds), kinds[np.minimum(codes, len(kinds) - 1)], 3)
            counts += np.bincount(kind, minlength=len(KINDS))
            for which, name in enumerate(KINDS[:3]):
                here = ends[kind == which]
                by_end[which] += np.bincount(here, minlength=FAR + 1)
                if len(here) and int(here.max()) > longest.get(name, (-1, None))[0]:
                    place = int(np.flatnonzero((kind == which) & (ends == here.max()))[0])
                    words = to_words(rows[place : place + 1])[0].tolist()
                    longest[name] = int(here.max()), table.layout.unpack(words, table.game.initial())
        levels.append({name: int(count) for name, count in zip(KINDS, counts, strict=True) if count})
    remoteness = {
        int(end): {name: int(by_end[which, end]) for which, name in enumerate(KINDS) if by_end[which, end]}
        for end in np.flatnonzero(by_end.sum(axis=0))
    }
    outcomes = {name: sum(level.get(name, 0) for level in levels) for name in KINDS}
    return Statistics(len(table), outcomes, levels, remoteness, longest)


def plotted(found: Statistics, title: str) -> str:
    """The counts by remoteness as an SVG picture: a stack of bars for every number of plies."""
    ends = range(max(found.remoteness, default=0) + 1)
    top = max((sum(counts.values()) for counts in found.remoteness.values()), default=1)
    step = (WIDE - 2 * EDGE) / max(len(ends), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH + 90}" width="{WIDE}" '
        f'height="{HIGH + 90}" font-family="system-ui,sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{HIGH + 90}" fill="#fff"/>',
        f'<text x="{EDGE}" y="22" font-size="15" fill="#22262b">{escape(title)}</text>',
        *_axes(top),
    ]
    for end in ends:
        parts += _bar(found.remoteness.get(end, {}), top, EDGE + end * step, step)
    every = max(1, len(ends) // 12)
    for end in ends[::every]:
        x = EDGE + (end + 0.5) * step
        parts.append(f'<text x="{x:g}" y="{HIGH + 50}" text-anchor="middle" fill="#5c6169">{end}</text>')
    parts.append(
        f'<text x="{WIDE / 2:g}" y="{HIGH + 68}" text-anchor="middle" fill="#5c6169">plies to the end</text>'
    )
    for place, kind in enumerate(KINDS[:3]):
        x = EDGE + 150 * place
        parts.append(f'<rect x="{x}" y="{HIGH + 74}" width="12" height="12" fill="{FILLS[kind]}"/>')
        parts.append(
            f'<text x="{x + 18}" y="{HIGH + 84}" fill="#22262b">{kind}: {found.outcomes[kind]:,}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def _axes(top: int) -> Iterator[str]:
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = HIGH + 32 - share * (HIGH - 10)
        yield f'<line x1="{EDGE}" x2="{WIDE - EDGE}" y1="{y:g}" y2="{y:g}" stroke="#e3e6ea"/>'
        yield _label(EDGE - 6, y + 4, _short(share * top), "end")


def _bar(counts: dict[str, int], top: int, x: float, step: float) -> Iterator[str]:
    y = HIGH + 32.0
    for kind, fill in FILLS.items():
        high = counts.get(kind, 0) / top * (HIGH - 10)
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
