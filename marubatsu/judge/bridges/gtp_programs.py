"""Programs that speak GTP, version 2: before each move they are told the position anew.

Circle is ``b``, which begins, and cross ``w``. A vertex is a letter and a number, row 1 at the
bottom; as the protocol has it, no column is called ``i``. A board that is not square is told by
``rectangular_boardsize COLUMNS ROWS``. Commands have no numbers, and are sent all at once.
"""

from collections import deque

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.engine.rules.reachable import line_to
from marubatsu.judge.bridges.interfaces import Heard

COLUMNS = "abcdefghjklmnopqrstuvwxyz"
COLOURS = "bw"
_SHOWN = 80  # characters of an answer


class Lines:
    """The lines of a program that speaks GTP."""

    expected = "answers that begin with = or ?"

    def __init__(self, game: Game) -> None:
        """Name the game. Raises InputError when it has more columns than GTP has letters."""
        require_letters(game)
        self._game = game
        self._waiting: deque[str] = deque()  # commands that are not answered yet
        self._said: list[str] = []  # lines of the next answer
        self._fault: Fault | None = None
        self._cell_of: dict[str, int] = {}

    def question(self, board: str, legal: list[int] | None) -> bytes:
        """Write the commands that lead to a board, and the one for a move."""
        assert legal is not None
        game = self._game
        line = line_to(game, from_text(game, board)) or ()
        self._waiting = deque([
            boardsize(game),
            "clear_board",
            *(f"play {COLOURS[ply % 2]} {vertex_of(game, cell)}" for ply, cell in enumerate(line)),
            f"genmove {COLOURS[len(line) % 2]}",
        ])  # fmt: skip
        self._said, self._fault = [], None
        self._cell_of = {vertex_of(game, cell): cell for cell in legal}
        return "".join(f"{command}\n" for command in self._waiting).encode()

    def heard(self, line: bytes) -> Heard | None:
        """Read a line; an empty one ends the answer to a command."""
        text = line.decode(errors="replace").strip()
        if text and not self._said and text[0] not in "=?":
            return None
        if text:
            self._said.append(text)
        elif self._said:
            said, command = "\n".join(self._said), self._waiting.popleft()
            self._said = []
            if said[0] == "?" and self._fault is None:
                message = f"{said[:_SHOWN]!r} to {command!r}; expected ="
                self._fault = Fault("wrong answer", message)
            if not self._waiting:
                return Heard(self._fault or self._move(said[1:].strip()))
        return Heard(None)

    def _move(self, answer: str) -> Reply | Fault:
        """Read the answer to the last command."""
        vertex, legal = answer.lower(), ", ".join(self._cell_of)
        if vertex in self._cell_of:
            return Reply((self._cell_of[vertex],))
        message = f"{answer[:_SHOWN]!r}; legal: {legal}"
        return Fault("no move" if vertex in ("", "pass", "resign") else "illegal move", message)


def require_letters(game: Game) -> None:
    """Raise InputError when a game has more columns than GTP has letters."""
    if game.columns > len(COLUMNS):
        raise InputError(
            f"{game.name} has {game.columns} columns: GTP has letters for {len(COLUMNS)}"
        )


def boardsize(game: Game) -> str:
    """Return the command that tells the size of a board.

    >>> boardsize(Game("tictactoe")), boardsize(Game("connect4"))
    ('boardsize 3', 'rectangular_boardsize 7 6')
    """
    if game.columns == game.rows:
        return f"boardsize {game.columns}"
    return f"rectangular_boardsize {game.columns} {game.rows}"


def vertex_of(game: Game, cell: int) -> str:
    """Return the vertex of a cell.

    >>> vertex_of(Game("connect4"), 38), vertex_of(Game("9x1k3"), 8)
    ('d1', 'j1')
    """
    row, column = divmod(cell, game.columns)
    return f"{COLUMNS[column]}{game.rows - row}"
