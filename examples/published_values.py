"""Published values of games beside those that the engine finds: python examples/published_values.py.

Without arguments, a small set that is in this file. With files, all that is in them:

    --pons DIR           Test_L3_R1, Test_L2_R1 and Test_L2_R2 of blog.gamesolver.org: moves and score
    --othello FILE       endgames with the score of every move, as Edax writes them (.obf), or as JSON
    --connect-four FILE  a CSV with width, height, and in further columns who wins: first, second, draw
    --kalah FILE         a CSV with pits, seeds, empty_capture, and value_for_first

The exit code is 0 if nothing differs, 1 if something does, and 2 if there is no such file.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay import MAX, Game
from perfectplay.engine import Engine
from perfectplay.games import (
    Breakthrough,
    ConnectFour,
    Domineering,
    DotsAndBoxes,
    Hexapawn,
    Kalah,
    Othello,
)
from perfectplay.games.words import signed

# Connect Four: the columns that were played, and the score for the player to move. P. Pons, "Solving
# Connect 4: how to build a perfect AI", blog.gamesolver.org: 25 of the 1000 positions of each file.
PONS = {
    "L3_R1": """
        512731675216777764255326525213664:2 455155137133342477531351477744:5
        456276274266462724276371741543:-1 72253427775435214676425424751163131656:0
        71346511272336731362575255537226:2 12513736213523127714633572657256:-4
        4135614326115446311565436527365347227777:0 65173135547517734237724153634564461622:0
        4344461316351435511346153777772265276256:0 6343274434344672215273311526556215:1
        667552123166167427773246544132733234141:0 16322154225163161531266264734455753443777:0
        75671334317317336771215665546:-4 32265373241237643744635551667:1 745125654311136743663356364254147:3
        24763233527423124256453513746:-5 27573772361321663724362213661574:2
        463664536261521546311273242457332:1 661261745732573553534524211462:-1
        42775726674562766555111247335:3 632131362752266425527575661477514173133:0
        72171136136337326616767734214:-2 74425337641465475671176741236615215533:0
        257377541277237366555261356241661124341:0 24347224354721735325521134145367:-3
    """,
    "L2_R1": """
        576373335611556162765:8 35111365512525776:-9 136215442375624672646433:-4 5624757235427647663:11
        4374276463254716664643:-6 1456346777667336372:11 52225553533233247312617:-7 6662373667117511555163:8
        14327547272131721267655331:5 3612577271337526673343274:-4 5717773334742522:-11
        24354567531125445477:10 72276133256716235275764:7 3133546331711116634777:7 572476333125525377:-10
        1236157641351167:12 7722654117336331661371176:7 7725135517613477:12 66713424111135136347554532:-2
        7135375113763627325137247522:4 6462662734332655671542313:8 231316746655153:11
        271411161457254361726:-7 72721732245155361665171:-8 1613241156523624733121626632:5
    """,
    "L2_R2": """
        42617617753751613252:2 332126451112643722513156:0 7615116652662465:-2 5631441265612732:2
        1475377367324712547:4 413325161354321:2 247247557235426617662126:-2 5665424747357471:2
        173751653566127:2 717215566631657717471126246:0 154744655614726:2 43313216755776577:-5
        24156146661463644533:-2 57575215142772521:3 173535161356514575166664377:0 46665451544321224772674:-1
        73174513544431213:-2 14225277722665674:3 67627576662527627145541:0 13422645137423347:5
        73565241466334232:2 433536622356527:-2 62444612461574235571247762:-1 73347312221616516:-2
        711676662456471126537:-1
    """,
}

# Rows, columns, and who wins (0: a draw): tables of J. Tromp and C. Steininger.
BOARDS = [(4, 4, 0), (5, 4, 0), (4, 5, 0), (4, 6, -1)]

# Pits, seeds, empty capture, and the lead of the first player: G. Irving's solver; J. Sellison's without.
KALAH = [(4, 3, True, 8), (4, 3, False, 6), (6, 2, True, 10)]

# Othello with empty cells to the winner: from the FFO endgames in the problem sets of Edax.
ENDGAMES = """
----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X; D1:2; G3:0; B8:-2; B1:-4; C1:-4; A2:-4; \
A3:-6; B2:-12
-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X; H8:0; A5:0; B6:-4; B7:-4; A6:-8; B2:-12; \
H2:-26
--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X; A6:8; G1:0; A1:-2; H8:-6; H7:-14; B1:-30
OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; G5:0; G2:-2; G4:-4; G6:-6
"""

# And these, by the value to the first player.
OTHERS: list[tuple[Game[Any, Any], float, str]] = [
    (Othello(4), -8, "3 discs to 11"),
    (DotsAndBoxes(2, 2), 2, "3 boxes to 1"),
    (Hexapawn(3, 3), -1, "chessvariants.com, small.dir/hexapawn.html"),
    (Breakthrough(5, 5), -1, "Little Golem's forum: the second player wins in 26 plies"),
    (Domineering(5, 5), -1, "github.com/kylin-zhuo/domineering_simulation, after Conway 1976"),
]


class Endgame(NamedTuple):
    """A board row by row with X for Black, whose turn it is, and the score of every move."""

    board: str
    side: str
    scores: dict[str, int]

    @property
    def empties(self) -> int:
        """How many cells are empty."""
        return self.board.count("-")


def after(game: Game[Any, Any], columns: str) -> Any:
    """The state of Connect Four after these columns, from 1."""
    state = game.initial()
    for column in columns:
        state = game.result(state, int(column) - 1)
    return state


def position(game: Othello, endgame: Endgame) -> Any:
    """The state of Othello on this board."""
    words = [sum(1 << cell for cell, mark in enumerate(endgame.board) if mark == disc) for disc in "XO"]
    black, white = map(signed, words)
    mover, other = (black, white) if endgame.side == "X" else (white, black)
    return mover, other, game.moves(mover, other), "XO".index(endgame.side)


def read_endgames(text: str) -> list[Endgame]:
    """The endgames of a file: JSON, or lines such as `<64 cells> X; G8:+18; H1:+12`."""
    if text.lstrip().startswith("["):
        return [Endgame(each["board"], each["side"], _scores(each["moves"])) for each in json.loads(text)]
    found = []
    for line in text.replace("\\\n", "").splitlines():
        board, *moves = line.partition("%")[0].strip().strip(";").split(";")
        if board:
            scores = _scores(move.strip().split(":") for move in moves)
            found.append(Endgame(board.split()[0], board.split()[1], scores))
    return found


def _scores(moves: Iterable[Any]) -> dict[str, int]:
    return {name.lower(): int(score) for name, score in moves}


# The checks: each prints what it finds, and gives the number of what differs.


def check_pons(name: str, positions: list[tuple[str, int]], engine: Engine) -> int:
    """The scores of positions of Connect Four."""
    began, nodes, wrong = perf_counter(), 0, 0
    for columns, score in positions:
        answer = engine.solve(after(engine.game, columns), line=False)
        nodes += answer.nodes
        wrong += answer.value != score
    print(
        f"{name}: {len(positions) - wrong} right, {wrong} wrong;",
        f"{nodes / len(positions):,.0f} nodes a position, {perf_counter() - began:.1f} seconds",
        flush=True,
    )
    return wrong


def check_endgames(endgames: list[Endgame], engine: Engine) -> int:
    """The score of every move of endgames of Othello."""
    wrong = 0
    for endgame in sorted(endgames, key=lambda endgame: endgame.empties):
        began = perf_counter()
        ranked = engine.rank(position(engine.game, endgame))
        found = {engine.game.action_name(each.action): each.value for each in ranked}
        differ = [name for name, score in endgame.scores.items() if found.get(name) != score]
        wrong += len(differ)
        print(
            f"{endgame.board} {endgame.side}, {endgame.empties} empty:",
            f"{len(endgame.scores) - len(differ)} of {len(endgame.scores)} moves right,",
            f"best {max(found.values()):+}, {perf_counter() - began:.1f} seconds",
            flush=True,
        )
    return wrong


def check_boards(boards: Iterable[tuple[Game[Any, Any], float]], seconds: float, minutes: float) -> int:
    """The value of the start of games, each within so many seconds."""
    wrong = solved = 0
    end = perf_counter() + 60 * minutes
    print(f"{'game':60} published  ours           nodes  seconds", flush=True)
    for game, published in boards:
        if perf_counter() > end:
            print("there is no time for the others.")
            break
        engine = Engine(game, table_mb=256)
        answer = engine.solve(game.initial(), seconds=seconds, line=False)
        differs = answer.exact and answer.value != published
        wrong += differs
        solved += answer.exact
        ours = f"{answer.value:+}" if answer.exact else "?"
        print(
            f"{game!r:60} {published:+9}  {ours:>4} {answer.nodes:15,} {answer.seconds:8.1f}",
            " DIFFERS" if differs else "",
            flush=True,
        )
    print(f"{solved - wrong} right, {wrong} wrong")
    return wrong


# The files.


def pons_files(directory: Path) -> dict[str, list[tuple[str, int]]]:
    """Positions and scores by the name of their file."""
    found = {}
    for name in PONS:
        lines = (directory / f"Test_{name}.txt").read_text().splitlines()
        found[name] = [(line.split()[0], int(line.split()[1])) for line in lines if line.strip()]
    return found


def connect_four_boards(text: str) -> list[tuple[Game[Any, Any], float]]:
    """The boards of a file, the smallest first, with their outcomes."""
    found: list[tuple[Game[Any, Any], float]] = []
    rows = list(csv.DictReader(text.splitlines()))
    for row in sorted(rows, key=lambda row: int(row["width"]) * int(row["height"])):
        game = ConnectFour(rows=int(row["height"]), cols=int(row["width"]), score="outcome")
        outcomes = {"first": 1, "second": -1, "draw": 0}
        known = {outcomes[value] for value in row.values() if value in outcomes}
        if len(known) == 1 and game.cols * (game.rows + 1) <= 64:  # the others do not compile
            found.append((game, known.pop()))
    return found


def kalah_boards(text: str) -> list[tuple[Game[Any, Any], float]]:
    """The boards of a file, the smallest first, with their values."""
    rows = list(csv.DictReader(text.splitlines()))
    rows.sort(key=lambda row: int(row["pits"]) * int(row["seeds"]))
    return [
        (
            Kalah(int(row["pits"]), int(row["seeds"]), row["empty_capture"] == "1"),
            int(row["value_for_first"]),
        )
        for row in rows
    ]


def built_in_pons() -> dict[str, list[tuple[str, int]]]:
    """The positions of this file."""
    pairs = {name: [each.split(":") for each in text.split()] for name, text in PONS.items()}
    return {name: [(columns, int(score)) for columns, score in each] for name, each in pairs.items()}


def built_in_boards() -> Iterator[tuple[Game[Any, Any], float]]:
    """The games of this file."""
    for rows, cols, value in BOARDS:
        yield ConnectFour(rows, cols, score="outcome"), value
    for pits, seeds, empty_capture, lead in KALAH:
        yield Kalah(pits, seeds, empty_capture), lead
    for game, value, _ in OTHERS:
        assert game.to_move(game.initial()) == MAX
        yield game, value


def main(arguments: list[str]) -> int:
    """Check what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pons", type=Path, metavar="DIR")
    parser.add_argument("--othello", type=Path, metavar="FILE")
    parser.add_argument("--empties", type=int, default=16, help="of Othello, at most (16)")
    parser.add_argument("--connect-four", type=Path, metavar="FILE")
    parser.add_argument("--kalah", type=Path, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=60, help="for a board (60)")
    parser.add_argument("--minutes", type=float, default=20, help="for a file of boards (20)")
    asked = parser.parse_args(arguments)
    wrong = 0
    try:
        pons = pons_files(asked.pons) if asked.pons else {}
        endgames = read_endgames(asked.othello.read_text()) if asked.othello else []
        files = [
            connect_four_boards(asked.connect_four.read_text()) if asked.connect_four else [],
            kalah_boards(asked.kalah.read_text()) if asked.kalah else [],
        ]
    except OSError as error:
        print(f"published_values.py: {error.filename} cannot be read: {error.strerror}.", file=sys.stderr)
        return 2
    except (KeyError, ValueError, IndexError) as error:
        print(f"published_values.py: a file is not what was asked for: {error!r}.", file=sys.stderr)
        return 2
    if not (asked.pons or asked.othello or asked.connect_four or asked.kalah):
        pons, endgames, files = built_in_pons(), read_endgames(ENDGAMES), [list(built_in_boards())]
    if pons:
        engine = Engine(ConnectFour())
        wrong += sum(check_pons(name, positions, engine) for name, positions in pons.items())
    if endgames:
        few = [endgame for endgame in endgames if endgame.empties <= asked.empties]
        wrong += check_endgames(few, Engine(Othello(empties_to_winner=True), table_mb=256))
    wrong += sum(check_boards(boards, asked.seconds, asked.minutes) for boards in files if boards)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
