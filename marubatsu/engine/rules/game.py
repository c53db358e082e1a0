"""A game: a board, a run length and rule switches; its rules, one position at a time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain
from math import lcm
from typing import Any, overload

from marubatsu.engine.rules.game_names import ALIASES, plain_name
from marubatsu.engine.rules.input_error import InputError, is_truth_value, quote, whole_number
from marubatsu.engine.rules.position import Position, Side, Status, bits

MAX_CELLS = 63
"""A mask of more cells would not fit a signed 64-bit integer."""

DECLARED = ("directions", "lines", "line_results", "full_board", "supports", "first_cells")
"""The rules that a game declares as data; everything that depends on a rule reads them there."""

_NOTATION = re.compile(r"([0-9]{1,9})x([0-9]{1,9})(?:k([0-9]{1,9}))?((?:-[a-z]+)*)")


class GameError(InputError):
    """A name or numbers that define no game; the message quotes them and says what is expected."""


@dataclass(frozen=True, init=False)
class Game:
    """Rules plus board: the first side with ``run`` marks in a line wins (in misère: loses).

    Circle moves first. Lines run along rows, columns and both diagonals. With ``gravity`` a
    mark falls to the lowest empty cell of its column; row 0 is the top row. With ``torus`` lines
    continue beyond an edge at the opposite edge, and no cell counts twice in one line.

    Rules are data: `directions` or `lines`, `line_results`, `full_board`, `supports` and
    `first_cells`. A new rule is a switch that changes one of these. Most code reads them all;
    compiled code, the texts of rules and the boards for comparison know the usual rules and some of
    the rest, and refuse a game with others by `require_known`. A subclass may replace these
    properties, but no method that follows from them.

    A game is constructed from its name, or from its numbers and switches. Both may omit the run
    when it is the shorter side of the board. In a name, case, blanks and hyphens do not count, and
    it may be what people call the game, as in ``Connect Four``. Raises InputError, which quotes
    the name, for an invalid name. Raises it also for an empty board, for more than 63 cells, when
    the board holds no line of ``run`` marks, and for gravity on a torus, which has no lowest row.

    >>> Game("tictactoe") == Game("3x3") == Game(3, 3) == Game(3, 3, 3)
    True
    >>> Game("4x4k4-gravity").gravity
    True
    """

    columns: int
    rows: int
    run: int
    gravity: bool = False
    misere: bool = False
    torus: bool = False

    @overload
    def __init__(self, name: str, /) -> None: ...

    @overload
    def __init__(self, columns: int, rows: int, run: int = ..., **switches: bool) -> None: ...

    def __init__(
        self, columns: int | str, rows: int | None = None, run: int | None = None, **switches: bool
    ) -> None:
        if isinstance(columns, str):
            name = columns
            if rows is not None or run is not None or switches:
                raise GameError(f"{quote(name)} names a whole game: expected no other arguments")
            columns, rows, run, switches = _read(name)
            try:
                self._set(columns, rows, run, switches)
            except GameError as error:
                raise GameError(f"{quote(name)} is not a game: {error}") from None
        else:
            self._set(*_numbers(columns, rows, run), switches)

    def __init_subclass__(cls) -> None:
        """Raise TypeError when a subclass replaces what follows from the declared rules."""
        replaced = sorted(
            name
            for name in vars(cls).keys() & vars(Game).keys() - set(DECLARED)
            if not name.startswith("__")
        )
        if replaced:
            raise TypeError(
                f"{cls.__name__} replaces {', '.join(replaced)}, which follows from the declared "
                f"rules: expected it to replace only {', '.join(DECLARED)}"
            )

    def _set(self, columns: int, rows: int, run: int, switches: Mapping[str, bool]) -> None:
        if not switches.keys() <= set(SWITCHES):
            raise TypeError(f"a game has no switch {', '.join(switches.keys() - set(SWITCHES))}")
        if odd := [name for name, value in switches.items() if not is_truth_value(value)]:
            raise GameError(f"{odd[0]}={quote(switches[odd[0]])}: expected True or False")
        torus = switches.get("torus", False)
        board = f"a {'torus' if torus else 'board'} of {columns}x{rows}"
        if columns < 1 or rows < 1:
            raise GameError(f"{board} has no cells: expected 1 column and 1 row at least")
        if columns * rows > MAX_CELLS:
            raise GameError(f"{board} has {columns * rows} cells: expected at most {MAX_CELLS}")
        # A diagonal of a torus returns to its first cell after lcm(columns, rows) steps.
        longest = lcm(columns, rows) if torus else max(columns, rows)
        if not 1 <= run <= longest:
            raise GameError(f"no line of {run} fits on {board}: expected k1 to k{longest}")
        if torus and switches.get("gravity"):
            raise GameError("a torus has no floor: expected -gravity or -torus, not both")
        off = dict.fromkeys(SWITCHES, False)
        on = {name: bool(value) for name, value in switches.items()}
        values = {"columns": columns, "rows": rows, "run": run, **off, **on}
        for name, value in values.items():
            object.__setattr__(self, name, value)  # The dataclass is frozen.
        self._require_rules()

    def _require_rules(self) -> None:
        """Raise GameError for declarations that no game can have."""
        special = [each for each in SWITCHES if getattr(self, each) and each not in USUAL_SWITCHES]
        if type(self) is Game and not special:
            return  # The usual rules need no check, and games are made often.
        for name in special:
            self._require_a_change(name)
        self._require_declarations()
        self._require_moves()

    def _require_a_change(self, name: str) -> None:
        """Raise GameError for a switch that changes none of the declared rules."""
        numbers = self.columns, self.rows, self.run
        switches = {each: getattr(self, each) for each in SWITCHES}
        without = type(self)(*numbers, **{**switches, name: False})
        if all(getattr(self, rule) == getattr(without, rule) for rule in DECLARED):
            raise GameError(
                f"the rule {name} changes none of {', '.join(DECLARED)} on this board, and a "
                "game has no other rules: each side sets one mark of its own in each turn, "
                "and a position does not show which mark came last"
            )

    def _require_declarations(self) -> None:
        """Raise GameError for declarations of a wrong form, of other cells or of other lines."""
        results: list[Any] = [*self.line_results, self.full_board]
        supports: tuple[Any, ...] = self.supports
        are_ends = (isinstance(each, Status) and each < Status.PLAYING for each in results)
        if [*are_ends] != [True] * 3:
            raise GameError(
                f"the rules end games with {quote(results)}: expected circle, cross or draw for a "
                "line of circles, for one of crosses, and for a full board"
            )
        if [tuple] * self.cells != [*map(type, supports)]:
            raise GameError(f"the rules have other supports than {self.cells} tuples of masks")
        for mask in (*self.lines, *chain(*supports), self.first_cells):
            if not isinstance(mask, int) or mask & ~self.full:
                raise GameError(
                    f"the rules have the mask {quote(mask)}: expected a bit for each of some cells "
                    f"of 0 to {self.cells - 1}"
                )
        for line in self.lines:
            if line.bit_count() != self.run:
                raise GameError(
                    f"the rules have a line of {line.bit_count()} cells: expected lines of "
                    f"{self.run}, as the name says, which AIs, boards and scores count on"
                )

    def _require_moves(self) -> None:
        """Raise GameError where play has no first move, or never fills the board."""
        if self.gravity and (
            self.supports != _stacks(self.columns, self.cells)
            or not all(0 in self.supports[cell] for cell in bits(self.first_cells))
        ):
            raise GameError(
                "with gravity, marks stack in columns, and another rule opens other cells: "
                "expected one of these rules, not both"
            )
        if not self.first_cells:
            raise GameError("the rules leave no cell for the first mark: expected 1 at least")
        if not (self.gravity or self.all_open):
            for first in bits(self.first_cells):
                closed = self.full & ~self.filled_after(first, self.full)
                if closed:
                    raise GameError(
                        f"after a first mark on cell {first}, the rules never open cell "
                        f"{next(bits(closed))}: expected that play can fill the board"
                    )

    @property
    def notation(self) -> str:
        """The full name, as in ``3x3k3`` or ``4x4k4-gravity-misere``."""
        switches = "".join(f"-{name}" for name in SWITCHES if getattr(self, name))
        return f"{self.columns}x{self.rows}k{self.run}{switches}"

    @property
    def name(self) -> str:
        """The name that folders, tables and messages use: the alias where there is one."""
        notation = self.notation
        return next(
            (alias for alias, full_name in ALIASES.items() if full_name == notation), notation
        )

    @cached_property
    def cells(self) -> int:
        """Number of cells, which is also the ply of a full board."""
        return self.columns * self.rows

    @cached_property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << self.cells) - 1

    @property
    def directions(self) -> tuple[tuple[int, int], ...]:
        """The directions of lines, as steps (x, y): along a row, a column, both diagonals."""
        return ((1, 0), (0, 1), (1, 1), (-1, 1))

    @property
    def line_results(self) -> tuple[Status, Status]:
        """The result when circle has a line, and when cross has one."""
        winners = (Status.CIRCLE, Status.CROSS)
        return winners[::-1] if self.misere else winners

    @property
    def full_board(self) -> Status:
        """The result of a full board without a line."""
        return Status.DRAW

    @cached_property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, masks: it opens when all cells of any mask are filled, for 0 at once."""
        if self.gravity:
            return _stacks(self.columns, self.cells)
        return ((0,),) * self.cells

    @cached_property
    def first_cells(self) -> int:
        """The mask of the cells that the first mark may fill: those that need no support."""
        cells = {cell for cell in range(self.cells) if 0 in self.supports[cell]}
        return sum(1 << cell for cell in cells)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The mask of every line of ``run`` cells, each once."""
        lines = set()
        for y in range(self.rows):
            for x in range(self.columns):
                for dx, dy in self.directions:
                    line = 0
                    for i in range(self.run):
                        line |= self._bit(x + dx * i, y + dy * i)
                    if line.bit_count() == self.run:
                        lines.add(line)
        return tuple(sorted(lines))

    def _bit(self, x: int, y: int) -> int:
        """Return the mask of one cell; 0 beyond the edges, which a torus does not have."""
        if self.torus:
            x, y = x % self.columns, y % self.rows
        is_inside = 0 <= x < self.columns and 0 <= y < self.rows
        return 1 << x + self.columns * y if is_inside else 0

    @property
    def centre(self) -> int | None:
        """The cell in the middle of the board; None where there is none."""
        return self.cells // 2 if self.columns % 2 and self.rows % 2 else None

    @cached_property
    def corners(self) -> tuple[int, ...]:
        """The cells in the corners, in ascending order: top left, top right and so on."""
        return tuple(sorted({0, self.columns - 1, self.cells - self.columns, self.cells - 1}))

    @cached_property
    def border(self) -> tuple[int, ...]:
        """The cells on the border that are not corners, in ascending order."""
        across, down = (0, self.columns - 1), (0, self.rows - 1)
        cells = (divmod(cell, self.columns) for cell in range(self.cells))
        edge = {x + self.columns * y for y, x in cells if x in across or y in down}
        return tuple(sorted(edge - {*self.corners}))

    def has_line(self, mask: int) -> bool:
        """Return whether the marks of one side contain a whole line."""
        for line in self.lines:  # noqa: SIM110, a generator would take twice the time
            if mask & line == line:
                return True
        return False

    def status(self, position: Position) -> Status:
        """Return the status of a position that play can reach."""
        if self.has_line(position.circle):
            return self.line_results[Side.CIRCLE]
        if self.has_line(position.cross):
            return self.line_results[Side.CROSS]
        return self.full_board if position.occupied == self.full else Status.PLAYING

    def size_of_win(self, ply: int) -> int:
        """Return the size of score_sv for a win with ``ply`` marks on the board."""
        return 1 + (self.cells - min(ply, self.cells)) // 2

    def score_sv(self, score: int, ply: int) -> int:
        """Return the shortest-victory score of a game that ends with a score at a ply."""
        return score * self.size_of_win(ply)

    @cached_property
    def all_open(self) -> bool:
        """Whether every empty cell of an unfinished board is open: no rule restricts the moves."""
        return self.first_cells == self.full and all(0 in masks for masks in self.supports)

    @cached_property
    def support_steps(self) -> tuple[int, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """What `supports` declares, sorted so that few steps find all open cells.

        The mask of the cells without a support; pairs (distance, mask): a cell of the mask opens
        when the cell ``distance`` after it is filled; pairs (mask, cell): the cell opens when the
        mask is filled.
        """
        free, by_distance, by_mask = 0, dict[int, int](), list[tuple[int, int]]()
        for cell, masks in enumerate(self.supports):
            for mask in masks:
                if not mask:
                    free |= 1 << cell
                elif mask.bit_count() == 1:
                    distance = mask.bit_length() - 1 - cell
                    by_distance[distance] = by_distance.get(distance, 0) | 1 << cell
                else:
                    by_mask.append((mask, 1 << cell))
        return free, tuple(by_distance.items()), tuple(by_mask)

    def open_cells(self, occupied: int) -> int:
        """Return the mask of the cells that the next mark may fill on an unfinished board."""
        if not occupied:
            return self.first_cells
        opened, by_distance, by_mask = self.support_steps
        for distance, cells in by_distance:  # One shift for all cells: gravity needs no other.
            shifted = occupied >> distance if distance > 0 else occupied << -distance
            opened |= shifted & cells
        for mask, cell in by_mask:
            if occupied & mask == mask:
                opened |= cell
        return opened & ~occupied

    def filled_after(self, first: int, cells: int) -> int:
        """Return the mask of those of some cells that can be filled, one by one, after a first."""
        filled = 1 << first
        while opened := self.open_cells(filled) & cells:
            filled |= opened
        return filled

    def legal_moves(self, position: Position) -> tuple[int, ...]:
        """List the legal moves in ascending order; none when the position is finished."""
        if self.status(position) is not Status.PLAYING:
            return ()
        return tuple(bits(int(self.open_cells(position.occupied))))  # It may be of NumPy.

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move of the side to move.

        Raises ValueError when the move is not legal there.
        """
        legal = self.legal_moves(position)
        is_number = hasattr(move, "__index__") and not isinstance(move, bool)
        if not is_number or move not in legal:
            raise ValueError(
                f"cell {quote(move)} is not a legal move there: expected one of {list(legal)}"
            )
        return position.after(legal[legal.index(move)])  # A shifted int8 of NumPy overflows.


