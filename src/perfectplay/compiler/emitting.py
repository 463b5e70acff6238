"""From the intermediate form to LLVM's assembly, and from there to machine code.

Every function takes the address of a context (`context.py`) before its own parameters, and returns a
status before its own results: 0, or the code of a trap (`traps.py`).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from threading import Lock
from typing import Any

from perfectplay.compiler.context import ALLOWED, CALLS, DEPTH, END, LOWEST, STOP
from perfectplay.compiler.ir import Block, Function, Reg, Slot
from perfectplay.compiler.kept_answers import BODY, TYPES, keeper

FLOATS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
INTEGERS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
CASTS = {
    "zext": ("zext", "i1", "i64"),
    "trunc": ("trunc", "i64", "i1"),
    "sitofp": ("sitofp", "i64", "double"),
    "uitofp": ("uitofp", "i64", "double"),
    "fptosi": ("fptosi", "double", "i64"),
    "bits_to_float": ("bitcast", "i64", "double"),
    "float_to_bits": ("bitcast", "double", "i64"),
    "address": ("ptrtoint", "ptr", "i64"),
    "pointer": ("inttoptr", "i64", "ptr"),
    "widen": ("sext", "i64", "i128"),
    "widen_count": ("zext", "i64", "i128"),
    "narrow": ("trunc", "i128", "i64"),
}
DEEPEST = 800  # calls of the rules within one another: Python gives up at 1000, whoever calls it included
UNLIKELY = "!prof !0"
# Of a loop: nobody knows how often it runs. Written out many times over it is no faster, and takes LLVM long.
ROLLED = '!2 = !{!"llvm.loop.unroll.runtime.disable"}'


def assembly(functions: Iterable[Function], data: dict[str, str], entries: Iterable[str]) -> str:
    """The whole module as text: constants in memory, functions, and which of them are seen from outside."""
    outside = set(entries)
    lines = [f"@{name} = internal constant {text}, align 16" for name, text in data.items()]
    used: set[str] = set()
    loops = count(3)
    for function in functions:
        lines += _Emitter(function, outside, used, loops).lines()
    lines += [*sorted(used), ROLLED]
    lines.append('!0 = !{!"branch_weights", i32 1, i32 1000000}')
    return "\n".join(lines) + "\n"


def number(value: float) -> str:
    """A float in LLVM's exact notation."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


