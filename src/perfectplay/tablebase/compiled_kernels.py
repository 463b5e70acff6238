"""The kernels of a tablebase, compiled: those of every game, and those that call a game's rules."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from perfectplay.compiler import Kind, compiled_for, compiled_module
from perfectplay.compiler.forms import Form
from perfectplay.game import Game
from perfectplay.tablebase import block_kernels, kernels, rank_kernels

KERNELS: dict[str, tuple[Kind, ...]] = {  # what each takes after the game
    "expand": ("form", "record", "record", "number", "record", "flag"),
    "look_up": ("state", "record"),
    "look_up_all": ("form", "record", "numbers", "numbers", "number", "numbers"),
    "look_up_in_blocks": ("state", "record"),
    "look_up_all_in_blocks": ("form", "record", "numbers", "numbers", "number", "numbers"),
    "look_up_by_rank": ("state", "record"),
    "look_up_all_by_rank": ("form", "record", "numbers", "numbers", "number", "numbers"),
    "put_ranks": ("form", "record", "number", "number", "words", "numbers", "numbers"),
    "put_states": ("form", "record", "number", "numbers", "numbers", "words", "words"),
    "fields": ("form", "record", "words", "numbers", "numbers", "number"),
    "movers": ("form", "record", "words", "numbers", "numbers"),
}


def compiled_kernel(game: Game[Any, Any], form: Form, name: str, mode: str | bool) -> tuple[Any, str | None]:
    """A kernel that calls the rules of a game, in machine code; or None and the reason in one sentence."""
    kinds: tuple[Kind, ...] = ("game", *KERNELS[name])
    module = next(each for each in (kernels, block_kernels, rank_kernels) if hasattr(each, name))
    return compiled_for(game, None, getattr(module, name), kinds, mode=mode, form=form)


@cache
def arithmetic(*, compiled: bool) -> Any:
    """The kernels that know no game: `choose`, `force`, `find`, `sort_by_digit`."""
    return compiled_module(kernels) if compiled else kernels


@cache
def has_compiler() -> bool:
    """Can anything be compiled here?"""
    return find_spec("llvmlite") is not None
