"""The pages, scripts and styles that a browser loads: files of ours, from the directories named here."""

from __future__ import annotations

from os import PathLike, stat_result
from pathlib import Path, PurePath

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

HERE = Path(__file__).parent
STATIC = HERE / "static"
THEATRE = HERE.parent / "trace" / "static"

# Browsers are told not to guess, and what the operating system believes about .js differs.
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class Files(StaticFiles):
    """A directory of files; a browser keeps them, and asks each time whether they are still the same."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file with its type, or 304 where the browser has it, or 404 where it is none of our kinds."""
        kind = TYPES.get(PurePath(full_path).suffix)
        if kind is None:
            raise HTTPException(404)
        response = FileResponse(
            full_path,
            status_code=status_code,
            stat_result=stat_result,
            media_type=kind,
            headers={"Cache-Control": "no-cache"},
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response
