"""Turns: so many at once, and among those who wait, whoever has had least goes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from perfectplay.web.faults import RefusedError

Item = TypeVar("Item")

NAMED = 4  # places at once of one page
UNNAMED = 16  # of all who come from one address without saying who they are
SHARE = 32  # times as many may wait as may be at work


class Client(NamedTuple):
    """Who asks: an address, and the name that a page gives itself, since a class may share one address."""

    address: str
    name: str = ""

    @property
    def places(self) -> int:
        """That it may have at once."""
        return NAMED if self.name else UNNAMED


NOBODY = Client("")


class Turns(Generic[Item]):
    """Who is at work, and who waits.

    A place goes to whoever has the fewest: of all addresses the one with the fewest, of its clients the
    one with the fewest, and of its questions the first. So one who asks a thousand things delays another
    by no more than what is at work already.
    """

    def __init__(self, places: int, most_waiting: int) -> None:
        self.places = places
        self.most_waiting = most_waiting
        self.working: dict[Item, Client] = {}
        self.waiting: dict[Item, Client] = {}  # in the order in which they came

    def enter(self, item: Item, client: Client) -> Item | None:
        """Wait for a place; gives back who must go instead, where there are too many of one client's.

        RefusedError, where nobody has more waiting than this client.
        """
        share = SHARE * client.places
        waiting = Counter(self.waiting.values())
        if waiting[client] >= share:
            raise RefusedError(
                429, f"{share} of your questions are waiting already: let some of them end first."
            )
        gone = None
        if len(self.waiting) >= self.most_waiting:
            greediest = max(waiting, key=lambda each: waiting[each] / each.places, default=client)
            if waiting[greediest] / greediest.places <= (waiting[client] + 1) / client.places:
                raise RefusedError(
                    503, f"{len(self.waiting)} searches are waiting already: try again in a minute or two."
                )
            gone = next(each for each in reversed(self.waiting) if self.waiting[each] == greediest)
            del self.waiting[gone]
        self.waiting[item] = client
        return gone

    def begin(self) -> Iterator[Item]:
        """Those who may begin now."""
        while len(self.working) < self.places and (item := self._next()) is not None:
            self.working[item] = self.waiting.pop(item)
            yield item

    def leave(self, item: Item) -> None:
        """That one needs no place any more."""
        self.waiting.pop(item, None)
        self.working.pop(item, None)

    def order(self) -> list[Item]:
        """Those who wait, about as they will follow: the first of each client, then the second of each."""
        had: Counter[Client] = Counter()
        places: dict[Item, float] = {}
        for item, client in self.waiting.items():
            had[client] += 1
            places[item] = had[client] / client.places
        return sorted(places, key=lambda item: places[item])

    def _next(self) -> Item | None:
        """The one whose turn it is."""
        of_client = Counter(self.working.values())
        of_address = Counter(client.address for client in self.working.values())
        best, least = None, (0, 0.0)
        for item, client in self.waiting.items():
            if of_client[client] >= client.places:
                continue
            had = of_address[client.address], of_client[client] / client.places
            if best is None or had < least:
                best, least = item, had
        return best
