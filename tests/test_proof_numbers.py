"""The proof-number search against plain minimax and known outcomes: tiny tables, its twin, its limits."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from math import inf, nextafter
from time import process_time, sleep

import pytest

from awaited import NET
from hashed_games import Fractional, Hashed, HashedTree, Knowing, Packed, Recurring, solved, start
from perfectplay.engine import Engine, proof_numbers
from perfectplay.engine.memory import ENDLESS, Memory, Objects, RawWords
from perfectplay.engine.parallel_search import Budget
from perfectplay.engine.proof_table import INFINITE, LARGEST, ProofWorkspace, recalled, remember
from perfectplay.engine.prover import QUESTIONS, prover_for
from perfectplay.engine.workspace import SOLVING
from perfectplay.errors import EndlessGameError
from perfectplay.game import MAX, Game
from perfectplay.games import ConnectFour, Hexapawn, TicTacToe

GAMES = [Hashed(), HashedTree(), Knowing(), Fractional(), Packed()]
TINY = 64 * 16 / 2**20  # MB: 64 entries
NO_LIMIT = Budget(inf, ENDLESS)


def engine_for(game, *, compiled=True, table_mb=1.0):
    """An engine that has compiled its proof-number search alone, since nothing else is asked for here."""
    engine = Engine(game, compile="never", table_mb=table_mb)
    engine.compiled = compiled
    engine._prover = prover_for(engine)
    allocator = engine._prover._parallel.memory.allocator
    assert isinstance(allocator, RawWords if compiled else Objects)
    return engine


def solve(engine, state, **limits):
    return engine.solve(state, driver="proof-number", **limits)


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: type(game).__name__)
def game(request):
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize("table_mb", [1, TINY], ids=["table", "64 entries"])
def test_hundreds_of_random_games_of_each_kind_are_solved_as_minimax_solves_them(game, table_mb):
    engine = engine_for(game, table_mb=table_mb)
    for seed in range(400):
        state = start(game, seed)
        answer = solve(engine, state)
        value = solved(game, state)
        assert (answer.value, answer.exact) == (value, True), seed
        for action in answer.line:  # every action keeps the value
            child = game.result(state, action)
            if game.to_move(child) != game.to_move(state):
                value = -value
            assert game.is_terminal(child) or solved(game, child) == value, seed
            state = child


def test_interpreted_and_compiled_agree_node_for_node(game):
    compiled, interpreted = (engine_for(game, compiled=mode, table_mb=TINY) for mode in (True, False))
    for seed in range(150):
        one, other = (solve(engine, start(game, seed)) for engine in (compiled, interpreted))
        assert replace(one, seconds=0) == replace(other, seconds=0)


def test_a_move_that_is_searched_again_and_again_gets_more_room_and_the_answer_is_the_same(monkeypatch):
    """So that a search ends however much its table forgets. Here it gets all the room there is, at once."""
    game = HashedTree()
    values = [solved(game, start(game, seed)) for seed in range(100)]
    nodes = []
    for patience in (32, -24):
        monkeypatch.setattr(proof_numbers, "PATIENCE", patience)
        engine = engine_for(game, compiled=False, table_mb=TINY)
        answers = [solve(engine, start(game, seed), line=False) for seed in range(100)]
        assert [answer.value for answer in answers] == values
        nodes.append(sum(answer.nodes for answer in answers))
    assert nodes[0] != nodes[1]


def test_any_question_has_a_true_answer_whatever_the_table_holds(game):
    """Not more than alpha: an upper bound that is not, either. More than alpha: a lower bound that is."""
    engine = engine_for(game)._prover
    for seed in range(1000):
        state = start(game, seed % 50)
        alpha = (seed * 7 % 13 - 6) / 2
        found = engine._run(state, alpha, nextafter(alpha, inf), SOLVING, NO_LIMIT).value
        assert solved(game, state) >= found > alpha or solved(game, state) <= found <= alpha


def test_a_few_questions_find_a_value_that_single_precision_does_not_hold():
    game = Fractional()
    engine = engine_for(game)
    prover = engine._prover._parallel
    asked = 0
    for seed in range(100):
        before = prover.questions
        answer = solve(engine, start(game, seed), line=False)
        assert answer.value == solved(game, start(game, seed))
        asked += (prover.questions - before) % QUESTIONS
    assert asked < 700


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "value"), [(4, 5, 0), (4, 6, -1)])
def test_small_boards_of_connect_four_have_the_outcomes_that_others_found(rows, cols, value):
    """The table in the readme of C. Steininger's c4; on 6 columns of 4, O wins with the last stone, 24."""
    engine = engine_for(ConnectFour(rows=rows, cols=cols, score="distance"), table_mb=16)
    answer = solve(engine, engine.game.initial(), line=False)
    assert (answer.value, answer.exact) == (value, True)


@pytest.mark.slow
def test_a_win_is_found_with_an_action_that_forces_it():
    game = TicTacToe()
    engine = engine_for(game, compiled=False)
    state = game.initial()
    assert solve(engine, state).value == 0
    for action in (0, 1):  # X in the corner, O beside it: X wins
        state = game.result(state, action)
    answer = solve(engine, state)
    assert (answer.value, answer.exact) == (1, True)
    assert engine.solve(game.result(state, answer.action)).value == -1
    assert game.utility(_end(game, state, answer.line), MAX) == 1


def _end(game, state, line):
    for action in line:
        state = game.result(state, action)
    return state


@pytest.mark.slow
def test_hexapawn_is_a_win_for_the_second_player():
    """chessvariants.com, small.dir/hexapawn.html."""
    engine = engine_for(Hexapawn())
    answer = solve(engine, Hexapawn().initial())
    assert (answer.value, answer.exact) == (-1, True)
    assert answer.nodes == solve(engine_for(Hexapawn(), compiled=False), Hexapawn().initial()).nodes


