"""Quantities in words: how many plies, how many bytes, how long."""

from __future__ import annotations

YEAR = 365.25 * 86400


def plies(count: int) -> str:
    """So many plies."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def rough(number: int, *, exact: bool) -> str:
    """A number, to two digits if it is not exact."""
    return f"{number:,}" if exact else f"{float(f'{number:.2g}'):,.0f}"


def bytes_said(number: int) -> str:
    """So many bytes, to three digits."""
    for unit, word in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {word}"
    return f"{number} bytes"


def time_said(seconds: float) -> str:
    """How long something takes, roughly."""
    if seconds < 1:
        return "less than a second"
    if seconds < 10:
        return "a few seconds"
    for unit, word in ((YEAR, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"about {float(f'{seconds / unit:.2g}'):,.0f} {word}"
    return f"about {seconds:.0f} seconds"
