"""The notebooks: each tells the same in both languages; `make docs` runs and writes them."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tools.generators.notebooks import NOTEBOOKS, read, run, write
from tools.generators.run_pages import CHECKOUT

DOCS = CHECKOUT / "docs"
OTHER = {"en": "ja", "ja": "en"}
_NUMBER = re.compile(r"\d[\d,.]*\d|\b\d\b")
_LINK = re.compile(r"\]\(([^)#]+)")
_JAPANESE = re.compile("[\u3040-\u30ff]")


def name_of(path: Path) -> str:
    return path.stem


SMALL = """\
# %% [markdown] lang="en"
# # A plot
#
# See [Tables](../tables.md).

# %% [markdown] lang="ja"
# # 図
#
# [表](../tables.md)を見てください。

# %%
from matplotlib import pyplot as plt

# %%
plt.plot([1, 2])
plt.title("Two points", loc="left")
plt.show()
print("said")
6 * 7
"""


def test_a_notebook_is_written_in_both_languages(tmp_path: Path) -> None:
    """`make docs` writes all of them so; a cell asserts its numbers, so what is wrong raises."""
    pytest.importorskip("matplotlib")
    file = tmp_path / "1_plot.py"
    file.write_text(SMALL, encoding="utf-8")
    write(file, tmp_path)
    for language, heading in (("en", "# A plot"), ("ja", "# 図")):
        document = json.loads((tmp_path / language / "1_plot.ipynb").read_text("utf-8"))
        assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
        text, *code = document["cells"]
        assert text["cell_type"] == "markdown"
        assert text["source"].startswith(f"{heading}\n")
        assert "tables.md" not in text["source"]  # Elsewhere, the link leads nowhere.
        assert [cell["source"] for cell in code] == [cell.source for cell in read(file)[2:]]
        printed, plot, value = code[1]["outputs"]
        assert printed["text"] == "said\n"
        assert plot["data"]["text/plain"] == "Two points"
        assert plot["data"]["image/png"]
        assert value["data"] == {"text/plain": "42"}
        page = (tmp_path / language / "1_plot.md").read_text("utf-8")
        assert page.startswith(f"{heading}\n")
        assert f"](../{OTHER[language]}/1_plot.md)" in page
        assert "](../../tables.md)" in page
        assert page.count("<svg ") == 1
        assert ("見てください" in page) == (language == "ja")


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


def test_what_a_cell_shows_is_kept_and_what_is_wrong_raises(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "small.py"
    file.write_text('# %%\nx = 20\nprint("said")\nx + 1\n\n# %%\nassert x == 21\n')
    cells = read(file)
    (shown,) = run(file, cells[:1])
    assert (shown.printed, shown.figures, shown.value) == ("said\n", [], "21")
    with pytest.raises(AssertionError) as caught:
        run(file, cells)
    assert caught.traceback[-1].lineno == 7 - 1  # counted from 0
    file.write_text("# %%\nfrom matplotlib import pyplot as plt\nplt.plot([1, 2])\n")
    with pytest.raises(ValueError, match=r"small\.py, line 2: this cell ends without plt\.show"):
        run(file, read(file))
