"""The table of the proof-number search: how hard a question about a state looks, or its answer.

An entry is one of `transposition`, and its data are

    63     57 56    51 50 49 48 47      24 23       0
     question   work     bound   disproof     proof      bound 0: two numbers
     question   work     bound            value          LOWER or UPPER: an answer

The numbers hold for the question they were written for, and no other has its number. An answer is a limit
of the value to MAX, as a number of single precision that was rounded to stay true, so it counts in every
question that it decides. It decides its own in any case, even where rounding it has made it too weak:
then the value is on the right side of the threshold, and no nearer than any answer that came up so far.
"""

from __future__ import annotations

from math import inf

from perfectplay.compiler.primitives import word
from perfectplay.compiler.records import State, Word, record
from perfectplay.engine.transposition import (
    LOWER,
    NOTHING,
    UPPER,
    age_in,
    bits_in,
    bound_in,
    find,
    rounded,
    value_in,
    write,
)
from perfectplay.engine.workspace import Workspace

INFINITE = (1 << 24) - 1  # it cannot be proved
LARGEST = INFINITE - 1  # the largest number of any other state
UNKNOWN = -1  # no number


@record
class Child:
    """A move, and what is known of the state it leads to."""

    order: float = 0.0  # of two as hard, which is tried first
    key: Word = 0
    index: int = 0  # among the candidates
    mine: int = 0  # how hard it is to show what whoever moves wants
    theirs: int = 0  # and what the others want
    visits: int = 0  # how often it was searched
    value: float = 0.0  # the limit of its value, once there is one
    state: State = None


@record
class ProofWorkspace(Workspace):
    """The work of a thread that asks by proof numbers."""

    children: list[Child]  # of every state on the path, in the place of `moves`
    above: float = inf  # of the answers that came up, the nearest above the threshold
    below: float = -inf  # and the nearest that is not


def recalled(workspace: ProofWorkspace, state: State, key: Word, threshold: float) -> tuple[int, int, float]:
    """What `answered` says of a state that is, the numbers of one that is not yet, or UNKNOWN."""
    data = find(workspace.table, state, key)
    if data == NOTHING:
        return UNKNOWN, UNKNOWN, 0.0
    asked = age_in(data) == workspace.table.age
    bound = bound_in(data)
    value = value_in(data)
    if bound == 0:
        if asked:
            return bits_in(data, 0, 24), bits_in(data, 24, 24), 0.0
    elif asked:
        if bound == LOWER:
            return 0, INFINITE, max(value, workspace.above)
        return INFINITE, 0, min(value, workspace.below)
    elif (bound == LOWER) == (value > threshold):
        return answered(workspace, value, threshold)
    return UNKNOWN, UNKNOWN, 0.0


def answered(workspace: ProofWorkspace, value: float, threshold: float) -> tuple[int, int, float]:
    """Proof and disproof number, and the value that decides the question, which is noted if it is nearest."""
    if value > threshold:
        workspace.above = min(workspace.above, value)
        return 0, INFINITE, value
    workspace.below = max(workspace.below, value)
    return INFINITE, 0, value


def remember(
    workspace: ProofWorkspace, state: State, key: Word, proof: int, disproof: int, value: float, work: int
) -> None:
    """Write the numbers of a state, or the limit of its value that one of them stands for."""
    bound = LOWER if proof == 0 else UPPER if disproof == 0 else 0
    low = word(proof | disproof << 24) if bound == 0 else rounded(value, bound)
    write(workspace.table, state, key, low | word(bound << 48 | work << 51 | workspace.table.age << 57))
