"""The notebooks: each runs, and tells the same in both languages."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.shared import linked
from tools.generators.run_pages import CHECKOUT, DATA
from tools.notebooks.cells import LANGUAGES, read
from tools.notebooks.execution import run
from tools.notebooks.write import NOTEBOOKS, write

DOCS = CHECKOUT / "docs"
OTHER = {"en": "ja", "ja": "en"}
_NUMBER = re.compile(r"\d[\d,.]*\d|\b\d\b")
_LINK = re.compile(r"\]\(([^)#]+)")
_JAPANESE = re.compile("[\u3040-\u30ff]")


def name_of(path: Path) -> str:
    return path.stem


@pytest.mark.documents
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_runs_and_is_written_in_both_languages(
    path: Path, root: Path, solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell asserts its numbers, so what is wrong raises."""
    pytest.importorskip("matplotlib")
    linked(root / "tictactoe", tmp_path / "data" / "tictactoe")
    monkeypatch.setenv(DATA, str(tmp_path / "data"))
    write(path, tmp_path)
    cells = read(path)
    for language in LANGUAGES:
        document = json.loads((tmp_path / language / f"{path.stem}.ipynb").read_text("utf-8"))
        assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
        sources = [cell["source"] for cell in document["cells"] if cell["cell_type"] == "code"]
        assert sources == [cell.source for cell in cells if cell.language is None]
        outputs = [each for cell in document["cells"] for each in cell.get("outputs", [])]
        plots = [each for each in outputs if each["output_type"] == "display_data"]
        shown = sum(source.count("plt.show()") for source in sources)
        assert len(plots) == shown >= 3
        page = (tmp_path / language / f"{path.stem}.md").read_text("utf-8")
        assert page.count("<svg ") == shown
        assert f"](../{OTHER[language]}/{path.stem}.md)" in page
        assert bool(_JAPANESE.search(re.sub("日本語", "", page))) == (language == "ja")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_every_text_is_there_in_both_languages(path: Path) -> None:
    """The Japanese text follows the English one: with its numbers, its links, its headings."""
    kinds = [cell.language for cell in read(path)]
    assert (kinds[0], kinds[-1]) == ("en", "ja")
    assert (None, None) not in set(pairwise(kinds))  # No two cells of code without a text between.
    cells = [cell for cell in read(path) if cell.language]
    assert len(cells) >= 10
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
