"""SQL that names a table, a view or a column of ours stands in ``queries/``, not in Python."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from tests.helpers import CHECKOUT

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
            parts = (str(p.value) if isinstance(p, ast.Constant) else "?" for p in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def names_ours(text: str) -> bool:
    """Tell whether a text looks like SQL that names a relation of ours, or a column."""
    if STATEMENT.match(text) and NAMES_A_COLUMN.search(QUOTED.sub("", text)):
        return True
    return READS_OR_WRITES.search(text) is not None


def test_no_literal_names_a_relation_or_a_column() -> None:
    texts = {
        (path, *found)
        for path in (CHECKOUT / "marubatsu").rglob("*.py")
        for found in literals(path)
    }
    assert len(texts) > 1000
    assert [each for each in texts if names_ours(each[-1])] == []
