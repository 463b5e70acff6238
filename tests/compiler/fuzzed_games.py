"""Random games around an explicit table, their rules written in many styles, solved compiled and by plain minimax.

python tests/compiler/fuzzed_games.py --games 500 --seed 1
python tests/compiler/fuzzed_games.py --show 17
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from comparing import module_of, same  # noqa: E402

from perfectplay import Engine  # noqa: E402

HEAD = """
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple
from perfectplay import Game

class Move(NamedTuple):
    kind: str
    place: int

class Way(Enum):
    A = "a"
    B = "b"
    C = "c"

class Number(IntEnum):
    ZERO = 0
    ONE = 1
    TWO = 2

class Place(NamedTuple):
    node: int
    player: int = 0

@dataclass(frozen=True)
class Spot:
    node: int
    player: int
    flag: bool = False
    def __eq__(self, other):
        return isinstance(other, Spot) and (self.node, self.player) == (other.node, other.player)
    def __hash__(self):
        return hash((self.node, self.player))

@dataclass(frozen=True, order=True)
class Cell:
    node: int
    player: int = 0

class Board:
    def __init__(self, cells, more):
        self.cells = cells
        self.more = more
    def __eq__(self, other):
        return isinstance(other, Board) and self.cells == other.cells
    def __hash__(self):
        return hash(tuple(self.cells))

class Wide(Board):
    def number(self):
        return sum(bit << place for place, bit in enumerate(self.cells))
"""

# How a state is made of a node and a player, and the node that it stands for.
STATES = {
    "int": ("{n}", "s"),
    "pair": ("({n}, {p})", "s[0]"),
    "named": ("Place({n}, {p})", "s.node"),
    "dataclass": ("Cell({n}, {p})", "s.node"),
    "own equality": ("Spot({n}, {p}, {n} % 2 == 0)", "s.node"),
    "text": ("str({n})", "int(s)"),
    "words": ("('n' + str({n}), 'x' if {p} else 'o')", "int(s[0][1:])"),
    "bits": ("tuple(({n} >> i) & 1 for i in range(6))", "sum(b << i for i, b in enumerate(s))"),
    "truths": ("tuple(({n} >> i) & 1 == 1 for i in range(6))", "sum(2 ** i for i in range(6) if s[i])"),
    "set": (
        "frozenset(i for i in range(6) if ({n} >> i) & 1)",
        "sum(1 << i for i in s)",
    ),
    "with a truth": ("({n}, {p} == 1)", "s[0]"),
    "nested": ("(({n} // 4, {n} % 4), {p})", "s[0][0] * 4 + s[0][1]"),
    "float": ("({n} / 2, {p})", "int(s[0] * 2)"),
    "growing": ("(0,) * {n}", "len(s)"),
    "or nothing": ("(None if {n} == 3 else {n}, {p})", "(3 if s[0] is None else s[0])"),
    "kinds": ("({n} if {n} % 3 else 'abcdefghijklmnopqrstuvwxyz'[{n} % 26] + str({n}), {p})", "number(s[0])"),
    "1 or True": ("({n}, 1 if {n} % 2 else True, {p})", "s[0]"),
    "sets in rows": (
        "({p}, tuple(frozenset(j for j in range(2) if ({n} >> 2 * i + j) & 1) for i in range(3)))",
        "sum(1 << 2 * i + j for i, part in enumerate(s[1]) for j in part)",
    ),
    "members in rows": (
        "tuple(((Way.A, Way.B)[({n} >> i) & 1], i) for i in range(6))",
        "sum(1 << i for w, i in s if w is Way.B)",
    ),
    "objects": (
        "Wide([({n} >> i) & 1 for i in range(6)], {{'turn': {p}, 'seen': [{n}]}})",
        "s.number() * (s.more['seen'] == [s.number()])",
    ),
    "lengths": ("(({n},) if {n} % 2 else ({n}, (0,) * ({n} % 4), None))", "s[0]"),
    "words in order": (
        "tuple(sorted(('n%d' % {n}, 'p%d' % {p}, 'a' * ({n} % 3))))",
        "int(next(w for w in s if w[:1] == 'n')[1:])",
    ),
    "rows": ("tuple((({n} >> i) & 1, ({n} >> (i + 1)) & 1) for i in (0, 2, 4))", "rows(s)"),
}

# How an action is made of the number of a child, and that number.
ACTIONS = {
    "int": ("{i}", "a"),
    "text": ("'m' + str({i})", "int(a[1])"),
    "letter": ("'abc'[{i}]", "'abc'.index(a)"),
    "pair": ("('go', {i})", "a[1]"),
    "named": ("Move('go', {i})", "a.place"),
    "member": ("(Way.A, Way.B, Way.C)[{i}]", "(Way.A, Way.B, Way.C).index(a)"),
    "number": ("Number({i})", "int(a)"),
    "truth": ("({i} == 1 if {i} < 2 else {i})", "int(a)"),
    "float": ("{i} + 0.5", "int(a)"),
    "or nothing": ("(None if {i} == 0 else {i})", "(0 if a is None else a)"),
    "kinds": ("({i} if {i} % 2 else ('x', {i}))", "(a if isinstance(a, int) else a[1])"),
}

LISTED = [
    "return [{make} for i in range({count})]",
    "return tuple({make} for i in range({count}))",
    "for i in range({count}):\n            yield {make}",
    "found = []\n        for i in range({count}):\n            found.append({make})\n        return found",
    "return map(lambda i: {make}, range({count}))",
    "return list({{i: {make} for i in range({count})}}.values())",
    "return [m for i in range(3) if i < {count} for m in [{make}]]",
    "yield from ({make} for i in range({count}))",
    "i, found = 0, ()\n        while i < {count}:\n            found += ({make},)\n            i += 1\n        return found",
]

HELPERS = """
def number(x):
    if isinstance(x, str):
        return int(x[1:])
    return x

