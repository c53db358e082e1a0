"""Every table and every column, declared once.

The writer enforces these declarations, and the data dictionary is printed from them. Their
fingerprint is the schema version in the manifest. Integer columns are as wide as the game needs:
`resolve` picks the smallest signed type for the bound that holds for every table of that game.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from marubatsu.engine.rules.bounds import MAX_POSITIONS, arrangements, lines_of_play, smallest_int
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import RESULTS
from marubatsu.engine.rules.symmetry import symmetries

if TYPE_CHECKING:  # Where all is up to date, NumPy is not needed.
    import numpy as np
    from numpy.typing import NDArray

    from marubatsu.engine.rules.masks import Bools, Ints

DELTA, SPLIT = "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"
DICTIONARY, PREFIX, PLAIN = "DICTIONARY", "DELTA_BYTE_ARRAY", "PLAIN"

# Types are Arrow's names, or names of bounds; `resolve` finds the smallest integer type for those.
BOOL, INT8, INT32, INT64 = "bool", "int8", "int32", "int64"
FLOAT32, FLOAT64, TEXT = "float32", "float64", "string"
CELLS = "list<int8>"  # cells in ascending order
MASK = "mask"  # a bit for every cell
POSITION = "position"  # any number of a position
NODE = "node"  # any number of a node
SYMMETRY = "symmetry"  # any number of a symmetry, and any size of a class


@dataclass(frozen=True)
class Column:
    """One column: name, type, meaning, unit, and the meaning of its codes and nulls."""

    name: str
    type: str
    meaning: str
    codes: str = ""
    unit: str = ""
    null: str = ""  # what null means; empty when the column has no nulls
    encoding: str = SPLIT
    refers: str = ""  # TABLE.COLUMN that holds every value of this column


@dataclass(frozen=True)
class Table:
    """One table: the grain (what one row is), its key in sort order, and its columns."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    row_group: int = 1_000_000  # rows that are read together

    @property
    def file(self) -> str:
        """The name of the table's file in the folder of its game."""
        return f"{self.name}.parquet"

    def version(self, game: Game) -> str:
        """Return the fingerprint of what readers rely on: names, types, units, nulls, and the key.

        Words about a column may be improved without making any table stale.
        """
        declared = [[c.name, resolve(game, c.type), c.unit, bool(c.null)] for c in self.columns]
        text = json.dumps([self.name, self.key, declared])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class Nullable(NamedTuple):
    """An array with nulls where ``is_null``; the values there are ignored."""

    values: "NDArray[Any]"  # [N]
    is_null: "Bools"  # [N]


class Labels(NamedTuple):
    """Text from a short list: ``labels[codes[i]]``, where None means null."""

    codes: "Ints"  # [N]
    labels: tuple[str | None, ...]


class Lists(NamedTuple):
    """A list of small integers per row; the lists of all rows are concatenated."""

    values: "NDArray[np.int8]"
    counts: "Ints"  # [N] length of each row's list


ColumnData: TypeAlias = "NDArray[Any] | Nullable | Labels | Lists"
Columns: TypeAlias = Mapping[str, "ColumnData"]
"""The rows of a table by column, as a stage returns them: arrays, so that none needs Arrow."""


def described(column: Column) -> str:
    """Return the text in a file about a column: meaning, unit, codes, and meaning of null."""
    null = f"null {column.null}" if column.null else ""
    return "; ".join(filter(None, (column.meaning, column.unit, column.codes, null)))


_GREATEST: Mapping[str, Callable[[Game], int]] = {
    MASK: lambda game: game.full,
    POSITION: lambda game: min(sum(arrangements(game)), MAX_POSITIONS),
    NODE: lambda game: min(lines_of_play(game), 2**63 - 1),
    SYMMETRY: lambda game: len(symmetries(game)),
}
"""The greatest number in the tables of a game, by the type that is named after it."""


@lru_cache
def resolve(game: Game, type_: str) -> str:
    """Return the Arrow type that a column has in the tables of a game."""
    return smallest_int(_GREATEST[type_](game)) if type_ in _GREATEST else type_


