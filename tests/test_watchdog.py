"""Rules that do not return are interrupted and named, wherever they are asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from awaited import NET, until
from broken_games import Takeaway
from endless_games import Bits, BitsInPython, TwoBits
from perfectplay import check_game, watchdog
from perfectplay.cli import main
from perfectplay.engine import Engine, workers
from perfectplay.errors import BrokenGameError
from perfectplay.tablebase import interruption
from perfectplay.tablebase.interruption import interruptible
from perfectplay.watchdog import MEMORY, SLACK, Unreturned, Watchdog, watched

HERE = Path(__file__).parent / "endless_games.py"
SOON = 0.2  # seconds


def looping() -> str:
    """What is said of a loop without end."""
    try:
        with watched(lambda: 0, SOON):
            while True:
                pass
    except Unreturned as error:
        return str(error)


def in_a_thread(work):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(work()))
    thread.start()
    thread.join()
    return answers[0]


SAID = f"did not return within {SOON:g} seconds"


# The watchdog.


def test_a_loop_is_interrupted_in_the_main_thread():
    assert looping() == SAID


def test_a_loop_is_interrupted_in_another_thread():
    assert in_a_thread(looping) == SAID


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such timer")
def test_whoever_uses_the_timer_keeps_it():
    def mine(number, frame):
        pass

    before = signal.signal(signal.SIGALRM, mine)
    try:
        assert looping() == SAID
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such timer")
def test_waiting_is_interrupted_in_the_main_thread():
    before = signal.signal(signal.SIGALRM, signal.SIG_DFL)  # nobody else's, whatever ran before
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        with pytest.raises(Unreturned), watched(lambda: 0, SOON):
            time.sleep(1000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_it_works_where_there_is_no_such_timer(monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)
    assert looping() == SAID


def test_progress_is_not_interrupted():
    steps = count()
    with watched(lambda: next(steps), 0.0):
        end = time.process_time() + 4 * watchdog.TICK
        while time.process_time() < end:
            pass


def test_what_is_slow_by_nature_gets_more_time(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(watchdog, "process_time", lambda: clock[0])
    monkeypatch.setattr(watchdog, "perf_counter", lambda: clock[0])
    step = [0]
    dog = Watchdog(lambda: step[0], 2.0)
    clock[0] = 1.0
    assert dog.complaint() == ""
    step[0] += 1  # it took a second
    assert dog.complaint() == ""
    clock[0] += SLACK - 0.1
    assert dog.complaint() == ""
    clock[0] += 0.2
    assert dog.complaint() == f"did not return within {SLACK} seconds"


def test_time_that_others_take_counts_a_third(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(watchdog, "process_time", lambda: 0.0)
    monkeypatch.setattr(watchdog, "perf_counter", lambda: clock[0])
    dog = Watchdog(lambda: 0, 2.0)
    clock[0] = 5.9
    assert dog.complaint() == ""
    clock[0] = 6.1
    assert dog.complaint()


def test_memory_without_end_is_noticed_before_it_is_used_up(monkeypatch):
    used = [10]
    monkeypatch.setattr(watchdog, "_memory_used", lambda: used[0])
    dog = Watchdog(lambda: 0, 1000.0)
    used[0] += MEMORY
    assert dog.complaint() == ""
    used[0] += 1
    assert dog.complaint() == f"did not return before it had taken {MEMORY >> 20} MB of memory"


# The check, and the engine.


def test_the_check_names_the_rule_its_line_its_state_and_the_moves():
    report = check_game(TwoBits(), rule_seconds=SOON)
    (finding,) = report.findings
    assert (finding.kind, finding.state) == ("is-terminal-does-not-return", (1, 0))
    assert finding.line == ("1", "0")
    assert finding.message.startswith("is_terminal(state) did not return within 0.2 seconds, at line ")
    assert finding.message.endswith(" of endless_games.py: see that every loop there comes to an end.")


class WorthlessAtLast(Takeaway):
    """The worth of the last states alone takes for ever."""

    def utility(self, state, player):
        while True:
            pass


def test_the_check_names_a_rule_that_hangs_in_a_state_that_was_only_counted():
    report = check_game(WorthlessAtLast(), states=5, playouts=0, rule_seconds=SOON)
    assert [finding.kind for finding in report.findings] == ["utility-does-not-return"]


def test_the_check_works_in_any_thread():
    report = in_a_thread(lambda: check_game(TwoBits(), rule_seconds=SOON))
    assert [finding.kind for finding in report.findings] == ["is-terminal-does-not-return"]


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(watchdog, "SECONDS", SOON)
    monkeypatch.setattr(workers, "GRACE", SOON)
    monkeypatch.setattr(interruption, "GRACE", SOON)


def test_the_command_line_says_so_before_it_searches(soon, capsys):
    assert main(["solve", f"{HERE}:TwoBits"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("perfectplay: is_terminal(state) did not return within 0.2 seconds, at line ")
    assert "(after 1 0); perfectplay check " in error
    assert error.count("\n") == 1


def test_an_engine_says_so_when_it_is_made(soon):
    with pytest.raises(
        BrokenGameError, match=r"^the game's is_\w+ did not return within 0\.2 seconds \(endl"
    ):
        Engine(TwoBits(), table_mb=1)


def test_a_search_whose_time_is_over_leaves_a_rule_in_python(soon):
    engine = Engine(BitsInPython(), table_mb=1)
    assert not engine.compiled
    with pytest.raises(
        BrokenGameError, match=r"^the game's [\w<>]+ did not return \(endless_games\.py, line"
    ):
        engine.solve((), seconds=SOON)


@pytest.mark.slow
def test_a_search_whose_time_is_over_leaves_a_rule_in_machine_code():
    engine = Engine(Bits(), table_mb=1)
    found = engine.solve((), seconds=2)
    assert engine.compiled
    assert not found.exact


def test_threads_that_ask_rules_end_when_whoever_waits_is_interrupted(soon):
    stopped = threading.Event()

    def forever():
        while True:
            pass

    tasks = []

    def waiting():
        with interruptible(2, stopped.set) as pool:
            tasks.append(pool.submit(forever))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        waiting()
    assert stopped.is_set()
    assert isinstance(tasks[0].exception(), Unreturned)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["solve", "GAME"], "this is what is known so far"),
        (["tablebase", "build", "GAME", "DIR"], "run it again, and it goes on where it was"),
    ],
)
def test_ctrl_c_ends_a_loop_in_machine_code(command, said, tmp_path):
    words = [{"GAME": f"{HERE}:Bits", "DIR": str(tmp_path / "table")}.get(word, word) for word in command]
    mark = tmp_path / "at-work"
    process = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", *words],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"AT_WORK": str(mark)},
    )
    until(lambda: mark.exists() or process.poll() is not None)
    deadline = time.monotonic() + NET
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.5)  # whatever it is doing: it may be interrupted at any time
        process.send_signal(signal.SIGINT)
    _, error = process.communicate()
    assert process.returncode == 2
    assert said in error or "run it again" in error