class _Emitter:
    """Writes one function."""

    def __init__(self, function: Function, outside: set[str], used: set[str], loops: Iterator[int]) -> None:
        self.function = function
        self.loops = loops  # numbers for what is said of each
        self.here = 0  # the number of the block that is being written
        self.is_entry = function.name in outside
        self.used = used  # declarations of LLVM's own functions
        self.out: list[str] = []
        self.fresh = 0

    def lines(self) -> list[str]:
        function = self.function
        parameters = "".join(f", {TYPES[reg.kind]} {_name(reg)}" for reg in function.parameters)
        self.result = "{ " + ", ".join(["i32", *(TYPES[kind] for kind in function.results)]) + " }"
        hot = " alwaysinline" if function.hot else " noinline" if function.apart else ""
        if self.is_entry:
            self._entry(function)
        name = function.name
        if function.keeps:
            self.out += keeper(function)
            name += BODY
        self.out.append(f"define internal {self.result} @{name}(ptr %ctx{parameters}) nounwind{hot} {{")
        self.out.append("start:")
        for slot in function.slots:
            self.out.append(f"  {_name(slot)} = alloca {TYPES[slot.kind]}, align 8")
        self.out.append("  br label %b0")
        for block in function.blocks:
            self.here = block.number
            self.out.append(f"b{block.number}:")
            for step in block.code:
                getattr(self, f"_{step[0]}")(*step[1:])
            if not block.closed:
                self.out.append("  unreachable")
        self.out.append("}")
        return self.out

    def _entry(self, function: Function) -> None:
        """What is called from Python: takes and leaves its values in memory, a word each."""
        emit = self.out.append
        emit(f"define i32 @{function.name}.entry(ptr %ctx, ptr %in, ptr %out) nounwind {{")
        self.used.add("declare ptr @llvm.frameaddress.p0(i32)")
        emit("  %frame = call ptr @llvm.frameaddress.p0(i32 0)")
        emit(f"  %allowed = getelementptr i64, ptr %ctx, i64 {ALLOWED}")
        emit("  %size = load i64, ptr %allowed, align 8")
        emit("  %here = ptrtoint ptr %frame to i64")
        emit("  %lowest = sub i64 %here, %size")
        emit(f"  %limit = getelementptr i64, ptr %ctx, i64 {LOWEST}")
        emit("  store i64 %lowest, ptr %limit, align 8")
        arguments = "ptr %ctx"
        for place, reg in enumerate(function.parameters):
            emit(f"  %p{place} = getelementptr i64, ptr %in, i64 {place}")
            kind = "i" if reg.kind == "b" else reg.kind
            emit(f"  %w{place} = load {TYPES[kind]}, ptr %p{place}, align 8")
            value = f"%w{place}"
            if reg.kind == "b":
                emit(f"  %v{place} = trunc i64 {value} to i1")
                value = f"%v{place}"
            arguments += f", {TYPES[reg.kind]} {value}"
        emit(f"  %r = call {self.result} @{function.name}({arguments})")
        emit(f"  %status = extractvalue {self.result} %r, 0")
        for place, kind in enumerate(function.results):
            emit(f"  %r{place} = extractvalue {self.result} %r, {place + 1}")
            emit(f"  %o{place} = getelementptr i64, ptr %out, i64 {place}")
            value, written = f"%r{place}", TYPES[kind]
            if kind == "b":
                emit(f"  %z{place} = zext i1 {value} to i64")
                value, written = f"%z{place}", "i64"
            emit(f"  store {written} {value}, ptr %o{place}, align 8")
        emit("  ret i32 %status")
        emit("}")

    # Instructions, by the names of the intermediate form.

    def _bin(self, dst: Reg, op: str, one: Any, other: Any) -> None:
        self.out.append(f"  {_name(dst)} = {op} {TYPES[dst.kind]} {self._v(one)}, {self._v(other)}")

    def _check(self, dst: Reg, op: str, one: Any, other: Any, trap: Block) -> None:
        """Arithmetic that traps where the result does not fit."""
        kind = TYPES[dst.kind]
        intrinsic = f"@llvm.s{op}.with.overflow.{kind}"
        self.used.add(f"declare {{ {kind}, i1 }} {intrinsic}({kind}, {kind})")
        pair, bad = self._new(), self._new()
        self.out += [
            f"  {pair} = call {{ {kind}, i1 }} {intrinsic}({kind} {self._v(one)}, {kind} {self._v(other)})",
            f"  {_name(dst)} = extractvalue {{ {kind}, i1 }} {pair}, 0",
            f"  {bad} = extractvalue {{ {kind}, i1 }} {pair}, 1",
        ]
        self._leave_if(bad, trap)

    def _shift(self, dst: Reg, value: Any, places: Any, mask: Any, trap: Block) -> None:
        """Value << places, of which nothing is lost but what a mask without a sign takes away."""
        kind = TYPES[dst.kind]
        moved, back, bad = self._new(), self._new(), self._new()
        self.out += [
            f"  {moved} = shl {kind} {self._v(value)}, {self._v(places)}",
            f"  {back} = ashr {kind} {moved}, {self._v(places)}",
            f"  {bad} = icmp ne {kind} {back}, {self._v(value)}",
        ]
        if mask is None:
            self.out.append(f"  {_name(dst)} = add {kind} {moved}, 0")
        else:
            negative, both = self._new(), self._new()
            self.out += [
                f"  {_name(dst)} = and {kind} {moved}, {self._v(mask)}",
                f"  {negative} = icmp slt {kind} {self._v(mask)}, 0",
                f"  {both} = and i1 {bad}, {negative}",
            ]
            bad = both
        self._leave_if(bad, trap)

    def _leave_if(self, bad: str, trap: Block) -> None:
        on = self._label()
        self.out += [f"  br i1 {bad}, label %b{trap.number}, label %{on}, {UNLIKELY}", f"{on}:"]

    def _cmp(self, dst: Reg, pred: str, one: Any, other: Any) -> None:
        kind = _kind(one) or _kind(other) or "i"
        if kind == "f":
            text = f"fcmp {FLOATS[pred]} double"
        else:
            text = f"icmp {INTEGERS.get(pred, pred)} {TYPES[kind]}"
        self.out.append(f"  {_name(dst)} = {text} {self._v(one, kind)}, {self._v(other, kind)}")

    def _cast(self, dst: Reg, op: str, value: Any) -> None:
        name, old, new = CASTS[op]
        self.out.append(f"  {_name(dst)} = {name} {old} {self._v(value)} to {new}")

    def _load(self, dst: Reg, pointer: Any, offset: int) -> None:
        place = self._word(pointer, offset)
        if dst.kind == "b":
            whole = self._new()
            self.out.append(f"  {whole} = load i64, ptr {place}, align 8")
            self.out.append(f"  {_name(dst)} = trunc i64 {whole} to i1")
        else:
            self.out.append(f"  {_name(dst)} = load {TYPES[dst.kind]}, ptr {place}, align 8")

    def _load_atomic(self, dst: Reg, pointer: Any, offset: int) -> None:
        """A word that other threads write: read whole, once, and whenever it is asked for."""
        place = self._word(pointer, offset)
        kind = TYPES[dst.kind]
        self.out.append(f"  {_name(dst)} = load atomic volatile {kind}, ptr {place} monotonic, align 8")

    def _store_atomic(self, value: Any, kind: str, pointer: Any, offset: int) -> None:
        place = self._word(pointer, offset)
        text = f"{TYPES[kind]} {self._v(value, kind)}"
        self.out.append(f"  store atomic volatile {text}, ptr {place} monotonic, align 8")

    def _load_small(self, dst: Reg, pointer: Any, index: Any, size: int) -> None:
        """An element of a row of bytes, or of pairs of them, without a sign."""
        place, small = self._new(), self._new()
        kind = f"i{8 * size}"
        self.out += [
            f"  {place} = getelementptr {kind}, ptr {self._v(pointer)}, i64 {self._v(index)}",
            f"  {small} = load {kind}, ptr {place}, align {size}",
            f"  {_name(dst)} = zext {kind} {small} to i64",
        ]

    def _load_bytes(self, dst: Reg, pointer: Any, index: Any) -> None:
        """Eight bytes from anywhere in a row of them."""
        place = self._new()
        self.out += [
            f"  {place} = getelementptr i8, ptr {self._v(pointer)}, i64 {self._v(index)}",
            f"  {_name(dst)} = load i64, ptr {place}, align 1",
        ]

    def _store_small(self, value: Any, pointer: Any, index: Any, size: int) -> None:
        place, small = self._new(), self._new()
        kind = f"i{8 * size}"
        self.out += [
            f"  {place} = getelementptr {kind}, ptr {self._v(pointer)}, i64 {self._v(index)}",
            f"  {small} = trunc i64 {self._v(value)} to {kind}",
            f"  store {kind} {small}, ptr {place}, align {size}",
        ]

    def _store(self, value: Any, kind: str, pointer: Any, offset: int) -> None:
        place = self._word(pointer, offset)
        text = self._v(value, kind)
        if kind == "b":
            whole = self._new()
            self.out.append(f"  {whole} = zext i1 {text} to i64")
            text, kind = whole, "i"
        self.out.append(f"  store {TYPES[kind]} {text}, ptr {place}, align 8")

    def _at(self, dst: Reg, pointer: Any, index: Any, stride: int, offset: int) -> None:
        """The address of an element: so many words each, after so many."""
        scaled = self._new()
        start = self._word(pointer, offset)
        self.out.append(f"  {scaled} = mul i64 {self._v(index)}, {stride}")
        self.out.append(f"  {_name(dst)} = getelementptr i64, ptr {start}, i64 {scaled}")

    def _get(self, dst: Reg, slot: Slot) -> None:
        self.out.append(f"  {_name(dst)} = load {TYPES[slot.kind]}, ptr {_name(slot)}, align 8")

    def _set(self, slot: Slot, value: Any) -> None:
        self.out.append(f"  store {TYPES[slot.kind]} {self._v(value, slot.kind)}, ptr {_name(slot)}, align 8")

    def _call(
        self, dsts: list[Reg], callee: Any, arguments: list[tuple[str, Any]], trap: Any, frames: int
    ) -> None:
        result = "{ " + ", ".join(["i32", *(TYPES[kind] for kind in callee.results)]) + " }"
        given = "".join(f", {TYPES[kind]} {self._v(value, kind)}" for kind, value in arguments)
        pair, status, bad, on = self._new(), self._new(), self._new(), self._label()
        before = self._deeper(frames) if callee.ir.counted else None
        if before is not None and callee.ir.most_calls:
            self._begin_count(before[0])
        self.out.append(f"  {pair} = call {result} @{callee.name}(ptr %ctx{given})")
        if before is not None:
            self.out.append(f"  store i64 {before[0]}, ptr {before[1]}, align 8")
        self.out += [
            f"  {status} = extractvalue {result} {pair}, 0",
            f"  {bad} = icmp ne i32 {status}, 0",
        ]
        if trap is None:
            leave = self._label()
            self.out += [
                f"  br i1 {bad}, label %{leave}, label %{on}, {UNLIKELY}",
                f"{leave}:",
                *self._leaving(status),
            ]
        else:
            slot, block = trap
            caught, wide = self._label(), self._new()
            self.out += [
                f"  br i1 {bad}, label %{caught}, label %{on}, {UNLIKELY}",
                f"{caught}:",
                f"  {wide} = zext i32 {status} to i64",
                f"  store i64 {wide}, ptr {_name(slot)}, align 8",
                f"  br label %b{block.number}",
            ]
        self.out.append(f"{on}:")
        for place, dst in enumerate(dsts):
            self.out.append(f"  {_name(dst)} = extractvalue {result} {pair}, {place + 1}")

    def _deeper(self, frames: int) -> tuple[str, str]:
        """Count the calls that a function is within, which calls itself; what it was before, and where."""
        at, before, now = self._new(), self._new(), self._new()
        self.out += [
            f"  {at} = getelementptr i64, ptr %ctx, i64 {DEPTH}",
            f"  {before} = load i64, ptr {at}, align 8",
            f"  {now} = add i64 {before}, {frames}",
            f"  store i64 {now}, ptr {at}, align 8",
        ]
        return before, at

    def _begin_count(self, depth: str) -> None:
        """Count the calls of cached functions from 0, if no function is within itself yet."""
        at, calls, first, now = (self._new() for _ in range(4))
        self.out += [
            f"  {at} = getelementptr i64, ptr %ctx, i64 {CALLS}",
            f"  {calls} = load i64, ptr {at}, align 8",
            f"  {first} = icmp eq i64 {depth}, 0",
            f"  {now} = select i1 {first}, i64 0, i64 {calls}",
            f"  store i64 {now}, ptr {at}, align 8",
        ]

    def _calls(self, trap: Block) -> None:
        """Count a call of a cached function, and leave if there were too many."""
        at, before, now, many, on = *(self._new() for _ in range(4)), self._label()
        self.out += [
            f"  {at} = getelementptr i64, ptr %ctx, i64 {CALLS}",
            f"  {before} = load i64, ptr {at}, align 8",
            f"  {now} = add i64 {before}, 1",
            f"  store i64 {now}, ptr {at}, align 8",
            f"  {many} = icmp ugt i64 {now}, {self.function.most_calls}",
            f"  br i1 {many}, label %b{trap.number}, label %{on}, {UNLIKELY}",
            f"{on}:",
        ]

    def _select(self, dst: Reg, test: Any, one: Any, other: Any) -> None:
        kind = TYPES[dst.kind]
        values = f"{kind} {self._v(one, dst.kind)}, {kind} {self._v(other, dst.kind)}"
        self.out.append(f"  {_name(dst)} = select i1 {self._v(test)}, {values}")

    def _op(self, dst: Reg, name: str, *arguments: Any) -> None:
        """One of LLVM's own functions."""
        kind = TYPES[dst.kind]
        short = {"i64": "i64", "double": "f64", "i128": "i128"}[kind]
        given = [f"{kind} {self._v(value, dst.kind)}" for value in arguments]
        kinds = [kind for _ in arguments]
        if name in ("ctlz", "cttz", "abs"):
            given.append("i1 false")
            kinds.append("i1")
        self.used.add(f"declare {kind} @llvm.{name}.{short}({', '.join(kinds)})")
        self.out.append(f"  {_name(dst)} = call {kind} @llvm.{name}.{short}({', '.join(given)})")

    def _libm(self, dst: Reg, name: str, *arguments: Any) -> None:
        """A function of the C library, which LLVM may not take for anything that is nearly the same."""
        given = ", ".join(f"double {self._v(value, 'f')}" for value in arguments)
        self.used.add(f"declare double @{name}({', '.join('double' for _ in arguments)})")
        self.out.append(f"  {_name(dst)} = call double @{name}({given}) nobuiltin nounwind readnone")

    def _single(self, dst: Reg, value: Any) -> None:
        """The bits of the nearest number of single precision."""
        small, bits = self._new(), self._new()
        self.out += [
            f"  {small} = fptrunc double {self._v(value, 'f')} to float",
            f"  {bits} = bitcast float {small} to i32",
            f"  {_name(dst)} = zext i32 {bits} to i64",
        ]

    def _double(self, dst: Reg, bits: Any) -> None:
        small, value = self._new(), self._new()
        self.out += [
            f"  {small} = trunc i64 {self._v(bits)} to i32",
            f"  {value} = bitcast i32 {small} to float",
            f"  {_name(dst)} = fpext float {value} to double",
        ]

    def _prefetch(self, pointer: Any) -> None:
        self.used.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.out.append(f"  call void @llvm.prefetch.p0(ptr {self._v(pointer)}, i32 0, i32 3, i32 1)")

    def _ask(self, dst: Reg, function: Any, *arguments: Any) -> None:
        """Call a function of Python's by its address: it takes numbers, and returns one."""
        given = ", ".join(f"i64 {self._v(value)}" for value in arguments)
        self.out.append(f"  {_name(dst)} = call i64 {self._v(function)}({given})")

    def _alloc(self, dst: Reg, words: Any, trap: Block) -> None:
        """So many words of the context's memory, until it is given back."""
        at, end, size, after, full, on = *(self._new() for _ in range(5)), self._label()
        here, last, left, room = (self._new() for _ in range(4))
        self.out += [
            f"  {_name(dst)} = load ptr, ptr %ctx, align 8",
            f"  {at} = getelementptr i64, ptr %ctx, i64 {END}",
            f"  {end} = load ptr, ptr {at}, align 8",
            f"  {here} = ptrtoint ptr {_name(dst)} to i64",
            f"  {last} = ptrtoint ptr {end} to i64",
            f"  {left} = sub i64 {last}, {here}",
            f"  {room} = lshr i64 {left}, 3",
            f"  {full} = icmp ugt i64 {self._v(words)}, {room}",
            f"  {size} = shl i64 {self._v(words)}, 3",
            f"  {after} = getelementptr i8, ptr {_name(dst)}, i64 {size}",
            f"  br i1 {full}, label %b{trap.number}, label %{on}, {UNLIKELY}",
            f"{on}:",
            f"  store ptr {after}, ptr %ctx, align 8",
        ]

    def _context(self, dst: Reg) -> None:
        """The address of the context."""
        self.out.append(f"  {_name(dst)} = getelementptr i8, ptr %ctx, i64 0")

    def _mark(self, dst: Reg) -> None:
        """How far the context's memory is in use."""
        self.out.append(f"  {_name(dst)} = load ptr, ptr %ctx, align 8")

    def _release(self, mark: Any) -> None:
        self.out.append(f"  store ptr {self._v(mark)}, ptr %ctx, align 8")

    def _poll(self, trap: Block) -> None:
        """Leave if somebody asked for it."""
        at, word, asked, on = *(self._new() for _ in range(3)), self._label()
        self.out += [
            f"  {at} = getelementptr i64, ptr %ctx, i64 {STOP}",
            f"  {word} = load volatile i64, ptr {at}, align 8",
            f"  {asked} = icmp ne i64 {word}, 0",
            f"  br i1 {asked}, label %b{trap.number}, label %{on}, {UNLIKELY}",
            f"{on}:",
        ]

    def _stack(self, trap: Block) -> None:
        """Leave if the stack is used up."""
        here, at, end, low, on = *(self._new() for _ in range(4)), self._label()
        self.used.add("declare ptr @llvm.frameaddress.p0(i32)")
        self.out += [
            f"  {here} = call ptr @llvm.frameaddress.p0(i32 0)",
            f"  {at} = getelementptr i64, ptr %ctx, i64 {LOWEST}",
            f"  {end} = load ptr, ptr {at}, align 8",
            f"  {low} = icmp ult ptr {here}, {end}",
            f"  br i1 {low}, label %b{trap.number}, label %{on}, {UNLIKELY}",
            f"{on}:",
        ]
        if self.function.counted:
            at, deep, low, on = *(self._new() for _ in range(3)), self._label()
            self.out += [
                f"  {at} = getelementptr i64, ptr %ctx, i64 {DEPTH}",
                f"  {deep} = load i64, ptr {at}, align 8",
                f"  {low} = icmp ugt i64 {deep}, {DEEPEST}",
                f"  br i1 {low}, label %b{trap.number}, label %{on}, {UNLIKELY}",
                f"{on}:",
            ]

    def _br(self, block: Block) -> None:
        again = ""
        if block.number <= self.here:  # back to where a loop begins
            number = next(self.loops)
            self.used.add(f"!{number} = distinct !{{!{number}, !2}}")
            again = f", !llvm.loop !{number}"
        self.out.append(f"  br label %b{block.number}{again}")

    def _cbr(self, test: Any, yes: Block, no: Block, rare: str = "") -> None:
        weights = {"": "", "yes": f", {UNLIKELY}", "no": ", !prof !1"}[rare]
        if rare == "no":
            self.used.add('!1 = !{!"branch_weights", i32 1000000, i32 1}')
        self.out.append(f"  br i1 {self._v(test)}, label %b{yes.number}, label %b{no.number}{weights}")

    def _switch(self, value: Any, cases: list[tuple[int, Block]], default: Block) -> None:
        listed = " ".join(f"i64 {case}, label %b{block.number}" for case, block in cases)
        self.out.append(f"  switch i64 {self._v(value)}, label %b{default.number} [ {listed} ]")

    def _ret(self, values: list[Any]) -> None:
        built = "undef"
        built = self._inserted(built, "i32 0", 0)
        for place, (kind, value) in enumerate(zip(self.function.results, values, strict=True)):
            built = self._inserted(built, f"{TYPES[kind]} {self._v(value, kind)}", place + 1)
        self.out.append(f"  ret {self.result} {built}")

    def _trap(self, code: Any) -> None:
        if isinstance(code, int):
            self.out += self._leaving(str(code))
        else:
            status = self._new()
            self.out.append(f"  {status} = trunc i64 {self._v(code)} to i32")
            self.out += self._leaving(status)

    def _leaving(self, status: str) -> list[str]:
        kept, self.out = self.out, []
        built = self._inserted("undef", f"i32 {status}", 0)
        for place, kind in enumerate(self.function.results):
            zero = {"b": "false", "f": "0.0", "p": "null"}.get(kind, "0")
            built = self._inserted(built, f"{TYPES[kind]} {zero}", place + 1)
        self.out.append(f"  ret {self.result} {built}")
        made, self.out = self.out, kept
        return made

    def _inserted(self, into: str, value: str, place: int) -> str:
        new = self._new()
        self.out.append(f"  {new} = insertvalue {self.result} {into}, {value}, {place}")
        return new

    # Names.

    def _word(self, pointer: Any, offset: int) -> str:
        text = self._v(pointer, "p")
        if not offset:
            return text
        place = self._new()
        self.out.append(f"  {place} = getelementptr i64, ptr {text}, i64 {offset}")
        return place

    def _v(self, value: Any, kind: str = "") -> str:
        if isinstance(value, Reg):
            return _name(value)
        if isinstance(value, str):
            return f"@{value}"
        if isinstance(value, bool):
            return str(value).lower() if kind in ("", "b") else str(int(value))
        if isinstance(value, float) or kind == "f":
            return number(float(value))
        if kind == "p":
            return "null"
        return str(value)

    def _new(self) -> str:
        self.fresh += 1
        return f"%t{self.fresh}"

    def _label(self) -> str:
        self.fresh += 1
        return f"on{self.fresh}"