_CELL = "cell number, x + columns * y"
PLY = Column("ply", INT8, "marks on the board", unit="marks", encoding=DICTIONARY)
_STATUS = Column(
    "status",
    TEXT,
    "whether and how the game is over",
    "playing, circle (has won), cross (has won), draw",
    encoding=DICTIONARY,
)
_SCORES = "+1 circle wins, 0 draw, -1 cross wins"
SCORE = Column("score", INT8, "minimax value, circle's view", _SCORES, encoding=DICTIONARY)
DISTANCE = Column(
    "distance",
    INT8,
    "plies to the end when the winner plays the fastest win and the loser the "
    "slowest loss; in a draw, to the full board",
    unit="plies",
    encoding=DICTIONARY,
)
_CRITICAL = Column(
    "critical", BOOL, "unfinished, and at least one legal move is not a best move", encoding=PLAIN
)
_REPRESENTATIVE = Column(
    "board", TEXT, "the representative's cells as text", ". empty, o circle, x cross",
    encoding=PREFIX,
)  # fmt: skip
_POSITION_AND_MOVE = (
    Column("position", POSITION, "position before the move", encoding=DELTA,
           refers="positions.position"),
    Column("move", INT8, "cell that gets filled", _CELL, encoding=DICTIONARY),
)  # fmt: skip
_RANDOM = "exact chance {} when both sides move at random"
_SCORE_SV = "±(1 + (cells - n) // 2) for a win at move n, 0 draw; on 3x3: 3, 2, 1, 0, -1, -2"


def _tree_columns(table: str, encoding: str) -> tuple[Column, ...]:
    """Declare a tree; the best encoding of parents and lines depends on the order of creation."""
    return (
        Column("node", NODE, "number of the node, 0 = root, in order of creation",
               encoding=DELTA),
        Column("parent", NODE, "node this one was made from", null="at the root",
               encoding=encoding, refers=f"{table}.node"),
        Column("move", INT8, "move that made the node", _CELL, null="at the root"),
        Column("ply", INT8, "marks on the board", unit="marks"),
        Column(
            "line", INT32,
            "the moves so far as decimal digits, cell + 1 each, first move first; 0 at the "
            "root; the same in both trees",
            "51 = circle centre, cross top left", encoding=encoding,
        ),
        Column("position", POSITION, "the position the node shows", refers="positions.position"),
        Column("subtree", NODE, "nodes at and below this one", unit="nodes"),
    )  # fmt: skip


