"""Throw-away rules of all kinds, as docs/extending.md tells how to add them."""

from tests.helpers.processes.extended import Change

_GAME, _SQL = "marubatsu/engine/rules/game.py", "queries/views/game.sql"


def _known(name: str) -> list[Change]:
    """Declare a switch, and let SQL know it."""
    return [
        Change(_GAME, "    misere: bool = False\n", f"    {name}: bool = False\n"),
        Change(_SQL, "'gravity', 'misere', 'torus'", f"'{name}', "),
    ]


STRAIGHT = [
    *_known("straight"),
    Change(
        _GAME,
        "        return ((1, 0), (0, 1), (1, 1), (-1, 1))\n",
        "        if self.straight:\n            return ((1, 0), (0, 1))\n",
    ),
    Change(
        "queries/views/line_cells.sql",
        "    group by first.cell, dx, dy, run\n",
        "    where not (notation like '%-straight%' and dx <> 0 and dy <> 0)\n",
    ),
]
"""Diagonals do not count."""

LASTCROSS = [
    *_known("lastcross"),
    Change(
        _GAME,
        "        return Status.DRAW\n",
        "        if self.lastcross:\n            return Status.CROSS\n",
    ),
    Change(
        _SQL,
        "    'draw' as result_of_full_board,\n",
        "    if(notation like '%-lastcross%', 'cross', 'draw') as result_of_full_board,\n",
        replaces=True,
    ),
]
"""A full board without a line is won by cross."""

_CELLS = "queries/views/cells.sql"


def _supports(name: str, python: str, sql: str) -> list[Change]:
    """Declare what opens a cell, in Python and in SQL."""
    return [
        *_known(name),
        Change(
            _GAME,
            "        return ((0,),) * self.cells\n",
            f"        if self.{name}:\n            return {python}\n",
        ),
        Change(
            _CELLS,
            "[case when gravity and y < rows - 1 then bit << columns else 0 end] as",
            f"if(notation like '%-{name}%', {sql}, [0]) as",
            replaces=True,
        ),
    ]


NOCENTRE = [
    *_known("nocentre"),
    Change(
        _GAME,
        "        return sum(1 << cell for cell in cells)\n",
        "        if self.nocentre:\n            cells.discard(self.centre)\n",
    ),
    Change(
        _CELLS,
        "    list_contains(supports, 0) as is_open_at_first,\n",
        "    not (notation like '%-nocentre%' and cell = cells // 2) as is_open_at_first,\n",
        replaces=True,
    ),
]
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
    Change(
        _GAME,
        "        return sum(1 << cell for cell in cells)\n",
        "        if self.connected:\n            return self.full\n",
    ),
    Change(_CELLS, "list_contains(supports, 0) as", "true as", replaces=True),
]
"""Each mark after the first, on 3x3, is next to another."""

WILD = [_known("wild")[0]]
"""Each side may set either mark: no rule that a game can declare."""
