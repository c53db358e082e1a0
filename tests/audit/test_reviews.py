"""Reviews of recorded games: the values of the moves, the strengths, and wrong files."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from marubatsu.engine.ais.statistics import fit
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import cell_name
from marubatsu.engine.rules.position import EMPTY
from marubatsu.judge.review.review import Review
from marubatsu.judge.review.review import review as review_files
from marubatsu.pipeline.support.errors import UsageError
from tests.audit.conftest import REVIEWED, Reviewer
from tests.helpers.broken.damaged import damaged, refusals
from tests.helpers.data.logs import read
from tests.helpers.data.played import after
from tests.helpers.processes.commands import run_here
from tests.helpers.slow.slow_rules import legal_moves, status
from tests.helpers.slow.slow_solution import values_of

PLAYERS = ("ann", "bob", "cy")

Played = tuple[str, str, list[int]]
"""The first player, the opponent, and the moves."""


def random_games(game: Game, count: int) -> list[Played]:
    """Play at random; some games break off, have an illegal move, or go on after their end."""
    random = Random(game.name)
    games = []
    for _ in range(count):
        first, second = random.sample(PLAYERS, 2)
        here, moves = EMPTY, list[int]()
        while legal := legal_moves(game, here):
            if random.random() < 0.03:
                break
            moves.append(random.choice(legal))
            here = after(here, moves[-1])
        if random.random() < 0.2:
            moves += random.choices(range(game.cells), k=random.randint(1, 3))
        games.append((first, second, moves))
    return games


def as_lines(game: Game, games: Sequence[Played]) -> str:
    return "".join(
        f"{first} - {second}: {' '.join(cell_name(game, move) for move in moves)}\n"
        for first, second, moves in games
    )


def judged_slowly(game: Game, games: Sequence[Played]) -> dict[str, Counter[Any]]:
    """Count for each player, move by move, by induction over all positions."""
    values = values_of(game)
    found: dict[str, Counter[Any]] = {name: Counter() for name in PLAYERS}
    for first, second, moves in games:
        here, over, winner = EMPTY, False, None
        for number, move in enumerate(moves):
            player, other = (first, second) if number % 2 == 0 else (second, first)
            counts = found[player]
            if status(game, here) != "playing":
                counts["moves_after_the_end"] += 1
                continue
            legal = legal_moves(game, here)
            if move not in legal:
                counts["illegal_moves"] += 1
                over, winner = True, other
                break
            best, distance = values[here]
            children = {each: values[after(here, each)] for each in legal}
            score, left = children[move]
            critical = {-score for score, _ in children.values()} != {best}
            for ply in (here.ply, "all"):
                counts["moves", ply] += 1
                counts["critical", ply] += critical
                counts["right", ply] += critical and -score == best
                counts["loss", ply] += best + score
                counts["kept", ply] += -score == best
                if -score == best:
                    counts["plies", ply] += best * (left + 1 - distance)
            if -score != best:
                counts["blunders"] += 1
                counts["blunder", here, move] += 1
            here = after(here, move)
        ends = status(game, here)
        if ends != "playing":
            over, winner = True, {"circle": first, "cross": second}.get(ends)
        for player in (first, second):
            found[player]["games"] += 1
            kind = "without_result" if not over else "drawn" if winner is None else (
                "won" if winner == player else "lost"
            )  # fmt: skip
            found[player][kind] += 1
    return found


@pytest.mark.parametrize("name", REVIEWED)
def test_every_count_is_that_of_an_induction(
    name: str, review: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marubatsu.judge.review.player_tables.LISTED", 10_000)
    game = Game(name)
    games = random_games(game, 150)
    tables = review(as_lines(game, games), name).tables
    slow = judged_slowly(game, games)
    rows = {row["player"]: row for row in tables.leaderboard.records()}
    assert set(rows) == set(PLAYERS)
    for player, counts in slow.items():
        row = rows[player]
        for what in ("games", "won", "drawn", "lost", "without_result", "blunders",
                     "illegal_moves", "moves_after_the_end"):  # fmt: skip
            assert row[what] == counts[what], (player, what)
        by_ply = [row for row in tables.by_ply.records() if row["player"] == player]
        assert {row["ply"] for row in by_ply} == {
            key[1] for key in counts if key[0] == "moves" and key[1] != "all"
        }
        for each, ply in ((row, "all"), *((row, row["ply"]) for row in by_ply)):
            for what in ("moves", "critical", "right"):
                assert each[what] == counts[what, ply], (player, ply, what)
            assert each["mean_loss"] == round(counts["loss", ply] / counts["moves", ply], 4)
            if counts["kept", ply]:
                lost = counts["plies", ply] / counts["kept", ply]
                assert each["mean_plies_lost"] == round(lost, 4)
    blunders = tables.blunders.records()
    assert {(row["player"], row["board"], row["move"], row["times"]) for row in blunders} == {
        (player, to_text(game, key[1]), key[2], times)
        for player, counts in slow.items()
        for key, times in counts.items()
        if key[0] == "blunder"
    }
    for row in blunders[:10]:
        _require_blunder(game, row)


def _require_blunder(game: Game, row: dict[str, Any]) -> None:
    """Assert that the line of a blunder leads there, and that its better moves are better."""
    here = EMPTY
    names = {cell_name(game, cell): cell for cell in range(game.cells)}
    moves = [names.get(word) if game.gravity else int(word) for word in row["line"].split()]
    *before, last = [move for move in moves if move is not None]
    for move in before:
        here = after(here, move)
    assert (to_text(game, here), last) == (row["board"], row["move"])
    values = values_of(game, here)
    sign = 1 if here.ply % 2 == 0 else -1
    worth = {move: -values[after(here, move)][0] for move in legal_moves(game, here)}
    assert row["best_moves"] == [move for move in worth if worth[move] == max(worth.values())]
    assert (row["score"], row["score_after"]) == (sign * max(worth.values()), sign * worth[last])
    assert row["loss"] == max(worth.values()) - worth[last]


ROWS: list[Played] = [
    ("ann", "bob", [4, 1, 0, 8, 3, 6, 5]),
    ("bob", "ann", [0, 4, 8, 6, 2, 5, 1]),
    ("ann", "bob", [4, 0, 4]),
]


def _replay(first: str, second: str, moves: Sequence[int]) -> dict[str, Any]:
    """Write a game as Kaggle's env.toJSON() does, as far as it is read."""
    steps = [[{"action": 0, "status": "ACTIVE"}, {"action": 0, "status": "INACTIVE"}]]
    for number, move in enumerate(moves):
        active, other = number % 2, 1 - number % 2
        step: list[dict[str, Any]] = [{}, {}]
        step[active] = {"action": move, "status": "INACTIVE"}
        step[other] = {"action": 0, "status": "ACTIVE"}
        steps.append(step)
    rewards = [None, 0] if len(moves) == 3 else [1, -1]  # The player of an illegal move has none.
    return {"name": "tictactoe", "configuration": {}, "rewards": rewards, "steps": steps,
            "info": {"TeamNames": [first, second]}}  # fmt: skip


