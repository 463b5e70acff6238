"""One function written: its parameters, its statements, what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perfectplay.compiler.ir import Function as Code
from perfectplay.compiler.lowering import primitives  # noqa: F401 - it adds to INTRINSICS
from perfectplay.compiler.lowering.records import Records
from perfectplay.compiler.lowering.values import Frame, Value, constant
from perfectplay.compiler.shapes import kinds

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance, Program


class Lowering(Records):
    """All of the lowering."""


def lower(program: Program, instance: Instance) -> None:
    """Write one function."""
    instance.ir = Code(instance.name)
    instance.ir.apart = instance.function.name in instance.function.space.get("__apart__", ())
    writer = Lowering(program, instance)
    frame = Frame(instance.function, "", {})
    writer.frames.append(frame)
    given = {}
    for name, shape in instance.arguments:
        regs = tuple(instance.ir.reg(kind) for kind in kinds(shape))
        instance.ir.parameters.extend(regs)
        given[name] = Value(shape, regs)
    writer.open(frame, given)
    if instance.collects:
        writer.set_name("%collected", writer.new_list(writer.cell("collected"), 0))
    if instance.watched:
        writer.watch()
    writer.statements(instance.function.body)
    if not writer.dead:
        writer.give_back(constant(None))
    if instance.watched:
        writer.note_trapped(instance.watched)
    instance.ir.results = kinds(instance.result)
