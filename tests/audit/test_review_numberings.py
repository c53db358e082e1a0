"""The moves of recorded games: their numbering, and where no numbering makes sense of them."""

from pathlib import Path

import pytest

from marubatsu.judge.review.review import review as review_files
from marubatsu.pipeline.support.errors import UsageError
from tests.audit.conftest import Reviewer
from tests.helpers.processes.commands import require_refused, run_here


def test_moves_without_separators_need_a_numbering(review: Reviewer) -> None:
    for content in ("44455554221\n", "moves\n44455554221\n", '{"moves": "44455554221"}\n'):
        with pytest.raises(UsageError, match="numbering chooses another: columns, columns-"):
            review(content, "7x6k4-gravity")
    assert review("moves\n0120\n0012\n", "3x3k3-gravity", numbering="columns").moves == 8
    for content in ("ann - bob: 2331\n", "first,second,moves\nann,bob,2331\n"):
        found = review(content, "3x3k3-gravity", numbering="columns-from-1")
        assert (found.moves, len(found.tables.findings.rows)) == (4, 0)
    with pytest.raises(UsageError, match=r"'8' is no move of .*: expected 1 to 3; "):
        review("2338\n", "3x3k3-gravity", numbering="columns-from-1")
    with pytest.raises(UsageError, match=r"'40821' is no move of .*, with blanks or commas"):
        review("40821\n")


def test_letters_without_separators_are_moves(review: Reviewer) -> None:
    assert review("abcab\nAAB draw\n", "3x3k3-gravity", numbering="names").moves == 8
    with pytest.raises(UsageError, match=r"'abcab' is no move of .*, with blanks or commas"):
        review("abcab\n", "3x3k3-gravity")


def test_marks_before_moves_are_in_turn(review: Reviewer) -> None:
    review("x(1,1) o(0,0) x(2,2)\n", numbering="row-column")
    with pytest.raises(
        UsageError, match=r"line 1 .*: move 2 is 'x\(0,0\)', and the mark before it"
    ):
        review("x(1,1) x(0,0)\n", numbering="row-column")
    review("X5 O1 X9\n", numbering="cells-from-1")
    found = review("X4 O1 X8\n")
    assert found.tables.worst_games.column("line") == ["4 1 8"]
    for moves, why in (
        ("4 0\nx4 x0", "line 2 .*: move 2 is 'x0', and the mark before it is not in turn"),
        ("4 -> 0 -> 8", "is no move of tictactoe .* with blanks or commas"),
        ("ann - bob: 1. 4 0 2. 8", "is no move of tictactoe .* with blanks or commas"),
        ("4(1) 0(2)", r"'4\(1\)' is no move of tictactoe"),
        ("1 1 0 0 2 2 0 2", r"the numbers may be pairs of row and column: write them as in \(1,1"),
        ("4 0 8 7 1 2 0 0 0", "line 1 .*: '0' ends the line twice: leave out what fills it up"),
        ("1 4 0 2 8 1", r"'1' may be the number of a move: write '1\.' for a number"),
        ("0 4 0 8\n1 4 2 8", "the first numbers of the lines count them: leave them out"),
        ("4-0-8", "is no move of tictactoe .* with blanks or commas"),
        ("4.0 0.0", "is no move of tictactoe .* with blanks or commas"),
    ):
        with pytest.raises(UsageError, match=why):
            review(f"{moves}\n")


COLUMNS = '{"moves": [3, 2, 3, 2, 3, 2, 3], "players": ["ann", "bob"]}\n'


def test_columns_of_a_game_with_gravity_are_no_illegal_moves(review: Reviewer) -> None:
    message = r"numbered: columns \(fits 1 of 1\), columns-from-1 \(fits 1 of 1\)$"
    with pytest.raises(UsageError, match=message):
        review(COLUMNS, "connect4")
    found = review(COLUMNS, "connect4", numbering="columns", time=0)
    rows = {row["player"]: row["won"] for row in found.tables.leaderboard.records()}
    assert (rows, found.tables.findings.rows) == ({"ann": 1, "bob": 0}, [])


def test_exactly_one_numbering_is_named_where_one_fits(review: Reviewer) -> None:
    games = "0 1 0 1 0\n2 0 2 0 2\n1 1 1 0 2\n"
    with pytest.raises(UsageError, match=r"numbered: columns \(fits 3 of 3\)$"):
        review(games, "3x3k3-gravity")
    found = review(games, "3x3k3-gravity", numbering="columns")
    assert (found.moves, found.tables.findings.rows) == (15, [])


def test_a_move_outside_the_board_is_no_illegal_move(review: Reviewer) -> None:
    content = "ann - bob: 4 0\nann - bob: 5 1 9 3 7\n"
    message = r"line 2 of .*'9' is no move of tictactoe in the numbering cells: .*: cells-from-1, "
    with pytest.raises(UsageError, match=message):
        review(content)
    found = review(content.replace("4 0", "5 1"), numbering="cells-from-1")
    assert found.tables.worst_games.column("line")[0] == "4 0 8 2 6"


