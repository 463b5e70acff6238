"""The commands of the command line, one a file: its arguments, and what it prints."""

from perfectplay.commands.arena import ARENA
from perfectplay.commands.bench import BENCH
from perfectplay.commands.check import CHECK
from perfectplay.commands.command import Command
from perfectplay.commands.compile import COMPILE
from perfectplay.commands.exercise import EXERCISE
from perfectplay.commands.games import GAMES_COMMAND
from perfectplay.commands.play import PLAY
from perfectplay.commands.search import SEARCH
from perfectplay.commands.serve import SERVE
from perfectplay.commands.solve import SOLVE
from perfectplay.commands.tablebase import TABLEBASE
from perfectplay.commands.textbook import TEXTBOOK
from perfectplay.commands.trace import TRACE

_SEARCHING = (PLAY, SERVE, SEARCH, SOLVE, ARENA, BENCH, TABLEBASE)
_ALL = (GAMES_COMMAND, TEXTBOOK, TRACE, EXERCISE, *_SEARCHING, CHECK, COMPILE)
COMMANDS: dict[str, Command] = {command.name: command for command in _ALL}

__all__ = ["COMMANDS", "Command"]
