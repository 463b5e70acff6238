"""Every position of a game, solved, on disk: build_tablebase writes it, Tablebase reads it."""

from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.building import build_tablebase
from perfectplay.tablebase.table import Entry, Explained, Tablebase

__all__ = ["Entry", "Explained", "Progress", "Tablebase", "build_tablebase"]
