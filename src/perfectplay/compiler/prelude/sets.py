"""Sets, by the rules of Python's own: what is where in a table decides the order of walks through it."""

# ruff: noqa: A001, A002, D103, PLR2004
from __future__ import annotations

from typing import Any

from perfectplay.compiler.hashing import REUSES_DUMMIES
from perfectplay.compiler.prelude.arithmetic import undecided

__prelude__ = True
__trusted__ = True  # hashes wrap around
__inlined__ = {
    *("union_of", "intersection_of", "difference_of", "symmetric_difference_of", "set_copied", "kept_as"),
    *("set_union_all", "set_update_all", "set_intersection_all", "set_difference_all"),
    *("all_sets_union", "all_sets_intersection", "all_sets_difference", "all_sets_update"),
    *("set_copy", "set_intersection_update", "set_symmetric_difference_update", "set_difference_update"),
}
__apart__ = {
    *("table_resize", "table_merge", "table_take_over", "table_intersect", "table_subtract", "table_toggle"),
    *("table_drop_all", "hash_of_frozen", "is_subset"),
}

PROBES = 9
SHIFT = 5
FIRST, SECOND, FIFTH = 11400714785074694791, 14029467366897019727, 2870177450012600261
LENGTH_MIX = FIFTH ^ 3527539
TEXT_SEED, TEXT_PRIME = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
DUMMY_HASH = 2**64 - 1


# The compiler knows how: these say what they mean.


def hash_of(item: Any) -> int:
    return hash(item)


def word(number: int) -> int:
    return number % 2**64


def float_bits(number: float) -> Any: ...


def table_used(items: Any) -> Any: ...


def table_mask(items: Any) -> Any: ...


def table_fill(items: Any) -> Any: ...


def table_finger(items: Any) -> Any: ...


def table_count(items: Any, used: int, fill: int) -> None: ...


def table_point(items: Any, finger: int) -> None: ...


def table_renew(items: Any, slots: int) -> None: ...


def table_frozen(items: Any) -> Any: ...


def table_same(one: Any, other: Any) -> Any: ...


def slot_state(items: Any, at: int) -> Any: ...


def slot_hash(items: Any, at: int) -> Any: ...


def slot_item(items: Any, at: int) -> Any: ...


def slot_put(items: Any, at: int, item: Any, hash: int) -> None: ...


def slot_mark(items: Any, at: int, state: int, hash: int) -> None: ...


def as_set(items: Any) -> Any: ...


# Hashes.


def hash_of_text(text: str) -> int:
    mixed = word(TEXT_SEED)
    for letter in text:
        mixed = (mixed ^ ord(letter)) * TEXT_PRIME
    return mixed ^ (mixed >> 32)


def exact_hash_of_text(text: str, first: int, second: int) -> int:
    """As Python has it in this process (SipHash-1-3), for letters of one byte."""
    if len(text) == 0:
        return word(0)
    a, b = word(first) ^ 0x736F6D6570736575, word(second) ^ 0x646F72616E646F6D
    c, d = word(first) ^ 0x6C7967656E657261, word(second) ^ 0x7465646279746573
    block, shift = word(0), word(0)
    for letter in text:
        if ord(letter) > 255:
            undecided()
        block = block | (word(ord(letter)) << shift)
        shift = shift + 8
        if shift == 64:
            a, b, c, d = sip(a, b, c, d ^ block)
            a, block, shift = a ^ block, word(0), word(0)
    block = block | (word(len(text)) << 56)
    a, b, c, d = sip(a, b, c, d ^ block)
    a, c = a ^ block, c ^ 255
    a, b, c, d = sip(a, b, c, d)
    a, b, c, d = sip(a, b, c, d)
    a, b, c, d = sip(a, b, c, d)
    mixed = (a ^ b) ^ (c ^ d)
    return word(-2) if mixed == DUMMY_HASH else mixed


def sip(a: int, b: int, c: int, d: int) -> Any:
    a, c = a + b, c + d
    b, d = ((b << 13) | (b >> 51)) ^ a, ((d << 16) | (d >> 48)) ^ c
    a = (a << 32) | (a >> 32)
    c, a = c + b, a + d
    b, d = ((b << 17) | (b >> 47)) ^ c, ((d << 21) | (d >> 43)) ^ a
    return a, b, (c << 32) | (c >> 32), d


