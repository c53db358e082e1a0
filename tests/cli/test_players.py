"""The commands match and play, and the list of AIs."""

import re
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from marubatsu.cli.terminal_game import TerminalGame
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.judge.oracle.choose_oracle import oracle
from tests.helpers.data.data_sets import Solutions
from tests.helpers.processes.commands import Marubatsu, json_of, require_refused, run_here


def rows_of(marubatsu: Marubatsu, *arguments: str) -> Any:
    return json_of(marubatsu(*arguments, "--format", "json"))


def test_consecutive_matches_reproduce_the_published_counts(marubatsu: Marubatsu) -> None:
    """50,000 pairs with `random.seed(0)`, on one generator (tutorial series)."""
    rows = rows_of(
        marubatsu, "match", "ai2", "ai2", "ai14s", "ai2", "--games", "50000", "--seed", "0"
    )
    counts = [(row["first"], row["first_is"], row["win"], row["lose"], row["draw"]) for row in rows]
    assert counts == [
        ("ai2", "circle", 29454, 14352, 6194),
        ("ai2", "cross", 14208, 29592, 6200),
        ("ai2", "total", 43662, 43944, 12394),
        ("ai14s", "circle", 49446, 0, 554),
        ("ai14s", "cross", 44043, 0, 5957),
        ("ai14s", "total", 93489, 0, 6511),
    ]
    assert rows[5]["win_percent"] == 93.489
    assert rows[5]["games"] == 100_000


def test_a_review_shows_the_games_of_the_match(marubatsu: Marubatsu, solutions: Solutions) -> None:
    command = ("match", "ai6", "ai2", "perfect", "ai2", "--games", "20", "--seed", "5")
    moves = rows_of(marubatsu, *command, "--review")
    counted = {(row["first"], row["first_is"]): row for row in rows_of(marubatsu, *command)}
    for (first, side), row in counted.items():
        mine = [m for m in moves if m["first"] == first and side in (m["first_is"], "total")]
        games: dict[int, list[dict[str, Any]]] = {}
        for move in mine:
            games.setdefault(move["game"], []).append(move)
        assert len(games) == row["games"]
        for game in games.values():
            assert [move["ply"] for move in game] == list(range(len(game)))
        last = [(game[-1]["ai"], game[-1]["result"]) for game in games.values()]
        assert last.count((first, "wins")) == row["win"]
        assert last.count(("ai2", "wins")) == row["lose"]
    assert {move["loss"] for move in moves if move["ai"] == "perfect"} == {0}
    assert {move["loss"] for move in moves if move["ai"] == "ai2"} == {0, 1, 2}
    for move in moves:
        assert (move["move"] in move["best_moves"]) == (move["loss"] == 0)
    large = ("match", "perfect", "ai2", "--game", "4x4k4", "--review", "--format", "json")
    shown = json_of(run_here(*large, data=solutions.of("4x4k4")))
    assert {move["game"] for move in shown} == {1, 2}
    assert {move["loss"] for move in shown if move["ai"] == "perfect"} == {0}


def test_fast_matches_are_other_games_of_the_same_chances(marubatsu: Marubatsu) -> None:
    command = ("match", "ai14s", "ai2", "--games", "100000", "--fast", "--seed", "3")
    rows = rows_of(marubatsu, *command)
    assert rows == rows_of(marubatsu, *command)
    circle, cross, total = rows
    assert circle["lose"] == cross["lose"] == 0
    assert abs(circle["win"] / 100_000 - 95 / 96) < 0.002
    assert total["games"] == 200_000
    assert rows != rows_of(marubatsu, *command[:-1], "4")


def test_perfect_play_of_a_large_game_needs_its_solution(
    marubatsu: Marubatsu, solutions: Solutions
) -> None:
    done = marubatsu("match", "perfect", "ai2", "--game", "8x7k4-gravity")
    require_refused(done, "8x7k4-gravity is too large to be solved on one machine", code=1)
    solved = "match perfect ai2 perfect_sv ai2 --game 4x4k4 --games 20 -f json"
    rows = json_of(run_here(*solved.split(), data=solutions.of("4x4k4")))
    assert [(row["games"], row["lose"]) for row in rows] == [(20, 0), (20, 0), (40, 0)] * 2


def test_the_list_of_ais_is_the_registry(marubatsu: Marubatsu) -> None:
    rows = rows_of(marubatsu, "ais")
    assert [row["ai"] for row in rows] == [ai.name for ai in all_ais()]
    ai14s = next(row for row in rows if row["ai"] == "ai14s")
    assert ai14s["parameters"] | {"score_victory": 300} == ai14s["parameters"]
    assert "score_victory=300, score_sure_victory=200" in marubatsu("ais").stdout


