"""AIs that mean otherwise than they are asked: boards on which cross begins, other numbers."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import marubatsu as mb
from tests.audit.conftest import Counted, Write
from tests.helpers.processes.commands import Marubatsu
from tests.helpers.slow.slow_figures import best_moves, score_after, value
from tools.generators.run_pages import CHECKOUT


def choose(board: str, legal: list[int]) -> int:
    """Play perfectly on boards on which x begins."""
    return best_moves(board.translate(str.maketrans("ox", "xo")))[0]


def strict(board: str, legal: list[int]) -> int:
    """Do so, and refuse boards on which o begins."""
    if board.count("x") not in (board.count("o"), board.count("o") + 1):
        raise ValueError("x begins")
    return choose(board, legal)


def test_a_player_of_exchanged_marks_is_a_finding_and_judged_with_first(root: Path) -> None:
    found = mb.audit(choose, data=root)
    assert not found.verdicts.strongly_solved
    (finding,) = found.interview.findings
    assert finding.kind == "exchanged marks"
    assert finding.detail.startswith("right in ")
    assert "of 200 critical positions as it is asked, in 200 when x begins: try" in finding.detail
    as_asked = int(finding.detail.split()[2])
    assert finding.count == 200 - as_asked
    exchanged = mb.audit(choose, data=root, first="x")
    assert exchanged.verdicts.strongly_solved
    assert exchanged.interview.findings == []


def test_an_evaluation_of_other_marks_is_found_out(root: Path) -> None:
    ai = mb.evaluation(lambda board: -value(board.translate(str.maketrans("ox", "xo")))[0])
    (finding,) = mb.audit(ai, data=root).interview.findings
    assert finding.kind == "exchanged marks"
    assert ", in 200 when x begins: try" in finding.detail
    assert mb.audit(ai, data=root, first="x").verdicts.strongly_solved


@pytest.mark.parametrize("options", [{"repeat": 3}, {"sample": 300}])
def test_a_random_player_has_no_other_marks(root: Path, options: dict[str, int]) -> None:
    """It is right more often in one answer than in several, whatever the marks."""
    random = Random(0)
    ai = lambda board, legal: random.choice(legal)  # noqa: E731
    found = mb.audit(ai, data=root, **options)  # type: ignore[arg-type]
    assert "exchanged marks" not in {finding.kind for finding in found.interview.findings}


def test_one_that_plays_badly_with_all_marks_has_no_others(root: Path) -> None:
    def choose(board: str, legal: list[int]) -> int:
        if board.count("o") == board.count("x") + 1:  # Its worst moves are on boards of ours.
            return min(legal, key=lambda move: score_after(board, move))
        return legal[0]

    assert mb.audit(choose, data=root).interview.findings == []


@pytest.mark.parametrize(
    ("marks", "options", "how"),
    [
        ("OX", {}, "with O and X for o and x: use board.upper()"),
        (
            "XO",
            {},
            "with O and X for o and x, when x begins: use board.upper(), and try the option",
        ),
        ("XO", {"first": "x"}, "with O and X for o and x: use board.upper()"),
    ],
)
def test_a_player_of_capitals_is_a_finding(
    marks: str, options: dict[str, str], how: str, root: Path
) -> None:
    def choose(board: str, legal: list[int]) -> int:
        seen = board.translate(str.maketrans(marks + "ox", "ox##"))
        return legal[0] if "#" in seen else best_moves(seen)[0]

    (finding,) = mb.audit(choose, data=root, **options).interview.findings  # type: ignore[arg-type]
    assert (finding.kind, finding.count) == ("capital marks", 40 - int(finding.detail.split()[2]))
    assert f" of 40 critical positions as it is asked, in 40 {how}" in finding.detail


def test_marks_are_exchanged_back(marubatsu: Marubatsu) -> None:
    """A player of our marks that is asked as one of the others; the option is the command's."""
    found = marubatsu("audit", f"{CHECKOUT}/examples/minimax.py:choose", "--first", "x").stdout
    assert "in 200 when o begins: try --first o" in found
    assert "\nis not perfect" in found


def test_an_ai_that_expects_x_first_is_judged_with_exchanged_marks(root: Path) -> None:
    with pytest.raises(mb.DataError, match="raises: ValueError: x begins"):
        mb.audit(strict, data=root)
    assert mb.audit(strict, data=root, first="x").interview.findings == []


