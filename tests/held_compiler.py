"""A compiler that waits for a test."""

from __future__ import annotations

import threading

from perfectplay.engine import Engine
from perfectplay.engine import engine as module


class HeldBack:
    """A compiler that is not done before it is told to be; it has an answer, or that of the real one."""

    def __init__(self, monkeypatch, answer=None):
        self.gate = threading.Event()
        self.real = module.compiled_for
        self.answer = answer
        monkeypatch.setattr(module, "compiled_for", self.compiled_for)
        if answer is not None:
            monkeypatch.setattr(Engine, "_numbered", lambda self: None)

    def compiled_for(self, *arguments, **options):
        assert self.gate.wait(60)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer or self.real(*arguments, **options)
