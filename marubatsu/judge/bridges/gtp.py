"""The Go Text Protocol, version 2: programs that are asked over it, and an engine of ours.

A line is ``[id] command [arguments]``. An answer is ``=[id] text``, of an error ``?[id] text``, and
an empty line. The text of an error begins with the words that the protocol has for it, such as
``illegal move``. Circle is black, ``b``, and moves first; cross is white, ``w``. A vertex is a
letter and a number, row 1 at the bottom; no column is called ``i``. A program gets the whole
position before each move, in commands without ids, all at once.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, TextIO

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import from_text, line_to, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.judge.agents.interfaces import ReadLine
from marubatsu.judge.bridges.actions import action_of, openspiel_text
from marubatsu.judge.bridges.our_players import AIPlayer
from marubatsu.pipeline.support.errors import MarubatsuError, harmless
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.version import __version__

if TYPE_CHECKING:  # No agent in a box may import the oracle.
    from marubatsu.judge.oracle.oracle import Oracle

LETTERS = "abcdefghjklmnopqrstuvwxyz"
COLOURS = "bw"
_SHOWN = 80  # characters of an answer

LONGEST_LINE = 10_000  # characters
_COLORS = {"b": Side.CIRCLE, "black": Side.CIRCLE, "w": Side.CROSS, "white": Side.CROSS}
_NAMES = {Side.CIRCLE: "black", Side.CROSS: "white"}


class Dialogue:
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

    def heard(self, line: bytes) -> ReadLine | None:
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
                return ReadLine(self._fault or self._move(said[1:].strip()))
        return ReadLine(None)

    def _move(self, answer: str) -> Reply | Fault:
        vertex, legal = answer.lower(), ", ".join(self._cell_of)
        if vertex in self._cell_of:
            return Reply((self._cell_of[vertex],))
        message = f"{answer[:_SHOWN]!r}; legal: {legal}"
        return Fault("no move" if vertex in ("", "pass", "resign") else "illegal move", message)


def require_letters(game: Game) -> None:
    """Raise InputError when a game has more columns than GTP has letters."""
    if game.columns > len(LETTERS):
        raise InputError(
            f"{game.name} has {game.columns} columns: GTP has letters for {len(LETTERS)}"
        )


def boardsize(game: Game) -> str:
    """Return the command that sets the size of a board.

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
    return f"{LETTERS[column]}{game.rows - row}"


class GtpError(InputError):
    """A command that cannot be obeyed; the text is the answer."""


