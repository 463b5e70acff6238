"""The digest of a row of numbers, as `game.py` has it: compiled, as Python takes a microsecond for each."""

from __future__ import annotations

from perfectplay.compiler.primitives import word
from perfectplay.compiler.records import Byte, Word, record

DIGESTS, NUMBERS, LETTERS = range(3)  # words that are digests; numbers of 64 bits; letters, a byte each


@record
class Row:
    """What a digest is to be made of."""

    count: int = 0
    begin: Word = 0  # where the digest begins
    kind: int = DIGESTS
    words: list[Word]
    letters: list[Byte]


def digest_of_row(row: Row) -> Word:
    """The digest of a row."""
    total = mixed(row.begin)
    for place in range(row.count):
        if row.kind == DIGESTS:
            part = row.words[place]
        elif row.kind == NUMBERS:
            part = mixed(row.words[place])
        else:
            part = mixed(word(row.letters[place]))
        total = mixed(word(word(31) * total + part))
    return total


def mixed(value: Word) -> Word:
    """Every bit spread over all of a word (`game._mix`)."""
    value = word(value + word(0x9E3779B97F4A7C15))
    value = word((value ^ value >> 30) * word(0xBF58476D1CE4E5B9))
    value = word((value ^ value >> 27) * word(0x94D049BB133111EB))
    return value ^ value >> 31