LOGS = {
    "moves": as_lines(Game("tictactoe"), ROWS),
    "pgn": '[First "ann"]\n[Black "bob"]\n\n1. b2 b3! {a comment (1. a1} 2. a3 c1 *\n',
    "jsonl": "".join(
        json.dumps({"players": [first, second], "moves": moves, "game": "tictactoe"}) + "\n"
        for first, second, moves in ROWS
    ),
    "kaggle": json.dumps([_replay(*row) for row in ROWS], indent=1),
    "csv": 'white,line,second\nann,"4, 1, 0",bob\nbob,"0, 4, 8",ann\n',
}
COLUMNS = {"moves": "line", "first": "white"}


def test_a_replay_of_kaggle_holds_its_games() -> None:
    results = ("circle", "circle", "cross")  # The player of an illegal move loses.
    expected = [(*row, result) for row, result in zip(ROWS, results, strict=True)]
    assert read(LOGS["kaggle"]) == expected


def test_kaggle_counts_columns_where_marks_fall(review: Reviewer) -> None:
    replay = {**_replay("ann", "bob", [0, 1, 0, 1, 0]), "name": "connectx",
              "configuration": {"columns": 3, "rows": 3, "inarow": 3}}  # fmt: skip
    found = review(json.dumps(replay), None)
    assert found.game.name == "3x3k3-gravity"
    assert found.tables.leaderboard.column("won") == [1, 0]
    assert found.tables.worst_games.column("line") == ["a1 b1 a2 b2 a3"]


