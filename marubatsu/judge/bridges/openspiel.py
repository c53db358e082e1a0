"""OpenSpiel: its agents asked here, ours as a bot, its games to be walked.

An agent is a bot (``step(state)``) or a policy (``action_probabilities(state)``). The first player,
player 0, is circle here and x there. An action is a column with gravity, else a cell. An agent that
has imported pyspiel itself gets states of pyspiel, of ``tic_tac_toe``, ``mnk`` or ``connect_four``.
Other agents, and all in misère games and on a torus, get states of ours. A state is reached by a
line of play, the same each time. An action is converted as open_spiel 2.0.2 does.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any, Self, SupportsIndex, SupportsInt, TypeAlias, cast

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import exchange_marks, from_text, line_to, to_text
from marubatsu.engine.rules.game import Game, special_rules
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.judge.agents.interfaces import (
    AnswerError,
    NoAgentError,
    accepts,
    cell_of_answer,
    chances_of,
    repr_of,
    require_function,
)
from marubatsu.judge.bridges.actions import (
    Marks,
    action_of,
    action_or_invalid,
    cells_by_action,
    count_of_actions,
    marks_of,
    mask_of,
    openspiel_text,
)

_OVER = -4  # its number for the player when the game is over

_ACTIONS = range(-(1 << 63), 1 << 63)  # An action is an int64.
_AGENT = (
    "a bot with step(state), a policy with action_probabilities(state), or a function that makes "
    "one for a player"
)
_TAKES = "OpenSpiel takes whatever converts to an int64, but no float and no text"

NewState: TypeAlias = Callable[[], Any]


def chooser(agent: Any, game: Game) -> Choose:
    """Return a bot, a policy, or what makes one for a player (0 or 1), as a function of ours."""
    seats = _seats(agent)
    new_state = _of_pyspiel(game) or (lambda: PlainState(game))

    def choose(board: str, legal: list[int]) -> list[tuple[int, float]] | int:
        state = new_state()
        line = line_to(game, from_text(game, board)) or ()
        for cell in line:
            state.apply_action(action_of(game, cell))
        cell_of = cells_by_action(game, legal)
        policy, action = _asked(seats[len(line) % 2], state)
        if policy is None:
            return cell_of_answer(cell_of, action, _action(action), _TAKES)
        return chances_of(cell_of, _pairs(policy))

    return choose


def _action(answer: Any) -> int | None:
    """Return the action that OpenSpiel reads in an answer, None when it refuses the answer.

    Its bindings refuse Python's float, and truncate other numbers: True is 1, Decimal("2.9") is 2.
    """
    if isinstance(answer, float | str | bytes) or not isinstance(
        answer, SupportsInt | SupportsIndex
    ):
        return None
    try:
        action = int(answer)
    except (TypeError, ValueError, OverflowError):
        return None
    return action if action in _ACTIONS else None


def _seats(agent: Any) -> tuple[Any, Any]:
    made = (agent, agent)
    is_maker = callable(agent) and (isinstance(agent, type) or not _plays(agent))
    if is_maker and accepts(agent, 1):
        try:
            made = agent(0), agent(1)
        except AttributeError as error:
            if type(error.obj) is not int:
                raise
            raise NoAgentError(f"it got the number of a player: expected {_AGENT}") from error
    elif is_maker:
        require_function(agent, _AGENT)  # No class is one.
    if not all(map(_plays, made)):
        raise NoAgentError(f"{type(made[0]).__name__} is no agent of OpenSpiel: expected {_AGENT}")
    return made


def _plays(agent: Any) -> bool:
    return hasattr(agent, "step") or hasattr(agent, "action_probabilities")


def _asked(agent: Any, state: Any) -> tuple[Any, Any]:
    if hasattr(agent, "action_probabilities"):
        return agent.action_probabilities(state), None
    if _restarts(agent):
        agent.restart_at(state)
    if hasattr(agent, "provides_policy") and agent.provides_policy():
        return agent.step_with_policy(state)[0], None
    return None, agent.step(state)


def _restarts(bot: Any) -> bool:
    """Return whether a bot defines ``restart_at``, which that of ``pyspiel.Bot`` only refuses."""
    kinds = (kind for kind in type(bot).__mro__ if kind.__module__ != "pyspiel")
    return any("restart_at" in vars(kind) for kind in kinds)


def _pairs(policy: Any) -> list[tuple[int, float]]:
    try:
        pairs = policy.items() if isinstance(policy, Mapping) else policy
        read = [(_action(action), float(chance)) for action, chance in pairs]
    except (TypeError, ValueError):
        read = [(None, 0.0)]
    pairs_ = [(action, chance) for action, chance in read if action is not None]
    if len(pairs_) < len(read):
        reason = f"{repr_of(policy)}; expected actions with their chances"
        raise AnswerError("wrong answer", reason)
    return pairs_


def _of_pyspiel(game: Game) -> NewState | None:
    """Return the maker of pyspiel's states; None where it is not imported or lacks the game."""
    pyspiel = sys.modules.get("pyspiel")
    if pyspiel is None or game.misere or game.torus or special_rules(game):
        return None
    name = f"mnk(m={game.columns},n={game.rows},k={game.run})"
    if game.gravity:
        name = f"connect_four(rows={game.rows},columns={game.columns},x_in_row={game.run})"
    elif game == Game("tictactoe"):
        name = "tic_tac_toe"
    return cast("NewState", pyspiel.load_game(name).new_initial_state)


