"""Tables as an enemy would make them: mutated at random, sealed again or not, and asked everything.

    python tests/hostile_tables.py [--cases 10000] [--first 0] [--workers 2]

A case is a number: the table, what becomes of it and what is asked follow from it. Each must end with right
answers or with one sentence (a PerfectPlayError): no other exception, no crash, not more than 300 MB, not
more than 20 seconds. If `verify` finds nothing, every answer must be right; and if nothing was sealed again,
every answer must be right or refused, since a probe looks at the checksum of what it reads.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import zstandard

from perfectplay import MAX, Engine, Game, PerfectPlayError, load_game
from perfectplay.tablebase import (
    Tablebase,
    build_tablebase,
    compress,
    export,
    seal,
    statistics,
    verification,
    verify,
)
from perfectplay.tablebase.storage import MANIFEST, manifest_bytes

SECONDS = 20
MEMORY = 300 << 20  # bytes that are in use at any time, Python and all libraries included
ADDRESSES = 16 << 30  # bytes that may be asked for: machine code reserves much and uses little of it
SPELL = 200  # cases of one process: engines reserve addresses, and give them back when it ends
FILES = ("states", "values", "ends", "blocks", "index", "values-by-rank", "ends-by-rank")


# Games of few positions, one for each way in which a table is made.


class Wide(Game):
    """Take one or two from a heap; a state has more than 64 bits that vary."""

    steps = (
        0,
        0x5555555555555555,
        0x2AAAAAAAAAAAAAAA,
        0x7FFFFFFFFFFFFFFF,
        0x0123456789ABCDEF,
        0x7EDCBA9876543210,
    )

    def initial(self):
        return 0, 0, MAX

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [1, 2] if state[1] < 4 else [1]

    def result(self, state, action):
        count = state[1] + action
        return self.steps[count], count, 1 - state[2]

    def is_terminal(self, state):
        return state[1] == 5

    def utility(self, state, player):
        return -1 if player == state[2] else 1


class Wider(Wide):
    """The same in two words."""

    def initial(self):
        return 0, -1, 0, MAX

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        return [1, 2] if state[2] < 4 else [1]

    def result(self, state, action):
        count = state[2] + action
        return self.steps[count], -1 - self.steps[5 - count], count, 1 - state[3]

    def is_terminal(self, state):
        return state[2] == 5

    def utility(self, state, player):
        return -1 if player == state[3] else 1


class Ring(Game):
    """Walk round a ring of five, forward or back, or leave it at two places: it goes round in circles."""

    def initial(self):
        return 0, MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return ["on", "back", "leave"] if state[0] in (2, 3) else ["on", "back"]

    def result(self, state, action):
        if action == "leave":
            return 5 + (state[0] == 3) + 2 * state[1], state[1]
        return (state[0] + (1 if action == "on" else 4)) % 5, 1 - state[1]

    def is_terminal(self, state):
        return state[0] >= 5

    def utility(self, state, player):
        worth = {5: 0.5, 6: -1, 7: -0.5, 8: 0}[state[0]]
        return worth if player == MAX else -worth


class RankedRing(Ring):
    """The same with its states numbered: some numbers are those of no state."""

    def rank(self, state):
        return 2 * state[0] + state[1]

    def unrank(self, tier, number):
        return number // 2, number % 2

    def ranks(self, tier):
        return 18


class RankedHeaps(Game):
    """Take one or two from one of two heaps; the heaps may be swapped, and a tier is what was taken."""

    def initial(self):
        return 3, 3, MAX

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [(heap, take) for heap in (0, 1) for take in (1, 2) if take <= state[heap]]

    def result(self, state, action):
        heaps = list(state[:2])
        heaps[action[0]] -= action[1]
        return heaps[0], heaps[1], 1 - state[2]

    def is_terminal(self, state):
        return state[:2] == (0, 0)

    def utility(self, state, player):
        return -2 if player == state[2] else 2

    def canonical(self, state):
        return min(state[:2]), max(state[:2]), state[2]

    def tier(self, state):
        return 6 - state[0] - state[1]

    def rank(self, state):
        return 2 * state[0] + state[2]

    def unrank(self, tier, number):
        return number // 2, 6 - tier - number // 2, number % 2

    def ranks(self, tier):
        return 8 if 0 <= tier <= 6 else 0


class Worded(Game):
    """Letters are appended to a word; who completes "ab" loses."""

    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return ["a", "b"]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return len(state) == 4 or state.endswith("ab")

    def utility(self, state, player):
        worth = 0 if not state.endswith("ab") else 1 if len(state) % 2 == MAX else -1
        return worth if player == MAX else -worth


class Odd:
    """A state that nothing can be said of, but whether it is the same."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Odd) and other.number == self.number

    def __hash__(self):
        return hash(self.number)

    def __repr__(self):
        return f"Odd({self.number})"


