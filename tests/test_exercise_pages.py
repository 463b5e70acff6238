"""Exercises on paper and in the terminal: sheets keep their secrets, the command line asks and explains."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser

import pytest

from awaited import Command
from perfectplay.cli import main
from perfectplay.exercise import KINDS, RANDOM_KINDS, Exercise, make_exercise
from perfectplay.exercise.sheet import sheet, solution
from perfectplay.exercise.text import boards_text, sheet_text
from perfectplay.games import TicTacToe, load_game
from test_exercise import NAMES, Namesakes, Wordy, book, exercise, right_answers, tree_exercise

# Pages.


class Page(HTMLParser):
    """What is on a page: its elements, their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for kind in KINDS for name in (NAMES if kind not in RANDOM_KINDS else NAMES[:1])],
)
def test_a_sheet_and_its_data_are_made_without_looking_at_the_answers(name, kind, monkeypatch):
    made = make_exercise(load_game(name), seed=1, kind=kind)
    for part in ("run", "explainer"):
        monkeypatch.delitem(vars(made), part, raising=False)
        monkeypatch.setattr(Exercise, part, property(lambda _: pytest.fail("somebody looked at the answers")))
    blank = sheet([made])
    made.to_dict()
    sheet_text(made)
    assert "Name" in blank
    assert sum(map(blank.count, ("<polygon", "<circle", "<rect"))) >= len(made.tree.inner)


def test_a_sheet_has_blanks_and_the_solution_has_values_windows_cuts_and_reasons():
    made = book()
    blank, filled = Page(sheet([made])), Page(solution([made]))
    for words in ("(3, ∞)", "(3, inf)", "2 <= alpha 3", "comes by a1", "c2, c3"):
        assert words not in blank.text
        assert words in filled.text
    assert blank.text.count("The rules") == 1
    assert "solution" not in blank.text.lower()
    assert "seed 0" in blank.text


def test_the_inner_values_are_not_on_the_sheet():
    made = tree_exercise([[71, 62, 83], [54, 45, 36]])
    assert made.wanted(made.questions[-2]) == "62"
    svg = sheet([made]).partition("<svg")[2].partition("</svg>")[0]
    shown = re.findall(r">(-?\d+)</text>", svg.replace("\N{MINUS SIGN}", "-"))
    assert sorted(shown) == sorted(
        ["0", "1", "0", "1", "2", "0", "1", "2", "71", "62", "83", "54", "45", "36"]
    )


@pytest.mark.parametrize("write", [sheet, solution])
def test_pages_need_no_script_no_network_and_no_inline_style(write):
    page = write([exercise(name, 2) for name in NAMES])
    assert not {"script", "link", "img", "iframe", "object"} & set(Page(page).tags)
    assert not [
        name for name in Page(page).names if name.startswith("on") or name in ("style", "src", "href")
    ]
    assert "default-src 'none'" in page
    assert page.count('<section class="page">') == len(NAMES)


@pytest.mark.parametrize("game", [Wordy(), Namesakes()])
def test_what_a_game_says_is_escaped(game):
    made = make_exercise(game, seed=3, name="<i>mine</i>", moves=["<u>"])
    for page in (sheet([made]), solution([made]), sheet([made], {"stylesheet": '/x.css"><script>'})):
        assert not {"script", "b", "i", "u"} & set(Page(page).tags) - ({"b"} if "solution" in page else set())
        assert "<script>" not in page
        assert "onclick='x'" not in page
        assert "\x00" not in page
    assert "alert(1)" in Page(solution([make_exercise(Wordy(), seed=3)])).text


def test_boards_in_letters_have_one_size_on_a_sheet():
    class Growing(TicTacToe):
        def scene(self, state):
            return None

        def render(self, state):
            return "x" * (1 + len(list(self.actions(state))))

    sizes = re.findall(r'monospace" font-size="([\d.]+)"', sheet([make_exercise(Growing(), seed=5)]))
    assert len(sizes) > 5
    assert len(set(sizes)) == 1


