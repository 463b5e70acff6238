"""Manifest: its text as data of which every number was looked at, whoever wrote it.

Nothing of a manifest is used before it went through here. What it says of itself must fit: types, ranges,
how many there are of each, sizes of files by the positions in them. What it says of the game is looked at
where the game is known, and what it says of the files where they are opened.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from perfectplay.tablebase.json_data import (
    Unfit,
    checksum,
    fields_of,
    list_of,
    matching,
    plain_text,
    real_number,
    shown,
    signed_word,
    unsigned_word,
    whole_number,
)

MOST_POSITIONS = 1 << 48
MOST_TIER = 1 << 62
MOST_LEAVES = 1 << 16  # numbers of a state
MOST_UTILITIES = 0xFF00
MOST_ROWS = 1 << 16  # positions of a compressed block, which is in memory as a whole
BLOCKS = range(1 << 12, (1 << 26) + 1)  # bytes that have a checksum of their own
LONGEST_NAME = 1 << 16
MOST_FIELDS = 1000  # of a state that are described

PHASES = ("discover", "solve", "done")
ALWAYS = {"block", "checksum", "format", "game", "layout", "levels", "phase", "rules", "start"}
ALWAYS |= {"symmetry", "tiers", "version"}
WHEN_DONE = ("description", "positions", "value_bytes", "values")
MAY_BE = ("by_rank", "form", "outcomes", "rows")
SIGNS = [-1, 0, 1]  # the values of a table of outcomes alone
PLAIN_FILES = ("states", "values", "ends")
PACKED_FILES = ("blocks", "index")
RANKED_FILES = ("values_by_rank", "ends_by_rank")

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


def is_sealed(data: bytes) -> bool:
    """Is the text what was written? Its checksum is that of all other lines."""
    found = SEAL.search(data)
    if found is None or not data.endswith(b"\n"):
        return False
    digest = blake2b(data[: found.start()], digest_size=16)
    digest.update(memoryview(data)[found.end() : -1])
    return digest.hexdigest().encode() == found[1]


def check_manifest(manifest: Any) -> None:
    """Refuse a manifest, as Unfit, in which anything is not as it can be."""
    if not isinstance(manifest, dict):
        raise Unfit("it is no JSON object")
    phase = manifest.get("phase")
    if phase not in PHASES:
        raise Unfit(f"its phase is {shown(phase)}")
    needed = (*ALWAYS, *(WHEN_DONE if phase == "done" else ()))
    may_be = MAY_BE if phase == "done" else (*MAY_BE, *manifest)  # what else a build needs to go on
    fields_of(manifest, "it", needed, may_be)
    _check_head(manifest)
    row_bytes = _check_layout(manifest)
    if "values" in manifest or "value_bytes" in manifest:
        _check_values(manifest)
    levels = list_of(manifest["levels"], "levels", lambda level, where: _check_level(level, where, manifest))
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
        _check_unfinished(manifest, row_bytes)


# What it says of the game and of states.


def _check_head(manifest: dict[str, Any]) -> None:
    name = manifest["game"]
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise Unfit(f"its game is {shown(name)}")
    matching(manifest["rules"], "rules", DIGEST)
    for flag in ("symmetry", "tiers"):
        if not isinstance(manifest[flag], bool):
            raise Unfit(f"{flag} is {shown(manifest[flag])}, and is true or false")
    if whole_number(manifest["block"], "block", BLOCKS).bit_count() != 1:
        raise Unfit(f"block is {manifest['block']}, and is a power of two")
    for flag in ("outcomes", "by_rank"):
        if manifest.get(flag, True) is not True:
            raise Unfit(f"{flag} is {shown(manifest[flag])}, and is true where it is there")
    if "by_rank" in manifest and manifest["phase"] != "done":
        raise Unfit("it is stored by rank, and is not finished")
    if "rows" in manifest:
        whole_number(manifest["rows"], "rows", range(1, MOST_ROWS + 1))
    list_of(manifest["start"], "start", signed_word)


def _check_layout(manifest: dict[str, Any]) -> int:
    """Look at the layout of states; how many bytes one has."""
    layout = manifest["layout"]
    if isinstance(layout, dict) and "bits" in layout:  # the game packs states itself
        fields_of(layout, "layout", ("bits",))
        return bytes_for(whole_number(layout["bits"], "layout.bits", range(1, 64 * MOST_LEAVES + 1)))
    fields_of(layout, "layout", ("lows", "bases", "masks"))
    for name in ("lows", "bases", "masks"):
        list_of(layout[name], f"layout.{name}", signed_word if name == "lows" else unsigned_word)
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
    fields_of(manifest, "it", ("values", "value_bytes"), (*manifest,))
    values = list_of(manifest["values"], "values", real_number)
    if len(values) > MOST_UTILITIES:
        raise Unfit(f"it has {len(values):,} values, and {MOST_UTILITIES:,} at most can be")
    if any(one >= other for one, other in pairwise(values)):
        raise Unfit("its values do not ascend")
    wanted = value_bytes(len(values))
    if whole_number(manifest["value_bytes"], "value_bytes", range(1, 3)) != wanted:
        raise Unfit(f"value_bytes is {manifest['value_bytes']}, and {wanted} for {len(values):,} values")


def value_bytes(values: int) -> int:
    """The size of a value in a file, where there are so many different ones."""
    return 1 if values <= 250 else 2


def by_tiers(manifest: dict[str, Any]) -> bool:
    """Does the tier of a position say in which level it is? By rank, all positions without tiers are one."""
    return bool(manifest["tiers"]) or "by_rank" in manifest


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
    by_rank = "by_rank" in manifest
    files: tuple[str, ...] = PACKED_FILES if packed else RANKED_FILES if by_rank else PLAIN_FILES
    if manifest["phase"] != "done" and not packed:
        files = PLAIN_FILES if isinstance(level, dict) and "values" in level else PLAIN_FILES[:1]
    rows = ("ranks",) if by_rank else ("all", "some")
    fields_of(level, where, ("positions", "regular", "tier", *rows, *files))
    whole_number(level["positions"], f"{where}.positions", range(1, MOST_POSITIONS + 1))
    if by_rank:
        whole_number(level["ranks"], f"{where}.ranks", range(level["positions"], MOST_POSITIONS + 1))
    whole_number(level["tier"], f"{where}.tier", range(-MOST_TIER, MOST_TIER))
    if not isinstance(level["regular"], bool):
        raise Unfit(f"{where}.regular is {shown(level['regular'])}, and is true or false")
    for name in () if by_rank else ("some", "all"):
        list_of(level[name], f"{where}.{name}", unsigned_word)
    for name in files:
        check_file(level[name], f"{where}.{name}", manifest["block"])
    if not packed and "outcomes" in manifest:
        raise Unfit(f"{where} is not compressed, and a table of outcomes alone always is")
    if packed and "rows" not in manifest:
        raise Unfit(f"{where} is compressed, and there is no number of rows")


def check_file(file: Any, where: str, block: int) -> None:
    """Refuse what is said of a file if it cannot be."""
    fields_of(file, where, ("bytes", "checksums"))
    size = whole_number(file["bytes"], f"{where}.bytes", range(1, 1 << 62))
    checksums = list_of(file["checksums"], f"{where}.checksums", checksum)
    if len(checksums) != -(-size // block):
        raise Unfit(
            f"{where} has {len(checksums):,} checksums, and {-(-size // block):,} blocks of {block:,} bytes"
        )


def _check_sizes(level: dict[str, Any], where: str, manifest: dict[str, Any], row_bytes: int) -> None:
    """Has every file of a level as many bytes as its positions take?"""
    by_rank = "by_rank" in manifest
    positions, words = level["ranks" if by_rank else "positions"], width_for(row_bytes)
    for name in () if by_rank else ("some", "all"):
        if len(level[name]) != words:
            count = "1 word" if len(level[name]) == 1 else f"{len(level[name]):,} words"
            raise Unfit(f"it describes states of {count} in {where}, and its layout has {words}")
    if "blocks" in level:
        blocks = -(-positions // manifest["rows"])
        firsts = 0 if by_rank else row_bytes * blocks + padding(row_bytes)
        wanted = {"index": 8 * (blocks + 1) + firsts}
    elif by_rank:
        wanted = {"values_by_rank": manifest["value_bytes"] * positions, "ends_by_rank": 2 * positions}
    else:
        wanted = {"states": row_bytes * positions + padding(row_bytes)}
        if "values" in level:
            fields_of(manifest, "it", ("values", "value_bytes"), (*manifest,))
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
    if "by_rank" in manifest and not manifest["tiers"] and len(levels) > 1:
        raise Unfit("it has several levels, and by rank there is one where there are no tiers")
    found_all = manifest["phase"] != "discover"
    if found_all and not manifest["tiers"] and len({level["regular"] for level in levels}) > 1:
        raise Unfit("some of its levels are regular and others not, and it has no tiers")


# What it tells whoever reads it without the rules.


def _check_description(manifest: dict[str, Any]) -> None:
    told = manifest["description"]
    fields_of(told, "description", ("symmetry", "to_move", "example"), ("fields",))
    plain_text(told["symmetry"], "description.symmetry")
    fields_of(told["to_move"], "description.to_move", (), ("even",))
    if "even" in told["to_move"]:
        whole_number(
            told["to_move"]["even"], "description.to_move.even", range(max(1, len(manifest["start"])))
        )
    list_of(told.get("fields", []), "description.fields", _field)
    _check_example(told["example"], manifest)


def _field(field: Any, where: str) -> None:
    fields_of(field, where, ("kind", "meaning", "name"))
    plain_text(field["name"], f"{where}.name")
    plain_text(field["meaning"], f"{where}.meaning")
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
    fields_of(told, where, names)
    list_of(told["state"], f"{where}.state", signed_word)
    matching(told["packed"], f"{where}.packed", PACKED)
    whole_number(told["level"], f"{where}.level", range(len(manifest["levels"])))
    whole_number(told["place"], f"{where}.place", range(MOST_POSITIONS))
    plain_text(told["board"], f"{where}.board")
    if told["value"] is not None:
        real_number(told["value"], f"{where}.value")
    if told["remoteness"] is not None:
        whole_number(told["remoteness"], f"{where}.remoteness", range(1 << 16))
    if told["outcome"] not in ("MAX wins", "MIN wins", "tie", "draw") or told["to_move"] not in (
        "MAX",
        "MIN",
    ):
        raise Unfit(f"{where} says {shown(told['outcome'])} and {shown(told['to_move'])}")
    if not isinstance(told["over"], bool):
        raise Unfit(f"{where}.over is {shown(told['over'])}, and is true or false")


# What a build that is not finished says, to go on from there.


def _check_unfinished(manifest: dict[str, Any], row_bytes: int) -> None:
    words = width_for(row_bytes)
    for kind in ("runs", "parts", "pieces"):
        for number, each in enumerate(list_of(manifest.get(kind, []), kind, lambda each, where: None)):
            _check_temporary(each, f"{kind}[{number}]", kind, manifest, words)
            if kind != "pieces" and (each["bytes"] - padding(row_bytes)) % row_bytes:
                raise Unfit(f"{kind}[{number}].bytes is {each['bytes']:,}, which is no number of states")
            if kind != "pieces" and each["bytes"] <= padding(row_bytes):
                raise Unfit(f"{kind}[{number}] has no states")
    if manifest["phase"] == "discover":
        fields_of(manifest, "it", ("runs", "parts", "expanded", "tier", "regular", "utilities"), (*manifest,))
        whole_number(manifest["tier"], "tier", range(-MOST_TIER, MOST_TIER))
        if not isinstance(manifest["regular"], bool):
            raise Unfit(f"regular is {shown(manifest['regular'])}, and is true or false")
        expanded = list_of(
            manifest["expanded"],
            "expanded",
            lambda each, where: whole_number(each, where, range(MOST_POSITIONS)),
        )
        if len(expanded) != 2:
            raise Unfit(f"expanded has {len(expanded)} numbers, and has 2")
    if "utilities" in manifest or "values" not in manifest:
        list_of(manifest.get("utilities"), "utilities", real_number)
    if "together" in manifest:
        together = manifest["together"]
        fields_of(together, "together", ("asked", "serial"))
        whole_number(together["serial"], "together.serial", range(1 << 40))
        fields_of(together["asked"], "together.asked", tuple(FIRST))
        for name, allowed in FIRST.items():
            whole_number(together["asked"][name], f"together.asked.{name}", allowed)


def _check_temporary(each: Any, where: str, kind: str, manifest: dict[str, Any], words: int) -> None:
    """Look at what is said of a file that is there while a build goes on."""
    fields_of(each, where, ("file", "bytes", "checksums"), (*each,) if isinstance(each, dict) else ())
    matching(each["file"], f"{where}.file", TEMPORARY[kind])
    sums = {name: each[name] for name in ("bytes", "checksums")}
    check_file(sums, where, manifest["block"])
    for name in ("serial", "begin", "level", "positions", "edges"):
        if name in each:
            whole_number(each[name], f"{where}.{name}", range(MOST_POSITIONS))
    for name in ("some", "all"):
        if len(list_of(each.get(name, ["0"] * words), f"{where}.{name}", unsigned_word)) != words:
            raise Unfit(f"{where}.{name} has not as many words as a state")
    if kind == "runs":
        whole_number(each.get("tier"), f"{where}.tier", range(-MOST_TIER, MOST_TIER))
    elif kind == "parts":
        fields_of(each, where, ("some", "all", "serial"), (*each,))
    elif "edges" in each:
        fields_of(each, where, ("begin", "level", "positions"), (*each,))
        level = whole_number(each["level"], f"{where}.level", range(max(1, len(manifest["levels"]))))
        if (
            not manifest["levels"]
            or each["begin"] + each["positions"] > manifest["levels"][level]["positions"]
        ):
            raise Unfit(f"{where} has more positions than its level")
    elif each.get("kind", "values") not in ("values", "ends"):
        raise Unfit(f"{where}.kind is {shown(each['kind'])}")
