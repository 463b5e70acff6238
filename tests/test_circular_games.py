"""Dodgem and the morris games, where play can come back: their rules, and what they come to."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from graph_games import Graph, naive_solution
from perfectplay import MAX, MIN, Engine, Game
from perfectplay.check import check_game
from perfectplay.errors import BadParameterError, EndlessGameError
from perfectplay.games import Dodgem, NineMensMorris, ThreeMensMorris
from perfectplay.games.morris import Morris
from perfectplay.games.words import transposed
from perfectplay.tablebase import Tablebase, build_tablebase, verify
from perfectplay.textbook import run

THREE = [ThreeMensMorris(), ThreeMensMorris("diagonal"), ThreeMensMorris("anywhere")]
SOLVED = [Dodgem(2), Dodgem(), Dodgem(blocked="loses"), *THREE]


def played(game: Game, moves: str):
    """The state after moves in notation."""
    state = game.initial()
    for name in moves.split():
        state = game.result(state, game.parse_action(state, name))
    return state


def names(game: Game, state) -> list[str]:
    return sorted(game.action_name(action) for action in game.actions(state))


def set_up(game: Morris, crosses: str, noughts: str, turn: int, placed: int | None = None):
    """A state with men on the points that are named, by default after all have been placed."""
    bits = {name: 1 << point for point, name in enumerate(point_names(game))}
    first, second = (sum(bits[name] for name in names.split()) for names in (crosses, noughts))
    return first, second, 2 * game.men if placed is None else placed, turn


def point_names(game: Morris) -> list[str]:
    return [f"{'abcdefg'[col]}{row + 1}" for row, col in game.points]


def random_states(game: Game, seed: int, games: int) -> list:
    random, found = Random(seed), []
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state) and len(found) < 10_000:
            found.append(state)
            state = game.result(state, random.choice(list(game.actions(state))))
        found.append(state)
    return found


# Dodgem.


def test_cars_stand_at_two_sides_and_the_corner_between_them_is_empty():
    assert Dodgem().render(Dodgem().initial()) == " 3 > . .\n 2 > . .\n 1 . ^ ^\n   a b c\nMAX (>) to move"


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_cars_drive_as_one_finds_car_by_car(size):
    game, random = Dodgem(size), Random(size)
    ways = {MAX: [(0, 1), (1, 0), (-1, 0)], MIN: [(1, 0), (0, -1), (0, 1)]}
    for _ in range(10):
        state = game.initial()
        cars = {(row, 0): MAX for row in range(1, size)} | {(0, col): MIN for col in range(1, size)}
        for _ in range(300):
            player = game.to_move(state)
            legal = {}
            for (row, col), owner in cars.items():
                for ahead, (up, right) in enumerate(ways[owner]):
                    there = row + up, col + right
                    outside = not all(0 <= number < size for number in there)
                    if owner == player and there not in cars and (not outside or ahead == 0):
                        name = "off" if outside else f"{'abcdefg'[there[1]]}{there[0] + 1}"
                        legal[f"{'abcdefg'[col]}{row + 1}-{name}"] = (row, col), None if outside else there
            if player not in cars.values() or 1 - player not in cars.values() or not legal:
                break
            assert not game.is_terminal(state)
            assert names(game, state) == sorted(legal)
            name = random.choice(list(legal))
            source, target = legal[name]
            del cars[source]
            if target is not None:
                cars[target] = player
            state = game.result(state, game.parse_action(state, name))
        over = not legal or len(set(cars.values())) < 2
        assert game.is_terminal(state) == over
        if over:
            assert list(game.actions(state)) == []
            winner = next((side for side in (MAX, MIN) if side not in cars.values()), player)
            assert game.utility(state, winner) == -game.utility(state, 1 - winner) == 1


def test_who_has_driven_all_cars_off_the_board_has_won():
    game = Dodgem(2)
    state = played(game, "a2-b2 b1-a1")
    assert names(game, state) == ["b2-b1", "b2-off"]
    state = game.result(state, game.parse_action(state, "b2-off"))
    assert (game.is_terminal(state), game.utility(state, MAX), game.utility(state, MIN)) == (True, 1, -1)
    assert game.render(state) == " 2 . .\n 1 ^ .\n   a b\nMAX (>) has won"


@pytest.mark.parametrize(("blocked", "worth"), [("wins", 1), ("loses", -1)])
def test_a_player_who_is_shut_in_wins_or_loses_by_the_rule(blocked, worth):
    """MIN's last car is in the corner c1, with cars of MAX on b1 and c2."""
    game = Dodgem(blocked=blocked)
    state = (0b000_100_010, 0b000_000_100, MIN)
    assert list(game.actions(state)) == []
    assert game.is_terminal(state)
    assert (game.utility(state, MAX), game.utility(state, MIN)) == (-worth, worth)
    assert game.render(state).endswith("MIN (^) has won" if blocked == "wins" else "MAX (>) has won")
    assert not game.is_terminal((*state[:2], MAX))


