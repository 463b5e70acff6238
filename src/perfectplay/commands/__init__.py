"""The commands of the command line, one a file: its arguments, and what it prints."""

from importlib import import_module

from perfectplay.commands.command import Command

COMMANDS = (
    "games",
    "textbook",
    "trace",
    "exercise",
    "play",
    "serve",
    "search",
    "solve",
    "arena",
    "bench",
    "tablebase",
    "check",
    "compile",
    "uci",
)


def command_named(name: str) -> Command:
    """One of them, whose file is read when it is asked for: what it needs, the others do without."""
    command: Command = import_module(f"perfectplay.commands.{name}").COMMAND
    return command


__all__ = ["COMMANDS", "Command", "command_named"]
