"""What the documents say is what happens."""

import re
from pathlib import Path

from pipeline.dictionary import render
from pipeline.schemas import TABLES
from tests.documents import CHECKOUT, README, commands, rerun, without_seconds


def test_the_readme_shows_what_its_commands_print() -> None:
    shown = README.read_text(encoding="utf-8")
    assert len(list(commands(shown))) >= 10
    assert without_seconds(rerun(shown)) == without_seconds(shown)


def test_the_data_dictionary_is_that_of_the_schemas() -> None:
    assert (CHECKOUT / "data" / "README.md").read_text(encoding="utf-8") == render()
    for table in TABLES.values():
        for column in table.columns:
            assert f"| `{column.name}` |" in render()


def test_every_make_target_is_explained() -> None:
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"\.PHONY: (.+)", makefile)[1].split())  # type: ignore[index]
    explained = set(re.findall(r"^([a-z]+):.*## \w", makefile, re.MULTILINE))
    assert targets == explained


def test_pins_name_no_host() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        text = (CHECKOUT / file).read_text(encoding="utf-8")
        assert "://" not in text
        assert "index" not in text
        names = re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
        assert {"duckdb", "numpy", "pyarrow", "rich", "typer", "zstandard"} <= set(names)
        for block in re.split(r"\n(?=\S)", text.strip()):
            assert "--hash=sha256:" in block


def test_links_lead_somewhere() -> None:
    for document in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md"):
        path = CHECKOUT / document
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{document}: {link}"


def test_the_readme_names_every_folder() -> None:
    readme = README.read_text(encoding="utf-8")
    for folder in ("engine", "pipeline", "queries", "data", "tests"):
        assert f"`{folder}/`" in readme
        assert Path(CHECKOUT / folder).is_dir()
