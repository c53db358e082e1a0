"""The built-in AIs as players: a function, a bot of OpenSpiel, an agent of ConnectX."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from marubatsu.engine.ais.ai import AI, Choice, Weighted, draw_candidate
from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import MARKS, from_text, to_text
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import Position
from marubatsu.judge.agents.address import ProcessAI, ai_at
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.players import Players
from marubatsu.judge.bridges.actions import action_of, position_after, text_of_marks
from marubatsu.judge.bridges.openspiel import game_of as openspiel_game
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import UsageError, whole
from marubatsu.pipeline.support.machine import MOVE_SECONDS, checked_time


class AIPlayer:
    """An AI on one game, which draws one of its candidates by some random numbers."""

    def __init__(self, game: Game, ai: AI, random: Random) -> None:
        """Prepare the AI. Raises TooLargeError for a game that it cannot play."""
        self.game = game
        self._chooser, self._board, self.random = ai.on(game), new_board(game), random

    def move(self, position: Position) -> int:
        """Draw the cell that it fills in an unfinished position.

        Raises AIError when the AI fails, DataError when its data is damaged.
        """
        self._board.set_up(position)
        drawn = draw_candidate(self._chooser.candidates(self._board), self.random)
        return self._board.cell_of(drawn)

    def chances(self, position: Position) -> dict[int, float]:
        """Return the chance of each legal move of an unfinished position. Raises as `move` does."""
        self._board.set_up(position)
        return chances_of_choice(self._chooser.choice(self._board))


def chances_of_choice(choice: Choice) -> dict[int, float]:
    """Return the chance of each legal move."""
    candidates = choice.candidates
    weights = candidates.weights if isinstance(candidates, Weighted) else (1,) * len(candidates)
    chances = dict.fromkeys(choice.legal, 0.0)
    for cell, weight in zip(candidates, weights, strict=True):
        chances[cell] += weight / sum(weights)
    return chances


class InProcessPlayer(AIPlayer):
    """An AI that runs in this process, so that nothing needs to be closed; it pickles."""

    def __init__(
        self, game: Game, ai: Choose | str, random: Random, time: float, data: str | Path | None
    ) -> None:
        """Find the AI. Raises UsageError for one that runs in a process of its own."""
        data_set = data_set_of(game, data)
        addressed = ai_at(ai, data_set)
        if isinstance(addressed, ProcessAI):
            raise UsageError(
                f"{ai!r} runs in a process of its own: expected a name as in marubatsu ais, or a "
                "function"
            )
        found = Players(data_set, AgentSettings(), checked_time(time)).player(addressed)
        super().__init__(game, found, random)
        self._arguments = game, ai, random, time, data

    def __reduce__(self) -> tuple[Any, ...]:
        return InProcessPlayer, self._arguments


def _player(
    game: Game | str, ai: Choose | str, seed: int | None, time: float, data: str | Path | None
) -> AIPlayer:
    game, start = game_of(game), None if seed is None else whole("seed", seed)
    random = Random(start)  # noqa: S311, it is a game
    return InProcessPlayer(game, ai, random, time, data)


def player(
    game: Game | str = "tictactoe",
    ai: Choose | str = "perfect",
    *,
    first: str = MARKS[0],
    numbering: str | None = None,
    seed: int | None = None,
    time: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Callable[[BoardLike], int]:
    """Return an AI as a function from a position to a cell: an opponent for a loop of your own.

    ``first`` is the mark of the side that begins on the boards, and ``numbering`` that of moves or
    cells, as in `answer`. It draws among its candidates by ``seed``; ``perfect`` draws among all
    best moves. ``time`` is the seconds for a search of ``perfect``. Raises as `openspiel_bot` does,
    but needs no package; also InputError for another mark. The function raises UsageError for a
    finished position, InputError for none.

    >>> opponent = player("tictactoe", "perfect", seed=0)
    >>> opponent("o........"), opponent("oo..x....")
    (4, 2)
    """
    return partial(player_move, _player(game, ai, seed, time, data), first_mark(first), numbering)


def player_move(ours: AIPlayer, first: str, numbering: str | None, board: BoardLike) -> int:
    """Draw the cell that an AI fills on a board. Raises as the function of `player` does."""
    position = read_position(ours.game, board, first=first, numbering=numbering)
    if not ours.game.legal_moves(position):
        raise UsageError(f"{to_text(ours.game, position)} is finished: it has no moves")
    return ours.move(position)


def openspiel_bot(
    game: Game | str = "tictactoe",
    ai: Choose | str = "perfect",
    *,
    seed: int | None = None,
    time: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Any:
    """Return an AI as a ``pyspiel.Bot`` for the same game in OpenSpiel, whose x is our circle.

    It draws its moves by ``seed``, and its policy has their chances. ``time`` is the seconds
    for a search of ``perfect``. A state of another game raises UsageError.

    Raises InputError for a name of no game or AI, UsageError for an AI outside this process or a
    time that makes no sense, and ModuleNotFoundError where OpenSpiel is not installed. With
    OpenSpiel::

        bot = frameworks.openspiel_bot("tictactoe", "perfect", seed=0)
        other = pyspiel.make_uniform_random_bot(1, 0)
        state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        pyspiel.evaluate_bots(state, [bot, other], 0)
    """
    player = _player(game, ai, seed, time, data)  # Its errors come before a missing package.
    return _bot_class()(player)


@cache
def _bot_class() -> type[Any]:  # noqa: C901, a class whose base need not be there
    import pyspiel

    class Bot(pyspiel.Bot):  # type: ignore[misc]
        """A player of ours; a state has the whole game, so it ignores the actions of others."""

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
            return True

        def get_policy(self, state: Any) -> list[tuple[int, float]]:
            game, chances = self._player.game, self._player.chances(self._position(state))
            return sorted((action_of(game, cell), chance) for cell, chance in chances.items())

        def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
            return self.get_policy(state), self.step(state)

        def _position(self, state: Any) -> Position:
            game, theirs = self._player.game, state.get_game()
            if openspiel_game(theirs) != game:
                raise UsageError(f"the state is one of {theirs}: expected one of {game.name}")
            position = position_after(game, state.history())
            expected = sorted(action_of(game, cell) for cell in game.legal_moves(position))
            if not expected or list(state.legal_actions()) != expected:
                raise UsageError(
                    f"the state has the actions {list(state.legal_actions())}, a position of "
                    f"{game.name} has {expected}: expected an unfinished state of this game"
                )
            return position

    return Bot


def connectx_agent(
    ai: Choose | str = "perfect",
    *,
    seed: int | None = None,
    time: float = 1.0,
    data: str | Path | None = None,
) -> Callable[[Any, Any], int]:
    """Return an AI as an agent of Kaggle's ConnectX: a function that returns a column.

    The agent takes an observation and a configuration, and plays on any board that these say. It
    draws its moves by ``seed``. ``time`` is the seconds for a search of ``perfect``. Raises as
    `openspiel_bot` does, but when it is first asked about a board; it needs no package. The agent
    raises UsageError for a mark that is not to move, InputError for an impossible board.

    >>> agent = connectx_agent("perfect_sv", seed=0)
    >>> board = [0, 0, 0, 0,
    ...          0, 2, 2, 0,
    ...          0, 1, 1, 0]
    >>> agent({"board": board, "mark": 1}, {"columns": 4, "rows": 3, "inarow": 3})
    3
    """
    player_of = cache(lambda game: _player(game, ai, seed, time, data))

    def agent(observation: Any, configuration: Any) -> int:
        try:
            columns, rows, run = (configuration[name] for name in ("columns", "rows", "inarow"))
            board, mark = observation["board"], observation["mark"]
        except (LookupError, TypeError):
            raise UsageError(
                f"{quote(observation)} and {quote(configuration)} are not from ConnectX: expected "
                "mappings with board and mark, and with columns, rows and inarow"
            ) from None
        game = Game(columns, rows, run, gravity=True)
        position = from_text(game, text_of_marks(board))
        if mark != position.turn + 1:
            raise UsageError(
                f"the observation has mark {quote(mark)}, but its board has "
                f"{position.ply} marks: expected mark {position.turn + 1}, as 1 begins"
            )
        return action_of(game, player_of(game).move(position))

    return agent
