"""Every position of a game, solved, on disk: build_tablebase writes it, Tablebase reads it.

`verify` looks for faults, `compress` makes it smaller, `seal` lists its files for publication, `export`
writes it for other programs, `statistics` counts what is in it, and `estimate` says how large it would be.
"""

from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.building import build_tablebase
from perfectplay.tablebase.compression import compress
from perfectplay.tablebase.estimation import Estimate, estimate
from perfectplay.tablebase.expectations import ExpectationTable
from perfectplay.tablebase.exporting import export
from perfectplay.tablebase.level_statistics import Statistics, statistics
from perfectplay.tablebase.publication import seal
from perfectplay.tablebase.table import Entry, Explained, Tablebase
from perfectplay.tablebase.verification import verify

__all__ = [
    "Entry",
    "Estimate",
    "ExpectationTable",
    "Explained",
    "Progress",
    "Statistics",
    "Tablebase",
    "build_tablebase",
    "compress",
    "estimate",
    "export",
    "seal",
    "statistics",
    "verify",
]
