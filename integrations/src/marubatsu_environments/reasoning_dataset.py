"""A data set of reasoning-gym: positions, easy or hard, with a curriculum by hardness.

Importing this module registers it as ``marubatsu``. Hardness is the chance that a random move is
not a best move. The score of an answer is 1 for a best move, 0.5 for a move that gives away half a
point of two (a win for a draw, a draw for a loss), and 0 for all else: 1 + dense / 2.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
from reasoning_gym.factory import ProceduralDataset, register_dataset

import marubatsu as mb
from marubatsu_environments.judged_replies import critical_items, judge

NAME = "marubatsu"


@dataclass
class PositionsConfig:
    """Which positions are drawn: of a split, between two bounds of hardness."""

    game: str = "tictactoe"
    split: str = "train"
    notation: str = "board"
    min_hardness: float = 0.0
    max_hardness: float = 1.0
    data: str | None = None  # the folder of marubatsu's tables; None: its default
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise ValueError for bounds or a size that make no sense."""
        if not 0 <= self.min_hardness <= self.max_hardness <= 1:
            raise ValueError(
                f"hardness from {self.min_hardness} to {self.max_hardness}: expected bounds from 0 "
                "to 1, the lower one first"
            )
        if self.size < 1:
            raise ValueError(f"size {self.size}: expected 1 or more")


class PositionsDataset(ProceduralDataset):
    """Critical positions of a split, drawn with replacement by the seed."""

    def __init__(self, config: PositionsConfig) -> None:
        """Read the split. Raises ValueError where no position is between the bounds."""
        super().__init__(config, config.seed, config.size)
        items = critical_items(
            config.game, config.split, config.notation, twins=False, data=config.data
        )
        low, high = config.min_hardness, config.max_hardness
        self._items = [item for item in items if low <= item["hardness"] <= high]
        if not self._items:
            raise ValueError(
                f"no critical position of {config.game} in {config.split} has a hardness from "
                f"{low} to {high}: widen the bounds, or choose another split"
            )

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Draw a position."""
        item = Random(self.seed + idx).choice(self._items)
        return {
            "question": item["question"],
            "answer": item["best_moves"][0],
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "item": item,
                "difficulty": {"hardness": (self.config.min_hardness, self.config.max_hardness)},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for any best move, 0.5 for a loss of 1, 0 for all else."""
        question = mb.Question.of_item(entry["metadata"]["item"])
        judged = judge(question, answer or "", data=self.config.data)
        return max(0.0, 1 + judged.rewards()["dense"] / 2)


class PositionsCurriculum(BaseCurriculum):
    """Levels of hardness."""

    def __init__(self) -> None:
        super().__init__(PositionsCurriculum.__name__, PositionsConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="hardness",
                levels=[0.0, 0.25, 0.5, 0.75, 1.0],
                description="Chance that a random move is not a best move",
                lower_field_name="min_hardness",
                upper_field_name="max_hardness",
                ensure_interval=True,
            )
        )


register_dataset(NAME, PositionsDataset, PositionsConfig, PositionsCurriculum)
