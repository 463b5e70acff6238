"""Scenes: every board can be drawn and clicked, and says by its forms who is who."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfectplay import GAMES, load_game
from perfectplay.game import CHANCE, Game, choices
from perfectplay.games import ConnectFour, Domineering, ExplicitTree, Figure52, Kalah, Nim, Othello, TicTacToe
from perfectplay.scene import (
    COLOURS,
    KINDS,
    STYLES,
    Scene,
    Shape,
    circle,
    line,
    polygon,
    rect,
    scene_errors,
    scene_group,
    scene_json,
    scene_svg,
    text,
)
from random_games import random_game

BOARDS = [
    *GAMES,
    "bear-off:mine=6+6+6+6+6+6+6+5+5+5+5+4+4+3+1,theirs=1",
    "breakthrough:rows=4,cols=2",
    "breakthrough:rows=4,cols=16",
    "chess-endgame:men=KPKP",
    "chinese-checkers:size=3",
    "connect-four:rows=1,cols=1,k=1",
    "connect-four:rows=4,cols=4",
    "connect-four:rows=20,cols=20",
    "dodgem:size=2",
    "dodgem:size=7",
    "domineering:rows=1,cols=1",
    "domineering:rows=2,cols=26",
    "einstein-wuerfelt-nicht:size=3",
    "einstein-wuerfelt-nicht:size=8",
    "dots-and-boxes:rows=1,cols=1",
    "dots-and-boxes:rows=2,cols=20",
    "kalah:pits=1,seeds=127",
    "kalah:pits=12,seeds=10",
    "mnk:m=1,n=1,k=1",
    "mnk:m=26,n=26,k=5",
    "nim:heaps=0",
    "nim:heaps=255+0+17,misere=yes",
    "othello:size=4",
    "othello:size=6",
    "pacman:ghosts=min,number=2",
    "pig:goal=1",
    "royal-game-of-ur:board=small,pieces=2",
    "three-mens-morris:moves=diagonal",
]
LONG = 1000  # moves
SVG = "{http://www.w3.org/2000/svg}"


def playout(game: Game, seed: int) -> list:
    """The states of a random game, from its start to its end: some have none, and are left at some point."""
    random, states = Random(seed), [game.initial()]
    while not game.is_terminal(states[-1]) and len(states) < LONG:
        states.append(game.result(states[-1], random.choice(list(choices(game, states[-1])))))
    return states


def after(game: Game, moves: str):
    """The state after moves in notation."""
    state = game.initial()
    for name in moves.split():
        state = game.result(state, game.parse_action(state, name))
    return state


def drawn(game: Game, moves: str = "") -> Scene:
    scene = game.scene(after(game, moves))
    assert scene is not None
    return scene


def at(scene: Scene, place: str, style: str = "") -> list[Shape]:
    return [shape for shape in scene.shapes if shape.at == place and shape.style.startswith(style)]


def styled(scene: Scene, style: str) -> list[Shape]:
    return [shape for shape in scene.shapes if shape.style == style]


# Every game.


@given(st.sampled_from(BOARDS), st.integers(0, 2**32))
def test_every_board_is_drawn_without_a_fault_and_its_clicks_are_the_legal_actions(name, seed):
    game = load_game(name)
    states = playout(game, seed)
    for state in {states[0], Random(seed).choice(states), states[-1]}:
        scene = game.scene(state)
        assert scene_errors(game, state, scene) == []
        chance = game.has_chance and game.to_move(state) == CHANCE
        assert [action for action, _ in scene.clicks] == ([] if chance else list(game.actions(state)))
        assert len({targets for _, targets in scene.clicks}) == len(scene.clicks)


@pytest.mark.parametrize("name", GAMES)
def test_every_state_of_a_playout_is_drawn_without_a_fault(name):
    game = load_game(name)
    for state in playout(game, 5):
        assert scene_errors(game, state, game.scene(state)) == []


@pytest.mark.parametrize("name", BOARDS)
def test_every_place_to_click_has_words_for_a_screen_reader(name):
    game = load_game(name)
    for state in playout(game, 1)[:20]:
        scene = game.scene(state)
        spoken = {shape.at for shape in scene.shapes if shape.label}
        assert {place for _, targets in scene.clicks for place in targets} <= spoken


@pytest.mark.parametrize("name", GAMES)
def test_a_board_keeps_its_size_through_a_game(name):
    game = load_game(name)
    assert len({game.scene(state)[:2] for state in playout(game, 2)}) == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_board_survives_json(name):
    game = load_game(name)
    for state in playout(game, 3)[::5]:
        scene = game.scene(state)
        told = json.loads(json.dumps(scene_json(game, scene), allow_nan=False))
        shapes = [
            Shape(**{"text": "", "at": "", "label": ""} | each | {"numbers": tuple(each["numbers"])})
            for each in told["shapes"]
        ]
        clicks = [
            (game.parse_action(state, each["action"]), tuple(each["targets"])) for each in told["clicks"]
        ]
        assert Scene(
            told["width"], told["height"], tuple(shapes), tuple(clicks), told["colours"]
        ) == scene._replace(width=round(scene.width, 4), height=round(scene.height, 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_an_svg_file_with_an_element_a_shape(name):
    game = load_game(name)
    for state in playout(game, 4)[::7]:
        scene = game.scene(state)
        root = ElementTree.fromstring(scene_svg(scene))
        (group,) = root
        kinds = Counter(shape.kind for shape in scene.shapes)
        assert Counter(element.tag.removeprefix(SVG) for element in group) == kinds


@pytest.mark.parametrize("name", ["connect-four", "mnk:m=5,n=5,k=4", "othello", "tic-tac-toe"])
def test_the_pieces_of_max_have_a_cross_and_those_of_min_a_ring(name):
    game = load_game(name)
    for state in playout(game, 6):
        scene = game.scene(state)
        assert {shape.kind for shape in styled(scene, "max-mark")} <= {"line"}
        assert {shape.kind for shape in styled(scene, "min-mark")} <= {"circle"}
        places = [(shape.at, shape.numbers) for shape in styled(scene, "max") + styled(scene, "min")]
        marks = {shape.at for shape in scene.shapes if shape.style.endswith("-mark")}
        assert {place for place, _ in places} <= marks


# Boards.


def test_an_x_is_two_strokes_and_an_o_a_ring():
    scene = drawn(TicTacToe(), "b2 a1")
    (x, y) = (2.0, 1.6)  # the middle of the board, with a margin for coordinates at the left and below
    assert at(scene, "b2", "max") == [
        line(x - 0.28, y - 0.28, x + 0.28, y + 0.28, "max-mark", at="b2"),
        line(x - 0.28, y + 0.28, x + 0.28, y - 0.28, "max-mark", at="b2"),
    ]
    assert at(scene, "a1", "min") == [circle(1, 2.6, 0.28, "min-mark", at="a1")]
    assert [shape.label for shape in scene.shapes if shape.label][:6] == [
        "a1: O",
        "b1: empty",
        "c1: empty",
        "a2: empty",
        "b2: X",
        "c2: empty",
    ]
    words = [shape.text for shape in styled(scene, "label")]
    assert words == ["1", "2", "3", "a", "b", "c"]
    assert dict(scene.clicks)[TicTacToe().parse_action(TicTacToe().initial(), "c3")] == ("c3",)


def test_a_line_of_three_is_highlighted_and_nothing_can_be_clicked_any_more():
    scene = drawn(TicTacToe(), "a1 a2 b2 b1 c3")
    corners = sorted(shape.numbers[:2] for shape in styled(scene, "win"))
    assert corners == [(0.5, 2.1), (1.5, 1.1), (2.5, 0.1)]
    assert scene.clicks == ()
    assert styled(drawn(TicTacToe(), "a1 a2 b2 b1"), "win") == []


def test_two_lines_at_once_are_both_highlighted():
    assert len(styled(drawn(TicTacToe(), "a1 a2 c3 b1 a3 c1 b2"), "win")) == 3  # one diagonal
    assert len(styled(drawn(TicTacToe(), "a1 b1 a2 c2 c3 b2 b3 c1 a3"), "win")) == 5


def test_a_whole_column_of_connect_four_can_be_clicked_until_it_is_full():
    scene = drawn(ConnectFour(), "4 4 3")
    assert scene.clicks == tuple((col, (str(col + 1),)) for col in range(7))
    assert len(at(scene, "4", "hole")) == 6
    assert [shape.label for shape in at(scene, "4") if shape.label] == ["column 4, X, O, 4 free"]
    assert at(scene, "4", "min")[0] == circle(3.6, 4.6, 0.4, "min", at="4")
    full = drawn(ConnectFour(), "4 4 4 4 4 4")
    assert [targets for _, targets in full.clicks] == [("1",), ("2",), ("3",), ("5",), ("6",), ("7",)]
    won = drawn(ConnectFour(), "1 2 1 2 1 2 1")
    assert sorted(shape.numbers[1] for shape in styled(won, "win")) == [2.6, 3.6, 4.6, 5.6]


def test_to_click_a_counter_of_nim_takes_it_and_all_that_are_after_it():
    game = Nim((3, 4, 5))
    scene = drawn(game, "b2")
    row = [shape for shape in scene.shapes if shape.kind == "circle" and shape.numbers[1] == 1.6]
    assert [(shape.style, shape.at) for shape in row] == [
        ("piece", "b2"),
        ("piece", "b1"),
        ("hole", ""),
        ("hole", ""),
    ]
    assert row[0].label == "take 2 of heap b"
    assert [shape.text for shape in styled(scene, "count")] == ["3", "2", "5"]


def test_the_seeds_of_kalah_are_drawn_where_they_are_few_and_counted_everywhere():
    game = Kalah(6, 4)
    scene = drawn(game, "3")  # South moves again
    assert len(at(scene, "s4", "piece")) == 5
    assert at(scene, "s3", "piece") == at(scene, "s3", "count") == []
    assert [shape.text for shape in at(scene, "s4", "count")] == ["5"]
    assert [shape.label for shape in at(scene, "n6") if shape.label] == ["North's pit 6: 4"]
    assert [targets for _, targets in scene.clicks] == [("s1",), ("s2",), ("s4",), ("s5",), ("s6",)]
    assert "South's store: 1" in [shape.label for shape in scene.shapes]
    assert [targets for _, targets in drawn(game, "1").clicks] == [(f"n{pit}",) for pit in range(1, 7)]
    many = drawn(Kalah(1, 100))
    assert styled(many, "piece") == []
    assert "100" in [shape.text for shape in many.shapes]


def test_a_pass_in_othello_can_be_clicked():
    game = Othello(4)
    for seed in range(50):
        for state in playout(game, seed):
            scene = game.scene(state)
            passes = list(game.actions(state)) == [16]
            assert [shape.text for shape in at(scene, "pass", "label")] == (["pass"] if passes else [])
            if passes:
                assert scene.clicks == ((16, ("pass",)),)
                return
    pytest.fail("nobody had to pass")


def test_the_discs_of_othello_are_counted_with_a1_on_top():
    scene = drawn(Othello(), "d3")
    assert [shape.text for shape in styled(scene, "count")] == ["4", "1"]
    assert "MAX has 4" in [shape.label for shape in scene.shapes]
    assert at(scene, "d3", "max")[0] == circle(4, 3, 0.4, "max", at="d3")
    assert len(styled(scene, "max")) == 4


def test_a_line_of_dots_and_boxes_is_drawn_and_a_closed_box_is_counted_for_nobody_in_particular():
    game = load_game("dots-and-boxes")
    scene = drawn(game, "a1-b1 a1-a2 a2-b2")
    assert {shape.label for shape in styled(scene, "piece")} == {
        f"{name}: drawn" for name in ("a1-b1", "a1-a2", "a2-b2")
    }
    assert len(styled(scene, "edge")) == 9
    assert len(scene.clicks) == 9
    assert styled(scene, "soft") == []
    closed = drawn(game, "a1-b1 a1-a2 a2-b2 b1-b2")
    assert [shape.numbers for shape in styled(closed, "soft")] == [(0.7, 1.3, 1, 1)]
    assert [shape.text for shape in styled(closed, "count")] == ["0", "1"]


def test_a_pawn_points_where_it_walks_and_one_that_has_arrived_is_highlighted():
    game = load_game("hexapawn")
    scene = drawn(game)
    (white,), (black,) = at(scene, "a1", "max"), at(scene, "a3", "min")
    heights = {shape: [y - shape.numbers[1] for y in shape.numbers[1::2]] for shape in (white, black)}
    assert min(heights[white]) < 0 == max(heights[white])
    assert min(heights[black]) == 0 < max(heights[black])
    assert [targets for _, targets in scene.clicks] == [("a1", "a2"), ("b1", "b2"), ("c1", "c2")]
    assert styled(scene, "win") == []
    won = game.scene((1 << 6, 0, 1))
    assert [shape.at for shape in styled(won, "win")] == ["a3"]


# Domineering: the state knows which cells are covered, and not by which dominoes.


def test_the_dominoes_that_are_drawn_are_the_dominoes_that_were_laid():
    told = total = 0
    for seed in range(30):
        game = Domineering(5, 5)
        laid = set()
        for before, state in zip(playout(game, seed), playout(game, seed)[1:], strict=False):
            cells = sorted(divmod(cell, 5) for cell in range(25) if (before[0] ^ state[0]) >> cell & 1)
            laid.add((*cells, ("max", "min")[before[1]]))
            scene = game.scene(state)
            shown = set()
            for shape in styled(scene, "max") + styled(scene, "min"):
                x, y, width, height = shape.numbers
                high, low, left = 4 - int(y - 0.1), 4 - int(y + height - 0.1), int(x - 0.5)
                shown.add(((low, left), (high, int(x + width - 0.5)), shape.style))
            assert shown <= laid
            covered = 2 * len(shown) + len(styled(scene, "piece"))
            assert covered == 2 * len(laid)
            told, total = told + len(shown), total + len(laid)
    assert told > total / 3


def test_a_square_of_four_is_nobodys_unless_the_others_say_whose():
    game = Domineering(4, 4)
    unclear = drawn(game, "a1-a2 c1-d1 b1-b2 c2-d2")  # each square could be either player's
    assert len(styled(unclear, "piece")) == 8
    clear = drawn(game, "a1-a2 c3-d3 b1-b2 a4-b4")  # both flat ones are seen elsewhere
    assert styled(clear, "piece") == []
    assert [shape.at for shape in styled(clear, "max")] == ["a1", "b1"]


# Trees.


def test_the_tree_of_the_book_is_drawn_with_a_mark_where_play_is():
    scene = drawn(Figure52())
    triangles = [shape for shape in scene.shapes if shape.kind == "polygon"]
    assert [shape.style for shape in triangles] == ["max", "min", "min", "min"]
    assert [shape.text for shape in styled(scene, "count")] == [
        *"ABCD",
        *("3", "12", "8", "2", "4", "6", "14", "5", "2"),
    ]
    assert scene.clicks == (("a1", ("a1",)), ("a2", ("a2",)), ("a3", ("a3",)))
    (here,) = styled(scene, "win")
    (there,) = styled(drawn(Figure52(), "a2"), "win")
    assert here.numbers[0] == there.numbers[0]
    assert here.numbers[1] < there.numbers[1]
    assert len(styled(scene, "line")) == 12


def test_the_boxes_of_the_tree_of_the_book_do_not_overlap():
    boxes = [shape.numbers for shape in drawn(Figure52()).shapes if shape.kind == "rect"]
    for number, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, other_width, other_height in boxes[:number]:
            beside = x >= other_x + other_width or other_x >= x + width
            assert beside or y >= other_y + other_height or other_y >= y + height


def test_two_actions_that_lead_to_one_state_are_clicked_on_their_own_lines():
    game = ExplicitTree({"top": {"left": "end", "right": "end"}}, {"end": 1})
    scene = drawn(game)
    assert scene_errors(game, "top", scene) == []
    assert [shape.at for shape in scene.shapes if shape.label == "end, worth 1"] == [""]
    assert len([shape for shape in scene.shapes if shape.text == "1"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"players": 3}, {"tree": True}, {"states": 90, "width": 5}])
def test_every_state_of_a_random_tree_is_drawn_without_a_fault(options):
    for seed in range(10):
        game = random_game(seed, **options)
        for state in [*game.moves, *game.utilities]:
            scene = game.scene(state)
            assert scene_errors(game, state, scene) == []
            lines = styled(scene, "line")
            assert all(shape.numbers[1] < shape.numbers[3] for shape in lines)  # downwards, all of them


def test_of_a_large_tree_only_the_nearest_states_are_drawn():
    moves = {number: {0: 2 * number, 1: 2 * number + 1} for number in range(1, 4096)}
    game = ExplicitTree(moves, {number: number for number in range(4096, 8192)})
    scene = drawn(game, "0 1")
    assert scene_errors(game, 5, scene) == []
    assert 50 < len([shape for shape in scene.shapes if shape.kind == "polygon"]) <= 61
    wide = ExplicitTree(
        {"top": {number: f"end {number}" for number in range(200)}}, {f"end {n}": n for n in range(200)}
    )
    assert len(drawn(wide).clicks) == 200
    assert scene_errors(wide, "top", drawn(wide)) == []
    deep = ExplicitTree(
        {number: {"on": number + 1} for number in range(5000)}, {5000: 1}, dict.fromkeys(range(5000), 0)
    )
    assert scene_errors(deep, 4990, deep.scene(4990)) == []


# Pictures.


def test_the_text_of_a_scene_is_escaped():
    evil = "<script>\"&'\0\x1b\ud800]]>"
    scene = Scene(1, 1, (text(0.5, 0.5, 0.3, evil, at=evil, label=evil),))
    svg = scene_svg(scene, title=evil)
    assert "<script" not in svg
    title, group = ElementTree.fromstring(svg)
    assert title.text == group[0].text == "<script>\"&'" + 3 * "\ufffd" + "]]>"


def test_every_kind_has_a_picture_in_every_style():
    for style in STYLES:
        shapes = (
            rect(0, 0, 1, 1, style),
            circle(1, 1, 0.5, style),
            line(0, 0, 1, 1, style),
            polygon([(0, 0), (1, 0), (1, 1)], style),
            text(1, 1, 0.3, "a", style),
        )
        assert {shape.kind for shape in shapes} == KINDS.keys()
        (group,) = ElementTree.fromstring(scene_svg(Scene(2, 2, shapes)))
        for element in group:
            seen = {element.get("fill", "none"), element.get("stroke", "none")} - {"none"}
            assert seen, (style, element.tag)
        if style.endswith("-mark"):  # an outline, so that a ring is no disc
            assert [element.get("fill") for element in group][:2] == ["none", "none"]


def test_max_and_min_have_colours_of_their_own():
    def colours(style):
        (group,) = ElementTree.fromstring(scene_svg(Scene(1, 1, (rect(0, 0, 1, 1, style),))))
        return group[0].get("fill"), group[0].get("stroke")

    for style in ("", "-mark", "-area"):
        assert colours(f"max{style}") != colours(f"min{style}")


def test_a_picture_has_the_size_that_one_asks_for():
    root = ElementTree.fromstring(scene_svg(Scene(3.6, 4, ()), unit=100))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("360", "400", "0 0 3.6 4")


def test_a_scene_can_be_put_into_another_picture():
    scene = Scene(1, 1, (rect(0, 0, 1, 1, "cell"),))
    group = ElementTree.fromstring(scene_group(scene, 10, 20.5, 0.25))
    assert group.get("transform") == "translate(10 20.5) scale(0.25)"
    assert group[0].tag == "rect"


# Data.


def test_numbers_are_rounded_so_that_equal_shapes_are_equal():
    assert circle(0.1 + 0.2, 1 / 3, 0.5, "max") == circle(0.3, 0.3333, 0.5, "max")


def test_json_leaves_out_empty_words_and_names_actions():
    assert scene_json(Nim((1,)), Nim((1,)).scene(2)) == {
        "width": 2.3,
        "height": 1.2,
        "shapes": [
            {"kind": "text", "numbers": [0.25, 0.6, 0.36], "style": "label", "text": "a"},
            {
                "kind": "circle",
                "numbers": [1.0, 0.6, 0.38],
                "style": "piece",
                "at": "a1",
                "label": "take 1 of heap a",
            },
            {"kind": "text", "numbers": [1.9, 0.6, 0.36], "style": "count", "text": "1"},
        ],
        "clicks": [{"action": "a1", "targets": ["a1"]}],
        "colours": "none",
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda scene: "scene",
            "scene(state) gave 'scene': "
            "give a Scene with a size, a tuple of Shapes and a tuple of clicks, or None.",
        ),
        (
            lambda scene: scene._replace(
                shapes=(rect(0, 0, 1, 1, "cell")._replace(kind="box"), *scene.shapes)
            ),
            "shape 0 of the scene is a 'box': give one of rect, circle, line, polygon, text.",
        ),
        (
            lambda scene: scene._replace(shapes=(rect(0, 0, 9, 1, "cell"), *scene.shapes)),
            "shape 0 of the scene, a rect of (0, 0, 9, 1), leaves it: stay within 0 to 2.3 and 0 to 1.2.",
        ),
        (
            lambda scene: scene._replace(shapes=(circle(0, float("nan"), 1, "cell"), *scene.shapes)),
            "shape 0 of the scene, a circle, has the numbers (0, nan, 1): "
            "give x, y, radius, all finite, and no size below 0.",
        ),
        (
            lambda scene: scene._replace(clicks=()),
            "the action (0, 1) cannot be clicked: give every legal action once in clicks.",
        ),
        (
            lambda scene: scene._replace(clicks=(*scene.clicks, ((0, 2), ("a1", "a1")))),
            "the action (0, 2) can be clicked and is not legal: give every legal action once in clicks.",
        ),
        (
            lambda scene: scene._replace(clicks=2 * scene.clicks),
            "the action (0, 1) is in clicks more than once: give every legal action once in clicks.",
        ),
        (
            lambda scene: scene._replace(clicks=(((0, 1), ("a1", "b1")),)),
            "the action (0, 1) is clicked at 'b1', where no shape is: name places that shapes are `at`.",
        ),
        (
            lambda scene: scene._replace(clicks=(((0, 1), ()),)),
            "the action (0, 1) is clicked nowhere: name places that shapes are `at`.",
        ),
    ],
)
def test_what_is_wrong_with_a_scene_is_said_in_one_sentence(change, sentence):
    game = Nim((1,))
    assert scene_errors(game, 2, change(game.scene(2))) == [sentence]


def test_a_game_without_a_scene_is_none_the_worse():
    assert scene_errors(Nim((1,)), 2, None) == []


def test_a_style_that_is_not_known_is_told_with_those_that_are():
    scene = Scene(1, 1, (rect(0, 0, 1, 1, "red"),))
    (error,) = scene_errors(Nim((0,)), 0, scene)
    assert error.startswith("shape 0 of the scene has the style 'red': give one of board, cell, dark, hole,")


def test_two_actions_must_not_be_clicked_at_the_same_places():
    game = Nim((2,))
    scene = game.scene(4)
    assert scene_errors(
        game, 4, scene._replace(clicks=tuple((action, ("a1",)) for action, _ in scene.clicks))
    ) == ["the actions (0, 1) and (0, 2) are both clicked at a1: give each places of its own."]


# Words for whoever plays.


def is_sentence(words: str) -> bool:
    return words.endswith(".") and words == " ".join(words.split())  # it may begin with the name of a place


@pytest.mark.parametrize("name", BOARDS)
def test_what_a_game_says_to_clicks_is_a_sentence_or_nothing(name):
    game = load_game(name)
    for state in playout(game, 5)[:40:3]:
        if game.is_terminal(state):
            continue
        scene = game.scene(state)
        paths = [path for _, path in scene.clicks]
        begun = {path[:length] for path in paths for length in range(len(path))}
        assert all(not words or is_sentence(words) for words in (game.prompt(state, each) for each in begun))
        places = {shape.at for shape in scene.shapes if shape.at}
        legal = {path[:length] for path in paths for length in range(len(path) + 1)}
        refused = {(*each, place) for each in list(begun)[:5] for place in places} - legal
        assert all(
            not words or is_sentence(words) for words in (game.objection(state, each) for each in refused)
        )


@pytest.mark.parametrize("name", GAMES)
def test_players_have_names_and_the_rules_have_about_three_sentences(name):
    game = load_game(name)
    assert game.player_name(0) != game.player_name(1)
    if isinstance(game, ExplicitTree):
        assert (game.player_name(0), game.player_name(1)) == ("MAX", "MIN")  # the textbook's own tree
    elif game.zero_sum:
        assert "MAX" not in (game.player_name(0), game.player_name(1))
        assert 2 <= game.how_to_play.count(".") <= 4
        assert is_sentence(game.how_to_play)


def test_a_mill_says_that_a_man_is_to_be_taken():
    game = load_game("nine-mens-morris")
    state = game.initial()
    for move in ("a7", "b6", "d7", "f6"):
        state = game.result(state, game.parse_action(state, move))
    assert game.prompt(state, ()) == "Place a man on a free point: 7 left."
    assert game.prompt(state, ("g7",)) == "Mill: take a man of O."
    assert game.objection(state, ("b6",)) == "b6 is taken."
    assert game.objection(state, ("g7", "a7")) == "Mill: take a man of O."


def test_an_objection_names_the_rule():
    othello, four, kalah = load_game("othello"), load_game("connect-four:rows=2"), load_game("kalah")
    assert othello.objection(othello.initial(), ("a1",)) == "A disc on a1 would turn nothing over."
    assert othello.objection(othello.initial(), ("d4",)) == "d4 is taken: choose an empty cell."
    full = four.result(four.result(four.initial(), 0), 0)
    assert four.objection(full, ("1",)) == "Column 1 is full: choose another one."
    assert kalah.objection(kalah.initial(), ("n1",)).startswith("That is a pit of North")
    chess = load_game("chess-endgame:men=KRK,fen=8/8/8/4k3/8/8/8/KR6 w")
    assert chess.objection(chess.initial(), ("b1", "c3")) == "The rook on b1 cannot go to c3."


def test_pieces_have_the_colours_that_players_are_named_by():
    for name in ("othello", "breakthrough", "chess-endgame"):
        game = load_game(name)
        colours = COLOURS[game.scene(game.initial()).colours]
        assert [game.player_name(player).lower() for player in (0, 1)] == list(colours)


def test_colours_of_a_scene_are_drawn_and_checked():
    shape = circle(0.5, 0.5, 0.4, "max")
    drawn = {scene_svg(Scene(1, 1, (shape,), (), colours)) for colours in COLOURS}
    assert len(drawn) == len(COLOURS) - 1  # "none" is drawn as usual
    wrong = scene_errors(Nim(), Nim().initial(), Scene(1, 1, (shape,), (), "pink"))
    assert wrong[0] == (
        "the scene has the colours 'pink': give one of blue-orange, white-black, black-white, none."
    )