def test_a_stylesheet_may_be_linked_to_where_styles_in_the_page_are_forbidden():
    page = sheet([book()], {"stylesheet": "/exercise/sheet.css"})
    assert '<link rel="stylesheet" href="/exercise/sheet.css">' in page
    assert "style" not in Page(page).tags


def test_the_data_for_a_page_can_be_written_as_json():
    made = exercise("connect-four", 3)
    told = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert {node["name"] for node in told["nodes"]} == made.tree.nodes.keys()
    assert told["nodes"][0]["scene"]["clicks"] == []
    assert [question["name"] for question in told["questions"]] == [each.name for each in made.questions]
    assert "solution" not in told


def test_boards_are_set_side_by_side_if_they_are_small():
    lines = boards_text(exercise("tic-tac-toe", 5)).splitlines()
    assert lines[0].split() == ["A", "B", "C", "D", "E", "F"]
    assert max(map(len, lines)) <= 78
    assert boards_text(book()) == ""
    large = boards_text(exercise("othello", 1))
    assert large.splitlines()[0].split()[0] == "A"


# The command line.


@pytest.fixture
def command(capsys, monkeypatch):
    """Run a command with lines that are typed; give its exit code, output and errors."""

    def run_command(line: str, *typed: str):
        monkeypatch.setattr(sys, "stdin", Typed(typed))
        code = main(["exercise", *line.split()])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_command


class Typed:
    """Standard input that is not a terminal."""

    def __init__(self, lines) -> None:
        self.lines = iter(f"{line}\n" for line in lines)

    def readline(self) -> str:
        line = next(self.lines, "")
        if line == "^C\n":
            raise KeyboardInterrupt
        return line

    def isatty(self) -> bool:
        return False


def test_an_exercise_in_the_terminal_judges_each_answer_and_gives_the_score(command):
    right = list(right_answers(book()).values())
    code, out, _ = command("figure-5.2 --seed 0", *right)
    assert code == 0
    assert out.count("Right.") == len(right) == 13
    assert "13 of 13 right." in out
    assert "├─ a1: B MIN\n│  ├─ b1: [3]" in out


def test_wrong_answers_are_put_right(command):
    _, out, _ = command("figure-5.2 --seed 0", "(-inf, inf)", "-inf inf", "b3", "12", "quit")
    assert "Wrong: it is none.\n" in out
    assert "Wrong: it is 3.\n12 is the largest: B is MIN." in out
    assert "2 of 13 right, 9 not answered." in out


def test_an_answer_that_cannot_be_read_is_asked_for_again(command):
    _, out, _ = command("figure-5.2 --seed 0", "what", "(-inf, inf)", "quit")
    assert "cannot read 'what': give alpha and beta" in out
    assert "1 of 13 right, 12 not answered." in out


def test_help_tree_skip_and_the_answer_can_be_asked_for(command):
    _, out, _ = command("figure-5.2 --seed 0", "help", "tree", "skip", "", "?", "quit")
    assert out.count("Type your answers") == 2
    assert out.count("A MAX\n") == 2
    assert "none. B is MIN, who stops once the value is <= alpha." in out
    assert "0 of 13 right, 13 not answered." in out


def test_the_end_of_the_input_and_ctrl_c_sum_up_what_was_answered(command):
    code, out, _ = command("figure-5.2 --seed 0", "(-inf, inf)")
    assert code == 0
    assert "The input has ended, and with it the exercise.\n1 of 13 right, 12 not answered." in out
    code, out, err = command("figure-5.2 --seed 0", "(-inf, inf)", "^C")
    assert code == 2
    assert "1 of 13 right" in out
    assert err == "perfectplay: stopped; this is the score so far.\n"


