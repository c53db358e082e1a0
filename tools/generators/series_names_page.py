"""The generator of the tables of ``docs/series-names.md``, from ``docs/series_names.csv``.

Run as ``python -m tools.generators.series_names_page`` (``make names``).
"""

import csv
import re
from itertools import groupby
from typing import NamedTuple

from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts

FILE = CHECKOUT / "docs" / "series_names.csv"
PAGE = CHECKOUT / "docs" / "series-names.md"

KINDS = {
    "same": "同じ",
    "other name": "別の名前",
    "differs": "違う",
    "missing": "ない",
    "lesson": "Python の学習",
}
"""How a name of the series corresponds to ours, in English and Japanese."""

_COLUMNS = (
    "name 名前", "episode 回", "kind 種別", "here ここでは", "try it 試す", "note 備考",
)  # fmt: skip

_OTHER_HEADINGS = {"files and figures": "files and figures ファイルと数値"}


class SeriesName(NamedTuple):
    """A row of the file."""

    name: str
    module: str  # of the series
    episode: str  # where it is known
    kind: str  # of `KINDS`
    here: str  # in English; code between backticks
    runs: str  # a command, or an expression of Python
    note: str  # in Japanese


def read() -> list[SeriesName]:
    """Read the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [SeriesName(**row) for row in csv.DictReader(file)]


def render(page: str) -> str:
    """Return the page with a table for each module of the series."""
    parts = []
    for module, rows in groupby(read(), lambda each: each.module):
        parts.append(f"## {_OTHER_HEADINGS.get(module, module)}\n")
        parts.append(to_markdown(Rows(_COLUMNS, [_cells(each) for each in rows])))
    return with_parts(page, names="\n".join(parts))


def _cells(row: SeriesName) -> tuple[str, ...]:
    name = re.sub(r"([\\`*_\[\]<>])", r"\\\1", row.name)
    runs = f"`{row.runs}`" if row.runs else ""
    return name, row.episode, f"{row.kind} {KINDS[row.kind]}", row.here, runs, row.note


if __name__ == "__main__":
    rewrite(PAGE, render)
