"""Errors about input: one sentence that quotes the input and says how to correct it."""


class InputError(ValueError):
    """Input that cannot be used; the message quotes it and says how to correct it."""


def quote(text: str, limit: int = 60) -> str:
    """Quote input for an error message: escaped, and cut when it is long.

    >>> quote("a" * 70, limit=5)
    "'aaaaa…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")
