"""Logs that frameworks themselves write: the review reads every move and result of their games.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each framework is installed apart; its games
run in a process of its own, which `tests/helpers/frameworks/framework_logs.py` is.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import cell_of_move
from marubatsu.engine.rules.position import EMPTY, Status
from marubatsu.judge.review.game_logs import READERS, format_of
from marubatsu.judge.review.recorded_game import ZEROS, LogOptions, RecordedGame, open_log
from tests.helpers.frameworks import framework_logs
from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with

PACKAGES = {
    "textarena": FRAMEWORKS["textarena"],
    "kaggle": (*FRAMEWORKS["kaggle"], *FRAMEWORKS["openspiel"]),
    "openenv": ("openenv",),
}
"""The packages for each framework."""


def replayed(recorded: RecordedGame) -> tuple[list[int], str | None]:
    """Return the moves of a game, -1 for an illegal one, and its result by the moves."""
    assert recorded.game is not None
    assert recorded.numbering is not None
    game, here, moves = Game(recorded.game), EMPTY, []
    for move in recorded.moves:
        cell = None if move is None else cell_of_move(game, here, move, recorded.numbering)
        if cell is None:
            moves.append(-1)
            break
        assert isinstance(move, int)
        moves.append(move)
        here = here.after(cell)
    status = game.status(here)
    return moves, None if status is Status.PLAYING else status.word


def won_by(scores: list[float | None]) -> str | None:
    first, second = scores
    if first is None or second is None:
        return None
    return "draw" if first == second else "circle" if first > second else "cross"


def require_truth(file: Path, form: str, truth: list[dict[str, Any]]) -> None:
    log = open_log(file, LogOptions())
    assert format_of(log) == form
    games = list(READERS[form](log))
    assert len(games) == len(truth)
    for game, true in zip(games, truth, strict=True):
        moves, result = replayed(game)
        assert game.game is not None
        assert Game(game.game) == Game(true["game"])
        assert moves == true["moves"]
        stated = "draw" if game.result == ZEROS else game.result  # As far as its moves go.
        assert stated == won_by(true["result"])
        assert game.contradiction is None
        if -1 not in moves and stated is not None:
            assert result == stated


@outside
@pytest.mark.parametrize("framework", PACKAGES)
def test_a_log_of_a_framework_is_read_as_it_was_played(
    framework: str, apart: Apart, tmp_path: Path
) -> None:
    folder = apart.packages(*PACKAGES[framework], beside_ours=False)
    file = tmp_path / "log"
    played = run_with(folder, framework_logs.__file__, framework, file, ours=False)
    assert played.returncode == 0, played.stderr
    require_truth(file, framework, json.loads(played.stdout.splitlines()[-1]))