class Objects(Game):
    """Take one, two or three from seven; its states are objects and are numbered."""

    def initial(self):
        return Odd(7)

    def to_move(self, state):
        return state.number * 3 % 2

    def actions(self, state):
        return range(1, min(3, state.number) + 1)

    def result(self, state, action):
        return Odd(state.number - action)

    def is_terminal(self, state):
        return state.number == 0

    def utility(self, state, player):
        return 1 if player == MAX else -1


@dataclass
class Table:
    """A table that is right, and what it says of every position."""

    name: str
    game: Game
    directory: Path
    answers: dict[Any, Any]
    odd: list[Any]  # what is not in it


def tables(home: Path) -> list[Table]:
    """One of every kind, and each of them compressed."""
    games: dict[str, tuple[Game, dict[str, Any]]] = {
        "plain": (load_game("nim:heaps=2+3"), {}),
        "symmetric": (load_game("connect-four:rows=2,cols=3,k=2"), {}),
        "tiers": (load_game("kalah:pits=2,seeds=2"), {}),
        "dodgem": (load_game("dodgem:size=2"), {}),
        "circles": (Ring(), {}),
        "wide": (Wide(), {}),
        "wider": (Wider(), {}),
        "words": (Worded(), {}),
        "numbered": (Objects(), {}),
        "ranked": (load_game("nim:heaps=2+3"), {"by_rank": True}),
        "ranked-circles": (RankedRing(), {"by_rank": True}),
        "ranked-tiers": (RankedHeaps(), {"by_rank": True}),
    }
    game = load_game("hexapawn")
    start = game.initial()
    for _ in range(2):
        start = game.result(start, next(iter(game.actions(start))))
    games["endgame"] = (game, {"start": start})
    made = []
    for name, (game, options) in games.items():
        for packed in ("", "-packed", "-outcomes"):
            directory = home / f"{name}{packed}"
            build_tablebase(game, directory, compile="never", **options)
            if packed:
                compress(directory, outcomes=packed == "-outcomes", workers=1)
            with Tablebase(directory, game, compile="never") as table:
                answers = {state: table.probe(state) for state in _states(game, table.start)}
                odd = [game.initial()] if game.initial() not in answers else []
            made.append(Table(directory.name, game, directory, answers, odd))
    return made


def _states(game: Game, start: Any) -> list[Any]:
    found = {start: None}
    for state in (states := [start]):
        for action in [] if game.is_terminal(state) else game.actions(state):
            child = game.result(state, action)
            if child not in found:
                found[child] = None
                states.append(child)
    return states


# What an enemy does.

