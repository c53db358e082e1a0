"""The generator of ``docs/boards.md``, which explains every board with figures of this machine.

Run as ``python -m tools.generators.boards_page`` (``make boards``). The drawings come from the
classes' docstrings; every figure is measured when the page is written.
"""

import inspect
import pickle
import sys
import textwrap
from collections.abc import Iterator

from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.boards.kinds import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.laboratory.board_conformance import all_laws
from marubatsu.pipeline.laboratory.figures import render as tables
from marubatsu.pipeline.laboratory.measure import Bench, bench
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, to_markdown

_GAME = Game("tictactoe")
_ROUNDS, _PAIRS = 7, 500

_INTRODUCTION = """\
# Boards

A board is one position of a game, changed in place move by move. This page compares ways to store
it: a list of columns, one flat list, two integers, arrays of booleans, each with line counters or
without, and tables to look answers up in. All of them follow one protocol. Every AI, match and
search runs on each of them with equal answers. `make boards` generates this page from the code and
measures the figures.

```sh
marubatsu bench boards --plot boards.svg   # measure them on your machine
marubatsu bench boards --board BitBoard --board examples/dict_board.py:DictBoard
marubatsu conform examples/dict_board.py:DictBoard   # check a board class of your own
```

[examples/dict_board.py](../examples/dict_board.py) is the shortest board.
"""

_LAWS = """\
## The laws

`marubatsu conform FILE.py:CLASS` or `MODULE:CLASS` checks a board class against each law: on all
5,478 positions of 3x3 (*choices of AIs* on every 12th, *searches* on every 60th), and on samples of
4x4, 5x4, 4x5, gravity and torus boards.

BitBoard3x3 keeps all of them:

```console
$ marubatsu conform BitBoard3x3 | grep -c yes
18
```
"""

_FIGURES = """\
## What they cost

`marubatsu bench boards` measures these figures on your machine. `--plot FILE.svg` draws them. A
*pair* is two games, one on each side. The column *published* has two kinds of figures: those that
episodes 196 and 212 print, and our own measurement of the code of episode 237 (*measured again*).
They come from other machines, so compare the ratios to ListBoard, not the times.
"""

_ORDER = """\
*Natural order* is the order of the cells in the storage. Legal moves are listed by ascending cell
on every board.
"""


def render(found: Bench) -> str:
    """Write the page."""
    return "\n".join([
        _INTRODUCTION, *_protocol(), *_kinds(), *_which(found), _LAWS, _laws(), _FIGURES,
        tables(found, all_boards(), Format.MARKDOWN),
    ])  # fmt: skip


def measured(pairs: int = _PAIRS, repeats: int = _ROUNDS) -> Bench:
    """Measure the figures of the page."""
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
    yield _ORDER
    columns = ("board", "natural order", "move to cell 5", "bytes of a pickled position")
    yield to_markdown(Rows(columns, rows))


def _as_markdown(doc: str) -> str:
    """Turn a docstring, with a literal block or without, into Markdown."""
    before, _, block = doc.replace("``", "`").partition("::\n\n")
    literal, _, after = block.partition("\n\n")
    drawn = f":\n\n```\n{textwrap.dedent(literal)}\n```\n" if literal else "\n"
    return before + drawn + (f"\n{after}\n" if after else "")


def _which(found: Bench) -> Iterator[str]:
    fastest, others = new_board(_GAME).name, new_board(Game("4x4k4")).name
    moves, images = (
        ", ".join(
            f"{name} {found.boards[name][measure].median:,.0f} ns" for name in (fastest, others)
        )
        for measure in ("make_unmake", "images")
    )
    yield "## Which one the pipeline uses\n"
    told = (
        f"The pipeline uses {fastest} for tic-tac-toe and its misère form, and {others} for every "
        "other game. A search makes and takes back one move for each node. It needs fast `make` "
        f"and `unmake` ({moves}) and fast keys of all images ({images}). Line counters pay when an "
        "AI looks at lines after every move, as ai14s does. They cost a little everywhere else, so "
        "the pipeline leaves them off. Arrays pay for many positions at once: the builders of the "
        "tree use no board, but arrays of masks, ply by ply."
    )
    yield textwrap.fill(told, 100) + "\n"
    yield textwrap.fill(_why_not_bits(found), 100) + "\n"


def _why_not_bits(found: Bench) -> str:
    """Say why bits alone are not the fastest way on 3x3."""

    def listing(board: str, marks: int) -> float:
        return found.boards[board][f"legal_moves_{marks}"].median

    first, last = listing("BitBoard", 0), listing("BitBoard", 8)
    moves = (found.boards[board]["make_unmake"].median for board in ("ListBoard", "BitBoard"))
    return (
        "On 3x3 BitBoard alone is not the fastest: it lists legal moves slowly where many cells "
        "are empty. It takes the bits off one by one, which in Python is four operations for each "
        f"empty cell: {first:,.0f} ns on the empty board, and {last:,.0f} ns with 8 marks. "
        "ListBoard looks at all nine cells in one list "
        f"comprehension, which takes as long on every board ({listing('ListBoard', 0):,.0f} ns "
        f"and {listing('ListBoard', 8):,.0f} ns). Of `make` with `unmake`, neither is much faster: "
        "{:,.0f} ns and {:,.0f} ns. BitBoard3x3 has tables for both.".format(*moves)
    )


def _laws() -> str:
    return to_markdown(
        Rows(("law", "what must hold"), [(n, _first(check)) for n, check in all_laws().items()])
    )


if __name__ == "__main__":
    sys.stdout.write(render(measured()))
