"""The moves of recorded games: their numbering, and where no numbering makes sense of them."""

from pathlib import Path

import pytest

from marubatsu.judge.review.review import review as review_files
from marubatsu.pipeline.support.errors import UsageError
from tests.audit.conftest import Reviewer
from tests.helpers.processes.commands import require_refused, run_here

SQUARE, SMALL, LARGE = "tictactoe", "3x3k3-gravity", "connect4"
COLUMNS = '{"moves": [3, 2, 3, 2, 3, 2, 3], "players": ["ann", "bob"]}'
PAIRS = '{"moves": [[1, 1], [0, 1], [0, 2], [2, 0], [1, 2]]}'
IN_COLUMNS = "0 1 0 1 0\n2 0 2 0 2\n1 1 1 0 2"
ONE_OFF = "1 4 2 5 3 1-0\n1 5 2 4 3 1-0\n5 4 2 6 8 1-0"  # Read from 0, the second has its result.
BY_COLUMNS = "5 4 2 1 3 8 0\n8 7 5 4 2\n8 5 7 2 1 4 0 3"  # Row by row, two break off.
NO_LINES = "1 4 2 5 3\n4 7 5 8 6\n3 4 5 1 7"  # Read from 0, no game has a line.
LOST = "ann - bob: 0 3 1 4 2 0-1\n"  # as where the loser has the line, or bob begins
SPACED = "is no move of tictactoe .* with blanks or commas between moves"
NO_SENSE = "3 of 4 games have an illegal move .*; no numbering makes sense of most games; the"
STOPPED: list[tuple[str, str, str | None, str]] = [
    # Moves without separators, marks and signs.
    *((content, LARGE, None, "numbering chooses another: columns, columns-")
      for content in ("44455554221", "moves\n44455554221", '{"moves": "44455554221"}')),
    ("40821", SQUARE, None, SPACED),
    ("2338", SMALL, "columns-from-1", "'8' is no move of .*: expected 1 to 3; "),
    ("abcab", SMALL, None, "'abcab' is no move of .* with blanks or commas"),
    ("x(1,1) x(0,0)", SQUARE, "row-column", r"line 1 .*: move 2 is 'x\(0,0\)', and the mark bef"),
    ("4 0\nx4 x0", SQUARE, None, "line 2 .*: move 2 is 'x0', and the mark before it is not in tu"),
    *((moves, SQUARE, None, SPACED)
      for moves in ("4 -> 0 -> 8", "ann - bob: 1. 4 0 2. 8", "4-0-8", "4.0 0.0")),
    ("4(1) 0(2)", SQUARE, None, r"'4\(1\)' is no move of tictactoe"),
    ("1 1 0 0 2 2 0 2", SQUARE, None, "most numbers name a cell again: expected the moves of a g"),
    ("1 4 0 2 8 1", SQUARE, None, r"'1' may be the number of a move: write '1\.' for a number"),
    ("0 4 0 8 1\n1 4 2 8\n2 4 3 8", SQUARE, None, "numbers of the lines count them: leave them"),
    ("4 0 8 7 1 2 0 0 0", SQUARE, None, "line 1 .*: '0' ends the line twice: leave out what fil"),
    ("ann - bob: 4 0\nann - bob: 5 1 9 3 7", SQUARE, None,
     "line 2 of .*'9' is no move of tictactoe in the numbering cells: .*: cells-from-1, "),
    (PAIRS, SQUARE, None, r"\(1, 1\) is no move .*: row-column, column-row$"),
    # Games that make sense in other numberings, or in none.
    (COLUMNS, LARGE, None,
     r"numbered: columns \(fits 1 of 1\), columns-from-1 \(fits 1 of 1\)$"),
    (IN_COLUMNS, SMALL, None, r"numbered: columns \(fits 3 of 3\)$"),
    *(("\n".join([f"ann - bob: {wrong}"] * 3 + ["ann - bob: 4 0"]), SQUARE, None, NO_SENSE)
      for wrong in ("4 4", "4 0 3 1 5 8")),  # The second goes on after its end.
    (LOST * 3, SQUARE, None, "3 of 3 games do not end as the log says; no numbering makes sense"),
    (ONE_OFF, SQUARE, None,
     r"2 of 3 games do not end as the log says; the option .*cells-from-1 \(fits 3 of 3\)"),
    (BY_COLUMNS, SMALL, None,
     r"line 1 .* 2 of 3 games have an illegal move or another end; .*: cells-by-column \(fits"),
    (NO_LINES, SQUARE, None,
     "3 of 3 games do not end with their last move; the option .*: cells-from-1 .fits 3 of 3"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "game", "numbering", "message"), STOPPED)
