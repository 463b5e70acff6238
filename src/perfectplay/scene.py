"""Scene: a board as shapes and places to click, as data that a page, a printed sheet or a slide can draw.

One cell of a board is 1 x 1; x grows to the right and y downwards, from 0 to the scene's width and height.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import inf
from reprlib import repr as short
from typing import Any, NamedTuple, Protocol

__all__ = [
    "Scene",
    "Shape",
    "circle",
    "line",
    "polygon",
    "rect",
    "scene_errors",
    "scene_group",
    "scene_json",
    "scene_svg",
    "text",
]

KINDS = {  # with the numbers that each is made of
    "rect": ("x", "y", "width", "height"),
    "circle": ("x", "y", "radius"),
    "line": ("x1", "y1", "x2", "y2"),
    "polygon": ("x1", "y1", "x2", "y2", "..."),
    "text": ("x", "y", "size"),  # x, y is the middle of it
}

STYLES = {  # what a shape means; who draws it decides how that looks
    "board": "the ground of a board",
    "cell": "a square of it",
    "dark": "the other squares, where they are chequered",
    "hole": "an empty place in the ground",
    "line": "a thin line of the board",
    "edge": "a place where a line may be drawn",
    "max": "a piece of MAX",
    "min": "a piece of MIN",
    "max-mark": "a detail on a piece of MAX, or a thick stroke: a closed shape is an outline",
    "min-mark": "the same for MIN",
    "max-area": "a region that MAX owns",
    "min-area": "a region that MIN owns",
    "piece": "a piece, or a line drawn, that is nobody's",
    "count": "a number on a piece or in a hole",
    "label": "coordinates and other words",
    "win": "a highlight, such as the winning line",
    "soft": "decoration",
}


COLOURS = {  # in which the pieces of MAX and of MIN are drawn
    "blue-orange": ("blue", "orange"),
    "white-black": ("white", "black"),
    "black-white": ("black", "white"),
    "none": ("", ""),  # nothing on the board is anybody's
}


class Shape(NamedTuple):
    """One shape of a scene. All shapes with the same `at` together are one place to click."""

    kind: str  # one of KINDS
    numbers: tuple[float, ...]  # where it is and how large, as KINDS says
    style: str  # one of STYLES
    text: str = ""  # what a "text" says
    at: str = ""  # the place to click that it belongs to
    label: str = ""  # what a screen reader says of it, as in "b2: X"


class Scene(NamedTuple):
    """A board: its shapes in the order in which they are drawn, and what to click for every legal action.

    An action is chosen by clicking its places in their order: `(action, ("e2", "e4"))`.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    clicks: tuple[tuple[Any, tuple[str, ...]], ...] = ()
    colours: str = "blue-orange"  # one of COLOURS


class Rules(Protocol):
    """What a scene needs to know of a game."""

    def to_move(self, state: Any) -> int:
        """Whose turn it is; below 0 it is chance's."""

    def chances(self, state: Any) -> Iterable[tuple[Any, float]]:
        """Where it is chance's turn, the outcomes with their probabilities."""

    def actions(self, state: Any) -> Iterable[Any]:
        """The legal actions."""

    def is_terminal(self, state: Any) -> bool:
        """Is the game over?"""

    def action_name(self, action: Any) -> str:
        """The action in the game's notation."""


# Making shapes.


def rect(
    x: float, y: float, width: float, height: float, style: str, *, at: str = "", label: str = ""
) -> Shape:
    """A rectangle, by its upper left corner."""
    return Shape("rect", _rounded(x, y, width, height), style, "", at, label)


def circle(x: float, y: float, radius: float, style: str, *, at: str = "", label: str = "") -> Shape:
    """A circle, by its middle."""
    return Shape("circle", _rounded(x, y, radius), style, "", at, label)


def line(
    x1: float, y1: float, x2: float, y2: float, style: str = "line", *, at: str = "", label: str = ""
) -> Shape:
    """A line from one point to another."""
    return Shape("line", _rounded(x1, y1, x2, y2), style, "", at, label)


