"""A run of a textbook algorithm, recorded line by line: trace(algorithm, game) gives a Trace."""

from perfectplay.trace.document import Board, Entry, Event, Node, Trace
from perfectplay.trace.playouts import PLAYOUTS
from perfectplay.trace.tracing import EVENTS, SECONDS, trace

__all__ = ["EVENTS", "PLAYOUTS", "SECONDS", "Board", "Entry", "Event", "Node", "Trace", "trace"]
