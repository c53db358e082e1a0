"""The options of all commands that run a foreign AI: its time, its terms, what it may reach."""

from typing import TYPE_CHECKING, Any

from typer.core import TyperOption

if TYPE_CHECKING:
    from marubatsu.pipeline.agents.agent_limits import AgentLimits

RUN_AGENTS = {"audit", "explore", "gtp", "match", "play", "search"}
"""The commands that have them."""

_IN_OTHER_TERMS = {"audit", "match", "play"}
"""Those of them that ask agents of other frameworks in their terms."""

_AS = "as"

_chosen: dict[str, Any] = {}
"""The values of this run."""


def agent_options(command: str) -> list[TyperOption]:
    """Return the options; each keeps its value for `chosen_limits` and `chosen_interface`."""
    terms = [
        _option(f"--{_AS}", default=None, metavar="INTERFACE",
                help="Ask a foreign AI in the terms of another framework: connectx, aec, "
                "openspiel, textarena or gtp."),
    ]  # fmt: skip
    return [
        *(terms if command in _IN_OTHER_TERMS else []),
        _option("--timeout", type=float, default=1.0, show_default=True, metavar="SECONDS",
                help="Time of a foreign AI for one move."),
        _option("--allow-network", is_flag=True, default=False,
                help="Let a foreign AI use the network."),
        _option("--allow-read", multiple=True, default=[], metavar="PATH",
                help="Let a foreign AI read a file or folder besides its own; may be repeated."),
        _option("--allow-env", multiple=True, default=[], metavar="NAME",
                help="Let a foreign AI see a variable of the environment; may be repeated."),
        _option("--confinement", default="best", show_default=True, metavar="best|strict",
                help="best confines a foreign AI as far as this machine can; strict refuses it "
                "where that is not everything."),
    ]  # fmt: skip


def _option(name: str, **settings: Any) -> TyperOption:
    def keep(ctx: Any, param: Any, value: Any) -> None:
        _chosen[param.name] = value

    return TyperOption(param_decls=[name], callback=keep, expose_value=False, **settings)


def chosen_limits(**others: Any) -> "AgentLimits":
    """Return the limits that the options say, with ``others``. Raises UsageError."""
    from marubatsu.pipeline.agents.agent_limits import limits_of

    return limits_of(**others, **{name: _chosen[name] for name in _chosen if name != _AS})


def chosen_interface() -> str | None:
    """Return the interface of foreign AIs, None for ours."""
    interface: str | None = _chosen[_AS]
    return interface
