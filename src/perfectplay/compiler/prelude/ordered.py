"""`heapq` and `bisect`: lists that are kept in order, element by element as Python's own moves them."""

# ruff: noqa: A001, A002, D103
from __future__ import annotations

from typing import Any

__prelude__ = True
__inlined__ = {"nsmallest", "nlargest", "bisect_left", "bisect_right", "insort_left", "insort_right"}


class Compared:
    """What `cmp_to_key` makes of a value: it is less if the function says so."""

    def __init__(self, value: Any, compare: Any) -> None:
        self.value = value
        self.compare = compare

    def __lt__(self, other: Any) -> bool:
        return bool(self.compare(self.value, other.value) < 0)


def sink(heap: Any, start: int, place: int) -> None:
    item = heap[place]
    while place > start:
        above = (place - 1) >> 1
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def rise(heap: Any, place: int) -> None:
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    sink(heap, start, place)


def heappush(heap: Any, item: Any) -> None:
    heap.append(item)
    sink(heap, 0, len(heap) - 1)


def heappop(heap: Any) -> Any:
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    rise(heap, 0)
    return first


def heapreplace(heap: Any, item: Any) -> Any:
    first = heap[0]
    heap[0] = item
    rise(heap, 0)
    return first


def heappushpop(heap: Any, item: Any) -> Any:
    if heap and heap[0] < item:
        first = heap[0]
        heap[0] = item
        rise(heap, 0)
        return first
    return item


def heapify(heap: Any) -> None:
    for place in range(len(heap) // 2 - 1, -1, -1):
        rise(heap, place)


def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            end = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
