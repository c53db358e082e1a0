"""The figures of a benchmark: as tables, next to the published ones, and as a picture."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from marubatsu.engine.boards.board import NewBoard
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm
from marubatsu.engine.search.roster import options_of
from marubatsu.pipeline.laboratory.measure import FIGURES, Bench, Measure, Spread, figure_rows
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURES = (".svg", ".png")
_BARS = ("ai2_vs_ai2", "ai14s_vs_ai2", "depth_limited", "make_unmake", "patterns")
_WHOLE = ("ai2_vs_ai2", "ai14s_vs_ai2", "depth_limited")
_REFERENCE = "ListBoard"
_ORDERING = "ai1s"
_BESIDE = (
    "ours and the published figures; those are from other machines, so compare the ratios to "
    f"{_REFERENCE}"
)
_ORDERS = (
    f"nodes of alpha-beta from the empty board with the choice of {_ORDERING} first; "
    "legal moves by row or column"
)


def sections(bench: Bench, boards: dict[str, NewBoard]) -> Iterator[tuple[str, Rows]]:
    """Yield every table with its heading."""
    whole = [m for m in bench.measures if m.name in _WHOLE]
    yield "matches and searches: median (least to most)", _whole(bench, whole)
    yield "one call in ns: median; legal moves by the marks on the board", _calls(bench)
    if bench.game == Game("tictactoe"):
        yield _BESIDE, published(bench)
        yield _ORDERS, orders(bench.game, boards)


def render(bench: Bench, boards: dict[str, NewBoard], form: Format) -> str:
    """Write all tables for people, or as Markdown."""
    out = StringIO()
    out.write(describe(bench))
    for heading, rows in sections(bench, boards):
        out.write(f"\n{heading}\n\n")
        write(rows.columns, rows.rows, form, out)
    return out.getvalue()


def describe(bench: Bench) -> str:
    """Say what was measured, and where."""
    machine, settings = bench.machine, bench.settings
    return (
        f"boards of {bench.game.name} on {machine['processor']}, {machine['cores']} cores, "
        f"{machine['system']}, {machine['python']}, load {machine['load']}; "
        f"{settings['pairs']:,} pairs with seed 0, depth {settings['depth']}, "
        f"{settings['repeats']} rounds after one to warm up\n"
        f"all boards play the same games: {_games(bench, 'ai2')}; {_games(bench, 'ai14s')}\n"
    )


def _games(bench: Bench, ai: str) -> str:
    match = bench.answers[f"{ai}_vs_ai2"]
    sides = (f"{t.win:,}/{t.lose:,}/{t.draw:,}" for t in (match.as_circle, match.as_cross))
    return f"{ai} against ai2 won/lost/drew {' as circle, '.join(sides)} as cross"


def _whole(bench: Bench, measures: Sequence[Measure]) -> Rows:
    columns = ["board", *(f"{m.name}, {m.unit}" for m in measures)]
    rows = [
        [board, *(_written(figures[m.name], m.unit) for m in measures)]
        for board, figures in bench.boards.items()
    ]
    return Rows(columns, rows)


def _written(spread: Spread, unit: str) -> str:
    digits = 2 if unit == "ms" else 0
    least, median, most = (f"{v:,.{digits}f}" for v in (spread.least, spread.median, spread.most))
    return f"{median} ({least} to {most})"


def _calls(bench: Bench) -> Rows:
    single = [m for m in bench.measures if m.unit == "ns"]
    legal = [m for m in single if m.name.startswith("legal_moves")]
    names = [
        m.name.replace("legal_moves_", "legal moves, ") if m in legal else m.name for m in single
    ]
    rows = []
    for board, figures in bench.boards.items():
        mean = sum(figures[m.name].median for m in legal) / len(legal)
        rows.append([board, *(round(figures[m.name].median) for m in single), round(mean)])
    return Rows(["board", *names, "legal moves, mean"], rows)


def published(bench: Bench) -> Rows:
    """Return our figures next to the published ones, each also relative to one board's."""
    figures = [row for row in reference_rows("published_boards") if row["board"] in bench.boards]
    theirs = {(f["source"], f["measure"], f["board"]): float(f["value"]) for f in figures}
    rows: list[list[object]] = []
    for figure in figures:
        board, measure, source = figure["board"], figure["measure"], figure["source"]
        sign = 1 if figure["unit"] == "pairs/s" else -1  # a high rate or a low time is fast
        ours = bench.boards[board][measure].median
        reference = bench.boards.get(_REFERENCE, {}).get(measure)
        their = float(figure["value"])
        their_reference = theirs.get((source, measure, _REFERENCE))
        rows.append([
            board, measure, figure["unit"], round(ours, 2), their, round((ours / their) ** sign, 2),
            None if reference is None else round((ours / reference.median) ** sign, 2),
            None if their_reference is None else round((their / their_reference) ** sign, 2),
            figure["machine"], source,
        ])  # fmt: skip
    columns = [
        "board", "measure", "unit", "ours", "published", "times_as_fast",
        "ours_to_list_board", "published_to_list_board", "their_machine", "source",
    ]  # fmt: skip
    return Rows(columns, rows)


def orders(game: Game, boards: dict[str, NewBoard]) -> Rows:
    """Count alpha-beta's nodes on every board, with the legal moves by row and by column."""
    options = options_of(Algorithm.ALPHABETA, ordering=_ORDERING)
    rows = []
    for name, new in boards.items():
        by_row, by_column = (
            Search(options, Graph(new(game), order)).count(EMPTY).nodes
            for order in ("row", "column")
        )
        natural = new(game).natural_order
        rows.append([name, natural, by_row, by_column, by_row if natural == "row" else by_column])
    columns = [
        "board", "natural_order", "nodes_by_row", "nodes_by_column", "nodes_in_natural_order",
    ]  # fmt: skip
    return Rows(columns, rows)


def write_json(bench: Bench, boards: dict[str, NewBoard], out: TextIO) -> None:
    """Write everything as one object."""
    whole: dict[str, Any] = {
        "game": bench.game.name,
        "machine": bench.machine,
        "settings": bench.settings,
        "answers": {name: asdict(bench.answers[name]) for name in ("ai2_vs_ai2", "ai14s_vs_ai2")},
        "figures": [dict(zip(FIGURES, row, strict=True)) for row in figure_rows(bench)],
    }
    if bench.game == Game("tictactoe"):
        whole["published"] = published(bench).records()
        whole["nodes"] = orders(bench.game, boards).records()
    out.write(json_text(whole, indent=1) + "\n")


def require_format(file: Path) -> None:
    """Raise UsageError unless a picture can be written under this name."""
    import matplotlib as mpl  # noqa: F401, what is missing is said before anything is measured

    if file.suffix not in _PICTURES:
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
        _draw_legal_moves(axes.flat[-1], bench, colours)
        figure.legend(loc="outside lower center", ncols=5)
        machine = bench.machine
        figure.suptitle(
            f"Boards of {bench.game.name}: {machine['processor']}, {machine['cores']} cores, "
            f"{machine['python']}"
        )
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def _draw_legal_moves(axis: "Axes", bench: Bench, colours: dict[str, str]) -> None:
    names = [m.name for m in bench.measures if m.name.startswith("legal_moves_")]
    marks = [int(name.rpartition("_")[2]) for name in names]
    for board, figures in bench.boards.items():
        medians = [figures[name].median for name in names]
        axis.plot(marks, medians, marker=".", color=colours[board], label=board)
    axis.set_yscale("log")
    axis.set_title("legal moves by marks on the board\nns, less is better")
