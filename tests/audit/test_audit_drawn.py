"""Audits of drawn positions: a slow minimax gives the same losses; samples say what they are."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, reduce
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.ais.statistics import wilson
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.draw_positions import Sampled
from marubatsu.judge.oracle.answer import Answers
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.support.errors import OutOfTimeError, UsageError
from tests.helpers.data.audit_schema import complaints
from tests.helpers.data.data_sets import Solutions
from tests.helpers.processes.commands import json_of, require_refused, run_here
from tests.helpers.slow import slow_rules
from tests.helpers.slow.slow_solution import values_of

pytestmark = pytest.mark.usefixtures("kernels")

FLAT, UPRIGHT = "4x4k4", "5x4k4-gravity"
slow_values = cache(values_of)


def first(board: str, legal: list[int]) -> int:
    return legal[0]


def every(board: str, legal: list[int]) -> list[int]:
    return legal


def sampled_of(found: Audit) -> Sampled:
    assert found.sampled is not None
    return found.sampled


def assert_true(found: Audit) -> Sampled:
    """Assert all answers of an audit, and their summary, by the slow minimax; return them."""
    game, sampled = found.game, sampled_of(found)
    assert complaints(json.loads(json.dumps(found.to_json()))) == []
    losses: dict[str, list[tuple[float, int, int | None]]] = {}
    for row in sampled.answers.records():
        position = reduce(game.play, row["line"], EMPTY)
        assert row["board"] == to_text(game, position)
        assert (row["ply"], row["turn"]) == (position.ply, position.turn.word)
        values = slow_values(game, position)
        score, distance = values[position]
        assert (row["score"], row["distance"]) == (position.turn.sign * score, distance)
        after, left = values[position.after(row["move"])]
        assert (row["score_after"], row["distance_after"]) == (-position.turn.sign * after, left)
        assert row["loss"] == score + after
        plies = {1: left + 1 - distance, 0: 0, -1: distance - left - 1}[score]
        assert row["plies_lost"] == (None if row["loss"] else plies)
        legal = slow_rules.legal_moves(game, position)
        best = [move for move in legal if -values[position.after(move)][0] == score]
        assert row["best_moves"] == best
        assert row["critical"] == (best != legal)
        chance = row["chance_percent"] / 100
        losses.setdefault(row["board"], []).append((chance, row["loss"], row["plies_lost"]))
    judged = {row["board"]: row for row in sampled.answers.records()}
    seen = [min(class_members(game, from_text(game, board))) for board in judged]
    assert len(seen) == len(set(seen)) == found.interview.examined
    for row in sampled.by_ply.records():
        here = [board for board in judged if judged[board]["ply"] == row["ply"]]
        critical = [board for board in here if judged[board]["critical"]]
        right = sum(all(loss == 0 for _, loss, _ in losses[board]) for board in critical)
        counts = (len(here), len(critical), right)
        assert (row["positions"], row["critical"], row["right"]) == counts
        if critical:
            low, high = wilson(right, len(critical))
            shown = (row["right_percent"], row["at_least_percent"], row["at_most_percent"])
            expected = (100 * right / len(critical), 100 * low, 100 * high)
            assert shown == pytest.approx(expected, abs=0.01)
        mean = sum(chance * loss for board in here for chance, loss, _ in losses[board])
        assert row["mean_loss"] == pytest.approx(mean / max(len(here), 1), abs=0.001)
        assert row["mean_plies_lost"] == mean_plies_lost([losses[board] for board in here])
    assert found.verdicts.mean_plies_lost == mean_plies_lost(losses.values())
    return sampled


def mean_plies_lost(answers: Iterable[list[tuple[float, int, int | None]]]) -> Any:
    """Return the mean over the positions where it keeps the score, and there by its chances."""
    means = []
    for candidates in answers:
        kept = [(chance, plies) for chance, _, plies in candidates if plies is not None]
        if kept:
            lost = sum(chance * plies for chance, plies in kept)
            means.append(lost / sum(chance for chance, _ in kept))
    return pytest.approx(sum(means) / len(means), abs=0.001) if means else None


@pytest.mark.parametrize(
    ("name", "plies", "choose"), [(FLAT, "9-14", first), (UPRIGHT, "12-", every)]
)
def test_losses_are_those_of_a_slow_minimax(
    tmp_path: Path, name: str, plies: str, choose: Any
) -> None:
    found = mb.audit(choose, name, plies=plies, sample=48, seed=3, data=tmp_path)
    assert_true(found)
    assert (found.data, found.unfinished, found.seed) == (None, None, 3)
    assert found.verdicts.is_sample
    assert found.interview.examined == 48
    assert list(tmp_path.iterdir()) == []
    lost = {row["plies_lost"] for row in sampled_of(found).answers.records()}
    assert name == FLAT or lost >= {None, 0, 2}  # Some win too late, or lose too early.


def test_random_play_gives_as_many_of_each_ply(tmp_path: Path) -> None:
    first_one, again, other = (
        mb.audit(first, FLAT, plies="10-15", sample=20, seed=seed, data=tmp_path)
        for seed in (1, 1, 2)
    )
    assert sampled_of(first_one).by_ply.column("positions") == [4, 4, 3, 3, 3, 3]
    assert first_one.to_json() == again.to_json() != other.to_json()


def test_drawn_positions_need_no_tables_of_ais(tmp_path: Path) -> None:
    mb.audit(first, "2x2k2", plies="0-2", data=tmp_path)
    assert not (tmp_path / "2x2k2" / "ai_moves.parquet").exists()


def test_classes_that_run_out_leave_their_share(root: Path) -> None:
    """All 3 first moves of tictactoe are drawn; the tables judge by the same way."""
    found = mb.audit("perfect", positions="random", plies="0-2", sample=30, data=root)
    counts = [row["positions"] for row in assert_true(found).by_ply.records()]
    assert counts == [1, 3, 12]  # all classes of these plies
    assert found.verdicts.strongly_solved is None
    assert len(str(found.data)) == 64


def test_a_solution_judges_drawn_positions(solutions: Solutions) -> None:
    found = mb.audit(
        first, "4x4k4-gravity", positions="random", plies="10-", sample=20,
        data=solutions.of("4x4k4-gravity"),
    )  # fmt: skip
    assert_true(found)
    assert len(str(found.data)) == 64


def test_own_games_show_where_it_had_to_move(tmp_path: Path) -> None:
    found = mb.audit(first, FLAT, positions="own", plies="9-", sample=40, data=tmp_path)
    assert found.interview.examined == 40
    for row in assert_true(found).answers.records():
        position = EMPTY
        for move in row["line"]:
            legal = found.game.legal_moves(position)
            assert position.turn.word != row["turn"] or move == legal[0]
            position = position.after(move)
    refuted = found.refutations.records()
    assert [row["side"] for row in refuted] == ["circle", "cross"]
    assert found.verdicts.weakly_solved is False
    assert ", with less than 95 % confidence" in str(found)  # Positions of a game are alike.
    for row in refuted:
        ended = reduce(found.game.play, row["moves"], EMPTY)
        assert to_text(found.game, ended) == row["final_board"]
        other = {"circle": "cross", "cross": "circle"}[row["side"]]
        assert slow_rules.status(found.game, ended) == other


def test_own_games_end_when_nothing_new_happens(root: Path) -> None:
    """First cells on 2x2k2: circle has won at once after two moves of each."""
    assert 0 < assert_true(mb.audit(first, "2x2k2", positions="own", data=root)).drawn < 10


def test_a_file_holds_boards_or_moves(tmp_path: Path) -> None:
    game, file = Game(FLAT), tmp_path / "positions.txt"
    board = "oox.xx.oooxx...."
    image = to_text(game, max(class_members(game, read_position(game, board))))
    assert image != board
    file.write_text(f"0,1,2,3,4,5,6,7,8,9,10\n\n{board}\n{image}\n")
    found = mb.audit(first, FLAT, positions=file, data=tmp_path)
    sampled = assert_true(found)
    boards = dict.fromkeys(row["board"] for row in sampled.answers.records())
    assert list(boards) == [board, "oxoxoxoxoxo....."]  # Games start from the lowest plies.
    assert sampled.positions == str(file)
    assert found.interview.examined == 2
    one = mb.audit(first, FLAT, positions=file, sample=1, plies="11", data=tmp_path)
    assert [row["ply"] for row in sampled_of(one).by_ply.records()] == [11]


def test_a_file_of_other_spellings_is_read_by_the_numbering(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("b,b,b,b,O,b,b,b,X\n5 2\n'O','X','','','','','','',''\n")
    found = mb.audit(first, positions=file, numbering="cells-from-1")
    boards = dict.fromkeys(row["board"] for row in sampled_of(found).answers.records())
    assert list(boards) == ["....o...x", ".x..o....", "ox......."]
    with pytest.raises(UsageError, match=r"line 2 of .*2 is no move|line 2 of .*'5 2'"):
        mb.audit(first, positions=file, numbering="names")


def test_perfect_play_gets_what_the_positions_are_worth(tmp_path: Path) -> None:
    found = mb.audit("perfect", FLAT, plies="10-", sample=30, data=tmp_path)
    starts = sampled_of(found).starts
    boards = {row["board"]: row["score"] for row in sampled_of(found).answers.records()}
    worth = Counter(boards.values())
    assert starts == {"circle": worth[1], "draw": worth[0], "cross": worth[-1]}
    assert sum(starts.values()) == 30
    shares = {result: round(100 * count / 30, 3) for result, count in starts.items()}
    results = {(row[0], row[1]): tuple(row[2:5]) for row in found.matches.rows}
    circle = (shares["circle"], shares["draw"], shares["cross"])
    assert results["perfect", "circle"] == circle
    assert results["perfect", "cross"] == circle[::-1]
    assert results["ai2", "circle"][0] >= shares["circle"]
    half = (100 - shares["draw"]) / 2
    assert results["perfect", "total"] == pytest.approx((half, shares["draw"], half), abs=0.001)
    for row in found.matches.records():
        games = 60 if row["side"] == "total" else 30
        low, high = wilson(games * (row["mean"] + 1) / 2, games)
        percent = row["win_percent"] - row["lose_percent"]
        assert 100 * row["mean"] == pytest.approx(percent, abs=0.002)
        bounds = (row["mean_at_least"], row["mean_at_most"])
        assert bounds == pytest.approx((2 * low - 1, 2 * high - 1))
    verdicts = found.verdicts
    assert verdicts.exploitability_at_least is None
    assert verdicts.strongly_solved is verdicts.weakly_solved is None
    for message in (str(found), found._repr_html_()):
        assert "random games, as many of each of plies 10 to 15 as there are" in message
        assert " sample can refute that an AI solves the game strongly" in message
        assert "between perfect players, circle wins" in message


def test_positions_whose_search_takes_too_long_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search of a position with 9 marks runs out of time."""
    answer_many = SearchOracle.answer_many

    def late(self: SearchOracle, boards: Any) -> Answers:
        if [position.ply for position in boards] == [9]:
            raise OutOfTimeError("late")
        return answer_many(self, boards)

    monkeypatch.setattr(SearchOracle, "answer_many", late)
    arguments = ("audit", "ai1", "--game", FLAT, "--plies", "8-10", "--sample", "30")
    found = json_of(run_here(*arguments, "--format", "json", data=tmp_path))
    assert complaints(found) == []
    sampled = found["sampled"]
    assert (sampled["drawn"], found["examined"]) == (30, 20)
    assert [len(line) for line in sampled["out_of_time"]] == [9] * 10
    counts = ("ply", "positions", "out_of_time")
    rows = [[row[name] for name in counts] for row in sampled["accuracy_by_ply"]]
    assert rows == [[8, 10, 0], [9, 0, 10], [10, 10, 0]]
    assert {row["ply"] for row in sampled["answers"]} == {8, 10}
    verdicts = found["verdicts"]
    right, total = verdicts["positions_right"], verdicts["positions"] + 10
    assert right > 0
    bounds = verdicts["share_right_at_least"], verdicts["share_right_at_most"]
    assert bounds == pytest.approx((wilson(right, total)[0], wilson(right + 10, total)[1]))
    # Perfect play must move at ply 9 in one game from each of the positions of ply 8.
    assert sampled["games_out_of_time"] == 10
    text = run_here(*arguments, data=tmp_path).stdout
    assert "10 of 30 positions are left out, because the search ran out of time" in text
    assert "10 games ended early, the search ran out of time" in text
    none = run_here("audit", "ai2", "--game", FLAT, "--plies", "9", "--sample", "3", data=tmp_path)
    require_refused(none, "the search had too little time for every position drawn (3)", 1)


