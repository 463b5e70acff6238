"""Is the text of a state of OpenSpiel a key? Found out by play, and denied where in doubt.

OpenSpiel knows a state by its history, and prints a board. Two histories with one board are one position if
nothing else of the past matters: no ko, no repetition, no count of moves that is not printed. Three things
are looked at, always with the same random numbers: whether a few moves can lead back, for then something
usually counts them; whether many pairs of histories with one text were met at all; and whether all of these
pairs have the same future, a line of play to the end included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

# By their rules: repetition or ko, which no board shows, however rarely play comes to it.
BY_HISTORY = frozenset({"antichess", "chess", "crazyhouse", "cursor_go", "go", "shogi", "xiangqi"})
PAIRS = 12  # of histories with one text, before it is trusted
ENOUGH = 40  # pairs are compared at the most
STATES = 600  # met level by level from the start
LINES = 12  # played to the end, with their moves swapped
SWAPS = 12  # in each
LONGEST = 400  # moves of a line
PLACES = 4  # in each line, from which a way back is looked for
LOOKED_AT = 8  # actions after which the next texts are compared
ROUNDS = 3  # of a way back that must be legal, or end the game


def text_is_a_key(spiel: Any) -> bool:
    """Do the text and the player to move say all that matters of a state of this game?"""
    kind = spiel.get_type()
    if kind.short_name in BY_HISTORY or spiel.max_chance_outcomes() > 0:
        return False
    random = Random(1)  # noqa: S311 - nothing secret hangs on it
    lines = [_Line(spiel, random) for _ in range(LINES)]
    if any(_comes_back(line, random) for line in lines):
        return False
    pairs = 0
    for one, other in _pairs(spiel, lines, random):
        if not _same_future(one, other, random):
            return False
        pairs += 1
        if pairs == ENOUGH:
            break
    return pairs >= PAIRS


class _Line:
    """Random play from the start: its actions, and the states before each and after the last."""

    def __init__(self, spiel: Any, random: Random) -> None:
        state = spiel.new_initial_state()
        self.actions: list[int] = []
        self.states = [state]
        while not state.is_terminal() and len(self.actions) < LONGEST:
            self.actions.append(random.choice(state.legal_actions()))
            state = _child(state, self.actions[-1])
            self.states.append(state)

    def changed(self, first: int, last: int) -> tuple[Any, list[int]]:
        """The state before the action `first`, and those from there on with that and `last` swapped."""
        actions = self.actions[first : last + 2]
        actions[0], actions[last - first] = actions[last - first], actions[0]
        return self.states[first], actions


def _known_by(state: Any) -> tuple[int, str]:
    return state.current_player(), str(state)


def _child(state: Any, action: int) -> Any:
    child = state.clone()
    child.apply_action(action)
    return child


# Ways back.


def _comes_back(line: _Line, random: Random) -> bool:
    """Does a line meet a text again, or can four moves be made again and again?"""
    if len({_known_by(state) for state in line.states}) < len(line.states):
        return True
    return any(_has_a_way_back(random.choice(line.states), random) for _ in range(PLACES))


def _has_a_way_back(start: Any, random: Random) -> bool:
    """Are there moves there and back that change nothing but numbers in the text, and can be made again?"""
    state, way, board = start, [], _bare(start)
    for step in range(4):
        if state.is_terminal():
            return False
        actions = state.legal_actions()
        if step < 2:
            way.append(random.choice(actions))
        else:  # whatever makes the board most like that at the start
            way.append(min(actions, key=lambda action: _distance(_bare(_child(state, action)), board)))
        state = _child(state, way[-1])
    if state.is_terminal():  # because it came back?
        return _board(state) == _board(start)
    if _bare(state) != board or _choices(state) != _choices(start):
        return False
    for action in way * ROUNDS:
        if state.is_terminal():
            return True
        if action not in state.legal_actions():
            return False
        state = _child(state, action)
    return True


def _bare(state: Any) -> str:
    """The board without its numbers, which may count moves."""
    return re.sub(r"\d+", "", _board(state))


def _board(state: Any) -> str:
    """The text without the line that says whose turn it is: at the end it is nobody's."""
    return "\n".join(line for line in str(state).lower().splitlines() if "player" not in line)


def _choices(state: Any) -> tuple[int, list[int]]:
    return state.current_player(), state.legal_actions()


def _distance(text: str, other: str) -> int:
    """In how many places two texts differ."""
    return sum(map(str.__ne__, text, other)) + abs(len(text) - len(other))


# Pairs of histories with one text.


def _pairs(spiel: Any, lines: list[_Line], random: Random) -> Iterator[tuple[Any, Any]]:
    """States with one text and different histories: of lines whose moves are swapped, and near the start."""
    for line in lines:
        for _ in range(SWAPS if len(line.actions) > 3 else 0):
            first = random.randrange(len(line.actions) - 2)
            last = min(len(line.actions) - 1, first + random.choice((1, 2, 2, 3, 4)))
            yield from _swapped(line, first, last)
    yield from _near_the_start(spiel)


def _near_the_start(spiel: Any) -> Iterator[tuple[Any, Any]]:
    """The first of all that have a text, and another: of all short histories."""
    met: dict[tuple[int, str], Any] = {}
    level = [spiel.new_initial_state()]
    while level and len(met) < STATES:
        below = []
        for state in level:
            for action in [] if state.is_terminal() or len(met) >= STATES else state.legal_actions():
                child = _child(state, action)
                known = met.setdefault(_known_by(child), child)
                if known is child:
                    below.append(child)
                else:
                    yield known, child
        level = below


def _swapped(line: _Line, first: int, last: int) -> Iterator[tuple[Any, Any]]:
    """The states of a line and of its twin after two swapped moves, if that is one text; or one move later.

    A text may mark the last move, which is then another.
    """
    state, actions = line.changed(first, last)
    for number, action in enumerate(actions, first):
        if state.is_terminal() or action not in state.legal_actions():
            return
        state = _child(state, action)
        if number >= last and _known_by(state) == _known_by(line.states[number + 1]):
            if state.history() != line.states[number + 1].history():
                yield line.states[number + 1], state
            return


def _same_future(one: Any, other: Any, random: Random) -> bool:
    """Is what can be done after both the same: the next texts, and a line of play to the end?"""
    first = True
    for _ in range(LONGEST):
        if _known_by(one) != _known_by(other) or one.returns() != other.returns():
            return False
        if one.is_terminal() or other.is_terminal():
            break
        actions = one.legal_actions()
        if actions != other.legal_actions():
            return False
        if first:
            some = actions if len(actions) <= LOOKED_AT else random.sample(actions, LOOKED_AT)
            if any(_known_by(_child(one, each)) != _known_by(_child(other, each)) for each in some):
                return False
            first = False
        action = random.choice(actions)
        one, other = _child(one, action), _child(other, action)
    return bool(one.is_terminal() == other.is_terminal())
