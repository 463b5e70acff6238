"""Adapters are imported when they are asked for, and say what to install where that is missing."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from perfectplay import adapters
from perfectplay.cli import main
from perfectplay.errors import MissingExtraError

ROOT = Path(__file__).parent.parent
FOREIGN = sorted({home.needs for home in adapters._HOMES.values()})


def without(library: str, monkeypatch) -> None:
    """As if a library were not installed, and nothing of ours had asked for it."""
    for name, home in adapters._HOMES.items():
        if home.needs == library:
            monkeypatch.delitem(sys.modules, f"perfectplay.adapters.{home.module}", raising=False)
            monkeypatch.delitem(vars(adapters), name, raising=False)
    monkeypatch.setitem(sys.modules, library, None)


@pytest.mark.parametrize("name", sorted(adapters._HOMES))
def test_what_is_missing_is_said_with_what_to_install(name, monkeypatch):
    home = adapters._HOMES[name]
    without(home.needs, monkeypatch)
    with pytest.raises(MissingExtraError) as refusal:
        getattr(adapters, name)
    remedy = f"pip install 'perfectplay[{home.extra}]'."
    assert str(refusal.value) == f"{home.needs} is not installed, and {home.what} {home.verb} it: {remedy}"


def test_on_the_command_line_that_is_one_sentence_and_exit_code_2(monkeypatch, capsys):
    without("pyspiel", monkeypatch)
    assert main(["play", "openspiel:hex"]) == 2
    told = "pyspiel is not installed, and OpenSpiel's games need it: pip install 'perfectplay[openspiel]'."
    assert capsys.readouterr().err == f"perfectplay: {told}\n"


def test_an_import_that_fails_for_another_reason_is_not_taken_for_a_missing_extra(monkeypatch):
    without("pyspiel", monkeypatch)
    monkeypatch.setitem(sys.modules, "pyspiel", type(sys)("pyspiel"))  # without what is used of it
    with pytest.raises(AttributeError):
        adapters.from_openspiel  # noqa: B018


def test_there_is_no_other_name():
    with pytest.raises(AttributeError):
        adapters.from_nowhere  # noqa: B018
    assert set(adapters.__all__) <= set(dir(adapters))


def test_every_extra_is_one_of_ours_and_the_tests_have_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    for home in adapters._HOMES.values():
        assert set(extras[home.extra]) <= set(project["dependency-groups"]["dev"])


def test_importing_adapters_and_games_imports_no_library():
    program = f"import sys, perfectplay.adapters, perfectplay.games; print({{*{FOREIGN}}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
