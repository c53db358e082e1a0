"""The text that a user gives to a command, in a file or on standard input."""

import sys
from pathlib import Path

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError


def input_text(file: Path | None, most: int, expected: str) -> str:
    """Return the text of a file or of standard input. Raises UsageError."""
    from marubatsu.pipeline.tables.plain_text import NoTextError, text_of

    where = "standard input" if file is None else quote(str(file))
    try:
        if file is None:
            content = sys.stdin.buffer.read(most + 1)
        else:
            with file.open("rb") as opened:
                content = opened.read(most + 1)
        if len(content) > most:
            raise UsageError(f"{where} holds more than {most:,} bytes: expected {expected}")
        return text_of(content)
    except (NoTextError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {where}: {reason}") from None