def polygon(points: Iterable[tuple[float, float]], style: str, *, at: str = "", label: str = "") -> Shape:
    """A polygon, by its corners."""
    return Shape("polygon", _rounded(*(number for point in points for number in point)), style, "", at, label)


def text(
    x: float, y: float, size: float, words: str, style: str = "label", *, at: str = "", label: str = ""
) -> Shape:
    """A line of text, by its middle and the height of its letters."""
    return Shape("text", _rounded(x, y, size), style, words, at, label)


def _rounded(*numbers: float) -> tuple[float, ...]:
    """Numbers short enough to read and to send."""
    return tuple(round(number, 4) for number in numbers)


# What a page gets.


def scene_json(game: Rules, scene: Scene) -> dict[str, Any]:
    """A scene as JSON has it; texts that are empty are left out, and actions go by their names."""
    shapes = []
    for shape in scene.shapes:
        words = {"text": shape.text, "at": shape.at, "label": shape.label}
        drawn = {"kind": shape.kind, "numbers": list(shape.numbers), "style": shape.style}
        shapes.append(drawn | {name: word for name, word in words.items() if word})
    clicks = [
        {"action": game.action_name(action), "targets": list(places)} for action, places in scene.clicks
    ]
    width, height = _rounded(scene.width, scene.height)
    return {
        "width": width,
        "height": height,
        "shapes": shapes,
        "clicks": clicks,
        "colours": scene.colours,
    }


# A picture that needs no page.

# Fill, stroke, and the width of the stroke. Who is who can be told without colours, by the marks.
_PAINT = {
    "board": ("#e4dccb", "none", 0.03),
    "cell": ("#f8f5ee", "#c8bfac", 0.02),
    "dark": ("#e4dccb", "#c8bfac", 0.02),
    "hole": ("#f8f5ee", "#b3a88f", 0.02),
    "line": ("none", "#8d8470", 0.03),
    "edge": ("#ece6d9", "none", 0.06),
    "max": ("#a9c6e8", "#1f4e85", 0.03),
    "min": ("#f6c4a2", "#9c3d10", 0.03),
    "max-mark": ("none", "#1f4e85", 0.1),
    "min-mark": ("none", "#9c3d10", 0.1),
    "max-area": ("#d7e5f4", "none", 0.03),
    "min-area": ("#fae2d2", "none", 0.03),
    "piece": ("#a89e87", "#5f5744", 0.03),
    "count": ("#2b2822", "none", 0.03),
    "label": ("#5c564a", "none", 0.03),
    "win": ("#f7e7a9", "#3a8a4d", 0.06),
    "soft": ("#d3cab7", "#d3cab7", 0.03),
}
_WHITE = {
    "": ("#fffefa", "#3b3a36", 0.04),
    "-mark": ("none", "#6f6b60", 0.1),
    "-area": ("#f4f1e8", "none", 0.03),
}
_BLACK = {
    "": ("#45433d", "#1c1b18", 0.03),
    "-mark": ("none", "#1c1b18", 0.1),
    "-area": ("#d9d5c9", "none", 0.03),
}
_PAINTS = {"blue-orange": _PAINT, "none": _PAINT} | {
    colours: _PAINT | {f"{side}{part}": look for side, own in paints for part, look in own.items()}
    for colours, paints in (
        ("white-black", (("max", _WHITE), ("min", _BLACK))),
        ("black-white", (("max", _BLACK), ("min", _WHITE))),
    )
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def scene_svg(scene: Scene, *, unit: float = 48, title: str = "") -> str:
    """A scene as an SVG file of its own, with `unit` pixels a cell."""
    size = f'width="{scene.width * unit:g}" height="{scene.height * unit:g}"'
    view = f'viewBox="0 0 {scene.width:g} {scene.height:g}"'
    named = f"<title>{xml_text(title)}</title>" if title else ""
    drawn = scene_group(scene)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img">{named}{drawn}</svg>\n'


def scene_group(scene: Scene, x: float = 0, y: float = 0, scale: float = 1) -> str:
    """A scene as a group of an SVG file, with its upper left corner at x, y and cells of size `scale`."""
    paint = _PAINTS[scene.colours]
    drawn = "".join(_element(shape, paint) for shape in scene.shapes)
    moved = f' transform="translate({x:g} {y:g}) scale({scale:g})"' if (x, y, scale) != (0, 0, 1) else ""
    return f'<g font-family="system-ui,sans-serif" stroke-linecap="round"{moved}>{drawn}</g>'


def _element(shape: Shape, paint: Mapping[str, tuple[str, str, float]]) -> str:
    fill, stroke, width = paint[shape.style]
    if shape.kind == "text":
        x, y, size = shape.numbers
        place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" dy=".35em"'
        return f'<text {place} fill="{stroke if fill == "none" else fill}">{xml_text(shape.text)}</text>'
    ink = f'stroke="{fill if stroke == "none" else stroke}" stroke-width="{width:g}"'
    if shape.kind == "line":
        return f"<line {_attributes(shape)} {ink}/>"
    painted = f'fill="{fill}"' + (f" {ink}" if stroke != "none" else "")
    if shape.kind == "polygon":
        points = " ".join(f"{number:g}" for number in shape.numbers)
        return f'<polygon points="{points}" {painted} stroke-linejoin="round"/>'
    return f"<{shape.kind} {_attributes(shape)} {painted}/>"


def _attributes(shape: Shape) -> str:
    names = ("cx", "cy", "r") if shape.kind == "circle" else KINDS[shape.kind]
    return " ".join(f'{name}="{number:g}"' for name, number in zip(names, shape.numbers, strict=True))


def xml_text(words: str) -> str:
    """Words as XML can have them."""
    return escape(_NOT_IN_XML.sub("\ufffd", words))


# Is it right?

WHOLE = "give a Scene with a size, a tuple of Shapes and a tuple of clicks, or None"


class Fault(NamedTuple):
    """One thing that is wrong with a scene, and what to do about it."""

    kind: str  # as in "scene-outside"
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}: {self.remedy}."


