"""Everything from a bare clone, with nothing but Python: run it, test it, build it.

    python3 dev.py run play tic-tac-toe     run perfectplay with these arguments
    python3 dev.py test                     all checks: style, types, tests, documentation
    python3 dev.py test --quick             without what is slow; says what it leaves out
    python3 dev.py test tests/test_play.py  further arguments go to pytest
    python3 dev.py wheel                    build the wheel and use it in a fresh environment
    python3 dev.py all                      test and wheel, side by side
    python3 dev.py bench                    the textbook functions beside other libraries
    python3 dev.py bench engine             the speed of the engine, beside another solver
    python3 dev.py bench before DIRECTORY   the engine beside that of another commit
    python3 dev.py bench classes            classes as people write them: compiled, right, how much faster
    python3 dev.py bench web                the web application with fifty people at once
    python3 dev.py bench theatre            a recording, its page, and a step in it
    python3 dev.py bench tablebase          tablebases built, read and compressed
    python3 dev.py bench cluster            a tablebase on a cluster, beside one machine
    python3 dev.py bench chess_endgames     endgames solved and verified, beside published figures
    python3 dev.py bench chance             dice and playouts, beside another library and alpha-beta

Each sets up what it needs in .venv (bench: .venv-bench) the first time, and whenever pyproject.toml
has changed since. What Python compiles is kept there too, whether or not PYTHONDONTWRITEBYTECODE is set.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BENCHMARKS = (
    *("textbook", "engine", "before", "classes", "web", "theatre", "tablebase", "cluster"),
    *("chess_endgames", "chance"),
)
Words = list[str]  # of a command
BIN = "Scripts" if os.name == "nt" else "bin"


def main(arguments: list[str]) -> int:
    """Do what the first word says."""
    if sys.version_info < (3, 11):
        return _refuse(f"this is Python {sys.version.split()[0]}, and perfectplay needs 3.11 or later.")
    _keep_bytecode()
    tasks = {"run": run, "test": test, "wheel": wheel, "all": everything, "bench": bench}
    if not arguments or arguments[0] not in tasks:
        print(__doc__)
        return 0 if arguments in ([], ["--help"], ["-h"]) else _refuse(f"there is no task {arguments[0]!r}.")
    try:
        return tasks[arguments[0]](arguments[1:])
    except subprocess.CalledProcessError as error:
        return _refuse(f"this failed: {' '.join(map(str, error.cmd))}")
    except KeyboardInterrupt:
        return _refuse("stopped.")


def run(arguments: list[str]) -> int:
    """Run perfectplay."""
    python = _environment(ROOT / ".venv", "--editable", ".[parquet]")
    return subprocess.run([python, "-m", "perfectplay", *arguments], check=False).returncode


def test(arguments: list[str]) -> int:
    """Run all checks; further arguments go to pytest."""
    python = _environment(ROOT / ".venv", "--editable", ".", "--group", "dev")
    return _check(*_checks(str(python), arguments))


def everything(arguments: list[str]) -> int:
    """Run all checks, and beside them that of the wheel."""
    python = _environment(ROOT / ".venv", "--editable", ".", "--group", "dev")
    first, tests, beside = _checks(str(python), arguments)
    return _check(first, tests, [*beside, [sys.executable, __file__, "wheel"]])


def _checks(python: str, arguments: list[str]) -> tuple[list[Words], Words, list[Words]]:
    """The checks that take no time, the tests, and what one processor can do beside them."""
    quick = "--quick" in arguments
    arguments = [word for word in arguments if word != "--quick"]
    tests = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", *arguments]
    sphinx = ["sphinx", "-W", "-n", "-q", "-E", "-b", "html", "docs", "docs/_build"]
    return (
        [[python, "-m", "ruff", "check", "."], [python, "-m", "ruff", "format", "--check", "."]],
        [python, "-m", "pytest", *(["-m", "not slow"] if quick else []), *tests],
        [[python, "-m", "mypy"], *([] if quick else [[python, "-m", *sphinx]])],
    )


def _check(first: list[Words], tests: Words, beside: list[Words]) -> int:
    """Make the first checks, then the tests with the other checks beside them, one after another."""
    for check in first:
        print(f"== {_said(check)}", flush=True)
        _call(*check)
    with ThreadPoolExecutor(1) as other:
        others = [other.submit(_overheard, check) for check in beside]
        print(f"== {_said(tests)}", flush=True)
        failed = [tests] if subprocess.run(tests, cwd=ROOT, check=False).returncode else []
        for check, heard in zip(beside, others, strict=True):
            done = heard.result()
            print(f"== {_said(check)}\n{done.stdout}", end="", flush=True)
            if done.returncode:
                failed.append(check)
    if failed:
        return _refuse(f"this failed: {', and '.join(map(_said, failed))}")
    print("All checks passed.")
    return 0


def _overheard(command: Words) -> subprocess.CompletedProcess[str]:
    """Run something whose output has to wait."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, cwd=ROOT, check=False, **pipes)


