"""perfectplay compile shows what becomes of a class, and check says the same of what stands in the way."""

from __future__ import annotations

import json

import pytest

from perfectplay.cli import main

GAME = '''
from perfectplay import Game


class Race(Game):
    """Two run along a row of letters; who comes to the end first wins."""

    def initial(self):
        return "a....b"

    def to_move(self, state):
        return 0 if state[0] == "a" else 1

    def actions(self, state):
        return [] if self.is_terminal(state) else ["one", "two"]

    def result(self, state, action):
        step = 1 if action == "one" else 2
        return state[step:]

    def is_terminal(self, state):
        return len(state) <= 2

    def utility(self, state, player):
        return 1 if player == self.to_move(state) else -1
'''


@pytest.fixture
def compiled(tmp_path, capsys):
    def run(text, *options, command="compile"):
        path = tmp_path / "race.py"
        path.write_text(text)
        code = main([command, f"{path}:Race", *options])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_class_that_compiles_is_summed_up(compiled):
    code, out, _ = compiled(GAME)
    assert code == 0
    rows = dict(line.split(maxsplit=1) for line in out.splitlines()[1:])
    assert out.startswith("Race compiles\n")
    assert rows["states"] == "str"
    assert {"observing", "comparing", "lowering", "emitting", "optimising", "code"} <= rows.keys()


@pytest.mark.slow
def test_each_pass_can_be_seen(compiled):
    _, shapes, _ = compiled(GAME, "--show", "shapes")
    assert "is_terminal(state: str) -> bool" in shapes.splitlines()
    _, lowered, _ = compiled(GAME, "--show", "lowered", "--rule", "is_terminal")
    assert lowered.startswith("function is_terminal_")
    assert lowered.count("function ") == 1
    _, llvm, _ = compiled(GAME, "--show", "llvm", "--rule", "is_terminal")
    assert llvm.startswith("define ")
    assert llvm.count("define ") == 1
    _, native, _ = compiled(GAME, "--show", "native")
    assert "is_terminal_" in native


def test_json_has_all_of_it(compiled):
    code, out, _ = compiled(GAME, "--json", "--show", "shapes", "--rule", "to_move")
    report = json.loads(out)
    assert (code, report["compiled"], report["obstacles"]) == (0, True, [])
    assert report["shown"] == "to_move(state: str) -> int"


def test_every_line_that_stands_in_the_way_is_shown_with_a_remedy(compiled):
    text = GAME.replace("step = 1", "import perfectplay\n        step = 1")
    text = text.replace("return len", "import perfectplay\n        return len")
    code, out, _ = compiled(text)
    assert code == 1
    assert out.splitlines()[0] == "Race runs interpreted: 2 lines stand in the way"
    shown = "imports perfectplay within a rule\n    import perfectplay\n    ^^^^^^^^^^^^^^^^^^\n"
    shown += "  instead: import it at the top of the file\n    import perfectplay  # at the top of the file"
    assert f"\nrace.py:18, in `result`: {shown}\n" in out
    assert f"\nrace.py:23, in `is_terminal`: {shown}\n" in out
    report = json.loads(compiled(text, "--json")[1])
    assert [(one["rule"], one["line"]) for one in report["obstacles"]] == [
        ("result", 18),
        ("is_terminal", 23),
    ]
    checked = compiled(text, command="check")[1]
    assert "Race runs interpreted: 2 lines stand in the way\nas it is, the engine visits " in checked
    assert " states a second\n\nrace.py:18, in `result`" in checked


def test_a_rule_that_is_not_there_is_named(compiled):
    code, _, err = compiled(GAME, "--show", "shapes", "--rule", "is_termnal")
    assert code == 2
    assert err == "perfectplay: there is no compiled 'is_termnal': did you mean 'is_terminal'?\n"