def scene_errors(game: Rules, state: Any, scene: Any) -> list[str]:
    """What is wrong with the scene of a state, one sentence each."""
    return [str(fault) for fault in scene_faults(game, state, scene)]


def scene_faults(game: Rules, state: Any, scene: Any) -> list[Fault]:
    """What is wrong with the scene of a state, by kind; nothing where there is none."""
    if scene is None:
        return []
    if not is_scene(scene):
        return [Fault("scene-wrong", f"scene(state) gave {short(scene)}", WHOLE)]
    wrong = scene.colours not in COLOURS
    what = f"the scene has the colours {short(scene.colours)}"
    faults = [Fault("scene-colours", what, f"give one of {', '.join(COLOURS)}")] if wrong else []
    faults += [
        fault for number, shape in enumerate(scene.shapes) for fault in _shape_faults(scene, number, shape)
    ]
    return faults + list(_click_faults(_choices(game, state, scene), scene))


def _choices(game: Rules, state: Any, scene: Scene) -> list[Any]:
    """What can be clicked: the legal actions, and where chance moves its outcomes, or nothing."""
    if game.is_terminal(state):
        return []
    if game.to_move(state) < 0:
        return [outcome for outcome, _ in game.chances(state)] if scene.clicks else []
    return list(game.actions(state))


def is_scene(scene: Any) -> bool:
    """Is it a Scene of a size, made of Shapes, with pairs of an action and its places to click?"""
    if not isinstance(scene, Scene) or not isinstance(scene.shapes, tuple):
        return False
    return (
        all(_is_number(side) and side > 0 for side in (scene.width, scene.height))
        and all(_is_shape(shape) for shape in scene.shapes)
        and isinstance(scene.clicks, tuple)
        and all(_is_click(click) for click in scene.clicks)
        and isinstance(scene.colours, str)
    )


def _is_shape(shape: Any) -> bool:
    if not isinstance(shape, Shape) or not isinstance(shape.numbers, tuple):
        return False
    return all(isinstance(word, str) for word in (shape.kind, shape.style, shape.text, shape.at, shape.label))


