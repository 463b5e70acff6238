"""Who cannot play a game with chance, or one without MIN, says so in one sentence that names who can."""

from __future__ import annotations

import re
from typing import Any

import pytest

from broken_games import Roll, Shares
from perfectplay import CHANCE, MAX, Engine, Game
from perfectplay.cli import main
from perfectplay.engine.perft import compiled_perft, perft
from perfectplay.errors import UnsuitedGameError
from perfectplay.exercise import make_exercise
from perfectplay.game import choices, is_two_sided
from perfectplay.games import ExplicitTree, TicTacToe
from perfectplay.play import Match, find_player, mover_name, player_names, require_suited, side_name
from perfectplay.tablebase import build_tablebase, estimate
from perfectplay.textbook import (
    ALGORITHMS,
    Counted,
    alpha_beta,
    alpha_beta_search,
    alpha_beta_value,
    alpha_beta_with_heuristics,
    exp_value,
    expectiminimax,
    expectiminimax_decision,
    max_value,
    min_value,
    minimax,
    minimax_decision,
    minimax_search,
    run,
    sound_alpha_beta,
    star1,
    star2,
    value,
)
from perfectplay.trace import trace

DICE = r"^[\w ^-]+ cannot play dice, and in Roll chance moves too: use .+\.$"
UTILITIES = (
    r"^[\w ^-]+ is for two sides, and in Shares every player has a utility of its own: use [\w, -]+\.$"
)
UNSUITED = [(Roll(), DICE), (Shares(), UTILITIES)]

FOR_TWO_SIDES = {  # in the words of whoever asks
    "engine": lambda game: Engine(game, method="alpha-beta"),
    "engine in Python": lambda game: Engine(game, method="alpha-beta", compile="never"),
    "estimate": estimate,
    "theatre": lambda game: trace("minimax", game),
    "theatre by function": lambda game: trace(alpha_beta, game),
    "exercise": make_exercise,
    "deepening": lambda game: find_player("deepening").choose(Counted(game), game.initial()),
    "minimax": lambda game: minimax(game, game.initial(), {}),
    "minimax_search": lambda game: minimax_search(game, game.initial()),
    "minimax_decision": lambda game: minimax_decision(game, game.initial()),
    "alpha_beta": lambda game: alpha_beta(game, game.initial(), {}),
    "alpha_beta_search": lambda game: alpha_beta_search(game, game.initial()),
    "alpha_beta_value": lambda game: alpha_beta_value(game, game.initial()),
    "alpha_beta_with_heuristics": lambda game: alpha_beta_with_heuristics(
        game, game.initial(), {}, -9, 9, 1, lambda state, depth: True
    ),
    "sound_alpha_beta": lambda game: sound_alpha_beta(game, game.initial(), {}),
}


@pytest.mark.parametrize(("game", "sentence"), UNSUITED, ids=["chance", "utilities"])
@pytest.mark.parametrize("who", FOR_TWO_SIDES)
def test_what_is_for_two_sides_refuses_others_in_a_sentence(who: str, game: Game, sentence: str) -> None:
    with pytest.raises(UnsuitedGameError, match=sentence):
        FOR_TWO_SIDES[who](game)


def test_a_tablebase_takes_chance_and_no_utilities_of_ones_own(tmp_path: Any) -> None:
    with pytest.raises(UnsuitedGameError, match=UTILITIES):
        build_tablebase(Shares(), tmp_path / "never-made")


@pytest.mark.parametrize("search", [perft, compiled_perft])
def test_perft_counts_no_outcomes(search: Any) -> None:
    with pytest.raises(UnsuitedGameError, match=DICE):
        search(Roll(), "start", 2)
    assert perft(Shares(), (5, 0), 2) == 4


@pytest.mark.parametrize(
    "search",
    [value, max_value, min_value, exp_value, expectiminimax, expectiminimax_decision, star1, star2],
    ids=lambda search: search.__name__,
)
def test_searches_through_chance_are_for_two_sides_all_the_same(search: Any) -> None:
    with pytest.raises(UnsuitedGameError, match=UTILITIES):
        search(Shares(), (5, 0))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_takes_what_it_says_that_it_takes(name: str) -> None:
    algorithm = ALGORITHMS[name]
    for takes, game, sentence in (
        (algorithm.takes_chance, Roll(), DICE),
        (algorithm.takes_utilities, Shares(), UTILITIES),
    ):
        player = find_player(name)
        if takes:
            require_suited(player, game)
            answer = run(name, game, game.initial())
            assert answer.action in game.actions(game.initial())
        else:
            with pytest.raises(UnsuitedGameError, match=sentence):
                run(name, game, game.initial())
            with pytest.raises(UnsuitedGameError, match=sentence):
                require_suited(player, game)


