"""A game of a person against an AI, on any pair of text streams."""

from dataclasses import dataclass
from random import Random
from typing import TextIO

from marubatsu.engine.ais.ai import AI, draw
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules import board_text
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.pipeline.oracle.answer import result
from marubatsu.pipeline.oracle.oracle import Oracle
from marubatsu.pipeline.support.errors import DataError

_HELP = "a cell to play there, hint for the values of all moves, undo, quit"


@dataclass(frozen=True)
class _Move:
    """One move of the game: the position before it, and who made it."""

    before: Position
    move: int
    by_person: bool


class TerminalGame:
    """One session at a terminal: a person, an AI, and the game between them."""

    def __init__(
        self, game: Game, ai: AI, side: str, random: Random, oracle: Oracle | DataError
    ) -> None:
        """Set up an empty board; ``side`` is the person's: circle or cross.

        An error instead of an oracle is the reason why there are neither hints nor a review.
        """
        self._game, self._ai, self._random, self._oracle = game, ai, random, oracle
        self._chooser, self._board = ai.on(game), new_board(game)
        self._person = Side[side.upper()]
        self._moves: list[_Move] = []
        self._position = EMPTY

    def play(self, lines: TextIO, out: TextIO) -> None:
        """Play until the game ends, or the person leaves."""
        out.write(f"you are {MARKS[self._person]}, {self._ai.name} is the other")
        out.write(f" side; type {_HELP}\n")
        while self._game.status(self._position) is Status.PLAYING:
            if self._is_persons_turn():
                out.write(f"\n{board_text.draw(self._game, self._position)}\n\nyour move: ")
                out.flush()
                line = lines.readline()
                if not line or line.strip() in ("quit", "q", "exit"):
                    out.write("\n" * (not line) + "the game is left unfinished\n")
                    break
                self._obey(line.strip(), out)
            else:
                self._board.set_up(self._position)
                candidates = self._chooser.candidates(self._board)
                move = self._board.cell_of(draw(candidates, self._random))
                out.write(f"{self._ai.name} plays {move}\n")
                self._make(move, by_person=False)
        else:
            self._tell_result(out)
        self._review(out)

    def _is_persons_turn(self) -> bool:
        return self._position.turn is self._person

    def _obey(self, word: str, out: TextIO) -> None:
        """Execute one line of input."""
        if word in ("undo", "u"):
            self._undo(out)
        elif word in ("hint", "h"):
            self._hint(out)
        elif word in ("help", "?", ""):
            out.write(f"type {_HELP}\n")
        else:
            legal = self._game.legal_moves(self._position)
            move = int(word) if word.isascii() and word.isdecimal() and len(word) < 9 else -1
            if move in legal:
                self._make(move, by_person=True)
            else:
                cells = ", ".join(map(str, legal))
                out.write(f"{quote(word)} is no move here: expected one of {cells}, or {_HELP}\n")

    def _make(self, move: int, *, by_person: bool) -> None:
        self._moves.append(_Move(self._position, move, by_person))
        self._position = self._game.play(self._position, move)

    def _undo(self, out: TextIO) -> None:
        """Take back the person's last move and the AI's reply."""
        if not any(move.by_person for move in self._moves):
            out.write("there is no move of yours to take back\n")
            return
        while True:
            last = self._moves.pop()
            self._position = last.before
            if last.by_person:
                return

    def _hint(self, out: TextIO) -> None:
        """Show the result of every move with perfect play, the best move first."""
        if isinstance(self._oracle, DataError):
            out.write(f"there are no hints: {self._oracle}\n")
            return
        sign = self._position.turn.sign
        for move in self._oracle.answer(self._position).moves:
            way = _plies(move.distance + 1)
            out.write(f"  {move.move}: {result(sign * move.score)} in {way}\n")

    def _tell_result(self, out: TextIO) -> None:
        out.write(f"\n{board_text.draw(self._game, self._position)}\n\n")
        status = self._game.status(self._position)
        if status is Status.DRAW:
            out.write("a draw\n")
        else:
            won = status == Status(self._person)
            out.write("you win\n" if won else f"{self._ai.name} wins\n")

    def _review(self, out: TextIO) -> None:
        """Show the game and the blunders of each side."""
        if not self._moves:
            return
        moves = [
            f"{number:>3}. {self._who(made)}: {made.move}"
            for number, made in enumerate(self._moves, start=1)
        ]
        if isinstance(self._oracle, DataError):
            out.write(f"\nthe moves (there is no review: {self._oracle})\n")
        else:
            out.write("\nreview (moves in order; with perfect play from there on)\n")
            judged = [_judged(self._oracle, made) for made in self._moves]
            moves = [f"{move}, {told}" for move, told in zip(moves, judged, strict=True)]
        out.writelines(line + "\n" for line in moves)

    def _who(self, made: _Move) -> str:
        return "you" if made.by_person else self._ai.name


def _judged(oracle: Oracle, made: _Move) -> str:
    """Tell what a move leads to, and whether another one is better."""
    answer, sign = oracle.answer(made.before), made.before.turn.sign
    (move,) = (move for move in answer.moves if move.move == made.move)
    told = result(sign * move.score)
    if move.is_best:
        return told
    best = ", ".join(map(str, answer.best_moves))
    return f"{told}; a blunder, best: {best} ({result(sign * answer.score)})"


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"
