"""A question to a language model: rules, position, how to reply."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS, from_text, to_text
from marubatsu.engine.rules.game import Game, game_of, require_known
from marubatsu.engine.rules.input_error import counted, is_one_of, quote
from marubatsu.engine.rules.numbering import column_name
from marubatsu.engine.rules.position import Position
from marubatsu.judge.items.replies import find_move
from marubatsu.pipeline.support.errors import OptionError, UsageError


@dataclass(frozen=True)
class Naming:
    """The names of marks and cells in a question."""

    marks: tuple[str, str] = ("O", "X")  # of the side that begins, and of the other
    first_column: int = 0  # place in the alphabet of the letter of the leftmost column
    is_from_top: bool = False  # whether the top row is row 1, instead of the bottom row
    first_number: int = 0  # number of the cell in the top left corner

    def column(self, column: int) -> str:
        """Return the letters of a column."""
        return column_name(column + self.first_column)

    def row(self, game: Game, row: int) -> int:
        """Return the number of a row; the top row is given as 0."""
        return row + 1 if self.is_from_top else game.rows - row

    def name(self, game: Game, cell: int) -> str:
        """Return letters and number of a cell.

        >>> game = Game("tictactoe")
        >>> PLAIN.name(game, 0), RENAMED.name(game, 0)
        ('a3', 'k1')
        """
        row, column = divmod(cell, game.columns)
        return f"{self.column(column)}{self.row(game, row)}"

    def number(self, cell: int) -> str:
        """Return the number of a cell; cells are counted row by row."""
        return str(cell + self.first_number)


PLAIN = Naming()  # column a to the left, row 1 at the bottom, the first cell is 0
SWAPPED = replace(PLAIN, marks=PLAIN.marks[::-1])
RENAMED = Naming(marks=("Y", "Z"), first_column=10, is_from_top=True, first_number=1)


class Form(StrEnum):
    """A form of an item: the position itself, or a twin of it."""

    ORIGINAL = "original"
    IMAGE = "image"
    SWAPPED = "swapped"
    RENAMED = "renamed"

    @property
    def naming(self) -> Naming:
        """The names that it uses."""
        return {Form.SWAPPED: SWAPPED, Form.RENAMED: RENAMED}.get(self, PLAIN)


class Notation(StrEnum):
    """How a question shows a position, and how a reply names a move."""

    BOARD = "board"  # drawn with letters and numbers at its edges; a move is a cell such as b2
    TEXT = "text"  # its cells in one line; a move is the number of a cell
    MOVES = "moves"  # the moves so far, so that the reader must follow them; a move is as in board


def label(game: Game, notation: Notation, naming: Naming, cell: int) -> str:
    """Return a move as a reply names it."""
    return naming.number(cell) if notation is Notation.TEXT else naming.name(game, cell)


def question_text(
    game: Game, notation: Notation, naming: Naming, position: Position, line: Sequence[int]
) -> str:
    """Write the question about an unfinished position, to which the moves of a line lead."""
    mover = naming.marks[position.turn]
    write = {Notation.BOARD: _board, Notation.TEXT: _text}.get(notation)
    here = write(game, naming, position) if write else _moves(game, naming, line)
    kind = "number" if notation is Notation.TEXT else "name"
    return (
        f"{' '.join(_rules(game, naming))}\n\n{here}\n\n"
        f"You play {mover}, and it is your turn. Find a move with the best result for you when "
        "both players play perfectly from then on: a win is better than a draw, and a draw is "
        "better than a loss. How soon the game ends does not matter.\n"
        "You may think first. The last line of your reply must be `move: CELL`, where CELL is the "
        f"{kind} of the cell that gets your mark."
    )


def _rules(game: Game, naming: Naming) -> Iterator[str]:
    """Yield the rules, a sentence each. Raises GameError for rules without a sentence."""
    require_known(game, "the text of the rules")
    first, second = naming.marks
    columns, rows = counted(game.columns, "column"), counted(game.rows, "row")
    yield f"Two players, {first} and {second}, take turns on a board of {columns} and {rows}."
    yield f"{first} moves first."
    if game.gravity:
        yield "A player chooses a column that is not full."
        yield "The player's mark falls to the lowest empty cell of that column."
    else:
        yield "A player puts a mark on an empty cell."
    if game.torus:
        yield "A line that leaves the board at an edge goes on at the opposite edge."
        yield "A line counts no cell twice."
    yield (
        f"Whoever first has {counted(game.run, 'own mark')} next to each other in a straight "
        f"line, horizontal, vertical or diagonal, {'loses' if game.misere else 'wins'}."
    )
    yield "A full board without such a line is a draw."


def _marks(game: Game, naming: Naming, position: Position) -> str:
    return to_text(game, position).translate(str.maketrans(MARKS, "".join(naming.marks)))


def _board(game: Game, naming: Naming, position: Position) -> str:
    marks = _marks(game, naming, position)
    columns = [naming.column(column) for column in range(game.columns)]
    width = max(map(len, columns))
    edge = len(str(game.rows))
    drawn: list[tuple[object, Sequence[str]]] = [("", columns)]
    for row in range(game.rows):
        first = game.columns * row
        drawn.append((naming.row(game, row), marks[first : first + game.columns]))
    rows = (
        " ".join([f"{name:>{edge}}", *(f"{each:>{width}}" for each in cells)])
        for name, cells in drawn
    )
    return (
        "The position, with a dot for an empty cell:\n\n" + "\n".join(rows) + "\n\n"
        "The name of a cell is the letter of its column and the number of its row."
    )


def _text(game: Game, naming: Naming, position: Position) -> str:
    marks = _marks(game, naming, position).lower()
    return (
        "The position in one line, row by row from top to bottom, each row from left to right, "
        f"with small letters for marks and a dot for an empty cell:\n\n{marks}\n\n"
        f"Cells are numbered in this order, from {naming.number(0)} to "
        f"{naming.number(game.cells - 1)}."
    )


def _moves(game: Game, naming: Naming, line: Sequence[int]) -> str:
    left, right = naming.column(0), naming.column(game.columns - 1)
    bottom, top = naming.row(game, game.rows - 1), naming.row(game, 0)
    played = " ".join(naming.name(game, cell) for cell in line) or "none"
    return (
        "The name of a cell is the letter of its column and the number of its row. Columns are "
        f"{left} to {right} from left to right, rows are {bottom} to {top} from bottom to top.\n\n"
        f"The moves so far, beginning with the empty board: {played}"
    )


_NOTATIONS = (Notation.BOARD, Notation.TEXT)  # which need no line of play


@dataclass(frozen=True)
class ReplyMove:
    """What a reply names. Nothing is guessed: see docs/learning.md."""

    verdict: str  # "legal", "illegal" (a cell that may not be filled) or "unparsable"
    move: int | None  # the cell of a legal move
    is_in_form: bool  # whether the reply ends with the line that the question asks for


@dataclass(frozen=True)
class Question:
    """A question about an unfinished position."""

    game: Game
    board: str  # the position, as the tables spell it
    text: str  # rules, position, side to move, and how to reply
    names: Mapping[str, int]  # the legal moves: the name in a reply, and the cell

    @classmethod
    def of_item(cls, item: Mapping[str, Any]) -> "Question":
        """Return the question of an item, as `items` makes them. A twin has names of its own.

        Raises UsageError for what is no item, and for moves that are not those of its board.
        """
        try:
            game, notation = game_of(item["game"]), Notation(item["notation"])
            naming, board, text = Form(item["form"]).naming, item["board"], item["question"]
            legal = game.legal_moves(from_text(game, board))
            given = " ".join(item["moves"])
        except (KeyError, TypeError, ValueError):
            raise UsageError(f"{quote(item)} is no item: expected what `items` returns") from None
        if not legal:
            raise UsageError(f"{quote(board)} is finished: expected a board with moves")
        names = {label(game, notation, naming, cell): cell for cell in legal}
        if {*names} != {*item["moves"]}:
            raise UsageError(
                f"the moves of the item are {quote(given)}: expected {' '.join(names)}"
            )
        return cls(game, board, text, names)

    @property
    def position(self) -> Position:
        """The position."""
        return from_text(self.game, self.board)

    def read(self, reply: str | None) -> ReplyMove:
        """Return the move that a reply names. Raises UsageError for what is no text.

        None, as where a model sends no text, names none.
        """
        if not isinstance(reply, str | None):
            raise UsageError(f"{quote(reply)} is no reply: expected a text")
        named = find_move(reply or "", self.names)
        if named.move is None:
            return ReplyMove("unparsable", None, named.is_in_form)
        cell = self.names.get(named.move)
        return ReplyMove("illegal" if cell is None else "legal", cell, named.is_in_form)


def question(
    board: BoardLike,
    game: Game | str = "tictactoe",
    *,
    notation: str = "board",
    first: str = MARKS[0],
    numbering: str | None = None,
) -> Question:
    """Return the question about one position of any game, with the reader of its replies.

    The question is worded as in `items`, but has no answer: `reward` says what a move is worth.
    ``notation`` is ``board``, a picture in text, or ``text``, the cells in a line. ``first`` and
    ``numbering`` are as in `answer`. Raises InputError for a name of no game and for no position,
    UsageError for a finished one and for another notation.

    >>> asked = question("o...x....")
    >>> asked.read("I take the corner. Move: C1")
    ReplyMove(verdict='legal', move=8, is_in_form=False)
    >>> asked.read("b2").verdict, asked.read("a1 or c3").verdict
    ('illegal', 'unparsable')
    """
    if not is_one_of(notation, _NOTATIONS):
        raise OptionError("notation", notation, f"expected one of {', '.join(_NOTATIONS)}")
    played = game_of(game)
    position = read_position(played, board, first=first, numbering=numbering)
    legal = played.legal_moves(position)
    if not legal:
        raise UsageError(f"{to_text(played, position)} is finished: it has no moves")
    form = Notation(notation)
    return Question(
        game=played,
        board=to_text(played, position),
        text=question_text(played, form, PLAIN, position, ()),
        names={label(played, form, PLAIN, cell): cell for cell in legal},
    )
