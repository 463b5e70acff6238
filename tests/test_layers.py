"""Imports point down through the layers, and importing perfectplay stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import perfectplay

SOURCE = Path(perfectplay.__file__).parent
LAYERS = [
    {"__main__"},
    {"cli"},
    {"commands"},
    {"dialogue"},
    {"terminal"},
    {"web"},
    {"exercise"},
    {"arena"},
    {"play", "check", "trace"},
    {"adapters"},
    {"proven"},
    {"cluster"},
    {"tablebase"},
    {"engine"},
    {"compiler"},
    {"textbook", "games"},
    {"rule_faults"},
    {"game"},
    {"scene", "files", "serialization"},
    {"errors", "blame"},
    {"watchdog"},
]

OUTSIDE = {  # other people's packages, by the layer that may import them
    "terminal": {"rich"},
    "web": {"fastapi", "starlette", "pydantic", "uvicorn"},
    "adapters": {"chess", "gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "compiler": {"numpy", "llvmlite"},
    "engine": {"numpy"},
    "cluster": {"numpy", "ray"},
    "tablebase": {"numpy", "zstandard", "pyarrow"},
}


def imports(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer(module: str) -> int:
    return next(depth for depth, names in enumerate(LAYERS) if module in names)


FILES = [path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    module = path.relative_to(SOURCE).with_suffix("").parts[0]
    for name in imports(path):
        if name == "perfectplay" or not name.startswith("perfectplay."):
            continue
        imported = name.split(".")[1]
        if not (SOURCE / imported).exists() and not (SOURCE / f"{imported}.py").exists():
            continue  # a name of the package, not a module
        assert imported == module or layer(imported) > layer(module), f"{module} imports {imported}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_other_peoples_packages_are_used_by_one_layer_alone(path):
    module = path.relative_to(SOURCE).with_suffix("").parts[0]
    outside = {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names - {"perfectplay"}
    assert outside <= OUTSIDE.get(module, set())


COMPILER = {
    "records",
    "primitives",
    "state_kind",
    "digest",
    "changes",
    "forms",
}  # what others may import besides its __init__


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_compiler_is_asked_by_its_interface_alone(path):
    if path.relative_to(SOURCE).parts[0] == "compiler":
        return
    inside = {name.split(".")[2] for name in imports(path) if name.startswith("perfectplay.compiler.")}
    modules = {name for name in inside if any((SOURCE / "compiler").glob(f"{name}*"))}
    assert modules <= COMPILER


def test_a_layer_is_named_for_every_file():
    named = set().union(*LAYERS)
    assert {path.relative_to(SOURCE).with_suffix("").parts[0] for path in FILES} == named


def test_importing_perfectplay_loads_no_numpy_llvmlite_or_web_code():
    heavy = (
        "numpy",
        "llvmlite",
        "rich",
        "starlette",
        "fastapi",
        "http.server",
        "asyncio",
        "ray",
        "chess",
        "pyspiel",
    )
    program = f"import sys, perfectplay; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_is_called_after_nothing():
    vague = {"utils", "helpers", "common", "core", "base", "manager"}
    assert not vague & {path.stem for path in FILES}
