"""Exercise: a tree, what is asked about it, and what is right; make_exercise grows one from a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from perfectplay.errors import BadParameterError, GameOverError, NoExerciseError, did_you_mean
from perfectplay.exercise.boards import add_boards, still_json
from perfectplay.exercise.explaining import Explainer
from perfectplay.exercise.growing import trees
from perfectplay.exercise.random_trees import RANDOM_KINDS, random_tree
from perfectplay.exercise.reading import (
    NEVER,
    Names,
    UnreadableAnswerError,
    as_text,
    nothing,
    read_branch,
    read_branches,
    read_value,
    read_values,
    read_window,
    window_text,
)
from perfectplay.exercise.run import KINDS, Run
from perfectplay.exercise.tree import Tree, TreeNode
from perfectplay.game import Game, require_two_sides
from perfectplay.games import GAMES, parameters
from perfectplay.trace.picture import tree_places
from perfectplay.trace.source import worth, written

RANDOM = "a tree by chance"
FEW = 16  # moves that are told one by one
RULES = {
    "minimax": (
        "MAX takes the largest of the values of its branches, MIN the smallest.",
        "All values are to MAX. Of equal branches the first one is chosen.",
    ),
    "alpha-beta": (
        "The branches of a node are looked at in the order in which they are drawn. All values are to MAX.",
        "The search begins with alpha = -inf and beta = inf. A node gets alpha and beta from the node above, "
        "as they are at that moment.",
        "MAX keeps its largest value so far, and raises alpha to it; once it is >= beta, the rest is cut.",
        "MIN keeps its smallest value so far, and lowers beta to it; once it is <= alpha, the rest is cut.",
        "A node returns its value so far. Of equal branches the first one is chosen.",
    ),
    "expectiminimax": (
        "MAX takes the largest of the values of its branches, MIN the smallest.",
        "At a circle chance moves: each value counts as much as its probability, and they are added up.",
        "All values are to MAX.",
    ),
    "max-n": (
        "A value is one number for every player: for player 0, for player 1 and for player 2.",
        "Whoever moves takes the branch that is worth most to itself, whatever the others get. All of its "
        "numbers go up.",
    ),
    "uct": (
        "U is what the playouts through a node were worth together to MAX, who chooses at A, and N is their "
        "number.",
        "UCB1 of a node is U / N + C * sqrt(ln N(A) / N), with C = sqrt(2) and the natural logarithm.",
        "Selection goes to the child with the highest UCB1. Two digits after the point are enough.",
    ),
}
CLOSE = 0.0101  # so far from UCB1 may an answer be that has two digits after the point


NUDGES = {  # where nothing more can be said of a wrong answer
    "window": "Look again at the node above: what did it know when it came here?",
    "cuts": "After every branch, compare the value so far: MAX with beta, MIN with alpha.",
    "value": "Look again at who chooses here, and at what was looked at before the node returned.",
    "move": "Look again at which branch gave the root its value first.",
}


class Question(NamedTuple):
    """Something that is asked about a node."""

    name: str  # as in "window:B"
    kind: str  # "window", "cuts", "value" or "move"
    node: str
    text: str


class Verdict(NamedTuple):
    """What an answer is worth."""

    question: str  # its name
    right: bool
    given: str  # as it was read
    wanted: str
    explanation: str
    readable: bool = True  # False: nobody can say what was meant, and the explanation says what to write
    nudge: str = ""  # of a wrong answer: what to look at again, without giving the right one away


@dataclass(frozen=True)
class Exercise:
    """A tree from a real position, with questions about what an algorithm does on it.

    The right answers are those of the textbook's own function, run on the tree that the student sees.
    """

    game: str  # its name, with its parameters
    kind: str  # one of KINDS
    seed: int
    moves: tuple[str, ...]  # from the start of the game to the root, as far as they are known
    tree: Tree

    @cached_property
    def run(self) -> Run:
        """What the algorithm does on the tree."""
        return Run(self.tree, self.kind)

    @cached_property
    def explainer(self) -> Explainer:
        """Who explains the answers."""
        minimax = Run(self.tree, "minimax") if self.kind == "alpha-beta" else self.run
        return Explainer(self.tree, self.kind, self.run, minimax)

    # What the student sees.

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Everything that is asked, in the order in which the algorithm comes to it."""
        return tuple(self._asked(self.tree.root))

    def _asked(self, node: TreeNode) -> Iterator[Question]:
        name, prunes = node.name, self.kind == "alpha-beta"
        if self.kind == "uct":
            yield from self._asked_of_playouts()
            return
        if prunes:
            text = f"{name}: what are alpha and beta on entering?"
            yield Question(f"window:{name}", "window", name, text)
        for child in self.tree.children(name):
            if child.role != "leaf":
                yield from self._asked(child)
        if prunes and len(node.children) > 1:
            branches = ", ".join(self.tree.branch(child) for child in node.children)
            text = f"{name}: which of its branches ({branches}) are cut, or none?"
            yield Question(f"cuts:{name}", "cuts", name, text)
        several = "what are its values, as in (1, 2, 3)?" if node.role == "player" else "what is its value?"
        text = f"{name}: what value does it return?" if prunes else f"{name}: {several}"
        yield Question(f"value:{name}", "value", name, text)
        if node.parent is None:
            yield Question("move", "move", name, f"{name}: which move is chosen?")

    def _asked_of_playouts(self) -> Iterator[Question]:
        for child in self.tree.children(self.tree.root.name):
            yield Question(f"value:{child.name}", "value", child.name, f"{child.name}: what is its UCB1?")
        root = self.tree.root.name
        yield Question("move", "move", root, f"{root}: which move is selected?")

    @property
    def rules(self) -> Sequence[str]:
        """How the algorithm goes, in short."""
        return RULES[self.kind]

    @property
    def position(self) -> str:
        """Who is to move at the root, and after which moves, or after how many where they fill lines."""
        after = f", after {' '.join(self.moves)}" if self.moves else ""
        if len(self.moves) > FEW:
            after = f", after {len(self.moves)} moves"
        return f"{self.tree.root.name}: {self.tree.root.mover} is to move{after}."

    @property
    def notes(self) -> list[str]:
        """What there is to know of this tree."""
        notes = []
        if any(node.omitted for node in self.tree.inner):
            notes.append("Only some of the legal moves are drawn.")
        if any(leaf.leaf == "estimate" for leaf in self.tree.leaves):
            guessed = "their numbers are estimates by the game's heuristic."
            unknown = "the game has no heuristic, so that they have a 0, which means unknown."
            notes.append(f"The game goes on at some leaves: {guessed if self.tree.guessed else unknown}")
        return notes + [self.tree.numbering] * bool(self.tree.numbering)

    def to_dict(self) -> dict[str, Any]:
        """The exercise as JSON has it, without anything that answers it."""
        places = tree_places(self.tree.below, self.tree.root.name)
        return {
            "game": self.game,
            "kind": self.kind,
            "seed": self.seed,
            "moves": list(self.moves),
            "position": self.position,
            "rules": list(self.rules),
            "notes": self.notes,
            "nodes": [_node_json(node, places[node.name][0]) for node in self.tree.nodes.values()],
            "questions": [question._asdict() for question in self.questions],
        }

    # What is right.

    def wanted(self, question: Question) -> str:
        """The right answer, as a student would write it."""
        node = question.node
        if node not in self.run.visits:
            return NEVER
        visit = self.run.visits[node]
        if question.kind == "window":
            return window_text(visit.window)
        if question.kind == "value" and self.kind == "uct":
            return f"{visit.value:.2f}"
        if question.kind == "value":
            return worth(visit.values or visit.value)
        if question.kind == "move":
            assert visit.best is not None
            return self.tree.branch(visit.best)
        return ", ".join(map(self.tree.branch, visit.skipped)) or nothing(self._names(node))

    def explanation(self, question: Question) -> str:
        """Why that is right."""
        explain = {
            "window": self.explainer.window,
            "cuts": self.explainer.cuts,
            "value": self.explainer.value,
            "move": self.explainer.move,
        }
        return explain[question.kind](question.node)

    @property
    def solution(self) -> list[Verdict]:
        """The right answers with their explanations."""
        return [
            Verdict(each.name, True, self.wanted(each), self.wanted(each), self.explanation(each))
            for each in self.questions
        ]

    def check(self, answers: Mapping[str, Any]) -> list[Verdict]:
        """Each answer judged, by the name of its question; what is empty was not answered.

        An answer is what a student writes: "3", "(3, inf)", moves such as "c2, c3" or "none", and "-" at
        a node that is never looked at. Cut branches may also be a list of the nodes they lead to.
        """
        known = {question.name for question in self.questions}
        if strange := sorted(str(name) for name in answers if name not in known):
            raise BadParameterError(
                f"there is no question {strange[0]!r}: {did_you_mean(strange[0], sorted(known))}"
            )
        given = {name: answer for name, answer in answers.items() if not _is_empty(answer)}
        return [self._judged(each, given[each.name]) for each in self.questions if each.name in given]

    @cached_property
    def needed(self) -> frozenset[str]:
        """The questions about nodes that the algorithm looks at: what it never sees needs no answer."""
        return frozenset(each.name for each in self.questions if each.node in self.run.visits)

    def hint(self, answers: Mapping[str, Any]) -> Verdict | None:
        """The first needed answer that is missing or wrong, put right; None where nothing is left to do."""
        right = {verdict.question for verdict in self.check(answers) if verdict.right}
        left = self.needed - right
        return next((each for each in self.solution if each.question in left), None)

    def _judged(self, question: Question, answer: Any) -> Verdict:
        text = as_text(answer)
        wanted, why = self.wanted(question), self.explanation(question)
        try:
            right, mistake, text = self._compared(question, answer, text)
        except UnreadableAnswerError as error:
            return Verdict(question.name, False, text, wanted, str(error), readable=False)
        if right:
            return Verdict(question.name, True, text, wanted, why)
        nudge = mistake or NUDGES[question.kind]
        return Verdict(question.name, False, text, wanted, f"{mistake} {why}".strip(), nudge=nudge)

    def _compared(self, question: Question, answer: Any, text: str) -> tuple[bool, str, str]:
        """Is it right, what may have gone wrong, and how it was read?"""
        node = question.node
        visit = self.run.visits.get(node)
        if question.kind == "window":
            window = read_window(text)
            right = window == (visit.window if visit else NEVER)
            shown = window if isinstance(window, str) else window_text(window)
            return right, "" if right else self.explainer.wrong_window(node, window), shown
        if question.kind == "value" and visit and visit.values:
            values = read_values(text, len(visit.values))
            right = values == visit.values
            return right, "" if right else self.explainer.wrong_values(node, values), worth(values)
        if question.kind == "value" and visit and self.kind == "uct":
            score = read_value(text)
            right = not isinstance(score, str) and abs(score - visit.value) <= CLOSE
            return right, "" if right else self.explainer.wrong_score(node, score), written(score)
        if question.kind == "value":
            value = read_value(text)
            right = value == (visit.value if visit else NEVER)
            return right, "" if right else self.explainer.wrong_value(node, value), written(value)
        if question.kind == "move":
            assert visit is not None
            branch = read_branch(text, self._names(node))
            right = branch == visit.best
            return right, "" if right else self.explainer.wrong_move(node, branch), self.tree.branch(branch)
        branches = self._branches(node, answer, text)
        shown = self._listed(node, branches) or nothing(self._names(node))
        if visit is None:  # who marks all that hangs below a cut, or nothing of it, means the same
            return branches in (NEVER, frozenset(), frozenset(self.tree.nodes[node].children)), "", shown
        right = (frozenset() if branches == NEVER else branches) == frozenset(visit.skipped)
        return right, "" if right else self.explainer.wrong_cuts(node, branches), shown

    def _branches(self, node: str, answer: Any, text: str) -> frozenset[str] | str:
        """The branches of an answer: by the nodes they lead to in a list, by their moves in a text."""
        if not isinstance(answer, list | tuple):
            return read_branches(text, self._names(node))
        if strange := [str(each) for each in answer if each not in self.tree.nodes[node].children]:
            raise UnreadableAnswerError(f"no branch of {node} leads to {strange[0]!r}.")
        return frozenset(answer)

    def _names(self, node: str) -> Names:
        """What the branches of a node may be called: by their moves first, or else by the nodes below."""
        children = self.tree.children(node)
        moves = [(self.tree.branch(child.name), child.name) for child in children]
        return moves + [(child.name, child.name) for child in children if child.role != "leaf"]

    def _listed(self, node: str, branches: frozenset[str] | str) -> str:
        marked = [child for child in self.tree.nodes[node].children if child in branches]
        return ", ".join(map(self.tree.branch, marked))


