"""`bytes` and `bytearray`: rows of small numbers, whose methods are those of texts of such letters."""

# ruff: noqa: A002, D103
from __future__ import annotations

from typing import Any

__prelude__ = True
__inlined__ = {
    *("bytes_split", "bytes_rsplit", "bytes_splitlines", "bytes_of_items", "bytearray_of", "bytearray_copy"),
    *("bytes_partition", "bytes_rpartition", "zeros"),
}
LARGE = 9223372036854775807


def as_text(row: Any) -> str:
    """A row of bytes, or one of them, as a text of letters: the compiler takes it for one."""
    return chr(row) if isinstance(row, int) else bytes(row).decode("latin-1")


def as_bytes(text: Any) -> bytes:
    """The opposite."""
    return text.encode("latin-1")


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError


def required_byte(number: int) -> int:
    if number < 0 or number > 255:
        raise ValueError
    return number


def zeros(count: int) -> list[int]:
    if count < 0:
        raise ValueError
    return [0] * count


def bytes_of_items(items: Any) -> list[int]:
    made = []
    for item in items:
        made.append(required_byte(item))
    return made


def of_letters(text: str, encoding: str, most: int) -> bytes:
    for letter in text:
        if ord(letter) > most:
            undecided()
    return as_bytes(text)


def bytes_decode(row: Any, encoding: str = "utf-8", errors: str = "strict") -> str:
    latin = encoding in ("latin-1", "latin1", "iso-8859-1")
    if not latin and encoding not in ("ascii", "utf-8", "utf8"):
        undecided()
    for number in row:
        if number > 127 and not latin:
            undecided()
    return as_text(row)


def plain(row: Any) -> str:
    """A row of bytes as a text, if all of them are letters whose case and kind Python knows by themselves."""
    text = as_text(row)
    for number in row:
        if number > 127:
            undecided()
    return text


def bytes_find(row: Any, sub: Any, start: int = 0, end: int = LARGE) -> int:
    return as_text(row).find(as_text(sub), start, end)


def bytes_rfind(row: Any, sub: Any, start: int = 0, end: int = LARGE) -> int:
    return as_text(row).rfind(as_text(sub), start, end)


def bytes_index(row: Any, sub: Any, start: int = 0, end: int = LARGE) -> int:
    return as_text(row).index(as_text(sub), start, end)


def bytes_rindex(row: Any, sub: Any, start: int = 0, end: int = LARGE) -> int:
    return as_text(row).rindex(as_text(sub), start, end)


def bytes_count(row: Any, sub: Any) -> int:
    return as_text(row).count(as_text(sub))


def bytes_startswith(row: Any, prefix: Any) -> bool:
    if isinstance(prefix, tuple):
        return any(bytes_startswith(row, one) for one in prefix)
    return as_text(row).startswith(as_text(prefix))


def bytes_endswith(row: Any, suffix: Any) -> bool:
    if isinstance(suffix, tuple):
        return any(bytes_endswith(row, one) for one in suffix)
    return as_text(row).endswith(as_text(suffix))


def bytes_replace(row: Any, old: Any, new: Any, count: int = -1) -> bytes:
    return as_bytes(as_text(row).replace(as_text(old), as_text(new), count))


def bytes_strip(row: Any, letters: Any = None) -> bytes:
    return as_bytes(plain(row).strip() if letters is None else as_text(row).strip(as_text(letters)))


def bytes_lstrip(row: Any, letters: Any = None) -> bytes:
    return as_bytes(plain(row).lstrip() if letters is None else as_text(row).lstrip(as_text(letters)))


def bytes_rstrip(row: Any, letters: Any = None) -> bytes:
    return as_bytes(plain(row).rstrip() if letters is None else as_text(row).rstrip(as_text(letters)))


def bytes_removeprefix(row: Any, prefix: Any) -> bytes:
    return as_bytes(as_text(row).removeprefix(as_text(prefix)))


def bytes_removesuffix(row: Any, suffix: Any) -> bytes:
    return as_bytes(as_text(row).removesuffix(as_text(suffix)))


def bytes_split(row: Any, sep: Any = None, maxsplit: int = -1) -> list[bytes]:
    if sep is None:
        return [as_bytes(part) for part in plain(row).split(None, maxsplit)]
    return [as_bytes(part) for part in as_text(row).split(as_text(sep), maxsplit)]


def bytes_partition(row: Any, sep: Any) -> Any:
    before, between, after = as_text(row).partition(as_text(sep))
    return as_bytes(before), as_bytes(between), as_bytes(after)


def bytes_rpartition(row: Any, sep: Any) -> Any:
    before, between, after = as_text(row).rpartition(as_text(sep))
    return as_bytes(before), as_bytes(between), as_bytes(after)


def bytes_join(row: Any, parts: Any) -> bytes:
    return as_bytes(as_text(row).join([as_text(part) for part in parts]))


def bytes_upper(row: Any) -> bytes:
    return as_bytes(plain(row).upper())


def bytes_lower(row: Any) -> bytes:
    return as_bytes(plain(row).lower())


def bytes_swapcase(row: Any) -> bytes:
    return as_bytes(plain(row).swapcase())


def bytes_isupper(row: Any) -> bool:
    return plain(row).isupper()


def bytes_islower(row: Any) -> bool:
    return plain(row).islower()


def bytes_isalpha(row: Any) -> bool:
    return plain(row).isalpha()


def bytes_isdigit(row: Any) -> bool:
    return plain(row).isdigit()


def bytes_isspace(row: Any) -> bool:
    return plain(row).isspace()


def bytes_ljust(row: Any, width: int, letter: Any = b" ") -> bytes:
    return as_bytes(as_text(row).ljust(width, as_text(letter)))


def bytes_rjust(row: Any, width: int, letter: Any = b" ") -> bytes:
    return as_bytes(as_text(row).rjust(width, as_text(letter)))


def bytes_center(row: Any, width: int, letter: Any = b" ") -> bytes:
    return as_bytes(as_text(row).center(width, as_text(letter)))


def bytes_zfill(row: Any, width: int) -> bytes:
    return as_bytes(as_text(row).zfill(width))


def bytes_translate(row: Any, table: Any) -> bytes:
    if table is None:
        undecided()
    if len(table) != 256:
        raise ValueError
    return bytes([table[number] for number in row])


def bytes_hex(row: Any) -> str:
    digits = "0123456789abcdef"
    return "".join([digits[number >> 4] + digits[number & 15] for number in row])


def int_to_bytes(number: int, length: int = 1, byteorder: str = "big") -> bytes:
    if number < 0 or length < 0 or length > 8:
        undecided()
    made = [0] * length
    left = number
    for place in range(length):
        made[place if byteorder == "little" else length - 1 - place] = left & 255
        left >>= 8
    if left:
        raise OverflowError
    return bytes(made)


def number_from_bytes(bytes: Any, byteorder: str = "big") -> int:
    total = 0
    if byteorder == "little":
        for place in range(len(bytes) - 1, -1, -1):
            total = total * 256 + bytes[place]
    else:
        for number in bytes:
            total = total * 256 + number
    return total
