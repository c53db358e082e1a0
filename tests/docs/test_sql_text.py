"""SQL that names a table, a view or a column of ours stands in ``queries/``, not in Python."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from tests.helpers import CHECKOUT

SOURCES = [
    *sorted((CHECKOUT / "marubatsu").rglob("*.py")),
]

RELATIONS = sorted({*TABLES, SOLUTION.name, *(view.name for view in views())})
READS_OR_WRITES = re.compile(
    rf'\b(from|join|update|into)\s+"?({"|".join(RELATIONS)})\b', re.IGNORECASE
)
COLUMNS = {column.name for table in (*TABLES.values(), SOLUTION) for column in table.columns}
STATEMENT = re.compile(
    r"\s*((select|order by|group by|update|insert|delete)\b|where\b.*[=<>])", re.IGNORECASE
)
QUOTED = re.compile(r"'[^']*'")
NAMES_A_COLUMN = re.compile(rf"\b({'|'.join(sorted(COLUMNS))})\b", re.IGNORECASE)


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text of a module with its line: no docstrings; an f-string with ? for values."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = list(ast.walk(tree))
    apart = {id(node.value) for node in found if isinstance(node, ast.Expr)}
    apart |= {id(part) for node in found if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in (node for node in found if id(node) not in apart):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_written(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _written(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "?"


def names_a_relation(text: str) -> bool:
    """Tell whether a text looks like SQL that reads or writes a table or view of ours."""
    return READS_OR_WRITES.search(text) is not None


def names_a_column(text: str) -> bool:
    """Tell whether a text begins like SQL and names a column of ours."""
    is_statement = STATEMENT.match(text) is not None
    return is_statement and NAMES_A_COLUMN.search(QUOTED.sub("", text)) is not None


def test_no_literal_names_a_relation_or_a_column() -> None:
    named = ((path, found) for path in SOURCES for found in literals(path))
    assert [
        (path, found)
        for path, found in named
        if names_a_relation(found[1]) or names_a_column(found[1])
    ] == []


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 100
    assert len(RELATIONS) > 35
    assert len(COLUMNS) > 60
    assert sum(1 for path in SOURCES for _ in literals(path)) > 1000


@pytest.mark.parametrize(
    "sql",
    [
        "select * from positions",
        "SELECT move FROM  moves",
        "from a\njoin ai_moves using (position)",
        'update "searches" set nodes = 1',
        "insert into solution_files values (1)",
        "create or replace view ais as from ais",
    ],
)
def test_sql_is_recognised(sql: str) -> None:
    assert names_a_relation(sql)


@pytest.mark.parametrize(
    "sql",
    ["select 1 where true and ?.ply = ? and ?.key = ?", "where score = 1", "select max(move)"],
)
def test_a_column_is_recognised(sql: str) -> None:
    assert names_a_column(sql)


@pytest.mark.parametrize(
    "text", ["the moves from the empty board", "select x->>'position'", "positions"]
)
def test_other_texts_are_not_sql(text: str) -> None:
    assert not names_a_relation(text)
    assert not names_a_column(text)
