"""Fingerprints of the code that decides a table.

A table is stale when that code differs in more than comments and docstrings.
"""

import hashlib
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from marubatsu.pipeline.support.resources import PACKAGE

WRITER_CODE = ("pipeline.tables.parquet", "pipeline.tables.schemas")
"""The modules that write every table."""

_TEXT = r'"{3}(?:\\.|(?!"{3})[^\\])*"{3}'
_SAYS_NOTHING = re.compile(
    rf"""
    (?P<indent>^[ ]*) r?{_TEXT} [ ]*$       # a docstring: a string that is a statement
    | (?P<kept>{_TEXT}|"(?:\\.|[^"\\\n])*")  # any other string, in which a # begins no comment
    | ^[ ]*\#[^\n]*\n                        # a line that is a comment
    | [ ]*\#[^\n]*                           # a comment at the end of a line
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


@cache
def code_of_file(*names: str) -> Mapping[str, str]:
    """Return what decides the bytes of a table: modules by name, each with a hash of its code.

    These are the modules, those in rooms, with names as in ``engine.rules``, and the modules that
    write every table. The version of pyarrow, which writes the files, is among them.
    """
    version = getattr(sys.modules.get("pyarrow"), "__version__", None)
    if version is None:  # To import pyarrow takes ten times as long as to look it up.
        from importlib import metadata

        version = metadata.version("pyarrow")
    return {"pyarrow": version, **code_of_rows(*names, *WRITER_CODE)}


@cache
def code_of_rows(*names: str) -> Mapping[str, str]:
    """Return what decides the rows of a table, however a file stores them: code alone."""
    return {name: _digest_of(file) for name, file in modules_of(*names).items()}


def fingerprint(code: Mapping[str, str]) -> str:
    """Hash the code of a table."""
    return _digest(repr(sorted(code.items())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def modules_of(*names: str) -> Mapping[str, Path]:
    """Return the files of modules, and of all modules in rooms, by the names of the modules."""
    modules: dict[str, Path] = {}
    for name in names:
        path = PACKAGE.joinpath(*name.split("."))
        for file in path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
            modules[".".join(file.relative_to(PACKAGE).with_suffix("").parts)] = file
    return dict(sorted(modules.items()))


@cache
def _digest_of(file: Path) -> str:
    return _digest(without_comments(file.read_text(encoding="utf-8")))


def without_comments(source: str) -> str:
    """Return Python code without comments, each docstring replaced by three dots.

    >>> without_comments('x = "# no comment"  # a comment')
    'x = "# no comment"'
    """

    def kept(match: re.Match[str]) -> str:
        return match["kept"] or "" if match["indent"] is None else match["indent"] + "..."

    return _SAYS_NOTHING.sub(kept, source)
