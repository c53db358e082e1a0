"""The positions that an audit asks about, as options say it: drawn from play, or of a file."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Literal, Self

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import OptionError, whole
from marubatsu.pipeline.support.machine import AUDIT_SECONDS, checked_time

FROM_PLAY = RANDOM, OWN = "random", "own"
"""The ways to draw positions; any other text is the name of a file."""

Scope = Literal["all", "positions", "classes", "drawn", "named"]
"""What an audit asks about: all unfinished positions of the game, or some that the seed draws; one
member of each class, or of some that the seed draws; positions that are drawn from play or that a
file holds, one of each class; those that tables of answers name.
"""

_DRAWN = 1000  # positions that are drawn by default
_MOST_DRAWN = 100_000
_MOST_REPEATS = 1000


@dataclass(frozen=True)
class Plan:
    """How an audit draws positions: from where, of which plies, at most how many."""

    how: str  # RANDOM, OWN, or the names of files
    first_ply: int
    last_ply: int
    size: int
    seed: int
    begins: str  # the mark that begins on the boards of a file
    numbering: str | None  # of the moves in a file


@dataclass(frozen=True)
class PositionRequest:
    """The positions that an audit is to ask about, as options say it.

    Its fields are those of `PositionOptions`, and the most questions that it may ask. A search has
    ``time`` seconds for each position.
    """

    repeat: int = 1
    sample: int | str | None = None
    positions: str | Path | None = None
    plies: str | None = None
    numbering: str | None = None
    time: float = AUDIT_SECONDS
    seed: int = 0
    most_questions: int | None = None  # None: any number

    @property
    def chooses_positions(self) -> bool:
        """Whether the options name positions or plies."""
        return self.positions is not None or self.plies is not None

    @property
    def is_of_file(self) -> bool:
        """Whether a file names the positions."""
        return self.positions not in (None, *FROM_PLAY)

    @property
    def is_all(self) -> bool:
        """Whether no option leaves out positions."""
        return self.sample is None and not self.chooses_positions and self.most_questions is None

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
        most = self.most_questions
        if most is not None and most < repeat:
            raise OptionError(
                "most_questions", most, f"expected {repeat} or more, for one position"
            )
        if most is not None and positions == OWN:
            raise OptionError(
                "most_questions", most,
                "positions of its own games need an unknown number of questions: name other ones "
                "by the option positions",
            )  # fmt: skip
        return plain

    def affordable(self, wanted: int) -> int:
        """Return how many of some positions can be asked about, each as often as all others."""
        most = self.most_questions
        return wanted if most is None else min(wanted, most // self.repeat)

    def affordable_again(self, positions: int, wanted: int) -> int:
        """Return how many of these positions can then be asked about twice."""
        most = self.most_questions
        return wanted if most is None else min(wanted, most - positions)

    def plan(self, game: Game, how: str, first: str, *, is_searched: bool) -> Plan:
        """Return how to draw positions, or to take those of a file, on which ``first`` begins.

        Without plies, a searched game begins where answers are quick; a file is taken as a whole.
        Raises UsageError.
        """
        is_played = how in FROM_PLAY
        size = _DRAWN if is_played else sys.maxsize
        if self.sample is not None:
            expected = f"expected a number of positions to draw, 1 to {_MOST_DRAWN:,}"
            size = size_of(self.sample, expected, _MOST_DRAWN)
        plies = plies_of(game, self.plies, searched=is_searched and is_played)
        return Plan(how, *plies, self.affordable(size), self.seed, first, self.numbering)


def size_of(sample: int | str, expected: str, most: float = inf) -> int:
    """Return the size of a sample. Raises UsageError, which says what is ``expected``."""
    digits = str(sample)[:19]
    if digits.isascii() and digits.isdecimal() and 0 < int(digits) <= most:
        return int(digits)
    raise OptionError("sample", sample, expected)


def plies_of(game: Game, plies: object, *, searched: bool) -> tuple[int, int]:
    """Read the first and the last ply. Raises UsageError.

    Without a text, these are all plies, or of a searched game those where answers are quick.
    """
    if plies is None:
        quick = game.cells - (30 if game.gravity else 20)
        return max(0, quick) if searched else 0, game.cells - 1
    first, dash, last = (plies if isinstance(plies, str) else "").partition("-")
    ends = [first or "0", (last or str(game.cells - 1)) if dash else first]
    if all(end.isascii() and end.isdecimal() and len(end) < 4 for end in ends):
        low, high = map(int, ends)
        if plies != "-" and low <= high < game.cells:
            return low, high
    raise OptionError(
        "plies", plies,
        f"expected a ply or a range as in 12- or 12-20, of 0 to {game.cells - 1} for {game.name}",
    )  # fmt: skip
