"""Sorting: stable, by insertion where there are few and by merging where there are more."""

# ruff: noqa: D103
from __future__ import annotations

from typing import Any

__prelude__ = True
__trusted__ = True  # only places are counted
__apart__ = {"sort_plain", "merge_plain", "sort_keyed", "merge_keyed"}

RUN = 16


def is_before(one: Any, other: Any, backwards: bool) -> bool:
    if backwards:
        return bool(other < one)
    return bool(one < other)


def sort_plain(items: Any, backwards: bool) -> None:
    size = len(items)
    start = 0
    while start < size:
        insert_plain(items, start, min(start + RUN, size), backwards)
        start += RUN
    if size > RUN:
        spare = list(items)
        run = RUN
        while run < size:
            start = 0
            while start + run < size:
                merge_plain(items, spare, start, start + run, min(start + 2 * run, size), backwards)
                start += 2 * run
            run *= 2


def insert_plain(items: Any, start: int, end: int, backwards: bool) -> None:
    place = start + 1
    while place < end:
        item = items[place]
        at = place
        while at > start and is_before(item, items[at - 1], backwards):
            items[at] = items[at - 1]
            at -= 1
        items[at] = item
        place += 1


def merge_plain(items: Any, spare: Any, start: int, middle: int, end: int, backwards: bool) -> None:
    at = start
    while at < middle:
        spare[at] = items[at]
        at += 1
    left, right, at = start, middle, start
    while left < middle:
        if right < end and is_before(items[right], spare[left], backwards):
            items[at] = items[right]
            right += 1
        else:
            items[at] = spare[left]
            left += 1
        at += 1


def sort_keyed(items: Any, keys: Any, backwards: bool) -> None:
    """The same, with a row of what is compared beside the items."""
    size = len(items)
    start = 0
    while start < size:
        insert_keyed(items, keys, start, min(start + RUN, size), backwards)
        start += RUN
    if size > RUN:
        spare, spare_keys = list(items), list(keys)
        run = RUN
        while run < size:
            start = 0
            while start + run < size:
                end = min(start + 2 * run, size)
                merge_keyed(items, keys, spare, spare_keys, start, start + run, end, backwards)
                start += 2 * run
            run *= 2


def insert_keyed(items: Any, keys: Any, start: int, end: int, backwards: bool) -> None:
    place = start + 1
    while place < end:
        item, key = items[place], keys[place]
        at = place
        while at > start and is_before(key, keys[at - 1], backwards):
            items[at], keys[at] = items[at - 1], keys[at - 1]
            at -= 1
        items[at], keys[at] = item, key
        place += 1


def merge_keyed(
    items: Any, keys: Any, spare: Any, spare_keys: Any, start: int, middle: int, end: int, backwards: bool
) -> None:
    at = start
    while at < middle:
        spare[at], spare_keys[at] = items[at], keys[at]
        at += 1
    left, right, at = start, middle, start
    while left < middle:
        if right < end and is_before(keys[right], spare_keys[left], backwards):
            items[at], keys[at] = items[right], keys[right]
            right += 1
        else:
            items[at], keys[at] = spare[left], spare_keys[left]
            left += 1
        at += 1
