"""Solve a small game completely, publish it as data, and judge any AI against it.

>>> import marubatsu as mb
>>> mb.answer("o...x...o").score
0
>>> mb.search("alphabeta", ordering="ai14s").nodes
1496

The names below and those of `marubatsu.frameworks` are public and stable; everything in the
sub-packages is private. Scores are from circle's view. The data folder is, as on the command line:
``data=``, else the variable MARUBATSU_DATA, else ``data/`` of the checkout, else the user's data
folder. Missing data is built if that takes less than two seconds. In a larger game without data,
each position is searched; functions that need tables raise a DataError that names the command to
make them.

Errors: ``InputError`` (a ValueError): a name, a board or an option makes no sense. ``UsageError``:
arguments do not fit each other, the data or the files that they name. ``DataError``: data is
missing or damaged. Its subclass ``OutOfTimeError``: a search needs more time.
"""

from marubatsu.version import __version__ as __version__  # isort: skip, time runs from here on

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from marubatsu.engine.ais.by_function import Choose
    from marubatsu.engine.ais.matches import Match, Tally
    from marubatsu.engine.notations.reading import BoardLike
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.rules.input_error import InputError
    from marubatsu.engine.rules.position import Position, Status
    from marubatsu.engine.search.layers import Event, EventKind
    from marubatsu.engine.search.options import Result
    from marubatsu.judge.agents.address import evaluation
    from marubatsu.judge.agents.agent_options import AgentOptions, AuditOptions
    from marubatsu.judge.agents.match_games import match
    from marubatsu.judge.agents.position_search import SearchOptions, search
    from marubatsu.judge.agents.saved_ais import build
    from marubatsu.judge.audit.audit_report import Audit
    from marubatsu.judge.audit.draw_positions import Sampled
    from marubatsu.judge.audit.interview import Finding, Interview
    from marubatsu.judge.audit.mistakes import Comparison
    from marubatsu.judge.audit.run_audit import audit
    from marubatsu.judge.audit.verdicts import Verdicts
    from marubatsu.judge.bridges.conformance import Difference, Walk, conform_env
    from marubatsu.judge.items.grade import Grade, grade
    from marubatsu.judge.items.item_set import items
    from marubatsu.judge.items.question import Question, ReplyMove, question
    from marubatsu.judge.oracle.answer import Answer, Answers, BoundedAnswer, BoundedMove, Move
    from marubatsu.judge.oracle.choose_oracle import answer, oracle, solve
    from marubatsu.judge.oracle.oracle import Oracle
    from marubatsu.judge.oracle.reward import Reward, Rewards, reward, rewards
    from marubatsu.judge.review.player_tables import PlayerTables
    from marubatsu.judge.review.review import GameReview, Review, review
    from marubatsu.pipeline.sql.relations import Tables, sql, tables
    from marubatsu.pipeline.support.errors import DataError, OutOfTimeError, UsageError
    from marubatsu.pipeline.tables.output import Rows

__all__ = ["AgentOptions", "Answer", "Answers", "Audit", "AuditOptions", "BoardLike",
           "BoundedAnswer", "BoundedMove", "Choose", "Comparison", "DataError", "Difference",
           "Event", "EventKind", "Finding", "Game", "GameReview", "Grade", "InputError",
           "Interview", "Match", "Move", "Oracle", "OutOfTimeError", "PlayerTables",
           "Position", "Question", "ReplyMove", "Result", "Review", "Reward", "Rewards",
           "Rows", "Sampled", "SearchOptions", "Status", "Tables", "Tally", "UsageError",
           "Verdicts", "Walk", "answer", "audit", "build", "conform_env", "evaluation",
           "grade", "items", "match", "oracle", "question", "review", "reward", "rewards",
           "search", "solve", "sql", "tables"]  # fmt: skip

if not _TYPE_CHECKING:
    _NAMES = {
        "marubatsu.engine.ais.matches": ("Match", "Tally"),
        "marubatsu.engine.ais.by_function": ("Choose",),
        "marubatsu.engine.notations.reading": ("BoardLike",),
        "marubatsu.engine.rules.game": ("Game",),
        "marubatsu.engine.rules.input_error": ("InputError",),
        "marubatsu.engine.rules.position": ("Position", "Status"),
        "marubatsu.engine.search.options": ("Result",),
        "marubatsu.engine.search.layers": ("Event", "EventKind"),
        "marubatsu.judge.agents.address": ("evaluation",),
        "marubatsu.judge.agents.agent_options": ("AgentOptions", "AuditOptions"),
        "marubatsu.judge.agents.match_games": ("match",),
        "marubatsu.judge.agents.position_search": ("SearchOptions", "search"),
        "marubatsu.judge.agents.saved_ais": ("build",),
        "marubatsu.judge.audit.audit_report": ("Audit",),
        "marubatsu.judge.audit.draw_positions": ("Sampled",),
        "marubatsu.judge.audit.run_audit": ("audit",),
        "marubatsu.judge.audit.mistakes": ("Comparison",),
        "marubatsu.judge.audit.interview": ("Finding", "Interview"),
        "marubatsu.judge.audit.verdicts": ("Verdicts",),
        "marubatsu.judge.bridges.conformance": ("Difference", "Walk", "conform_env"),
        "marubatsu.judge.items.question": ("Question", "ReplyMove", "question"),
        "marubatsu.judge.items.grade": ("Grade", "grade"),
        "marubatsu.judge.items.item_set": ("items",),
        "marubatsu.judge.oracle.answer": (
            "Answer",
            "Answers",
            "BoundedAnswer",
            "BoundedMove",
            "Move",
        ),
        "marubatsu.judge.oracle.choose_oracle": ("answer", "oracle", "solve"),
        "marubatsu.judge.oracle.oracle": ("Oracle",),
        "marubatsu.judge.oracle.reward": ("Reward", "Rewards", "reward", "rewards"),
        "marubatsu.judge.review.player_tables": ("PlayerTables",),
        "marubatsu.judge.review.review": ("GameReview", "Review", "review"),
        "marubatsu.pipeline.sql.relations": ("Tables", "sql", "tables"),
        "marubatsu.pipeline.support.errors": ("DataError", "OutOfTimeError", "UsageError"),
        "marubatsu.pipeline.tables.output": ("Rows",),
    }
    _HOMES = {name: module for module, names in _NAMES.items() for name in names}

    def __getattr__(name: str) -> _Any:
        """Import a name when it is first used, because importing marubatsu must stay quick."""
        if name not in _HOMES:
            raise _no_attribute(name)
        from importlib import import_module

        if name.islower():  # A function: it loads what crashes with too little memory.
            from marubatsu.pipeline.support.machine import require_address_space

            require_address_space()
        return getattr(import_module(_HOMES[name]), name)

    def _no_attribute(name: str) -> Exception:
        """Return the error for a missing name, with a way on for one of the tutorial series.

        ``from marubatsu import`` shows the text of an ImportError only; all else needs an
        AttributeError.
        """
        from sys import _getframe

        from marubatsu.judge.bridges.series import INSTEAD, message

        is_imported = _getframe(2).f_code.co_name == "_handle_fromlist"
        kind = ImportError if is_imported and name in INSTEAD else AttributeError
        return kind(message(name), name=name)

    def __dir__() -> list[str]:
        """List the public names, also those that are not imported yet."""
        return [*globals(), *__all__]
