"""Everything the page shows, as JSON documents named by path, for a server or a static site.

The truth about positions comes from the oracle, all else from the tables; a game has the documents
whose tables it has. Long columns are written as short codes, which each document explains itself.
The documents are deterministic.

The raw file of a solution, which the page checks in the browser value by value, is compressed by
gzip, because every browser decompresses that; `solution_files.write_raw` describes it.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from io import BytesIO
from itertools import pairwise
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import SWITCHES, Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Side, Status, bits
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.judge.oracle.answer import Answers
from marubatsu.judge.oracle.oracle import Oracle, TableOracle
from marubatsu.pipeline.checking.inventory import known_scores
from marubatsu.pipeline.laboratory.run_search import TraceEvents
from marubatsu.pipeline.solving.solution_files import CompleteRows, write_raw
from marubatsu.pipeline.sql import query_files
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables.data_set import Solution
from marubatsu.pipeline.tables.manifest import is_part, resource, table_of
from marubatsu.pipeline.tables.open_file import Opened
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import KEPT, SOLVED
from marubatsu.version import __version__

RAW = "solution.raw.gz"  # below the folder of its game
MOST_CELLS = 31  # of a game: the page has masks of 32 bits
MOST_CHECKED_ROWS = 200_000_000  # of all plies: a minute in a browser, and 100 MB of its memory


def is_checkable(game: Game, parts: Mapping[str, Opened]) -> bool:
    """Whether a game has a solution that a browser can check."""
    if Solution.part not in parts or game.cells > MOST_CELLS:
        return False
    files = parts[Solution.part].manifest.files
    return sum(entry.rows for name, entry in files.items() if is_part(name)) <= MOST_CHECKED_ROWS


def raw_solution(game: Game, parts: Mapping[str, Opened]) -> bytes:
    """Return the file of an open solution. Raises DamagedError when a part has changed."""
    packed, (manifest, files) = BytesIO(), parts[Solution.part]
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as out:
        solution = CompleteRows(game, manifest, files.__getitem__)
        write_raw(solution, cast("BinaryIO", out), lambda share: None)
    return packed.getvalue()


PANES = {
    "moves": (),
    "map": (),
    "search": ("positions", "classes", "moves", "tree_bfs", "tree_dfs", "search_trace",
               "searches"),
    "leaderboard": ("positions", "classes", "moves", "ais", "ai_moves", "matches", "searches"),
    "poster": ("positions", "classes", "tree_bfs"),
    "data": (),
}  # fmt: skip
"""The panes of the page, and the tables that each shows; the last is there when any table is."""

BY_VALUES = ("perfect", "perfect_sv", "ai2")  # where neither a table nor a server has AIs


class Documents:
    """The documents of one data set, each made when first requested."""

    def __init__(
        self, oracle: Oracle, catalog: Catalog | None = None, opponents: Sequence[str] | None = None
    ) -> None:
        """Take the oracle and the tables of the same data; a search has no tables.

        ``opponents`` are the AIs that a server asks, None where there is none.
        """
        self._game, self._catalog, self._opponents = oracle.game, catalog, opponents
        self._there = catalog.tables if catalog else frozenset[str]()
        reports = query_files.reports().values() if catalog else ()
        self._reports = [each for each in reports if self._has(*each.needs)]
        self._positions = PositionDocuments(oracle) if isinstance(oracle, TableOracle) else None
        self._made: dict[str, bytes] = {}
        self._makers = dict(self._list())

    @property
    def paths(self) -> list[str]:
        """The paths of all documents."""
        return list(self._makers)

    def get(self, path: str) -> bytes:
        """Return a document.

        Raises UsageError when no document has that path, DataError when its rows mean nothing.
        """
        if path not in self._makers:
            raise UsageError(
                f"there is no document {quote(path)}: /api/v2/openapi.json lists what there is"
            )
        if path not in self._made:
            with self._catalog.reading() if self._catalog else nullcontext():
                document = self._makers[path]()
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            self._made[path] = text.encode()
        return self._made[path]

    def _list(self) -> Iterator[tuple[str, Callable[[], object]]]:  # noqa: C901, kind by kind
        yield "game.json", self._about
        if self._positions is not None:
            for ply in self._positions.plies:
                yield f"plies/{ply}.json", partial(self._positions.of_ply, ply)
        if self._has("ais", "ai_moves"):
            for ai in self._tables.distinct("ais", "ai"):
                yield f"ais/{ai}.json", partial(self._ai, ai)
        if self._has("searches", "search_trace"):
            for search in self._tables.distinct("search_trace", "search"):
                yield f"traces/{search}.json", partial(self._trace, search)
        if self._has("tree_bfs", "tree_dfs"):
            for order in ("bfs", "dfs"):
                yield f"trees/{order}.json", partial(self._tree, order)
        if self._catalog is not None:
            yield "tables.json", partial(describe_tables, self._game, self._catalog.opened)
        for report in self._reports:
            yield f"reports/{report.name}.json", partial(self._report, report)

    def _has(self, *tables: str) -> bool:
        return self._there.issuperset(tables)

    @property
    def _tables(self) -> Catalog:
        assert self._catalog is not None
        return self._catalog

    def _look_up(self, name: str, *values: object) -> Rows:
        return self._tables.ask(query_files.lookup(name), *values)

    def _rows_of(self, name: str) -> list[dict[str, Any]]:
        """Return the answer of a look-up, nothing where a table is missing."""
        query = query_files.lookup(name)
        is_there = self._catalog is not None and self._has(*query.needs)
        return self._tables.ask(query).records() if is_there else []

    def _about(self) -> object:
        game, totals, ais = self._game, self._rows_of("ply_totals"), self._rows_of("ais")
        return {
            "version": __version__,
            "tables": sorted(self._there),
            "panes": [
                pane
                for pane, tables in PANES.items()
                if self._has(*tables) and (pane != "data" or self._there)
            ],
            **rules_as_data(game),
            "score": known_scores().get(game),
            "lines": [list(bits(line)) for line in game.lines],
            "symmetries": [{"name": s.name, "image": s.image} for s in symmetries(game)],
            "plies": totals[:-1],
            "tree": totals[-1] if totals else None,
            "proof": self._proof(),
            "ais": ais,
            "opponents": list(self._opponents or [row["ai"] for row in ais] or BY_VALUES),
            "traces": self._rows_of("traced_searches"),
            "reports": [
                {"name": r.name, "question": r.question, "grain": r.grain} for r in self._reports
            ],
        }

    def _proof(self) -> object:
        """Return the number of classes whose values a browser can check; None without any."""
        if self._catalog is None or not is_checkable(self._game, self._catalog.opened):
            return None
        (row,) = self._rows_of("classes_of_solution")
        return row

    def _ai(self, ai: str) -> object:
        """Return an AI's choices and scores of all moves, in the order of table moves.

        ``candidates`` has a digit for each move; ``codes`` has its index in ``ai_scores``.
        ``probabilities`` is there for a foreign AI, which may weigh its moves; the candidates of
        others have equal chances.
        """
        rows = self._look_up("choices_of_ai", ai).rows
        families = {row["ai"]: row["family"] for row in self._rows_of("ais")}
        values = sorted({value for _, value, _ in rows if value is not None})
        code = {value: number for number, value in enumerate(values)}
        return {
            "ai": ai,
            "candidates": "".join("01"[is_candidate] for is_candidate, _, _ in rows),
            "ai_scores": values or None,
            "codes": [code[value] for _, value, _ in rows] if values else None,
            "probabilities": [chance for *_, chance in rows] if families[ai] == FAMILY else None,
        }

    def _trace(self, search: int) -> object:
        events = TraceEvents()
        for *kind, digit in self._look_up("trace_events", search).rows:
            events.add(*kind, cell=digit - 1 if digit else None)
        traces = self._look_up("traced_searches").records()
        return {**next(trace for trace in traces if trace["search"] == search), **events.content()}

    def _tree(self, order: str) -> object:
        """Return the moves that create the nodes of a tree but the root, in order: a digit each."""
        moves = self._tables.columns(query_files.lookup(f"moves_of_tree_{order}"))["move"]
        return {"order": order, "moves": "".join(map(str, moves.tolist()))}

    def _report(self, report: query_files.Query) -> object:
        answer = self._tables.ask(report)
        return {
            "name": report.name,
            "question": report.question,
            "grain": report.grain,
            "sql": report.statement,
            "columns": list(answer.columns),
            "rows": [[_plain(value) for value in row] for row in answer.rows],
        }


class PositionDocuments:
    """The documents of all positions; the oracle is asked about all of them at once, when needed.

    Numbers of positions ascend with the ply, so the positions of a ply are a range of numbers.
    """

    def __init__(self, oracle: TableOracle) -> None:
        self._oracle, self._positions = oracle, oracle.positions

    @cached_property
    def _truth(self) -> Answers:
        return self._oracle.answer_masks(self._positions.circle, self._positions.cross)

    @cached_property
    def _children(self) -> Ints:
        number, _ = self._positions.find(*self._truth.children)
        return number

    @cached_property
    def _subtrees(self) -> NDArray[np.int64]:
        """The nodes of the full tree at and below each node that shows a position: [N]."""
        truth, sizes = self._truth, np.ones(len(self._truth), np.int64)
        ply_of_move = truth.ply[truth.parent]
        for ply in reversed(self.plies):
            moves = ply_of_move == ply
            np.add.at(sizes, truth.parent[moves], sizes[self._children[moves]])
        return sizes

    @property
    def plies(self) -> range:
        """The plies that have positions."""
        last = self._positions.circle[-1] | self._positions.cross[-1]
        return range(int(last).bit_count() + 1)

    def of_ply(self, ply: int) -> dict[str, object]:
        """Return all positions of a ply, as a list for each column.

        ``first`` is the number of the first position, ``first_move`` the number of moves before its
        own in the table; ``children`` are positions of the next ply.
        """
        truth = self._truth
        here = slice(*np.searchsorted(truth.ply, [ply, ply + 1]).tolist())
        facts = self._oracle.facts(truth.circle[here], truth.cross[here])
        statuses = [Status(code) for code in truth.status[here].tolist()]
        first_move = truth.first_move[here.start : here.stop + 1]
        moves, start = slice(first_move[0], first_move[-1]), first_move - first_move[0]
        move, loss, child = truth.move[moves], truth.loss[moves], self._children[moves]
        every = np.ones(len(move), np.bool_)
        return {
            "ply": ply,
            "first": here.start,
            "first_move": int(first_move[0]),
            "board": [to_text(truth.game, truth[i]) for i in range(here.start, here.stop)],
            "status": [status.word for status in statuses],
            "turn": [
                Side(ply % 2).word if status is Status.PLAYING else None for status in statuses
            ],
            "class": facts["class_"],
            "symmetry": facts["symmetry"],
            "orbit": facts["orbit"],
            "representative": facts["representative"],
            "nodes": facts["nodes"],
            "subtree": self._subtrees[here].tolist(),
            "score": truth.score[here].tolist(),
            "score_sv": truth.score_sv[here].tolist(),
            "score_svrd": facts["score_svrd"],
            "distance": truth.distance[here].tolist(),
            "critical": truth.critical[here].tolist(),
            "random_circle": facts["random_circle"],
            "random_draw": facts["random_draw"],
            "random_cross": facts["random_cross"],
            "best_moves": _lists(move, truth.is_best[moves], start),
            "best_moves_sv": _lists(move, truth.is_best_sv[moves], start),
            "best_moves_svrd": facts["best_moves_svrd"],
            "moves": _lists(move, every, start),
            "children": _lists(child, every, start),
            "loss": _lists(loss, every, start),
        }


def _lists(values: Ints, is_in: Bools, start: Ints) -> list[list[int]]:
    """Cut M values, one for each move, into a list for each position; keep those that are in."""
    before = np.concatenate([[0], np.cumsum(is_in)])[start].tolist()
    kept = values[is_in].tolist()
    return [kept[first:end] for first, end in pairwise(before)]


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | list | None) else str(value)


def rules_as_data(game: Game) -> dict[str, Any]:
    """Return the rules of a game as data."""
    return {
        "name": game.name,
        "notation": game.notation,
        "columns": game.columns,
        "rows": game.rows,
        "run": game.run,
        **{switch: getattr(game, switch) for switch in SWITCHES},
    }


_SCHEMAS = {**TABLES, **SOLVED, **KEPT}


def describe_tables(game: Game, opened: Mapping[str, Opened]) -> list[dict[str, Any]]:
    """Describe the tables in the open parts of a game as ``datapackage.json`` does.

    Instead of a path each has ``files``: path below ``tables/``, rows and bytes.
    """
    files: dict[str, list[dict[str, Any]]] = {}
    for part, (manifest, _) in opened.items():
        for name, entry in sorted(manifest.files.items()):
            table = table_of(name)
            path = f"{part}/{name}" if part else name
            file = {"path": path, "rows": entry.rows, "bytes": entry.bytes}
            files.setdefault(table, []).append(file)
    packages = {name: resource(game, _SCHEMAS[name], "") for name in _SCHEMAS if name in files}
    return [
        {
            "name": name,
            "description": each["description"],
            "schema": each["schema"],
            "files": files[name],
        }
        for name, each in packages.items()
    ]
