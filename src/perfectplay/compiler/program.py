"""A program: functions, each written for the shapes of its arguments, again and again until none changes."""

from __future__ import annotations

import re
from typing import Any

from perfectplay.compiler import caching, laziness, traps
from perfectplay.compiler.cells import has_cells
from perfectplay.compiler.constants import Constants
from perfectplay.compiler.emitting import assembly
from perfectplay.compiler.ir import Function as Code
from perfectplay.compiler.reading import Function, Obstacle
from perfectplay.compiler.records import Room
from perfectplay.compiler.shapes import (
    BOTTOM,
    Cell,
    Frozen,
    Seq,
    Shape,
    Struct,
    forget_constants,
    join,
    kinds,
)

ROUNDS = 40  # of one function
WRITINGS = 6000  # of all
LOST = "uses more than can be followed"
TRUSTED = ("perfectplay.engine.", "perfectplay.tablebase.")


class Instance:
    """A function for certain shapes of its arguments, with what is known of it so far."""

    def __init__(self, name: str, function: Function, arguments: tuple[tuple[str, Shape], ...]) -> None:
        self.name = name
        self.function = function
        self.arguments = arguments  # by name: what it captured, then its parameters
        self.result: Shape = BOTTOM
        self.assumptions: dict[Any, dict[str, Shape]] = {}  # shapes of names where loops begin
        self.objects: dict[Any, Any] = {}  # the attributes of objects that are made in it, by the place
        self.cells: dict[Any, Cell] = {}  # of the lists that are made in it, by the place in the text
        self.places: dict[Any, int] = {}  # numbers of places of the text, for names
        self.names: dict[Any, str] = {}  # that we make up, by the place in the text
        self.loose: set[str] = set()  # names that may have no value at some point
        self.boxed: set[str] = set()  # those of them that functions within it find around them
        self.calls: set[Instance] = set()
        self.obstacle: Obstacle | None = None
        self.noted: list[Obstacle] = []  # all of them, where they are to be explained
        self.astray = False  # do assumptions not hold that it was written by?
        self.unsettled = True  # did something that it rests on change while it was written?
        self.busy = False  # is it being written?
        self.callers: set[Instance] = set()
        self.uses_cells = False
        self.uses_words = False
        self.catches = False
        home = str(function.space.get("__name__"))
        self.trusted = home.startswith(TRUSTED) or "__trusted__" in function.space  # it is not checked
        self.watched = ""  # a parameter that is noted when there is a trap: the state
        self.collects = False  # a generator that gives a list, since it calls itself
        self.ir = Code(name)

    @property
    def results(self) -> str:
        """The registers that it returns."""
        return kinds(self.result)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name}: {shape!r}" for name, shape in self.arguments)
        return f"{self.function.name}({shapes}) -> {self.result!r}"


class ExactOrder(Exception):  # noqa: N818 - a finding: all is written again
    """The order of a set matters that only this process's hashes tell."""


