"""Walking through things: what takes or gives an iterator."""

# ruff: noqa: A001, D103, SIM110, UP028
from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from perfectplay.compiler.prelude.arithmetic import undecided
from perfectplay.compiler.prelude.lists import list_sort

__prelude__ = True
__inlined__ = {
    *("all", "any", "sum", "min", "max", "next", "sorted", "map", "filter", "enumerate", "reversed"),
    *("least", "greatest", "first", "is_in", "reduce", "repeat"),
    *("least_of", "greatest_of", "least_by", "greatest_by", "compensated"),
}


def until(make: Any, last: Any) -> Iterator[Any]:
    """iter(make, last)"""
    while True:
        item = make()
        if item == last:
            return
        yield item


def in_row(items: Any) -> Any:
    """Something to index: the compiler knows how."""
    return list(items)


def any(items: Any) -> bool:
    for item in items:
        if item:
            return True
    return False


def all(items: Any) -> bool:
    for item in items:
        if not item:
            return False
    return True


def sum(items: Any, start: Any = 0) -> Any:
    if COMPENSATED:
        return compensated(items, start)
    total = start
    for item in items:
        total = total + item
    return total


def compensated(items: Any, start: Any) -> Any:
    """The sum as Python has it since 3.12: what is lost between two floats is added in the end."""
    total = start
    lost = 0.0
    for item in items:
        if isinstance(total, float) and isinstance(item, float):
            more = total + item
            if abs(total) >= abs(item):
                lost += (total - more) + item
            else:
                lost += (item - more) + total
            total = more
        else:
            total = total + item
    if lost != 0.0 and abs(lost) < 1e308:
        return total + lost
    return total


def next(items: Any, *default: Any) -> Any:
    for item in items:
        return item
    if len(default) == 0:
        raise StopIteration
    return default[0]


def is_in(items: Any, wanted: Any) -> bool:
    for item in items:
        if item == wanted:
            return True
    return False


def place_in(items: Any, wanted: Any) -> int:
    place = 0
    for item in items:
        if item == wanted:
            return place
        place += 1
    return -1


_NOTHING = object()
COMPENSATED = sys.version_info >= (3, 12)  # does Python add floats up without loss?


def min(*items: Any, key: Any = None, default: Any = _NOTHING) -> Any:
    if len(items) > 1:
        return least_of(items) if key is None else least_by(items, key, _NOTHING)
    return least(items[0], default) if key is None else least_by(items[0], key, default)


def max(*items: Any, key: Any = None, default: Any = _NOTHING) -> Any:
    if len(items) > 1:
        return greatest_of(items) if key is None else greatest_by(items, key, _NOTHING)
    return greatest(items[0], default) if key is None else greatest_by(items[0], key, default)


def least_of(items: Any) -> Any:
    if len(items) < 2:
        undecided()
    best = items[0]
    if len(items) == 2:
        return items[1] if items[1] < best else best
    for item in items[1:]:
        if item < best:
            best = item
    return best


def greatest_of(items: Any) -> Any:
    if len(items) < 2:
        undecided()
    best = items[0]
    if len(items) == 2:
        return items[1] if items[1] > best else best
    for item in items[1:]:
        if item > best:
            best = item
    return best


def least(items: Any, default: Any) -> Any:
    found = False
    for item in items:
        if not found:
            best = item
            found = True
        elif item < best:
            best = item
    if not found:
        if default is _NOTHING:
            raise ValueError
        return default
    return best


def greatest(items: Any, default: Any) -> Any:
    found = False
    for item in items:
        if not found:
            best = item
            found = True
        elif item > best:
            best = item
    if not found:
        if default is _NOTHING:
            raise ValueError
        return default
    return best


def least_by(items: Any, key: Any, default: Any) -> Any:
    found = False
    for item in items:
        worth = key(item)
        if not found:
            best, least_worth = item, worth
            found = True
        elif worth < least_worth:
            best, least_worth = item, worth
    if not found:
        if default is _NOTHING:
            raise ValueError
        return default
    return best


def greatest_by(items: Any, key: Any, default: Any) -> Any:
    found = False
    for item in items:
        worth = key(item)
        if not found:
            best, most_worth = item, worth
            found = True
        elif worth > most_worth:
            best, most_worth = item, worth
    if not found:
        if default is _NOTHING:
            raise ValueError
        return default
    return best


def enumerate(items: Any, start: int = 0) -> Iterator[Any]:
    number = start
    for item in items:
        yield number, item
        number += 1


def map(function: Any, *iterables: Any) -> Any:
    return map_one(function, iterables[0]) if len(iterables) == 1 else starmap(function, zip(*iterables))


def map_one(function: Any, items: Any) -> Iterator[Any]:
    for item in items:
        yield function(item)


def starmap(function: Any, items: Any) -> Iterator[Any]:
    for item in items:
        yield function(*item)


def filter(function: Any, items: Any) -> Iterator[Any]:
    for item in items:
        if item if function is None else function(item):
            yield item


def reversed(items: Any) -> Iterator[Any]:
    row = in_row(items)
    place = len(row) - 1
    while place >= 0:
        yield row[place]
        place -= 1


def sorted(items: Any, key: Any = None, reverse: bool = False) -> Any:
    made = list(items)
    list_sort(made, key=key, reverse=reverse)
    return made


