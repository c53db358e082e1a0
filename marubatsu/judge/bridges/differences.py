"""The kinds of difference between an environment and our rules, and what was found of each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import line_text

KINDS = {
    "errors": "A legal move and every question are answered without an exception.",
    "legal moves": "While the game goes on, the legal moves are those of our rules.",
    "turn": "While the game goes on, the side to move is the same as by our rules.",
    "end": "The game ends where it ends by our rules.",
    "winner": "The result, a winner or a draw, is the same as by our rules.",
    "rewards": "1 for the winner and -1 for the loser, else 0.",
    "observation": "What the players see is the board.",
    "legal moves at the end": "A finished game has no legal move.",
    "illegal move": "It changes nothing, or the mover loses the game.",
    "move outside the board": "It changes nothing, or the mover loses the game.",
    "move after the end": "It changes nothing.",
}
"""Each kind, and what must hold."""

REQUIRED = ("errors", "legal moves", "turn", "end", "winner", "rewards")
"""A walk that did not examine each of these does not pass."""

_LONGEST = 200  # characters of an answer that are shown

Value = TypeVar("Value")


@dataclass
class Difference:
    """One kind of difference: how often it was looked for and found, and the shortest line."""

    kind: str
    examined: int = 0
    differing: int = 0
    line: tuple[int, ...] = ()  # the cells played, an illegal one last; of equal length, the first
    expected: str = ""
    found: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether nothing differs; None when nothing was examined."""
        return self.differing == 0 if self.examined else None

    def note(
        self, line: tuple[int, ...], right: Value, found: Value, show: Callable[[Value], str] = str
    ) -> None:
        """Compare one answer with ours."""
        self.examined += 1
        if right == found:
            return
        self.differing += 1
        if self.differing == 1 or (len(line), line) < (len(self.line), self.line):
            self.line, self.expected, self.found = line, show(right), show(found)[:_LONGEST]


def cells_text(game: Game, cells: Iterable[int]) -> str:
    """Write cells as `line_text` does, and those outside the board as numbers.

    >>> cells_text(Game("connect4"), [38, -1])
    'd1 -1'
    """
    return " ".join(
        line_text(game, [cell]) if 0 <= cell < game.cells else str(cell) for cell in cells
    )
