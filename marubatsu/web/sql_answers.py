"""Rows for SQL from a user: one statement in its sandbox, for as long as the client waits."""

import json
import re
from functools import partial
from itertools import islice
from threading import Event

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response

from marubatsu.engine.rules.input_error import InputError
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.support.errors import DamagedError, MarubatsuError
from marubatsu.web.responses import fresh, refusal, to_json
from marubatsu.web.shown_game import ShownGame
from marubatsu.web.waiting import while_connected

MOST_ROWS = 1_000
LIMITS = QueryLimits(seconds=10.0, memory=500_000_000, answer=10_000_000)
_MOST_AT_ONCE = 2  # queries
_HINT = re.compile("; (raise|give) --.*")  # about the command line, whose options the page lacks


class SqlAnswers:
    """The answers to statements; some run at a time, and the others wait."""

    def __init__(self) -> None:
        """Let some statements run at a time."""
        self._limiter = CapacityLimiter(_MOST_AT_ONCE)

    async def answer(self, request: Request, shown: ShownGame, sql: str) -> Response:
        """Run one statement over the data of a game; return its rows or why there are none."""
        try:
            found = await while_connected(request, partial(_run, shown, sql), self._limiter)
        except DamagedError as error:
            return refusal(503, str(error))
        except (MarubatsuError, InputError) as error:
            return refusal(400, _HINT.sub("", str(error)))
        return fresh(found)


def statement_in(body: bytes) -> str | None:
    """Return the statement in the body of a request; None when there is none."""
    try:
        sql = json.loads(body)["sql"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return sql if isinstance(sql, str) and sql.strip() else None


def _run(shown: ShownGame, sql: str, gone: Event) -> bytes:
    """Run a query in its sandbox; write its answer in this thread, because other requests wait."""
    assert shown.data
    asked = Statement(sql)
    with run_sql(shown.data, asked, LIMITS, lambda: None, gone.is_set, shown.spare) as answer:
        rows = list(islice(answer.rows, MOST_ROWS + 1))
        return to_json(
            {
                "columns": list(answer.columns),
                "rows": rows[:MOST_ROWS],
                "more": len(rows) > MOST_ROWS,
            }
        )
