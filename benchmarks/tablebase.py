"""How fast tablebases are built and read: python benchmarks/tablebase.py [NAME ...], or all of these.

    small     Connect Four with 5 rows and 4 columns, the kernels compiled before; probes; compression
    checks    what the checksums cost that a probe looks at, on the same board
    together  games whose moves stay in a tier: Kalah with 4 pits and 3 seeds, Dodgem on 4x4
    large     Connect Four on 5x5, 69,763,700 positions
    limited   the same with 1 GB of memory
    killed    the same, killed after 15 seconds, and again after 15 more
    outcomes  Connect Four on 5x5, who wins alone, compressed: bytes a position
    levels    a game of 8,000 levels and no tiers: built, opened, verified
    estimate  how far estimates are from the published counts of Connect Four
    huge      Connect Four with 6 rows and 5 columns, 1,044,334,437 positions, with symmetry and 2 GB of
              memory: only where it is asked for, since it takes minutes and some 6 GB of disk

Every build runs in a process of its own, whose largest memory is read when it ends.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import numpy as np

from perfectplay import Game, load_game
from perfectplay.engine.block_checksums import RIGHT, UNSEEN
from perfectplay.tablebase import Tablebase, block_index, build_tablebase, compress, estimate, verify

SMALL = "connect-four:rows=5,cols=4"
LARGE = "connect-four:rows=5,cols=5"
TOGETHER = ("kalah:pits=4,seeds=3", "dodgem:size=4")
HUGE = "connect-four:rows=6,cols=5"
PUBLISHED = 1_044_334_437  # its positions: John Tromp, https://tromp.github.io/c4/c4.html
COUNTED = {  # the same page, where rows are counted first, too; those that it lacks: Steininger's count
    "connect-four:rows=7,cols=4": 135_385_909,
    "connect-four:rows=5,cols=5": 69_763_700,
    "connect-four:rows=6,cols=5": 1_044_334_437,
    "connect-four:rows=8,cols=4": 1_104_642_469,
    "connect-four:rows=6,cols=6": 69_173_028_785,
    "connect-four:rows=5,cols=7": 112_829_665_923,
    "connect-four:rows=6,cols=7": 4_531_985_219_092,
    "connect-four:rows=8,cols=6": 31_936_554_362_084,
    "connect-four:rows=7,cols=7": 161_965_120_344_045,
    "connect-four:rows=13,cols=4": 29_499_214_177_403,
    "connect-four:rows=9,cols=4": 8_754_703_921,
    "connect-four:rows=4,cols=9": 1_295_362_125_552,
    "connect-four:rows=4,cols=10": 30_932_968_221_097,
    "connect-four:rows=3,cols=12": 11_470_572_730_124,
    "connect-four:rows=2,cols=13": 14_027_829_516,
    "connect-four:rows=5,cols=8": 4_499_431_376_127,
    "connect-four:rows=9,cols=5": 2_284_654_770_108,
}
USUAL = ("small", "together", "levels", "estimate", "large", "limited", "killed", "outcomes")
KILLED = (15, 15)  # seconds after the start
GB = 1 << 30


def main() -> None:
    wanted = sys.argv[1:] or [
        "small",
        "checks",
        "together",
        "levels",
        "estimate",
        "large",
        "limited",
        "killed",
        "outcomes",
    ]
    if wanted[0] == "--build":
        build(wanted[1], wanted[2], int(wanted[3]), symmetry=wanted[4] == "symmetry")
        return
    with tempfile.TemporaryDirectory() as place:
        if "small" in wanted:
            told(SMALL, Path(place) / "warm", 2 * GB, show=False)  # compiles the kernels
            told(SMALL, Path(place) / "small", 2 * GB)
            probes(Path(place) / "small")
            compression(Path(place) / "small")
            probes(Path(place) / "small", "of the compressed table, ")
            cold_probes(Path(place) / "small")
        if "checks" in wanted:
            told(SMALL, Path(place) / "checks", 2 * GB, show=False)
            checks(Path(place) / "checks")
        if "outcomes" in wanted:
            outcomes(Path(place) / "outcomes")
        if "levels" in wanted:
            many_levels(Path(place) / "levels")
        if "estimate" in wanted:
            estimates()
        for name in TOGETHER if "together" in wanted else ():
            told(name, Path(place) / "warm-up", 2 * GB, show=False)
            shutil.rmtree(Path(place) / "warm-up")
            told(name, Path(place) / "together", 2 * GB)
            shutil.rmtree(Path(place) / "together")
        times = {}
        for name, memory in (("large", 3 * GB), ("limited", GB)):
            if name in wanted:
                times[name] = told(LARGE, Path(place) / name, memory)
                if name == "large":
                    compression(Path(place) / name)
                shutil.rmtree(Path(place) / name)
        if len(times) == 2:
            print(f"with 1 GB of memory it takes {times['limited'] / times['large']:.2f} times as long")
        if "killed" in wanted:
            killed(Path(place) / "killed")
        if "huge" in wanted:
            huge(Path(place) / "huge")


def told(name: str, directory: Path, memory: int, *, show: bool = True, symmetry: bool = False) -> float:
    """Build in a process of its own; the seconds it took."""
    kept = "symmetry" if symmetry else "all"
    command = [sys.executable, __file__, "--build", name, str(directory), str(memory), kept]
    done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if show:
        print(
            f"{name}, {memory / GB:g} GB: {done['positions']:,} positions in {done['seconds']:.1f} s "
            f"({done['discover']:.1f} s to discover, {done['solve']:.1f} s to solve), "
            f"peak {done['peak'] >> 20:,} MB of memory, "
            f"{done['disk'] / done['positions']:.2f} bytes of disk a position while it was built"
        )
    return done["seconds"]


def huge(directory: Path) -> None:
    """Build the billion positions, and count them: a representative stands for two, or for itself alone."""
    told(HUGE, directory, 2 * GB, symmetry=True)
    game = load_game(HUGE)
    column, alone, kept = game.rows + 1, 0, 0
    with Tablebase(directory, compile="never") as table:
        for level in table.levels():
            for begin in range(0, len(level.rows), 1 << 22):
                numbers = level.rows[begin : begin + (1 << 22)][:, 0]
                same = np.ones(len(numbers), np.bool_)
                for left in range(game.cols // 2):
                    one, other = numbers >> left * column, numbers >> (game.cols - 1 - left) * column
                    same &= (one ^ other) & ((1 << column) - 1) == 0
                alone += int(same.sum())
                kept += len(numbers)
        value = table.probe(game.initial())
    count = 2 * kept - alone
    right = "the published count" if count == PUBLISHED else f"OTHER than the published {PUBLISHED:,}"
    print(f"{kept:,} representatives stand for {count:,} positions, {right}; at the start it is {value}")


def killed(directory: Path) -> None:
    """Build, be killed twice, and finish: what was lost is what this takes longer than one build."""
    command = [sys.executable, __file__, "--build", LARGE, str(directory), str(3 * GB), "all"]
    spent = 0.0
    for limit in (*KILLED, None):
        began = perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                process.wait(limit)
            except subprocess.TimeoutExpired:
                process.kill()
        spent += perf_counter() - began
    began = perf_counter()
    whole = directory.with_name("whole")
    told(LARGE, whole, 3 * GB, show=False)
    once = perf_counter() - began
    same = all(file.read_bytes() == (whole / file.name).read_bytes() for file in directory.iterdir())
    print(
        f"killed after {KILLED[0]} s and {KILLED[1]} s more, it takes {spent:.1f} s in all, and {once:.1f} s "
        f"without: {spent - once:.1f} s are lost; the bytes are {'the same' if same else 'OTHERS'}"
    )


def build(name: str, directory: str, memory: int, *, symmetry: bool) -> None:
    phases, disk, looked = {}, 0, perf_counter()

    def report(progress) -> None:
        nonlocal disk, looked
        phases[progress.phase] = progress.seconds
        if perf_counter() - looked > 0.2:
            looked = perf_counter()
            disk = max(disk, size_of(Path(directory)))

    game = load_game(name)
    began = perf_counter()
    build_tablebase(game, directory, memory=memory, symmetry=symmetry, report=report)
    seconds = perf_counter() - began
    positions = len(Tablebase(directory, compile="never"))
    status = Path("/proc/self/status").read_text()  # resource's maximum includes that of the parent
    peak = int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) << 10
    disk = max(disk, size_of(Path(directory)))
    print(json.dumps({"positions": positions, "seconds": seconds, "peak": peak, "disk": disk, **phases}))


def size_of(directory: Path) -> int:
    """The bytes of its files, of which some may have two names, or be taken away meanwhile."""
    sizes = {}
    for file in directory.iterdir():
        with suppress(OSError):
            sizes[file.stat().st_ino] = file.stat().st_size
    return sum(sizes.values())


def played_states(game, count: int) -> list:
    random, states = Random(1), []
    while len(states) < count:
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, random.choice(list(game.actions(state))))
            states.append(state)
    random.shuffle(states)
    return states[:count]


def checks(directory: Path) -> None:
    """The first batch in a table that was just opened, with all checksums to be looked at, and with none."""
    states = played_states(load_game(SMALL), 100_000)
    rows = np.array([[int(leaf) for leaf in state] for state in states])
    size = sum(file.stat().st_size for file in directory.glob("level-*"))
    times: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(9):
        for unseen in (True, False):
            with Tablebase(directory) as table:
                table.probe_arrays(rows[:1])
                for level in table.levels():
                    for each in level.checksums.values():
                        each.seen[:] = UNSEEN if unseen else RIGHT
                began = process_time()
                table.probe_arrays(rows)
                times[unseen].append(process_time() - began)
    first, later = (1000 * min(times[unseen]) for unseen in (True, False))
    print(
        f"a batch of 100,000 probes that looks at the checksums of {size / 1e6:.1f} MB: {first:.1f} ms of "
        f"both cores; where they were looked at: {later:.1f} ms ({first / later:.2f} times)"
    )


def probes(directory: Path, told_first: str = "") -> None:
    with Tablebase(directory) as table:
        states = played_states(table.game, 100_000)
        rows = np.array([[int(leaf) for leaf in state] for state in states])
        table.probe_arrays(rows)
        began = perf_counter()
        table.probe_arrays(rows)
        print(f"{told_first}a batch of 100,000 probes: {1000 * (perf_counter() - began):.1f} ms")
        began = perf_counter()
        for state in states:
            table.probe(state)
        one = 1e6 * (perf_counter() - began) / len(states)
        began = perf_counter()
        table.probe_many(states)
        many = 1e6 * (perf_counter() - began) / len(states)
        print(f"{told_first}a probe from Python: {one:.2f} microseconds, of a list {many:.2f} each")


def cold_probes(directory: Path) -> None:
    """Probes of positions whose blocks are hardly ever unpacked already."""
    block_index.CACHE, kept = 0, block_index.CACHE
    with Tablebase(directory) as table:
        states = played_states(table.game, 20_000)
        table.probe(states[0])
        began = perf_counter()
        for state in states:
            table.probe(state)
        each = 1e6 * (perf_counter() - began) / len(states)
        print(f"of the compressed table, with 8 blocks kept, a probe: {each:.2f} microseconds")
    block_index.CACHE = kept


def outcomes(directory: Path) -> None:
    began = perf_counter()
    build_tablebase(load_game(LARGE), directory, symmetry=False, outcomes_only=True)
    size, positions = (
        sum(file.stat().st_size for file in directory.iterdir()),
        len(Tablebase(directory, compile="never")),
    )
    print(f"{LARGE}, outcomes alone: {size / positions:.3f} bytes a position, {perf_counter() - began:.0f} s")


class Line(Game):
    """A walk of so many steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] >= self.steps

    def utility(self, state, player):
        return 1 if player == state[1] else -1


def many_levels(directory: Path) -> None:
    game, times = Line(8000), [perf_counter()]
    build_tablebase(game, directory)
    times.append(perf_counter())
    Tablebase(directory, game).close()
    times.append(perf_counter())
    faults = verify(directory, game)
    times.append(perf_counter())
    built, opened, verified = (other - one for one, other in pairwise(times))
    print(
        f"8,001 levels: built in {built:.1f} s, opened in {opened:.1f}, verified in {verified:.1f}, {faults}"
    )


def estimates() -> None:
    for name, positions in COUNTED.items():
        found = estimate(load_game(name), symmetry=False)
        how = "counted" if found.exact else "sampled"
        print(f"estimate of {name}: {found.positions / positions:.2f} times the published count, {how}")


def compression(directory: Path) -> None:
    positions = len(Tablebase(directory, compile="never"))
    before = sum(file.stat().st_size for file in directory.iterdir())
    began = perf_counter()
    compress(directory)
    after = sum(file.stat().st_size for file in directory.iterdir())
    print(
        f"compressed from {before / positions:.2f} to {after / positions:.2f} bytes a position "
        f"in {perf_counter() - began:.1f} s"
    )


if __name__ == "__main__":
    main()
