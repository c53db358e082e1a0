"""The limits of one request to a server, over HTTP or MCP."""

import re

from marubatsu.pipeline.sql.sandbox import QueryLimits

MOST_BOARDS = 1_000
MOST_BODY = 100_000  # bytes of a request
MOST_ROWS = 1_000
LIMITS = QueryLimits(seconds=10.0, memory=500_000_000, answer=10_000_000)

_HINT = re.compile("; (raise|give) --.*")


def without_hint(error: Exception) -> str:
    """Return the sentence of an error, without options of the command line, which clients lack."""
    return _HINT.sub("", str(error))
