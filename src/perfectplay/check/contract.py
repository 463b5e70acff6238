"""The checks of one state: does the game keep its contract here?"""

from __future__ import annotations

from math import isclose
from numbers import Integral
from typing import Any

from perfectplay.check.answers import PLAYER, is_plain, picture, same
from perfectplay.check.inspection import BROKEN, MANY, REFUSED, Inspection, Place
from perfectplay.check.report import short
from perfectplay.game import CHANCE, MAX, MIN, RANKING
from perfectplay.scene import Scene, scene_faults

NUMBERS = ("key", "pack")  # that stand for a state in tables
ADD_UP = 1e-9  # as far as probabilities may be off
AFTER = 8  # actions of equal states whose results are compared
SCENES = 16  # of so many states one has its scene looked at, after the first hundred: they take their time


def _check_rules(look: Inspection, place: Place) -> None:
    """Whose turn it is, whether the game is over, and where the actions lead."""
    turn = look.ask(place, "to_move", place.state)
    if turn is not BROKEN and turn >= look.players:
        remedy = f"count from 0, and set `players` if there are more than {look.players}"
        look.note("to-move-wrong", place, f"to_move(state) gave {turn}", remedy)
    elif turn is not BROKEN and turn < 0 and not look.game.has_chance:
        remedy = f"{PLAYER}, or write chances(state), for {CHANCE} is CHANCE"
        look.note("to-move-wrong", place, f"to_move(state) gave {turn}", remedy)
    elif turn is not BROKEN:
        place.mover = turn
    over = look.ask(place, "is_terminal", place.state)
    if place.mover == CHANCE and over is not BROKEN and not over:
        _check_chances(look, place)
        return
    actions = look.ask(place, "actions", place.state)
    place.terminal = None  # until the actions agree
    if over is BROKEN or actions is BROKEN:
        return
    what = f"is_terminal(state) is {over}, and actions(state) gave {short(actions)}"
    if over and actions:
        look.note("actions-after-end", place, what)
        place.terminal, place.below = True, []
    elif not over and not actions:
        look.note("actions-missing", place, what)
    elif len(set(actions)) < len(actions):
        look.note("actions-repeated", place, f"actions(state) gave {short(actions)}")
    elif len(actions) > MANY:
        look.note("actions-many", place, f"actions(state) gave more than {MANY:,}")
    else:
        place.terminal = bool(over)
        _follow(look, place, actions)


def _check_chances(look: Inspection, place: Place) -> None:
    """Where chance moves: outcomes that differ, with probabilities above 0 that add up to 1."""
    pairs = look.ask(place, "chances", place.state)
    place.terminal = None
    if pairs is BROKEN:
        return
    what = f"chances(state) gave {short(pairs)}"
    outcomes = [outcome for outcome, _ in pairs]
    total = sum(p for _, p in pairs)
    if not pairs:
        look.note("chances-missing", place, what)
    elif len(pairs) > MANY:
        look.note("actions-many", place, f"chances(state) gave more than {MANY:,}")
    elif len(set(outcomes)) < len(outcomes):
        look.note("chances-repeated", place, what)
    elif any(p <= 0 for _, p in pairs):
        look.note("chances-not-positive", place, what)
    elif abs(total - 1) > ADD_UP:
        look.note("chances-not-one", place, f"{what}, which makes {float(total):.12g}")
    else:
        place.terminal, place.chances = False, dict(map(tuple, pairs))
        _follow(look, place, outcomes)


def _follow(look: Inspection, place: Place, actions: list[Any]) -> None:
    """Make the moves; a state that was there already is compared with its equal."""
    place.below = []
    for action in actions if len(actions) <= look.width else look.random.sample(actions, look.width):
        state = look.ask(place, "result", place.state, action)
        if state is not BROKEN:
            successor = look.arrive(state, place, action)
            place.below.append((action, successor))
            _check_equal_states(look, successor, state)
            if not is_plain(state):
                _check_equal_states(look, successor, look.quietly("result", place.state, action))
    place.whole = len(place.below) == len(actions)


def _check_equal_states(look: Inspection, place: Place, twin: Any) -> None:
    """States that are equal stand for each other in a table, so they must give equal answers."""
    alike = twin is place.state or (is_plain(twin) and repr(twin) == repr(place.state))
    if alike or place.twins > 3 or any(kind.endswith("-not-pure") for kind in look.found):
        return
    place.twins += 1
    number = "pack" if look.overrides("pack") else "key"
    rules = ("to_move", "is_terminal", "actions", number, *(("chances",) if look.game.has_chance else ()))
    for method in rules:
        mine, its = look.quietly(method, place.state), look.quietly(method, twin)
        if mine is not BROKEN and its is not BROKEN and not same(mine, its):
            what = f"{method}(state) is {short(mine)}, and {short(its)} for the equal state {short(twin)}"
            look.note(
                f"{method}-of-equal-states" if method in NUMBERS else "equal-states-differ", place, what
            )
            return
    if picture(twin) != picture(place.state):
        _check_after_equal_states(look, place, twin)


