"""Ours for learners: PettingZoo, Gymnasium and OpenSpiel, each with its own tests run on it."""

from __future__ import annotations

import random
import warnings
from itertools import pairwise

import numpy as np
import pytest

from extras import needed
from perfectplay import Engine, Game, load_game
from perfectplay.adapters import from_openspiel, to_gymnasium, to_openspiel, to_pettingzoo
from perfectplay.adapters.survey import Features, Survey
from perfectplay.errors import PerfectPlayError
from perfectplay.play import find_player

gymnasium, pettingzoo, pyspiel = map(needed, ("gymnasium", "pettingzoo", "pyspiel"))

GAMES = [  # with moves twice running, dice, several players, states of many numbers, actions by name
    "tic-tac-toe",
    "connect-four:rows=4,cols=4,k=3",
    "dots-and-boxes:rows=1,cols=2",
    "kalah:pits=2,seeds=2",
    "hexapawn",
    "nim:heaps=1+2",
    "pig:goal=5",
]


class Word(Game):
    """Spell a word: states are strings and actions letters; who says the last letter wins."""

    word = "game"

    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [letter for letter in "gaem" if letter not in state]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return len(state) == 4

    def utility(self, state, player):
        return 1 if player == 1 else -1


def walk(env, seed):
    """One game with legal actions at random; what every agent got."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0)
    movers = []
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        movers.append(agent)
        env.step(None if over or cut else chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return rewards, movers


# PettingZoo.


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_tests_pass(name, capsys):
    from pettingzoo.test import api_test, seed_test

    game = load_game(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it advises larger observations for images
        api_test(to_pettingzoo(game), num_cycles=40)
        seed_test(lambda: to_pettingzoo(game), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


def test_rewards_are_the_utilities_and_a_player_moves_twice():
    env = to_pettingzoo(load_game("kalah:pits=2,seeds=2"))
    twice = False
    for seed in range(5):
        rewards, movers = walk(env, seed)
        assert env.game.is_terminal(env.current)
        assert rewards == {f"player_{side}": env.game.utility(env.current, side) for side in (0, 1)}
        twice = twice or any(one == other for one, other in pairwise(movers[:-2]))
    assert twice


def test_three_players_and_an_observation_of_ones_own():
    game = load_game("chinese-checkers:moves=6")
    env = to_pettingzoo(game, observe=lambda state, player: [player, game.to_move(state)], render_mode="ansi")
    rewards, movers = walk(env, 1)
    assert set(movers) == set(rewards) == {"player_0", "player_1", "player_2"}
    assert env.observe("player_2")["observation"].tolist()[0] == 2
    assert env.render() == game.render(env.current)


def test_a_trained_agent_meets_the_perfect_opponent():
    """The loop of the documentation: one agent by chance, the other is ours; tic-tac-toe is not lost."""
    from perfectplay.textbook import Counted

    game, perfect = load_game("tic-tac-toe"), find_player("minimax")
    env = to_pettingzoo(game)
    for seed in range(3):
        chance = random.Random(seed)
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                env.step(None)
            elif agent == "player_1":
                env.step(env.number(perfect.choose(Counted(game), env.current)))
            else:
                env.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        assert game.utility(env.current, 1) >= 0


def test_an_illegal_action_is_refused_with_the_legal_ones():
    env = to_pettingzoo(load_game("nim:heaps=1+2"))
    env.reset()
    legal = np.flatnonzero(env.observe("player_0")["action_mask"]).tolist()
    env.step(legal[0])
    with pytest.raises(PerfectPlayError, match=r"illegal action 99: action_mask allows"):
        env.step(99)


# Gymnasium.


@pytest.mark.parametrize("name", ["tic-tac-toe", "dots-and-boxes:rows=1,cols=2", "pig:goal=5"])
@pytest.mark.parametrize("side", [0, 1])
def test_gymnasiums_checker_passes(name, side):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it advises symmetric boxes, and a spec of its registry
        check_env(to_gymnasium(load_game(name), "random", side=side), skip_render_check=True)


def test_the_engine_is_not_beaten_by_chance_and_beats_it():
    game = load_game("tic-tac-toe")
    env = to_gymnasium(game, Engine(game, compile=False))
    rewards = []
    for seed in range(4):
        observation, _ = env.reset(seed=seed)
        over, chance, reward = False, random.Random(seed), 0.0
        while not over:
            action = chance.choice(np.flatnonzero(observation["action_mask"]).tolist())
            assert env.action_masks()[action]
            observation, reward, over, _, _ = env.step(action)
        rewards.append(reward)
    assert set(rewards) <= {-1, 0}
    assert -1 in rewards


def test_opponents_are_players_functions_and_engines():
    game = load_game("nim:heaps=1+2")
    for opponent in (find_player("minimax"), lambda state: next(iter(game.actions(state))), "engine"):
        env = to_gymnasium(game, opponent, side=1, render_mode="ansi")
        observation, _ = env.reset(seed=1)
        assert observation["action_mask"].any()
        assert env.render() == game.render(env.current)


def test_an_illegal_action_ends_the_game_and_costs_the_most():
    env = to_gymnasium(load_game("tic-tac-toe"), "random")
    env.reset(seed=3)
    env.step(0)
    assert env.step(0)[1:] == (-1.0, True, False, {"illegal": True})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"opponent": 7},
            "7 is no opponent: give 'engine', 'random', a player of perfectplay.play, or a function",
        ),
        ({"side": 2}, "there is no side 2: give 0 or 1."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(settings, sentence):
    with pytest.raises(PerfectPlayError) as refusal:
        to_gymnasium(load_game("nim:heaps=1"), **settings)
    assert str(refusal.value).startswith(sentence)
    with pytest.raises(PerfectPlayError, match="every player has a utility of its own: use to_pettingzoo"):
        to_gymnasium(load_game("chinese-checkers"))


# What both know of a game.


def test_states_are_rows_of_numbers_and_large_ones_are_shown_by_their_bits():
    survey = Survey(load_game("tic-tac-toe"))
    assert len([each for each in survey.actions if each is not None]) == 9
    words = Features(Survey(Word()))
    assert words.row("ga", turn=True) == [float(ord("g")), float(ord("a")), 0.0, 0.0, 1.0]
    assert Survey(Word()).actions == ["a", "e", "g", "m"]
    othello = load_game("othello")
    assert Features(Survey(othello)).bits[:2] == [64, 64]  # the discs of both


def test_an_action_that_play_did_not_show_asks_for_a_list():
    survey = Survey(Word(), actions=["g", "a", "e"])
    with pytest.raises(
        PerfectPlayError, match=r"Word has an action 'm' that play at random did not show: give actions="
    ):
        survey.number("m")
    wrapped = Survey(from_openspiel("tic_tac_toe"))
    with pytest.raises(PerfectPlayError, match="states of openspiel-tic_tac_toe are not made of numbers"):
        Features(wrapped)


# OpenSpiel.


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_test_passes(name):
    spiel = to_openspiel(load_game(name), f"ours_{GAMES.index(name)}")
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)


def test_openspiels_algorithms_agree_with_ours():
    from open_spiel.python.algorithms import mcts, minimax

    spiel = to_openspiel(Word(), "ours_word")
    assert minimax.alpha_beta_search(spiel)[0] == -1
    spiel = to_openspiel(load_game("connect-four:rows=4,cols=4,k=3,score=outcome"), "ours_connect")
    state = spiel.new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    assert minimax.alpha_beta_search(spiel, state)[0] in (-1, 0, 1)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(spiel, 1.4, 200, rollouts, random_state=np.random.RandomState(1), solve=True)
    assert bot.step(spiel.new_initial_state()) in spiel.new_initial_state().legal_actions()


def test_a_name_is_taken_once():
    game = load_game("nim:heaps=1+2")
    assert str(to_openspiel(game)) == str(to_openspiel(load_game("nim:heaps=1+2"))) == "perfectplay_nim()"
    with pytest.raises(PerfectPlayError, match="OpenSpiel has another game called 'perfectplay_nim' already"):
        to_openspiel(load_game("nim:heaps=3"))
    with pytest.raises(PerfectPlayError, match="OpenSpiel has a game called 'nim' of its own"):
        to_openspiel(game, "nim")
    with pytest.raises(PerfectPlayError, match="'a b' is no name for OpenSpiel"):
        to_openspiel(game, "a b")
