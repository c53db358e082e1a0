"""JSON responses of the API; an error is one sentence."""

import json
from collections.abc import Mapping
from math import isfinite

from starlette.responses import Response

from marubatsu.pipeline.support.errors import harmless


def to_json(content: object) -> bytes:
    """Write a JSON document; NaN and infinity, which JSON lacks, become null."""
    return json.dumps(_finite(content), ensure_ascii=False, default=str, allow_nan=False).encode()


def as_json(content: object, status: int = 200) -> Response:
    """Return a JSON document as an answer."""
    return Response(to_json(content), status, media_type="application/json")


def _finite(value: object) -> object:
    match value:
        case float():
            return value if isfinite(value) else None
        case dict():
            return {str(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error, with optional headers."""
    response = as_json({"error": harmless(sentence)}, status)
    response.headers.update(headers or {})
    return response
