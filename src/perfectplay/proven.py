"""Proven values on disk: what was once found out exactly about a position, by the digest of its rules.

One file of SQLite holds them for all games, all processes of a server and all that come after it: whole after
any crash, and bounded, since the oldest values make room. What the file says is never trusted further than it
can be checked: an entry has a checksum, and a line is played again by the rules. A file that is damaged,
another user's, or on a disk that is full or cannot be written to, is as good as none.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from perfectplay.compiler.digest import code_digest
from perfectplay.engine import Analysis, Ranked, Ranking
from perfectplay.game import Game, same_side

FILE = "proven-1.sqlite"  # with the version of the format
MOST = 500_000  # values that are kept: 50 MB or so
SPARE = 8  # one part in so many goes at a time, when there are too many
PATIENCE = 1.0  # seconds to wait for another process that writes
KEY, CHECKSUM = 16, 4  # bytes
LONGEST_LINE = 255  # plies
WIDEST = 255  # actions, for a line that can be written down
UNKNOWN_KINDS = (TypeError, ValueError, AttributeError, OverflowError)  # of states that have no number
FILE_IS_NONE = (sqlite3.Error, OSError)

SCHEMA = "CREATE TABLE IF NOT EXISTS proven (place INTEGER PRIMARY KEY, key BLOB UNIQUE, entry BLOB)"


class Proven(NamedTuple):
    """The exact value of a state to the player who moves there, and a line of best play, or its beginning."""

    value: float
    line: tuple[Any, ...] = ()


class ProvenValues:
    """The values in one file, or none where there is no place for it."""

    def __init__(self, directory: Path | None, most: int = MOST) -> None:
        self.most = most
        self.path = None if directory is None else directory / FILE
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        with suppress(*FILE_IS_NONE):
            self._open()

    def of(self, game: Game[Any, Any]) -> ProvenRules:
        """What is known about that game; one whose rules differ in anything is another."""
        return ProvenRules(self, game)

    def close(self) -> None:
        """Close the file; from then on nothing is known."""
        with self._lock, suppress(*FILE_IS_NONE):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def __len__(self) -> int:
        """How many values there are."""
        counted = self._asked("SELECT count(*) FROM proven")
        return int(counted[0][0]) if counted else 0

    def read(self, key: bytes) -> bytes | None:
        """The entry of that key."""
        found = self._asked("SELECT entry FROM proven WHERE key = ?", key)
        return found[0][0] if found and isinstance(found[0][0], bytes) else None

    def write(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Put entries into the file, all or none of them; the oldest go where there are too many."""
        with self._lock, suppress(*FILE_IS_NONE):
            if self._connection is None:
                return
            with self._connection:  # one transaction
                self._connection.executemany(
                    "INSERT OR REPLACE INTO proven (key, entry) VALUES (?, ?)", entries
                )
                first, last = self._connection.execute("SELECT min(place), max(place) FROM proven").fetchone()
                if last is not None and last - first >= self.most:
                    gone = last - self.most + self.most // SPARE
                    self._connection.execute("DELETE FROM proven WHERE place <= ?", (gone,))

    def _asked(self, question: str, *values: object) -> list[Any]:
        with self._lock, suppress(*FILE_IS_NONE):
            if self._connection is not None:
                return self._connection.execute(question, values).fetchall()
        return []

    def _open(self) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(self.path):
            return
        try:
            self._connection = _connected(self.path)
        except sqlite3.OperationalError:  # it cannot be opened or written to: there is nothing to mend
            raise
        except sqlite3.DatabaseError:  # it is damaged: what is in it can be found out again
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self._connection = _connected(self.path)


