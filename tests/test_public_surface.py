"""What users need is exported where they look, and the documentation lists all of it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import perfectplay
from perfectplay import tablebase
from perfectplay.games import Nim

DOCS = Path(__file__).parent.parent / "docs"
OURS_ALONE = {
    "perfectplay.compiler",
    "perfectplay.commands",
}  # for the layers above, and for the command line


def writer():
    spec = importlib.util.spec_from_file_location("write_api", DOCS / "write_api.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_api_is_what_the_packages_export():
    told = "api.md is not what the packages export: run python docs/write_api.py"
    assert (DOCS / "api.md").read_text(encoding="utf-8") == writer().page(), told


def test_every_package_that_exports_something_is_on_the_page():
    home = Path(perfectplay.__file__).parent
    exporting = [path for path in home.rglob("*.py") if "\n__all__ = " in path.read_text(encoding="utf-8")]
    names = {".".join(("perfectplay", *path.relative_to(home).with_suffix("").parts)) for path in exporting}
    packages = {name.removesuffix(".__init__") for name in names}
    behind = {name for name in packages if name.startswith("perfectplay.compiler.")}
    assert packages - behind <= {*writer().PACKAGES, *OURS_ALONE}


def test_what_can_be_done_with_a_tablebase_is_in_its_package(tmp_path):
    game, table = Nim((1, 2)), tmp_path / "nim"
    assert tablebase.estimate(game).positions == 8
    tablebase.build_tablebase(game, table, compile=False)
    assert tablebase.statistics(table).positions == 8
    tablebase.compress(table)
    assert tablebase.verify(table) == []
    tablebase.export(table, tmp_path / "nim.parquet")
    assert (tmp_path / "nim.parquet").stat().st_size > 0


def test_importing_tablebases_loads_neither_the_compiler_nor_pyarrow():
    program = "import sys, perfectplay.tablebase; print({'llvmlite', 'pyarrow'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
