"""Functions of `math` give Python's own bits and Python's own exceptions, or leave the answer to Python."""

from __future__ import annotations

import math
import random

import pytest
from comparing import Machine, module_of

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.reals import is_pythons, norm_is_pythons
from perfectplay.compiler.traps import Trap

ONE = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "degrees", "erf", "erfc", "exp"),
    *("expm1", "fabs", "frexp", "log", "log10", "log1p", "log2", "modf", "radians", "sin", "sinh", "sqrt"),
    *("tan", "tanh", "cbrt", "exp2"),
)
TWO = (
    *("math.atan2(x, y)", "math.hypot(x, y)", "math.hypot(x, y, 3)", "math.dist((x, 1), (y, 2.5))"),
    *("math.dist([x, 1], [y, 2])", "math.fmod(x, y)", "math.remainder(x, y)", "math.ldexp(x, 3)"),
    *("math.fsum([x, y, 0.1, -x])", "math.pow(x, y)", "math.copysign(x, y)", "math.log(x, 3)"),
    *("x ** y", "x ** 2", "x ** 0.5", "2.0 ** x", "math.isclose(x, y)", "divmod(x, y)"),
)
EDGES = (0.0, -0.0, 1.0, -1.0, 2.0, math.inf, -math.inf, math.nan, 1e308, 710.0, -5.0, 0.5, 1e-320)


def points() -> list[tuple[float, float]]:
    chance = random.Random(1)
    some = [(chance.uniform(-1, 1) * 10 ** chance.randint(-3, 3), chance.uniform(-5, 5)) for _ in range(300)]
    return [*some, *((x, y) for x in EDGES for y in EDGES[:9])]


@pytest.mark.parametrize("text", [*(f"math.{name}(x)" for name in ONE), *TWO])
def test_a_function_gives_the_bits_that_python_gives(text: str) -> None:
    space = module_of(f"import math\ndef f(x, y):\n    return {text}\n", f"reals {text}")
    machine = Machine(space["f"], 0.5, 1.5)
    left = 0
    for x, y in points():
        try:
            wanted = repr(space["f"](x, y))
        except Exception as error:
            wanted = type(error).__name__
        try:
            found = repr(machine(x, y))
        except Trap as trap:
            if traps.code_in(trap.status) >= traps.FIRST_LIMIT:
                left += 1
                continue
            found = str(trap).partition(" ")[0]
        assert found == wanted, (x, y)
    assert left < len(points())


def test_the_rules_of_this_python_are_those_that_are_known() -> None:
    assert norm_is_pythons()
    assert all(is_pythons(name) for name in ("sin", "exp", "log"))
    assert not is_pythons("gamma_of_nobody")


def test_a_root_of_a_whole_number_is_exact_beyond_64_bits() -> None:
    space = module_of("import math\ndef f(n):\n    return math.isqrt(n)\n", "reals of roots")
    machine = Machine(space["f"], 2**70)
    for number in (0, 1, 2, 3, 4, 2**62, 2**63 - 1, 2**64, 10**20, 10**20 - 1, 2**100 + 1):
        assert machine(number) == math.isqrt(number)
