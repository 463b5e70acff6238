"""Names: what the files of a tablebase are called."""

from __future__ import annotations

from typing import Any


def states_file(number: int) -> str:
    """The file with the positions of a level."""
    return f"level-{number:04}.states"


def values_file(number: int) -> str:
    """The file with their values."""
    return f"level-{number:04}.values"


def ends_file(number: int) -> str:
    """The file with their remoteness."""
    return f"level-{number:04}.ends"


def blocks_file(number: int) -> str:
    """The file with all of a level, compressed."""
    return f"level-{number:04}.blocks"


def index_file(number: int) -> str:
    """The file that says where the blocks begin."""
    return f"level-{number:04}.index"


def files_of(manifest: dict[str, Any]) -> list[str]:
    """All files that a manifest names."""
    files = [each["file"] for kind in ("runs", "parts", "pieces") for each in manifest.get(kind, [])]
    for number, level in enumerate(manifest["levels"]):
        files += [name(number) for kind, name in FILES.items() if kind in level]
    return files


FILES = {  # what the manifest calls the files of a level
    "states": states_file,
    "values": values_file,
    "ends": ends_file,
    "blocks": blocks_file,
    "index": index_file,
}
