"""A task and a scorer of Inspect: positions of a split, judged by the exact values."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

import marubatsu as mb
from marubatsu_environments.judged_replies import critical_items, judge


@scorer(
    metrics={
        "best": [accuracy(), stderr()],
        "legal": [accuracy()],
        "in_form": [accuracy()],
        "dense": [mean(), stderr()],
    }
)
def exact_move(data: str | None = None) -> Scorer:
    """Score the move in a reply: best, legal, in the form that the question asks for, dense.

    A reply without a legal move has ``dense`` -2. ``data`` is the folder of marubatsu's tables.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = mb.Question.of_item(state.metadata["item"])
        judged = judge(question, state.output.completion, data=data)
        names = {cell: name for name, cell in question.names.items()}
        return Score(
            value={**judged.rewards(), "in_form": float(judged.is_in_form)},
            answer=names.get(judged.move) if judged.move is not None else None,
            explanation=f"{judged.verdict}; best moves: {', '.join(target)}",
            metadata=judged.metrics(),
        )

    return score


@task
def marubatsu_positions(
    game: str = "tictactoe",
    split: str = "test",
    notation: str = "board",
    twins: bool = False,  # noqa: FBT001, FBT002, Inspect passes them by name
    data: str | None = None,
) -> Task:
    """Ask for a best move in every critical position of a split, once in each class."""
    items = critical_items(game, split, notation, twins=twins, data=data)
    samples = [
        Sample(
            input=item["question"],
            target=item["best_moves"],
            id=item["id"],
            metadata={"item": item},
        )
        for item in items
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{game}-{split}"),
        solver=generate(),
        scorer=exact_move(data),
    )