def rows(s):
    total = 0
    for i, (low, high) in enumerate(s):
        total += low * 4 ** i + high * 2 * 4 ** i
    return total
"""


# What a game has besides, and the probabilities of so many outcomes, whose sums are exact.
OF_KIND = {
    "two": "",
    "chance": """
    def chances(self, s):
        return list(zip(self.actions(s), PROBABILITIES[self.count(self.node(s))]))
""",
    "three": """
    players, zero_sum = 3, False
""",
}


class Table:
    """A random game: a graph without circles, who moves where, and what its ends are worth."""

    def __init__(self, chance: random.Random) -> None:
        self.size = size = chance.randrange(4, 40)
        ties = chance.random() < 0.3
        self.children: list[list[int]] = []
        self.movers = [chance.randrange(2) for _ in range(size)]
        if chance.random() < 0.4:
            self.movers = [node % 2 for node in range(size)]
        self.values: list[Any] = []
        real = chance.random() < 0.3
        for node in range(size):
            below = range(node + 1, min(size, node + chance.choice([3, 8, 40])))
            wanted = 0 if node and chance.random() < 0.2 else chance.randrange(1, 4)
            self.children.append([chance.choice(below) for _ in range(wanted)] if below else [])
            worth = chance.choice([-1, 0, 1]) if ties else chance.randrange(-20, 21)
            self.values.append(worth / 4 if real else worth)
        self.kind = chance.choice(["two", "two", "two", "chance", "three"])
        if self.kind == "chance":
            self.movers = [chance.randrange(-1 if node else 0, 2) for node in range(size)]
            self.movers = [who if row else 0 for who, row in zip(self.movers, self.children, strict=True)]
        elif self.kind == "three":
            self.movers = [chance.randrange(3) for _ in range(size)]
            self.values = [tuple(chance.sample(range(10**6), 3)) for _ in range(size)]


def text_of(seed: int) -> tuple[str, str]:
    """The rules of a game, and the styles that they are written in."""
    chance = random.Random(seed)
    table = Table(chance)
    state, action = chance.choice(list(STATES)), chance.choice(list(ACTIONS))
    make, node = STATES[state]
    act, number = ACTIONS[action]
    how = chance.randrange(4)
    children: Any = table.children
    if how == 0:
        children = {place: row for place, row in enumerate(table.children) if row}
        count, child = "len(CHILDREN.get(n, ()))", "CHILDREN[n][k]"
    elif how == 1:
        children = tuple(map(tuple, table.children))
        count, child = "len(CHILDREN[n])", "CHILDREN[n][k]"
    elif how == 2:
        children = [" ".join(map(str, row)) for row in table.children]
        count, child = "len(CHILDREN[n].split())", "int(CHILDREN[n].split()[k])"
    else:
        children = {(place, k): one for place, row in enumerate(table.children) for k, one in enumerate(row)}
        count, child = "sum(1 for k in range(3) if (n, k) in CHILDREN)", "CHILDREN[n, k]"
    mover = chance.choice(["MOVERS[n]", "1 if MOVERS[n] else 0", "int(MOVERS[n] == 1)", "MOVERS[n] == 1"])
    if table.kind != "two":
        mover = "MOVERS[n]"
    listed = chance.choice(LISTED).format(make=act.format(i="i"), count="self.count(n)")
    keyed = chance.random() < 0.3 and state != "kinds"
    worth = chance.choice(["VALUES[n] if p == 0 else -VALUES[n]", "(1, -1)[p] * VALUES[n]"])
    estimate = chance.choice(["0", "VALUES[n] if p == 0 else -VALUES[n]", "(n % 7 - 3) * (1 - 2 * p)"])
    if table.kind == "three":
        worth = estimate = "VALUES[n][p]"
    text = f"""{HEAD}{HELPERS}
