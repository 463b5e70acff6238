"""PettingZoo: any game of ours as an AEC environment."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pettingzoo

from perfectplay.adapters.learning import Observe, View
from perfectplay.errors import IllegalActionError
from perfectplay.game import Game


class GameEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game as an AEC environment: one agent at a time, whose turn it is, and perhaps twice running.

    An observation is a dict with `observation` and `action_mask`; the reward at the end is the utility.
    Chance moves by itself, as the seed of `reset` says. `env.current` is the state.
    """

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo has it

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        observe: Observe | None = None,
        actions: Sequence[Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.view = View(game, observe, actions)
        self.metadata = {**type(self).metadata, "name": type(game).__name__}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.view.observations)
        self.action_spaces = dict.fromkeys(self.possible_agents, self.view.actions)
        self.random = Random(0)  # noqa: S311 - nothing secret hangs on it
        self.current = game.initial()

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, with the dice of this seed."""
        if seed is not None:
            self.random.seed(seed)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.current = self.view.rolled(self.game.initial(), self.random)
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """What this agent sees, and its legal actions if it is its turn."""
        return self.view.seen(self.current, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take the action of that number, and let chance move; IllegalActionError if it is not legal now."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = None if action is None else self.view.action(self.current, int(action))
        if chosen is None:
            legal = " ".join(str(self.view.survey.number(each)) for each in self.game.actions(self.current))
            raise IllegalActionError(f"illegal action {action}: action_mask allows {legal}.")
        self.current = self.view.rolled(self.game.result(self.current, chosen), self.random)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0
        if self.game.is_terminal(self.current):
            self.rewards = {each: self.game.utility(self.current, self._player(each)) for each in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def number(self, action: Any) -> int:
        """The number of an action of the game, for `step`."""
        return self.view.survey.number(action)

    def render(self) -> str | None:
        """The board as text."""
        return self.game.render(self.current) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _select(self) -> None:
        """Whose turn it is; at the end it goes on with the first, and all say good-bye in turn."""
        over = self.game.is_terminal(self.current)
        self.agent_selection = self.agents[0] if over else self.agents[self.game.to_move(self.current)]

    def _player(self, agent: str) -> int:
        return self.possible_agents.index(agent)


def to_pettingzoo(game: Game[Any, Any], **settings: Any) -> GameEnv:
    """A game as an AEC environment of PettingZoo, with action masks.

    `observe(state, player)` gives an array of your own in place of the numbers that the state is made of;
    `actions` lists all actions where play at random does not come to every one; `render_mode` is "ansi" or
    None.
    """
    return GameEnv(game, **settings)
