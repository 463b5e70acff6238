"""What one thread of a search works with."""

from __future__ import annotations

from perfectplay.compiler.records import Atomic, State, Word, record
from perfectplay.engine.endgames import ProbeIndex
from perfectplay.engine.transposition import SOLVING as SOLVING
from perfectplay.engine.transposition import UNPROVEN as UNPROVEN
from perfectplay.engine.transposition import Table

OUT_OF_BUDGET, TOO_DEEP, TOO_WIDE = 1, 2, 3  # why a thread did not finish

# Flags: which parts of the search are at work.
PRUNING, ORDERING, TABLES, SCOUTING, LOOKING = 1, 2, 4, 8, 16
EVERYTHING = 31

PLIES = 2000  # the longest path
LINE = 256  # the longest line that is remembered
SLOTS = 1024  # of the history, a side
BUSY_DIGITS = 12  # binary digits of the number of states that threads can be seen to be at
MOVES = 1 << 16  # on one path

DEEPEST = 200  # of any search but one to the end of the game
RESTLESS = 16  # plies beyond the depth limit that states may be unquiet
CHAIN = 40  # forced moves that are played at once, on the way to the end of the game

DONE, FRESH, DEFERRED = 0, 1, 2  # what became of a move


@record
class Move:
    """A move that is to be tried, and the state it leads to."""

    order: float = 0.0  # the most promising is tried first
    tie: int = 0  # of two as promising, which has the larger of these
    key: Word = 0
    slot: int = 0  # of the history
    index: int = 0  # among the candidates
    waiting: int = FRESH  # or DONE, or DEFERRED since another thread is at it
    least: float = 0.0  # the value of the state is known to be from here
    most: float = 0.0  # to here
    state: State = None


@record
class Threads:
    """What the threads that search one state together tell each other."""

    stop: Atomic[int] = 0  # not 0: leave
    busy: list[Atomic[Word]]  # the keys of the states that they are at


@record
class Workspace:
    """The work of one thread."""

    nodes: int = 0  # states visited
    limit: int  # stop after so many
    stopped: int = 0  # why it did not finish, if it did not
    hits: int = 0  # states that the table answered
    best: int = -1  # the number of the action at the root, -1 before there is one
    flags: int = EVERYTHING
    split: int = -1  # threads keep out of each other's way down to this ply; -1 for one thread
    threads: Threads
    table: Table
    endgames: ProbeIndex | None = None  # solved states, if there are any

    top: int = 0  # how many moves are in use
    moves: list[Move]  # of every state on the path
    ranked: list[int]  # the numbers of these, those of each state in the order to be tried
    history: list[int]  # by side and slot: how often an action cut
    killers: list[int]  # two a ply: the slots of the last actions that cut
    heights: list[int]  # by ply: plies that prove the last result, UNPROVEN if it rests on an estimate
    lengths: list[int]  # by ply: of the line that was found best
    lines: list[Word]  # the keys of its states, LINE a ply
