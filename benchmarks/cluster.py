"""What a cluster costs beside one machine: python benchmarks/cluster.py [BOARD ...], as in 5x4.

Connect Four with so many rows and columns, 5x5 if none is named, all positions: built by one process with two
threads, and by a real Ray cluster on this machine, a head without processors and two nodes with one each. The
cluster is there before the clock starts; joining it, starting its workers and leaving are in its time. Then
the same with so little memory for a worker that levels are asked in stretches, which is how boards are built
whose levels no machine can hold. The files must be the same, byte for byte.

    --symmetry    representatives alone
    --rounds N    build so often, in turn, and take the shortest time of each (1)
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from perfectplay import load_game
from perfectplay.cluster import Cluster
from perfectplay.tablebase import build_tablebase
from perfectplay.tablebase.storage import read_manifest

GB = 1 << 30
LITTLE = 320 << 20  # bytes for a worker: 48 MB of a level may be in its memory


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="*", default=["5x5"], metavar="BOARD")
    parser.add_argument("--symmetry", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--build", nargs=3, metavar=("DIR", "MEMORY", "ADDRESS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.build:
        build(name_of(arguments.boards[0]), *arguments.build, symmetry=arguments.symmetry)
        return
    from ray.cluster_utils import Cluster as RayCluster

    began = perf_counter()
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": GB}
    raylets = RayCluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            raylets.add_node(num_cpus=1, object_store_memory=GB)
        print(f"three raylets started in {perf_counter() - began:.1f} s")
        for board in arguments.boards:
            compare(board, raylets.address, arguments)
    finally:
        raylets.shutdown()


def name_of(board: str) -> str:
    found = re.fullmatch(r"([1-9])x([1-9])", board)
    if found is None:
        raise SystemExit(f"{board!r} is no board: give rows and columns, as in 5x4.")
    return f"connect-four:rows={found[1]},cols={found[2]}"


def compare(board: str, address: str, arguments: argparse.Namespace) -> None:
    """Build a board in three ways, each in a process of its own."""
    ways = {"one machine": (3 * GB, "-"), "cluster": (3 * GB, address), "in stretches": (LITTLE, address)}
    times: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as place:
        run(board, Path(place) / "warm", 3 * GB, "-", arguments)  # compiles the kernels
        for number in range(arguments.rounds):
            for way, (memory, where) in ways.items():
                directory = Path(place) / f"{way}-{number}"
                done = run(board, directory, memory, where, arguments)
                if way not in times or done["seconds"] < times[way]["seconds"]:
                    times[way] = done
                if not same(directory, Path(place) / "warm"):
                    raise SystemExit(f"{way}: the bytes are OTHERS")
                shutil.rmtree(directory)
    for way, done in times.items():
        ratio = done["seconds"] / times["one machine"]["seconds"]
        print(
            f"{board}, {way}: {done['positions']:,} positions in {done['seconds']:.1f} s "
            f"({done['discover']:.1f} s to discover, {done['solve']:.1f} s to solve), "
            f"{ratio:.2f} of one machine's time"
        )
    print("the bytes are the same")


def run(
    board: str, directory: Path, memory: int, address: str, arguments: argparse.Namespace
) -> dict[str, float]:
    words = [sys.executable, __file__, board, "--build", str(directory), str(memory), address]
    words += ["--symmetry"] if arguments.symmetry else []
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def same(one: Path, other: Path) -> bool:
    names = [sorted(file.name for file in place.iterdir() if file.name != "lock") for place in (one, other)]
    return names[0] == names[1] and all((one / n).read_bytes() == (other / n).read_bytes() for n in names[0])


def build(name: str, directory: str, memory: str, address: str, *, symmetry: bool) -> None:
    phases = {}

    def report(progress) -> None:
        phases[progress.phase] = progress.seconds

    game = load_game(name)
    given = {"memory": int(memory), "symmetry": symmetry, "report": report}
    began = perf_counter()
    if address == "-":
        build_tablebase(game, directory, workers=2, **given)
    else:
        with Cluster(address) as cluster:
            build_tablebase(game, directory, cluster=cluster, **given)
    seconds = perf_counter() - began
    print(
        json.dumps({"positions": read_manifest(Path(directory))["positions"], "seconds": seconds, **phases})
    )


if __name__ == "__main__":
    main()
