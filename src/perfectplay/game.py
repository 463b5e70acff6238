"""Game: the contract between the rules of a game and every search, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from hashlib import blake2b
from math import inf
from struct import pack
from typing import ClassVar, Generic, TypeVar

from perfectplay.errors import BadParameterError, IllegalActionError, UnsuitedGameError
from perfectplay.scene import Scene
from perfectplay.serialization import number_of, value_of

State = TypeVar("State", bound=Hashable)  # an immutable value: an int, or a tuple of ints
Action = TypeVar("Action", bound=Hashable)  # likewise

MAX = 0
MIN = 1  # player 2, 3, ... of a game with more of them are MIN players too
CHANCE = -1  # who moves where dice are rolled or a card is drawn

WORD = 2**64 - 1  # the largest key
RANKING = ("rank", "unrank", "ranks")  # the methods that number states, which come together
TUPLE = 0x2545F4914F6CDD1D  # begins the digest of a tuple, so that () is not 0
TEXT = 0x5851F42D4C957F2D  # begins that of a string
SET = 0x14057B7EF767814F  # that of a set, frozen or not
ROW = 0x2E2AC13EF99A8F3B  # that of a list
MAPPING = 0x5A4E9F7D3B2C8E61  # that of a dict
LONG = 0x369DEA0F31A53F85  # and that of an integer of more than 64 bits


class Game(ABC, Generic[State, Action]):
    """The rules of a game of perfect information, in the words of the textbooks.

    A state is an immutable, hashable value that says everything that matters, whose turn it is
    included. Parameters such as the size of the board live in the game object. Six methods make a
    game; each of the others has a default that works.
    """

    players: int = 2
    zero_sum: bool = True  # False: every player has a utility of its own, and there is no MIN
    # For whoever reads a tablebase without the rules: a name and a meaning for each number of a state.
    state_fields: ClassVar[tuple[tuple[str, str], ...]] = ()
    # For whoever plays: the rules in about three sentences; where there are none, the docstring is shown.
    how_to_play: ClassVar[str] = ""

    # For whoever chooses a board: what parameters may be, where that is not any number.
    board_limits: ClassVar[str] = ""
    # For a class over another library: why nobody need try to compile its rules, where that is known.
    stays_in_python: ClassVar[str] = ""

    # The rules.

    @abstractmethod
    def initial(self) -> State:
        """The state at the start (S0)."""

    @abstractmethod
    def to_move(self, state: State) -> int:
        """Whose turn it is: MAX, or MIN (any number above 0), or CHANCE. Nothing else says so.

        Where the game is over it may be anyone's.
        """

    @abstractmethod
    def actions(self, state: State) -> Iterable[Action]:
        """The legal actions, always in the same order; nobody asks where CHANCE is to move."""

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """The state after `action`; `state` itself never changes."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Is the game over?"""

    @abstractmethod
    def utility(self, state: State, player: int) -> float:
        """What a terminal state is worth to `player`.

        To MAX and to MIN it adds up to nothing, but where `zero_sum` is False.
        """

    def chances(self, state: State) -> Iterable[tuple[Action, float]]:
        """Where CHANCE is to move: every outcome with its probability, always in the same order.

        The probabilities are above 0 and add up to 1; `result(state, outcome)` is the successor. A game
        that does not have this method is a game without chance.
        """
        return ()

    @property
    def has_chance(self) -> bool:
        """May CHANCE be to move? So it is where a class has its own `chances`."""
        return type(self).chances is not Game.chances

    # What helps a search, and must not change its answer.

    def evaluate(self, state: State, player: int) -> float:
        """A guess at the worth to `player` of a state that is not terminal."""
        return 0

    def key(self, state: State) -> int:
        """An integer below 2**64 that no other state has.

        The default is what `pack` gives, where the game has a `pack` of its own; and else the state itself.
        That is the key if it is an integer of 64 bits, modulo 2**64 if it is negative. It is digested to 64
        bits elsewhere, by its fields: two states with one digest are then unlikely, not impossible. Of
        another object the attributes are digested, or the repr if it has none.
        """
        return default_key(self.pack(state)) if packs(self) else default_key(state)

    def order(self, state: State, action: Action) -> float:
        """How promising an action looks: the higher, the earlier a search should try it."""
        return 0

    def candidates(self, state: State) -> Iterable[Action]:
        """The actions that a search need try: some of the legal ones, a best one among them."""
        return self.actions(state)

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """Proven limits of the value of `state` to `player`: lower <= value <= upper."""
        return -inf, inf

    def canonical(self, state: State) -> State:
        """The representative of the states that are the same as this one by symmetry."""
        return state

    def is_quiet(self, state: State) -> bool:
        """May a search stop here when it has reached its depth limit?"""
        return True

    def tier(self, state: State) -> int:
        """A number that no action lowers, such as the stones on the board: a tablebase is built by these.

        The default is the same for all: levels are then found by counting moves from the start.
        """
        return 0

    def table_start(self) -> State:
        """Where a tablebase begins: it holds all that can be reached from here.

        The default is the start of the game. A game that may begin at many positions, such as an endgame,
        gives a state from which actions that set up the board lead to all of them.
        """
        return self.initial()

    def pack(self, state: State) -> int:
        """The state as one number, 0 or more, that no other state has: tables sort and store these.

        Give it together with `unpack`, and below 2**64 wherever that can be: the smaller the numbers, the
        smaller the tables. The default takes any plain value, and a tablebase knows a tighter way then: it
        goes by the numbers that states are seen to be made of.
        """
        return number_of(state, self.initial())

    def unpack(self, number: int) -> State:
        """The state of a number that `pack` gave."""
        state: State = value_of(number, self.initial())
        return state

    def rank(self, state: State) -> int:
        """The number of a state among those of its tier: from 0 on, and below `ranks`.

        Give it together with `unrank` and `ranks`, if nearly all numbers are those of states that games come
        to: a tablebase can then be kept by rank, without its states. Where there is a `canonical`, it is
        asked about representatives alone.
        """
        return -1

    def unrank(self, tier: int, number: int) -> State:
        """The state of a tier that has this rank; any state, if none has it."""
        return self.initial()

    def ranks(self, tier: int) -> int:
        """How many ranks a tier has; 0, if states are not numbered."""
        return 0

    # What people see and type.

    def render(self, state: State) -> str:
        """The board as text."""
        return str(state)

    def scene(self, state: State) -> Scene | None:
        """The board as shapes and places to click, or None: then the text board is shown."""
        return None

    def player_name(self, player: int) -> str:
        """What a player is called at the board, as in "White"; by default as the textbooks do."""
        if not self.zero_sum:
            return f"player {player}"
        return "MAX" if player == MAX else "MIN"

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        """What the player to move is to do next, in a sentence, where some actions begin with these places.

        `places` are those of the scene that were clicked so far; with "" the page finds words of its own.
        """
        return ""

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        """Why no action begins with these places of the scene, in a sentence; the last one is where it fails.

        With "" the page finds words of its own.
        """
        return ""

    def board_notation(self, state: State) -> str:
        """The position in a line, in the notation of its game, as FEN is that of chess; "" without one."""
        return ""

    def parse_board(self, text: str) -> State:
        """The position that a line gives, as `board_notation` writes it, or as others do.

        The default reads none, and says so.
        """
        raise BadParameterError(
            f"{type(self).__name__} has no notation for positions: give the moves that lead to {text!r}."
        )

    def plies_left(self, state: State, value: float) -> int | None:
        """The moves that are left with best play where `state` has that exact value to the player to move.

        None where the value does not say: it does if wins are worth the more the sooner they come.
        """
        return None

    def action_name(self, action: Action) -> str:
        """The action in the game's notation."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """The legal action that `text` names: the inverse of `action_name`, capital letters or not.

        Where CHANCE is to move, it is the outcome of that name.
        """
        actions = list(choices(self, state))
        names = [self.action_name(action) for action in actions]
        for reading in (str.strip, lambda name: name.strip().casefold()):
            matches = [a for a, name in zip(actions, names, strict=True) if reading(name) == reading(text)]
            if len(matches) == 1:
                return matches[0]
        choice = f"the legal moves are {' '.join(names)}" if names else "the game is over"
        raise IllegalActionError(f"illegal move {text!r}: {choice}.")


def same_side(player: int, other: int) -> bool:
    """Do these two players want the same? All MIN players do; of CHANCE, values are those to MAX."""
    return (player <= MAX) == (other <= MAX)


def side_of(player: int) -> int:
    """Whose values are told where a player moves: its own, and those to MAX where CHANCE does."""
    return MAX if player == CHANCE else player


def packs(game: object) -> bool:
    """Has a game, or a class of games, a `pack` and an `unpack` of its own?"""
    kind = game if isinstance(game, type) else type(game)
    return getattr(kind, "pack", None) is not Game.pack and getattr(kind, "unpack", None) is not Game.unpack


def is_ranked(game: object) -> bool:
    """Has a game, or a class of games, a `rank`, an `unrank` and `ranks` of its own?"""
    kind = game if isinstance(game, type) else type(game)
    return all(getattr(kind, name, None) is not getattr(Game, name) for name in RANKING)


def choices(game: Game[State, Action], state: State) -> Iterator[Action]:
    """What may happen next: the outcomes where CHANCE is to move, and else the legal actions."""
    has_chance = getattr(game, "has_chance", False) is True
    if has_chance and not game.is_terminal(state) and game.to_move(state) == CHANCE:
        for outcome, _ in game.chances(state):
            yield outcome
    else:
        yield from game.actions(state)


WITH_CHANCE = "expectiminimax, star2 or monte-carlo-tree-search"  # of the textbook
WITH_UTILITIES = "max-n, paranoid or monte-carlo-tree-search"


def require_no_chance(game: Game[State, Action], who: str, instead: str = WITH_CHANCE) -> None:
    """Refuse a game in which CHANCE moves, in the name of a search that would take it for MIN."""
    if getattr(game, "has_chance", False) is True:
        name = type(game).__name__
        raise UnsuitedGameError(f"{who} cannot play dice, and in {name} chance moves too: use {instead}.")


def require_zero_sum(game: Game[State, Action], who: str, instead: str = WITH_UTILITIES) -> None:
    """Refuse a game without MIN, in the name of a search for two sides."""
    if getattr(game, "zero_sum", True) is False:
        name = type(game).__name__
        raise UnsuitedGameError(
            f"{who} is for two sides, and in {name} every player has a utility of its own: use {instead}."
        )


def is_two_sided(game: Game[State, Action]) -> bool:
    """Is it MAX against MIN, without chance?"""
    return game.zero_sum and not game.has_chance


def require_two_sides(game: Game[State, Action], who: str, instead: str = "") -> None:
    """Refuse both: what is left are games of MAX against MIN, without chance."""
    require_no_chance(game, who, instead or WITH_CHANCE)
    require_zero_sum(game, who, instead or WITH_UTILITIES)


def default_key(state: Hashable) -> int:
    """An integer below 2**64: the state itself if that has 64 bits, or else a digest of what is in it."""
    if isinstance(state, int) and -(2**63) <= state <= WORD:
        return state & WORD
    try:
        return _digest(state)
    except RecursionError:  # an object that holds itself
        return _digest_of_text(state)


def _digest(value: object) -> int:
    """A 64-bit digest that is the same in every process; numbers by arithmetic alone."""
    if isinstance(value, int) and -(2**63) <= value <= WORD:
        return _mix(value & WORD)
    if isinstance(value, int) and -(2**127) <= value < 2**127:
        return _mix(31 * _mix(LONG + (value & WORD)) + (value >> 64 & WORD))
    if isinstance(value, float):
        return _mix(int.from_bytes(pack("<d", value + 0.0), "little"))  # -0.0 is 0.0
    if isinstance(value, tuple | list | deque):
        digest = _mix((TUPLE if isinstance(value, tuple) else ROW) + len(value))
        for field in value:
            digest = _mix(31 * digest + _digest(field))
        return digest
    if isinstance(value, str):
        digest = _mix(TEXT + len(value))
        for letter in value:
            digest = _mix(31 * digest + _mix(ord(letter)))
        return digest
    if isinstance(value, bytes):
        return _digest(tuple(value))
    if isinstance(value, complex):
        return _digest((value.imag, value.real))
    if isinstance(value, frozenset | set):
        return _mix(31 * _mix(SET + len(value)) + sum(map(_digest, value)))  # in whatever order
    if isinstance(value, dict):
        items = [item for item in value.items() if item[1] or not isinstance(value, Counter)]  # none is 0
        return _mix(31 * _mix(MAPPING + len(items)) + sum(map(_digest, items)))
    if is_dataclass(value):
        return _digest(tuple(getattr(value, field.name) for field in fields(value) if field.compare))
    if attributes := attributes_of(value):
        return _digest(tuple(getattr(value, name) for name in attributes))
    return _digest_of_text(value)


def _digest_of_text(value: object) -> int:
    return int.from_bytes(blake2b(repr(value).encode(), digest_size=8).digest(), "little")


def attributes_of(value: object) -> list[str]:
    """What an object has been given, by name, but for answers that it keeps; nothing of an enum."""
    if isinstance(value, Enum):
        return []
    slots = [name for cls in type(value).__mro__ for name in _slots(cls) if hasattr(value, name)]
    names = {*getattr(value, "__dict__", ()), *slots}
    return sorted(name for name in names if not isinstance(getattr(type(value), name, None), cached_property))


def _slots(cls: type) -> tuple[str, ...]:
    """The names of a class's slots, private ones as Python keeps them."""
    given = vars(cls).get("__slots__", ())
    owner = cls.__name__.lstrip("_")
    return tuple(
        f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name
        for name in ((given,) if isinstance(given, str) else given)
        if name not in ("__dict__", "__weakref__")
    )


def _mix(word: int) -> int:
    """Spread every bit of a 64-bit word over all of it, one to one (Steele's splitmix64)."""
    word = (word + 0x9E3779B97F4A7C15) & WORD
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & WORD
    return word ^ word >> 31
