"""A run of a textbook algorithm, recorded line by line: trace(algorithm, game) gives a Trace."""

from perfectplay.trace.document import Board, Entry, Event, Node, Trace
from perfectplay.trace.tracing import EVENTS, SECONDS, trace

__all__ = ["EVENTS", "SECONDS", "Board", "Entry", "Event", "Node", "Trace", "trace"]
