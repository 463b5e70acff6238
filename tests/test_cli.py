"""The command line, as people use it: what it prints, and what it says to what cannot be done."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from textwrap import dedent

import pytest

from awaited import Command
from perfectplay import GAMES
from perfectplay.cli import main
from perfectplay.commands import COMMANDS
from perfectplay.textbook import ALGORITHMS

PERFECTPLAY = [sys.executable, "-m", "perfectplay"]


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; give its exit code, output and errors."""

    def command(line: str, *more: str, typed: str = ""):
        monkeypatch.setattr(sys, "stdin", Typed(typed))
        code = main([*line.split(), *more])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


class Typed:
    """Standard input that is not a terminal."""

    def __init__(self, text: str) -> None:
        self.lines = iter(text.splitlines(keepends=True))

    def readline(self) -> str:
        return next(self.lines, "")

    def isatty(self) -> bool:
        return False


# games


def test_games_lists_every_game_with_its_parameters(run):
    code, out, _ = run("games")
    assert code == 0
    assert all(name in out for name in GAMES)
    assert "connect-four:rows=6,cols=7,k=4,score=distance" in out


def test_games_shows_one_game_with_its_board_and_moves(run):
    _, out, _ = run("games connect-four:rows=2,cols=3")
    assert ". . .\n. . .\n1 2 3" in out
    assert "score=distance: course or distance or outcome" in out
    assert "moves at the start: 1 2 3" in out


def test_games_in_json_has_defaults_and_choices(run):
    _, out, _ = run("games --json")
    games = {game["name"]: game for game in json.loads(out)}
    assert games.keys() == GAMES.keys()
    assert games["kalah"]["parameters"]["pits"] == {"default": 6, "choices": "a whole number"}
    _, out, _ = run("games nim:heaps=2+2 --json")
    assert [game["name"] for game in json.loads(out)] == ["nim:heaps=2+2"]


# textbook


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_runs_by_name_on_the_books_tree(run, algorithm):
    code, out, _ = run(f"textbook {algorithm} figure-5.2")
    assert code == 0
    assert "best action  a1" in out
    if ALGORITHMS[algorithm].exact:
        assert "value        3 (to MAX)" in out
        assert "MAX wins with best play (the player to move)" in out
    else:
        assert "an average of play at random" in out
    assert ("entries" in out) == ALGORITHMS[algorithm].has_table
    assert ("prunings" in out) == ALGORITHMS[algorithm].prunes
    assert ("this form can be wrong" in out) != ALGORITHMS[algorithm].sound


def test_the_courses_program_is_one_line(run):
    _, out, _ = run("textbook alpha-beta connect-four:rows=3,cols=4,k=3,score=course --json")
    report = json.loads(out)
    assert report.pop("seconds") >= 0
    assert report.pop("nodes") > 926
    assert report == {
        "game": "connect-four:rows=3,cols=4,k=3,score=course",
        "algorithm": "alpha-beta",
        "moves": [],
        "to_move": "MAX",
        "value": 13333,
        "action": "2",
        "winner": "MAX",
        "estimate": False,
        "sound": False,
        "depth": None,
        "entries": 926,
        "prunings": 986,
    }


def test_moves_are_made_before_the_search(run):
    _, out, _ = run("textbook minimax tic-tac-toe --json --moves b2 a2 a1 c3")
    assert json.loads(out)["winner"] == "MAX"
    _, out, _ = run("textbook minimax connect-four:rows=4,cols=4 --json --moves 1122")
    assert json.loads(out)["moves"] == ["1", "1", "2", "2"]


def test_a_depth_makes_it_an_estimate(run):
    _, out, _ = run("textbook sound-alpha-beta connect-four --depth 2")
    assert "sound-alpha-beta, 2 moves ahead" in out
    assert "an estimate, which looking further ahead may change" in out
    _, out, _ = run("textbook sound-alpha-beta nim:heaps=2+2 --depth 9 --json")
    report = json.loads(out)
    assert (report["estimate"], report["winner"]) == (False, "MIN")


def test_a_finished_game_and_a_tie_have_words(run):
    _, out, _ = run("textbook minimax nim:heaps=1 --moves a1")
    assert "the game is over: MAX wins" in out
    assert "none: the game is over" in out
    _, out, _ = run("textbook alpha-beta tic-tac-toe --moves b2 a1")
    assert "a tie with best play" in out
    _, out, _ = run("textbook minimax nim:heaps=2+2")
    assert "MIN wins with best play (MAX is to move)" in out