def test_dodgem_comes_back_and_the_textbook_says_so():
    game = Dodgem()
    here = played(game, "a2-b2 c1-c2 a3-b3 c2-c3 b2-c2 b1-b2 c2-off c3-off b3-c3 b2-b3")
    state = here
    for name in ("c3-c2", "b3-a3", "c2-c3", "a3-b3"):
        state = game.result(state, game.parse_action(state, name))
    assert state == here
    with pytest.raises(EndlessGameError, match="the game can come back to the same state"):
        run("minimax", game, game.initial())


@pytest.mark.parametrize("size", [1, 8])
def test_a_board_for_no_cars_or_too_many_is_refused(size):
    with pytest.raises(BadParameterError, match=f"a board of size {size} cannot be: give 2 to 7"):
        Dodgem(size)


def test_a_rule_that_nobody_knows_is_refused():
    with pytest.raises(BadParameterError, match="blocked=draws cannot be: give wins or loses"):
        Dodgem(blocked="draws")
    with pytest.raises(BadParameterError, match="moves=far cannot be: give straight or diagonal or anywhere"):
        ThreeMensMorris("far")


# Three Men's Morris.


def test_three_men_each_are_placed_and_then_moved():
    game = ThreeMensMorris()
    state = played(game, "b2 a1 c1 a3 a2")
    assert names(game, state) == ["b1", "b3", "c2", "c3"]
    state = played(game, "b2 a1 c1 a3 a2 c2")
    assert game.render(state).splitlines() == [
        " 3 O-.-.",
        "   | | |",
        " 2 X-X-O",
        "   | | |",
        " 1 O-.-X",
        "   a b c",
        "X to move",
    ]
    assert names(game, state) == ["b2-b1", "b2-b3", "c1-b1"]


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("straight", ["a1-b1", "b3-b2", "b3-c3", "c1-b1"]),
        ("diagonal", ["a1-b1", "a1-b2", "b3-b2", "b3-c3", "c1-b1", "c1-b2"]),
        ("anywhere", [f"{man}-{to}" for man in ("a1", "b3", "c1") for to in ("b1", "b2", "c3")]),
    ],
)
def test_how_a_man_moves_is_a_matter_of_the_rule(moves, legal):
    game = ThreeMensMorris(moves)
    state = set_up(game, "a1 c1 b3", "a2 a3 c2", MAX)
    assert names(game, state) == sorted(legal)


@pytest.mark.parametrize(
    "line",
    ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"],
)
def test_three_in_any_line_win(line):
    game = ThreeMensMorris()
    others = " ".join([name for name in point_names(game) if name not in line.split()][1:3])
    state = set_up(game, line, others, MIN, 5)
    assert game.is_terminal(state)
    assert list(game.actions(state)) == []
    assert (game.utility(state, MAX), game.utility(state, MIN)) == (1, -1)


@pytest.mark.parametrize("game", THREE, ids=repr)
def test_there_is_always_a_move_until_somebody_has_three_in_a_line(game):
    for men in combinations(range(9), 6):
        for mine in combinations(men, 3):
            crosses, everybody = (sum(1 << point for point in points) for points in (mine, men))
            state = crosses, everybody ^ crosses, 6, MAX
            assert game.is_lost(state) or list(game.actions(state))


# Nine Men's Morris.

# Every line of the board, with its points in order.
MILLS = [
    *("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"),
    *("a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"),
]
LINES = [mill.split() for mill in MILLS]


def in_mills(men: set[str]) -> set[str]:
    return {name for line in LINES if men >= set(line) for name in line}


def moves_by_hand(men: dict[str, int], hands: list[int], player: int, flying: bool) -> dict[str, tuple]:
    """The legal moves by name, as one finds them with the list of lines: from, to and taken."""
    mine, theirs = ({name for name, owner in men.items() if owner == side} for side in (player, 1 - player))
    free = {name for line in LINES for name in line} - men.keys()
    steps = {(a, b) for x, y, z in LINES for a, b in ((x, y), (y, x), (y, z), (z, y))}
    flies = flying and len(mine) == 3
    if hands[player]:
        pairs = [(None, there) for there in free]
    else:
        pairs = [(man, there) for man in mine for there in free if flies or (man, there) in steps]
    legal = {}
    for source, target in pairs:
        name = target if source is None else f"{source}-{target}"
        if target in in_mills(mine - {source} | {target}):
            for taken in theirs - in_mills(theirs) or theirs:
                legal[f"{name}x{taken}"] = source, target, taken
        else:
            legal[name] = source, target, None
    return legal


