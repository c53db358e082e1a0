"""Run the notebooks, and write each in both languages: as .ipynb, and as a page of the site.

``python -m tools.generators.notebooks`` (a part of ``make docs``) fills docs/notebooks/en/ and
docs/notebooks/ja/, which are not in git.

A notebook is a Python file in the percent format, which editors and jupytext read. ``# %%`` begins
a cell of code, ``# %% [markdown] lang="en"`` a text in English, and ``lang="ja"`` the same text in
Japanese. The lines of a text are comments.
"""

import ast
import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import patch

import matplotlib as mpl

from marubatsu.pipeline.support.machine import cores
from tools.generators.run_pages import CHECKOUT

FOLDER = CHECKOUT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))

LANGUAGES = ("en", "ja")

_CELL = re.compile(r'# %%(?: \[markdown\](?: lang="(\w+)")?)?')
_WIDE = "[\u3000-\u9fff\uff00-\uffef]"
_BREAK = re.compile(rf"(?<={_WIDE})\n *(?=[\w`*\[]|{_WIDE})|(?<=[\w`*)])\n *(?={_WIDE})")
"""The ends of lines after which a reader of Japanese expects no space."""

_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)]+)\)")
_GREY = re.compile(r"#777777")
"""The colour of text in a plot; in the site, it is that of the page."""

_WORDS = {
    "en": ("ja", "日本語", "Download it for Jupyter"),
    "ja": ("en", "English", "Jupyter 用にダウンロード"),
}
"""The other language, its name, and the words of the download, in each language."""


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
    if cells:
        begun = cells[-1]
        if begun.language:
            lines = [line.removeprefix("#").removeprefix(" ") for line in lines]
        source = "\n".join(lines).strip("\n")
        cells[-1] = Cell(_BREAK.sub("", source) if begun.language == "ja" else source,
                         begun.line, begun.language)  # fmt: skip


Output: TypeAlias = dict[str, Any]
"""What a cell shows, as nbformat has it: printed text, plots, and the value of its last line."""


def run(path: Path, cells: Sequence[Cell]) -> list[list[Output]]:
    """Run all cells of code in one namespace, as a kernel would; return what each cell shows.

    ``plt.show()`` ends a plot. Raises what the cells raise.
    """
    mpl.use("agg")
    from matplotlib import pyplot as plt

    names: dict[str, Any] = {"__name__": "__main__"}
    shown: list[list[Output]] = []
    with mpl.rc_context():
        for cell in cells:
            shown.append([])
            if cell.language:
                continue
            figures: list[Output] = []
            with (
                redirect_stdout(StringIO()) as out,
                patch.object(plt, "show", partial(_take, plt, figures)),
            ):
                value = _value(path, cell, names)
            if plt.get_fignums():
                raise ValueError(
                    f"{path.name}, line {cell.line}: this cell ends without plt.show()"
                )
            if printed := out.getvalue():
                shown[-1].append({"name": "stdout", "output_type": "stream", "text": printed})
            shown[-1] += figures
            if value is not None:
                result = {"data": {"text/plain": value}, "execution_count": None, "metadata": {}}
                shown[-1].append({**result, "output_type": "execute_result"})
    return shown


def _value(path: Path, cell: Cell, names: dict[str, Any]) -> str | None:
    """Run a cell and return its last value as text; lines have their numbers of the file."""
    tree = ast.parse("\n" * (cell.line - 1) + cell.source, str(path))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(path), "exec"), names)  # noqa: S102, our own notebook
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    value = eval(compile(ast.Expression(last.value), str(path), "eval"), names)  # noqa: S307, as above
    return None if value is None else repr(value)


