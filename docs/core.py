"""The core of marubatsu in one file: solve tic-tac-toe, publish it as tables, judge an AI in SQL.

Run it after `make tree`:

    python docs/core.py data/tictactoe

It imports nothing of marubatsu, and at its end compares its tables with those in the folder, row by
row. Each section names the modules that do the same for every game, faster, and with more columns.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

# --- The rules ------------------------------------------- marubatsu/engine/rules/game.py
# A position is two masks: bit `cell` of the first is a circle, of the second a cross. A cell is
# x + 3 * y. Circle begins, so the number of marks says whose turn it is. A move is a cell.

Position = tuple[int, int]
CELLS = range(9)
LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]
EMPTY = (0, 0)


def status(position: Position) -> str:
    """Say how a position ended, or `playing`."""
    circle, cross = position
    if any(circle & line == line for line in LINES):
        return "circle"
    if any(cross & line == line for line in LINES):
        return "cross"
    return "draw" if circle | cross == 0b111111111 else "playing"


def children(position: Position) -> list[tuple[int, Position]]:
    """List the moves of a position in ascending order, each with the position that it leads to."""
    circle, cross = position
    if status(position) != "playing":
        return []
    free = [cell for cell in CELLS if not (circle | cross) >> cell & 1]
    if ply(position) % 2 == 0:
        return [(cell, (circle | 1 << cell, cross)) for cell in free]
    return [(cell, (circle, cross | 1 << cell)) for cell in free]


def ply(position: Position) -> int:
    """Count the marks on the board."""
    return (position[0] | position[1]).bit_count()


# --- All positions, ply by ply ------------------------ marubatsu/engine/tree/positions.py
# A position is numbered when it is first met. Two lines of play that transpose meet in one.

number: dict[Position, int] = {EMPTY: 0}
last = [EMPTY]
while last:
    met = dict.fromkeys(child for position in last for _, child in children(position))
    number |= {position: len(number) + place for place, position in enumerate(met)}
    last = list(met)
positions = list(number)
moves = {position: children(position) for position in positions}
assert len(positions) == 5_478


# --- The full tree, twice ----- marubatsu/engine/tree/breadth_first.py and depth_first.py
# A node is a place in the tree: a position together with the moves that led to it. Breadth first
# numbers a whole ply before the next one, depth first follows each move to its end. The line
# (1 + cell of each move, as digits) names a node in both trees.

Row = tuple[int | None, int | None, Position, int]  # parent, move, position, line


def breadth_first() -> list[Row]:
    """Build the rows; the place of a row is the number of its node."""
    rows: list[Row] = [(None, None, EMPTY, 0)]
    for node, (_, _, position, line) in enumerate(rows):  # The list grows while it is read.
        rows += [(node, move, child, 10 * line + move + 1) for move, child in moves[position]]
    return rows


def depth_first() -> list[Row]:
    """Build the same rows in the order in which a recursion enters the nodes."""
    rows: list[Row] = []

    def enter(row: Row) -> None:
        node, (_, _, position, line) = len(rows), row
        rows.append(row)
        for move, child in moves[position]:
            enter((node, move, child, 10 * line + move + 1))

    enter((None, None, EMPTY, 0))
    return rows


bfs, dfs = breadth_first(), depth_first()
assert len(bfs) == len(dfs) == 549_946
assert {row[2:] for row in bfs} == {row[2:] for row in dfs}  # the same nodes in another order


# --- Scores backward -------------------------------- marubatsu/engine/tree/induction.py
# A score is the result of best play, from circle's view: 1 circle wins, 0 draw, -1 cross wins.
# Children have one mark more, so their scores are there when the list is read from its end.

RESULT = {"circle": 1, "draw": 0, "cross": -1}
score: dict[Position, int] = {}
for position in reversed(positions):
    after = [score[child] for _, child in moves[position]]
    best_of = max if ply(position) % 2 == 0 else min
    score[position] = best_of(after) if after else RESULT[status(position)]
assert score[EMPTY] == 0  # neither side can force a win


# --- Alpha-beta ------------------------------------- marubatsu/engine/search/negamax.py
# The score of a node from the view of its mover, within a window. A move that is at least as good
# as `beta` ends the search of the node: the opponent has something better than to come here.
# Without an ordering and a table it visits 18,297 of the 549,946 nodes.


def negamax(position: Position, alpha: int, beta: int) -> tuple[int, int]:
    """Return the score for the mover, or a bound if it is outside the window; and the nodes."""
    if not moves[position]:
        return score[position] * (1 if ply(position) % 2 == 0 else -1), 1
    best, nodes = -2, 1
    for _, child in moves[position]:
        score_child, nodes_child = negamax(child, -beta, -alpha)
        best, nodes = max(best, -score_child), nodes + nodes_child
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, nodes


assert negamax(EMPTY, -2, 2) == (0, 18_297)


# --- Classes: positions up to symmetry --------------- marubatsu/engine/rules/symmetry.py
# The square has eight symmetries: four turns, each with its mirror image. A class is what they
# make of one position, and its first position represents it.

square = np.arange(9).reshape(3, 3)
symmetries = [
    np.rot90(side, turns).ravel().tolist() for side in (square, square.T) for turns in range(4)
]


def image(position: Position, symmetry: list[int]) -> Position:
    """Return the position whose cell `to` holds what cell `symmetry[to]` held."""
    circle, cross = (sum(1 << to for to in CELLS if mask >> symmetry[to] & 1) for mask in position)
    return circle, cross


representative = {each: min(number[image(each, to)] for to in symmetries) for each in positions}
class_of = {first: place for place, first in enumerate(sorted(set(representative.values())))}
assert len(class_of) == 765


# --- Tables ----------- marubatsu/pipeline/tables/schemas.py and marubatsu/pipeline/stages
# What was computed becomes Parquet: every column has one declared type.

temporary = TemporaryDirectory()
folder = Path(temporary.name)


def publish(name: str, **columns: tuple[pa.DataType, Iterable[object]]) -> None:
    """Write a table, a column for each keyword: its type and its values."""
    table = pa.table({key: pa.array(values, kind) for key, (kind, values) in columns.items()})
    pq.write_table(table, folder / f"{name}.parquet", compression="zstd")


publish(
    "positions",
    position=(pa.int16(), range(len(positions))),
    circles=(pa.int16(), [circle for circle, _ in positions]),
    crosses=(pa.int16(), [cross for _, cross in positions]),
    ply=(pa.int8(), map(ply, positions)),
    status=(pa.string(), [status(position) for position in positions]),
    score=(pa.int8(), [score[position] for position in positions]),
    **{"class": (pa.int16(), [class_of[representative[each]] for each in positions])},
)
publish(
    "moves",
    position=(pa.int16(), [number[each] for each in positions for _ in moves[each]]),
    move=(pa.int8(), [move for each in positions for move, _ in moves[each]]),
    child=(pa.int16(), [number[child] for each in positions for _, child in moves[each]]),
)
for name, rows in {"tree_bfs": bfs, "tree_dfs": dfs}.items():
    publish(
        name,
        node=(pa.int32(), range(len(rows))),
        parent=(pa.int32(), [parent for parent, _, _, _ in rows]),
        move=(pa.int8(), [move for _, move, _, _ in rows]),
        position=(pa.int16(), [number[position] for _, _, position, _ in rows]),
        line=(pa.int32(), [line for _, _, _, line in rows]),
    )


# --- An AI is judged in SQL ----- queries/reports/strong.sql and marubatsu/judge/audit
# Strong solving: in every position, only moves that keep the score. A position is critical if some
# legal move does not. A class counts as right if the AI is right in every member of it. The AI here
# takes the first empty cell; its choices are the table `choices`.

choices = {number[each]: moves[each][0][0] for each in positions if moves[each]}
publish("choices", position=(pa.int16(), choices.keys()), move=(pa.int8(), choices.values()))

database = duckdb.connect()
for file in folder.glob("*.parquet"):
    database.read_parquet(str(file)).create_view(file.stem)
[(critical, right, classes, classes_right)] = database.sql("""
    with judged as (
        select
            positions."class",
            positions.position,
            bool_or(after.score <> positions.score) as critical,
            bool_or(moves.move = choices.move and after.score = positions.score) as is_right,
        from positions
        join moves on moves.position = positions.position
        join positions as after on after.position = moves.child
        join choices on choices.position = positions.position
        group by all
    ),
    by_class as (
        select "class", count(*) as members, count(*) filter (is_right) as members_right
        from judged
        where critical
        group by all
    )
    select sum(members), sum(members_right), count(*), count(*) filter (members_right = members)
    from by_class
""").fetchall()
assert (critical, classes) == (3_191, 431)
print(
    f"first empty cell: right in {right:,} of {critical:,} critical positions,"
    f" in {classes_right} of {classes} classes"
)


# --- Compared with the tables of marubatsu ------- marubatsu/pipeline/checking and queries/checks

for name in ("positions", "moves", "tree_bfs", "tree_dfs"):
    published = Path(sys.argv[1]) / f"{name}.parquet"
    ours = pq.read_table(folder / f"{name}.parquet")
    theirs = pq.read_table(published, columns=ours.column_names)
    assert theirs.cast(ours.schema).equals(ours), name
    print(f"{name}: {ours.num_rows:,} rows, equal in {', '.join(ours.column_names)}")
