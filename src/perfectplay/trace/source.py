"""The source of a textbook algorithm: the lines to show, and the comparisons that cut."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

SIGNS = {ast.GtE: ">=", ast.LtE: "<=", ast.Gt: ">", ast.Lt: "<", ast.Eq: "=="}


@dataclass(frozen=True)
class Source:
    """The functions of a module as they are printed, without their docstrings."""

    file: str  # its name alone
    lines: tuple[tuple[int, str], ...]  # with their numbers in the file
    cuts: Mapping[int, ast.Compare]  # the line that leaves a loop over actions, and why it does
    has_player: bool  # are its values the gain of the player at the root, and not always of MAX?

    def reason(self, line: int, variables: Mapping[str, Any]) -> str:
        """The comparison that came out true before this line was reached: "6 >= beta 5"."""
        test = self.cuts[line]
        left, right = ast.unparse(test.left), ast.unparse(test.comparators[0])
        sign = SIGNS[type(test.ops[0])]
        return f"{written(variables.get(left, left))} {sign} {right} {written(variables.get(right, ''))}"


@cache
def source_of(module: ModuleType) -> Source:
    """The source of the module that an algorithm is in."""
    text = inspect.getsource(module)
    tree = ast.parse(text)
    printed = text.splitlines()
    lines: list[tuple[int, str]] = []
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        assert function.end_lineno is not None
        hidden = _docstring(function)
        if lines:
            lines.append((0, ""))
        numbers = range(function.lineno, function.end_lineno + 1)
        lines += [(number, printed[number - 1]) for number in numbers if number not in hidden]
    has_player = any(isinstance(each, ast.arg) and each.arg == "player" for each in ast.walk(tree))
    return Source(Path(inspect.getfile(module)).name, tuple(lines), dict(_cuts(tree)), has_player)


def _docstring(function: ast.FunctionDef) -> range:
    """The lines of a function's docstring."""
    if ast.get_docstring(function) is None:
        return range(0)
    first = function.body[0]
    assert first.end_lineno is not None
    return range(first.lineno, first.end_lineno + 1)


def _cuts(tree: ast.Module) -> Iterator[tuple[int, ast.Compare]]:
    """The lines that leave a loop over `game.actions` early, each with the comparison before it."""
    for loop in ast.walk(tree):
        if not (isinstance(loop, ast.For) and ast.unparse(loop.iter).startswith("game.actions(")):
            continue
        for statement in ast.walk(loop):
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Break):
                assert isinstance(statement.test, ast.Compare)
                yield statement.body[-1].lineno, statement.test


def written(value: Any) -> str:
    """A number as people write it: 3, 0.25, inf."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)
