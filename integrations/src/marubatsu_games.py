"""The environment ``marubatsu-games`` for verifiers: whole games, move by move.

verifiers finds an environment as a module at the top. A model plays an AI of marubatsu
(``--env.opponent``): ``perfect`` draws among all best moves, so no line can be learned by heart.
``self`` lets two models play, ``--env.circle.model`` and ``--env.cross.model``.

The rewards of each side are ``result`` (weight 1: 1 for a win, 0, -1), ``legal``, ``best`` (the
share of best moves) and ``dense`` (their sum), with weight 0 each. The first trace of an
episode keeps the whole game; `marubatsu review` reads those from the empty board.
"""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Literal

import verifiers.v1 as vf

import marubatsu as mb
from marubatsu_environments.judged_replies import SEARCH_SECONDS
from marubatsu_environments.play import SIDES, Play

__all__ = ["GamesEnv", "GamesTaskset"]

SELF = "self"
RECORD = "marubatsu_game"
"""The key of a game in the information of a trace."""
WEIGHTS = {"result": 1.0, "legal": 0.0, "best": 0.0, "dense": 0.0}


class GameData(vf.TaskData):
    """The start of a game."""

    game: str
    side: str  # that the model plays
    board: str | None  # None: the empty board
    seed: int  # of the opponent
    folder: str | None  # of marubatsu's tables


class GameTask(vf.Task[GameData]):
    """Play a game to its end."""

    def play(self, opponent: str | None, time: float) -> Play:
        """Begin the game."""
        start = self.data
        return Play(
            start.game,
            opponent=opponent,
            side=start.side,
            board=start.board,
            seed=start.seed,
            time=time,
            data=start.folder,
        )

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Play best moves against the perfect AI: the result is the value of the start."""
        play = self.play("perfect", SEARCH_SECONDS)
        value = mb.answer(play.position, play.game, data=self.data.folder)
        while not play.is_over:
            question = play.question
            best = mb.answer(play.position, play.game, data=self.data.folder).best_moves[0]
            (name,) = (name for name, cell in question.names.items() if cell == best)
            play.answer(f"move: {name}")
        rewards = play.rewards(self.data.side)
        score = value.score if self.data.side == SIDES[0] else -value.score
        return rewards == {"result": score, "legal": 1.0, "best": 1.0, "dense": 0.0}


class GamesConfig(vf.TasksetConfig):
    """Where games begin."""

    game: str = "tictactoe"
    side: Literal["circle", "cross", "both"] = "both"
    """The side of the model; ``both``: by turns."""
    start: Literal["empty", "train", "validation", "test"] = "empty"
    """The empty board; or a position of each class of a split, where the model is to move."""
    num_tasks: int = 20
    """Games from the empty board; each has its own seed."""
    seed: int = 0
    data: str | None = None
    """The folder of marubatsu's tables (None: its default)."""


class GamesTaskset(vf.Taskset[GameTask, GamesConfig]):
    """Games, each with a side and a seed."""

    def load(self) -> Iterator[GameTask]:
        """Yield them, always in the same order."""
        for number, (board, side) in enumerate(self._starts()):
            data = GameData(
                name=f"{self.config.game}:{board or 'empty'}:{side}:{number}",
                game=self.config.game,
                side=side,
                board=board,
                seed=self.config.seed + number,
                folder=self.config.data,
            )
            yield GameTask(data, self.config.task)

    def _starts(self) -> Iterator[tuple[str | None, str]]:
        config = self.config
        if config.start == "empty":
            sides = SIDES if config.side == "both" else (config.side,)
            for number in range(config.num_tasks):
                yield None, sides[number % len(sides)]
            return
        for item in mb.items(config.game, split=config.start, data=config.data):
            side = SIDES[item["ply"] % 2]
            if config.side in (side, "both"):
                yield item["board"], side


# A chat without tools runs nothing of the model's, so it needs no box.
CHAT = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class GamesEnvConfig(vf.EnvConfig):
    """The players."""

    circle: vf.AgentConfig = CHAT
    cross: vf.AgentConfig = CHAT
    opponent: str = "perfect"
    """An AI of marubatsu, as in `marubatsu ais`; ``self``: both sides are models."""
    time: float = SEARCH_SECONDS
    """Seconds of each search, in a game without tables."""


class GamesEnv(vf.Env[GamesEnvConfig]):
    """One game an episode."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Ask for moves until the game ends; a side that stops replying has lost."""
        is_self_play = self.config.opponent == SELF
        play = task.play(None if is_self_play else self.config.opponent, self.config.time)
        sides = SIDES if is_self_play else (play.side,)
        traces = {}
        async with AsyncExitStack() as stack:
            seats = {
                side: await stack.enter_async_context(getattr(agents, side).interaction(task))
                for side in sides
            }
            while not play.is_over:
                segment = await seats[play.turn].turn(play.question.text)
                play.answer("" if segment.terminated else segment.last_reply)
            traces = {side: seat.trace for side, seat in seats.items()}
        for side, trace in traces.items():
            for name, value in play.rewards(side).items():
                trace.record_reward(name, value, WEIGHTS[name])
            trace.record_metric("moves", float(len(play.replies[side])))
            losses = [each.loss for each in play.replies[side] if each.loss is not None]
            trace.record_metric("loss", float(sum(losses)))
        names = {side: _model(trace) or side for side, trace in traces.items()}
        traces[sides[0]].info[RECORD] = {
            "game": task.data.game,
            "board": task.data.board,
            "players": [names.get(side, self.config.opponent) for side in SIDES],
            "moves": play.moves,
        }


def _model(trace: vf.Trace) -> str | None:
    return next((call.model for call in trace.calls if call.model), None)
