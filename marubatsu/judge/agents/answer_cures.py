"""What to return instead of an answer that names no moves in any form."""

from collections.abc import Collection

from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.calling import Plain, Unread

_ANY = "expected a move, moves, or moves with chances; the option answers names other forms"
_NUMBER = "expected the number of a move"
_DONE = "expected a function that returns when it is done: def, not async def"
_CURES = {
    "NoneType": "expected a move: does the function return one in every case?",
    "str": f"{_NUMBER}, as int(...) makes one of digits; agents that reply in sentences are asked "
    "by the option interface='textarena'",
    "bytes": f"{_NUMBER}, not a text",
    "bool": f"{_NUMBER}, not True or False",
    "ndarray": "expected an array of numbers, as array.astype(int) makes one",
    "Tensor": "expected a tensor of numbers, as tensor.int() makes one",
    "coroutine": _DONE,
    "async_generator": _DONE,
    "Future": _DONE,
    "Task": _DONE,
    "function": f"{_NUMBER}, not a function",
    "type": f"{_NUMBER}, not a class",
    "repeated": "expected each move once as a key",
    "line": "expected the numbers of moves, separated by spaces, or each of them with :chance",
}
"""What to return instead of a value of a type."""


def cure_of(answer: Plain, game: Game, legal: list[int]) -> str:
    """Say what to return instead of an answer in no form."""
    match answer:
        case Unread() if _is_board(answer.text.strip("'"), game):
            return "a board: return the move that leads to it"
        case Unread():
            return _CURES.get(answer.type, f"{_NUMBER}, or several of them")
        case float():
            return "expected a whole number, as int(...) makes one"
        case dict():
            key = next((key for key in answer if isinstance(key, Unread)), None)
            alone = f"{key} is no move: return the move alone, or a mapping of moves to chances"
            return alone if key else "expected numbers as chances of the moves"
        case tuple() | list():
            return _of_row(answer, game, legal)
    return _ANY


def _of_row(answer: Collection[Plain], game: Game, legal: list[int]) -> str:
    items = list(answer)
    if all(isinstance(item, int | float) for item in items):
        return _of_numbers(len(items), game, legal)
    nested = [item for item in items if isinstance(item, tuple | list | dict | frozenset)]
    if len(nested) == len(items) == game.rows:
        return "rows of values: return them as one list, row by row"
    unread = [item.type for item in items if isinstance(item, Unread)]
    if len(unread) == len(items):
        return _CURES.get(unread[0], _ANY)
    if len(nested) == len(items) and all(isinstance(each, int) for i in nested for each in i):
        return "expected one list of moves, not lists in a list"
    return "expected the move alone, without a score or other values"


def _of_numbers(count: int, game: Game, legal: list[int]) -> str:
    if count == len(legal):
        return "as many values as legal moves: return dict(zip(legal_moves, values))"
    if game.gravity and count == game.columns:
        return "a value for each column: return a mapping from the cells that get filled"
    return f"expected moves as whole numbers, or a value for each of the {game.cells} cells"


def _is_board(text: str, game: Game) -> bool:
    return len(text) == game.cells and {EMPTY_CELL, *MARKS}.issuperset(text)
