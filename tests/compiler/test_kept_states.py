"""States that hold lists, sets, dicts and objects that change: copied into rules, and out of them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from heapq import heappush
from typing import Any

import pytest
from comparing import differences

from perfectplay import Engine, Game
from perfectplay.compiler import compilation
from perfectplay.compiler.emitting import quick_code
from perfectplay.tablebase import Tablebase, build_tablebase


class Side:
    """What a player has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cards = [1, 2, 3]
        self.won: dict[str, list[int]] = {}

    def lay(self, card: int, pile: str) -> None:
        self.cards.remove(card)
        self.won.setdefault(pile, []).append(card)
        self.last = card


class Table:
    """The whole position: objects in a list, a set of texts, None where nothing lies."""

    def __init__(self) -> None:
        self.sides = [Side("a"), Side("b")]
        self.open = {"red", "blue"}
        self.lying = None
        self.turn = 0

    def facts(self) -> Any:
        sides = tuple(
            (
                side.name,
                tuple(side.cards),
                tuple((pile, tuple(won)) for pile, won in sorted(side.won.items())),
            )
            for side in self.sides
        )
        return sides, frozenset(self.open), self.lying, self.turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())


class Laying(Game[Table, Any]):
    """Lay cards on piles; a pile with five points is closed."""

    def initial(self) -> Table:
        start = Table()
        for side in start.sides:
            side.last = 0
        return start

    def to_move(self, state: Table) -> int:
        return state.turn

    def actions(self, state: Table) -> list[Any]:
        mine = state.sides[state.turn]
        return [(card, pile) for card in mine.cards for pile in sorted(state.open)]

    def result(self, state: Table, action: Any) -> Table:
        card, pile = action
        new = copy.deepcopy(state)
        new.sides[new.turn].lay(card, pile)
        new.lying = action
        if sum(sum(side.won.get(pile, [])) for side in new.sides) >= 5:
            new.open.discard(pile)
        new.turn = 1 - new.turn
        return new

    def is_terminal(self, state: Table) -> bool:
        return not state.open or not state.sides[state.turn].cards

    def utility(self, state: Table, player: int) -> int:
        worth = [sum(max(won) for won in side.won.values()) for side in state.sides]
        return worth[player] - worth[1 - player]


@dataclass(unsafe_hash=True)
class Log:
    """A position that is changed by name, with a list that does not count."""

    left: int
    turn: int = 0
    said: list[int] = field(default_factory=list, compare=False)


class Counting(Game[Log, int]):
    """Take one or two."""

    changes = False

    def initial(self) -> Log:
        return Log(7)

    def to_move(self, state: Log) -> int:
        return state.turn

    def actions(self, state: Log) -> list[int]:
        return [n for n in (1, 2) if n <= state.left]

    def result(self, state: Log, action: int) -> Log:
        return Log(state.left - action, 1 - state.turn, [*state.said, action])

    def is_terminal(self, state: Log) -> bool:
        return state.left == 0

    def utility(self, state: Log, player: int) -> int:
        return 1 if player != state.turn else -1


class Careless(Counting):
    """It changes the state that it is asked about."""

    def actions(self, state: Log) -> list[int]:
        state.said.append(0)
        return [n for n in (1, 2) if n <= state.left]


class Spoken:
    """Numbers that were said, in a list."""

    def __init__(self, said: list[int]) -> None:
        self.said = said

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spoken) and self.said == other.said

    def __hash__(self) -> int:
        return hash(tuple(self.said))


class Rarely(Game[Spoken, int]):
    """Two numbers below 40; after 17 and 23 a rule changes the state, which no play at random shows."""

    def initial(self) -> Spoken:
        return Spoken([])

    def to_move(self, state: Spoken) -> int:
        return 1 if len(state.said) == 1 else 0

    def actions(self, state: Spoken) -> Any:
        return list(range(40))

    def result(self, state: Spoken, action: int) -> Spoken:
        return Spoken([*state.said, action])

    def is_terminal(self, state: Spoken) -> bool:
        if state.said == [17, 23]:
            self.change(state)
        return len(state.said) >= 2

    def change(self, state: Spoken) -> None:
        state.said.append(1000)

    def utility(self, state: Spoken, player: int) -> int:
        worth = -1000 if 1000 in state.said else 50 if state.said[0] == 17 else 0
        return worth if player == 0 else -worth


class RarelyByMethod(Rarely):
    """The same by a method that is handed over."""

    def change(self, state: Spoken) -> None:
        list(map(state.said.append, (1000,)))


class RarelyByLibrary(Rarely):
    """The same by a function of Python's library."""

    def change(self, state: Spoken) -> None:
        heappush(state.said, 1000)


class RarelyByName(Rarely):
    """The same by an attribute."""

    def change(self, state: Spoken) -> None:
        state.said = [1000, 1000]


class RarelyInTurn(Rarely):
    """The same in a generator."""

    def actions(self, state: Spoken) -> Any:
        for action in range(40):
            if action == 23 and state.said == [17]:
                state.said.append(1000)
            yield action

    def change(self, state: Spoken) -> None:
        pass


