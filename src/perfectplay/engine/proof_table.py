"""The table of the proof-number search: how hard a question about a state looks, or its answer.

An entry has the two words of `transposition`, and word 1 is

    63     57 56    51 50 49 48 47      24 23       0
     question   work     bound   disproof     proof      bound 0: two numbers
     question   work     bound            value          LOWER or UPPER: an answer

The numbers hold for the question they were written for, and no other has its number. An answer is a limit
of the value to MAX, as a number of single precision that was rounded to stay true, so it counts in every
question that it decides. It decides its own in any case, even where rounding it has made it too weak:
then the value is on the right side of the threshold, and no nearer than any answer that came up so far.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import object_memory as machine
from perfectplay.engine.transposition import LOWER, UPPER, find, rounded, value_in, write
from perfectplay.engine.workspace import AGE, KILLERS

INFINITE = (1 << 24) - 1  # it cannot be proved
LARGEST = INFINITE - 1  # the largest number of any other state
NOTHING = -1  # no number

NEAREST = (
    KILLERS  # a place of the workspace that has another meaning here: the two answers next to the threshold
)
ABOVE, BELOW = 0, 1


def recalled(game: Any, workspace: Any, state: Any, key: Any, threshold: Any) -> Any:
    """What `answered` says of a state that is, the numbers of one that is not yet, or NOTHING."""
    data = find(game, workspace, state, key)
    if data == 0:
        return NOTHING, NOTHING, 0.0
    asked = machine.as_number(data >> machine.as_word(57)) == machine.number(workspace, AGE)
    bound = machine.as_number((data >> machine.as_word(48)) & machine.as_word(3))
    value = value_in(data)
    if bound == 0:
        if asked:
            word = machine.as_word(INFINITE)
            proof, disproof = data & word, (data >> machine.as_word(24)) & word
            return machine.as_number(proof), machine.as_number(disproof), 0.0
    elif asked:
        nearest = machine.number(workspace, NEAREST)
        if bound == LOWER:
            return 0, INFINITE, max(value, machine.real(nearest, ABOVE))
        return INFINITE, 0, min(value, machine.real(nearest, BELOW))
    elif (bound == LOWER) == (value > threshold):
        return answered(workspace, value, threshold)
    return NOTHING, NOTHING, 0.0


def answered(workspace: Any, value: Any, threshold: Any) -> Any:
    """Proof and disproof number, and the value that decides the question, which is noted if it is nearest."""
    nearest = machine.number(workspace, NEAREST)
    if value > threshold:
        if value < machine.real(nearest, ABOVE):
            machine.put(nearest, ABOVE, value)
        return 0, INFINITE, value
    if value > machine.real(nearest, BELOW):
        machine.put(nearest, BELOW, value)
    return INFINITE, 0, value


def remember(
    game: Any, workspace: Any, state: Any, key: Any, proof: Any, disproof: Any, value: Any, work: Any
) -> None:
    """Write the numbers of a state, or the limit of its value that one of them stands for."""
    bound = LOWER if proof == 0 else UPPER if disproof == 0 else 0
    if bound == 0:
        data = machine.as_word(proof) | machine.as_word(disproof) << machine.as_word(24)
    else:
        data = rounded(value, bound)
    data |= (
        machine.as_word(bound) << machine.as_word(48)
        | machine.as_word(work) << machine.as_word(51)
        | machine.as_word(machine.number(workspace, AGE)) << machine.as_word(57)
    )
    write(game, workspace, state, key, data)
