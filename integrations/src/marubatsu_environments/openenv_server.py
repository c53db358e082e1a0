"""An environment of OpenEnv, and its server: a model plays whole games against an AI.

The reward of a step is the dense one: 0 for a best move, minus the score that the move gives away
otherwise, -2 for a reply without a legal move, which loses the game. The metadata of an observation
has the other rewards by name, and ``result`` at the end: 1 for a win, 0 for a draw, -1 for a loss.
"""

import argparse
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

import marubatsu as mb
from marubatsu_environments.play import Play

PORT = 8000
SESSIONS = 16  # clients at a time


class Reply(Action):
    """The reply of a model to a question."""

    reply: str = Field(description="Any text; its last line should be `move: CELL`, as in b2")


class Asked(Observation):
    """A question, or the end of a game."""

    question: str = Field("", description="Rules, position and how to reply; empty at the end")
    board: str = Field("", description="Cells row by row from the top: . empty, o circle, x cross")
    legal_moves: list[str] = Field(default_factory=list, description="As a reply names them")


class GameState(State):
    """Where a game is."""

    game: str = "tictactoe"
    side: str = "circle"
    board: str = ""


class MarubatsuEnvironment(Environment[Reply, Asked, GameState]):
    """Games against an AI of marubatsu, by default a perfect one that draws among best moves."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._play: Play | None = None
        self._state = GameState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        game: str = "tictactoe",
        opponent: str = "perfect",
        side: str = "circle",
        board: str | None = None,
        first: str = "o",
        numbering: str | None = None,
        **others: Any,
    ) -> Asked:
        """Begin a game; ``seed`` fixes what the opponent draws.

        ``first`` and ``numbering`` say how ``board`` is read, as in `marubatsu.answer`. Raises
        ValueError for no game, no side, no board or another option.
        """
        if others:
            raise ValueError(
                f"no option {', '.join(sorted(others))}: expected game, opponent, side, board, "
                "first or numbering"
            )
        self._play = Play(
            game, opponent=opponent, side=side, board=board, first=first, numbering=numbering,
            seed=seed,
        )  # fmt: skip
        self._state = GameState(episode_id=episode_id or str(uuid4()), game=game, side=side)
        return self._asked(self._play, 0.0, {})

    def step(self, action: Reply, timeout_s: float | None = None, **others: Any) -> Asked:
        """Judge a reply, play its move, and let the opponent answer.

        Raises ValueError before `reset`, and after the end.
        """
        if self._play is None or self._play.is_over:
            raise ValueError("no game goes on: call reset first")
        play = self._play
        judged = play.answer(action.reply)
        self._state.step_count += 1
        metadata = {"verdict": judged.verdict, **judged.rewards(), **judged.metrics()}
        if play.is_over:
            metadata["result"] = play.result(play.side)
        return self._asked(play, judged.dense, metadata)

    @property
    def state(self) -> GameState:
        """The state of the game."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Describe the environment."""
        return EnvironmentMetadata(
            name="marubatsu",
            description="Board games against AIs, with the exact value of every move as a reward",
            version=mb.__version__,
        )

    def _asked(self, play: Play, reward: float | None, metadata: dict[str, Any]) -> Asked:
        self._state.board = play.board
        if play.is_over:
            return Asked(done=True, reward=reward, metadata=metadata, board=play.board)
        question = play.question
        return Asked(
            reward=reward,
            metadata=metadata,
            question=question.text,
            board=play.board,
            legal_moves=list(question.names),
        )


app = create_app(
    MarubatsuEnvironment, Reply, Asked, env_name="marubatsu", max_concurrent_envs=SESSIONS
)
"""The server, for uvicorn and others."""


def main() -> None:
    """Serve on this machine."""
    import uvicorn

    parser = argparse.ArgumentParser(description="Serve games of marubatsu over OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=PORT)
    options = parser.parse_args()
    uvicorn.run(app, host=options.host, port=options.port)


if __name__ == "__main__":
    main()