class Program:
    """All that is compiled together: the entries, and whatever they call."""

    def __init__(self, *, exact: bool = False, explaining: bool = False) -> None:
        forget_constants()
        self.exact = exact  # are hashes those of this process, so that every set is in Python's order?
        self.explaining = explaining  # are all obstacles to be found? What is written is worth nothing then
        self.layout: Any = None  # how a state lies in memory
        self.leaves: Any = None  # the numbers that a tablebase makes of it
        self.seen_state: Shape = BOTTOM  # what play has shown of states,
        self.seen_action: Shape = BOTTOM  # and of actions
        self.stored: Shape = BOTTOM  # all that is kept as a state
        self.wide_lines: set[int] = set()  # where numbers were seen to need more than 64 bits
        self.full = False  # must an entry of a table hold the whole state?
        self.known: dict[str, Any] = {}  # what fields of records hold that are constants
        self.endgames: Any = None  # the record that solved states are looked up in, if there are any
        self.instances: dict[Any, Instance] = {}
        self.entries: list[Instance] = []
        self.words: dict[str, int] = {}
        self.exceptions: dict[type[BaseException], int] = {}  # of the rules' own, by their codes
        self.constants = Constants(self)
        self.dirty: dict[Instance, None] = {}  # functions to be written again
        self.writing: list[Instance] = []  # functions that are being written, each called by the one before
        self.writings = 0
        self.obstacles: list[Obstacle] = []
        self.lasting = not exact  # does it hold for other processes? The order of a set of strings does not
        self.any_order: set[Any] = set()  # syntax whose value is used without regard to its order
        self.teed: list[tuple[Cell, Function, Any]] = []  # lists that several iterators go through, and where
        self.growing_dicts: dict[int, Any] = {}  # constants that were asked for keys that they make up,
        self.whole_dicts: dict[int, Any] = {}  # and those of which somebody would see it
        self.has_ordered_dicts = False  # made by rules: as dicts, but for the text that says what they are
        self.shown_fields: dict[type, tuple[Shape, ...]] = {}  # of classes of states and actions
        self.thaws: dict[
            Any, Any
        ] = {}  # states copied for rules: their shapes, and whether they are looked at after it
        self.generators: dict[Any, dict[Any, frozenset[str]]] = {}  # where they are called, and with what new
        self.fixed_cells: dict[Shape, Cell] = {}
        self.hashed_keys: dict[Any, Any] = {}  # keys of constants, as those of a dict
        self.suppressing: dict[Any, Any] = {}  # statements that others stand for, by these
        self.nested: dict[Any, Function] = {}  # functions within functions, by their syntax

    def note_teed(self, cell: Cell, function: Function, node: Any) -> None:
        """Note that several iterators go through a list: nobody may change it from then on."""
        self.teed.append((cell, function, node))

    def note_whole(self, known: Any) -> None:
        """Note that somebody sees all of a dict: who asks it for keys that it makes up is written again."""
        if id(known) not in self.whole_dicts:
            self.whole_dicts[id(known)] = known
            if id(known) in self.growing_dicts:
                self.dirty |= dict.fromkeys(self.instances.values())

    def note_ordered_dicts(self) -> None:
        """Note that rules make ordered dicts: who makes texts of dicts is written again."""
        if not self.has_ordered_dicts:
            self.has_ordered_dicts = True
            self.dirty |= dict.fromkeys(self.instances.values())

    def show(self, shape: Shape) -> None:
        """Note what play has shown in the fields of states or actions."""
        if isinstance(shape, Struct) and shape.cls is not tuple:
            known = self.shown_fields.get(shape.cls, shape.fields)
            self.shown_fields[shape.cls] = tuple(map(join, known, shape.fields))
        for part in getattr(shape, "fields", ()) or getattr(shape, "members", ()):
            self.show(part)
        if isinstance(shape, Seq | Frozen):
            self.show(shape.elem)

    @property
    def room(self) -> Room:
        """What the sizes of records depend on."""
        words = self.layout.words if self.layout is not None else 0
        return Room(words, words if self.full else 0)

    def prelude_for(self, python: Any) -> Function | None:
        """Our own form of a function of Python's library, if there is one."""
        from perfectplay.compiler import prelude

        return prelude.stands_for(python)

    def prelude_named(self, name: str, *, missing_ok: bool = False) -> Any:
        """A function of the prelude."""
        from perfectplay.compiler import prelude

        return prelude.named(name, missing_ok=missing_ok)

    def instance(
        self, function: Function, arguments: tuple[tuple[str, Shape], ...], *, collects: bool = False
    ) -> Instance:
        """The function for these shapes, to be written in this round if it was not yet."""
        key = function, tuple(arguments), collects  # not its syntax: each closure is a function of its own
        if key not in self.instances:
            name = re.sub(r"\W", "_", function.name)
            made = Instance(f"{name}_{len(self.instances)}", function, arguments)
            made.collects = collects or function.is_generator
            made.uses_cells = any(map(has_cells, (shape for _, shape in arguments)))
            self.instances[key] = made
        return self.instances[key]

    def called(self, instance: Instance, caller: Instance) -> Instance:
        """A function that another one calls: it is written first, unless that is being done."""
        if instance.unsettled and not instance.busy and instance not in self.dirty:
            self.write(instance)
        instance.callers.add(caller)
        caller.calls.add(instance)
        caller.uses_cells |= has_cells(instance.result)
        return instance

    def busy(self, function: Function, collects: bool) -> list[Instance]:
        """Instances of a function that are being written, the outermost first."""
        return [one for one in self.writing if one.function is function and one.collects is collects]

    def write(self, instance: Instance) -> None:
        """Write a function until nothing that it finds out about itself changes any more."""
        instance.busy = True
        self.writing.append(instance)
        try:
            self._write(instance)
        except Exception as error:
            self.dirty.pop(instance, None)
            instance.obstacle = Obstacle(LOST, "", instance.function.node)
            instance.obstacle.function = instance.function
            outside = isinstance(error, RecursionError) and not instance.function.is_of_rules
            if not self.explaining or (outside and len(self.writing) > 1):
                raise
        finally:
            instance.busy = False
            self.writing.pop()

    def _write(self, instance: Instance) -> None:
        from perfectplay.compiler.lowering.function import lower

        for _ in range(ROUNDS):
            self.writings += 1
            self.dirty.pop(instance, None)  # what changes from here on has it written again
            if instance.astray:
                instance.assumptions.clear()
            instance.unsettled = instance.astray = False
            instance.obstacle = None
            instance.noted = []
            instance.calls = set()
            try:
                lower(self, instance)
                if instance.noted:
                    raise instance.noted[0]
            except Obstacle as obstacle:
                instance.obstacle = obstacle
                instance.ir = Code(instance.name)
                instance.ir.results = kinds(instance.result)
                if not instance.unsettled:
                    break
            if not instance.unsettled:
                break
        else:
            self.dirty.pop(instance, None)
            growing = "keeps values whose shape grows without end"
            instance.obstacle = Obstacle(growing, "use values of one kind", instance.function.node)
            instance.obstacle.function = instance.function

    def result_changed(self, instance: Instance) -> None:
        """Have all who call a function written again: it returns more than they know."""
        for caller in instance.callers:
            self.dirty[caller] = None

    def cells_changed(self, instance: Instance) -> None:
        """Have all who use lists, sets and dicts written again: one of them has other elements now."""
        instance.unsettled = True
        for other in self.instances.values():
            if other.uses_cells and other is not instance:
                self.dirty[other] = None

    def entry(self, function: Function, arguments: tuple[tuple[str, Shape], ...]) -> Instance:
        """A function that is called from outside."""
        made = self.instance(function, arguments)
        if made not in self.entries:
            self.entries.append(made)
        return made

    def settle(self) -> None:
        """Write all functions until no shape changes any more."""
        from perfectplay.compiler.lowering.thawing import unchecked

        for entry in self.entries:
            self.dirty[entry] = None
        while self.dirty:
            if self.writings > WRITINGS:
                raise Obstacle("the shapes of values keep growing", "use values of one kind")
            self.write(next(iter(self.dirty)))
            if not self.dirty:
                self.dirty |= dict.fromkeys(unchecked(self))
        self.live = self.reachable()
        self.obstacles = [one.obstacle for one in self.live if one.obstacle is not None]
        self.obstacles += [*caching.obstacles(self.live), *laziness.obstacles(self)]
        for obstacle in self.obstacles:
            obstacle.others = [other for other in self.obstacles if other is not obstacle]

    def reachable(self) -> list[Instance]:
        """The functions that are called from the entries."""
        found = dict.fromkeys(self.entries)
        waiting = list(self.entries)
        while waiting:
            for called in waiting.pop().calls:
                if called not in found:
                    found[called] = None
                    waiting.append(called)
        return list(found)

    def exception(self, kind: type[BaseException]) -> int:
        """The code of an exception, also of one that the rules define."""
        if kind in traps.EXCEPTIONS:
            return traps.code_of(kind)
        if kind not in self.exceptions:
            code = 1 + len(traps.EXCEPTIONS) + len(self.exceptions)
            if code >= traps.FIRST_LIMIT or not issubclass(kind, Exception):
                return traps.OTHER
            self.exceptions[kind] = code
            for instance in self.instances.values():
                if instance.catches:
                    self.dirty[instance] = None
        return self.exceptions[kind]

    def caught_by(self, handler: type[BaseException]) -> list[int]:
        """The codes of the exceptions that a handler catches."""
        own = [code for kind, code in self.exceptions.items() if issubclass(kind, handler)]
        return [*traps.caught_by(handler), *own]

    def fixed_cell(self, elem: Shape) -> Cell:
        """The cell that stands for all sets or dicts of such elements, in functions that take any of them."""
        if elem not in self.fixed_cells:
            made = self.fixed_cells[elem] = Cell()
            made.elem = elem
            made.fixed = True
        return self.fixed_cells[elem]

    def word(self, text: str) -> int:
        """The number of a word."""
        if text not in self.words:
            self.words[text] = len(self.words)
            for instance in self.instances.values():
                if instance.uses_words:
                    self.dirty[instance] = None
        return self.words[text]

    def word_count(self) -> int:
        """How many words there are."""
        return len(self.words)

    def word_table(self) -> str:
        """The strings that words stand for, in memory."""
        self.constants.words_used = True
        return "words"

    def assembly(self) -> str:
        """The whole program in LLVM's assembly."""
        if self.constants.words_used:
            self.constants.add_words()
        guard_stacks(self.live)
        return assembly(
            [one.ir for one in self.live], self.constants.data, [one.ir.name for one in self.entries]
        )


def guard_stacks(instances: list[Instance]) -> None:
    """Have functions that may call themselves look whether there is stack left."""
    for instance in instances:
        seen: set[Instance] = set()
        waiting = list(instance.calls)
        while waiting:
            called = waiting.pop()
            if called not in seen:
                seen.add(called)
                waiting.extend(called.calls)
        if instance in seen and instance.ir.blocks:
            instance.ir.counted = not instance.trusted
            if instance.function.cached and not instance.trusted:
                caching.keep_answers(instance)
                _guard(instance.ir, "calls", traps.status(traps.UNKEPT, instance.function.node.lineno))
            _guard(instance.ir, "stack", traps.STACK)


def _guard(code: Code, what: str, status: int) -> None:
    """Have a function look, as the first thing it does, whether it is to leave."""
    trap = code.block()
    trap.code.append(("trap", status))
    trap.closed = True
    code.blocks[0].code.insert(0, (what, trap))
