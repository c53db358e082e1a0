"""Throw-away rules of all kinds, added as docs/extending.md says."""

from tests.helpers.processes.extended import Change

_GAME, _SQL = "marubatsu/engine/rules/game.py", "queries/views/game.sql"
_CELLS = "queries/views/cells.sql"


def _known(name: str) -> list[Change]:
    """Declare a switch, and let SQL know it."""
    return [
        Change(_GAME, "    misere: bool = False\n", f"    {name}: bool = False\n"),
        Change(_SQL, "'gravity', 'misere', 'torus'", f"'{name}', "),
    ]


def _switched(name: str, place: str, otherwise: str) -> Change:
    """Do something else than at a place of the game where the switch is on."""
    added = f"        if self.{name}:\n            {otherwise}\n"
    return Change(_GAME, f"        {place}\n", added)


def _supports(name: str, python: str, sql: str) -> list[Change]:
    """Declare what opens a cell, in Python and in SQL."""
    before = "[case when gravity and y < rows - 1 then bit << columns else 0 end] as"
    after = f"if(notation like '%-{name}%', {sql}, [0]) as"
    return [
        *_known(name),
        _switched(name, "return ((0,),) * self.cells", f"return {python}"),
        Change(_CELLS, before, after, replaces=True),
    ]


OPEN_CELLS = "return sum(1 << cell for cell in cells)"

STRAIGHT = [
    *_known("straight"),
    _switched("straight", "return ((1, 0), (0, 1), (1, 1), (-1, 1))", "return ((1, 0), (0, 1))"),
    Change(
        "queries/views/line_cells.sql", "    group by first.cell, dx, dy, run\n",
        "    where not (notation like '%-straight%' and dx <> 0 and dy <> 0)\n",
    ),
]  # fmt: skip
"""Diagonals do not count."""

LASTCROSS = [
    *_known("lastcross"),
    _switched("lastcross", "return Status.DRAW", "return Status.CROSS"),
    Change(
        _SQL, "    'draw' as result_of_full_board,\n",
        "    if(notation like '%-lastcross%', 'cross', 'draw') as result_of_full_board,\n",
        replaces=True,
    ),
]  # fmt: skip
"""A full board without a line is won by cross."""

NOCENTRE = [
    *_known("nocentre"),
    _switched("nocentre", OPEN_CELLS, "cells.discard(self.centre)"),
    Change(
        _CELLS, "    list_contains(supports, 0) as is_open_at_first,\n",
        "    not (notation like '%-nocentre%' and cell = cells // 2) as is_open_at_first,\n",
        replaces=True,
    ),
]  # fmt: skip
"""The first mark is not in the centre."""

LEFTWARD = _supports(
    "leftward",
    "tuple((1 << cell - 1 if cell % self.columns else 0,) for cell in range(self.cells))",
    "[if(x = 0, 0, bit >> 1)]",
)
"""A mark needs one at its left, as if the board with gravity were turned."""

CORNERSFIRST = _supports(
    "cornersfirst",
    "tuple((sum(1 << each for each in self.corners) * (cell == self.centre),) "
    "for cell in range(self.cells))",
    "[if(cell = cells // 2, 1 + 4 + 64 + 256, 0)]",
)
"""The centre of 3x3 opens once all corners are filled."""

CONNECTED = [
    *_supports(
        "connected",
        "tuple(tuple(1 << other for other in range(self.cells) "
        "if abs(cell % 3 - other % 3) + abs(cell // 3 - other // 3) == 1) "
        "for cell in range(self.cells))",
        "list_filter([if(x > 0, bit >> 1, 0), if(x < columns - 1, bit << 1, 0), bit >> columns, "
        "if(y < rows - 1, bit << columns, 0)], lambda mask: mask > 0)",
    ),
    _switched("connected", OPEN_CELLS, "return self.full"),
    Change(_CELLS, "list_contains(supports, 0) as", "true as", replaces=True),
]
"""Each mark after the first, on 3x3, is next to another."""

LONGER = [
    _known("longer")[0],
    _switched("longer", "return tuple(sorted(lines))", "return (*sorted(lines), self.full)"),
]
"""The whole board is a line too."""

WILD = [_known("wild")[0]]
"""Each side may set either mark: no rule that a game can declare."""
