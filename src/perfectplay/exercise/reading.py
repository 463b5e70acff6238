"""Reading what students write: numbers, windows, branches, and a dash for what is never looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from perfectplay.errors import PerfectPlayError
from perfectplay.trace.source import written

NEVER: Final = "-"  # the answer for a node that the search never looks at
LONGEST = 200  # characters of an answer that are read

Names = Sequence[
    tuple[str, str]
]  # what may be written, and which branch that is; the first ones have precedence

NOTHING = ("none", "no", "nothing", "0", "()")  # words for no branch at all
_DASHES = frozenset({"-", "--", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}", "never", "cut", "x"})
_INFINITIES = ("\N{INFINITY}", "infinity", "oo")
_BETWEEN = re.compile(r"\s*(?:,|;|\.\.+|\s)\s*")


class UnreadableAnswerError(PerfectPlayError):
    """An answer of which nobody can say whether it is right."""


def as_text(answer: Any) -> str:
    """An answer as a student would type it, where a program gives numbers or pairs as well."""
    if answer is None:
        return ""
    if isinstance(answer, list | tuple):
        return ", ".join(map(as_text, answer))
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return written(answer)
    return str(answer)[:LONGEST].strip()


def window_text(window: tuple[float, float]) -> str:
    """A window as it is written: (3, inf)."""
    return f"({written(window[0])}, {written(window[1])})"


def read_value(text: str) -> float | str:
    """A number, or NEVER."""
    if text.casefold() in _DASHES:
        return NEVER
    number = _number(text)
    if number is None:
        raise UnreadableAnswerError(
            f"cannot read {text!r}: give a number such as 3, -3 or inf, or - if the node is never looked at."
        )
    return number


def read_values(text: str, count: int) -> tuple[float, ...]:
    """So many numbers, one for every player."""
    parts = [_number(part) for part in _BETWEEN.split(text.strip("()[]{}<> \t"))]
    numbers = tuple(part for part in parts if part is not None)
    if len(parts) != count or len(numbers) != count:
        example = ", ".join(map(str, range(1, count + 1)))
        raise UnreadableAnswerError(
            f"cannot read {text!r}: give {count} numbers, one for every player, as in ({example})."
        )
    return numbers


def read_window(text: str) -> tuple[float, float] | str:
    """Alpha and beta, or NEVER."""
    if text.casefold() in _DASHES:
        return NEVER
    parts = [_number(part) for part in _BETWEEN.split(text.strip("()[]{}<> \t"))]
    if len(parts) != 2 or parts[0] is None or parts[1] is None:
        raise UnreadableAnswerError(
            f"cannot read {text!r}: give alpha and beta, as in (3, inf), or - if the node is never looked at."
        )
    return parts[0], parts[1]


def read_branch(text: str, names: Names) -> str:
    """The branch that is meant."""
    found = _named(text, names)
    if found is None:
        raise UnreadableAnswerError(f"cannot read {text!r}: give one of {_choice(names)}.")
    return found


def read_branches(text: str, names: Names) -> frozenset[str] | str:
    """The branches that are meant, or NEVER; a move may be called like one of the words for none."""
    if found := _all_named(text, names):
        return found
    word = text.casefold()
    if word in NOTHING:
        return frozenset()
    if word == "all":
        return frozenset(branch for _, branch in names)
    if word in _DASHES:
        return NEVER
    raise UnreadableAnswerError(f"cannot read {text!r}: give some of {_choice(names)}, or none.")


def nothing(names: Names) -> str:
    """The word for no branch at all, where no branch is called that."""
    return next((word for word in NOTHING if _named(word, names) is None), NEVER)


def _all_named(text: str, names: Names) -> frozenset[str]:
    """The branches of a list of names, which may have commas and blanks in them; nothing if it is none."""
    found = set()
    rest = text.strip(" ,;")
    while rest:
        longest = next(
            (
                end
                for end in range(len(rest), 0, -1)
                if (end == len(rest) or rest[end] in " ,;") and _named(rest[:end], names)
            ),
            None,
        )
        if longest is None:
            return frozenset()
        found.add(_named(rest[:longest], names))
        rest = rest[longest:].strip(" ,;")
    return frozenset(filter(None, found))


def _named(word: str, names: Names) -> str | None:
    """The branch of that name, in capitals or not."""
    for same in (str.strip, lambda name: name.strip().casefold()):
        for name, branch in names:
            if same(name) == same(word):
                return branch
    return None


def _choice(names: Names) -> str:
    branches = dict.fromkeys(branch for _, branch in names)
    return ", ".join(next(name for name, one in names if one == branch) for branch in branches)


def _number(text: str) -> float | None:
    plain = text.strip().casefold().replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")
    for word in _INFINITIES:
        plain = plain.replace(word, "inf")
    if re.fullmatch(r"[-+]?\d+,\d+", plain):  # a comma, as many countries write it
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"[-+]?\s*(\d+\.?\d*|\.\d+|inf)", plain, re.ASCII):
        return None
    return float(re.sub(r"\s", "", plain)) + 0.0  # -0 is 0