def make_exercise(
    game: Game[Any, Any],
    state: Any = None,
    *,
    seed: int = 0,
    kind: str = "alpha-beta",
    moves: Sequence[str] = (),
    name: str = "",
) -> Exercise:
    """An exercise from a position of a game: the same one for the same seed, on every machine.

    A small game is drawn whole (with seed 0 in the game's own order of moves). Of any other, some moves
    of a position some moves on from the start are drawn, or of `state` itself where that makes a good
    tree. `kind` is "minimax" or "alpha-beta", whose trees have at least one cut; the other kinds have trees
    of their own, whatever the game is (`random_exercise`). `moves` say how the
    state came about, and `name` what the game is called: both are only shown.
    """
    if kind not in RANDOM_KINDS:
        require_two_sides(game, "an exercise of this kind", "--kind expectiminimax or max-n")
    if kind not in KINDS:
        raise BadParameterError(f"there is no exercise {kind!r}: {did_you_mean(kind, KINDS)}")
    if kind in RANDOM_KINDS:
        return random_exercise(kind, seed)
    stay = state is not None
    state = state if stay else game.initial()
    if game.is_terminal(state):
        raise GameOverError("the game is over here, and nothing can be asked: give fewer moves.")
    for line, tree in trees(game, state, seed, stay=stay):
        made = Exercise(name or game_name(game), kind, seed, (*moves, *line), tree)
        if kind == "minimax" or made.run.has_cut:
            add_boards(game, tree)
            return made
    instead = "a larger board" if kind == "minimax" else "a larger board, or kind minimax"
    raise NoExerciseError(
        f"no small tree of {name or game_name(game)} with values that differ"
        f"{' and a cut' if kind != 'minimax' else ''} was found from here: try another position, {instead}."
    )


