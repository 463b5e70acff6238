"""Searches over HTTP: what they tell, whose turn it is, and that they end when nobody waits for them."""

from __future__ import annotations

import asyncio
import sys
import time
from math import inf
from threading import Event
from typing import Any

import pytest

from awaited import NET
from broken_games import Takeaway
from held_compiler import HeldBack
from perfectplay import MAX, load_game
from perfectplay.play import Match, player_names
from perfectplay.proven import ProvenValues
from perfectplay.textbook import value
from perfectplay.web import answers, streams
from perfectplay.web.engines import Engines
from perfectplay.web.faults import RefusedError
from perfectplay.web.models import Compiling
from perfectplay.web.offers import Offers
from perfectplay.web.searches import STOPPING, Search, Searches
from perfectplay.web.streams import EventStream
from web_client import Web, read_events


@pytest.fixture(scope="module")
def web():
    return Web(Takeaway)


def names(events: Any) -> list[str]:
    return [name for name, _ in events]


async def all_of(search: Search) -> list[tuple[str, str]]:
    return [(event.name, event.text) async for event in search.events() if event]


# Analysing.


@pytest.mark.parametrize("moves", [["b2"], ["b2", "b1"], ["a1", "b2", "c3", "a3"]])
def test_an_analysis_ends_with_the_exact_value_of_every_move(web, moves):
    game = load_game("tic-tac-toe")
    match = Match(game, moves)
    sign = 1 if game.to_move(match.state) == MAX else -1
    wanted = {
        game.action_name(action): sign * value(game, game.result(match.state, action))
        for action in game.actions(match.state)
    }
    events = web.events("/api/analyse", game="tic-tac-toe", moves=moves)
    assert names(events)[:1] + names(events)[-1:] == ["started", "done"]
    assert set(names(events)[1:-1]) == {"depth"}
    done = events[-1][1]
    assert {move["action"]: move["value"] for move in done["moves"]} == wanted
    assert all(move["exact"] for move in done["moves"])
    assert {move["action"] for move in done["moves"] if move["best"]} == {
        name for name, worth in wanted.items() if worth == max(wanted.values())
    }
    assert (done["value"], done["value_to_max"]) == (max(wanted.values()), sign * max(wanted.values()))
    assert (done["exact"], done["reason"], done["compiled"]) == (True, "exact", False)


def test_an_analysis_goes_a_ply_deeper_with_every_event_and_its_line_can_be_played(web):
    events = web.events("/api/analyse", game="connect-four:rows=4,cols=5", moves=["3"], depth=6)
    depths = [data for name, data in events if name == "depth"]
    assert [each["depth"] for each in depths] == [1, 2, 3, 4, 5, 6]
    assert [each["nodes"] for each in depths] == sorted(each["nodes"] for each in depths)
    for each in depths:
        played = {"game": "connect-four:rows=4,cols=5", "moves": ["3", *each["line"]]}
        assert web.post("/api/position", played).status_code == 200
        assert each["line"][0] in {move["action"] for move in each["moves"] if move["best"]}
        assert len(each["moves"]) == 5
    assert events[-1][1] == depths[-1] | {"reason": "depth"}
    assert not depths[0]["moves"][0]["exact"]


def test_an_analysis_without_time_shows_the_moves_without_values(web):
    (started, (last, done)) = web.events("/api/analyse", game="connect-four", seconds=0)
    assert (started[0], last, done["depth"], done["reason"]) == ("started", "done", 0, "time")
    assert [move["action"] for move in done["moves"]] == list("1234567")
    assert {move["value"] for move in done["moves"]} == {None}


def test_the_time_of_an_analysis_ends_it(web):
    (*_, (last, done)) = web.events("/api/analyse", game="connect-four", seconds=0.5)
    assert (last, done["reason"]) == ("done", "time")


def test_a_game_that_is_over_is_not_searched(web):
    for path in ("analyse", "reply"):
        answer = web.post(f"/api/{path}", {"game": "nim:heaps=1", "moves": ["a1"]})
        assert (answer.status_code, answer.json()) == (
            400,
            {"message": "the game is over here: there is no move to find."},
        )


