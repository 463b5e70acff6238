"""Strings: their methods."""

# ruff: noqa: A001, D103
from __future__ import annotations

from typing import Any

from perfectplay.compiler.prelude.arithmetic import undecided

__prelude__ = True
__inlined__ = {
    "str_join",
    "str_split",
    "str_rsplit",
    "pieces_of",
    "words_of",
    "str_splitlines",
    "text_of_items",
    "text_of_dict",
    "text_of_set",
}


def str_join(separator: str, parts: Any) -> str:
    made = []
    first = True
    for part in parts:
        if not first:
            for letter in separator:
                made.append(letter)
        for letter in part:
            made.append(letter)
        first = False
    return text_of_letters(made)


def str_count(text: str, wanted: str, *limits: Any) -> int:
    if len(limits) > 0:
        undecided()
    size, length = len(text), len(wanted)
    if length == 1:
        times = 0
        for letter in text:
            if letter == wanted:
                times += 1
        return times
    if length == 0:
        return size + 1
    place = times = 0
    while place + length <= size:
        if matches_at(text, wanted, place):
            times += 1
            place += length
        else:
            place += 1
    return times


def matches_at(text: str, wanted: str, place: int) -> bool:
    for number in range(len(wanted)):
        if text[place + number] != wanted[number]:
            return False
    return True


def has_text(text: str, wanted: str) -> bool:
    return str_find(text, wanted) >= 0


def str_find(text: str, wanted: str, first: int = 0, last: int = 9223372036854775807) -> int:
    size = len(text)
    if first < 0:
        first = max(first + size, 0)
    if last < 0:
        last = max(last + size, 0)
    last = min(last, size)
    place = first
    while place + len(wanted) <= last:
        if matches_at(text, wanted, place):
            return place
        place += 1
    return -1


def str_rfind(text: str, wanted: str, first: int = 0, last: int = 9223372036854775807) -> int:
    size = len(text)
    if first < 0:
        first = max(first + size, 0)
    if last < 0:
        last = max(last + size, 0)
    place = min(last, size) - len(wanted)
    while place >= first:
        if matches_at(text, wanted, place):
            return place
        place -= 1
    return -1


def str_rindex(text: str, wanted: str, first: int = 0, last: int = 9223372036854775807) -> int:
    place = str_rfind(text, wanted, first, last)
    if place < 0:
        raise ValueError
    return place


def str_index(text: str, wanted: str, first: int = 0, last: int = 9223372036854775807) -> int:
    place = str_find(text, wanted, first, last)
    if place < 0:
        raise ValueError
    return place


def str_startswith(text: str, wanted: Any, first: int = 0) -> bool:
    if isinstance(wanted, tuple):
        for one in wanted:
            if starts_with(text, one, first):
                return True
        return False
    return starts_with(text, wanted, first)


def starts_with(text: str, wanted: str, first: int) -> bool:
    if first < 0:
        first = max(first + len(text), 0)
    return first + len(wanted) <= len(text) and matches_at(text, wanted, first)