def _take(plt: Any, taken: list[Output]) -> None:
    """Draw all open figures, and close them."""
    for number in plt.get_fignums():
        figure = plt.figure(number)
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        png, svg = BytesIO(), BytesIO()
        figure.savefig(png, format="png", dpi=144, metadata={"Software": None})
        with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "marubatsu"}):
            figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        data = {
            "image/png": b64encode(png.getvalue()).decode(),
            "image/svg+xml": svg.getvalue().decode(),
            "text/plain": "; ".join(title.replace("\n", " ") for title in titles if title),
        }
        taken.append({"data": data, "metadata": {}, "output_type": "display_data"})
    plt.close("all")


def write(path: Path, into: Path) -> None:
    """Run one notebook, and write its four documents into the folders of the languages."""
    cells = read(path)
    shown = run(path, cells)
    for language in LANGUAGES:
        folder = into / language
        folder.mkdir(exist_ok=True)
        for ending, text in (
            (".ipynb", notebook(cells, shown, language)),
            (".md", page(path.stem, cells, shown, language)),
        ):
            (folder / f"{path.stem}{ending}").write_text(text, encoding="utf-8")


def _write_all() -> None:
    for language in LANGUAGES:
        shutil.rmtree(FOLDER / language, ignore_errors=True)
    with ProcessPoolExecutor(cores()) as pool:
        written = pool.map(partial(write, into=FOLDER), NOTEBOOKS)
        for path, _ in zip(NOTEBOOKS, written, strict=True):
            print(path.relative_to(CHECKOUT))


def notebook(cells: Sequence[Cell], shown: Sequence[list[Output]], language: str) -> str:
    """Write the cells of one language with their outputs, as nbformat 4.5."""
    written = []
    for number, (cell, outputs) in enumerate(_of(cells, shown, language)):
        entry: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}}
        if cell.language:
            text = _LINK.sub(r"\1", cell.source)  # a link into this checkout leads nowhere else
            entry |= {"cell_type": "markdown", "source": text}
        else:
            entry |= {
                "cell_type": "code",
                "execution_count": None,
                "outputs": outputs,
                "source": cell.source,
            }
        written.append(entry)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": written, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def page(name: str, cells: Sequence[Cell], shown: Sequence[list[Output]], language: str) -> str:
    """Write the cells of one language as a page in MyST, next to the .ipynb."""
    other, its_name, download = _WORDS[language]
    parts = []
    for cell, outputs in _of(cells, shown, language):
        if not cell.language:
            parts += [_block("python", cell.source), *map(_shown, outputs)]
            continue
        text = _LINK.sub(r"[\1](../\2)", cell.source)
        if not parts:
            heading, text = f"{text}\n".split("\n", 1)
            links = f"[{its_name}](../{other}/{name}.md) · {{download}}`{download} <{name}.ipynb>`"
            parts = [heading, links]
        parts.append(text.strip())
    return "\n\n".join(parts) + "\n"


def _of(
    cells: Sequence[Cell], shown: Sequence[list[Output]], language: str
) -> Iterator[tuple[Cell, list[Output]]]:
    for cell, outputs in zip(cells, shown, strict=True):
        if cell.language in (None, language):
            yield cell, outputs


def _shown(output: Output) -> str:
    if output["output_type"] == "stream":
        return _block("text", output["text"].rstrip("\n"))
    data = output["data"]
    if "image/svg+xml" in data:
        return _block("{raw} html", _inline(data["image/svg+xml"], data["text/plain"]))
    return _block("text", data["text/plain"])


def _block(kind: str, text: str) -> str:
    return f"```{kind}\n{text}\n```"


def _inline(svg: str, title: str) -> str:
    """Return a plot as a part of a page, whose colour its text takes."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\n\s*\n", "\n", re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL))
    svg = re.sub(r'<svg ([^>]*?)width="[\d.]+pt" height="[\d.]+pt"', r"<svg \1", svg, count=1)
    named = f'<svg role="img" aria-label="{escape(title)}" style="max-width: 100%" '
    return _GREY.sub("currentColor", svg.replace("<svg ", named, 1)).rstrip("\n")


if __name__ == "__main__":
    _write_all()
