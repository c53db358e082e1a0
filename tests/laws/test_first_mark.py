"""Which side begins on a user's boards."""

import pytest

from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.support.first_mark import FIRST, is_exchanged

pytestmark = pytest.mark.quick


def test_marks_are_exchanged_and_nothing_else() -> None:
    assert exchange_marks("xo.ox-") == "ox.xo-"
    assert exchange_marks(exchange_marks("o.x......")) == "o.x......"


def test_o_begins_unless_x_is_named() -> None:
    assert [is_exchanged(first) for first in (FIRST, "o", "O", "x", "X")] == [False] * 3 + [
        True
    ] * 2


@pytest.mark.parametrize("first", ["", "ox", "cross", "0", 0, None, True, "y", b"x"])
def test_no_mark(first: object) -> None:
    with pytest.raises(OptionError, match="expected o or x"):
        is_exchanged(first)
