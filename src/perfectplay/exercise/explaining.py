"""Explaining answers in a sentence or two, from what happened in the run."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from perfectplay.exercise.reading import window_text
from perfectplay.exercise.run import Run, Visit, Window
from perfectplay.exercise.tree import Tree
from perfectplay.trace.source import written

EXTREME = {"max": "largest", "min": "smallest"}
SIGN = {"max": ">=", "min": "<="}
LIMIT = {"max": "beta", "min": "alpha"}
OTHER = {"max": "min", "min": "max"}


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


class Explainer:
    """Explains why an answer is right, and what is wrong with another one.

    `minimax` is a run of plain minimax on the same tree, to know what its values are.
    """

    def __init__(self, tree: Tree, kind: str, run: Run, minimax: Run) -> None:
        self.tree = tree
        self.prunes = kind == "alpha-beta"
        self.run = run
        self.minimax = minimax

    # Why it is so.

    def window(self, name: str) -> str:
        """Where the window of a node comes from."""
        above = self.tree.nodes[name].parent
        if name not in self.run.visits:
            return self._never(name)
        if above is None:
            return "The search begins with nothing known: alpha is -inf, and beta is inf."
        (alpha, beta), (outer_alpha, outer_beta) = self._window(name), self._window(above)
        if (alpha, beta) == (outer_alpha, outer_beta):
            first = self.tree.nodes[above].children[0] == name
            why = f"{name} is the first branch of {above}"
            if not first:
                why = f"No branch of {above} before {name} narrows it"
            return f"{why}, so {name} gets the window of {above} as it is: {window_text((alpha, beta))}."
        bound, word, kept, other = alpha, "alpha", beta, "beta"
        if beta != outer_beta:
            bound, word, kept, other = beta, "beta", alpha, "alpha"
        role = self._role(above)
        giver = next(step.child for step in self.run.visits[above].steps if step.value == bound)
        return (
            f"{above} is {role} and has {written(bound)} already, by {self.tree.spoken([giver])}: {word} is "
            f"{written(bound)}, and {other} is {written(kept)} as at {above}."
        )

    def cuts(self, name: str) -> str:
        """Why branches of a node are cut, or why none is."""
        if name not in self.run.visits:
            return self._never(name)
        visit, role = self.run.visits[name], self.tree.nodes[name].role
        if visit.skipped:
            return f"{self._cut(name)}."
        if visit.cut:
            return f"{name}: {visit.cut} holds only after its last branch, when nothing is left to cut."
        limit, bound = LIMIT[role], self._bound(visit.window, role)
        rule = f"{name} is {role.upper()}, who stops once the value is {SIGN[role]} {limit}"
        if bound in (inf, -inf):
            return f"{rule}. Here {limit} is {written(bound)}, so all branches are looked at."
        return f"{rule} {written(bound)}. It never is, so all branches are looked at."

    def value(self, name: str) -> str:
        """How the value of a node comes about."""
        if name not in self.run.visits:
            return self._never(name)
        visit, role = self.run.visits[name], self.tree.nodes[name].role
        value = written(visit.value)
        if visit.skipped:
            return f"{self._cut(name)}, and {name} returns {value}."
        values = [written(step.value) for step in visit.steps]
        if len(values) == 1:
            return f"{name} has one branch only, and its value is {value}."
        return f"{name} is {role.upper()}: the {EXTREME[role]} of {listed(values)} is {value}."

    def move(self, name: str) -> str:
        """Why this branch is chosen."""
        visit = self.run.visits[name]
        assert visit.best is not None
        others = [
            step.child for step in visit.steps if step.value == visit.value and step.child != visit.best
        ]
        first = ", and of equal ones the first counts" if others else ""
        return (
            f"{name} is {self._role(name)}: the {EXTREME[self.tree.nodes[name].role]} value, "
            f"{written(visit.value)}, comes by {self.tree.spoken([visit.best])}{first}."
        )

    def _cut(self, name: str) -> str:
        visit, role = self.run.visits[name], self._role(name)
        last, are = visit.steps[-1], "is" if len(visit.skipped) == 1 else "are"
        return (
            f"{name}: after {self.tree.spoken([last.child])} the value is {written(visit.value)}, and "
            f"{visit.cut}, so {role} has enough: {self.tree.spoken(visit.skipped)} {are} never looked at"
        )

    def _never(self, name: str) -> str:
        cutter = self.run.cutter(name)
        assert cutter is not None
        return f"{name} is never looked at. {self._cut(cutter)}."

    def _role(self, name: str) -> str:
        return self.tree.nodes[name].role.upper()

    def _window(self, name: str) -> Window:
        return self.run.visits[name].window

    def _bound(self, window: Window, role: str) -> float:
        """What a value is compared with at a node."""
        return window[1] if role == "max" else window[0]

    # What is wrong.

    def wrong_window(self, name: str, given: Window | str) -> str:
        """What may have gone wrong with a window, or nothing."""
        if name not in self.run.visits:
            return ""
        if isinstance(given, str):
            return f"{name} is looked at."
        visit = self.run.visits[name]
        if given == visit.window[::-1]:
            return "Alpha stands first, and then beta."
        if given == visit.left_with:
            return f"{window_text(given)} is the window when {name} is done; asked is the one on entering."
        for other in self._relatives(name):
            if other in self.run.visits and self._window(other) == given:
                return f"{window_text(given)} is the window of {other}."
        return ""

    def wrong_value(self, name: str, given: float | str) -> str:
        """What may have gone wrong with a value, or nothing."""
        if name not in self.run.visits:
            return ""
        if isinstance(given, str):
            return f"{name} is looked at."
        visit, role = self.run.visits[name], self.tree.nodes[name].role
        if self.prunes and given == self.minimax.visits[name].value:
            return f"{written(given)} is the minimax value of {name}; alpha-beta returns a bound here."
        opposite = min if role == "max" else max
        if given == opposite(step.value for step in visit.steps):
            return f"{written(given)} is the {EXTREME[OTHER[role]]}: {name} is {role.upper()}."
        if given == -visit.value:
            return "All values are to MAX, so no sign changes on the way up."
        return ""

    def wrong_cuts(self, name: str, given: frozenset[str] | str) -> str:
        """What may have gone wrong with the branches that were marked as cut, or nothing."""
        if name not in self.run.visits or isinstance(given, str):
            return ""
        visit, children = self.run.visits[name], self.tree.nodes[name].children
        early = [child for child in children if child in given and child not in visit.skipped]
        if early:
            return self._too_early(name, visit, early[0])
        if given and set(children[-len(given) :]) != given:
            return "Once a branch is cut, all those after it are cut too."
        equal = visit.value == self._bound(visit.window, self.tree.nodes[name].role)
        return "Equal is enough for a cut." if equal else "More is cut."

    def _too_early(self, name: str, visit: Visit, branch: str) -> str:
        label = self.tree.spoken([branch])
        place = [step.child for step in visit.steps].index(branch)
        if place == 0:
            return f"{label} is the first branch, before which there is nothing to compare."
        role = self.tree.nodes[name].role
        so_far, bound = visit.steps[place - 1].so_far, self._bound(visit.window, role)
        return (
            f"{label} is cut too early: before it the value is {written(so_far)}, and not "
            f"{SIGN[role]} {LIMIT[role]} {written(bound)}."
        )

    def wrong_move(self, name: str, given: str) -> str:
        """What may have gone wrong with the choice of a move, or nothing."""
        visit = self.run.visits[name]
        value = next((step.value for step in visit.steps if step.child == given), None)
        if value is None:
            return ""
        if value != visit.value:
            return f"{self.tree.spoken([given])} returns {written(value)}."
        if self.prunes and self.minimax.visits[given].value != value:
            return f"{self.tree.spoken([given])} returns {written(value)} as well, but that is only a bound."
        return (
            f"{self.tree.spoken([given])} returns {written(value)} as well, but only a better value counts."
        )

    def _relatives(self, name: str) -> list[str]:
        """The other inner nodes, the parent first."""
        parent = self.tree.nodes[name].parent
        names = [node.name for node in self.tree.inner if node.name not in (name, parent)]
        return ([parent] if parent else []) + names
