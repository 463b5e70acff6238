"""Explaining answers in a sentence or two, from what happened in the run."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from perfectplay.exercise.reading import window_text
from perfectplay.exercise.run import Run, Visit, Window
from perfectplay.exercise.tree import Tree
from perfectplay.trace.source import worth, written

EXTREME = {"max": "largest", "min": "smallest"}
SIGN = {"max": ">=", "min": "<="}
LIMIT = {"max": "beta", "min": "alpha"}
NEAR = 0.006  # of two answers to UCB1 that are the same
LOG10 = sqrt(1 / log(10))  # what the bonus is multiplied by with the other logarithm
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
        if self.tree.nodes[name].visits:
            return self._score(name)
        if role in ("chance", "player"):
            return self._average(name) if role == "chance" else self._own_choice(name)
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
        if self.tree.nodes[name].visits:
            scores = listed([f"{step.value:.2f}" for step in visit.steps])
            return f"The highest UCB1 of {scores} is {visit.value:.2f}: {self.tree.spoken([visit.best])}."
        if self.tree.nodes[name].role == "player":
            return self._own_choice(name)
        return (
            f"{name} is {self._role(name)}: the {EXTREME[self.tree.nodes[name].role]} value, "
            f"{written(visit.value)}, comes by {self.tree.spoken([visit.best])}{first}."
        )

    def _average(self, name: str) -> str:
        """The sum of a chance node, term by term."""
        terms = [
            f"{child.probability} * {written(self.run.visits[child.name].value)}"
            for child in self.tree.children(name)
        ]
        return f"{name} is CHANCE: {' + '.join(terms)} = {written(self.run.visits[name].value)}."

    def _own_choice(self, name: str) -> str:
        """Which branch a player takes for itself."""
        node, visit = self.tree.nodes[name], self.run.visits[name]
        own = [written(self.run.visits[child].values[node.player]) for child in node.children]
        assert visit.best is not None
        return (
            f"{name} is player {node.player}, whose own numbers are {listed(own)}: it takes "
            f"{self.tree.spoken([visit.best])}, and {worth(visit.values)} goes up."
        )

    def _score(self, name: str) -> str:
        """UCB1 with its numbers."""
        node, all_playouts = self.tree.nodes[name], self.tree.root.visits
        average, value = node.total / node.visits, self.run.visits[name].value
        return (
            f"UCB1 of {name} is {node.total} / {node.visits} + sqrt(2) * sqrt(ln {all_playouts} / "
            f"{node.visits}) = {average:.2f} + {value - average:.2f} = {value:.2f}."
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
        if role == "chance":
            values = [step.value for step in visit.steps]
            if given == sum(values) / len(values):
                return f"{written(given)} is the plain average: the probabilities differ."
            return f"{written(given)} is one of its branches: all of them count." if given in values else ""
        if self.prunes and given == self.minimax.visits[name].value:
            return f"{written(given)} is the minimax value of {name}; alpha-beta returns a bound here."
        opposite = min if role == "max" else max
        if given == opposite(step.value for step in visit.steps):
            return f"{written(given)} is the {EXTREME[OTHER[role]]}: {name} is {role.upper()}."
        if given == -visit.value:
            return "All values are to MAX, so no sign changes on the way up."
        return ""

    def wrong_values(self, name: str, given: tuple[float, ...]) -> str:
        """What may have gone wrong with the values of all players, or nothing."""
        node = self.tree.nodes[name]
        offered = [self.run.visits[child].values for child in node.children]
        if given in offered:
            return f"{worth(given)} is worth less to player {node.player}, who moves at {name}."
        best = tuple(max(each) for each in zip(*offered, strict=True))
        return "The numbers of one branch go up together." if given == best else ""

    def wrong_score(self, name: str, given: float | str) -> str:
        """What may have gone wrong with UCB1, or nothing."""
        if isinstance(given, str):
            return f"{name} has playouts."
        node = self.tree.nodes[name]
        average = node.total / node.visits
        bonus = self.run.visits[name].value - average
        if abs(given - average) < NEAR:
            return "That is the average alone: the second term is missing."
        if abs(given - average - bonus / sqrt(2)) < NEAR:
            return "C is missing: the square root is to be multiplied by sqrt(2)."
        return "The logarithm is the natural one." if abs(given - average - bonus * LOG10) < NEAR else ""

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
        if self.tree.nodes[name].visits:
            return f"UCB1 of {given} is lower."
        if self.tree.nodes[name].role == "player":
            own = self.run.visits[given].values[self.tree.nodes[name].player]
            return f"{self.tree.spoken([given])} is worth {written(own)} to who moves there."
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
