"""trace: from the name of an algorithm and a position to a Trace."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any

from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, Game, same_side, side_of
from perfectplay.scene import Scene, Shape, scene_json
from perfectplay.textbook import (
    ALGORITHMS,
    Algorithm,
    CutOff,
    DepthLimit,
    Node,
    check_depth,
    check_playouts,
    check_suited,
    find_algorithm,
)
from perfectplay.textbook.monte_carlo_tree_search import C
from perfectplay.trace.document import Board, Trace
from perfectplay.trace.document import Node as TreeNode
from perfectplay.trace.playouts import PLAYOUTS, PlayoutRecorder
from perfectplay.trace.record import Record, View
from perfectplay.trace.recording import GIVES, MOVE, VALUE, VALUES, Recorder
from perfectplay.trace.source import Source, source_of
from perfectplay.trace.witnesses import WatchedGame, WatchedTable

EVENTS = 50_000  # where nobody gives a limit
SECONDS = 10.0
MOST_BOARDS = 5_000
PLAYOUT_SEARCH = "monte-carlo-tree-search"
KINDS_OF_VIEW = {"expectimax": "random", "max-n": "players", "paranoid": "paranoid"}
ANSWERS = {VALUE, VALUES, MOVE}
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
    `arguments` are further ones of the function, such as alpha, beta or table, and of a search by playouts
    `playouts`, `seed` and `c`. `moves` say how the state came about and `title` what the game is called;
    both are only shown.
    """
    function, known, form = _found(algorithm)
    check_suited(form, game)
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
    view = _view(form, game, state, source, arguments)
    record: Recorder | PlayoutRecorder
    if form.takes_playouts:
        record = PlayoutRecorder(game, view, limit=limit, seconds=seconds)
        given = _playouts(function, game, state, arguments)
        record.run(function, given)
        record.complete()
    else:
        cut_off = depth is not None and not {"cutoff_test", "depth"} & {
            *inspect.signature(function).parameters
        }
        record = Recorder(game, source, view, limit=limit, seconds=seconds, cut_off=cut_off)
        given = _arguments(function, state, depth, record, arguments)
        record.run(function, given)
        _complete(record)
    boards, shapes = _boards(record)
    value, values, action = (None, None, None) if record.stopped else _answer(record)
    own = view.kind == "players" or not game.zero_sum
    return Trace(
        game=title or str(game),
        algorithm=known.name if known else function.__name__,
        summary=known.summary if known else inspect.getdoc(function) or "",
        values_to=_whose(view, game),
        moves=list(moves),
        depth=depth,
        file=source.file,
        code=list(source.lines),
        nodes=record.nodes,
        events=record.events,
        entries=record.entries if isinstance(record, Recorder) else [],
        states=boards,
        shapes=shapes,
        value=value,
        action=action,
        complete=not record.stopped,
        note=_note(record),
        players=[f"player {player}" for player in range(game.players)] if own else [],
        values=values,
        playouts=given.get("playouts"),
        c=given.get("c"),
    )


def _answer(record: Recorder | PlayoutRecorder) -> tuple[float | None, list[float] | None, str | None]:
    """What came out at the root; of playouts, the average of the action that was tried most often."""
    root = record.nodes[0]
    found = root
    if isinstance(record, PlayoutRecorder) and root.best is not None:
        found = next(node for node in record.nodes if node.parent == 0 and node.action == root.best)
    return found.value, found.values, root.best


def _view(
    form: Algorithm, game: Game[Any, Any], state: Any, source: Source, arguments: dict[str, Any]
) -> View:
    """How the algorithm sees who moves, and whose gain its values are."""
    if form.takes_playouts:
        return View(MAX, "sides" if game.zero_sum else "players")
    mover = side_of(game.to_move(state))
    player = arguments.get("player", mover) if source.has_player else MAX
    return View(player, KINDS_OF_VIEW.get(form.name, "sides"))


def _whose(view: View, game: Game[Any, Any]) -> str:
    """Whose gain the values are."""
    if view.kind == "players":
        return "every player"
    if not game.zero_sum:
        return f"player {view.player}"
    return "MAX" if same_side(view.player, MAX) else "MIN"