TREE_BFS = Table(
    "tree_bfs",
    "one node of the full tree, numbered breadth first (games of at most 9 cells)",
    ("node",),
    _tree_columns("tree_bfs", DELTA),
)
TREE_DFS = Table(
    "tree_dfs",
    "one node of the full tree, numbered depth first, in pre-order (games of at most 9 cells)",
    ("node",),
    _tree_columns("tree_dfs", SPLIT),
)
POSITIONS = Table(
    "positions",
    "one reachable position",
    ("position",),
    (
        Column(
            "position",
            POSITION,
            "number of the position, 0 = empty board, in the order in which breadth-first "
            "building first creates it",
            encoding=DELTA,
        ),
        Column("circles", MASK, "cells that hold circle", "bit i = cell i"),
        Column("crosses", MASK, "cells that hold cross", "bit i = cell i"),
        Column(
            "board", TEXT, "the cells as text, row by row", ". empty, o circle, x cross",
            encoding=PREFIX,
        ),
        PLY,
        Column(
            "turn", TEXT, "side to move", "circle, cross", null="when the position is finished",
            encoding=DICTIONARY,
        ),
        _STATUS,
        Column("class", POSITION, "class of the position under the board's symmetries",
               refers="classes.class"),
        Column(
            "symmetry", SYMMETRY,
            "first symmetry that maps the position onto its class's representative",
            "number of a symmetry, see below", encoding=DICTIONARY,
        ),
        Column("nodes", NODE, "nodes of the full tree that show the position", unit="nodes",
               encoding=DICTIONARY),
        SCORE,
        Column("score_sv", INT8, "shortest-victory score, circle's view", _SCORE_SV,
               encoding=DICTIONARY),
        Column(
            "score_svrd", FLOAT32,
            "score_sv, but a draw counts for the side that moved last (cross at the root) "
            "when that side can still win below it; circle's view",
            "as score_sv, and +0.5 or -0.5", encoding=DICTIONARY,
        ),
        DISTANCE,
        Column("best_moves", CELLS, "moves whose child has the best score for the mover; "
               "empty when finished", encoding=DICTIONARY),
        Column("best_moves_sv", CELLS, "moves whose child has the best score_sv for the mover; "
               "empty when finished", encoding=DICTIONARY),
        Column("best_moves_svrd", CELLS, "moves whose child has the best score_svrd for the mover; "
               "empty when finished", encoding=DICTIONARY),
        _CRITICAL,
        Column("random_circle", FLOAT64, _RANDOM.format("that circle wins"), "0 to 1",
               unit="probability"),
        Column("random_draw", FLOAT64, _RANDOM.format("of a draw"), "0 to 1", unit="probability"),
        Column("random_cross", FLOAT64, _RANDOM.format("that cross wins"), "0 to 1",
               unit="probability"),
    ),
)  # fmt: skip
CLASSES = Table(
    "classes",
    "one class of positions that are images of each other",
    ("class",),
    (
        Column("class", POSITION, "number of the class, in the order of the representatives",
               encoding=DELTA),
        Column("position", POSITION,
               "representative: the member with the smallest position number", encoding=DELTA,
               refers="positions.position"),
        _REPRESENTATIVE,
        PLY,
        Column("orbit", SYMMETRY, "number of members", unit="positions", encoding=DICTIONARY),
        Column("nodes", NODE, "nodes of the full tree that show a member", unit="nodes",
               encoding=DICTIONARY),
        _STATUS,
        SCORE,
        DISTANCE,
        _CRITICAL,
    ),
)  # fmt: skip
MOVES = Table(
    "moves",
    "one legal move in one position",
    ("position", "move"),
    (
        *_POSITION_AND_MOVE,
        Column("child", POSITION, "position after the move", refers="positions.position"),
        Column("score", INT8, "the child's score, circle's view", _SCORES, encoding=DICTIONARY),
        Column("score_sv", INT8, "the child's score_sv, circle's view", _SCORE_SV,
               encoding=DICTIONARY),
        Column("is_best", BOOL, "no legal move has a better score for the mover",
               encoding=PLAIN),
        Column("is_best_sv", BOOL, "no legal move has a better score_sv for the mover",
               encoding=PLAIN),
        Column("loss", INT8, "how much the move lowers the mover's score",
               "0 nothing, 1 half a win, 2 a whole win", encoding=DICTIONARY),
    ),
)  # fmt: skip
SPLITS = Table(
    "splits",
    "one class of unfinished positions, to learn from or to be tested on",
    ("class",),
    (
        Column("class", POSITION, "number of the class", encoding=DELTA, refers="classes.class"),
        _REPRESENTATIVE,
        PLY,
        SCORE,
        Column("split", TEXT, "what the class is for", "train, validation, test",
               encoding=DICTIONARY),
        Column("hardness", FLOAT64, "chance that a uniformly random move is not a best move",
               "0 to 1", unit="probability"),
        Column("only_moves", INT8, "how often the side to move has to find the one best move among "
               "several, until the end; with best moves it needs few, the other side asks for many",
               unit="moves", encoding=DICTIONARY),
    ),
)  # fmt: skip

