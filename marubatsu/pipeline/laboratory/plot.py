"""The figures of a benchmark as a picture."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marubatsu.pipeline.laboratory.measure import Bench
from marubatsu.pipeline.support.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMATS = (".svg", ".png")
_BARS = ("ai2_vs_ai2", "ai14s_vs_ai2", "depth_limited", "make_unmake", "patterns")


def require_format(file: Path) -> None:
    """Raise UsageError unless a picture can be written under this name."""
    import matplotlib as mpl  # noqa: F401, what is missing is said before anything is measured

    if file.suffix not in _FORMATS:
        raise UsageError(
            f"{str(file)!r} names no picture: expected a name that ends in .svg or .png"
        )
    if not file.resolve().parent.is_dir():
        raise UsageError(f"there is no folder {str(file.parent)!r}: expected one for the picture")


def plot(bench: Bench, file: Path) -> None:
    """Draw medians as bars with their spread, and legal moves by number of marks as lines."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    boards = list(bench.boards)
    colours = {board: f"C{number}" for number, board in enumerate(boards)}
    measures = {m.name: m for m in bench.measures}
    with mpl.rc_context({"svg.hashsalt": "marubatsu", "font.size": 9, "axes.titlesize": 9}):
        figure = Figure(figsize=(13, 8), layout="constrained")
        axes: Any = figure.subplots(2, 3)
        for place, (axis, name) in enumerate(zip(axes.flat, _BARS, strict=False)):
            spreads = [bench.boards[board][name] for board in boards]
            errors = [[s.median - s.least for s in spreads], [s.most - s.median for s in spreads]]
            bars = [s.median for s in spreads]
            axis.barh(boards, bars, xerr=errors, color=colours.values(), error_kw={"capsize": 2})
            axis.invert_yaxis()
            if place % 3:
                axis.set_yticklabels([])
            better = "more" if measures[name].unit == "pairs/s" else "less"
            title = "\n".join(textwrap.wrap(measures[name].says, 44))
            axis.set_title(f"{title}\n{measures[name].unit}, {better} is better")
        _legal_moves(axes.flat[-1], bench, colours)
        figure.legend(loc="outside lower center", ncols=5)
        machine = bench.machine
        figure.suptitle(
            f"Boards of {bench.game.name}: {machine['processor']}, {machine['cores']} cores, "
            f"{machine['python']}"
        )
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def _legal_moves(axis: "Axes", bench: Bench, colours: dict[str, str]) -> None:
    names = [m.name for m in bench.measures if m.name.startswith("legal_moves_")]
    marks = [int(name.rpartition("_")[2]) for name in names]
    for board, figures in bench.boards.items():
        medians = [figures[name].median for name in names]
        axis.plot(marks, medians, marker=".", color=colours[board], label=board)
    axis.set_yscale("log")
    axis.set_title("legal moves by marks on the board\nns, less is better")