def test_a_numbering_in_doubt_stops_the_review(
    content: str, game: str, numbering: str | None, message: str, review: Reviewer
) -> None:
    with pytest.raises(UsageError, match=message):
        review(f"{content}\n", game, numbering=numbering)


REVIEWED: list[tuple[str, str, str | None, int, int, str | None]] = [
    ("moves\n0120\n0012", SMALL, "columns", 8, 0, None),
    ("ann - bob: 2331", SMALL, "columns-from-1", 4, 0, None),
    ("first,second,moves\nann,bob,2331", SMALL, "columns-from-1", 4, 0, None),
    ("abcab\nAAB draw", SMALL, "names", 8, 0, None),
    ("x(1,1) o(0,0) x(2,2)", SQUARE, "row-column", 3, 0, None),
    ("X5 O1 X9", SQUARE, "cells-from-1", 3, 0, None),
    ("X4 O1 X8", SQUARE, None, 3, 0, "4 1 8"),
    (IN_COLUMNS, SMALL, "columns", 15, 0, None),
    ("ann - bob: 5 1\nann - bob: 5 1 9 3 7", SQUARE, "cells-from-1", 7, 0, "4 0 8 2 6"),
    (PAIRS, SQUARE, "row-column", 5, 0, "4 1 2 6 5"),
    (PAIRS, SQUARE, "column-row", 5, 0, "4 3 6 2 7"),
    # What the user states is not doubted, nor are few, late or missing moves: they are findings.
    *(("\n".join([f"ann - bob: {wrong}"] * 3 + ["ann - bob: 4 0"]), SQUARE, "cells", moves, 3, None)
      for wrong, moves in (("4 4", 5), ("4 0 3 1 5 8", 17))),
    (LOST * 2, SQUARE, None, 10, 2, None), (LOST * 3, SQUARE, "cells", 15, 3, None),
    ("ann - bob: 4 4", SQUARE, None, 1, 1, None),
    ("ann - bob: 4 4\nann - bob: 4 4", SQUARE, None, 2, 2, None),
    ("\n".join(["4 0 8 2 4"] * 5), SQUARE, None, 20, 5, None),
    ("\n".join(['{"moves": [4, null]}'] * 5), SQUARE, None, 5, 5, None),
    ('{"moves": [4, 0, 1, 8, 7, null, null]}', SQUARE, None, 5, 0, None),
    (ONE_OFF, SQUARE, "cells-from-1", 15, 0, None),
    (BY_COLUMNS, SMALL, "cells", 9, 2, None), (BY_COLUMNS, SMALL, "cells-by-column", 20, 0, None),
    (BY_COLUMNS + "\n4 4", SMALL, None, 9, 3, None),
    (NO_LINES + "\n5 1", SQUARE, None, 17, 0, None),
]  # fmt: skip


@pytest.mark.parametrize(("content", "game", "numbering", "moves", "findings", "worst"), REVIEWED)
def test_moves_are_read_by_their_numbering(
    content: str,
    game: str,
    numbering: str | None,
    moves: int,
    findings: int,
    worst: str | None,
    review: Reviewer,
) -> None:
    found = review(f"{content}\n", game, numbering=numbering)
    assert (found.moves, sum(found.tables.findings.column("times"))) == (moves, findings)
    if worst is not None:
        assert found.tables.worst_games.column("line")[0] == worst


def test_columns_of_a_game_with_gravity_are_no_illegal_moves(review: Reviewer) -> None:
    found = review(COLUMNS, LARGE, numbering="columns", time=0)
    rows = {row["player"]: row["won"] for row in found.tables.leaderboard.records()}
    assert (rows, found.tables.findings.rows) == ({"ann": 1, "bob": 0}, [])


def test_each_file_is_checked_for_its_numbering(data: Path, tmp_path: Path) -> None:
    fine, wrong = tmp_path / "fine", tmp_path / "wrong"
    fine.write_text("a1 b1 a2 b2 c1\n" * 9, encoding="utf-8")
    wrong.write_text("0 1 0\n", encoding="utf-8")
    with pytest.raises(UsageError, match=rf"^line 1 of '{wrong}': in the numbering cells, 1 of 1 "):
        review_files([fine, wrong], "3x3k3-gravity", data=data)
    done = run_here("review", str(wrong), "--game", "3x3k3-gravity", data=data)
    require_refused(done, "; --numbering says how moves are numbered: columns (fits 1 of 1)")
