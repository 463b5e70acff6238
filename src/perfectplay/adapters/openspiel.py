"""OpenSpiel: its games as ours."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

import pyspiel

from perfectplay.adapters.transpositions import text_is_a_key
from perfectplay.errors import BadParameterError, UnknownGameError, UnsuitedGameError, did_you_mean
from perfectplay.game import CHANCE, MAX, Game

ENDS = (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)


class Move(NamedTuple):
    """An action: OpenSpiel's number for it, and what it is called where it was found."""

    number: int
    name: str


class Position:
    """A state of OpenSpiel that nobody changes; equal are those of one identity."""

    __slots__ = ("_hash", "identity", "state")

    def __init__(self, state: Any, identity: Hashable) -> None:
        self.state = state
        self.identity = identity
        self._hash = hash(identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.identity == other.identity

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"Position({self.state.history()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reread, (str(self.state.get_game()), self.state.history())


class OpenSpielGame(Game[Position, Move]):
    """A game of OpenSpiel; `from_openspiel` makes a class of it for each.

    A position is known by its text and the player to move, where play has not shown that more matters, and
    else by all moves that led to it: `keyed_by` says which, "text" or "history".
    """

    spiel: ClassVar[Any]  # what OpenSpiel loaded
    keyed_by: ClassVar[str]
    stays_in_python = "its rules are those of OpenSpiel, which are in another library"
    offset: ClassVar[float]  # taken from every utility, so that they add up to nothing

    def initial(self) -> Position:
        """The state at the start."""
        return self.position(self.spiel.new_initial_state())

    def position(self, state: Any) -> Position:
        """A state of OpenSpiel as one of ours; whoever calls this changes it no more."""
        if self.keyed_by == "history":
            return Position(state, tuple(state.history()))
        return Position(state, (state.current_player(), str(state)))

    def to_move(self, state: Position) -> int:
        """Whose turn it is; at the end OpenSpiel says nobody's, and we say MAX's."""
        if state.state.is_chance_node():
            return CHANCE
        return max(MAX, int(state.state.current_player()))

    def actions(self, state: Position) -> Iterator[Move]:
        """The legal actions, each with its name."""
        inside = state.state
        if inside.is_terminal() or inside.is_chance_node():
            return
        player = inside.current_player()
        for number in inside.legal_actions():
            yield Move(number, inside.action_to_string(player, number))

    def result(self, state: Position, action: Move) -> Position:
        """The successor."""
        child = state.state.clone()
        child.apply_action(action.number)
        return self.position(child)

    def is_terminal(self, state: Position) -> bool:
        """Is the game over?"""
        return bool(state.state.is_terminal())

    def utility(self, state: Position, player: int) -> float:
        """What OpenSpiel returns to a player; a whole number where it is one."""
        worth = state.state.returns()[player] - self.offset
        return int(worth) if worth == int(worth) else float(worth)

    def key(self, state: Position) -> int:
        """A digest of what the position is known by."""
        return int.from_bytes(blake2b(repr(state.identity).encode(), digest_size=8).digest(), "little")

    def render(self, state: Position) -> str:
        """The board as OpenSpiel prints it."""
        return str(state.state).rstrip("\n")

    def action_name(self, action: Move) -> str:
        """The action as OpenSpiel calls it."""
        return action.name

    def __reduce__(self) -> tuple[Any, ...]:
        return from_openspiel, (str(self.spiel),)


class OpenSpielChance(OpenSpielGame):
    """The same where chance moves too."""

    def chances(self, state: Position) -> Iterator[tuple[Move, float]]:
        """The outcomes as OpenSpiel lists them."""
        for number, probability in state.state.chance_outcomes() if state.state.is_chance_node() else ():
            if probability > 0:
                yield Move(number, state.state.action_to_string(CHANCE, number)), probability


def from_openspiel(name: Any) -> OpenSpielGame:
    """A game of OpenSpiel by its name, as in "breakthrough(rows=6,columns=6)", or by what `load_game` gave.

    It must be of perfect information, without moves at the same time, with chance at most by listed outcomes.
    """
    return _class_of(name if isinstance(name, str) else str(name))()


def openspiel_game(name: str) -> OpenSpielGame:
    """The game that stands after openspiel: on the command line."""
    if not name.strip():
        raise UnknownGameError("which game of OpenSpiel? Give its name, as in openspiel:hex(board_size=5).")
    return from_openspiel(name.strip())


@lru_cache(maxsize=64)
def _class_of(name: str) -> type[OpenSpielGame]:
    """The class of a game, which has all that is known of it."""
    spiel = _loaded(name)
    kind = spiel.get_type()
    _require_suited(kind)
    two_sides = spiel.num_players() == 2 and kind.utility in ENDS
    with_chance = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    base = OpenSpielChance if with_chance else OpenSpielGame
    return type(
        f"openspiel-{name}",
        (base,),
        {
            "__doc__": f"{kind.long_name}, as OpenSpiel has it.",
            "__module__": __name__,
            "spiel": spiel,
            "players": spiel.num_players(),
            "zero_sum": two_sides,
            "offset": (spiel.utility_sum() or 0.0) / 2 if two_sides else 0.0,
            "keyed_by": "text" if text_is_a_key(spiel) else "history",
        },
    )


def _loaded(name: str) -> Any:
    """What OpenSpiel loads under a name."""
    short = name.partition("(")[0].strip()
    if short not in pyspiel.registered_names():
        raise UnknownGameError(
            f"OpenSpiel has no game {short!r}: {did_you_mean(short, sorted(pyspiel.registered_names()))}"
        )
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # of several kinds
        told = " ".join(str(error).split()) or type(error).__name__
        raise BadParameterError(f"OpenSpiel cannot load {name!r}: {told.rstrip('.')}.") from None


def _require_suited(kind: Any) -> None:
    """Refuse a game that no search of ours is for."""
    name, types = kind.short_name, pyspiel.GameType
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        raise UnsuitedGameError(f"in {name} players move at once: choose a game where they take turns.")
    if kind.information != types.Information.PERFECT_INFORMATION:
        raise UnsuitedGameError(f"in {name} players do not see all: choose one of perfect information.")
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        raise UnsuitedGameError(f"{name} does not list what chance may do: choose a game that does.")


def _reread(name: str, history: list[int]) -> Position:
    """A position after these actions."""
    game = from_openspiel(name)
    state = game.spiel.new_initial_state()
    for number in history:
        state.apply_action(number)
    return game.position(state)
