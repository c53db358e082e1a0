"""AIs of the tutorial series: unchanged, they play what our AIs of the same rule play."""

import importlib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.interfaces import INTERFACES, AnswerError, NoAgentError, chooser
from marubatsu.judge.bridges import series
from marubatsu.judge.bridges.series import Markpat, Marubatsu

TICTACTOE = Game("tictactoe")
BOARD, LEGAL = "ox..o....", [2, 3, 5, 6, 7, 8]


@pytest.fixture(scope="module")
def ais() -> Iterator[ModuleType]:
    """Import AIs as the process of an AI does: it lends them the names of the series."""
    with pytest.MonkeyPatch.context() as patch:
        for name in INTERFACES["series"].names:
            patch.setattr(mb, name, getattr(series, name), raising=False)
        module = importlib.import_module("tests.helpers.frameworks.series_ais")
        patch.setattr(module, "choice", list)
        yield module


@pytest.mark.parametrize("name", ["ai1", "ai2", "ai3", "ai4", "ai5", "ai6", "ai7", "ai8s"])
def test_an_ai_of_the_series_gets_the_audit_of_ours(name: str, ais: ModuleType, root: Path) -> None:
    theirs = mb.audit(getattr(ais, name), interface="series", sample="all", data=root)
    ours = mb.audit(name, sample="all", data=root)
    assert theirs.interview.findings == []
    assert (theirs.verdicts, theirs.blunders) == (ours.verdicts, ours.blunders)


def test_the_game_of_the_series_keeps_its_names() -> None:
    game = Marubatsu(3)
    assert (game.turn, game.last_turn, game.last_move) == ("o", None, (-1, -1))
    for move in (1, 1), (0, 2), (0, 0):
        game.move(*move)
    game.move(game.board.xy_to_move(2, 2))
    assert (game.turn, game.last_turn, game.last_move, game.move_count) == ("o", "x", (2, 2), 4)
    assert (game.board[0][2], game.board.getmark(2, 2), game.BOARD_SIZE) == ("x", "x", 3)
    assert game.calc_legal_moves() == [(1, 0), (2, 0), (0, 1), (2, 1), (1, 2)]
    assert str(game) == "Turn o\no..\n.o.\nx.X\n"
    assert game.count_markpats()[Markpat(2, 0, 1)] == 1
    copied = deepcopy(game)
    copied.move(7 - 2)
    copied.unmove()
    assert vars(copied) == vars(game)
    copied.move(1, 2)
    assert game.board.getmark_by_move(5) == ".", "a copy is another board"
    copied.move(1, 0)
    assert copied.status == copied.judge() == Marubatsu.PLAYING
    game.restart()
    for move in (0, 0), (1, 0), (0, 1), (1, 1), (0, 2):
        game.move(*move)
    assert game.status == "o"
    assert game.is_winner("o")
    assert not game.is_winner("x")
    assert game.calc_legal_moves() == []
    assert str(game) == "winner o\nox.\nox.\nO..\n"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda game: game.move(1, 1), r"\(1, 1\) is no legal move: expected one of \[\(2, 0\)"),
        (lambda game: game.move(9), r"\(3, 0\) is no legal move"),
        (lambda game: Marubatsu().unmove(), "no move to take back on the empty board"),
        (lambda game: Marubatsu(game=Game("4x3k3")).BOARD_SIZE, "a board of 4x3 has no BOARD_SIZE"),
    ],
)
def test_the_game_of_the_series_obeys_the_rules(use: Any, message: str) -> None:
    with pytest.raises((ValueError, AttributeError), match=message):
        use(Marubatsu.after(TICTACTOE, [0, 1, 4]))


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ((2, 0), 2), (6, 2), (1, 3), ([(2, 0), 5], [(2, 1.0), (7, 1.0)]), ([(2, 0), 6], 2),
        ({"candidate": [(0, 2)], "score_by_move": {}}, 6), (np.int64(6), 2),
        ((np.int64(2), np.int64(0)), 2), (np.array([6, 1]), "wrong answer"),
        (None, "no move"), ([], "no move"), ({}, "no move"),
        ((1, 1), "illegal move"), (9, "illegal move"), (-1, "illegal move"), ((3, 0), "illegal mo"),
        ("b2", "wrong answer"), (2.0, "wrong answer"), (True, "wrong answer"),
        ((2, 0, 1), "wrong answer"), ([[2, 0]], "wrong answer"),
    ],
)  # fmt: skip
def test_answers_of_an_ai_of_the_series(answer: Any, read: Any) -> None:
    choose = chooser("series", lambda mb: answer, TICTACTOE)
    if not isinstance(read, str):
        assert choose(BOARD, LEGAL) == read
        return
    with pytest.raises(AnswerError) as caught:
        choose(BOARD, LEGAL)
    assert caught.value.fault.kind.startswith(read)


def test_an_ai_of_the_series_takes_the_game_alone(root: Path) -> None:
    with pytest.raises(
        NoAgentError, match=r"<lambda> takes \(mb, debug\): expected <lambda>\(mb\)"
    ):
        chooser("series", lambda mb, debug: None, TICTACTOE)
    with pytest.raises(mb.UsageError, match=r"interface='series' \(the game of the tutorial serie"):
        mb.audit(lambda mb: None, data=root)
    with pytest.raises(mb.UsageError, match=r"debug would be .*interface='series' \(the game of"):
        mb.audit(lambda mb, debug=False: mb.calc_legal_moves()[0], data=root)
