"""Kept answers: a table in memory for a function that is cached and calls itself, in LLVM's assembly.

An entry holds the arguments, the results and a digest of both, a word each, and is overwritten by the next
answer that falls on it. Threads share the table without a lock: what two of them have written in turns does
not fit its digest, and is not believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from perfectplay.compiler.ir import Function

TYPES = {"i": "i64", "b": "i1", "f": "double", "p": "ptr", "w": "i128"}
BODY = ".body"  # of the name of the function that works an answer out
KEPT_KINDS = frozenset("ibf")  # registers that mean the same in every call
PLACES = 14  # bits of the number of an entry
SEED, FACTOR = 0x243F6A8885A308D3, -0x61C8864680B583EB


def keeper(function: Function) -> list[str]:
    """A function that looks an answer up, and has it worked out and keeps it where there is none."""
    results = "{ " + ", ".join(["i32", *(TYPES[kind] for kind in function.results)]) + " }"
    given = "".join(f", {TYPES[reg.kind]} %a{place}" for place, reg in enumerate(function.parameters))
    size = len(function.parameters) + len(function.results) + 1
    table = f"[{1 << PLACES} x [{size} x i64]]"
    names = (f"%t{number}" for number in count())
    lines = [
        f"@{function.name}.kept = internal global {table} zeroinitializer, align 64",
        f"define internal {results} @{function.name}(ptr %ctx{given}) nounwind noinline {{",
    ]
    words = []
    for place, reg in enumerate(function.parameters):
        words.append(_word(lines, names, reg.kind, f"%a{place}"))
    key = _mixed(lines, names, str(SEED), words)
    lines += [
        f"  %place = lshr i64 {key}, {64 - PLACES}",
        f"  %entry = getelementptr {table}, ptr @{function.name}.kept, i64 0, i64 %place",
    ]
    kept = []
    for place in range(size):
        at, word = next(names), next(names)
        lines.append(f"  {at} = getelementptr i64, ptr %entry, i64 {place}")
        lines.append(f"  {word} = load atomic i64, ptr {at} monotonic, align 8")
        kept.append(word)
    answers, digest = kept[len(words) : -1], kept[-1]
    expected = _mixed(lines, names, key, answers)
    hit = _equal(lines, names, [*zip(kept, words, strict=False), (digest, expected)])
    lines += [f"  br i1 {hit}, label %found, label %missing", "found:"]
    built = f"{results} zeroinitializer"
    for place, (kind, word) in enumerate(zip(function.results, answers, strict=True)):
        value = _value(lines, names, kind, word)
        new = next(names)
        lines.append(f"  {new} = insertvalue {built}, {TYPES[kind]} {value}, {place + 1}")
        built = f"{results} {new}"
    passed = "".join(f", {TYPES[reg.kind]} %a{place}" for place, reg in enumerate(function.parameters))
    lines += [
        f"  ret {built}",
        "missing:",
        f"  %made = call {results} @{function.name}{BODY}(ptr %ctx{passed})",
        f"  %status = extractvalue {results} %made, 0",
        "  %fine = icmp eq i32 %status, 0",
        "  br i1 %fine, label %keep, label %leave",
        "keep:",
    ]
    for place, kind in enumerate(function.results):
        part = next(names)
        lines.append(f"  {part} = extractvalue {results} %made, {place + 1}")
        words.append(_word(lines, names, kind, part))
    words.append(_mixed(lines, names, key, words[len(function.parameters) :]))
    for place, word in enumerate(words):
        at = next(names)
        lines.append(f"  {at} = getelementptr i64, ptr %entry, i64 {place}")
        lines.append(f"  store atomic i64 {word}, ptr {at} monotonic, align 8")
    return [*lines, "  br label %leave", "leave:", f"  ret {results} %made", "}"]


def _word(lines: list[str], names: Iterator[str], kind: str, value: str) -> str:
    """A register as a word of memory."""
    if kind == "i":
        return value
    cast, word = {"b": "zext", "f": "bitcast"}[kind], next(names)
    lines.append(f"  {word} = {cast} {TYPES[kind]} {value} to i64")
    return word


def _value(lines: list[str], names: Iterator[str], kind: str, word: str) -> str:
    """The register that a word of memory is of."""
    if kind == "i":
        return word
    cast, value = {"b": "trunc", "f": "bitcast"}[kind], next(names)
    lines.append(f"  {value} = {cast} i64 {word} to {TYPES[kind]}")
    return value


def _mixed(lines: list[str], names: Iterator[str], start: str, words: list[str]) -> str:
    """A digest of words; never 0 for words that are all 0, as an entry is that nobody has written."""
    for word in [*words, "0"]:
        one, other, high, mixed = (next(names) for _ in range(4))
        lines += [
            f"  {one} = xor i64 {start}, {word}",
            f"  {other} = mul i64 {one}, {FACTOR}",
            f"  {high} = lshr i64 {other}, 29",
            f"  {mixed} = xor i64 {other}, {high}",
        ]
        start = mixed
    return start


def _equal(lines: list[str], names: Iterator[str], pairs: list[tuple[str, str]]) -> str:
    """Are all pairs of words equal?"""
    result = "true"
    for one, other in pairs:
        same, both = next(names), next(names)
        lines += [f"  {same} = icmp eq i64 {one}, {other}", f"  {both} = and i1 {result}, {same}"]
        result = both
    return result
