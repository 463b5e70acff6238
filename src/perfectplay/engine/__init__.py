"""From a class of rules to machine code; importing this package imports numba."""

from perfectplay.engine.bridge import game_type
from perfectplay.engine.diagnosis import why_not
from perfectplay.engine.digest import rules_digest
from perfectplay.engine.perft import perft

__all__ = ["game_type", "perft", "rules_digest", "why_not"]