SWITCHES = tuple(field.name for field in fields(Game) if field.type is bool)
"""The names of the rules that a game's name switches on, in their order in the full name."""


def _stacks(columns: int, cells: int) -> tuple[tuple[int, ...], ...]:
    """Return the supports of gravity: the cell below, and none in the lowest row."""
    return tuple((1 << cell + columns & (1 << cells) - 1,) for cell in range(cells))


USUAL_SWITCHES = ("gravity", "misere", "torus")
"""The switches that all code knows. One may leave a game as it is, as ``-torus`` does 2x2k1."""


def _read(name: str) -> tuple[int, int, int, dict[str, bool]]:
    match = _NOTATION.fullmatch(plain_name(name, SWITCHES))
    named = match[4].split("-")[1:] if match else []
    if match is None or len(set(named)) < len(named) or not set(SWITCHES).issuperset(named):
        raise _no_name(name)
    columns, rows = int(match[1]), int(match[2])
    run = int(match[3]) if match[3] else min(columns, rows)
    return columns, rows, run, dict.fromkeys(named, True)


def _numbers(columns: object, rows: object, run: object) -> tuple[int, int, int]:
    numbers = (columns, rows) if run is None else (columns, rows, run)
    try:
        across, down, *rest = map(whole_number, numbers)
    except TypeError:
        given = (columns, *(each for each in (rows, run) if each is not None))
        raise GameError(
            f"{', '.join(map(quote, given))} is no game: expected a name such as 3x3k3, or whole "
            "numbers of columns, of rows, and of marks in a line"
        ) from None
    return across, down, rest[0] if rest else min(across, down)


