"""The source of a textbook algorithm: the lines to show, and the comparisons that cut."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

LOOPS = ("game.actions(", "enumerate(successors)")  # over actions, and over what chance may do
MOST_PARTS = 99  # the largest denominator of a probability that is written as a fraction
SLIGHT = 1e-9  # so far may it be from that
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
        left, right = _looked_up(test.left, variables), _looked_up(test.comparators[0], variables)
        return (
            f"{written(left)} {SIGNS[type(test.ops[0])]} {ast.unparse(test.comparators[0])} {written(right)}"
        )


def _looked_up(name: ast.expr, variables: Mapping[str, Any]) -> Any:
    """What a variable, or an element of one, is."""
    if isinstance(name, ast.Subscript):
        return _looked_up(name.value, variables)[_looked_up(name.slice, variables)]
    if isinstance(name, ast.Constant):
        return name.value
    assert isinstance(name, ast.Name)
    return variables[name.id]


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
    """The lines that leave a loop over actions or outcomes early, each with the comparison before it."""
    for loop in ast.walk(tree):
        if not (isinstance(loop, ast.For) and ast.unparse(loop.iter).startswith(LOOPS)):
            continue
        for statement in ast.walk(loop):
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Break):
                assert isinstance(statement.test, ast.Compare)
                yield statement.body[-1].lineno, statement.test


def written(value: Any) -> str:
    """A number as people write it: 3, 0.25, inf."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def worth(value: Any) -> str:
    """One number, or one for every player: (1, 2, 6)."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(written, value))})"
    return written(value)


def odds(probability: float) -> str:
    """A probability as people write it: 1/6, 0.05."""
    near = Fraction(probability).limit_denominator(MOST_PARTS)
    if abs(near - Fraction(probability)) < SLIGHT:
        return str(near)
    return f"{float(probability):.3g}"
