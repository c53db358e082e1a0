"""The generator of the figures of ``docs/boards.md``, and of the boards in ``docs/series.md``.

Run as ``python -m tools.generators.boards_page`` (``make boards``). Every figure is measured when
the page is written.
"""

import inspect
import pickle
import textwrap
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType

from marubatsu.engine.boards import line_counters
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.laws import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.laboratory.board_benchmark import Bench, Spread, bench, published, sections
from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts

_GAME = Game("tictactoe")
_ROUNDS, _PAIRS = 7, 500

_SHOWN_CALLS = (0, 8)  # the numbers of marks whose legal moves the page times

_WHOLE = {"ai2_vs_ai2": ("ai2", 0), "ai14s_vs_ai2": ("ai14s", 0), "depth_limited": ("search", 1)}
"""For each measure of whole games and searches, its name on the pages and its digits."""

PAGE, SERIES = CHECKOUT / "docs" / "boards.md", CHECKOUT / "docs" / "series.md"


def render(page: str, measured: Bench) -> str:
    """Return the page with its figures and lists."""
    methods = ", ".join(
        f"`{name}`"
        for name, value in vars(Board).items()
        if getattr(value, "__isabstractmethod__", False)
    )
    return with_parts(
        page,
        fastest=_fastest(measured),
        kinds=_kinds(),
        methods=methods,
        measurement=_measurement(measured),
        costs=_costs(measured),
    )


def with_boards(page: str, measured: Bench) -> str:
    """Return the page about the tutorial series with its figures of boards and ours."""
    return with_parts(page, boards="\n".join(_published(measured)))


def measured(pairs: int = _PAIRS, repeats: int = _ROUNDS) -> Bench:
    """Measure the figures of the page."""
    return bench(all_boards(), _GAME, pairs=pairs, repeats=repeats, progress=lambda share: None)


def _measurement(measured: Bench) -> str:
    machine, settings = measured.machine, measured.settings
    return _filled(
        f"Measured on {machine['processor']} with {machine['cores']} cores, {machine['system']}, "
        f"{machine['python']}, at a load of {machine['load']}: {settings['pairs']:,} pairs with "
        f"seed 0, a search to depth {settings['depth']}, and {settings['repeats']} rounds after "
        "one to warm up. All boards play the same games."
    )


def _costs(measured: Bench) -> str:
    _, (_, calls) = islice(sections(measured, all_boards()), 2)
    kept = [
        number
        for number, name in enumerate(calls.columns)
        if not name.startswith("legal moves, ")
        or name.rpartition(" ")[2] in {*map(str, _SHOWN_CALLS), "mean"}
    ]
    rows = [
        [row[0], *_whole(measured.boards[str(row[0])]), *(row[number] for number in kept[1:]), size]
        for row, size in zip(calls.rows, _sizes(), strict=True)
    ]
    names = (calls.columns[number] for number in kept[1:])
    return to_markdown(Rows(["board", "ai2", "ai14s", "search", *names, "pickled"], rows))


def _whole(figures: Mapping[str, Spread]) -> list[str]:
    return [f"{figures[measure].median:,.{digits}f}" for measure, (_, digits) in _WHOLE.items()]


def _sizes() -> Iterator[int]:
    for new in all_boards().values():
        board = new(_GAME)
        board.load("o.x.o.x..")
        yield len(pickle.dumps(board.save(), protocol=5))


def _published(measured: Bench) -> Iterator[str]:
    records = published(measured).records()
    theirs = {
        (row["board"], row["measure"], "again" in str(row["source"])): row["published"]
        for row in records
    }
    ours = {(row["board"], row["measure"]): row["ours"] for row in records}
    boards = list(dict.fromkeys(row["board"] for row in records))

    def figure(value: object, digits: int) -> str:
        return f"{value:,.{digits}f}" if isinstance(value, int | float) else ""

    columns = ["board"]
    for name, _ in _WHOLE.values():
        columns += [f"{name}: published", "run again", "ours"]
    rows = [
        [board, *(
            figure(value, digits)
            for measure, (_, digits) in _WHOLE.items()
            for value in (theirs.get((board, measure, False)), theirs.get((board, measure, True)),
                          ours.get((board, measure)))
        )]
        for board in boards
    ]  # fmt: skip
    yield to_markdown(Rows(columns, rows))
    calls = [f"legal_moves_{marks}" for marks in range(_GAME.cells)]
    timed = [board for board in boards if (board, calls[0], False) in theirs]
    rows = [
        [board, whose, *(figure(value, 0) for value in values)]
        for board in timed
        for whose, values in (
            ("published", [theirs[board, call, False] for call in calls]),
            ("ours", [ours[board, call] for call in calls]),
        )
    ]
    yield "Legal moves, in ns a call, by the marks on the board:\n"
    yield to_markdown(Rows(["board", "", *map(str, range(_GAME.cells))], rows))


def _kinds() -> str:
    kinds = {
        name: type(new(_GAME)) for name, new in all_boards().items() if "+counters" not in name
    }
    rows = [_represented(name, kind) for name, kind in kinds.items()]
    rows.append(_represented("Line counters", line_counters))
    return to_markdown(Rows(["board", "how it stores a position"], rows))


def _represented(name: str, kind: type | ModuleType) -> list[str]:
    source = Path(inspect.getfile(kind)).relative_to(CHECKOUT).as_posix()
    return [f"[{name}](../{source})", (inspect.getdoc(kind) or "").partition("\n")[0]]


def _fastest(measured: Bench) -> str:
    fastest, others = new_board(_GAME).name, new_board(Game("4x4k4")).name

    def times(measure: str) -> str:
        medians = {each: measured.boards[each][measure].median for each in (others, "List1dBoard")}
        return ", ".join(f"{name} {median:,.0f} ns" for name, median in medians.items())

    return _filled(
        f"The pipeline uses {fastest} for tic-tac-toe and its misère form, because it looks up "
        f"moves, lines and images. It uses {others} for every other game: of the boards of any "
        f"size without line counters, it is the fastest to judge ({times('judge')}) and to count "
        f"patterns ({times('patterns')})."
    )


def _filled(text: str) -> str:
    return textwrap.fill(text, 100) + "\n"


if __name__ == "__main__":
    figures = measured()
    rewrite(PAGE, partial(render, measured=figures))
    rewrite(SERIES, partial(with_boards, measured=figures))