def game_of(game: Game | str) -> Game:
    """Return a game that was given itself or by its name. Raises GameError for anything else."""
    return game if isinstance(game, Game) else Game(game)


def special_rules(game: Game) -> list[str]:
    """List the declared rules that gravity, misère and torus alone do not explain.

    >>> special_rules(Game("4x4k4-gravity-misere"))
    []
    """
    switches = {name: getattr(game, name) for name in USUAL_SWITCHES}
    usual = Game(game.columns, game.rows, game.run, **switches)
    if usual == game:  # A subclass is never equal.
        return []
    return [rule for rule in DECLARED if getattr(game, rule) != getattr(usual, rule)]


def unknown_rules(game: Game, readable: Sequence[str]) -> str:
    """Name the special rules of a game that are not among some, for an error; "" for none."""
    return ", ".join(rule for rule in special_rules(game) if rule not in readable)


def require_known(game: Game, reader: str, *readable: str) -> None:
    """Raise GameError when a game has special rules that a reader does not know."""
    unknown = unknown_rules(game, readable)
    if unknown:
        raise GameError(
            f"{reader} does not know the {unknown} of {game.name}: expected only "
            f"{', '.join([*USUAL_SWITCHES, *readable])}"
        )


def require_named(game: Game) -> None:
    """Raise GameError when the name of a game does not say its rules, so another would be read."""
    if type(game) is not Game:
        raise GameError(
            f"the name {game.notation} does not say the rules of {type(game).__name__}: a game "
            "with data of its own needs a switch of Game, which its name shows"
        )


def _no_name(text: str) -> GameError:
    *others, last = (f"-{name}" for name in SWITCHES)
    return GameError(
        f"{quote(text)} is not the name of a game: expected COLUMNSxROWSkRUN with optional "
        f"{', '.join(others)} and {last}, such as 3x3k3, 4x4k4-gravity or 3x3k3-misere, or one of "
        f"{', '.join(ALIASES)}"
    )
