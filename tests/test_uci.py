"""UCI both ways: programs of others as players, and ours as a program, spoken with over streams."""

from __future__ import annotations

import shutil
import sys
from io import StringIO
from pathlib import Path
from queue import Queue
from time import monotonic

import pytest

from extras import needed
from perfectplay import load_game
from perfectplay.adapters import uci
from perfectplay.adapters.uci import UciPlayer, UciProgram, read_player
from perfectplay.adapters.uci_server import UciServer, _limits
from perfectplay.cli import main
from perfectplay.errors import ForeignEngineError, PerfectPlayError, UnsuitedGameError
from perfectplay.play import find_player, require_suited
from perfectplay.textbook import Counted

needed("chess")

PROGRAM = f"{sys.executable} {Path(__file__).with_name('uci_program.py')}"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


class Conversation:
    """A server in this process: what is said to it waits for what it answers."""

    def __init__(self, game: str) -> None:
        self.said: list[str] = []
        self.heard: Queue[str] = Queue()
        self.server = UciServer(load_game(game), self._hear, name="ours")

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self.heard.put(line)

    def ask(self, *lines: str) -> list[str]:
        """Everything it says until a line that ends an answer."""
        before = len(self.said)
        for line in lines:
            self.server._answer(line.split(), line)
        while not self.said[before:] or self.said[-1].split()[0] not in ("uciok", "readyok", "bestmove"):
            self.heard.get(timeout=30)
        return self.said[before:]


@pytest.fixture(scope="module")
def firstmover():
    program = UciProgram(PROGRAM, {"Skill Level": "7"})
    yield program
    program.close()


def test_a_program_says_its_name_and_its_move(firstmover):
    assert firstmover.name == "Firstmover 1.0"
    told = firstmover.move(BACK_RANK, depth=1)
    assert told == uci.Told("d1a1", 3, 12, "cp 7")


def test_a_program_is_a_player_of_chess_and_of_chess_endgames(firstmover):
    for name in (f"chess:fen={BACK_RANK}", "chess-endgame:men=KRK,fen=8/8/8/4k3/8/8/8/KR6 w"):
        game = load_game(name)
        player = UciPlayer(PROGRAM, depth=1)
        player.program = firstmover
        counted = Counted(game)
        action = player.choose(counted, game.initial())
        assert action == min(game.actions(game.initial()), key=lambda each: uci_name(game, each))
        assert (player.account(), counted.results) == ("cp 7, depth 3, 12 nodes", 12)


def uci_name(game, action):
    return game.action_name(action).lstrip("KRQBN").replace("-", "").replace("x", "")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-program-at-all", "cannot start 'no-such-program-at-all': No such file or directory; give "),
        (f"{PROGRAM} mute", "has ended: is '"),
    ],
)
def test_what_is_no_program_that_speaks_uci_is_refused_in_a_sentence(command, sentence):
    with pytest.raises(ForeignEngineError) as refusal:
        UciProgram(command)
    assert sentence in str(refusal.value)


def test_a_program_that_says_nothing_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(uci, "STARTING", 0.2)
    began = monotonic()
    with pytest.raises(ForeignEngineError, match=r"says nothing after 0\.2 seconds: does it speak UCI\?"):
        UciProgram(f"{PROGRAM} silent")
    assert monotonic() - began < 20


@pytest.mark.parametrize(("way", "sentence"), [("wrong", "plays what is no move"), ("late", "has ended")])
def test_a_program_that_fails_at_a_move_is_named(way, sentence):
    game = load_game("chess")
    player = read_player(f"{PROGRAM} {way}", depth=1)
    with pytest.raises(ForeignEngineError, match=rf"Firstmover 1\.0 {sentence}"):
        player.choose(Counted(game), game.initial())
    player.program.close()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uci:", "uci plays by a program: give uci:COMMAND, as in uci:stockfish."),
        ("uci:x,depth", "cannot read 'depth': give uci:COMMAND,NAME=VALUE."),
        ("uci:x,depth=no", "cannot read 'depth=no': give a number above 0."),
    ],
)
def test_settings_that_cannot_be_are_refused(text, sentence):
    with pytest.raises(PerfectPlayError) as refusal:
        find_player(text)
    assert str(refusal.value) == sentence


def test_settings_of_its_own_replace_those_for_all():
    player = find_player("uci:a b,depth=2,Skill Level=3", seconds=5)
    assert (player.command, player.depth, player.seconds) == ("a b", 2, None)
    assert player.options == {"Skill Level": "3"}
    assert find_player("uci:x", seconds=5).seconds == 5