@pytest.mark.parametrize("flying", [True, False])
def test_men_move_as_one_finds_by_the_list_of_lines(flying):
    game, random = NineMensMorris(flying), Random(9)
    ends = Counter()
    for _ in range(30):
        state, men, hands = game.initial(), {}, [9, 9]
        for _ in range(300):
            player = game.to_move(state)
            left = sum(owner == player for owner in men.values()) + hands[player]
            legal = moves_by_hand(men, hands, player, flying)
            if left < 3 or not legal:
                assert game.is_terminal(state)
                assert list(game.actions(state)) == []
                assert game.utility(state, player) == -1
                ends["few" if left < 3 else "stuck"] += 1
                break
            assert not game.is_terminal(state)
            assert names(game, state) == sorted(legal)
            mills = [name for name in legal if "x" in name]  # so that men are taken, and games end
            name = random.choice(mills or list(legal))
            source, target, taken = legal[name]
            men[target] = player
            if source is None:
                hands[player] -= 1
            for gone in (source, taken):
                men.pop(gone, None)
            state = game.result(state, game.parse_action(state, name))
    assert ends["few"] > 5


def test_a_man_in_a_mill_is_taken_only_if_all_are_in_mills():
    game = NineMensMorris()
    state = set_up(game, "a7 d7 g4", "a1 d1 g1 b2", MAX, 8)
    assert [name for name in names(game, state) if name.startswith("g7")] == ["g7xb2"]
    state = set_up(game, "a7 d7 g4", "a1 d1 g1", MAX, 8)
    assert [name for name in names(game, state) if name.startswith("g7")] == ["g7xa1", "g7xd1", "g7xg1"]


def test_two_mills_at_once_take_one_man():
    game = NineMensMorris()
    state = set_up(game, "a7 d7 g4 g1", "b2 f4", MAX, 8)
    state = game.result(state, game.parse_action(state, "g7xb2"))
    assert state[1].bit_count() == 1


def test_a_player_with_three_men_flies_only_when_all_are_placed_and_by_the_rule():
    walkers, flyers = NineMensMorris(flying=False), NineMensMorris()
    men = "a7 d5 g1", "b2 d2 f4 c3"
    assert len(names(flyers, set_up(flyers, *men, MAX))) == 3 * 17
    assert names(walkers, set_up(walkers, *men, MAX)) == [
        "a7-a4", "a7-d7", "d5-c5", "d5-d6", "d5-e5", "g1-d1", "g1-g4",
    ]  # fmt: skip
    assert all("-" not in name for name in names(flyers, set_up(flyers, *men, MAX, 10)))


def test_who_has_two_men_left_or_cannot_move_loses_nine_mens_morris():
    game = NineMensMorris()
    assert game.is_terminal(set_up(game, "a7 d7", "a1 d1 g1", MAX))
    assert not game.is_terminal(set_up(game, "a7 d7", "a1 d1 g1", MAX, 16))  # one is still in the hand
    stuck = set_up(game, "a7 d7 g7 g4", "a4 d6 f4 g1", MAX)
    assert game.is_terminal(stuck)
    assert game.utility(stuck, MAX) == -1
    assert not game.is_terminal((*stuck[:3], MIN))


def test_nine_mens_morris_is_drawn_with_its_three_squares_and_the_men_in_hand():
    game = NineMensMorris()
    assert game.render(played(game, "d6 f4 d7 b4 d5xf4")).splitlines() == [
        " 7 .-----X-----.",
        " 6 | .---X---. |",
        " 5 | | .-X-. | |",
        " 4 .-O-.   .-.-.",
        " 3 | | .-.-. | |",
        " 2 | .---.---. |",
        " 1 .-----.-----.",
        "   a b c d e f g",
        "to place: X 6  O 7  O to move",
    ]


@pytest.mark.slow
def test_the_engine_beats_a_random_player_at_nine_mens_morris():
    game, random = NineMensMorris(), Random(3)
    engine = Engine(game, compile="always", table_mb=4)
    for side in (MAX, MIN):
        state = game.initial()
        for _ in range(200):
            if game.is_terminal(state):
                break
            if game.to_move(state) == side:
                state = game.result(state, engine.search(state, depth=4).action)
            else:
                state = game.result(state, random.choice(list(game.actions(state))))
        assert game.is_terminal(state)
        assert game.utility(state, side) == 1