@pytest.mark.slow
def test_an_analysis_is_compiled_where_the_rules_can_be(monkeypatch):
    web, compiler, shown = Web(most_compiled=1), HeldBack(monkeypatch), answers._shown

    def show(*ranking):
        compiler.gate.set()  # it is not done before there is something to see
        return shown(*ranking)

    monkeypatch.setattr(answers, "_shown", show)
    (_, (_, first), *_, (_, done)) = web.events("/api/analyse", game="nim:heaps=5+6+7")
    assert (first["compiled"], first["depth"]) == (False, 1)  # nobody waits for the compiler
    assert (done["compiled"], done["why_not"], done["value"]) == (True, None, 1)
    (*_, (_, done)) = web.events("/api/analyse", game="nim:heaps=2+2")
    why_not = "this server has compiled 1 games, and compiles no more"
    assert (done["compiled"], done["why_not"], done["value"]) == (False, why_not, -1)


# Replies.


@pytest.mark.parametrize("player", player_names())
def test_every_opponent_replies_with_a_legal_move(web, player):
    (started, (last, done)) = web.events(
        "/api/reply", game="tic-tac-toe", moves=["b2", "a1", "c3"], player=player, seconds=0.2
    )
    assert (started[0], last) == ("started", "done")
    assert done["action"] in ("a3", "b3", "a2", "c2", "b1", "c1")
    guessing = (
        "easy",
        "medium",
        "random",
        "deepening",
        "alpha-beta-with-heuristics",
        "expectimax",
        "monte-carlo-tree-search",
    )
    if player not in guessing:
        assert (done["value"], done["value_to_max"]) == (0, 0)
        assert done["exact"] is (player != "alpha-beta")
        assert done["account"]


def test_a_level_that_draws_lots_repeats_itself_by_its_seed(web):
    def replies(seed: int) -> str:
        (*_, (_, done)) = web.events("/api/reply", game="tic-tac-toe", player="easy", seed=seed)
        return done["action"]

    assert [replies(seed) for seed in range(5)] == [replies(seed) for seed in range(5)]
    assert len({replies(seed) for seed in range(9)}) > 1


def test_a_perfect_opponent_says_where_it_cannot_be(web):
    (*_, (last, data)) = web.events("/api/reply", game="othello", player="perfect", seconds=0.1)
    assert (last, data["message"]) == (
        "failed",
        "the best move is not proven after 0.1 seconds: choose hard here, or a smaller board.",
    )
    refused = web.post("/api/reply", {"game": "nim", "player": "perfect", "depth": 3})
    assert refused.json()["message"] == "perfect takes no depth: it knows how every game ends."


def test_a_reply_is_valued_for_the_one_who_makes_it(web):
    for player in ("engine", "minimax"):
        (*_, (_, done)) = web.events("/api/reply", game="nim:heaps=2+1", moves=["a1"], player=player)
        assert (done["value"], done["value_to_max"]) == (-1, 1)


def test_dice_are_rolled_by_whoever_is_asked_and_again_by_the_same_seed(web):
    position = web.post("/api/position", {"game": "pig", "moves": ["roll"]}).json()
    assert (position["to_move"], position["moved"]) == ("chance", "MAX")
    assert position["actions"] == ["1", "2", "3", "4", "5", "6"]
    rolled = set()
    for seed in (1, 1, 2, 3, 4, 5, 6, 7):
        (*_, (_, done)) = web.events("/api/reply", game="pig", moves=["roll"], player="minimax", seed=seed)
        rolled.add((seed, done["action"]))
        assert done["value"] is None
    assert len(rolled) == 7
    assert len({action for _, action in rolled}) > 1
    (*_, (_, done)) = web.events("/api/reply", game="pig", moves=["roll", "4"], player="engine", depth=2)
    assert done["action"] in ("roll", "hold")


def test_dice_are_analysed_and_an_average_is_no_outcome(web):
    (*_, (name, done)) = web.events("/api/analyse", game="bear-off", seconds=20)
    assert (name, done["exact"], done["verdict"] in ("win", "loss")) == ("done", True, False)
    assert round((done["value_to_max"] + 1) / 2, 4) == 0.6711
    assert len(done["moves"]) == 21  # outcomes
    assert done["chance"] == round((done["value_to_max"] + 1) / 2, 4)
    assert all(0 <= outcome["chance"] <= 1 for outcome in done["moves"])


