"""JSON responses of the API; an error is one sentence."""

import hashlib
from collections.abc import Mapping

from starlette.requests import Request
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


JSON = "application/json"


def kept(request: Request, body: bytes, version: str, media_type: str = JSON) -> Response:
    """Return an answer that stays the same for one version of the data, or 304 for who has it.

    The tag is weak, because the same answer is sent compressed and not.
    """
    tag = f'W/"{version}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if _has(request, version):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def fresh(body: bytes, status: int = 200) -> Response:
    """Return an answer that nobody keeps, because the next one may be another."""
    return Response(body, status, {"Cache-Control": "no-store"}, JSON)


def version_of(content: bytes) -> str:
    """Return the version of something that has no other than its bytes."""
    return hashlib.sha256(content).hexdigest()[:32]


def _has(request: Request, version: str) -> bool:
    """Whether the client says that it has this version."""
    tags = request.headers.get("if-none-match", "").split(",")
    return any(tag.strip().removeprefix("W/") in (f'"{version}"', "*") for tag in tags)
