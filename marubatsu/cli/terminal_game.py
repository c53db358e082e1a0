"""A game of a person against an AI, on any pair of text streams."""

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import TextIO

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules import board_text
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted, quote
from marubatsu.engine.rules.numbering import (
    Numbering,
    NumberingError,
    cell_of_move,
    column_name,
    move_text,
)
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.judge.agents.match_games import NOT_PROVED, ReviewedMove, judge_moves, result_text
from marubatsu.judge.bridges.our_players import AIPlayer
from marubatsu.judge.oracle.answer import Move
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import progress

_HELP = "hint for the values of all moves, undo, quit"


class TerminalGame:
    """One session at a terminal: a person, an AI, and the game between them."""

    def __init__(
        self,
        game: Game,
        ai: AI,
        side: str,
        random: Random,
        open_oracle: Callable[[], Oracle],
        start: Position = EMPTY,
        numbering: Numbering | None = None,
    ) -> None:
        """Set up the board; ``side`` is the person's: circle or cross.

        Hints and the review open the oracle; where it raises DataError, the session says why there
        are none. Moves have a numbering; without one, letters of columns are moves with gravity.
        """
        self._game, self._ai, self._open_oracle = game, ai, open_oracle
        self._player = AIPlayer(game, ai, random)
        self._person = Side[side.upper()]
        self._moves: list[tuple[Position, int]] = []  # each with the position before it
        self._position, self._numbering = start, numbering
        move = "the letter of a column" if game.gravity and numbering is None else "a cell"
        self._help = f"{move} to play there, {_HELP}"

    @cached_property
    def _oracle(self) -> Oracle:
        return self._open_oracle()

    def play(self, lines: TextIO, out: TextIO) -> None:
        """Play until the game ends, or the person leaves."""
        out.write(f"you are {MARKS[self._person]}, {self._ai.name} is the other")
        out.write(f" side; type {self._help}\n")
        while self._game.status(self._position) is Status.PLAYING:
            if self._position.turn is self._person:
                out.write(f"\n{self._drawing()}\n\nyour move: ")
                out.flush()
                line = half_width(lines.readline())
                is_end = line.strip() in ("quit", "q", "exit") and self._move(line.strip()) is None
                if not line or is_end:
                    out.write("\n" * (not line) + "the game is left unfinished\n")
                    break
                self._obey(line.strip(), out)
            else:
                move = self._player.move(self._position)
                out.write(f"{self._ai.name} plays {self._typed(move)}\n")
                self._make(move)
        else:
            self._write_result(out)
        self._review(out)

    def _drawing(self) -> str:
        return board_text.draw(self._game, self._position, self._numbering)

    def _obey(self, word: str, out: TextIO) -> None:
        """Execute one line of input; what is a move is no abbreviation of a command."""
        legal = self._game.legal_moves(self._position)
        move = self._move(word)
        if move is not None:
            self._make(move)
        elif word in ("undo", "u"):
            self._undo(out)
        elif word in ("hint", "h"):
            self._hint(out)
        elif word in ("help", "?", ""):
            out.write(f"type {self._help}\n")
        else:
            by_column = sorted(legal, key=lambda cell: cell % self._game.columns)
            moves = ", ".join(map(self._typed, by_column if self._game.gravity else legal))
            out.write(f"{quote(word)} is no move here: expected one of {moves}, or {self._help}\n")

    def _move(self, word: str) -> int | None:
        numbering = self._numbering or Numbering.CELLS
        with suppress(NumberingError):
            return cell_of_move(self._game, self._position, word, numbering)
        return None

    def _typed(self, move: int) -> str:
        game = self._game
        if self._numbering is not None:
            return move_text(game, move, self._numbering)
        return column_name(move % game.columns) if game.gravity else str(move)

    def _make(self, move: int) -> None:
        self._moves.append((self._position, move))
        self._position = self._game.play(self._position, move)

    def _undo(self, out: TextIO) -> None:
        if not any(before.turn is self._person for before, _ in self._moves):
            out.write("there is no move of yours to take back\n")
            return
        while True:
            self._position, _ = self._moves.pop()
            if self._position.turn is self._person:
                return

    def _hint(self, out: TextIO) -> None:
        try:
            oracle = self._oracle
        except DataError as error:
            out.write(f"there are no hints: {error}\n")
            return
        with progress("searching") as advance:
            answer = oracle.within(self._position, advance, until_interrupted=True)
        for move in answer.moves:
            result = result_text(self._position, move)
            if isinstance(move, Move):
                result += f" in {counted(move.distance + 1, 'ply', 'plies')}"
            out.write(f"  {self._typed(move.move)}: {result}\n")

    def _write_result(self, out: TextIO) -> None:
        out.write(f"\n{self._drawing()}\n\n")
        status = self._game.status(self._position)
        if status is Status.DRAW:
            out.write("a draw\n")
        else:
            won = status == Status(self._person)
            out.write("you win\n" if won else f"{self._ai.name} wins\n")

    def _review(self, out: TextIO) -> None:
        if not self._moves:
            return
        moves = [
            f"{number:>3}. {'you' if before.turn is self._person else self._ai.name}: "
            f"{self._typed(move)}"
            for number, (before, move) in enumerate(self._moves, start=1)
        ]
        judgements = [""] * len(moves)
        try:
            judgements = [f", {judgement}" for judgement in self._judgements()]
            out.write("\nreview (moves in order; with perfect play from there on)\n")
        except DataError as error:
            out.write(f"\nthe moves (there is no review: {error})\n")
        except KeyboardInterrupt:
            out.write("\nthe moves (the review was stopped)\n")
        out.writelines(f"{move}{text}\n" for move, text in zip(moves, judgements, strict=True))

    def _judgements(self) -> list[str]:
        oracle = self._oracle
        with progress("review") as advance:
            judged = judge_moves(oracle, self._moves, advance)
            return [self._judgement(each) for each in judged]

    def _judgement(self, move: ReviewedMove) -> str:
        if move.loss is None:
            unproved = f"; its loss is {NOT_PROVED}"
            return move.result + unproved * (move.result != NOT_PROVED)
        if move.loss == 0:
            return move.result
        best = ", ".join(map(self._typed, move.best_moves))
        return f"{move.result}; a blunder, loss {move.loss}, best: {best} ({move.best_result})"