def test_a_game_without_fen_is_refused_before_anyone_sits_down():
    with pytest.raises(UnsuitedGameError, match="a UCI program is told positions in FEN, and Kalah has none"):
        require_suited(find_player("uci:x"), load_game("kalah"))


def test_programs_meet_in_the_arena(capsys):
    chess = f"chess:fen={BACK_RANK}"
    players = [f"uci:{PROGRAM},depth=1", "engine:depth=2"]
    assert main(["arena", *players, chess, "--games", "2", "--openings", "0", "--show"]) == 0
    assert "d1d8 1-0" in capsys.readouterr().out  # the engine as White mates at once


@pytest.mark.skipif(STOCKFISH is None, reason="there is no stockfish on this machine")
def test_stockfish_mates_and_takes_options():
    program = UciProgram(STOCKFISH, {"Threads": "1", "Hash": "1"})
    assert program.move(BACK_RANK, depth=3)._replace(nodes=0, depth=0) == uci.Told("d1d8", 0, 0, "mate 1")
    program.close()
    with pytest.raises(PerfectPlayError, match=r"has no option 'Colour'; it has: .*skill level"):
        UciProgram(STOCKFISH, {"Colour": "red"})


# Ours as a program.


def test_ours_greets_and_mates():
    ours = Conversation("chess")
    greeting = ours.ask("uci")
    assert greeting[0] == "id name ours"
    assert "option name Hash type spin default 64 min 1 max 65536" in greeting
    assert ours.ask("isready") == ["readyok"]
    told = ours.ask(f"position fen {BACK_RANK} moves f2f3 g8h8", "go depth 3")
    assert told[-1] == "bestmove d1d8"
    assert any("score mate 1 " in line and line.endswith("pv d1d8") for line in told)


def test_ours_plays_any_game_from_the_start_by_its_moves():
    ours = Conversation("nim:heaps=1+2")
    assert ours.ask("position startpos moves a1", "go nodes 1000")[-1] == "bestmove b2"
    assert ours.ask("position startpos moves a1 b2", "go depth 4")[-1] == "bestmove 0000"
    assert ours.ask("ucinewgame", "go depth 9")[-1] == "bestmove b1"


def test_infinite_lasts_until_stop():
    ours = Conversation("nim:heaps=1+2")
    ours.server._answer(["go", "infinite"], "go infinite")
    while not any("pv" in line for line in ours.said):
        ours.heard.get(timeout=30)
    assert not any(line.startswith("bestmove") for line in ours.said)
    assert ours.ask("stop")[-1] == "bestmove b1"


def test_ours_says_what_it_cannot_do():
    ours = Conversation("nim:heaps=1+2")
    for line in (
        "setoption name Ponder value true",
        "setoption name Hash value 0",
        "position startpos moves z9",
    ):
        ours.server._answer(line.split(), line)
    ours.server._answer(["position", "fen", "8/8"], "")
    assert ours.said == [
        "info string there is no option 'Ponder': Hash and Threads are all",
        "info string Hash cannot be '0': give 1 to 65536",
        "info string illegal move 'z9': the legal moves are a1 b1 b2.",
        "info string Nim has no notation for positions: give the moves that lead to '8/8'.",
    ]
    ours.ask("setoption name Hash value 1", "setoption name Threads value 2", "isready")
    assert (ours.server.engine.table_mb, ours.server.engine.threads) == (1, 2)


def test_a_clock_gives_a_part_of_itself():
    assert _limits(["wtime", "60000", "btime", "1000", "winc", "1000"], 0).seconds == pytest.approx(2.8)
    assert _limits(["wtime", "60000", "btime", "30000", "movestogo", "10"], 1).seconds == pytest.approx(3.0)
    assert _limits(["wtime", "10", "btime", "10"], 0).seconds == 0.001
    assert _limits(["movetime", "250"], 0) == (0.25, None, None, False)
    assert _limits([], 0).infinite


def test_the_command_speaks_it_over_the_standard_streams(monkeypatch, capsys):
    lines = "uci\nposition startpos moves a1\nd\ngo depth 3\nisready\nquit\n"
    monkeypatch.setattr(sys, "stdin", StringIO(lines))
    assert main(["uci", "nim:heaps=1+2", "--no-compile"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("id name perfectplay ")
    assert told[-1] in ("readyok", "bestmove b2")


def test_a_game_with_dice_is_refused(capsys):
    assert main(["uci", "pig"]) == 2
    assert "a UCI engine cannot play dice" in capsys.readouterr().err
