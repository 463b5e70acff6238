"""At which question the rules of a game failed, and after which moves: a note of their own exception."""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from perfectplay.blame import ASKED, question_of
from perfectplay.game import Game, choices

CHAIN = 40  # forced moves that a search plays at once
MOST_STATES = 50_000  # that are looked at to find where the rules fail
LONGEST = 400  # letters of a state or of a line of moves in a note


class Fault(NamedTuple):
    """A question at which the rules raise an exception, and the moves that lead there."""

    error: Exception
    method: str
    arguments: tuple[Any, ...]
    moves: tuple[Any, ...] | None  # if they are known

    def note(self, game: Game[Any, Any], root: Any) -> None:
        """Have the exception say what was asked, unless it does."""
        asked = ", ".join(map(_shown, self.arguments))
        _note(self.error, game, f"{self.method}({asked})", self.moves, root)


def note_question(error: BaseException, game: Game[Any, Any], path: Sequence[Any]) -> None:
    """Have an exception of the rules say what was asked, where a search came along a path of states."""
    if _is_noted(error):
        return
    moves, end = moves_along(game, path)
    for fault in faults(game, path[-1], moves, end):
        if type(fault.error) is type(error) and str(fault.error) == str(error):
            fault._replace(error=error).note(game, path[0])
            return
    _note(error, game, f"what follows from {_shown(path[-1])}", moves, path[0])


def fault_at(game: Game[Any, Any], path: Sequence[Any], kind: type[BaseException]) -> Exception | None:
    """The exception of a kind that the rules raise at the end of a path, saying what was asked."""
    moves, end = moves_along(game, path)
    for fault in faults(game, path[-1], moves, end):
        if isinstance(fault.error, kind):
            fault.note(game, path[0])
            return fault.error
    return None


def note_first_question(error: Exception, game: Game[Any, Any], start: Any) -> None:
    """Have an exception say what was asked, where all states were looked at, the nearest first."""
    lines: dict[Any, tuple[Any, ...]] = {start: ()}
    waiting = deque([start])
    while waiting and len(lines) < MOST_STATES and not _is_noted(error):
        state = waiting.popleft()
        for fault in faults(game, state, lines[state], state):
            if type(fault.error) is type(error) and str(fault.error) == str(error):
                fault._replace(error=error).note(game, start)
                return
        with suppress(Exception):
            for action in [] if game.is_terminal(state) else choices(game, state):
                child = game.result(state, action)
                if child not in lines:
                    lines[child] = (*lines[state], action)
                    waiting.append(child)


def states_on(error: BaseException, searches: Sequence[Callable[..., Any]]) -> list[Any]:
    """The states that the calls of a recursive search were at when an exception came."""
    codes = {search.__code__ for search in searches}
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code in codes]
    return [frame.f_locals["state"] for frame in frames]


def moves_along(game: Game[Any, Any], path: Sequence[Any]) -> tuple[tuple[Any, ...] | None, Any]:
    """The moves that lead along a path of representatives, and where; None if nobody knows them."""
    state, moves = path[0], ()
    for following in path[1:]:
        found = None
        with suppress(Exception):
            found = _way(game, state, following)
        if found is None:
            return None, path[-1]
        state, moves = found[0], moves + found[1]
    return moves, state


def _way(game: Game[Any, Any], state: Any, goal: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """A move to a state like the goal, or one after which all is forced until there."""
    for steps in (1, CHAIN):
        for action in game.candidates(state):
            with suppress(Exception):
                if found := _forced_way(game, game.result(state, action), (action,), goal, steps):
                    return found
    return None


def _forced_way(
    game: Game[Any, Any], state: Any, moves: tuple[Any, ...], goal: Any, steps: int
) -> tuple[Any, tuple[Any, ...]] | None:
    """Where so many moves lead, all but the first of them forced, if they come to a state like the goal."""
    while game.canonical(state) != goal:
        if len(moves) == steps or game.is_terminal(state):
            return None
        replies = [*islice(game.candidates(state), 2)]
        if len(replies) != 1:
            return None
        state, moves = game.result(state, replies[0]), (*moves, replies[0])
    return state, moves


def faults(game: Game[Any, Any], state: Any, moves: tuple[Any, ...] | None, played: Any) -> Iterator[Fault]:
    """All questions about a state, and about where it leads, at which the rules raise something.

    The moves led to `played`, of which the state is the representative.
    """
    found: list[Fault] = []
    line = moves

    def ask(method: str, *arguments: Any) -> Any:
        try:
            return getattr(game, method)(*arguments)
        except Exception as error:
            found.append(Fault(error, method, arguments, line))
            return None

    def candidates(state: Any) -> list[Any]:
        actions: list[Any] = []
        try:
            actions.extend(islice(game.candidates(state), MOST_STATES))
        except Exception as error:
            name = "actions" if type(game).candidates is Game.candidates else "candidates"
            found.append(Fault(error, name, (state,), line))
        return actions

    for method in ("to_move", "is_quiet", "key"):
        ask(method, state)
    ask("evaluate", state, 0)
    for action in candidates(state):
        line = moves
        child = ask("result", state, action)
        ask("order", state, action)
        child = None if child is None else ask("canonical", child)
        if child is not None:
            line = _continued(game, moves, played, action if played == state else None, child)
            mover = ask("to_move", child)
            if ask("is_terminal", child):
                ask("utility", child, 0)
            else:
                ask("bounds", child, mover)
                for reply in candidates(child):
                    ask("result", child, reply)
            ask("key", child)
        yield from found
        found.clear()
    yield from found


def _continued(
    game: Game[Any, Any], moves: tuple[Any, ...] | None, played: Any, action: Any, child: Any
) -> tuple[Any, ...] | None:
    """The moves, and the one that leads to a representative from what was played."""
    if moves is None:
        return None
    if action is not None:
        return (*moves, action)
    with suppress(Exception):
        if found := _way(game, played, child):
            return moves + found[1]
    return None


def _is_noted(error: BaseException) -> bool:
    return question_of(error) != ""


def _note(
    error: BaseException, game: Game[Any, Any], what: str, moves: tuple[Any, ...] | None, root: Any
) -> None:
    if _is_noted(error):
        return
    if moves is None:
        where = f"on some way from {_shown(root)}"
    elif moves:
        names = [_shown(action) for action in moves]
        with suppress(Exception):
            names = [str(game.action_name(action)) for action in moves]
        where = f"after the moves {' '.join(names)} from {_shown(root)}"
    else:
        where = "at the position that was asked about"
    error.add_note(f"{ASKED} {what} {where}")


def _shown(value: Any) -> str:
    """A value on one line that is not too long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # it cannot even be shown
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