CHILDREN = {children!r}
MOVERS = {table.movers!r}
VALUES = {table.values!r}
PROBABILITIES = ((), (1.0,), (0.25, 0.75), (0.5, 0.25, 0.25))

def made(n):
    return {make.format(n="n", p="MOVERS[n]")}

class Fuzzed(Game):
    def initial(self):
        return made(0)
    def node(self, s):
        return {node}
    def count(self, n):
        return {count}
    def to_move(self, s):
        n = self.node(s)
        return {mover}
    def actions(self, s):
        n = self.node(s)
        {listed}
    def result(self, s, a):
        n = self.node(s)
        k = {number}
        return made({child})
    def is_terminal(self, s):
        return self.count(self.node(s)) == 0
    def utility(self, s, p):
        n = self.node(s)
        return {worth}
    def evaluate(self, s, p):
        n = self.node(s)
        return {estimate}
"""
    text += OF_KIND[table.kind]
    if keyed:
        text += "    def key(self, s):\n        return self.node(s) + 1\n"
    return text, f"{table.kind}, {state} states, {action} actions"


def minimax(game: Any, state: Any, depth: int, player: int, known: dict[Any, float]) -> float:
    """The value of a state to a player, as deep as is said."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    key = game.node(state), depth
    if key not in known:
        below = [minimax(game, game.result(state, a), depth - 1, player, known) for a in game.actions(state)]
        known[key] = max(below) if game.to_move(state) == player else min(below)
    return known[key]


def expectation(game: Any, state: Any, known: dict[int, float]) -> float:
    """The value of a state to MAX where chance has moves."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    node = game.node(state)
    if node not in known:
        mover = game.to_move(state)
        if mover == -1:
            worths = [(expectation(game, game.result(state, a), known), p) for a, p in game.chances(state)]
            known[node] = sum(worth * p for worth, p in worths)
        else:
            below = [expectation(game, game.result(state, a), known) for a in game.actions(state)]
            known[node] = max(below) if mover == 0 else min(below)
    return known[node]


def worths(game: Any, state: Any, known: dict[int, tuple[float, ...]]) -> tuple[float, ...]:
    """What a state is worth to each of several players, each of whom takes the first action that is best."""
    if game.is_terminal(state):
        return tuple(float(game.utility(state, player)) for player in range(game.players))
    node = game.node(state)
    if node not in known:
        below = [worths(game, game.result(state, action), known) for action in game.actions(state)]
        known[node] = max(below, key=lambda each: each[game.to_move(state)])
    return known[node]


def differences_of_others(game: Any, engine: Any) -> str:
    """The same where chance moves, or several players do: the values of a state and of all its actions."""
    state = game.initial()
    mover = game.to_move(state)
    found, ranked = engine.solve(state), engine.rank(state)
    if game.players == 3:
        values = {repr(a): worths(game, game.result(state, a), {})[mover] for a in game.actions(state)}
        if tuple(map(float, found.values)) != worths(game, state, {}):
            return f"solve is {found.values}, not {worths(game, state, {})}"
    else:
        sign = 1 if mover == 0 else -1
        values = {repr(a): sign * expectation(game, game.result(state, a), {}) for a in game.actions(state)}
    if found.value != max(values.values()):
        return f"solve is {found.value}, not {max(values.values())}"
    if {repr(each.action): each.value for each in ranked} != values:
        return f"rank is {ranked}, not {values}"
    return ""


def differences(game: Any, engine: Any) -> str:
    """What an engine says otherwise than plain minimax, or that is not the user's own."""
    if game.players == 3 or game.has_chance:
        return differences_of_others(game, engine)
    state = game.initial()
    player = int(game.to_move(state))
    for depth in (1, 2, 3):
        found, wanted = engine.search(state, depth=depth), minimax(game, state, depth, player, {})
        if found.value != wanted:
            return f"search to depth {depth} is {found.value}, not {wanted}"
    found, wanted = engine.solve(state), minimax(game, state, 99, player, {})
    if found.value != wanted:
        return f"solve is {found.value}, not {wanted}"
    line, here = [found.action, *found.line[1:]], state
    for action in line:
        if not any(same(action, own) for own in game.actions(here)):
            return f"{action!r} is none of {list(game.actions(here))!r}"
        here = game.result(here, action)
        if minimax(game, here, 99, player, {}) != wanted:
            return f"{found.line!r} does not keep the value"
    ranked = {repr(one.action): one.value for one in engine.rank(state)}
    for action in game.actions(state):
        child = minimax(game, game.result(state, action), 99, player, {})
        if ranked.get(repr(action)) != child:
            return f"rank of {action!r} is {ranked.get(repr(action))}, not {child}"
    return ""


