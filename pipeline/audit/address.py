"""What a user names as an AI: one of ours, a function in a file or module, or a program."""

import shlex
import shutil
from dataclasses import dataclass

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.errors import UsageError


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
    place = importing.parse(spec, "a function")
    if place is None:
        raise UsageError(
            f"{quote(spec)} names no AI: expected file.py:function, package.module:function, "
            "--command PROGRAM, or the name of one of ours (marubatsu audit lists them)"
        )
    return Foreign(spec, place.kind, (place.where, place.name))


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
