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

NOCENTRE = [
    *_known("nocentre"),
    Change(
        _GAME,
        "        return self.full\n",
        "        if self.nocentre and self.centre is not None:\n"
        "            return self.full & ~(1 << self.centre)\n",
    ),
    Change(
        _SQL,
        "    []::int[] as closed_to_first_mark,\n",
        "    if(notation like '%-nocentre%', [cells // 2], []) as closed_to_first_mark,\n",
        replaces=True,
    ),
]
"""The first mark is not in the centre."""

NOCORNER = [
    *_known("nocorner"),
    Change(
        _GAME,
        "        return self.full\n",
        "        if self.nocorner:\n            return self.full & ~1\n",
    ),
    Change(
        _SQL,
        "    []::int[] as closed_to_first_mark,\n",
        "    if(notation like '%-nocorner%', [0], []) as closed_to_first_mark,\n",
        replaces=True,
    ),
    Change(
        "queries/views/symmetry_cells.sql",
        "    symmetry,\n    cell,\n    (goal",
        "    dense_rank() over (order by symmetry) - 1 as symmetry,\n    cell,\n    (goal",
        replaces=True,
    ),
    Change(
        "queries/views/symmetry_cells.sql",
        "from turned;",
        "from turned\n"
        "where symmetry in (0, 4) or not exists(from game where notation like '%-nocorner%');",
        replaces=True,
    ),
]
"""The first mark is not in the corner of cell 0, which only two symmetries keep."""

WILD = [_known("wild")[0]]
"""Each side may set either mark: no rule that a game can declare."""
