"""Run the code of a notebook in this process, as a kernel would, and keep what each cell shows."""

import ast
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib as mpl

from tools.notebooks.cells import Cell


@dataclass(frozen=True)
class Figure:
    """A plot in two formats, and its titles."""

    png: bytes
    svg: str
    title: str


@dataclass(frozen=True)
class Shown:
    """What a cell shows: what it prints, then its plots, then the value of its last line."""

    printed: str = ""
    figures: list[Figure] = field(default_factory=list)
    value: str | None = None


def run(path: Path, cells: Sequence[Cell]) -> list[Shown]:
    """Run all cells of code in one namespace; return what each cell shows. Raises what they raise.

    ``plt.show()`` ends a plot.
    """
    mpl.use("agg")
    from matplotlib import pyplot as plt

    figures: list[Figure] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    with mpl.rc_context():
        for cell in cells:
            if cell.language:
                shown.append(Shown())
                continue
            printed = StringIO()
            taken = partial(_take, plt, figures)
            with redirect_stdout(printed), patch.object(plt, "show", taken):
                value = _value(path, cell, names)
            if plt.get_fignums():
                raise ValueError(
                    f"{path.name}, line {cell.line}: this cell ends without plt.show()"
                )
            shown.append(Shown(printed.getvalue(), figures[:], value))
            figures.clear()
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


def _take(plt: Any, taken: list[Figure]) -> None:
    """Draw all open figures, and close them."""
    for number in plt.get_fignums():
        figure = plt.figure(number)
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        png, svg = BytesIO(), BytesIO()
        figure.savefig(png, format="png", dpi=144, metadata={"Software": None})
        with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "marubatsu"}):
            figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        title = "; ".join(title.replace("\n", " ") for title in titles if title)
        taken.append(Figure(png.getvalue(), svg.getvalue().decode(), title))
    plt.close("all")