NUMBERS = (0, 1, -1, 2, 3, 7, 255, 256, 4096, 65535, *(1 << up for up in (20, 31, 48, 62, 63)))
NUMBERS = (*NUMBERS, (1 << 32) - 1, (1 << 53) + 1, (1 << 63) - 1, (1 << 64) - 1, 10**19, 0.5, -0.0, 1e308)
WORDS = ("", "0", "-1", "1", "f", "f" * 16, "7" + "f" * 15, "-8" + "0" * 15, "8" + "0" * 15, "f" * 17, "0x1")
WORDS = (
    *WORDS,
    " 1",
    "1_0",
    "..",
    "../x",
    "/",
    "\x00",
    "x" * 1000,
    "f" * 100_000,
    "done",
    "solve",
    "discover",
)
GAMES = ("nim:heaps=9+9+9+9", "connect-four", "connect-four:rows=99999,cols=99999", "nine-mens-morris")
ODD = (True, False, None, [], {}, [[]], [0], ["0"], ["f" * 16], {"a": 1}, [1] * 1000, ["f"] * 1000)
NASTY: tuple[Any, ...] = (*NUMBERS, *WORDS, *GAMES, *ODD)


def mutated(random: Random, directory: Path) -> bool:
    """Change a table in a few places; was it sealed again?"""
    manifest = json.loads((directory / MANIFEST).read_text())
    sealed = random.random() < 0.75
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        if random.random() < (0.5 if sealed else 0.05):
            _change_manifest(random, manifest)
        else:
            _change_file(random, directory, manifest)
    if sealed:
        if random.random() < 0.8:
            _seal_files(directory, manifest)
        if random.random() < 0.5:
            _true_counts(random, directory, manifest)
        (directory / MANIFEST).write_bytes(manifest_bytes(manifest))
        if random.random() < 0.02:
            _change_text(random, directory)
    return sealed


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All places in JSON data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from _paths(value, (*path, key))


def _change_manifest(random: Random, manifest: dict[str, Any]) -> None:
    *path, last = random.choice([path for path in _paths(manifest) if path])
    part: Any = manifest
    for step in path:
        part = part[step]
    value = part[last]
    choice = random.random()
    if choice < 0.35 and isinstance(value, int) and not isinstance(value, bool):
        part[last] = value + random.choice((-1, 1, 8, -8, 1 << random.randrange(64)))
    elif choice < 0.5 and isinstance(value, str) and value:
        try:
            part[last] = f"{int(value, 16) ^ 1 << random.randrange(64):x}"
        except ValueError:
            part[last] = random.choice(NASTY)
    elif choice < 0.6 and isinstance(value, list) and value:
        random.choice(
            (value.reverse, value.pop, lambda: value.append(value[0]), lambda: value.insert(0, value[-1]))
        )()
    elif choice < 0.7:
        del part[last]
    elif choice < 0.75 and isinstance(part, dict):
        names = ("form", "rows", "runs", "together", "odd", "utilities", "start", "by_rank", "ranks")
        part[random.choice(names)] = random.choice(NASTY)
    elif choice < 0.8 and isinstance(value, bool):
        part[last] = not value
    else:
        part[last] = random.choice(NASTY)


