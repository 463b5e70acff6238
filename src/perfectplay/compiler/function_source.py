"""Functions in words that any process prints alike, the names in them, and what they write to."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from functools import lru_cache
from types import CodeType
from typing import Any

WRITING = (
    *("add", "append", "appendleft", "clear", "discard", "extend"),
    *("insert", "pop", "popitem", "remove", "setdefault", "update"),
)  # what containers have to be changed by
STORES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL")
STORING = {dis.opmap[name] for name in STORES}


def source(code: CodeType) -> str:
    """A function as Python would write it: without comments, docstrings and types."""
    tree = _tree(code)
    if tree is None:  # typed at a prompt, or part of a line: its code is what there is
        return code_in_words(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns, node.decorator_list = None, []
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def names_in(code: CodeType) -> set[str]:
    """The names of globals and attributes in a function, and in the functions inside it."""
    found = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found |= names_in(part)
    return found


def may_write(code: CodeType) -> bool:
    """Is there anything in a function, or in the functions inside it, that can write to what is not local?"""
    return (
        not STORING.isdisjoint(code.co_code[::2])
        or not set(WRITING).isdisjoint(code.co_names)
        or any(may_write(part) for part in code.co_consts if isinstance(part, CodeType))
    )


@lru_cache(maxsize=1 << 12)
def written_by(code: CodeType) -> frozenset[str] | None:
    """The globals and attributes that a function writes to, or into: a memo is such a one.

    None where there is no source to see it in.
    """
    tree = _tree(code)
    if tree is None:
        return None
    local = _locals(code)
    game = code.co_varnames[0] if code.co_argcount else ""  # if it is a method
    aliases: dict[str, ast.expr] = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Name | ast.Attribute)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            found |= {*node.names}
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            found |= _owner(node, local, game, aliases)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) in WRITING:
            assert isinstance(node.func, ast.Attribute)
            found |= _owner(node.func.value, local, game, aliases)
    return frozenset(found)


def _owner(node: ast.expr, local: set[str], game: str, aliases: dict[str, ast.expr]) -> set[str]:
    """The global, or the attribute, that this is or is in; nothing, if it belongs to a local variable."""
    place = node
    while isinstance(place, ast.Subscript):
        place = place.value
    root = place
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    own = {place.attr} if isinstance(place, ast.Attribute) else set()
    if not isinstance(root, ast.Name):
        return set()
    if root.id not in local:
        return own or {root.id}
    if root.id == game and own:
        return own
    behind = _owner(aliases[root.id], local, game, {}) if root.id in aliases else set()
    return own or behind if behind else set()


def _locals(code: CodeType) -> set[str]:
    parts = [_locals(part) for part in code.co_consts if isinstance(part, CodeType)]
    return {*code.co_varnames, *code.co_cellvars}.union(*parts)


def near_writing(code: CodeType) -> set[str]:
    """Where there is no source: every name in a line that writes into something."""
    lines: dict[Any, set[str]] = {}
    writing = set()
    for step in dis.get_instructions(code):
        line = step.positions.lineno if step.positions else None
        if isinstance(step.argval, str) and not step.opname.startswith(("LOAD_FAST", "STORE_FAST")):
            lines.setdefault(line, set()).add(step.argval)
        if step.opname in STORES or step.argval in WRITING:
            writing.add(line)
    found = {name for line in writing for name in lines.get(line, ())}
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found |= near_writing(part)
    return found


def _tree(code: CodeType) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):
        return None


def code_in_words(code: CodeType) -> str:
    """What Python runs: without names of files and lines, but as this version of Python has it."""
    constants = [
        code_in_words(part) if isinstance(part, CodeType) else _constant(part) for part in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def code_in_its_place(code: CodeType) -> str:
    """The same with the lines that it is on; bytecode that was kept may have its sets in another order."""
    parts = [code_in_its_place(part) for part in code.co_consts if isinstance(part, CodeType)]
    return f"{code_in_words(code)} {code.co_firstlineno} {code.co_linetable.hex()} {parts}"


def code_exactly(code: CodeType) -> str:
    """The same with sets in the order they are in, in which machine code walks them."""
    return f"{code_in_its_place(code)} {_sets(code)}"


def _sets(code: CodeType) -> list[Any]:
    parts = [_sets(part) for part in code.co_consts if isinstance(part, CodeType)]
    return [
        [*part] for part in code.co_consts if isinstance(part, frozenset) and not _has_words(part)
    ] + parts


def _has_words(value: Any) -> bool:
    """Is the place of a constant in a set another one in every process?"""
    return (
        any(map(_has_words, value))
        if isinstance(value, tuple | frozenset)
        else not isinstance(value, int | float)
    )


def _constant(value: Any) -> str:
    """A constant in code: sets in order."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return repr(sorted(map(_constant, value))) if isinstance(value, frozenset) else repr(value)
