"""Write the opening book of a game from the answers that ``marubatsu book`` keeps.

``python -m tools.generators.opening_book GAME --data FOLDER`` reads the table ``answers``, lets the
check ``answers`` go over it, and writes ``queries/reference/opening_books/GAME.csv``. The book goes
to the last ply of which all classes have an answer.

The best moves of the last ply take searches: does a move keep the score? What they find is kept in
``FOLDER/GAME-scores-PLY.csv``, so a run goes on where the one before was stopped.
"""

import argparse
import csv
import io
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain
from pathlib import Path

from marubatsu.engine.large.values import FAR, Bounds, score_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.judge.oracle.book import Searches, ThreadSearches
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory.kept_tables import BOOKS, COLUMNS, Found, kept_answers
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.tables.data_set import DataSet
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


def classes_of(game: Game, answers: Mapping[Position, Found]) -> dict[Position, str]:
    """Return the classes of the book, each with its line. Raises ValueError where there is none."""
    levels = lines_of(game, max(position.ply for position in answers))
    complete = [level for level in levels if level.keys() <= answers.keys()]
    if complete != levels[: len(complete)] or not complete:
        raise ValueError("the first plies are not complete: run marubatsu book again")
    return dict(chain.from_iterable(map(dict.items, complete)))


def rows_of(
    game: Game,
    classes: Mapping[Position, str],
    answers: Mapping[Position, Found],
    after: Mapping[Position, int],
) -> Iterator[tuple[str, int, int, str]]:
    """Yield the rows of the book, by ply and line; ``after`` has scores after the last ply."""
    scores = {**after} | {each: score_of(found.value) for each, found in answers.items()}
    for position, line in classes.items():
        value = answers[position].value
        distance = FAR - abs(value) if value else game.cells - position.ply
        best = _best(game, position, scores)
        yield line, scores[position] * position.turn.sign, distance, best


def _best(game: Game, position: Position, scores: Mapping[Position, int]) -> str:
    columns = []
    for move in game.legal_moves(position):
        child = position.after(move)
        status = game.status(child)
        score = (
            scores[smallest_member(game, child)]
            if status is Status.PLAYING
            else child.turn.sign * status.score
        )
        if score == -scores[position]:
            columns.append(move % game.columns + 1)
    return "".join(map(str, sorted(columns)))


def questions(game: Game, answers: Mapping[Position, Found], ply: int) -> dict[Position, int]:
    """Return the classes after a ply, each with the least score that it may have, its mover's view.

    It is that which a best move leads to. Classes with an answer are left out.
    """
    least: dict[Position, int] = {}
    for position in (each for each in answers if each.ply == ply):
        score = score_of(answers[position].value)
        for child in map(position.after, game.legal_moves(position)):
            member = smallest_member(game, child)
            if game.status(child) is Status.PLAYING and member not in answers:
                least[member] = max(-score, least.get(member, -score))
    return least


def search_scores(
    game: Game, least: Mapping[Position, int], searches: Searches, kept: Path
) -> dict[Position, int]:
    """Return for each class ``least``, or one more when its score is greater.

    One search with a null window answers each. Those that are ``kept`` in a file are read, the
    others are added to it.
    """
    text = kept.read_text(encoding="utf-8") if kept.exists() else ""
    rows = re.findall(r"^(\d+),(\d+),(-?\d)\n", text, re.MULTILINE)  # The last may be torn.
    scores = {Position(int(circle), int(cross)): int(score) for circle, cross, score in rows}
    scores |= {position: 1 for position, score in least.items() if score == 1}
    todo = sorted(least.keys() - scores.keys())

    def score_of_class(position: Position) -> int:
        low, slowest = least[position], FAR - (game.cells - position.ply)
        found = searches.search(position, Bounds(low * slowest, (low + 1) * slowest), math.inf)
        assert found is not None  # There is no limit of time.
        return low + (found.value != low * slowest)

    pool = ThreadPoolExecutor(searches.at_once)
    futures = {pool.submit(score_of_class, position): position for position in todo}
    try:
        with kept.open("w", encoding="utf-8", buffering=1) as file:
            file.writelines(f"{','.join(row)}\n" for row in rows)
            for number, each in enumerate(as_completed(futures), 1):
                circle, cross = position = futures[each]
                scores[position] = each.result()
                file.write(f"{circle},{cross},{scores[position]}\n")
                print(f"\r{number:,} of {len(todo):,} classes", end="", file=sys.stderr)
    finally:
        searches.stop()
        pool.shutdown(cancel_futures=True)
    return {position: scores[position] for position in least}


def render(rows: Iterable[tuple[str, int, int, str]], game: Game) -> str:
    """Return the text of the file."""
    out, listed = io.StringIO(), list(rows)
    plies = len(listed[-1][0])
    out.write(
        f"# {game.notation}: all {len(listed):,} classes with at most {plies} marks.\n"
        f"# Written by marubatsu {__version__} from the answers of book --plies {plies}: the exact "
        f"search of each class with {plies} marks, and searches whether each move there keeps the "
        "score; the others from their children.\n"
    )
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(listed)
    return out.getvalue()


def main() -> None:
    """Check the answers, search what the last ply lacks, and write the book."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Game)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1 << 30, help="bytes of the table")
    given = parser.parse_args()
    game: Game = given.game
    if not game.gravity or game.columns > _MOST_COLUMNS:
        raise SystemExit(f"expected a game with gravity and at most {_MOST_COLUMNS} columns")
    data_set = DataSet(given.data, game)
    with open_catalog(data_set) as catalog:
        checked = run_check(catalog, checks()["answers"])
    if checked.verdict != "pass":
        raise SystemExit(f"the check of the answers says: {checked.verdict}")
    answers = kept_answers(data_set)
    if not answers:
        raise SystemExit("there are no answers: run marubatsu book")
    try:
        classes = classes_of(game, answers)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    ply = max(position.ply for position in classes)
    searches = ThreadSearches(game, given.memory, given.threads)
    kept = given.data / f"{game.name}-scores-{ply}.csv"
    after = search_scores(game, questions(game, answers, ply), searches, kept)
    text = render(rows_of(game, classes, answers, after), game)
    if len(text) > MOST_BYTES:
        raise SystemExit(f"the book has {len(text):,} bytes: expected at most {MOST_BYTES:,}")
    BOOKS.mkdir(exist_ok=True)
    (BOOKS / f"{game.name}.csv").write_text(text, encoding="utf-8")
    print(f"{game.name}: {text.count(chr(10)) - 3:,} classes, {len(text):,} bytes")


if __name__ == "__main__":
    main()
