"""JSON that someone else wrote, as data of which every value was looked at: what it is, how great, how long.

What is not as it can be is Unfit, which says what is wrong as the middle of a sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, NoReturn

MOST_BYTES = 16 << 20  # of the text
MOST_VALUES = 1 << 20  # in it: each takes a hundred bytes of memory at most
MOST_DIGITS = 20  # of an integer
MOST_TEXT = 4000  # characters of a description
SHOWN = 60  # characters of what is wrong that a sentence shows
WORD = re.compile(r"-?[0-9a-f]{1,16}")


class Unfit(ValueError):  # noqa: N818 - it says what does not fit, and becomes an error of the directory
    """What is wrong with a manifest, as the middle of a sentence."""


def parsed(data: bytes) -> Any:
    """JSON as data; Unfit if it is none, too much of it, or says something twice."""
    if len(data) > MOST_BYTES:
        raise Unfit(f"it has {len(data):,} bytes, and {MOST_BYTES:,} at most can be")
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise Unfit(f"it has more than {MOST_VALUES:,} values")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_once,
            parse_int=_integer,
            parse_float=_real,
            parse_constant=_no_number,
        )
    except Unfit:
        raise
    except (ValueError, RecursionError):
        raise Unfit("it is no JSON in UTF-8, or nested without end") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unfit(f"it says {_twice(name for name, _ in pairs)} twice")
    return found


def _twice(names: Iterable[str]) -> str:
    seen: set[str] = set()
    return shown(next(name for name in names if name in seen or seen.add(name)))  # type: ignore[func-returns-value]


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Unfit(f"it has a number of {len(digits):,} digits, and {MOST_DIGITS} at most can be")
    return int(digits)


def _real(text: str) -> float:
    number = float(text) if len(text) <= 40 else float("inf")
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise Unfit(f"{shown(text)} is no number for it")


def shown(value: object) -> str:
    """A value as a sentence may show it."""
    text = ascii(value) if not isinstance(value, list | dict) else f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


# Values of one kind.


def fields_of(data: Any, where: str, needed: Iterable[str], may_be: Iterable[str] = ()) -> None:
    """Refuse an object that lacks one of these fields, or has others."""
    if not isinstance(data, dict):
        raise Unfit(f"{where} is {shown(data)}, and is an object")
    needed = set(needed)
    if missing := sorted(needed - data.keys()):
        raise Unfit(f"{where} has no {missing[0]}")
    if odd := sorted(data.keys() - needed - set(may_be)):
        raise Unfit(f"{where} has {shown(odd[0])}, which means nothing here")


def list_of(data: Any, where: str, check: Callable[[Any, str], object]) -> list[Any]:
    """A list, every value of which is looked at."""
    if not isinstance(data, list):
        raise Unfit(f"{where} is {shown(data)}, and is a list")
    for number, value in enumerate(data):
        check(value, f"{where}[{number}]")
    return data


def whole_number(value: Any, where: str, allowed: range) -> int:
    """A whole number in a range."""
    if type(value) is not int or value not in allowed:
        least, most = allowed[0], allowed[-1]
        raise Unfit(f"{where} is {shown(value)}, and is a whole number from {least:,} to {most:,}")
    return value


def checksum(value: Any, where: str) -> None:
    """Refuse what has not 32 bits."""
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise Unfit(f"{where} is {shown(value)}, and is a whole number of 32 bits")


def real_number(value: Any, where: str) -> None:
    """Refuse what is no number, or not exact."""
    if type(value) not in (int, float):
        raise Unfit(f"{where} is {shown(value)}, and is a number")
    if type(value) is int and abs(value) > 1 << 53:
        raise Unfit(f"{where} is {shown(value)}, and whole numbers beyond 2**53 are not exact")


def matching(value: Any, where: str, pattern: re.Pattern[str]) -> None:
    """Refuse what is no such text."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Unfit(f"{where} is {shown(value)}")


def signed_word(value: Any, where: str) -> None:
    """Refuse what is no number of 64 bits with its sign, in base 16."""
    matching(value, where, WORD)
    if not -(1 << 63) <= int(value, 16) < 1 << 63:
        raise Unfit(f"{where} is {shown(value)}, and has 64 bits with its sign")


def unsigned_word(value: Any, where: str) -> None:
    """Refuse what is none without a sign."""
    matching(value, where, WORD)
    if value.startswith("-"):
        raise Unfit(f"{where} is {shown(value)}, and is not below 0")


def plain_text(value: Any, where: str) -> None:
    """Refuse what is no text to be printed."""
    fine = isinstance(value, str) and len(value) <= MOST_TEXT and value.replace("\n", "").isprintable()
    if not fine:
        raise Unfit(f"{where} is {shown(value)}")
