"""The games of a log, as the reader of logs gives them, and the error of one that is refused."""

from typing import Any

import pytest

from marubatsu.judge.review.game_logs import READERS, format_of
from marubatsu.judge.review.recorded_game import LogFile, LogOptions, RecordedGame, Token
from marubatsu.pipeline.support.errors import UsageError

Read = tuple[str, str, list[Token], str | None]
"""The players, who begins first, the moves and the result of a game."""


def games_of(content: str | bytes, **options: Any) -> list[RecordedGame]:
    data = content.encode() if isinstance(content, str) else content
    log = LogFile("log", data, LogOptions(**options))
    return list(READERS[format_of(log)](log))


def read(content: str | bytes, **options: Any) -> list[Read]:
    """Read the players, moves and results of a log."""
    return [(*game.players, list(game.moves), game.result) for game in games_of(content, **options)]


def refusal(content: str | bytes, **options: Any) -> str:
    """Return the error of a log that is refused."""
    with pytest.raises(UsageError) as raised:
        read(content, **options)
    assert "\n" not in str(raised.value)
    return str(raised.value)
