"""Pictures of what was measured: the figures of a benchmark, and curves of nodes."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from marubatsu.pipeline.laboratory.board_benchmark import Bench

LEAST = "least possible"
"""The name of the curve that no order of the moves goes below."""

_PICTURES = (".svg", ".png")
_BARS = ("ai2_vs_ai2", "ai14s_vs_ai2", "depth_limited", "make_unmake", "patterns")


def require_format(file: Path) -> None:
    """Raise UsageError unless a picture can be written under this name."""
    import matplotlib as mpl  # noqa: F401, what is missing is said before anything is measured

    if file.suffix not in _PICTURES:
        raise UsageError(
            f"{str(file)!r} names no picture: expected a name that ends in .svg or .png"
        )


@contextmanager
def _picture(file: Path, width: int, height: int) -> "Iterator[Figure]":
    """Yield a figure to draw on, so many inches large; write it as SVG or PNG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "marubatsu", "font.size": 9}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def plot(bench: "Bench", file: Path) -> None:
    """Draw medians as bars with their spread, and legal moves by number of marks as lines."""
    boards = list(bench.boards)
    colours = {board: f"C{number}" for number, board in enumerate(boards)}
    measures = {m.name: m for m in bench.measures}
    with _picture(file, 13, 8) as figure:
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
            axis.set_title(f"{title}\n{measures[name].unit}, {better} is better", fontsize=9)
        _draw_legal_moves(axes.flat[-1], bench, colours)
        figure.legend(loc="outside lower center", ncols=5)
        machine = bench.machine
        figure.suptitle(
            f"Boards of {bench.game.name}: {machine['processor']}, {machine['cores']} cores, "
            f"{machine['python']}"
        )


def _draw_legal_moves(axis: "Axes", bench: "Bench", colours: dict[str, str]) -> None:
    names = [m.name for m in bench.measures if m.name.startswith("legal_moves_")]
    marks = [int(name.rpartition("_")[2]) for name in names]
    for board, figures in bench.boards.items():
        medians = [figures[name].median for name in names]
        axis.plot(marks, medians, marker=".", color=colours[board], label=board)
    axis.set_yscale("log")
    axis.set_title("legal moves by marks on the board\nns, less is better", fontsize=9)


def draw_curves(game: Game, curves: Mapping[str, Sequence[int | None]], file: Path) -> None:
    """Draw curves: the positions from the most nodes of the first curve to the least.

    The label of a curve has its name, and its nodes from the first position, the empty board.
    """
    lines = {name: np.array(nodes, dtype=float) for name, nodes in curves.items()}
    first = next(iter(lines.values()))
    order = np.argsort(-np.nan_to_num(first, nan=np.inf), kind="stable")
    with _picture(file, 8, 5) as figure:
        axes: Any = figure.subplots()
        for name, nodes in lines.items():
            style = {"color": "0.3", "linestyle": "--"} if name == LEAST else {"marker": "."}
            label = f"{name}: {nodes[0]:,.0f}" if np.isfinite(nodes[0]) else f"{name}: stopped"
            axes.plot(range(1, len(order) + 1), nodes[order], markersize=3, label=label, **style)
        axes.set(
            title=f"Nodes of alpha-beta on {game.name}; numbers: from the empty board",
            xlabel="position, from the most nodes of the first curve",
            ylabel="nodes",
            xscale="log",
            yscale="log",
        )
        axes.legend()