class ProvenRules:
    """What is proven about one game."""

    def __init__(self, values: ProvenValues, game: Game[Any, Any]) -> None:
        self.values = values
        self.game = game
        # Another version of the search may have mended a fault of this one.
        self._rules = f"{version('perfectplay')} {code_digest(game)}".encode()

    def known(self, state: Any) -> Proven | None:
        """What is known of a state."""
        key = self._key(state)
        entry = None if key is None else self.values.read(key)
        if key is None or entry is None or len(entry) < 8 + CHECKSUM:
            return None
        content, checksum = entry[:-CHECKSUM], entry[-CHECKSUM:]
        (value,) = struct.unpack("<d", content[:8])
        if checksum != _checksum(key, content) or not isfinite(value):
            return None
        return Proven(value, self._played(state, content[8:]))

    def remember(self, proven: Iterable[tuple[Any, Proven]]) -> None:
        """Keep what was proven about some states: exact values alone."""
        entries = []
        for state, (value, line) in proven:
            key = self._key(state)
            if key is not None and isfinite(value):
                content = struct.pack("<d", value) + self._written(state, line)
                entries.append((key, content + _checksum(key, content)))
        if entries:
            self.values.write(entries)

    def limits(self, state: Any) -> dict[Any, tuple[float, float]]:
        """What the actions of a state are worth at least and at most, of those that are known."""
        worths = ((action, self._worth(state, action)) for action in self.game.actions(state))
        return {action: (worth.value, worth.value) for action, worth in worths if worth}

    def _worth(self, state: Any, action: Any) -> Proven | None:
        """What is known of an action, to the player who plays it; to end the game needs no proof."""
        game, child = self.game, self.game.result(state, action)
        if game.is_terminal(child):
            return Proven(game.utility(child, game.to_move(state)))
        known = self.known(child)
        return None if known is None else Proven(self._sign(state, child) * known.value, known.line)

    def ranking(self, state: Any) -> Ranking | None:
        """Every action of a state with its value, where all are known."""
        moves = []
        for action in self.game.actions(state):
            worth = self._worth(state, action)
            if worth is None:
                return None
            moves.append((action, worth))
        if not moves:
            return None
        action, best = max(moves, key=lambda move: move[1].value)
        own = self.known(state)
        line = own.line if own and own.value == best.value and own.line else (action, *best.line)
        ranked = [
            Ranked(action, worth.value, worth.value == best.value, True, worth.value, worth.value)
            for action, worth in moves
        ]
        found = Analysis(best.value, line[0], line, len(line), 0, 0.0, True, 0, best.value, best.value)
        return Ranking(found, sorted(ranked, key=lambda move: -move.value))

    def keep(self, state: Any, ranking: Ranking) -> None:
        """Remember what of a ranking is exact."""
        found, kept = ranking.found, []
        if found.exact:
            kept.append((state, Proven(found.value, found.line)))
        for move in ranking.moves:
            child = self.game.result(state, move.action)
            if move.exact and not self.game.is_terminal(child):
                rest = found.line[1:] if found.line[:1] == (move.action,) else ()
                kept.append((child, Proven(self._sign(state, child) * move.value, rest)))
        self.remember(kept)

    def _sign(self, state: Any, child: Any) -> int:
        """What makes a value to who moves in the one a value to who moves in the other."""
        return 1 if same_side(self.game.to_move(state), self.game.to_move(child)) else -1

    def _key(self, state: Any) -> bytes | None:
        """What stands for a state of these rules: no other has it."""
        try:
            number = self.game.pack(state)
            row = number.to_bytes((number.bit_length() + 7) // 8, "little")
        except UNKNOWN_KINDS:
            return None
        return blake2b(row, digest_size=KEY, key=blake2b(self._rules, digest_size=32).digest()).digest()

    def _written(self, state: Any, line: Iterable[Any]) -> bytes:
        """A line as places among the legal actions."""
        places = bytearray()
        for action in islice(line, LONGEST_LINE):
            actions = list(self.game.actions(state))
            if action not in actions[:WIDEST]:
                break
            places.append(actions.index(action))
            state = self.game.result(state, action)
        return bytes(places)

    def _played(self, state: Any, places: bytes) -> tuple[Any, ...]:
        """The line that these places make, as far as the rules go along."""
        line: list[Any] = []
        for place in places[:LONGEST_LINE]:
            actions = [] if self.game.is_terminal(state) else list(self.game.actions(state))
            if place >= len(actions):
                break
            line.append(actions[place])
            state = self.game.result(state, actions[place])
        return tuple(line)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")  # what a file defines, it does not run
        connection.execute("PRAGMA journal_mode = WAL")  # readers do not wait for who writes
        connection.execute("PRAGMA synchronous = NORMAL")  # a crash loses the last values, and no others
        with connection:
            connection.execute(SCHEMA)
        return connection
    except sqlite3.Error:
        connection.close()
        raise


def _is_ours(path: Path) -> bool:
    """May that file be believed: is there none yet, or one that this user wrote?"""
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return True
    return path.is_file() and not (hasattr(os, "getuid") and state.st_uid != os.getuid())


def _checksum(key: bytes, content: bytes) -> bytes:
    return blake2b(key + content, digest_size=CHECKSUM).digest()
