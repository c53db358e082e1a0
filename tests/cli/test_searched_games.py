"""Games without data: results by search, and messages when the time is too short."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from marubatsu.cli.terminal_game import TerminalGame
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels import exact_search
from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.large.values import Bounds
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.roster import find
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.match_games import judge_moves, result_text
from marubatsu.judge.agents.players import Players
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.played import reachable
from tests.helpers.page.pages import name_of
from tests.helpers.processes.commands import json_of, require_refused, run_here

pytestmark = pytest.mark.usefixtures("kernels")

CONNECT4 = Game("connect4")
WITHOUT_BOOK = "6x6k4-gravity"
LATE = "d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 b1 b2 b3 a1 a2"
"""Circle wins in 23 plies, by b4 only; every other move loses."""


def best(board: str, *options: str, data: Path) -> Any:
    return json_of(run_here("best", board, *options, "--format", "json", data=data))


def test_the_best_moves_are_those_of_show(root: Path, solutions: Solutions, tmp_path: Path) -> None:
    for board, game, data in (
        ("o...x...o", "tictactoe", root),
        ("a1 b1 a2", "3x3k3-gravity", root),
        ("a1 b2 c3", "4x4k4", solutions.of("4x4k4")),
        (LATE, "connect4", tmp_path),
    ):
        shown = json_of(run_here("show", board, "-g", game, "-f", "json", data=data))
        rows = best(board, "--game", game, data=data)
        names = [name_of(row["move"], Game(game).columns, Game(game).rows) for row in rows]
        assert [row.pop("name") for row in rows] == names
        assert rows == [
            {**{name: move[name] for name in ("move", "outcome", "distance")}, "is_proved": True}
            for move in shown["moves"]
            if move["is_best"]
        ]
    assert names == ["b4"]
    assert (rows[0]["outcome"], rows[0]["distance"]) == ("circle wins", 22)
    table = run_here("best", LATE, "--game", "connect4", data=tmp_path).stdout.splitlines()
    assert table[:2] == ["circle to move: circle wins in 23 plies with best play", ""]


def test_without_time_the_best_moves_are_guesses_and_say_so(tmp_path: Path) -> None:
    rows = best("d1", "--game", WITHOUT_BOOK, "--time", "0", data=tmp_path)
    assert [row["name"] for row in rows] == ["d2", "c1", "b1", "e1", "a1", "f1"]
    assert {(row["outcome"], row["distance"], row["is_proved"]) for row in rows} == {
        ("nothing yet", None, False)
    }
    text = run_here("best", "d1", "--game", WITHOUT_BOOK, "--time", "0", data=tmp_path).stdout
    assert text.startswith("cross to move: nothing yet; nothing was searched\n")
    assert "no best move is proved yet; these look best so far\n\nmove   name" in text


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("best a1 -g 6x6k4", "6x6k4 is too large to be searched: expected at most 31 cells"),
        ("views -g 6x5k4", "6x5k4 is too large to be solved: expected at most 25 cells"),
        ("audit ai2 -g 6x6k4 --sample 9", "6x6k4 is too large to be solved: expected at most 25"),
        ("views -g connect4", "connect4 is too large to be solved on one machine: use a smaller g"),
    ],
)  # fmt: skip
def test_no_command_is_named_that_refuses_the_game(
    command: str, message: str, tmp_path: Path
) -> None:
    done = run_here(*command.split(), data=tmp_path)
    require_refused(done, message, 1)
    assert "run `" not in done.stderr
    assert ("without data, `best`, " in done.stderr) == command.startswith("views")


def test_a_command_to_run_names_the_folder_if_it_is_not_the_default(tmp_path: Path) -> None:
    other = tmp_path / "my data"
    for place, option in ((["--data", str(other)], f" --data '{other}'"), ([], "")):
        done = run_here("show", "......", "-g", "2x3k2", *place, data=tmp_path)
        assert f": run `marubatsu build 2x3k2{option}` or name another folder by" in done.stderr


@pytest.mark.parametrize("command", ["query openings", "sql select(1)", "views"])
def test_commands_that_need_data_name_those_that_do_not(command: str, tmp_path: Path) -> None:
    done = run_here(*command.split(), "--game", "connect4", data=tmp_path)
    searching = "; without data, `best`, `show`, `play`, `match`, `audit` and `explore` search\n"
    require_refused(done, searching, 1)


class _Stopped(ExactSearch):
    """Yields the results of some positions without distances; then comes Ctrl-C."""

    results = 0

    def narrow(self, position: Position, known: Bounds | None = None) -> Iterator[Bounds]:
        found = list(super().narrow(position, known))
        yield found[0]
        if _Stopped.results == 0:
            raise KeyboardInterrupt
        _Stopped.results -= 1
        yield next(bounds for bounds in found if bounds.tells_result)


@pytest.mark.parametrize("name", ["3x3k3-misere", "3x3k3-gravity"])
def test_bounds_hold_the_exact_values(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "ExactSearch", _Stopped)
    game = Game(name)
    truth = open_oracle(DataSet(root, game))
    search = SearchOracle(game, memory=1 << 24)
    random, proved, unproved = Random(0), 0, 0
    unfinished = sorted(each for each in reachable(game) if game.legal_moves(each))
    for position in random.sample(unfinished, 150):
        exact = truth.answer(position)
        for _Stopped.results in range(len(exact.moves) + 1):
            found = search.within(position, until_interrupted=True)
            if isinstance(found, Answer):
                assert found.score == exact.score
                continue
            losses = {move.move: move.loss for move in exact.moves}
            for move in found.moves:
                assert move.loss in (None, losses[move.move])
                proved, unproved = proved + (move.loss is not None), unproved + (move.loss is None)
            assert set(found.best_moves) <= set(exact.best_moves)
            assert set(found.best_moves) <= set(found.promising)
            assert found.moves[0].move in found.promising
            assert found.at_least <= exact.score_sv <= found.at_most
            assert found.score in (None, exact.score)
            if found.score is not None:
                assert result_text(position, found) == result_text(position, exact)
    assert proved > 200
    assert unproved > 200


def test_perfect_plays_by_search(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, seconds, moves, cells in (
        ("connect4", 60, LATE, [15]), ("connect4", 0, "", [38]), (WITHOUT_BOOK, 0, "d1", [27]),
    ):  # fmt: skip
        game = Game(name)
        board = new_board(game)
        with Players(DataSet(tmp_path, game), AgentSettings(), seconds) as players:
            for ai in ("perfect", "perfect_sv"):
                chooser = players.player(ai).on(game)
                board.set_up(read_position(game, moves or "." * game.cells))
                assert list(map(board.cell_of, chooser.candidates(board))) == cells
        errors = capfd.readouterr().err
        assert errors.count("could not prove its best moves in 0 s each") == 2 * (
            name == WITHOUT_BOOK
        )


def test_matches_are_reviewed_within_the_time(tmp_path: Path) -> None:
    command = f"match ai14s ai1 --review --game {WITHOUT_BOOK} --time 0 --format json"
    rows = json_of(run_here(*command.split(), data=tmp_path))
    assert {row["game"] for row in rows} == {1, 2}
    first = rows[0]
    assert (first["ply"], first["result"], first["loss"], first["best_moves"]) == (
        0, "not proved in time", None, None
    )  # fmt: skip
    for row in rows:
        assert (row["loss"] == 0) <= (row["move"] in (row["best_moves"] or []))
    for number in (1, 2):
        *_, last = (row for row in rows if row["game"] == number)
        assert (last["result"], last["loss"]) == ("wins", 0)


def test_a_late_game_is_judged_backwards() -> None:
    oracle = SearchOracle(CONNECT4, memory=1 << 24, seconds=60)
    made, position = [], read_position(CONNECT4, LATE)
    for cell in (15, 8, 25, 41):  # b4, b5, e3, g1
        made.append((position, cell))
        position = CONNECT4.play(position, cell)
    found = judge_moves(oracle, made)
    assert [(each.result, each.loss) for each in found] == [
        ("wins", 0), ("loses", 0), ("wins", 0), ("loses", 0)
    ]  # fmt: skip
    assert found[0].best_moves == (15,)


def play(lines: str, game: str, data: Path) -> str:
    """Return what a game at a terminal says."""
    out, oracle = StringIO(), open_oracle(DataSet(data, Game(game)), seconds=0)
    terminal = TerminalGame(Game(game), find("ai1"), "circle", Random(0), lambda: oracle)
    terminal.play(StringIO(lines), out)
    return out.getvalue()


def test_columns_are_typed_where_there_is_gravity(root: Path) -> None:
    text = play("b\nhint\nz\nB3\nquit\n", "3x3k3-gravity", root)
    assert "type the letter of a column to play there, hint" in text
    assert "   | x |\n---+---+---\n   | o |\n a   b   c\n" in text
    assert sorted(re.findall("  ([a-z]): [a-z]+ in . pl", text)) == ["a", "b", "c"]
    assert "'z' is no move here: expected one of a, b, c, or the letter of a column" in text
    review = text.partition("review")[2]
    assert re.findall("[0-9]. (you|ai1): ([a-z]), ", review) == [
        ("you", "b"), ("ai1", "b"), ("you", "b"), ("ai1", "a")
    ]  # fmt: skip
    letters = play("h\nhint\nquit\n", "8x4k2-gravity", root)
    assert "1. you: h, " in letters
    assert play("a3\nb3\nquit\n", "tictactoe", root).count("ai1 plays") == 1


def test_hints_and_reviews_say_what_is_not_proved(tmp_path: Path) -> None:
    text = play("d\nhint\nquit\n", WITHOUT_BOOK, tmp_path)
    assert "  d: not proved in time\n  c: not proved in time\n  b: not proved in time\n" in text
    review = text.partition("review")[2]
    assert "  1. you: d, not proved in time\n  2. ai1: d, not proved in time\n" in review


def test_an_interrupted_review_shows_the_moves(tmp_path: Path) -> None:
    class Interrupted(SearchOracle):
        def within(self, *arguments: Any, **options: Any) -> BoundedAnswer:
            raise KeyboardInterrupt

    out = StringIO()
    oracle = Interrupted(CONNECT4, memory=1 << 24)
    game = TerminalGame(CONNECT4, find("ai1"), "circle", Random(0), lambda: oracle)
    game.play(StringIO("d\nquit\n"), out)
    assert out.getvalue().endswith(
        "\nthe moves (the review was stopped)\n  1. you: d\n  2. ai1: d\n"
    )
