"""OpenSpiel's m,n,k games and Connect Four."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.judge.bridges.numbered_actions import Marks, action_for, mask_of


class OpenSpielEnvironment:
    """A game of pyspiel; circle is player 0, whose mark there is x.

    Observations have three planes: empty, player 1, player 0; of Connect Four player 0, player 1,
    empty, with the bottom row first.
    """

    may_crash = True

    def __init__(self, name: str, **parameters: int) -> None:
        """Load a game by name. Raises pyspiel.SpielError, GameError."""
        pyspiel: Any = import_module("pyspiel")
        self._loaded = pyspiel.load_game(name, parameters)
        self.game = _game(self._loaded)
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self._state: Any = self._loaded.new_initial_state()
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        """Apply an action."""
        action = action_for(self.game, cell)
        if action in self._state.legal_actions():
            self._state.apply_action(action)
        else:
            with _silent():
                self._state.apply_action(action)
        self._marks.fill(cell)

    def legal_moves(self) -> list[int]:
        """Return the legal actions as cells."""
        return self._marks.cells_of(self._state.legal_actions())

    def turn(self) -> str:
        """Return the side of the current player; at the end a code of OpenSpiel."""
        player = self._state.current_player()
        return Side(player).word if player in tuple(Side) else f"player {player}"

    def over(self) -> bool:
        """Return whether the state is terminal."""
        return bool(self._state.is_terminal())

    def rewards(self) -> tuple[float, float]:
        """Return the returns, which OpenSpiel sums itself."""
        circle, cross = self._state.returns()
        return circle, cross

    def observations(self) -> list[Position]:
        """Read the tensors of both players, which are the same."""
        return [self._position(self._state.observation_tensor(side)) for side in Side]

    def _position(self, tensor: list[float]) -> Position:
        cells = self.game.cells
        planes = [tensor[first : first + cells] for first in range(0, 3 * cells, cells)]
        if self.game.gravity:
            circle, cross, _ = map(self._from_above, planes)
        else:
            _, cross, circle = planes
        return Position(mask_of(circle), mask_of(cross))

    def _from_above(self, plane: list[float]) -> list[float]:
        """Return a plane, whose bottom row is first, with the top row first."""
        columns = self.game.columns
        firsts = range(self.game.cells - columns, -1, -columns)
        return [mark for first in firsts for mark in plane[first : first + columns]]


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


def _game(loaded: Any) -> Game:
    """Return our game of one that was loaded. Raises GameError when we have none."""
    name, values = loaded.get_type().short_name, loaded.get_parameters()
    _, rows, columns = loaded.observation_tensor_shape()
    if name == "connect_four":
        return Game(columns, rows, values["x_in_row"], gravity=True)
    if name == "mnk":
        return Game(columns, rows, values.get("k", 5))
    return Game("tictactoe")
