"""Which side begins on a user's boards."""

from typing import Any

import pytest

from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.judge.agents.agent_limits import limits_of
from marubatsu.pipeline.support.errors import OptionError

pytestmark = pytest.mark.quick


def test_marks_are_exchanged_and_nothing_else() -> None:
    assert exchange_marks("xo.ox-") == "ox.xo-"
    assert exchange_marks(exchange_marks("o.x......")) == "o.x......"


def test_o_begins_unless_x_is_named() -> None:
    assert not limits_of().is_exchanged
    assert [limits_of(first=first).is_exchanged for first in ("o", "O", "x", "X")] == [
        False, False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize("first", ["", "ox", "cross", "0", 0, None, True, "y", b"x"])
def test_no_mark(first: Any) -> None:
    with pytest.raises(OptionError, match="expected o or x"):
        limits_of(first=first)
