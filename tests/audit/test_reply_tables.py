"""Tables of answers that are judged without running anything, and two AIs compared."""

import json
from collections.abc import Callable, Mapping, Sequence
from math import nan
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import marubatsu as mb
from marubatsu.engine.ais.statistics import mcnemar
from marubatsu.judge.agents import reply_table
from marubatsu.judge.audit import source
from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.audit.conftest import Counted
from tests.helpers.data.audit_schema import complaints

GAME = "3x2k2"

Write = Callable[[Sequence[Mapping[str, Any]], str], str]


@pytest.fixture
def table(tmp_path: Path) -> Write:
    """Return a function that writes rows as a table, and returns its address."""

    def write(rows: Sequence[Mapping[str, Any]], suffix: str = ".jsonl") -> str:
        path = tmp_path / f"{len([*tmp_path.iterdir()])}{suffix}"
        if suffix == ".parquet":
            pq.write_table(pa.Table.from_pylist([*rows]), path)
        elif suffix == ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        else:
            lines = [";".join(rows[0]), *(";".join(map(str, row.values())) for row in rows)]
            path.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
        return f"answers:{path}"

    return write


def boards(root: Path) -> list[str]:
    """Return the unfinished positions."""
    found = mb.sql("select board from positions where status = 'playing'", GAME, data=root)
    return [board for (board,) in found.fetchall()]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
def test_a_table_of_all_positions_is_judged_as_the_function_that_wrote_it(
    root: Path, table: Write, suffix: str
) -> None:
    rows = [{"board": board, "reply": board.index("."), "step": 7} for board in boards(root)]
    ours, theirs = (
        mb.audit(ai, GAME, data=root).to_json() for ai in (table(rows, suffix), Counted())
    )
    same = {"ai", "asked", "could_read_answers", "not_confined"}
    assert {**ours, **dict.fromkeys(same)} == {**theirs, **dict.fromkeys(same)}
    assert ours["verdicts"]["exploitability"] is not None
    assert "table" in ours["could_read_answers"]


@pytest.mark.parametrize(
    ("form", "reply"),
    [
        ({}, 4), ({}, " b1 "), ({}, [4]), ({}, {"4": 1.0}), ({}, "[4]"),
        ({}, '{"4": 1}'), ({}, [0, 0, 0, 0, 1.0, 0]), ({"numbering": "cells-from-1"}, 5),
        ({"numbering": "row-column"}, [1, 1]), ({"answers": "row-column"}, [1, 1]),
        ({"answers": "row-column"}, "(1, 1)"), ({"numbering": "row-column"}, "(1, 1)"),
        ({"answers": "weights"}, {"4": 90}), ({}, "(4,)"), ({}, 4.0), ({}, "4.0"),
        ({}, "0" * 12 + "4"),
    ],
)  # fmt: skip
def test_replies_are_read_in_every_form(root: Path, table: Write, form: Any, reply: Any) -> None:
    found = mb.audit(
        table([{"board": "o.x...", "reply": reply}], ".jsonl"), GAME, data=root, **form
    )
    assert found.interview.findings == []
    assert [row["move"] for row in found.blunders.records()] in ([4], [])
    assert (found.interview.examined, found.interview.without_answer) == (1, 0)


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.map_(pa.int64(), pa.float64()), None])
def test_chances_of_parquet_are_lists_maps_and_structs(
    root: Path, tmp_path: Path, kind: pa.DataType | None
) -> None:
    empty = ["......", "o.x..."]
    values = {
        pa.list_(pa.float32()): [[0.25, 0.75, 0, 0, 0, 0], [0, 0.75, 0, 0.25, 0, 0]],
        pa.map_(pa.int64(), pa.float64()): [[(0, 0.25), (1, 0.75)], [(1, 0.75), (3, 0.25)]],
        None: [{"0": 0.25, "1": 0.75, "3": None}, {"0": None, "1": 0.75, "3": 0.25}],
    }[kind]
    path = tmp_path / "chances.parquet"
    pq.write_table(pa.table({"board": empty, "chances": pa.array(values, kind)}), path)
    percents = {}

    def choose(board: str, legal: list[int]) -> dict[int, float]:
        return {"......": {0: 0.25, 1: 0.75}, "o.x...": {1: 0.75, 3: 0.25}}[board]

    for ai in (f"answers:{path}", choose):
        found = mb.audit(ai, GAME, baseline=f"answers:{path}", matches=False, data=root)
        assert found.comparison is not None
        percents[ai] = found.comparison.best_move_percent, found.comparison.positions
    assert len({*percents.values()}) == 1