def _check_after_equal_states(look: Inspection, place: Place, twin: Any) -> None:
    """What they are worth, or what comes after them, must be equal as well."""
    if look.quietly("is_terminal", twin):
        questions = [("utility", MAX)]
    else:
        questions = [("result", action) for action in look.choices(twin)[:AFTER]]
    for method, given in questions:
        mine, its = look.quietly(method, place.state, given), look.quietly(method, twin, given)
        if mine is not BROKEN and its is not BROKEN and not same(mine, its):
            what = f"{method}(state, {short(given)}) is {short(mine)}, and {short(its)} for the equal state"
            look.note("equal-states-differ", place, f"{what} {short(twin)}")
            return


def _check_worth(look: Inspection, place: Place) -> None:
    """The worth to each player, and to MAX again after the others; it must add up to nothing."""
    method = "utility" if place.terminal else "evaluate"
    if place.terminal is None or not look.overrides(method):
        return
    players = range(min(look.players, 8))  # of whom each has a worth
    worths = [look.ask(place, method, place.state, player) for player in (*players, MAX)]
    if any(worth is BROKEN for worth in worths):
        return
    largest = max(map(abs, worths))
    if place.terminal:
        place.lower = place.upper = worths[MAX]
        look.largest_utility = max(look.largest_utility, largest)
    elif largest > look.largest_estimate[0]:
        look.largest_estimate = largest, place
    for player in players[1:] if look.game.zero_sum else ():
        if not isclose(worths[player], -worths[MAX], rel_tol=1e-9, abs_tol=1e-9):
            what = f"{method}(state, 0) is {short(worths[MAX])}"
            what = f"{what}, and {method}(state, {player}) is {short(worths[player])}"
            look.note("utility-not-zero-sum" if place.terminal else "evaluate-not-opposite", place, what)


def _check_key(look: Inspection, place: Place) -> None:
    """A key is an integer below 2**64 that no other state has."""
    key = look.ask(place, "key", place.state)
    other = place if key is BROKEN else look.keys.setdefault(key, place)
    if look.overrides("pack") and not look.overrides("key"):
        return  # it is told of what the key is made of
    if other is not place:
        what = f"key(state) is {key} for {short(other.state)} and for {short(place.state)}"
        look.note("key-collision", place, what)


def _check_pack(look: Inspection, place: Place) -> None:
    """A state is packed into a number of its own, and comes back from there."""
    packs, unpacks = look.overrides("pack"), look.overrides("unpack")
    if packs != unpacks and place.before is None:
        has, lacks = ("pack", "unpack") if packs else ("unpack", "pack")
        look.note("pack-alone", place, f"the class has {has}() and no {lacks}()")
    if not packs or not unpacks:
        return
    number = look.ask(place, "pack", place.state)
    if number is BROKEN:
        return
    first = look.packed.setdefault(number, place)
    back = look.ask(place, "unpack", number)
    if first is not place:
        other = first.state
    elif back is BROKEN or same(back, place.state):
        return
    elif same(look.quietly("pack", back), number):
        other = back
    else:
        what = f"pack(state) is {short(number)}, and unpack of that is {short(back)}"
        look.note("unpack-not-inverse", place, what)
        return
    what = f"pack(state) is {short(number)} for {short(other)} and for {short(place.state)}"
    look.note("pack-collision", place, what)


def _check_rank(look: Inspection, place: Place) -> None:
    """What stands for a state has a rank of its own in its tier, and comes back from there."""
    has = [name for name in RANKING if look.overrides(name)]
    if has and len(has) < len(RANKING) and place.before is None:
        lacks = next(name for name in RANKING if name not in has)
        look.note("rank-alone", place, f"the class has {has[0]}() and no {lacks}()")
    if len(has) < len(RANKING):
        return
    chosen = look.quietly("canonical", place.state)
    tier = BROKEN if chosen is BROKEN else look.quietly("tier", chosen)
    number = BROKEN if tier is BROKEN else look.ask(place, "rank", chosen)
    if number is BROKEN or (ranks := look.ask(place, "ranks", tier)) is BROKEN:
        return
    if number >= ranks:
        what = f"rank(state) is {short(number)} and ranks({tier}) is {short(ranks)}"
        look.note("rank-too-large", place, what)
        return
    first = look.ranked.setdefault((tier, number), chosen)
    back = look.ask(place, "unrank", tier, number)
    if not same(first, chosen):
        what = f"rank(state) is {short(number)} for {short(first)} and for {short(chosen)}, in tier {tier}"
        look.note("rank-collision", place, what)
    elif back is not BROKEN and not same(back, chosen):
        what = f"rank(state) is {short(number)}, and unrank({tier}, {short(number)}) is {short(back)}"
        look.note("unrank-not-inverse", place, what)