class Streak(Game[Any, int]):
    """All is in one dict, and nine twos in a row make another kind of thing of one value: play never shows it."""

    def initial(self) -> Any:
        return self.packed({"left": 24, "last": [0], "twos": 0, "mark": "none", "turn": 0})

    def packed(self, facts: Any) -> Any:
        return facts["left"], tuple(facts["last"]), facts["twos"], facts["mark"], facts["turn"]

    def opened(self, state: Any) -> Any:
        left, last, twos, mark, turn = state
        return {"left": left, "last": list(last), "twos": twos, "mark": mark, "turn": turn}

    def to_move(self, state: Any) -> int:
        return self.opened(state)["turn"]  # type: ignore[no-any-return]

    def actions(self, state: Any) -> list[int]:
        return [number for number in (1, 2, 3) if number <= self.opened(state)["left"]]

    def result(self, state: Any, action: int) -> Any:
        facts = self.opened(state)
        facts["left"] -= action
        facts["last"].pop()
        facts["last"].append(action)
        facts["twos"] = facts["twos"] + 1 if action == 2 else 0
        if facts["twos"] == 9:
            facts["mark"] = 7
        facts["turn"] = 1 - facts["turn"]
        return self.packed(facts)

    def is_terminal(self, state: Any) -> bool:
        return self.opened(state)["left"] == 0  # type: ignore[no-any-return]

    def utility(self, state: Any, player: int) -> int:
        facts = self.opened(state)
        value = 1 if facts["turn"] == 1 else -1
        if facts["mark"] != "none":
            value += 100
        return value if player == 0 else -value


class Row:
    """Two names for one list."""

    def __init__(self, cells: list[int], same: list[int]) -> None:
        self.cells, self.same = cells, same

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(tuple(self.cells))


class Shared(Game[Row, int]):
    """A state in which a list is in two places."""

    def initial(self) -> Row:
        cells = [3, 2]
        return Row(cells, cells)

    def to_move(self, state: Row) -> int:
        return sum(state.cells) % 2

    def actions(self, state: Row) -> list[int]:
        return [place for place, cell in enumerate(state.same) if cell]

    def result(self, state: Row, action: int) -> Row:
        new = copy.deepcopy(state)
        new.cells[action] -= 1
        return new

    def is_terminal(self, state: Row) -> bool:
        return not any(state.same)

    def utility(self, state: Row, player: int) -> int:
        return 1 if player == 0 else -1


@pytest.mark.parametrize("game", [Laying(), Counting()], ids=lambda game: type(game).__name__)
def test_states_with_parts_that_change_compile(game: Game[Any, Any]) -> None:
    asked, left = differences(game, playouts=6)
    assert asked > 0
    assert left == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", [Laying(), Counting()], ids=lambda game: type(game).__name__)
def test_they_are_searched_node_for_node(game: Game[Any, Any]) -> None:
    compiled, interpreted = (Engine(game, compile=how) for how in ("always", "never"))
    for depth in (2, 4):
        one, other = (each.search(game.initial(), depth=depth) for each in (compiled, interpreted))
        assert (one.value, one.nodes, one.line) == (other.value, other.nodes, other.line)
    assert compiled.solve(game.initial()).value == interpreted.solve(game.initial()).value


@pytest.mark.slow
def test_a_tablebase_has_them(tmp_path: Any) -> None:
    game = Laying()
    with Tablebase(build_tablebase(game, tmp_path / "laying"), game) as table:
        assert table.probe(game.initial()).value == Engine(game).solve(game.initial()).value


@pytest.mark.parametrize(
    ("game", "why"),
    [(Careless(), "changes the state that it is asked about"), (Shared(), "in two places")],
    ids=["changed", "shared"],
)
def test_python_answers_where_copies_would_show(game: Game[Any, Any], why: str) -> None:
    engine = Engine(game)
    assert not engine.compiled
    assert why in str(engine.why_not)


@pytest.mark.parametrize("kind", [Rarely, RarelyByMethod, RarelyByLibrary, RarelyByName, RarelyInTurn])
def test_a_state_that_is_changed_where_nobody_looked_is_left_to_python(kind: type[Rarely]) -> None:
    game = kind()
    engine = Engine(game)
    assert (
        engine.solve(game.initial()).value == Engine(kind(), compile="never").solve(game.initial()).value == 0
    )
    assert not engine.compiled
    assert engine.why_not is not None


def test_what_inference_lost_and_play_never_showed_is_found_when_it_is_met(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compilation, "object_code", quick_code)  # what LLVM makes of it is asked elsewhere
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")  # what an earlier run found out is not to be known
    game = Streak()
    state = game.initial()
    for _ in range(8):
        state = game.result(state, 2)
    engine = Engine(game, table_mb=1, compile="always")
    before = engine._compiled_search
    found = engine.solve(state)
    expected = Engine(game, table_mb=1, compile="never").solve(state)
    assert (found.value, found.action) == (expected.value, expected.action)
    assert abs(found.value) > 1  # the other kind of thing was met,
    assert engine.compiled
    assert engine._compiled_search is not before  # and machine code made for it