def _found(algorithm: str | Callable[..., Any]) -> tuple[Callable[..., Any], Algorithm | None, Algorithm]:
    """The function, what is known of it if it has a name on the command line, and the form it is part of."""
    if isinstance(algorithm, str):
        known = find_algorithm(algorithm)
        return known.function, known, known
    algorithm = inspect.unwrap(algorithm) if callable(algorithm) else algorithm
    forms = [
        each
        for each in ALGORITHMS.values()
        if each.function.__module__ == getattr(algorithm, "__module__", "")
    ]
    found = next((each for each in forms if each.function is algorithm), None)
    if not (forms and inspect.isfunction(algorithm) and _is_search(algorithm)) or (
        forms[0].takes_playouts and not found
    ):
        raise BadParameterError(f"{algorithm!r} is no search of the textbook: give one, or its name.")
    return algorithm, found, found or forms[0]


def _is_search(function: Callable[..., Any]) -> bool:
    """Does it take a game and a state, and answer with what a search finds?"""
    first = [*inspect.signature(function).parameters][:2] == ["game", "state"]
    return first and bool(ANSWERS & {*GIVES.get(function.__annotations__.get("return", ""), ())})


def _playouts(
    function: Callable[..., Any], game: Game[Any, Any], state: Any, arguments: dict[str, Any]
) -> dict[str, Any]:
    """Everything that a search by playouts wants."""
    _check_names(function, arguments)
    given = {"playouts": PLAYOUTS, "seed": 0, "c": C} | arguments
    check_playouts(find_algorithm(PLAYOUT_SEARCH), given["playouts"])
    return {"game": game, "state": state, "tree": Node(game, state, None)} | given


def _check_names(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    accepted = inspect.signature(function).parameters
    if unknown := sorted(arguments.keys() - accepted.keys()):
        raise BadParameterError(f"{function.__name__} takes no {unknown[0]}: it takes {', '.join(accepted)}.")


def _arguments(
    function: Callable[..., Any],
    state: Any,
    depth: int | None,
    recorder: Recorder,
    arguments: dict[str, Any],
) -> dict[str, Any]:
    """Everything that the function wants, with those who look on in their places."""
    accepted = inspect.signature(function).parameters
    _check_names(function, arguments)
    usual: dict[str, Any] = {"alpha": -inf, "beta": inf, "depth": 1, "player": recorder.view.player}
    if "cutoff_test" not in accepted:  # the depth is what is left, and not how deep a state is
        usual["depth"] = inf if depth is None else depth
    elif depth is not None:
        usual["cutoff_test"] = DepthLimit(recorder.game, depth)
    given = {name: value for name, value in (usual | arguments).items() if name in accepted}
    if "table" in accepted:
        given["table"] = WatchedTable(arguments.get("table") or {}, recorder)
    if not recorder.cut_off:
        return given | {"game": WatchedGame(recorder.game, recorder), "state": state}
    assert depth is not None
    cut = CutOff(recorder.game, depth)
    return given | {"game": WatchedGame(cut, recorder), "state": (state, depth)}


def _complete(recorder: Recorder) -> None:
    """Give the nodes the moves and the values that their functions leave unsaid."""
    children: dict[int, list[TreeNode]] = {}
    for node in recorder.nodes:
        if node.parent is not None and node.value is not None and not node.probe:
            children.setdefault(node.parent, []).append(node)
    for number, below in children.items():
        node = recorder.nodes[number]
        if node.value is None and node.best is not None:  # the function gave the move alone
            node.value = next(child.value for child in below if child.action == node.best)
        elif (
            node.best is None and number not in recorder.choosers and node.role != "chance"
        ):  # it gave the value alone: the first action that gains it is the one
            node.best = next((child.action for child in below if child.value == node.value), None)


def _note(recorder: Record) -> str:
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


def _boards(recorder: Record) -> tuple[list[Board], list[dict[str, Any]]]:
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
