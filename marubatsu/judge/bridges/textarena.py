"""Agents of TextArena: a function from a text to a reply with a move in brackets.

The text has the rules, the board and the legal moves. A move is ``[4]``, a cell, or with gravity
``[col 3]`` or ``[3]``, a column. As there, the first player has O, with gravity X. A reply is read
as the environments of textarena 0.7.4 do; each has a pattern of its own.
"""

import re
from typing import Any

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import EMPTY_CELL
from marubatsu.engine.rules.game import Game, require_known
from marubatsu.judge.agents.interfaces import AnswerError, cell_of_answer, repr_of, require_function
from marubatsu.judge.bridges.actions import cells_by_action

_CELL = re.compile(r"\[\s*(\d+)\s*]")  # of TicTacToe
_BARE_CELL = re.compile(r"\[(\d+)]")  # of ReverseTicTacToe, which allows no space
_COLUMN = re.compile(r"\[(?:col\s*)?(\d+)]", re.IGNORECASE)  # of ConnectFour

_CURE = "write the number of a cell or column in square brackets"

_SIGNS = {"o": "O", "x": "X"}
_WITH_GRAVITY = {"o": "X", "x": "O"}


def chooser(agent: Any, game: Game) -> Choose:
    """Return an agent as a function of ours. Raises GameError for rules without a text."""
    require_known(game, "the text of the rules")
    function = require_function(agent, "f(text) that returns a text")

    def choose(board: str, legal: list[int]) -> int:
        cell_of = cells_by_action(game, legal)
        reply = function(_text(game, board, list(cell_of)))
        return cell_of_answer(cell_of, reply, action_of_reply(game, reply, next(iter(cell_of))))

    return choose


def action_of_reply(game: Game, reply: Any, example: int = 0) -> int:
    """Return the action that TextArena reads in a reply. Raises AnswerError where it reads none.

    A text or list without any bracket gets them: ``4`` is ``[4]``. The first cell of a
    reply is played. Of columns, the last one is played on the first line that has any.
    """
    expected = f"move such as {_written(game, example)}"
    pattern = _COLUMN if game.gravity else _BARE_CELL if game.misere else _CELL
    try:
        text = reply if "[" in reply or "]" in reply else f"[{reply}]"
        moves = list(pattern.finditer(text))
    except TypeError:
        detail = f"{repr_of(reply)}; expected a text with a {expected}"
        raise AnswerError("wrong answer", detail, _CURE) from None
    if not moves:
        raise AnswerError("no move", f"{str(reply)[:80]!r} has no {expected}", _CURE)
    line_end = text.find("\n", moves[0].start()) if game.gravity else moves[0].end()
    played = [move for move in moves if line_end < 0 or move.start() < line_end][-1]
    try:
        return int(played[1])
    except ValueError:  # Python refuses thousands of digits, there as here.
        raise AnswerError("illegal move", f"a number of {len(played[1]):,} digits") from None


def _text(game: Game, board: str, actions: list[int]) -> str:
    signs = _WITH_GRAVITY if game.gravity else _SIGNS
    player = (len(board) - board.count(EMPTY_CELL)) % 2
    own, other = (signs["ox"[side]] for side in (player, 1 - player))
    place, example = "column" if game.gravity else "cell", _written(game, actions[0])
    falls = "A mark falls to the lowest empty cell of its column.\n" if game.gravity else ""
    around = "Lines continue beyond an edge at the opposite edge.\n" if game.torus else ""
    return (
        f"You are Player {player}. Your mark is '{own}', your opponent's is '{other}'.\n"
        f"The board has {game.rows} rows and {game.columns} columns. "
        f"The players take turns, and Player 0 begins.\n{falls}{around}"
        f"The first player with {game.run} marks in a row (horizontally, vertically, or diagonally)"
        f" {'loses' if game.misere else 'wins'}. A full board without it is a draw.\n"
        f"Answer with the number of a {place} in square brackets, such as '{example}'.\n\n"
        f"Current Board:\n\n{_drawn(game, board, signs)}\n\n"
        "Available Moves: " + ", ".join(f"'{_written(game, action)}'" for action in actions)
    )


def _written(game: Game, action: int) -> str:
    return f"[col {action}]" if game.gravity else f"[{action}]"


def _drawn(game: Game, board: str, signs: dict[str, str]) -> str:
    """Draw a board: empty cells show their numbers; with gravity, numbers stand above columns."""
    width = len(str(game.columns - 1 if game.gravity else game.cells - 1))
    empty = [EMPTY_CELL if game.gravity else str(cell) for cell in range(game.cells)]
    cells = [f"{signs.get(sign, empty[cell]):>{width}}" for cell, sign in enumerate(board)]
    rows = [cells[at : at + game.columns] for at in range(0, game.cells, game.columns)]
    if game.gravity:
        numbers = " ".join(f"{column:>{width}}" for column in range(game.columns))
        return "\n".join([numbers, "-" * len(numbers), *map(" ".join, rows)])
    rule = "\n" + "+".join(["-" * (width + 2)] * game.columns) + "\n"
    return rule.join("|".join(f" {cell} " for cell in row) for row in rows)