# play


def test_one_plays_by_typing_moves_and_the_computer_answers(run):
    code, out, _ = run("play tic-tac-toe --with minimax", typed="b2\na1\n")
    assert code == 0
    assert "minimax: with best play a tie (value 0); 5,478 states in the table" in out
    assert "MAX, your move: b2" in out
    assert "minimax plays a3" in out
    assert "The input has ended" in out


def test_a_game_is_played_to_its_end(run):
    _, out, _ = run("play nim:heaps=1+1 --with minimax", typed="a1\n")
    assert "You lose: MIN wins (utility -1 to MAX)." in out
    _, out, _ = run("play nim:heaps=1+2 --with random", typed="b1\nb1\na1\n" * 3)
    assert "You win: MAX wins" in out
    _, out, _ = run("play mnk:m=1,n=1,k=2 --with minimax", typed="a1\n")
    assert "A tie." in out


def test_the_computer_may_move_first(run):
    _, out, _ = run("play nim:heaps=1+2 --with alpha-beta --first computer", typed="quit\n")
    assert "You are MIN, against alpha-beta." in out
    assert "alpha-beta plays b1" in out
    assert "Goodbye." in out


def test_bad_input_is_asked_for_again_and_the_words_work(run):
    _, out, _ = run("play tic-tac-toe --with minimax", typed="z9\n\nmoves\nhint\nundo\nb2\nundo\nc3\nquit\n")
    assert "illegal move 'z9': the legal moves are a3 b3 c3" in out
    assert out.count("Type a move, or: ") == 2
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1\n" in out
    assert "minimax would play a3" in out
    assert "There is no move of yours to take back." in out
    assert out.count("3 . . .\n 2 . . .\n 1 . . .") == 2  # at the start, and again after undo
    assert "3 . . X" in out


def test_one_types_one_move_at_a_time(run):
    _, out, _ = run("play connect-four --with random", typed="44\nquit\n")
    assert "illegal move '44'" in out
    assert "plays" not in out


def test_undo_takes_back_the_computers_moves_too_where_it_moved_twice(run):
    typed = "1\nundo\nmoves\nquit\n"
    _, out, _ = run("play kalah:pits=3,seeds=2 --with random", typed=typed)
    assert out.count("South to move") >= 2
    assert "\n1 2 3\n" in out


@pytest.mark.slow
def test_the_default_opponent_answers_on_the_full_connect_four_board(run):
    _, out, _ = run("play connect-four --seconds 0.05", typed="4\nquit\n")
    assert re.search(r"engine plays [1-7] \(value \S+ by estimate, depth \d+, [\d,]+ nodes\)", out)


def test_moves_made_beforehand_cannot_be_undone(run):
    _, out, _ = run("play tic-tac-toe --with random --moves b2 a1", typed="undo\nquit\n")
    assert "There is no move of yours to take back." in out


def test_a_game_that_is_over_already_says_so(run):
    code, out, _ = run("play nim:heaps=1 --moves a1")
    assert code == 0
    assert "You win" in out


# check


@pytest.mark.slow
def test_check_passes_a_lawful_game(run):
    code, out, _ = run("check tic-tac-toe")
    assert code == 0
    assert out.startswith("TicTacToe: lawful; all 5,478 states")


def test_check_finds_what_is_wrong_and_exits_with_1(run, tmp_path):
    path = game_file(tmp_path, "def utility(self, state, player): return 1")
    code, out, _ = run(f"check {path}:Broken")
    assert code == 1
    assert "error" in out
    code, out, _ = run(f"check {path}:Broken --json")
    report = json.loads(out)
    assert code == 1
    assert report["ok"] is False
    assert report["findings"][0]["severity"] == "error"


