"""Dice: their outcomes with probabilities, and how they are drawn."""

from __future__ import annotations

from perfectplay.scene import Shape, circle, rect

PIPS = {  # of a face: the places on a grid of three by three, from -1 to 1
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def die(x: float, y: float, face: int) -> list[Shape]:
    """A die by its middle, with so many pips; none of them before it is rolled."""
    label = f"the die shows {face}" if face else "the die is to be rolled"
    body = rect(x - 0.4, y - 0.4, 0.8, 0.8, "cell", label=label)
    return [body, *(circle(x + 0.22 * across, y + 0.22 * down, 0.07, "count") for across, down in PIPS[face])]
