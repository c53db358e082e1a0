"""Look up boards in the view `solution` by their keys instead of reading every class.

The view derives `board` from `ply` and `key`, and DuckDB cannot derive these from the board. So a
condition ``board = constant`` gets two more: the ply and the key of the board's class. The
condition itself stays, so the rows are the same. A key determines where its row is, so DuckDB reads
little of one file.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.syntax_tree import Node, common_tables, nodes, parser, syntax_tree

_VIEW, _COLUMN, _MACRO = "solution", "board", "representative"


def with_keys(game: Game, sql: str, parameters: Mapping[str, Any]) -> str:
    """Add the ply and the key to each ``board = constant`` that must hold for a row of `solution`.

    The constant is a text, a parameter, or ``representative`` of one. Other SQL is returned as it
    is.
    """
    tree = syntax_tree(sql)
    if tree is None or _VIEW in common_tables(tree):
        return sql
    boards = _Boards(Index(game), parameters)
    selects = [node for node in nodes(tree) if node.get("type") == "SELECT_NODE"]
    if not sum([boards.narrow(select) for select in selects]):
        return sql
    asked = "select json_deserialize_sql($1::json)"
    ((written,),) = parser().cursor().execute(asked, [json.dumps(tree)]).fetchall()
    return str(written)


class _Boards:
    """The conditions on boards in the selects of a statement."""

    def __init__(self, index: Index, parameters: Mapping[str, Any]) -> None:
        self._index, self._parameters = index, parameters

    def narrow(self, select: Node) -> bool:
        """Add the conditions to a select; tell whether there were any."""
        where, sources = select["where_clause"], list(_sources(select["from_table"]))
        views = [each for each in sources if each.get("table_name", "").lower() == _VIEW]
        if not where or len(views) != 1 or views[0]["column_name_alias"]:
            return False
        name = views[0]["alias"] or _VIEW
        merged = {
            column.lower() for each in sources for column in each.get("using_columns", [])
        } | {_COLUMN for each in sources if each.get("ref_type") == "NATURAL"}
        columns = [[name.lower(), _COLUMN]] + [[_COLUMN]] * (_COLUMN not in merged)
        for condition in list(_conjuncts(where)):
            place = self._demanded(condition, columns)
            if place is not None:
                where = _both(where, name, ply=place[0], key=place[1])
        changed = where is not select["where_clause"]
        select["where_clause"] = where
        return changed

    def _demanded(self, condition: Node, columns: list[list[str]]) -> tuple[int, int] | None:
        """Return the ply and the key of the board that a condition demands."""
        if condition["type"] != "COMPARE_EQUAL":
            return None
        sides = condition["left"], condition["right"]
        for column, value in (sides, sides[::-1]):
            if [part.lower() for part in column.get("column_names", [])] in columns:
                is_any = value.get("function_name") == _MACRO
                values = value["arguments"] if is_any else [{"expression": value}]
                board = self._constant(values[0]["expression"]) if len(values) == 1 else None
                return None if board is None else self._place(board)
        return None

    def _constant(self, value: Node) -> Any:
        if value["type"] == "VALUE_PARAMETER":
            return self._parameters.get(value["identifier"])
        return value["literal"].get("text") if value["type"] == "VALUE_CONSTANT" else None

    def _place(self, board: Any) -> tuple[int, int] | None:
        game = self._index.game
        if not isinstance(board, str) or len(board) != game.cells or not set(board) <= set(".ox"):
            return None
        circle, cross = (
            sum(1 << cell for cell, mark in enumerate(board) if mark == side) for side in "ox"
        )
        counts = circle.bit_count(), cross.bit_count()
        if counts[0] - counts[1] not in (0, 1):
            return None
        [key] = self._index.of(np.array([circle]), np.array([cross])).tolist()
        return sum(counts), key


def _both(where: Node, view: str, **values: int) -> Node:
    """Return a condition that also demands values in columns of a view."""
    conditions = [where]
    for column, number in values.items():
        name = {"class": "COLUMN_REF", "type": "COLUMN_REF", "column_names": [view, column]}
        literal = {"kind": "INTEGER", "text": str(number)}
        value = {"class": "CONSTANT", "type": "VALUE_CONSTANT", "literal": literal}
        conditions.append(
            {"class": "COMPARISON", "type": "COMPARE_EQUAL", "left": name, "right": value}
        )
    return {"class": "CONJUNCTION", "type": "CONJUNCTION_AND", "children": conditions}


def _sources(table: Node) -> Iterator[Node]:
    """Yield what a select reads: tables, and the joins between them."""
    yield table
    if table["type"] == "JOIN":
        yield from _sources(table["left"])
        yield from _sources(table["right"])


def _conjuncts(condition: Node) -> Iterator[Node]:
    """Yield the conditions that must all hold."""
    if condition["type"] == "CONJUNCTION_AND":
        for child in condition["children"]:
            yield from _conjuncts(child)
    else:
        yield condition
