"""The engine that plays out: Monte Carlo tree search in threads, each of which grows a tree of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.compiler import Kind, Trap
from perfectplay.compiler.records import Room, Word, size
from perfectplay.engine import monte_carlo
from perfectplay.engine.analysis import Analysis, Ranked, Ranking, plain
from perfectplay.engine.endgame_table import EndgameTable
from perfectplay.engine.engine import Engine, Reached
from perfectplay.engine.memory import ENDLESS, Allocator, Objects, RawWords
from perfectplay.engine.methods import MCTS
from perfectplay.engine.monte_carlo import Node, PlayoutWorkspace
from perfectplay.engine.parallel_search import Budget, Found
from perfectplay.engine.workers import Workers
from perfectplay.engine.workspace import OUT_OF_BUDGET, PLIES, UNPROVEN, Threads
from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game, choices, same_side

FIRST = 64  # playouts until there is a first answer; then twice as many each time
SEED = 1  # of the first thread
PROOF = "a tree whose ends prove it"


class Tally(NamedTuple):
    """What playouts found out about one child of the root, all trees together."""

    playouts: int
    total: float  # to whoever moves at the root
    least: float  # to MAX
    most: float


class TreeMemory:
    """Memory for trees."""

    def __init__(
        self, allocator: Allocator, state: Any, table_bytes: int, stores_states: bool, endgames: Any
    ) -> None:
        self.allocator = allocator
        self.bytes = table_bytes
        self.threads: Threads = allocator.record(Threads, busy=allocator.array(Word, 1))

    def workspace(self, game: Game[Any, Any], share: int, seed: int) -> PlayoutWorkspace:
        """A tree for a thread, with one of so many shares of the memory."""
        room = self.allocator.room if isinstance(self.allocator, RawWords) else Room(4)
        count = max(2, self.bytes // share // (8 * size(Node, room)))
        array = self.allocator.array
        made: PlayoutWorkspace = self.allocator.record(
            PlayoutWorkspace,
            nodes=array(Node, count),
            room=count,
            random=seed,
            threads=self.threads,
            path=array(int, PLIES + 1),
            results=array(float, game.players),
            sums=array(float, game.players),
        )
        return made

    def forget(self) -> None:
        """Nothing is kept from one question to the next."""


class PlayoutSearch:
    """Threads that play out, each in its own tree; at the root their counts are added up."""

    def __init__(self, search: Any, memory: Any, workers: Workers) -> None:
        self.search = search
        self.memory: TreeMemory = memory
        self.workers = workers
        self.kernel = None if isinstance(memory.allocator, Objects) else search
        self.workspaces: list[PlayoutWorkspace] = []
        self.hits = 0

    @property
    def nodes(self) -> int:
        """Playouts since the beginning."""
        return sum(each.nodes[0].playouts for each in self._trees)

    @property
    def _trees(self) -> list[PlayoutWorkspace]:
        return [each for each in self.workspaces if each.used > 0]

    @property
    def is_full(self) -> bool:
        """Is there no room for another node?"""
        return all(each.used >= each.room - 1 for each in self.workspaces)

    def begin(self, flags: int) -> None:
        """Be ready for a new question."""
        self.workers.begin()
        self.clear(flags)

    def clear(self, flags: int) -> None:
        """Begin with empty trees."""
        for number, workspace in enumerate(self.workspaces):
            workspace.used, workspace.random = 0, SEED + number
            workspace.squares, workspace.spread = 0.0, 1.0
            workspace.sums[:] = [0.0] * len(workspace.sums)

    def run(self, game: Any, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        """Play out `depth` times more, all threads together."""
        with self.workers.at_work():
            if not self.workspaces:
                share = self.workers.count
                self.workspaces = [self.memory.workspace(game, share, SEED + each) for each in range(share)]
            self.memory.threads.stop = 0
            if self.kernel:
                self.kernel.resume()
            if self.workers.is_stopped:  # asked after the flags are down, so that no stop() is lost
                self._halt()
            each = -(-depth // len(self.workspaces))
            tasks = [partial(self._played, game, workspace, state, each) for workspace in self.workspaces]
            self.workers.all(tasks, budget.deadline, halt=self._halt)
            least, most = self.limits
            finished = least >= most or not all(each.stopped for each in self.workspaces)
            return Found(0.0, finished, 0 if least >= most else UNPROVEN, -1, [])

    @property
    def limits(self) -> tuple[float, float]:
        """What the value of the root to MAX is proven to be between."""
        roots = [tree.nodes[0] for tree in self._trees]
        least = max((root.least for root in roots), default=-inf)
        return least, min((root.most for root in roots), default=inf)

    @property
    def averages(self) -> list[float]:
        """What all playouts were worth on average, to every player; of two sides, to MAX alone."""
        count = max(1, self.nodes)
        columns = zip(*(tree.sums for tree in self._trees), strict=True)
        return [sum(column) / count for column in columns]

    def tallies(self) -> list[Tally]:
        """The children of the root, all trees together."""
        rows = []
        for tree in self._trees:
            root = tree.nodes[0]
            rows.append([tree.nodes[number] for number in range(root.first, root.first + root.children)])
        rows = [row for row in rows if row]
        return [
            Tally(
                sum(node.playouts for node in column),
                sum(node.total for node in column),
                max(node.least for node in column),
                min(node.most for node in column),
            )
            for column in zip(*rows, strict=True)
        ]

    def line(self) -> list[int]:
        """The numbers of the children that were tried most, from the root of a tree down.

        Where a value is proven, they are those that prove it, as far as the tree goes.
        """
        numbers: list[int] = []
        tree = max(self._trees, key=lambda each: each.nodes[0].least >= each.nodes[0].most)
        node = tree.nodes[0]
        while node.children and node.mover != CHANCE:
            below = [tree.nodes[number] for number in range(node.first, node.first + node.children)]
            numbered = list(range(len(below)))
            if node.least >= node.most:
                numbered = [each for each in numbered if below[each].least == below[each].most == node.least]
            if not numbered:
                break
            best = max(numbered, key=lambda each: below[each].playouts)
            numbers.append(best)
            node = below[best]
        return numbers

    def _played(self, game: Any, workspace: PlayoutWorkspace, state: Any, count: int) -> int:
        workspace.stopped = 0
        try:
            return int(self.search(game, workspace, state, count))
        except Trap as trap:
            if not trap.is_stop:
                raise
            workspace.stopped = OUT_OF_BUDGET
            return 0

    def forget_best(self) -> None:
        """Nothing is remembered."""

    def stop(self) -> None:
        """End what is running, and what would still have been run for the same question."""
        self.workers.stop()
        self._halt()

    def _halt(self) -> None:
        self.memory.threads.stop = 1
        if self.kernel:
            self.kernel.stop()


class PlayoutEngine(Engine):
    """An engine for all kinds of games: it plays out, and counts what becomes of that.

    `nodes` are playouts. The value is an average, to the player who moves; of chance, to MAX.
    """

    method = MCTS
    kernel: Callable[..., Any] = staticmethod(monte_carlo.playouts)
    arguments: tuple[Kind, ...] = ("game", "record", "state", "number")
    memory_class: Any = TreeMemory
    search_class: Any = PlayoutSearch

    def _require_suited(self, game: Game[Any, Any]) -> None:
        """Every game can be played out."""

    def _check_options(self, threads: int, tablebase: EndgameTable | None) -> None:
        if tablebase is not None:
            raise BadParameterError(f"{self.method} looks into no tablebase: leave it out.")

    def solve(
        self,
        state: Any,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        driver: str = "",
        line: bool = True,
    ) -> Analysis:
        """The value, proven if there is time and room in memory; only of two sides it can be."""
        return self.search(state, seconds=seconds, nodes=nodes)

    def rank(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> list[Ranked]:
        """Every action with its average, the best first, as far as the limits allow."""
        last = None
        for last in self.rankings(state, depth=depth, seconds=seconds, nodes=nodes):  # noqa: B007
            pass
        return last.moves if last else super().rank(state, nodes=0)

    def rankings(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> Iterator[Ranking]:
        """The same after twice as many playouts each time."""
        for found in self.deepen(state, depth=depth, seconds=seconds, nodes=nodes):
            yield Ranking(found, self._ranked(state, found))

    def _depths(self, state: Any, depth: int | None, began: float, budget: Budget) -> Iterator[Reached]:
        """Play out, twice as often each time, until the value is proven or a limit is met."""
        if depth is not None:
            raise BadParameterError(f"{self.method} looks to no depth: give seconds or nodes, its playouts.")
        search: PlayoutSearch = self._parallel
        is_endless = budget.deadline == inf and budget.nodes == ENDLESS
        while True:
            before = search.nodes
            count = min(max(FIRST, before), budget.nodes - before)
            if count <= 0:
                return
            found = self._run(state, -inf, inf, count, budget)
            if search.nodes > before:
                yield Reached(found, 0, perf_counter() - began, search.nodes, 0)
            if not found.finished or found.height < UNPROVEN or (is_endless and search.is_full):
                return

    def _answer(self, state: Any, reached: Reached) -> Analysis:
        """What the trees say by now."""
        search: PlayoutSearch = self._parallel
        mover = self.game.to_move(state)
        sign = 1 if same_side(mover, MAX) or not self.game.zero_sum else -1
        least, most = search.limits
        lower, upper = (least, most) if sign > 0 else (-most, -least)
        exact = least >= most
        averages = search.averages
        line: tuple[Any, ...] = ()
        value = sign * averages[0]
        tallies = search.tallies()
        if mover != CHANCE and tallies:
            numbers = search.line()
            best = numbers[0] if exact and numbers else best_of(tallies, sign)
            value = tallies[best].total / max(1, tallies[best].playouts)
            line = self._actions(state, numbers if numbers[:1] == [best] else [best])
        value = lower if exact else max(lower, min(value, upper))
        return Analysis(
            plain(value),
            line[0] if line else None,
            line,
            len(line),
            reached.nodes,
            reached.seconds,
            exact,
            lower=plain(lower),
            upper=plain(upper),
            proof=PROOF if exact else "",
            values=None if self.game.zero_sum else tuple(averages),
        )

    def _actions(self, state: Any, numbers: list[int]) -> tuple[Any, ...]:
        """The actions of these numbers, one after the other."""
        actions = []
        for number in numbers:
            actions.append(self._candidates(state)[number])
            state = self.game.result(state, actions[-1])
        return tuple(actions)

    def _ranked(self, state: Any, found: Analysis) -> list[Ranked]:
        """The actions by their averages; what is no candidate is no better than the worst of these."""
        mover = self.game.to_move(state)
        sign = 1 if same_side(mover, MAX) or not self.game.zero_sum else -1
        actions = list(choices(self.game, state))
        tried = actions if mover == CHANCE else self._candidates(state)
        moves: dict[Any, Ranked] = {}
        for action, tally in zip(tried, self._parallel.tallies(), strict=True):
            lower, upper = (tally.least, tally.most) if sign > 0 else (-tally.most, -tally.least)
            value = max(lower, min(upper, tally.total / tally.playouts if tally.playouts else 0.0))
            moves[action] = Ranked(action, plain(value), action == found.action, lower >= upper)
        worst = min((move.value for move in moves.values()), default=0.0)
        for action in actions:
            moves.setdefault(action, Ranked(action, worst, False, False))
        return sorted(moves.values(), key=lambda move: (not move.best, -move.value))


def best_of(tallies: list[Tally], sign: int) -> int:
    """The child to choose: the one tried most, unless another is proven to be as good as that looks.

    What was tried while it looked better than it can be counts only where there is nothing else.
    """
    limits = [(each.least, each.most) if sign > 0 else (-each.most, -each.least) for each in tallies]
    averages = [each.total / max(1, each.playouts) for each in tallies]
    floor = max(lower for lower, _ in limits)
    hopeful = [each for each in range(len(tallies)) if limits[each][1] > floor or limits[each][0] == floor]
    fair = [each for each in hopeful if averages[each] <= limits[each][1]]
    best = max(fair or hopeful, key=lambda each: tallies[each].playouts)
    lower, upper = limits[best]
    looks = max(lower, min(upper, averages[best]))
    proven = max(hopeful, key=lambda each: limits[each][0])
    return proven if limits[proven][0] > -inf and limits[proven][0] >= looks else best
