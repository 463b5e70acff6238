"""Constants of the rules as values: numbers in the code, everything else in memory that nobody writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perfectplay.compiler.emitting import number
from perfectplay.compiler.hashing import SHIFT, USED, hash_word, table_of
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    BOOL,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    LARGE,
    RANGE,
    STR,
    WIDE,
    WORD,
    Atom,
    Const,
    Dict,
    Frozen,
    List,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    family_of,
    fields_of,
    general,
    kinds,
    number_of,
)

if TYPE_CHECKING:
    from perfectplay.compiler.lowering.coercion import Coercion
    from perfectplay.compiler.program import Program

FEW = 8  # entries of a dict that has no index
Word = tuple[str, str]  # a type of LLVM's, and a value of it


class Constants:
    """What lies in memory from the beginning."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.clear()

    def clear(self) -> None:
        """Forget all: a new round writes it again."""
        self.data: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.words_used = False

    def value(self, builder: Coercion, value: Any, shape: Shape) -> Value:
        """A constant in a shape."""
        if isinstance(shape, Const):
            return Value(Const(value))
        if isinstance(shape, Union):
            member = Value(Const(value))
            return builder.into_union(member, shape, shape.members)
        regs: list[Any] = []
        try:
            written = self.written(value, shape)
        except (TypeError, ValueError, OverflowError) as error:
            raise builder.refuse(
                f"uses the constant {_short(value)} where {shape!r} is wanted",
                "give both the same kind of value",
            ) from error
        for kind, (_, text) in zip(kinds(shape), written, strict=True):
            if kind == "p":
                regs.append(text.removeprefix("@"))
            elif kind == "f":
                regs.append(_float(text))
            else:
                regs.append(bool(int(text)) if kind == "b" else int(text))
        return Value(shape, tuple(regs))

    def written(self, value: Any, shape: Shape) -> list[Word]:
        """A constant as the words of a shape."""
        if isinstance(shape, Const):
            return []
        if shape in (INT, WORD) and isinstance(value, int):
            if shape == INT and not -(2**63) <= value < 2**63:
                raise OverflowError(value)
            return [("i64", str((value + 2**63) % 2**64 - 2**63 if shape == WORD else int(value)))]
        if shape == WIDE and isinstance(value, int):
            return [("i128", str(int(value)))]
        if shape == LARGE and isinstance(value, int):
            return [("i64", str((part + 2**63) % 2**64 - 2**63)) for part in (value, value >> 64)]
        if shape == BOOL and isinstance(value, bool):
            return [("i64", str(int(value)))]
        if shape == FLOAT and isinstance(value, int | float):
            return [("double", number(float(value)))]
        if shape == CHAR and isinstance(value, str) and len(value) == 1:
            return [("i64", str(ord(value)))]
        if shape == RANGE and isinstance(value, range):
            return [("i64", str(part)) for part in (value.start, value.stop, value.step)]
        if isinstance(shape, Atom):
            if shape.kind is str:
                return [("i64", str(self.program.word(value)))]
            if not isinstance(value, shape.kind):
                raise TypeError(value)
            return [("i64", str(number_of(value)))]  # type: ignore[arg-type]
        if isinstance(shape, Struct):
            if shape.cls is not type(value):
                raise TypeError(value)
            parts = fields_of(value)
            if len(parts) != len(shape.fields):
                raise TypeError(value)
            return [
                w for part, field in zip(parts, shape.fields, strict=True) for w in self.written(part, field)
            ]
        if isinstance(shape, Union):
            return self._member(value, shape)
        return [("ptr", f"@{self.stored(value, shape)}")]

    def _member(self, value: Any, shape: Union) -> list[Word]:
        wanted = family(general(Const(value))), family_of(value)
        words: list[Word] = []
        tags = [tag for tag, member in enumerate(shape.members) if family(member) in wanted]
        words.append(("i64", str(tags[0] if tags else _fail(value))))
        for tag, member in enumerate(shape.members):
            if tag == tags[0]:
                words += self.written(value, member)
            else:
                words += _zeros(member)
        return words

    def stored(self, value: Any, shape: Shape) -> str:
        """The name of the memory that holds a constant."""
        match shape:
            case Seq(elem=elem) if type(value) is tuple:
                words = [("i64", str(len(value))), *(w for item in value for w in self.written(item, elem))]
            case List() if isinstance(value, list):
                inside = [w for item in value for w in self.written(item, shape.cells[0].elem)]
                data = self.placed(inside or [("i64", "0")])
                words = [("i64", str(len(value))), ("i64", str(len(value))), ("ptr", f"@{data}")]
            case _ if shape == STR and isinstance(value, str):
                words = [("i64", str(len(value))), *(("i64", str(ord(letter))) for letter in value)]
            case _ if shape == BYTES and isinstance(value, bytes):
                words = [("i64", str(number)) for number in (len(value), *value)]
            case Set() | Frozen() | Dict():
                words = self.hashed(value, shape)
            case _:
                raise TypeError(value)
        return self.placed(words)

    def hashed(self, value: Any, shape: Shape) -> list[Word]:
        """A set or a dict."""
        match shape:
            case Frozen(elem=elem) if isinstance(value, set | frozenset):
                return self.table(value, elem)
            case Set() if isinstance(value, set):
                return [("ptr", f"@{self.placed(self.table(value, shape.cells[0].elem))}"), ("i64", "0")]
            case Dict() if isinstance(value, dict):
                return self.entries(value, *(cell.elem for cell in shape.cells))
        raise TypeError(value)

    def table(self, value: Any, elem: Shape) -> list[Word]:
        """The table of a set: what lies where decides the order of walks through it."""
        table = table_of(value, self.program.exact)
        self.program.lasting &= table.is_plain
        words = [("i64", str(number)) for number in (table.used, table.mask, table.fill)]
        for mixed, state, item in table.slots:
            words += [("i64", str(_signed(mixed))), ("i64", str(state))]
            words += self.written(item, elem) if state == USED else _zeros(elem)
        return words

    def entries(self, value: dict[Any, Any], keys: Shape, values: Shape) -> list[Word]:
        """The header of a dict, with its entries and the index of their hashes."""
        room = FEW
        while room < len(value):
            room *= 2
        entries: list[Word] = []
        index = [0] * (2 * room if room > FEW else 0)
        for rank, (key, item) in enumerate(value.items()):
            mixed = hash_word(key, self.program.exact)
            entries += [
                ("i64", str(_signed(mixed))),
                ("i64", "1"),
                *self.written(key, keys),
                *self.written(item, values),
            ]
            if index:
                place, mask = mixed & len(index) - 1, len(index) - 1
                while index[place]:
                    mixed >>= SHIFT
                    place = place * 5 + 1 + mixed & mask
                index[place] = rank + 1
        where = self.placed(entries or [("i64", "0")])
        found = self.placed([("i64", str(place)) for place in index] or [("i64", "0")])
        words = [("i64", str(place)) for place in (len(value), len(value), room)]
        return [*words, ("ptr", f"@{where}"), ("i64", str(len(index) - 1)), ("ptr", f"@{found}")]

    def placed(self, words: list[Word]) -> str:
        """The name of memory that holds these words."""
        text = "{ " + ", ".join(kind for kind, _ in words) + " } { " + ", ".join(map(" ".join, words)) + " }"
        if text not in self.names:
            self.names[text] = f"c{len(self.names)}"
            self.data[self.names[text]] = text
        return self.names[text]

    def add_words(self) -> None:
        """The table of words, when all are known."""
        inside = [("ptr", f"@{self.stored(word, STR)}") for word in self.program.words] or [("i64", "0")]
        text = (
            "{ " + ", ".join(kind for kind, _ in inside) + " } { " + ", ".join(map(" ".join, inside)) + " }"
        )
        self.data["words"] = text


def _float(text: str) -> float:
    import struct

    return float(struct.unpack(">d", bytes.fromhex(text[2:]))[0])


def _zeros(shape: Shape) -> list[Word]:
    zeros = {"i": ("i64", "0"), "b": ("i64", "0"), "f": ("double", number(0.0)), "p": ("ptr", "null")}
    return [zeros[kind] for kind in kinds(shape)]


def _signed(word: int) -> int:
    return (word + 2**63) % 2**64 - 2**63


def _fail(value: Any) -> int:
    raise TypeError(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