def test_whoever_is_named_instead_can() -> None:
    for game, _ in UNSUITED:
        with pytest.raises(UnsuitedGameError) as refused:
            minimax(game, game.initial(), {})
        named = re.findall(r"[\w-]+", str(refused.value).partition("use ")[2])
        named = [name for name in named if name != "or"]
        assert len(named) == 3
        for name in named:
            assert run(name, game, game.initial()).action is not None


@pytest.mark.slow
def test_every_player_is_refused_or_plays() -> None:
    for game, sentence in UNSUITED:
        for name in player_names():
            player = find_player(name)
            try:
                require_suited(player, game)
            except UnsuitedGameError as error:
                assert re.match(sentence, str(error))  # noqa: PT017
                continue
            assert player.choose(Counted(game), game.initial()) in game.actions(game.initial())


OWN = """
from perfectplay import CHANCE, MAX, Game

class Coin(Game):
    def initial(self): return 0
    def to_move(self, state): return CHANCE
    def actions(self, state): return []
    def chances(self, state): return [(1, 0.5), (2, 0.5)]
    def result(self, state, outcome): return outcome
    def is_terminal(self, state): return state > 0
    def utility(self, state, player): return (2 * state - 3) * (1 if player == MAX else -1)

class Three(Game):
    players, zero_sum = 3, False
    def initial(self): return (), 0
    def to_move(self, state): return state[1] % 3
    def actions(self, state): return [0, 1] if state[1] < 3 else []
    def result(self, state, action): return (*state[0], action), state[1] + 1
    def is_terminal(self, state): return state[1] == 3
    def utility(self, state, player): return sum(state[0]) * player + state[0][player]
"""


@pytest.fixture
def own(tmp_path: Any) -> Any:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


@pytest.mark.parametrize("name", ["Coin", "Three"])
@pytest.mark.parametrize(
    "words",
    [
        "search GAME --method alpha-beta",
        "solve GAME --method alpha-beta",
        "tablebase estimate GAME",
        "trace minimax GAME",
        "exercise GAME",
        "arena random deepening GAME",
        "play GAME --with deepening",
        "play GAME --with minimax",
        "textbook alpha-beta GAME",
    ],
)
def test_on_the_command_line_it_is_one_sentence_and_exit_code_2(
    words: str, name: str, own: Any, capsys: Any
) -> None:
    arguments = words.split()
    status = main([f"{own}:{name}" if word == "GAME" else word for word in arguments])
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert f"in {name} chance moves too: use " in told.err or f"in {name} every player has a " in told.err


@pytest.mark.parametrize("name", ["Coin", "Three"])
@pytest.mark.parametrize("words", ["search GAME", "solve GAME", "search GAME --method mcts --nodes 50"])
def test_the_engine_takes_them_by_its_other_methods(words: str, name: str, own: Any, capsys: Any) -> None:
    arguments = [f"{own}:{name}" if word == "GAME" else word for word in words.split()]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    if name == "Three":
        assert "player 0 1, player 1 4, player 2 7" in told or "mcts" in words
    else:
        assert "to MAX, since chance moves" in told


# The contract itself.


def test_what_may_happen_next_are_outcomes_where_chance_moves() -> None:
    game = Roll()
    assert CHANCE == -1
    assert [*choices(game, "start")] == ["hold", "roll"]
    assert [*choices(game, "rolling")] == ["heads", "tails"]
    assert [*choices(game, "heads")] == []
    assert game.parse_action("rolling", " HEADS ") == "heads"
    with pytest.raises(ValueError, match="the legal moves are heads tails"):
        game.parse_action("rolling", "edge")


def test_a_game_has_chance_if_it_says_what_may_come_up() -> None:
    assert [game.has_chance for game in (Roll(), Shares(), TicTacToe())] == [True, False, False]
    assert [is_two_sided(game) for game in (Roll(), Shares(), TicTacToe())] == [False, False, True]
    assert [*TicTacToe().chances(TicTacToe().initial())] == []
    assert Counted(Roll()).has_chance
    assert not Counted(TicTacToe()).has_chance
    plain = {"r": {"x": "a", "y": "b"}}, {"a": 1, "b": 2}
    assert not ExplicitTree(*plain).has_chance
    assert ExplicitTree(*plain, {"r": "exp"}).has_chance


def test_movers_have_names() -> None:
    assert [side_name(each) for each in (CHANCE, 0, 1, 2)] == ["chance", "MAX", "MIN", "MIN"]
    assert [mover_name(Shares(), each) for each in (CHANCE, 0, 2)] == ["chance", "player 0", "player 2"]


def test_a_match_reads_what_came_up() -> None:
    match = Match(Roll(), ["roll", "heads"])
    assert (match.over, match.game.utility(match.state, MAX)) == (True, 3)
