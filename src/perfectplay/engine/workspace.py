"""What one thread of a search works with, place by place.

A workspace is a block of memory: a Python list for the plain search, raw words for the compiled one. A place
holds a number or another block.
"""

from __future__ import annotations

NODES = 0  # states visited
LIMIT = 1  # stop after so many
STOP = 2  # a block of one word, shared by all threads: not 0 tells them to stop
STOPPED = 3  # why this thread did not finish: OUT_OF_BUDGET, TOO_DEEP or TOO_WIDE
TABLE = 4  # the entries, shared by all threads
SHIFT = 5  # 64 less the binary digits of the number of buckets
AGE = 6  # of the search, modulo 128
RECORDS = 8  # the moves of every state on the path
TOP = 9  # how many records are in use
ROOM = 10  # how many there are
HISTORY = 11  # how often an action cut, by side and slot
KILLERS = 12  # the slots of the last two actions that cut, by ply
HEIGHTS = 13  # by ply: plies that a proof of the last result needs, UNPROVEN if it rests on an estimate
LINES = 14  # by ply: the length of the line that was found best, and the keys of its states
FLAGS = 15  # which parts of the search are at work
HITS = 16  # states that the table answered
BEST = 17  # the number of the action at the root, -1 before there is one
BUSY = 18  # the keys of the states that threads are at, shared
SPLIT = 19  # threads keep out of each other's way down to this ply; -1 for one thread
FULL = 20  # not 0 if an entry holds the whole state
ENDGAMES = 21  # a table of solved states, if there is one
PLACES = 22

OUT_OF_BUDGET, TOO_DEEP, TOO_WIDE = 1, 2, 3

# Flags.
PRUNING, ORDERING, TABLES, SCOUTING, LOOKING = 1, 2, 4, 8, 16
EVERYTHING = 31

PLIES = 2000  # the longest path
LINE = 256  # the longest line that is remembered
SLOTS = 1024  # of the history, a side
BUSIES = 4096

SOLVING = 10_000  # the depth of a search to the end of the game: it never shrinks
DEEPEST = 200  # of any other search
RESTLESS = 16  # plies beyond the depth limit that states may be unquiet
UNPROVEN = 1 << 20
CHAIN = 40  # forced moves that are played at once, on the way to the end of the game

# The places of a record: a move that is to be tried, and the state it leads to.
# PLACE is not the move's own: the records from first to last name each other in the order to be tried.
ORDER, TIE, KEY, SLOT, INDEX, WAITING, PLACE, LEAST, MOST, STATE = range(10)
DONE, FRESH, DEFERRED = 0, 1, 2