def test_a_reply_with_a_depth_looks_so_far_ahead(web):
    for player in ("engine", "sound-alpha-beta", "alpha-beta-with-heuristics"):
        (*_, (_, done)) = web.events("/api/reply", game="connect-four", player=player, depth=2)
        assert (done["depth"], done["exact"]) == (2, False)


def test_a_player_that_cannot_do_what_is_asked_is_refused(web):
    def refused(**more: Any) -> Any:
        answer = web.post("/api/reply", {"game": "nim"} | more)
        return answer.status_code, answer.json()["message"]

    assert refused(player="minmax") == (400, "there is no player 'minmax': did you mean 'minimax'?")
    assert refused(player="minimax", depth=3)[1].startswith("minimax always looks to the end of the game")
    assert refused(player="random", depth=3)[1].startswith("random takes no depth")


def test_an_algorithm_that_would_not_end_says_what_to_choose_instead(web, monkeypatch):
    monkeypatch.setattr(answers, "ALGORITHM", 0.2)
    (*_, (last, data)) = web.events("/api/reply", game="connect-four", player="minimax")
    assert (last, data["message"]) == (
        "failed",
        "minimax was not done after 0.2 seconds or 2,000,000 states, which is all that it may take here: "
        "choose engine, which looks at the clock, or sound-alpha-beta with a depth.",
    )
    (*_, (last, data)) = web.events("/api/reply", game="connect-four", player="sound-alpha-beta", depth=30)
    assert data["message"].endswith("give a smaller depth, or choose engine, which looks at the clock.")
    monkeypatch.setattr(answers, "STATES", 100)
    monkeypatch.setattr(answers, "ALGORITHM", 30)
    for player in ("minimax-decision", "sound-alpha-beta"):  # which visit some states uncounted
        (*_, (last, data)) = web.events("/api/reply", game="connect-four", player=player)
        assert data["message"].startswith(f"{player} was not done after 30 seconds or 100 states")


# Recording.


def test_a_recording_is_the_trace_of_the_algorithm(web):
    (started, (last, done)) = web.events("/api/trace", game="figure-5.2", algorithm="alpha-beta-search")
    assert (started[0], last, done["format"]) == ("started", "done", "perfectplay-trace")
    assert (done["value"], done["action"], done["complete"]) == (3, "a1", True)
    assert done["totals"]["skipped"] == 2  # C2 and C3 of the book's figure


def test_a_recording_stops_at_its_limit_and_says_so(web):
    (*_, (last, done)) = web.events("/api/trace", game="connect-four", algorithm="minimax", limit=500)
    assert (last, done["complete"], len(done["events"])) == ("done", False, 500)
    assert done["note"].startswith("Stopped because 500 events were recorded")


def test_an_algorithm_that_is_none_is_refused(web):
    answer = web.post("/api/trace", {"game": "nim", "algorithm": "minmax"})
    assert (answer.status_code, answer.json()["message"][:34]) == (400, "there is no algorithm 'minmax': di")
    answer = web.post("/api/trace", {"game": "nim", "algorithm": "minimax", "depth": 2})
    assert answer.json()["message"].startswith("minimax always looks to the end of the game")


# In turn.


