"""The generator of ``docs/boards.md``, and of the boards in ``docs/series.md``.

Run as ``python -m tools.generators.boards_page`` (``make boards``). Every figure is measured when
the page is written.
"""

import inspect
import pickle
import textwrap
from collections.abc import Iterator, Mapping
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
from tools.generators.run_pages import CHECKOUT, with_part

_GAME = Game("tictactoe")
_ROUNDS, _PAIRS = 7, 500

_INTRODUCTION = """\
# Boards

Nine boards store a position, and moves change it in place. All follow one protocol, so every AI,
match and search gives the same answers on each. `make boards` measures the figures and writes this
page.

```sh
marubatsu bench boards --plot boards.svg   # measure all boards here, and draw the figures
marubatsu bench boards --board BitBoard --board examples/dict_board.py:DictBoard
marubatsu conform examples/dict_board.py:DictBoard   # check a board class of your own
```
"""

_PROTOCOL = """\
## Write a board

Write a subclass of [Board](../marubatsu/engine/boards/board.py) with these methods:
{methods}.
`Board` derives its other methods from them, slowly; you may replace them. Moves may be of any kind,
but every board lists them by ascending cell.
[examples/dict_board.py](../examples/dict_board.py) is the shortest board;
[examples/legal_moves.py](../examples/legal_moves.py) lists legal moves in the other ways of episode
212.
"""

_LAWS = """\
## The laws

`marubatsu conform FILE.py:CLASS` or `MODULE:CLASS` checks a board class against each law of
[laws.py](../marubatsu/engine/boards/laws.py), and prints what the law demands. It tries all 5,478
positions of 3x3 (*choices of AIs* on every 12th, *searches* on every 60th), and samples of 4x4,
5x4, 4x5, gravity and torus boards. BitBoard3x3 keeps all laws:

```console
$ marubatsu conform BitBoard3x3 | grep -c yes
18
```
"""

_FIGURES = """\
## What they cost

A *pair* is two games, one on each side. [The tutorial series](series.md#boards) has published
figures of the same boards.
"""

_COLUMNS = """\
`ai2` and `ai14s` are pairs of games a second against `ai2`, `search` is the time of a depth-limited
search in ms. The other columns are ns a call; *legal moves, N* is with N marks on the board. All
are medians; `marubatsu bench boards` also shows the least and the greatest. *Pickled* is the size
of a saved position in bytes.
"""

_SHOWN_CALLS = (0, 8)  # the numbers of marks whose legal moves the page times

_WHOLE = {"ai2_vs_ai2": ("ai2", 0), "ai14s_vs_ai2": ("ai14s", 0), "depth_limited": ("search", 1)}
"""For each measure of whole games and searches, its name on the pages and its digits."""

PAGE, SERIES = CHECKOUT / "docs" / "boards.md", CHECKOUT / "docs" / "series.md"


def render(measured: Bench) -> str:
    """Write the page."""
    methods = ", ".join(
        f"`{name}`"
        for name, value in vars(Board).items()
        if getattr(value, "__isabstractmethod__", False)
    )
    return "\n".join([
        _INTRODUCTION, *_which(measured), *_kinds(), _PROTOCOL.format(methods=methods), _LAWS,
        _FIGURES,
        _measurement(measured), *_costs(measured),
    ])  # fmt: skip


def with_boards(page: str, measured: Bench) -> str:
    """Return the page about the tutorial series with its figures of boards and ours."""
    return with_part(page, "boards", "\n".join(_published(measured)) + "\n")


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


def _costs(measured: Bench) -> Iterator[str]:
    _, (_, calls) = islice(sections(measured, all_boards()), 2)
    yield _COLUMNS
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
    yield to_markdown(Rows(["board", "ai2", "ai14s", "search", *names, "pickled"], rows))


def _whole(figures: Mapping[str, Spread]) -> list[str]:
    return [f"{figures[measure].median:,.{digits}f}" for measure, (_, digits) in _WHOLE.items()]


def _sizes() -> Iterator[int]:
    for new in all_boards().values():
        board = new(_GAME)
        board.load("o.x.o.x..")
        yield len(pickle.dumps(board.save(), protocol=5))


def _published(measured: Bench) -> Iterator[str]:
    """Write the published figures and ours, by board."""
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


def _kinds() -> Iterator[str]:
    yield "## The representations\n"
    kinds = {
        name: type(new(_GAME)) for name, new in all_boards().items() if "+counters" not in name
    }
    rows = [_represented(name, kind) for name, kind in kinds.items()]
    rows.append(_represented("Line counters", line_counters))
    yield to_markdown(Rows(["board", "how it stores a position"], rows))
    yield "The documentation of each module draws a position.\n"


def _represented(name: str, kind: type | ModuleType) -> list[str]:
    """Link the source of a kind of board, and quote the first line of its documentation."""
    source = Path(inspect.getfile(kind)).relative_to(CHECKOUT).as_posix()
    return [f"[{name}](../{source})", (inspect.getdoc(kind) or "").partition("\n")[0]]


def _which(measured: Bench) -> Iterator[str]:
    fastest, others = new_board(_GAME).name, new_board(Game("4x4k4")).name

    def time(board: str, measure: str) -> str:
        return f"{measured.boards[board][measure].median:,.0f} ns"

    def times(measure: str, *boards: str) -> str:
        return ", ".join(f"{name} {time(name, measure)}" for name in boards)

    yield "## Which one the pipeline uses\n"
    yield _filled(
        f"The pipeline uses {fastest} for tic-tac-toe and its misère form, because it looks up "
        f"moves, lines and images. It uses {others} for every other game: of the boards of any "
        "size without line counters, it is the fastest to judge "
        f"({times('judge', others, 'List1dBoard')}) and to count patterns "
        f"({times('patterns', others, 'List1dBoard')})."
    )
    yield _filled(
        "Line counters pay when an AI looks at lines after every move, as ai14s does. They slow "
        "down moves and random games, so the pipeline leaves them off. The builders of the tree "
        "use no board, but arrays of masks, ply by ply."
    )


def _filled(text: str) -> str:
    return textwrap.fill(text, 100) + "\n"


if __name__ == "__main__":
    figures = measured()
    PAGE.write_text(render(figures), encoding="utf-8")
    SERIES.write_text(with_boards(SERIES.read_text(encoding="utf-8"), figures), encoding="utf-8")