def table_differences(game: Any) -> str:
    """The same for a tablebase: what it says of every state along one line, and that it verifies."""
    from perfectplay.tablebase import build_tablebase, verify

    if game.players == 3:
        return ""
    with tempfile.TemporaryDirectory() as home:
        path, other = Path(home) / "table", Path(home) / "other"
        build_tablebase(game, path)
        build_tablebase(game, other, compile="never")
        for file in sorted(path.rglob("*")):
            its = other / file.relative_to(path)
            if file.is_file() and file.name != "manifest.json" and file.read_bytes() != its.read_bytes():
                return f"{file.name} has other bytes where the rules are not compiled"
        if game.has_chance:
            return ""
        from perfectplay.tablebase import Tablebase

        with Tablebase(path, game) as table:
            state = game.initial()
            while True:
                player = int(game.to_move(state))
                found, wanted = table.probe(state).value, minimax(game, state, 99, player, {})
                if found != wanted:
                    return f"the table says {found} of {state!r}, not {wanted}"
                if game.is_terminal(state):
                    break
                best = table.best(state)
                values = {
                    repr(a): minimax(game, game.result(state, a), 99, player, {}) for a in game.actions(state)
                }
                if any(values.get(repr(action)) != wanted for action in best):
                    return f"best of {state!r} is {best!r}, of {values}"
                state = game.result(state, best[0])
        return "".join(verify(path, game))


def compared(seed: int, *, tables: bool = False) -> tuple[str, str]:
    """What became of a game: same, interpreted, WRONG or CRASH; and what differs."""
    text, styles = text_of(seed)
    game = module_of(text, f"fuzzed_game_{seed}")["Fuzzed"]()
    try:
        engine = Engine(game)
        found = differences(game, engine)
        if tables and not found:
            found = table_differences(game)
    except Exception as error:
        return "CRASH", f"{styles}: {type(error).__name__}: {error}"
    if found:
        return "WRONG", f"{styles}: {found}"
    return ("same", styles) if engine.compiled else ("interpreted", f"{styles}: {engine.why_not}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Solve random games, compiled and by plain minimax.")
    parser.add_argument("--games", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="of the first one")
    parser.add_argument("--show", type=int, default=None, help="the rules with this seed")
    parser.add_argument("--tables", action="store_true", help="build tablebases, too")
    parser.add_argument("--interpreted", action="store_true", help="list what was not compiled, too")
    options = parser.parse_args()
    if options.show is not None:
        print(text_of(options.show)[0])
        print(*compared(options.show, tables=options.tables))
        return 0
    counts: collections.Counter[str] = collections.Counter()
    for seed in range(options.seed, options.seed + options.games):
        what, why = compared(seed, tables=options.tables)
        counts[what] += 1
        if what in ("WRONG", "CRASH") or (what == "interpreted" and options.interpreted):
            print(f"{seed}: {what} {why}"[:400], flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return counts["WRONG"] + counts["CRASH"]


if __name__ == "__main__":
    sys.exit(main() > 0)
