"""What a change of the project forgets, with the cure: part of `make quick`."""

import re

import pytest

from marubatsu.cli.cures import _WORDS_FOR_COMMANDS
from marubatsu.engine.search.roster import all_ais
from marubatsu.pipeline.checking.published_content import published
from marubatsu.pipeline.sql.query_files import reports
from marubatsu.pipeline.support.cures import _WORDS_FOR_PYTHON
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.tables.schemas import TABLES

pytestmark = pytest.mark.quick

JAPANESE = PAGE / "words" / "japanese.js"


def words(kind: str) -> set[str]:
    """Return the names of a kind that have a Japanese sentence."""
    text = JAPANESE.read_text(encoding="utf-8")
    start = text.index(f"\n  {kind}: {{\n")
    return set(
        re.findall(r"^    (\w+): '.+',$", text[start : text.index("\n  },", start)], re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("ai", {ai.name for ai in all_ais()}),
        ("question", set(reports())),
        ("grain", set(reports())),
    ],
)
def test_each_ai_and_report_has_its_japanese_sentence(kind: str, names: set[str]) -> None:
    forgotten = names - words(kind)
    assert not forgotten, f"add {sorted(forgotten)} to `{kind}` in explorer/words/japanese.js"
    gone = words(kind) - names
    assert not gone, f"remove {sorted(gone)} from `{kind}` in explorer/words/japanese.js"


def test_each_cure_is_worded_for_python_and_for_the_command_line() -> None:
    renewed = {key for key in _WORDS_FOR_COMMANDS if key.startswith("renew ")}
    assert _WORDS_FOR_PYTHON.keys() == _WORDS_FOR_COMMANDS.keys() - renewed


def test_each_table_has_its_published_hashes() -> None:
    known = {row.file for row in published() if row.part == "tables" and row.file}
    forgotten = {table.file for table in TABLES.values()} - known
    assert not forgotten, f"run `make hashes`: {sorted(forgotten)} have no published content hash"
