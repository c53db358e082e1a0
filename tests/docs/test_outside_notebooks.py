"""The notebooks, read and run by Jupyter's own packages, which are installed apart.

`make outside` runs this: it sets MARUBATSU_OUTSIDE.
"""

from pathlib import Path

import pytest

from tests.helpers.data.shared import linked
from tests.helpers.frameworks.installed_apart import Apart, outside, run_with
from tools.generators.notebooks import NOTEBOOKS, write
from tools.generators.run_pages import DATA

pytestmark = outside

PACKAGES = ("ipykernel", "jupytext", "nbclient", "nbformat")

RUN = """
import sys, jupytext, nbclient, nbformat
def code(cells):
    return [cell.source for cell in cells if cell.cell_type == "code"]
source, *written = sys.argv[1:]
for path in written:
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    assert code(notebook.cells) == code(jupytext.read(source).cells), path
nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
print("ran")
"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_reads_and_runs_a_notebook(
    path: Path, apart: Apart, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(root / "tictactoe", tmp_path / "data" / "tictactoe")
    monkeypatch.setenv(DATA, str(tmp_path / "data"))
    write(path, tmp_path)
    written = [str(tmp_path / language / f"{path.stem}.ipynb") for language in ("en", "ja")]
    done = run_with(apart.packages(*PACKAGES), "-c", RUN, path, *written)
    assert done.stdout == "ran\n", done.stderr
