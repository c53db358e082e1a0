"""How a foreign AI is run, asked and read, as options say."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.input_error import is_one_of, one_of
from marubatsu.judge.agents.address import (
    AddressedAI,
    BuiltInAI,
    FunctionAI,
    ProcessAI,
    ReplyTableAI,
    SavedAI,
)
from marubatsu.judge.agents.agent_options import CONFINING, AgentOptions, QuestionOptions
from marubatsu.judge.agents.reply_reader import AUTO, FORMS
from marubatsu.pipeline.support.errors import OptionError, UsageError, checked_flag, whole
from marubatsu.pipeline.support.machine import checked_time, parse_memory

_LONGEST_MOVE = 3600  # seconds
_CONFINEMENTS = ("strict", "best")
_MOST_JOBS = 64


@dataclass(frozen=True)
class AgentSettings:
    """How a foreign AI is run, asked and read: what it may use, and which mark begins."""

    seconds: float = 1.0  # for one move
    memory: int = 2 * 10**9  # bytes of address space
    network: bool = False
    readable: tuple[Path, ...] = ()  # besides its own folder
    variables: tuple[str, ...] = ()  # of the environment, besides those that say where things are
    is_strict: bool = False  # to refuse it where something is not confined
    answers: str = AUTO  # one of FORMS
    first: str = MARKS[0]  # the mark that begins on its boards, and on those that are read
    numbering: str | None = None  # of the moves in a table of answers
    most_questions: int | None = None  # that it answers; None: any number
    jobs: int = 1  # processes that answer at the same time
    retries: int = 0  # of a question that a service fails to answer
    resume: Path | None = None  # the file of its answers

    @property
    def is_exchanged(self) -> bool:
        """Whether x begins on its boards."""
        return self.first == MARKS[1]


def _settings_of(options: AgentOptions) -> AgentSettings:
    """Return the settings that options choose. Raises UsageError for those that make no sense."""
    usual = AgentSettings()
    seconds = checked_time(
        options.get("timeout", usual.seconds), "timeout", _LONGEST_MOVE, may_be_zero=False
    )
    confinement, answers = options.get("confinement", "best"), options.get("answers", AUTO)
    memory = parse_memory(options["agent_memory"]) if "agent_memory" in options else usual.memory
    if not is_one_of(confinement, _CONFINEMENTS):
        raise OptionError("confinement", confinement, "expected best or strict")
    if not is_one_of(answers, FORMS):
        raise OptionError("answers", answers, f"expected {one_of(FORMS)}")
    readable = tuple(map(Path, _several(options, "allow_read")))
    for path in readable:
        if not os.path.exists(path):  # noqa: PTH110, as in `importing.is_file`
            raise OptionError("allow_read", str(path), "there is no such file or folder")
        if path.resolve() == Path("/"):
            raise OptionError("allow_read", str(path), "expected less than everything")
    return AgentSettings(
        float(seconds),
        memory,
        network=checked_flag("allow_network", options.get("allow_network", False)),
        readable=readable,
        variables=tuple(map(str, _several(options, "allow_env"))),
        is_strict=confinement == "strict",
        answers=answers,
        first=first_mark(options.get("first", MARKS[0])),
    )


def settings_for(
    ais: Iterable[AddressedAI],
    options: AgentOptions,
    questions: QuestionOptions | None = None,
    *,
    other_boards: bool = False,
    numbering: str | None = None,
) -> AgentSettings:
    """Return the settings of these AIs; the options about ``questions`` are about the first.

    Raises UsageError for options that would confine a function of this program, or no AI at all,
    and for those about the answers and boards of foreign AIs where there are none. With
    ``other_boards``, ``first`` is about boards of the user as well. With a ``numbering``, the
    replies of tables have no other form. Raises InputError for no mark.
    """
    listed, settings = list(ais), replace(_settings_of(options), numbering=numbering)
    kinds = {type(each) for each in listed}
    confining = [name for name in options if name in CONFINING]
    if confining and ProcessAI not in kinds and (FunctionAI in kinds or not kinds):
        raise UsageError(
            f"{', '.join(confining)}: only an AI at an address is confined, as in "
            "file.py:function; a function of this program runs in it without limits"
        )
    if settings.first not in tuple(MARKS) and not other_boards and ReplyTableAI not in kinds:
        raise OptionError(
            "first", settings.first, "expected o or x, the mark of the side that begins"
        )
    foreign = [each for each in listed if not isinstance(each, BuiltInAI | SavedAI)]
    if numbering and settings.answers != AUTO and {*map(type, foreign)} == {ReplyTableAI}:
        raise OptionError(
            "answers", settings.answers,
            "with the option numbering, each reply of a table is one move: leave one out",
        )  # fmt: skip
    in_a_form = [each for each in foreign if not each.is_evaluation]
    for name, is_useless in (
        ("answers", settings.answers != AUTO and not in_a_form),
        ("first", settings.is_exchanged and not foreign and not other_boards),
    ):
        if is_useless:
            others = f", not {one_of(each.name for each in listed)}" if listed else ""
            raise UsageError(
                f"the option {name} is about a foreign AI: expected one at an address, as in "
                f"file.py:function{others}"
            )
    return _with_questions(settings, listed[0], questions) if questions else settings


def _several(options: AgentOptions, name: Literal["allow_read", "allow_env"]) -> list[str | Path]:
    """Return the texts of an option; one alone needs no list. Raises OptionError."""
    values: Any = options.get(name, ())
    try:
        texts = [values] if isinstance(values, str | Path) else list(values)
    except TypeError:
        texts = [values]
    if not all(isinstance(each, str | Path) for each in texts):
        raise OptionError(name, values, "expected one text, or a list of texts")
    return texts


def _with_questions(
    settings: AgentSettings, ai: AddressedAI, options: QuestionOptions
) -> AgentSettings:
    for name, value in options.items():
        if not isinstance(ai, ProcessAI | FunctionAI):
            raise OptionError(
                name, value, f"expected an AI at an address, as in file.py:function, not {ai.name}"
            )
    most, resume = options.get("most_questions"), options.get("resume")
    if not isinstance(resume, str | Path | None):
        raise OptionError("resume", resume, "expected the name of a file")
    jobs = whole("jobs", options.get("jobs", 1), least=1, most=_MOST_JOBS)
    if jobs > 1 and not isinstance(ai, ProcessAI):
        raise OptionError(
            "jobs", jobs,
            f"{ai.name} is a function of this program, which answers one question at a time: "
            "expected an AI at an address, as in file.py:function",
        )  # fmt: skip
    return replace(
        settings,
        most_questions=most if most is None else whole("most_questions", most, least=1),
        jobs=jobs,
        retries=whole("retries", options.get("retries", 0)),
        resume=None if resume is None else Path(resume),
    )