class Works:
    """Searches that go on until they are let go, so that a test can see who is at work."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.gates: dict[int, Event] = {}

    def work(self, number: int) -> Any:
        gate = self.gates[number] = Event()

        def work(search: Search) -> None:
            self.begun.append(number)
            while not gate.wait(0.01):
                search.check()
            search.tell("done", Compiling(message=str(number)))

        return work


async def until(condition: Any) -> None:
    async with asyncio.timeout(NET):
        while not condition():
            await asyncio.sleep(0.005)


def test_so_many_searches_run_at_once_and_the_others_wait_in_their_order():
    async def scene() -> None:
        works, searches = Works(), Searches(at_once=2)
        begun = [searches.begin(works.work(number)) for number in range(5)]
        heard = [asyncio.create_task(all_of(search)) for search in begun]
        await until(lambda: len(works.begun) == 2)
        assert (len(searches.running), len(searches.waiting)) == (2, 3)
        works.gates[1].set()
        await until(lambda: len(works.begun) == 3)
        for gate in works.gates.values():
            gate.set()
        told = await asyncio.gather(*heard)
        assert works.begun in ([0, 1, 2, 3, 4], [1, 0, 2, 3, 4], [0, 1, 2, 4, 3], [1, 0, 2, 4, 3])
        assert names(told[0]) == ["done"]
        assert told[4][0] == ("queued", '{"ahead":2}')
        assert set(told[4][1:-1]) <= {("queued", '{"ahead":1}'), ("queued", '{"ahead":0}')}
        assert names(told[2]) == ["queued", "done"]
        assert (len(searches.running), len(searches.waiting)) == (0, 0)

    asyncio.run(scene())


def test_whoever_leaves_the_queue_lets_the_others_move_up():
    async def scene() -> None:
        works, searches = Works(), Searches(at_once=1)
        first, second, third = (searches.begin(works.work(number)) for number in range(3))
        searches.leave(second)
        assert list(searches.waiting) == [third]
        works.gates[0].set()
        works.gates[2].set()
        told = await all_of(third)
        assert told[0] == ("queued", '{"ahead":1}')
        assert works.begun == [0, 2]
        await all_of(first)

    asyncio.run(scene())


def test_whoever_leaves_a_search_stops_it_and_frees_its_place():
    async def scene() -> None:
        works, searches = Works(), Searches(at_once=1)
        first, second = (searches.begin(works.work(number)) for number in range(2))
        await until(lambda: works.begun == [0])
        searches.leave(first)
        await until(lambda: works.begun == [0, 1])
        assert searches.running == {second}
        works.gates[1].set()
        await all_of(second)

    asyncio.run(scene())


def test_a_full_queue_refuses_with_a_sentence():
    async def scene() -> None:
        works, searches = Works(), Searches(at_once=1, most_waiting=1)
        begun = [searches.begin(works.work(number)) for number in range(2)]
        with pytest.raises(RefusedError, match=r"^1 searches are waiting already: try again in a"):
            searches.begin(works.work(2))
        for search in begun:
            searches.leave(search)
        await until(lambda: not searches.running)

    asyncio.run(scene())


def test_a_full_queue_is_answered_with_503():
    web = Web(at_once=1)
    web.searches.turns.most_waiting = 0

    async def ask(client: Any) -> Any:
        return await client.post("/api/analyse", json={"game": "nim"})

    answer = asyncio.run(web.together(ask))
    assert answer.status_code == 503
    assert answer.json()["message"].startswith("0 searches are waiting already")


def test_the_end_of_the_server_ends_every_search_and_every_wait():
    async def scene() -> None:
        works, searches = Works(), Searches(at_once=1)
        first, second = (searches.begin(works.work(number)) for number in range(2))
        heard = [asyncio.create_task(all_of(search)) for search in (first, second)]
        await until(lambda: works.begun == [0])
        assert await searches.close(NET)
        told = await asyncio.gather(*heard)
        sentence = f'{{"message":"{STOPPING}"}}'
        assert told == [[("failed", sentence)], [("queued", '{"ahead":0}'), ("failed", sentence)]]
        with pytest.raises(RefusedError, match="the server is stopping"):
            searches.begin(works.work(2))

    asyncio.run(scene())


def test_the_end_of_the_server_waits_no_longer_than_it_was_told_to():
    async def scene() -> None:
        stuck, searches = Event(), Searches(at_once=1)
        searches.begin(lambda search: stuck.wait(NET) and None)
        assert not await searches.close(0.2)  # it is still at work then
        stuck.set()
        await until(lambda: not searches.running)

    asyncio.run(scene())


def test_an_analysis_that_is_stopped_says_so():
    async def scene() -> None:
        searches, engines = Searches(at_once=1), Engines(most_compiled=0)
        offer = Offers().read("connect-four")
        question = answers.AnalyseQuestion(game="connect-four")
        question = question.model_copy(update={"seconds": 10 * NET})
        search = searches.begin(
            answers.analysis(offer, Match(offer.game), question, engines, ProvenValues(None))
        )
        events = search.events()
        async for event in events:
            if event.name == "depth":
                break
        assert await searches.close(NET)
        *_, last = [event async for event in events]
        assert (last.name, '"reason":"stopped"' in last.text) == ("done", True)

    asyncio.run(scene())


@pytest.mark.parametrize("player", ["deepening", "minimax", "engine"])
def test_a_reply_that_nobody_waits_for_ends(player, monkeypatch):
    monkeypatch.setattr(answers, "ALGORITHM", inf)
    monkeypatch.setattr(answers, "STATES", inf)

    async def scene() -> None:
        searches, engines = Searches(at_once=1), Engines(most_compiled=0)
        offer = Offers().read("connect-four")
        question = answers.ReplyQuestion(game="connect-four", player=player)
        if player != "minimax":
            question = question.model_copy(update={"seconds": 10 * NET})
        search = searches.begin(answers.reply(offer, Match(offer.game), question, engines))
        async for event in search.events():
            assert event.name == "started"
            break
        searches.leave(search)
        await until(lambda: not searches.running)

    asyncio.run(scene())


def test_a_recording_that_nobody_waits_for_ends(monkeypatch):
    monkeypatch.setattr(answers, "RECORDING", inf)

    async def scene() -> None:
        searches = Searches(at_once=1)
        offer = Offers().read("connect-four")
        question = answers.TraceQuestion(game="connect-four", algorithm="minimax")
        question = question.model_copy(update={"limit": 10**9})
        search = searches.begin(answers.recording(offer, Match(offer.game), question))
        async for event in search.events():
            assert event.name == "started"
            break
        searches.leave(search)
        await until(lambda: not searches.running)

    asyncio.run(scene())


# Streams.


def streamed(work: Any, receive: Any, send: Any) -> Searches:
    """A stream with a client of one's own making."""
    searches = Searches(at_once=1)

    async def scene() -> None:
        stream = EventStream(searches.begin(work), searches.leave)
        await asyncio.wait_for(stream({"type": "http"}, receive, send), NET)
        await until(lambda: not searches.running)

    asyncio.run(scene())
    return searches


