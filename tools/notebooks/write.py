"""Run the notebooks, and write each in both languages: as .ipynb, and as a page of the site.

``python -m tools.notebooks.write`` (a part of ``make docs``) fills docs/notebooks/en/ and
docs/notebooks/ja/, which are not in git.
"""

import shutil
from pathlib import Path

from tools.generators.run_pages import CHECKOUT
from tools.notebooks.cells import LANGUAGES, read
from tools.notebooks.execution import run
from tools.notebooks.written_forms import notebook, page

FOLDER = CHECKOUT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))


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
    for path in NOTEBOOKS:
        write(path, FOLDER)
        print(path.relative_to(CHECKOUT))


if __name__ == "__main__":
    _write_all()
