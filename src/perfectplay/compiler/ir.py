"""The intermediate form: functions of blocks of simple instructions on typed registers. It can be printed.

Values of any shape are broken into registers by the lowering; here there are only integers of 64 bits,
truth values, floats and pointers. A slot is a variable that may be written many times.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class Reg:
    """A register, written once."""

    kind: str
    number: int

    def __repr__(self) -> str:
        return f"%{self.kind}{self.number}"


@dataclass(eq=False, slots=True)
class Slot:
    """A variable of a function, for one register of a value."""

    kind: str
    name: str

    def __repr__(self) -> str:
        return f"${self.name}"


Operand = Reg | int | float | bool | str  # a register, a number, or the name of something in memory


@dataclass(eq=False, slots=True)
class Block:
    """Instructions one after the other; the last one says where to go on."""

    number: int
    code: list[tuple[Any, ...]] = field(default_factory=list)
    closed: bool = False

    def __repr__(self) -> str:
        return f"@{self.number}"


@dataclass(eq=False)
class Function:
    """A function of the intermediate form."""

    name: str
    parameters: list[Reg] = field(default_factory=list)
    results: str = ""  # the kinds of what it returns
    blocks: list[Block] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    registers: int = 0
    hot: bool = False  # worth inlining whatever its size
    apart: bool = False  # never worth it
    counted: bool = False  # it may call itself: how deeply is counted
    keeps: bool = False  # are its answers kept, as a cache does?
    most_calls: int = 0  # within one call from outside, where a cache that is not there would be missed

    def reg(self, kind: str) -> Reg:
        """A new register."""
        self.registers += 1
        return Reg(kind, self.registers)

    def slot(self, kind: str, name: str) -> Slot:
        """A new variable."""
        slot = Slot(kind, f"{name}.{len(self.slots)}")
        self.slots.append(slot)
        return slot

    def block(self) -> Block:
        """A new block, to be filled."""
        block = Block(len(self.blocks))
        self.blocks.append(block)
        return block

    def __str__(self) -> str:
        lines = [
            f"function {self.name}({', '.join(map(repr, self.parameters))}) -> {self.results or 'nothing'}"
        ]
        for block in self.blocks:
            lines.append(f"{block!r}:")
            lines.extend(f"    {printed(step)}" for step in block.code)
        return "\n".join(lines)


def printed(step: tuple[Any, ...]) -> str:
    """An instruction as text: results first."""
    name, *rest = step
    if name == "call":
        results, callee, arguments, trap, _ = rest
        return f"{list(results)} = call {callee}{tuple(arguments)} else {trap!r}"
    if rest and isinstance(rest[0], Reg) and name not in ("store", "store_atomic", "cbr", "switch"):
        return f"{rest[0]!r} = {name} {' '.join(map(repr, rest[1:]))}"
    return f"{name} {' '.join(map(repr, rest))}"
