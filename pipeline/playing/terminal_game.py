"""A game of a person against an AI, on any pair of text streams."""

from dataclasses import dataclass
from random import Random
from typing import TextIO

from marubatsu.engine.ais.ai import AI, play
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.roster import find
from marubatsu.engine.rules.board_text import MARKS, draw
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.rules.size import TooLargeError

_HELP = "a cell to play there, hint for the values of all moves, undo, quit"


@dataclass(frozen=True)
class _Move:
    """One move of the game: the position before it, and who made it."""

    before: Position
    move: int
    by_person: bool


class TerminalGame:
    """One session at a terminal: a person, an AI, and the game between them."""

    def __init__(self, game: Game, ai: AI, side: str, random: Random) -> None:
        """Set up an empty board; ``side`` is the person's: circle or cross."""
        self._game, self._ai, self._random = game, ai, random
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
                out.write(f"\n{draw(self._game, self._position)}\n\nyour move: ")
                out.flush()
                line = lines.readline()
                if not line or line.strip() in ("quit", "q", "exit"):
                    out.write("\n" * (not line) + "the game is left unfinished\n")
                    break
                self._obey(line.strip(), out)
            else:
                self._board.set_up(self._position)
                move = play(self._chooser.choice(self._board), self._random)
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
        """Show the result of every move with perfect play."""
        try:
            values = self._values(self._position)
        except TooLargeError as error:
            out.write(f"there are no hints for this game: {error}\n")
            return
        best_first = sorted(values.items(), key=lambda pair: -pair[1])
        out.writelines(f"  {move}: {_outcome(value)}\n" for move, value in best_first)

    def _values(self, position: Position) -> dict[int, int]:
        """Return the shortest-victory score of each move, mover's view."""
        self._board.set_up(position)
        choice = find("perfect_sv").on(self._game).choice(self._board)
        assert choice.ai_scores is not None
        return {m: int(v) for m, v in zip(choice.legal, choice.ai_scores, strict=True)}

    def _tell_result(self, out: TextIO) -> None:
        out.write(f"\n{draw(self._game, self._position)}\n\n")
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
        try:
            told = [self._judge(number, move) for number, move in enumerate(self._moves, start=1)]
        except TooLargeError:
            told = [f"{n:>3}. {self._who(m)}: {m.move}" for n, m in enumerate(self._moves, start=1)]
            out.write("\nthe moves (this game is too large for a review)\n")
        else:
            out.write("\nreview (moves in order; with perfect play from there on)\n")
        out.writelines(line + "\n" for line in told)

    def _who(self, made: _Move) -> str:
        return "you" if made.by_person else self._ai.name

    def _judge(self, number: int, made: _Move) -> str:
        values = self._values(made.before)
        best, got = max(values.values()), values[made.move]
        line = f"{number:>3}. {self._who(made)}: {made.move}, {_outcome(got)}"
        if _sign(got) == _sign(best):
            return line
        moves = ", ".join(str(move) for move, value in values.items() if value == best)
        return f"{line}; a blunder, best: {moves} ({_outcome(best)})"


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _outcome(value: int) -> str:
    """Name the result that a score means for the mover."""
    return {1: "wins", 0: "draws", -1: "loses"}[_sign(value)]
