"""Dicts: entries in the order in which they came, and an index of hashes where there are more than a few."""

# ruff: noqa: A001, A002, D103, PLR2004
from __future__ import annotations

from typing import Any

from perfectplay.compiler.prelude.sets import hash_of

__prelude__ = True
__trusted__ = True  # hashes wrap around
__inlined__ = {"dict_copy", "dict_of_lists_copied", "dict_union_of", "default_item"}
__apart__ = {"dict_grow", "dict_merge", "same_dicts"}

FEW = 8
SHIFT = 5


# The compiler knows how: these say what they mean.


def dict_used(items: Any) -> Any: ...


def dict_fill(items: Any) -> Any: ...


def dict_room(items: Any) -> Any: ...


def dict_mask(items: Any) -> Any: ...


def dict_count(items: Any, used: int, fill: int) -> None: ...


def dict_snapshot(items: Any) -> Any: ...


def dict_renew(items: Any, room: int) -> None: ...


def dict_like(items: Any) -> Any: ...


def index_at(items: Any, place: int) -> Any: ...


def index_put(items: Any, place: int, number: int) -> None: ...


def entry_hash(items: Any, at: int) -> Any: ...


def entry_state(items: Any, at: int) -> Any: ...


def entry_key(items: Any, at: int) -> Any: ...


def entry_value(items: Any, at: int) -> Any: ...


def entry_put(items: Any, at: int, key: Any, value: Any, hash: int) -> None: ...


def entry_set(items: Any, at: int, value: Any) -> None: ...


def entry_drop(items: Any, at: int) -> None: ...


# Entries.


def dict_find(items: Any, key: Any, hash: int) -> int:
    if dict_room(items) <= FEW:
        at = 0
        fill = dict_fill(items)
        while at < fill:
            if entry_hash(items, at) == hash and entry_state(items, at) == 1 and entry_key(items, at) == key:
                return at
            at += 1
        return -1
    mask = dict_mask(items)
    perturb = hash
    place = hash & mask
    while True:
        at = index_at(items, place) - 1
        if at < 0:
            return -1
        if entry_hash(items, at) == hash and entry_state(items, at) == 1 and entry_key(items, at) == key:
            return at
        perturb >>= SHIFT
        place = (place * 5 + 1 + perturb) & mask


def dict_add_entry(items: Any, key: Any, value: Any, hash: int) -> int:
    if dict_fill(items) == dict_room(items):
        dict_grow(items)
    return dict_place_entry(items, key, value, hash)


def dict_place_entry(items: Any, key: Any, value: Any, hash: int) -> int:
    at = dict_fill(items)
    entry_put(items, at, key, value, hash)
    dict_count(items, dict_used(items) + 1, at + 1)
    if dict_room(items) > FEW:
        mask = dict_mask(items)
        perturb = hash
        place = hash & mask
        while index_at(items, place) != 0:
            perturb >>= SHIFT
            place = (place * 5 + 1 + perturb) & mask
        index_put(items, place, at + 1)
    return at


def dict_grow(items: Any) -> None:
    old = dict_snapshot(items)
    room = FEW
    while room <= dict_used(items) + dict_used(items) // 2:
        room *= 2
    dict_renew(items, room)
    at = 0
    while at < dict_fill(old):
        if entry_state(old, at) == 1:
            dict_place_entry(items, entry_key(old, at), entry_value(old, at), entry_hash(old, at))
        at += 1


def next_entry(items: Any, at: int) -> int:
    fill = dict_fill(items)
    while at < fill and entry_state(items, at) != 1:
        at += 1
    return at if at < fill else -1


# Methods and operators.


def dict_has(items: Any, key: Any) -> bool:
    return dict_find(items, key, hash_of(key)) >= 0


def dict_item(items: Any, key: Any) -> Any:
    at = dict_find(items, key, hash_of(key))
    if at < 0:
        raise KeyError
    return entry_value(items, at)


def counter_item(items: Any, key: Any) -> Any:
    at = dict_find(items, key, hash_of(key))
    return 0 if at < 0 else entry_value(items, at)


def default_item(items: Any, key: Any, make: Any) -> Any:
    hash = hash_of(key)
    at = dict_find(items, key, hash)
    if at < 0:
        at = dict_add_entry(items, key, make(), hash)
    return entry_value(items, at)


def dict_set(items: Any, key: Any, value: Any) -> None:
    hash = hash_of(key)
    at = dict_find(items, key, hash)
    if at < 0:
        dict_add_entry(items, key, value, hash)
    else:
        entry_set(items, at, value)


def dict_get(items: Any, key: Any, default: Any = None) -> Any:
    at = dict_find(items, key, hash_of(key))
    return default if at < 0 else entry_value(items, at)


def dict_setdefault(items: Any, key: Any, default: Any = None) -> Any:
    hash = hash_of(key)
    at = dict_find(items, key, hash)
    if at < 0:
        at = dict_add_entry(items, key, default, hash)
    return entry_value(items, at)


def dict_delete(items: Any, key: Any) -> None:
    at = dict_find(items, key, hash_of(key))
    if at < 0:
        raise KeyError
    dict_forget(items, at)


def dict_forget(items: Any, at: int) -> None:
    entry_drop(items, at)
    dict_count(items, dict_used(items) - 1, dict_fill(items))


def dict_pop(items: Any, key: Any, *default: Any) -> Any:
    at = dict_find(items, key, hash_of(key))
    if at < 0:
        if len(default) == 0:
            raise KeyError
        return default[0]
    value = entry_value(items, at)
    dict_forget(items, at)
    return value


def dict_popitem(items: Any, last: Any = True) -> Any:
    at = dict_fill(items) - 1
    if not last:
        end, at = at, 0
        while at < end and entry_state(items, at) != 1:
            at += 1
    while at >= 0 and entry_state(items, at) != 1:
        at -= 1
    if at < 0:
        raise KeyError
    key, value = entry_key(items, at), entry_value(items, at)
    dict_forget(items, at)
    return key, value


def dict_move_to_end(items: Any, key: Any, last: Any = True) -> None:
    if not last:
        raise NotImplementedError
    value = items[key]
    del items[key]
    items[key] = value


def dict_clear(items: Any) -> None:
    dict_renew(items, 0)


def dict_merge(items: Any, others: Any) -> None:
    at = 0
    while at < dict_fill(others):
        if entry_state(others, at) == 1:
            place = dict_find(items, entry_key(others, at), entry_hash(others, at))
            if place < 0:
                dict_add_entry(items, entry_key(others, at), entry_value(others, at), entry_hash(others, at))
            else:
                entry_set(items, place, entry_value(others, at))
        at += 1


def dict_copy(items: Any) -> Any:
    made = dict_like(items)
    dict_merge(made, items)
    return made


def dict_of_lists_copied(items: Any) -> Any:
    made = dict_like(items)
    for key, row in items.items():
        made[key] = row[:]
    return made


def dict_union_of(one: Any, other: Any) -> Any:
    made = dict_like(one)
    dict_merge(made, one)
    dict_merge(made, other)
    return made


def same_dicts(one: Any, other: Any) -> bool:
    if dict_used(one) != dict_used(other):
        return False
    at = 0
    while at < dict_fill(one):
        if entry_state(one, at) == 1:
            place = dict_find(other, entry_key(one, at), entry_hash(one, at))
            if place < 0 or entry_value(one, at) != entry_value(other, place):
                return False
        at += 1
    return True
