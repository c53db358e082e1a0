"""One class or node, for programs that use the API."""

from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import Query, lookup
from marubatsu.pipeline.support.errors import UsageError

CLASS, NODE = lookup("class_with_boards"), lookup("node_of_line")


def class_(catalog: Catalog, number: str) -> dict[str, Any]:
    """Return a class with the boards of its members. Raises UsageError when there is none."""
    found = _one(catalog, CLASS, _number(number))
    if found is None:
        count = catalog.count("classes")
        raise UsageError(f"there is no class {quote(number)}: expected 0 to {count - 1}")
    return found


def node(catalog: Catalog, line: str) -> dict[str, Any]:
    """Return a node of the tree by its line, with its children. Raises UsageError."""
    found = _one(catalog, NODE, _number(line))
    if found is None:
        raise UsageError(
            f"there is no node with the line {quote(line)}: expected the moves from the empty "
            "board as digits, cell + 1, such as 519; 0 is the root"
        )
    children = catalog.ask(lookup("children_of_node"), found["node_bfs"])
    return {**found, "children": children.records()}


def _number(text: str) -> int:
    """Read a number; return -1, which no row has, for other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else -1


def _one(catalog: Catalog, query: Query, number: int) -> dict[str, Any] | None:
    """Return the one row with a number; None when there is no such row. Raises UsageError."""
    missing = catalog.missing(query)
    if missing:
        game = catalog.data_set.game.name
        raise UsageError(f"this needs {' and '.join(missing)}, which {game} does not have here")
    return next(iter(catalog.ask(query, number).records()), None)