# What cannot be done.


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("textbok", "there is no command 'textbok': did you mean 'textbook'?"),
        ("textbook", "the following arguments are required: ALGORITHM, GAME"),
        ("textbook minmax nim", "there is no algorithm 'minmax': did you mean 'minimax'?"),
        ("textbook minimax checkers", "there is no game 'checkers'"),
        ("textbook minimax nim:heap=3", "nim has no parameter 'heap': did you mean 'heaps'?"),
        ("textbook minimax nim --moves z", "illegal move 'z'"),
        ("textbook minimax nim --depth 3", "minimax always looks to the end of the game"),
        ("textbook sound-alpha-beta nim --depth 0", "a depth of 0 finds no move"),
        ("textbook sound-alpha-beta nim --depth x", "invalid int value: 'x'"),
        ("textbook minimax nim --jsn", "unrecognized arguments: --jsn"),
        ("play nim --with gpt", "there is no player 'gpt'"),
        ("play nim --first me", "invalid choice: 'me'"),
        ("play nim --with minimax --seconds 3", "minimax does not look at the clock"),
        ("games kalha", "there is no game 'kalha': did you mean 'kalah'?"),
        ("games kalha --json", "there is no game 'kalha': did you mean 'kalah'?"),
        ("check nowhere.py:Game", "there is no file 'nowhere.py'"),
        ("check nim --states -1", "cannot check with -1 states"),
        ("check nim --seconds nan", "nan seconds: give at least"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run, line, message):
    code, out, err = run(line)
    assert code == 2
    assert out == ""
    assert err.startswith("perfectplay: ")
    assert message in err
    assert err.count("\n") == 1


def game_file(tmp_path, method: str) -> str:
    """A file with a game, one of whose methods is as given."""
    source = """
        from perfectplay import Game

        class Broken(Game):
            def initial(self): return (3, 0)
            def to_move(self, state): return state[1]
            def actions(self, state): return [1] if state[0] else []
            def result(self, state, action): return (state[0] - 1, 1 - state[1])
            def is_terminal(self, state): return state[0] == 0
            def utility(self, state, player): return -1 if player == state[1] else 1
    """
    path = tmp_path / "broken.py"
    path.write_text(f"{dedent(source)}    {method}\n")
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_game_that_goes_round_in_circles_is_named_as_such(run, tmp_path, algorithm):
    path = game_file(tmp_path, "def result(self, state, action): return (1 + state[0] % 3, 1 - state[1])")
    code, out, err = run(f"textbook {algorithm} {path}:Broken")
    if ALGORITHMS[algorithm].depth:
        assert code == 0
    elif ALGORITHMS[algorithm].takes_playouts:
        assert (code, out) == (2, "")
        assert "a playout has not come to an end after 20,000 moves: the game can go round in circles" in err
    else:
        assert (code, out) == (2, "")
        assert f"come back to the same state (after 6 more moves), so {algorithm} has no end to reach" in err


def test_a_move_that_changes_nothing_is_a_circle_too(run, tmp_path):
    path = game_file(tmp_path, "def result(self, state, action): return state")
    code, _, err = run(f"textbook minimax-search {path}:Broken")
    assert code == 2
    assert "come back to the same state (after 1 more moves)" in err


@pytest.mark.slow
def test_a_game_too_deep_for_pythons_stack_is_named_as_such(run, tmp_path):
    path = game_file(tmp_path, "def initial(self): return (10**6, 0)")
    for algorithm in ALGORITHMS:
        if ALGORITHMS[algorithm].takes_playouts:  # which plays it out, though that takes its time
            continue
        code, _, err = run(f"textbook {algorithm} {path}:Broken")
        if not ALGORITHMS[algorithm].depth:
            assert code == 2
            assert re.search(r"a line of play goes on for more than \d{3,} moves", err), (algorithm, err)


def test_a_method_that_calls_itself_is_named_as_such(run, tmp_path):
    path = rare_fault(tmp_path, "self.utility(state, player)")
    code, _, err = run(f"textbook minimax {path}:Broken")
    assert code == 2
    assert "a method of the game calls itself without end" in err


def test_an_error_inside_a_game_names_the_method_and_the_line(run, tmp_path):
    path = rare_fault(tmp_path, "1 // 0")
    code, _, err = run(f"textbook minimax {path}:Broken")
    assert code == 2
    assert "the game's utility failed with ZeroDivisionError" in err
    assert "(broken.py, line 11)" in err


