"""Where things are: the files that come with the code, and the folder of the data."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError

PACKAGE = Path(__file__).resolve().parents[2]
"""The folder of the import package."""


def _shipped(name: str) -> Path:
    """Return a folder that a wheel has in the package, and a checkout next to it."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


QUERIES = _shipped("queries")
REFERENCE = QUERIES / "reference"
PAGE = _shipped("explorer")


def is_checkout() -> bool:
    """Return whether the code runs from a checkout, which has its own ``data/``."""
    return (PACKAGE.parent / "pyproject.toml").is_file()


def data_root(option: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the folder of the data: the option, else MARUBATSU_DATA, else the default.

    Raises UsageError when it cannot be a folder.
    """
    named = environment.get("MARUBATSU_DATA")
    root = option or (Path(named) if named else _default_root())
    with suppress(RuntimeError):  # There is no such user.
        root = root.expanduser()
    wrong = _why_no_root(root)
    if wrong:
        from marubatsu.pipeline.support.cures import Cure

        raise UsageError(f"{quote(str(root))} {wrong}: {Cure('data')}")
    return root


def _why_no_root(root: Path) -> str | None:
    """Say why a path cannot be the folder of the data; None when it can."""
    if str(root).startswith("~"):
        return "names the home folder of an unknown user"
    if root.is_symlink() and not root.exists():
        return "is a link that leads to no folder"
    if root.exists() and not root.is_dir():
        return "is a file, expected a folder"
    try:
        os.path.realpath(root).encode()
    except UnicodeEncodeError:  # DuckDB and Arrow cannot open its files.
        return "has a name that is not UTF-8"
    return None


def _default_root() -> Path:
    """Return the default folder of the data: the checkout's, else the user's data folder."""
    if is_checkout():
        return PACKAGE.parent / "data"
    from platformdirs import user_data_path

    return user_data_path("marubatsu", appauthor=False)


def near(path: Path) -> Path:
    """Return a path as people write it: relative when it is below the working directory."""
    try:
        here = Path.cwd()
    except OSError:  # The working directory was deleted.
        return path
    return path.relative_to(here) if path.is_relative_to(here) else path