def test_parquet_that_says_something_twice_is_refused(root: Path, tmp_path: Path) -> None:
    path, board = tmp_path / "chances.parquet", pa.array(["......"])
    twice = pa.array([[(0, 0.25), (0, 0.75)]], pa.map_(pa.int64(), pa.float64()))
    for columns, names, message in (
        ([board, twice], ["board", "chances"], "a map with one key twice"),
        ([board, board, pa.array([1])], ["board", "board", "reply"], "several columns board"),
    ):
        pq.write_table(pa.table(columns, names=names), path)
        with pytest.raises(UsageError, match=message):
            mb.audit(f"answers:{path}", GAME, data=root)


def test_rows_of_one_board_are_answers_of_the_same_weight(root: Path, table: Write) -> None:
    rows: list[dict[str, Any]] = [
        {"board": "......", "reply": reply} for reply in (0, 1, "\uff11", 1)
    ]
    rows += [
        {"board": "o.x...", "reply": reply} for reply in (1, 9, None, "stone", '{"1": 1, "1": 1}')
    ]
    found = mb.audit(table(rows, ".jsonl"), GAME, data=root)
    assert [(each.kind, each.count) for each in found.interview.findings] == [
        ("no move", 1), ("wrong answer", 2), ("illegal move", 1)]  # fmt: skip
    assert found.interview.examined == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
def test_the_answers_of_two_ais_are_not_joined(root: Path, table: Write, suffix: str) -> None:
    rows = [{"board": "......", "reply": move, "Model": f"gpt-{move}"} for move in (4, 1)]
    with pytest.raises(UsageError, match=r"row 2 .* [Mm]odel is 'gpt-1', not 'gpt-4': exp"):
        mb.audit(table(rows, suffix), GAME, data=root)
    for same in ("gpt", nan):
        joined = [{**row, "Model": same} for row in rows]
        assert mb.audit(table(joined, suffix), GAME, data=root).interview.examined == 1


@pytest.mark.parametrize("invalid", [0, None, "stone"])
def test_an_invalid_row_counts_as_any_legal_move(
    root: Path, table: Write, invalid: int | str | None
) -> None:
    """Of eight, the centre alone is best: half of the answers, and an eighth of the other half."""
    rows: list[dict[str, Any]] = [{"board": "o........", "reply": reply} for reply in (4, invalid)]
    found = mb.audit(table(rows, ".jsonl"), data=root)
    assert (found.verdicts.positions_right, found.verdicts.best_move_percent) == (0, 56.25)


def test_a_class_is_right_only_if_all_of_its_rows_are(root: Path, table: Write) -> None:
    """After a corner, cross must take the centre; after the centre, a corner."""
    members = ["o........", "..o......", "....o...."]
    replies = [[4, 4, 0], [4, 1, 0], [1, 4, 1]]
    rights = []
    for replied in replies:
        rows = [{"board": b, "reply": r} for b, r in zip(members, replied, strict=True)]
        verdicts = mb.audit(table(rows, ".jsonl"), data=root).verdicts
        rights.append((verdicts.positions_right, verdicts.classes, verdicts.classes_right))
        assert verdicts.weakly_solved is verdicts.exploitability is None
    assert rights == [(3, 2, 2), (2, 2, 1), (1, 2, 0)]


