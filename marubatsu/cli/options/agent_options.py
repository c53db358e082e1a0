"""The options of all commands that run a foreign AI: its time, its terms, what it may reach."""

from typing import TYPE_CHECKING

from typer.core import TyperOption

from marubatsu.cli.options.made_options import MadeOptions
from marubatsu.judge.agents.interfaces import INTERFACES

if TYPE_CHECKING:
    from marubatsu.judge.agents.agent_limits import AgentLimits

_IN_OTHER_TERMS = {"audit", "match", "play"}
"""The commands that ask agents of other frameworks in their terms."""

_AS = "as"

_MADE = MadeOptions()


def agent_options(command: str) -> list[TyperOption]:
    """Return the options; each keeps its value for `chosen_limits` and `chosen_interface`."""
    terms = [
        _MADE.make(f"--{_AS}", default=None, metavar="INTERFACE",
                help="Ask a foreign AI in the terms of another framework: "
                f"{', '.join(INTERFACES)}."),
    ]  # fmt: skip
    return [
        *(terms if command in _IN_OTHER_TERMS else []),
        _MADE.make("--answers", default="auto", show_default=True, metavar="FORM",
                help="Form of a foreign AI's answers: moves, row-column, column-row (x, y), "
                "column, move-score, score-move, chances, weights or scores; auto refuses an "
                "answer that can be two of them."),
        _MADE.make("--timeout", type=float, default=1.0, show_default=True, metavar="SECONDS",
                help="Time of a foreign AI for one move."),
        _MADE.make("--agent-memory", default="2GB", show_default=True, metavar="SIZE",
                help="Address space of a foreign AI, as in 500MB or 8GB."),
        _MADE.make("--allow-network", is_flag=True, default=False,
                help="Let a foreign AI use the network."),
        _MADE.make("--allow-read", multiple=True, default=[], metavar="PATH",
                help="Let a foreign AI read a file or folder besides its own; may be repeated."),
        _MADE.make("--allow-env", multiple=True, default=[], metavar="NAME",
                help="Let a foreign AI see a variable of the environment; may be repeated."),
        _MADE.make("--confinement", default="best", show_default=True, metavar="best|strict",
                help="best confines a foreign AI as far as this machine can; strict refuses it "
                "where that is not everything."),
    ]  # fmt: skip


def chosen_limits(first: str) -> "AgentLimits":
    """Return the limits that the options say; ``first`` is the mark that begins for the AI.

    Raises UsageError.
    """
    from marubatsu.judge.agents.agent_limits import limits_of

    options = {name: value for name, value in _MADE.values.items() if name != _AS}
    return limits_of(**options, first=first)


def chosen_interface() -> str | None:
    """Return the interface of foreign AIs, None for ours."""
    interface: str | None = _MADE.values[_AS]
    return interface
