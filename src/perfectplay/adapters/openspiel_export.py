"""OpenSpiel, the other way: any game of ours registered there, for its algorithms and its tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyspiel

from perfectplay.adapters.survey import Survey
from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, Game

SPARE = 4  # times the longest playout at random that a game may take

_registered: dict[str, Game[Any, Any]] = {}


def to_openspiel(
    game: Game[Any, Any],
    name: str = "",
    *,
    actions: Sequence[Any] | None = None,
    longest: int | None = None,
) -> Any:
    """A game of ours as one of OpenSpiel, registered under a name, as perfectplay_nim, and loaded.

    Actions are numbered by play at random, or as `actions` lists them; `longest` is how many moves a
    game may take, which is asked of every game there.
    """
    name = name or f"perfectplay_{_snake(type(game).__name__)}"
    if not re.fullmatch(r"\w+", name):
        raise BadParameterError(f"{name!r} is no name for OpenSpiel: give letters, digits and underscores.")
    if name in _registered and _registered[name] != game:
        raise BadParameterError(f"OpenSpiel has another game called {name!r} already: give name=.")
    if name not in _registered:
        if name in pyspiel.registered_names():
            raise BadParameterError(f"OpenSpiel has a game called {name!r} of its own: give name=.")
        _register(game, name, Survey(game, actions), longest)
        _registered[name] = game
    return pyspiel.load_game(name)


def _register(game: Game[Any, Any], name: str, survey: Survey, longest: int | None) -> None:
    types = pyspiel.GameType
    chance = types.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else types.ChanceMode.DETERMINISTIC
    kind = types(
        short_name=name,
        long_name=type(game).__name__,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if game.zero_sum and game.players == 2 else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
    )
    low, high = survey.utilities()
    about = pyspiel.GameInfo(
        num_distinct_actions=max(1, len(survey.actions)),
        max_chance_outcomes=survey.choices if game.has_chance else 0,
        num_players=game.players,
        min_utility=float(low),
        max_utility=float(high),
        utility_sum=0.0 if game.zero_sum and game.players == 2 else None,
        max_game_length=longest or SPARE * max(1, survey.longest),
    )

    class Exported(pyspiel.Game):  # type: ignore[misc]
        """The game as OpenSpiel knows it."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, about, params or {})

        def new_initial_state(self, state: Any = None) -> Any:
            return ExportedState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer()

    class ExportedState(pyspiel.State):  # type: ignore[misc]
        """A state of it: ours, with numbers for actions."""

        def __init__(self, spiel: Any) -> None:
            super().__init__(spiel)
            self.state = game.initial()

        def current_player(self) -> int:
            if game.is_terminal(self.state):
                return int(pyspiel.PlayerId.TERMINAL)
            mover = game.to_move(self.state)
            return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(map(survey.number, game.actions(self.state)))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(number, chance) for number, (_, chance) in enumerate(game.chances(self.state))]

        def _apply_action(self, number: int) -> None:
            self.state = game.result(self.state, self._action(number))

        def _action(self, number: int) -> Any:
            if self.current_player() == pyspiel.PlayerId.CHANCE:
                return [outcome for outcome, _ in game.chances(self.state)][number]
            return survey.actions[number]

        def _action_to_string(self, player: int, number: int) -> str:
            return game.action_name(self._action(number))

        def is_terminal(self) -> bool:
            return bool(game.is_terminal(self.state))

        def returns(self) -> list[float]:
            if not game.is_terminal(self.state):
                return [0.0] * game.players
            return [float(game.utility(self.state, player)) for player in range(game.players)]

        def __str__(self) -> str:
            return game.render(self.state)

    pyspiel.register_game(kind, Exported)


class _Observer:
    """All see all: the text of the state, and no tensor."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """There is no tensor to set."""

    def string_from(self, state: Any, player: int) -> str:
        """The text of the state."""
        return str(state)


def _snake(name: str) -> str:
    return re.sub(r"\W", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).lower()
