"""Functions that value boards, as AIs: their candidates are the moves to the best afterstates."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.interfaces import chooser
from tests.helpers.processes.commands import Marubatsu, json_of
from tools.generators.run_pages import CHECKOUT

OPEN_LINES = f"evaluation:{CHECKOUT / 'examples' / 'open_lines.py'}:value"
AI6S = '''
"""An AI of the tutorial series, as a reader writes it: from the position after a move."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def ai6s(board):
    own, other = "xo" if board.count("o") == board.count("x") else "ox"
    lines = [[board[cell] for cell in line] for line in LINES]
    if [own] * 3 in lines:
        return 1.0
    return -1.0 if any(line.count(other) == 2 and "." in line for line in lines) else 0.0


class Player:
    def value(self, board):
        return ai6s(board)


player = Player()
'''


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """Return a file with an AI of the series."""
    file = tmp_path / "series.py"
    file.write_text(AI6S, encoding="utf-8")
    return file


_scope: dict[str, Any] = {}
exec(AI6S, _scope)  # noqa: S102, as a user's program has it
ai6s: Callable[[str], float] = _scope["ai6s"]


def test_an_ai_of_the_series_as_a_function_has_the_figures_of_ours(root: Path) -> None:
    ai = mb.evaluation(ai6s)
    own, ours = (mb.audit(each, data=root) for each in (ai, "ai6s"))
    assert own.interview.name == "evaluation:ai6s"
    assert own.interview.findings == []
    different = ("ai", "family", "asked", "not_confined", "could_read_answers")
    assert {**own.to_json(), **dict.fromkeys(different)} == {
        **ours.to_json(), **dict.fromkeys(different),
    }  # fmt: skip
    assert mb.match(ai, "ai2", games=200) == mb.match("ai6s", "ai2", games=200)
    assert ai("ooo.xx...") == 1


def test_an_evaluation_orders_a_search_and_values_its_leaves(
    marubatsu: Marubatsu, series: Path
) -> None:
    for order_all in (False, True):
        ours = mb.search(ordering="ai6s", order_all=order_all)
        assert mb.search(ordering=mb.evaluation(ai6s), order_all=order_all).nodes == ours.nodes
    expected = mb.search("depth_limited", max_depth=2, evaluation="ai6s")
    for value in (ai6s, mb.evaluation(ai6s)):
        searched = mb.search("depth_limited", max_depth=2, evaluation=value)
        assert (searched.score, searched.nodes) == (expected.score, expected.nodes)
        assert searched.best_moves == expected.best_moves
    to_a_depth = ("--algorithm", "depth_limited", "--max-depth", "2", "--format", "json")
    for address in (f"evaluation:{series}:ai6s", f"{series}:ai6s"):
        row, *_ = json_of(marubatsu("search", "tictactoe", *to_a_depth, "--evaluation", address))
        assert row["nodes"] == expected.nodes


def test_an_evaluation_plays_like_our_equal_ai(marubatsu: Marubatsu, series: Path) -> None:
    mine = f"evaluation:{series}:player.value"
    for words in ("match AI ai10s --games 50 -f json", "play AI --side cross --seed 0"):
        ours, own = (marubatsu(*words.replace("AI", ai).split()).stdout for ai in ("ai6s", mine))
        assert own == ours.replace("ai6s", mine)


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ([0, 0, 0], [0, 1, 2]), ([1, 2, 2], [1, 2]), ([-1, -2, -3], [0]),
        ([0.1 + 0.2, 0.3, 0.3], [0]),
        ([Fraction(3, 10), Fraction(1, 10) + Fraction(2, 10), 0], [0, 1]),
        ([2**53, 2**53 + 1, 2.0**53], [1]), ([10**400, 10**400 + 1, 0], [1]),
        ([float("inf"), 1, float("inf")], [0, 2]), ([float("-inf"), 0, -1.5], [1]),
        ([np.float32(0.5), np.int8(1), 1], [1, 2]),
        ([Decimal("0.3"), Decimal("0.1") + Decimal("0.2"), 0], [0, 1]),
    ],
)  # fmt: skip
def test_values_are_compared_as_they_are(values: list[Any], best: list[int]) -> None:
    choose = chooser("evaluation", lambda board: values[board.index("o")], Game("3x1k1"))
    assert choose("...", [0, 1, 2]) == best


def test_an_evaluation_gets_the_boards_after_the_moves_also_finished_ones() -> None:
    boards: list[str] = []

    def value(board: str) -> int:
        boards.append(board)
        return 0

    choose = chooser("evaluation", value, Game("tictactoe"))
    assert choose("oo.xx....", [2, 8]) == [2, 8]
    assert choose("oxoxxo.o.", [6, 8]) == [6, 8]
    assert choose("oxoxxoxo.", [8]) == [8]
    assert boards == ["oooxx....", "oo.xx...o", "oxoxxoxo.", "oxoxxo.ox", "oxoxxoxoo"]


def test_values_for_the_side_to_move_are_a_finding_with_its_cure(root: Path) -> None:
    ((count,),) = mb.sql(
        "select count(*) from (select moves.position from moves "
        "join positions as after on after.position = moves.child group by moves.position "
        "having bool_or(after.status in ('circle', 'cross')) "
        "and bool_or(moves.loss > 0))",
        data=root,
    ).fetchall()
    (finding,) = mb.audit(mb.evaluation(lambda b: -ai6s(b)), data=root).interview.findings
    assert (finding.kind, finding.count, finding.board) == ("avoids wins", count, "ox.ox....")
    assert f"it never wins at once where another move is worse, in {count:,}" in finding.detail
    assert "negate values for the side to move; where x begins on your boards, " in finding.detail
    (exact,) = mb.audit(mb.evaluation(value_for_the_side_to_move), data=root).interview.findings
    assert exact == finding
    for mover in (value_for_the_side_to_move, lambda b: -ai6s(b)):
        for sign, who in ((-1, "cross"), (1, "circle")):  # The view of one side, the other's wins.
            fixed = mb.evaluation(lambda b, v=mover, s=sign: v(b) * s * (-1) ** b.count("."))
            (finding,) = mb.audit(fixed, data=root).interview.findings
            assert f"it never wins at once as {who} where another move is worse" in finding.detail
            assert "negate values in the view of one side, where the other " in finding.detail
    for value in (lambda board: 0, lambda board: -board.rindex("o"), lambda board: board[4] == "."):
        found = mb.audit(mb.evaluation(lambda b, v=value: int(v(b))), "3x2k2", data=root)
        assert not found.interview.findings


def test_values_of_the_wrong_sign_are_a_finding_in_misere_too(root: Path) -> None:
    game = "3x3k3-misere"
    scores = dict(mb.sql("select board, score from positions", game, data=root).fetchall())

    def value(board: str) -> int:
        return int(scores[board]) * (1 if board.count("o") > board.count("x") else -1)

    def found(value: Callable[[str], float]) -> list[str]:
        drawn = mb.audit(mb.evaluation(value), game, positions="random", sample=500, matches=False,
                         data=root)  # fmt: skip
        return [f"{each.kind}: {each.detail}" for each in drawn.interview.findings]

    better = " or later where another move is better"
    for wrong, how in (
        (ai6s, ""), (lambda b: -value(b), ""), (lambda b: int(scores[b]), " as cross"),
    ):  # fmt: skip
        (finding,) = found(wrong)
        assert finding.startswith(f"takes losses: it always loses at once{how}{better}, in ")
    for right in (value, lambda b: -ai6s(b), lambda b: 0, lambda b: -b.index("o")):
        assert found(right) == []


def test_scores_of_moves_in_one_view_are_a_finding(root: Path) -> None:
    """As those of the tables, which are in circle's view."""

    def scores(board: str, legal: list[int]) -> dict[int, int]:
        mark = "ox"[board.count("o") - board.count("x")]
        after = (board[:cell] + mark + board[cell + 1 :] for cell in legal)
        values = (value_for_the_side_to_move(each) * (1 if mark == "x" else -1) for each in after)
        return dict(zip(legal, values, strict=True))

    (finding,) = mb.audit(scores, data=root, answers="scores").interview.findings
    assert "it never wins at once as cross where another move is worse, in " in finding.detail


@cache
def value_for_the_side_to_move(board: str) -> int:
    """Return the exact value of a board, as a minimax without negation does."""
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    if any(board[a] == board[b] == board[c] != "." for a, b, c in lines):
        return -1
    mark = "ox"[board.count("o") - board.count("x")]
    after = [board[:i] + mark + board[i + 1 :] for i, cell in enumerate(board) if cell == "."]
    return max((-value_for_the_side_to_move(each) for each in after), default=0)


@pytest.mark.parametrize(
    ("value", "kind", "detail"),
    [
        (lambda board: None, "wrong answer", "None for o.....; expected a number"),
        (lambda board: np.float64("nan"), "wrong answer", "np.float64(nan) for o.....; expected"),
        (lambda board: "7", "wrong answer", "'7' for o.....; expected a number"),
        (lambda board: True, "wrong answer", "True for o.....; expected a number"),
        (lambda board: np.zeros(3), "wrong answer", "array([0., 0., 0.]) for o.....; expected"),
        (lambda board: 1j, "wrong answer", "1j for o.....; expected a number"),
        (lambda board: 1 / 0, "raises", "ZeroDivisionError: division by zero (test_evaluations.py"),
    ],
)
def test_a_wrong_value_is_a_finding(root: Path, value: Any, kind: str, detail: str) -> None:
    def once(board: str) -> Any:
        return value(board) if board == "o....." else 0

    found = mb.audit(mb.evaluation(once), "3x2k2", data=root).interview.findings
    assert [(each.kind, each.board) for each in found] == [(kind, "......")]
    assert found[0].detail.startswith(detail)
    with pytest.raises(mb.InputError, match=r" fails on \.{6}: "):
        mb.match(mb.evaluation(once), "ai2", "3x2k2", games=1, data=root)
    with pytest.raises(mb.DataError, match="10 times in a row, the first time on [.]*: " + kind):
        mb.audit(mb.evaluation(value), "3x2k2", data=root)


def test_faults_in_the_sandbox_are_findings_too(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "def none(board): return None if board == 'o.....' else 0\n"
        "def writes(board): return open('/tmp/x', 'w') if board == 'o.....' else 0\n"
        "def exits(board): raise SystemExit(3)\n"
    )
    for name, kinds in (("none", ["wrong answer"]), ("writes", ["raises", "writes"])):
        audit = mb.audit(f"evaluation:{file}:{name}", "3x2k2", data=root, timeout=60)
        assert sorted(each.kind for each in audit.interview.findings) == kinds, name
    with pytest.raises(mb.DataError, match=r"10 times in a row, .*: raises: SystemExit: 3"):
        mb.audit(f"evaluation:{file}:exits", "3x2k2", data=root, timeout=60)
    with pytest.raises(mb.UsageError, match="a function that values boards is named evaluation:"):
        mb.audit(f"{file}:none", "3x2k2", data=root, timeout=60)


def test_where_x_begins_the_marks_are_exchanged(root: Path) -> None:
    def value(board: str) -> float:
        return ai6s(board.translate(str.maketrans("ox", "xo")))

    found = mb.audit(mb.evaluation(value), data=root, first="x")
    assert found.verdicts == mb.audit("ai6s", data=root).verdicts
    assert found.interview.findings == []


def test_an_interface_is_for_the_other_ai_of_a_match(marubatsu: Marubatsu) -> None:
    connectx = f"{CHECKOUT}/examples/connectx_agent.py:agent"
    options = ("--as", "connectx", "--games", "1", "--format", "json")
    rows = json_of(marubatsu("match", OPEN_LINES, connectx, *options))
    assert [row["win"] for row in rows] == [1, 1, 2]


def test_an_evaluation_that_is_no_function_is_refused() -> None:
    with pytest.raises(mb.UsageError, match="'ai14s' is no function: expected one that takes a"):
        mb.evaluation("ai14s")  # type: ignore[arg-type]
