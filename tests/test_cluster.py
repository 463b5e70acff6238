"""The work of a cluster, without one: the same bytes however it is divided, and whatever is run again."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter

import pytest

from graph_games import Graph, Tiered, random_graph
from hostile_tables import RankedHeaps
from perfectplay import PerfectPlayError, load_game
from perfectplay.cli import main
from perfectplay.cluster import Cluster
from perfectplay.cluster.executor import InProcess
from perfectplay.cluster.plan import plan_of, worker_for
from perfectplay.games import Dodgem
from perfectplay.tablebase import build_state, build_tablebase, forming, solution, verify
from test_tablebase import Untiered, bytes_of
from test_tablebase_states import KINDS, Late
from wide_games import Wide


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    """Nothing here is lost with the power, and a disk that others use is slow."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


class Counting(InProcess):
    """Counts what was run, and runs it as often as it is told."""

    def __init__(self, *, times: int = 1, **settings):
        super().__init__(**settings)
        self.times = times
        self.ran = Counter()

    def run(self, function, *arguments, answers=1):
        self.ran[function.__name__] += 1
        for _ in range(self.times - 1):
            super().run(function, *arguments, answers=answers)
        return super().run(function, *arguments, answers=answers)


def scarce(monkeypatch):
    """Leave so little memory that every level is cut into stretches, and an exchange takes many waves."""
    monkeypatch.setattr(build_state, "LEAST", 1 << 10)
    return {"store": 1 << 12, "workers": 3}


def same_bytes(game, place, cluster, **options):
    build_tablebase(game, place / "one", **options)
    build_tablebase(game, place / "many", cluster=cluster, **options)
    return bytes_of(place / "one") == bytes_of(place / "many")


PYTHON = [
    Wide(),
    load_game("nim:heaps=3+4+5"),
    load_game("kalah:pits=2,seeds=2"),
    load_game("hexapawn:rows=3,cols=3"),
    *(
        random_graph(seed, states=40, circles=circles, kind=kind)
        for seed in (1, 2)
        for circles in (False, True)
        for kind in (Graph, Tiered)
    ),
]


@pytest.mark.parametrize("game", PYTHON, ids=lambda game: type(game).__name__)
def test_workers_give_the_bytes_of_one_machine(game, tmp_path):
    executor = Counting(workers=3)
    assert same_bytes(game, tmp_path, Cluster(executor, few=1), compile="never")
    assert executor.ran["expand"] > 0


@pytest.mark.parametrize("game", PYTHON, ids=lambda game: type(game).__name__)
def test_with_little_memory_as_well(game, tmp_path, monkeypatch):
    executor = Counting(**scarce(monkeypatch))
    monkeypatch.setattr(solution, "PIECE", 7)
    assert same_bytes(game, tmp_path, Cluster(executor, few=1), compile="never", memory=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [load_game("connect-four:rows=3,cols=4,k=3"), Dodgem(3), Untiered(3)],
    ids=lambda game: type(game).__name__,
)
def test_levels_that_are_too_large_are_asked_in_stretches(game, tmp_path, monkeypatch):
    """Compiled, with circles and without, with tiers and without."""
    executor = Counting(**scarce(monkeypatch))
    assert same_bytes(game, tmp_path, Cluster(executor, few=100), memory=1, symmetry=False)
    assert executor.ran["answer"] > 20
    assert executor.ran["gather"] > 5


@pytest.mark.parametrize("seed", range(3))
def test_a_task_that_is_run_again_changes_nothing(seed, tmp_path):
    """Ray runs tasks again whose worker, or whose answer, is lost."""
    game = random_graph(seed, circles=True, kind=Tiered)
    executor = Counting(times=2)
    assert same_bytes(game, tmp_path, Cluster(executor, few=1), compile="never")


class StopError(Exception):
    pass


def stopped_after(saves, monkeypatch, *arguments, **options):
    """Build until the manifest was saved so often; was the build stopped?"""
    original = build_state.Build.save
    count = 0

    def save(build):
        nonlocal count
        original(build)
        count += 1
        if count == saves:
            raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(build_state.Build, "save", save)
        try:
            build_tablebase(*arguments, **options)
        except StopError:
            return True
    return False


