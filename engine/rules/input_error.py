"""What is wrong with input: one sentence that quotes it and tells the cure."""


class InputError(ValueError):
    """Input that names nothing we can work on; the message quotes it and tells the cure."""


def quote(text: str, limit: int = 60) -> str:
    """Quote input for an error message: escaped, and cut when it is long.

    >>> quote("a" * 70, limit=5)
    "'aaaaa…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")
