"""The page that explains every board, ``engine/boards/README.md``, with figures of this machine.

Run as ``python -m tools.boards_page`` (``make boards``). The drawings are those of the classes'
docstrings; every figure is measured when the page is written.
"""

import inspect
import pickle
import sys
import textwrap
from collections.abc import Iterator

from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.comparison.conformance import all_laws
from marubatsu.engine.comparison.kinds import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.bench.figures import render as tables
from marubatsu.pipeline.bench.measure import Bench, bench
from marubatsu.pipeline.support.formats import Format
from marubatsu.pipeline.support.output import Rows, to_markdown

_GAME = Game.parse("tictactoe")
_ROUNDS, _PAIRS = 7, 500

_INTRODUCTION = """\
# Boards

One position of a game, changed in place move by move, stored in several ways. All of them keep one
protocol, so every AI, match and search runs on any of them and comes to the same answers. This page
is printed from the code and measured while it is printed (`make boards`).
"""

_LAWS = """\
## The laws

`marubatsu conform MODULE:CLASS` holds a class against each of them: on all 5,478 positions of 3x3,
on samples of 4x4, 5x4, 4x5 and gravity boards.
"""

_FIGURES = """\
## What they cost

`marubatsu bench boards` measures this on your machine, `--plot FILE.svg` draws it.
"""


def render(found: Bench) -> str:
    """Write the page."""
    return "\n".join([
        _INTRODUCTION, *_protocol(), *_kinds(), *_which(found), _LAWS, _laws(), _FIGURES,
        tables(found, all_boards(), Format.MARKDOWN),
    ])  # fmt: skip


def measured(pairs: int = _PAIRS, repeats: int = _ROUNDS) -> Bench:
    """Measure what the page tells."""
    return bench(all_boards(), _GAME, pairs=pairs, repeats=repeats, progress=lambda share: None)


def _protocol() -> Iterator[str]:
    yield "## The protocol\n"
    yield (inspect.getdoc(Board) or "").replace("``", "`") + "\n"
    methods = [
        (
            f"`{name}{_signature(value)}`",
            _first(value),
            getattr(value, "__isabstractmethod__", False),
        )
        for name, value in vars(Board).items()
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
    ]
    yield to_markdown(Rows(("method", "what it does", "to be written"), methods))


def _signature(value: object) -> str:
    if not inspect.isfunction(value):
        return ""
    return "(" + ", ".join(list(inspect.signature(value).parameters)[1:]) + ")"


def _first(value: object) -> str:
    """Return the first paragraph of a docstring, on one line."""
    first = (inspect.getdoc(value) or "").partition("\n\n")[0]
    return " ".join(first.replace("``", "`").split())


def _kinds() -> Iterator[str]:
    yield "## The representations\n"
    rows = []
    for name, new in all_boards().items():
        board = new(_GAME)
        if not name.endswith("+counters"):
            yield f"### {name}\n"
            yield _as_markdown(inspect.getdoc(type(board)) or "")
        board.load("o.x.o.x..")
        size = len(pickle.dumps(board.save(), protocol=5))
        rows.append((name, board.natural_order, repr(board.moves or board.move_of(5)), size))
    from marubatsu.engine.boards import line_counters

    yield "### Line counters\n"
    yield _as_markdown(inspect.getdoc(line_counters) or "")
    yield _as_markdown(inspect.getdoc(line_counters.PackedCounters) or "")
    columns = ("board", "natural order", "move to cell 5", "bytes of a saved position, pickled")
    yield to_markdown(Rows(columns, rows))


def _as_markdown(doc: str) -> str:
    """Turn a docstring, with a literal block or without, into Markdown."""
    before, _, block = doc.replace("``", "`").partition("::\n\n")
    literal, _, after = block.partition("\n\n")
    drawn = f":\n\n```\n{textwrap.dedent(literal)}\n```\n" if literal else "\n"
    return before + drawn + (f"\n{after}\n" if after else "")


def _which(found: Bench) -> Iterator[str]:
    fastest, others = new_board(_GAME).name, new_board(Game.parse("4x4k4")).name
    moves, images = (
        " and ".join(f"{found.boards[name][measure].median:.0f} ns" for name in (fastest, others))
        for measure in ("make_unmake", "images")
    )
    yield "## Which one the pipeline uses\n"
    told = (
        f"{fastest} for tic-tac-toe and its misère form, {others} for every other game. A search "
        "meets every position once, so what counts is making a move and taking it back, here "
        f"{moves}, and the keys of all images, here {images}. Line counters pay where lines are "
        "asked about after every move, as ai14s does, and cost a little everywhere else, so the "
        "pipeline leaves them off. Arrays pay for many positions at once: the builders of the tree "
        "work on arrays of masks, ply by ply, and on no board at all."
    )
    yield textwrap.fill(told, 100) + "\n"


def _laws() -> str:
    return to_markdown(
        Rows(("law", "what must be"), [(n, _first(check)) for n, check in all_laws().items()])
    )


if __name__ == "__main__":
    sys.stdout.write(render(measured()))
