"""Exceptions: raised, caught, suppressed, and what is done in any case."""

from __future__ import annotations

import ast
import contextlib
import inspect
from dataclasses import dataclass, field
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Slot
from perfectplay.compiler.lowering.assignments import Assignments
from perfectplay.compiler.lowering.values import End, Frame, constant
from perfectplay.compiler.reading import nodes_in
from perfectplay.compiler.shapes import (
    Const,
)


@dataclass
class Handler:
    """A try statement that is being written: where exceptions within it go."""

    status: Slot
    frame: Frame | None = None  # that it stands in
    ends: list[End] = field(default_factory=list)


@dataclass
class Final:
    """A finally clause that is being written around: its statements, and where it stands."""

    body: list[ast.stmt]
    frame: Frame
    loops: int  # that are around it
    handlers: int  # that are around what it guards, its own included


class Exceptions(Assignments):
    """What goes wrong, and where it goes."""

    def do_with(self, node: ast.With) -> None:
        """With suppress(...): ..., which is a try statement; other contexts do things of their own."""
        (first, *rest) = node.items
        call = first.context_expr
        known = self.expression(call.func).shape if isinstance(call, ast.Call) else None
        if known == Const(contextlib.suppress) and isinstance(call, ast.Call) and first.optional_vars is None:
            self.do_try(self.suppressing(node, call, rest))
        elif known == Const(contextlib.nullcontext) and isinstance(call, ast.Call) and len(call.args) < 2:
            value = self.expression(call.args[0]) if call.args else constant(None)
            if first.optional_vars is not None:
                self.assign(first.optional_vars, self.plain(value))
            self.statements(self.within(node, rest))
        else:
            raise self.refuse("uses with", "leave it out of the rules")

    def suppressing(self, node: ast.With, call: ast.Call, rest: list[ast.withitem]) -> ast.Try:
        """The try statement that `with suppress(...)` is: the same one in every round."""
        if node not in self.program.suppressing:
            kinds = ast.Tuple(call.args, ast.Load())
            handler = ast.ExceptHandler(kinds, None, [ast.Pass()])
            made = ast.Try(self.within(node, rest), [handler], [], [])
            self.program.suppressing[node] = ast.fix_missing_locations(ast.copy_location(made, node))
        return self.program.suppressing[node]

    def within(self, node: ast.With, rest: list[ast.withitem]) -> list[ast.stmt]:
        """What stands within the first context of a with statement: the others, and its body."""
        if not rest:
            return node.body
        key = (node, len(rest))
        if key not in self.program.suppressing:
            self.program.suppressing[key] = ast.copy_location(ast.With(rest, node.body), node)
        return [self.program.suppressing[key]]

    def do_assert(self, node: ast.Assert) -> None:
        """Assert test"""
        yes, no = self.condition(node.test)
        if no:
            self.merge(no)
            self.fail(traps.code_of(AssertionError))
        self.merge(yes)

    def do_raise(self, node: ast.Raise) -> None:
        """Raise exception"""
        if node.exc is None:
            if self.raised:
                self.raise_again(self.op("i", "get", self.raised[-1]))
            else:
                self.fail(traps.UNDECIDED)
            return
        named = self.frames[-1].key(node.exc.id) if isinstance(node.exc, ast.Name) else ""
        if named in self.caught_names:
            self.raise_again(self.op("i", "get", self.caught_names[named]))
            return
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        found = self.expression(target)
        known = found.shape.value if isinstance(found.shape, Const) else None
        if not inspect.isclass(known) or not issubclass(known, BaseException):
            raise self.refuse("raises something that is not known", "raise an exception by its name")
        if known is NotImplementedError and self.frames[-1].function.space.get("__prelude__"):
            self.fail(traps.UNDECIDED)  # what the prelude does not know, Python does
        else:
            self.fail(self.program.exception(known))

    def raise_again(self, status: Any) -> None:
        """Go on with an exception that was caught."""
        if self.handlers:
            self.emit("set", self.handlers[-1].status, status)
            self.handlers[-1].ends.append(self.end())
        else:
            self.close("trap", status)
        self.die()

    def do_try(self, node: ast.Try) -> None:
        """try: ... except ...: ... else: ... finally: ..."""
        if not node.finalbody:
            self.try_without_finally(node)
            return
        handler = Handler(self.ir.slot("i", "status"), self.frames[-1])
        self.handlers.append(handler)
        self.finals.append(
            Final(node.finalbody, self.frames[-1], len(self.frames[-1].loops), len(self.handlers))
        )
        self.try_without_finally(node)
        self.finals.pop()
        self.handlers.pop()
        if not self.dead:
            self.statements(node.finalbody)
        after = None if self.dead else self.end()
        if handler.ends:
            self.merge(handler.ends)
            self.statements(node.finalbody)
            if not self.dead:
                self.raise_again(self.op("i", "get", handler.status))
        self.merge([after] if after else [])

    def finish(self, loops: int) -> None:
        """Before control leaves this function, or a loop: what `finally` says, the innermost first."""
        finals, handlers = self.finals, self.handlers
        for place in reversed(range(len(finals))):
            final = finals[place]
            if final.frame is not self.frames[-1] or final.loops < loops or self.dead:
                break
            self.finals, self.handlers = finals[:place], handlers[: final.handlers - 1]
            self.statements(final.body)
        self.finals, self.handlers = finals, handlers

    def try_without_finally(self, node: ast.Try) -> None:
        """try: ... except ...: ... else: ..."""
        if not node.handlers:
            self.statements(node.body)
            return
        self.instance.catches = True
        handler = Handler(self.ir.slot("i", "status"), self.frames[-1])
        self.handlers.append(handler)
        self.statements(node.body)
        self.handlers.pop()
        ends = []
        if not self.dead:
            self.statements(node.orelse)
            if not self.dead:
                ends.append(self.end())
        if handler.ends:
            self.merge(handler.ends)
            ends += self.handle(node, handler)
        self.merge(ends)

    def handle(self, node: ast.Try, handler: Handler) -> list[End]:
        """Write the except clauses of a try statement."""
        status = self.op("i", "get", handler.status)
        code = self.op("i", "bin", "and", status, 0xFF)
        ends = []
        for clause in node.handlers:
            if clause.name is not None and looks_into(clause):
                raise self.refuse("looks into an exception", "catch it without a name")
            caught = self.caught(clause)
            inside, other = self.ir.block(), self.ir.block()
            self.close("switch", code, [(one, inside) for one in caught], other)
            names = dict(self.names)
            self.enter(inside)
            if clause.name is not None:
                self.unbind(self.frames[-1].key(clause.name))
            known = self.caught_names
            if clause.name is not None:
                self.caught_names = {**known, self.frames[-1].key(clause.name): handler.status}
            self.raised.append(handler.status)
            self.statements(clause.body)
            self.raised.pop()
            self.caught_names = known
            if not self.dead:
                ends.append(self.end())
            self.enter(other)
            self.names = names
        self.raise_again(status)
        return ends

    def caught(self, clause: ast.ExceptHandler) -> list[int]:
        """The codes of the exceptions that a clause catches."""
        if clause.type is None:
            return self.program.caught_by(BaseException)
        found = self.expression(clause.type)
        known = found.shape.value if isinstance(found.shape, Const) else None
        kinds = known if isinstance(known, tuple) else (known,)
        codes = {code for kind in kinds if inspect.isclass(kind) for code in self.program.caught_by(kind)}  # type: ignore[arg-type]
        return sorted(codes)


def looks_into(clause: ast.ExceptHandler) -> bool:
    """Is an exception used that has a name, but for raising it again, or another from it?"""
    raised = [part for part in nodes_in(clause) if isinstance(part, ast.Raise)]
    plain = [part for one in raised for part in (one.exc, one.cause)]
    names = [part for part in nodes_in(clause) if isinstance(part, ast.Name) and part.id == clause.name]
    return any(not any(name is one for one in plain) for name in names)