def hash_of_row(items: Any) -> int:
    mixed = word(FIFTH)
    for item in items:
        mixed = mixed + hash_of(item) * SECOND
        mixed = ((mixed << 31) | (mixed >> 33)) * FIRST
    mixed = mixed + (word(len(items)) ^ LENGTH_MIX)
    return word(1546275796) if mixed == DUMMY_HASH else mixed


def hash_of_frozen(items: Any) -> int:
    mixed = word(0)
    at = word(0)
    while at <= table_mask(items):
        if slot_state(items, at) == 1:
            one = slot_hash(items, at)
            mixed = mixed ^ (((one ^ 89869747) ^ (one << 16)) * 3644798167)
        at += 1
    mixed = mixed ^ (word(table_used(items) + 1) * 1927868237)
    mixed = mixed ^ ((mixed >> 11) ^ (mixed >> 25))
    mixed = mixed * 69069 + 907133923
    return word(590923713) if mixed == DUMMY_HASH else mixed


def hash_of_float(number: float) -> int:
    bits = float_bits(number)
    fraction = bits & 4503599627370495
    exponent = int((bits >> 52) & 2047)
    if exponent == 2047:
        return word(314159) if fraction == 0 and number > 0.0 else word(-314159) if fraction == 0 else word(0)
    if exponent == 0:
        if fraction == 0:
            return word(0)
        exponent = 1
    else:
        fraction = fraction | 4503599627370496
    turn = word((exponent - 1075) % 61)
    mixed = fraction
    if turn != 0:
        mixed = ((mixed << turn) & 2305843009213693951) | (mixed >> (word(61) - turn))
    if mixed == 2305843009213693951:
        mixed = word(0)
    if number < 0.0:
        mixed = word(0) - mixed
    return word(-2) if mixed == DUMMY_HASH else mixed


# Tables.


def table_find(items: Any, item: Any, hash: int) -> int:
    mask = table_mask(items)
    perturb = hash
    start = hash & mask
    while True:
        at = start
        last = start + PROBES if start + PROBES <= mask else start
        while at <= last:
            state = slot_state(items, at)
            if state == 0:
                return -1
            if state == 1 and slot_hash(items, at) == hash and slot_item(items, at) == item:
                return int(at)
            at += 1
        perturb >>= SHIFT
        start = (start * 5 + 1 + perturb) & mask


def table_add(items: Any, item: Any, hash: int) -> None:
    mask = table_mask(items)
    perturb = hash
    start = hash & mask
    free = -1
    while True:
        at = start
        last = start + PROBES if start + PROBES <= mask else start
        while at <= last:
            state = slot_state(items, at)
            if state == 0:
                used = table_used(items) + 1
                if free >= 0:
                    slot_put(items, free, item, hash)
                    table_count(items, used, table_fill(items))
                    return
                slot_put(items, at, item, hash)
                fill = table_fill(items) + 1
                table_count(items, used, fill)
                if fill * 5 >= int(mask) * 3:
                    table_resize(items, used * 2 if used > 50000 else used * 4)
                return
            if state == 1 and slot_hash(items, at) == hash and slot_item(items, at) == item:
                return
            if REUSES_DUMMIES and state == 2:
                free = int(at)
            at += 1
        perturb >>= SHIFT
        start = (start * 5 + 1 + perturb) & mask


def table_insert(items: Any, item: Any, hash: int) -> None:
    mask = table_mask(items)
    perturb = hash
    start = hash & mask
    while True:
        at = start
        last = start + PROBES if start + PROBES <= mask else start
        while at <= last:
            if slot_state(items, at) == 0:
                slot_put(items, at, item, hash)
                return
            at += 1
        perturb >>= SHIFT
        start = (start * 5 + 1 + perturb) & mask


def table_resize(items: Any, least: int) -> None:
    slots = 8
    while slots <= least:
        slots <<= 1
    used = table_used(items)
    old = table_frozen(items)
    if slots == 8 and table_mask(items) == 7 and table_fill(items) == used:
        return
    table_renew(items, slots)
    table_insert_all(items, old)
    table_count(items, used, used)


def table_insert_all(items: Any, others: Any) -> None:
    at = word(0)
    while at <= table_mask(others):
        if slot_state(others, at) == 1:
            table_insert(items, slot_item(others, at), slot_hash(others, at))
        at += 1