async def stays() -> Any:
    await asyncio.sleep(10 * NET)


def test_silence_is_filled_so_that_nobody_hangs_up(monkeypatch):
    monkeypatch.setattr(streams, "BREATH", 0.05)
    sent: list[Any] = []
    enough = Event()

    async def send(message: Any) -> None:
        sent.append(message.get("body"))
        if len(sent) == 4:
            enough.set()

    began = time.monotonic()
    streamed(lambda search: enough.wait(NET) and None, stays, send)
    assert time.monotonic() - began >= 3 * 0.05  # and no more often than it should
    assert sent[1:4] == [b": still here\n\n"] * 3
    assert sent[-1] == b""


def test_a_client_that_hangs_up_while_it_is_told_something_ends_the_search():
    def work(search: Search) -> None:
        for number in range(100_000):
            search.check()
            search.tell("depth", Compiling(message=str(number)))
            time.sleep(NET / 100_000)
        raise AssertionError("it was not stopped")

    told = asyncio.Event()

    async def goes() -> Any:
        await told.wait()
        return {"type": "http.disconnect"}

    async def slow(message: Any) -> None:
        told.set()
        await asyncio.sleep(0.01)

    async def broken(message: Any) -> None:
        raise OSError("the line is dead")

    for receive, send in ((goes, slow), (stays, broken)):
        assert not streamed(work, receive, send).running


def test_an_error_of_ours_in_a_stream_is_not_hidden():
    async def send(message: Any) -> None:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        streamed(lambda search: None, stays, send)


@pytest.mark.slow
def test_fifty_at_once_are_all_served(web):
    async def ask(client: Any) -> Any:
        works = Works()
        for number in range(2):  # so that all the others have to wait
            web.searches.begin(works.work(number))
        question = {"game": "connect-four", "seconds": 0.02}
        asked = [asyncio.create_task(client.post("/api/analyse", json=question)) for _ in range(50)]
        await until(lambda: len(web.searches.waiting) == 50)
        for gate in works.gates.values():
            gate.set()
        return await asyncio.gather(*asked)

    told = [read_events(answer.text) for answer in asyncio.run(web.together(ask))]
    assert {(events[0][0], events[-1][0]) for events in told} == {("queued", "done")}
    health = {"status": "ok", "searches": 2, "running": 0, "queued": 0, "answering": 0, "expected": 0}
    assert web.get("/healthz").json() == health | {"processes": 0}


# Engines.