@pytest.mark.parametrize("circles", [False, True])
@pytest.mark.parametrize("kind", [Graph, Tiered])
def test_a_build_goes_on_wherever_it_was_begun(circles, kind, tmp_path, monkeypatch):
    """Stopped after any save, on a cluster and on one machine in turn, it ends with the same bytes."""
    game = random_graph(3, states=40, circles=circles, kind=kind)
    build_tablebase(game, tmp_path / "whole", compile="never")
    monkeypatch.setattr(build_state, "PAUSE", -1.0)
    cluster = Cluster(InProcess(), few=1)
    stops = 0
    while stopped_after(
        2,
        monkeypatch,
        game,
        tmp_path / "pieces",
        compile="never",
        cluster=cluster if stops % 2 == 0 else None,
    ):
        stops += 1
        assert stops < 200
    assert stops > 5
    assert bytes_of(tmp_path / "pieces") == bytes_of(tmp_path / "whole")


def test_progress_is_told_and_comes_to_an_end(tmp_path):
    told = []
    game = load_game("nim:heaps=3+4+5")
    build_tablebase(game, tmp_path, compile="never", cluster=Cluster(InProcess(), few=1), report=told.append)
    for phase in ("discover", "solve"):
        done = [each.done for each in told if each.phase == phase]
        assert done == sorted(done)
        assert done[-1] == told[-1].total


# What can be wrong at a worker.


def test_a_worker_that_has_other_rules_refuses(tmp_path):
    class Other(InProcess):
        def rules(self, game, start):
            return super().rules(random_graph(9, circles=False), start)

    with pytest.raises(PerfectPlayError, match="the rules of Graph are not the same on"):
        build_tablebase(
            random_graph(8, circles=False), tmp_path, compile="never", cluster=Cluster(Other(), few=1)
        )


def test_a_worker_that_does_not_see_the_directory_says_so(tmp_path):
    game = random_graph(8, circles=False)
    directory = build_tablebase(game, tmp_path / "here", compile="never")
    from perfectplay.tablebase.expansion import Expander
    from perfectplay.tablebase.storage import read_manifest

    build = build_state.Build(
        directory, Expander(game, compile="never"), read_manifest(directory), build_state.Budget(1, 1), print
    )
    plan = plan_of(build, InProcess().rules(game, 0))
    plan.directory = str(tmp_path / "elsewhere")
    with pytest.raises(PerfectPlayError, match=r"does not see .*elsewhere.*all machines of the cluster see"):
        worker_for(plan)


def test_rules_that_raise_are_blamed_as_on_one_machine(tmp_path):
    class Faulty(Graph):
        def result(self, state, action):
            if state >= 3:
                raise LookupError("nothing is there")
            return super().result(state, action)

    game = random_graph(2, states=40, circles=False, kind=Faulty)
    errors = []
    for name, cluster in (("one", None), ("many", Cluster(InProcess(), few=1))):
        with pytest.raises(LookupError, match="nothing is there") as raised:
            build_tablebase(game, tmp_path / name, compile="never", cluster=cluster)
        errors.append(getattr(raised.value, "__notes__", None))
    assert errors[0] == errors[1]


# Independent questions.


def doubled(context, question):
    return context * question


def test_questions_are_answered_in_their_order():
    assert list(Cluster(InProcess()).map(doubled, 2, range(100))) == [*range(0, 200, 2)]


def test_a_question_that_cannot_be_read_comes_after_the_answers_before_it():
    def questions():
        yield from range(5)
        raise PerfectPlayError("no more")

    answers = Cluster(InProcess()).map(doubled, 2, questions())
    assert [next(answers) for _ in range(5)] == [0, 2, 4, 6, 8]
    with pytest.raises(PerfectPlayError, match="no more"):
        next(answers)


# Games of one's own on their way.

OWN = """
from typing import NamedTuple

import own_rules
from perfectplay import Game


class Place(NamedTuple):
    number: int
    turn: int


class Own(Game):
    \"\"\"From every number, twelve lead on, round and round; some are the end.\"\"\"

    def __init__(self, size: int = 9):
        self.size = size

    def initial(self):
        return Place(1, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [step for step in own_rules.STEPS if step < self.size]

    def result(self, state, action):
        return Place(own_rules.after(state.number, action) % self.size, 1 - state.turn)

    def is_terminal(self, state):
        return state.number % 97 == 0

    def utility(self, state, player):
        worth = state.number % 3 - 1
        return worth if player == 0 else -worth
"""
RULES = "STEPS = [*range(1, 13)]\n\n\ndef after(number, step):\n    return 12 * number + step\n"
OPENER = """if True:
    import pickle, sys
    from perfectplay import Engine
    from perfectplay.compiler import rules_digest
    parcel = pickle.load(sys.stdin.buffer)
    game, start = parcel.opened()
    print(rules_digest(game), Engine(game).compiled, start, parcel.opened()[0] is game)
"""