def _said(command: Words) -> str:
    """A command without the Python that runs it."""
    words = command[2:] if command[1] == "-m" else ["dev.py", *command[2:]]
    return " ".join(words)


def wheel(arguments: list[str]) -> int:
    """Build the wheel, install it into a fresh environment elsewhere, and use it there."""
    python = _environment(ROOT / ".venv", "--editable", ".", "--group", "dev")
    with tempfile.TemporaryDirectory() as elsewhere:
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(elsewhere) / "bytecode")
        _call(python, "-m", "build", "--wheel", "--outdir", elsewhere)
        (built,) = Path(elsewhere).glob("*.whl")
        fresh = _environment(Path(elsewhere) / "fresh", str(built))
        script = fresh.with_name("perfectplay")

        def use(*words: str, typed: str = "") -> str:
            print("$", "perfectplay", *words, flush=True)
            pipes = {"input": typed, "capture_output": True, "text": True}
            done = subprocess.run([script, *words], cwd=elsewhere, check=False, **pipes)
            if done.returncode:
                raise SystemExit(f"perfectplay {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
            return done.stdout

        report = json.loads(use("textbook", "minimax", "tic-tac-toe", "--json"))
        assert (report["entries"], report["value"]) == (5478, 0), report
        assert "connect-four" in use("games")
        report = json.loads(use("solve", "tic-tac-toe", "--json"))
        assert (report["value"], report["exact"], report["compiled"]) == (0, True, True), report
        assert "lawful" in use("check", "nim")
        assert "You lose" in use("play", "nim:heaps=1+1", "--with", "minimax", typed="a1\n")
        where = "import perfectplay; print(perfectplay.__file__)"
        home = subprocess.run(
            [fresh, "-c", where], cwd=elsewhere, capture_output=True, text=True, check=True
        ).stdout
        assert Path(home.strip()).is_relative_to(Path(elsewhere).resolve()), home
        for name in ("py.typed", "web/static/index.html", "web/static/app.js", "trace/static/board.js"):
            assert (Path(home.strip()).parent / name).exists(), name
        assert "--allow-host" in use("serve", "--help")
        app = "perfectplay.web.app.make_app(perfectplay.web.guard.Hosts.of(['here'], 1))"
        _call(fresh, "-c", f"import perfectplay.web.app; assert '/api/games' in {app}.openapi()['paths']")
    print("The wheel works.")
    return 0


def bench(arguments: list[str]) -> int:
    """Run a benchmark: of the textbook functions, or of the one that is named."""
    name = arguments[0] if arguments and not arguments[0].startswith("-") else "textbook"
    if name not in BENCHMARKS:
        return _refuse(f"there is no benchmark {name!r}: give one of {', '.join(BENCHMARKS)}.")
    arguments = arguments[arguments[:1] == [name] :]
    home = ROOT / ".venv-bench"
    python = _environment(home, "--editable", ".[cluster]" if name == "cluster" else ".")
    for peer in (ROOT / "benchmarks" / "requirements.txt").read_text().splitlines():
        if peer.startswith("#"):
            continue
        try:
            _environment(home, peer)
        except subprocess.CalledProcessError:
            print(f"== {peer} cannot be installed here: going on without it", flush=True)
    return subprocess.run([python, f"benchmarks/{name}.py", *arguments], cwd=ROOT, check=False).returncode


def _environment(home: Path, *requirements: str) -> Path:
    """The Python of a virtual environment that has these requirements."""
    python = home / BIN / "python"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamp = home / f"installed-{hashlib.sha256(' '.join(requirements).encode()).hexdigest()[:8]}"
    if not python.exists():
        print(f"== making {home.name}", flush=True)
        venv.create(home, with_pip=True, symlinks=os.name != "nt")
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"== installing {' '.join(requirements)}", flush=True)
        if "--group" in requirements:
            _call(python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")  # the first to know it
        # Python compiles what is imported; to compile all that is installed takes longer than to install it.
        _call(python, "-m", "pip", "install", "--quiet", "--no-compile", *requirements)
        stamp.write_text(wanted)
    return python


def _keep_bytecode() -> None:
    """Share what Python compiles, since the tests start hundreds of processes, and keep it out of sight."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / ".venv" / "bytecode"))


def _call(*command: str | Path) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


def _refuse(sentence: str) -> int:
    print(f"dev.py: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
