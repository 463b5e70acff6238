"""The search of a game: the Engine, what it answers, and perft."""

from perfectplay.compiler import rules_digest, why_not
from perfectplay.engine.analysis import Analysis, Ranked, Ranking
from perfectplay.engine.endgame_table import EndgameTable
from perfectplay.engine.engine import Engine
from perfectplay.engine.perft import perft

__all__ = ["Analysis", "EndgameTable", "Engine", "Ranked", "Ranking", "perft", "rules_digest", "why_not"]
