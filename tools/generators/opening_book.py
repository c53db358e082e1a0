"""Write the opening book of a game from the answers that ``marubatsu book`` keeps.

``python -m tools.generators.opening_book GAME --data FOLDER`` reads the table ``answers``, lets the
check ``answers`` go over it, and writes ``queries/reference/opening_books/GAME.csv``. The book goes
to the last ply of which all classes have an answer.
"""

import argparse
import csv
import io
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from marubatsu.engine.large.values import FAR, value_before
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory import answers_table
from marubatsu.pipeline.laboratory.answers_table import Found
from marubatsu.pipeline.laboratory.opening_book import BOOKS, COLUMNS
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.version import __version__

MOST_BYTES = 300_000
_MOST_COLUMNS = 9  # a digit each


def lines_of(game: Game, plies: int) -> list[dict[Position, str]]:
    """Return the classes of unfinished positions by ply: `smallest_member`, and the first line.

    A line is the columns of the moves, from 1. The first line is the least one as a text.
    """
    positions = {EMPTY: ""}
    levels = [positions]
    for _ in range(plies):
        after: dict[Position, str] = {}
        for position, line in positions.items():  # By line: each finds the least line first.
            for move in sorted(game.legal_moves(position), key=lambda move: move % game.columns):
                child = position.after(move)
                if game.status(child) is Status.PLAYING:
                    after.setdefault(child, f"{line}{move % game.columns + 1}")
        positions = after
        levels.append({p: line for p, line in after.items() if p == smallest_member(game, p)})
    return levels


def rows_of(game: Game, answers: Mapping[Position, Found]) -> Iterator[tuple[str, int, int, str]]:
    """Yield the rows of the book, by ply and line. Raises ValueError for answers without a book."""
    levels = lines_of(game, max(position.ply for position in answers))
    complete = [level for level in levels if level.keys() <= answers.keys()]
    if complete != levels[: len(complete)] or not complete:
        raise ValueError("the first plies are not complete: run marubatsu book again")
    for position, line in chain.from_iterable(map(dict.items, complete)):
        value = answers[position].value
        score = (value > 0) - (value < 0)
        distance = FAR - abs(value) if score else game.cells - position.ply
        best = _best(game, position, answers) if position not in complete[-1] else ""
        yield line, score * position.turn.sign, distance, best


def _best(game: Game, position: Position, answers: Mapping[Position, Found]) -> str:
    """Return the columns of the moves that lose nothing."""
    scores: dict[int, int] = {}
    for move in game.legal_moves(position):
        child = position.after(move)
        status = game.status(child)
        value = (
            answers[smallest_member(game, child)].value
            if status is Status.PLAYING
            else child.turn.sign * status.score * FAR
        )
        before = value_before(value)
        scores[move % game.columns + 1] = (before > 0) - (before < 0)
    most = max(scores.values())
    return "".join(str(column) for column in sorted(scores) if scores[column] == most)


def render(game: Game, answers: Mapping[Position, Found]) -> str:
    """Return the text of the file."""
    out = io.StringIO()
    rows = list(rows_of(game, answers))
    plies = len(rows[-1][0])
    out.write(
        f"# {game.notation}: all {len(rows):,} classes with at most {plies} marks.\n"
        f"# Written by marubatsu {__version__} from the answers of book --plies {plies}: the exact "
        f"search of each class with {plies} marks; the others from their children.\n"
    )
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return out.getvalue()


def main() -> None:
    """Check the answers, and write the book."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Game)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    if not given.game.gravity or given.game.columns > _MOST_COLUMNS:
        raise SystemExit(f"expected a game with gravity and at most {_MOST_COLUMNS} columns")
    data_set = DataSet(given.data, given.game)
    with open_catalog(data_set, say_waiting) as catalog:
        checked = run_check(catalog, checks()["answers"])
    if checked.verdict != "pass":
        raise SystemExit(f"the check of the answers says: {checked.verdict}")
    answers = answers_table.read(data_set)
    if not answers:
        raise SystemExit("there are no answers: run marubatsu book")
    try:
        text = render(given.game, answers)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    if len(text) > MOST_BYTES:
        raise SystemExit(f"the book has {len(text):,} bytes: expected at most {MOST_BYTES:,}")
    BOOKS.mkdir(exist_ok=True)
    (BOOKS / f"{given.game.name}.csv").write_text(text, encoding="utf-8")
    print(f"{given.game.name}: {text.count(chr(10)) - 3:,} classes, {len(text):,} bytes")


if __name__ == "__main__":
    main()
