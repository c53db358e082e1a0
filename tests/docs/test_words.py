"""One word, one meaning: whose view a score is, and the field's words instead of private ones."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.pipeline.store import schemas, solved_schemas
from marubatsu.pipeline.store.schemas import Column, Table
from marubatsu.pipeline.support.resources import HOME

VIEWS = {"score_mover": "view of the side to move", "ai_score": "mover's view"}
"""What the meaning of a column says; of every other score it says circle's view."""

REPLACED = {
    "kernel": "negamax",
    "branch": "successor",
    "branches": "successors",
    "principal_line": "principal_variation",
    "score_circle": "score",
    "spot": "case",
    "workshop": "context",
    "stretch": "key range",
}
"""Private words that stood in the code, and the field's words that stand there now."""

DECLARED = {
    each.name: each
    for module in (schemas, solved_schemas)
    for each in vars(module).values()
    if isinstance(each, Table)
}
COLUMNS = [(table.name, column) for table in DECLARED.values() for column in table.columns]


def test_every_declared_table_is_in_the_dictionary() -> None:
    registers = (schemas.TABLES, solved_schemas.SOLVED, solved_schemas.KEPT)
    assert {**registers[0], **registers[1], **registers[2]} == DECLARED


@pytest.mark.parametrize(
    ("table", "column"),
    [(table, column) for table, column in COLUMNS if "score" in column.name],
    ids=lambda value: value.name if isinstance(value, Column) else value,
)
def test_a_score_says_whose_view_it_is(table: str, column: Column) -> None:
    assert VIEWS.get(column.name, "circle's view") in column.meaning


def identifiers(path: Path) -> Iterator[str]:
    """Yield the names of the modules, classes, functions and parameters that a file defines."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        if isinstance(node, ast.arg):
            yield node.arg


@pytest.mark.parametrize("room", ["search", "ais", "players", "comparison"])
def test_private_words_are_gone(room: str) -> None:
    for path in (HOME / "engine" / room).glob("*.py"):
        for name in identifiers(path):
            words = re.findall(r"[A-Z]?[a-z]+", name)
            found = {word.lower() for word in words} & REPLACED.keys()
            assert not found, f"{path.name}: {name}"
            assert name not in REPLACED, f"{path.name}: {name}"


def test_no_view_speaks_of_a_score_of_circle() -> None:
    for path in (HOME / "queries").rglob("*.sql"):
        assert "score_circle" not in path.read_text(encoding="utf-8"), path.name
