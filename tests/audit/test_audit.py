"""The audit of any AI: verdicts, findings, and that nothing bad gets out."""

import inspect
import json
import os
import shutil
import signal
import subprocess
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

import marubatsu as mb
from marubatsu import __version__
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.agents.confine import children
from marubatsu.judge.agents.saved_ais import chances_by_ai
from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.judge.audit.verdicts import badge
from marubatsu.pipeline.support.errors import DamagedError, DataError, UsageError
from marubatsu.pipeline.tables.open_file import OpenFile
from tests.audit.conftest import Write
from tests.helpers.broken import badly_behaved
from tests.helpers.data.audit_schema import complaints
from tests.helpers.data.blunders import require_reported
from tests.helpers.data.data_sets import contents
from tests.helpers.processes.commands import (
    PATIENCE,
    Marubatsu,
    json_of,
    require_refused,
    run_here,
    running,
)
from tests.helpers.processes.watching import wait_until
from tools.generators.run_pages import CHECKOUT

EXAMPLES = CHECKOUT / "examples"
BAD = Path(badly_behaved.__file__)
FUNCTIONS = {
    name: inspect.getdoc(function) or ""
    for name, function in inspect.getmembers(badly_behaved, inspect.isfunction)
}
SMALL = "3x2k2"


def audited(marubatsu: Marubatsu, *arguments: str) -> dict[str, Any]:
    done = marubatsu("audit", *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(done.stdout)
    is_judged = found["without_answer"] < found["examined"]
    assert done.returncode == (not is_judged), done.stderr
    assert complaints(found) == []
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_misbehaviour_of_an_ai_is_a_finding(
    marubatsu: Marubatsu, root: Path, tmp_path: Path, name: str
) -> None:
    before, ours = contents(root / SMALL), children()
    own = Path(shutil.copy(BAD, tmp_path / "own.py"))  # Others may audit the same at this time.
    seconds = "0.1" if "time-out" in FUNCTIONS[name] else "60"
    limits = ("--timeout", seconds, "--agent-memory", "1GB", "--allow-env", "MARUBATSU_DATA",
              "--allow-read", str(root))  # fmt: skip
    arguments = (f"{own}:{name}", "--game", SMALL, *limits)
    how, _, ending = FUNCTIONS[name].partition(": ")
    if ending:
        require_refused(marubatsu("audit", *arguments), ending, 1 if how == "ends" else 2)
    else:
        found = audited(marubatsu, *arguments)
        kinds = [finding["kind"] for finding in found["findings"]]
        assert ", ".join(kinds) == FUNCTIONS[name]
        assert all(finding["count"] > 0 for finding in found["findings"])
    assert contents(root / SMALL) == before
    assert children() <= ours
    wait_until(lambda: str(own) not in processes())  # A box ends a moment after its parent.


def processes() -> str:
    return subprocess.run(
        ["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True
    ).stdout


FORGING = """
import os
for handle in range(3, 40):
    try:
        os.write(handle, {line!r})
    except OSError:
        pass
"""
"""Code that writes a line in place of our worker, whatever descriptor that has."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def choose(:", "SyntaxError"),
        (FORGING.format(line=b'{"failed": "forged"}\n'), "be loaded: forged"),
        (
            "import os; print('why', flush=True); os._exit(5)",
            "ended with exit code 5, and last printed 'why'",
        ),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_loaded_is_refused(
    marubatsu: Marubatsu, written: Write, text: str, message: str
) -> None:
    require_refused(marubatsu("audit", written(text), "--game", SMALL), message, 1)


def test_audits_of_ours_by_the_oracle_agree_with_the_reports(marubatsu: Marubatsu) -> None:
    """The reports read the tables of AIs and share no code with the audit."""

    @cache
    def report(name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json_of(marubatsu("query", name, "-f", "json"))
        return found

    compared = {"alphabeta", "ai14s", "minimax"}  # whose verdicts are published
    for name in ("strong", "weak"):
        agrees = {row["ai"]: row["agrees"] for row in report(name) if row["agrees"] is not None}
        assert agrees == dict.fromkeys(compared, True)
    for name in ("ai2", "ai11s", "ai14s"):
        audit = audited(marubatsu, name)
        known, found = require_reported(audit, report), audit["verdicts"]
        share = found["positions_right"] / found["positions"]
        assert found["share_right_at_least"] == found["share_right_at_most"] == share
        assert found["exploitability_at_least"] == found["exploitability"]
        means = {row["side"]: row["mean"] for row in audit["matches"]
                 if row["opponent"] == "best response"}  # fmt: skip
        in_sql = [known["mean_as_circle"], known["mean_as_cross"], -known["exploitability"]]
        assert [means["circle"], means["cross"], means["total"]] == pytest.approx(in_sql, abs=1e-12)


def test_weights_and_single_moves_count_as_they_should(
    marubatsu: Marubatsu, written: Write
) -> None:
    random = audited(marubatsu, "ai2", "--game", SMALL)
    weighted, uneven, fickle = (
        audited(marubatsu, written(f"import random\ndef choose(board, moves): return {answer}"),
                "--game", SMALL, *options)
        for answer, options in (
            ("{move: 1 for move in moves}", ()),
            ("[(m, 1 + m) for m in moves]", ("--answers", "weights")),
            ("random.choice(moves)", ("--repeat", "60")),
        )
    )  # fmt: skip
    assert weighted["matches"] == random["matches"]
    by_chance = {"best_move_percent", "expected_loss", "mean_plies_lost", "exploitability",
                 "exploitability_at_least"}  # fmt: skip
    for found in (uneven, fickle):
        both = found["verdicts"].keys() - by_chance
        assert {name: found["verdicts"][name] for name in both} == {
            name: random["verdicts"][name] for name in both
        }
    assert fickle["asked"] > 50 * random["examined"]
    assert uneven["matches"] != random["matches"]
    for row in uneven["matches"]:
        assert row["win"] is None
        total = row["win_percent"] + row["draw_percent"] + row["lose_percent"]
        assert abs(total - 100) < 0.01


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("while read n b; do echo so; echo $n 99; done", ["illegal move", "out of turn"]),
        ("while read n b; do echo $n 0; (setsid sleep 1000 &) ; done", ["illegal move"]),
        ("while read n b; do echo $n; done", "no move: it returned no move"),
        ("while read n b; do echo $n middle; done",
         "wrong answer: 'middle'; expected the numbers of moves, sep"),
        ("head -c 9999999 /dev/zero >&2; exec cat /dev/zero", "flood: more bytes than an answer"),
        ("sleep 1000 & sleep 1000",
         "time-out: no answer within 0.5 s, twice; a program must answer each"),
    ],
)  # fmt: skip
def test_a_badly_behaved_program_is_a_finding_and_is_ended(
    marubatsu: Marubatsu, program: Write, script: str, expected: list[str] | str
) -> None:
    sleep = f"sleep 100{os.getpid()}"  # a name that no other run of the tests has
    address = program(script.replace("sleep 1000", sleep))
    seconds = "0.5" if "time-out" in str(expected) else "60"
    arguments = (address, "--game", "2x2k2", "--timeout", seconds)
    if isinstance(expected, str):
        require_refused(marubatsu("audit", *arguments), expected, 1)
    else:
        found = audited(marubatsu, *arguments)
        assert sorted({each["kind"] for each in found["findings"]} - {"prints"}) == expected
    wait_until(lambda: sleep not in processes())


def test_an_ai_may_change_a_file_of_its_own(marubatsu: Marubatsu, written: Write) -> None:
    spec = written(
        "import os\ndef choose(board, legal):\n"
        "    with open(os.environ['TMPDIR'] + '/own', 'w') as own:\n"
        "        os.ftruncate(own.fileno(), 0)\n    return legal\n"
    )
    assert audited(marubatsu, spec, "--game", SMALL)["findings"] == []


def test_one_draw_of_moves_proves_nothing(root: Path) -> None:
    """A player that draws one of the best moves makes no mistake, and may make one next time."""
    truth, random = mb.oracle("3x3k3-gravity", data=root), Random(5)

    def choose(board: str, legal: list[int]) -> int:
        best: int = random.choice(truth.answer(board).best_moves)
        return best

    found = mb.audit(choose, "3x3k3-gravity", data=root)
    text = str(found).partition("\n\n")[0]
    assert text.endswith("gave other moves when asked again; all figures are of moves that it gave")
    verdicts, why = found.verdicts, "it gives other moves when it is asked again"
    assert verdicts.positions_right == verdicts.positions
    assert verdicts.share == (0, 1)
    assert ": gave only best moves in " in text
    assert ">at most " in badge(found.game, verdicts)
    assert (verdicts.strongly_solved, verdicts.weakly_solved, verdicts.exploitability) == (
        None,
    ) * 3
    (games,) = (
        row
        for row in found.matches.records()
        if row["opponent"] == "perfect" and row["side"] == "total"
    )
    assert (games["mean"], games["mean_at_least"] < 0 < games["mean_at_most"]) == (0, True)
    assert "mean_at_least" in str(found)
    required = parse_requirements(["strong", "weak"], least=0.1, most=0.5)
    assert [lack(found) for lack in required] == [
        f"strong: {why}", f"weak: {why}", f"--fail-under 0.1: {why}, so its share is unknown",
        f"--max-exploitability 0.5: {why}, so the best response is unknown",
    ]  # fmt: skip
    joined = mb.audit(choose, "3x3k3-gravity", repeat=3, data=root)
    assert (joined.verdicts.strongly_solved, joined.verdicts.exploitability) == (None, 0)
    sample = mb.audit(choose, "3x3k3-gravity", positions="random", sample=60, data=root)
    assert sample.sampled
    by_ply = [row for row in sample.sampled.by_ply.records() if row["critical"]]
    assert {(row["right_percent"], row["at_least_percent"]) for row in by_ply} == {(100, 0)}
    with pytest.raises(UsageError, match=r"gives other moves .* so nothing is saved"):
        mb.audit(choose, "3x3k3-gravity", save="drawn", data=root)


@pytest.mark.usefixtures("_heard_sigint")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_an_audit_that_is_stopped_leaves_no_process(
    root: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """After Ctrl-C, it says where its answers are."""
    program, kept = tmp_path / "mine.py", tmp_path / "kept.jsonl"
    program.write_text(
        "import time\n"
        "def choose(board, moves):\n"
        "    time.sleep(1000 if 'x' in board else 0)\n"
        "    return moves[0]\n"
    )
    words = ("audit", f"{program}:choose", "--game", "2x2k2", "--timeout", "900")
    with running(*words, "--resume", str(kept), data=root) as process:
        wait_until(lambda: kept.exists() and kept.read_text().count("\n") > 1)
        worker = f"{program} choose"  # as in the worker's arguments
        assert worker in processes()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
        wait_until(lambda: worker not in processes())
    message = f"stopped; the answers are kept in {kept}: the same command goes on"
    assert (message in errors) == (number == signal.SIGINT)


def test_damaged_data_is_found_before_and_during_an_audit(root: Path, tmp_path: Path) -> None:
    """A function of the program that asks may write everywhere."""
    shutil.copytree(root / "2x2k2", tmp_path / "2x2k2")
    moves = tmp_path / "2x2k2" / "ai_moves.parquet"
    intact = moves.read_bytes()

    def choose(board: str, legal: list[int]) -> int:
        moves.write_bytes(intact[:-1])
        return legal[0]

    with pytest.raises(DataError, match=r"ai_moves\.parquet is damaged"):
        mb.audit(choose, "2x2k2", data=tmp_path)
    done = run_here("audit", "ai2", "--game", "2x2k2", data=tmp_path)
    require_refused(done, "ai_moves.parquet is damaged", 1)


def test_moves_of_ais_in_another_order_are_damage(root: Path, tmp_path: Path) -> None:
    """Chances are those of moves only by the places of the rows."""
    rows = pq.read_table(root / SMALL / "ai_moves.parquet")
    positions = enumerate_positions(Game(SMALL))
    for order in ("position", "move", "probability"):
        path = tmp_path / f"{order}.parquet"
        pq.write_table(rows.sort_by(order), path)
        with pytest.raises(DamagedError, match="not those of each AI in the order of the moves"):
            chances_by_ai(OpenFile(path, is_copied=True), positions)
    whole = OpenFile(root / SMALL / "ai_moves.parquet", is_copied=True)
    assert list(chances_by_ai(whole, positions)) == sorted({*rows["ai"].to_pylist()})


def test_an_ai_that_never_answers_is_not_judged(
    marubatsu: Marubatsu, written: Write, root: Path
) -> None:
    spec = written("def choose(board, moves): return 99")
    silent: dict[str, Any] = {}
    drawn = ("--positions", "random", "--sample", "9")
    for options in ((), drawn):
        silent = audited(marubatsu, spec, "--game", SMALL, *options)
        known = {name for name, verdict in silent["verdicts"].items() if verdict is not None}
        assert known <= {"classes", "positions"}
        assert silent["verdicts"]["classes"] > 0
        assert silent["without_answer"] == silent["examined"]
        assert silent["examined"] > 0
        assert [finding["kind"] for finding in silent["findings"]] == ["illegal move"]
        for name in ("blunders_by_ply", "blunders", "refutations", "matches"):
            assert silent[name] == []
    assert silent["sampled"]["accuracy_by_ply"] == silent["sampled"]["answers"] == []
    alike = mb.audit(lambda board, legal: 99, SMALL, data=root)
    assert "no valid answer" in alike.badge()
    (row,) = alike.verdict_row().records()
    assert {name for name in silent["verdicts"] if row[name]} == {"classes", "positions"}
    required = parse_requirements(["strong", "weak", "share=0.1"], least=0.1, most=0.9)
    assert len(required) == 5
    for lacks in required:
        assert str(lacks(alike)).endswith(": it gave no valid answer in any position")
    for shown, none_of in ((str(alike), "how it loses"), (alike._repr_html_(), "<svg")):
        assert "s not judged: it gave no valid answer in any position" in shown
        assert none_of not in shown
    half = mb.audit(lambda board, legal: legal if len(legal) % 2 else 99, SMALL, data=root)
    assert "there it loses, and counts in all figures as one that plays any legal move" in str(half)
    assert 0 < half.interview.without_answer < half.interview.examined


@pytest.mark.parametrize(("ply", "of_sides"), [(0, (False, True)), (7, (True, False))])
def test_an_ai_with_a_move_that_is_not_legal_solves_nothing(
    ply: int, of_sides: tuple[bool, bool], root: Path
) -> None:
    """In a position where every legal move is a best one, so that no figure is less than best."""
    truth = mb.oracle("tictactoe", data=root)

    def choose(board: str, legal: list[int]) -> list[int]:
        best = [each.move for each in truth.answer(board).moves if each.is_best]
        return [*best, 99] if len(legal) == 9 - ply and best == legal else best

    found = mb.audit(choose, data=root)
    verdicts = found.verdicts
    assert found.interview.forfeited > 0
    assert (verdicts.positions_right, verdicts.positions) == (3191, 3191)
    assert verdicts.exploitability == 0
    assert (verdicts.strongly_solved, verdicts.as_circle, verdicts.as_cross) == (False, *of_sides)
    required = parse_requirements(["strong", "weak"], most=0)
    assert [bool(lacks(found)) for lacks in required] == [True] * 3


def test_masks_of_a_tiny_game_are_not_taken_for_boards(tmp_path: Path) -> None:
    """As many positions as the board has cells, with masks of 0, 1 and 2."""
    found = mb.audit("ai2", "2x1k2", data=tmp_path)
    assert (found.interview.examined, found.verdicts.weakly_solved) == (3, True)


@pytest.mark.parametrize(
    ("game", "others"),
    [("2x2k2", ", random play (ai2) and 31 other AIs"), ("5x2k2", " and random play (ai2)")],
)
def test_the_opponents_are_those_of_the_rows(game: str, others: str, tmp_path: Path) -> None:
    found = mb.audit("ai2", game, data=tmp_path)
    assert f"\nexactly, against a best response, perfect play{others}\n" in str(found)


def test_expected_results_are_exact_on_each_side_and_both(marubatsu: Marubatsu, root: Path) -> None:
    """Random play against itself has the chances in the table of positions."""
    found = audited(marubatsu, "ai2", "--game", SMALL)
    rows = {(row["opponent"], row["side"]): row for row in found["matches"]}
    yardsticks = ("best response", "perfect", "ai2")
    assert {side for name, side in rows if name in yardsticks} == {"circle", "cross", "total"}
    for row in rows.values():
        win, draw, lose = (Fraction(row[result]) for result in ("win", "draw", "lose"))
        assert win + draw + lose == 1
        assert row["mean"] == row["mean_at_least"] == row["mean_at_most"]
        assert row["mean"] == round(float(win - lose), 12)
        sides = (rows[row["opponent"], side] for side in ("circle", "cross"))
        if row["side"] == "total":
            assert win == sum(Fraction(each["win"]) for each in sides) / 2
    start = pq.read_table(root / SMALL / "positions.parquet").slice(0, 1).to_pylist()[0]
    for result, random in (("win", "circle"), ("draw", "draw"), ("lose", "cross")):
        assert float(Fraction(rows["ai2", "circle"][result])) == start[f"random_{random}"]
    assert (found["schema"], found["version"], len(found["data"])) == (3, __version__, 64)
    assert found["data"] != audited(marubatsu, "ai2", "--game", "2x2k2")["data"]
    best = rows["best response", "total"]["mean"]
    assert found["verdicts"]["exploitability"] == -best
    assert best <= min(rows[name, "total"]["mean"] for name, _ in rows)
