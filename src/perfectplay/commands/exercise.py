"""perfectplay exercise: a tree to work through, in the terminal or on paper."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from random import SystemRandom

from perfectplay.commands.command import (
    GAME_HELP,
    Command,
    StoppedError,
    UsageError,
    add_json,
    add_moves,
    whole,
)
from perfectplay.commands.consulting import usable_game
from perfectplay.exercise import (
    KINDS,
    RANDOM_KINDS,
    Exercise,
    Question,
    Verdict,
    make_exercise,
    random_exercise,
)
from perfectplay.exercise.sheet import sheet, solution
from perfectplay.exercise.text import boards_text, sheet_text, tree_text
from perfectplay.files import write_whole
from perfectplay.play import Match
from perfectplay.terminal import Terminal

GAME = "tic-tac-toe"  # where nobody names one
SEEDS = 100_000
MOST = 500  # sheets at a time
HELP = (
    "Type your answers: numbers such as 3, -3 or inf; windows as in (3, inf); moves as in c2 c3, or none;\n"
    "and - for a node that is never looked at. Or: skip, ? (the answer, explained), tree, help, quit."
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{GAME_HELP} (default: {GAME})")
    add_moves(parser)
    parser.add_argument(
        "--kind", choices=KINDS, default="alpha-beta", help="what is asked about (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=whole(0), metavar="N", help="the same number gives the same tree (default: any)"
    )
    parser.add_argument(
        "--count", type=whole(1), default=1, metavar="N", help="N sheets, with N seeds from the first one on"
    )
    parser.add_argument("--html", metavar="FILE", help="write sheets to print, without answers")
    parser.add_argument("--solution", metavar="FILE", help="write the solutions of the same sheets")
    parser.add_argument("--text", action="store_true", help="print the sheets as text")
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Ask about one tree, or write sheets of many."""
    on_paper = any((arguments.html, arguments.solution, arguments.text, arguments.json))
    if arguments.text and arguments.json:
        raise UsageError("--text and --json are two forms of the same: give one of them.")
    if arguments.count > 1 and not on_paper:
        raise UsageError("--count is for sheets: give --html FILE, --solution FILE, --text or --json too.")
    if arguments.count > MOST:
        raise UsageError(f"{arguments.count} sheets are too many at a time: give {MOST} at most.")
    if arguments.html and arguments.html == arguments.solution:
        raise UsageError("the sheets and their solutions cannot be in the same file: give two.")
    exercises = _made(arguments, terminal)
    if not on_paper:
        Examination(exercises[0], terminal).run()
        return 0
    for path, text in ((arguments.html, sheet), (arguments.solution, solution)):
        if path:
            write_whole(path, text(exercises))
    if arguments.json:
        terminal.say(json.dumps({"exercises": [_with_solution(each) for each in exercises]}, indent=2))
    elif arguments.text:
        for exercise in exercises:
            terminal.say(f"{_title(exercise)}\n\n{sheet_text(exercise)}\n")
    else:
        files = " and ".join(filter(None, (arguments.html, arguments.solution)))
        seeds = f"seed {exercises[0].seed}"
        if len(exercises) > 1:
            seeds = f"{len(exercises)} trees, seeds {exercises[0].seed} to {exercises[-1].seed}"
        terminal.say(f"{files}: ready to print ({seeds}).")
    return 0


def _made(arguments: Namespace, terminal: Terminal) -> list[Exercise]:
    """The exercises that the arguments describe."""
    if arguments.kind in RANDOM_KINDS:
        return _by_chance(arguments)
    arguments.game = arguments.game or GAME
    game = usable_game(arguments.game)
    match = Match(game, arguments.moves)
    first = SystemRandom().randrange(SEEDS) if arguments.seed is None else arguments.seed
    state = match.state if arguments.moves else None
    seeds = range(first, first + arguments.count)
    asked = {"kind": arguments.kind, "moves": match.names, "name": arguments.game}
    with terminal.progress(lambda: f"growing {len(seeds)} trees"):
        return [make_exercise(game, state, seed=seed, **asked) for seed in seeds]


def _by_chance(arguments: Namespace) -> list[Exercise]:
    """Exercises whose trees belong to no game."""
    if arguments.game or arguments.moves:
        raise UsageError(f"{arguments.kind} has trees of its own: leave the game and its moves out.")
    first = SystemRandom().randrange(SEEDS) if arguments.seed is None else arguments.seed
    return [random_exercise(arguments.kind, seed) for seed in range(first, first + arguments.count)]


