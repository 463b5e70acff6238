"""Waiting for what happens, however long a busy machine takes.

A test waits for an event and never for a clock. `NET` is only there to end a test whose event never comes.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from threading import Timer

NET = 180.0  # seconds

PROGRAM = """
    import signal, sys
    from pathlib import Path
    from perfectplay.cli import main
    from perfectplay.games import GAMES

    signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests may ignore it
    mark, *arguments = sys.argv[1:]
    left = 5_000

    def watched(result):
        def counted(self, state, action):
            global left
            left -= 1
            if left == 0:
                Path(mark).touch()
            return result(self, state, action)
        return counted

    for game in GAMES.values():
        game.result = watched(game.result)
    sys.exit(main(arguments))
"""


def until(condition: Callable[[], object]) -> None:
    """Wait until it is so."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < NET, "what was waited for did not happen"
        time.sleep(0.01)


class Command:
    """A command in a process of its own, which a test can interrupt when it is at work."""

    def __init__(self, home: Path, *arguments: str, typed: str = "") -> None:
        self.mark = home / "at-work"  # appears when many moves have been tried
        self.process = subprocess.Popen(
            [sys.executable, "-c", dedent(PROGRAM), str(self.mark), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.net = Timer(NET, self.process.kill)
        self.net.daemon = True
        self.net.start()
        assert self.process.stdin is not None
        self.process.stdin.write(typed)
        self.process.stdin.flush()

    def until_at_work(self) -> None:
        """Wait until its search is well under way."""
        until(lambda: self.mark.exists() or self.process.poll() is not None)

    def read_until(self, words: str) -> str:
        """What it prints up to these words, which may end in the middle of a line."""
        assert self.process.stdout is not None
        shown = ""
        while words not in shown:
            character = self.process.stdout.read(1)
            assert character, f"{words!r} did not come: {shown!r}"
            shown += character
        return shown

    def interrupted(self) -> tuple[str, str]:
        """What else it prints, and what it says, after Ctrl-C."""
        try:
            self.process.send_signal(signal.SIGINT)
            out, err = self.process.communicate()
        finally:
            self.net.cancel()
        assert self.process.returncode == 2
        assert "Traceback" not in err
        return out, err
