"""How an audit asks a foreign AI: the options that spare questions, read and checked."""

from dataclasses import dataclass

from marubatsu.judge.agents.address import AddressedAI, FunctionAI, ProcessAI
from marubatsu.judge.agents.agent_options import QuestionOptions
from marubatsu.pipeline.support.errors import OptionError, whole


@dataclass(frozen=True)
class Asking:
    """How often a foreign AI is asked at most."""

    most_questions: int | None = None  # that it answers; None: any number


USUAL = Asking()
"""How it is asked without options."""


def asking_of(ai: AddressedAI, options: QuestionOptions) -> Asking:
    """Return how options want an AI asked. Raises UsageError for those that make no sense."""
    for name, value in options.items():
        if name != "matches" and not isinstance(ai, ProcessAI | FunctionAI):
            raise OptionError(
                name, value, f"expected an AI at an address, as in file.py:function, not {ai.name}"
            )
    most = options.get("most_questions")
    return Asking(most_questions=most if most is None else whole("most_questions", most, least=1))