def _name(thing: Reg | Slot) -> str:
    return f"%r{thing.number}" if isinstance(thing, Reg) else f'%"{thing.name}"'


def _kind(value: Any) -> str:
    if isinstance(value, Reg):
        return value.kind
    return "f" if isinstance(value, float) else "p" if isinstance(value, str) else ""


@cache
def _target(level: int = 3) -> Any:
    """The machine that we run on, as LLVM knows it, and how hard it is to try there."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=level, reloc="pic", codemodel="default", jit=True
    )


def optimised(text: str, level: int = 3) -> Any:
    """The module that LLVM makes of the assembly."""
    import llvmlite.binding as llvm

    machine = _target()
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_default_triple()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = False  # rules have nothing to gain by it
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def object_code(text: str, level: int = 3) -> bytes:
    """Machine code of this machine, as an object file."""
    return bytes(_target().emit_object(optimised(text, level)))


def quick_code(text: str) -> bytes:
    """The same by a few passes, for what is run a few hundred times: LLVM is done in a tenth of the time."""
    import llvmlite.binding as llvm

    machine = _target(0)
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_default_triple()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return bytes(machine.emit_object(module))


def printed_code(text: str, level: int = 2) -> str:
    """Machine code as text, in the assembly of this machine."""
    return str(_target().emit_assembly(optimised(text, level)))


class Loaded:
    """Machine code in memory; the addresses of its entries hold as long as this object lives.

    JITLink puts all sections of it into one piece of memory. The older linker of LLVM takes a piece for each,
    and ends the process where the system has put them further apart than a jump can reach.
    """

    def __init__(self, code: bytes) -> None:
        import llvmlite.binding as llvm

        with _LINKING:
            linker = _linker()
            self._name = f"code {next(_NAMES)}"
            builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
            self._library = builder.link(linker, self._name)
        self._entries: list[Any] = []  # each of them keeps the code in memory, too

    def address(self, name: str) -> int:
        """Where a function is."""
        with _LINKING:
            self._entries.append(_linker().lookup(self._name, name))
        return int(self._entries[-1][name])


_LINKING = Lock()
_NAMES = count()


@cache
def _linker() -> Any:
    """What puts machine code into memory, one for the whole process."""
    import llvmlite.binding as llvm

    _target()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, jit=True)
    return llvm.create_lljit_compiler(machine, use_jit_link=os.name != "nt")
