"""Games that run in Python and do not compile, each for one of the commonest reasons."""

from __future__ import annotations

from typing import Any

from perfectplay.game import Game

GALLERY: list[Any] = []


class Countable(Game[Any, Any]):
    """Count to three: a game that compiles, for the others to spoil."""

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


def uncompilable(game: Any) -> Any:
    """Hang a game into the gallery."""
    GALLERY.append(game)
    return game


@uncompilable
class UsesFrozenset(Countable):
    told = "`is_terminal` line {line} uses a set; use a tuple or an int bit mask"

    def is_terminal(self, state: Any) -> Any:
        return state[0] in frozenset((3, 4))  # here


@uncompilable
class UsesDict(Countable):
    told = "`is_terminal` line {line} uses a dict; use a tuple, and a number for the place in it"

    def is_terminal(self, state: Any) -> Any:
        return dict(a=3)["a"] == state[0]  # here


@uncompilable
class UsesGenerator(Countable):
    told = "`utility` line {line} uses a generator expression; write a loop"

    def utility(self, state: Any, player: int) -> Any:
        total = sum(part for part in state)  # here
        return total if player == 0 else -total


@uncompilable
class UsesAny(Countable):
    told = "`is_terminal` line {line} uses any or all; write a loop"

    def is_terminal(self, state: Any) -> Any:
        return any((state[0] >= 3, state[0] < 0))  # here


@uncompilable
class UsesYieldFrom(Countable):
    told = "`actions` line {line} uses yield from; write a loop with yield"

    def actions(self, state: Any) -> Any:
        yield from range(1, 2 if state[0] < 3 else 1)  # here


@uncompilable
class UsesSuper(Countable):
    told = "`is_terminal` line {line} uses super(); call the other method by a name of its own"

    def is_terminal(self, state: Any) -> Any:
        return super().is_terminal(state)  # here


@uncompilable
class UsesStar(Countable):
    told = "`result` line {line} takes a tuple apart with *; write its parts out"

    def result(self, state: Any, action: Any) -> Any:
        parts = (*state[:action], state[0] + action)  # here
        return parts[1], 1 - state[1]


@uncompilable
class UsesSlice(Countable):
    told = "`key` line {line} takes a slice; use single places, or an int bit mask"

    def key(self, state: Any) -> Any:
        return state[0] * 2 + state[1] + len(state[: state[0]])  # here


@uncompilable
class UsesTuple(Countable):
    told = "`key` line {line} makes a tuple of any length; use a tuple of fixed length or an int"

    def key(self, state: Any) -> Any:
        return tuple([state[0], state[1]])[0] * 2 + state[1]  # here


@uncompilable
class UsesLambda(Countable):
    told = "`key` line {line} uses a lambda; write a loop"

    def key(self, state: Any) -> Any:
        return state[0] * 2 + state[1] + 0 * max(state, key=lambda part: -part)  # here


@uncompilable
class UsesSetComprehension(Countable):
    told = "`is_terminal` line {line} uses a set; use a tuple or an int bit mask"

    def is_terminal(self, state: Any) -> Any:
        return state[0] in {part + 2 for part in (1, 2)}  # here


@uncompilable
class UsesDictComprehension(Countable):
    told = "`is_terminal` line {line} uses a dict; use a tuple, and a number for the place in it"

    def is_terminal(self, state: Any) -> Any:
        return {part: (part, "x") for part in (1, 3)}.get(state[0], None) is not None  # here


@uncompilable
class UsesText(Countable):
    told = "`key` line {line} builds a text; compute with numbers"

    def key(self, state: Any) -> Any:
        return int(f"{state[0]}{state[1]}")  # here


@uncompilable
class UsesList(Countable):
    told = "`is_terminal` line {line} reads self.lines, a list; make it a number or a tuple of numbers"

    def __init__(self) -> None:
        self.lines = [3]

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= self.lines[0]  # here


@uncompilable
class HelperUsesDict(Countable):
    told = "`ending` line {line} uses a dict; use a tuple, and a number for the place in it"

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= self.ending()

    def ending(self) -> Any:
        return dict(a=3)["a"]  # here
