"""Bear-off: the last phase of backgammon, where both sides bring their men home off the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game
from perfectplay.games.dice import die
from perfectplay.games.squares import mark
from perfectplay.scene import Scene, Shape, circle, rect, text

Action = tuple[int, int]  # a point and a die to move from it; the dice when they are rolled are (0, 52)


class State(NamedTuple):
    """Men on the points 1 to 6 of either side, whose turn it is, and the dice that are left to play."""

    mine: tuple[int, ...]  # of MAX; the first of them is point 1
    theirs: tuple[int, ...]
    turn: int
    dice: tuple[int, ...]  # the larger first; none of them: they are to be rolled


@dataclass(frozen=True)
class BearOff(Game[State, Action]):
    """Backgammon's last phase: roll two dice and bring your men off the board; the first to do so wins.

    `mine` and `theirs` are the points that the men stand on, one number a man. A man moves down by a die,
    and off the board from the point of that number; from a lower one only if none is on a higher. A double
    is played four times. Moves are 6/2 and 5/off; dice are 52. MAX rolls first.
    """

    board_limits = "1 to 15 men a side, on points 1 to 6."
    how_to_play = (
        "Two dice are rolled, and each moves one of your men down by so many points, a double four times: "
        "click a man, and then a die. A man leaves the board from the point of that number, or from a lower "
        "one if none of yours is higher. Who first has all men off the board wins."
    )

    mine: tuple[int, ...] = (5, 2)
    theirs: tuple[int, ...] = (3, 2)

    def __post_init__(self) -> None:
        for men in (self.mine, self.theirs):
            if not 1 <= len(men) <= 15 or not all(1 <= point <= 6 for point in men):
                raise BadParameterError(
                    f"men on {'+'.join(map(str, men))} cannot be: give 1 to 15 points from 1 to 6, as in 5+2."
                )

    def initial(self) -> State:
        mine = tuple(self.mine.count(point) for point in range(1, 7))
        theirs = tuple(self.theirs.count(point) for point in range(1, 7))
        return State(mine, theirs, 0, ())

    def to_move(self, state: State) -> int:
        return state.turn if state.dice else CHANCE

    def actions(self, state: State) -> Iterator[Action]:
        if self.is_terminal(state) or not state.dice:
            return
        men = state.mine if state.turn == 0 else state.theirs
        highest = 6
        while men[highest - 1] == 0:
            highest -= 1
        for place in range(len(state.dice)):
            number = state.dice[place]
            if place > 0 and number == state.dice[place - 1]:
                continue
            for point in range(highest, 0, -1):
                if men[point - 1] and (point >= number or point == highest):
                    yield point, number

    def chances(self, state: State) -> Iterator[tuple[Action, float]]:
        for high in range(6, 0, -1):
            for low in range(high, 0, -1):
                yield (0, 10 * high + low), (1 if high == low else 2) / 36

    def result(self, state: State, action: Action) -> State:
        point, number = action
        if point == 0:
            high, low = number // 10, number % 10
            dice = (high, high, high, high) if high == low else (high, low)
            return State(state.mine, state.theirs, state.turn, dice)
        men = list(state.mine if state.turn == 0 else state.theirs)
        men[point - 1] -= 1
        if point > number:
            men[point - number - 1] += 1
        left = list(state.dice)
        left.remove(number)
        turn = state.turn if left else 1 - state.turn
        if state.turn == 0:
            return State(tuple(men), state.theirs, turn, tuple(left))
        return State(state.mine, tuple(men), turn, tuple(left))

    def is_terminal(self, state: State) -> bool:
        return sum(state.mine) == 0 or sum(state.theirs) == 0

    def utility(self, state: State, player: int) -> int:
        won = sum(state.mine) == 0
        return 1 if won == (player == MAX) else -1

    def evaluate(self, state: State, player: int) -> float:
        """Who has fewer pips to go."""
        mine, theirs = self.pips(state.mine), self.pips(state.theirs)
        lead = 0.9 * (theirs - mine) / (theirs + mine)
        return lead if player == MAX else -lead

    def pips(self, men: tuple[int, ...]) -> int:
        """How far all men have to go."""
        pips = 0
        for place in range(6):
            pips += (place + 1) * men[place]
        return pips

    def order(self, state: State, action: Action) -> int:
        """Men off the board first."""
        return 1 if action[0] <= action[1] else 0

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        return -1, 1

    def tier(self, state: State) -> int:
        """Minus the pips that are left: every move lowers them."""
        return -self.pips(state.mine) - self.pips(state.theirs)

    def player_name(self, player: int) -> str:
        return ("Blue", "Orange")[player]

    def render(self, state: State) -> str:
        rows = ["point    6  5  4  3  2  1"]
        for name, men in (("MAX", state.mine), ("MIN", state.theirs)):
            rows.append(f"{name}    {''.join(f'{count or chr(46):>3}' for count in reversed(men))}".rstrip())
        if not self.is_terminal(state):
            who = "MAX" if state.turn == 0 else "MIN"
            dice = " ".join(map(str, state.dice)) or "to be rolled"
            rows.append(f"{who} to move, dice: {dice}")
        return "\n".join(rows)

    def scene(self, state: State) -> Scene:
        """A column of men on every point; a man is clicked, and then the die that moves it."""
        shapes: list[Shape] = [rect(0.6, 0.2, 6, 4.6, "board")]
        legal = [] if self.is_terminal(state) else list(self.actions(state))
        for player, men in enumerate((state.mine, state.theirs)):
            y, down = (0.6, 0.42) if player else (4.4, -0.42)
            shapes += mark(player, 0.3, y, 0.16)
            for point in range(1, 7):
                x, count = 7.1 - point, men[point - 1]
                at = f"p{point}" if player == state.turn and any(each[0] == point for each in legal) else ""
                for man in range(min(count, 5)):
                    style = "min" if player else "max"
                    label = f"point {point}: {count}"
                    shapes.append(circle(x, y + down * man, 0.2, style, at=at, label=label))
                if count > 5:
                    shapes.append(text(x, y, 0.3, str(count), "count", at=at))
        shapes += [text(7.1 - point, 5.1, 0.3, str(point)) for point in range(1, 7)]
        for place, number in enumerate(state.dice):
            at = f"d{number}" if legal else ""
            shapes += [shape._replace(at=at) for shape in die(7.2, 0.7 + 1.1 * place, number)]
        clicks = tuple((action, (f"p{action[0]}", f"d{action[1]}")) for action in legal)
        return Scene(7.8, 5.4, tuple(shapes), clicks)

    def action_name(self, action: Action) -> str:
        point, number = action
        if point == 0:
            return str(number)
        return (
            f"{point}/{point - number}"
            if point > number
            else f"{point}/off{'' if point == number else number}"
        )
