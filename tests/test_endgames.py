"""A tablebase at work: in an engine's search, and as a player."""

from __future__ import annotations

import gc
import io
import json
import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from graph_games import Graph, naive_solution, random_graph
from perfectplay import MAX, MIN, Analysis, Engine, Game, load_game
from perfectplay.cli import main
from perfectplay.errors import (
    BadParameterError,
    BadTablebaseError,
    EndlessGameError,
    UnknownAlgorithmError,
    UnknownStateError,
)
from perfectplay.play import Match, RandomPlayer, TablebasePlayer, find_player
from perfectplay.tablebase import Tablebase, build_tablebase, compress, verify
from perfectplay.textbook import Counted

# A game, and the moves that lead to where a tablebase of its end begins.
ENDS = {
    "tic-tac-toe": ["b2", "a1"],
    "connect-four:rows=3,cols=4,k=3": ["2", "2"],
    "kalah:pits=3,seeds=2": ["1"],  # a player may move twice running
    "nim:heaps=3+4+5": ["a1"],
}


class Heap(NamedTuple):
    left: int
    noise: int
    more: int


class Wide(Game):
    """Take 1, 2 or 3 from a heap; a state has more than 64 bits, though few of them matter."""

    def _state(self, left):
        low = (1 << 62) - 1
        return Heap(left, left * 0x1E3779B97F4A7C15 & low, left * 0x14D049BB133111EB & low)

    def initial(self):
        return self._state(21)

    def to_move(self, state):
        return (21 - state.left) // 2 % 2  # not in turn, by how much is left

    def actions(self, state):
        number = 1
        while number <= min(state.left, 3):
            yield number
            number += 1

    def result(self, state, action):
        return self._state(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return 2.5 if player == 1 else -2.5


class OtherRules(Wide):
    def utility(self, state, player):
        return 1 if player == 1 else -1


def end_of(name: str, directory: Path, **options: Any) -> Tablebase:
    """A tablebase of the end of a game."""
    game = load_game(name)
    build_tablebase(game, directory, start=Match(game, ENDS[name]).state, **options)
    return Tablebase(directory, game, compile=options.get("compile", "auto"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """All of tic-tac-toe."""
    return build_tablebase(load_game("tic-tac-toe"), tmp_path_factory.mktemp("whole"), compile="never")


def told(answer: Analysis) -> object:
    return answer.value, answer.action, answer.line, answer.depth, answer.nodes, answer.hits, answer.exact


def seen(game: Game, mode: str, table: Tablebase | None, **options: Any) -> list[object]:
    """What an engine says along random games, and how many states it visits for that."""
    engine = Engine(game, compile=mode, table_mb=1, tablebase=table, **options)
    assert engine.compiled == (mode == "always"), engine.why_not
    found: list[object] = []
    for seed in range(3):
        random = Random(seed)
        state = game.initial()
        while not game.is_terminal(state):
            found += map(told, (*engine.deepen(state, depth=3), engine.solve(state, nodes=2000)))
            found += [engine.rank(state, depth=2)]
            state = game.result(state, random.choice(list(game.actions(state))))
    found.append(told(engine.solve(game.initial(), driver="proof-number")))
    return found


# In the search.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah:pits=3,seeds=2"])
def test_a_search_into_a_tablebase_is_the_same_interpreted_and_compiled_node_for_node(name, tmp_path):
    with end_of(name, tmp_path) as table:
        there = seen(table.game, "never", table)
        assert seen(table.game, "always", table) == there
        assert seen(table.game, "never", None) != there


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("symmetry", [True, False])
def test_every_value_is_the_same_with_a_tablebase_of_the_end_and_without(name, symmetry, tmp_path):
    with end_of(name, tmp_path, symmetry=symmetry, compile="never") as table:
        game = table.game
        plain = Engine(game, table_mb=1)
        knowing = Engine(game, compile="never", table_mb=1, tablebase=table)
        for seed in range(1):
            random = Random(seed)
            state = game.initial()
            while not game.is_terminal(state):
                truth = plain.solve(state)
                for found in (
                    knowing.solve(state),
                    knowing.solve(state, driver="bisection"),
                    knowing.solve(state, driver="proof-number"),
                    knowing.search(state),
                ):
                    assert (found.value, found.exact) == (truth.value, True)
                    assert is_true(game, state, found)
                assert values(knowing.rank(state)) == values(plain.rank(state))
                state = game.result(state, random.choice(list(game.actions(state))))


def values(ranking: list[Any]) -> dict[Any, object]:
    return {each.action: (each.value, each.best, each.exact) for each in ranking}


def after(game: Game, state: Any, line: tuple[Any, ...]) -> Any:
    for action in line:
        state = game.result(state, action)
    return state


def is_true(game: Game, state: Any, found: Analysis) -> bool:
    """Is a line worth its value, if it goes to the end? It may stop early where it would be dear to find."""
    end = after(game, state, found.line)
    if game.is_terminal(end):
        return game.utility(end, game.to_move(state)) == found.value
    return found.proof != "a tablebase"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["connect-four:rows=3,cols=4,k=3", "nim:heaps=3+4+5", "kalah:pits=3,seeds=2"]
)
def test_a_tablebase_of_the_end_saves_work(name, tmp_path):
    with end_of(name, tmp_path, compile="never") as table:
        state = table.game.initial()
        assert table.get(state) is None
        assert table.probe(table.start).value is not None
        plain = Engine(table.game, compile="never", table_mb=1).solve(state)
        knowing = Engine(table.game, compile="never", table_mb=1, tablebase=table).solve(state)
        assert (knowing.value, knowing.exact) == (plain.value, True)
        assert knowing.nodes < plain.nodes
        assert knowing.proof == f"{plain.proof}, and a tablebase"


def test_a_depth_of_one_is_enough_where_every_move_leads_into_the_tablebase(tmp_path):
    #     0 leads to 1, 2 and 3; 1 to 2 and 3; 2 to 4, which is lost for MAX; 3 to 5, which is won
    game = Graph((0, 3, 5, 6, 7, 7, 7), (1, 2, 3, 2, 3, 4, 5), (0, 0, 1, 1, 2, 2), (0, 0, 0, 0, -1, 1))
    build_tablebase(game, tmp_path, start=1, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        found = [*Engine(game, compile="never", tablebase=table).deepen(0)]
        assert [(each.depth, each.value, each.exact) for each in found] == [(1, 1, True)]
        assert found[0].nodes <= 4
        assert game.is_terminal(after(game, 0, found[0].line))


@pytest.mark.parametrize("mode", ["never", pytest.param("always", marks=pytest.mark.slow)])
def test_a_state_in_the_tablebase_is_answered_at_once(mode, whole):
    with Tablebase(whole, compile=mode) as table:
        game = table.game
        engine = Engine(game, compile=mode, table_mb=1, tablebase=table)
        for moves in ([], ["b2", "b3"], ["a1", "b2", "c3"]):
            state = Match(game, moves).state
            entry = table.probe(state)
            for found in (
                engine.search(state, nodes=0),
                *engine.deepen(state, depth=1),
                engine.solve(state),
            ):
                assert found.value == found.lower == found.upper == entry.value
                assert (found.exact, found.nodes, found.proof) == (True, 1, "a tablebase")
                assert found.line == tuple(table.line(state))
                assert found.action == table.best(state)[0]
                assert found.depth == len(found.line) == entry.remoteness
            (told,) = engine.rankings(state, depth=3)
            assert told.found.line == tuple(table.line(state))
            for ranking in (engine.rank(state), engine.rank(state, depth=1), told.moves):
                assert [each.action for each in ranking] == [each.action for each in table.explain(state)]
                assert values(ranking) == values(Engine(game, compile="never", table_mb=1).rank(state))


@pytest.mark.slow
def test_games_that_go_round_in_circles_are_searched_by_their_tablebase_and_a_draw_is_worth_nothing(tmp_path):
    draws = endless = proven = 0
    for seed in range(40):
        game = random_graph(seed, circles=True, values=seed % 3 + 1)
        truth = naive_solution(game)
        open_states = [state for state in truth if not game.is_terminal(state)]
        start = Random(seed).choice(open_states) if open_states else 0
        build_tablebase(game, tmp_path / str(seed), start=start, compile="never")
        with Tablebase(tmp_path / str(seed), game, compile="never") as table:
            engine = Engine(game, compile="never", table_mb=1, tablebase=table)
            for state in open_states:
                value, ends, _ = truth[state]
                known = engine.search(state, depth=12)
                if known.exact:
                    assert known.value == (value if game.to_move(state) == MAX else -value), (seed, state)
                    proven += table.get(state) is None
                draws += table.get(state) is not None and not ends
                endless += not known.exact
    assert draws > 20
    assert proven > 20


@pytest.mark.parametrize("mode", ["never", pytest.param("always", marks=pytest.mark.slow)])
def test_an_endless_game_that_cannot_be_solved_is_solved_by_its_tablebase(mode, tmp_path):
    starts, targets = (0, 1, 2, 3, 3), (1, 2, 1)  # 0 leads to 1, and 1 and 2 to each other
    game = Graph(starts, targets, (0, 1, 0, 2), (0, 0, 0, 1))
    with pytest.raises(EndlessGameError):
        Engine(game, compile="never", table_mb=1).solve(0)
    build_tablebase(game, tmp_path, start=1, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        engine = Engine(game, compile=mode, table_mb=1, tablebase=table)
        assert engine.solve(0).value == engine.search(0).value == 0
        assert engine.search(0).depth == 1
        assert engine.solve(1).value == 0
        assert engine.solve(1).line == (1,)


@pytest.mark.slow
def test_states_of_several_words_are_looked_up_as_they_are_in_the_readable_way(tmp_path):
    game = Wide()
    first = game.result(game.initial(), 1)
    build_tablebase(game, tmp_path, start=first)
    with Tablebase(tmp_path, game) as table:
        assert table.encoding.width > 1
        for left in range(22):
            assert table.get(game._state(left)) == table._slow(game._state(left)), left
            odd = game._state(left)._replace(more=5)
            assert table.get(odd) is table._slow(odd) is None
        assert table.get(game.initial()) is None
        assert seen(game, "always", table) == seen(game, "never", table)


@pytest.mark.slow
def test_a_compressed_tablebase_serves_an_engine_as_well(tmp_path):
    with end_of("tic-tac-toe", tmp_path) as table:
        before = seen(table.game, "always", table)
    compress(tmp_path)
    with Tablebase(tmp_path) as table:
        assert seen(table.game, "always", table) == before
        assert seen(table.game, "never", table) == before


@pytest.mark.parametrize("mode", ["never", pytest.param("always", marks=pytest.mark.slow)])
def test_threads_look_into_the_tablebase_together(mode, tmp_path):
    name = "kalah:pits=3,seeds=2"
    with end_of(name, tmp_path, compile=mode) as table:
        game = table.game
        engine = Engine(game, compile=mode, table_mb=1, threads=4, tablebase=table)
        plain = Engine(game, compile="never", table_mb=1)
        for moves in ([], ["1"], ["2"], ["3"], ["1", "1"]):
            state = Match(game, moves).state
            engine.forget()
            found = engine.solve(state)
            assert (found.value, found.exact) == (plain.solve(state).value, True)


@pytest.mark.slow
def test_an_engine_keeps_its_tablebase_alive(tmp_path):
    table = end_of("tic-tac-toe", tmp_path)
    state = table.game.initial()
    engine = Engine(table.game, compile="always", table_mb=1, tablebase=table)
    nodes = engine.search(state).nodes
    del table
    gc.collect()
    for file in tmp_path.iterdir():
        file.unlink()
    engine.forget()
    assert engine.search(state).nodes == nodes


# What is refused.


def test_an_engine_refuses_what_is_no_tablebase_of_its_game(whole, tmp_path):
    with pytest.raises(BadParameterError) as refused:
        Engine(load_game("tic-tac-toe"), tablebase=str(whole))
    assert "cannot be: open it first, as in tablebase=Tablebase(directory, game)." in str(refused.value)
    with Tablebase(whole) as table, pytest.raises(BadTablebaseError) as refused:
        Engine(load_game("nim"), tablebase=table)
    assert "is of another game (tic-tac-toe) than nim:heaps=" in str(refused.value)
    build_tablebase(Wide(), tmp_path, compile="never")
    table = Tablebase(tmp_path, Wide(), compile="never")
    twin = type("Wide", (OtherRules,), {"__qualname__": "Wide"})()
    with pytest.raises(BadTablebaseError, match=r"is of other rules \(Wide\(\)\) than Wide\(\)"):
        Engine(twin, tablebase=table)


def test_a_tablebase_that_was_closed_says_so(whole):
    with Tablebase(whole) as table:
        engine = Engine(table.game, compile="never", tablebase=table)
    for question in (table.get, table.probe_many, engine.solve):
        with pytest.raises(BadTablebaseError, match="was closed: open it again"):
            question([] if question == table.probe_many else table.game.initial())
    with pytest.raises(BadTablebaseError, match="was closed: open it again"):
        Engine(table.game, compile="always", tablebase=table)


def test_a_build_begins_at_a_state_of_the_game_and_always_at_the_same(tmp_path):
    game = load_game("tic-tac-toe")
    with pytest.raises(
        BadParameterError, match=r"7 is no state of TicTacToe: give one like \(0, 0, 0, False\)"
    ):
        build_tablebase(game, tmp_path, start=7, compile="never")
    with end_of("tic-tac-toe", tmp_path, compile="never") as table:
        assert table.start == Match(game, ENDS["tic-tac-toe"]).state
        assert len(table) < 765
        assert verify(tmp_path) == []
        with pytest.raises(UnknownStateError, match="no game comes there from where it begins"):
            table.probe(game.initial())
    with pytest.raises(BadTablebaseError, match="it begins at another state; give another directory"):
        build_tablebase(game, tmp_path, compile="never")


def damaged(whole: Path, directory: Path, how: str) -> Path:
    """A copy of a tablebase with something wrong."""
    for file in whole.iterdir():
        (directory / file.name).write_bytes(file.read_bytes())
    chosen = directory / "level-0003.ends"
    if how == "short":
        os.truncate(chosen, chosen.stat().st_size - 2)
    elif how == "missing":
        chosen.unlink()
    else:
        (directory / "manifest.json").write_text("{}")
    return directory


BROKEN = {
    "short": "is damaged, level-0003.ends has 74 bytes, and 76 were written: get another copy",
    "missing": "is damaged, level-0003.ends cannot be read (No such file or directory): get another copy",
    "manifest": "manifest.json' is damaged: get another copy, or take the directory away and build it again.",
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_damaged_directory_is_refused_with_a_sentence(how, whole, tmp_path):
    with pytest.raises(BadTablebaseError) as refused:
        Tablebase(damaged(whole, tmp_path, how))
    assert BROKEN[how] in str(refused.value)


# As a player.


def played(game: Game, state: Any, players: dict[int, Any]) -> tuple[int, float]:
    """The moves that a game takes from a state, and what it is then worth to MAX."""
    moves = 0
    while not game.is_terminal(state):
        mover = MAX if game.to_move(state) == MAX else MIN
        state = game.result(state, players[mover].choose(Counted(game), state))
        moves += 1
    return moves, game.utility(state, MAX)


@pytest.mark.parametrize("name", ["hexapawn:rows=3,cols=3", "connect-four:rows=3,cols=4,k=3,score=outcome"])
def test_who_plays_by_a_tablebase_wins_what_is_won_in_time_and_loses_as_late_as_can_be(name, tmp_path):
    game = load_game(name)
    build_tablebase(game, tmp_path, compile="never")
    player = TablebasePlayer(str(tmp_path), compile="never")
    table = player.open(game)
    won = lost = 0
    for seed in range(40):
        random = Random(seed)
        state = game.initial()
        for _ in range(seed % 4):
            if not game.is_terminal(state):
                state = game.result(state, random.choice(list(game.actions(state))))
        if game.is_terminal(state):
            continue
        entry = table.probe(state)
        mover = MAX if game.to_move(state) == MAX else MIN
        chance = RandomPlayer(seed)
        assert played(game, state, {MAX: player, MIN: player})[0] == entry.remoteness
        moves, worth = played(game, state, {mover: player, MAX + MIN - mover: chance})
        gained = worth if mover == MAX else -worth
        if entry.outcome == "win":
            assert gained > 0
            assert moves <= entry.remoteness
            won += 1
        elif entry.outcome == "loss":
            assert gained > 0 or moves >= entry.remoteness
            lost += gained < 0
    assert won > 5
    assert lost > 0


def test_it_says_how_the_game_will_end_and_how_soon(whole, tmp_path):
    game = load_game("tic-tac-toe")
    player = find_player(f"tablebase:{whole}", compile="never")
    assert player.account() == ""
    for moves, account in [
        ([], "tie in 9 plies"),
        (["b2", "b3"], "win in 5 plies"),
        (["b2", "b3", "a3"], "loss in 4 plies"),
        (["a1", "b1", "a2", "b2"], "win in 1 ply"),
    ]:
        player.choose(Counted(game), Match(game, moves).state)
        assert player.account() == account
    build_tablebase(Wide(), tmp_path / "wide", compile="never")
    player = TablebasePlayer(str(tmp_path / "wide"), compile="never")
    player.choose(Counted(Wide()), Wide().initial())
    assert re.fullmatch(r"loss in \d+ plies, value -2.5", player.account())
    endless = Graph((0, 1, 2), (1, 0), (0, 1), (0, 0))
    build_tablebase(endless, tmp_path / "endless", compile="never")
    player = TablebasePlayer(str(tmp_path / "endless"), compile="never")
    assert player.choose(Counted(endless), 0) == 0
    assert player.account() == "draw: nobody can force an end"


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("tablebase", {}, BadParameterError, "tablebase plays by a directory: give tablebase:DIR"),
        ("tablebase:", {}, BadParameterError, "tablebase plays by a directory: give tablebase:DIR"),
        ("tablebase:x", {"seconds": 1}, BadParameterError, "tablebase does not look at the clock"),
        ("tablebase:x", {"threads": 2}, BadParameterError, "tablebase has no threads"),
        ("tablebase:x", {"depth": 2}, BadParameterError, "tablebase takes no depth"),
        (
            "tablebases",
            {},
            UnknownAlgorithmError,
            "there is no player 'tablebases': did you mean 'tablebase:DIR'?",
        ),
    ],
)
def test_a_player_that_cannot_be_is_refused(name, options, error, message):
    with pytest.raises(error) as refused:
        find_player(name, **options)
    assert message in str(refused.value)


# On the command line.


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; give its exit code, output and errors."""

    def command(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main([*words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_one_can_play_against_a_tablebase(run, whole):
    against = ("--with", f"tablebase:{whole}", "--first", "computer", "--no-compile")
    code, out, _ = run("play", "tic-tac-toe", *against, typed="quit\n")
    assert code == 0
    assert "against tablebase." in out
    assert "(tie in 9 plies)" in out


def test_players_by_tablebases_meet_in_the_arena(run, whole):
    word = f"tablebase:{whole}"
    code, out, _ = run("arena", word, "random", "tic-tac-toe", "--games", "10", "--json", "--no-compile")
    assert code == 0
    assert json.loads(out)["losses"] <= 2  # openings may be lost
    assert json.loads(out)["wins"] >= 5


@pytest.mark.slow
def test_search_and_solve_look_into_a_tablebase(run, whole, tmp_path):
    options = ("--tablebase", str(whole), "--no-compile")
    code, out, _ = run("solve", "tic-tac-toe", *options, "--rank")
    assert code == 0
    assert "proof       exact; it rests on a tablebase" in out
    assert "searched    1 node in" in out
    code, out, _ = run("search", "tic-tac-toe", *options, "--json")
    assert code == 0
    assert (json.loads(out)["proof"], json.loads(out)["exact"]) == ("a tablebase", True)
    directory = str(tmp_path / "end")
    game = "connect-four:rows=4,cols=4"
    code, out, _ = run("tablebase", "build", game, directory, "--moves", "22", "--no-compile", "--json")
    assert code == 0
    assert json.loads(out)["positions"] == 33359
    nodes = []
    for more in ([], ["--tablebase", directory]):
        code, out, _ = run("solve", game, "--json", "--no-compile", *more)
        assert code == 0
        nodes.append(json.loads(out)["nodes"])
        assert json.loads(out)["value"] == 0
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize(
    "words",
    [
        ("play", "{game}", "--with", "tablebase:{dir}"),
        ("arena", "random", "tablebase:{dir}", "{game}"),
        ("search", "{game}", "--tablebase", "{dir}"),
        ("solve", "{game}", "--tablebase", "{dir}"),
    ],
)
def test_a_directory_that_will_not_do_is_one_sentence(words, run, whole, tmp_path):
    (tmp_path / "broken").mkdir()
    for game, directory, message in [
        ("tic-tac-toe", str(tmp_path / "nowhere"), "there is no tablebase in "),
        ("nim", str(whole), "is of another game (tic-tac-toe) than nim:"),
        ("tic-tac-toe", str(damaged(whole, tmp_path / "broken", "short")), BROKEN["short"]),
    ]:
        given = [word.format(game=game, dir=directory) for word in words]
        code, _, err = run(*given, "--no-compile")
        assert code == 2
        assert message in err
        assert err.startswith("perfectplay: ")
        assert err.count("\n") == 1


def test_a_game_that_begins_before_the_tablebase_does_cannot_be_played_by_it(run, tmp_path):
    end_of("tic-tac-toe", tmp_path, compile="never").close()
    code, _, err = run("play", "tic-tac-toe", "--with", f"tablebase:{tmp_path}", "--no-compile")
    assert code == 2
    assert (
        "(0, 0, 0, False) is not in the tablebase of tic-tac-toe: no game comes there from where it begins."
        in err
    )
