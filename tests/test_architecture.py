"""The map of the source shows every room there is, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import perfectplay

SOURCE = Path(perfectplay.__file__).parent
MAP = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")


def first_column(section: str) -> set[str]:
    """What stands in backquotes in the first column of the tables of a section."""
    text = MAP.partition(f"\n{section}\n")[2]
    assert text, f"docs/architecture.md has no section {section!r}"
    rows = re.findall(r"^\|([^|]*)\|", re.split(r"\n#", text)[0], re.MULTILINE)
    return {name for row in rows for name in re.findall("`([^`]+)`", row)}


def test_every_package_and_every_module_beside_them_is_on_the_map():
    packages = {f"{path.parent.name}/" for path in SOURCE.glob("*/__init__.py")}
    modules = {path.name for path in SOURCE.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert first_column("## The rooms") == packages | modules


@pytest.mark.parametrize("package", ["compiler", "engine", "tablebase", "cluster"])
def test_every_file_of_the_compiler_the_search_tablebases_and_the_cluster_is_on_the_map(package):
    files = {path.name for path in (SOURCE / package).glob("*.py")} - {"__init__.py"}
    rooms = {f"{path.parent.name}/" for path in (SOURCE / package).glob("*/__init__.py")}
    assert first_column(f"### `{package}/`") - {"__init__.py"} == files | rooms


def test_every_file_that_the_map_names_is_there():
    """In sentences as well: a path with a slash, below the package or below the checkout."""
    root = Path(__file__).parent.parent
    named = set(re.findall(r"`([a-z_]+/[a-z_/.]+\.(?:py|js|md))`", MAP))
    assert len(named) > 40
    missing = {name for name in named if not (SOURCE / name).exists() and not (root / name).exists()}
    assert missing == {"games/your_game.py", "textbook/your_algorithm.py", "commands/your_command.py"}


def test_the_map_is_where_newcomers_look():
    root = Path(__file__).parent.parent
    assert "docs/architecture.md" in (root / "README.md").read_text(encoding="utf-8")
    assert "docs/architecture.md" in (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "\narchitecture\n" in (root / "docs" / "index.md").read_text(encoding="utf-8")