# Symmetry.


def images(game: Morris, state) -> set:
    """The state under every symmetry of the board, point by point from the coordinates."""
    where = {cell: point for point, cell in enumerate(game.points)}
    middle = max(row for row, _ in game.points) // 2
    found = set()
    for down, left, swap, inside_out in product((1, -1), (1, -1), (False, True), (False, game.men == 9)):

        def image(men: int, down=down, left=left, swap=swap, inside_out=inside_out) -> int:
            moved = 0
            for point, (row, col) in enumerate(game.points):
                if men >> point & 1:
                    row, col = down * (row - middle), left * (col - middle)
                    if inside_out:
                        ring = max(abs(row), abs(col))
                        row, col = row // ring * (4 - ring), col // ring * (4 - ring)
                    if swap:
                        row, col = col, row
                    moved |= 1 << where[row + middle, col + middle]
            return moved

        found.add((image(state[0]), image(state[1]), *state[2:]))
    return found


@pytest.mark.parametrize("game", [*THREE, NineMensMorris()], ids=repr)
def test_all_images_of_a_state_have_one_representative_and_lead_to_the_same(game):
    full = 16 if game.men == 9 else 8
    sizes = Counter()
    for state in random_states(game, 4, 12)[:: 1 if game.men == 3 else 9]:
        same = images(game, state)
        sizes[len(same)] += 1
        assert {game.canonical(image) for image in same} == {game.canonical(state)}
        assert game.canonical(state) in same
        after = {game.canonical(game.result(state, action)) for action in game.actions(state)}
        for image in same:
            assert {game.canonical(game.result(image, action)) for action in game.actions(image)} == after
    assert max(sizes) == full


def test_three_mens_morris_opens_in_the_middle_in_a_corner_or_at_an_edge():
    game, start = ThreeMensMorris(), ThreeMensMorris().initial()
    assert len({game.canonical(game.result(start, action)) for action in game.actions(start)}) == 3


# What helps a search.


@pytest.mark.parametrize("game", [Dodgem(), Dodgem(4), *THREE, NineMensMorris()], ids=repr)
def test_no_action_lowers_the_tier(game):
    for state in random_states(game, 1, 20)[::3]:
        for action in game.actions(state):
            assert game.tier(game.result(state, action)) >= game.tier(state)


@pytest.mark.parametrize("game", [Dodgem(5), Dodgem(6), *THREE, NineMensMorris()], ids=repr)
def test_no_two_states_share_a_key(game):
    states = set(random_states(game, 2, 60))
    assert len({game.key(state) for state in states}) == len(states)


def test_the_best_looking_moves_are_tried_first():
    for game, crosses, noughts, best in (
        (ThreeMensMorris("anywhere"), "a1 b1 a3", "b2 c3 a2", "a3-c1"),
        (NineMensMorris(), "a7 d7 g4 b2", "a1 d1 f4 c3", "g4-g7xa1"),
    ):
        state = set_up(game, crosses, noughts, MAX)
        top = max(game.actions(state), key=lambda action: game.order(state, action))
        assert game.action_name(top).split("x")[0] == best.split("x")[0]
    game = Dodgem()
    top = max(game.actions(game.initial()), key=lambda action: game.order(game.initial(), action))
    assert game.action_name(top) in ("a2-b2", "a3-b3")


@pytest.mark.slow
@pytest.mark.parametrize("game", [Dodgem(7), THREE[1], NineMensMorris(flying=False)], ids=repr)
def test_the_circular_games_compile_to_the_same_game(game):
    report = check_game(game, states=60, playouts=1, seconds=60, compiled=True)
    assert report.ok
    assert report.machine.startswith("compiles to the same game, in ")


# Solved.


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """The tablebase of a game, built once."""
    directories = {}

    def open_one(game: Game, **options) -> Tablebase:
        name = repr(game), *options
        if name not in directories:
            directories[name] = build_tablebase(game, tmp_path_factory.mktemp("solved"), workers=1, **options)
        return Tablebase(directories[name], game)

    return open_one


def as_graph(game: Game) -> tuple[Graph, list]:
    """The positions of a game as numbers, the start first, for the definition to be applied to."""
    numbers = {game.initial(): 0}
    starts, targets, turns, worths = [0], [], [], []
    for state in (waiting := list(numbers)):
        over = game.is_terminal(state)
        turns.append(2 if over else game.to_move(state))
        worths.append(game.utility(state, MAX) if over else 0)
        for action in game.actions(state):
            after = game.result(state, action)
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            targets.append(numbers[after])
        starts.append(len(targets))
    return Graph(tuple(starts), tuple(targets), tuple(turns), tuple(worths)), list(numbers)


