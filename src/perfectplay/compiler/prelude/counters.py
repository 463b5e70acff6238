"""Counters and deques: what `collections` adds to dicts and lists."""

# ruff: noqa: A001, A002, D103
from __future__ import annotations

from typing import Any

from perfectplay.compiler.prelude.dicts import (
    dict_add_entry,
    dict_delete,
    dict_find,
    dict_like,
    entry_set,
    entry_value,
)
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
    "counter_plus",
    "counter_minus",
    "counter_or",
    "counter_and",
    "counter_positive",
    "counter_negative",
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


def counter_plus(one: Any, other: Any) -> Any:
    made = dict_like(one)
    for key, times in one.items():
        if times + other[key] > 0:
            made[key] = times + other[key]
    for key, times in other.items():
        if key not in one and times > 0:
            made[key] = times
    return made


def counter_minus(one: Any, other: Any) -> Any:
    made = dict_like(one)
    for key, times in one.items():
        if times - other[key] > 0:
            made[key] = times - other[key]
    for key, times in other.items():
        if key not in one and times < 0:
            made[key] = -times
    return made


def counter_or(one: Any, other: Any) -> Any:
    made = dict_like(one)
    for key, times in one.items():
        if max(times, other[key]) > 0:
            made[key] = max(times, other[key])
    for key, times in other.items():
        if key not in one and times > 0:
            made[key] = times
    return made


def counter_and(one: Any, other: Any) -> Any:
    made = dict_like(one)
    for key, times in one.items():
        if min(times, other[key]) > 0:
            made[key] = min(times, other[key])
    return made


def counter_positive(items: Any) -> Any:
    made = dict_like(items)
    for key, times in items.items():
        if times > 0:
            made[key] = times
    return made


def counter_negative(items: Any) -> Any:
    made = dict_like(items)
    for key, times in items.items():
        if times < 0:
            made[key] = -times
    return made


def counter_keep(items: Any) -> None:
    for key in [key for key, times in items.items() if times <= 0]:
        dict_delete(items, key)


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
    if deque_limit(items) == len(items):
        if len(items) == 0:
            return
        list_behead(items)
    list_put(items, item)
    deque_touch(items)


def deque_maxlen(items: Any) -> Any:
    return None if deque_limit(items) < 0 else deque_limit(items)


def deque_limit(items: Any) -> int:
    """How many elements there may be, or -1: the compiler knows how."""
    return -1


def list_keep_last(items: Any, most: int) -> None:
    while len(items) > most:
        list_behead(items)


def list_put(items: Any, item: Any) -> None:
    """items.append(item): the compiler knows how."""


def deque_appendleft(items: Any, item: Any) -> None:
    if deque_limit(items) == len(items):
        if len(items) == 0:
            return
        list_pop(items)
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
