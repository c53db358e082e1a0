"""Commands and code in the documents do what the documents say."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from PIL import Image

from marubatsu import __version__
from marubatsu.engine.boards.laws import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import all_ais
from marubatsu.pipeline.checking.verify import published
from marubatsu.pipeline.laboratory import board_conformance
from marubatsu.pipeline.laboratory.board_benchmark import bench, orders
from marubatsu.pipeline.stages.stage import TREE_STAGES
from marubatsu.pipeline.tables import schemas, solved_schemas
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import table_of
from marubatsu.pipeline.tables.schemas import TABLES, Table
from tests.attacks.answer_readers import PLACES, WAYS
from tests.attacks.tally import ATTEMPTS
from tests.helpers.processes.commands import every_command, run_here
from tools.generators import run_pages
from tools.generators.boards_page import PAGE as BOARDS
from tools.generators.boards_page import SERIES, with_boards
from tools.generators.boards_page import render as render_boards
from tools.generators.cost_page import render as render_cost
from tools.generators.dictionary import PAGE as DICTIONARY
from tools.generators.dictionary import render
from tools.generators.run_pages import CHECKOUT, JAPANESE, PAGES, README, commands, output, start
from tools.generators.screenshots import DETAILED, FOLDER, HEIGHT, SCALE, SCHEMES, VIEWS, WIDTH

DOCS = CHECKOUT / "docs"
LONGEST_README = 120  # lines
OTHERS = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "data/README.md")
DOCUMENTS = (*PAGES, JAPANESE, *map(CHECKOUT.joinpath, OTHERS))
MADE_ANEW = {"ais.parquet", *(stage.table.file for stage in TREE_STAGES)}

_PLAIN = re.compile(
    r"""(?!.*--format\ parquet|.*--raw)marubatsu\ (?P<words>(?:[^|;<>&()$`"'\\\n]|"[^"]*"|'[^']*')*)
    (?:\|(?P<filter>(?!.*marubatsu).*))?""",
    re.DOTALL | re.VERBOSE,
)
"""A command without a shell's syntax, but for a filter, whose output is text."""
ERRORS_SHOWN = {
    "docs/positions.md": ["no game of tictactoe reaches 'xox.o.x..': it has 2 o and 3 x"],
    "docs/audits.md": ["examples/corners.py:choose fails weak: "],
    "docs/index.md": ["expected 9 cells of '.ox' for tictactoe"],
    "docs/reviews.md": ["line 1 of '/dev/stdin': in the numbering cells, 1 of 1 games"],
    "docs/sql.md": ["expected a statement that reads"],
}
"""The beginnings of the errors that each page means to show, in their order."""
_ERROR = re.compile(r"^marubatsu: (.*)$", re.MULTILINE)
_LINK = re.compile(r"(?:\[([^][]+))?\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return str(page.relative_to(CHECKOUT))


@pytest.fixture(scope="session")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every table of tic-tac-toe, and nothing else."""
    folder = tmp_path_factory.mktemp("tables")
    shutil.copytree(root / "tictactoe", folder / "tictactoe")
    return folder


def take_what_takes_long(built: Path, data: Path) -> None:
    """Begin as after an interrupted build: only the tables of AIs and searches, all but one."""
    begun, made = (DataSet(folder, Game("tictactoe")) for folder in (data, built))
    manifest = made.manifest()
    assert manifest
    kept = {file: entry for file, entry in manifest.files.items() if file not in MADE_ANEW}
    begun.folder.mkdir()
    for file in kept:
        shutil.copy(made.path(file), begun.folder)
    begun.publish([], replace(manifest, files=kept))


@pytest.mark.documents
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_shows_what_its_blocks_print(
    page: Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test of the boards looks at all positions; here every fortieth is enough."""
    shown = page.read_text(encoding="utf-8")
    if "```console" not in shown and ">>>" not in shown:
        pytest.skip("nothing to run")
    data = start(page, request.getfixturevalue("built"), tmp_path)
    cases_of = board_conformance.cases_of
    monkeypatch.setattr(board_conformance, "cases_of", lambda game: cases_of(game)[::40])
    if page == README:
        take_what_takes_long(request.getfixturevalue("built"), data)
    again = run_pages.rerun(shown, data, output_here)
    assert run_pages.without_times(again) == run_pages.without_times(shown)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_shows_only_the_errors_that_it_means_to(page: Path) -> None:
    shown = _ERROR.findall(page.read_text(encoding="utf-8"))
    meant = ERRORS_SHOWN.get(name_of(page), [])
    assert [error[: len(start)] for error, start in zip(shown, meant, strict=True)] == meant


def output_here(command: str, data: Path) -> str:
    """Return the output of a command, which runs in this process unless it needs a shell.

    A shell reads its words, and runs what filters its output. As for a reader who has activated the
    environment, its programs are on the path.
    """
    plain = _PLAIN.fullmatch(command)
    if not plain:
        return output(command, data)
    words = shell(f"printf '%s\\0' {plain['words']}").split("\0")[:-1]
    with mock.patch.dict(os.environ, PATH=run_pages.environment(data)["PATH"]):
        done = run_here(*words, data=data)
    shown = shell(plain["filter"], done.stdout) if plain["filter"] else done.stdout
    return (done.stderr + shown).replace(str(data), "data")


def shell(command: str, lines: str = "") -> str:
    done = subprocess.run(["bash", "-c", command], input=lines, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def test_every_command_and_example_is_shown_and_every_page_linked() -> None:
    shown = {page: page.read_text(encoding="utf-8") for page in PAGES}
    assert len(shown[README].splitlines()) <= LONGEST_README
    assert len(list(commands(shown[README]))) >= 4
    for command in every_command():
        assert any(f"marubatsu {command}" in text for text in shown.values()), command
    for page in DOCS.glob("*.md"):
        assert page.name == "index.md" or f"]({page.name})" in shown[DOCS / "index.md"]
    linked = re.findall(r"\(\.\./examples/([\w-]+\.\w+)\)", "".join(shown.values()))
    examples = (CHECKOUT / "examples").iterdir()
    assert {*linked} == {path.name for path in examples if path.is_file()}


def test_both_readmes_show_the_same() -> None:
    """The Japanese one has the same sections, commands, outputs, code and links."""
    english, japanese = (path.read_text(encoding="utf-8") for path in (README, JAPANESE))
    assert list(commands(japanese)) == list(commands(english))
    assert run_pages.with_blocks_of(japanese, english) == japanese
    for pattern in (r"^## ", r"^\| `\w+/`", r"^```\w*$"):
        assert len(re.findall(pattern, japanese, re.MULTILINE)) == len(
            re.findall(pattern, english, re.MULTILINE)
        )
    pictures = r'(?:src|srcset)="([^"]+)"'
    assert re.findall(pictures, japanese) == re.findall(pictures, english)
    inline = r"`(?:marubatsu|make) [^`]+`|(?<=\]\()(?!README)[^)]+"
    assert set(re.findall(inline, japanese)) == set(re.findall(inline, english))


def test_readme_and_page_show_each_view_light_and_dark() -> None:
    shown = [
        (page.parent / picture).resolve()
        for page in (README, DOCS / "explorer.md")
        for picture in re.findall(r'(?:src|srcset)="([^"]+)"', page.read_text(encoding="utf-8"))
    ]
    assert set(shown) == {path.resolve() for path in FOLDER.iterdir()}
    assert {path.stem for path in FOLDER.iterdir()} == {
        f"{view}-{scheme}" for view in VIEWS for scheme in SCHEMES
    }
    for path in FOLDER.iterdir():
        assert path.stat().st_size < 150_000
        with Image.open(path) as picture:
            factor = DETAILED.get(path.stem.partition("-")[0], 1)
            assert picture.size == (WIDTH * SCALE / factor, HEIGHT * SCALE / factor)


VIEWS_OF_SCORES = {"score_mover": "view of the side to move", "ai_score": "mover's view"}
"""The views that the meanings of columns name; that of every other score is circle's."""


def test_the_numbers_of_ais_and_rows_are_those_of_the_tables() -> None:
    tables, audits, explorer = (
        (DOCS / name).read_text(encoding="utf-8")
        for name in ("tables.md", "audits.md", "explorer.md")
    )
    rows = {
        table_of(row.file): f"{row.rows:,}"
        for row in published()
        if (row.game, row.part) == ("tictactoe", "tables") and row.file
    }
    assert dict(re.findall(r"^\| `(\w+)` \|.*\| ([\d,]+) \|", tables, re.MULTILINE)) == rows
    assert f"the {len(all_ais())} built-in AIs" in audits
    assert explorer.count(f"**{len(all_ais())} AIs, judged") == 2


def test_the_data_dictionary_is_that_of_the_schemas() -> None:
    """Every declared table is in it; each score says whose view it is."""
    page = DICTIONARY.read_text(encoding="utf-8")
    assert page == render(page)
    tables = {**TABLES, **solved_schemas.SOLVED, **solved_schemas.KEPT}
    assert tables == {
        each.name: each
        for module in (schemas, solved_schemas)
        for each in vars(module).values()
        if isinstance(each, Table)
    }
    for column in (column for table in tables.values() for column in table.columns):
        assert f"| `{column.name}` |" in page
        if "score" in column.name:
            assert VIEWS_OF_SCORES.get(column.name, "circle's view") in column.meaning


def test_the_pages_about_boards_are_those_of_the_code() -> None:
    """Times differ from machine to machine, and are blotted out; what is counted does not."""
    board, game = "BitBoard3x3", Game("tictactoe")
    measured = bench(
        {board: all_boards()[board]}, game, pairs=2, repeats=1, progress=lambda share: None
    )
    now = replace(measured, boards=dict.fromkeys(all_boards(), measured.boards[board]))
    page, series = (path.read_text(encoding="utf-8") for path in (BOARDS, SERIES))
    assert _without_figures(page) == _without_figures(render_boards(page, now))
    assert _without_figures(series) == _without_figures(with_boards(series, now))
    (counted,) = orders(game, {board: all_boards()[board]}).rows
    assert counted[2:4] == [18297, 17723]
    assert "18,297 nodes by row and 17,723 by column" in " ".join(series.split())


def test_the_costs_of_solutions_are_those_of_the_measured_rates() -> None:
    page = (DOCS / "large-games.md").read_text(encoding="utf-8")
    assert page.endswith(render_cost())
    assert page.count("## What it costs") == 1


def _without_figures(page: str) -> str:
    """Blot out all numbers and the machine, and wrap lines nowhere."""
    message = " ".join(re.sub(r"(?<![\w@])[\d.,]*\d", "0", page).split())
    return re.sub(r"Measured on .*?, at a load", "Measured at a load", message)


def test_changelog_and_citation_name_this_release() -> None:
    changes = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    release, date = re.search(r"^## ([\d.]+) - ([\d-]+)$", changes, re.MULTILINE).groups()  # type: ignore[union-attr]
    assert release == __version__
    citation = (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {release}\n" in citation
    assert f"\ndate-released: {date}\n" in citation


def test_pins_name_no_host() -> None:
    pins = sorted(CHECKOUT.glob("requirements*.txt"))
    assert len(pins) >= 3
    for file in pins:
        text = file.read_text(encoding="utf-8")
        assert "://" not in text
        assert "index" not in text
        blocks = re.split(r"\n(?=\S)", text.strip())
        assert all("--hash=sha256:" in block for block in blocks)
        names = {block.partition("==")[0] for block in blocks}
        assert {"duckdb", "numpy", "pyarrow", "rich", "typer", "zstandard"} <= names


def test_the_pins_of_the_page_s_checkers_name_no_host() -> None:
    lock = json.loads((CHECKOUT / "tools" / "page" / "package-lock.json").read_text("utf-8"))
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert {"node_modules/typescript", "node_modules/eslint"} <= set(packages)
    for package in packages.values():
        assert "resolved" not in package
        assert package["integrity"].startswith("sha512-")


def test_the_tests_of_each_promise_are_there() -> None:
    text = (CHECKOUT / "docs" / "verification.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.]+)`", text)
    assert len(named) > 10
    assert [name for name in named if not (CHECKOUT / name).is_file()] == []
    (most,) = re.findall(r"MARUBATSU_ATTEMPTS=(\d+)", (CHECKOUT / "Makefile").read_text("utf-8"))
    assert f"`make attack` tries {most} of most kinds, `make test` {ATTEMPTS}." in text
    assert f"({len(WAYS)} ways, {len(PLACES)} names)" in text


_IN_THE_SITE = {"../data/README.md", "../CHANGELOG.md"}
"""Documents of other folders that the site shows; Sphinx refuses links to others."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    for text, link in _LINK.findall(_FENCED.sub("", document.read_text(encoding="utf-8"))):
        if link.startswith("https://"):
            continue
        file, _, heading = link.partition("#")
        target = document.parent / file if file else document
        assert target.exists(), link
        if (name := text.strip("`")).endswith((".py", ".js", ".sql")):
            assert file.endswith(name), link
        if document.parent.name == "docs" and file.startswith("../") and file.endswith(".md"):
            assert file in _IN_THE_SITE, link
        if heading:
            assert heading in _anchors(target), link


def _anchors(document: Path) -> set[str]:
    """Return the names by which a link reaches the headings of a document."""
    headings = _HEADING.findall(_FENCED.sub("", document.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
