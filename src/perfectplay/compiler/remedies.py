"""Remedies: what to write instead of what does not compile, as code, made from the user's own words."""

from __future__ import annotations

import ast
from collections.abc import Callable

from perfectplay.compiler.reading import Obstacle

FIELD = "  # in result(), with a field of that name"
TOP = "  # at the top of the file"


def code_instead(obstacle: Obstacle) -> str:
    """What to write instead of an obstacle, or nothing if that depends on what was meant."""
    node = obstacle.node or ast.Pass()
    for words, write in REMEDIES:
        if obstacle.what.startswith(words):
            try:
                return write(node)
            except (AttributeError, IndexError, TypeError, ValueError):  # it looks otherwise
                return ""
    return ""


def _import(node: ast.AST) -> str:
    return f"{ast.unparse(node)}{TOP}"


def _render(node: ast.AST) -> str:
    return "def render(self, state):\n    return ...  # the board as text"


def _copied(node: ast.AST) -> str:
    """A constant that is changed: a copy of it instead."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]):
            return f"{name.lower()} = [*{name}, {ast.unparse(item)}]"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add"), args=[item]):
            return f"{name.lower()} = {{*{name}, {ast.unparse(item)}}}"
        case ast.Call(func=ast.Attribute(value=held)):
            name = _name(held)
            return f"{name} = {ast.unparse(held)}.copy()\n{_renamed(node, held, name)}"
        case ast.Assign(targets=[ast.Subscript(value=held, slice=key)], value=value):
            return f"{_name(held)} = {{**{ast.unparse(held)}, {ast.unparse(key)}: {ast.unparse(value)}}}"
        case ast.AugAssign(target=ast.Subscript(value=held, slice=key), op=op, value=value):
            changed = ast.unparse(ast.BinOp(ast.Subscript(held, key, ast.Load()), op, value))
            return f"{_name(held)} = {{**{ast.unparse(held)}, {ast.unparse(key)}: {changed}}}"
    return "changed = [*constant]  # and change that"


def _name(held: ast.expr) -> str:
    """A name for a copy."""
    word = ast.unparse(held).rpartition(".")[2].lower()
    return word if word.isidentifier() and word != ast.unparse(held) else "changed"


def _renamed(node: ast.AST, old: ast.expr, name: str) -> str:
    return ast.unparse(node).replace(ast.unparse(old), name, 1)


def _kept(node: ast.AST) -> str:
    """What changes from move to move is a part of the state."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            name = _last(target)
            changed = ast.unparse(ast.BinOp(ast.parse(f"state.{name}", mode="eval").body, op, value))
            return f"return state._replace({name}={changed}){FIELD}"
        case ast.Assign(targets=[target], value=value):
            name = _last(target)
            return f"return state._replace({name}={ast.unparse(value)}){FIELD}"
    return ""


def _last(target: ast.expr) -> str:
    return ast.unparse(target).rpartition(".")[2].partition("[")[0].lower()


def _call(node: ast.AST) -> str:
    """A call of what rules cannot use."""
    if not isinstance(node, ast.Call):  # a text with values in it, say
        return ""
    called = ast.unparse(node.func)
    given = [_grouped(one) for one in node.args]
    name = called.rpartition(".")[2]
    if name == "isclose":
        one, other = given[:2]
        return f"abs({one} - {other}) <= 1e-09 * max(abs({one}), abs({other}))"
    if name in ("eval", "exec") and isinstance(node.args[0], ast.Constant):
        return str(node.args[0].value)
    if name == "open" and not {"w", "a", "x"} & set("".join(given[1:])):
        return f"TEXT = {ast.unparse(node)}.read(){TOP}"
    if name == "getattr" and isinstance(node.args[1], ast.Constant):
        return f"{given[0]}.{node.args[1].value!s}"
    if name in LISTS:
        return LISTS[name].format(*given, all=", ".join(given))
    if name in ("dumps", "pformat") and given:
        return f"repr({given[0]})  # or the value itself"
    if name in READ_ONCE:
        return f"{name.upper()} = {ast.unparse(node)}{TOP}"
    return ""


LISTS = {  # what numpy has arrays for, and others classes
    "array": "{0}",
    "asarray": "{0}",
    "arange": "range({all})",
    "zeros": "[0] * {0}",
    "ones": "[1] * {0}",
    "sign": "({0} > 0) - ({0} < 0)",
    "count_nonzero": "sum(part != 0 for part in {0})",
    "Decimal": "float({0})",
}
READ_ONCE = {"loads", "load", "getenv", "compile", "namedtuple", "read_text"}


def _grouped(node: ast.expr) -> str:
    """An expression as a part of another one."""
    text = ast.unparse(node)
    whole = ast.Name | ast.Constant | ast.Attribute | ast.Call | ast.Subscript | ast.List | ast.Tuple
    return text if isinstance(node, whole) else f"({text})"


def _constant(node: ast.AST) -> str:
    """What is the same in every call."""
    return f"CONSTANT = {ast.unparse(node)}{TOP}" if isinstance(node, ast.Call) else ""


def _with(node: ast.AST) -> str:
    """A file is read once, and a lock is not needed."""
    assert isinstance(node, ast.With)
    opened = node.items[0].context_expr
    if isinstance(opened, ast.Call) and ast.unparse(opened.func) == "open":
        return _call(opened)
    return "\n".join(map(ast.unparse, node.body))


def _comparison(node: ast.AST) -> str:
    """`is` between values."""
    text = ast.unparse(node)
    return text.replace(" is not ", " != ").replace(" is ", " == ")


def _plain_loop(node: ast.AST) -> str:
    """A set whose order matters."""
    return f"sorted({ast.unparse(node)})" if isinstance(node, ast.expr) else ""


def _slice(node: ast.AST) -> str:
    match node:
        case ast.Assign(
            targets=[ast.Subscript(value=held, slice=ast.Slice(lower=low, upper=high))], value=value
        ):
            name = ast.unparse(held)
            before = f"{name}[:{ast.unparse(low) if low else ''}]" if low else ""
            after = f"{name}[{ast.unparse(high)}:]" if high else ""
            parts = [part for part in (before, f"[*{ast.unparse(value)}]", after) if part]
            return f"{name} = {' + '.join(parts)}"
    return ""


# By the beginning of what is said, in the order in which they are tried.
REMEDIES: tuple[tuple[str, Callable[[ast.AST], str]], ...] = (
    ("imports ", _import),
    ("prints or reads", _render),
    ("changes a list", _copied),
    ("changes a slice", _slice),
    ("assigns to a slice", _slice),
    ("changes ", _kept),
    ("calls", _call),
    ("opens a file", _call),
    ("makes a", _call),
    ("the source of", _constant),
    ("uses with", _with),
    ("asks with `is`", _comparison),
    ("walks through a set", _plain_loop),
)
