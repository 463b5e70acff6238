"""Prover: who answers questions by proof numbers, with a table of its own."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from perfectplay.compiler import Kind, compiled_for
from perfectplay.engine import proof_numbers
from perfectplay.engine.endgames import ProbeIndex
from perfectplay.engine.memory import Memory, Objects, memory_for
from perfectplay.engine.numbering import NumberedSearch, numbered_search
from perfectplay.engine.parallel_search import Budget, Found, ParallelSearch
from perfectplay.engine.proof_table import INFINITE, Child, ProofWorkspace
from perfectplay.engine.workers import STACK_USED, Workers
from perfectplay.engine.workspace import MOVES
from perfectplay.game import MAX

if TYPE_CHECKING:
    from perfectplay.engine.engine import Engine

PROOF_NUMBER = "proof-number"  # the driver
# What `prove` takes: the question is a threshold, two limits and a ply.
ARGUMENTS: tuple[Kind, ...] = ("game", "record", "state", "word", "real", *3 * ("number",))
QUESTIONS = 128  # that an entry of the table can tell apart


class Prover(ParallelSearch):
    """A thread that asks the proof-number search, and answers as a search of a window would.

    Questions are numbered, since the proof numbers of one mean nothing to another.
    """

    def __init__(self, prove: Any, memory: Memory) -> None:
        def search(
            game: Any,
            workspace: Any,
            state: Any,
            key: Any,
            least: float,
            most: float,
            alpha: float,
            beta: float,
            depth: int,
            ply: int,
        ) -> float:
            _, _, value = prove(game, workspace, state, key, alpha, INFINITE, INFINITE, ply)
            return float(value)

        super().__init__(search, memory, Workers(1))
        self.kernel = None if isinstance(memory.allocator, Objects) else prove
        self.questions = 0

    def new_workspace(self) -> ProofWorkspace:
        """A workspace with room for children."""
        children = self.memory.allocator.array(Child, MOVES)
        return self.memory.workspace(ProofWorkspace, children=children)

    def run(self, game: Any, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        """Is the value more than alpha? As it would be if `beta` were the next number, and the depth endless.

        The search asks for MAX: for MIN the question is whether the value to MAX is more than -beta.
        """
        self.questions = (self.questions + 1) % QUESTIONS
        if self.questions == 0:  # their numbers are used up
            self.memory.forget()
        self.memory.table.age = self.questions
        if game.to_move(state) == MAX:
            return super().run(game, state, alpha, beta, depth, budget)
        found = super().run(game, state, -beta, -alpha, depth, budget)
        return found._replace(value=-found.value)


def prover_for(engine: Engine) -> Engine:
    """The same engine with proof numbers for its search, compiled if it is, and a table as large."""
    game, start = engine.game, engine.game.initial()
    prove = None
    if engine.compiled:
        endgames = None if engine.tablebase is None else ProbeIndex
        prove, _ = compiled_for(
            game,
            start,
            proof_numbers.prove,
            ARGUMENTS,
            form=None if engine.tablebase is None else engine.tablebase.form,
            endgames=endgames,
            stack=STACK_USED,
        )
    numbered = engine._compiled_search if isinstance(engine._compiled_search, NumberedSearch) else None
    if numbered:
        prove = numbered_search(
            game,
            proof_numbers.prove,
            ARGUMENTS,
            full=engine.stores_states,
            endgames=engine.tablebase,
            stack=STACK_USED,
            numbering=numbered.numbering,
        )
    endgames_in_memory = None if numbered else engine.tablebase
    size = int(engine.table_mb * (1 << 20))
    memory = memory_for(prove, start, size, engine.stores_states, endgames_in_memory)
    prover = copy(engine)
    prover._parallel = Prover(prove or proof_numbers.prove, memory)
    prover._workers = prover._parallel.workers
    return prover