Played = Callable[..., str]


@pytest.fixture
def played(root: Path, solutions: Solutions) -> Played:
    """Return a function that plays by lines that a person might type, and returns what is said."""

    def play(
        lines: str, ai: str = "ai1", side: str = "circle", game: str = "tictactoe",
        data: Path = root,
    ) -> str:  # fmt: skip
        out = StringIO()
        opener = partial(oracle, game, data=data)
        TerminalGame(Game(game), find(ai), side, Random(0), opener).play(StringIO(lines), out)
        return out.getvalue()

    return play


def test_a_person_wins_against_the_first_ai(played: Played) -> None:
    output = played("4\n2\n6\n")
    assert "you are o, ai1 is the other side" in output
    assert "ai1 plays 0" in output
    assert "you win" in output
    assert " x | x | o\n---+---+---\n 3 | o | 5\n---+---+---\n o | 7 | 8" in output
    review = output.partition("review")[2]
    assert "  1. you: 4, draws" in review
    assert "  4. ai1: 1, loses; a blunder, loss 1, best: 6 (draws)" in review


def test_a_move_can_be_taken_back(played: Played) -> None:
    output = played("8\nundo\n4\nquit\n")
    assert output.count("your move: ") == 4
    assert "  1. you: 4, draws" in output
    assert "you: 8" not in output
    assert "the game is left unfinished" in output
    assert "'+4' is no move here" in played("+4\nquit\n")
    assert "there is no move of yours to take back" in played("undo\nquit\n")
    assert "ai1 plays" in played("q\nquit\n", game="17x3k3-gravity")  # a column
    as_cross = played("undo\n4\nundo\n2\nquit\n", side="cross")
    assert "there is no move of yours to take back" in as_cross
    assert "you: 2" in as_cross
    assert "you: 4" not in as_cross


def test_hints_show_what_every_move_leads_to(played: Played, solutions: Solutions) -> None:
    output = played("1\nhint\nquit\n", ai="perfect_sv")
    hints = re.findall(r"(\d): (wins|draws|loses) in (\d) pl", output)
    assert len({move for move, _, _ in hints}) == 7
    assert [result for _, result, _ in hints] == sorted(
        (result for _, result, _ in hints), key=["wins", "draws", "loses"].index
    )
    solved = played("hint\n0\nquit\n", ai="ai2", game="4x4k4", data=solutions.of("4x4k4"))
    assert "  0: draws in 16 plies\n" in solved
    assert "  1. you: 0, draws" in solved.partition("review")[2]


def test_without_data_there_is_no_hint_and_no_review(played: Played, tmp_path: Path) -> None:
    output = played("hint\n48\nquit\n", ai="ai2", game="8x7k4-gravity", data=tmp_path)
    large = "8x7k4-gravity"
    reason = f"{large} is not solved in {tmp_path}: {large} is too large to be solved on"
    assert f"there are no hints: {reason}" in output
    assert f"there is no review: {reason}" in output
    file = tmp_path / "file"
    file.touch()
    output = played("hint\n3\nquit\n", data=file / "below")
    assert "there are no hints: cannot create" in output
    assert "  1. you: 3" in output


@pytest.mark.parametrize("line", ["9", "-1", "four", "0 ", "٣", "1" * 50, "\x1b[2J"])
def test_a_wrong_move_is_refused(line: str, played: Played) -> None:
    output = played(f"4\n{line}\nquit\n")
    assert "is no move here: expected one of 1, 2, 3, 5, 6, 7, 8" in output
    assert "\x1b" not in output


def test_wide_signs_of_an_input_method_are_read(played: Played) -> None:
    output = played("４\nｈｉｎｔ\nｂ３\nquit\n")  # noqa: RUF001
    assert "you: 4" in output
    assert "you: 1" in output
    assert "is no move" not in output


def test_play_is_a_command(marubatsu: Marubatsu) -> None:
    done = marubatsu("play", "ai1", "--seed", "0")
    assert done.returncode == 0
    assert "the game is left unfinished" in done.stdout
    assert "review" not in done.stdout
    begun = marubatsu("play", "ai1", "--seed", "0", "--from", "b2 a3", "--side", "cross")
    assert "ai1 plays" in begun.stdout
    assert begun.stdout.count("o") > 0
