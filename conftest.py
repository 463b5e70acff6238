"""All tests: which are slow and what was left out, and the documentation, which is run as it stands."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections import Counter
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

ROOT = Path(__file__).parent

# The same examples in every run, on a busy machine too: a change is judged by what it changes, not by luck.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # started in the background: Ctrl-C is tested all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = (  # with a browser, with sessions at a terminal, with hundreds of compilations
    "tests/browser/",
    "tests/compiler/",
    "docs/",
    "README.md",
)
left_out = pytest.StashKey[Counter[str]]()  # the files of tests that were not chosen, and how many in each


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[left_out] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow by where it is, and let files with slow tests begin: the others fill the gaps."""
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, and no longer among all that was loaded for them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    sys.dont_write_bytecode = True  # of games that tests write, some of them twice within a second


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count what is left out."""
    if items:
        items[0].config.stash[left_out].update(item.nodeid.partition("::")[0] for item in items)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand it over, if this is one of several processes."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[left_out])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every process chooses among all tests, so any one of them tells what there is to tell."""
    node.config.stash[left_out] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Name what was left out."""
    if left := config.stash[left_out]:
        files = ", ".join(f"{name} ({number})" for name, number in sorted(left.items()))
        terminalreporter.section("left out")
        terminalreporter.write_line(f"{left.total()} tests were left out: {files}.")
        terminalreporter.write_line("python3 dev.py test runs them all, and pytest -m slow the slow ones.")


def session(example: Example) -> str | None:
    """Run the lines that begin with `$ `, and compare what they print."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for step in ("\n" + example.parsed).split("\n$ ")[1:]:
        command, _, wanted = step.partition("\n")
        done = subprocess.run(  # noqa: S602 - the commands are our own documentation's
            command,
            shell=True,
            cwd=ROOT,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        got = "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines()) + "\n"
        if not OutputChecker().check_output(wanted.rstrip() + "\n", got, ELLIPSIS):
            return f"$ {command}\nexpected:\n{wanted}\ngot:\n{got}"
    return None


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS), CodeBlockParser("console", session)],
    patterns=["README.md", "docs/*.md", "CONTRIBUTING.md"],
).pytest()
