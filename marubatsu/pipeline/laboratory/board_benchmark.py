"""The benchmark of the boards: how measures are taken, and their figures as tables.

All boards take turns in every round, so that a slow moment of the machine affects all of them. The
first round only warms up. As in `timeit`, garbage collection is off. Each run returns its time and
an answer; all boards must give the same answer.
"""

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from io import StringIO
from itertools import chain
from random import Random
from typing import Any, TextIO, TypeAlias

from marubatsu.engine.ais.matches import Arena
from marubatsu.engine.boards.board import Board, NewBoard
from marubatsu.engine.boards.laws import Case
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm
from marubatsu.engine.search.roster import find, options_of
from marubatsu.pipeline.laboratory.board_conformance import cases_of
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, write

TimedRun: TypeAlias = Callable[[], tuple[float, object]]
"""One run; it returns its measurement and its answer."""

FIGURES = ("board", "measure", "unit", "least", "median", "most")
"""One measure of one board."""

_SMALL = 9  # most cells of a board that is searched to the end
_SHALLOW = 2  # plies searched on a larger board
_BOARDS = 20  # positions on which a call is timed
_SEARCHES = 4  # per run, each by a new AI
_CALLS = 4_000  # of one method per run, at least


@dataclass(frozen=True)
class Measure:
    """One measure of every board."""

    name: str
    unit: str
    says: str
    prepare: Callable[[NewBoard, Game], TimedRun]


@dataclass(frozen=True)
class Spread:
    """The least, median and greatest measurement of some runs."""

    least: float
    median: float
    most: float


@dataclass(frozen=True)
class Bench:
    """All figures, by board and by measure, and the answers that all boards gave."""

    game: Game
    boards: dict[str, dict[str, Spread]]
    measures: tuple[Measure, ...]
    answers: dict[str, Any]
    settings: dict[str, object]
    machine: dict[str, object]


def bench(
    boards: dict[str, NewBoard],
    game: Game,
    *,
    pairs: int,
    repeats: int,
    progress: Callable[[float], None],
) -> Bench:
    """Measure every board. Raises DataError when one plays or counts differently."""
    measures = measures_of(game, pairs)
    runs = {
        (name, measure.name): measure.prepare(new, game)
        for measure in measures
        for name, new in boards.items()
    }
    times: dict[tuple[str, str], list[float]] = {key: [] for key in runs}
    answers: dict[str, tuple[str, object]] = {}
    with _without_garbage_collection():
        for number in range(repeats + 1):
            for place, ((name, measure_name), run) in enumerate(runs.items()):
                progress((number + place / len(runs)) / (repeats + 1))
                gc.collect()
                figure, answer = run()
                first, right = answers.setdefault(measure_name, (name, answer))
                if answer != right:
                    raise DataError(
                        f"{name} and {first} differ in {measure_name}: {answer!s} and {right!s}; "
                        f"marubatsu conform tells what is wrong"
                    )
                if number:
                    times[name, measure_name].append(figure)
    return Bench(
        game,
        {name: {m.name: _spread(times[name, m.name]) for m in measures} for name in boards},
        measures,
        {name: answer for name, (_, answer) in answers.items()},
        {"pairs": pairs, "seed": 0, "repeats": repeats, "depth": _depth(game)},
        machine(),
    )


def measures_of(game: Game, pairs: int) -> tuple[Measure, ...]:
    """List the measures of a game."""
    depth = _depth(game)
    return (
        Measure("ai2_vs_ai2", "pairs/s", "ai2 against ai2, pairs of games",
                _matches("ai2", "ai2", pairs)),
        Measure("ai14s_vs_ai2", "pairs/s", "ai14s against ai2, pairs of games",
                _matches("ai14s", "ai2", pairs)),
        Measure("depth_limited", "ms",
                f"depth-limited search with table, {depth} plies and ai14s beyond every move",
                _search(depth)),
        Measure("make_unmake", "ns", "making a move and taking it back", _make_unmake),
        Measure("judge", "ns", "judging the whole board", _calls("judge")),
        Measure("patterns", "ns", "counting the lines by what they hold", _calls("patterns")),
        Measure("key", "ns", "the key of the position", _calls("key")),
        Measure("images", "ns", "the keys of all images", _calls("images")),
        *(
            Measure(f"legal_moves_{ply}", "ns", f"legal moves with {ply} marks on the board",
                    _calls("legal_moves", ply))
            for ply in range(game.cells)
            if _cases(game, ply)
        ),
    )  # fmt: skip


def machine() -> dict[str, object]:
    """Describe the machine, and how busy it is."""
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 2),
    }


