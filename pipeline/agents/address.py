"""The address of an AI: a name, a function in this program or in a file, or another program."""

import shlex
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, AIError, unknown
from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.players.roster import all_ais, find
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.frameworks.interfaces import INTERFACES
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.errors import OptionError, UsageError


@dataclass(frozen=True)
class OurAI:
    """One of our AIs, with the name that the user gave."""

    name: str
    ours: AI


@dataclass(frozen=True)
class FunctionAI:
    """A function of the program that calls the audit; it runs in this process without limits."""

    name: str
    agent: Any
    interface: str | None = None  # None: ours
    kind = "a function of the program that asks"


@dataclass(frozen=True)
class SavedAI:
    """A foreign AI that an audit has saved, and the function that answers what it answered."""

    name: str
    rule: str
    choose: Choose
    kind = "its answers, which an audit has saved"


@dataclass(frozen=True)
class ProcessAI:
    """A foreign AI, and the arguments that tell its process what to run."""

    name: str  # as the user gave it
    kind: str  # file, module, command
    arguments: tuple[str, ...]
    interface: str | None = None  # None: ours


def parse(address: str) -> ProcessAI:
    """Read ``file.py:function`` or ``package.module:function``.

    Raises UsageError, quoting it, when there is no such file or module. The process that runs
    the code checks whether the function exists.
    """
    place = importing.parse(address, "a function")
    if place is None:
        raise UsageError(
            f"{quote(address)} names no AI: expected file.py:function, package.module:function, "
            "'command:PROGRAM ARGUMENTS', or a name (marubatsu ais lists them)"
        )
    return ProcessAI(address, place.kind, (place.where, place.name))


def parse_command(command: str) -> ProcessAI:
    """Read a program and its arguments. Raises UsageError when there is no such program."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{quote(command)} is no command: {error}") from None
    if not arguments:
        raise UsageError(
            "command: names no program: expected one as in 'command:program arguments'"
        )
    if shutil.which(arguments[0]) is None and Path(arguments[0]).is_file():
        raise UsageError(
            f"{quote(arguments[0])} is no program on the path that may be executed: expected one, "
            "as in 'command:./program' or 'command:python file.py'"
        )
    if shutil.which(arguments[0]) is None:
        raise UsageError(f"there is no program {quote(arguments[0])}: expected one on the path")
    return ProcessAI(command, "command", tuple(arguments))


COMMAND = "command:"
"""The beginning of the address of a program."""

ForeignAI: TypeAlias = FunctionAI | SavedAI | ProcessAI
AddressedAI: TypeAlias = OurAI | ForeignAI


def ais_at(
    addresses: Iterable[str | Choose], data_set: DataSet, interface: str | None = None
) -> list[AddressedAI]:
    """Return the AIs at addresses; those that are neither ours nor saved speak an interface.

    Raises as `ai_at` does, and UsageError when there is no such interface, when nobody could
    speak it, and when only programs speak it, or none.
    """
    if interface is not None and interface not in INTERFACES:
        *most, last = INTERFACES
        raise OptionError("interface", interface, f"expected {', '.join(most)} or {last}")
    found = [ai_at(address, data_set, may_be_object=interface is not None) for address in addresses]
    if interface is None:
        return found
    if not any(isinstance(ai, FunctionAI | ProcessAI) for ai in found):
        names = " and ".join(quote(ai.name) for ai in found)
        are = "are" if len(found) > 1 else "is"
        raise OptionError(
            "interface", interface,
            f"this tells how a foreign agent is asked, and {names} {are} ours or saved; leave it "
            "out",
        )  # fmt: skip
    return [_speaking(ai, interface) for ai in found]


def _speaking(ai: AddressedAI, interface: str) -> AddressedAI:
    """Return an AI that speaks an interface; one of ours, or a saved one, as it is."""
    if isinstance(ai, OurAI | SavedAI):
        return ai
    is_program = ai.kind == "command"
    if INTERFACES[interface].of_programs and not is_program:
        raise OptionError(
            "interface", interface,
            f"programs speak it, and {quote(ai.name)} is none; expected 'command:PROGRAM "
            "ARGUMENTS'",
        )  # fmt: skip
    if is_program and not INTERFACES[interface].of_programs:
        raise OptionError(
            "interface", interface,
            f"functions and objects speak it, and {quote(ai.name)} is a program; expected "
            "file.py:name or package.module:name",
        )  # fmt: skip
    return replace(ai, interface=interface)


def ai_at(address: str | Choose, data_set: DataSet, *, may_be_object: bool = False) -> AddressedAI:
    """Return the AI at an address; saved ones belong to a data set.

    An agent of an interface may be an object; others are functions. Raises UsageError or AIError,
    quoting a name that fits none, or what is neither text nor a function; DataError when it is none
    of ours and the saved ones are damaged.
    """
    if isinstance(address, str) and address.startswith(COMMAND):
        return parse_command(address.removeprefix(COMMAND))
    if not isinstance(address, str):
        if not may_be_object and not callable(address):
            raise AIError(
                f"{quote(address)} is no AI: expected a function, or a text such as ai14s or "
                "file.py:function"
            )
        return FunctionAI(getattr(address, "__qualname__", type(address).__name__), address)
    name = address.partition(":")[0]
    _require_no_program(address)
    if address.endswith(".py"):
        raise UsageError(
            f"{quote(address)} names no function: expected one as in {address}:choose, or "
            f"'command:python {address}' for a program"
        )
    if any(ai.name == name for ai in all_ais()):
        return OurAI(address, find(address))
    return parse(address) if ":" in address else _saved(address, data_set)


def _require_no_program(address: str) -> None:
    """Raise UsageError for a program without ``command:``: a path, or a name and arguments."""
    program, *arguments = address.split() or [""]
    is_script = not arguments and (":" in address or address.endswith(".py"))
    is_file = Path(program).is_file()
    is_path = "/" in program and ":" not in address
    if not is_script and (is_file or is_path or (arguments and shutil.which(program))):
        place = "./" if is_file and "/" not in program else ""
        raise UsageError(
            f"{quote(address)} is a program: expected {quote(COMMAND + place + address)}"
        )


def _saved(name: str, data_set: DataSet) -> SavedAI:
    """Return a saved AI. Raises AIError, with names that exist, when there is none."""
    from marubatsu.pipeline.agents.saved_ais import saved_ais

    saved = saved_ais(data_set)
    if name not in saved:
        raise unknown(name, [*(ai.name for ai in all_ais()), *saved])
    return saved[name]