def test_a_result_follows_from_the_moves_before_it_follows_from_the_log(review: Reviewer) -> None:
    lines = "ann - bob: 4 0 0-1\nann - bob: 4 0 1 2 7 1/2-1/2\nann - bob: 4 4\nann - bob: 4\n"
    found = review(lines)
    rows = {row["player"]: row for row in found.tables.leaderboard.records()}
    kinds = ("won", "drawn", "lost", "without_result")
    counts = {name: [row[kind] for kind in kinds] for name, row in rows.items()}
    assert counts == {"ann": [2, 0, 1, 1], "bob": [1, 0, 2, 1]}
    findings = [(row["finding"], row["player"], row["file_line"], row["detail"])
                for row in found.tables.findings.records()]  # fmt: skip
    assert findings == [
        ("illegal move", "bob", 3, "move 2 of the game"),
        ("another result", None, 2, "the log says draw, the moves say circle"),
    ]


def fitted_slowly(wins: list[list[float]]) -> list[float]:
    """Fit strengths by Zermelo's iteration, as Hunter (2004) writes it, in the units of Elo."""
    count = len(wins)
    strength = [1.0] * count
    for _ in range(20_000):
        strength = [
            sum(wins[i]) / sum(
                (wins[i][j] + wins[j][i]) / (strength[i] + strength[j])
                for j in range(count) if j != i
            )
            for i in range(count)
        ]  # fmt: skip
    logs = [400 * np.log10(each) for each in strength]
    return [each - sum(logs) / count for each in logs]


def test_strengths_are_those_of_zermelos_iteration() -> None:
    wins: list[list[float]] = [[0, 3, 4.5, 1], [1, 0, 2, 6], [0.5, 2, 0, 2], [0, 3.5, 2, 0]]
    found = fit(np.array(wins))
    assert found.strength == pytest.approx(fitted_slowly(wins), abs=1e-6)
    assert list(found.compared) == [0, 1, 2, 3]
    # Three wins to one are 400 log10 3; its error follows from four games of chance 3/4.
    found = fit(np.array([[0, 3], [1, 0]]))
    apart = 400 * np.log10(3)
    assert found.strength == pytest.approx([apart / 2, -apart / 2])
    error = 400 / np.log(10) / np.sqrt(4 * 3 / 16)
    assert found.error == pytest.approx([error / 2, error / 2])


@pytest.mark.parametrize(
    ("wins", "compared"),
    [
        ([[0, 2, 2], [0, 0, 1], [0, 1, 0]], [1, 2]),  # The first always won.
        # Two groups apart; games against oneself do not count.
        ([[9, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 3, 0]], [2, 3]),
        ([[0, 5], [0, 0]], []),
        ([[7]], []),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], [0, 1, 2]),
    ],
)
def test_a_strength_needs_wins_in_both_directions(
    wins: list[list[float]], compared: list[int]
) -> None:
    found = fit(np.array(wins))
    assert list(found.compared) == compared
    assert np.flatnonzero(np.isfinite(found.strength)).tolist() == compared


def test_a_review_has_an_end(review: Reviewer) -> None:
    for what, message in (
        ("recorded_game.MOST_BYTES", "holds more than 1 bytes"),
        ("game_logs.MOST_GAMES", r"^line \d of .*: more than 1 games: expected fewer$"),
        ("game_logs.MOST_MOVES", r"^line \d of .*: more than 1 moves: expected fewer$"),
        ("game_logs.MOST_PLAYERS", r"^line \d of .*: more than 1 players: expected fewer$"),
    ):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(f"marubatsu.judge.review.{what}", 1)
            with pytest.raises(UsageError, match=message):
                review("a - a: 4\nb - b: 4 0\n")


def test_a_game_that_the_user_names_wins(review: Reviewer) -> None:
    with pytest.raises(UsageError, match="does not name the game: the option game names it"):
        review("4 0\n", None)
    content = '{"moves": [4], "game": "9x9"}'
    with pytest.raises(UsageError, match=r"^line 1 of .*: '9x9' is not a game.*; the option game "):
        review(content, None)
    assert (review(content).game.name, review(content).moves) == ("tictactoe", 1)


