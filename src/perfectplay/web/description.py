"""The OpenAPI description of the streams: which events there are, and what each of them holds."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from perfectplay.web.models import (
    Analysed,
    Compiling,
    DepthShown,
    Failed,
    PlyShown,
    Queued,
    Recorded,
    Replied,
    Reviewed,
    Started,
)

EVENTS: dict[str, dict[str, type[BaseModel]]] = {  # by path and name
    "/api/analyse": {
        "queued": Queued,
        "compiling": Compiling,
        "started": Started,
        "depth": DepthShown,
        "done": Analysed,
        "failed": Failed,
    },
    "/api/reply": {
        "queued": Queued,
        "compiling": Compiling,
        "started": Started,
        "done": Replied,
        "failed": Failed,
    },
    "/api/review": {
        "queued": Queued,
        "compiling": Compiling,
        "started": Started,
        "ply": PlyShown,
        "done": Reviewed,
        "failed": Failed,
    },
    "/api/trace": {"queued": Queued, "started": Started, "done": Recorded, "failed": Failed},
}


def describe_streams(app: FastAPI) -> None:
    """Let the description of the application say what FastAPI does not know: the events."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _add_events(plain())
        return plain()

    app.openapi = openapi  # type: ignore[method-assign]


def _add_events(document: dict[str, Any]) -> None:
    models = {model for events in EVENTS.values() for model in events.values()}
    _, known = models_json_schema(
        [(model, "serialization") for model in sorted(models, key=lambda model: model.__name__)],
        ref_template="#/components/schemas/{model}",
    )
    document["components"]["schemas"].update(known["$defs"])
    for path, events in EVENTS.items():
        answer = document["paths"][path]["post"]["responses"]["200"]
        answer["description"] = "a stream of events"
        answer["content"] = {
            "text/event-stream": {"itemSchema": {"oneOf": [_event(*each) for each in events.items()]}}
        }


def _event(name: str, model: type[BaseModel]) -> dict[str, Any]:
    """An event as OpenAPI has it: text, which is JSON, which is one of ours."""
    data = {"$ref": f"#/components/schemas/{model.__name__}"}
    text = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    return {
        "type": "object",
        "description": (model.__doc__ or "").strip(),
        "properties": {"event": {"const": name}, "data": text},
        "required": ["event", "data"],
    }
