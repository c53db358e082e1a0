"""The fingerprint of code: a hash of modules, without comments and docstrings.

A table is stale when the code that made it has changed its meaning. So every maker of a table names
the rooms and modules whose code decides it, and a fingerprint covers exactly those.
"""

import hashlib
import re
import sys
from collections.abc import Mapping
from functools import cache

from marubatsu.pipeline.support.resources import PACKAGE

WRITER_CODE = ("pipeline.tables.parquet", "pipeline.tables.columns", "pipeline.tables.schemas")
"""The modules that write every table."""

PYARROW = "pyarrow"
"""The name of the library among the modules."""

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
    return {PYARROW: _version_of_pyarrow(), **code_of_rows(*names, *WRITER_CODE)}


@cache
def code_of_rows(*names: str) -> Mapping[str, str]:
    """Return what decides the rows of a table, however a file stores them: code alone."""
    return {name: _digest(_meaning(name)) for name in modules_of(*names)}


def fingerprint(code: Mapping[str, str]) -> str:
    """Hash the code of a table."""
    return _digest(repr(sorted(code.items())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _version_of_pyarrow() -> str:
    """Return it without importing pyarrow, which takes ten times as long.

    Where it is loaded, that is asked; another thread may just be loading it.
    """
    loaded = getattr(sys.modules.get("pyarrow"), "__version__", None)
    if loaded is not None:
        return str(loaded)
    from importlib.metadata import version

    return version("pyarrow")


@cache
def modules_of(*names: str) -> tuple[str, ...]:
    """Return modules, and all modules in rooms, sorted by name."""
    modules: set[str] = set()
    for name in names:
        path = PACKAGE.joinpath(*name.split("."))
        files = path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]
        modules |= {".".join(file.relative_to(PACKAGE).with_suffix("").parts) for file in files}
    return tuple(sorted(modules))


@cache
def _meaning(module: str) -> str:
    path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    return without_comments(path.read_text(encoding="utf-8"))


def without_comments(source: str) -> str:
    """Return Python code without comments, each docstring replaced by three dots.

    >>> without_comments('x = "# no comment"  # a comment')
    'x = "# no comment"'
    """
    return _SAYS_NOTHING.sub(_kept, source)


def _kept(match: re.Match[str]) -> str:
    if match["indent"] is not None:
        return match["indent"] + "..."
    return match["kept"] or ""