def test_failures_with_exchanged_marks_are_no_findings(root: Path) -> None:
    first = Counted()

    def choose(board: str, legal: list[int]) -> int:
        move = first(board, legal)
        if board.count("x") > board.count("o"):
            raise ValueError("o begins")
        return move

    found = mb.audit(choose, data=root)
    assert found.interview.findings == []
    assert found.interview.asked == 4951
    assert len(first.boards) == 4951 + 200 + 40 + 40  # the last with marks in capitals


def test_a_small_audit_asks_few_more_questions() -> None:
    first = Counted()
    found = mb.audit(first, positions="random", sample=50)
    drawn = found.interview.asked // 10
    assert len(first.boards) == found.interview.asked + drawn + 2 * -(-drawn // 5)


def test_the_option_first_exchanges_marks_everywhere(marubatsu: Marubatsu, program: Write) -> None:
    played, ordering, valued = Counted(), Counted(), Counted()
    mb.match(played, "ai1", "3x1k3", games=1, first="x")
    assert played.boards == ["...", "xo.", "x.."]
    mb.search(ordering=ordering, game="3x1k3", first="x")
    assert ordering.boards[:3] == ["...", "x..", "xo."]
    mb.search("depth_limited", game="3x1k3", max_depth=1, first="x",
              evaluation=lambda board: valued(board, [0]))  # fmt: skip
    assert valued.boards[:3] == ["x..", ".x.", "..x"]
    ai = program('while read -r n b m; do echo "$b" >&2; echo "$n ${m%%,*}"; done')
    done = marubatsu("audit", ai, "--game", "3x2k2", "--first", "x")
    assert "'......'" in done.stdout
    perfect = mb.match(choose, "perfect", games=20, first="x").total
    assert (perfect.win, perfect.lose) == (0, 0)


def test_agents_of_frameworks_keep_their_marks(marubatsu: Marubatsu) -> None:
    agent = f"{CHECKOUT}/examples/connectx_agent.py:agent"
    options = ("--as", "connectx", "--game", "3x2k2")
    plain = marubatsu("audit", agent, *options)
    exchanged = marubatsu("audit", agent, *options, "--first", "x")
    assert exchanged.stdout.splitlines()[2:] == plain.stdout.splitlines()[2:]
    assert "connectx has its own marks, which are not exchanged" in exchanged.stderr


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        (lambda legal: max(legal) + 1, "as the number of a cell from 1: return "),
        (lambda legal: 0, "as a place in the list of legal moves, from 0: "),
        (len, "as a place in the list of legal moves, from 1: "),
        # No meaning makes all of it legal.
        (lambda legal: 3 if 3 in legal else 9, "; legal: 0, 1, 2"),
    ],
)
def test_moves_numbered_otherwise_are_explained(
    root: Path, answer: Callable[[list[int]], int], meaning: str
) -> None:
    def choose(board: str, legal: list[int]) -> int:
        return answer(legal)

    audit = mb.audit(choose, "2x2k2", data=root)
    (illegal,) = (each for each in audit.interview.findings if each.kind == "illegal move")
    with pytest.raises(mb.InputError) as in_match:
        mb.match(choose, "ai2", "2x2k2", games=1)
    assert meaning in illegal.detail
    for text in (illegal.detail, str(in_match.value)):
        assert ("; every answer would be legal as" in text) == meaning.startswith("as")


@pytest.mark.parametrize(
    ("form", "answer", "meaning"),
    [
        ("moves", lambda row, column: column, "a column from 0, or as any cell of a column: re"),
        ("moves", lambda row, column: column + 1, "a column from 1: return the number of "),
        ("moves", lambda row, column: 4 + column, "any cell of a column: return the number of "),
        ("column", lambda row, column: column + 1, "columns from 1: count them from 0"),
        ("row-column", lambda row, column: (row + 1, column + 1),
         "rows and columns from 1: count them from 0"),
        ("column-row", lambda row, column: (column, 2 - row),
         "rows from the bottom: count from the top"),
        ("row-column", lambda row, column: (column, row),
         "column-row: add the option answers='column-row'"),
        ("row-column", lambda row, column: (row + 2, column + 2), ""),
    ],
)  # fmt: skip
def test_columns_and_places_counted_otherwise_are_explained(
    root: Path, form: str, answer: Callable[[int, int], Any], meaning: str
) -> None:
    def choose(board: str, legal: list[int]) -> Any:
        return answer(*divmod(legal[0], 2))

    (illegal,) = mb.audit(choose, "2x3k2-gravity", data=root, answers=form).interview.findings
    assert illegal.kind == "illegal move"
    told = illegal.detail.partition("; every answer would be legal as ")[2]
    assert told.startswith(meaning) if meaning else not told
