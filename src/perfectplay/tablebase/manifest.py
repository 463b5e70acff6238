"""Manifest: its text as data of which every number was looked at, whoever wrote it.

Nothing of a manifest is used before it went through here. What it says of itself must fit: types, ranges,
how many there are of each, sizes of files by the positions in them. What it says of the game is looked at
where the game is known, and what it says of the files where they are opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from itertools import pairwise
from math import isfinite
from typing import Any, NoReturn

MOST_BYTES = 16 << 20  # of the text
MOST_VALUES = 1 << 20  # in it: each takes a hundred bytes of memory at most
MOST_DIGITS = 20  # of an integer
MOST_POSITIONS = 1 << 48
MOST_TIER = 1 << 62
MOST_LEAVES = 1 << 16  # numbers of a state
MOST_UTILITIES = 0xFF00
MOST_ROWS = 1 << 16  # positions of a compressed block, which is in memory as a whole
BLOCKS = range(1 << 12, (1 << 26) + 1)  # bytes that have a checksum of their own
LONGEST_NAME = 1 << 16
MOST_FIELDS = 1000  # of a state that are described
MOST_TEXT = 4000  # characters of a description
SHOWN = 60  # characters of what is wrong that a sentence shows

PHASES = ("discover", "solve", "done")
ALWAYS = {"block", "checksum", "format", "game", "layout", "levels", "phase", "rules", "start"}
ALWAYS |= {"symmetry", "tiers", "version"}
WHEN_DONE = ("description", "positions", "value_bytes", "values")
MAY_BE = ("form", "outcomes", "rows")
SIGNS = [-1, 0, 1]  # the values of a table of outcomes alone
PLAIN_FILES = ("states", "values", "ends")
PACKED_FILES = ("blocks", "index")

WORD = re.compile(r"-?[0-9a-f]{1,16}")
PACKED = re.compile(r"[0-9a-f]{1,131072}")  # one number of any size: it is compared, and never read
DIGEST = re.compile(r"[0-9a-f]{16,128}")
SEAL = re.compile(rb'^ "checksum": "([0-9a-f]{32})",\n', re.MULTILINE)
TEMPORARY = {  # what the files of a build that goes on are called, by where the manifest names them
    "runs": re.compile(r"run-\d{6,12}"),
    "parts": re.compile(r"(run|part)-\d{6,12}|level-\d{4,12}\.states"),
    "pieces": re.compile(
        r"piece-\d{4,12}-\d{12,18}-(values|ends)|edges-\d{4,12}-\d{12,18}|group-\d{6,12}-(values|ends)"
    ),
}
FIRST = {"question": range(1 << 20), "moment": range(1 << 20), "furthest": range(-1, 1 << 20)}


class Unfit(ValueError):  # noqa: N818 - it says what does not fit, and becomes an error of the directory
    """What is wrong with a manifest, as the middle of a sentence."""


def is_sealed(data: bytes) -> bool:
    """Is the text what was written? Its checksum is that of all other lines."""
    found = SEAL.search(data)
    if found is None or not data.endswith(b"\n"):
        return False
    digest = blake2b(data[: found.start()], digest_size=16)
    digest.update(memoryview(data)[found.end() : -1])
    return digest.hexdigest().encode() == found[1]


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


def check_manifest(manifest: Any) -> None:
    """Refuse a manifest, as Unfit, in which anything is not as it can be."""
    if not isinstance(manifest, dict):
        raise Unfit("it is no JSON object")
    phase = manifest.get("phase")
    if phase not in PHASES:
        raise Unfit(f"its phase is {shown(phase)}")
    needed = (*ALWAYS, *(WHEN_DONE if phase == "done" else ()))
    may_be = MAY_BE if phase == "done" else (*MAY_BE, *manifest)  # what else a build needs to go on
    _fields(manifest, "it", needed, may_be)
    _check_head(manifest)
    row_bytes = _check_layout(manifest)
    if "values" in manifest or "value_bytes" in manifest:
        _check_values(manifest)
    levels = _listed(manifest["levels"], "levels", lambda level, where: _check_level(level, where, manifest))
    for number, level in enumerate(levels):
        _check_sizes(level, f"level {number}", manifest, row_bytes)
    _check_order(levels, manifest)
    if phase == "done":
        if not levels:
            raise Unfit("it has no levels")
        _check_description(manifest)
        if manifest["positions"] != sum(level["positions"] for level in levels):
            raise Unfit(f"it counts {shown(manifest['positions'])} positions, not the sum of its levels")
    else:
        _check_unfinished(manifest, width_for(row_bytes))


def shown(value: object) -> str:
    """A value as a sentence may show it."""
    text = ascii(value) if not isinstance(value, list | dict) else f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


# What it says of the game and of states.


def _check_head(manifest: dict[str, Any]) -> None:
    name = manifest["game"]
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise Unfit(f"its game is {shown(name)}")
    _matching(manifest["rules"], "rules", DIGEST)
    for flag in ("symmetry", "tiers"):
        if not isinstance(manifest[flag], bool):
            raise Unfit(f"{flag} is {shown(manifest[flag])}, and is true or false")
    if _whole(manifest["block"], "block", BLOCKS).bit_count() != 1:
        raise Unfit(f"block is {manifest['block']}, and is a power of two")
    if manifest.get("outcomes", True) is not True:
        raise Unfit(f"outcomes is {shown(manifest['outcomes'])}, and is true where it is there")
    if "rows" in manifest:
        _whole(manifest["rows"], "rows", range(1, MOST_ROWS + 1))
    _listed(manifest["start"], "start", _signed)


def _check_layout(manifest: dict[str, Any]) -> int:
    """Look at the layout of states; how many bytes one has."""
    layout = manifest["layout"]
    if isinstance(layout, dict) and "bits" in layout:  # the game packs states itself
        _fields(layout, "layout", ("bits",))
        return bytes_for(_whole(layout["bits"], "layout.bits", range(1, 64 * MOST_LEAVES + 1)))
    _fields(layout, "layout", ("lows", "bases", "masks"))
    for name in ("lows", "bases", "masks"):
        _listed(layout[name], f"layout.{name}", _signed if name == "lows" else _unsigned)
        if len(layout[name]) > MOST_LEAVES:
            raise Unfit(f"layout.{name} has {len(layout[name]):,} numbers")
    bits = sum(int(mask, 16).bit_count() for mask in layout["masks"])
    return bytes_for(bits)


def bytes_for(bits: int) -> int:
    """The bytes of a packed state of so many bits in a file."""
    return max(1, -(-bits // 8))


def width_for(row_bytes: int) -> int:
    """The words of a packed state of so many bytes in memory."""
    return -(-row_bytes // 8)


def padding(row_bytes: int) -> int:
    """The zeros at the end of a file of packed states, so that a reader may take whole words of each."""
    return -row_bytes % 8


def _check_values(manifest: dict[str, Any]) -> None:
    _fields(manifest, "it", ("values", "value_bytes"), (*manifest,))
    values = _listed(manifest["values"], "values", _number)
    if len(values) > MOST_UTILITIES:
        raise Unfit(f"it has {len(values):,} values, and {MOST_UTILITIES:,} at most can be")
    if any(one >= other for one, other in pairwise(values)):
        raise Unfit("its values do not ascend")
    wanted = value_bytes(len(values))
    if _whole(manifest["value_bytes"], "value_bytes", range(1, 3)) != wanted:
        raise Unfit(f"value_bytes is {manifest['value_bytes']}, and {wanted} for {len(values):,} values")


def value_bytes(values: int) -> int:
    """The size of a value in a file, where there are so many different ones."""
    return 1 if values <= 250 else 2


def stored_values(manifest: dict[str, Any]) -> list[float]:
    """The values that codes in files stand for: those of the game, or the signs of these."""
    return list(SIGNS) if "outcomes" in manifest else list(manifest["values"])


def code_bytes(manifest: dict[str, Any]) -> int:
    """The size of such a code."""
    return 1 if "outcomes" in manifest else int(manifest["value_bytes"])


def end_bytes(manifest: dict[str, Any]) -> int:
    """The size of a remoteness in files: nothing, where there are outcomes alone."""
    return 0 if "outcomes" in manifest else 2


# What it says of levels and their files.


def _check_level(level: Any, where: str, manifest: dict[str, Any]) -> None:
    packed = isinstance(level, dict) and "blocks" in level
    files: tuple[str, ...] = PACKED_FILES if packed else PLAIN_FILES
    if manifest["phase"] != "done" and not packed:
        files = PLAIN_FILES if isinstance(level, dict) and "values" in level else PLAIN_FILES[:1]
    _fields(level, where, ("all", "positions", "regular", "some", "tier", *files))
    _whole(level["positions"], f"{where}.positions", range(1, MOST_POSITIONS + 1))
    _whole(level["tier"], f"{where}.tier", range(-MOST_TIER, MOST_TIER))
    if not isinstance(level["regular"], bool):
        raise Unfit(f"{where}.regular is {shown(level['regular'])}, and is true or false")
    for name in ("some", "all"):
        _listed(level[name], f"{where}.{name}", _unsigned)
    for name in files:
        _check_file(level[name], f"{where}.{name}", manifest["block"], ("bytes", "checksums"))
    if not packed and "outcomes" in manifest:
        raise Unfit(f"{where} is not compressed, and a table of outcomes alone always is")
    if packed and "rows" not in manifest:
        raise Unfit(f"{where} is compressed, and there is no number of rows")


def _check_file(file: Any, where: str, block: int, needed: tuple[str, ...]) -> None:
    _fields(file, where, needed)
    size = _whole(file["bytes"], f"{where}.bytes", range(1, 1 << 62))
    checksums = _listed(file["checksums"], f"{where}.checksums", _checksum)
    if len(checksums) != -(-size // block):
        raise Unfit(
            f"{where} has {len(checksums):,} checksums, and {-(-size // block):,} blocks of {block:,} bytes"
        )


def _check_sizes(level: dict[str, Any], where: str, manifest: dict[str, Any], row_bytes: int) -> None:
    """Has every file of a level as many bytes as its positions take?"""
    positions, words = level["positions"], width_for(row_bytes)
    for name in ("some", "all"):
        if len(level[name]) != words:
            count = "1 word" if len(level[name]) == 1 else f"{len(level[name]):,} words"
            raise Unfit(f"it describes states of {count} in {where}, and its layout has {words}")
    if "blocks" in level:
        blocks = -(-positions // manifest["rows"])
        wanted = {"index": 8 * (blocks + 1) + row_bytes * blocks + padding(row_bytes)}
    else:
        wanted = {"states": row_bytes * positions + padding(row_bytes)}
        if "values" in level:
            _fields(manifest, "it", ("values", "value_bytes"), (*manifest,))
            wanted |= {"values": manifest["value_bytes"] * positions, "ends": 2 * positions}
    for name, size in wanted.items():
        if level[name]["bytes"] != size:
            raise Unfit(
                f"the {name} of {where} have {level[name]['bytes']:,} bytes, and {size:,} by its positions"
            )


def _check_order(levels: list[dict[str, Any]], manifest: dict[str, Any]) -> None:
    """Are levels one after the other, by their tiers or by the moves from the start?"""
    tiers = [level["tier"] for level in levels]
    wrong = (
        any(one >= other for one, other in pairwise(tiers))
        if manifest["tiers"]
        else tiers != [*range(len(tiers))]
    )
    if wrong:
        raise Unfit("its levels are not in the order of their tiers")
    found_all = manifest["phase"] != "discover"
    if found_all and not manifest["tiers"] and len({level["regular"] for level in levels}) > 1:
        raise Unfit("some of its levels are regular and others not, and it has no tiers")


# What it tells whoever reads it without the rules.


def _check_description(manifest: dict[str, Any]) -> None:
    told = manifest["description"]
    _fields(told, "description", ("symmetry", "to_move", "example"), ("fields",))
    _text(told["symmetry"], "description.symmetry")
    _fields(told["to_move"], "description.to_move", (), ("even",))
    if "even" in told["to_move"]:
        _whole(told["to_move"]["even"], "description.to_move.even", range(max(1, len(manifest["start"]))))
    _listed(told.get("fields", []), "description.fields", _field)
    _check_example(told["example"], manifest)


def _field(field: Any, where: str) -> None:
    _fields(field, where, ("kind", "meaning", "name"))
    _text(field["name"], f"{where}.name")
    _text(field["meaning"], f"{where}.meaning")
    if field["kind"] not in ("int", "bool", "float"):
        raise Unfit(f"{where}.kind is {shown(field['kind'])}")


def _check_example(told: Any, manifest: dict[str, Any]) -> None:
    where = "description.example"
    names = (
        "level",
        "outcome",
        "over",
        "packed",
        "place",
        "remoteness",
        "state",
        "to_move",
        "value",
        "board",
    )
    _fields(told, where, names)
    _listed(told["state"], f"{where}.state", _signed)
    _matching(told["packed"], f"{where}.packed", PACKED)
    _whole(told["level"], f"{where}.level", range(len(manifest["levels"])))
    _whole(told["place"], f"{where}.place", range(MOST_POSITIONS))
    _text(told["board"], f"{where}.board")
    if told["value"] is not None:
        _number(told["value"], f"{where}.value")
    if told["remoteness"] is not None:
        _whole(told["remoteness"], f"{where}.remoteness", range(1 << 16))
    if told["outcome"] not in ("MAX wins", "MIN wins", "tie", "draw") or told["to_move"] not in (
        "MAX",
        "MIN",
    ):
        raise Unfit(f"{where} says {shown(told['outcome'])} and {shown(told['to_move'])}")
    if not isinstance(told["over"], bool):
        raise Unfit(f"{where}.over is {shown(told['over'])}, and is true or false")


def _text(value: Any, where: str) -> None:
    fine = isinstance(value, str) and len(value) <= MOST_TEXT and value.replace("\n", "").isprintable()
    if not fine:
        raise Unfit(f"{where} is {shown(value)}")


# What a build that is not finished says, to go on from there.


def _check_unfinished(manifest: dict[str, Any], words: int) -> None:
    for kind in ("runs", "parts", "pieces"):
        for number, each in enumerate(_listed(manifest.get(kind, []), kind, lambda each, where: None)):
            where = f"{kind}[{number}]"
            if not isinstance(each, dict):
                raise Unfit(f"{where} is {shown(each)}, and is an object")
            _matching(each.get("file"), f"{where}.file", TEMPORARY[kind])
            _check_file(
                {name: each.get(name) for name in ("bytes", "checksums")},
                where,
                manifest["block"],
                ("bytes", "checksums"),
            )
            for name in ("serial", "begin", "level", "positions", "edges"):
                if name in each:
                    _whole(each[name], f"{where}.{name}", range(MOST_POSITIONS))
            for name in ("some", "all"):
                if len(_listed(each.get(name, ["0"] * words), f"{where}.{name}", _unsigned)) != words:
                    raise Unfit(f"{where}.{name} has not as many words as a state")
            if kind == "runs":
                _whole(each.get("tier"), f"{where}.tier", range(-MOST_TIER, MOST_TIER))
            elif kind == "parts" and not {"some", "all", "serial"} <= each.keys():
                raise Unfit(f"{where} does not say which bits its states have")
            elif each.get("kind", "values") not in ("values", "ends"):
                raise Unfit(f"{where}.kind is {shown(each['kind'])}")
    if manifest["phase"] == "discover":
        _fields(manifest, "it", ("runs", "parts", "expanded", "tier", "regular", "utilities"), (*manifest,))
        _whole(manifest["tier"], "tier", range(-MOST_TIER, MOST_TIER))
        if not isinstance(manifest["regular"], bool):
            raise Unfit(f"regular is {shown(manifest['regular'])}, and is true or false")
        expanded = _listed(
            manifest["expanded"], "expanded", lambda each, where: _whole(each, where, range(MOST_POSITIONS))
        )
        if len(expanded) != 2:
            raise Unfit(f"expanded has {len(expanded)} numbers, and has 2")
    if "utilities" in manifest or "values" not in manifest:
        _listed(manifest.get("utilities"), "utilities", _number)
    if "together" in manifest:
        together = manifest["together"]
        _fields(together, "together", ("asked", "serial"))
        _whole(together["serial"], "together.serial", range(1 << 40))
        _fields(together["asked"], "together.asked", tuple(FIRST))
        for name, allowed in FIRST.items():
            _whole(together["asked"][name], f"together.asked.{name}", allowed)


# Values of one kind.


def _fields(data: Any, where: str, needed: Iterable[str], may_be: Iterable[str] = ()) -> None:
    if not isinstance(data, dict):
        raise Unfit(f"{where} is {shown(data)}, and is an object")
    needed = set(needed)
    if missing := sorted(needed - data.keys()):
        raise Unfit(f"{where} has no {missing[0]}")
    if odd := sorted(data.keys() - needed - set(may_be)):
        raise Unfit(f"{where} has {shown(odd[0])}, which means nothing here")


def _listed(data: Any, where: str, check: Callable[[Any, str], object]) -> list[Any]:
    if not isinstance(data, list):
        raise Unfit(f"{where} is {shown(data)}, and is a list")
    for number, value in enumerate(data):
        check(value, f"{where}[{number}]")
    return data


def _whole(value: Any, where: str, allowed: range) -> int:
    if type(value) is not int or value not in allowed:
        least, most = allowed[0], allowed[-1]
        raise Unfit(f"{where} is {shown(value)}, and is a whole number from {least:,} to {most:,}")
    return value


def _checksum(value: Any, where: str) -> None:
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise Unfit(f"{where} is {shown(value)}, and is a whole number of 32 bits")


def _number(value: Any, where: str) -> None:
    if type(value) not in (int, float):
        raise Unfit(f"{where} is {shown(value)}, and is a number")
    if type(value) is int and abs(value) > 1 << 53:
        raise Unfit(f"{where} is {shown(value)}, and whole numbers beyond 2**53 are not exact")


def _matching(value: Any, where: str, pattern: re.Pattern[str]) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Unfit(f"{where} is {shown(value)}")


def _signed(value: Any, where: str) -> None:
    _matching(value, where, WORD)
    if not -(1 << 63) <= int(value, 16) < 1 << 63:
        raise Unfit(f"{where} is {shown(value)}, and has 64 bits with its sign")


def _unsigned(value: Any, where: str) -> None:
    _matching(value, where, WORD)
    if value.startswith("-"):
        raise Unfit(f"{where} is {shown(value)}, and is not below 0")
