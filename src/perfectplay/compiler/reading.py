"""Reading: the syntax of rules and of all they call, from the files that they are written in."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import os
import sysconfig
from collections.abc import Iterator
from copy import deepcopy
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

from perfectplay.compiler.function_source import code_in_its_place

CACHED = type(lru_cache(lambda: None))
Definition = ast.FunctionDef | ast.Lambda
OURS = tuple(
    os.path.join(str(Path(__file__).parents[1]), name, "") for name in ("compiler", "engine", "tablebase")
)
HOME = os.path.join(str(Path(__file__).parents[1]), "")
LIBRARIES = (
    "<frozen",
    *(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "purelib", "platlib")),
)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Obstacle(Exception):  # noqa: N818 - a finding about somebody's rules, not a failure of ours
    """Something in the rules that does not compile: where it is, and what to write instead."""

    def __init__(self, what: str, remedy: str = "", node: ast.AST | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.node = node
        self.function: Function | None = None
        self.others: list[Obstacle] = []  # that were found with it
        self.follows = False  # from another one?

    @property
    def line(self) -> int:
        """The line in its file."""
        return getattr(self.node, "lineno", 0)


class Untrusted(Exception):  # noqa: N818 - a finding, in a sentence
    """Rules that machine code cannot be trusted with, and why."""


def said(obstacle: Obstacle) -> str:
    """An obstacle in one sentence: the method, the line, what to write instead."""
    where = f"`{obstacle.function.name}` line {obstacle.line} " if obstacle.function is not None else ""
    remedy = f"; {obstacle.remedy}" if obstacle.remedy else ""
    return f"{where}{obstacle.what}{remedy}"


class Function:
    """A function as it is written: its syntax, and where its names come from."""

    def __init__(
        self,
        node: Definition,
        space: dict[str, Any],
        *,
        parent: Function | None = None,
        python: FunctionType | None = None,
        file: str = "",
    ) -> None:
        self.node = node
        self.space = space  # the globals
        self.parent = parent
        self.python = python
        self.file: str = file or (parent.file if parent else "")
        self.cached = False  # does it keep its answers?

    @property
    def name(self) -> str:
        """What it is called."""
        return getattr(self.node, "name", "lambda")

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @cached_property
    def is_ours(self) -> bool:
        """Is it of the compiler or of the search?"""
        return self.file.startswith(OURS)

    @cached_property
    def is_of_rules(self) -> bool:
        """Is it what somebody wrote for a game, and neither ours nor of a library?"""
        return not self.is_ours and (self.file.startswith(HOME) or not self.file.startswith(LIBRARIES))

    @cached_property
    def body(self) -> list[ast.stmt]:
        """Its statements."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        return self.node.body

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes of its syntax, those of functions within it left out."""
        return own_nodes(self.node)

    @cached_property
    def is_generator(self) -> bool:
        """Does it yield?"""
        return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in self.nodes)

    @cached_property
    def parameters(self) -> list[str]:
        """The names of its parameters, in order."""
        given = self.node.args
        names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        return [*names, *(extra.arg for extra in (given.vararg, given.kwarg) if extra)]

    @cached_property
    def defaults(self) -> dict[str, ast.expr]:
        """The defaults of its parameters, by their names."""
        given = self.node.args
        positional = [*given.posonlyargs, *given.args]
        found = dict(
            zip(
                [one.arg for one in positional][len(positional) - len(given.defaults) :],
                given.defaults,
                strict=True,
            )
        )
        named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        return found | {one.arg: default for one, default in named if default is not None}

    @cached_property
    def bindings(self) -> dict[str, int]:
        """How often each local name is bound in the text; a loop's target counts as often."""
        counts: dict[str, int] = dict.fromkeys(self.parameters, 1)
        outer = self.outer_names
        for node in self.nodes:
            for name, weight in _bound_by(node):
                if name not in outer:
                    counts[name] = counts.get(name, 0) + weight
        return counts

    @cached_property
    def outer_names(self) -> set[str]:
        """Names that are said to be another function's, or the module's."""
        return {
            name for node in self.nodes if isinstance(node, ast.Nonlocal | ast.Global) for name in node.names
        }

    @cached_property
    def captured(self) -> list[str]:
        """The variables of enclosing functions that it uses, or that functions within it use."""
        if self.parent is None:
            return []
        used = {node.id for node in nodes_in(self.node) if isinstance(node, ast.Name)}
        scope: Function | None = self.parent
        known: set[str] = set()
        while scope is not None:
            known |= set(scope.bindings)
            scope = scope.parent
        return sorted((used - (set(self.bindings) - self.outer_names)) & known)

    @cached_property
    def shared(self) -> set[str]:
        """Local variables that functions within it use, and that may have another value when they do."""
        nested = [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
        shared = set()
        looped = self.bound_in_loops if nested else set()
        for node in nested:
            inner = Function(node, self.space, parent=self)
            names = {one.id for one in nodes_in(node) if isinstance(one, ast.Name)}
            changed = {name for one in nodes_in(node) if isinstance(one, ast.Nonlocal) for name in one.names}
            for name in names - (set(inner.bindings) - inner.outer_names):
                own = isinstance(node, ast.FunctionDef) and node.name == name and self.bindings.get(name) == 1
                if name not in self.bindings or (own and name not in looped):
                    continue
                later = self.last_bound.get(name, (0, 0)) > (node.lineno, node.col_offset)
                if self.bindings[name] > 1 or name in changed or name in looped or later:
                    shared.add(name)
        return shared

    @cached_property
    def last_bound(self) -> dict[str, tuple[int, int]]:
        """Where in the text each name is bound for the last time."""
        found: dict[str, tuple[int, int]] = {}
        for node in self.nodes:
            for name, _ in _bound_by(node):
                found[name] = max(found.get(name, (0, 0)), (node.lineno, node.col_offset))  # type: ignore[attr-defined]
        return found

    @cached_property
    def bound_in_loops(self) -> set[str]:
        """Names that are bound within a loop: again and again."""
        return {
            name
            for loop in self.nodes
            if isinstance(loop, ast.For | ast.While)
            for node in own_nodes(loop)
            for name, _ in _bound_by(node)
        }

    def is_around(self, name: str) -> bool:
        """Is a name a variable of a function around this one?"""
        scope = self.parent
        while scope is not None and name not in self.outer_names:
            if name in scope.bindings:
                return True
            scope = scope.parent
        return False

    def constant(self, name: str) -> Any:
        """What a name means that is bound outside of all functions; LookupError if it means nothing."""
        if self.python is not None and name in self.python.__code__.co_freevars:
            place = self.python.__code__.co_freevars.index(name)
            return (self.python.__closure__ or ())[place].cell_contents
        if name in self.space:
            return self.space[name]
        if self.parent is not None:
            return self.parent.constant(name)
        return vars(builtins)[name]


def nodes_in(root: ast.AST) -> list[ast.AST]:
    """A node and all below it, but for those that only say whether a name is read or written.

    `ast.walk` gives the same, and takes a third of the time of reading rules.
    """
    found = [root]
    for node in found:  # which grows while it is walked through
        found += parts_of(node)
    return found


def own_nodes(root: ast.AST) -> list[ast.AST]:
    """The nodes of a function, those of functions within it left out (but not these functions)."""
    found: list[ast.AST] = []
    waiting = parts_of(root)
    while waiting:
        found.append(node := waiting.pop())
        if not isinstance(node, SCOPES):
            waiting += parts_of(node)
    return found


def parts_of(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in their order."""
    found: list[ast.AST] = []
    for name in node._fields:
        part = getattr(node, name, None)
        if part.__class__ is list:
            found += [one for one in part if isinstance(one, ast.AST)]
        elif isinstance(part, ast.AST) and name != "ctx":
            found.append(part)
    return found


def _bound_by(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _names_in(target, 1)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _names_in(target, 1)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, 2
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _names_in(target, 1)
        case ast.For(target=target):
            yield from _names_in(target, 2)
        case ast.NamedExpr(target=ast.Name(id=name)):
            yield name, 1
        case ast.FunctionDef(name=name):
            yield name, 1
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name, 1
        case ast.ExceptHandler(name=str() as name):
            yield name, 2
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield alias.asname or alias.name, 1


@cache
def bound_in(node: ast.AST) -> set[str]:
    """The names that a statement binds, or statements within it."""
    return {name for one in (node, *own_nodes(node)) for name, _ in _bound_by(one)}


def _names_in(target: ast.AST, weight: int) -> Iterator[tuple[str, int]]:
    for node in nodes_in(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id, weight


def _text_around(python: FunctionType) -> str:
    """The file of a function; where that is no Python, as a page of documentation, the lines of its own."""
    code = python.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)
    if not lines:
        raise OSError("no source")
    text = "".join(lines)
    try:
        _definitions(text)
    except SyntaxError:
        first = code.co_firstlineno - 1
        own = "".join(inspect.getblock(lines[first:]))
        *_, outer, _ = ("", *code.co_qualname.split("."))
        return "\n" * (first - 1) + (f"class {outer}:\n" if own[0].isspace() else "\n") + own
    return text


@cache
def _definitions(text: str) -> dict[int, list[Definition]]:
    """All functions of a file, by the line where they begin."""
    found: dict[int, list[Definition]] = {}
    for node in nodes_in(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            lines = {node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))}
            for line in lines:
                found.setdefault(line, []).append(node)
    return found


@cache
def _codes(text: str, file: str) -> set[str]:
    """The code of all functions of a file."""
    waiting = [compile(text, file, "exec", dont_inherit=True)]
    found = set()
    while waiting:
        code = waiting.pop()
        found.add(code_in_its_place(code))
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    return found


def is_as_written(python: FunctionType, node: ast.AST | None = None) -> bool:
    """Is a function still what its file says? Who rewrites `assert`, as test runners do, is believed."""
    file = python.__code__.co_filename
    if not os.path.exists(file) or (python.__module__ or "").startswith("perfectplay.compiler."):
        return True
    if node is not None and any(isinstance(one, ast.Assert) for one in nodes_in(node)):
        return True
    try:
        return code_in_its_place(python.__code__) in _codes(_text_around(python), file)
    except (SyntaxError, ValueError):
        return False


def function_of(python: Any) -> Function:
    """The syntax of a Python function."""
    python, cached = uncached(python)
    name = getattr(python, "__name__", repr(python))
    if inspect.iscoroutinefunction(python) or inspect.isasyncgenfunction(python):
        raise Obstacle(f"calls `{name}`, which is async", "write it with def alone")
    try:
        found = _function_of(python)
        found.cached |= cached
        return found
    except LookupError:
        raise Obstacle(
            f"`{name}` is not what its file says, which was edited since", "load it again"
        ) from None
    except (OSError, SyntaxError, TypeError, AttributeError) as error:
        raise Obstacle(f"the source of `{name}` cannot be read", "put it into a file") from error


def uncached(python: Any) -> tuple[Any, bool]:
    """The function that a method or a cache is of, and whether its answers are kept."""
    cached = False
    while isinstance(python, staticmethod | classmethod | MethodType | CACHED):
        cached |= isinstance(python, CACHED)
        python = getattr(python, "__wrapped__", None) or getattr(python, "__func__", None)
    return python, cached


_read: dict[FunctionType, Function] = {}


def _mangled(node: Definition, qualname: str) -> Definition:
    """A method whose private names, such as `__height`, bear the name of its class, as Python has it."""
    owner = qualname.split(".")[-2:-1]
    private = [one for one in nodes_in(node) if _is_private(one)]
    if not private or not owner or not owner[0].strip("_") or owner[0] == "<locals>":
        return node
    node = deepcopy(node)
    for one in nodes_in(node):
        if _is_private(one):
            field = "attr" if isinstance(one, ast.Attribute) else "id"
            setattr(one, field, f"_{owner[0].lstrip('_')}{getattr(one, field)}")
    return node


def _is_private(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.startswith("__") and not name.endswith("__")


def _function_of(python: FunctionType) -> Function:
    if python not in _read:
        code = python.__code__
        nodes = _definitions(_text_around(python))[code.co_firstlineno]
        wanted = [node for node in nodes if getattr(node, "name", "<lambda>") == code.co_name]
        if len(wanted) > 1:
            places = {position[2] for position in code.co_positions() if position[2] is not None}
            body = [node for node in wanted if any(node.col_offset <= at for at in places)]
            wanted = [max(body, key=lambda node: node.col_offset)]
        if not wanted:
            raise LookupError(python)
        (node,) = wanted
        if not is_as_written(python, node):
            raise LookupError(python)
        node = _mangled(node, python.__qualname__)
        _read[python] = Function(node, python.__globals__, python=python, file=code.co_filename)
    return _read[python]
