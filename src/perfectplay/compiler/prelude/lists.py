"""Lists and tuples: their methods, and what slices and operators do with them."""

# ruff: noqa: A001, D103
from __future__ import annotations

from typing import Any

from perfectplay.compiler.prelude.arithmetic import undecided
from perfectplay.compiler.prelude.sorting import sort_keyed, sort_plain

__prelude__ = True
__inlined__ = {
    "transposed",
    "chained",
    "lists_joined",
    "list_repeated",
    "sliced",
    "list_copy",
    "list_slice_by",
}


def list_shorten(items: Any, size: int) -> None:
    """Leave only so many elements: the compiler knows how."""
    del items[size:]


def list_behead(items: Any) -> None:
    """Forget the first element: the compiler knows how."""
    del items[0]


def list_extend(items: Any, others: Any) -> None:
    if isinstance(others, list | tuple):
        size = len(others)  # it may be the same list
        for place in range(size):
            items.append(others[place])
    else:
        for other in others:
            items.append(other)


def lists_joined(one: Any, other: Any) -> Any:
    made = list(one)
    for item in other:
        made.append(item)
    return made


def list_copy(items: Any) -> Any:
    return list(items)


def list_repeated(items: Any, times: int) -> Any:
    made: list[Any] = []
    for _ in range(times):
        for item in items:
            made.append(item)  # noqa: PERF402 - a comprehension would be a list of its own
    return made


def list_multiply(items: Any, times: int) -> None:
    """Items *= times: all aliases see it."""
    size = len(items)
    if times <= 0:
        list_shorten(items, 0)
    for _ in range(times - 1):
        for place in range(size):
            items.append(items[place])


def tuple_repeated(items: Any, times: int) -> Any:
    made: list[Any] = []
    for _ in range(times):
        for item in items:
            made.append(item)  # noqa: PERF402
    return tuple(made)


def sliced(items: Any, first: Any, last: Any, step: int) -> Any:
    made = list_slice_by(items, first, last, step)
    if isinstance(items, str):
        return "".join(made)
    if isinstance(items, tuple):
        return tuple(made)
    return made


def list_slice_by(items: Any, first: Any, last: Any, step: int) -> Any:
    made = []
    size = len(items)
    if step == 0:
        raise ValueError
    if step > 0:
        place = 0 if first is None else first
        end = size if last is None else last
        if place < 0:
            place = max(place + size, 0)
        if end < 0:
            end = max(end + size, 0)
        end = min(end, size)
        while place < end:
            made.append(items[place])
            place += step
    else:
        place = size - 1 if first is None else first
        if place < 0 and first is not None:
            place = max(place + size, -1)
        place = min(place, size - 1)
        end = -1
        if last is not None:
            end = last
            if end < 0:
                end = max(end + size, -1)
        while place > end:
            made.append(items[place])
            place += step
    return made


def list_pop(items: Any, place: int = -1) -> Any:
    size = len(items)
    if place < 0:
        place += size
    if place < 0 or place >= size:
        raise IndexError
    item = items[place]
    if place == 0:
        list_behead(items)
        return item
    for at in range(place, size - 1):
        items[at] = items[at + 1]
    list_shorten(items, size - 1)
    return item


def list_insert(items: Any, place: int, item: Any) -> None:
    size = len(items)
    if place < 0:
        place = max(place + size, 0)
    place = min(place, size)
    items.append(item)
    at = size
    while at > place:
        items[at] = items[at - 1]
        at -= 1
    items[place] = item


def list_remove(items: Any, item: Any) -> None:
    list_pop(items, list_index(items, item))


def list_clear(items: Any) -> None:
    list_shorten(items, 0)


def list_reverse(items: Any) -> None:
    low, high = 0, len(items) - 1
    while low < high:
        items[low], items[high] = items[high], items[low]
        low += 1
        high -= 1


def list_index(items: Any, wanted: Any, first: int = 0, last: int = 9223372036854775807) -> int:
    size = len(items)
    if first < 0:
        first = max(first + size, 0)
    if last < 0:
        last += size
    for place in range(first, min(last, size)):
        if items[place] == wanted:
            return place
    raise ValueError


def tuple_index(items: Any, wanted: Any, first: int = 0, last: int = 9223372036854775807) -> int:
    return list_index(items, wanted, first, last)


def list_count(items: Any, wanted: Any) -> int:
    times = 0
    for item in items:
        if item == wanted:
            times += 1
    return times


def tuple_count(items: Any, wanted: Any) -> int:
    return list_count(items, wanted)


def list_set_slice(items: Any, first: Any, last: Any, others: Any) -> None:
    size = len(items)
    start = 0 if first is None else first
    end = size if last is None else last
    if start < 0:
        start = max(start + size, 0)
    if end < 0:
        end = max(end + size, 0)
    start = min(start, size)
    end = max(min(end, size), start)
    tail = items[end:]
    new = list(others)
    list_shorten(items, start)
    for item in new:
        items.append(item)
    for item in tail:
        items.append(item)


def slice_start(size: int, first: Any, step: int) -> int:
    lower, upper = (-1, size - 1) if step < 0 else (0, size)
    if first is None:
        return upper if step < 0 else lower
    return max(first + size, lower) if first < 0 else min(first, upper)


def slice_stop(size: int, last: Any, step: int) -> int:
    lower, upper = (-1, size - 1) if step < 0 else (0, size)
    if last is None:
        return lower if step < 0 else upper
    return max(last + size, lower) if last < 0 else min(last, upper)


def list_set_slice_by(items: Any, first: Any, last: Any, step: Any, others: Any) -> None:
    if step is None or step == 1:
        list_set_slice(items, first, last, others)
        return
    if step == 0:
        raise ValueError
    new = list(others)
    size = len(items)
    places = range(slice_start(size, first, step), slice_stop(size, last, step), step)
    if len(new) != len(places):
        raise ValueError
    for number in range(len(new)):
        items[places[number]] = new[number]


def list_delete_slice_by(items: Any, first: Any, last: Any, step: Any) -> None:
    if step is None or step == 1:
        list_set_slice(items, first, last, ())
        return
    if step == 0:
        raise ValueError
    size = len(items)
    places = range(slice_start(size, first, step), slice_stop(size, last, step), step)
    kept = 0
    for place in range(size):
        if place not in places:
            items[kept] = items[place]
            kept += 1
    list_shorten(items, kept)


def list_sort(items: Any, *, key: Any = None, reverse: Any = False) -> None:
    if key is None:
        sort_plain(items, bool(reverse))
    else:
        sort_keyed(items, [key(item) for item in items], bool(reverse))


def sequence_less(one: Any, other: Any) -> bool:
    for place in range(min(len(one), len(other))):
        if one[place] != other[place]:
            return bool(one[place] < other[place])
    return len(one) < len(other)


def sequence_at_most(one: Any, other: Any) -> bool:
    for place in range(min(len(one), len(other))):
        if one[place] != other[place]:
            return bool(one[place] < other[place])
    return len(one) <= len(other)


def transposed(rows: Any) -> Any:
    """zip(*rows)"""
    size = 0
    first = True
    for row in rows:
        if first or len(row) < size:
            size = len(row)
            first = False
    for place in range(size):
        yield tuple([row[place] for row in rows])


def chained(rows: Any) -> Any:
    """itertools.chain(*rows)"""
    for row in rows:
        yield from row


def note_apart(seen: Any, place: int) -> None:
    for other in seen:
        if other == place:
            undecided()
    seen.append(place)