class PlainState:
    """A state as agents of OpenSpiel use it, for those that do not need the package."""

    def __init__(self, game: Game) -> None:
        self._game, self._position = game, EMPTY
        self._history: list[int] = []

    def apply_action(self, action: int) -> None:
        """Let the player to move act. Raises ValueError for an action that is not legal."""
        cell = cells_by_action(self._game, self._game.legal_moves(self._position)).get(action)
        if cell is None:
            legal = self.legal_actions()
            raise ValueError(f"action {action} is not legal: expected one of {legal}")
        self._position = self._position.after(cell)
        self._history.append(action)

    def clone(self) -> Self:
        copy = type(self)(self._game)
        for action in self._history:
            copy.apply_action(action)
        return copy

    def child(self, action: int) -> Self:
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def history(self) -> list[int]:
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(map(str, self._history))

    def information_state_string(self, player: int | None = None) -> str:
        """Return the actions so far as text, the same for both players."""
        return self.history_str()

    def move_number(self) -> int:
        return len(self._history)

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return count_of_actions(self._game)

    def current_player(self) -> int:
        """Return 0 or 1, and -4 when the game is over."""
        return _OVER if self.is_terminal() else len(self._history) % 2

    def is_terminal(self) -> bool:
        return self._game.status(self._position) is not Status.PLAYING

    def is_chance_node(self) -> bool:
        """Return False: nothing is left to chance, and the players take turns."""
        return False

    is_simultaneous_node = is_chance_node

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions in ascending order, none for a player who waits."""
        is_mover = player in (None, self.current_player())
        cells = self._game.legal_moves(self._position) if is_mover else ()
        return sorted(action_of(self._game, cell) for cell in cells)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for each legal action, 0 for the others."""
        legal = self.legal_actions(player)
        return [int(action in legal) for action in range(self.num_distinct_actions())]

    def returns(self) -> list[float]:
        """Return what both players have won: 1, -1 or 0."""
        status = self._game.status(self._position)
        won = {Status.CIRCLE: 1.0, Status.CROSS: -1.0}.get(status, 0.0)
        return [won, -won + 0.0]

    rewards = returns  # by the last action: no other one wins

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """Name an action, of the player to move if no player is given: x3, or x(1,0)."""
        if action is None:
            player, action = self.current_player() % 2, player
        return openspiel_text(self._game, player, action)

    def observation_string(self, player: int | None = None) -> str:
        """Return the board, row by row from the top."""
        return str(self)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return planes of 0 and 1: empty, o, x; with gravity x, o, empty from the lowest row."""
        rows, planes = self._rows(marks_of(to_text(self._game, self._position))), (0, 2, 1)
        if self._game.gravity:
            rows, planes = rows[::-1], (1, 2, 0)
        return [float(mark == plane) for plane in planes for row in rows for mark in row]

    def _rows(self, cells: Any) -> list[Any]:
        columns = self._game.columns
        return [cells[at : at + columns] for at in range(0, len(cells), columns)]

    def __str__(self) -> str:
        board = exchange_marks(to_text(self._game, self._position))
        return "\n".join(self._rows(board)) + "\n" * self._game.gravity


class FrameworkEnvironment:
    """A game of pyspiel; circle is player 0, whose mark there is x.

    Observations have three planes: empty, player 1, player 0; of Connect Four player 0, player 1,
    empty, with the bottom row first.
    """

    may_crash = True

    def __init__(self, name: str, **parameters: int) -> None:
        """Load a game by name. Raises pyspiel.SpielError, GameError."""
        pyspiel: Any = import_module("pyspiel")
        self._loaded = pyspiel.load_game(name, parameters)
        self.game = cast("Game", game_of(self._loaded))
        self.reset()

    def reset(self) -> None:
        self._state: Any = self._loaded.new_initial_state()
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        action = action_or_invalid(self.game, cell)
        with nullcontext() if action in self._state.legal_actions() else _silent():
            self._state.apply_action(action)
        self._marks.fill(cell)

    def legal_moves(self) -> list[int]:
        return self._marks.cells_of(self._state.legal_actions())

    def turn(self) -> str:
        """Return the side of the current player; at the end a code of OpenSpiel."""
        player = self._state.current_player()
        return Side(player).word if player in tuple(Side) else f"player {player}"

    def over(self) -> bool:
        return bool(self._state.is_terminal())

    def rewards(self) -> tuple[float, float]:
        """Return the returns, which OpenSpiel sums itself."""
        circle, cross = self._state.returns()
        return circle, cross

    def observations(self) -> list[Position]:
        """Read the tensors of both players, which are the same."""
        return [self._position(self._state.observation_tensor(side)) for side in Side]

    def _position(self, tensor: list[float]) -> Position:
        cells, columns = self.game.cells, self.game.columns
        planes = [tensor[first : first + cells] for first in range(0, 3 * cells, cells)]
        if not self.game.gravity:
            _, cross, circle = map(mask_of, planes)
            return Position(circle, cross)
        # There the bottom row comes first.
        rows = range(cells - columns, -1, -columns)
        order = [first + column for first in rows for column in range(columns)]
        circle, cross, _ = (mask_of(plane[cell] for cell in order) for plane in planes)
        return Position(circle, cross)


@contextmanager
def _silent() -> Iterator[None]:
    """Drop what C++ writes to standard error: a line for each exception that is caught here."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


_RUNS = {"connect_four": ("x_in_row", 4), "mnk": ("k", 5), "tic_tac_toe": ("k", 3)}
"""The name of the run length in the parameters of a game, and its default."""


def game_of(loaded: Any) -> Game | None:
    """Return our game of one of OpenSpiel; None for one that we do not know. Raises GameError."""
    name, values = loaded.get_type().short_name, loaded.get_parameters()
    misere = name == "misere"
    if misere:  # Its parameters have those that were given for the game inside.
        values = values["game"]
        name = values["name"]
    if name not in _RUNS:
        return None
    _, rows, columns = loaded.observation_tensor_shape()
    run = values.get(*_RUNS[name])
    return Game(columns, rows, run, gravity=name == "connect_four", misere=misere)
