"""The address of an AI: a name, a function in this program or in a file, or another program."""

import shlex
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, unknown
from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.players.roster import all_ais, find
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.frameworks.interfaces import INTERFACES
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.errors import OptionError, UsageError


@dataclass(frozen=True)
class Ours:
    """One of our AIs, with the name that the user gave."""

    name: str
    ai: AI


@dataclass(frozen=True)
class OwnFunction:
    """A function of the program that calls the audit; it runs in this process without limits."""

    name: str
    agent: Any
    interface: str | None = None  # None: ours
    kind = "a function of the program that asks"


@dataclass(frozen=True)
class Recorded:
    """A foreign AI that an audit has saved, and the function that answers what it answered."""

    name: str
    rule: str
    choose: Choose
    kind = "its answers, which an audit has saved"


@dataclass(frozen=True)
class Foreign:
    """A foreign AI, and the arguments that tell its process what to run."""

    name: str  # as the user gave it
    kind: str  # file, module, command
    arguments: tuple[str, ...]
    interface: str | None = None  # None: ours


def parse(spec: str) -> Foreign:
    """Read ``file.py:function`` or ``package.module:function``.

    Raises UsageError, quoting it, when there is no such file or module. The process that runs
    the code checks whether the function exists.
    """
    place = importing.parse(spec, "a function")
    if place is None:
        raise UsageError(
            f"{quote(spec)} names no AI: expected file.py:function, package.module:function, "
            "'command:PROGRAM ARGUMENTS', or a name (marubatsu ais lists them)"
        )
    return Foreign(spec, place.kind, (place.where, place.name))


def parse_command(command: str) -> Foreign:
    """Read a program and its arguments. Raises UsageError when there is no such program."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{quote(command)} is no command: {error}") from None
    if not arguments:
        raise UsageError(
            "command: names no program: expected one as in 'command:program arguments'"
        )
    if shutil.which(arguments[0]) is None:
        raise UsageError(f"there is no program {quote(arguments[0])}: expected one on the path")
    return Foreign(command, "command", tuple(arguments))


COMMAND = "command:"
"""The beginning of the address of a program."""

Stranger: TypeAlias = OwnFunction | Recorded | Foreign
Subject: TypeAlias = Ours | Stranger


def subjects(
    specs: Iterable[str | Choose], data_set: DataSet, interface: str | None = None
) -> list[Subject]:
    """Return the AIs at addresses; those that are neither ours nor saved speak an interface.

    Raises as `subject` does, and UsageError when there is no such interface, when nobody could
    speak it, and when only programs speak it, or none.
    """
    found = [subject(spec, data_set) for spec in specs]
    if interface is None:
        return found
    if interface not in INTERFACES:
        *most, last = INTERFACES
        raise OptionError("interface", interface, f"expected {', '.join(most)} or {last}")
    if not any(isinstance(whom, OwnFunction | Foreign) for whom in found):
        names = " and ".join(quote(whom.name) for whom in found)
        are = "are" if len(found) > 1 else "is"
        raise OptionError(
            "interface", interface,
            f"this tells how a foreign agent is asked, and {names} {are} ours or saved; leave it "
            "out",
        )  # fmt: skip
    return [_speaking(whom, interface) for whom in found]


def _speaking(whom: Subject, interface: str) -> Subject:
    """Return an AI that speaks an interface; one of ours, or a saved one, as it is."""
    if isinstance(whom, Ours | Recorded):
        return whom
    is_program = whom.kind == "command"
    if INTERFACES[interface].of_programs and not is_program:
        raise OptionError(
            "interface", interface,
            f"programs speak it, and {quote(whom.name)} is none; expected 'command:PROGRAM "
            "ARGUMENTS'",
        )  # fmt: skip
    if is_program and not INTERFACES[interface].of_programs:
        raise OptionError(
            "interface", interface,
            f"functions and objects speak it, and {quote(whom.name)} is a program; expected "
            "file.py:name or package.module:name",
        )  # fmt: skip
    return replace(whom, interface=interface)


def subject(spec: str | Choose, data_set: DataSet) -> Subject:
    """Return the AI at an address; saved ones belong to a data set.

    Raises UsageError or AIError, quoting a name that fits none; DataError when it is none of ours
    and the saved ones are damaged.
    """
    if isinstance(spec, str) and spec.startswith(COMMAND):
        return parse_command(spec.removeprefix(COMMAND))
    if not isinstance(spec, str):
        return OwnFunction(getattr(spec, "__qualname__", type(spec).__name__), spec)
    name = spec.partition(":")[0]
    if spec.endswith(".py"):
        raise UsageError(f"{quote(spec)} names no function: expected one as in {spec}:choose")
    if any(ai.name == name for ai in all_ais()):
        return Ours(spec, find(spec))
    return parse(spec) if ":" in spec else _recorded(spec, data_set)


def _recorded(name: str, data_set: DataSet) -> Recorded:
    """Return a saved AI. Raises AIError, with names that exist, when there is none."""
    from marubatsu.pipeline.agents.saved_ais import recorded

    saved = recorded(data_set)
    if name not in saved:
        raise unknown(name, [ai.name for ai in all_ais()], saved)
    return saved[name]