@pytest.mark.slow
@pytest.mark.parametrize("game", SOLVED, ids=repr)
def test_every_position_is_worth_what_the_definition_says(game, solved):
    graph, states = as_graph(game)
    truth = naive_solution(graph)
    with solved(game) as table:
        for number, (value, ends, far) in truth.items():
            state = states[number]
            entry = table.probe(state)
            sign = 1 if game.to_move(state) == MAX else -1
            assert entry.value == sign * value
            assert (entry.outcome == "draw") == (not ends)
            assert entry.remoteness == (far if ends else None)
    draws = sum(not ends for _, ends, _ in truth.values())
    assert (draws > 0) == isinstance(game, Morris)  # in Dodgem up to 3x3 somebody wins, from everywhere


@pytest.mark.slow
@pytest.mark.parametrize("game", SOLVED, ids=repr)
def test_verification_finds_nothing_wrong(game, solved):
    with solved(game) as table:
        assert verify(table.directory, game, workers=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", THREE, ids=repr)
def test_with_and_without_symmetry_every_position_is_worth_the_same(game, solved):
    _, states = as_graph(game)
    with solved(game) as few, solved(game, symmetry=False) as all_of_them:
        assert len(all_of_them) == len(states)
        assert len(few) == len({game.canonical(state) for state in states}) < len(states) / 6
        for state in states:
            assert few.probe(state) == all_of_them.probe(state)


@pytest.mark.parametrize("blocked", ["wins", "loses"])
def test_who_begins_wins_dodgem_on_three_by_three(blocked, solved):
    """Wikipedia, Dodgem, after Winning Ways. It is won by a3-b3 alone, with the rule as we found it."""
    game = Dodgem(blocked=blocked)
    with solved(game) as table:
        assert table.probe(game.initial()).outcome == "win"
        assert [game.action_name(action) for action in table.best(game.initial())] == ["a3-b3"]


def test_it_matters_what_becomes_of_a_player_who_is_shut_in(solved):
    with solved(Dodgem()) as wins, solved(Dodgem(blocked="loses")) as loses:
        states = as_graph(Dodgem())[1]
        assert sum(wins.probe(state) != loses.probe(state) for state in states) > 50


class MinBegins(Dodgem):
    """The same, and MIN moves first."""

    def initial(self):
        return self.first & ~1, (1 << self.size) - 2, 1


@pytest.mark.slow
def test_min_wins_dodgem_by_moving_first_and_the_board_is_the_same_along_its_diagonal(solved):
    """Rows for columns and MAX for MIN: the worth to the player to move stays."""
    first, second = Dodgem(), MinBegins()
    with solved(first) as one, solved(second) as other:
        assert other.probe(second.initial()).outcome == "win"
        assert len(one) == len(other)
        for right, up, turn in as_graph(first)[1]:
            mirrored = transposed(up, 3), transposed(right, 3), 1 - turn
            assert other.probe(mirrored) == one.probe((right, up, turn))


@pytest.mark.slow
def test_nobody_wins_dodgem_on_four_by_four(solved):
    """Wikipedia, Dodgem: D. des Jardins, 1996, found that it never ends."""
    game = Dodgem(4)
    with solved(game) as table:
        assert table.probe(game.initial()) == (0, "draw", None)
        assert len(table) == 393_900  # no source


def test_who_begins_wins_three_mens_morris_in_the_middle_and_nowhere_else(solved):
    """Wikipedia, Three men's morris: a win for the first player, for neither without the middle."""
    game = ThreeMensMorris()
    with solved(game) as table:
        outcomes = {game.action_name(each.action): each.outcome for each in table.explain(game.initial())}
    corners, edges = ("a1", "a3", "c1", "c3"), ("a2", "b1", "b3", "c2")
    wanted = {"b2": "win"} | dict.fromkeys(corners, "draw") | dict.fromkeys(edges, "loss")
    assert outcomes == wanted


@pytest.mark.parametrize(
    ("moves", "outcome"), [("straight", "win"), ("diagonal", "win"), ("anywhere", "draw")]
)
def test_three_mens_morris_is_a_draw_only_if_men_move_anywhere(moves, outcome, solved):
    """No source but the definition, which the test above applies."""
    game = ThreeMensMorris(moves)
    with solved(game) as table:
        assert table.probe(game.initial()).outcome == outcome