def figure_rows(bench: Bench) -> list[list[object]]:
    """Return the figures as rows of `FIGURES`."""
    return [
        [board, m.name, m.unit, *astuple(figures[m.name])]
        for board, figures in bench.boards.items()
        for m in bench.measures
    ]


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Turn it off; a collection in between does not examine the existing objects."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def _spread(values: Sequence[float]) -> Spread:
    return Spread(min(values), statistics.median(values), max(values))


def _depth(game: Game) -> int:
    return game.cells - 1 if game.cells <= _SMALL else _SHALLOW


def _matches(first: str, second: str, pairs: int) -> Callable[[NewBoard, Game], TimedRun]:
    """Play pairs of games without remembered choices; all runs use the same seed."""

    def prepare(new: NewBoard, game: Game) -> TimedRun:
        arena = Arena(new(game), find(first).on(game), find(second).on(game), remember=False)

        def run() -> tuple[float, object]:
            start = time.perf_counter()
            match = arena.play(pairs, Random(0))  # noqa: S311, chance need not be unguessable
            return pairs / (time.perf_counter() - start), match

        return run

    return prepare


def _search(depth: int) -> Callable[[NewBoard, Game], TimedRun]:
    """Let new instances of a searching AI choose a move on the empty board in each run."""
    ai = find(f"depth_limited:max_depth={depth},evaluation=ai14s,use_table=true")

    def prepare(new: NewBoard, game: Game) -> TimedRun:
        board = new(game)

        def run() -> tuple[float, object]:
            fresh = [ai.on(game) for _ in range(_SEARCHES)]
            start = time.perf_counter()
            choices = [chooser.choice(board) for chooser in fresh]
            return 1e3 * (time.perf_counter() - start) / _SEARCHES, choices

        return run

    return prepare


def _cases(game: Game, ply: int | None) -> list[Case]:
    cases = [s for s in cases_of(game) if s.legal and ply in (None, len(s.moves))]
    return Random(0).sample(cases, min(_BOARDS, len(cases)))  # noqa: S311, as above


def _shown(new: NewBoard, game: Game, ply: int | None) -> list[Board[Any]]:
    boards = []
    for case in _cases(game, ply):
        board = new(game)
        board.set_up(case.position)
        boards.append(board)
    return boards


def _calls(method: str, ply: int | None = None) -> Callable[[NewBoard, Game], TimedRun]:
    """Call a method without arguments repeatedly; the time includes the loop."""

    def prepare(new: NewBoard, game: Game) -> TimedRun:
        boards = _shown(new, game, ply)
        calls = [getattr(board, method) for board in boards]
        calls *= -(-_CALLS // len(calls))

        def run() -> tuple[float, object]:
            start = time.perf_counter()
            for call in calls:
                call()
            seconds = time.perf_counter() - start
            return 1e9 * seconds / len(calls), _answer(boards, method)

        return run

    return prepare


def _answer(boards: list[Board[Any]], method: str) -> object:
    match method:
        case "legal_moves":
            return [list(map(board.cell_of, board.legal_moves())) for board in boards]
        case "patterns":
            return [list(board.patterns()) for board in boards]
        case "judge":
            return [board.judge() for board in boards]
        case "images":
            return [len(set(board.images())) for board in boards]
        case _:
            return len({board.key() for board in boards})


def _make_unmake(new: NewBoard, game: Game) -> TimedRun:
    boards = _shown(new, game, None)
    moves = [(board.make, board.unmake, move) for board in boards for move in board.legal_moves()]
    moves *= -(-_CALLS // len(moves))

    def run() -> tuple[float, object]:
        start = time.perf_counter()
        for make, unmake, move in moves:
            make(move)
            unmake()
        seconds = time.perf_counter() - start
        return 1e9 * seconds / len(moves), list(chain.from_iterable(b.position() for b in boards))

    return run


_WHOLE = ("ai2_vs_ai2", "ai14s_vs_ai2", "depth_limited")
_REFERENCE = "ListBoard"
_ORDERING = "ai1s"
_OURS_AND_PUBLISHED = (
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
    yield "one call in ns: median; legal moves by the marks on the board", _times_of_calls(bench)
    if bench.game == Game("tictactoe"):
        yield _OURS_AND_PUBLISHED, published(bench)
        yield _ORDERS, orders(bench.game, boards)


def render(bench: Bench, boards: dict[str, NewBoard], form: Format) -> str:
    """Write all tables for people, or as Markdown."""
    out = StringIO()
    out.write(_describe(bench))
    for heading, rows in sections(bench, boards):
        out.write(f"\n{heading}\n\n")
        write(rows.columns, rows.rows, form, out)
    return out.getvalue()


def _describe(bench: Bench) -> str:
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


def _times_of_calls(bench: Bench) -> Rows:
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
