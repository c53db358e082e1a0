"""A notebook as a Python file in the percent format, which editors and jupytext read.

``# %%`` begins a cell of code, ``# %% [markdown] lang="en"`` a text in English, and ``lang="ja"``
the same text in Japanese. The lines of a text are comments.
"""

import re
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "ja")

_CELL = re.compile(r'# %%(?: \[markdown\](?: lang="(\w+)")?)?')
_WIDE = "[\u3000-\u9fff\uff00-\uffef]"
_BREAK = re.compile(rf"(?<={_WIDE})\n *(?=[\w`*\[]|{_WIDE})|(?<=[\w`*)])\n *(?={_WIDE})")


@dataclass(frozen=True)
class Cell:
    """A cell: code, or a text in one language."""

    source: str
    line: int  # of its first line in the file, from 1
    language: str | None  # None: code


def read(path: Path) -> list[Cell]:
    """Return the cells of a notebook. Raises ValueError for lines that belong to none."""
    cells: list[Cell] = []
    begun: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("# %%"):
            if not cells:
                raise ValueError(f"{path.name}, line {number}: expected a cell first: # %%")
            begun.append(line)
            continue
        match = _CELL.fullmatch(line)
        if match is None or ("markdown" in line and match[1] not in LANGUAGES):
            raise ValueError(
                f'{path.name}, line {number}: expected # %% or # %% [markdown] lang="en", or "ja": '
                f"{line!r}"
            )
        _finish(cells, begun)
        cells.append(Cell("", number + 1, match[1]))
        begun = []
    _finish(cells, begun)
    return cells


def _finish(cells: list[Cell], lines: list[str]) -> None:
    """Give the last cell its source."""
    if cells:
        begun = cells[-1]
        if begun.language:
            lines = [line.removeprefix("#").removeprefix(" ") for line in lines]
        source = "\n".join(lines).strip("\n")
        cells[-1] = Cell(_joined(source) if begun.language == "ja" else source,
                         begun.line, begun.language)  # fmt: skip


def _joined(text: str) -> str:
    """Put lines together that a reader of Japanese expects without a space between them."""
    return _BREAK.sub("", text)