def _check_canonical(look: Inspection, place: Place) -> None:
    """The representative of a state represents itself, and is the same game for the same player."""
    image = look.ask(place, "canonical", place.state) if look.overrides("canonical") else place.state
    if image is BROKEN or same(image, place.state):
        return
    place.image = image
    again = look.call(place, "canonical", image) if look.thorough else image
    if again is not BROKEN and not same(again, image):
        what = f"canonical(state) is {short(image)}, whose own canonical state is {short(again)}"
        look.note("canonical-not-idempotent", place, what)
        return
    questions: list[tuple[str, tuple[int, ...]]] = [("to_move", ()), ("is_terminal", ())]
    questions += [("utility", (MAX,))] if place.terminal else []
    questions += [("tier", ())] if look.thorough and look.overrides("tier") else []
    for method, player in questions:
        mine, its = look.quietly(method, place.state, *player), look.call(place, method, image, *player)
        if mine is not BROKEN and its is not BROKEN and not same(mine, its):
            what = f"{method}() gives {short(mine)}, and {short(its)} for the canonical {short(image)}"
            look.note(f"canonical-changes-{method}", place, what)
            return


def _check_tier(look: Inspection, place: Place) -> None:
    """A tier is a number that no action lowers."""
    if not look.overrides("tier"):
        return
    if place.tier is None or look.thorough:
        tier = look.ask(place, "tier", place.state)
        if tier is BROKEN:
            return
        place.tier = int(tier)
    for action, child in place.below or ():
        if child.tier is None:
            answer = look.quietly("tier", child.state)
            child.tier = int(answer) if isinstance(answer, Integral) else None  # it is told when it is asked
        if child.tier is not None and child.tier < place.tier:
            what = f"the action {short(action)} leads from tier {place.tier} down to tier {child.tier}"
            look.note("tier-falls", place, what)


def _check_hints(look: Inspection, place: Place) -> None:
    """What helps a search: the limits of the value, the order of the actions, quiet states."""
    if look.overrides("bounds"):
        claims = [look.ask(place, "bounds", place.state, player) for player in (MAX, MIN)[: look.players]]
        place.claims = () if any(claim is BROKEN for claim in claims) else tuple(claims)
    chooses = place.below and place.mover != CHANCE
    if chooses and look.overrides("candidates"):
        _check_candidates(look, place)
    if chooses and place.below and look.overrides("order"):
        for action, _ in look.random.sample(place.below, min(len(place.below), 8)):
            look.ask(place, "order", place.state, action)
    if place.below and look.overrides("is_quiet"):
        look.ask(place, "is_quiet", place.state)


def _check_candidates(look: Inspection, place: Place) -> None:
    """Some of the legal actions, at least one."""
    candidates = look.ask(place, "candidates", place.state)
    if candidates is BROKEN:
        return
    actions = look.quietly("actions", place.state)
    strangers = [each for each in candidates if not any(same(each, action) for action in actions)]
    if strangers:
        what = f"candidates(state) gave {short(strangers[0])}, which is not a legal action"
        look.note("candidates-not-legal", place, what)
    elif not candidates:
        look.note("candidates-missing", place, "candidates(state) gave none")
    else:
        place.candidates = candidates


def _check_notation(look: Inspection, place: Place) -> None:
    """What people see and type: the board, and a name for every action that can be read back."""
    if not look.thorough:
        return
    look.ask(place, "render", place.state)
    if place.terminal is None:
        return
    actions: dict[str, Any] = {}
    for action, _ in place.below or ():
        if action not in look.names:
            look.names[action] = look.ask(place, "action_name", action)
        name = look.names[action]
        if name is BROKEN:
            return
        if name in actions:
            what = f"the actions {short(actions[name])} and {short(action)} are both called {name!r}"
            look.note("action-name-ambiguous", place, what)
            return
        actions[name] = action
    for name in look.random.sample(list(actions), min(len(actions), 3)):
        answer = look.call(place, "parse_action", place.state, name)
        if answer is not BROKEN and not same(answer, actions[name]):
            reads = "refuses" if answer is REFUSED else f"reads as {short(answer)}"
            what = f"the action {short(actions[name])} is called {name!r}, which parse_action() {reads}"
            look.note("parse-action-not-inverse", place, what)
            return
    if place.terminal and look.choices(place.state):
        return  # actions after the end, which is said already: names are read by these
    text = look.random.choice(["", "?!", str(look.names.get(place.action))])
    answer = look.call(place, "parse_action", place.state, text)
    if answer is REFUSED or answer is BROKEN:
        return
    if not any(same(answer, action) for action in look.choices(place.state)):
        what = f"parse_action(state, {text!r}) gave {short(answer)}, which is not a legal action"
        look.note("parse-action-accepts-nonsense", place, what)


def _check_scene(look: Inspection, place: Place) -> None:
    """The board as shapes, where there is one: well drawn, and every legal action can be clicked."""
    if not look.overrides("scene") or (look.examined > 100 and look.examined % SCENES):
        return
    scene = look.ask(place, "scene", place.state)
    if isinstance(scene, Scene) and place.terminal is not None:
        told: set[str] = set()  # what is wrong with one shape is often wrong with many
        for fault in scene_faults(look.game, place.state, scene):
            if fault.kind not in told:
                look.note(fault.kind, place, fault.what, fault.remedy)
            told.add(fault.kind)


CHECKS = (
    _check_rules,
    _check_worth,
    _check_key,
    _check_pack,
    _check_rank,
    _check_canonical,
    _check_tier,
    _check_hints,
    _check_notation,
    _check_scene,
)
