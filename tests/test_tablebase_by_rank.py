"""Tables by rank: values without states, for games that number theirs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from hostile_tables import RankedHeaps, RankedRing, _states
from perfectplay import Engine, Game, check_game, load_game
from perfectplay.cli import main
from perfectplay.errors import BadParameterError, BadTablebaseError, BrokenGameError
from perfectplay.tablebase import Tablebase, build_tablebase, compress, export, seal, statistics, verify
from perfectplay.tablebase.storage import manifest_bytes

GAMES = {
    "no tiers": load_game("nim:heaps=2+3+2"),
    "circles": RankedRing(),
    "tiers and symmetry": RankedHeaps(),
}
FORMS = ["plain", "compressed", "outcomes"]


def built(game, directory, form="plain", **options):
    build_tablebase(game, directory, compile="never", by_rank=True, **options)
    if form != "plain":
        compress(directory, outcomes=form == "outcomes")
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("compiled", [False, "auto"], ids=["interpreted", "compiled"])
def test_it_says_what_a_table_with_states_says(kind, form, compiled, tmp_path):
    game = GAMES[kind]
    build_tablebase(game, tmp_path / "states", compile="never")
    if form == "outcomes":
        compress(tmp_path / "states", outcomes=True)
    built(game, tmp_path / "ranks", form)
    assert not [*(tmp_path / "ranks").glob("*.states")]
    states = _states(game, game.initial())
    with (
        Tablebase(tmp_path / "states", game, compile="never") as one,
        Tablebase(tmp_path / "ranks", game, compile=compiled) as other,
    ):
        assert len(one) == len(other)
        right = [one.probe(state) for state in states]
        assert [other.probe(state) for state in states] == right
        assert other.probe_many(states) == right
        assert [other.get(state) for state in states] == right
        for state in states:
            if not game.is_terminal(state):
                assert other.explain(state) == one.explain(state)
    assert verify(tmp_path / "ranks", game) == []
    assert verify(tmp_path / "ranks", game, sample=5) == []
    counted = [statistics(tmp_path / name, game) for name in ("states", "ranks")]
    assert counted[0].outcomes == counted[1].outcomes
    assert counted[0].remoteness == counted[1].remoteness
    assert statistics(tmp_path / "ranks").positions == len(other)


def test_what_no_game_comes_to_is_not_there(tmp_path):
    game = GAMES["no tiers"]
    with Tablebase(built(game, tmp_path), game) as table:
        assert game.ranks(0) == 72
        assert len(table) < 72
        for number in range(72):
            state = game.unrank(0, number)
            assert game.rank(state) == number
            assert (state in table) == (state in set(_states(game, game.initial())))
        for odd in (1 << 40, -1, 3 << 1 | 1, "x", (1, 2), 1 << 80):
            assert table.get(odd) is None


def test_machine_code_reads_both_forms_of_it_in_batches(tmp_path):
    game = load_game("nim:heaps=4+4+4")
    states = _states(game, game.initial())
    with Tablebase(built(game, tmp_path / "plain"), game, compile=True) as plain:
        right = plain.probe_many(states)
        assert [plain.probe(state) for state in states] == right
    with Tablebase(built(game, tmp_path / "packed", "compressed"), game, compile=True) as packed:
        assert packed.probe_many(states) == right
        assert [packed.probe(state) for state in states] == right


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "compressed"])
def test_an_engine_asks_it(form, tmp_path):
    game = GAMES["no tiers"]
    state = game.result(game.initial(), (1, 3))
    with Tablebase(built(game, tmp_path, form), game) as table:
        found = Engine(game, tablebase=table, table_mb=1).solve(state)
        assert (found.value, found.nodes) == (table.probe(state).value, 1)
        for compiled in (False, "auto"):
            searched = Engine(game, tablebase=table, table_mb=1, compile=compiled)
            assert searched.solve(game.initial()).value == table.probe(game.initial()).value


@pytest.mark.slow
def test_a_chess_endgame_takes_half_the_bytes(tmp_path):
    game = load_game("chess-endgame:men=KRK")
    build_tablebase(game, tmp_path / "states")
    build_tablebase(game, tmp_path / "ranks", by_rank=True)
    sizes = [
        sum(file.stat().st_size for file in (tmp_path / name).glob("level-*")) for name in ("states", "ranks")
    ]
    assert sizes == [50940 * 7 + 4 * len([*(tmp_path / "states").glob("*.states")]), 3 * 60523]
    assert verify(tmp_path / "ranks", game) == []
    with (
        Tablebase(tmp_path / "states", game) as one,
        Tablebase(tmp_path / "ranks", game) as other,
    ):
        assert max(row.remoteness for row in other.probe_many(_sampled(one)) if row) <= 32
        assert other.probe_many(_sampled(one)) == one.probe_many(_sampled(one))
        assert other.probe(game.from_fen("8/8/8/8/8/2k5/8/R3K3 w")) == one.probe(
            game.from_fen("8/8/8/8/8/2k5/8/R3K3 w")
        )


def _sampled(table):
    return [table.encoding.unpack(row) for level in table.levels() for row in level.rows[:].tolist()[::20]]


@pytest.mark.parametrize("men", ["KQKR", "KPK", "KPKP", "KRRK", "KPPK", "KPKQ"])
def test_ranks_of_chess_endgames_lead_back(men):
    game = load_game(f"chess-endgame:men={men}")
    met = set()
    for seed in range(60):
        state = load_game(f"chess-endgame:men={men},seed={seed}").initial()
        for number in range(40):
            chosen = game.canonical(state)
            tier, rank = game.tier(chosen), game.rank(chosen)
            assert 0 <= rank < game.ranks(tier)
            assert game.unrank(tier, rank) == chosen
            met.add((tier, rank, chosen))
            if game.is_terminal(state):
                break
            actions = list(game.actions(state))
            state = game.result(state, actions[(seed * 7 + number * 13) % len(actions)])
    assert len({each[:2] for each in met}) == len(met)


def test_positions_taken_in_passing_have_ranks_of_their_own():
    game = load_game("chess-endgame:men=KPKP")
    before = game.from_fen("4k3/3p4/8/4P3/8/8/8/4K3 b")
    after = game.canonical(game.result(before, game.parse_action(before, "d7-d5")))
    plain = game.canonical(game.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w"))
    assert after[5] != 0
    assert game.unrank(game.tier(after), game.rank(after)) == after
    assert game.rank(after) != game.rank(plain)


class Unnumbered(Game):
    """One move, and it is over."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state

    def actions(self, state):
        return ["go"]

    def result(self, state, action):
        return 1

    def is_terminal(self, state):
        return state == 1

    def utility(self, state, player):
        return 0


