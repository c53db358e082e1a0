"""The core in one file: it runs alone, and its tables are those of the product."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT

CORE = CHECKOUT / "docs" / "core.py"
SOURCE = CORE.read_text(encoding="utf-8")


@pytest.mark.documents
def test_the_core_in_one_file_makes_the_same_tables(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", CORE, root / "tictactoe"], capture_output=True, text=True, check=True
    )
    page = (CHECKOUT / "docs" / "core.md").read_text(encoding="utf-8")
    assert f"```text\n{done.stdout}```\n" in page
    assert "549,946 rows" in done.stdout


def test_the_core_is_short_and_uses_nothing_of_the_product() -> None:
    assert len(SOURCE.splitlines()) <= 250
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(SOURCE))
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert imported - sys.stdlib_module_names == {"numpy", "pyarrow", "duckdb"}


def test_each_section_of_the_core_names_where_the_product_does_it() -> None:
    sections = re.findall(r"^# --- (.*)$", SOURCE, re.MULTILINE)
    assert len(sections) == 9
    for section in sections:
        paths = re.findall(r"(?:marubatsu|queries)/[\w/.]+|(?<=and )\w+\.py", section)
        assert paths, section
        folder = (CHECKOUT / paths[0]).parent
        for path in paths:
            assert (CHECKOUT / path).exists() or (folder / path).exists(), section
