"""The time, memory and threads of a search that answers, and how users choose them.

Commands and the public functions have the same defaults. They start fast, so this imports nothing.
"""

ANSWER_SECONDS = 60.0
"""The default time of a search for one answer."""

MOVE_SECONDS = 5.0
"""The time of a search for a move of an AI, or for one position of a recorded game."""

AUDIT_SECONDS = 10.0
"""The time of a search for one position that an audit draws."""

MEMORY = "135MB"
"""The default table of a search: 2**24 entries of 8 bytes, a power of two."""

LONGEST = 86_400
"""Seconds that a user may give: a day."""


MOST_THREADS = 64
"""The most threads of a search."""


def checked_threads(number: object) -> int:
    """Return the number of threads of a search. Raises OptionError for one that makes no sense.

    >>> checked_threads(2)
    2
    """
    from marubatsu.pipeline.support.errors import whole

    return whole("threads", number, 1, MOST_THREADS)


def checked_time(seconds: object, *, may_be_zero: bool = True) -> float:
    """Return the time of a search. Raises UsageError for one that makes no sense.

    >>> checked_time(0.5)
    0.5
    """
    if not (
        isinstance(seconds, int | float) and 0 <= seconds <= LONGEST and (may_be_zero or seconds)
    ):
        from marubatsu.pipeline.support.errors import OptionError

        expected = "0 to" if may_be_zero else "more than 0, at most"
        raise OptionError("time", seconds, f"expected {expected} {LONGEST:,} seconds")
    return seconds
