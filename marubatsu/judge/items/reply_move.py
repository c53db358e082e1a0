"""The move in a reply: in the form that the question asks for, or the only one that it names."""

import re
from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple


class ReplyVerdict(StrEnum):
    """What a reply is worth."""

    BEST = "best"  # a best move
    WORSE = "worse"  # a legal move that lowers the mover's score
    ILLEGAL = "illegal"  # a cell that the mover may not fill
    UNPARSABLE = "unparsable"  # no move, or several
    MISSING = "missing"  # nobody replied


class NamedMove(NamedTuple):
    """The move that a reply names."""

    move: str | None  # as the item writes it; None: not exactly one
    is_in_form: bool  # whether the reply ends as the question asks for


_FORM = re.compile(r"\W*move\s*[:=](.*)", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(r"(?<![^\W_])[a-z]{1,2}[0-9]{1,2}(?![^\W_])", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![^\W_])[0-9]{1,3}(?![^\W_])")
_CALLED = re.compile(r"(?:\bcell\b|\bmove\s*[:=])\W{0,5}([0-9]{1,3})(?![^\W_])", re.IGNORECASE)


def find(reply: str, moves: Collection[str]) -> NamedMove:
    r"""Find the move in a reply to a question with some legal moves.

    The last line with a letter or digit may be ``move: CELL``. It must name one cell. Otherwise the
    whole reply counts: it must name exactly one legal move, or no legal move and exactly one other
    cell. A number counts as a cell behind ``cell`` or ``move:``, or when the reply has no other
    word. Letters may be small or large.

    >>> find("b2 blocks a1.\n**Move: b2**", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=True)
    >>> find("I block with B2, because a1 is taken.", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=False)
    >>> find("Either b2 or c3", ["b2", "c3"])
    NamedMove(move=None, is_in_form=False)
    """
    is_numbered = next(iter(moves)).isdecimal()
    lines = [line for line in reply.splitlines() if any(map(str.isalnum, line))]
    formal = _FORM.fullmatch(lines[-1]) if lines else None
    if formal:
        named = {*(_NUMBER if is_numbered else _NAME).findall(formal[1].lower())}
        return NamedMove(named.pop() if len(named) == 1 else None, is_in_form=True)
    if is_numbered and len(lines) == 1 and re.fullmatch(r"\W*[0-9]{1,3}\W*", lines[0]):
        return NamedMove(re.sub(r"\W", "", lines[0]), is_in_form=False)
    named = {*(_CALLED if is_numbered else _NAME).findall(reply.lower())}
    legal = named.intersection(moves)
    chosen = legal or named
    return NamedMove(chosen.pop() if len(chosen) == 1 else None, is_in_form=False)
