"""Gymnasium: one learner against an opponent, in any game of ours for two sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import gymnasium

from perfectplay.adapters.learning import Observe, View
from perfectplay.engine import Engine
from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, MIN, Game, require_zero_sum, same_side
from perfectplay.textbook import Counted

DEPTH = 4  # plies that the opponent looks ahead where nobody names one

Reply = Callable[[Any], Any]  # a state: the opponent's action


class LearnerEnv(gymnasium.Env):  # type: ignore[misc]
    """A game for one learner: a step is its action, and all that happens until its next turn.

    An observation is a dict with `observation` and `action_mask` (also `env.action_masks()`). The reward at
    the end is the utility; an illegal action ends the game and costs the least utility there is.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: Game[Any, Any],
        opponent: Any = "engine",
        *,
        side: int = MAX,
        observe: Observe | None = None,
        actions: Sequence[Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        require_zero_sum(game, "an environment for one learner", "to_pettingzoo")
        if side not in (MAX, MIN):
            raise BadParameterError(f"there is no side {side}: give {MAX} or {MIN}.")
        self.game = game
        self.side = side
        self.view = View(game, observe, actions)
        self.random = Random(0)  # noqa: S311 - nothing secret hangs on it
        self.reply = self._reply(opponent)
        self.action_space = self.view.actions
        self.observation_space = self.view.observations
        self.render_mode = render_mode
        self.worst = self.view.survey.utilities()[0]
        self.current = game.initial()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game: the opponent and chance move until it is the learner's turn."""
        super().reset(seed=seed)
        self.random.seed(int(self.np_random.integers(1 << 32)))
        self.current = self._until_its_turn(self.game.initial())
        return self._seen(), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The learner's action, and the answers to it."""
        chosen = None if self._over() else self.view.action(self.current, int(action))
        if chosen is None:
            return self._seen(), float(self.worst), True, False, {"illegal": True}
        self.current = self._until_its_turn(self.game.result(self.current, chosen))
        over = self._over()
        reward = float(self.game.utility(self.current, self.side)) if over else 0.0
        return self._seen(), reward, over, False, {}

    def action_masks(self) -> Any:
        """Which actions are legal, for learners that ask in this way."""
        return self._seen()["action_mask"].astype(bool)

    def render(self) -> str | None:
        """The board as text."""
        return self.game.render(self.current) if self.render_mode == "ansi" else None

    def _over(self) -> bool:
        return self.game.is_terminal(self.current)

    def _seen(self) -> dict[str, Any]:
        player = self.side if self._over() else self.game.to_move(self.current)
        return self.view.seen(self.current, player)

    def _until_its_turn(self, state: Any) -> Any:
        while True:
            state = self.view.rolled(state, self.random)
            if self.game.is_terminal(state) or same_side(self.game.to_move(state), self.side):
                return state
            state = self.game.result(state, self.reply(state))

    def _reply(self, opponent: Any) -> Reply:
        """How the opponent answers: by name, as a player, or as a function of a state."""
        game = self.game
        if opponent == "random":
            return lambda state: self.random.choice(list(game.actions(state)))
        if opponent == "engine":
            engine = Engine(game)
            return lambda state: engine.search(state, depth=DEPTH).action
        if isinstance(opponent, Engine):
            return lambda state: opponent.search(state, depth=DEPTH).action
        if callable(getattr(opponent, "choose", None)):
            return lambda state: opponent.choose(Counted(game), state)
        if callable(opponent):
            return lambda state: opponent(state)
        raise BadParameterError(
            f"{opponent!r} is no opponent: give 'engine', 'random', a player of perfectplay.play, or a "
            "function of a state."
        )


def to_gymnasium(game: Game[Any, Any], opponent: Any = "engine", **settings: Any) -> LearnerEnv:
    """A game as an environment of Gymnasium, for one learner against an opponent.

    The opponent is "engine" (four plies ahead), "random", a player such as `find_player("perfect")`, or a
    function from a state to an action. `side` is that of the learner; the rest is as in `to_pettingzoo`.
    """
    return LearnerEnv(game, opponent, **settings)
