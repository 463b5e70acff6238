"""The commands that ask the engine, as people use them: search, solve, arena, bench."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from math import inf, log10, sqrt
from pathlib import Path
from textwrap import dedent

import pytest

import uncompilable
from awaited import Command
from perfectplay import Game, load_game
from perfectplay.arena import Played, Standing, elo, find_openings, play_game, read_players
from perfectplay.cli import main
from perfectplay.engine import Engine
from perfectplay.engine.method_comparison import MethodComparison, MethodResult, disagreement
from perfectplay.engine.rules_only import knowledge, rules_only
from perfectplay.errors import BadParameterError, GameOverError
from perfectplay.games import ConnectFour, Kalah, Nim, TicTacToe
from perfectplay.play import RandomPlayer

PERFECTPLAY = [sys.executable, "-m", "perfectplay"]
WON = "121212"  # on a board of Connect Four: X wins with the next stone


@pytest.fixture
def run(capsys):
    """Run a command, interpreted: compiling is not the point here. Its exit code, output and errors."""

    def command(line: str):
        code = main([*line.split(), "--no-compile"])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


# search


def test_search_prints_a_line_for_every_depth_and_a_summary(run):
    code, out, err = run("search tic-tac-toe")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert [int(line.split()[0]) for line in lines[6:15]] == list(range(1, 10))
    assert lines[6].split()[1::3] == ["0.307692", "b2"]
    assert "best move  b2" in out
    assert "value      0 (to MAX, who is to move)" in out
    assert "result     a tie with best play" in out
    assert "proof      exact; it rests on keys that no two states share" in out
    assert "rules      interpreted, as --no-compile asks" in out


def test_search_proves_every_move_beside_deepening(run):
    code, out, err = run("search tic-tac-toe --moves a1 b1 --prove")
    assert (code, err) == (0, "")
    assert "result     MAX wins with best play (the player to move)" in out
    rows = [line.split() for line in out.splitlines()[-7:]]
    assert [row[-1] for row in rows] == ["exact"] * 7
    assert {(row[0], row[-2]) for row in rows if row[0] == "*"} == {("*", "1")}
    _, out, _ = run("search tic-tac-toe --moves a1 b1 --prove --json")
    told = json.loads(out)
    assert told["ranking"][0] | {"action": ""} == {
        "action": "", "value": 1, "best": True, "exact": True, "lower": 1, "upper": 1
    }  # fmt: skip
    _, out, _ = run("search connect-four:rows=4,cols=4 --prove --nodes 60")
    assert re.search(r"^\* \d +\S+  estimate, at least -\d+, at most \d+$", out, re.M)
    code, _, err = run("search tic-tac-toe --prove --depth 3")
    assert code == 2
    assert "--prove takes no --depth" in err


def test_search_stops_at_its_limits(run):
    _, out, _ = run("search connect-four --depth 2")
    assert "searched   2 plies, " in out
    assert "looks better for MIN: an estimate, which looking further ahead may change" in out
    _, out, _ = run("search connect-four --nodes 5")
    assert "best move  4" in out
    assert "not even one ply was searched: this is a guess" in out
    code, out, _ = run("search connect-four --seconds 0.2")  # which nobody sees the end of
    assert (code, "best move  " in out) == (0, True)


def test_search_values_a_position_for_the_player_who_moves_there(run):
    _, out, _ = run("search tic-tac-toe --moves a3 b2 b3 --json")
    report = json.loads(out)
    assert (report["to_move"], report["action"], report["moves"]) == ("MIN", "c3", ["a3", "b2", "b3"])
    _, out, _ = run("search tic-tac-toe --moves a1 b2 a2 b1 c3 --json")
    report = json.loads(out)
    assert (report["to_move"], report["exact"], report["value"], report["winner"]) == ("MIN", True, 1, "MIN")
    assert report["action"] == "b3"
    _, out, _ = run("search nim:heaps=2+2")
    assert "value      -1 (to MAX, who is to move)" in out
    assert "MIN wins with best play (MAX is to move)" in out


def test_search_in_json_has_the_answer_and_every_depth(run):
    _, out, _ = run("search connect-four:rows=4,cols=4 --depth 3 --json")
    report = json.loads(out)
    assert report.keys() == {
        *("game", "moves", "to_move", "over", "value", "exact", "lower", "upper", "winner", "action", "line"),
        *(
            "depth",
            "nodes",
            "hits",
            "seconds",
            "proof",
            "stopped",
            "compiled",
            "why_not",
            "threads",
            "method",
            "values",
            "depths",
        ),
    }
    assert [each["depth"] for each in report["depths"]] == [1, 2, 3]
    assert report["depths"][-1]["value"] == report["value"]
    assert report["line"] == report["depths"][-1]["line"]
    assert report["action"] == report["line"][0]
    assert (report["compiled"], report["exact"], report["winner"]) == (False, False, None)


def test_a_finished_game_has_its_utility_for_an_answer(run):
    for command in ("search", "solve"):
        code, out, _ = run(f"{command} tic-tac-toe --moves a1 b1 a2 b2 a3")
        assert code == 0
        assert "-1 (to MIN)" in out
        assert "the game is over: MAX wins" in out
        report = json.loads(run(f"{command} tic-tac-toe --moves a1 b1 a2 b2 a3 --json")[1])
        assert (report["over"], report["value"], report["action"], report["winner"]) == (
            True,
            -1,
            None,
            "MAX",
        )


def test_search_says_why_a_game_is_not_compiled(capsys):
    game = f"{uncompilable.__file__}:UsesEval"
    assert main(["search", game]) == 0
    assert "rules      interpreted: `ending` line " in capsys.readouterr().out
    assert main(["search", game, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["why_not"].startswith("`ending` line ")


# solve


def test_solve_gives_the_value_the_winner_the_line_and_what_the_proof_rests_on(run):
    code, out, _ = run("solve tic-tac-toe --moves a3 a2 b3 b2")
    assert code == 0
    assert "value      1 (to MAX, who is to move)" in out
    assert "result     MAX wins with best play (the player to move)" in out
    assert "best move  c3\nline       c3\n" in out
    assert "proof      exact; it rests on keys that no two states share" in out


def test_rank_values_every_move_and_marks_all_the_best(run):
    _, out, _ = run("solve tic-tac-toe --moves b2 --rank")
    assert "best moves  a3 c3 a1 c1" in out
    assert re.findall(r"^([* ]) (\w\d)  (\S+)$", out, re.M) == [
        *(("*", corner, "0") for corner in ("a3", "c3", "a1", "c1")),
        *((" ", edge, "-1") for edge in ("b3", "a2", "c2", "b1")),
    ]
    _, out, _ = run("solve tic-tac-toe --moves b2 --rank --json")
    ranking = json.loads(out)["ranking"]
    assert [each["action"] for each in ranking if each["best"]] == ["a3", "c3", "a1", "c1"]
    assert {each["value"] for each in ranking if not each["best"]} == {-1}


def test_a_file_of_positions_is_answered_line_by_line(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text(f"# the start first\n\n{WON}\n1 2 1 2 1 2 4\n  # a finished game\n1 2 1 2 1 2 1\n")
    code, out, err = run(f"solve connect-four:rows=4,cols=4 --positions {path}")
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [(moves, value, who) for moves, value, _, who in rows] == [
        ("-", "0", "tie"),
        (WON, "5", "MAX wins"),
        ("1 2 1 2 1 2 4", "5", "MIN wins"),
        ("1 2 1 2 1 2 1", "-5", "MAX won"),
    ]
    assert rows[-1][2] == "-"


@pytest.mark.parametrize("command", ["search", "solve"])
def test_a_win_at_once_is_the_best_move(run, command):
    code, out, _ = run(f"{command} connect-four --moves {WON} --json")
    assert code == 0
    assert json.loads(out)["action"] == "1"


def test_a_file_of_positions_in_json_is_an_object_a_line(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("b2\nb2 b3\n")
    _, out, _ = run(f"solve tic-tac-toe --positions {path} --rank --json")
    first, second = map(json.loads, out.splitlines())
    assert (first["moves"], first["value"], first["exact"]) == (["b2"], 0, True)
    assert (second["moves"], second["value"], second["winner"]) == (["b2", "b3"], 1, "MAX")
    assert len(second["ranking"]) == 7


def test_a_bad_line_is_named_after_the_answers_before_it(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("# corners\nb2 a1\nb2 b2\nb2\n")
    code, out, err = run(f"solve tic-tac-toe --positions {path}")
    assert code == 2
    assert out == "b2 a1\t0\tb3\ttie\n"
    legal = "the legal moves are a3 b3 c3 a2 c2 a1 b1 c1"
    assert err == f"perfectplay: {path}, line 3: after b2, illegal move 'b2': {legal}.\n"


FOUR = "connect-four:rows=4,cols=4"


def test_a_score_after_joined_moves_is_compared_with_what_is_found(run, tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("121212 5\n12121 -4\n121212 4\n1212121 -5\n")
    code, out, err = run(f"solve {FOUR} --positions {path}")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("121212", "5", "right"),
        ("12121", "0", "not -4"),
        ("121212", "5", "not 4"),
        ("1212121", "-5", "right"),
    ]
    assert code == 1
    assert err == f"perfectplay: {path}: 2 of 4 scores are not what was found, in line 2 first.\n"
    code, out, _ = run(f"solve {FOUR} --positions {path} --json")
    assert code == 1
    found = [json.loads(line) for line in out.splitlines()]
    assert [(each["score"], each["right"]) for each in found] == [
        (5, True),
        (-4, False),
        (4, False),
        (-5, True),
    ]
    assert found[0]["moves"] == ["1", "2", "1", "2", "1", "2"]


def test_right_scores_are_no_failure(run, tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("b2 b3 +1\nb2 a1 -0\n+0\nb2 b3\n")
    code, out, err = run(f"solve tic-tac-toe --positions {path}")
    assert (code, err) == (0, "")
    assert [line.split("\t")[-1] for line in out.splitlines()] == ["right", "right", "right", "MAX wins"]
    assert [line.split("\t")[0] for line in out.splitlines()] == ["b2 b3", "b2 a1", "-", "b2 b3"]


@pytest.mark.parametrize(
    ("line", "moves", "score"),
    [
        ("121212 4", "121212", 4),  # 4 would be legal
        ("121212 11", "121212", 11),  # and so would 1 1
        ("1 2 1 2 1 2 4", "1212124", None),
        ("1 4", "14", None),
        ("1 +4", "1", 4),
        ("1 2 -2", "12", -2),
        ("121212 1.5", "121212", 1.5),
        ("1212 12 4", "1212124", None),
        ("121212", "121212", None),
    ],
)
def test_moves_that_are_apart_are_moves_to_the_last(run, tmp_path, line, moves, score):
    path = tmp_path / "positions.txt"
    path.write_text(line)
    _, out, _ = run(f"solve {FOUR} --positions {path} --no-compile --json")
    found = json.loads(out)
    assert ("".join(found["moves"]), found.get("score")) == (moves, score)


def test_what_is_neither_moves_nor_a_score_is_said_to_be_neither(run, tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("121212 eleven\n")
    code, out, err = run(f"solve {FOUR} --positions {path} --no-compile")
    assert (code, out) == (2, "")
    assert err == (
        f"perfectplay: {path}, line 1: after 1 2 1 2 1 2, illegal move 'eleven': "
        "the legal moves are 1 2 3 4; what follows moves in one word is a score.\n"
    )
    path.write_text("129 1\n")
    code, out, err = run(f"solve {FOUR} --positions {path} --no-compile")
    assert (code, out) == (2, "")
    assert err == f"perfectplay: {path}, line 1: after 1 2, illegal move '9': the legal moves are 1 2 3 4.\n"


def test_positions_come_from_standard_input_too():
    done = subprocess.run(
        [*PERFECTPLAY, "solve", "tic-tac-toe", "--no-compile", "--positions", "-"],
        input="b2 b3\nb2 9\n",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "b2 b3\t1\ta2\tMAX wins\n")
    assert "perfectplay: standard input, line 2: after b2, illegal move '9'" in done.stderr


# arena


def test_an_elo_difference_of_400_is_ten_to_one():
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1 / 11) == pytest.approx(-400)
    assert (elo(0.5), elo(0), elo(1)) == (0, -inf, inf)
    assert elo(0.75) == pytest.approx(190.8485)


def test_the_error_bar_is_that_of_the_pairs():
    """By hand: pair scores 1, 3/4, 1/2 and 3/4, mean 3/4, variance 2/4**2/3 = 1/24, error of the mean."""
    standing = Standing(((1.0, 1.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0)))
    error = 1.959964 * sqrt(1 / 24 / 4)
    assert (standing.games, standing.tally, standing.score) == (8, (4, 4, 0), 0.75)
    assert standing.limits == pytest.approx((0.75 - error, 0.75 + error))
    limits = (400 * log10(0.54996 / 0.45004), 400 * log10(0.95004 / 0.04996))
    assert standing.elo == pytest.approx((190.8485, *limits), rel=1e-3)


def test_a_pair_that_goes_to_whoever_is_max_says_nothing_about_the_players():
    standing = Standing(((1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.5)))
    assert (standing.tally, standing.score) == ((3, 2, 3), 0.5)
    alike = 0.05**0.25
    assert standing.limits == pytest.approx((alike / 2, 1 - alike / 2))


def test_a_clean_sweep_has_a_lower_limit_only():
    standing = Standing(((1.0, 1.0),) * 10)
    assert standing.limits == pytest.approx((0.05**0.1, 1))
    assert standing.elo[0] == standing.elo[2] == inf
    assert standing.elo[1] == pytest.approx(400 * log10(0.05**0.1 / (1 - 0.05**0.1)))
    assert Standing(()).limits == (0, 1)


def test_openings_are_distinct_positions_up_to_symmetry():
    assert [len(find_openings(TicTacToe(), 100, plies, 0).lines) for plies in range(4)] == [1, 3, 12, 38]
    openings = find_openings(TicTacToe(), 10, None, 0)  # as short as can be
    assert (len(openings.lines), openings.plies, openings.complete) == (10, 2, False)
    assert openings == find_openings(TicTacToe(), 10, None, 0)
    assert openings != find_openings(TicTacToe(), 10, None, 1)


def test_openings_are_drawn_where_there_are_too_many_to_list():
    game = ConnectFour()
    openings = find_openings(game, 30, 12, 0)
    assert {len(line) for line in openings.lines} == {12}
    assert len(set(openings.lines)) == 30


def test_openings_that_end_the_game_are_none():
    with pytest.raises(BadParameterError, match="always over after 2 moves: give shorter openings"):
        find_openings(Nim((1, 1)), 5, 2, 0)
    assert find_openings(Nim((1,)), 5, None, 0).lines == ((),)


def test_a_game_is_written_with_a_number_for_each_turn_of_who_began():
    played = Played(1, ("3",), ("3", "6", "1", "1", "2"), (0, 0, 1, 1, 0), 1.0, cut=False)
    assert played.notation == "1. 3 6 1 1 2. 2 0-1"
    assert replace(played, worth=0.0).notation.endswith("1/2-1/2")


def test_a_game_without_an_end_is_a_draw(monkeypatch):
    monkeypatch.setattr("perfectplay.arena.LENGTH", 3)
    chance = RandomPlayer(0)
    played = play_game(Kalah(), {0: chance, 1: chance}, [], first_is=0)
    assert (played.cut, played.score, len(played.moves)) == (True, 0.5, 3)


def test_each_opening_is_played_with_both_sides(run):
    code, out, _ = run("arena engine:depth=2 random tic-tac-toe --games 6 --openings 2 --show")
    assert code == 0
    games = re.findall(r"^\[\d: (\S+) \(MAX\) - (\S+) \(MIN\), opening (.*)\]\n(.*)$", out, re.M)
    assert len(games) == 6
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first[:2] == second[1::-1] == ("engine:depth=2", "random")
        assert first[2] == second[2]
        assert first[3].startswith(f"1. {first[2]} 2. ")
    assert re.search(r"^games     6: \d won, \d drawn, \d lost by the first$", out, re.M)
    assert re.search(r"^score     [\d.]+ % \([\d.]+ to [\d.]+ % with 95 % confidence\)$", out, re.M)
    assert re.search(r"^Elo       ", out, re.M)


def test_a_better_player_is_found_out(run):
    code, out, _ = run("arena minimax random tic-tac-toe --games 40 --json --show")
    report = json.loads(out)
    assert code == 0
    assert (report["games"], report["openings"], len(report["played"])) == (40, 20, 40)
    assert report["wins"] + report["draws"] + report["losses"] == 40
    assert report["elo_limits"][0] > 0
    assert report["score"] == (report["wins"] + report["draws"] / 2) / 40
    again = json.loads(run("arena minimax random tic-tac-toe --games 40 --json --show")[1])
    assert again["played"] == report["played"]
    assert "the first player is better: minimax" in run("arena minimax random tic-tac-toe --games 40")[1]


def test_too_few_openings_are_said_to_be_so(run):
    _, out, _ = run("arena minimax minimax tic-tac-toe --openings 1 --games 10")
    assert out.startswith("there are only 3 distinct openings of 1 move: 6 games instead of 10.\n")
    assert "too close to call: more games would tell" in out
    _, out, _ = run("arena random random nim:heaps=1 --games 8")
    assert out.startswith("there is only 1 opening without a move: 2 games instead of 8.\n")


def test_settings_of_a_player_go_before_those_for_all():
    deep, shallow = read_players(["engine:depth=4", "engine"], depth=2)
    assert (deep.depth, shallow.depth) == (4, 2)
    slow, fast = read_players(["deepening:seconds=2", "engine:seconds=0.5,threads=2"], seconds=3)
    assert (slow.seconds, fast.seconds, fast.threads) == (2, 0.5, 2)
    assert [player.seconds for player in read_players(["engine", "deepening"])] == [0.1, 0.1]


# bench


def comparison_of(game, **options) -> list[MethodResult]:
    return list(MethodComparison(game, game.initial(), compile="never", **options).results())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("tic-tac-toe", 4),
        ("connect-four:rows=4,cols=5", 5),
        ("kalah:pits=3,seeds=2", 7),
        ("nim", 5),
        ("figure-5.2", 9),
    ],
)
def test_every_method_finds_the_same_value(name, depth):
    game = load_game(name)
    results = comparison_of(game, depth=depth)
    assert len({result.value for result in results}) == 1
    assert disagreement(results) is None
    assert results[0].value == Engine(game, compile="never").search(game.initial(), depth=depth).value
    names = [result.name for result in results]
    assert names[:6] == ["minimax", "alpha-beta", "+ ordering", "+ scouting", "+ table", "+ deepening"]
    assert ("+ knowledge" in names) == bool(knowledge(game))
    assert "MTD(f)" in names


def test_every_part_of_the_search_saves_nodes():
    """All but deepening, whose smaller depths cost more than they save where there is so little to search."""
    results = comparison_of(TicTacToe(), depth=5)
    nodes = {result.name: result.nodes for result in results}
    saving = ("minimax", "alpha-beta", "+ ordering", "+ scouting", "+ table", "+ knowledge")
    climbed = [nodes[name] for name in saving]
    assert climbed == sorted(set(climbed), reverse=True)
    assert nodes["minimax"] > 10 * nodes["alpha-beta"]
    assert nodes["alpha-beta"] > 4 * nodes["+ knowledge"]
    assert all(result.hits == 0 for result in results[:4])
    assert all(result.hits > 0 for result in results[4:])


def test_minimax_visits_every_line_of_play_and_the_branching_factor_says_so():
    minimax = comparison_of(ConnectFour(), depth=4)[0]
    assert minimax.nodes == 1 + 7 + 49 + 343 + 2401
    assert minimax.branching == pytest.approx(2801 ** (1 / 4))


def test_the_depth_is_what_minimax_can_do_within_the_nodes():
    results = comparison_of(ConnectFour(), nodes=3000)
    assert results[0].depth == 4
    assert results[0].nodes == 2801
    solved = comparison_of(Nim((2, 2)))
    assert all(result.exact for result in solved)


@pytest.mark.slow
def test_a_method_that_needs_too_many_nodes_is_left(run):
    _, out, _ = run("bench connect-four --depth 5 --nodes 2000")
    assert re.search(r"^minimax +2,000 .* left after 2,000 nodes$", out, re.M)
    assert re.search(r"^\+ table +\d.*0\.\d+$", out, re.M)
    _, out, _ = run("bench connect-four --depth 5 --nodes 2000 --json")
    results = json.loads(out)["rungs"]
    assert (results[0]["value"], results[0]["branching"], results[0]["note"]) == (
        None,
        None,
        "left after 2,000 nodes",
    )


def test_bench_prints_a_line_for_every_method(run):
    code, out, _ = run("bench tic-tac-toe --depth 3")
    assert code == 0
    assert re.search(r"^minimax +586 +\d+\.\d{3} +0 +8\.37  0\.375$", out, re.M)
    assert "values     the same by every method" in out
    assert "knowledge  canonical" in out
    report = json.loads(run("bench tic-tac-toe --depth 3 --json")[1])
    assert (report["agreed"], report["depth"], report["knowledge"]) == (True, 3, ["canonical"])
    assert [result["value"] for result in report["rungs"]] == [0.375] * len(report["rungs"])


@pytest.mark.slow
def test_values_that_differ_are_said_loudly(run, tmp_path, monkeypatch):
    result = MethodResult("minimax", 3, 1, True, 9, 0, 0.1, knowing=False)
    false = replace(result, name="alpha-beta", value=2)
    assert disagreement([result, result]) is None
    assert disagreement([result, replace(false, knowing=True, exact=False)]) is None  # may know better
    assert "minimax finds 1 and alpha-beta 2, and both cannot be right" in disagreement([result, false])
    monkeypatch.setattr(
        "perfectplay.commands.bench.disagreement", lambda results: disagreement([result, false])
    )
    code, _, err = run("bench nim")
    assert code == 2
    assert err.startswith("perfectplay: THE VALUES DIFFER: minimax finds 1 and alpha-beta 2")


def test_a_ladder_leads_nowhere_where_the_game_is_over():
    game = Nim((1,))
    with pytest.raises(GameOverError):
        MethodComparison(game, game.result(game.initial(), (0, 1)), compile="never")
    with pytest.raises(BadParameterError, match="a depth of 999 cannot be"):
        MethodComparison(game, game.initial(), depth=999, compile="never")


# The rules_only game.


def test_a_bare_game_has_the_rules_and_forgets_the_rest():
    game = ConnectFour(4, 5)
    plain = rules_only(game)
    assert {"bounds", "canonical"} <= set(knowledge(game))
    assert (plain.rows, plain.cols, plain.tops) == (4, 5, game.tops)
    state = game.result(game.initial(), 4)
    assert plain.result(plain.initial(), 4) == state
    assert plain.bounds(state, 0) == (-inf, inf)
    assert plain.canonical(state) == state != game.canonical(state)
    assert knowledge(plain) == []
    assert type(game) is ConnectFour
    assert rules_only(Nim()) == Nim()


class Slotted(Game):
    """A game whose class has slots, whose making takes arguments, and whose rules need its canonical."""

    __slots__ = ("start",)

    def __init__(self, start):
        self.start = start

    def initial(self):
        return self.canonical(self.start)

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(state)

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return state == 0

    def utility(self, state, player):
        return 1 if player == 0 else -1

    def canonical(self, state):
        return min(state, 5)

    def candidates(self, state):
        return [0]


def test_what_the_rules_themselves_call_is_no_mere_knowledge():
    game = Slotted(9)
    assert knowledge(game) == ["candidates"]
    assert rules_only(game).initial() == 5
    assert list(rules_only(game).candidates(3)) == [0, 1, 2]


@pytest.mark.slow
def test_a_bare_game_is_compiled_to_the_same_nodes():
    game = Nim((1, 2))
    object.__setattr__(game, "__class__", KnowingNim)
    plain = rules_only(game)
    compiled, interpreted = Engine(plain, compile="always"), Engine(plain, compile="never")
    assert compiled.solve(plain.initial()).nodes == interpreted.solve(plain.initial()).nodes


class KnowingNim(Nim):
    """Nim with limits."""

    def bounds(self, state, player):
        return -1, 1


# What cannot be done.


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("search checkers", "there is no game 'checkers'"),
        ("search nim --seconds 0", "argument --seconds: '0' cannot be: give a number above 0"),
        ("search nim --seconds nan", "'nan' cannot be: give a number above 0"),
        ("search nim --depth 0", "argument --depth: '0' cannot be: give a whole number of 1 or more"),
        ("search nim --nodes many", "'many' cannot be: give a whole number of 1 or more"),
        ("search nim --threads 0", "argument --threads: '0' cannot be"),
        ("search nim --table-mb -1", "argument --table-mb: '-1' cannot be"),
        ("search nim --table-mb 1e16", "there is no memory for a table of 1e+16 MB: give less"),
        ("search nim --moves z9", "illegal move 'z9'"),
        ("solve nim --positions nowhere.txt", "cannot read 'nowhere.txt': No such file or directory"),
        ("solve nim --positions -x", "expected one argument"),
        ("solve nim --moves a1 --positions x", "not allowed with argument"),
        ("arena engine nim", "the following arguments are required: GAME"),
        ("arena nim engine random", "'nim' is a game: give the two players first"),
        ("arena engin random nim", "there is no player 'engin': did you mean 'engine'?"),
        ("arena engine:deep=3 random nim", "engine has no setting 'deep': did you mean 'depth'?"),
        ("arena engine:depth=x random nim", "cannot read 'depth=x': give engine:depth=NUMBER"),
        ("arena engine:depth random nim", "cannot read 'depth': give engine:depth=NUMBER"),
        ("arena minimax random nim --seconds 1", "neither minimax nor random looks at the clock"),
        ("arena minimax random nim --depth 1", "neither minimax nor random takes a depth"),
        ("arena random random nim:heaps=1 --openings 1", "the game is always over after 1 moves"),
        ("bench nim:heaps=1 --moves a1", "the game is over in this state"),
        ("bench nim --depth 500", "a depth of 500 cannot be: give 1 to 200"),
        ("play nim --with random --threads 2", "random has no threads: use engine for that"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run, line, message):
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert err.startswith("perfectplay: ")
    assert message in err
    assert err.count("\n") == 1


def game_file(tmp_path, method: str) -> str:
    """A file with a game of four digits, each of whose methods works but perhaps the one given."""
    source = f"""
        from perfectplay import Game

        class Broken(Game):
            def initial(self): return 1
            def to_move(self, state): return 0 if state < 10 or 99 < state < 1000 else 1
            def actions(self, state): return range(10 if state < 10000 else 0)
            def result(self, state, action): return 10 * state + action
            def is_terminal(self, state): return state >= 10000
            def utility(self, state, player): return state % 7 if player == 0 else -(state % 7)
            {method}
    """
    path = tmp_path / "broken.py"
    path.write_text(dedent(source))
    return f"{path}:Broken"


RARE_FAULT = (  # in one of ten thousand states
    "def utility(self, state, player):"
    " return (state % 7 if state != 10003 else 1 // (state - 10003)) * (1 if player == 0 else -1)"
)
RARE_QUESTION = "asked for utility(10003, 0) after the moves 0 0 0 3 from 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["search", "solve", "bench", "arena engine engine --openings 0", "play --first computer"]
)
def test_an_error_inside_a_game_names_the_method_and_the_line(run, tmp_path, command):
    code, _, err = run(f"{command} {game_file(tmp_path, RARE_FAULT)}")
    assert code == 2
    assert err.startswith("perfectplay: the game's utility failed with ZeroDivisionError: ")
    assert err.endswith(f"(broken.py, line 11), {RARE_QUESTION}: perfectplay check says more.\n")


@pytest.mark.slow
def test_an_error_inside_compiled_rules_is_pythons_own(capsys, tmp_path):
    code = main(["solve", game_file(tmp_path, RARE_FAULT)])
    captured = capsys.readouterr()
    assert code == 2
    assert captured.err == (
        "perfectplay: the game's utility failed with ZeroDivisionError: integer division or modulo by zero "
        f"(broken.py, line 11), {RARE_QUESTION}: perfectplay check says more.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def key(self, state): return 1", "key(state)"),
        ("def bounds(self, state, player): return 5, 6", "bounds"),
        ("def utility(self, state, player): return 'won'", "gave 'won': give a finite number"),
    ],
)
@pytest.mark.parametrize("command", ["search", "solve", "bench", "play", "arena engine random"])
def test_a_broken_game_is_refused_before_the_engine_sees_it(run, tmp_path, command, method, message):
    code, out, err = run(f"{command} {game_file(tmp_path, method)}")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_a_game_that_goes_round_in_circles_is_searched_but_not_solved(run, tmp_path):
    method = "def result(self, state, action): return state % 9000 + 1 + action"
    path = game_file(tmp_path, method).replace("broken.py", "circle.py")
    (tmp_path / "circle.py").write_text((tmp_path / "broken.py").read_text())
    assert run(f"search {path} --depth 3")[0] == 0
    code, out, err = run(f"solve {path}")
    assert (code, out) == (2, "")
    assert "a line of play goes on for more than 2000 moves" in err


# Real processes.


def interpreted(home: Path, *arguments: str, typed: str = "") -> Command:
    return Command(home, *arguments, "--no-compile", typed=typed)


def test_ctrl_c_ends_a_search_with_the_best_answer_so_far(tmp_path):
    command = interpreted(tmp_path, "search", "connect-four", "--seconds", "120")
    command.read_until("    4  ")
    out, err = command.interrupted()
    assert "best move  " in out
    assert re.search(r"searched   \d+ plies", out)
    assert err == "perfectplay: stopped; this is the best answer so far.\n"


def test_ctrl_c_ends_a_search_in_json_too(tmp_path):
    command = interpreted(tmp_path, "search", "connect-four", "--seconds", "120", "--json")
    command.until_at_work()
    out, err = command.interrupted()
    report = json.loads(out)
    assert report["stopped"] is True
    assert report["action"] in list("1234567")
    assert err == "perfectplay: stopped; this is the best answer so far.\n"


def test_ctrl_c_ends_a_solution_with_what_is_known(tmp_path):
    command = interpreted(tmp_path, "solve", "connect-four", "--rank")
    command.until_at_work()
    out, err = command.interrupted()
    assert re.search(r"value     not known, from -\d+ to \d+ \(to MAX, who is to move\)", out)
    assert err == "perfectplay: stopped; this is what is known so far.\n"


@pytest.mark.slow
def test_ctrl_c_keeps_the_positions_that_were_solved(tmp_path):
    late = " ".join(f"{column}{row}" for row in (1, 2, 3, 4) for column in "abcde")  # on a board of 25
    typed = f"{late}\n{late} a5\n\n"
    command = interpreted(tmp_path, "solve", "mnk:m=5,n=5,k=6", "--positions", "-", typed=typed)
    assert command.read_until("\n") == f"{late}\t0\tc5\ttie\n"
    assert command.read_until("\n").startswith(f"{late} a5\t0\t")
    command.until_at_work()
    out, err = command.interrupted()
    assert out == ""
    assert err == "perfectplay: stopped after 2 positions; their answers are complete.\n"


def test_ctrl_c_ends_the_arena_with_the_result_so_far(tmp_path):
    words = "arena engine:depth=1 random connect-four --games 4000 --show"
    command = interpreted(tmp_path, *words.split())
    command.read_until("[4: ")
    out, err = command.interrupted()
    assert re.search(r"games     \d+: \d+ won, \d+ drawn, \d+ lost", out)
    assert err == "perfectplay: stopped; this is the result so far.\n"


def test_ctrl_c_ends_the_ladder_after_the_methods_that_were_done(tmp_path):
    command = interpreted(tmp_path, "bench", "connect-four", "--depth", "12", "--nodes", "100000000")
    command.until_at_work()
    out, err = command.interrupted()
    assert "minimax " not in out
    assert err == "perfectplay: stopped; these are the methods that were done.\n"


@pytest.mark.parametrize(
    "command", ["search nim", "solve nim --positions -", "arena random random nim", "bench nim"]
)
def test_a_closed_pipe_is_one_sentence(command):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PERFECTPLAY, *command.split(), "--no-compile"],
        input="\n\n",
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert done.returncode == 2
    assert done.stderr == "perfectplay: the output was closed before all of it was written.\n"


def on_a_terminal(*arguments: str) -> tuple[str, str]:
    """What a command writes to a pipe, and what it shows on the terminal that its errors go to."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(
        [*PERFECTPLAY, *arguments], stdout=subprocess.PIPE, stderr=theirs, env=environment, text=True
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait() == 0
    return out, shown.decode()


def test_progress_is_shown_on_the_terminal_while_the_answers_go_to_a_file(tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("b2\n" * 3)
    out, shown = on_a_terminal("solve", "tic-tac-toe", "--positions", str(path), "--no-compile")
    assert out == "b2\t0\ta3\ttie\n" * 3
    assert re.search(r"\d of 3 positions, [\d.]+ a second", shown)
    out, shown = on_a_terminal("arena", "minimax", "random", "tic-tac-toe", "--games", "10")
    assert out.startswith("players   minimax - random\n")
    assert re.search(r"\d+ of 10 games: \+\d =\d -\d", shown)


def test_a_ladder_that_no_method_finishes_says_so(run):
    code, out, _ = run("bench connect-four --depth 3 --nodes 5")
    assert code == 0
    assert "none: every method was left at its limit" in out
    assert "give more --nodes" in out


def test_the_arena_refuses_a_game_that_is_over_before_it_begins(run):
    code, _, err = run("arena random random nim:heaps=0")
    assert (code, err) == (2, "perfectplay: the game is over before it begins: there is nothing to play.\n")