def _change_file(random: Random, directory: Path, manifest: dict[str, Any]) -> None:
    files = [path for path in sorted(directory.iterdir()) if path.suffix[1:] in FILES and path.is_file()]
    if not files:
        return
    file = random.choice(files)
    data = bytearray(file.read_bytes())
    choice = random.random()
    if choice < 0.4 and data:
        for _ in range(random.choice((1, 1, 4))):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif choice < 0.5:
        data += random.randbytes(random.choice((1, 2, 8, 11, 1000)))
    elif choice < 0.6:
        del data[random.randrange(len(data) + 1) :]
    elif choice < 0.65:
        data = bytearray(random.choice(files).read_bytes())
    elif choice < 0.7:
        data = bytearray(random.choice((0, 0xFF, 0xFE)).to_bytes() * len(data))
    elif choice < 0.74:
        _not_plain(random, file)
        return
    elif file.suffix == ".blocks":
        _change_block(random, file, data)
    else:
        sizes = {".states": 8, ".values": 1, ".ends": 2, ".index": 8}
        size = (sizes | {".values-by-rank": 1, ".ends-by-rank": 2})[file.suffix]
        at = random.randrange(max(1, len(data) // size)) * size
        row = data[at : at + size]
        random.choice(
            (
                lambda: data.__setitem__(slice(at, at), row),
                lambda: data.__delitem__(slice(at, at + size)),
                lambda: data.__setitem__(slice(at, at + size), random.randbytes(size)),
                lambda: data.__setitem__(
                    slice(at, at + size),
                    (random.choice((1 << 62, 255, 0)) % 256**size).to_bytes(size, "little"),
                ),
            )
        )()
    file.write_bytes(data)


def _not_plain(random: Random, file: Path) -> None:
    """Have something else in the place of a file."""
    kind = random.choice(("link", "loop", "pipe", "directory", "gone", "zero"))
    elsewhere = file.with_name("elsewhere")
    if kind == "link":
        file.rename(elsewhere)
        file.symlink_to(elsewhere)
        return
    file.unlink()
    if kind == "loop":
        file.symlink_to(file)
    elif kind == "zero":
        file.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "directory":
        file.mkdir()


def _change_block(random: Random, file: Path, data: bytearray) -> None:
    """Change what a compressed block holds, or what its frame says."""
    if random.random() < 0.4:
        held = random.choice((1 << 32, (1 << 63) - 1, 0, 1 << 20))
        data[:] = bytes.fromhex("28b52ffde0") + struct.pack("<Q", held) + bytes.fromhex("03000000")
        return
    try:
        if zstandard.frame_content_size(bytes(data)) > 1 << 20:  # it was changed before
            return
        plain = bytearray(zstandard.ZstdDecompressor().decompress(bytes(data), max_output_size=1 << 20))
    except zstandard.ZstdError:
        return
    if plain and random.random() < 0.7:
        plain[random.randrange(len(plain))] ^= 1 << random.randrange(8)
    elif random.random() < 0.5:
        plain = bytearray(random.choice((10_000_000, 1, 0)))
    else:
        plain += random.randbytes(random.randrange(100))
    data[:] = zstandard.ZstdCompressor(write_content_size=random.random() < 0.8).compress(bytes(plain))
    index = file.with_suffix(".index")
    if index.is_file():
        index.write_bytes(index.read_bytes()[:8] + struct.pack("<Q", len(data)) + index.read_bytes()[16:])


def _levels(manifest: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    levels = manifest.get("levels")
    for number, level in enumerate(levels if isinstance(levels, list) else []):
        if isinstance(level, dict):
            yield number, level


def _seal_files(directory: Path, manifest: dict[str, Any]) -> None:
    """Have sizes and checksums as the files are."""
    for number, level in _levels(manifest):
        for suffix in FILES:
            file, kind = directory / f"level-{number:04}.{suffix}", suffix.replace("-", "_")
            if isinstance(level.get(kind), dict) and file.is_file() and not file.is_symlink():
                level[kind] |= {"bytes": file.stat().st_size, "checksums": [crc32(file.read_bytes())]}


def _true_counts(random: Random, directory: Path, manifest: dict[str, Any]) -> None:
    """Have positions and bits as the files are."""
    total = 0
    for number, level in _levels(manifest):
        file = directory / f"level-{number:04}.states"
        some = level.get("some")
        width = len(some) if isinstance(some, list) and some else 1
        if file.is_file() and not file.is_symlink() and width == 1:
            data = file.read_bytes()
            rows = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data) - 7, 8)]
            level["positions"] = len(rows)
            if random.random() < 0.7:
                bits, every = 0, (1 << 64) - 1
                for row in rows:
                    bits, every = bits | row, every & row
                level["some"], level["all"] = [f"{bits:x}"], [f"{every:x}"]
        file = directory / f"level-{number:04}.values-by-rank"
        if file.is_file() and not file.is_symlink():
            level["positions"] = sum(byte != 0xFF for byte in file.read_bytes())
        positions = level.get("positions")
        total += positions if isinstance(positions, int) else 0
    manifest["positions"] = total


