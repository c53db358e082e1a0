"""JSON responses of the API; an error is one sentence."""

from collections.abc import Mapping

from starlette.responses import Response

from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.support.json_text import json_text


def to_json(content: object) -> bytes:
    """Write a JSON document."""
    return json_text(content, is_ascii=False).encode()


def as_json(content: object, status: int = 200) -> Response:
    """Return a JSON document as an answer."""
    return Response(to_json(content), status, media_type="application/json")


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error, with optional headers."""
    response = as_json({"error": harmless(sentence)}, status)
    response.headers.update(headers or {})
    return response