def test_pairs_need_a_numbering(review: Reviewer) -> None:
    content = '{"moves": [[1, 1], [0, 1], [0, 2], [2, 0], [1, 2]]}'
    with pytest.raises(UsageError, match=r"\(1, 1\) is no move .*: row-column, column-row$"):
        review(content)
    for numbering, line in (("row-column", "4 1 2 6 5"), ("column-row", "4 3 6 2 7")):
        found = review(content, numbering=numbering)
        assert found.tables.worst_games.column("line")[0] == line


def test_a_log_that_makes_no_sense_stops_the_review(review: Reviewer) -> None:
    message = "3 of 4 games have an illegal move .*; no numbering makes sense of most games; the"
    for wrong in ("4 4", "4 0 3 1 5 8"):  # The second goes on after its end.
        content = f"ann - bob: {wrong}\n" * 3 + "ann - bob: 4 0\n"
        with pytest.raises(UsageError, match=message):
            review(content)
        found = review(content, numbering="cells")
        assert found.tables.findings.records()[0]["times"] == 3


def test_results_that_most_moves_contradict_stop_the_review(review: Reviewer) -> None:
    game = "ann - bob: 0 3 1 4 2 0-1\n"  # as where the loser has the line, or bob begins
    with pytest.raises(UsageError, match="0 of 3 games end as the log says; no numbering makes"):
        review(game * 3)
    for content, options in ((game * 2, {}), (game * 3, {"numbering": "cells"})):
        (finding,) = review(content, **options).tables.findings.records()
        assert finding["finding"] == "another result"


def test_few_illegal_late_or_missing_moves_are_findings(review: Reviewer) -> None:
    for content, times in (
        ("ann - bob: 4 4\n", 1), ("ann - bob: 4 4\n" * 2, 2), ("4 0 8 2 4\n" * 5, 5),
        ('{"moves": [4, null]}\n' * 5, 5),
    ):  # fmt: skip
        found = review(content)
        assert found.tables.findings.column("times") == [times]
    finished = review('{"moves": [4, 0, 1, 8, 7, null, null]}')
    assert finished.tables.findings.rows == []


def test_results_decide_the_numbering(review: Reviewer) -> None:
    """Read from 0, only the second game ends with the result of the log."""
    games = ["1 4 2 5 3 1-0", "1 5 2 4 3 1-0", "5 4 2 6 8 1-0"]
    message = r"1 of 3 games end as the log says; the option .*cells-from-1 \(agrees in 3 of 3\)"
    with pytest.raises(UsageError, match=message):
        review("\n".join(games))
    found = review("\n".join(games), numbering="cells-from-1")
    assert found.tables.findings.rows == []


def test_another_numbering_that_fits_all_games_is_an_error(review: Reviewer) -> None:
    """Row by row, the first and the last game have an illegal move behind the first plies."""
    games, game = ["5 4 2 1 3 8 0", "8 7 5 4 2", "8 5 7 2 1 4 0 3"], "3x3k3-gravity"
    message = (
        r"line 1 .* 2 of 3 games have an illegal move or another end; .*: cells-by-column \(fits"
    )
    with pytest.raises(UsageError, match=message):
        review("\n".join(games), game)
    for others, numbering in (([], "cells"), ([], "cells-by-column"), (["4 4"], None)):
        found = review("\n".join([*games, *others]), game, numbering=numbering)
        assert bool(found.tables.findings.rows) == (numbering != "cells-by-column")


def test_games_that_all_end_in_another_numbering_raise_a_doubt(review: Reviewer) -> None:
    games = ["1 4 2 5 3", "4 7 5 8 6", "3 4 5 1 7"]  # Read from 0, no game has a line.
    said = "3 of 3 games do not end with their last move; the option .*: cells-from-1 .fits 3 of 3"
    with pytest.raises(UsageError, match=said):
        review("\n".join(games))
    assert review("\n".join([*games, "5 1"])).games == 4


def test_each_file_is_checked_for_its_numbering(data: Path, tmp_path: Path) -> None:
    fine, wrong = tmp_path / "fine", tmp_path / "wrong"
    fine.write_text("a1 b1\n" * 9, encoding="utf-8")
    wrong.write_text("0 1 0\n", encoding="utf-8")
    with pytest.raises(UsageError, match=rf"^line 1 of '{wrong}': in the numbering cells, 1 of 1 "):
        review_files([fine, wrong], "3x3k3-gravity", data=data)
    done = run_here("review", str(wrong), "--game", "3x3k3-gravity", data=data)
    require_refused(done, "; --numbering says how moves are numbered: columns (fits 1 of 1)")
