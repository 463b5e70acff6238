"""The README and the documentation are run as they stand: Python examples and terminal sessions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

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