def test_tables_of_games_without_tables_are_judged_by_class(
    table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Circle has three in a row, and cross to block; the first board is the image of the others.

    A class counts once, also one with more members than are searched at a time.
    """
    monkeypatch.setattr(source, "_AHEAD", 1)
    replies = [("xx.....ooo....", 38), (".....xx....ooo", 38), (".....xx....ooo", 34)]
    rows = [{"board": "." * 28 + board, "reply": reply} for board, reply in replies]
    found = mb.audit(table(rows, ".jsonl"), "connect4", time=20)
    assert (found.unit, found.verdicts.classes, found.seed) == ("position", 1, None)
    assert not found.matches.rows
    assert found.sampled is not None
    assert complaints(found.to_json()) == []
    ai = Counted()  # It may be asked about fewer boards than the table has.
    few = mb.audit(ai, "connect4", baseline=table(rows, ".jsonl"), most_questions=2, time=20)
    assert (len(ai.boards), few.interview.examined) == (2, 2)


def test_a_missing_reply_among_numbers_is_not_a_wrong_one(root: Path, tmp_path: Path) -> None:
    """Where one is missing, pandas writes all numbers of a column as fractions."""
    path = tmp_path / "answers.parquet"
    for replies in (pa.array([4.0, float("nan")]), pa.array([4, None], pa.decimal128(18, 0))):
        pq.write_table(pa.table({"board": ["......", "o.x..."], "reply": replies}), path)
        found = mb.audit(f"answers:{path}", GAME, data=root).interview
        assert [each.kind for each in found.findings] == ["no move"]


def test_any_mark_may_begin_on_boards_that_are_read(
    root: Path, tmp_path: Path, table: Write
) -> None:
    """The error of a board with as many 1 as 2 names this way on."""
    board = [[1, 2, 0], [0, 0, 0]]
    rows = [{"board": board, "reply": 3}]
    with pytest.raises(UsageError, match="use the option first='1'"):
        mb.audit(table(rows, ".jsonl"), GAME, data=root)
    assert mb.audit(table(rows, ".jsonl"), GAME, first="1", data=root).interview.examined == 1
    file = tmp_path / "boards.txt"
    file.write_text(json.dumps(board))
    found = mb.audit(Counted(), GAME, positions=str(file), first="1", data=root, matches=False)
    assert found.interview.examined == 1
    with pytest.raises(UsageError, match="expected o or x"):
        mb.audit(Counted(), GAME, first="1", data=root)


def test_names_of_columns_count_without_case_and_once(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    above = "# of step 5\n\nsep=;\n"
    for text in (
        "Board, Reply\no.x...,1\n",
        f"{above}board;reply\no.x...;1\n",
        "#,board,reply\n1,o.x...,1\n",
        "board,reply\ro.x...,1\r",
    ):
        file.write_text(text, encoding="utf-8")
        assert mb.audit(f"answers:{file}", GAME, data=root).interview.findings == []
    file.write_text(f"{above}board;reply\no.x...\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 5 of .*: expected 2 fields, as in the header"):
        mb.audit(f"answers:{file}", GAME, data=root)
    file.write_text("board,reply,reply\no.x...,1,3\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has several columns reply: expected one of each name"):
        mb.audit(f"answers:{file}", GAME, data=root)


def test_tables_and_options_that_make_no_sense_are_refused(
    root: Path, tmp_path: Path, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"board": "......", "reply": 0}
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (
            [{"board": "o.x."}],
            {},
            "row 1 of .*: expected the columns board, and reply or chances; it has",
        ),
        ([{"move": 4, "reply": 1}], {}, "it has move, reply$"),
        ([{**good, "chances": {}}], {}, "columns board, and reply or chances"),
        ([good, {**good, "board": "o.x"}], {}, "row 2 of .*o.x"),
        ([{**good, "board": 7}], {}, "board is 7: expected a text or a list"),
        ([{**good, "board": "oo.x.."}], {}, "is finished"),
        ([], {}, "has no row"),
        ([good], {"sample": 5}, "names the positions itself"),
        ([good], {"positions": "random"}, "names the positions itself"),
        ([good], {"resume": "x.jsonl"}, "expected an AI at an address"),
        ([{**good, "reply": [1, 1]}], {}, "row-column, column-row"),
        ([{**good, "reply": "(1, 1)"}], {}, r"answered \(1, 1\) on .*: its form is not clear"),
        ([good], {"answers": "moves", "numbering": "names"}, "with the option numbering, each rep"),
        ([{"board": "......", "move": 4, "chances": 1}], {}, "row 1 .*chances is 1: .* mapping"),
        ([{"board": "......", "chances": [0, 1, 2]}], {}, r"a value for each of the 6 cells"),
        ([{"board": "......", "chances": "{4: 0.5}"}], {}, "in a text, as JSON"),
        ([good], {"baseline": table([{"board": "o.x...", "reply": 1}], ".jsonl")}, "in common"),
    ]
    for rows, options, message in cases:
        with pytest.raises(UsageError, match=message):
            mb.audit(table(rows, ".jsonl"), GAME, data=root, **options)
    for name, content, message in [
        ("a.txt", b"", "no table of answers"), ("a.jsonl", b"{", "line 1 of .*no JSON"),
        ("a.jsonl", b"[1]", "expected an object"), ("a.csv", b"board,reply\n1", "2 fields"),
        ("a.jsonl", b"\xff\xfe", "UTF-16"), ("a.parquet", b"PAR1", "no Parquet"),
        ("a.jsonl", b'{"board": ' + b"[" * 99_999, "nested"), ("none.csv", None, "No such file"),
        ("a.jsonl", b'{"board": "......", "reply": 1, "reply": 4}', "'reply' is there twice"),
    ]:  # fmt: skip
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(UsageError, match=message):
            mb.audit(f"answers:{path}", GAME, data=root)
    monkeypatch.setattr(reply_table, "_MOST_ROWS", 1)
    with pytest.raises(UsageError, match=r"row 2 of .*: expected at most 1 rows"):
        mb.audit(table([good, good], ".jsonl"), GAME, data=root)


@pytest.mark.parametrize(
    ("reply", "options", "message"),
    [
        ("I play the centre.", {}, "such as .*; in Python, marubatsu.question"),
        ("0,1", {}, "a1 to c2; the option numbering chooses another: row-column, column-row"),
        ("4 1", {}, r"0 to 5 or a1 to c2; several moves .* are JSON, such as \[4, 1\]"),
        (
            "0 1",
            {"numbering": "row-column"},
            "in the numbering row-column: 0,0 to 1,2; several moves and chances",
        ),
        (
            "11",
            {"numbering": "row-column"},
            "in the numbering row-column: 0,0 to 1,2; several moves and chances",
        ),
    ],
)
def test_ten_replies_of_one_wrong_kind_end_the_audit(
    root: Path, table: Write, reply: str, options: Any, message: str
) -> None:
    rows = [{"board": board, "reply": reply} for board in boards(root)]
    with pytest.raises(DataError, match=message):
        mb.audit(table(rows, ".jsonl"), GAME, data=root, **options)


def test_replies_counted_otherwise_are_explained(root: Path, table: Write) -> None:
    def from_bottom(cell: int) -> tuple[int, int]:
        return 1 - cell // 3, cell % 3

    rows = [{"board": board, "reply": from_bottom(board.index("."))} for board in boards(root)]
    found = mb.audit(table(rows, ".jsonl"), GAME, data=root, answers="row-column")
    (illegal,) = found.interview.findings
    assert illegal.detail.endswith("as rows from the bottom: count from the top")


@pytest.mark.parametrize("options", [{}, {"sample": 40}, {"positions": "random"}])
def test_a_baseline_is_asked_as_often(root: Path, options: dict[str, Any]) -> None:
    """Answers about one position are joined, so one at random is right less often in several."""
    ai, baseline = Counted(), Counted()
    found = mb.audit(ai, GAME, baseline=baseline, matches=False, data=root, **options).interview
    assert found.asked_again > 0
    assert baseline.boards == ai.boards[: found.asked]


@pytest.mark.parametrize("options", [{}, {"sample": 40, "matches": False}])
def test_a_comparison_is_derived_again_from_two_audits(root: Path, options: Any) -> None:
    alone = {ai: mb.audit(ai, GAME, data=root, **options) for ai in ("ai2", "ai3s", "ai14s")}
    wrong = {ai: {row["board"] for row in each.blunders.records()} for ai, each in alone.items()}
    for ai, baseline in [("ai3s", "ai2"), ("ai14s", "ai3s"), ("ai2", "ai14s")]:
        audit = mb.audit(ai, GAME, baseline=baseline, data=root, **options)
        found, verdicts, theirs = audit.comparison, audit.verdicts, alone[baseline].verdicts
        assert verdicts == alone[ai].verdicts
        assert complaints(audit.to_json()) == []
        assert ("McNemar" in str(audit)) == verdicts.is_sample
        assert found is not None
        assert ("classes won and lost since" in str(audit)) == bool(found.changes.rows)
        assert found.positions == verdicts.positions > 0
        assert found.classes == verdicts.classes
        assert found.best_move_percent == verdicts.best_move_percent
        assert found.classes_won - found.classes_lost == (
            (verdicts.classes_right or 0) - (theirs.classes_right or 0)
        )
        won, lost = wrong[baseline] - wrong[ai], wrong[ai] - wrong[baseline]
        assert (found.only_right, found.only_baseline_right) == (len(won), len(lost))
        assert found.both_wrong == len(wrong[ai] & wrong[baseline])
        assert found.both_right == found.positions - len(wrong[ai] | wrong[baseline])
        assert found.difference is not None
        assert found.difference[0] == pytest.approx((len(won) - len(lost)) / found.positions)
        for word, there, classes in (
            ("won", won, found.classes_won), ("lost", lost, found.classes_lost),
        ):  # fmt: skip
            changed = [row for row in found.changes.records() if row["change"] == word]
            assert len({row["board"] for row in changed} & there) == len(changed) == classes
            assert all((row["class"] is None) == ("sample" in options) for row in changed)


def test_positions_that_a_table_names_are_no_random_sample(root: Path, table: Write) -> None:
    """Positions in a table are no random sample of the game, so there is no interval."""
    named = table([{"board": "o.x...", "reply": 1}], ".jsonl")
    for ai, baseline, seed in ((named, "ai2", None), ("ai14s", named, 0)):
        audit = mb.audit(ai, GAME, baseline=baseline, data=root)
        assert (audit.scope, audit.verdicts.positions, audit.seed) == ("named", 1, seed)
        assert "of all critical positions" not in str(audit)
        (share,) = parse_requirements([], least=1)
        assert str(share(audit)).endswith("% of the critical positions drawn in this way")


def test_an_illegal_move_loses_a_comparison(root: Path, table: Write) -> None:
    """As in the verdicts, where such an AI may play any legal move."""
    valid = {"board": ".........", "reply": 4}
    right, illegal = (
        table([{"board": "o........", "reply": move}, valid], ".jsonl") for move in (4, 0)
    )
    for ai, baseline, counts in ((right, illegal, (1, 0)), (illegal, right, (0, 1))):
        audit = mb.audit(ai, baseline=baseline, data=root)
        found = audit.comparison
        assert found is not None
        assert found.baseline_without_answer == counts[0]
        assert ("the baseline gave no valid answer in 1 position;" in str(audit)) == counts[0]
        assert (found.only_right, found.only_baseline_right) == counts
        assert (found.classes_won, found.classes_lost) == counts


def test_a_comparison_says_that_only_one_of_two_draws_its_moves(root: Path) -> None:
    def drawing(board: str, legal: list[int], random: Random = Random(1)) -> int:  # noqa: B008
        return random.choice(legal)

    for ai, baseline, drawn in ((drawing, "ai2", "AI"), ("ai2", drawing, "baseline")):
        audit = mb.audit(ai, GAME, baseline=baseline, matches=False, data=root)
        assert audit.to_json()["comparison"]["baseline_draws_moves"] == (drawn == "baseline")
        assert f"the {drawn} gave other moves when asked again: of it count" in str(audit)
    alike = mb.audit(drawing, GAME, baseline=drawing, matches=False, data=root)
    assert "of it count" not in str(alike)


def test_mcnemars_test_is_the_binomial_one() -> None:
    """The values are of statsmodels 0.14 (`mcnemar`, exact)."""
    assert mcnemar(15, 5) == pytest.approx(0.04138946533203125, abs=1e-10)
    assert mcnemar(40, 12) == pytest.approx(0.0001275387838557407, abs=1e-10)
    assert mcnemar(0, 0) == 1
    assert mcnemar(500, 0) == pytest.approx(2**-499, rel=1e-6, abs=0)
