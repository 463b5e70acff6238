"""Printable pages: a sheet with blanks for each student, and the solution to be kept apart from it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from perfectplay.exercise.drawing import clean, drawn
from perfectplay.exercise.exercise import Exercise
from perfectplay.scene import scene_svg

TITLES = {
    "minimax": "Minimax",
    "alpha-beta": "Alpha-beta search",
    "expectiminimax": "Expectiminimax",
    "max-n": "max^n",
    "uct": "UCB1",
}
TASKS = {
    "minimax": ("Write the value of every node into its triangle.",),
    "alpha-beta": (
        "Write alpha and beta on entering into the box above every node.",
        "Strike out the branches that are cut. Leave empty what is never looked at.",
        "Write the value that every node returns into its triangle.",
    ),
    "expectiminimax": ("Write the value of every node into its triangle or circle.",),
    "max-n": ("Write the values of all players into every node, as in (1, 2, 3).",),
    "uct": ("Write UCB1 of every child of A into its triangle, with two digits after the point.",),
}
STYLE = """
@page { size: auto; margin: 14mm 15mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 180mm; color: #22262b; background: #fff;
  font: 9.5pt/1.35 system-ui, sans-serif; }
.page { break-after: page; }
.page:last-child { break-after: auto; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 8mm;
  border-bottom: .4mm solid #22262b; padding-bottom: 1.5mm; }
h1 { font-size: 15pt; margin: 0; }
h2 { font-size: 10.5pt; margin: 2mm 0 .6mm; }
.who { display: flex; gap: 5mm; }
.line { display: inline-block; border-bottom: .25mm solid #22262b; width: 48mm; }
.short { width: 24mm; }
.top { display: flex; gap: 8mm; align-items: flex-start; justify-content: space-between; margin-top: 3mm; }
.words { flex: 1 1 auto; }
.position { flex: 0 0 auto; margin: 0; max-width: 62mm; }
.position svg { display: block; max-width: 42mm; max-height: 34mm; width: auto; height: auto; }
.position pre { font: 9pt/1.2 ui-monospace, monospace; margin: 0; }
figcaption { font-size: 8.5pt; max-width: 46mm; overflow-wrap: anywhere; }
ul, ol { margin: 0; padding-left: 5mm; }
.tree { display: block; margin: 4mm auto 3mm; max-width: 100%; height: auto; break-inside: avoid; }
.choice { margin: 2mm 0; }
.notes, footer { font-size: 8pt; color: #51565c; overflow-wrap: anywhere; }
footer { margin-top: 3mm; border-top: .2mm solid #b9bec4; padding-top: 1mm; }
table { border-collapse: collapse; width: 100%; font-size: 8.8pt; line-height: 1.3; }
th, td { text-align: left; vertical-align: top; padding: .8mm 2mm .8mm 0; border-top: .2mm solid #d5d9dd; }
td:not(:last-child) { white-space: nowrap; }
@media screen { body { padding: 6mm; } .page { padding: 6mm 0; border-bottom: .3mm dashed #b9bec4; } }
"""


def sheet(exercises: Sequence[Exercise], links: Mapping[str, str] | None = None) -> str:
    """A page for each exercise, with blanks and without answers.

    The style is part of the file, unless there are `links` to one: addresses of a "stylesheet", an "icon".
    """
    return _document("Exercises", exercises, links, solved=False)


def solution(exercises: Sequence[Exercise], links: Mapping[str, str] | None = None) -> str:
    """The same pages filled in, with cuts marked and every value explained."""
    return _document("Solutions", exercises, links, solved=True)


def _document(
    title: str, exercises: Sequence[Exercise], links: Mapping[str, str] | None, *, solved: bool
) -> str:
    if links is None:
        digest = b64encode(sha256(STYLE.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'"
        style = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{STYLE}</style>'
    else:
        style = "\n".join(f'<link rel="{clean(kind)}" href="{clean(link)}">' for kind, link in links.items())
    pages = "\n".join("".join(_page(exercise, solved=solved)) for exercise in exercises)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{style}\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}: perfectplay</title>\n</head>\n'
        f"<body>\n{pages}\n</body>\n</html>\n"
    )


def _page(exercise: Exercise, *, solved: bool) -> Iterator[str]:
    title = TITLES[exercise.kind]
    who = '<div class="who"><span>Name <span class="line"></span></span>'
    who += '<span>Date <span class="line short"></span></span></div>'
    if solved:
        title, who = f"{title}: solution", ""
    yield f'<section class="page">\n<header><h1>{title}</h1>{who}</header>\n'
    if solved:
        yield f"<p>{clean(exercise.position)}</p>"
    else:
        rules = "".join(f"<li>{clean(rule)}</li>" for rule in exercise.rules)
        tasks = "".join(f"<li>{task}</li>" for task in TASKS[exercise.kind])
        choice = 'The move that is chosen at A: <span class="line short"></span>'
        yield f'<div class="top"><div class="words"><h2>The rules</h2><ul>{rules}</ul>'
        yield f"<h2>To do</h2><ol>{tasks}<li>{choice}</li></ol></div>{''.join(_position(exercise))}</div>\n"
    yield drawn(exercise, solved=solved)
    if solved:
        yield from _table(exercise)
    yield f'<p class="notes">{clean(" ".join(_notes(exercise)))}</p>\n'
    yield f"<footer>{clean(exercise.game)}, seed {exercise.seed}</footer>\n</section>"


def _position(exercise: Exercise) -> Iterator[str]:
    """The board at the root, larger than in the tree, with how it came about."""
    root = exercise.tree.root
    yield '<figure class="position">'
    if root.scene is not None:
        yield scene_svg(root.scene, unit=36, title="the position at A")
    elif root.text:
        yield f"<pre>{chr(10).join(map(clean, root.text.splitlines()))}</pre>"
    yield f"<figcaption>{clean(exercise.position)}</figcaption></figure>"


def _notes(exercise: Exercise) -> list[str]:
    ends = any(leaf.leaf == "end" for leaf in exercise.tree.leaves)
    frames = "A leaf in a double frame is the end of the game."
    signs = {"expectiminimax": "▲ is MAX, ▼ is MIN, ○ is chance.", "max-n": "P1 is player 1."}
    framed = [frames] * (ends and exercise.kind != "max-n")
    return [signs.get(exercise.kind, "▲ is MAX, ▼ is MIN."), *framed, *exercise.notes]


def _table(exercise: Exercise) -> Iterator[str]:
    """Every node with its answers and why they are right."""
    verdicts = {verdict.question: verdict for verdict in exercise.solution}
    prunes = exercise.kind == "alpha-beta"
    heads = ["Node", "Window", "Value", "Cut", "Why"] if prunes else ["Node", "Value", "Why"]
    yield f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>\n"
    for node in exercise.tree.inner:
        kinds = [f"{kind}:{node.name}" for kind in (("window", "value", "cuts") if prunes else ("value",))]
        found = [verdicts.get(kind) for kind in kinds]
        if not any(found):
            continue
        cells = [node.name, *(verdict.wanted if verdict else "none" for verdict in found)]
        reasons = dict.fromkeys(verdict.explanation for verdict in found[:2] if verdict)  # once is enough
        row = "".join(f"<td>{clean(cell)}</td>" for cell in [*cells, " ".join(reasons)])
        yield f"<tr>{row}</tr>\n"
    move = verdicts["move"]
    yield "</tbody></table>\n"
    yield f"<p>The move at A is <b>{clean(move.wanted)}</b>. {clean(move.explanation)}</p>\n"
