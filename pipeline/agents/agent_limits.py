"""The time, the memory and the place that a foreign AI may use, and how users choose them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict, Unpack

from marubatsu.pipeline.agents.address import AddressedAI, FunctionAI, ProcessAI
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.machine import parse_memory

_LONGEST_MOVE = 3600.0  # seconds
_CONFINEMENTS = ("strict", "best")


@dataclass(frozen=True)
class AgentLimits:
    """The time, the memory and the place that a foreign AI may use."""

    seconds: float = 1.0  # for one move
    memory: int = 2 * 10**9  # bytes of address space
    network: bool = False
    readable: tuple[Path, ...] = ()  # besides its own folder
    variables: tuple[str, ...] = ()  # of the environment, besides those that say where things are
    is_strict: bool = False  # to refuse it where something is not confined


class AgentOptions(TypedDict, total=False):
    """The options of commands, and of functions of Python, that run a foreign AI."""

    timeout: float
    """Seconds for one move, 1 by default."""

    agent_memory: str
    """Address space of each of its processes, ``"2GB"`` by default."""

    allow_network: bool
    """Whether it may use the network."""

    allow_read: str | Path | Iterable[str | Path]
    """Files and folders that it may read besides its own."""

    allow_env: str | Iterable[str]
    """Variables of the environment that it may see."""

    confinement: Literal["best", "strict"]
    """``best`` confines it as far as this machine can, ``strict`` refuses it where that is less."""


def limits_of(**options: Unpack[AgentOptions]) -> AgentLimits:
    """Return the limits that options choose. Raises UsageError for those that make no sense."""
    usual = AgentLimits()
    timeout, confinement = options.get("timeout", usual.seconds), options.get("confinement", "best")
    memory = parse_memory(options["agent_memory"]) if "agent_memory" in options else usual.memory
    if not 0 < timeout <= _LONGEST_MOVE:
        raise OptionError("timeout", timeout, f"expected more than 0, at most {_LONGEST_MOVE:g}")
    if confinement not in _CONFINEMENTS:
        raise OptionError("confinement", confinement, "expected best or strict")
    readable = tuple(map(Path, _several(options.get("allow_read", ()))))
    for path in readable:
        if not path.exists():
            raise OptionError("allow_read", str(path), "there is no such file or folder")
        if path.resolve() == Path("/"):
            raise OptionError("allow_read", str(path), "expected less than everything")
    return AgentLimits(
        timeout,
        memory,
        network=options.get("allow_network", False),
        readable=readable,
        variables=tuple(map(str, _several(options.get("allow_env", ())))),
        is_strict=confinement == "strict",
    )


def limits_for(ais: Iterable[AddressedAI], options: AgentOptions) -> AgentLimits:
    """Return the limits of these AIs.

    Raises UsageError when options should confine a function of this program, or nobody.
    """
    kinds = {type(each) for each in ais}
    if options and ProcessAI not in kinds and (FunctionAI in kinds or not kinds):
        raise UsageError(
            f"{', '.join(options)}: only an AI at an address is confined, as in file.py:function; "
            "a function of this program runs in it without limits"
        )
    return limits_of(**options)


def _several(values: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """Return values of an option; one alone needs no list."""
    return [values] if isinstance(values, str | Path) else list(values)