def _change_text(random: Random, directory: Path) -> None:
    data = bytearray((directory / MANIFEST).read_bytes())
    at = random.randrange(len(data))
    random.choice(
        (
            lambda: data.__setitem__(at, random.randrange(256)),
            lambda: data.__delitem__(slice(at, None)),
            lambda: data.__setitem__(slice(at, at), b"[" * 100_000),
            lambda: data.__setitem__(slice(at, at), b"9" * 100_000),
        )
    )()
    (directory / MANIFEST).write_bytes(data)


# What is asked, and what may come of it.


class WrongError(Exception):
    """An answer that is neither right nor refused."""


def run(case: int, made: list[Table], place: Path, *, compiled: bool = True) -> str:
    """One case: what became of it, in a word."""
    random = Random(case)
    table = random.choice(made)
    directory = place / "table"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(table.directory, directory)
    sealed = mutated(random, directory)
    mode = random.choice(("never", "auto")) if compiled else "never"
    verification.FEW = random.choice((0, 3000)) if compiled else 3000
    faults = _refusals(lambda: verify(directory, table.game, memory=1, workers=1))
    fine = faults == []
    strict = fine or not sealed
    answered = _refusals(lambda: _asked(random, table, directory, mode, strict))
    if fine and answered is None:
        raise WrongError("verify finds nothing, and it cannot be asked")
    _refusals(lambda: statistics(directory, random.choice((None, table.game))))
    if random.random() < 0.3:
        _refusals(lambda: export(directory, place / "table.parquet", table.game))
    if random.random() < 0.3:
        _refusals(lambda: _searched(random, table, directory, mode, strict))
    if random.random() < 0.1:
        _refusals(lambda: compress(directory))
        _refusals(lambda: seal(directory))
    if random.random() < 0.1:
        _refusals(lambda: build_tablebase(table.game, directory, compile="never", memory=1, workers=1))
    return (
        "right" if fine else "refused" if answered is None else "found by verify alone" if sealed else "found"
    )


def _refusals(ask: Callable[[], Any]) -> Any:
    """The answer, or None where it is refused in a sentence."""
    try:
        return ask()
    except PerfectPlayError as error:
        text = str(error)
        if "\n" in text or len(text) > 1500 or not text:
            raise WrongError(f"this is no sentence: {text[:200]!r}") from None
        return None


def _asked(random: Random, table: Table, directory: Path, mode: str, strict: bool) -> bool:
    """Ask about all positions, and check what must be right."""
    with Tablebase(directory, table.game, compile=mode) as opened:
        states = [*table.answers, *table.odd]
        random.shuffle(states)
        for state in states:
            right, found = table.answers.get(state), _refusals(lambda state=state: (opened.get(state),))
            if strict and found is not None and found[0] != right:
                raise WrongError(f"{state!r} is {right}, and it says {found[0]}")
            _refusals(lambda state=state: table.game.is_terminal(state) or opened.explain(state))
        many = _refusals(lambda: opened.probe_many(states))
        if strict and many is not None and many != [table.answers.get(state) for state in states]:
            raise WrongError("probe_many is wrong")
        _refusals(lambda: opened.line(states[0]))
    return True


def _searched(random: Random, table: Table, directory: Path, mode: str, strict: bool) -> None:
    with Tablebase(directory, table.game, compile=mode) as opened:
        state = random.choice([state for state in table.answers if not table.game.is_terminal(state)])
        found = Engine(table.game, tablebase=opened, table_mb=1, compile=mode).solve(state)
        if strict and found.value != table.answers[state].value:
            raise WrongError(
                f"a search says {found.value} of {state!r}, which is {table.answers[state].value}"
            )


