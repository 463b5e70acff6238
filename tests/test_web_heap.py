"""Memory of the server: given back while it is busy, and all of it when nobody asks any more."""

from types import SimpleNamespace
from typing import Any

import pytest

from perfectplay.web import heap


class Looked:
    """Housekeeping over a server that is as busy as a test says, and what it gave back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given_back: list[bool] = []  # was it thorough?
        self.let_go = 0
        monkeypatch.setattr(heap, "give_back", lambda thorough: self.given_back.append(thorough))
        self.working: dict[Any, Any] = {}
        searches: Any = SimpleNamespace(turns=SimpleNamespace(working=self.working))
        gates: Any = SimpleNamespace(answering=0)
        engines: Any = SimpleNamespace(let_go=lambda: self.let_go)
        self.housekeeping = heap.Housekeeping(searches, gates, engines)

    def look(self, *, busy: bool, times: int = 1) -> list[bool]:
        """What it gave back in so many looks."""
        self.given_back.clear()
        self.working.update({"a search": None} if busy else {})
        if not busy:
            self.working.clear()
        for _ in range(times):
            self.housekeeping.look()
        return [*self.given_back]


def test_a_busy_server_gives_back_now_and_then_and_thoroughly_once_it_is_idle(monkeypatch):
    looked = Looked(monkeypatch)
    assert looked.look(busy=False, times=3) == []
    assert looked.look(busy=True, times=2 * heap.BUSY_LOOKS) == [False, False]
    assert looked.look(busy=False, times=3) == [True]


def test_memory_of_engines_that_are_let_go_is_given_back(monkeypatch):
    looked = Looked(monkeypatch)
    looked.let_go = 1
    assert looked.look(busy=False) == [True]


@pytest.mark.slow
def test_without_arenas_nothing_is_done(monkeypatch):
    monkeypatch.setattr(heap, "_library", lambda: None)
    heap.share_arenas()
    heap.give_back(thorough=True)


def test_what_is_free_can_be_given_back_on_this_system():
    heap.share_arenas()
    heap.give_back(thorough=False)