def _title(exercise: Exercise) -> str:
    return f"{exercise.kind} on {exercise.game}, seed {exercise.seed}"


def _with_solution(exercise: Exercise) -> dict[str, object]:
    answers = [
        {"question": each.question, "answer": each.wanted, "explanation": each.explanation}
        for each in exercise.solution
    ]
    return exercise.to_dict() | {"solution": answers}


class Examination:
    """One exercise, question by question; each answer is checked and explained at once."""

    def __init__(self, exercise: Exercise, terminal: Terminal) -> None:
        self.exercise = exercise
        self.terminal = terminal
        self.asked = list(_unsettled(exercise))
        self.right = 0
        self.answered = 0

    def run(self) -> None:
        """Ask until all is asked, the student quits, or the input ends; then give the score."""
        say = self.terminal.say
        say(_title(self.exercise), "bold")
        say("\n".join(f"- {rule}" for rule in self.exercise.rules) + "\n")
        self._show()
        say(f"\n{HELP}\n")
        try:
            for question in self.asked:
                if not self._ask(question):
                    break
        except KeyboardInterrupt:
            say()
            self._sum_up()
            raise StoppedError("stopped; this is the score so far.") from None
        self._sum_up()

    def _show(self) -> None:
        self.terminal.say(self.exercise.position)
        if boards := boards_text(self.exercise):
            self.terminal.say()
            self.terminal.board(boards)
        self.terminal.say(f"\n{tree_text(self.exercise)}")
        if self.exercise.notes:
            self.terminal.say("\n" + " ".join(self.exercise.notes), "dim")

    def _ask(self, question: Question) -> bool:
        """Ask until there is an answer that can be read; False when the student is gone."""
        while True:
            text = self.terminal.ask(f"{question.text} ")
            if text is None:
                self.terminal.say("The input has ended, and with it the exercise.")
                return False
            verdict = self.exercise.check({question.name: text})
            if verdict and verdict[0].readable:  # a move may be called like one of the words below
                self._judge(verdict[0])
                return True
            word = text.casefold()
            if word in ("quit", "exit", "q"):
                return False
            if word in ("skip", ""):
                return True
            if word == "?":
                self.terminal.say(
                    f"{self.exercise.wanted(question)}. {self.exercise.explanation(question)}\n"
                )
                return True
            if word == "tree":
                self._show()
            elif word == "help":
                self.terminal.say(HELP)
            else:
                self.terminal.say(verdict[0].explanation, "red")

    def _judge(self, verdict: Verdict) -> None:
        self.answered += 1
        self.right += verdict.right
        judged = "Right." if verdict.right else f"Wrong: it is {verdict.wanted}."
        self.terminal.say(judged, "green" if verdict.right else "red")
        self.terminal.say(f"{verdict.explanation}\n")

    def _sum_up(self) -> None:
        left = len(self.asked) - self.answered
        unanswered = f", {left} not answered" if left else ""
        self.terminal.say(f"{self.right} of {len(self.asked)} right{unanswered}.", "bold")
        seed = self.exercise.seed
        self.terminal.say(f"The same tree again: --seed {seed}. Another: --seed {seed + 1}.")


def _unsettled(exercise: Exercise) -> Iterator[Question]:
    """The questions that no explanation of an earlier one has answered.

    Who has been told that a node is never looked at, and by which cut, is not asked about that cut again.
    """
    told: set[str] = set()
    for question in exercise.questions:
        cutter = exercise.run.cutter(question.node)
        known = cutter in told or (question.kind == "cuts" and question.node in told)
        if not known:
            yield question
        if cutter is not None:
            told.add(cutter)


COMMAND = Command(
    "exercise",
    "a tree from a real position to work through, in the terminal or on paper",
    "perfectplay exercise\n"
    "perfectplay exercise connect-four --kind minimax --seed 7\n"
    "perfectplay exercise --kind expectiminimax\n"
    "perfectplay exercise tic-tac-toe --count 30 --seed 1 --html sheets.html --solution solutions.html\n\n"
    "Every answer is checked and explained by a run of the textbook's own function on that tree. Small\n"
    "games are drawn whole, such as figure-5.2; with --seed 0 their moves stay in order. Trees of the kinds\n"
    "expectiminimax, max-n and uct belong to no game: they are made so that their numbers come out round.",
    _arguments,
    _run,
)
