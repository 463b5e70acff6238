"""Classes as people write them: every rule of each, asked in machine code and in Python along random play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from comparing import differences, games_in

CORPUS = Path(__file__).parent.parent / "corpus"
CLASSES = [
    pytest.param(cls, id=f"{path.stem}-{cls.__name__}")
    for path in sorted(CORPUS.glob("*.py"))
    for cls in games_in(path)
]


@pytest.mark.parametrize("cls", CLASSES)
def test_a_class_compiles_as_it_stands(cls: Any) -> None:
    asked, left = differences(cls(), playouts=5)
    assert asked > 0
    assert left == 0
