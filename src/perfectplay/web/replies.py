"""What every answer shares: JSON that can always be sent, and the refusals that a request may meet."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from perfectplay.web.models import Problem

WHY = {
    400: "the game, a parameter or a move is not one",
    403: "a page from elsewhere asks",
    404: "there is no such game here, or no tablebase of it",
    408: "the body did not arrive in time",
    413: "the body is too large",
    415: "the body is not application/json",
    421: "the Host header names another server",
    422: "something is missing, of another type, or out of bounds",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what} for status, what in WHY.items()
}
JSON_REFUSALS: dict[int | str, dict[str, Any]] = {  # which are JSON, though a stream or a page is not
    status: {
        "description": what,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, what in (WHY | {503: "too many searches are waiting, or the server is stopping"}).items()
}


def json_reply(content: dict[str, Any], status: int = 200, headers: Any = None) -> Response:
    """JSON in plain ASCII, so that whatever a game or a request calls a text can be sent."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return Response(text, status, headers, "application/json")
