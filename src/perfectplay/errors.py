"""One exception per kind of mistake, each a `ValueError` with one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PerfectPlayError(ValueError):
    """Anything perfectplay refuses: catch this one to catch them all."""


class UnknownGameError(PerfectPlayError):
    """There is no game of that name, or no such file or class."""


class UnknownAlgorithmError(PerfectPlayError):
    """There is no algorithm of that name."""


class BadParameterError(PerfectPlayError):
    """A game or an algorithm was given a parameter that it does not have or cannot take."""


class IllegalActionError(PerfectPlayError):
    """A move that cannot be read, or that the rules do not allow in this state."""


class BrokenGameError(PerfectPlayError):
    """A game class that does not keep the contract of `perfectplay.Game`."""


class UnsuitedGameError(PerfectPlayError):
    """A lawful game of a kind that a search is not made for: with chance, or without MIN."""


class EndlessGameError(PerfectPlayError):
    """A game that returns to an earlier state, or goes too deep, for an algorithm that plays it out."""


class GameOverError(PerfectPlayError):
    """A search was asked about a state in which the game is over."""


class EngineBusyError(PerfectPlayError):
    """An engine was asked a second question while it was at the first, in another thread."""


class CompileError(PerfectPlayError):
    """A game whose rules cannot be compiled, where nothing else would do."""


class BadTraceError(PerfectPlayError):
    """A file that is no trace, or a damaged one."""


class UnwritableError(PerfectPlayError):
    """A file that cannot be written where it was asked for."""


class BadTablebaseError(PerfectPlayError):
    """A directory that holds no tablebase, a damaged one, or one of another game."""


class DamagedTablebaseError(BadTablebaseError):
    """A file of a tablebase that is not what was written, found when it was read."""


class ClusterError(PerfectPlayError):
    """A cluster that cannot be joined, or that failed."""


class UnknownStateError(PerfectPlayError):
    """A state that a tablebase does not have."""


class MissingExtraError(PerfectPlayError):
    """A library that is not installed, for a part that needs it."""


class ForeignEngineError(PerfectPlayError):
    """A program of somebody else's that cannot be started, or does not answer."""


class NoExerciseError(PerfectPlayError):
    """A game or a position of which no tree makes an exercise."""


class UnsolvedError(PerfectPlayError):
    """What is to be proven takes longer than it may."""


def did_you_mean(word: object, words: Iterable[str]) -> str:
    """The end of an error message: the nearest of `words`, or else all of them."""
    known = list(words)
    near = get_close_matches(str(word).lower(), known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}."