def _is_click(click: Any) -> bool:
    if not isinstance(click, tuple) or len(click) != 2 or not isinstance(click[1], tuple):
        return False
    try:
        hash(click)
    except TypeError:
        return False
    return all(isinstance(place, str) for place in click[1])


def _is_number(number: Any) -> bool:
    return isinstance(number, int | float) and -inf < number < inf


def _shape_faults(scene: Scene, number: int, shape: Shape) -> Iterator[Fault]:
    name = f"shape {number} of the scene"
    if shape.kind not in KINDS:
        yield Fault("scene-kind", f"{name} is a {shape.kind!r}", f"give one of {', '.join(KINDS)}")
        return
    if shape.style not in STYLES:
        yield Fault(
            "scene-style", f"{name} has the style {shape.style!r}", f"give one of {', '.join(STYLES)}"
        )
    if not _is_measured(shape):
        what = f"{name}, a {shape.kind}, has the numbers {short(shape.numbers)}"
        wanted = ", ".join(KINDS[shape.kind])
        yield Fault("scene-numbers", what, f"give {wanted}, all finite, and no size below 0")
    elif not _is_inside(scene, shape):
        what = f"{name}, a {shape.kind} of {short(shape.numbers)}, leaves it"
        yield Fault("scene-outside", what, f"stay within 0 to {scene.width:g} and 0 to {scene.height:g}")


def _is_measured(shape: Shape) -> bool:
    """Are the numbers of a shape as many as they should be, finite, and those of its size not below 0?"""
    if not all(map(_is_number, shape.numbers)):
        return False
    if shape.kind == "polygon":
        return len(shape.numbers) >= 6 and len(shape.numbers) % 2 == 0
    sizes = shape.numbers[2:] if shape.kind != "line" else ()
    return len(shape.numbers) == len(KINDS[shape.kind]) and all(size >= 0 for size in sizes)


def _is_inside(scene: Scene, shape: Shape) -> bool:
    """Does all of a shape lie in the scene? Of a text its height counts: its width is up to the letters."""
    x, y, *rest = shape.numbers
    if shape.kind == "rect":
        xs, ys = [x, x + rest[0]], [y, y + rest[1]]
    elif shape.kind == "circle":
        xs, ys = [x - rest[0], x + rest[0]], [y - rest[0], y + rest[0]]
    elif shape.kind == "text":
        xs, ys = [x], [y - rest[0] / 2, y + rest[0] / 2]
    else:
        xs, ys = list(shape.numbers[::2]), list(shape.numbers[1::2])
    slack = 0.001  # numbers are rounded
    across = -slack <= min(xs) and max(xs) <= scene.width + slack
    return across and -slack <= min(ys) and max(ys) <= scene.height + slack


def _click_faults(actions: list[Any], scene: Scene) -> Iterator[Fault]:
    """Every legal action can be clicked, in its own way, and nothing else can."""
    legal, given = set(actions), Counter(action for action, _ in scene.clicks)
    wrong = [(action, "cannot be clicked") for action in actions if not given[action]]
    wrong += [(action, "can be clicked and is not legal") for action in given if action not in legal]
    wrong += [(action, "is in clicks more than once") for action, times in given.items() if times > 1]
    for action, how in wrong:
        yield Fault(
            "scene-clicks", f"the action {short(action)} {how}", "give every legal action once in clicks"
        )
    places = {shape.at for shape in scene.shapes if shape.at}
    first: dict[tuple[str, ...], Any] = {}
    for action, path in scene.clicks:
        lost = [place for place in path if place not in places]
        if lost or not path:
            where = f"at {lost[0]!r}, where no shape is" if lost else "nowhere"
            what = f"the action {short(action)} is clicked {where}"
            yield Fault("scene-targets", what, "name places that shapes are `at`")
        if first.setdefault(path, action) != action:
            what = (
                f"the actions {short(first[path])} and {short(action)} are both clicked at {', '.join(path)}"
            )
            yield Fault("scene-ambiguous", what, "give each places of its own")
