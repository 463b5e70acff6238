"""Pig: roll a die as often as you dare; a 1 ends the turn with nothing, and holding keeps its sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game
from perfectplay.games.dice import die
from perfectplay.games.squares import mark
from perfectplay.scene import Scene, Shape, rect, text

# The score of MAX, that of MIN, the sum of this turn, whose turn it is, and whether the die is rolling.
State = tuple[int, int, int, int, int]
Action = int  # ROLL or HOLD; what a die shows is 1 to 6

ROLL, HOLD = 0, 7
WIDTH = 6.0  # of the board


@dataclass(frozen=True)
class Pig(Game[State, Action]):
    """Roll a die as often as you like; a 1 ends the turn with nothing, holding adds its sum to your score.

    Whoever first has the goal wins. One must roll once, and hold when that is enough. Moves are roll and
    hold; what the die shows is 1 to 6.
    """

    board_limits = "A goal of 1 to 10000."
    how_to_play = (
        "Roll the die as often as you like: what it shows is added to this turn's sum, but a 1 ends the "
        "turn with nothing. To hold adds the sum to your score and passes the die on. Who first reaches "
        "the goal wins."
    )

    goal: int = 100

    def __post_init__(self) -> None:
        if not 1 <= self.goal <= 10_000:
            raise BadParameterError(f"a goal of {self.goal} cannot be: give 1 to 10000.")

    def initial(self) -> State:
        return 0, 0, 0, 0, 0

    def to_move(self, state: State) -> int:
        return CHANCE if state[4] else state[3]

    def actions(self, state: State) -> Iterator[Action]:
        if self.is_terminal(state) or state[4]:
            return
        total, turn = state[2], state[3]
        if state[turn] + total < self.goal:
            yield ROLL
        if total > 0:
            yield HOLD

    def chances(self, state: State) -> Iterator[tuple[Action, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state: State, action: Action) -> State:
        first, second, total, turn, _ = state
        if action == ROLL:
            return first, second, total, turn, 1
        if action == HOLD and turn == 0:
            return min(self.goal, first + total), second, 0, 1, 0
        if action == HOLD:
            return first, min(self.goal, second + total), 0, 0, 0
        if action == 1:
            return first, second, 0, 1 - turn, 0
        return first, second, total + action, turn, 0

    def is_terminal(self, state: State) -> bool:
        return state[0] >= self.goal or state[1] >= self.goal

    def utility(self, state: State, player: int) -> int:
        won = state[0] >= self.goal
        return 1 if won == (player == MAX) else -1

    def evaluate(self, state: State, player: int) -> float:
        """The lead, with half of what this turn may still lose."""
        first, second, total, turn, _ = state
        lead = first - second + (total if turn == 0 else -total) / 2
        share = max(-0.9, min(0.9, lead / self.goal))
        return share if player == MAX else -share

    def order(self, state: State, action: Action) -> int:
        """Hold where that wins."""
        return 1 if action == HOLD and state[state[3]] + state[2] >= self.goal else 0

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        return -1, 1

    def tier(self, state: State) -> int:
        """The scores: they never fall."""
        return state[0] + state[1]

    def player_name(self, player: int) -> str:
        return ("Blue", "Orange")[player]

    def render(self, state: State) -> str:
        first, second, total, turn, rolling = state
        sides = [f"{name} {score:4} of {self.goal}" for name, score in (("MAX", first), ("MIN", second))]
        if not self.is_terminal(state):
            sides[turn] += f"   this turn {total}{', rolling' if rolling else ''}"
        return "\n".join(sides)

    def scene(self, state: State) -> Scene:
        """A bar for each score, with this turn's sum in front of it; the die and hold are to be clicked."""
        shapes: list[Shape] = []
        total, turn = state[2], state[3]
        for player, style in enumerate(("max", "min")):
            y = 0.3 + 0.9 * player
            shapes += mark(player, 0.35, y + 0.3, 0.18)
            shapes.append(rect(0.8, y, WIDTH - 0.9, 0.6, "hole", label=f"{state[player]} of {self.goal}"))
            part = (WIDTH - 0.9) * min(1.0, state[player] / self.goal)
            if part:
                shapes.append(rect(0.8, y, part, 0.6, style))
            shapes.append(text(WIDTH / 2 + 0.3, y + 0.3, 0.36, str(state[player]), "count"))
        over = self.is_terminal(state)
        legal = list(self.actions(state))
        here = "max" if turn == MAX else "min"
        if not over:
            shapes.append(text(1.5, 2.6, 0.36, f"this turn: {total}", "count", label=f"{here} has {total}"))
        if state[4]:
            shapes += [*die(3.6, 2.6, 0), text(3.6, 2.6, 0.36, "?")]
        for action, x in ((ROLL, 2.9), (HOLD, 4.5)):
            if action in legal:
                name = self.action_name(action)
                shapes.append(rect(x, 2.1, 1.4, 1.0, "cell", at=name, label=name))
                shapes.append(text(x + 0.7, 2.56, 0.34, name, at=name))
        clicks = tuple((action, (self.action_name(action),)) for action in legal)
        return Scene(WIDTH, 3.2, tuple(shapes), clicks)

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        total, legal = state[2], list(self.actions(state))
        if not legal:
            return ""
        if ROLL not in legal:
            return f"Hold: these {total} win."
        return f"Roll again, or hold to keep {total}." if HOLD in legal else "Roll the die."

    def action_name(self, action: Action) -> str:
        return {ROLL: "roll", HOLD: "hold"}.get(action, str(action))
