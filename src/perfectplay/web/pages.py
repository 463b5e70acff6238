"""The pages, scripts and styles that a browser loads: files of ours, read once and sent from memory."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HERE = Path(__file__).parent
PLACES = {"/static/": HERE / "static", "/theatre/": HERE.parent / "trace" / "static"}
FOREVER = "public, max-age=31536000, immutable"
WORTH_PACKING = 1024  # bytes

# Browsers are told not to guess, and what the operating system believes about .js differs.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class File(NamedTuple):
    """A file as it is sent."""

    kind: str
    content: bytes
    packed: bytes  # by gzip, or nothing where that is not worth it
    tag: str


class Pages:
    """All files of some places, each with an address that changes with what is in them.

    A browser keeps what has such an address for good: who comes again loads one page and nothing else. In the
    files themselves, addresses of other files are written without it, and put right when they are read.
    """

    def __init__(self, places: dict[str, Path] = PLACES, prefix: str = "") -> None:
        found = [(place, *each) for place, path in places.items() for each in _files(path)]
        digest = sha256()
        for place, name, content in found:
            digest.update(f"{place}{name} {len(content)} ".encode() + content)
        self.version = f"v{digest.hexdigest()[:12]}"
        self.files = {
            f"{place}{name}": _file(name, self._addressed(name, content, places, prefix))
            for place, name, content in found
        }

    def _addressed(self, name: str, content: bytes, places: Iterable[str], prefix: str) -> bytes:
        if not name.endswith((".html", ".js", ".css")):
            return content
        for place in places:
            content = content.replace(f'"{place}'.encode(), f'"{prefix}{place}{self.version}/'.encode())
        for place in ("/api/", "/exercise/", "/trace/"):
            for quote in '"`':
                content = content.replace(f"{quote}{place}".encode(), f"{quote}{prefix}{place}".encode())
        return content.replace(b'href="/"', f'href="{prefix}/"'.encode())

    def response(self, path: str, headers: Headers) -> Response:
        """The file at that path, or 304 where the browser has it, or 404 where there is none."""
        place, _, rest = path[1:].partition("/")
        version, _, name = rest.partition("/")
        known = version == self.version
        file = self.files.get(f"/{place}/{name}" if known else path)
        if file is None:
            raise HTTPException(404)
        more = {
            "Cache-Control": FOREVER if known else "no-cache",
            "ETag": file.tag,
            "Vary": "Accept-Encoding",
        }
        if file.tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=more)
        if file.packed and "gzip" in headers.get("accept-encoding", ""):
            return Response(file.packed, headers=more | {"Content-Encoding": "gzip"}, media_type=file.kind)
        return Response(file.content, headers=more, media_type=file.kind)

    def at(self, place: str) -> Place:
        """The files of one place, as an application to mount there."""
        return Place(self, place)


class Place:
    """The files of a place."""

    def __init__(self, pages: Pages, place: str) -> None:
        self.pages = pages
        self.place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer GET and HEAD."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        path = self.place + scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        response = self.pages.response(path, Headers(scope=scope))
        if scope["method"] == "HEAD":
            response.body = b""
        await response(scope, receive, send)


def _files(directory: Path) -> list[tuple[str, bytes]]:
    """The names and contents of the files of a directory that are of our kinds."""
    return [
        (path.relative_to(directory).as_posix(), path.read_bytes())
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.suffix in TYPES
    ]


def _file(name: str, content: bytes) -> File:
    kind = TYPES[Path(name).suffix]
    text = kind.startswith("text/") or "json" in kind or "svg" in kind
    packed = gzip.compress(content, mtime=0) if text and len(content) >= WORTH_PACKING else b""
    return File(kind, content, packed, f'"{sha256(content).hexdigest()[:16]}"')