def table_make_room(items: Any, more: int) -> None:
    if (table_fill(items) + more) * 5 >= int(table_mask(items)) * 3:
        table_resize(items, (table_used(items) + more) * 2)


def table_merge(items: Any, others: Any) -> None:
    if table_same(items, others) or table_used(others) == 0:
        return
    used = table_used(others)
    table_make_room(items, used)
    at = word(0)
    if table_fill(items) == 0:
        if table_mask(items) == table_mask(others) and table_fill(others) == used:
            while at <= table_mask(others):
                if slot_state(others, at) == 1:
                    slot_put(items, at, slot_item(others, at), slot_hash(others, at))
                at += 1
        else:
            table_insert_all(items, others)
        table_count(items, used, used)
        return
    while at <= table_mask(others):
        if slot_state(others, at) == 1:
            table_add(items, slot_item(others, at), slot_hash(others, at))
        at += 1


def table_drop(items: Any, item: Any, hash: int) -> bool:
    at = table_find(items, item, hash)
    if at < 0:
        return False
    slot_mark(items, at, 2, DUMMY_HASH)
    table_count(items, table_used(items) - 1, table_fill(items))
    return True


def next_slot(items: Any, at: int) -> int:
    last = int(table_mask(items))
    while at <= last and slot_state(items, at) != 1:
        at += 1
    return at if at <= last else -1


def table_intersect(made: Any, one: Any, other: Any) -> None:
    at = word(0)
    while at <= table_mask(other):
        if slot_state(other, at) == 1 and table_find(one, slot_item(other, at), slot_hash(other, at)) >= 0:
            table_add(made, slot_item(other, at), slot_hash(other, at))
        at += 1


def table_subtract(made: Any, one: Any, other: Any) -> None:
    at = word(0)
    while at <= table_mask(one):
        if slot_state(one, at) == 1 and table_find(other, slot_item(one, at), slot_hash(one, at)) < 0:
            table_add(made, slot_item(one, at), slot_hash(one, at))
        at += 1


def table_drop_all(items: Any, others: Any) -> None:
    at = word(0)
    while at <= table_mask(others):
        if slot_state(others, at) == 1:
            table_drop(items, slot_item(others, at), slot_hash(others, at))
        at += 1


def table_tidy(items: Any) -> None:
    used = table_used(items)
    if table_fill(items) - used > int(table_mask(items)) // 4:
        table_resize(items, used * 2 if used > 50000 else used * 4)


def table_toggle(items: Any, others: Any) -> None:
    at = word(0)
    while at <= table_mask(others):
        if slot_state(others, at) == 1 and not table_drop(
            items, slot_item(others, at), slot_hash(others, at)
        ):
            table_add(items, slot_item(others, at), slot_hash(others, at))
        at += 1


# Operators.


def kept_as(made: Any, like: Any) -> Any:
    return made if isinstance(like, set) else table_frozen(made)


def set_copied(items: Any) -> Any:
    made: Any = set()
    table_merge(made, items)
    return made


def union_of(one: Any, other: Any) -> Any:
    made: Any = set()
    table_merge(made, one)
    if not table_same(one, other):
        made.update(other)
    return kept_as(made, one)


def intersection_of(one: Any, other: Any) -> Any:
    made: Any = set()
    if table_same(one, other):
        table_merge(made, one)
    elif table_used(other) > table_used(one):
        table_intersect(made, other, one)
    else:
        table_intersect(made, one, other)
    return kept_as(made, one)


def difference_of(one: Any, other: Any) -> Any:
    made: Any = set()
    if table_used(one) >> 2 > table_used(other):
        table_merge(made, one)
        table_drop_all(made, other)
        table_tidy(made)
    else:
        table_subtract(made, one, other)
    return kept_as(made, one)


def symmetric_difference_of(one: Any, other: Any) -> Any:
    made: Any = set()
    table_merge(made, other)
    table_toggle(made, one)
    return kept_as(made, one)


def is_subset(one: Any, other: Any) -> bool:
    if table_used(one) > table_used(other):
        return False
    at = word(0)
    while at <= table_mask(one):
        if slot_state(one, at) == 1 and table_find(other, slot_item(one, at), slot_hash(one, at)) < 0:
            return False
        at += 1
    return True


