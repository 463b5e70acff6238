"""trace: from the name of an algorithm and a position to a Trace."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any

from perfectplay import textbook
from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, Game, require_two_sides, same_side
from perfectplay.scene import Scene, Shape, scene_json
from perfectplay.textbook import ALGORITHMS, Algorithm, DepthLimit, check_depth, find_algorithm
from perfectplay.trace.document import Board, Node, Trace
from perfectplay.trace.recording import Recorder
from perfectplay.trace.source import source_of
from perfectplay.trace.witnesses import WatchedGame, WatchedTable

EVENTS = 50_000  # where nobody gives a limit
SECONDS = 10.0
MOST_BOARDS = 5_000
MOST_DRAWN = 3_500_000  # characters and shapes of all boards together


def trace(
    algorithm: str | Callable[..., Any],
    game: Game[Any, Any],
    state: Any = None,
    *,
    depth: int | None = None,
    limit: int = EVENTS,
    seconds: float = SECONDS,
    moves: Sequence[str] = (),
    title: str = "",
    **arguments: Any,
) -> Trace:
    """A run of a function of the textbook on `state` (the start, if none is given), recorded.

    `algorithm` is the function or its name. Recording ends after `limit` events or `seconds`,
    whichever is first, and the trace then says so. `depth` is that of a search with a heuristic;
    `arguments` are further ones of the function, such as alpha, beta or table. `moves` say how the
    state came about and `title` what the game is called; both are only shown.
    """
    require_two_sides(game, "the theatre")
    function, known = _found(algorithm)
    if known:
        check_depth(known, depth)
    elif depth is not None and not {"cutoff_test", "depth"} & {*inspect.signature(function).parameters}:
        raise BadParameterError(f"{function.__name__} always looks to the end of the game: give no depth.")
    if limit < 1:
        raise BadParameterError(f"a limit of {limit} events records nothing: give 1 or more.")
    state = game.initial() if state is None else state
    if depth is None and known:
        depth = known.depth
    source = source_of(sys.modules[function.__module__])
    player = arguments.get("player", game.to_move(state)) if source.has_player else MAX
    recorder = Recorder(game, source, player, limit=limit, seconds=seconds)
    recorder.run(function, _arguments(function, state, depth, recorder, arguments))
    _complete(recorder)
    root = recorder.nodes[0]
    boards, shapes = _boards(recorder)
    return Trace(
        game=title or str(game),
        algorithm=known.name if known else function.__name__,
        summary=known.summary if known else inspect.getdoc(function) or "",
        values_to="MAX" if same_side(player, MAX) else "MIN",
        moves=list(moves),
        depth=depth,
        file=source.file,
        code=list(source.lines),
        nodes=recorder.nodes,
        events=recorder.events,
        entries=recorder.entries,
        states=boards,
        shapes=shapes,
        value=None if recorder.stopped else root.value,
        action=None if recorder.stopped else root.best,
        complete=not recorder.stopped,
        note=_note(recorder),
    )


def _found(algorithm: str | Callable[..., Any]) -> tuple[Callable[..., Any], Algorithm | None]:
    """The function, and what is known of it if it has a name on the command line."""
    if isinstance(algorithm, str):
        known = find_algorithm(algorithm)
        _check_recorded(known.name, known.function)
        return known.function, known
    algorithm = inspect.unwrap(algorithm) if callable(algorithm) else algorithm
    ours = str(getattr(algorithm, "__module__", "")).startswith(f"{textbook.__name__}.")
    if not (
        ours and inspect.isfunction(algorithm) and [*inspect.signature(algorithm).parameters][:1] == ["game"]
    ):
        raise BadParameterError(f"{algorithm!r} is no search of the textbook: give one, or its name.")
    _check_recorded(algorithm.__name__, algorithm)
    return algorithm, next((each for each in ALGORITHMS.values() if each.function is algorithm), None)


def _check_recorded(name: str, function: Callable[..., Any]) -> None:
    """Refuse an algorithm whose steps are of another kind than those that are recorded."""
    shown = {each.name: each.function.__module__ for each in ALGORITHMS.values() if each.recorded}
    if function.__module__ not in shown.values():
        raise BadParameterError(f"{name} cannot be shown step by step: give one of {', '.join(shown)}.")


def _arguments(
    function: Callable[..., Any],
    state: Any,
    depth: int | None,
    recorder: Recorder,
    arguments: dict[str, Any],
) -> dict[str, Any]:
    """Everything that the function wants, with those who look on in their places."""
    accepted = inspect.signature(function).parameters
    if unknown := sorted(arguments.keys() - accepted.keys()):
        raise BadParameterError(f"{function.__name__} takes no {unknown[0]}: it takes {', '.join(accepted)}.")
    usual: dict[str, Any] = {"alpha": -inf, "beta": inf, "depth": 1, "player": recorder.player}
    if "cutoff_test" not in accepted:  # the depth is what is left, and not how deep a state is
        usual["depth"] = inf if depth is None else depth
    elif depth is not None:
        usual["cutoff_test"] = DepthLimit(recorder.game, depth)
    given = {name: value for name, value in (usual | arguments).items() if name in accepted}
    if "table" in accepted:
        given["table"] = WatchedTable(arguments.get("table") or {}, recorder)
    return given | {"game": WatchedGame(recorder.game, recorder), "state": state}


def _complete(recorder: Recorder) -> None:
    """Give the nodes the moves and the values that their functions leave unsaid."""
    children: dict[int, list[Node]] = {}
    for node in recorder.nodes:
        if node.parent is not None and node.value is not None:
            children.setdefault(node.parent, []).append(node)
    for number, below in children.items():
        node = recorder.nodes[number]
        if node.value is None and node.best is not None:  # the function gave the move alone
            node.value = next(child.value for child in below if child.action == node.best)
        elif (
            node.best is None and number not in recorder.choosers
        ):  # it gave the value alone: the first action that gains it is the one
            node.best = next((child.action for child in below if child.value == node.value), None)


def _note(recorder: Recorder) -> str:
    """Where it stopped, if it did."""
    if not recorder.stopped:
        return ""
    number = recorder.events[-1].node if recorder.events else 0
    line: list[str] = []
    node = recorder.nodes[number]
    while node.parent is not None:
        line.append(str(node.action))
        node = recorder.nodes[node.parent]
    place = f"at ply {len(line)}, after {' '.join(reversed(line))}" if line else "at the root"
    return f"Stopped because {recorder.stopped}, {place}: the tree is not complete."


def _boards(recorder: Recorder) -> tuple[list[Board], list[dict[str, Any]]]:
    """The states as they are shown; the shapes of their scenes are listed once."""
    deadline = monotonic() + SECONDS
    boards: list[Board] = []
    numbers: dict[Shape, int] = {}
    drawn = 0
    for state in recorder.states:
        if len(boards) >= MOST_BOARDS or drawn > MOST_DRAWN or monotonic() > deadline:
            boards.append(Board(""))
            continue
        scene = recorder.game.scene(state)
        board = Board(recorder.game.render(state))
        if isinstance(scene, Scene):
            board.width, board.height, board.colours = scene.width, scene.height, scene.colours
            board.shapes = [numbers.setdefault(shape, len(numbers)) for shape in scene.shapes]
        drawn += len(board.text) + 5 * len(board.shapes)
        boards.append(board)
    return boards, scene_json(recorder.game, Scene(1, 1, tuple(numbers)))["shapes"]
