"""A question to a language model: rules, position, how to reply; and the move of a reply."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules.board_text import MARKS, from_text, to_text
from marubatsu.engine.rules.game import Game, game_of, require_known
from marubatsu.engine.rules.input_error import counted, is_one_of, quote
from marubatsu.engine.rules.numbering import column_name
from marubatsu.engine.rules.position import Position
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


_NEAR = "[^\\W_\u3041-\u30ff\u4e00-\u9fff]"
"""What a cell is part of another word with: letters and digits, but no Japanese ones."""

_FORM = re.compile(
    r"(?P<before>.*?[.!?。](?=\W{1,9}move))??\W*move[\s*_`]*[:=](?P<cell>.*)", re.DOTALL
)
"""A line with a move, perhaps after other sentences."""

_NAME = re.compile(rf"(?<!{_NEAR})[a-z]{{1,2}}[0-9]{{1,2}}(?!{_NEAR})")
_NUMBER = re.compile(rf"(?<!{_NEAR})[0-9]{{1,3}}(?!{_NEAR})")
_NEXT = r"(?:[ \t]+|\s*[,;/|+*×]\s*|[-–.:]|[)\]]\s*[(\[]|\s+(?:or|and)\s+)[0-9]"  # noqa: RUF001
"""The second number of a pair, as in (1, 1), 1-1, [1][1] and 1 or 1, or digits of a fraction."""

_CALLED = re.compile(
    r"\b(?:cell\b|boxed\b|(?:move|answer)[\s*_`\"']*[:=>])\W{0,5}"
    rf"([0-9]{{1,3}})(?!{_NEAR})(?:{_NEXT})?"
)
_CHOOSING = (
    r"(?:move|answer|choice|action|cell|square)"
    r"(?:[\s*_`\"']*[:=](?:\W{0,3}[oxyz] (?:at|on|in|to))?|(?: for [oxyz])? is)"
    "|(?:put|place)(?: my| an?)? (?:mark|[oxyz])|play|take|choose|pick|select|fill|use|make|go"
    "|block"
)
_LEADING = (
    "i'(?:ll|d|m)|i (?:will|would|should|must|shall|am|have to|need to|think|believe)|i"
    "|let(?: me| us|'s)|so|then|thus|therefore|hence|finally|now|yes|ok|okay|sure|here(?: is|'s)?"
    "|that|an?|the|my|best|only|final|optimal|correct|winning|chosen|selected|(?:next )?move"
    "|answer|choice|action|cell|square|position|number|corner|centre|center|middle|edge"
    "|(?:go|going) to|at|in|on|with|for|going|boxed|text|json"
)
_SIGNS = r"(?:_|[^\w~])*+"
_CHOICE = re.compile(
    rf"(?:^|,(?=\W*(?:so|i|let)\b))(?P<words>{_SIGNS}(?:(?:(?:{_CHOOSING}|{_LEADING})"
    rf"(?![a-z0-9]|'[a-z])|私は|答えは?|(?:次の|最善)?手は?){_SIGNS})*+)"
    rf"(?P<cell>[a-z]{{0,2}}[0-9]{{1,3}})(?!{_NEAR}|['-]\w| or\b)"
    r"(?P<end>(?:_|[^\w~;:])*$|\W+(?:it is|blocks|wins|because|is "
    r"(?:(?:the|my|best|only|winning|move|choice)\b\s?)++(?!for))"
    r"|\s?(?:です|に(?:する|打つ|置く|(?:し|打ち|置き)ます))\W*$)?"
)
"""A cell in a sentence, and the words before it. As only these are, the sentence neither rejects
the cell, nor asks about it, nor is it the opponent's."""

_CHOOSES = re.compile(rf"\b(?:{_CHOOSING})")
_NO_CHOICE = re.compile(r".*(?:\?|\b(?:if|when|after|once|unless)\b)")
_TAKEN_BACK = re.compile(
    r"[,.]\s*but\b|\b(?:no(?=\W*$|[,.:;!])|wait|oops|hmm|actually|sorry|wrong)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。;])(?!\w)|\n")
