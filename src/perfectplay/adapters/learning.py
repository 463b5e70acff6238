"""What PettingZoo and Gymnasium share: spaces of actions and of observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces

from perfectplay.adapters.survey import WIDE, Features, Survey
from perfectplay.game import CHANCE, Game

Observe = Callable[[Any, int], Any]  # a state and a player: an array


class View:
    """A game as numbers: its spaces, what a player sees, which actions are legal."""

    def __init__(
        self, game: Game[Any, Any], observe: Observe | None = None, actions: Sequence[Any] | None = None
    ) -> None:
        self.game = game
        self.survey = Survey(game, actions)
        self.actions = spaces.Discrete(max(1, len(self.survey.actions)))
        self._observe = observe
        if observe is None:
            self._features = Features(self.survey)
            size: tuple[int, ...] = (self._features.length,)
            box = spaces.Box(-float(WIDE), float(WIDE), size, np.float32)
        else:
            first = np.asarray(observe(game.initial(), 0), np.float32)
            box = spaces.Box(-np.inf, np.inf, first.shape, np.float32)
        mask = spaces.Box(0, 1, (int(self.actions.n),), np.int8)
        self.observations = spaces.Dict({"observation": box, "action_mask": mask})

    def seen(self, state: Any, player: int) -> dict[str, Any]:
        """What a player sees, and what may be done where it is his turn."""
        turn = not self.game.is_terminal(state) and self.game.to_move(state) == player
        if self._observe is not None:
            row = np.asarray(self._observe(state, player), np.float32)
        else:
            row = np.array(self._features.row(state, turn=turn), np.float32)
        return {"observation": row, "action_mask": self.mask(state, player)}

    def mask(self, state: Any, player: int) -> Any:
        """1 for each action that this player may take now."""
        mask = np.zeros(int(self.actions.n), np.int8)
        if not self.game.is_terminal(state) and self.game.to_move(state) == player:
            for action in self.game.actions(state):
                mask[self.survey.number(action)] = 1
        return mask

    def action(self, state: Any, number: int) -> Any:
        """The legal action of that number, or None."""
        for action in self.game.actions(state):
            if self.survey.number(action) == number:
                return action
        return None

    def rolled(self, state: Any, random: Random) -> Any:
        """The state once chance has moved as often as it is its turn."""
        while not self.game.is_terminal(state) and self.game.to_move(state) == CHANCE:
            outcomes, weights = zip(*self.game.chances(state), strict=True)
            state = self.game.result(state, random.choices(outcomes, weights)[0])
        return state
