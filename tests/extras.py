"""Libraries that some tests need: without one they are skipped, but under CI they fail."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

import pytest


def needed(library: str) -> ModuleType:
    """A library of the dev group, for a whole module of tests."""
    try:
        return import_module(library)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{library} is not installed", allow_module_level=True)
