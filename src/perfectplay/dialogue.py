"""A game between a person and a player, move by move, in words."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Any

from perfectplay.errors import IllegalActionError
from perfectplay.game import CHANCE, MAX, MIN, choices, same_side
from perfectplay.play import AlgorithmPlayer, Match, Player, mover_name, verdict
from perfectplay.terminal import Terminal
from perfectplay.textbook import Counted, drawn

HELP = "Type a move, or: moves (what is legal), hint (what the computer would play), undo, help, quit."


class Dialogue:
    """A match in which a person has one side and `opponent` the other.

    Where chance moves, `dice` rolls, or the person types what came up if there are none.
    """

    def __init__(
        self, match: Match, opponent: Player, person: int, terminal: Terminal, dice: Random | None = None
    ) -> None:
        self.match = match
        self.opponent = opponent
        self.person = person  # MAX, or MIN for all the MIN players, or one player where there is no MIN
        self.terminal = terminal
        self.dice = dice
        self.given = len(match.actions)  # moves that were made before the two sat down

    def run(self) -> None:
        """Play until the game is over, the person quits, or the input ends."""
        game, say = self.match.game, self.terminal.say
        say(f"You are {mover_name(game, self.person)}, against {self.opponent.name}.", "bold")
        say(HELP)
        if not self.match.over:
            self._announce()
        while not self.match.over:
            say()
            self.terminal.board(game.render(self.match.state))
            if self._turn() == CHANCE and self.dice is not None:
                outcome = drawn(game, self.match.state, self.dice)
                say(f"chance: {game.action_name(outcome)}")
                self.match.play(outcome)
            elif self._turn() == CHANCE or self._persons_turn():
                if not self._persons_move():
                    return
            else:
                action = self._opponents_choice()
                say(f"{self.opponent.name} plays {game.action_name(action)}{self._account()}")
                self.match.play(action)
        say()
        self.terminal.board(game.render(self.match.state))
        say(self._ending(), "bold")

    def _turn(self) -> int:
        return self.match.game.to_move(self.match.state)

    def _persons_turn(self) -> bool:
        return self._is_person(self.match.state)

    def _is_person(self, state: Any) -> bool:
        """Is it the person who moves, and no dice?"""
        game = self.match.game
        turn = game.to_move(state)
        if turn == CHANCE:
            return False
        return same_side(turn, self.person) if game.zero_sum else turn == self.person

    def _persons_move(self) -> bool:
        """Ask until there is a move; False when the person is gone."""
        while True:
            turn = self._turn()
            asked = (
                "what came up? " if turn == CHANCE else f"{mover_name(self.match.game, turn)}, your move: "
            )
            text = self.terminal.ask(asked)
            if text is None:
                self.terminal.say("The input has ended, and with it the game.")
                return False
            game = self.match.game
            names = [game.action_name(action) for action in choices(game, self.match.state)]
            word = "" if text in names else text.lower()  # a move may be called like a command
            if word in ("quit", "exit", "q"):
                self.terminal.say("Goodbye.")
                return False
            if word == "undo":
                if self._undo():
                    return True
            elif word == "moves":
                self.terminal.say(" ".join(names))
            elif word == "hint" and turn == CHANCE:
                self.terminal.say("Nobody chooses here: roll, and type what came up.")
            elif word == "hint":
                hint = self.match.game.action_name(self._opponents_choice())
                self.terminal.say(f"{self.opponent.name} would play {hint}{self._account()}")
            elif word in ("help", "?") or not text:
                self.terminal.say(HELP)
            else:
                try:
                    self.match.read(text)
                except IllegalActionError as error:
                    self.terminal.say(str(error), "red")
                else:
                    return True

    def _undo(self) -> bool:
        """Go back to the person's own last turn."""
        match = self.match
        turns = [self._is_person(state) for state in match.states]
        if not any(turns[self.given : -1]):
            self.terminal.say("There is no move of yours to take back.")
            return False
        match.undo()
        while not self._persons_turn():
            match.undo()
        return True

    def _announce(self) -> None:
        """A player that solves the game does so at once, and says what it found."""
        player = self.opponent
        if not isinstance(player, AlgorithmPlayer) or not player.solves:
            return
        if self._turn() == CHANCE:
            return
        start = monotonic()
        self._opponents_choice()
        answer = player.answer
        assert answer is not None
        assert answer.table is not None
        self.terminal.say(
            f"{player.name}: with best play {verdict(answer.value)} (value {answer.value:g}); "
            f"{len(answer.table):,} states in the table, {monotonic() - start:.2f} s."
        )

    def _opponents_choice(self) -> Any:
        counted = Counted(self.match.game)
        with self.terminal.working(f"{self.opponent.name} is thinking", counted):
            return self.opponent.choose(counted, self.match.state)

    def _account(self) -> str:
        """What the opponent can say of its choice, in brackets."""
        account = self.opponent.account()
        return f" ({account})" if account else ""

    def _ending(self) -> str:
        game, state = self.match.game, self.match.state
        if not game.zero_sum:
            gains = [f"player {each} has {game.utility(state, each):g}" for each in range(game.players)]
            return f"The game is over, and you are player {self.person}: {', '.join(gains)}."
        worth = game.utility(state, MAX)
        if worth == 0:
            return "A tie."
        won = same_side(MAX if worth > 0 else MIN, self.person)
        return f"{'You win' if won else 'You lose'}: {verdict(worth)} (utility {worth:g} to MAX)."
