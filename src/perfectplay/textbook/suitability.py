"""Which games an algorithm is for: one for two sides refuses the others, in one sentence.

It is asked once, when somebody calls, and not again at every state: the functions stay as they are printed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from perfectplay.game import require_two_sides, require_zero_sum

Search = TypeVar("Search", bound=Callable[..., Any])


def for_two_sides(search: Search) -> Search:
    """The search, refusing games in which chance moves or every player has a utility of its own."""

    @wraps(search)
    def asked(game: Any, *arguments: Any, **named: Any) -> Any:
        require_two_sides(game, search.__name__)
        return search(game, *arguments, **named)

    return cast("Search", asked)


def for_zero_sums(search: Search) -> Search:
    """The search, refusing games in which every player has a utility of its own."""

    @wraps(search)
    def asked(game: Any, *arguments: Any, **named: Any) -> Any:
        require_zero_sum(game, search.__name__)
        return search(game, *arguments, **named)

    return cast("Search", asked)
