"""Explaining: what became of a class in each pass of the compiler, or all that stands in the way."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from perfectplay.compiler.comparing import trusted
from perfectplay.compiler.compilation import Compilation, compile_kernel
from perfectplay.compiler.emitting import optimised, printed_code
from perfectplay.compiler.observing import Observed, observe
from perfectplay.compiler.program import Instance
from perfectplay.compiler.reading import Obstacle, Untrusted
from perfectplay.compiler.remedies import code_instead
from perfectplay.compiler.rules import Rules
from perfectplay.compiler.shapes import Const, Shape
from perfectplay.game import Game


@dataclass(frozen=True)
class Hindrance:
    """A line of the rules that does not compile, and what to write instead."""

    rule: str
    file: str
    line: int
    source: str  # the line itself
    what: str
    remedy: str
    code: str = ""  # what to write instead
    column: int = 0  # where in the line it begins, and how long it is
    length: int = 0

    def __str__(self) -> str:
        where = f"{os.path.basename(self.file)}:{self.line}, in `{self.rule}`: " if self.line else ""
        rows = [f"{where}{self.what}"]
        rows += [f"    {self.source}"] if self.source else []
        rows += [f"    {' ' * self.column}{'^' * self.length}"] if self.length else []
        rows += [f"  instead: {self.remedy}"] if self.remedy else []
        rows += [f"    {row}" for row in self.code.splitlines()]
        return "\n".join(rows)


@dataclass
class Explanation:
    """What became of a class."""

    observed: Observed | None = None
    rules: Rules | None = None  # each rule by itself
    whole: Compilation | None = None  # the search together with the rules
    seconds: dict[str, float] = field(default_factory=dict)
    hindrances: list[Hindrance] = field(default_factory=list)
    why_not: str = ""  # in one sentence

    def functions(self, rule: str | None = None) -> list[Instance]:
        """The functions of the rules, each for the shapes of its arguments; or those of one name."""
        assert self.rules is not None
        return [one for one in self.rules.program.live if rule in (None, one.function.name)]

    def signatures(self, rule: str | None = None) -> list[str]:
        """What they take and give."""
        return [*map(_signature, self.functions(rule))]

    def llvm(self, rule: str | None = None) -> str:
        """The rules in LLVM's assembly, after it was optimised."""
        assert self.rules is not None
        text = str(optimised(self.rules.text))
        return text if rule is None else _chosen(re.findall(r"^define .*?^}$", text, re.M | re.S), rule)

    def native(self, rule: str | None = None) -> str:
        """The rules in the assembly of this machine."""
        assert self.rules is not None
        text = printed_code(self.rules.text)
        return text if rule is None else _chosen(re.split(r"(?m)^(?=\t\.globl\t)", text), rule)


def _signature(function: Instance) -> str:
    """What a function takes and gives; the game itself is known, and so are its attributes."""
    known = [(name, shape) for name, shape in function.arguments if not _is_game(shape)]
    given = ", ".join(f"{name}: {shape!r}" for name, shape in known)
    return f"{function.function.name}({given}) -> {function.result!r}"


def _is_game(shape: Shape) -> bool:
    return isinstance(shape, Const) and isinstance(shape.value, Game)


def _chosen(parts: Iterable[str], rule: str) -> str:
    """Those parts of a text that are about one function."""
    return "\n\n".join(part for part in parts if re.search(rf"\b{rule}_\d+\b", part.partition("\n")[0]))


def explained(game: Any, function: Callable[..., Any], kinds: Sequence[str]) -> Explanation:
    """Follow a class through all passes, and then a function of the search together with it."""
    told = Explanation()
    clock = perf_counter()

    def lap(name: str) -> None:
        nonlocal clock
        told.seconds[name], clock = perf_counter() - clock, perf_counter()

    try:
        told.observed = observe(game)
        lap("observing")
        trusted(game, told.observed)
        lap("comparing")
        told.rules = Rules(game, told.observed)
        clock = perf_counter()
        told.whole = compile_kernel(game, function, kinds, endgames=None, observed=told.observed)
        told.seconds |= told.whole.seconds
    except Untrusted as why:
        told.why_not = str(why)
        told.hindrances = hindrances(why)
    except Obstacle as obstacle:
        told.why_not = obstacle.what
        told.hindrances = _hindrances([obstacle])
    except Exception as error:  # the rules themselves raise
        told.why_not = f"its rules raise {type(error).__name__} in random play: {error}"
    return told


def all_hindrances(game: Any) -> list[Hindrance]:
    """All lines of the rules that do not compile, as far as can be seen at once."""
    try:
        trusted(game)
    except Untrusted as why:
        return hindrances(why)
    except Exception:  # the rules themselves raise
        return []
    return []


def hindrances(why: Untrusted) -> list[Hindrance]:
    """The lines behind a reason; none where answers differ."""
    first = why.__cause__
    return _hindrances([first, *first.others]) if isinstance(first, Obstacle) else []


def _hindrances(obstacles: Iterable[Obstacle]) -> list[Hindrance]:
    found: dict[tuple[str, int, str], Hindrance] = {}
    for one in obstacles:
        function = one.function
        file = function.file if function is not None else ""
        written = linecache.getline(file, one.line).rstrip() if file and one.line else ""
        source = written.lstrip()
        indent = len(written) - len(source)
        column, length = _underlined(one.node, written, indent)
        made = Hindrance(
            function.name if function is not None else "",
            file,
            one.line,
            source,
            one.what,
            one.remedy,
            code_instead(one),
            column,
            length,
        )
        found.setdefault((file, one.line, one.what), made)
    return sorted(found.values(), key=lambda one: (one.file, one.line, one.column))


def _underlined(node: Any, written: str, indent: int) -> tuple[int, int]:
    """Which part of a line is meant: where it begins without the indent, and how long it is."""
    begin, end = getattr(node, "col_offset", None), getattr(node, "end_col_offset", None)
    if begin is None or end is None or not written:
        return 0, 0
    encoded = written.encode()
    begin = len(encoded[:begin].decode(errors="ignore"))
    last = len(written) if node.end_lineno != node.lineno else len(encoded[:end].decode(errors="ignore"))
    return begin - indent, max(last - begin, 0)
