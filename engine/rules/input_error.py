"""Errors about input: one sentence that quotes the input and says how to correct it."""

from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used; the message quotes it and says how to correct it."""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are like a wrong one; all of them where none is.

    >>> nearest("sampel", ["seed", "sample"])
    ['sample']
    """
    import difflib  # only when something is wrong

    known = list(known)
    return difflib.get_close_matches(name, known, n=3) or known


def quote(text: object, limit: int = 60) -> str:
    """Quote input for an error message: escaped, and cut when it is long.

    What should be text and is something else is quoted as Python writes it, on one line.

    >>> quote("a" * 70, limit=5), quote(5)
    ("'aaaaa…'", '5')
    """
    if not isinstance(text, str):
        text = " ".join(repr(text).split())
        return text if len(text) <= limit else text[:limit] + "…"
    return repr(text if len(text) <= limit else text[:limit] + "…")