class GtpEngine:
    """One game between a client and an AI, or between clients, from the empty board."""

    def __init__(
        self, player: AIPlayer, open_oracle: Callable[[], "Oracle"], *, as_openspiel: bool = False
    ) -> None:
        """Name the AI that ``genmove`` asks; the oracle is opened when a client asks for it.

        Moves are vertices, such as a1, or written ``as_openspiel``: x(2,0), with gravity x0.
        Raises InputError when the game has more columns than GTP has letters.
        """
        require_letters(player.game)
        self._game, self._player, self._open_oracle = player.game, player, open_oracle
        self._as_openspiel = as_openspiel
        self._positions = [EMPTY]
        self._has_quit = False
        self._commands: dict[str, Callable[..., str]] = {
            "protocol_version": lambda: "2",
            "name": lambda: "marubatsu",
            "version": lambda: __version__,
            "known_command": lambda name: json_text(name in self._commands),
            "list_commands": lambda: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": lambda size: self._boardsize(size, size),
            "rectangular_boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "marubatsu-answer": self._answer,
        }

    def serve(self, lines: TextIO, out: TextIO) -> None:
        """Answer line by line, until the client quits or its lines end."""
        for line in _lines(lines):
            answer = self.answer(line)
            if answer:
                out.write(f"{answer}\n\n")
                out.flush()
            if self._has_quit:
                return

    def answer(self, line: str) -> str:
        """Return the answer to a line, empty for a line that only has spaces and a comment."""
        words = _words(line)
        number = words.pop(0) if words and re.fullmatch("[0-9]+", words[0]) else ""
        if not (words or number):
            return ""
        try:
            if len(line.rstrip("\n")) > LONGEST_LINE:
                raise GtpError(f"syntax error: expected at most {LONGEST_LINE:,} characters a line")
            return f"={number} {self._obey(*words)}".rstrip()
        except (InputError, MarubatsuError) as error:
            return f"?{number} {' '.join(harmless(str(error)).split())}"

    def _obey(self, name: str = "", *arguments: str) -> str:
        if not name:
            raise GtpError("syntax error: expected a command after the id")
        command = self._commands.get(name)
        if command is None:
            raise GtpError(f"unknown command {quote(name)}: list_commands lists those there are")
        takes = len(signature(command).parameters)
        if len(arguments) != takes:
            raise GtpError(f"syntax error: {name} has {len(arguments)} arguments, expected {takes}")
        return command(*arguments)

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    @cached_property
    def _oracle(self) -> "Oracle":
        return self._open_oracle()

    def _quit(self) -> str:
        self._has_quit = True
        return ""

    def _boardsize(self, columns: str, rows: str) -> str:
        game = self._game
        if (columns, rows) != (str(game.columns), str(game.rows)):
            raise GtpError(f"unacceptable size: expected {boardsize(game)}, as of {game.name}")
        return self._clear_board()

    def _clear_board(self) -> str:
        self._positions = [EMPTY]
        return ""

    def _play(self, color: str, move: str) -> str:
        self._require_turn(color)
        game, position = self._game, self._position
        legal = {self._written(cell): cell for cell in game.legal_moves(position)}
        cell = legal.get(move.lower())
        if cell is None:
            raise GtpError(f"illegal move {quote(move)}: expected one of {', '.join(legal)}")
        self._positions.append(position.after(cell))
        return ""

    def _genmove(self, color: str) -> str:
        self._require_turn(color)
        cell = self._player.move(self._position)
        written = self._written(cell)
        self._positions.append(self._position.after(cell))
        return written

    def _written(self, cell: int) -> str:
        game = self._game
        if self._as_openspiel:
            return openspiel_text(game, self._position.turn, action_of(game, cell))
        return vertex_of(game, cell)

    def _require_turn(self, color: str) -> None:
        side = _COLORS.get(color.lower())
        if side is None:
            raise GtpError(
                f"syntax error: {quote(color)} is no color; expected b or black, which moves "
                "first and is circle, or w or white"
            )
        if self._game.status(self._position) is not Status.PLAYING:
            raise GtpError(
                f"illegal move: the game is over, {_result(self._game, self._position)}; "
                "expected undo or clear_board"
            )
        if side is not self._position.turn:
            raise GtpError(f"illegal move: it is the turn of {_NAMES[self._position.turn]}")

    def _undo(self) -> str:
        if len(self._positions) == 1:
            raise GtpError("cannot undo: the board is empty")
        self._positions.pop()
        return ""

    def _showboard(self) -> str:
        game, text = self._game, to_text(self._game, self._position)
        rows = (text[first : first + game.columns] for first in range(0, game.cells, game.columns))
        drawn = [f"{game.rows - y:>2} {'  '.join(row)}" for y, row in enumerate(rows)]
        letters = " ".join(f"{x:<2}" for x in LETTERS[: game.columns]).rstrip()
        return "\n".join([_result(game, self._position), *drawn, f"   {letters}"])

    def _answer(self) -> str:
        return json_text(self._oracle.within(self._position).to_json())


def _result(game: Game, position: Position) -> str:
    status = game.status(position)
    if status is Status.PLAYING:
        return f"{_NAMES[position.turn]} ({position.turn.word}) to move"
    if status is Status.DRAW:
        return "a draw"
    return f"{_NAMES[Side(status)]} ({status.word}) has won"


def _words(line: str) -> list[str]:
    """Return the words of a line, without its comment and what controls a terminal."""
    spaced = line.partition("#")[0].replace("\t", " ")
    return "".join(sign for sign in spaced if sign >= " " and sign != "\x7f").split()


def _lines(lines: TextIO) -> Iterator[str]:
    """Yield lines; truncate one that is too long just past the limit."""
    while line := lines.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith("\n"):
            rest = lines.readline(LONGEST_LINE + 1)
        yield line
