"""The games with dice and for three: published figures, and rules that are easily got wrong."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from math import comb
from typing import Any

import pytest

from perfectplay import CHANCE, MAX, MIN, Engine, Game
from perfectplay.errors import BadParameterError
from perfectplay.game import choices
from perfectplay.games import (
    BearOff,
    ChineseCheckers,
    EinsteinWuerfeltNicht,
    Pacman,
    Pig,
    RoyalGameOfUr,
)
from perfectplay.games.bear_off import State as BearOffState
from perfectplay.games.pig import HOLD, ROLL
from perfectplay.textbook import expectimax, expectiminimax, max_n, run, star2, value


def after(game: Game[Any, Any], moves: str) -> Any:
    state = game.initial()
    for name in moves.split():
        state = game.result(state, game.parse_action(state, name))
    return state


def names(game: Game[Any, Any], state: Any) -> list[str]:
    return [game.action_name(each) for each in choices(game, state)]


# Pig.


def value_iteration(game: Game[Any, Any]) -> dict[Any, float]:
    """The value to MAX of every state, tier by tier from the last: what goes in circles stays in its tier."""
    found = {game.initial(): None}
    for state in (waiting := list(found)):
        new = {game.result(state, each): None for each in choices(game, state)}
        waiting += [each for each in new if each not in found]
        found |= new
    tiers: dict[int, list[Any]] = defaultdict(list)
    for state in found:
        tiers[game.tier(state)].append(state)
    values: dict[Any, float] = dict.fromkeys(found, 0.0)
    below: dict[Any, list[tuple[Any, float]]] = {}
    for state in found:
        pairs = (
            game.chances(state) if game.to_move(state) == CHANCE else [(a, 1) for a in game.actions(state)]
        )
        below[state] = [(game.result(state, each), p) for each, p in pairs]
    for tier in sorted(tiers, reverse=True):
        change = 1.0
        while change > 1e-12:
            change = 0.0
            for state in reversed(tiers[tier]):
                if game.is_terminal(state):
                    worth = game.utility(state, MAX)
                elif game.to_move(state) == CHANCE:
                    worth = sum(p * values[each] for each, p in below[state])
                else:
                    best = max if game.to_move(state) == MAX else min
                    worth = best(values[each] for each, _ in below[state])
                change = max(change, abs(worth - values[state]))
                values[state] = worth
    return values


@pytest.mark.parametrize(
    ("goal", "wins"), [(10, 0.7094243), pytest.param(20, 0.6155585, marks=pytest.mark.slow)]
)
def test_the_first_player_of_pig_wins_as_often_as_is_known(goal: int, wins: float) -> None:
    """By value iteration, as Neller and Presser, Optimal Play of the Dice Game Pig, 2004."""
    game = Pig(goal)
    assert (1 + value_iteration(game)[game.initial()]) / 2 == pytest.approx(wins, abs=5e-8)


def test_of_two_who_hold_at_20_the_first_wins_53_of_100() -> None:
    """Neller: 0.5347. What a turn gains is played by the rules, and what a game is worth follows."""
    game = Pig(100)

    @cache
    def gains(score: int) -> dict[int, float]:
        """What a turn gains, with the probability of each: sums only grow, so they are gone through once."""
        turns: dict[int, float] = defaultdict(float)
        reached = {0: 1.0}  # the sums of this turn that have come about
        while reached:
            total = min(reached)
            p, state = reached.pop(total), (score, 0, total, MAX, 0)
            if total >= 20 or ROLL not in game.actions(state):
                turns[game.result(state, HOLD)[0] - score] += p
                continue
            rolling = game.result(state, ROLL)
            for face, q in game.chances(rolling):
                after_it = game.result(rolling, face)
                if after_it[3] != MAX:
                    turns[0] += p * q
                else:
                    reached[after_it[2]] = reached.get(after_it[2], 0.0) + p * q
        return dict(turns)

    @cache
    def wins(mine: int, theirs: int) -> float:
        """The chance of the one to move: both turns may gain nothing, and all begins again."""
        ours, others = gains(mine), gains(theirs)
        won = sum(p if mine + k >= 100 else p * (1 - wins(theirs, mine + k)) for k, p in ours.items() if k)
        lost = sum(
            p if theirs + k >= 100 else p * (1 - wins(mine, theirs + k)) for k, p in others.items() if k
        )
        nothing, again = ours.get(0, 0.0), others.get(0, 0.0)
        return (won + nothing * (1 - lost - again)) / (1 - nothing * again)

    assert wins(0, 0) == pytest.approx(0.5347, abs=5e-5)


def test_a_turn_of_pig() -> None:
    game = Pig(20)
    assert names(game, game.initial()) == ["roll"]
    assert names(game, after(game, "roll")) == list("123456")
    assert names(game, after(game, "roll 5")) == ["roll", "hold"]
    assert after(game, "roll 5 roll 4 hold") == (9, 0, 0, MIN, 0)
    assert after(game, "roll 5 roll 1") == (0, 0, 0, MIN, 0)
    almost = after(game, "roll 6 roll 6 roll 6 roll 2")
    assert names(game, almost) == ["hold"]
    assert game.utility(game.result(almost, HOLD), MAX) == 1


# Backgammon's last phase.


def test_men_on_5_and_2_against_3_and_2_win_671_of_1000() -> None:
    """The GNU Backgammon manual: 67.1 %."""
    game = BearOff((5, 2), (3, 2))
    for search in (expectiminimax, star2):
        assert (1 + search(game, game.initial())) / 2 == pytest.approx(0.6711248, abs=5e-8)


def test_one_man_each_wins_by_the_dice_alone() -> None:
    """A man on 6 is off with 27 of 36 rolls; if it is not, the other, on 1, always is."""
    game = BearOff((6,), (1,))
    assert (1 + value(game, game.initial())) / 2 == pytest.approx(27 / 36)


def test_dice_of_the_bear_off() -> None:
    game = BearOff((6, 3, 3), (1,))
    start = game.initial()
    assert sum(p for _, p in game.chances(start)) == pytest.approx(1)
    assert len(names(game, start)) == 21
    assert names(game, after(game, "64")) == ["6/off", "6/2"]
    assert after(game, "64 6/off").dice == (4,)
    assert names(game, after(game, "64 6/off")) == ["3/off4"]  # none is on a higher point
    assert after(game, "22").dice == (2, 2, 2, 2)
    assert [game.to_move(after(game, "22" + " 6/4 4/2 3/1 3/1"[: 4 * n])) for n in range(5)] == [
        0,
        0,
        0,
        0,
        CHANCE,
    ]
    assert after(game, "22 6/4 4/2 3/1 3/1") == BearOffState((2, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), 1, ())


# EinStein würfelt nicht!


def test_the_die_says_which_stones_may_move() -> None:
    game = EinsteinWuerfeltNicht()
    assert names(game, game.initial()) == list("123456")
    assert {name[0] for name in names(game, after(game, "3"))} == {"3"}
    mine = (-1, 6, -1, -1, 18, -1)  # two stones are left, numbers 2 and 5
    for face, stones in ((1, "2"), (2, "2"), (3, "25"), (4, "25"), (6, "5")):
        found = names(game, (mine, (24, -1, -1, -1, -1, -1), MAX, face))
        assert {name[0] for name in found} == set(stones), face


def test_a_stone_takes_what_it_meets_its_own_too() -> None:
    game = EinsteinWuerfeltNicht(3)
    start = game.initial()
    assert start == ((0, 1, 3), (8, 7, 5), MAX, 0)
    mine, theirs, turn, die = after(game, "1 1-b1")
    assert (mine, theirs, turn, die) == ((1, -1, 3), (8, 7, 5), MIN, 0)
    won = after(game, "2 2-b2 1 1-c2 2 2-c3")
    assert game.is_terminal(won)
    assert (game.utility(won, MAX), game.utility(won, MIN)) == (1, -1)


def test_star2_is_expectiminimax_on_a_small_board() -> None:
    game = EinsteinWuerfeltNicht(3)
    state = after(game, "1 1-b2 1 1-b2 2 2-b2")
    assert star2(game, state) == pytest.approx(expectiminimax(game, state))


# The Royal Game of Ur.


def test_four_dice_of_two_faces() -> None:
    game = RoyalGameOfUr()
    assert [p for _, p in game.chances(game.initial())] == [comb(4, roll) / 16 for roll in range(5)]
    assert game.prompt(game.initial(), ()) == ""
    thrown = after(game, "3")
    assert game.prompt(thrown, ()) == "You threw 3: choose a piece, or your pile to enter one."
    assert game.prompt((2, 0, 0, 7, 0, 3), ()) == "You threw 3: choose a piece."


def test_rosettes_throw_again_and_are_safe() -> None:
    game = RoyalGameOfUr()
    assert game.to_move(after(game, "4 0")) == CHANCE
    assert after(game, "4 0")[4] == MAX  # on a rosette: MAX again
    assert after(game, "3 0")[4] == MIN
    assert after(game, "0")[4] == MIN  # nothing was thrown
    mine, theirs = 1 << 8, 1 << 5
    assert not game.is_legal((mine, 0, theirs, 0, MIN, 3), 5, 3)  # the rosette in the middle
    assert game.is_legal((1 << 7, 0, theirs, 0, MIN, 2), 5, 2)
    taken = game.result((1 << 7, 0, theirs, 0, MIN, 2), 5)
    assert taken == (0, 1, 1 << 7, 0, MAX, -1)


def test_pieces_leave_by_an_exact_throw() -> None:
    game = RoyalGameOfUr(1)
    last = (1 << 13, 0, 0, 1, MAX, -1)
    assert game.result(last, 3) == (1 << 13, 0, 0, 1, MIN, -1)  # too far: MAX passes
    home = game.result(game.result(last, 2), 13)
    assert game.is_terminal(home)
    assert game.utility(home, MAX) == 1


def test_private_squares_are_private() -> None:
    game = RoyalGameOfUr()
    state = (1 << 3, 6, 1 << 1, 6, MIN, 2)
    assert game.result(state, 1) == (1 << 3, 6, 1 << 3, 6, MAX, -1)


# Chinese checkers.


def test_the_star_has_its_cells_and_points() -> None:
    assert [len(ChineseCheckers(size).cells) for size in (1, 2, 3)] == [13, 37, 73]
    for size, marbles in ((1, 1), (2, 3), (3, 6)):
        game = ChineseCheckers(size)
        assert {len(point) for point in (*game.homes, *game.goals)} == {marbles}
        assert len({cell for point in (*game.homes, *game.goals) for cell in point}) == 6 * marbles


def test_marbles_step_and_jump_and_enter_no_other_point() -> None:
    game = ChineseCheckers(1)
    start = game.initial()
    for _ in range(6):
        for _, target in game.actions(start):
            assert target not in game.closed[game.to_move(start)]
        start = game.result(start, next(iter(game.actions(start))))
    middle = game.cells.index((0, 0, 0))
    near = game.cells.index((1, -1, 0))
    behind = game.cells.index((-1, 1, 0))
    state = (((near,), (middle,), game.homes[2]), 0, 9)
    assert (near, behind) in list(game.actions(state))


def test_the_first_to_arrive_gets_everything() -> None:
    game = ChineseCheckers(1)
    won = ((game.goals[0], game.homes[1], game.homes[2]), 1, 30)
    assert game.is_terminal(won)
    assert [game.utility(won, player) for player in range(3)] == [1, 0, 0]
    tired = (game.homes, 0, 0)
    assert [game.utility(tired, player) for player in range(3)] == [1 / 3] * 3


def test_who_can_arrive_does_with_max_n() -> None:
    game = ChineseCheckers(1)
    beside = next(cell for cell in game.beside[game.goals[0][0]] if cell >= 0)
    state = (((beside,), game.homes[1], game.homes[2]), 0, 1)
    assert max_n(game, state) == ((1, 0, 0), (beside, game.goals[0][0]))


# Pacman.


def test_pacman_eats_and_every_move_costs_a_point() -> None:
    game = Pacman(moves=9)
    start = game.initial()
    assert names(game, start) == ["North", "East", "Stop"]
    state = game.result(start, game.parse_action(start, "North"))
    assert game.to_move(state) == CHANCE
    assert sum(p for _, p in game.chances(state)) == pytest.approx(1)
    assert (game.points(start), game.points(state)) == (0, -1)
    ghost = game.result(state, next(iter(choices(game, state))))
    eaten = game.result(ghost, game.parse_action(ghost, "North"))
    assert game.points(eaten) == 8


def test_ghosts_that_think_are_min_players_and_the_engine_plays_them() -> None:
    game = Pacman("min", number=2, moves=3)
    assert (game.players, game.has_chance) == (3, False)
    state = game.initial()
    assert [game.to_move(state := game.result(state, next(iter(game.actions(state))))) for _ in range(3)] == [
        1,
        2,
        0,
    ]
    worth = value(game, game.initial())
    assert Engine(game, compile="never", table_mb=1).solve(game.initial()).value == worth
    assert expectimax(game, game.initial()) >= worth


def test_with_ghosts_as_dice_expectimax_is_the_dispatch_form() -> None:
    game = Pacman("chance", moves=3)
    assert expectimax(game, game.initial()) == pytest.approx(value(game, game.initial()))
    assert value(game, game.initial(), 1) == pytest.approx(run("value", game, game.initial(), depth=1).value)


def test_who_meets_a_ghost_has_lost_500() -> None:
    game = Pacman("min")
    pacman, ghosts, food, _, _ = game.initial()
    met = (ghosts[0], ghosts, food, 0, 7)
    assert game.is_terminal(met)
    assert (game.utility(met, MAX), game.utility(met, MIN)) == (-507, 507)
    done = (pacman, ghosts, 0, 1, 20)
    assert game.utility(done, MAX) == 500 + 10 * bin(food).count("1") - 20


# Parameters.


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pig(0), "a goal of 0 cannot be"),
        (lambda: BearOff((7,), (1,)), "men on 7 cannot be"),
        (lambda: BearOff((), (1,)), "cannot be: give 1 to 15 points"),
        (lambda: EinsteinWuerfeltNicht(2), "a board of 2 cannot be"),
        (lambda: RoyalGameOfUr(8), "8 pieces cannot be"),
        (lambda: RoyalGameOfUr(1, "large"), "there is no board 'large'"),
        (lambda: ChineseCheckers(4), "size 4 and 60 moves cannot be"),
        (lambda: Pacman("clever"), "ghosts are no 'clever'"),
        (lambda: Pacman("min", 3), "3 ghosts and 40 moves cannot be"),
    ],
)
def test_parameters_that_cannot_be_are_refused(make: Any, message: str) -> None:
    with pytest.raises(BadParameterError, match=message):
        make()