def test_an_ai_that_searches_for_too_long_ends_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(self: SearchOracle, *boards: Any, **how: Any) -> None:
        raise OutOfTimeError("the search was stopped")

    monkeypatch.setattr(SearchOracle, "within", late)
    with pytest.raises(OutOfTimeError, match="the search was stopped"):
        mb.audit("perfect", FLAT, positions="own", plies="12-", data=tmp_path)


FINISHED = "oooo.xxx........"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "holds no position: expected a board or a list of moves on each line"),
        ("................\noxo\n", "line 2 of "),
        (f"\n{FINISHED}\n", "is finished (circle): expected positions in which an AI has to move"),
        ("0,1,1\n", "move 3 of '0,1,1', '1', is not legal"),
        ("oo..............\n", "it has 2 o and 0 x"),
        ("\xff", "is no UTF-8"),
        ("x...............\n", "with the option first='x'"),
    ],
)
def test_a_wrong_file_is_a_sentence(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(lines.encode("latin-1"))
    with pytest.raises(UsageError, match=re.escape(message)):
        mb.audit(first, FLAT, positions=file, data=tmp_path)


def test_drawn_positions_of_a_small_game_need_its_tables(tmp_path: Path) -> None:
    done = run_here("audit", "ai2", "--game=3x3k3-misere", "--positions=random", data=tmp_path)
    require_refused(done, "run `marubatsu build 3x3k3-misere`", 1)
