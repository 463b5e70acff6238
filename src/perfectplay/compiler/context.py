"""A context: the words of memory that every call of machine code is handed, and Python reads afterwards."""

from __future__ import annotations

# The arena's next free byte and its end; was it asked to stop; how far down the stack may go, and how
# much of it may be taken; how many states were noted; how deep calls are; how many of cached functions
# there were. The states that were noted lie behind these.
NEXT, END, STOP, LOWEST, ALLOWED, TRAPPED, DEPTH, CALLS, ROOM = range(9)
NOTED = 1024  # states, at most: those of the innermost calls