def test_it_is_made_when_it_is_first_asked_for_and_has_a_table_of_its_own():
    engine = Engine(TicTacToe(), compile="never", table_mb=1)
    assert engine._prover is None
    state = TicTacToe().initial()
    first = solve(engine, state)
    assert engine._prover._parallel.memory.table is not engine._parallel.memory.table
    assert not any(entry.data for entry in engine._parallel.memory.table.entries)
    again = solve(engine, state)
    assert again.nodes < first.nodes
    engine.forget()
    assert not any(entry.data for entry in engine._prover._parallel.memory.table.entries)
    assert engine.solve(state).value == first.value == again.value


@pytest.mark.slow
def test_a_new_process_finds_it_compiled_and_it_still_works():
    engine_for(TicTacToe())
    program = (
        "from perfectplay.engine import Engine; from perfectplay.engine.prover import prover_for;"
        "from perfectplay.games import TicTacToe; engine = Engine(TicTacToe(), compile='never');"
        "engine.compiled = True; prover = prover_for(engine); "
        "print(prover.solve(TicTacToe().initial()).value)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


@pytest.fixture(scope="module")
def hard():
    return engine_for(ConnectFour(), table_mb=8)


@pytest.mark.slow
def test_memory_of_the_rules_is_given_back_on_the_way(hard):
    """More states than their lists would fit into the memory of one question, had they all been kept."""
    assert solve(hard, hard.game.initial(), nodes=2_000_000).nodes == 2_000_000


@pytest.mark.slow
def test_a_budget_of_nodes_holds(hard):
    for nodes in (0, 1, 7, 10_000):
        answer = solve(hard, hard.game.initial(), nodes=nodes)
        assert not answer.exact
        assert answer.nodes == nodes
        assert answer.action in hard.game.actions(hard.game.initial())
        assert answer.lower < answer.upper


def test_a_budget_of_seconds_holds(hard):
    began = process_time()
    assert not solve(hard, hard.game.initial(), seconds=0.1).exact
    assert process_time() - began < 2


def test_it_can_be_stopped_from_another_thread(hard):
    def stop_when_at_work():
        while hard._prover._parallel.workspaces[0].nodes < 1000:
            sleep(0.001)
        hard.stop()

    hard._prover._parallel.workspaces[0].nodes = 0
    thread = threading.Thread(target=stop_when_at_work)
    thread.start()
    answer = solve(hard, hard.game.initial(), seconds=NET)
    thread.join()
    assert not answer.exact
    assert answer.seconds < NET


@dataclass(frozen=True)
class Endless(Game[int, int]):
    """Two states that lead to each other."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state

    def actions(self, state: int) -> list[int]:
        return [0]

    def result(self, state: int, action: int) -> int:
        return 1 - state

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> int:
        return 0


def test_a_game_that_does_not_end_is_told_from_one_that_does():
    engine = engine_for(Endless(), compiled=False)
    with pytest.raises(EndlessGameError, match="a line of play goes on for more than 2000 moves"):
        solve(engine, 0)


def test_where_states_recur_an_answer_is_what_can_be_forced_in_the_end():
    """No answer may be wrong. There need not be one."""
    game = Recurring()
    engine = engine_for(game, compiled=False)
    exact = 0
    for seed in range(20):
        try:
            answer = solve(engine, start(game, seed), nodes=500, line=False)
        except EndlessGameError:
            continue
        lower, upper = forced(game, start(game, seed))
        assert answer.lower <= lower
        assert answer.upper >= upper
        exact += answer.exact
    assert exact > 0


def forced(game, state):
    """What MAX can force in the end, and MIN, as the player to move sees them."""
    states = {state}
    fringe = [state]
    while fringe:
        place = fringe.pop()
        for action in game.actions(place):
            child = game.result(place, action)
            if child not in states:
                states.add(child)
                fringe.append(child)
    limits = []
    for ignorance, better in ((-inf, max), (inf, min)):
        value = {
            place: game.utility(place, MAX) if game.is_terminal(place) else ignorance for place in states
        }
        changed = True
        while changed:
            changed = False
            for place in states:
                if not game.is_terminal(place):
                    choose = max if game.to_move(place) == MAX else min
                    new = choose(value[game.result(place, action)] for action in game.actions(place))
                    if better(new, value[place]) != value[place]:
                        value[place], changed = new, True
        limits.append(value[state])
    low, high = limits
    return (low, high) if game.to_move(state) == MAX else (-high, -low)


def test_an_entry_holds_its_numbers_and_its_answers():
    memory = Memory(Objects(), 0, 1024, stores_states=False)
    workspace = memory.workspace(ProofWorkspace, children=[], above=3.0, below=2.0)
    for proof, disproof in [(1, 1), (LARGEST, 1), (1, LARGEST), (12345, 67890)]:
        remember(workspace, 5, 5, proof, disproof, 0.0, 3)
        assert recalled(workspace, 5, 5, 0.0) == (proof, disproof, 0.0)
    remember(workspace, 5, 5, 0, INFINITE, 2.5, 3)
    assert recalled(workspace, 5, 5, 0.0) == (0, INFINITE, 3.0)
    memory.table.age = 1  # in another question
    assert recalled(workspace, 5, 5, 2.0) == (0, INFINITE, 2.5)
    assert recalled(workspace, 5, 5, 2.5) == (-1, -1, 0.0)
    remember(workspace, 5, 5, INFINITE, 0, 2.5, 3)
    memory.table.age = 2
    assert recalled(workspace, 5, 5, 2.5) == (INFINITE, 0, 2.5)
    assert recalled(workspace, 5, 5, 2.0) == (-1, -1, 0.0)
