"""Counters and deques: what `collections` adds to dicts and lists."""

# ruff: noqa: A001, A002, D103
from __future__ import annotations

from typing import Any

from perfectplay.compiler.prelude.dicts import dict_add_entry, dict_find, dict_like, entry_set, entry_value
from perfectplay.compiler.prelude.lists import (
    list_behead,
    list_count,
    list_index,
    list_insert,
    list_pop,
    list_remove,
    list_reverse,
    list_shorten,
)
from perfectplay.compiler.prelude.sets import hash_of

__prelude__ = True
__inlined__ = {
    "dict_most_common",
    "dict_elements",
    "deque_copy",
    "counters_added",
    "counters_taken",
    "counters_joined",
    "counters_common",
}


def deque_touch(items: Any) -> None:
    """Note a change: the compiler knows how."""


def counter_add(items: Any, key: Any, more: Any) -> None:
    hash = hash_of(key)
    at = dict_find(items, key, hash)
    if at < 0:
        dict_add_entry(items, key, more, hash)
    else:
        entry_set(items, at, entry_value(items, at) + more)


def counter_add_all(items: Any, others: Any) -> None:
    for key, more in others.items():
        counter_add(items, key, more)


def counter_take_all(items: Any, others: Any) -> None:
    for key, less in others.items():
        counter_add(items, key, -less)


def counters_added(one: Any, other: Any) -> Any:
    """One + other: only what is left above zero, in the order of the first and then of the other."""
    made = dict_like(one)
    for key, count in one.items():
        if (sum := count + other[key]) > 0:
            made[key] = sum
    for key, count in other.items():
        if key not in one and count > 0:
            made[key] = count
    return made


def counters_taken(one: Any, other: Any) -> Any:
    """One - other"""
    made = dict_like(one)
    for key, count in one.items():
        if (rest := count - other[key]) > 0:
            made[key] = rest
    for key, count in other.items():
        if key not in one and count < 0:
            made[key] = -count
    return made


def counters_joined(one: Any, other: Any) -> Any:
    """One | other: the larger count of each."""
    made = dict_like(one)
    for key, count in one.items():
        larger = max(count, other[key])
        if larger > 0:
            made[key] = larger
    for key, count in other.items():
        if key not in one and count > 0:
            made[key] = count
    return made


def counters_common(one: Any, other: Any) -> Any:
    """One & other: the smaller count of each."""
    made = dict_like(one)
    for key, count in one.items():
        smaller = min(count, other[key])
        if smaller > 0:
            made[key] = smaller
    return made


def same_counters(one: Any, other: Any) -> bool:
    """One == other: what is not counted counts as 0."""
    for key, count in one.items():
        if count != other[key]:
            return False
    for key, count in other.items():
        if count != one[key]:
            return False
    return True


def dict_most_common(items: Any, most: Any = None) -> Any:
    pairs = sorted(items.items(), key=lambda pair: pair[1], reverse=True)
    return pairs if most is None else pairs[: max(most, 0)]


def dict_total(items: Any) -> Any:
    return sum(items.values())


def dict_elements(items: Any) -> Any:
    return [key for key, times in items.items() for _ in range(times)]


# Deques.


def deque_append(items: Any, item: Any) -> None:
    list_put(items, item)
    deque_touch(items)


def list_put(items: Any, item: Any) -> None:
    """items.append(item): the compiler knows how."""


def deque_appendleft(items: Any, item: Any) -> None:
    list_insert(items, 0, item)
    deque_touch(items)


def deque_extend(items: Any, others: Any) -> None:
    for other in others:
        deque_append(items, other)


def deque_extendleft(items: Any, others: Any) -> None:
    for other in others:
        deque_appendleft(items, other)


def deque_popleft(items: Any) -> Any:
    if len(items) == 0:
        raise IndexError
    item = items[0]
    list_behead(items)
    deque_touch(items)
    return item


def deque_pop(items: Any) -> Any:
    item = list_pop(items)
    deque_touch(items)
    return item


def deque_clear(items: Any) -> None:
    list_shorten(items, 0)
    deque_touch(items)


def deque_remove(items: Any, item: Any) -> None:
    list_remove(items, item)
    deque_touch(items)


def deque_reverse(items: Any) -> None:
    list_reverse(items)


def deque_rotate(items: Any, times: int = 1) -> None:
    size = len(items)
    if size > 1:
        for _ in range(times % size):
            list_insert(items, 0, list_pop(items))
        deque_touch(items)


def deque_count(items: Any, wanted: Any) -> int:
    return list_count(items, wanted)


def deque_index(items: Any, wanted: Any) -> int:
    return list_index(items, wanted)
