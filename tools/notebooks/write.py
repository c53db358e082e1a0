"""Run the notebooks, and write each in both languages: as .ipynb, and as a page of the site.

``python -m tools.notebooks.write`` (a part of ``make docs``) fills docs/notebooks/en/ and
docs/notebooks/ja/, which are not in git.
"""

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from marubatsu.pipeline.support.machine import cores
from tools.generators.run_pages import CHECKOUT
from tools.notebooks.cells import LANGUAGES, Cell, read
from tools.notebooks.execution import Figure, Shown, run

FOLDER = CHECKOUT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))

_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)]+)\)")
_GREY = re.compile(r"#777777")
"""The colour of text in a plot; in the site, it is that of the page."""

_WORDS = {
    "en": ("ja", "日本語", "Download it for Jupyter"),
    "ja": ("en", "English", "Jupyter 用にダウンロード"),
}
"""The other language, its name, and the words of the download, in each language."""


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


def notebook(cells: Sequence[Cell], shown: Sequence[Shown], language: str) -> str:
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
                "outputs": list(_outputs(outputs)),
                "source": cell.source,
            }
        written.append(entry)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": written, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def page(name: str, cells: Sequence[Cell], shown: Sequence[Shown], language: str) -> str:
    """Write the cells of one language as a page in MyST, beside which the .ipynb is."""
    other, its_name, download = _WORDS[language]
    parts = []
    for cell, outputs in _of(cells, shown, language):
        if not cell.language:
            parts += [_block("python", cell.source), *_blocks(outputs)]
            continue
        text = _LINK.sub(r"[\1](../\2)", cell.source)
        if not parts:
            heading, text = f"{text}\n".split("\n", 1)
            links = f"[{its_name}](../{other}/{name}.md) · {{download}}`{download} <{name}.ipynb>`"
            parts = [heading, links]
        parts.append(text.strip())
    return "\n\n".join(parts) + "\n"


def _of(
    cells: Sequence[Cell], shown: Sequence[Shown], language: str
) -> Iterator[tuple[Cell, Shown]]:
    """Yield the code, and the texts of one language."""
    for cell, outputs in zip(cells, shown, strict=True):
        if cell.language in (None, language):
            yield cell, outputs


def _outputs(shown: Shown) -> Iterator[dict[str, Any]]:
    if shown.printed:
        yield {"name": "stdout", "output_type": "stream", "text": shown.printed}
    for figure in shown.figures:
        data = {"image/png": b64encode(figure.png).decode(), "text/plain": figure.title}
        yield {"data": data, "metadata": {}, "output_type": "display_data"}
    if shown.value is not None:
        yield {
            "data": {"text/plain": shown.value},
            "execution_count": None,
            "metadata": {},
            "output_type": "execute_result",
        }


def _blocks(shown: Shown) -> Iterator[str]:
    if shown.printed:
        yield _block("text", shown.printed.rstrip("\n"))
    for figure in shown.figures:
        yield _block("{raw} html", _inline(figure))
    if shown.value is not None:
        yield _block("text", shown.value)


def _block(kind: str, text: str) -> str:
    return f"```{kind}\n{text}\n```"


def _inline(figure: Figure) -> str:
    """Return a plot as a part of a page, whose colour its text takes."""
    svg = figure.svg[figure.svg.index("<svg") :]
    svg = re.sub(r"\n\s*\n", "\n", re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL))
    svg = re.sub(r'<svg ([^>]*?)width="[\d.]+pt" height="[\d.]+pt"', r"<svg \1", svg, count=1)
    named = f'<svg role="img" aria-label="{escape(figure.title)}" style="max-width: 100%" '
    return _GREY.sub("currentColor", svg.replace("<svg ", named, 1)).rstrip("\n")


if __name__ == "__main__":
    _write_all()
