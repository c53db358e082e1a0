"""The checks: they pass on every game that is built, and each planted defect makes one fail."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any, TypeAlias

import duckdb
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import Query, checks, connect, reports, views
from marubatsu.pipeline.sql.sandbox_worker import load
from marubatsu.pipeline.sql.view_script import file_names, variable_script
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.usable import open_parts, require_intact
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers.broken.defects import DEFECTS
from tests.helpers.data.data_sets import shared_stages
from tests.helpers.processes.commands import PATIENCE

Connection: TypeAlias = duckdb.DuckDBPyConnection
Change: TypeAlias = list[tuple[str, list[Any]]]
"""SQL statements with the values for their ``?``."""

APART = {"solution", "answers", "proofs", "techniques"}
"""Tables that no stage builds; checks and reports of theirs are tested with them."""

CHECKS = {name: check for name, check in checks().items() if not APART & {*check.needs}}
WIDE = "4x9k2-gravity"
"""A game whose masks need 64 bits, which is too large for trees, and of which no count is known."""

TREES = {"tree_bfs", "tree_dfs"}
AI_TABLES = {"ais", "ai_moves", "matches", "searches", "search_trace"}
NOT_DERIVED = {"ais", "searches"}
"""Tables with sentences, and counts of nodes that have bounds only."""
ORDERS = {"row_order", "ai_order"}
LARGEST = "3x3k3-gravity"
COPIED = {
    LARGEST: frozenset(TABLES),
    "tictactoe": frozenset(TABLES) - TREES - AI_TABLES,
    "3x2k2": frozenset(TABLES),
}
"""The games whose tables get defects, and which tables."""


PLANTED = [
    # In more searches, each defect takes half a second.
    pytest.param(
        {"known_counts": "tictactoe", "search_counts": "3x2k2"}.get(name, LARGEST),
        name,
        defect,
        id=f"{name}-{number}",
    )
    for name, defects in DEFECTS.items()
    for number, defect in enumerate(defects)
]
TABLES_OF = [
    # In a larger tree, each change takes half a second.
    ("3x2k2" if table in TREES | AI_TABLES else LARGEST, table)
    for table in sorted(TABLES.keys() - NOT_DERIVED)
]
COLUMNS_OF = [
    (game, table, column.name) for game, table in TABLES_OF for column in TABLES[table].columns
]

_ORDERED = re.compile(r"(.*\nfrom final)\norder by ([^\n]+)\n", re.DOTALL)


@pytest.fixture(scope="module")
def copies(root: Path) -> Iterator[dict[str, Connection]]:
    """Copy tables, which have no defects, into memory."""
    connections = {game: connect() for game in COPIED}
    for game, connection in connections.items():
        opened = open_parts(DataSet(root, Game(game)), require_intact)
        variables = variable_script(file_names(opened))
        given = {"tables": COPIED[game], "variables": variables, "parts": {}}
        load(connection, views(), given)
        assert _notices(connection, _checks_of(game)) is None
    yield connections
    for connection in connections.values():
        connection.close()


@pytest.fixture(scope="module")
def watches() -> dict[tuple[str, str], list[Query]]:
    """Return the checks that must notice every defect in a table, those first that did of late.

    Without the counts, which few games have, and the orders, which a change of a list breaks.
    """
    return {
        (game, table): [
            check
            for check in _checks_of(game)
            if table in check.needs and check.name not in ORDERS | {"known_counts"}
        ]
        for game, table in TABLES_OF
    }


@pytest.mark.parametrize("game", ["2x2k2", "3x2k3-torus", WIDE])
def test_checks_pass_wherever_there_is_something_to_examine(
    root: Path, tmp_path: Path, game: str
) -> None:
    if game == WIDE:
        root = tmp_path
        build(DataSet(root, Game(game)), shared_stages(game))
    there = {stage.table.name for stage in shared_stages(game)}
    nothing = {}
    for name, check in CHECKS.items():
        if missing := [table for table in check.needs if table not in there]:
            cure = str(DataSet(root, Game(game)).cure("make"))
            if game == WIDE:
                cure = f"{game} is too large for that"
            nothing[name] = f"needs {' and '.join(missing)}: {cure}"
    if game == WIDE:
        nothing["known_counts"] = (
            f"there are no rows in known_counts_here for {game}: no count of the game is published"
        )
    with open_catalog(DataSet(root, Game(game))) as catalog:
        outcomes = [run_check(catalog, check) for check in CHECKS.values()]
    assert {o.check.name: o.why for o in outcomes if o.verdict == "none"} == nothing
    passed = {o.check.name for o in outcomes if o.verdict == "pass" and o.examined > 0}
    assert passed == CHECKS.keys() - nothing.keys()


def test_every_check_has_defects() -> None:
    assert DEFECTS.keys() == CHECKS.keys()


@pytest.mark.parametrize(("game", "name", "defect"), PLANTED)
def test_check_notices_defect(
    copies: dict[str, Connection], game: str, name: str, defect: str
) -> None:
    connection, check = copies[game], CHECKS[name]
    patience = Timer(PATIENCE, connection.interrupt)  # A check that never answers fails as well.
    connection.execute("begin")
    patience.start()
    try:
        connection.execute(defect)
        counterexamples, places = _rows_and_places(connection, check)
    finally:
        patience.cancel()
        connection.execute("rollback")
    assert counterexamples == places > 0


@pytest.mark.parametrize(("game", "table", "column"), COLUMNS_OF)
def test_a_wrong_cell_never_passes(
    copies: dict[str, Connection], watches: dict[tuple[str, str], list[Query]], game: str,
    table: str, column: str,
) -> None:  # fmt: skip
    connection, watch = copies[game], watches[game, table]
    read = f'select "{column}" from {table} order by rowid'  # noqa: S608
    write = f'update {table} set "{column}" = ? where rowid = ?'  # noqa: S608
    cells = [value for (value,) in connection.execute(read).fetchall()]
    # In the middle of one column, at the end of the next.
    row = len(cells) - 1 if COLUMNS_OF.index((game, table, column)) % 2 else len(cells) // 2
    value = cells[row]
    for other in _other_values(value, cells):
        _assert_noticed(connection, watch, [(write, [other, row])])
    # Rows far away differ in other columns, too.
    others = [(abs(other - row), other) for other, cell in enumerate(cells) if cell != value]
    for _, other in sorted(others)[-1:]:
        swap = [(write, [cells[other], row]), (write, [value, other])]
        _assert_noticed(connection, watch, swap)


@pytest.mark.parametrize(("game", "table"), TABLES_OF)
def test_a_missing_or_doubled_row_never_passes(
    copies: dict[str, Connection],
    watches: dict[tuple[str, str], list[Query]],
    game: str,
    table: str,
) -> None:
    connection, watch = copies[game], watches[game, table]
    rows = connection.table(table).shape[0]
    for row in (0, rows // 2, rows - 1):
        delete = f"delete from {table} where rowid = ?"  # noqa: S608
        _assert_noticed(connection, watch, [(delete, [row])])
        double = f"insert into {table} from {table} where rowid = ?"
        _assert_noticed(connection, watch, [(double, [row])])


REPORTS = {name: each for name, each in reports().items() if not APART & {*each.needs}}


def test_rows_of_checks_name_a_board_a_line_or_an_ai(copies: dict[str, Connection]) -> None:
    without = {
        name
        for name, check in CHECKS.items()
        if not {"board", "line", "circle_ai"} & {*copies[LARGEST].sql(check.sql).columns}
    }
    assert without == {"known_counts", "ai_figures"}  # A wrong sum has no place.


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_report_orders_its_rows(copies: dict[str, Connection], report: Query) -> None:
    rows, places = _rows_and_places(copies[LARGEST], report)
    assert rows == places > 0


def _other_values(value: Any, cells: list[Any]) -> list[Any]:
    """Return what a cell could hold instead: values near it, values of other rows, nothing."""
    near: list[Any] = []
    match value:
        case bool():
            near = [not value]
        case int() | float():
            near = [value + 1]
        case list():
            near = [value[1:], [*value, 0]]
    distinct = list({repr(cell): cell for cell in cells}.values())
    elsewhere = distinct if len(distinct) < 5 else [distinct[-1]]
    others: list[Any] = []
    for other in (*near, *elsewhere, None):
        if other != value and other not in others:
            others.append(other)
    return others


def _assert_noticed(connection: Connection, watch: list[Query], change: Change) -> None:
    """Make a change, undo it, and put the check that noticed it first: it may notice the next."""
    connection.execute("begin")
    try:
        for sql, values in change:
            connection.execute(sql, values)
        check = _notices(connection, watch)
    finally:
        connection.execute("rollback")
    assert check, f"no check notices {change}"
    watch.remove(check)
    watch.insert(0, check)


def _notices(connection: Connection, watch: list[Query]) -> Query | None:
    return next((check for check in watch if connection.execute(check.sql).fetchone()), None)


def _checks_of(game: str) -> list[Query]:
    """List the checks that can run on the copy of a game."""
    return [check for check in CHECKS.values() if COPIED[game].issuperset(check.needs)]


def _rows_and_places(connection: Connection, query: Query) -> tuple[int, int]:
    """Count different rows, and different places in their order: as many when it is total."""
    ordered = _ORDERED.fullmatch(query.sql)
    assert ordered, f"{query.name} does not end in `order by`"
    keys = re.sub(" desc| nulls (first|last)", "", ordered[2])
    count = f"select count(distinct final), count(distinct row({keys}))"
    [(rows, places)] = connection.execute(f"{count} from ({ordered[1]}) as final").fetchall()
    return int(rows), int(places)
