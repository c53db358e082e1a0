"""Logs at the borders of the formats: read in the one right way, or refused with the way on."""

from pathlib import Path

import pytest

import marubatsu as mb
from marubatsu.pipeline.support.errors import UsageError

TABLE = "first,second,moves\nann,bob,4 0 8\n"


def players(log: Path, text: str) -> set[str]:
    """Review a log, and return the names of its players."""
    log.write_text(text, encoding="utf-8")
    return set(mb.review(log, "tictactoe").leaderboard.column("player"))


@pytest.mark.parametrize(
    "text",
    [
        f"# games of 2024\n{TABLE}",
        f"\n\n{TABLE}",
        f"sep=,\n{TABLE}",
        f"\ufeff# games\n{TABLE}",
        "#,first,second,moves\n1,ann,bob,4 0 8\n",  # a column called #
        'first,second,moves\nann,bob,"[np.int64(4), np.int64(0), np.int64(8)]"\n',
        '{"Players": ["ann", "bob"], "Moves": [4, 0, 8]}\n',
        '{"players": {"1": "ann", "2": "bob"}, "moves": [4, 0, 8]}\n',
        '{"players": {"0": "ann", "1": "bob"}, "moves": [4, 0, 8]}\n',
    ],
)
def test_games_of_ann_and_bob(tmp_path: Path, text: str) -> None:
    assert players(tmp_path / "log", text) == {"ann", "bob"}


@pytest.mark.parametrize(
    "text", ["[4, 0, 8]\n[4, 1]\n", "['b2', 'a3']\n", '[White "?"]\n[Black "?"]\n\n1. b2 a3 *\n']
)
def test_games_without_names(tmp_path: Path, text: str) -> None:
    assert players(tmp_path / "log", text) == {"circle", "cross"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("first,second,moves\nann,bob,\n", "no game in '.*' has a move or a result"),
        ('{"moves": []}\n', "no game in '.*' has a move or a result"),
        ("ann - bob:\n", "no game in '.*' has a move or a result"),
        ('{"games": [{"moves": [4, 0]}]}', "the games are inside 'games': expected each as an"),
        ('{"data": {"moves": [4, 0]}}', "the games are inside 'data'"),
        ('{"all": {"1": {"moves": [4]}}}', "the games are inside 'all'"),
        ("[[4, 0, 8], [4, 1]]", r"'\[4, 0, 8\]' is no move"),
        ("[4, None, 0]\n", "'None' is no move of tictactoe"),
        ("0 0 0 1 0 0 0 2 0\n", "looks like a board"),
        ("0,0,0,0,1,0,0,0,-1\n", "looks like a board"),
        ("ann - bob 4 0 8\n", "'ann' is no move: expected a colon between names and moves"),
        ("4 0 8 resigns\n", "the option results gives it a meaning, as in resigns=first"),
        (
            "4 0 1 3 7 1:0\n",
            "expected the names of two players, .*; got '4 0 1 3 7 1' before the colon",
        ),
    ],
)
def test_what_is_no_game_is_refused_with_the_way_on(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        players(tmp_path / "log", text)


def test_a_game_without_moves_counts_by_its_result(tmp_path: Path) -> None:
    assert players(tmp_path / "log", '{"moves": [], "result": "1-0"}\n') == {"circle", "cross"}
    assert players(tmp_path / "log", "4 0 8\n[]\n") == {"circle", "cross"}
