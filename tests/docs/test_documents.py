"""What the documents say is what happens."""

import re
from pathlib import Path

from PIL import Image

from marubatsu.pipeline.store.schemas import TABLES
from tools.boards_page import measured
from tools.boards_page import render as render_boards
from tools.cost_page import render as render_cost
from tools.dictionary import render
from tools.documents import (
    CHECKOUT,
    JAPANESE,
    README,
    commands,
    rerun,
    with_blocks_of,
    without_seconds,
)
from tools.screenshots import FOLDER, HEIGHT, SCALE, SCHEMES, VIEWS, WIDTH


def test_the_readme_shows_what_its_commands_print() -> None:
    shown = README.read_text(encoding="utf-8")
    assert len(list(commands(shown))) >= 10
    assert without_seconds(rerun(shown)) == without_seconds(shown)


def test_both_readmes_show_the_same() -> None:
    """The Japanese one has the same sections, commands, outputs, code and links."""
    english, japanese = (path.read_text(encoding="utf-8") for path in (README, JAPANESE))
    assert with_blocks_of(japanese, english) == japanese
    assert list(commands(japanese)) == list(commands(english))
    for pattern in (r"^## ", r"^\| `\w+/`", r"^```\w*$"):
        assert len(re.findall(pattern, japanese, re.MULTILINE)) == len(
            re.findall(pattern, english, re.MULTILINE)
        )
    pictures = r'(?:src|srcset)="([^"]+)"'
    assert re.findall(pictures, japanese) == re.findall(pictures, english)
    inline = r"`(?:marubatsu|make) [^`]+`|(?<=\]\()(?!README)[^)]+"
    assert set(re.findall(inline, japanese)) == set(re.findall(inline, english))


def test_the_readme_shows_each_view_light_and_dark() -> None:
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README.read_text(encoding="utf-8"))
    assert sorted(CHECKOUT / path for path in shown) == sorted(FOLDER.iterdir())
    assert {path.stem for path in FOLDER.iterdir()} == {
        f"{view}-{scheme}" for view in VIEWS for scheme in SCHEMES
    }
    for path in FOLDER.iterdir():
        assert path.stat().st_size < 150_000
        with Image.open(path) as picture:
            assert picture.size == (WIDTH * SCALE, HEIGHT * SCALE)


def test_the_data_dictionary_is_that_of_the_schemas() -> None:
    assert (CHECKOUT / "data" / "README.md").read_text(encoding="utf-8") == render()
    for table in TABLES.values():
        for column in table.columns:
            assert f"| `{column.name}` |" in render()


def test_the_page_about_boards_is_that_of_the_code() -> None:
    """Times differ from machine to machine, and are blotted out; what is counted does not."""
    page = (CHECKOUT / "docs" / "boards.md").read_text(encoding="utf-8")
    now = render_boards(measured(pairs=2, repeats=1))
    assert _without_figures(page) == _without_figures(now)
    for board, laws in (("BitBoard", "row | 18297 | 17723 | 18297"),
                        ("List1dBoard+counters", "column | 18297 | 17723 | 17723")):  # fmt: skip
        assert f"| {board} | {laws} |" in page


def test_the_costs_of_solutions_are_those_of_the_measured_rates() -> None:
    page = (CHECKOUT / "docs" / "solving.md").read_text(encoding="utf-8")
    assert page.endswith(render_cost())
    assert page.count("## What it costs") == 1


def _without_figures(page: str) -> str:
    """Blot out all numbers and the machine, and wrap lines nowhere."""
    told = " ".join(re.sub(r"(?<![\w@])[\d.,]*\d", "0", page).split())
    return re.sub(r"boards of tictactoe on .*?, load", "boards of tictactoe, load", told)


def test_every_make_target_is_explained() -> None:
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"\.PHONY: (.+)", makefile)[1].split())  # type: ignore[index]
    explained = set(re.findall(r"^([a-z]+):.*## \w", makefile, re.MULTILINE))
    assert targets == explained


def test_pins_name_no_host() -> None:
    for file in ("requirements.txt", "requirements-dev.txt", "requirements-spark.txt"):
        text = (CHECKOUT / file).read_text(encoding="utf-8")
        assert "://" not in text
        assert "index" not in text
        names = re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
        assert {"duckdb", "numpy", "pyarrow", "rich", "typer", "zstandard"} <= set(names)
        for block in re.split(r"\n(?=\S)", text.strip()):
            assert "--hash=sha256:" in block


def test_links_lead_somewhere() -> None:
    for document in (
        "README.md",
        "README.ja.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "data/README.md",
        "docs/boards.md",
        "docs/solving.md",
    ):
        path = CHECKOUT / document
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{document}: {link}"


def test_the_readme_names_every_folder() -> None:
    readme = README.read_text(encoding="utf-8")
    for folder in ("engine", "pipeline", "queries", "explorer", "data", "tests"):
        assert f"`{folder}/`" in readme
        assert Path(CHECKOUT / folder).is_dir()
