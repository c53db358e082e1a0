"""The taskset ``marubatsu-positions`` for verifiers: one position, one move, exact rewards.

verifiers finds a taskset as a module at the top. ``train``, ``validation`` and ``test`` hold whole
classes: no board of one has an image in another. The rewards are ``best`` (weight 1), ``legal`` and
``dense`` (weight 0 each): ``--env.taskset.task.rewards.dense.weight 1`` changes a weight.
"""

from collections.abc import Iterator
from typing import Literal

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarness

import marubatsu as mb
from marubatsu_environments.judged_replies import ILLEGAL, JudgedReply, critical_items, judge
from marubatsu_environments.proof import losses

__all__ = ["PositionsHarness", "PositionsTaskset"]


class PositionData(vf.TaskData):
    """A position as an item of marubatsu."""

    item: dict[str, object]


class PositionTaskConfig(vf.TaskConfig):
    """How a reply is rewarded."""

    potential: Literal["score", "speed"] = "score"
    """``speed``: a quick win is worth more."""
    illegal: float = ILLEGAL
    """The dense reward of a reply without a legal move."""
    data: str | None = None
    """The folder of marubatsu's tables (None: its default)."""


class PositionTask(vf.Task[PositionData, vf.State, PositionTaskConfig]):
    """Find a best move."""

    @property
    def _question(self) -> mb.Question:
        return mb.Question.of_item(self.data.item)

    def _judged(self, reply: str) -> JudgedReply:
        config = self.config
        return judge(
            self._question,
            reply,
            potential=config.potential,
            illegal=config.illegal,
            data=config.data,
        )

    @vf.reward(weight=1.0)
    async def best(self, trace: vf.Trace) -> float:
        """1 for a best move, else 0."""
        return self._judged(trace.last_reply).rewards()["best"]

    @vf.reward(weight=0.0)
    async def legal(self, trace: vf.Trace) -> float:
        """1 for a legal move, else 0."""
        return self._judged(trace.last_reply).legal

    @vf.reward(weight=0.0)
    async def dense(self, trace: vf.Trace) -> float:
        """0 for a best move; shaped by the exact values otherwise."""
        return self._judged(trace.last_reply).rewards()["dense"]

    @vf.metric
    async def details(self, trace: vf.Trace) -> dict[str, float]:
        """Return what the move loses, in score and plies, and whether the reply is in form."""
        return self._judged(trace.last_reply).metrics()

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Prove the item by the rules alone, and its rewards by a reply for every legal move."""
        question = self._question
        truth = losses(question.game, question.position)
        if [truth[cell] for cell in question.names.values()] != self.data.item["losses"]:
            return False
        judged = {cell: self._judged(f"move: {name}") for name, cell in question.names.items()}
        return self._judged("").legal == 0 and all(
            (each.move, each.loss, each.best) == (cell, truth[cell], float(truth[cell] == 0))
            for cell, each in judged.items()
        )


class PositionsConfig(vf.TasksetConfig):
    """The positions of the questions."""

    game: str = "tictactoe"
    """A game whose table of positions marubatsu can build."""
    split: Literal["train", "validation", "test", "all"] = "train"
    notation: Literal["board", "text", "moves", "all"] = "board"
    twins: bool = False
    """Ask in other forms, too: turned, with exchanged marks, with other names."""
    data: str | None = None
    """The folder of marubatsu's tables (None: its default)."""
    task: PositionTaskConfig = PositionTaskConfig()


class PositionsTaskset(vf.Taskset[PositionTask, PositionsConfig]):
    """The critical positions of a split: some legal move is not a best one."""

    def load(self) -> Iterator[PositionTask]:
        """Yield them by class, always in the same order."""
        config = self.config
        task = config.task.model_copy(update={"data": config.task.data or config.data})
        for item in critical_items(
            config.game, config.split, config.notation, twins=config.twins, data=config.data
        ):
            name, prompt = item["id"], item["question"]
            yield PositionTask(PositionData(id=name, name=name, prompt=prompt, item=item), task)


class PositionsHarness(NullHarness):
    """A chat without tools, unless another harness is chosen."""
