"""The notebooks: each says the same in both languages; `make docs` runs and writes them."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tools.generators.notebooks import NOTEBOOKS, read
from tools.generators.run_pages import CHECKOUT

DOCS = CHECKOUT / "docs"
_NUMBER = re.compile(r"\d[\d,.]*\d|\b\d\b")
_LINK = re.compile(r"\]\(([^)#]+)")
_JAPANESE = re.compile("[\u3040-\u30ff]")


def name_of(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_every_text_is_there_in_both_languages(path: Path) -> None:
    """The Japanese text follows the English one: with its numbers, its links, its headings."""
    kinds = [cell.language for cell in read(path)]
    assert (kinds[0], kinds[-1]) == ("en", "ja")
    assert (None, None) not in set(pairwise(kinds))  # No two cells of code without a text between.
    cells = [cell for cell in read(path) if cell.language]
    assert len(cells) >= 10
    assert path.read_text("utf-8").count("plt.show()") >= 3
    for english, japanese in zip(cells[::2], cells[1::2], strict=True):
        assert (english.language, japanese.language) == ("en", "ja")
        assert not _JAPANESE.search(english.source)
        assert _JAPANESE.search(japanese.source)
        for pattern in (_LINK, re.compile("^#+ ", re.MULTILINE), re.compile("^- ", re.MULTILINE)):
            assert pattern.findall(english.source) == pattern.findall(japanese.source)
        numbers = {number for number in _NUMBER.findall(english.source) if len(number) > 2}
        assert numbers <= set(_NUMBER.findall(japanese.source)), english.source
        for link in _LINK.findall(english.source):
            assert (path.parent / link).exists(), link


def test_the_pages_list_every_notebook() -> None:
    assert len(NOTEBOOKS) == 7
    assert "(notebooks.md)" in (DOCS / "index.md").read_text("utf-8")
    listed = (DOCS / "notebooks.md").read_text("utf-8")
    for path in NOTEBOOKS:
        titles = [cell.source.splitlines()[0] for cell in read(path)[:2]]
        for title in titles:
            number, _, words = title.removeprefix("# ").partition(". ")
            assert path.stem.startswith(f"{number}_")
            assert f"[{words}](notebooks/{path.name})" in listed