def str_endswith(text: str, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        for one in wanted:
            if ends_with(text, one):
                return True
        return False
    return ends_with(text, wanted)


def ends_with(text: str, wanted: str) -> bool:
    return len(wanted) <= len(text) and matches_at(text, wanted, len(text) - len(wanted))


def str_replace(text: str, old: str, new: str, times: int = -1) -> str:
    made: list[str] = []
    place = 0
    if len(old) == 0:
        undecided()
    while place < len(text):
        if times != 0 and place + len(old) <= len(text) and matches_at(text, old, place):
            for letter in new:
                made.append(letter)
            place += len(old)
            times -= 1
        else:
            made.append(text[place])
            place += 1
    return text_of_letters(made)


def text_repeated(text: str, times: int) -> str:
    made = []
    for _ in range(times):
        for letter in text:
            made.append(letter)
    return text_of_letters(made)


def text_of_int(number: int) -> str:
    if number == 0:
        return "0"
    digits = []
    rest = abs(number)
    while rest:
        digits.append(chr(48 + rest % 10))
        rest //= 10
    if number < 0:
        digits.append("-")
    digits.reverse()
    return text_of_letters(digits)


def text_of_bool(truth: bool) -> str:
    return "True" if truth else "False"


def is_space(letter: str) -> bool:
    code = plain_letter(letter)
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31


def int_of_text(text: str, base: int = 10) -> int:
    if base < 2 or base > 36:
        undecided()
    place, end = 0, len(text)
    while place < end and is_space(text[place]):
        place += 1
    while end > place and is_space(text[end - 1]):
        end -= 1
    negative = False
    if place < end and (text[place] == "-" or text[place] == "+"):
        negative = text[place] == "-"
        place += 1
    after_digit = False  # may an underscore come here?
    if end - place > 1 and text[place] == "0" and base in (2, 8, 16):
        if plain_letter(text[place + 1]) | 32 == {2: 98, 8: 111, 16: 120}[base]:  # 0b, 0o, 0x
            place += 2
            after_digit = True
    if place == end or text[end - 1] == "_":
        raise ValueError
    number = 0
    while place < end:
        code = plain_letter(text[place])
        place += 1
        if code == 95 and after_digit:
            after_digit = False
            continue
        digit = digit_of(code)
        if digit >= base:
            raise ValueError
        number = number * base + digit
        after_digit = True
    return -number if negative else number


def digit_of(code: int) -> int:
    """What a letter stands for in a number, or more than any digit does."""
    if 48 <= code <= 57:
        return code - 48
    return (code | 32) - 87 if 97 <= code | 32 <= 122 else 99


def quoted(text: str) -> str:
    for letter in text:
        code = ord(letter)
        if code < 32 or code > 126 or code == 39 or code == 92:
            undecided()
    return "'" + text + "'"


def text_of_items(items: Any) -> str:
    inside = ", ".join([repr(item) for item in items])
    if isinstance(items, list):
        return "[" + inside + "]"
    return "(" + inside + ",)" if len(items) == 1 else "(" + inside + ")"


def text_of_dict(items: Any) -> str:
    return "{" + ", ".join([repr(key) + ": " + repr(value) for key, value in items.items()]) + "}"


def text_of_set(items: Any) -> str:
    inside = ", ".join([repr(item) for item in items])
    return "{" + inside + "}" if len(items) > 0 else "set()"


def digits_in(number: int, base: int, upper: bool) -> str:
    if number == 0:
        return "0"
    digits = []
    rest = abs(number)
    while rest:
        digit = rest % base
        digits.append(chr(48 + digit if digit < 10 else (55 if upper else 87) + digit))
        rest //= base
    digits.reverse()
    return text_of_letters(digits)


def sign_of(number: int, wanted: str) -> str:
    if number < 0:
        return "-"
    return "" if wanted == "-" else wanted


def padded(text: str, width: int, letter: str, align: int) -> str:
    missing = width - len(text)
    if missing <= 0:
        return text
    before = 0 if align == 0 else missing if align == 1 else missing // 2
    return letter * before + text + letter * (missing - before)


def filled_between(front: str, digits: str, width: int, letter: str) -> str:
    return front + letter * (width - len(front) - len(digits)) + digits


def str_ljust(text: str, width: int, letter: str = " ") -> str:
    return padded(text, width, letter, 0)


def str_rjust(text: str, width: int, letter: str = " ") -> str:
    return padded(text, width, letter, 1)


def str_center(text: str, width: int, letter: str = " ") -> str:
    missing = width - len(text)
    if missing <= 0:
        return text
    before = missing // 2 + (missing & width & 1)
    return letter * before + text + letter * (missing - before)


def str_zfill(text: str, width: int) -> str:
    missing = width - len(text)
    if missing <= 0:
        return text
    if len(text) > 0 and (text[0] == "-" or text[0] == "+"):
        return text[0] + "0" * missing + text[1:]
    return "0" * missing + text


def is_stripped(letter: str, letters: Any) -> bool:
    return is_space(letter) if letters is None else letter in letters


def str_strip(text: str, letters: Any = None) -> str:
    return str_rstrip(str_lstrip(text, letters), letters)


def str_lstrip(text: str, letters: Any = None) -> str:
    place = 0
    while place < len(text) and is_stripped(text[place], letters):
        place += 1
    return text[place:]


def str_rstrip(text: str, letters: Any = None) -> str:
    end = len(text)
    while end > 0 and is_stripped(text[end - 1], letters):
        end -= 1
    return text[:end]


def str_removeprefix(text: str, prefix: str) -> str:
    return text[len(prefix) :] if str_startswith(text, prefix) else text


def str_removesuffix(text: str, suffix: str) -> str:
    return text[: len(text) - len(suffix)] if len(suffix) > 0 and str_endswith(text, suffix) else text


def str_split(text: str, sep: Any = None, maxsplit: int = -1) -> Any:
    if sep is None:
        return words_of(text, maxsplit)
    return pieces_of(text, sep, maxsplit)


def pieces_of(text: str, separator: str, most: int) -> Any:
    if len(separator) == 0:
        raise ValueError
    made = []
    start = place = 0
    while place + len(separator) <= len(text) and most != 0:
        if matches_at(text, separator, place):
            made.append(text[start:place])
            place += len(separator)
            start = place
            most -= 1
        else:
            place += 1
    made.append(text[start:])
    return made


def words_of(text: str, most: int) -> Any:
    made = []
    place = 0
    while True:
        while place < len(text) and is_space(text[place]):
            place += 1
        if place == len(text):
            return made
        start = place
        if most == 0:
            made.append(text[start:])
            return made
        while place < len(text) and not is_space(text[place]):
            place += 1
        made.append(text[start:place])
        most -= 1


def str_rsplit(text: str, sep: Any = None, maxsplit: int = -1) -> Any:
    if maxsplit < 0:
        return str_split(text, sep)
    parts = [part[::-1] for part in str_split(text[::-1], None if sep is None else sep[::-1], maxsplit)]
    parts.reverse()
    return parts


def str_splitlines(text: str, keepends: Any = False) -> Any:
    made = []
    start = place = 0
    while place < len(text):
        code = ord(text[place])
        if code != 10 and (code > 126 or 11 <= code <= 13 or 28 <= code <= 30):
            undecided()
        if code == 10:
            made.append(text[start : place + 1 if keepends else place])
            start = place + 1
        place += 1
    if start < len(text):
        made.append(text[start:])
    return made


def str_partition(text: str, separator: str) -> Any:
    place = str_find(text, separator)
    if place < 0:
        return text, "", ""
    return text[:place], separator, text[place + len(separator) :]


def str_rpartition(text: str, separator: str) -> Any:
    place = str_rfind(text, separator)
    if place < 0:
        return "", "", text
    return text[:place], separator, text[place + len(separator) :]


def str_title(text: str) -> str:
    made = []
    inside = False
    for letter in text:
        made.append(lower_letter(letter) if inside else upper_letter(letter))
        inside = is_upper_letter(letter) or is_lower_letter(letter)
    return text_of_letters(made)


def str_capitalize(text: str) -> str:
    return str_upper(text[:1]) + str_lower(text[1:])


def str_casefold(text: str) -> str:
    return str_lower(text)


def str_isalnum(text: str) -> bool:
    for letter in text:
        if not is_upper_letter(letter) and not is_lower_letter(letter) and not 48 <= ord(letter) <= 57:
            return False
    return len(text) > 0


def translated(text: str, table: Any) -> str:
    made = []
    for letter in text:
        if letter in table:
            for new in table[letter]:
                made.append(new)
        else:
            made.append(letter)
    return text_of_letters(made)


def str_upper(text: str) -> str:
    return text_of_letters([upper_letter(letter) for letter in text])


def str_lower(text: str) -> str:
    return text_of_letters([lower_letter(letter) for letter in text])


def str_swapcase(text: str) -> str:
    return text_of_letters([lower_letter(x) if is_upper_letter(x) else upper_letter(x) for x in text])


def plain_letter(letter: str) -> int:
    code = ord(letter)
    if code > 127:
        undecided()
    return code


def upper_letter(letter: str) -> str:
    code = plain_letter(letter)
    return chr(code - 32) if 97 <= code <= 122 else letter


def lower_letter(letter: str) -> str:
    code = plain_letter(letter)
    return chr(code + 32) if 65 <= code <= 90 else letter


def is_upper_letter(letter: str) -> bool:
    return 65 <= plain_letter(letter) <= 90


def is_lower_letter(letter: str) -> bool:
    return 97 <= plain_letter(letter) <= 122


def str_isupper(text: str) -> bool:
    cased = False
    for letter in text:
        if is_lower_letter(letter):
            return False
        if is_upper_letter(letter):
            cased = True
    return cased


def str_islower(text: str) -> bool:
    cased = False
    for letter in text:
        if is_upper_letter(letter):
            return False
        if is_lower_letter(letter):
            cased = True
    return cased


def str_isalpha(text: str) -> bool:
    for letter in text:
        if not is_upper_letter(letter) and not is_lower_letter(letter):
            return False
    return len(text) > 0


def str_isdigit(text: str) -> bool:
    for letter in text:
        if not 48 <= plain_letter(letter) <= 57:
            return False
    return len(text) > 0


str_isdecimal = str_isnumeric = str_isdigit


def str_isascii(text: str) -> bool:
    for letter in text:
        if ord(letter) > 127:
            return False
    return True


def str_isspace(text: str) -> bool:
    for letter in text:
        code = plain_letter(letter)
        if not (code == 32 or 9 <= code <= 13 or 28 <= code <= 31):
            return False
    return len(text) > 0


def text_of_letters(letters: Any) -> str:
    """The string of a list of letters: the compiler knows how."""
    return "".join(letters)
