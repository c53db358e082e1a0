"""The description of the API for programs, in the format OpenAPI 3.1."""

from collections.abc import Mapping, Sequence
from typing import Any

from marubatsu.engine.rules.game import SWITCHES
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.pipeline.tables.manifest import MEDIA_TYPE as PARQUET
from marubatsu.version import __version__
from marubatsu.web.games import LIMITS, MOST_ANSWER, MOST_BOARDS, MOST_ROWS

_INTEGER, _NUMBER, _TEXT, _TRUTH = (
    {"type": name} for name in ("integer", "number", "string", "boolean")
)
_SCORE = {"enum": [-1, 0, 1], "description": "circle's view: 1 circle wins, 0 draw, -1 cross wins"}


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has all of these properties and no others."""
    return {
        "type": "object",
        "properties": {name.rstrip("_"): each for name, each in properties.items()},
        "required": [name.rstrip("_") for name in properties],
        "additionalProperties": False,
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_SIDE = {"enum": ["circle", "cross"]}
_OUTCOME = {"enum": ["circle wins", "draw", "cross wins"]}
_LOSS = {"enum": [0, 1, 2], "description": "how much the mover's score drops"}
_BOARD = {"type": "string", "pattern": "^[.ox]+$", "description": "the cells row by row, from 0"}
_CHANCE = {"type": "number", "minimum": 0, "maximum": 1}

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "Error": _object(error={"type": "string", "description": "one sentence"}),
    "Game": _object(
        name=_TEXT, notation=_TEXT, columns=_INTEGER, rows=_INTEGER, run=_INTEGER,
        **dict.fromkeys(SWITCHES, _TRUTH),
        source={"enum": ["tables", "solution", "search"]}, score=_or_null(_SCORE),
    ),
    "Start": _object(version=_TEXT, server=_TRUTH, game=_TEXT, games=_list(_ref("Game"))),
    "Move": _object(
        move=_INTEGER, board_after=_BOARD, score=_SCORE, score_sv=_INTEGER,
        distance={"type": "integer", "description": "plies from board_after to the end"},
        loss=_LOSS, is_best=_TRUTH, is_best_sv=_TRUTH, outcome=_OUTCOME,
    ),
    "Answer": _object(
        game=_TEXT, board=_BOARD, ply=_INTEGER, turn=_or_null(_SIDE),
        status={"enum": ["playing", "circle", "cross", "draw"]},
        score=_SCORE, score_sv=_INTEGER,
        distance={"type": "integer", "description": "plies to the end"},
        moves={**_list(_ref("Move")), "description": "the best first"},
        orbit=_INTEGER, class_=_or_null(_INTEGER), representative=_or_null(_BOARD),
        symmetry=_or_null(_INTEGER), position=_or_null(_INTEGER), nodes=_or_null(_INTEGER),
        score_svrd=_or_null(_NUMBER), best_moves_svrd=_or_null(_list(_INTEGER)),
        random_circle=_or_null(_CHANCE), random_draw=_or_null(_CHANCE),
        random_cross=_or_null(_CHANCE), key=_or_null(_INTEGER),
        critical=_TRUTH, best_moves=_list(_INTEGER), best_moves_sv=_list(_INTEGER),
    ),
    "BoundedMove": _object(
        move=_INTEGER, board_after=_BOARD, at_least=_INTEGER, at_most=_INTEGER,
        loss=_or_null(_LOSS), outcome=_TEXT,
    ),
    "BoundedAnswer": _object(
        game=_TEXT, board=_BOARD, ply=_INTEGER, turn=_SIDE,
        at_least={"type": "integer", "description": "a shortest-victory score, circle's view"},
        at_most={"type": "integer", "description": "a shortest-victory score, circle's view"},
        moves={**_list(_ref("BoundedMove")), "description": "the most promising first"},
        nodes={"type": "integer", "description": "nodes that the search has visited"},
        score=_or_null(_SCORE), outcome=_TEXT, best_moves=_list(_INTEGER),
    ),
    "AnyAnswer": {
        "anyOf": [_ref("Answer"), _ref("BoundedAnswer")],
        "description": "bounds instead of a value where the time of a search was up",
    },
    "Answers": _object(answers=_list(_ref("AnyAnswer"))),
    "AI": _object(
        ai=_TEXT, family=_TEXT, rule=_TEXT,
        parameters={"type": "string", "description": "JSON"},
    ),
    "Choice": _object(
        move=_INTEGER, ai_score=_or_null(_NUMBER), is_candidate=_TRUTH, probability=_CHANCE,
    ),
    "Rows": _object(
        columns=_list(_TEXT), rows=_list({"type": "array"}),
        more={"type": "boolean", "description": "whether there were more rows"},
    ),
}  # fmt: skip

_GAME = {"game": "the name of a game, such as tictactoe or 7x6k4-gravity"}
_PLACE = {"board": "the cells row by row as . o x, such as o...x...., or another spelling"}
_FIRST = {
    "name": "first", "in": "query", "schema": {"type": "string", "default": "o"},
    "description": "the mark of the side that begins on the board: o, x, or another sign on it",
}  # fmt: skip
_NUMBERING = {
    "name": "numbering", "in": "query",
    "schema": {"enum": [each.value for each in Numbering]},
    "description": "the numbering of moves, and of the cells of a board without rows; without it, "
    "moves are cells from 0, or names",
}  # fmt: skip
_SEARCH = {
    "name": "search", "in": "query", "schema": {"enum": ["yes", "no"], "default": "yes"},
    "description": "no: only what needs no search, for a game without tables and solution",
}  # fmt: skip
_AI = {"ai": "the address of an AI that GET /api/v2/games/{game}/ais lists"}
_GZIP = "application/gzip"

STATUSES: Mapping[int, str] = {
    400: "the body or an option after ? is wrong, such as a board in the body that is no position",
    403: "another host is asked, or a page of another site asks",
    404: "the path names nothing: no game, no position that play reaches, no AI, no table",
    408: "the body did not arrive in time",
    413: "the body is too long",
    415: "the body is not of the type application/json",
    416: "the file has no byte of this range",
    500: "an internal server error",
    502: "a foreign AI failed",
    503: "the data is damaged or in use: ask again",
}
"""What each status of an error means, in every operation that can have it."""


def _failed(description: str) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref("Error")}}
    return {"description": description, "content": content}


def _operation(
    summary: str,
    answer: Mapping[str, Any],
    parameters: Mapping[str, str] | None = None,
    body: Mapping[str, Any] | None = None,
    kind: str = "application/json",
    options: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    parameters = parameters or {}
    statuses = {400, 403, 500, 503}
    statuses |= {404} if parameters else set()
    statuses |= {408, 413, 415} if body else set()
    statuses |= {416} if kind == PARQUET else set()
    statuses |= {502} if "ai" in parameters else set()
    operation: dict[str, Any] = {
        "summary": summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _TEXT, "description": what}
            for name, what in parameters.items()
        ]
        + list(options),
        "responses": {
            "200": {"description": "the answer", "content": {kind: {"schema": answer}}},
            **{str(status): _failed(STATUSES[status]) for status in sorted(statuses)},
            "default": _failed("another method: status 405; no HTTP: status 400 or 426"),
        },
    }
    if body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body}},
        }
    return operation


_OF_GAME = "/api/v2/games/{game}"
PATHS: Mapping[str, Mapping[str, Any]] = {
    "/api/v2/openapi.json": {"get": _operation("This description.", {"type": "object"})},
    "/api/v2/start.json": {"get": _operation("What the page asks for first.", _ref("Start"))},
    "/api/v2/games": {
        "get": _operation("The games with data, and some that are searched.", _list(_ref("Game")))
    },
    f"{_OF_GAME}/positions/{{board}}": {
        "get": _operation(
            "A position, as `marubatsu show --format json` prints it.",
            _ref("AnyAnswer"), {**_GAME, **_PLACE}, options=[_SEARCH, _FIRST, _NUMBERING],
        )
    },
    f"{_OF_GAME}/positions": {
        "post": _operation(
            f"Many positions, at most {MOST_BOARDS:,}.", _ref("Answers"), _GAME,
            _object(boards={**_list({"type": ["string", "array"]}), "maxItems": MOST_BOARDS}),
            options=[_FIRST, _NUMBERING],
        )
    },
    f"{_OF_GAME}/ais": {
        "get": _operation("The AIs that can be asked.", _list(_ref("AI")), _GAME)
    },
    f"{_OF_GAME}/ais/{{ai}}/positions/{{board}}": {
        "get": _operation(
            "What an AI makes of each legal move of a position.",
            _list(_ref("Choice")), {**_GAME, **_AI, **_PLACE}, options=[_FIRST, _NUMBERING],
        )
    },
    f"{_OF_GAME}/tables/{{table}}.parquet": {
        "get": _operation(
            "A Parquet file of the game, or a part of it: one range of bytes (status 206).", {},
            {**_GAME, "table": "such as positions, or the path of a part of a solution"},
            kind=PARQUET,
        )
    },
    f"{_OF_GAME}/solution.raw.gz": {
        "get": _operation(
            "All values of a solved game as `marubatsu export --raw` writes them, for programs "
            "that check them; of games with at most 31 cells and 200 million rows.", {}, _GAME,
            kind=_GZIP,
        )
    },
    f"{_OF_GAME}/sql": {
        "post": _operation(
            f"One statement that reads: at most {MOST_ROWS:,} rows and {MOST_ANSWER // 10**6} MB, "
            f"{LIMITS.seconds:g} s, {LIMITS.memory // 10**6} MB of memory.",
            _ref("Rows"), _GAME, _object(sql=_TEXT),
        )
    },
    f"{_OF_GAME}/{{document}}": {
        "get": _operation(
            "A document of the page: game.json, which names the others; tables.json, the schemas "
            "and files of the tables; plies/{ply}.json, ais/{ai}.json, traces/{search}.json, "
            "trees/{order}.json, reports/{report}.json.",
            {"type": ["object", "array"]}, {**_GAME, "document": "the name of the document"},
        )
    },
}  # fmt: skip


def description() -> dict[str, Any]:
    """Return the description as one document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "marubatsu",
            "version": __version__,
            "summary": "The truth about positions of small games, and AIs judged by it.",
        },
        "paths": PATHS,
        "components": {"schemas": SCHEMAS},
    }
