"""An AI that plays, position by position, and the same as others have their players.

A player of OpenSpiel is a ``pyspiel.Bot``; one of Kaggle's ConnectX is a function.
"""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from marubatsu.engine.ais.ai import AI, Weighted, draw
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.bridges.actions import action_of, position_after, text_of_marks
from marubatsu.pipeline.support.errors import UsageError


class AIPlayer:
    """An AI on one game, which draws one of its candidates by some random numbers."""

    def __init__(self, game: Game, ai: AI, random: Random) -> None:
        """Prepare the AI. Raises TooLargeError for a game that it cannot play."""
        self.game = game
        self._chooser, self._board, self._random = ai.on(game), new_board(game), random

    def move(self, position: Position) -> int:
        """Draw the cell that it fills in an unfinished position.

        Raises AIError when the AI fails, DataError when its data is damaged.
        """
        self._board.set_up(position)
        drawn = draw(self._chooser.candidates(self._board), self._random)
        return self._board.cell_of(drawn)

    def chances(self, position: Position) -> dict[int, float]:
        """Return the chance of each legal move of an unfinished position. Raises as `move` does."""
        self._board.set_up(position)
        choice = self._chooser.choice(self._board)
        candidates = choice.candidates
        weights = candidates.weights if isinstance(candidates, Weighted) else (1,) * len(candidates)
        chances = dict.fromkeys(choice.legal, 0.0)
        for cell, weight in zip(candidates, weights, strict=True):
            chances[cell] += weight / sum(weights)
        return chances


def openspiel_bot(player: AIPlayer) -> Any:
    """Return a player as a ``pyspiel.Bot``."""
    return _bot_class()(player)


@cache
def _bot_class() -> type[Any]:  # noqa: C901, a class whose base need not be there
    import pyspiel

    class Bot(pyspiel.Bot):  # type: ignore[misc]
        """A player of ours; a state tells it all, so it needs to hear of no action."""

        def __init__(self, player: AIPlayer) -> None:
            super().__init__()
            self._player = player

        def step(self, state: Any) -> int:
            """Draw an action. Raises UsageError for a state of another game, or without moves."""
            return action_of(self._player.game, self._player.move(self._position(state)))

        def restart(self) -> None:
            """Begin another game."""

        def restart_at(self, state: Any) -> None:
            """Begin in a state."""

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            """Hear what another player does."""

        def provides_policy(self) -> bool:
            """Whether it tells the chances of its actions."""
            return True

        def get_policy(self, state: Any) -> list[tuple[int, float]]:
            """Return each legal action with its chance. Raises as `step` does."""
            game, chances = self._player.game, self._player.chances(self._position(state))
            return sorted((action_of(game, cell), chance) for cell, chance in chances.items())

        def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
            """Return what `get_policy` returns, and an action that is drawn."""
            return self.get_policy(state), self.step(state)

        def _position(self, state: Any) -> Position:
            game = self._player.game
            position = position_after(game, state.history())
            expected = sorted(action_of(game, cell) for cell in game.legal_moves(position))
            if not expected or list(state.legal_actions()) != expected:
                raise UsageError(
                    f"the state has the actions {list(state.legal_actions())}, a position of "
                    f"{game.name} has {expected}: expected an unfinished state of this game"
                )
            return position

    return Bot


def connectx_agent(player_of: Callable[[Game], AIPlayer]) -> Callable[[Any, Any], int]:
    """Return an agent of ConnectX, for any board: its players come from a function of the game.

    The agent raises UsageError for a mark that is not to move, BoardError for an impossible board.
    """
    known = cache(player_of)

    def agent(observation: Any, configuration: Any) -> int:
        columns, rows, run = (configuration[name] for name in ("columns", "rows", "inarow"))
        game = Game(columns, rows, run, gravity=True)
        position = from_text(game, text_of_marks(observation["board"]))
        if observation["mark"] != position.turn + 1:
            raise UsageError(
                f"the observation has mark {observation['mark']}, but its board has "
                f"{position.ply} marks: expected mark {position.turn + 1}, as 1 begins"
            )
        return action_of(game, known(game).move(position))

    return agent
