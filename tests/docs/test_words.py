"""One word, one meaning: whose view a score is, and the field's words instead of private ones."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.pipeline.support.resources import PACKAGE
from marubatsu.pipeline.tables import schemas, solved_schemas
from marubatsu.pipeline.tables.schemas import Column, Table
from tests.helpers import CHECKOUT

VIEWS = {"score_mover": "view of the side to move", "ai_score": "mover's view"}
"""What the meaning of a column says; of every other score it says circle's view."""

REPLACED = {
    "kernel": "negamax",
    "branch": "successor",
    "principal_line": "principal_variation",
    "score_circle": "score",
    "for_mover": "score_mover",
    "came_from": "last_move",
    "spot": "case",
    "workshop": "context",
    "stretch": "key range",
}
"""Private words that stood in the code, and the field's words that stand there now."""

KERNEL_ROOMS = {"engine/large", "engine/kernels"}
"""Rooms in which a kernel is what the field calls so: a compiled function over arrays."""

ROOMS = sorted(
    path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*/__init__.py")
)

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
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.arg):
            yield node.arg


def words_of(name: str) -> set[str]:
    """Return a name and its words, each also without the ending of a plural."""
    words = {name, *(word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name))}
    return words | {word.removesuffix(end) for word in words for end in ("s", "es")}


@pytest.mark.parametrize("room", ROOMS)
def test_private_words_are_gone(room: str) -> None:
    private = REPLACED.keys() - ({"kernel"} if room in KERNEL_ROOMS else set())
    for path in (PACKAGE / room).glob("*.py"):
        for name in identifiers(path):
            assert not words_of(name) & private, f"{path.name}: {name}"


def test_no_sql_speaks_of_a_score_by_a_private_word() -> None:
    for path in (CHECKOUT / "queries").rglob("*.sql"):
        text = path.read_text(encoding="utf-8")
        assert "score_circle" not in text, path.name
        assert "for_mover" not in text, path.name
