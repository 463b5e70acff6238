"""Random programs over the language that rules are written in, asked in machine code and in Python.

python tests/compiler/fuzzing.py --programs 5000 --seed 1
python tests/compiler/fuzzing.py --show 17 --seed 1
"""

from __future__ import annotations

import argparse
import collections
import random
import resource
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from comparing import Machine, module_of, same  # noqa: E402

from perfectplay.compiler import traps  # noqa: E402
from perfectplay.compiler.reading import Obstacle  # noqa: E402
from perfectplay.compiler.traps import Misfit, Trap  # noqa: E402

INT, BOOL, STR, LIST, TUPLE, ROWS, PAIR, SET, DICT = (
    "int",
    "bool",
    "str",
    "list",
    "tuple",
    "rows",
    "pair",
    "set",
    "dict",
)
KINDS = [INT, INT, INT, BOOL, STR, LIST, LIST, TUPLE, ROWS, PAIR, SET, DICT]
ARGUMENTS = ((3, -2), (0, 5), (-7, 1), (4, 4))
HEAD = """
from typing import NamedTuple
from dataclasses import dataclass

class Pair(NamedTuple):
    a: int
    b: int = 1
    @property
    def total(self):
        return self.a + self.b

class Holder:
    def __init__(self, items, count=0):
        self.items = items
        self.count = count
    def put(self, x):
        self.items.append(x)
        self.count += 1
        return self
    def copy(self):
        return Holder(self.items[:], self.count)
    @property
    def total(self):
        return sum(self.items) + self.count
    def __len__(self):
        return len(self.items)
    def __eq__(self, other):
        return isinstance(other, Holder) and self.items == other.items
    def __contains__(self, x):
        return x in self.items
    def __iadd__(self, x):
        self.items.append(x)
        return self

class Heap(Holder):
    bonus = 10
    def __lt__(self, other):
        return self.total < other.total
    @property
    def total(self):
        return super().total + self.bonus
    def put(self, x):
        self.bonus += 1
        return super().put(-x)

class Oops(Exception):
    pass

class Worse(Oops):
    pass

WORDS = ("ab", "c", "", "abc", "ba")
TABLE = {0: "zero", 1: "one", 2: "two"}
"""


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 1
        self.names: dict[str, list[str]] = {}
        self.helpers: list[tuple[str, list[str], str]] = []
        self.loops = 0
        self.counter = 0
        self.budget = 0

    def program(self) -> str:
        text = HEAD
        for number in range(self.chance.randrange(3)):
            text += self.helper(number)
        self.names = {INT: ["n", "m"]}
        self.lines, self.depth, self.budget = [], 1, self.chance.randrange(6, 16)
        while self.budget > 0:
            self.statement()
        shown = [name for names in self.names.values() for name in names]
        self.chance.shuffle(shown)
        self.say(f"return ({', '.join(shown[:6])},)")
        return text + "\ndef worth(n, m):\n" + "\n".join(self.lines) + "\n"

    def helper(self, number: int) -> str:
        kinds = [self.chance.choice(KINDS) for _ in range(self.chance.randrange(1, 3))]
        result = self.chance.choice(KINDS)
        self.names = {}
        for place, kind in enumerate(kinds):
            self.names.setdefault(kind, []).append(f"p{place}")
        self.names.setdefault(INT, [])
        self.lines, self.depth, self.budget = [], 1, self.chance.randrange(1, 5)
        if self.chance.random() < 0.3 and INT in kinds:  # it calls itself
            name = f"p{kinds.index(INT)}"
            self.say(f"if {name} > 0:")
            given = [
                f"{name} - 1" if place == kinds.index(INT) else f"p{place}" for place in range(len(kinds))
            ]
            self.say(f"    {name} = min({name}, 3)")
            self.say(f"    h{number}({', '.join(given)})")
        while self.budget > 0:
            self.statement()
        self.say(f"return {self.of(result)}")
        parameters = ", ".join(f"p{place}" for place in range(len(kinds)))
        text = f"\ndef h{number}({parameters}):\n" + "\n".join(self.lines) + "\n"
        self.helpers.append((f"h{number}", kinds, result))
        return text

    # Statements.

    def say(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def fresh(self, kind: str) -> str:
        self.counter += 1
        return f"{kind[0]}{self.counter}"

    def name(self, kind: str) -> str:
        known = self.names.get(kind)
        return self.chance.choice(known) if known else ""

    def know(self, kind: str, name: str) -> None:
        known = self.names.setdefault(kind, [])
        if name not in known:
            known.append(name)

    def statement(self) -> None:
        self.budget -= 1
        choice = self.chance.choice(self.choices())
        choice()

    def choices(self) -> list[Any]:
        simple = [
            self.assign,
            self.assign,
            self.assign,
            self.change,
            self.change,
            self.augment,
            self.alias,
            self.unpack,
        ]
        simple += [self.share, self.objects, self.text, self.order]
        deep = [self.branch, self.loop, self.loop, self.attempt, self.nested, self.comprehend, self.matching]
        deep += [self.generate, self.late, self.finish, self.drain, self.recur, self.nest]
        return simple + (deep if self.depth < 4 else [])

    def share(self) -> None:
        """A list in several places at once, and changed in one of them."""
        row, name = self.name(LIST), self.fresh(ROWS)
        if not row:
            self.assign()
            return
        way = self.chance.randrange(5)
        if way == 0:
            self.say(f"{name} = [{row}, {self.of(LIST, 1)}, {row}]")
            self.say(f"{name}[{self.chance.randrange(3)}].append({self.of(INT, 1)})")
            self.know(ROWS, name)
        elif way == 1:
            self.say(f"{name} = ({row}, {self.of(INT, 1)})")
            self.say(f"{name}[0].append({self.of(INT, 1)})")
        elif way == 2:
            self.say(f"{name} = {{1: {row}, 2: {self.of(LIST, 1)}}}")
            self.say(f"{name}[{self.of(INT, 1)} % 2 + 1] += [{self.of(INT, 1)}]")
            self.say(f"{name}[2] = {name}[1]")
        elif way == 3:
            self.say(f"{name} = max({row}, {self.of(LIST, 1)})")
            self.say(f"{name}.append({self.of(INT, 1)})")
            self.know(LIST, name)
        else:
            self.say(f"{name} = {row} if {self.of(BOOL, 1)} else {self.of(LIST, 1)}")
            self.say(f"{name} *= {self.chance.randrange(3)}")
            self.know(LIST, name)

    def objects(self) -> None:
        """An object that is made, shared and changed."""
        name, other, number = self.fresh("object"), self.fresh("object"), self.fresh(INT)
        kind = self.chance.choice(["Holder", "Holder", "Heap", f"(Heap if {self.of(BOOL, 1)} else Holder)"])
        self.say(f"{name} = {kind}({self.of(LIST, 1)}, {self.of(INT, 1)})")
        self.say(f"{other} = {self.chance.choice([name, f'Holder({name}.items, 1)', f'{name}.copy()'])}")
        changes = [
            f"{other}.items.append({self.of(INT, 1)})",
            f"{other}.count += {self.of(INT, 1)}",
            f"{other}.put({self.of(INT, 1)})",
            f"{other} += {self.of(INT, 1)}",
            f"{name}.items = {self.of(LIST, 1)}",
        ]
        self.say(self.chance.choice(changes))
        tests = [f"{name} is {other}", f"{name} == {other}", f"len({other}) > 1", f"{other}", f"2 in {name}"]
        self.say(f"{number} = {name}.total + ({other}.count if {self.chance.choice(tests)} else 1)")
        self.know(INT, number)

    def text(self) -> None:
        """A string that is built bit by bit."""
        name = self.fresh(STR)
        self.say(f"{name} = ''")
        parts = [
            "str(q)",
            "chr(97 + q % 5)",
            "'ab'[q % 2]",
            f"{self.of(STR, 1)}[:2]",
            "f'{q:>3}'",
            "'%d' % q",
        ]
        part = self.chance.choice(parts)
        self.say(
            f"for q in {self.of(LIST, 1)}[:4]: {name} = {self.chance.choice([f'{name} + {part}', f'{part} + {name}'])}"
        )
        self.know(STR, name)

    def order(self) -> None:
        """What is evaluated first."""
        name, row = self.fresh(INT), self.fresh(LIST)
        self.say(f"{row} = []")
        self.say(f"def {name}_(x): {row}.append(x); return x")
        one, two, three = (f"{name}_({self.of(INT, 1)})" for _ in range(3))
        ways = [
            f"{one} - {two} * {three}",
            f"int({one} < {two} <= {three})",
            f"{one} and {two} or {three}",
            f"{one} if {two} else {three}",
            f"(lambda a, b=0: a - b)(b={one}, a={two})",
            f"{{{one}: {two}}}.get({three}, 0)",
            f"[{one}, {two}][{three} % 2]",
            f"max({one}, {two}, {three})",
        ]
        self.say(f"{name} = {self.chance.choice(ways)}")
        self.know(INT, name)
        self.know(LIST, row)

    def generate(self) -> None:
        """A generator, and who walks through it, changing what it sees."""
        name, result = self.fresh("generator"), self.fresh(LIST)
        row = self.name(LIST) or f"{name}_row"
        if row.endswith("_row"):
            self.say(f"{row} = {self.of(LIST, 1)}[:4]")
        self.say(f"def {name}(x):")
        bodies = [
            [f"for q in {row}:", f"    if {self.test_of('q')}: yield q + x", "yield x"],
            ["while x > 0:", "    yield x", f"    x -= {self.chance.randrange(1, 3)}"],
            [f"yield from {row}[:3]", f"if {self.test_of('x')}: return", "yield -1"],
            ["try:", "    yield 12 // x", "except ZeroDivisionError:", "    yield 0"],
            [f"{row}.append(x)", "yield x", f"yield len({row})"],
        ]
        for line in self.chance.choice(bodies):
            self.say(f"    {line}")
        self.say(f"{result} = []")
        given = f"{self.of(INT, 1)} % 5"
        which = self.chance.randrange(6)
        if which == 0:
            self.say(f"for k in {name}({given}):")
            self.say(f"    {result}.append(k)")
            self.say(f"    if len({result}) > {self.chance.randrange(5)}: break")
        elif which == 1:
            self.say(f"for k in {name}({given}):")
            self.say(f"    if len({row}) < 9: {row}.append(k)")
            self.say(f"    {result} += [k]")
        elif which == 2:
            self.say(f"{result}.append(next({name}({given}), -9))")
        elif which == 3:
            self.say(f"{result} = [k * j for k, j in zip({name}({given}), range(3))]")
        elif which == 4:
            self.say(f"{result} = sorted({name}({given}), reverse=True)")
        else:
            self.say(f"{result} = [any({self.test_of('k')} for k in {name}({given})), *{name}(1)]")
        self.know(LIST, result)
        if row.endswith("_row"):
            self.know(LIST, row)

    def late(self) -> None:
        """Functions that are made in a loop, and called after it."""
        name, result = self.fresh("functions"), self.fresh(LIST)
        bound = self.chance.choice(["", "i=i"])
        row = f"[{self.of(INT, 1)}, {self.of(INT, 1)}, 3]"
        self.say(f"{name} = []")
        self.say(f"for i in {row}:")
        self.say(f"    {name}.append(lambda{' ' + bound}: {self.lambda_of('i')})")
        self.say(f"{result} = [f() for f in {name}]")
        self.know(LIST, result)

    def finish(self) -> None:
        """What is done whatever happens."""
        name, result = self.fresh("function"), self.fresh(LIST)
        self.say(f"{result} = []")
        self.say(f"def {name}(x):")
        self.say("    for i in range(3):")
        self.say("        try:")
        inside = [
            "return i",
            "break",
            "continue",
            "raise Oops",
            "[][x]",
            f"x //= {self.of(INT, 1)}",
            "x += 1",
        ]
        self.say(f"            if {self.test_of('i')}: {self.chance.choice(inside)}")
        self.say(f"            {result}.append(i)")
        if self.chance.random() < 0.5:
            kind = self.chance.choice(["Oops", "LookupError", "Worse", "Exception", "ArithmeticError"])
            self.say(f"        except {kind}:")
            self.say(
                f"            {self.chance.choice(['x = -1', 'return 7', 'raise', 'continue', 'raise Worse'])}"
            )
        if self.chance.random() < 0.7:
            self.say("        finally:")
            self.say(f"            {result}.append(-i)")
            self.say(f"            {self.chance.choice(['x += 2', 'x += 2', 'return x', 'break'])}")
        else:
            self.say("        finally: x += 1")
        self.say("    return x")
        self.say(f"try: {result}.append({name}({self.of(INT, 1)}))")
        self.say(f"except {self.chance.choice(['Oops', 'Exception', 'IndexError'])}: {result}.append(99)")
        self.know(LIST, result)

    def drain(self) -> None:
        """A loop over what it changes."""
        row, result = self.fresh(LIST), self.fresh(LIST)
        self.say(f"{row}, {result} = {self.of(LIST, 1)}[:5], []")
        if self.chance.random() < 0.5:
            self.say(f"while {row} and len({result}) < 9:")
            self.say(f"    k = {row}.pop({self.chance.choice(['', '0', '-1', 'len(' + row + ') // 2'])})")
        else:
            self.say(f"for k in {row}:")
            self.say(f"    if len({result}) > 9: break")
        changes = [
            f"{row}.append(k - 1)",
            f"{row}.insert(0, k)",
            f"del {row}[:1]",
            f"{row}.remove(k)",
            f"{row}.reverse()",
            f"{row}[-1:] = [k, k]",
        ]
        self.say(f"    if {self.test_of('k')}: {self.chance.choice(changes)}")
        self.say(f"    {result}.append(k)")
        self.know(LIST, row)
        self.know(LIST, result)

    def recur(self) -> None:
        """A function within that calls itself, with a list that it changes and takes back."""
        name, result = self.fresh("function"), self.fresh(ROWS)
        kept = self.chance.choice(["path[:]", "list(path)", "path + [k]", "path"])
        self.say(f"{result} = []")
        self.say(f"def {name}(k, path):")
        self.say(f"    if k <= 0 or {self.test_of('k')}:")
        self.say(f"        {result}.append({kept})")
        self.say("        return len(path)")
        self.say("    path.append(k)")
        self.say(f"    t = {name}(k - 1, path) + {name}(k - 2, path)")
        self.say(f"    {self.chance.choice(['path.pop()', 'path[-1] += 1', 'pass'])}")
        self.say("    return t")
        self.say(f"{result}.append([{name}({self.of(INT, 1)} % 5, [])])")
        self.know(ROWS, result)

    def nest(self) -> None:
        """Lists of pairs in a dict, reached by two names."""
        name, result = self.fresh("nest"), self.fresh(LIST)
        fill = [
            f"{name}.setdefault(q % 3, []).append((q, 'abc'[q % 3]))",
            f"{name}[q % 3] = {name}.get(q % 3, []) + [(q, str(q))]",
            f"{name}.setdefault(q % 2, []).extend([(q, ''), (1, 'x')])",
        ]
        copied = [name, f"dict({name})", f"{{k: v[:] for k, v in {name}.items()}}"]
        changes = ["v.append((0, 'z'))", "v.sort()", "v.reverse()", "v += v[:1]", "v[:] = v[1:]"]
        results = [
            f"[a * (k + 1) + len(w) for k, v in sorted({name}.items()) for a, w in v]",
            f"[len(v) for v in {name}.values()] + [max(v)[0] for v in {name}_.values() if v]",
            f"[sum(a for a, _ in v) for v in {name}.values()]",
            f"[a for v in {name}.values() for a, w in sorted(v, key=lambda r: (r[1], -r[0]))]",
        ]
        self.say(f"{name} = {{}}")
        self.say(f"for q in {self.of(LIST, 1)}[:5]:")
        self.say(f"    {self.chance.choice(fill)}")
        self.say(f"{name}_ = {self.chance.choice(copied)}")
        self.say(f"for v in {name}_.values(): {self.chance.choice(changes)}")
        self.say(f"{result} = {self.chance.choice(results)}")
        self.know(LIST, result)

    def assign(self) -> None:
        kind = self.chance.choice(KINDS)
        name = self.name(kind) if self.chance.random() < 0.3 else ""
        name = name or self.fresh(kind)
        self.say(f"{name} = {self.of(kind)}")
        self.know(kind, name)

    def alias(self) -> None:
        kind = self.chance.choice([LIST, ROWS, SET, DICT])
        if old := self.name(kind):
            name = self.fresh(kind)
            self.say(f"{name} = {old}")
            self.know(kind, name)
        else:
            self.assign()

    def augment(self) -> None:
        kind = self.chance.choice([INT, INT, STR, LIST, TUPLE])
        if name := self.name(kind):
            op = {INT: self.chance.choice(["+=", "-=", "*=", "//=", "%=", "&=", "|=", "^="]), STR: "+="}.get(
                kind, "+="
            )
            if kind == STR:
                self.say(f"{name} += {self.of(STR, 1)}[:3]")
            elif kind in (LIST, TUPLE):
                self.say(f"{name} += {self.of(kind, 1)}[:2]")
            else:
                self.say(f"{name} {op} {self.of(INT, 2)}")
        else:
            self.assign()

    def change(self) -> None:
        kind = self.chance.choice([LIST, LIST, ROWS, SET, DICT])
        name = self.name(kind)
        if not name:
            self.assign()
            return
        number, row = self.of(INT, 2), self.of(LIST, 1)
        ways = {
            LIST: [
                f"{name}.append({number})",
                f"{name}.insert({number}, {self.of(INT, 1)})",
                f"{name}[{number}] = {self.of(INT, 1)}",
                f"{name}[{self.of(INT, 1)} % max(len({name}), 1)] -= {number}",
                f"{name}.extend({row}[:3])",
                f"{name}.pop()",
                f"{name}.pop({number})",
                f"{name}.sort()",
                f"{name}.sort(key=lambda x: ({self.lambda_of('x')}, x), reverse={self.of(BOOL, 1)})",
                f"{name}.reverse()",
                f"del {name}[{self.slice()}]",
                f"{name}[{self.slice()}] = {row}[:2]",
                f"{name}.remove({number})",
                f"{name}[0], {name}[-1] = {name}[-1], {name}[0]",
            ],
            ROWS: [
                f"{name}.append({row})",
                f"{name}[0].append({number})",
                f"{name}[{self.of(INT, 1)} % max(len({name}), 1)] = {row}",
                f"{name}[-1] += {row}[:1]",
                f"{name}.reverse()",
            ],
            SET: [
                f"{name}.add({number})",
                f"{name}.discard({number})",
                f"{name} |= {{{number}}}",
                f"{name}.remove({number})",
            ],
            DICT: [
                f"{name}[{self.of(INT, 1)} % 5] = {number}",
                f"{name}[1] += {number}",
                f"{name}.setdefault({self.of(INT, 1)} % 3, {number})",
                f"{name}.pop({number}, None)",
                f"del {name}[{number} % 4]",
                f"{name}.update({{1: {number}}})",
            ],
        }[kind]
        self.say(self.chance.choice(ways))

    def unpack(self) -> None:
        first, second = self.fresh(INT), self.fresh(INT)
        rest = self.fresh(LIST)
        which = self.chance.randrange(4)
        if which == 0:
            self.say(f"{first}, {second} = {self.of(PAIR)}")
        elif which == 1:
            self.say(f"{first}, *{rest} = {self.of(self.chance.choice([LIST, TUPLE]))}")
            self.say(f"{second} = len({rest})")
            self.know(LIST, rest)
        elif which == 2:
            self.say(f"{first}, {second} = {self.of(INT, 1)}, {self.of(INT, 1)}")
        else:
            self.say(f"{first} = {second} = {self.of(INT, 2)}")
        self.know(INT, first)
        self.know(INT, second)

    def block(self, most: int = 3) -> None:
        self.depth += 1
        before = {kind: list(names) for kind, names in self.names.items()}
        for _ in range(self.chance.randrange(1, most + 1)):
            self.statement()
        if self.chance.random() < 0.9:  # what was bound in there is mostly left alone afterwards
            self.names = before
        self.depth -= 1

    def branch(self) -> None:
        self.say(f"if {self.of(BOOL)}:")
        self.block()
        if self.chance.random() < 0.3:
            self.say(f"elif {self.of(BOOL)}:")
            self.block()
        if self.chance.random() < 0.5:
            self.say("else:")
            self.block()

    def loop(self) -> None:
        name = self.fresh(INT)
        self.loops += 1
        if self.chance.random() < 0.75:
            kind = self.chance.randrange(4)
            over = [
                f"range({self.of(INT, 1)} % 5)",
                f"range({self.of(INT, 1)} % 6, -3, -2)",
                f"{self.of(LIST, 1)}[:6]",
                self.name(LIST) or f"{self.of(TUPLE, 1)}[:5]",
            ][kind]
            if self.chance.random() < 0.2:
                place = self.fresh(INT)
                self.say(f"for {place}, {name} in enumerate({over}):")
                self.know(INT, place)
            else:
                self.say(f"for {name} in {over}:")
            self.know(INT, name)
            if kind == 3:
                self.say(f"    if {name} > 60 or len({over}) > 20: break")
        else:
            self.say(f"{name} = 0")
            self.say(f"while {name} < {self.chance.randrange(1, 5)} and {self.of(BOOL, 1)}:")
            self.say(f"    {name} += 1")
            self.know(INT, name)
        if self.chance.random() < 0.3:
            self.say(f"    if {self.of(BOOL, 1)}: {self.chance.choice(['break', 'continue'])}")
        self.block(2)
        if self.chance.random() < 0.25:
            self.say("else:")
            self.block(1)

    def attempt(self) -> None:
        self.say("try:")
        self.block()
        kinds = [
            "IndexError",
            "ValueError",
            "KeyError",
            "ZeroDivisionError",
            "LookupError",
            "(IndexError, ValueError)",
            "Exception",
        ]
        self.say(f"except {self.chance.choice(kinds)}:")
        self.block(1)
        if self.chance.random() < 0.3:
            self.say("finally:")
            self.block(1)

    def nested(self) -> None:
        name = self.fresh("function")
        shared = self.name(INT)
        before = {kind: list(names) for kind, names in self.names.items()}
        self.say(f"def {name}(x):")
        self.names.setdefault(INT, []).append("x")
        if shared and shared != "x" and self.depth == 1 and self.chance.random() < 0.6:
            self.say(f"    nonlocal {shared}")
            self.say(f"    {shared} += {self.of(INT, 1)}")
        self.say(f"    return {self.of(INT, 2)}")
        self.names = before
        result = self.fresh(INT)
        if self.chance.random() < 0.4:
            self.say(f"{result} = sum({name}(k) for k in {self.of(LIST, 1)}[:4])")
        else:
            self.say(f"{result} = {name}({self.of(INT, 1)}) - {name}({self.of(INT, 1)})")
        self.know(INT, result)

    def comprehend(self) -> None:
        kind = self.chance.choice([LIST, LIST, TUPLE, ROWS, SET, DICT, INT])
        name = self.fresh(kind)
        over = self.chance.choice(
            [f"range({self.of(INT, 1)} % 5)", f"{self.of(LIST, 1)}[:5]", f"{self.of(TUPLE, 1)}[:5]"]
        )
        inner = (
            f"for i in {over} if {self.test_of('i')}" if self.chance.random() < 0.5 else f"for i in {over}"
        )
        made = {
            LIST: f"[{self.lambda_of('i')} {inner}]",
            TUPLE: f"tuple({self.lambda_of('i')} {inner})",
            ROWS: f"[[{self.lambda_of('i')}, j] {inner} for j in range(2)]",
            SET: f"{{{self.lambda_of('i')} {inner}}}",
            DICT: f"{{i: {self.lambda_of('i')} {inner}}}",
            INT: f"{self.chance.choice(['sum', 'len'])}([{self.lambda_of('i')} {inner}])",
        }[kind]
        self.say(f"{name} = {made}")
        self.know(kind, name)

    def matching(self) -> None:
        name = self.fresh(INT)
        self.say(f"match {self.chance.choice([self.of(PAIR, 1), self.of(TUPLE, 1), self.of(INT, 1)])}:")
        self.say(f"    case (0, x): {name} = x")
        self.say(f"    case (x, *_) if {self.test_of('x')}: {name} = -x")
        self.say(f"    case 1 | 2: {name} = 12")
        self.say(f"    case _: {name} = {self.of(INT, 1)}")
        self.know(INT, name)

    # Expressions.

    def of(self, kind: str, depth: int = 3) -> str:
        """An expression of a kind."""
        if self.chance.random() < 0.35 and (name := self.name(kind)):
            return name
        if depth > 1 and self.chance.random() < 0.15:
            for name, kinds, result in self.helpers:
                if result == kind:
                    return f"{name}({', '.join(self.of(one, 1) for one in kinds)})"
        if depth > 1 and self.chance.random() < 0.08:
            return (
                f"({self.of(kind, depth - 1)} if {self.of(BOOL, depth - 1)} else {self.of(kind, depth - 1)})"
            )
        return getattr(self, f"{kind}_of")(depth)  # type: ignore[no-any-return]

    def lambda_of(self, name: str) -> str:
        other = self.of(INT, 1)
        return self.chance.choice(
            [name, f"-{name}", f"{name} % 3", f"{name} * {name}", f"{name} + {other}", f"abs({name}) // 2"]
        )

    def test_of(self, name: str) -> str:
        other = self.of(INT, 1)
        return self.chance.choice(
            [
                f"{name} > {other}",
                f"{name} % 2",
                f"{name} != {other}",
                f"not {name}",
                f"{name} in (1, 2, {other})",
            ]
        )

    def slice(self) -> str:
        ends = [self.chance.choice(["", self.of(INT, 1)]) for _ in range(2)]
        return ":".join(ends)

    def stepped(self) -> str:
        return self.slice() + self.chance.choice(["", "", ":-1", ":2", ":-2", f":{self.of(INT, 1)}"])

    def int_of(self, depth: int) -> str:
        pick = self.chance.choice
        small = pick([str(self.chance.randrange(-3, 8)), self.name(INT) or "2"])
        if depth <= 0 or self.chance.random() < 0.2:
            return small
        below = depth - 1
        one, other = self.of(INT, below), self.of(INT, below)
        ways = [
            lambda: f"({one} {pick('+-*')} {other})",
            lambda: f"({one} {pick(['//', '%', '&', '|', '^'])} {other})",
            lambda: f"({one} >> ({other} % 5))",
            lambda: f"({one} << ({other} % 4))",
            lambda: f"{pick(['min', 'max'])}({one}, {other})",
            lambda: f"abs({one})",
            lambda: f"-{one}",
            lambda: f"len({self.of(pick([LIST, TUPLE, STR, ROWS, SET, DICT]), below)})",
            lambda: f"sum({self.of(pick([LIST, TUPLE]), below)})",
            lambda: f"{self.of(pick([LIST, TUPLE, LIST]), below)}[{one}]",
            lambda: f"{self.of(pick([LIST, TUPLE]), below)}.count({one})",
            lambda: f"{self.of(LIST, below)}.index({one})",
            lambda: f"{self.of(ROWS, below)}[{one}][{other}]",
            lambda: f"{self.of(PAIR, below)}.{pick(['a', 'b', 'total'])}",
            lambda: f"{self.of(PAIR, below)}[{pick(['0', '1', '-1', one])}]",
            lambda: f"({self.of(BOOL, below)} + {one})",
            lambda: f"int({self.of(BOOL, below)})",
            lambda: f"divmod({one}, {other})[{pick('01')}]",
            lambda: f"({one} and {other})",
            lambda: f"({one} or {other})",
            lambda: f"max({self.of(LIST, below)}, default={one})",
            lambda: f"min({self.of(TUPLE, below)})",
            lambda: f"sum({self.lambda_of('q')} for q in {self.of(LIST, below)} if {self.test_of('q')})",
            lambda: f"(lambda x, y={other}: x - y)({one})",
            lambda: f"next((q for q in {self.of(LIST, below)} if {self.test_of('q')}), {one})",
            lambda: f"{self.of(STR, below)}.find({self.of(STR, below)})",
            lambda: f"{self.of(DICT, below)}.get({one}, {other})",
            lambda: f"{self.of(DICT, below)}[{one}]",
            lambda: f"sum({self.of(DICT, below)}.values())",
            lambda: f"sum(sorted({self.of(SET, below)})[:3])",
            lambda: f"(({self.fresh(INT)} := {one}) + {other})" if self.depth == 1 else one,
        ]
        return str(pick(ways)())

    def bool_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["True", "False", self.name(BOOL) or "True"])
        below = depth - 1
        kind = pick([INT, INT, STR, LIST, TUPLE, PAIR])
        ways = [
            lambda: f"({self.of(kind, below)} {pick(['<', '<=', '>', '>='])} {self.of(kind, below)})",
            lambda: f"({self.of(kind, below)} {pick(['==', '!='])} {self.of(pick(KINDS), below)})",
            lambda: f"({self.of(INT, below)} < {self.of(INT, below)} <= {self.of(INT, below)})",
            lambda: (
                f"({self.of(INT, below)} {pick(['in', 'not in'])} {self.of(pick([LIST, TUPLE, SET, DICT]), below)})"
            ),
            lambda: f"({self.of(STR, below)} in {self.of(STR, below)})",
            lambda: f"not {self.of(pick(KINDS), below)}",
            lambda: f"({self.of(BOOL, below)} {pick(['and', 'or'])} {self.of(BOOL, below)})",
            lambda: (
                f"{pick(['any', 'all'])}({self.test_of('q')} for q in {self.of(pick([LIST, TUPLE]), below)})"
            ),
            lambda: f"bool({self.of(pick(KINDS), below)})",
            lambda: f"isinstance({self.of(pick(KINDS), below)}, (int, str))",
            lambda: f"{self.of(STR, below)}.{pick(['isupper', 'isdigit', 'islower'])}()",
        ]
        return str(pick(ways)())

    def str_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["'ab'", "'a'", "''", "'xyx'", self.name(STR) or "'b'"])
        below = depth - 1
        text = self.of(STR, below)
        ways = [
            lambda: f"({text} + {self.of(STR, below)})",
            lambda: f"{text}[{self.stepped()}]",
            lambda: f"{text}[{self.of(INT, below)}]",
            lambda: f"str({self.of(pick([INT, BOOL]), below)})",
            lambda: f"({text} * ({self.of(INT, below)} % 3))",
            lambda: f"{text}.{pick(['upper', 'lower', 'strip', 'swapcase', 'title'])}()",
            lambda: f"{text}.replace('a', {self.of(STR, below)})",
            lambda: f"''.join([{self.of(STR, below)}, {text}])",
            lambda: f"','.join(str(q) for q in {self.of(LIST, below)}[:4])",
            lambda: f"WORDS[{self.of(INT, below)}]",
            lambda: f"TABLE[{self.of(INT, below)} % 4]",
            lambda: f"TABLE.get({self.of(INT, below)}, {text})",
            lambda: f"f'{{{self.of(INT, 0)}}}-{{{self.of(BOOL, 0)}}}'",
            lambda: f"chr(97 + {self.of(INT, below)} % 26)",
            lambda: f"max({text}, {self.of(STR, below)})",
            lambda: f"({text} or 'none')",
        ]
        return str(pick(ways)())

    def list_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["[]", "[1, 2]", "[3]", f"[{self.of(INT, 0)}, 0, 5]", self.name(LIST) or "[4, 4]"])
        below = depth - 1
        items = ", ".join(self.of(INT, below) for _ in range(self.chance.randrange(4)))
        row = self.of(LIST, below)
        ways = [
            lambda: f"[{items}]",
            lambda: f"({row} + {self.of(LIST, below)})[:8]",
            lambda: f"{row}[{self.stepped()}]",
            lambda: f"list({self.of(pick([TUPLE, LIST]), below)})",
            lambda: f"list(range({self.of(INT, below)} % 6))",
            lambda: f"sorted({self.of(pick([LIST, TUPLE, SET]), below)})",
            lambda: f"sorted({row}, key=lambda x: {self.lambda_of('x')})",
            lambda: f"[{self.lambda_of('q')} for q in {row}]",
            lambda: f"[q for q in {row} if {self.test_of('q')}]",
            lambda: f"({row} * ({self.of(INT, below)} % 3))[:6]",
            lambda: f"{self.of(ROWS, below)}[{self.of(INT, below)}]",
            lambda: f"[*{row}, {self.of(INT, below)}]",
            lambda: f"list(map(lambda x: {self.lambda_of('x')}, {row}))",
            lambda: f"[x - y for x, y in zip({row}, {self.of(TUPLE, below)})]",
            lambda: f"list(reversed({row}))",
            lambda: f"[i * v for i, v in enumerate({row}, {self.of(INT, 0)})]",
            lambda: f"list({self.of(DICT, below)})",
            lambda: f"({row} or [7])",
        ]
        return str(pick(ways)())

    def tuple_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["()", "(1, 2)", f"({self.of(INT, 0)}, 3, 0)", self.name(TUPLE) or "(5,)"])
        below = depth - 1
        row = self.of(TUPLE, below)
        ways = [
            lambda: f"tuple({self.of(LIST, below)})",
            lambda: f"({row} + {self.of(TUPLE, below)})[:8]",
            lambda: f"{row}[{self.stepped()}]",
            lambda: f"(*{row}, {self.of(INT, below)})",
            lambda: f"tuple({self.lambda_of('q')} for q in {row})",
            lambda: f"({self.of(INT, below)}, {self.of(INT, below)})",
            lambda: f"tuple(sorted({row}, reverse={self.of(BOOL, 0)}))",
            lambda: f"tuple(1 if i == {self.of(INT, 0)} else x for i, x in enumerate({row}))",
            lambda: f"({row} * ({self.of(INT, below)} % 3))[:6]",
        ]
        return str(pick(ways)())

    def rows_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["[[1, 2], [3]]", "[[0]]", self.name(ROWS) or "[[], [5]]"])
        below = depth - 1
        ways = [
            lambda: f"[{self.of(LIST, below)}, {self.of(LIST, below)}]",
            lambda: f"[row[:] for row in {self.of(ROWS, below)}]",
            lambda: f"[list(c) for c in zip({self.of(LIST, below)}, {self.of(TUPLE, below)})]",
            lambda: f"[[0] * 2 for _ in range({self.of(INT, below)} % 3)]",
            lambda: f"([{self.of(LIST, below)}] * 2)",
            lambda: f"{self.of(ROWS, below)}[{self.slice()}]",
            lambda: f"[list(c) for c in zip(*{self.of(ROWS, below)})]",
            lambda: f"sorted({self.of(ROWS, below)})",
        ]
        return str(pick(ways)())

    def pair_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return self.name(PAIR) or "Pair(2, 3)"
        below = depth - 1
        ways = [
            lambda: f"Pair({self.of(INT, below)}, {self.of(INT, below)})",
            lambda: f"Pair({self.of(INT, below)})",
            lambda: f"Pair(b={self.of(INT, below)}, a=1)",
            lambda: f"{self.of(PAIR, below)}._replace({pick('ab')}={self.of(INT, below)})",
            lambda: f"max({self.of(PAIR, below)}, {self.of(PAIR, below)})",
            lambda: f"min([{self.of(PAIR, below)}, {self.of(PAIR, below)}], key=lambda p: p.total)",
        ]
        return str(pick(ways)())

    def set_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["{1, 2}", "set()", self.name(SET) or "{3}"])
        below = depth - 1
        ways = [
            lambda: f"set({self.of(pick([LIST, TUPLE]), below)})",
            lambda: f"({self.of(SET, below)} {pick('|&-^')} {self.of(SET, below)})",
            lambda: f"{{{self.of(INT, below)}, {self.of(INT, below)}}}",
            lambda: f"{{{self.lambda_of('q')} for q in {self.of(LIST, below)}}}",
        ]
        return str(pick(ways)())

    def dict_of(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0:
            return pick(["{1: 2}", "{}", self.name(DICT) or "{0: 1, 2: 3}"])
        below = depth - 1
        ways = [
            lambda: f"{{{self.of(INT, below)}: {self.of(INT, below)}, 1: {self.of(INT, below)}}}",
            lambda: f"dict(zip({self.of(LIST, below)}, {self.of(TUPLE, below)}))",
            lambda: f"{{q: {self.lambda_of('q')} for q in {self.of(LIST, below)}}}",
            lambda: f"dict(enumerate({self.of(LIST, below)}))",
        ]
        return str(pick(ways)())


OPTIMISED = 25  # one of so many programs is optimised as well, which takes most of the time


class TooLong(BaseException):
    """A program that takes too long, or too much memory."""


def give_up(*_: Any) -> None:
    raise TooLong


def interpreted(function: Any, arguments: tuple[int, ...]) -> Any:
    """What Python makes of it: a value, or the kind of an exception."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(2)
    try:
        return function(*arguments)
    except MemoryError:
        raise TooLong from None
    except Exception as error:
        return type(error)
    finally:
        signal.alarm(0)


def compared(seed: int) -> tuple[str, str]:
    """What became of a program: same, left to Python, refused, WRONG or CRASH; and what differs."""
    text = Writer(seed).program()
    try:
        space = module_of(text, f"fuzzed_{seed}")
    except SyntaxError:
        return "unsaid", "no program"
    try:
        answers = [interpreted(space["worth"], arguments) for arguments in ARGUMENTS]
    except TooLong:
        return "unsaid", "too long"
    try:
        machine = Machine(space["worth"], *ARGUMENTS[0], quick=seed % OPTIMISED != 0)
    except Obstacle as obstacle:
        return "refused", f"{obstacle.what}; {obstacle.remedy} (line {obstacle.line})"
    except RecursionError:
        return "refused", "nested too deeply"
    except Exception as error:
        return "CRASH", f"{type(error).__name__}: {error}"[:200]
    left = ""
    for arguments, theirs in zip(ARGUMENTS, answers, strict=True):
        try:
            ours: Any = machine(*arguments)
        except Trap as trap:
            code = traps.code_in(trap.status)
            if code >= traps.FIRST_LIMIT:
                left = traps.said(trap.status)
                continue
            own = {code: kind for kind, code in machine.program.exceptions.items()}
            kind = own.get(code) or traps.EXCEPTIONS[code - 1]
            if not (isinstance(theirs, type) and issubclass(theirs, kind)):
                return (
                    "WRONG",
                    f"worth{arguments}: Python {theirs!r}, machine code {kind.__name__} in line {traps.line_in(trap.status)}",
                )
            continue
        except Misfit as error:
            return "CRASH", f"worth{arguments}: a value that is no {error}"
        if isinstance(theirs, type) or not same(ours, theirs):
            return "WRONG", f"worth{arguments}: Python {theirs!r}, machine code {ours!r}"
    return ("left", left) if left else ("same", "")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare random programs in machine code and in Python.")
    parser.add_argument("--programs", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="of the first one")
    parser.add_argument(
        "--show",
        type=int,
        default=None,
        help="the text of the program with this seed, and what becomes of it",
    )
    parser.add_argument("--refused", action="store_true", help="list what was refused, too")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    if options.show is not None:
        print(Writer(options.show).program())
        print(*compared(options.show))
        return 0
    counts: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    for seed in range(options.seed, options.seed + options.programs):
        what, why = compared(seed)
        counts[what] += 1
        if counts.total() % 200 == 0:
            print(f"{counts.total()} programs", flush=True)
        if what in ("WRONG", "CRASH"):
            print(f"{seed}: {what} {why}"[:400], flush=True)
        elif what != "same":
            reasons[why.partition(" (line")[0]] += 1
    if options.refused:
        print(*(f"{count:5} {why}" for why, count in reasons.most_common(40)), sep="\n")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return counts["WRONG"] + counts["CRASH"]


if __name__ == "__main__":
    sys.exit(main() > 0)
