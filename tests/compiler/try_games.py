"""Compare the games of files, compiled and interpreted: `python tests/compiler/try_games.py FILE.py[::Class] ...`"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from comparing import differences, games_in  # noqa: E402

from perfectplay.compiler.reading import Obstacle  # noqa: E402

SECONDS = 60


def tried(cls: Any, *, at_length: bool) -> int:
    began = time.perf_counter()
    try:
        asked, left = differences(cls())
    except Obstacle as obstacle:
        print(
            f"REF  {cls.__name__:18} {obstacle.function} line {obstacle.line}: {obstacle.what}; {obstacle.remedy}"
        )
    except Exception as error:
        print(f"ERR  {cls.__name__:18} {type(error).__name__}: {str(error)[:250]}")
    else:
        print(
            f"ok   {cls.__name__:18} {time.perf_counter() - began:.2f} s, {asked} questions, {left} left to Python"
        )
        return 0
    if at_length:
        traceback.print_exc()
    return 1


def main(paths: list[str]) -> int:
    good = bad = 0
    for path in paths:
        file, _, only = path.partition("::")
        for cls in games_in(Path(file)):
            if only and cls.__name__ != only:
                continue
            child = os.fork()
            if not child:
                signal.alarm(SECONDS)
                status = tried(cls, at_length=bool(only))
                sys.stdout.flush()
                os._exit(status)
            status = os.waitpid(child, 0)[1]
            if os.WIFSIGNALED(status):
                print(f"DIES {cls.__name__:18} by signal {os.WTERMSIG(status)}", flush=True)
            good, bad = good + (status == 0), bad + (status != 0)
    print(f"{good} good, {bad} bad")
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