class Numbered(Unnumbered):
    def rank(self, state):
        return state

    def unrank(self, tier, number):
        return number

    def ranks(self, tier):
        return 2


def changed(name, rule):
    return type(name, (Numbered,), rule)()


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (changed("Far", {"ranks": lambda self, tier: 1}), "ranks(0) is 1, and 2 positions are in this tier"),
        (changed("Lost", {"unrank": lambda self, tier, number: 0}), "rank() of 1 is 1, and unrank()"),
        (changed("Odd", {"rank": lambda self, state: 2.5}), "rank() of 0 is 2.5, and unrank()"),
        (changed("Many", {"ranks": lambda self, tier: 1 << 60}), "ranks(0) is 1152921504606846976"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Game) else "",
)
def test_a_game_that_numbers_its_states_wrongly_is_refused(game, sentence, tmp_path):
    with pytest.raises(BrokenGameError) as error:
        build_tablebase(game, tmp_path, by_rank=True, compile="never")
    assert sentence in str(error.value)
    build_tablebase(game, tmp_path, compile="never")  # what was solved is not lost
    assert verify(tmp_path, game) == []


@pytest.mark.parametrize(
    ("rules", "finding"),
    [
        ({"ranks": lambda self, tier: 1}, "rank-too-large"),
        ({"unrank": lambda self, tier, number: 0}, "unrank-not-inverse"),
        ({"rank": lambda self, state: 0}, "rank-collision"),
        ({"ranks": Game.ranks}, "rank-alone"),
        ({"rank": lambda self, state: "a"}, "rank-wrong"),
        ({"unrank": lambda self, tier, number: [number]}, "unrank-wrong"),
        ({"ranks": lambda self, tier: None}, "ranks-wrong"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_check_finds_what_is_wrong_with_ranks(rules, finding):
    found = {each.kind for each in check_game(changed("Wrong", rules)).findings}
    assert finding in found


def test_check_is_content_with_ranks_that_are_right():
    assert not [each for each in check_game(Numbered()).findings if "rank" in each.kind]


def test_games_without_ranks_and_all_positions_of_representatives_are_refused(tmp_path, capsys):
    with pytest.raises(BadParameterError, match="Unnumbered does not number its states: give the class rank"):
        build_tablebase(Unnumbered(), tmp_path, by_rank=True)
    with pytest.raises(BadParameterError, match="RankedHeaps numbers representatives alone"):
        build_tablebase(RankedHeaps(), tmp_path, by_rank=True, symmetry=False)
    assert main(["tablebase", "build", "kalah:pits=2,seeds=1", str(tmp_path), "--by-rank"]) == 2
    assert "Kalah does not number its states" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_what_is_compressed_with_its_states_is_not_stored_by_rank(tmp_path):
    game = GAMES["no tiers"]
    build_tablebase(game, tmp_path, compile="never")
    compress(tmp_path)
    with pytest.raises(BadTablebaseError, match="is compressed with its states already: build another"):
        build_tablebase(game, tmp_path, by_rank=True, compile="never")


def test_a_build_that_is_done_stays_as_it_is(tmp_path):
    game = GAMES["tiers and symmetry"]
    files = {path.name: path.read_bytes() for path in built(game, tmp_path).iterdir()}
    built(game, tmp_path)
    build_tablebase(game, tmp_path, compile="never")
    assert files == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_it_is_sealed_and_exported(tmp_path):
    arrow = pytest.importorskip("pyarrow.parquet")
    game = GAMES["tiers and symmetry"]
    rows = []
    for name, ranks in (("states", False), ("ranks", True)):
        build_tablebase(game, tmp_path / name, compile="never", by_rank=ranks)
        seal(tmp_path / name)
        assert verify(tmp_path / name, game) == []
        export(tmp_path / name, tmp_path / f"{name}.parquet", game)
        rows.append(sorted(map(repr, arrow.read_table(tmp_path / f"{name}.parquet").to_pylist())))
    assert rows[0] == rows[1]


def resealed(directory, change):
    manifest = json.loads((directory / "manifest.json").read_text())
    change(manifest)
    (directory / "manifest.json").write_bytes(manifest_bytes(manifest))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda m: m["levels"][0].update(ranks=19), "bytes, and"),
        (lambda m: m["levels"][0].update(positions=0), "positions"),
        (lambda m: m["levels"][0].update(positions=19), "ranks"),
        (lambda m: m.update(by_rank=False), "by_rank is False, and is true where it is there"),
        (lambda m: m.pop("by_rank"), "levels[0]"),
        (lambda m: m["levels"].append(m["levels"][0]), "order of their tiers"),
        (lambda m: m.update(phase="solve"), "stored by rank, and is not finished"),
        (lambda m: m["levels"][0].update(tier=1), "order of their tiers"),
        (lambda m: m["levels"][0].update(positions=13), "not the sum of its levels"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(change, sentence, tmp_path):
    game = GAMES["circles"]
    resealed(built(game, tmp_path), change)
    (fault,) = verify(tmp_path, game)
    assert sentence in fault
    with pytest.raises(BadTablebaseError):
        Tablebase(tmp_path, game)


def test_other_ranks_than_those_of_the_game_are_refused(tmp_path):
    class Larger(RankedRing):
        def ranks(self, tier):
            return 20

    game = Larger()
    built(game, tmp_path)

    def shrink(manifest):
        level = manifest["levels"][0] | {"ranks": 18}
        for kind, size in (("values", 1), ("ends", 2)):
            file = tmp_path / f"level-0000.{kind}-by-rank"
            file.write_bytes(file.read_bytes()[: 18 * size])
        manifest["levels"] = [level]

    resealed(tmp_path, shrink)
    with pytest.raises(BadTablebaseError):
        Tablebase(tmp_path, game)


@pytest.mark.parametrize("form", ["plain", "compressed"])
def test_a_flipped_bit_is_found(form, tmp_path):
    game = GAMES["no tiers"]
    built(game, tmp_path, form)
    name = "level-0000.values-by-rank" if form == "plain" else "level-0000.blocks"
    data = bytearray((tmp_path / name).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / name).write_bytes(data)
    assert verify(tmp_path, game) != []
    for compiled in (False, "auto"):
        with Tablebase(tmp_path, game, compile=compiled) as table:
            with pytest.raises(BadTablebaseError, match="is damaged"):
                table.probe(game.initial())
            with pytest.raises(BadTablebaseError, match="is damaged"):
                table.probe_many(_states(game, game.initial()))


def forged(directory, game, change):
    """Change the values and the remoteness of a table, and seal it as one who wants to deceive would."""
    from zlib import crc32

    files = {kind: directory / f"level-0000.{kind}-by-rank" for kind in ("values", "ends")}
    data = {kind: bytearray(file.read_bytes()) for kind, file in files.items()}
    change(data)
    for kind, file in files.items():
        file.write_bytes(data[kind])

    def reseal(manifest):
        level = manifest["levels"][0]
        for kind, file in files.items():
            level[f"{kind}_by_rank"] = {
                "bytes": len(data[kind]),
                "checksums": [crc32(file.read_bytes())],
            }
        level["positions"] = sum(byte != 0xFF for byte in data["values"])
        manifest["positions"] = level["positions"]

    resealed(directory, reseal)
    return verify(directory, game)


def test_verify_finds_positions_that_no_game_comes_to_and_those_that_are_missing(tmp_path):
    game = GAMES["no tiers"]
    absent = next(
        rank for rank in range(72) if game.unrank(0, rank) not in set(_states(game, game.initial()))
    )

    def more(data):
        data["values"][absent] = 0
        data["ends"][2 * absent : 2 * absent + 2] = b"\x01\x00"

    (fault,) = forged(built(game, tmp_path / "more"), game, more)
    assert fault == f"no game comes to 1 position of level 0: that of rank {absent} first."

    def fewer(data):
        data["values"][0] = 0xFF
        data["ends"][0:2] = b"\xff\xff"

    (fault,) = forged(built(game, tmp_path / "fewer"), game, fewer)
    assert "have a successor that is not there" in fault

    def other(data):
        data["values"][5] ^= 1

    (fault,) = forged(built(game, tmp_path / "other"), game, other)
    assert "a value that cannot be, by the successors" in fault


READER = Path(__file__).parent.parent / "examples" / "read_tablebase.py"


@pytest.mark.parametrize("form", FORMS)
def test_a_reader_that_knows_nothing_of_ours_reads_it(form, tmp_path):
    spec = importlib.util.spec_from_file_location("read_tablebase", READER)
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    heaps = (2, 3, 2)
    game = GAMES["no tiers"]
    built(game, tmp_path, form)
    table = reader.Table(tmp_path)
    with Tablebase(tmp_path, game, compile="never") as ours:
        for state in _states(game, game.initial()):
            left = [game.left(state, heap) for heap in range(3)]
            entry = ours.probe(state)
            value, remoteness = table.probe_rank(0, reader.nim(left, heaps, state & 1))
            assert remoteness == entry.remoteness
            assert value == (-entry.value if state & 1 else entry.value)
        assert sum(len(table.level(number)[0]) for number in range(1)) == len(ours)
    assert table.probe_rank(0, 71) is None or table.probe_rank(0, 72) is None
    assert table.probe_rank(1, 0) is None
