"""The argument `compile`, which means the same wherever it is taken."""

from __future__ import annotations

from perfectplay.errors import BadParameterError, did_you_mean

MODES = ("auto", "always", "never")


def compile_mode(asked: str | bool) -> str:
    """What was asked for: "auto" (where it can be), "always" (True) or "never" (False)."""
    if isinstance(asked, bool):
        return "always" if asked else "never"
    if asked not in MODES:
        raise BadParameterError(f"compile={asked!r} cannot be: {did_you_mean(asked, MODES)}")
    return asked
