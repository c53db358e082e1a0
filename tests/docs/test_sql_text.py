"""SQL that names a table or a view of ours stands in ``queries/``, not in Python."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.store.schemas import TABLES
from marubatsu.pipeline.store.solved_schemas import SOLUTION
from tests.helpers import CHECKOUT

SOURCES = [
    CHECKOUT / "marubatsu" / "__init__.py",
    *sorted(path for room in ("engine", "pipeline") for path in (CHECKOUT / room).rglob("*.py")),
]

RELATIONS = sorted({*TABLES, SOLUTION.name, *(view.name for view in views())})
READS_OR_WRITES = re.compile(
    rf'\b(from|join|update|into)\s+"?({"|".join(RELATIONS)})\b', re.IGNORECASE
)


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text of a module with its line: no docstrings, but the parts of f-strings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def names_a_relation(text: str) -> bool:
    """Tell whether a text looks like SQL that reads or writes a table or view of ours."""
    return READS_OR_WRITES.search(text) is not None


def test_no_literal_names_a_relation() -> None:
    named = ((path, found) for path in SOURCES for found in literals(path))
    assert [(path, found) for path, found in named if names_a_relation(found[1])] == []


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 100
    assert len(RELATIONS) > 35
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
    "text", ["the moves from the empty board", "select count(*) from query_table(?)", "positions"]
)
def test_other_texts_are_not_sql(text: str) -> None:
    assert not names_a_relation(text)