def rare_fault(tmp_path, fault: str) -> str:
    """A file with a game of four digits each, whose utility fails for one of its ten thousand ends."""
    source = f"""
        from perfectplay import Game

        class Broken(Game):
            def initial(self): return 1
            def to_move(self, state): return len(str(state)) % 2
            def actions(self, state): return range(10) if state < 10000 else ()
            def result(self, state, action): return 10 * state + action
            def is_terminal(self, state): return state >= 10000
            def utility(self, state, player):
                sign = 1 if player == 0 else -1
                return sign * (state % 7 if state != 17777 else {fault})
    """
    path = tmp_path / "broken.py"
    path.write_text(dedent(source).strip())
    return str(path)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (
            "def is_terminal(self, state): return False",
            "is_terminal(state) is False, and actions(state) gave []",
        ),
        ("def utility(self, state, player): return float('nan')", "gave nan: give a finite number"),
        ("def utility(self, state, player): return 'won'", "gave 'won': give a finite number"),
        ("def to_move(self, state): return 'MAX'", "to_move(state) gave 'MAX': give a player"),
        ("def initial(self): return [3, 0]", "initial() gave [3, 0]: give a state that has a hash"),
        ("def actions(self, state): pass", "actions(state) gave None: give a list"),
        ("def render(self, state): return 5", "render(state) gave 5: give a str"),
        ("def result(self, state, action): raise SystemExit(3)", "raised SystemExit: 3"),
    ],
)
@pytest.mark.parametrize("command", ["textbook minimax", "play"])
def test_a_broken_game_is_refused_before_it_is_used(run, tmp_path, command, method, message):
    code, out, err = run(f"{command} {game_file(tmp_path, method)}:Broken")
    assert (code, out) == (2, "")
    assert message in err
    assert err.endswith("broken.py:Broken says more.\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "method",
    [
        "def key(self, state): return 1",
        "def canonical(self, state): return (2, 0)",
        "def bounds(self, state, player): return (5, 6)",
    ],
)
def test_what_no_algorithm_asks_is_no_reason_to_refuse_a_game(run, tmp_path, method):
    code, out, _ = run(f"textbook minimax {game_file(tmp_path, method)}:Broken")
    assert code == 0
    assert "MAX wins" in out


def test_a_disk_that_fails_inside_a_game_is_the_games_own(run, tmp_path):
    path = rare_fault(tmp_path, "open('nowhere/at/all').read()")
    code, _, err = run(f"textbook minimax {path}:Broken")
    assert code == 2
    assert "the game's utility failed with FileNotFoundError" in err


def test_a_game_of_ones_own_is_described_with_parameters_of_any_kind(run, tmp_path):
    path = game_file(tmp_path, "def __init__(self, size, cells=frozenset({1})): pass")
    _, out, _ = run(f"games {path}:Broken:size=3 --json")
    assert json.loads(out)[0]["parameters"]["size"] == {"default": None, "choices": "a word"}


def test_a_broken_game_is_not_described(run, tmp_path):
    code, out, err = run(f"games {game_file(tmp_path, 'def render(self, state): pass')}:Broken")
    assert (code, out) == (2, "")
    assert "render(state) gave None: give a str" in err


def test_a_proven_win_within_the_depth_is_no_estimate(run):
    for algorithm in ("sound-alpha-beta", "alpha-beta-with-heuristics"):
        _, out, _ = run(f"textbook {algorithm} tic-tac-toe --depth 1 --moves a3 a2 b3 b2")
        assert f"{algorithm}, 1 move ahead" in out
        assert "MAX wins with best play" in out


def test_a_move_may_be_called_like_a_command(run, tmp_path):
    path = game_file(tmp_path, "def action_name(self, action): return 'quit'")
    _, out, _ = run(f"play {path}:Broken --with random", typed="quit\nquit\n")
    assert "You win" in out


def test_the_order_of_algorithm_and_game_is_explained(run):
    assert "give the algorithm first" in run("textbook tic-tac-toe minimax")[2]


def test_a_mistake_of_our_own_is_called_one(run, monkeypatch):
    monkeypatch.setattr("perfectplay.commands.games.GAMES", None)
    code, _, err = run("games")
    assert code == 2
    assert "this is a bug in perfectplay (AttributeError" in err
    monkeypatch.setenv("PERFECTPLAY_DEBUG", "1")
    with pytest.raises(AttributeError):
        main(["games"])


