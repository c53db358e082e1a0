"""One position, class or node, as a program asks for it."""

from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.oracle.show import look_up
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.support.errors import UsageError

_CLASS = """
select classes.*, list(positions.board order by positions.position) as boards
from classes
join positions using (class)
where class = ?
group by all
"""

_NODE = """
select
    tree_dfs.node as node_dfs, tree_bfs.node as node_bfs, tree_bfs.line, tree_bfs.ply,
    tree_bfs.move, tree_bfs.subtree, parent.line as parent_line, positions.board,
    positions.position, positions.status,
from tree_bfs
join tree_dfs using (line)
join positions on tree_bfs.position = positions.position
left join tree_bfs as parent on tree_bfs.parent = parent.node
where tree_bfs.line = ?
"""

_CHILDREN = """
select tree_bfs.line, move, subtree, board, score, score_sv
from tree_bfs
join positions using (position)
where parent = ?
order by move
"""


def position(catalog: Catalog, board: str) -> dict[str, Any]:
    """Return a position with its moves, best first, each with what it loses.

    Raises BoardError or UsageError when play cannot reach it.
    """
    return look_up(catalog, board).to_json()


def class_(catalog: Catalog, number: str) -> dict[str, Any]:
    """Return a class with the boards of its members. Raises UsageError when there is none."""
    found = _one(catalog, _CLASS, _number(number))
    if found is None:
        count = catalog.count("classes")
        raise UsageError(f"there is no class {quote(number)}: expected 0 to {count - 1}")
    return found


def node(catalog: Catalog, line: str) -> dict[str, Any]:
    """Return a node of the tree by its line, with its children. Raises UsageError."""
    found = _one(catalog, _NODE, _number(line))
    if found is None:
        raise UsageError(
            f"there is no node with the line {quote(line)}: expected the moves from the empty "
            "board as digits, cell + 1, such as 519; 0 is the root"
        )
    children = catalog.run(_CHILDREN, [found["node_bfs"]])
    return {
        **found,
        "children": [dict(zip(children.columns, row, strict=True)) for row in children.rows],
    }


def _number(text: str) -> int:
    """Read a number; what is none is -1, which nothing has."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else -1


def _one(catalog: Catalog, sql: str, number: int) -> dict[str, Any] | None:
    answer = catalog.run(sql, [number])
    return dict(zip(answer.columns, answer.rows[0], strict=True)) if answer.rows else None