def random_exercise(kind: str, seed: int = 0) -> Exercise:
    """An exercise on a tree by chance alone, of kind "expectiminimax", "max-n" or "uct"."""
    if kind not in RANDOM_KINDS:
        raise BadParameterError(f"{kind} needs a position of a game: use make_exercise.")
    return Exercise(RANDOM, kind, seed, (), random_tree(kind, seed))


def game_name(game: Game[Any, Any]) -> str:
    """What a game is called on the command line, or the name of its class where it is somebody's own."""
    for name, registered in GAMES.items():
        if type(game) is registered:
            changed = [
                f"{each.name}={each.write(getattr(game, each.name, each.default))}"
                for each in parameters(registered).values()
                if getattr(game, each.name, each.default) != each.default
            ]
            return f"{name}:{','.join(changed)}" if changed else name
    return type(game).__name__


def _is_empty(answer: Any) -> bool:
    return answer is None or (isinstance(answer, str) and not answer.strip())


def _node_json(node: TreeNode, across: float) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": node.name,
        "role": node.role,
        "parent": node.parent,
        "action": node.action,
        "children": list(node.children),
        "ply": node.ply,
        "across": across,
        "text": node.text,
        "scene": still_json(node.scene),
    }
    if node.probability is not None:
        told["probability"] = str(node.probability)
    if node.role == "player":
        told["player"] = node.player
    if node.values:
        told["values"] = list(node.values)
    return told | ({"value": node.value, "leaf": node.leaf} if node.leaf else {"omitted": node.omitted})
