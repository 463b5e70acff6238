"""The page of a trace: one file that holds the player and what it shows, and asks the network for nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from perfectplay.trace.document import Trace

STYLES = ("board.css", "player.css")
ENTRY = "page.js"
PLACE = "<!-- traces -->"  # where they are to stand in an empty page
_IMPORT = re.compile(r'^(?:import|export) [^;]*? from "\./([\w.-]+)";\n', re.MULTILINE)
_STYLE_IMPORT = re.compile(r'^@import "\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class |const |function |async |let )", re.MULTILINE)
# What could end a script or start a comment in HTML, or a line in an old JavaScript.
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="theatre-page">
<main id="theatre"></main>
<noscript><p class="player-failed">This page shows its tree with JavaScript: allow it here.</p></noscript>
{traces}
<script type="module">{script}</script>
</body>
</html>
"""


def page(trace: Trace, beside: Trace | None = None) -> str:
    """The player with this trace in it as one HTML file; with two, they stand side by side."""
    shown = [trace] if beside is None else [trace, beside]
    names = " and ".join(each.algorithm for each in shown)
    held = [f'<script type="application/json">{_inert(each.to_json())}</script>' for each in shown]
    return _page(f"{names} on {trace.game}", "\n".join(held))


@cache
def empty_page() -> str:
    """The same file without a trace: whoever has one puts it in the place of `PLACE`, as `page` does."""
    return _page("A search", PLACE)


def _page(title: str, held: str) -> str:
    style, script = _style(), _script(ENTRY)
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return PAGE.format(
        policy=policy,
        title=escape(title),
        style=style,
        traces=held,
        script=script,
    )


def _inert(json: str) -> str:
    """The same JSON without a letter that means something in HTML: these only occur within its strings."""
    return json.translate(_UNSAFE)


def _hashed(text: str) -> str:
    """The source of a Content-Security-Policy that allows this text and no other."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _style() -> str:
    """The style sheets as one, with those that they import in their places."""
    return "".join(_STYLE_IMPORT.sub(lambda found: _static(found[1]), _static(name)) for name in STYLES)


@cache
def _script(entry: str) -> str:
    """The modules that `entry` imports, each once and before those who need it, and itself, as one."""
    found: dict[str, str] = {}

    def gather(name: str) -> None:
        if name in found:
            return
        found[name] = ""  # modules do not import each other in a circle
        text = _static(name)
        for imported in _IMPORT.findall(text):
            gather(imported)
        del found[name]
        found[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    gather(entry)
    return "".join(found.values())


def _static(name: str) -> str:
    return files("perfectplay.trace").joinpath("static", name).read_text(encoding="utf-8")
