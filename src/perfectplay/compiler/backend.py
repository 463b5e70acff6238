"""What the rest of perfectplay asks of the compiler, answered: functions for a game, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from perfectplay.blame import fault_of_game
from perfectplay.compiler import traps
from perfectplay.compiler.cache import Subject, keep_loose_kernel, loose_kernel
from perfectplay.compiler.faults import contained
from perfectplay.compiler.forms import Form
from perfectplay.compiler.kernels import Kernel, LooseKernel, Made
from perfectplay.compiler.layouts import Layout
from perfectplay.compiler.observing import Observed, observe, observe_again, observe_from
from perfectplay.compiler.reading import Obstacle, Untrusted, said
from perfectplay.compiler.shapes import INT, Shape
from perfectplay.compiler.traps import Misfit, Trap
from perfectplay.errors import BrokenGameError
from perfectplay.game import Game
from perfectplay.watchdog import Unreturned

if TYPE_CHECKING:
    from perfectplay.compiler.compilation import Compilation

HOPELESS = (traps.STACK, traps.MEMORY, traps.STOPPED, traps.UNDECIDED, traps.UNKEPT)  # whatever is observed
WIDENINGS = 8  # times that a function is compiled again because of what it met
MOST_KNOWN = 64

_known: dict[Any, Observed | str] = {}  # what was found out about a game, or why it does not compile


def known(game: Game[Any, Any], subject: Subject | None = None) -> Observed:
    """What machine code for a game must know, found out once; Untrusted if it cannot be compiled."""
    if stays := getattr(type(game), "stays_in_python", ""):
        raise Untrusted(stays)
    if own := [name for name in getattr(game, "__dict__", {}) if callable(getattr(Game, name, None))]:
        raise Untrusted(f"`{own[0]}` is set on the object; define it in the class")
    subject = subject or Subject(game)
    key = type(game), subject.digest  # a class that was loaded twice has twice the classes of states
    if key not in _known:
        found = subject.observed()
        if found is None:
            found = _found_out(game)
            subject.keep_observed(found)
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)))
        _known[key] = found
    found = _known[key]
    if isinstance(found, str):
        raise Untrusted(found)
    return found


def _found_out(game: Game[Any, Any]) -> Observed | str:
    """What play shows, and comparing confirms; or why it does not compile."""
    from perfectplay.compiler.comparing import trusted

    try:
        observed = observe(game)
    except Untrusted as why:
        return str(why)
    except Unreturned as error:
        raise BrokenGameError(fault_of_game(error) or f"a rule of the game {error}.") from None
    except Exception as error:  # the rules themselves raise: Python says so where it happens
        raise Untrusted(f"its rules raise {type(error).__name__} in random play: {error}") from error
    try:
        return trusted(game, observed)
    except Untrusted as why:
        return str(why)
    except Unreturned as error:
        raise BrokenGameError(fault_of_game(error) or f"a rule of the game {error}.") from None


def compiled_for(
    game: Game[Any, Any],
    start: Any,
    function: Callable[..., Any],
    kinds: Sequence[str],
    *,
    form: Form | None,
    endgames: Callable[..., Any] | None,
    stack: int,
) -> tuple[Any, str | None]:
    """The function in machine code, or None and the reason in one sentence."""
    try:
        subject = Subject(game)
        observed = known(game, subject)
        leaves = None if form is None else form.layout
        if form is not None and leaves is None:
            return None, f"its states are {observed.state!r}, which tablebases keep in Python alone"
        with contained():
            made = subject.kernel(function, kinds, endgames, leaves)
            if made is None:
                made = _made(subject, function, kinds, endgames, leaves, observed)
            return Kernel(
                game, function, kinds, made, endgames=endgames, leaves=leaves, observed=observed, stack=stack
            ), None
    except Untrusted as why:
        return None, str(why)
    except Obstacle as obstacle:
        return None, said(obstacle)


def compiled_for_numbers(
    game: Game[Any, Any], function: Callable[..., Any], kinds: Sequence[str], *, full: bool, stack: int
) -> Kernel | None:
    """The function in machine code for a game of our own, whose states and actions are numbers.

    None if the compiler itself fails, which is said where it is asked about the rules.
    """
    subject = Subject(game)
    observed = Observed(state=INT, action=INT)
    try:
        with contained():
            made = subject.kernel(function, kinds, None, full=full)
            if made is None:
                from perfectplay.compiler.compilation import compile_kernel

                compiled = compile_kernel(game, function, kinds, endgames=None, observed=observed, full=full)
                made = compiled.made
                subject.keep_kernel(function, kinds, None, None, made, full)
            return Kernel(game, function, kinds, made, observed=observed, stack=stack)
    except Untrusted:
        return None


def _made(
    subject: Subject,
    function: Callable[..., Any],
    kinds: Sequence[str],
    endgames: Any,
    leaves: Layout | None,
    observed: Observed,
) -> Made:
    """A function, compiled, and kept for the next process."""
    compiled = compilation(subject.game, function, kinds, endgames=endgames, observed=observed, leaves=leaves)
    if compiled.program.lasting:
        subject.keep_kernel(function, kinds, endgames, leaves, compiled.made)
    return compiled.made


def compilation(
    game: Game[Any, Any],
    function: Callable[..., Any],
    kinds: Sequence[str],
    *,
    endgames: Callable[..., Any] | None = None,
    observed: Observed,
    leaves: Layout | None = None,
) -> Compilation:
    """A function for a game, with all that was written on the way."""
    from perfectplay.compiler.compilation import compile_kernel

    return compile_kernel(game, function, kinds, endgames=endgames, observed=observed, leaves=leaves)


def widened(kernel: Kernel, trap: Trap | Misfit) -> tuple[Kernel | None, str]:
    """The function again, for what it has met; None and why if only Python can go on.

    Where the rules themselves raise, so does this.
    """
    from perfectplay.compiler.comparing import trusted

    observed = kernel.observed
    state = trap.state if isinstance(trap, Trap) else trap.args[0]
    status = trap.status if isinstance(trap, Trap) else traps.UNSEEN
    if not observed.states:
        observe_again(kernel.game, observed)
    if state is not None:
        observe_from(kernel.game, observed, state)
    line = traps.line_in(status)
    reason = f"{traps.said(status)}" + (f" (line {line})" if line else "")
    code = traps.code_in(status)
    widenings = kernel.widenings + 1
    if widenings > WIDENINGS or code in HOPELESS:
        return None, reason
    if code == traps.OVERFLOW:
        if line in observed.wide_lines:
            return None, reason
        observed.wide_lines.add(line)
    elif code < traps.FIRST_LIMIT:
        return None, f"machine code meets {traps.said(status)} on line {line} where Python does not"
    try:
        observed = trusted(kernel.game, observed)
        with contained():
            return _again(kernel, observed, widenings), ""
    except Untrusted as why:
        return None, str(why)
    except Obstacle as obstacle:
        return None, said(obstacle)


def _again(kernel: Kernel, observed: Observed, widenings: int) -> Kernel:
    """The same function for what is observed by now, which the next process begins with."""
    subject = Subject(kernel.game)
    subject.keep_observed(observed)
    made = _made(subject, kernel.function, kernel.kinds, kernel.endgames, kernel.leaves, observed)
    again = Kernel(
        kernel.game,
        kernel.function,
        kernel.kinds,
        made,
        endgames=kernel.endgames,
        leaves=kernel.leaves,
        observed=observed,
        stack=kernel.machine.stack,
    )
    again.widenings = widenings
    return again


def compiled_module(module: ModuleType) -> Any:
    """A module that knows no game, its functions in machine code for whatever arrays they are given."""
    twin = ModuleType(f"{module.__name__}_compiled", module.__doc__)
    for name, value in vars(module).items():
        own = isinstance(value, FunctionType) and value.__module__ == module.__name__
        setattr(twin, name, LooseKernel(value, _loose) if own else value)
    return twin


def _loose(function: Callable[..., Any], shapes: tuple[Shape, ...]) -> Made:
    made = loose_kernel(function, shapes)
    if made is None:
        from perfectplay.compiler.compilation import compile_function

        made = compile_function(function, shapes).made
        keep_loose_kernel(function, shapes, made)
    return made


def compared(game: Game[Any, Any], states: Iterable[Any]) -> Any:
    """The first question about these states with two answers, or None."""
    from perfectplay.compiler.comparing import first_difference
    from perfectplay.compiler.rules import Rules

    return first_difference(Rules(game, known(game)), states)


def compiled_rules(game: Game[Any, Any]) -> dict[str, tuple[Any, str]]:
    """Every rule of a game in machine code, with what it takes after the game."""
    from perfectplay.compiler.rules import Rules

    rules = Rules(game, known(game))

    def asked(name: str) -> Callable[..., Any]:
        return lambda _, *arguments: rules.ask(name, *arguments)

    return {name: (asked(name), takes) for name, takes in rules.questions.items()}


def why_not(game: Game[Any, Any]) -> str | None:
    """Why the rules of a game cannot be compiled, in one sentence, or None if they can."""
    try:
        known(game)
    except Untrusted as why:
        return str(why)
    return None
