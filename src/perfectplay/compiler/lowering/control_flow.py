"""Control flow: where several ways meet, every name in a shape that holds them all; and loops."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.blocks import is_passing
from perfectplay.compiler.lowering.coercion import Coercion
from perfectplay.compiler.lowering.values import End, Iter, Loop, Names, Value
from perfectplay.compiler.reading import bound_in
from perfectplay.compiler.shapes import (
    BOTTOM,
    INT,
    Const,
    Shape,
    general,
)


class ControlFlow(Coercion):
    """Ways that meet, and ways that lead back."""

    def merge(self, ends: Iterable[End]) -> Value | None:
        """Go on where several ways meet: every name, and the value, in a shape that holds them all."""
        ends = [end for end in ends if end is not None]
        if not ends:
            self.die()
            return None
        if len(ends) == 1:
            self.block, self.dead, self.names = ends[0].block, False, dict(ends[0].names)
            return ends[0].value
        if any(end.value is not None and isinstance(end.value.shape, Iter) for end in ends):
            return self.merge_walks(ends)
        joined = self.joined_names(ends)
        shape: Shape = BOTTOM
        for end in ends:
            if end.value is not None:
                shape = self.join(shape, end.value.shape)
        result = self.fresh("%") if any(end.value is not None for end in ends) else ""
        target = self.ir.block()
        for end in ends:
            self.block, self.dead, self.names = end.block, False, dict(end.names)
            if end.value is not None:
                value = self.coerce(end.value, shape)
                for slot, reg in zip(self.slots_of(result, shape), value.regs, strict=True):
                    self.emit("set", slot, reg)
            self.settle(joined)
            self.close("br", target)
        self.enter(target)
        self.names = dict(joined)
        if not result:
            return None
        return Value(shape, tuple(self.op(slot.kind, "get", slot) for slot in self.slots_of(result, shape)))

    def merge_walks(self, ends: list[End]) -> Value:
        """Where several things to walk through meet: one of them, known by its number when it runs."""
        first = ends[0].value
        if first is not None and all(
            end.value is not None and end.value.shape is first.shape for end in ends
        ):
            self.merge([End(end.block, end.names) for end in ends])
            return first
        which = self.fresh("%which")
        ways: list[Iter | str] = []
        noted = []
        for number, end in enumerate(ends):
            self.block, self.dead, self.names = end.block, False, dict(end.names)
            self.set_name(which, Value(INT, (number,)))
            value = end.value or Value(Const(None))
            if isinstance(value.shape, Iter):
                self.hold_given(value.shape)
                ways.append(value.shape)
            else:
                held = self.fresh("%way")
                self.set_name(held, value)
                ways.append(held)
            noted.append(self.end())
        self.merge(noted)
        return Value(Iter(lambda body: self.walk_one_of(which, ways, body), "one of several generators"))

    def hold_given(self, walk: Iter) -> None:
        """Keep in names what something to walk through was made with, for use where other ways lead too."""
        for name, value in walk.given.items():
            if isinstance(value, Value) and isinstance(value.shape, Iter):
                self.hold_given(value.shape)
            elif isinstance(value, Value) and value.regs:
                held = self.fresh("%given")
                self.set_name(held, value)
                walk.given[name] = held

    def given(self, walk: dict[str, Value | str]) -> dict[str, Value]:
        """What something to walk through was made with."""
        return {name: self.get_name(one) if isinstance(one, str) else one for name, one in walk.items()}

    def walk_one_of(self, which: str, ways: list[Iter | str], body: Callable[[Value], None]) -> Any:
        """Loops over several things, of which one is walked through."""
        number = self.get_name(which).regs[0]
        names = dict(self.names)
        loop = Loop()
        ends = []
        for place, way in enumerate(ways):
            last = place == len(ways) - 1
            if not last:
                yes, no = self.split(self.op("b", "cmp", "eq", number, place))
                self.enter(yes)
            done, inner = self.walk(self.get_name(way) if isinstance(way, str) else Value(way), body)
            ends += [done] if done is not None else []
            loop.breaks += inner.breaks
            if not last:
                self.enter(no)
                self.names = dict(names)
        self.merge(ends)
        return (None if self.dead else self.end()), loop

    def joined_names(self, ends: list[End]) -> Names:
        """The names of all ways, in shapes that hold them; one that some way lacks may have no value."""
        joined: Names = {}
        first, *others = ends
        for name in {name: None for end in ends for name in end.names}:
            known = first.names.get(name)
            if known is not None and all(end.names.get(name) is known for end in others):
                joined[name] = known
                continue
            shape: Shape = BOTTOM
            for end in ends:
                if name in end.names:
                    shape = self.join(shape, end.names[name])
                elif name[:1] != "%":
                    self.loosen(name)
            joined[name] = shape
        return joined

    def settle(self, wanted: Names) -> None:
        """Bring every name into the shape that is wanted of it."""
        for name, shape in wanted.items():
            old = self.names.get(name)
            if old is shape:
                continue
            if old is None or old == shape:
                continue
            after = None
            if name in self.instance.loose:  # what has no value has no shape either: nobody may look at it
                bound, after = self.split(self.op("b", "get", self.bound_slot(name)))
                self.enter(bound)
            regs = tuple(self.op(slot.kind, "get", slot) for slot in self.slots_of(name, old))
            value = self.coerce(Value(old, regs), shape)
            for slot, reg in zip(self.slots_of(name, shape), value.regs, strict=True):
                self.emit("set", slot, reg)
            if after is not None:
                self.close("br", after)
                self.enter(after)
        self.names = dict(wanted)

    def assumed(self, key: Any, names: Names) -> Names:
        """The shapes of names where a loop begins, as far as rounds before this one have shown."""
        known = self.instance.assumptions.get(key)
        if known is None:
            known = self.instance.assumptions[key] = dict(names)
        else:
            self.learn(key, names, entering=True)
        return {
            name: names[name] if name in names and is_passing(names[name]) else shape
            for name, shape in known.items()
            if name in names or not (is_passing(shape) or name.startswith("%"))
        }

    def begin_counting(self, node: ast.For | ast.While) -> None:
        """Take numbers that are known where a loop begins, and others in it, for numbers from the start."""
        for name in bound_in(node):
            key = self.frames[-1].key(name)
            known = self.names.get(key)
            if key in self.instance.loose:  # it may have no value here
                continue
            if isinstance(known, Const) and type(known.value) in (int, float):
                self.set_name(key, self.coerce(Value(known), general(known)))

    def learn(self, key: Any, names: Names, *, entering: bool = False) -> None:
        """Widen what is assumed by what was found; if it had to be, all is written again.

        Not so where a loop is only being entered: nothing of it is written yet.
        """
        known = self.instance.assumptions[key]
        for name, shape in names.items():
            if known.get(name) is shape:
                continue
            if is_passing(shape) or (name not in known and name.startswith("%")):
                known.setdefault(name, shape)
                continue
            if name not in known:
                self.loosen(name)
            wider = self.join(known.get(name, BOTTOM), shape)
            if wider != known.get(name):
                known[name] = wider
                self.instance.unsettled |= not entering

    def loop(
        self,
        key: Any,
        test: Callable[[], Operand | None],
        body: Callable[[], None],
        step: Callable[[], None],
    ) -> tuple[End | None, Loop]:
        """Write a loop; where it ends of itself, and who broke out of it."""
        start = self.assumed(key, self.names)
        self.settle(start)
        head = self.ir.block()
        self.close("br", head)
        self.enter(head)
        going = test()
        done = None
        if going is not None:
            inside, outside = self.split(going)
            done = End(outside, dict(self.names))
            self.enter(inside)
        loop = Loop()
        self.frames[-1].loops.append(loop)
        body()
        self.frames[-1].loops.pop()
        if not self.dead:
            loop.continues.append(self.end())
        if loop.continues:
            self.merge(loop.continues)
            step()
            self.learn(key, self.names)
            if not self.instance.unsettled:
                self.settle(start)
            self.close("br", head)
        return done, loop