_AI = "name of an AI, with its parameters as in table ais"
AIS = Table(
    "ais",
    "one AI",
    ("ai",),
    (
        Column("ai", TEXT, "name of the AI", encoding=PLAIN),
        Column("family", TEXT, "how it chooses", "rule, evaluation, table, search, foreign "
               "(saved by an audit)", encoding=PLAIN),
        Column("rule", TEXT, "what it does, in a sentence", encoding=PLAIN),
        Column("parameters", TEXT, "names and values of its parameters", "JSON object",
               encoding=PLAIN),
    ),
)  # fmt: skip
AI_MOVES = Table(
    "ai_moves",
    "one legal move in one unfinished position, as one AI sees it",
    ("ai", "position", "move"),
    (
        Column("ai", TEXT, _AI, encoding=DICTIONARY, refers="ais.ai"),
        *_POSITION_AND_MOVE,
        Column("ai_score", FLOAT64, "what the AI thinks the move is worth, mover's view",
               null="when the AI gives no values", encoding=DICTIONARY),
        Column("is_candidate", BOOL, "the AI may choose the move", encoding=PLAIN),
        Column("probability", FLOAT64, "chance that the AI chooses the move", "0 to 1",
               unit="probability", encoding=DICTIONARY),
    ),
)  # fmt: skip
SEARCHES = Table(
    "searches",
    "one search, with its options, of one unfinished class representative",
    ("search", "position"),
    (
        Column("search", INT32, "number of the search: the same options, the same number",
               encoding=DELTA),
        Column("algorithm", TEXT, "what is done at every node",
               "minimax, alphabeta, scout, mtdf, nullwindow, depth_limited, "
               "iterative_deepening, pvs, monte_carlo (30 playouts a move)",
               encoding=DICTIONARY),
        Column("ordering", TEXT, "AI that orders the moves",
               null="when the moves are in ascending order", encoding=DICTIONARY, refers="ais.ai"),
        Column("order_all", BOOL, "all moves are sorted by the AI's value, descending; otherwise "
               "the move that it chooses is swapped with the first one", encoding=PLAIN),
        Column("shortest_victory", BOOL, "leaves are valued by score_sv", encoding=PLAIN),
        Column("init_window", BOOL, "the root window is the range of scores", encoding=PLAIN),
        Column("use_table", BOOL, "with a table of positions up to symmetry", encoding=PLAIN),
        Column("max_depth", INT8, "plies searched", unit="plies", null="to the end",
               encoding=DICTIONARY),
        Column("evaluation", TEXT, "AI that values the leaves", null="when their result does",
               encoding=DICTIONARY, refers="ais.ai"),
        Column("seed", INT32, "seed of the moves that are drawn at random",
               null="when nothing is drawn: the first of the best moves is chosen",
               encoding=DICTIONARY),
        Column("position", POSITION, "position that is searched", encoding=DELTA,
               refers="positions.position"),
        Column("score", FLOAT64, "what the search finds, circle's view", encoding=DICTIONARY),
        Column("nodes", INT32, "entries into the recursive function; monte_carlo: positions "
               "entered by playouts", unit="nodes"),
    ),
)  # fmt: skip
SEARCH_TRACE = Table(
    "search_trace",
    "one event of a search from the empty board",
    ("search", "event"),
    (
        Column("search", INT32, "number of the search, as in searches", encoding=DELTA),
        Column("event", INT32, "number of the event, 0 = the root is entered", encoding=DELTA),
        Column("kind", TEXT, "what happens", "enter, hit (the table knows the answer), "
               "cut (the other moves cannot matter), leave", encoding=DICTIONARY),
        Column("line", INT32, "the moves from the empty board as decimal digits, cell + 1; 0 there",
               encoding=SPLIT),
        Column("position", POSITION, "the position that it happens at",
               refers="positions.position"),
        Column("alpha", FLOAT32, "lower end of the window, circle's view: as entered with; at a "
               "cut as the table and the moves before the last one narrowed it",
               null="when there is no lower end", encoding=DICTIONARY),
        Column("beta", FLOAT32, "upper end of the window, in the same way",
               null="when there is no upper end", encoding=DICTIONARY),
        Column("score", FLOAT32, "score, circle's view", null="at entry", encoding=DICTIONARY),
        Column("skipped", INT8, "moves that a cut leaves out", unit="moves", encoding=DICTIONARY),
    ),
)  # fmt: skip
MATCHES = Table(
    "matches",
    "one AI as circle against one AI as cross, from the empty board",
    ("circle_ai", "cross_ai"),
    (
        Column("circle_ai", TEXT, _AI, encoding=DICTIONARY, refers="ais.ai"),
        Column("cross_ai", TEXT, _AI, encoding=DICTIONARY, refers="ais.ai"),
        *(
            Column(f"p_{result.word}", FLOAT64, f"exact chance: {text}", "0 to 1",
                   unit="probability")
            for result, text in zip(RESULTS, ("circle wins", "a draw", "cross wins"), strict=True)
        ),
        *(
            Column(f"fraction_{word}", TEXT, f"p_{word} as a fraction in lowest terms",
                   "such as 737/1260", null="when a saved AI weighs its moves", encoding=PLAIN)
            for word in (result.word for result in RESULTS)
        ),
    ),
)  # fmt: skip

_OF_POSITIONS = (POSITIONS, CLASSES, MOVES, SPLITS, TREE_BFS, TREE_DFS)
_OF_AIS = (AIS, AI_MOVES, MATCHES, SEARCHES, SEARCH_TRACE)
TABLES = {table.name: table for table in (*_OF_POSITIONS, *_OF_AIS)}
"""All tables by name."""
