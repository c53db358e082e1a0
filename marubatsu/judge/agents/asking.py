"""How an audit asks a foreign AI: the options that spare questions, read and checked."""

from dataclasses import dataclass
from pathlib import Path

from marubatsu.judge.agents.addressed_ai import AddressedAI, FunctionAI, ProcessAI
from marubatsu.judge.agents.agent_options import QuestionOptions
from marubatsu.pipeline.support.errors import OptionError, whole

_MOST_JOBS = 64


@dataclass(frozen=True)
class Asking:
    """How a foreign AI is asked."""

    most_questions: int | None = None  # that it answers; None: any number
    jobs: int = 1  # processes that answer at the same time
    retries: int = 0  # of a question that a service fails to answer
    resume: Path | None = None  # the file of its answers


USUAL = Asking()
"""How it is asked without options."""


def asking_of(ai: AddressedAI, options: QuestionOptions) -> Asking:
    """Return how options want an AI asked. Raises UsageError for those that make no sense."""
    for name, value in options.items():
        if name != "matches" and not isinstance(ai, ProcessAI | FunctionAI):
            raise OptionError(
                name, value, f"expected an AI at an address, as in file.py:function, not {ai.name}"
            )
    most, resume = options.get("most_questions"), options.get("resume")
    return Asking(
        most_questions=most if most is None else whole("most_questions", most, least=1),
        jobs=_jobs(ai, options.get("jobs", 1)),
        retries=whole("retries", options.get("retries", 0)),
        resume=None if resume is None else Path(resume),
    )


def _jobs(ai: AddressedAI, number: object) -> int:
    """Return a number of processes. Raises OptionError."""
    jobs = whole("jobs", number, least=1)
    if jobs > _MOST_JOBS:
        raise OptionError("jobs", jobs, f"expected 1 to {_MOST_JOBS}")
    if jobs > 1 and not isinstance(ai, ProcessAI):
        raise OptionError(
            "jobs", jobs,
            f"{ai.name} is a function of this program, which answers one question at a time: "
            "expected an AI at an address, as in file.py:function",
        )  # fmt: skip
    return jobs