def is_proper_subset(one: Any, other: Any) -> bool:
    return table_used(one) < table_used(other) and is_subset(one, other)


def same_sets(one: Any, other: Any) -> bool:
    return table_used(one) == table_used(other) and is_subset(one, other)


# Methods.


def set_has(items: Any, item: Any) -> bool:
    return table_find(items, item, hash_of(item)) >= 0


def set_add(items: Any, item: Any) -> None:
    table_add(items, item, hash_of(item))


def set_discard(items: Any, item: Any) -> None:
    table_drop(items, item, hash_of(item))


def set_remove(items: Any, item: Any) -> None:
    if not table_drop(items, item, hash_of(item)):
        raise KeyError


def set_take(items: Any) -> Any:
    if table_used(items) == 0:
        raise KeyError
    at = word(table_finger(items)) & table_mask(items)
    while slot_state(items, at) != 1:
        at += 1
        if at > table_mask(items):
            at = word(0)
    item = slot_item(items, at)
    slot_mark(items, at, 2, DUMMY_HASH)
    table_count(items, table_used(items) - 1, table_fill(items))
    table_point(items, int(at) + 1)
    return item


def set_clear(items: Any) -> None:
    table_renew(items, 8)


def set_copy(items: Any) -> Any:
    return set_copied(items)


def frozenset_copy(items: Any) -> Any:
    return items


def is_disjoint(one: Any, others: Any) -> bool:
    for other in others:
        if other in one:
            return False
    return True


def intersection_with(made: Any, one: Any, others: Any) -> None:
    for other in others:
        if other in one:
            set_add(made, other)


def table_merge_unless(items: Any, others: Any, one: Any) -> None:
    if not table_same(others, one):
        table_merge(items, others)


def set_difference_update(items: Any, others: Any) -> None:
    if isinstance(others, set) or isinstance(others, frozenset):
        if table_same(items, others):
            set_clear(items)
        else:
            table_drop_all(items, others)
            table_tidy(items)
    else:
        for other in others:
            set_discard(items, other)
        table_tidy(items)


def set_symmetric_difference_update(items: Any, others: Any) -> None:
    given = as_set(others)
    if table_same(items, given):
        set_clear(items)
    else:
        table_toggle(items, given)


def set_intersection_update(items: Any, others: Any) -> None:
    kept = items.intersection(others)
    table_take_over(items, kept)


def table_take_over(items: Any, others: Any) -> None:
    table_renew(items, int(table_mask(others)) + 1)
    at = word(0)
    while at <= table_mask(others):
        if slot_state(others, at) == 1:
            slot_put(items, at, slot_item(others, at), slot_hash(others, at))
        elif slot_state(others, at) == 2:
            slot_mark(items, at, 2, DUMMY_HASH)
        at += 1
    table_count(items, table_used(others), table_fill(others))


# Methods of any number of sets.


def set_union_all(items: Any, others: Any) -> Any:
    made = set_copied(items)
    for other in others:
        made.update(other)
    return kept_as(made, items)


def set_update_all(items: Any, others: Any) -> None:
    for other in others:
        items.update(other)


def set_intersection_all(items: Any, others: Any) -> Any:
    made = set_copied(items)
    for other in others:
        table_take_over(made, made.intersection(other))
    return kept_as(made, items)


def set_difference_all(items: Any, others: Any) -> Any:
    made = set_copied(items)
    first = True
    for other in others:
        if first:
            table_take_over(made, items.difference(other))
        else:
            made.difference_update(other)
        first = False
    return kept_as(made, items)


def all_sets_union(rows: Any) -> Any:
    made = set_copied(rows[0])
    for place in range(1, len(rows)):
        made.update(rows[place])
    return made


def all_sets_intersection(rows: Any) -> Any:
    made = set_copied(rows[0])
    for place in range(1, len(rows)):
        table_take_over(made, made.intersection(rows[place]))
    return made


def all_sets_difference(rows: Any) -> Any:
    made = rows[0].difference(rows[1])
    for place in range(2, len(rows)):
        made.difference_update(rows[place])
    return made


def all_sets_update(rows: Any) -> None:
    for place in range(1, len(rows)):
        rows[0].update(rows[place])
