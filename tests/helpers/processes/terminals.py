"""What appears on a terminal."""

import os
from contextlib import suppress


def shown_on(terminal: int) -> str:
    """Read all that appears on a terminal until its other end is closed, and close this end.

    A terminal may pass on line by line, so one reading is not enough.
    """
    shown = b""
    with suppress(OSError):  # Linux tells in this way that the other end is closed.
        while chunk := os.read(terminal, 4096):
            shown += chunk
    os.close(terminal)
    return shown.decode()