def test_what_an_explanation_has_told_is_not_asked_again(tmp_path, command):
    file = tmp_path / "deep.py"
    file.write_text(
        "from perfectplay.games import ExplicitTree\n"
        "class Deep(ExplicitTree):\n"
        "    def __init__(self):\n"
        "        tree = ExplicitTree.from_nested([[[3, 4], [5, 6]], [[1, 2], [8, 9]]])\n"
        "        super().__init__(tree.moves, tree.utilities, start=())\n"
    )
    _, out, _ = command(f"{file}:Deep --seed 0", *["-"] * 40)
    assert "G: what are alpha and beta on entering? -\nRight.\nG is never looked at." in out
    assert "G: what value" not in out
    assert "C: which of its branches" not in out


def test_a_game_need_not_be_named_and_the_seed_is_printed(command):
    _, out, _ = command("", "quit")
    seed = re.search(r"alpha-beta on tic-tac-toe, seed (\d+)", out)[1]
    assert f"The same tree again: --seed {seed}." in out
    _, again, _ = command(f"--seed {seed}", "quit")
    assert again == out


def test_sheets_for_a_class_and_their_solutions_are_written_in_the_same_order(tmp_path, command):
    sheets, solutions = tmp_path / "sheets.html", tmp_path / "solutions.html"
    code, out, _ = command(f"tic-tac-toe --count 3 --seed 7 --html {sheets} --solution {solutions}")
    assert code == 0
    assert out == f"{sheets} and {solutions}: ready to print (3 trees, seeds 7 to 9).\n"
    for file in (sheets, solutions):
        assert re.findall(r"tic-tac-toe, seed (\d)", file.read_text(encoding="utf-8")) == ["7", "8", "9"]
    assert "Why" not in sheets.read_text(encoding="utf-8")


def test_sheets_as_text_and_as_json(command):
    _, out, _ = command("connect-four --seed 5 --text --kind minimax")
    assert out.startswith("minimax on connect-four, seed 5\n\n- MAX takes the largest")
    assert "A MAX  value ___" in out or "A MIN  value ___" in out
    _, out, _ = command("figure-5.2 --seed 0 --json")
    (told,) = json.loads(out)["exercises"]
    assert told["solution"][-1] == {
        "question": "move",
        "answer": "a1",
        "explanation": "A is MAX: the largest value, 3, comes by a1.",
    }


def test_the_position_can_be_given_by_its_moves(command):
    _, out, _ = command("tic-tac-toe --text --seed 1 --moves b2 a1")
    assert "after b2 a1." in out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--count 2", "--count is for sheets: give --html FILE, --solution FILE, --text or --json too."),
        ("--count 501 --text", "501 sheets are too many at a time: give 500 at most."),
        ("--count 0 --text", "'0' cannot be: give a whole number of 1 or more"),
        ("--seed -1", "'-1' cannot be: give a whole number of 0 or more"),
        ("--text --json", "--text and --json are two forms of the same: give one of them."),
        ("--html a --solution a", "the sheets and their solutions cannot be in the same file: give two."),
        ("--html /nowhere/at/all.html", "cannot write '/nowhere/at/all.html'"),
        ("--kind guess", "invalid choice: 'guess'"),
        ("shogi", "there is no game 'shogi'"),
        ("tic-tac-toe --moves a1 a2 b1 b2 c1", "the game is over here"),
        ("nim:heaps=1", "no small tree of nim:heaps=1 with values that differ and a cut was found from here"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(command, line, told):
    code, _, err = command(line)
    assert code == 2
    assert told in err
    assert err.count("\n") == 1


def test_ctrl_c_in_a_real_session_gives_the_score(tmp_path):
    session = Command(tmp_path, "exercise", "figure-5.2", "--seed", "0", typed="(-inf, inf)\n")
    session.read_until("nothing known")
    session.read_until("? ")  # the next question
    out, err = session.interrupted()
    assert "1 of 13 right, 12 not answered." in out
    assert err == "perfectplay: stopped; this is the score so far.\n"
