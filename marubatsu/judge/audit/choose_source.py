"""Choose the oracle that judges an AI, and the positions to ask it about.

==================  =================  =================  ===============
options             a game by tables   one by a solution  one by a search
==================  =================  =================  ===============
none                every position     some classes       drawn positions
a sample            some classes       some classes       drawn positions
positions or plies  drawn positions    drawn positions    drawn positions
a table of answers  its positions      its positions      its positions
==================  =================  =================  ===============

Where a game has both tables and a solution, a sample comes from the solution; without a sample the
tables judge, if the game is small enough for tables of AIs, else the solution.
"""

import sys
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Self

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import Position
from marubatsu.judge.audit.drawn_positions import FROM_PLAY, OWN, RANDOM, Plan, plies_of
from marubatsu.judge.audit.source import (
    QuestionLimit,
    Source,
    by_oracle,
    has_tables_of_ais,
    solved_classes,
    some_classes,
    some_positions,
)
from marubatsu.judge.oracle.choose_oracle import goes_by_search
from marubatsu.pipeline.support.errors import OptionError, whole
from marubatsu.pipeline.support.machine import AUDIT_SECONDS, checked_time
from marubatsu.pipeline.tables.data_set import DataSet, Solution

DEFAULT_SAMPLE = 10_000
"""Classes that an audit by a solution asks about by default."""

_DRAWN = 1000  # positions that are drawn by default
_MOST_DRAWN = 100_000
_MOST_REPEATS = 1000


@dataclass(frozen=True)
class PositionRequest:
    """The positions that an audit is to ask about, as options say it.

    Its fields are those of `PositionOptions`. A search has ``time`` seconds for each position.
    """

    repeat: int = 1
    sample: int | str | None = None
    positions: str | Path | None = None
    plies: str | None = None
    numbering: str | None = None
    time: float = AUDIT_SECONDS
    seed: int = 0

    @property
    def is_drawn(self) -> bool:
        """Whether the positions or their plies are said."""
        return self.positions is not None or self.plies is not None

    @property
    def is_of_file(self) -> bool:
        """Whether a file names the positions."""
        return self.positions not in (None, *FROM_PLAY)

    @property
    def is_all(self) -> bool:
        """Whether nothing is said that leaves out positions."""
        return self.sample is None and not self.is_drawn

    def checked(self, tables: Sequence[str]) -> Self:
        """Return it with plain numbers, and the name of a file as a text.

        Raises UsageError for options that make no sense, and for those that draw positions besides
        the ones of tables of answers, given by their names.
        """
        repeat = whole("repeat", self.repeat, least=1, most=_MOST_REPEATS)
        seed = whole("seed", self.seed)
        checked_time(self.time, may_be_zero=False)
        positions = None if self.positions is None else str(self.positions)
        plain = replace(self, repeat=repeat, seed=seed, positions=positions)
        if self.numbering is not None and not plain.is_of_file and not tables:
            raise OptionError(
                "numbering", self.numbering,
                "expected moves that have it: name a file of them by the option positions",
            )  # fmt: skip
        for name in ("positions", "plies", "sample"):
            if tables and (value := getattr(plain, name)) is not None:
                raise OptionError(
                    name, value, f"{quote(tables[0])} names the positions itself; leave this out"
                )
        return plain

    def question_limit(self, most: int | None) -> QuestionLimit:
        """Return the limit of the questions. Raises UsageError."""
        if most is not None and most < self.repeat:
            raise OptionError(
                "most_questions", most, f"expected {self.repeat} or more, for one position"
            )
        if most is not None and self.positions == OWN:
            raise OptionError(
                "most_questions", most,
                "positions of its own games need an unknown number of questions: name other ones "
                "by the option positions",
            )  # fmt: skip
        return QuestionLimit(most, self.repeat)

    def plan(self, game: Game, how: str, first: str, *, is_searched: bool) -> Plan:
        """Return how to draw positions, or to take those of a file, on which ``first`` begins.

        Without plies, a searched game begins where answers are quick; a file is taken as a whole.
        Raises UsageError.
        """
        is_played = how in FROM_PLAY
        size = _DRAWN if is_played else sys.maxsize
        if self.sample is not None:
            expected = f"expected a number of positions to draw, 1 to {_MOST_DRAWN:,}"
            size = _size(self.sample, expected, _MOST_DRAWN)
        plies = plies_of(game, self.plies, searched=is_searched and is_played)
        return Plan(how, *plies, size, self.seed, first, self.numbering)


def source_of(
    data_set: DataSet,
    request: PositionRequest,
    limit: QuestionLimit,
    *,
    first: str = MARKS[0],
    names: str = "",
    named: Collection[Position] | None = None,
    is_saved: bool = False,
) -> AbstractContextManager[Source]:
    """Open the source of an audit; on the boards of a file, the mark ``first`` begins.

    ``named`` are the positions in tables of answers, which have the ``names``. Answers that are
    saved need the tables of the game. Raises UsageError for a sample and for plies that make no
    sense.
    """
    is_sampled = request.sample is not None
    is_searched = not is_saved and goes_by_search(data_set)
    by_tables = is_saved or (not is_searched and _goes_by_tables(data_set, is_sampled=is_sampled))
    if by_tables and not is_sampled and not request.is_drawn:
        return some_positions(data_set, limit, request.seed, named)
    if is_searched or request.is_drawn or named is not None:
        how = RANDOM if request.positions is None else str(request.positions)
        plan = request.plan(data_set.game, names or how, first, is_searched=is_searched)
        return by_oracle(data_set, plan, limit, request.time, named)
    size = DEFAULT_SAMPLE
    if request.sample == "all":
        size = sys.maxsize
    elif request.sample is not None:
        size = _size(request.sample, "expected a number of classes, or all")
    of_classes = some_classes if by_tables else solved_classes
    return of_classes(data_set, limit, request.seed, size)


def _goes_by_tables(data_set: DataSet, *, is_sampled: bool) -> bool:
    """Return whether tables judge an AI, or a solution; without both, which is to be made."""
    is_built, is_solved = data_set.has_manifest, data_set.sibling(Solution).is_solved
    if is_built != is_solved:
        return is_built
    return has_tables_of_ais(data_set.game) and not (is_solved and is_sampled)


def _size(sample: int | str, expected: str, most: float = inf) -> int:
    """Return the size of a sample. Raises UsageError, which says what is ``expected``."""
    digits = str(sample)[:19]
    if digits.isascii() and digits.isdecimal() and 0 < int(digits) <= most:
        return int(digits)
    raise OptionError("sample", sample, expected)
