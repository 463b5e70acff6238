"""The page of a trace is one file that needs no other, and nothing that a game says gets out of it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

import pytest

from counterexamples import BOUND_KEPT_AS_VALUE
from perfectplay.games import ConnectFour, ExplicitTree, load_game
from perfectplay.trace import Trace, trace
from perfectplay.trace.page import page

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028\u2029 <b>"
STATIC = files("perfectplay.trace").joinpath("static")
HELD = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def book() -> Trace:
    return trace("alpha-beta-search", load_game("figure-5.2"))


def script_of(text: str) -> str:
    return re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)[1]


def hashed(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def test_a_page_names_no_address_but_that_of_svg(book):
    assert set(re.findall(r"https?:[^\"'\s)]*", book.to_html())) == {"http://www.w3.org/2000/svg"}


def test_a_page_loads_nothing(book):
    text = HELD.sub("", book.to_html())
    assert not re.search(r"\ssrc=|\shref=|@import|url\(|^import |^export ", text, re.MULTILINE)


def test_a_page_allows_its_own_script_and_style_and_no_other(book):
    text = book.to_html()
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    script, sheet = hashed(script_of(text)), hashed(style)
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{sheet}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert "style=" not in text.replace(style, "").replace(script_of(text), "")


def test_a_page_holds_the_trace_as_it_is(book):
    text = book.to_html()
    (held,) = HELD.findall(text)
    assert Trace.from_dict(json.loads(held)) == book
    assert '<html lang="en">' in text
    assert "<title>alpha-beta-search on &lt;ExplicitTree of 13 states&gt;</title>" in text


def test_what_a_game_says_cannot_break_out_of_the_page():
    game = ExplicitTree({"A": {HOSTILE: "B"}}, {"B": 1}, {"A": 0})
    text = trace("value", game, title=HOSTILE).to_html()
    (held,) = HELD.findall(text)
    assert not set("<>&\u2028\u2029") & set(held)
    assert json.loads(held)["game"] == json.loads(held)["nodes"][1]["action"] == HOSTILE
    assert text.count("<script") == text.count("</script>") == 2
    assert "<b>" not in text


def test_two_traces_stand_side_by_side(book):
    other = trace("minimax-search", load_game("figure-5.2"))
    text = page(other, book)
    held = [json.loads(each)["algorithm"] for each in HELD.findall(text)]
    assert held == ["minimax-search", "alpha-beta-search"]
    assert "<title>minimax-search and alpha-beta-search on " in text


def test_a_notebook_shows_the_page_in_a_frame_that_can_do_nothing_but_run(book):
    shown = book._repr_html_()
    assert re.match(r'<iframe srcdoc="[^"]*" sandbox="allow-scripts" ', shown)


def test_the_page_of_50_000_events_stays_under_10_megabytes():
    recorded = trace("minimax", ConnectFour(rows=4, cols=4), limit=50_000, seconds=60)
    assert len(recorded.events) == 50_000
    assert len(recorded.to_html().encode()) < 10_000_000


def test_the_modules_of_the_player_fit_into_one(book):
    # They share one scope there: a name that two of them declare would be an error.
    names: dict[str, str] = {}
    declared = set(DECLARED.findall(script_of(book.to_html())))
    for module in STATIC.iterdir():
        if not module.name.endswith(".js") or module.name == "player.js":
            continue
        text = module.read_text(encoding="utf-8")
        for name in DECLARED.findall(text):
            assert names.setdefault(name, module.name) == module.name, f"{name}: {module.name}, {names[name]}"
            assert name in declared
    assert {"mountPlayer", "mountComparison", "drawBoard"} <= names.keys()


def test_modules_import_by_names_alone_as_the_page_needs_it():
    for module in STATIC.iterdir():
        if module.name.endswith(".js"):
            text = module.read_text(encoding="utf-8")
            for line in re.findall(r"^(?:import|export \{|export default).*", text, re.MULTILINE):
                assert re.fullmatch(r'(?:import|export) \{ [\w, ]+ \} from "\./\w+\.js";', line)
            assert "innerHTML" not in text
            assert "eval(" not in text


def test_an_answer_of_the_sound_table_is_no_estimate():
    recorded = trace("sound-alpha-beta", BOUND_KEPT_AS_VALUE)
    assert {node.leaf for node in recorded.nodes if node.leaf} == {"end", "table"}
    assert not [entry for entry in recorded.entries if entry.truth == "estimate"]