# Many of them, each where it can do no harm.


def _worker(cases: range, made: list[Table], pipe: int, compiled: bool) -> None:
    """Run cases in a process of its own, and tell the pipe of each when it begins and how it ends."""
    place = Path(tempfile.mkdtemp(prefix="hostile-"))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
    limit = used + ADDRESSES
    most = max(MEMORY, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) + MEMORY // 2)  # as forked
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for case in cases:
        os.write(pipe, f"{case}\tbegun\n".encode())
        try:
            signal.alarm(2 * SECONDS)
            told = run(case, made, place, compiled=compiled)
            if (peak := resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) > most:
                raise WrongError(f"it took {peak >> 20} MB")
        except BaseException as error:
            import traceback

            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            told = f"WRONG {type(error).__name__}: {str(error)[:300]!r} ({where})"
        os.write(pipe, f"{case}\t{told}\n".encode())
    shutil.rmtree(place, ignore_errors=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    os.write(pipe, f"peak\t{peak}\n".encode())
    os._exit(0)


def run_all(
    cases: range, made: list[Table], workers: int = 1, *, compiled: bool = True
) -> tuple[Counter[str], list[str], int]:
    """All cases, in processes: what became of how many, what went wrong, and the most memory of a process."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    peaks = [0]
    running: dict[
        int, list[Any]
    ] = {}  # by pipe: process, its cases, the one that it is at, since when, what is half read

    def start(mine: range) -> None:
        if not mine:
            return
        read, write = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(read)
            _worker(mine, made, write, compiled)
        os.close(write)
        running[read] = [process, mine, mine[0], time.monotonic(), ""]

    waiting = [cases[at : at + SPELL] for at in range(0, len(cases), SPELL)][::-1]
    for _ in range(min(workers, len(waiting))):
        start(waiting.pop())
    while running:
        ready, _, _ = select.select([*running], [], [], 1.0)
        for pipe in [*running]:
            worker = running[pipe]
            process, mine, case, since, rest = worker
            data = os.read(pipe, 1 << 16).decode() if pipe in ready else None
            if data:
                *lines, worker[4] = (rest + data).split("\n")
                for line in lines:
                    name, told = line.split("\t", 1)
                    if name == "peak":
                        peaks.append(int(told))
                        worker[2] = None
                    elif told == "begun":
                        worker[2:4] = int(name), time.monotonic()
                    else:
                        outcomes[told if not told.startswith("WRONG") else "WRONG"] += 1
                        wrong += [f"case {name}: {told}"] if told.startswith("WRONG") else []
            elif data == "" or time.monotonic() - since > SECONDS:
                if data is None:
                    os.kill(process, signal.SIGKILL)
                _, status = os.waitpid(process, 0)
                os.close(pipe)
                del running[pipe]
                if worker[2] is not None:
                    what = f"did not end in {SECONDS} s" if data is None else f"ended with {status}"
                    outcomes["WRONG"] += 1
                    wrong.append(f"case {case}: WRONG the process {what}")
                    start(mine[mine.index(case) + 1 :])
                elif waiting:
                    start(waiting.pop())
    return outcomes, wrong, max(peaks)


def warmed(made: list[Table]) -> None:
    """Compile what is compiled now, and not in every process."""
    for table in made:
        with Tablebase(table.directory, table.game) as opened:
            states = [*table.answers]
            opened.probe_many(states)
            opened.get(states[0])
        verification.FEW = 0
        assert verify(table.directory, table.game) == []


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        made = tables(Path(home))
        warmed(made)
        outcomes, wrong, peak = run_all(range(given.first, given.first + given.cases), made, given.workers)
    for line in wrong:
        print(line)
    told = ", ".join(f"{count:,} {name}" for name, count in outcomes.most_common())
    print(f"{given.cases:,} cases in {time.monotonic() - began:.0f} s, peak {peak >> 20} MB: {told}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