def reduce(function: Any, items: Any, *start: Any) -> Any:
    found = False
    if len(start) > 0:
        total = start[0]
        found = True
    for item in items:
        if not found:
            total = item
            found = True
        else:
            total = function(total, item)
    if not found:
        raise TypeError
    return total


def countOf(items: Any, wanted: Any) -> int:  # noqa: N802 - as Python has it
    times = 0
    for item in items:
        if item == wanted:
            times += 1
    return times


def indexOf(items: Any, wanted: Any) -> int:  # noqa: N802 - as Python has it
    at = 0
    for item in items:
        if item == wanted:
            return at
        at += 1
    raise ValueError


def runs_of(row: Any, key: Any) -> Iterator[Any]:
    start = 0
    while start < len(row):
        first = row[start] if key is None else key(row[start])
        end = start + 1
        while end < len(row) and (row[end] if key is None else key(row[end])) == first:
            end += 1
        yield first, row[start:end]
        start = end


def transposed(rows: Any) -> Iterator[Any]:
    size = 0
    first = True
    for row in rows:
        size = len(row) if first else min(size, len(row))
        first = False
    for place in range(size):
        yield tuple([row[place] for row in rows])


def flattened(rows: Any) -> Iterator[Any]:
    for row in rows:
        for item in row:
            yield item


def products_of(rows: Any) -> Iterator[Any]:
    for row in rows:
        if len(row) == 0:
            return
    places = [0] * len(rows)
    while True:
        yield tuple([row[at] for row, at in zip(rows, places)])
        at = len(rows) - 1
        while at >= 0 and places[at] == len(rows[at]) - 1:
            places[at] = 0
            at -= 1
        if at < 0:
            return
        places[at] += 1


def products(row: Any, times: int) -> Iterator[Any]:
    size = len(row)
    if size == 0 and times > 0:
        return
    places = [0] * times
    while True:
        yield tuple([row[at] for at in places])
        at = times - 1
        while at >= 0 and places[at] == size - 1:
            places[at] = 0
            at -= 1
        if at < 0:
            return
        places[at] += 1


def choices(row: Any, times: int) -> Iterator[Any]:
    size = len(row)
    if times < 0:
        raise ValueError
    if times > size:
        return
    places = list(range(times))
    while True:
        yield tuple([row[at] for at in places])
        at = times - 1
        while at >= 0 and places[at] == at + size - times:
            at -= 1
        if at < 0:
            return
        places[at] += 1
        for later in range(at + 1, times):
            places[later] = places[later - 1] + 1


def arrangements(row: Any, times: Any) -> Iterator[Any]:
    size = len(row)
    many = size if times is None else times
    if many < 0:
        raise ValueError
    if many > size:
        return
    places = list(range(size))
    cycles = list(range(size, size - many, -1))
    while True:
        yield tuple([row[places[at]] for at in range(many)])
        at = many - 1
        while at >= 0:
            cycles[at] -= 1
            if cycles[at] > 0:
                break
            first = places[at]
            for later in range(at, size - 1):
                places[later] = places[later + 1]
            places[size - 1] = first
            cycles[at] = size - at
            at -= 1
        if at < 0:
            return
        other = size - cycles[at]
        places[at], places[other] = places[other], places[at]


def repeat(item: Any, *times: Any) -> Any:
    return repeat_always(item) if len(times) == 0 else repeat_so_often(item, times[0])


def repeat_so_often(item: Any, times: int) -> Iterator[Any]:
    for _ in range(times):
        yield item


def repeat_always(item: Any) -> Iterator[Any]:
    while True:
        yield item


def cycle(items: Any) -> Iterator[Any]:
    row = in_row(items)
    while len(row) > 0:
        for item in row:
            yield item


def islice(items: Any, *limits: Any) -> Iterator[Any]:
    start = limits[0] if len(limits) > 1 else None
    last = limits[1] if len(limits) > 1 else limits[0]
    step = limits[2] if len(limits) > 2 else None
    wanted = 0 if start is None else start
    stride = 1 if step is None else step
    if wanted < 0 or stride < 1:
        raise ValueError
    if last is not None and wanted >= last:
        return
    place = 0
    for item in items:
        if place == wanted:
            yield item
            wanted += stride
            if last is not None and wanted >= last:
                return
        place += 1


def compress(items: Any, selectors: Any) -> Iterator[Any]:
    for item, wanted in zip(items, selectors):
        if wanted:
            yield item


def filterfalse(function: Any, items: Any) -> Iterator[Any]:
    for item in items:
        if not (item if function is None else function(item)):
            yield item


def count(start: int = 0, step: int = 1) -> Iterator[Any]:
    number = start
    while True:
        yield number
        number += step


def takewhile(test: Any, items: Any) -> Iterator[Any]:
    for item in items:
        if not test(item):
            return
        yield item


def dropwhile(test: Any, items: Any) -> Iterator[Any]:
    dropping = True
    for item in items:
        if dropping and test(item):
            continue
        dropping = False
        yield item


def accumulate(items: Any, function: Any = None, *, initial: Any = None) -> Iterator[Any]:
    found = False
    if initial is not None:
        total = initial
        found = True
        yield total
    for item in items:
        if not found:
            total = item
            found = True
        elif function is None:
            total = total + item
        else:
            total = function(total, item)
        yield total


def pairwise(items: Any) -> Iterator[Any]:
    found = False
    for item in items:
        if found:
            yield before, item
        before = item
        found = True
