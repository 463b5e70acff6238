"""Engine: a game searched as fast as it can be, compiled where its rules allow that."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from math import inf, isfinite, isnan, nextafter
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.compiler import MACHINE_STOPPED, Kind, Trap, compile_mode, compiled_for, widened
from perfectplay.compiler.changes import Constants
from perfectplay.compiler.state_kind import alike, has_digests, kindred
from perfectplay.engine import negamax, proof_numbers
from perfectplay.engine.analysis import NOT_A_NUMBER, Analysis, Ranked, Ranking, nearest_to_tie, plain
from perfectplay.engine.anytime import REMEMBERED, Progress, analysed
from perfectplay.engine.background import BEING_COMPILED, FIRST_NODES, BackgroundCompilation, Compiled
from perfectplay.engine.confirmation import contradiction
from perfectplay.engine.drivers import DRIVERS
from perfectplay.engine.endgame_table import PROOF, Endgames, EndgameTable
from perfectplay.engine.endgames import ProbeIndex
from perfectplay.engine.memory import ENDLESS, Memory, memory_for
from perfectplay.engine.methods import ALPHA_BETA, OTHER_METHODS, class_of_method, method_for
from perfectplay.engine.numbering import NumberedSearch, numbered_search
from perfectplay.engine.parallel_search import Budget, Found, ParallelSearch
from perfectplay.engine.prover import PROOF_NUMBER, prover_for
from perfectplay.engine.ranking import deepened_rankings, solved_ranking, unknown_ranking
from perfectplay.engine.workers import STACK_USED, Answer, Workers
from perfectplay.engine.workspace import DEEPEST, EVERYTHING, SOLVING, UNPROVEN
from perfectplay.errors import (
    BadParameterError,
    BrokenGameError,
    CompileError,
    GameOverError,
    PerfectPlayError,
    did_you_mean,
)
from perfectplay.game import (
    CHANCE,
    WORD,
    Game,
    choices,
    require_no_chance,
    require_zero_sum,
    same_side,
    side_of,
)
from perfectplay.rule_faults import fault_at, note_question, states_on

TABLE_MB = 64
# What `search` takes: after the state and its key, the limits and the window, the depth and the ply.
ARGUMENTS: tuple[Kind, ...] = ("game", "record", "state", "word", *4 * ("real",), "number", "number")
MOST_THREADS = 64
SEARCHES = (negamax.search, proof_numbers.prove)


class Reached(NamedTuple):
    """A depth that was searched, and what it took until then."""

    found: Found
    plies: int
    seconds: float
    nodes: int
    hits: int


class Engine:
    """A search for a game; what it learns stays in its table from one question to the next.

    `compile` is "auto" (where the rules can be compiled), "always" (or raise CompileError; True is the same)
    or "never" (False). With "background" Python begins to search at once, until machine code is there.
    `compiled` says what became of it, and `why_not` why. The answers are the same in both modes. An open
    `tablebase` of the same game, or of the end of it, is looked into wherever the search comes.
    `method` is one of `METHODS`; by default it is the one for this kind of game.
    """

    method = ALPHA_BETA
    kernel: Callable[..., Any] = staticmethod(negamax.search)
    arguments: tuple[Kind, ...] = ARGUMENTS
    memory_class: Any = Memory
    search_class: Any = ParallelSearch

    def __new__(cls, game: Any = None, *, method: str | None = None, **_: Any) -> Engine:
        """An engine of the class that searches by this method."""
        if cls is Engine and isinstance(game, Game):
            cls = class_of_method(method_for(game, method))
        return object.__new__(cls)

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        table_mb: float = TABLE_MB,
        threads: int = 1,
        compile: str | bool = "auto",  # noqa: A002 - a name that others' scripts use
        tablebase: EndgameTable | None = None,
        method: str | None = None,
    ) -> None:
        given: object = game
        if not isinstance(given, Game):
            what = f"the class {given.__name__}" if isinstance(given, type) else repr(given)
            raise BadParameterError(f"an engine takes a game, such as load_game('connect-four'), not {what}.")
        self._require_suited(game)
        background = compile == "background" and issubclass(self.search_class, ParallelSearch)
        mode = "auto" if compile == "background" else compile_mode(compile)
        if not (isinstance(threads, int) and 1 <= threads <= MOST_THREADS):
            raise BadParameterError(
                f"{threads!r} threads cannot be: give a whole number from 1 to {MOST_THREADS}."
            )
        if not (isinstance(table_mb, int | float) and 0 < table_mb < inf):
            raise BadParameterError(f"a table of {table_mb!r} MB cannot be: give a number above 0.")
        self._check_options(threads, tablebase)
        self.game = game
        self.threads = threads
        self._mode = mode
        self.tablebase = tablebase
        self._endgames = Endgames(tablebase, game)
        self._start = start = game.initial()
        self.stores_states = has_digests(game, start)
        self.table_mb = table_mb
        self._flags = EVERYTHING
        self._configuration = _configuration(game)
        self._constants = Constants(game)
        self._workers = Workers(threads)
        self._prover: Engine | None = None  # made when it is first asked for
        self._progress: dict[Any, Progress] = {}  # by state: analyses that can be gone on with
        self._compilation: BackgroundCompilation | None = None
        made = Compiled(None, None, BEING_COMPILED) if background else self._made()
        self.compiled, self.why_not = made.search is not None, made.why_not
        self._set_up(made.search or made.numbered)
        if background:
            self._compilation = BackgroundCompilation(self._made)

    @property
    def compiling(self) -> bool:
        """Is machine code being made, and Python at work until it is there?"""
        return self._compilation is not None

    def _made(self) -> Compiled:
        """What becomes of the rules."""
        search, why_not = compiled_for(
            self.game,
            self._start,
            self.kernel,
            self.arguments,
            mode=self._mode,
            form=None if self.tablebase is None else self.tablebase.form,
            endgames=None if self.tablebase is None else ProbeIndex,
            stack=STACK_USED,
        )
        return Compiled(search, None if search else self._numbered(), why_not)

    def _require_suited(self, game: Game[Any, Any]) -> None:
        """Refuse a game that the method is not for."""
        require_no_chance(game, self.method, OTHER_METHODS)
        require_zero_sum(game, self.method, OTHER_METHODS)

    def _check_options(self, threads: int, tablebase: EndgameTable | None) -> None:
        """Refuse what the method has no use for."""

    def _numbered(self) -> NumberedSearch | None:
        """A search for rules that stay in Python, unless nothing is to be compiled."""
        if self._mode == "never" or self.method != ALPHA_BETA:
            return None
        return numbered_search(
            self.game,
            negamax.search,
            ARGUMENTS,
            full=self.stores_states,
            endgames=self.tablebase,
            stack=STACK_USED,
        )

    def _set_up(self, search: Any) -> None:
        """Memory and threads for a search: a compiled one, or None."""
        try:
            size = int(self.table_mb * (1 << 20))
            endgames = None if isinstance(search, NumberedSearch) else self.tablebase
            memory = memory_for(search, self._start, size, self.stores_states, endgames, self.memory_class)
        except (MemoryError, OSError, OverflowError, ValueError):
            raise BadParameterError(
                f"there is no memory for a table of {self.table_mb} MB: give less."
            ) from None
        self._compiled_search = search
        self._parallel = self.search_class(search or self.kernel, memory, self._workers)

    def __repr__(self) -> str:
        how = "compiled" if self.compiled else "interpreted"
        return f"<Engine of {self.game!r}, {self.method}, {how}, {self.table_mb} MB, threads={self.threads}>"

    # Questions.

    def search(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> Analysis:
        """The best action as far as the limits allow: plies, seconds, states visited, or several of these.

        Without limits it goes on until the value is exact. However little is allowed, there is an action.
        """
        began, budget = self._begin(state, depth=depth, seconds=seconds, nodes=nodes)
        if known := self._endgames.analysis(state, began):
            return known
        depths = self._depths(state, depth, began, budget)
        last = self._asked(lambda: deque(depths, maxlen=1), budget)
        if not last:
            return self._guess(state)
        answer = self._answer(state, *last)
        if self._contradicted(state, answer):
            return self.search(state, depth=depth, seconds=seconds, nodes=nodes)
        return answer

    def deepen(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> Iterator[Analysis]:
        """The same, with an answer for every depth: it ends when the value is exact or a limit is met."""
        began, budget = self._begin(state, depth=depth, seconds=seconds, nodes=nodes)
        if known := self._endgames.analysis(state, began):
            yield known
            return
        for reached in self._depths(state, depth, began, budget):
            answer = self._answer(state, reached)
            if self._contradicted(state, answer):
                yield from self.deepen(state, depth=depth, seconds=seconds, nodes=nodes)
                return
            yield answer

    def solve(
        self,
        state: Any,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        driver: str = "mtdf",
        line: bool = True,
    ) -> Analysis:
        """The exact value, an action that is worth it, and a line of best play as far as it is cheap to find.

        The `driver` asks "is it more than this?" until nothing is left to ask. Where a limit ends it
        before that, `exact` is False, and the value is only known to be from `lower` to `upper`.
        "proof-number" answers by proof numbers instead of alpha-beta, in one thread, for games that end.
        """
        if driver == PROOF_NUMBER:
            self._take_over()
            self._prover = self._prover or prover_for(self)
            return self._prover.solve(state, seconds=seconds, nodes=nodes, driver="bisection", line=line)
        if driver not in DRIVERS:
            raise BadParameterError(f"there is no driver {driver!r}: {did_you_mean(driver, DRIVERS)}")
        began, budget = self._begin(state, seconds=seconds, nodes=nodes)
        if known := self._endgames.analysis(state, began):
            return known
        answer = self._asked(lambda: self._solved(state, began, budget, driver, line), budget)
        if self._contradicted(state, answer):
            return self.solve(state, seconds=seconds, nodes=nodes, driver=driver, line=line)
        return answer

    def rank(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> list[Ranked]:
        """Every action with its value, the best first: exact, or by the deepest search in time."""
        if depth is None and seconds is None and nodes is None:
            began, budget = self._begin(state)
            return solved_ranking(self, state, began, budget)
        last = None
        for last in self.rankings(state, depth=depth, seconds=seconds, nodes=nodes):  # noqa: B007
            pass
        return last.moves if last else unknown_ranking(self, state)

    def rankings(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> Iterator[Ranking]:
        """The same for every depth: it ends when all values are exact or a limit is met."""
        began, budget = self._begin(state, depth=depth, seconds=seconds, nodes=nodes)
        yield from deepened_rankings(self, state, depth, began, budget)

    def analyse(
        self,
        state: Any,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        known: Mapping[Any, tuple[float, float]] | None = None,
    ) -> Iterator[Ranking]:
        """Every action with an estimate that deepens, until what is proven takes its place, action by action.

        There is a ranking whenever something was found, and every now and then in between; it ends when all
        values are exact or a limit is met. Asked again, it goes on where it was. What is `known` of actions,
        each with the limits of its value, need not be proven again. Methods other than alpha-beta deepen.
        """
        if self.method != ALPHA_BETA:
            yield from self.rankings(state, seconds=seconds, nodes=nodes)
            return
        began, budget = self._begin(state, seconds=seconds, nodes=nodes)
        if told := self._endgames.ranking(state, began):
            yield told
            return
        progress = self._progress.pop(state, None) or Progress(self, state)
        progress.take(known or {})
        for old in [*self._progress][: 1 - REMEMBERED]:
            del self._progress[old]
        self._progress[state] = progress
        try:
            for ranking in analysed(progress, began, budget):
                if self._contradicted(state, ranking.found):
                    break
                yield ranking
            else:
                return
        finally:
            progress.leave(perf_counter() - began)
        yield from self.analyse(state, seconds=seconds, nodes=nodes, known=known)

    def stop(self) -> None:
        """End the search that is going on in another thread: it returns with what it has."""
        self._parallel.stop()
        if self._prover:
            self._prover.stop()

    def forget(self) -> None:
        """Empty the table."""
        self._progress.clear()
        self._parallel.memory.forget()
        if self._prover:
            self._prover.forget()

    # How they are answered.

    def _begin(self, state: Any, **limits: float | None) -> tuple[float, Budget]:
        """Check what was asked for, and start the clock."""
        began = perf_counter()
        for name, limit in limits.items():
            if limit is not None and not (isinstance(limit, int | float) and limit >= 0):
                raise BadParameterError(f"{name}={limit!r} cannot be: give a number of 0 or more.")
            if name == "depth" and limit is not None and limit % 1 and limit < inf:
                raise BadParameterError(f"{name}={limit} cannot be: give a whole number of 0 or more.")
        if not self._is_state(state):
            name, like = type(self.game).__name__, self._start
            raise BadParameterError(f"{state!r} is no state of {name}: give one like {like!r}.")
        if self.game.is_terminal(state):
            raise GameOverError("the game is over in this state: there is nothing to search.")
        self._require_unchanged()
        self._parallel.begin(self._flags)
        if self._compilation is not None and self._compilation.is_done:
            self._take_over()
        if isinstance(self._compiled_search, NumberedSearch) and self._compiled_search.is_outdated():
            self._compiled_search.numbering.forget()
            self.forget()
        seconds, nodes = limits.get("seconds"), limits.get("nodes")
        deadline = inf if seconds is None else began + seconds
        return began, Budget(deadline, ENDLESS if nodes is None else int(min(nodes, ENDLESS)))

    def _require_unchanged(self) -> None:
        """Refuse machine code of rules that are others now; rules in Python begin anew."""
        changed = self._constants.changed()
        if self.compiled:
            if self._configuration != _configuration(self.game):
                changed = f"the {type(self.game).__name__}"
            if changed is not None:
                said = f"{changed} was changed after its engine was made: make another engine."
                raise BadParameterError(said)
        elif changed is not None:
            if isinstance(self._compiled_search, NumberedSearch):
                self._compiled_search.numbering.forget()
            self.forget()
            self._constants = Constants(self.game)

    def _is_state(self, state: Any) -> bool:
        """Is it made as the start is; or else, where tuples may have other lengths, do the rules take it?"""
        if alike(state, self._start):
            return True
        if not kindred(state, self._start):
            return False
        try:
            self.game.to_move(state)
            if self.game.is_terminal(state):
                return True
            return bool([self.game.result(state, action) for action in choices(self.game, state)])
        except Exception:  # whatever rules say of what they were not made for
            return False

    def _asked(self, question: Callable[[], Answer], budget: Budget) -> Answer:
        """What a question comes to, which is left when the time is over."""
        return self._workers.ask(question, budget.deadline, stop=self.stop)

    def _run(self, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        while True:
            try:
                if self._compilation is None:
                    return self._parallel.run(self.game, state, alpha, beta, depth, budget)
                first = Budget(budget.deadline, min(budget.nodes, FIRST_NODES))
                found = self._parallel.run(self.game, state, alpha, beta, depth, first)
                if found.finished or self._parallel.nodes >= budget.nodes:
                    return found
                if not self._compilation.wait(budget.deadline, self._workers.stop_asked):
                    return found
                self._take_over()
            except MACHINE_STOPPED as trap:
                if fault := fault_on(self.game, trap):
                    raise fault from None
                self._give_way(trap)
            except PerfectPlayError:
                raise
            except Exception as error:
                note_question(error, self.game, states_on(error, SEARCHES) or [state])
                raise

    def _take_over(self) -> None:
        """Go on with what was compiled in the background, if anything was, or is being."""
        if self._compilation is None:
            return
        made, nodes, hits = self._compilation.result(), self._parallel.nodes, self._parallel.hits
        self._compilation = None
        self.compiled, self.why_not = made.search is not None, made.why_not
        self._set_up(made.search or made.numbered)
        self._parallel.clear(self._flags)
        self._parallel.workspaces[0].nodes, self._parallel.workspaces[0].hits = nodes, hits

    def _give_way(self, trap: Exception) -> None:
        """Machine code has met what it was not made for: compile it again, or let Python go on."""
        if isinstance(self._compiled_search, NumberedSearch):
            self._set_up(None)
            self._parallel.clear(self._flags)
            return
        found, reason = widened(self._compiled_search, trap)
        self._go_on(found, reason)

    def _contradicted(self, state: Any, answer: Analysis) -> bool:
        """Was Python's word for an exact line another than that of machine code? Python goes on then."""
        reason = None
        if answer.exact and self.compiled:
            reason = contradiction(self.game, state, answer.line, answer.value)
        if reason is not None:
            self._go_on(None, reason)
        return reason is not None

    def _go_on(self, found: Any, reason: str) -> None:
        """Go on with another compiled search, or in Python, and say why."""
        if found is None and self._mode == "always":
            raise CompileError(f"{type(self.game).__name__} cannot go on compiled: {reason}.") from None
        self.compiled = found is not None
        self.why_not = reason or None
        self._progress.clear()
        self._set_up(found or self._numbered())
        self._parallel.clear(self._flags)

    def _around(self, value: float, change: float) -> tuple[float, float]:
        """A window that has all values that are not farther from this one."""
        return nextafter(value - change, -inf), nextafter(value + change, inf)

    def _depths(self, state: Any, depth: int | None, began: float, budget: Budget) -> Iterator[Reached]:
        """Search deeper and deeper, until the value is exact or a limit is met."""
        value = change = 0.0
        for plies in range(1, min(DEEPEST if depth is None else depth, DEEPEST) + 1):
            alpha, beta = -inf, inf
            if plies > 1 and isfinite(value) and isfinite(change):  # it will not change more than it ever did
                alpha, beta = self._around(value, change)
            while True:
                found = self._run(state, alpha, beta, plies, budget)
                if not found.finished:
                    return
                if isnan(found.value):
                    raise BrokenGameError(NOT_A_NUMBER)
                if (alpha < found.value or alpha == -inf) and (found.value < beta or beta == inf):
                    break
                alpha, beta = (-inf, beta) if found.value <= alpha else (alpha, inf)
            change = max(change, abs(found.value - value)) if plies > 1 else 0.0
            value = found.value
            seconds = perf_counter() - began
            yield Reached(found, plies, seconds, self._parallel.nodes, self._parallel.hits)
            if found.height < UNPROVEN:
                return

    def _answer(self, state: Any, reached: Reached) -> Analysis:
        """What is said of a depth that was searched."""
        began = perf_counter() - reached.seconds
        found = reached.found
        line = self._line(state, found) or tuple(self._candidates(state)[max(found.best, 0) :][:1])
        answer = self._analysis(
            found.value,
            self._endgames.extended(state, line),
            reached.plies,
            began,
            exact=found.height < UNPROVEN,
        )
        return replace(answer, nodes=reached.nodes, hits=reached.hits)

    def _solved(self, state: Any, began: float, budget: Budget, driver: str, line: bool) -> Analysis:
        lower, upper, best = self._interval(state, budget, driver)
        exact = lower == upper
        if exact and best < 0:  # the value was a bound: find who is worth it
            found = self._run(state, nextafter(lower, -inf), lower, SOLVING, budget)
            best, exact = found.best, found.finished
        value = nearest_to_tie(lower, upper)
        action = self._candidates(state)[max(best, 0)]
        actions = (action,)
        if exact and line:
            actions = self._endgames.extended(state, self._solution(state, action, lower, budget))
        return self._analysis(value, actions, len(actions), began, exact=exact, lower=lower, upper=upper)

    def _guess(self, state: Any) -> Analysis:
        """An action for whoever had no time to search."""
        actions = self._candidates(state)
        action = max(actions, key=lambda action: self.game.order(state, action), default=None)
        value = self.game.evaluate(state, side_of(self.game.to_move(state)))
        return Analysis(plain(value), action, () if action is None else (action,), 0, 0, 0.0, exact=False)

    def _interval(self, state: Any, budget: Budget, driver: str) -> tuple[float, float, int]:
        """The limits of the value, equal if there was time, and the number of the action that is worth it."""
        lower, upper = map(float, self.game.bounds(state, self.game.to_move(state)))
        best = -1
        last = None
        while lower < upper:
            question = DRIVERS[driver](lower, upper, last)
            found = self._run(state, question, nextafter(question, inf), SOLVING, budget)
            if not found.finished:
                break
            last = found.value
            if found.value > question:
                lower, best = found.value, found.best
            else:
                upper = found.value
        return lower, upper, best

    def _solution(self, state: Any, action: Any, value: float, budget: Budget) -> tuple[Any, ...]:
        """A line of best play: at every state, an action that keeps the value."""
        game = self.game
        actions = [action]
        allowed = min(budget.nodes, self._parallel.nodes + max(self._parallel.nodes // 4, 20_000))
        while True:
            child = game.result(state, actions[-1])
            if self._endgames.value_after(state, child) is not None:
                return tuple(actions)
            if not same_side(game.to_move(state), game.to_move(child)):
                value = -value
            state = child
            self._parallel.forget_best()
            found = self._run(state, nextafter(value, -inf), value, SOLVING, Budget(budget.deadline, allowed))
            if not found.finished or found.best < 0:
                return tuple(actions)
            actions.append(self._candidates(state)[found.best])

    def _candidates(self, state: Any) -> list[Any]:
        """The actions that a search tries; there are none where chance moves."""
        return [] if self.game.to_move(state) == CHANCE else list(self.game.candidates(state))

    def _line(self, state: Any, found: Found) -> tuple[Any, ...]:
        """The actions that lead through the states of these keys."""
        game = self.game
        actions = []
        for key in found.line:
            for action in game.actions(state):
                child = game.result(state, action)
                if self._key_on_line(child) == key:
                    actions.append(action)
                    state = child
                    break
            else:
                break
        return tuple(actions)

    def _key_on_line(self, child: Any) -> int:
        """The key by which a search remembers a state."""
        return self.game.key(self.game.canonical(child)) & WORD

    def _worth(self, state: Any, child: Any, found: Found) -> float:
        """What was found of a child, to the player who moves before it."""
        same = same_side(self.game.to_move(state), self.game.to_move(child))
        return found.value if same else -found.value

    def _analysis(
        self,
        value: float,
        line: tuple[Any, ...],
        depth: int,
        began: float,
        *,
        exact: bool,
        lower: float = -inf,
        upper: float = inf,
        before: tuple[int, int] = (0, 0),  # nodes and hits
    ) -> Analysis:
        value = plain(value)
        return Analysis(
            value,
            line[0] if line else None,
            line,
            depth,
            before[0] + self._parallel.nodes,
            perf_counter() - began,
            exact,
            before[1] + self._parallel.hits,
            value if exact else plain(lower),
            value if exact else plain(upper),
            self._proof if exact else "",
        )

    @property
    def _proof(self) -> str:
        """What keeps two states apart in the table, and what else there is."""
        kept = "states stored in full" if self.stores_states else "keys that no two states share"
        return kept if self.tablebase is None else f"{kept}, and {PROOF}"


def fault_on(game: Game[Any, Any], trap: Exception) -> Exception | None:
    """What the rules raise in Python where machine code came upon an exception of theirs, if they do."""
    if not isinstance(trap, Trap) or trap.kind is None or not trap.path:
        return None
    return fault_at(game, trap.path, trap.kind)


def _configuration(game: Game[Any, Any]) -> str:
    """What a game was made with, which its compiled rules have as constants.

    What comes of being asked does not count: a cached property, and what a dict makes up by itself.
    """
    held = getattr(game, "__dict__", {})
    cached = _cached_properties(type(game))
    given = {name: value for name, value in held.items() if name not in cached}
    return repr(
        {name: _told(value) if isinstance(value, defaultdict) else value for name, value in given.items()}
    )


@cache
def _cached_properties(cls: type) -> frozenset[str]:
    """The names of a class under which answers are kept in its objects."""
    return frozenset(
        name
        for owner in cls.__mro__
        for name, member in vars(owner).items()
        if isinstance(member, cached_property)
    )


def _told(value: defaultdict[Any, Any]) -> dict[Any, Any]:
    """What a dict was told: all but what it makes up by itself."""
    made_up = value.default_factory() if value.default_factory is not None else None
    return {key: each for key, each in value.items() if each != made_up}