def test_running_out_of_memory_is_one_sentence(run, monkeypatch):
    def exhausted(name):
        raise MemoryError

    monkeypatch.setattr("perfectplay.commands.consulting.load_game", exhausted)
    assert run("textbook minimax nim")[0::2] == (
        2,
        "perfectplay: out of memory: try a smaller board, or an algorithm with a depth.\n",
    )


# Streams of any kind.


class Unreadable(io.StringIO):
    """Standard input that nobody may read, as that of many test runners."""

    def readline(self, size: int = -1) -> str:
        raise OSError("reading from stdin while output is captured")


class WriteOnly:
    """All that print() asks of a stream."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("errors", [None, closed, io.StringIO, WriteOnly])
@pytest.mark.parametrize("source", [None, closed, Unreadable, io.StringIO])
@pytest.mark.parametrize("target", [io.StringIO, WriteOnly])
def test_a_game_is_played_whatever_the_streams_are(monkeypatch, target, source, errors):
    output = target()
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(sys, "stdin", source and source())
    monkeypatch.setattr(sys, "stderr", errors and errors())
    assert main(["play", "tic-tac-toe", "--no-compile", "--seconds", "0"]) == 0
    said = output.getvalue() if target is io.StringIO else output.text
    assert said.endswith("MAX, your move: \nThe input has ended, and with it the game.\n")


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (io.TextIOWrapper(io.BufferedReader(io.BytesIO())), "cannot write the output: not writable."),
        (closed(), "there is no standard output to write to."),
    ],
)
def test_output_that_cannot_be_written_is_one_sentence_even_without_a_descriptor(
    monkeypatch, capsys, output, sentence
):
    monkeypatch.setattr(sys, "stdout", output)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == f"perfectplay: {sentence}\n"
    monkeypatch.setattr(sys, "stderr", closed())
    assert main(["games"]) == 2


# Real processes.


@pytest.mark.parametrize(
    ("redirection", "sentence"),
    [
        ("games >&-", "there is no standard output to write to."),
        ("games chess >&- 2>&-", ""),
        ("play tic-tac-toe --with random <&- >/dev/null", ""),
    ],
)
def test_closed_streams_are_no_bug(redirection, sentence):
    done = subprocess.run(
        f"{' '.join(PERFECTPLAY)} {redirection}", shell=True, stderr=subprocess.PIPE, text=True
    )
    assert done.stderr == (f"perfectplay: {sentence}\n" if sentence else "")


def test_a_terminal_without_unicode_gets_question_marks():
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*PERFECTPLAY, "games", "figure-5.2"], env=environment, capture_output=True, text=True, check=True
    )
    assert "?? a1: B MIN" in done.stdout


def test_a_closed_pipe_is_one_sentence():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PERFECTPLAY, "games"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 2
    assert done.stderr == "perfectplay: the output was closed before all of it was written.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_one_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PERFECTPLAY, "games"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "perfectplay: cannot write the output: No space left on device.\n"


def test_ctrl_c_is_one_sentence(tmp_path):
    told = "perfectplay: stopped; run it again to start over.\n"
    search = Command(tmp_path, "textbook", "minimax", "connect-four")
    search.until_at_work()
    assert search.interrupted()[1] == told
    match = Command(tmp_path, "play", "connect-four")
    match.read_until("your move: ")
    assert match.interrupted()[1] == told


def on_a_terminal(*arguments: str) -> str:
    """What a command shows on a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*PERFECTPLAY, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
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
    assert process.wait() == 0
    return shown.decode()


def test_boards_are_coloured_on_a_terminal_and_plain_in_a_pipe():
    arguments = ["textbook", "minimax", "tic-tac-toe", "--moves", "b2"]
    assert "\x1b[" in on_a_terminal(*arguments)
    piped = subprocess.run([*PERFECTPLAY, *arguments], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout
    assert piped.stderr == ""


@pytest.mark.slow
def test_a_long_search_shows_how_far_it_has_come_on_a_terminal():
    shown = on_a_terminal("textbook", "minimax", "connect-four:rows=4,cols=4,k=4")
    assert re.search(r"minimax: [\d,]+ nodes, \d+ s \(Ctrl-C stops\)", shown)


def test_help_teaches_every_command_and_algorithm(capsys):
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command, "--help"])
        assert stopped.value.code == 0
        out = capsys.readouterr().out
        assert "perfectplay " + command in out
        if command == "textbook":
            assert all(name in out for name in ALGORITHMS)
