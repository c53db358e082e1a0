"""Stand-ins for the packages of frameworks: as much of each as our classes use."""

import inspect
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from anyio import to_thread

from marubatsu.engine.rules.game import Game
from marubatsu.judge.bridges.actions import action_of, position_after


class Env:
    """As ``gymnasium.Env``: it keeps the random numbers of a seed."""

    def reset(self, *, seed: int | None = None) -> None:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)


class AECEnv:
    """As ``pettingzoo.AECEnv``: it sums rewards, and takes away agents that are done."""

    def _accumulate_rewards(self) -> None:
        for agent, reward in self.rewards.items():  # type: ignore[attr-defined]
            self._cumulative_rewards[agent] += reward  # type: ignore[attr-defined]

    def _was_dead_step(self, action: None) -> None:
        self.agents.remove(self.agent_selection)  # type: ignore[attr-defined]


class Bot:
    """As ``pyspiel.Bot``, which has nothing that ours does not have."""


class MCPServer:
    """As ``mcp.server.MCPServer``: it prints its tools instead of serving them."""

    def __init__(self, name: str, **others: Any) -> None:
        self.tools: dict[str, Any] = {}

    def add_tool(self, tool: Any) -> None:
        self.tools[tool.__name__] = tool

    async def list_tools(self) -> list[SimpleNamespace]:
        """List the tools with their parameters."""
        return [
            SimpleNamespace(
                name=name, input_schema={"properties": inspect.signature(tool).parameters}
            )
            for name, tool in self.tools.items()
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a function in a thread, with those arguments that it has; all errors get one type.

        It refuses wrong arguments as pydantic does.
        """
        tool = self.tools[name]
        known = inspect.signature(tool).parameters
        errors = [error for each in known.values() for error in _errors_of(each, arguments)]
        if errors:
            raise ToolError("errors of pydantic") from InvalidError(errors)
        named = {each: arguments[each] for each in arguments if each in known}
        try:
            return await to_thread.run_sync(partial(tool, **named))
        except Exception as error:
            raise ToolError(f"Error executing tool {name}") from error

    def run(self, transport: str) -> None:
        print(transport, *self.tools)


class ToolError(Exception):
    """As ``mcp.server.mcpserver.exceptions.ToolError``."""


class InvalidError(ValueError):
    """As ``pydantic.ValidationError``."""

    def errors(self) -> Any:
        return self.args[0]


def _errors_of(parameter: inspect.Parameter, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an error for each type that an argument may have, where it has another."""
    name, kinds = parameter.name, str(parameter.annotation)
    given = arguments.get(name, parameter.default)
    types: list[str] = []
    if given is parameter.empty:
        types = ["missing"]
    elif type(given).__name__ not in kinds:
        types = [each for each in ("string_type", "list_type") if each[:3] in kinds]
    return [{"type": each, "loc": (name, each), "input": given} for each in types]


def modules() -> dict[str, ModuleType]:
    spaces = SimpleNamespace(Box=tuple_of, Dict=dict, Discrete=int)
    wrappers = SimpleNamespace(
        TerminateIllegalWrapper=lambda env, illegal_reward: env,
        AssertOutOfBoundsWrapper=lambda env: env,
        OrderEnforcingWrapper=lambda env: env,
    )
    names: dict[str, dict[str, Any]] = {
        "pyspiel": {"Bot": Bot}, "pettingzoo": {"AECEnv": AECEnv},
        "pettingzoo.utils": {"wrappers": wrappers}, "mcp": {},
        "mcp.server": {"MCPServer": MCPServer}, "mcp.server.mcpserver": {},
        "mcp.server.mcpserver.exceptions": {"ToolError": ToolError},
        "gymnasium": {"Env": Env, "spaces": spaces}, "gymnasium.envs": {},
        "gymnasium.envs.registration": {"EnvSpec": lambda name, entry, kwargs: (name, entry)},
    }  # fmt: skip
    made = {}
    for name, content in names.items():
        made[name] = ModuleType(name)
        vars(made[name]).update(content)
    return made


def tuple_of(*arguments: Any) -> tuple[Any, ...]:
    return arguments


class State:
    """As a state of OpenSpiel, after some actions."""

    def __init__(self, game: str, *actions: int) -> None:
        self._game, self._actions = Game(game), actions

    def get_game(self) -> Any:
        """Return the game: pyspiel gives a misère game the parameters of the one inside."""
        game = self._game
        name, run = ("connect_four", "x_in_row") if game.gravity else ("mnk", "k")
        values: dict[str, Any] = {run: game.run, "name": name}
        if game.misere:
            name, values = "misere", {"game": values}
        return SimpleNamespace(
            get_type=lambda: SimpleNamespace(short_name=name),
            get_parameters=lambda: values,
            observation_tensor_shape=lambda: [3, game.rows, game.columns],
        )

    def history(self) -> list[int]:
        return list(self._actions)

    def legal_actions(self) -> list[int]:
        position = position_after(self._game, self._actions)
        return sorted(action_of(self._game, cell) for cell in self._game.legal_moves(position))
