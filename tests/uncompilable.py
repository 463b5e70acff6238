"""Games that compile though compilers are said not to like them, and games that run in Python alone."""

from __future__ import annotations

import random
from typing import Any

from perfectplay.game import Game

COMPILABLE: list[Any] = []
GALLERY: list[Any] = []


class Countable(Game[Any, Any]):
    """Count to three: a game that compiles, for the others to write in their ways."""

    lines: Any = ()

    def initial(self) -> Any:
        return 0, 0

    def to_move(self, state: Any) -> Any:
        return state[1]

    def actions(self, state: Any) -> Any:
        if state[0] < 3:
            yield 1

    def result(self, state: Any, action: Any) -> Any:
        return state[0] + action, 1 - state[1]

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= 3

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == 0 else -1


def compilable(game: Any) -> Any:
    """Note a game that compiles."""
    COMPILABLE.append(game)
    return game


def uncompilable(game: Any) -> Any:
    """Hang a game into the gallery of those that do not."""
    GALLERY.append(game)
    return game


@compilable
class UsesFrozenset(Countable):
    def is_terminal(self, state: Any) -> Any:
        return state[0] in frozenset((3, 4))


@compilable
class UsesDict(Countable):
    def is_terminal(self, state: Any) -> Any:
        return dict(a=3)["a"] == state[0]


@compilable
class UsesGenerator(Countable):
    def utility(self, state: Any, player: int) -> Any:
        total = sum(part for part in state)
        return total if player == 0 else -total


@compilable
class UsesAny(Countable):
    def is_terminal(self, state: Any) -> Any:
        return any((state[0] >= 3, state[0] < 0))


@compilable
class UsesYieldFrom(Countable):
    def actions(self, state: Any) -> Any:
        yield from range(1, 2 if state[0] < 3 else 1)


@compilable
class UsesSuper(Countable):
    def is_terminal(self, state: Any) -> Any:
        return super().is_terminal(state)


@compilable
class UsesStar(Countable):
    def result(self, state: Any, action: Any) -> Any:
        parts = (*state[:action], state[0] + action)
        return parts[1], 1 - state[1]


@compilable
class UsesSlice(Countable):
    def key(self, state: Any) -> Any:
        return state[0] * 2 + state[1] + len(state[: state[0]])


@compilable
class UsesTuple(Countable):
    def key(self, state: Any) -> Any:
        return tuple([state[0], state[1]])[0] * 2 + state[1]


@compilable
class UsesLambda(Countable):
    def key(self, state: Any) -> Any:
        return state[0] * 2 + state[1] + 0 * max(state, key=lambda part: -part)


@compilable
class UsesSetComprehension(Countable):
    def is_terminal(self, state: Any) -> Any:
        return state[0] in {part + 2 for part in (1, 2)}


@compilable
class UsesDictComprehension(Countable):
    def is_terminal(self, state: Any) -> Any:
        return {part: (part, "x") for part in (1, 3)}.get(state[0], None) is not None


@compilable
class UsesText(Countable):
    def key(self, state: Any) -> Any:
        return int(f"{state[0]}{state[1]}")


@compilable
class UsesList(Countable):
    def __init__(self) -> None:
        self.lines = [3]

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= self.lines[0]


@compilable
class HelperUsesDict(Countable):
    def is_terminal(self, state: Any) -> Any:
        return state[0] >= self.ending()

    def ending(self) -> Any:
        return dict(a=3)["a"]


@uncompilable
class OpensFile(Countable):
    told = "`is_terminal` line {line} opens a file; read it once, at the top of the file"

    def is_terminal(self, state: Any) -> Any:
        file = open(__file__)  # here
        file.close()
        return state[0] >= 3


@uncompilable
class UsesRandom(Countable):
    told = "`evaluate` line {line} draws at random; leave chance out of the rules"

    def evaluate(self, state: Any, player: int) -> Any:
        return 0 * random.random()  # here


@uncompilable
class ChangesItself(Countable):
    told = "`is_terminal` line {line} changes .asked of an object; keep what changes in the state"

    def __init__(self) -> None:
        self.asked = 0

    def is_terminal(self, state: Any) -> Any:
        self.asked += 1  # here
        return state[0] >= 3


@uncompilable
class UsesEval(Countable):
    told = "`ending` line {line} calls eval; write it with what rules can use"

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= self.ending()

    def ending(self) -> Any:
        return eval("3")  # here
