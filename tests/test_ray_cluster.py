"""A real cluster of Ray: three machines' processes on this one, some of which are killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from perfectplay import load_game
from perfectplay.cli import main
from perfectplay.cluster import Cluster
from perfectplay.tablebase import build_tablebase
from test_cluster import OWN, RULES
from test_tablebase import bytes_of

pytestmark = pytest.mark.slow

GAME = "connect-four:rows=4,cols=4"
FEW = 50  # positions: nearly everything is given away
QUICK = {  # a machine that is gone is noticed at once
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 200,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 5,
}
STORE = 100 << 20
DRIVER = """if True:
    import os, signal, sys
    from perfectplay import load_game
    from perfectplay.cluster import Cluster
    from perfectplay.tablebase import build_state, build_tablebase
    build_state.PAUSE = -1.0  # save after every piece of work
    name, place, address, phase, done = sys.argv[1:]

    def report(progress):
        if progress.phase == phase and progress.done >= int(done):
            os.kill(os.getpid(), signal.SIGKILL)

    with Cluster(address, few=50) as cluster:
        build_tablebase(load_game(name), place, symmetry=False, cluster=cluster, report=report)
"""


@pytest.fixture(scope="module")
def ray_cluster():
    """A machine without processors, where builds are started, and two with one each."""
    from ray.cluster_utils import Cluster as RayCluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE, "_system_config": QUICK}
    raylets = RayCluster(initialize_head=True, head_node_args=head)
    for _ in range(2):
        raylets.add_node(num_cpus=1, object_store_memory=STORE)
    yield raylets
    raylets.shutdown()


@pytest.fixture(scope="module")
def cluster(ray_cluster):
    with Cluster(ray_cluster.address, few=FEW) as joined:
        yield joined


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table as one machine builds it."""
    directory = tmp_path_factory.mktemp("tables") / "whole"
    return build_tablebase(load_game(GAME), directory, symmetry=False)


def kill_a_worker(cluster):
    (worker,) = cluster.map(lambda context, question: os.getpid(), None, [0])
    os.kill(worker, signal.SIGKILL)


def lose_a_machine(raylets):
    raylets.remove_node(next(iter(raylets.worker_nodes)), allow_graceful=False)
    raylets.add_node(num_cpus=1, object_store_memory=STORE)


def test_a_build_that_loses_a_worker_and_a_machine_has_the_same_bytes(ray_cluster, cluster, whole, tmp_path):
    """A machine is lost with all that it holds, and a worker is killed, while tasks are under way."""
    struck = []
    strikes = [
        ("discover", 20_000, lambda: lose_a_machine(ray_cluster)),
        ("solve", 50_000, lambda: kill_a_worker(cluster)),
    ]

    def report(progress):
        phase, done, strike = strikes[len(struck)] if len(struck) < len(strikes) else ("", 0, None)
        if progress.phase == phase and progress.done > done:
            struck.append(strike)
            strike()

    build_tablebase(load_game(GAME), tmp_path, symmetry=False, cluster=cluster, report=report)
    assert len(struck) == 2
    assert bytes_of(tmp_path) == bytes_of(whole)


def test_a_build_whose_driver_is_killed_goes_on(ray_cluster, cluster, whole, tmp_path):
    """Twice, in either phase; what was finished is not begun again."""
    for phase, done in (("discover", 60_000), ("solve", 60_000)):
        words = [sys.executable, "-c", DRIVER, GAME, str(tmp_path), ray_cluster.address, phase, str(done)]
        driver = subprocess.run(words, capture_output=True, text=True, check=False)
        assert driver.returncode == -signal.SIGKILL, driver.stderr
    told = []
    build_tablebase(load_game(GAME), tmp_path, symmetry=False, cluster=cluster, report=told.append)
    assert {each.phase for each in told} == {"solve"}
    assert told[0].done > 20_000
    assert bytes_of(tmp_path) == bytes_of(whole)


def test_a_game_of_ones_own_is_built_and_solved_by_workers(cluster, tmp_path):
    """Its class, the file beside it that it imports, and circles: it has no tiers, and moves lead back."""
    circles = OWN.replace(
        "return Heap(own_rules", "return Heap(self.size - 1, 0) if state == (5, 1) else Heap(own_rules"
    )
    (tmp_path / "own_game.py").write_text(circles)
    (tmp_path / "own_rules.py").write_text(RULES)
    game = load_game(f"{tmp_path / 'own_game.py'}:Own:size=1009")
    build_tablebase(game, tmp_path / "one")
    build_tablebase(game, tmp_path / "many", cluster=cluster)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "many")


def test_questions_of_the_command_line_are_spread(cluster, tmp_path, capsys):
    """Positions of a file have the same answers in the same order, and a contest is repeatable.

    The command joins the cluster that this process belongs to.
    """

    def told(*words):
        code = main([*words])
        return code, capsys.readouterr().out

    file = tmp_path / "positions.txt"
    file.write_text("44\n4 4 4\n\n123 5\n")
    solve = ("solve", "connect-four:rows=4,cols=4", "--positions", str(file))
    alone = told(*solve)
    assert alone[0] == 1  # there is no score of 5
    assert len(alone[1].splitlines()) == 4
    assert told(*solve, "--cluster", "auto") == alone
    arena = (
        "arena",
        "engine:depth=1",
        "random",
        "tic-tac-toe",
        "--games",
        "8",
        "--show",
        "--cluster",
        "auto",
    )
    once = told(*arena)
    assert once[1].count("1.") == 8
    assert told(*arena) == once
