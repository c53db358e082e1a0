"""The positions that an audit asks about, as options say it: of random games, or of a file.

Positions of the AI's own games are drawn in `judge.audit.games`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, Self

from marubatsu.engine.notations.many_positions import read_many
from marubatsu.engine.rules.board_text import BoardError, line_to, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import EMPTY, Position, Status, bits
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.pipeline.support.errors import OptionError, UsageError, whole
from marubatsu.pipeline.support.json_text import NoTextError, bytes_of, text_of
from marubatsu.pipeline.support.machine import AUDIT_SECONDS, checked_time
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.report import left_out

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
        """Return how many of these positions can be asked about once more, to compare answers.

        0 where each is asked about several times: those answers are joined.
        """
        most = self.most_questions
        if self.repeat > 1:
            return 0
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


_MOST_BYTES = 20_000_000  # of a file
_TRIES = 2000  # random games in a row without a new position of a ply, after which it has no more


class Reached(NamedTuple):
    """A position, and moves that lead to it from the empty board."""

    position: Position
    line: tuple[int, ...] = ()


def by_random_play(game: Game, plan: Plan) -> list[Reached]:
    """Draw positions of random games, as many of each ply, and one of each class and each game.

    A ply that has no more of them leaves its share to the others.
    """
    plies = range(plan.first_ply, plan.last_ply + 1)
    randoms = {ply: Random(f"{plan.seed}/{ply}") for ply in plies}  # noqa: S311, no secret
    positions: list[Reached] = []
    seen: set[Position] = set()
    while randoms and len(positions) < plan.size:
        for ply, random in list(randoms.items())[: plan.size - len(positions)]:
            tries = (random_line(game, ply, random) for _ in range(_TRIES))
            new = (each for each in tries if each and add_if_new(game, each.position, seen))
            drawn = next(new, None)
            if drawn is None:
                del randoms[ply]
            else:
                positions.append(drawn)
    return positions


def random_line(game: Game, ply: int, random: Random) -> Reached | None:
    """Play random moves up to a ply; return None where the game ends before, or there."""
    here = EMPTY
    line: list[int] = []
    while not game.has_line(here[here.turn.other]) and here.occupied != game.full:
        if len(line) == ply:
            return Reached(here, tuple(line))
        line.append(random.choice(list(bits(game.open_cells(here.occupied)))))
        here = here.after(line[-1])
    return None


def add_if_new(game: Game, position: Position, seen: set[Position]) -> bool:
    """Return whether no member of a position's class was seen; from now on, one was."""
    was_seen = position in seen
    if not was_seen:
        seen.update(class_members(game, position))
    return not was_seen


def by_file(game: Game, plan: Plan) -> list[Reached]:
    """Read a file of boards or moves as `read_many` does; of each class, the first one.

    Where there are more than the plan wants, the seed draws those that stay. Raises UsageError,
    naming the line that holds no unfinished position.
    """
    positions: list[Reached] = []
    seen: set[Position] = set()
    lines = 0
    of = f" of {quote(plan.how)}"
    try:
        text = text_of(bytes_of(Path(plan.how), _MOST_BYTES))
    except NoTextError as error:
        expected = f"{error}; expected random, own, or a file of positions"
        raise OptionError("positions", plan.how, expected) from None
    read = read_many(game, text, first=plan.begins, numbering=plan.numbering, of=of)
    try:
        for number, position in read:
            lines += 1
            drawn = reached_at(game, position, f"line {number}{of}")
            if plan.first_ply <= len(drawn.line) <= plan.last_ply and add_if_new(
                game, drawn.position, seen
            ):
                positions.append(drawn)
    except BoardError as error:
        raise UsageError(str(error)) from None
    if not lines:
        raise UsageError(
            f"{quote(plan.how)} holds no position: expected a board or a list of moves on each line"
        )
    if not positions:
        raise UsageError(
            f"{quote(plan.how)} holds no position of the plies {plan.first_ply} to "
            f"{plan.last_ply}: leave out the option plies"
        )
    random = Random(plan.seed)  # noqa: S311, chance need not be unguessable
    stay = sorted(random.sample(range(len(positions)), min(plan.size, len(positions))))
    return [positions[place] for place in stay]


def reached_at(game: Game, position: Position, where: str) -> Reached:
    """Return a position with moves that lead to it. Raises UsageError, naming its place."""
    status = game.status(position)
    if status is not Status.PLAYING:
        raise UsageError(
            f"{where}: {to_text(game, position)} is finished ({status.word}): expected positions "
            "in which an AI has to move"
        )
    line = line_to(game, position)
    if line is None:
        raise UsageError(f"{where}: no game of {game.name} reaches {to_text(game, position)}")
    return Reached(position, line)


@dataclass(frozen=True)
class Sampled:
    """How the positions of an audit were drawn, and what the AI gives away in each of them.

    They are ``random``: of random games, as many of each ply; ``own``: of the AI's own games; or
    those of files, of positions or of answers. Games were played from the ``starts`` of lowest ply.
    """

    positions: str  # random, own, or the names of files
    first_ply: int
    last_ply: int
    drawn: int  # classes, with those that could not be judged
    out_of_time: Sequence[tuple[int, ...]]  # lines to those for which the search took too long
    by_ply: Rows  # ACCURACY_COLUMNS
    answers: Rows  # ANSWER_COLUMNS: every candidate of the AI in every judged position
    starts: Mapping[str, int]  # results of perfect play on both sides, from where games started
    games_out_of_time: int  # games that ended early because the search took too long

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            "positions": self.positions,
            "first_ply": self.first_ply,
            "last_ply": self.last_ply,
            "drawn": self.drawn,
            "out_of_time": [list(line) for line in self.out_of_time],
            "accuracy_by_ply": self.by_ply.records(),
            "answers": self.answers.records(),
            "starts": dict(self.starts),
            "games_out_of_time": self.games_out_of_time,
        }

    def sentences(self, scope: Scope) -> Iterator[str]:
        """Say how the positions were drawn, and what they cannot tell."""
        plies = f"plies {self.first_ply} to {self.last_ply}"
        if self.positions == RANDOM:
            drawn = f"the positions are of random games, as many of each of {plies} as there are"
        elif self.positions == OWN:
            drawn = (
                f"in the positions, of {plies}, it had to move in its games from the empty board "
                "against random play, against itself, and against perfect play"
            )
            drawn += f" (random before ply {self.first_ply})" * (self.first_ply > 0)
        else:
            drawn = f"the positions are those of {quote(self.positions)}, of {plies}"
        yield drawn + "; of each class, one" * (scope == "drawn")
        if self.out_of_time:
            yield left_out(len(self.out_of_time), self.drawn)
        yield "a sample can refute that an AI solves the game strongly, and cannot prove it"