CALLS = (
    '"episode_id": 1, '
    '"tool_trace": [{"arguments": {"cell": 4}, "result": {"data": {"opponent_move": 0}}}]'
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"moves": [4], "game": "tictactoe", "board_size": [4, 4]}', "board_size '[4, 4]'"),
        ("game,moves,size,win_length\ntictactoe,4 0,3,2\n", "win_length '2'"),
        ('{"moves": [{"cell": 4}], "game": "tictactoe", "variant": "misere"}', "variant 'misere'"),
        ("game,moves,variant\ntictactoe,4 0,Mise\u0300re\n", "variant 'Mise\u0300re'"),
        ('[Game "Tic-Tac-Toe"]\n[Variant "4x4"]\n1. b2 *\n', "variant '4x4'"),
        ("game,size,game_id,move\ntictactoe,4x4,1,4\n", "size '4x4'"),
        ('{"moves": [4], "game": "4x4"}', "game '4x4'"),
        (f'{{"task": {{"game": "tictactoe", "board_size": 4}}, {CALLS}}}', "board_size '4'"),
    ],
)  # fmt: skip
def test_what_a_log_says_of_another_game_is_refused_or_found(
    content: str, said: str, review: Reviewer
) -> None:
    (finding,) = review(content).tables.findings.records()
    assert (finding["finding"], finding["detail"]) == ("another game", f"the log says {said}")
    if not said.startswith("game"):
        with pytest.raises(UsageError) as raised:
            review(content, None)
        assert f"is tictactoe, and the log says {said}: the option game names" in str(raised.value)


def test_what_a_log_says_of_its_game_is_no_finding(review: Reviewer) -> None:
    content = '{"moves": [4], "game": "G17", "rows": 3, "size": 9, "inarow": 3, "variant": "blitz"}'
    assert not review(content).tables.findings.rows
    of_another_name = review("size\n4 0\n", columns={"moves": "size"})
    assert not of_another_name.tables.findings.rows


@pytest.mark.parametrize("form", LOGS)
def test_a_damaged_log_is_read_or_refused(form: str, review: Reviewer, tmp_path: Path) -> None:
    random, columns = Random(form), COLUMNS if form == "csv" else None
    refusals(
        lambda: review(damaged(LOGS[form].encode(), random), columns=columns),
        20, str(tmp_path / "log"),
    )  # fmt: skip


def test_a_name_controls_neither_terminal_nor_page(data: Path, tmp_path: Path) -> None:
    players = ["\x1b[2J<b>ann</b>", "\ud800\u202ebob"]
    games = [{"players": players, "moves": [4, 1, 2]}, {"players": players, "moves": [4, 8, 8]}]
    (tmp_path / "log").write_text("\n".join(map(json.dumps, games)), encoding="utf-8")
    found = review_files([tmp_path / "log"], "tictactoe", data=data)
    for shown in (str(found), found._repr_html_()):
        assert all(sign.isprintable() or sign == "\n" for sign in shown)
    assert "<b>" not in found._repr_html_()
    assert "\\x1b[2J<b>ann</b>" in str(found)


def test_the_command_writes_every_format(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text(LOGS["moves"], encoding="utf-8")
    found = review_files([file], "tictactoe", data=data)

    def run(form: str) -> str:
        done = run_here("review", str(file), "--game", "tictactoe", "--format", form, data=data)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("table") == f"{found}\n"
    assert json.loads(run("json")) == json.loads(json.dumps(found.to_json()))
    rows = list(csv.DictReader(run("csv").splitlines()))
    assert [(row["player"], row["won"]) for row in rows] == [("bob", "2"), ("ann", "1")]


def test_only_the_named_plies_are_judged(review: Reviewer) -> None:
    found = review(LOGS["moves"], plies="1-2")
    assert (found.judged, found.moves) == (5, 16)
    assert {row["ply"] for row in found.tables.by_ply.records()} == {1, 2}
    assert "\njudged moves\n" in str(Review([], [found]))  # not all that a player made


@pytest.mark.usefixtures("kernels")
def test_a_search_leaves_out_what_takes_too_long(review: Reviewer) -> None:
    found = review("12 0 13", "5x5k5", plies="0-", time=0)
    assert (found.moves, found.judged, found.out_of_time, found.data) == (3, 0, 3, None)


def test_columns_named_row_and_column_are_read_by_their_names(root: Path, tmp_path: Path) -> None:
    """The numbering says how pairs are written; here the header does."""
    file = tmp_path / "games.csv"
    for table in ("game_id,col,row\n1,2,0\n1,0,1\n1,0,0\n", "game_id,y,x\n1,0,2\n1,1,0\n1,0,0\n"):
        file.write_text(table, encoding="utf-8")
        for numbering in ("row-column", "column-row"):
            (found,) = review_files([file], "3x2k2", numbering=numbering, data=root).reviews
            assert (found.moves, found.tables.findings.rows) == (3, [])