_CLOSING = re.compile(r"</\w+>|<\|\w+\|>")  # tags
_KEYED = re.compile(r"""["']move["']\s*:\s*("[^"]*"|'[^']*'|[0-9]+(?![\w.]))""")
_ZEROS = re.compile("(?<![0-9.])0+(?=[0-9])")  # before a number

_THOUGHTS = re.compile(r"\A.*[<[]/think(?:ing)?[]>]|[<[]think(?:ing)?[]>].*", re.DOTALL)
"""What comes before a reply, and what is no reply because it was cut off."""

_NO_CELL = re.compile(
    rf"(?<!\w)[-−–.][0-9]|[0-9]{_NEXT}|(?:row|col|column)\W{{0,3}}[0-9]"  # noqa: RUF001
)
"""Numbers that are no cell: -1, 0.5, a row or a column, and pairs of these."""


class NamedMove(NamedTuple):
    """The move that a reply names."""

    move: str | None  # as the item writes it; None: not exactly one
    is_in_form: bool  # whether the reply ends as the question asks for


def find_move(reply: str, moves: Collection[str]) -> NamedMove:
    r"""Find the move in a reply to a question with some legal moves.

    The last line with a letter or digit, or its last sentence, may be ``move: CELL``. It must name
    one cell, and so must the only value of ``"move"`` in JSON. Otherwise the whole reply counts: it
    must name exactly one legal move, or no legal move and exactly one other cell, and a sentence
    must choose that, as in ``I play b2``. A number counts as a cell behind ``cell`` or ``move:``,
    or when the reply has no other word; -1 and a pair such as (1, 1) name none. What is inside
    ``<think>``, and what a later word such as ``wait`` takes back, does not count. Letters may be
    small or large.

    >>> find_move("b2 blocks a1.\n**Move: b2**", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=True)
    >>> find_move("I block with B2, because a1 is taken.", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=False)
    >>> find_move("Either b2 or c3", ["b2", "c3"])
    NamedMove(move=None, is_in_form=False)
    """
    reply = half_width(reply).lower().replace("\u2019", "'")
    reply = _ZEROS.sub("", _THOUGHTS.sub("", reply))
    is_numbered = next(iter(moves)).isdecimal()
    lines = [line for line in reply.splitlines() if any(map(str.isalnum, line))]
    formal = _FORM.fullmatch(lines[-1]) if lines else None
    keyed = [] if formal else _KEYED.findall(reply)
    if len(keyed) == 1:
        return find_move(f"move: {keyed[0]}", moves)._replace(is_in_form=False)
    is_in_form = bool(formal and not formal["before"])
    is_alone = len(lines) == 1 and re.fullmatch(r"\W*[0-9]{1,3}\W*", lines[0])
    alone = formal["cell"] if formal else lines[0] if is_numbered and is_alone else None
    if is_numbered:
        called = [alone] if alone is not None else [e[0] for e in _CALLED.finditer(reply)]
        if any(map(_NO_CELL.search, called)):
            return NamedMove(None, is_in_form=is_in_form)
    text = reply if alone is None else f"move: {alone}"
    pattern = _NAME if not is_numbered else _CALLED if alone is None else _NUMBER
    found = pattern.findall(text)
    named = {*found}
    cells = named if formal else named.intersection(moves) or named
    is_pair = alone is not None and is_numbered and len(found) > 1  # also row 1, column 1
    is_clear = len(cells) == 1 and not is_pair and cells <= _chosen(text)
    return NamedMove(cells.pop() if is_clear else None, is_in_form=is_in_form)


def _chosen(text: str) -> set[str]:
    """Return the cells that the sentences of a text choose, behind what takes others back."""
    sentences = _SENTENCE_END.split(_CLOSING.sub("", _TAKEN_BACK.split(text)[-1]))
    return {
        each["cell"]
        for sentence in sentences
        if not _NO_CHOICE.match(sentence)
        for each in _CHOICE.finditer(sentence)
        if each["end"] is not None or _CHOOSES.search(each["words"])
    }


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
