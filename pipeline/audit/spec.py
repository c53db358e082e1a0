"""What a user names as an AI: one of ours, a function in a file or module, or a program."""

import importlib.util
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from engine.game import quote
from pipeline.errors import UsageError


@dataclass(frozen=True)
class Foreign:
    """A foreign AI, and how its process is told what to run."""

    name: str  # as the user gave it
    kind: str  # file, module, command
    arguments: tuple[str, ...]


def parse(spec: str) -> Foreign:
    """Read ``file.py:function`` or ``package.module:function``.

    Raises UsageError, quoting it, when there is no such file or module. Whether the function is
    there is found out where the code may run.
    """
    place, colon, function = spec.rpartition(":")
    if not colon or not place or not function.isidentifier():
        raise UsageError(
            f"{quote(spec)} names no AI: expected file.py:function, package.module:function, "
            "--command PROGRAM, or the name of one of ours (marubatsu audit lists them)"
        )
    if place.endswith(".py") or "/" in place:
        if not Path(place).is_file():
            raise UsageError(f"there is no file {quote(place)}: expected one with a function")
        return Foreign(spec, "file", (place, function))
    if not all(part.isidentifier() for part in place.split(".")):
        raise UsageError(f"{quote(place)} is the name of no module: expected one as package.module")
    top = place.split(".")[0]
    here = (Path(top).with_suffix(".py").is_file(), Path(top).is_dir())
    if not any(here) and top not in sys.stdlib_module_names and not importlib.util.find_spec(top):
        raise UsageError(f"there is no module {quote(place)}: expected one that Python can import")
    return Foreign(spec, "module", (place, function))


def parse_command(command: str) -> Foreign:
    """Read a program and its arguments. Raises UsageError when there is no such program."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{quote(command)} is no command: {error}") from None
    if not arguments:
        raise UsageError("--command names no program: expected one as in --command 'program args'")
    if shutil.which(arguments[0]) is None:
        raise UsageError(f"there is no program {quote(arguments[0])}: expected one on the path")
    return Foreign(command, "command", tuple(arguments))
