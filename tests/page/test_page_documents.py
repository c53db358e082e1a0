"""The documents of the page equal the tables, from a server or in a site."""

import json
import re
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.solution_parts import PART
from marubatsu.web import site as sites
from marubatsu.web.documents import Documents
from marubatsu.web.site import CARD, CARD_SIZE, LIST, START, files, front_files, write_site
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST, build_smallest, build_tree, contents, copied
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import require_refused, run_here

TREES = {
    "bfs": "select move from tree_bfs where node > 0 order by node",
    "dfs": "select move from tree_dfs where node > 0 order by node",
}


@pytest.fixture(scope="module")
def documents(catalog: Catalog, oracle: Oracle) -> Documents:
    return Documents(oracle, catalog)


LONG_TRACE = 10_000
"""Events of a trace that has nothing which the shorter ones have not."""


def read(documents: Documents, path: str) -> Any:
    return json.loads(documents.get(path))


def test_the_document_of_the_tables_is_what_their_files_say(shared: Shared) -> None:
    """Of a game with every table and a solution: each file, with its rows, bytes and columns."""
    data_set = DataSet(build_smallest(shared), Game(SMALLEST))
    with open_catalog(data_set) as catalog:
        tables = read(Documents(open_oracle(data_set), catalog), "tables.json")
    files = {file["path"]: (table, file) for table in tables for file in table["files"]}
    there = {str(path.relative_to(data_set.folder)) for path in data_set.folder.rglob("*.parquet")}
    assert files.keys() == there
    for name, (table, file) in files.items():
        path = data_set.folder / name
        found = pq.ParquetFile(path)
        assert (file["rows"], file["bytes"]) == (found.metadata.num_rows, path.stat().st_size)
        fields = [(field["name"], field["description"]) for field in table["schema"]["fields"]]
        assert fields == [
            (column.name, column.metadata[b"description"].decode()) for column in found.schema_arrow
        ]


def test_a_trace_replays_to_its_table(catalog: Catalog, documents: Documents) -> None:
    abouts = read(documents, "game.json")["traces"]
    for about in (about for about in abouts if about["events"] < LONG_TRACE):
        trace = read(documents, f"traces/{about['search']}.json")
        rows = catalog.run(
            "select kind, alpha, beta, score, skipped, line from search_trace where search = ? "
            "order by event",
            [about["search"]],
        ).rows
        assert len(rows) == len(trace["codes"]) == about["events"]
        line: list[int] = []
        cells = iter(trace["cells"])
        for code, row in zip(trace["codes"], rows, strict=True):
            kind = trace["kinds"][code]
            if kind["kind"] == "enter" and (cell := next(cells)) is not None:
                line.append(cell)
            digits = int("".join(str(each + 1) for each in line) or 0)
            assert (*kind.values(), digits) == row
            if kind["kind"] == "leave" and line:
                line.pop()
        assert line == []
        assert next(cells, None) is None
        assert len(trace["cells"]) == about["entered"]


def test_the_documents_of_the_trees_are_the_tables(catalog: Catalog, documents: Documents) -> None:
    for order, sql in TREES.items():
        rows = catalog.run(sql).rows
        moves = read(documents, f"trees/{order}.json")["moves"]
        assert moves == "".join(str(move) for (move,) in rows)
        assert len(moves) == 549_945