def lent(engines: Engines, *games: str) -> list[Any]:
    """The engines that searches about these games are given, one after the other."""

    async def scene() -> list[Any]:
        given = []
        searches = Searches(at_once=1)
        for game in games:
            offer = Offers().read(game)

            def work(search: Search, offer: Any = offer) -> None:
                with engines.lent(offer, search) as engine:
                    given.append(engine)

            await all_of(searches.begin(work))
        return given

    return asyncio.run(scene())


def test_an_engine_is_kept_for_the_next_question_about_its_game_and_only_few_are():
    engines = Engines(kept=2, most_compiled=0)
    first, second, again, _, _, anew = lent(engines, "nim", "kalah", "nim", "mnk", "tic-tac-toe", "kalah")
    assert again is first
    assert anew is not second
    assert len(engines._idle) == 2
    assert engines.let_go(seconds=60) == 0  # somebody may ask again
    assert engines.let_go(seconds=0) == 2
    assert lent(engines, "kalah") != [anew]


def test_what_was_proven_once_is_told_at_once_the_next_time(tmp_path):
    proven = ProvenValues(tmp_path)
    moves = ["b2", "a1", "a2", "c2"]
    *_, (_, first) = Web(proven=proven).events("/api/analyse", game="tic-tac-toe", moves=moves)
    assert (first["reason"], first["remembered"]) == ("exact", False)
    events = Web(proven=proven).events("/api/analyse", game="tic-tac-toe", moves=moves, seconds=0)
    assert [name for name, _ in events] == ["started", "depth", "done"]
    again = events[-1][1]
    assert (again["reason"], again["remembered"], again["nodes"]) == ("exact", True, 0)
    for key in ("value", "value_to_max", "exact", "line"):
        assert again[key] == first[key]
    assert sorted(map(str, again["moves"])) == sorted(map(str, first["moves"]))
    proven.close()


def test_two_searches_never_share_an_engine():
    async def scene() -> None:
        engines, searches, given, go = Engines(threads=2), Searches(at_once=2), [], Event()
        offer = Offers().read("nim")

        def work(search: Search) -> None:
            with engines.lent(offer, search) as engine:
                given.append(engine)
                go.wait(NET)

        begun = [searches.begin(work)]
        await until(lambda: len(given) == 1)
        begun.append(searches.begin(work))
        await until(lambda: len(given) == 2)
        assert given[0] is not given[1]
        assert [engine.threads for engine in given] == [2, 1]  # of whom the second was not alone
        assert sys.getrecursionlimit() >= 8000
        go.set()
        for search in begun:
            await all_of(search)

    before = sys.getrecursionlimit()
    asyncio.run(scene())
    assert sys.getrecursionlimit() == before


def test_whoever_waits_for_a_compiler_is_told(monkeypatch):
    told = Event()

    class Slow:
        compiled = True

        def __init__(self, game: Any, **options: Any) -> None:
            assert told.wait(NET)

    monkeypatch.setattr("perfectplay.web.engines.Engine", Slow)
    monkeypatch.setattr("perfectplay.web.engines.SOON", 0.01)
    engines = Engines()

    async def scene() -> list[tuple[str, str]]:
        def work(search: Search) -> None:
            tell = search.tell
            search.tell = lambda *words: (tell(*words), told.set())
            with engines.lent(Offers().read("nim"), search):
                pass

        return await all_of(Searches(at_once=1).begin(work))

    assert asyncio.run(scene()) == [
        (
            "compiling",
            '{"message":"compiling the rules of nim for this machine, which takes a few seconds once."}',
        ),
        ("started", "{}"),
    ]


def test_nobody_is_told_of_a_compiler_where_nothing_is_compiled(monkeypatch):
    class Slow:
        compiled = compiling = False
        why_not = ""

        def __init__(self, game: Any, **options: Any) -> None:
            time.sleep(0.05)

    monkeypatch.setattr("perfectplay.web.engines.Engine", Slow)
    monkeypatch.setattr("perfectplay.web.engines.SOON", 0.0)
    engines = Engines(most_compiled=0)

    async def scene() -> list[tuple[str, str]]:
        def work(search: Search) -> None:
            with engines.lent(Offers().read("nim"), search):
                pass

        return await all_of(Searches(at_once=1).begin(work))

    assert asyncio.run(scene()) == [("started", "{}")]
