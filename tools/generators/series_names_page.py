"""The generator of ``docs/series-names.md``, from ``docs/series_names.csv``.

Run as ``python -m tools.generators.series_names_page`` (``make names``).
"""

import csv
import re
from itertools import groupby
from typing import NamedTuple

from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT

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

_INTRODUCTION = """\
# Names of the tutorial series 連載の名前

Which name of [the tutorial series](series.md) is what here? Each line under *try it* runs: a
command in a shell, or Python after `import marubatsu as mb`. `make names` writes this page from
[series_names.csv](series_names.csv).

[連載](series.md)の名前が、ここでは何に当たるかの一覧です。「試す」の行は、そのまま実行できます。
`marubatsu` で始まる行はシェルのコマンド、ほかは `import marubatsu as mb` の後の Python です。
"""

_OWN_FILE = """\
## Your own marubatsu.py 自分の marubatsu.py

- `marubatsu audit ai.py:ai14s --as series` runs your AIs
  [unchanged](frameworks.md#ais-of-the-tutorial-series). They import `Marubatsu` and `Markpat` from
  this package, not from a `marubatsu.py` next to them.
- In a folder with a `marubatsu.py`, `import marubatsu` and `python -m marubatsu` take that file.
  The command `marubatsu` and `python -P -m marubatsu` take this package. An AI in that file is
  `marubatsu.py:ai`.
- 連載の AI は、`--as series` を付けると、書き換えずに検証できます。
- `marubatsu.py` のあるフォルダーでは、`import marubatsu` はそのファイルを読み込みます。
  このパッケージを使うには、コマンド `marubatsu` を実行します。
"""


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


def render() -> str:
    """Write the page."""
    parts = [_INTRODUCTION]
    for module, rows in groupby(read(), lambda each: each.module):
        parts.append(f"## {_OTHER_HEADINGS.get(module, module)}\n")
        parts.append(to_markdown(Rows(_COLUMNS, [_cells(each) for each in rows])))
    return "\n".join([*parts, _OWN_FILE])


def _cells(row: SeriesName) -> tuple[str, ...]:
    name = re.sub(r"([\\`*_\[\]<>])", r"\\\1", row.name)
    runs = f"`{row.runs}`" if row.runs else ""
    return name, row.episode, f"{row.kind} {KINDS[row.kind]}", row.here, runs, row.note


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