def test_a_site_holds_the_same_as_the_api(
    root: Path, site: Path, documents: Documents, oracle: Oracle
) -> None:
    """Every file is listed once, and another process writes the same bytes."""
    assert len(documents.paths) == len(set(documents.paths)) > 80
    written = contents(site)
    pages = {name: (PAGE / name).read_bytes() for name in files()}
    listed, start = json.loads(written.pop(LIST)), json.loads(written.pop(START))
    place = "api/v2/games/tictactoe"
    answers = {path: json.loads(written.pop(path)) for path in [*written] if "/positions/" in path}
    boards = [board for ply in range(10) for board in read(documents, f"plies/{ply}.json")["board"]]
    assert sorted(answers) == sorted(f"{place}/positions/{board}" for board in boards)
    for board in boards[::50]:
        assert answers[f"{place}/positions/{board}"] == oracle.answer(board).to_json()
    tables = {f"{place}/tables/{path.name}": path.read_bytes()
              for path in (root / "tictactoe").glob("*.parquet")}  # fmt: skip
    answer = json.loads(written.pop(f"{place}/tables.json"))
    assert answer == read(documents, "tables.json")
    of_game = {f"{place}/{p}": documents.get(p) for p in documents.paths if p != "tables.json"}
    front = dict(front_files(None))
    assert front.keys() == {"index.html", "LICENSE", ".nojekyll"}
    assert written == {**pages, **of_game, **tables, **front}
    assert listed == sorted([*written, *answers, f"{place}/tables.json", LIST, START])
    assert (start["server"], start["game"], len(start["games"])) == (False, "tictactoe", 1)
    assert sum(map(len, written.values())) < 10_000_000
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_site_has_a_card_and_its_licences(shared: Shared, tmp_path: Path) -> None:
    """Where the address is known, the picture has a whole address, as social networks want."""
    root = build_smallest(shared)
    for number, url in enumerate((None, "https://example.org/games/")):
        site = tmp_path / str(number)
        options = [] if url is None else ["--url", url]
        done = run_here("site", "--out", str(site), "--game", SMALLEST, *options, data=root)
        assert done.returncode == 0, done.stderr
        page = (site / "index.html").read_text(encoding="utf-8")
        tags = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))
        assert tags["image"] == f"{url or ''}{CARD}"
        assert tags.get("url") == url
        with Image.open(site / CARD) as card:
            assert card.size == CARD_SIZE
            assert (tags["image:width"], tags["image:height"]) == tuple(map(str, card.size))
        licences = (site / "LICENSE").read_text(encoding="utf-8")
        assert "CC0 1.0 Universal" in licences
        assert (CHECKOUT / "LICENSE").read_text(encoding="utf-8") in licences
    done = run_here("site", "--out", str(tmp_path / "no"), "--url", "here", data=root)
    require_refused(done, "expected an address as in https://example.org/data")


def test_the_page_about_the_site_names_its_limits() -> None:
    page = " ".join((CHECKOUT / "docs" / "explorer.md").read_text(encoding="utf-8").split())
    assert f"A game of at most {sites.MOST_ANSWERS:,} positions has a file for each answer" in page
    assert f"sends the whole file, usually of at most {PART:,} rows" in page


def test_a_site_of_one_cell_has_its_positions(tmp_path: Path) -> None:
    """No file can be called as its empty board is."""
    write_site(build_tree(tmp_path, "1x1k1"), tmp_path / "site", None, lambda share: None)
    positions = tmp_path / "site" / "api" / "v2" / "games" / "1x1k1" / "positions"
    assert sorted(contents(positions)) == ["_", "o"]


def test_a_site_replaces_a_site_and_nothing_else(shared: Shared, tmp_path: Path) -> None:
    def written_to(place: Path) -> CompletedProcess[str]:
        return run_here("site", "--out", str(place), "--game", SMALLEST, data=root)

    root, site = build_smallest(shared), tmp_path / "first" / "site"
    assert written_to(site).returncode == 0
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    done = written_to(other)
    require_refused(done, "holds something that is no site")
    assert [p.name for p in other.iterdir()] == ["letter.txt"]
    ours = copied(site, tmp_path / "deep" / "site")
    (ours / "index.html").write_text("an older one")
    for place in (ours, tmp_path / "deeper" / "site"):
        assert written_to(place).returncode == 0
        assert contents(place) == contents(site)
        assert [path.name for path in place.parent.iterdir()] == ["site"]
    for name in ("CNAME", "api/mine/deep.json"):
        foreign = ours / name
        foreign.parent.mkdir(exist_ok=True)
        foreign.write_text("example.org")
        done = written_to(ours)
        assert done.returncode == 2
        assert re.search(f"holds '{name[:8]}[^']*', which is no part of a site", done.stderr)
        assert foreign.read_text() == "example.org"
        foreign.unlink()
    (tmp_path / "file").write_text("")
    done = written_to(tmp_path / "file" / "x")
    assert done.returncode == 1
    assert done.stderr.startswith("marubatsu: cannot write")
