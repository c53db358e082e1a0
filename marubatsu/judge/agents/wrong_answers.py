"""Answers that cannot be read as moves: what each of them is, and what to return instead."""

from collections.abc import Collection

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.plain import Plain, Unread, cut

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
    "line": "expected the numbers of moves, separated by spaces, or each of them with :chance",
}
"""What to return instead of a value of a type."""


def wrong(answer: Plain, game: Game, legal: list[int]) -> Fault:
    """Return the fault of an answer in no form."""
    return Fault("wrong answer", cut(repr(answer)), _cure(answer, game, legal))


def _cure(answer: Plain, game: Game, legal: list[int]) -> str:
    """Say what to return instead."""
    match answer:
        case Unread():
            return _CURES.get(answer.type, f"{_NUMBER}, or several of them")
        case float():
            return "expected a whole number, as int(...) makes one"
        case dict():
            return _of_mapping(answer)
        case tuple() | list():
            return _of_row(answer, game, legal)
    return _ANY


def _of_mapping(answer: dict[Plain, Plain]) -> str:
    keys = [key for key in answer if isinstance(key, Unread)]
    if keys:
        return f"{keys[0]} is no move: return the move alone, or a mapping of moves to chances"
    return "expected numbers as chances of the moves"


def _of_row(answer: Collection[Plain], game: Game, legal: list[int]) -> str:
    items = list(answer)
    if all(isinstance(item, int | float) for item in items):
        if len(items) == len(legal):
            return "as many values as legal moves: return dict(zip(legal_moves, values))"
        if game.gravity and len(items) == game.columns:
            return "a value for each column: return a mapping from the cells that get filled"
        return f"expected moves as whole numbers, or a value for each of the {game.cells} cells"
    nested = [item for item in items if isinstance(item, tuple | list | dict | frozenset)]
    if len(nested) == len(items) == game.rows:
        return "rows of values: return them as one list, row by row"
    if nested:
        return "expected the move alone, without a score or other values"
    return _CURES.get(next((i.type for i in items if isinstance(i, Unread)), ""), _ANY)