@pytest.fixture
def own_game(tmp_path):
    (tmp_path / "own_game.py").write_text(OWN)
    (tmp_path / "own_rules.py").write_text(RULES)
    yield f"{tmp_path / 'own_game.py'}:Own:size=211"
    sys.modules.pop("own_game", None)
    sys.modules.pop("own_rules", None)


@pytest.mark.slow
def test_a_class_of_ones_own_is_sent_with_its_source_and_what_it_imports(own_game, tmp_path):
    from perfectplay.cluster.parcel import packed
    from perfectplay.compiler import rules_digest

    game = load_game(own_game)
    sent = pickle.dumps(packed(game, game.initial()))
    digest = rules_digest(game)
    (tmp_path / "own_game.py").unlink()
    (tmp_path / "own_rules.py").unlink()
    done = subprocess.run(
        [sys.executable, "-c", OPENER], input=sent, capture_output=True, cwd="/", check=False
    )
    assert done.stdout.decode().split(" ", 2) == [digest, "True", "Place(number=1, turn=0) True\n"], (
        done.stderr
    )


def test_our_own_games_are_sent_by_their_names():
    from perfectplay.cluster.parcel import packed

    parcel = packed(load_game("nim"), None)
    assert not parcel.sources
    assert len(parcel.data) < 1000


def test_a_game_that_cannot_be_sent_is_refused_in_a_sentence():
    from perfectplay.cluster.parcel import packed

    game = random_graph(1, circles=False)
    game.generator = (number for number in range(3))
    with pytest.raises(PerfectPlayError, match="Graph cannot be sent to other machines"):
        packed(game, None)


# The command line.


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("tablebase", "build", "nim", "there", "--cluster", "nowhere"),
            "'nowhere' is no address of a cluster",
        ),
        (
            ("tablebase", "build", "nim", "there", "--cluster", "local:0"),
            "'local:0' is no address of a cluster",
        ),
        (
            ("tablebase", "build", "nim", "there", "--cluster", "localhost:1"),
            "cannot join a cluster at 'localhost:1'",
        ),
        (
            ("tablebase", "build", "nim", "there", "--cluster", "local:2", "--workers", "2"),
            "leave out --workers",
        ),
        (("solve", "nim", "--cluster", "local:2"), "give --positions FILE"),
        (("solve", "nim", "--positions", "-", "--threads", "2", "--cluster", "local:2"), "no --threads"),
    ],
)
def test_a_cluster_that_cannot_be_is_refused_in_a_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(list(words)) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_without_ray_one_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        PerfectPlayError, match=r'needs Ray, which is not here: pip install "perfectplay\[cluster\]"'
    ):
        Cluster("local:2")


def test_importing_the_cluster_does_not_import_ray():
    program = "import sys, perfectplay.cluster; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# States of all kinds.


@pytest.mark.parametrize("kind", [Late, *KINDS])
def test_an_encoding_that_proves_too_narrow_is_widened_as_on_one_machine(kind, tmp_path, monkeypatch):
    """Games played at random have shown nothing, and what workers meet does not fit."""
    monkeypatch.setattr(forming, "PLAYOUTS", 0)
    assert same_bytes(kind(), tmp_path, Cluster(InProcess(3), few=1), compile="never")


@pytest.mark.parametrize("outcomes", [False, True])
@pytest.mark.parametrize("game", [load_game("nim:heaps=2+3"), RankedHeaps()], ids=["one tier", "tiers"])
def test_a_table_without_states_is_the_same_from_a_cluster(game, outcomes, tmp_path, monkeypatch):
    cluster = Cluster(Counting(**scarce(monkeypatch)), few=0)
    options = {"compile": "never", "by_rank": True, "outcomes_only": outcomes}
    assert same_bytes(game, tmp_path, cluster, **options)
    assert cluster.executor.ran["expand"] > 1
    assert verify(tmp_path / "many", game) == []
