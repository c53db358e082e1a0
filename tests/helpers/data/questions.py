"""A second reader of questions: from the text alone back to the game, the position and the cells.

It shares no code with what writes them.
"""

import re
from string import ascii_lowercase
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from tests.helpers.data.played import after


class Read(NamedTuple):
    """The contents of a question."""

    game: Game
    position: Position  # with the marks of the side that begins as circle
    names: dict[str, int]  # cells by their names or numbers
    marks: tuple[str, str]  # of the side that begins, and of the other
    mover: str  # mark of the reader
    shown: str  # the marks that it shows, cell by cell, in small letters; for moves, those reached


def read(question: str) -> Read:
    """Read a question. Fails where it lacks something."""
    first, second, columns, rows = _found(
        r"Two players, (\w) and (\w), take turns on a board of (\d+) columns? and (\d+) rows?\.",
        question,
    )
    assert _found(r"(\w) moves first\.", question) == (first,)
    gravity = "A player chooses a column that is not full." in question
    torus = "goes on at the opposite edge" in question
    for sentence, is_said in (
        ("falls to the lowest empty cell of that column.", gravity),
        ("A player puts a mark on an empty cell.", not gravity),
        ("A line counts no cell twice.", torus),
        ("A full board without such a line is a draw.", True),
    ):
        assert (sentence in question) == is_said
    run, end = _found(r"first has (\d+) own marks? .* diagonal, (wins|loses)\.", question)
    game = Game(
        columns=int(columns), rows=int(rows), run=int(run),
        gravity=gravity, misere=end == "loses", torus=torus,
    )  # fmt: skip
    reader = (
        _drawn if "The position, with" in question
        else _in_line if "The position in one line" in question
        else _played
    )  # fmt: skip
    shown, names = reader(question, game, first.lower(), second.lower())
    assert len(shown) == len(names) == game.cells
    assert set(shown) <= {".", first.lower(), second.lower()}
    circle, cross = (
        sum(1 << cell for cell, sign in enumerate(shown) if sign == mark.lower())
        for mark in (first, second)
    )
    (mover,) = _found(r"You play (\w), and it is your turn", question)
    return Read(game, Position(circle, cross), names, (first, second), mover, shown)


def _found(pattern: str, text: str) -> tuple[str, ...]:
    (match,) = re.finditer(pattern, text)
    return match.groups()


def _drawn(question: str, game: Game, *marks: str) -> tuple[str, dict[str, int]]:
    block = question.split("\n\n")[2]
    head, *rows = [line.split() for line in block.splitlines()]
    assert (len(head), len(rows)) == (game.columns, game.rows)
    names: dict[str, int] = {}
    shown = ""
    for number, *cells in rows:
        assert len(cells) == game.columns
        for letter, sign in zip(head, cells, strict=True):
            names[letter + number] = len(names)
            shown += sign.lower()
    return shown, names


def _in_line(question: str, game: Game, *marks: str) -> tuple[str, dict[str, int]]:
    first, last = map(int, _found(r"numbered in this order, from (\d+) to (\d+)\.", question))
    return question.split("\n\n")[2], {str(n): n - first for n in range(first, last + 1)}


def _played(question: str, game: Game, *marks: str) -> tuple[str, dict[str, int]]:
    left, right, bottom, top = _found(
        r"Columns are (\w+) to (\w+) from left to right, rows are (\d+) to (\d+) from bottom",
        question,
    )
    letters = [*ascii_lowercase, *(a + b for a in ascii_lowercase for b in ascii_lowercase)]
    columns = letters[letters.index(left) : letters.index(right) + 1]
    step = 1 if int(top) <= int(bottom) else -1
    rows = range(int(top), int(bottom) + step, step)
    names = {f"{column}{row}": 0 for row in rows for column in columns}
    names = {name: cell for cell, name in enumerate(names)}
    (line,) = _found(r"beginning with the empty board: (.*)", question)
    here = EMPTY
    for name in [] if line == "none" else line.split():
        empty = [cell for cell in range(game.cells) if not here.occupied >> cell & 1]
        below = names[name] + game.columns
        assert names[name] in empty
        assert not game.gravity or below not in empty
        here = after(here, names[name])
    signs = (marks[0] if here.circle >> cell & 1 else marks[1] if here.cross >> cell & 1 else "."
             for cell in range(game.cells))  # fmt: skip
    return "".join(signs), names
