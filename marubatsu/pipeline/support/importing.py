"""Code that may be missing: a user's own, and the libraries that only some commands need.

A user's own code is ``file.py:name``, ``package.module:name`` or ``package.module:object.name``.
"""

import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.machinery import PathFinder, all_suffixes
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.resources import PACKAGE, is_checkout


class CodePlace(NamedTuple):
    """A name in a file or module."""

    kind: str  # file, module
    where: str
    name: str


def is_file(name: str | Path) -> bool:
    """Return whether there is a file of this name, which may be any text, also a very long one."""
    return os.path.isfile(name)  # noqa: PTH113, its method raises OSError before Python 3.14


def code_place(spec: str, expected: str) -> CodePlace | None:
    """Read the place of a name; return None for text of another form.

    Raises UsageError, quoting it, when there is no such file or module; ``expected`` names
    the object. The process that runs the code checks whether the name exists.
    """
    where, colon, name = spec.rpartition(":")
    if not colon or not where or not all(part.isidentifier() for part in name.split(".")):
        return None
    is_named = Path(where).suffix or "/" in where  # as no module is
    if is_named and is_file(where) and not where.endswith(tuple(all_suffixes())):
        raise UsageError(
            f"{quote(where)} is no file that Python imports: expected one that ends in .py, as "
            "`jupyter nbconvert --to script` makes of a notebook"
        )
    if where.endswith(".py") or "/" in where:
        if not is_file(where):
            raise UsageError(f"there is no file {quote(where)}: expected one with {expected}")
        return CodePlace("file", where, name)
    if not all(part.isidentifier() for part in where.split(".")):
        raise UsageError(
            f"{quote(spec)} names no file and no module: expected file.py:{name} or "
            f"package.module:{name}"
        )
    top = where.split(".")[0]
    if where == PACKAGE.name and is_file(f"{top}.py"):
        raise UsageError(
            f"{quote(spec)} names the package {top}, not {top}.py: expected {top}.py:{name}"
        )
    is_here = is_file(f"{top}.py") or os.path.isdir(top)  # noqa: PTH112, as in `is_file`
    if not is_here and top not in sys.stdlib_module_names and not importlib.util.find_spec(top):
        raise UsageError(f"there is no module {quote(where)}: expected one that Python can import")
    return CodePlace("module", where, name)


def list_folder(kind: str, where: str) -> None:
    """Let Python list the folder that `load` imports from; it remembers the names of modules.

    In a home folder, Landlock lets an agent read the modules later, but not list the folder.
    """
    PathFinder.find_spec("any", [_folder(kind, where)])


def _folder(kind: str, where: str) -> str:
    return str(Path.cwd() if kind == "module" else Path(where).resolve().parent)


def load(kind: str, where: str) -> ModuleType:
    """Import a file, or a module from here or the environment. Raises whatever the code raises."""
    sys.path.insert(0, _folder(kind, where))
    if kind == "module":
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location("named_by_user", where)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["named_by_user"] = module
    spec.loader.exec_module(module)
    return module


def load_class(spec: str, place: CodePlace, is_one: Callable[[type], bool], what: str) -> Any:
    """Import a user's code, which prints to standard error, and return what has the name there.

    Raises DataError when the code fails, and UsageError when nothing has the name: it lists the
    classes for which ``is_one`` is true, or says that there is no ``what``.
    """
    try:
        with redirect_stdout(sys.stderr), no_exit():
            module = load(place.kind, place.where)
    except Exception as error:  # noqa: BLE001, a module may raise anything
        raise not_loaded(spec, error) from None
    value: Any = getattr(module, place.name, None)
    if value is None:
        there = [n for n, each in vars(module).items() if isinstance(each, type) and is_one(each)]
        has = ", ".join(there) or f"no {what}"
        raise UsageError(f"{place.name} is not there: {place.where} has {has}")
    return value


def not_loaded(spec: str, error: Exception) -> DataError:
    """Return the error for a user's code that fails while it is loaded."""
    return DataError(f"{spec} cannot be loaded: {type(error).__name__}: {error}")


class ExitError(DataError):
    """A user's code that ends the process."""


@contextmanager
def no_exit() -> Iterator[None]:
    """Run a user's code. Raises ExitError for sys.exit, which would look like success.

    SIGTERM still ends the process.
    """
    try:
        yield
    except SystemExit as error:
        if error.code == 128 + signal.SIGTERM:
            raise
        raise ExitError("sys.exit ends the process") from error


EXTRAS = {
    "solve": ("numba",),
    "explore": ("starlette", "anyio", "uvicorn", "h11"),
    "plot": ("matplotlib",),
    "prove": ("scipy",),
    "mcp": ("mcp",),
    "spark": ("pyspark",),
}
"""The libraries that only some commands need, by the extra that installs each (pyproject.toml)."""

PINNED = EXTRAS.keys() - {"mcp"}
"""The extras whose versions the checkout pins, and installs by make."""


def not_installed(error: ModuleNotFoundError) -> UsageError | None:
    """Return an error that names the missing extra; None for a library of no extra."""
    library = (error.name or "").partition(".")[0]
    for extra, libraries in EXTRAS.items():
        if library in libraries:
            return UsageError(
                f"this needs {library}, which is not installed: {how_to_install(extra)}"
            )
    return None


def how_to_install(extra: str) -> str:
    """Say how to install an extra."""
    if extra in PINNED and is_checkout():  # The Makefile makes its environment.
        return f"run `make {'spark' if extra == 'spark' else 'data'}` in the checkout"
    return f"pip install 'marubatsu[{extra}]'"
