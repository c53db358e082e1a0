"""The tables that no stage builds: of solutions, answers of searches, proofs and nodes."""

from dataclasses import replace

from marubatsu.pipeline.tables.schemas import (
    BOOL,
    CLASSES,
    DELTA,
    DICTIONARY,
    DISTANCE,
    INT8,
    INT32,
    INT64,
    MASK,
    PLAIN,
    PLY,
    POSITION,
    POSITIONS,
    SCORE,
    SPLIT,
    TABLES,
    TEXT,
    Column,
    Table,
)

_PLY, _SCORE, _DISTANCE = (replace(column, encoding=SPLIT) for column in (PLY, SCORE, DISTANCE))
_POSITION, _CLASS = ({c.name: c for c in table.columns} for table in (POSITIONS, CLASSES))
"""The columns of two tables by name, for others that have the same."""

SOLUTION = Table(
    "solution",
    "one row of the index of a large game, in the files of its ply: see `engine/large/index.py`",
    (),
    (
        Column(
            "value", INT8, "score and distance of a class in one number, view of the side to move",
            "64 - n wins in n plies, 0 draws, n - 64 loses in n plies",
            null="where the row shows no position that play reaches, or one that an earlier row of "
            "the ply shows up to symmetry", encoding=DICTIONARY,
        ),
    ),
    row_group=1 << 17,  # A lookup reads one row group.
)  # fmt: skip
BLOCKS = Table(
    "blocks",
    "one block of the index of a large game",
    ("ply", "block"),
    (
        PLY,
        Column("block", INT32, "number of the block in its ply; all blocks of a ply have the same "
               "number of rows", encoding=DELTA),
        Column("mask", MASK, "circle's cells; with gravity the filled cells", "bit i = cell i",
               encoding=DELTA),
    ),
    row_group=1 << 16,
)  # fmt: skip
VALUE_COUNTS = Table(
    "value_counts",
    "the classes of one ply of a large game with the same score and distance",
    ("ply", "score_mover", "distance"),
    (
        _PLY,
        Column("score_mover", INT8, "minimax value, view of the side to move",
               "+1 wins, 0 draws, -1 loses"),
        _DISTANCE,
        Column("classes", INT64, "number of classes", unit="classes"),
        Column("positions", INT64, "number of their members", unit="positions"),
    ),
)  # fmt: skip
SOLVED = {table.name: table for table in (SOLUTION, BLOCKS, VALUE_COUNTS)}
"""The tables of the solution of a large game, by name."""
ANSWERS = Table(
    "answers",
    "a class that a search has solved, shown by the member with the smallest masks, circle's first",
    ("ply", "circles", "crosses"),
    (
        _PLY,
        _POSITION["circles"],
        _POSITION["crosses"],
        _POSITION["board"],
        _SCORE,
        _DISTANCE,
        Column("nodes", INT64, "nodes that the search visited; 0 when the moves' scores gave the "
               "score", unit="nodes"),
    ),
)  # fmt: skip
PROOFS = Table(
    "proofs",
    "a class of a proof: a set of classes that proves a bound of the empty board's score",
    ("proof", "class"),
    (
        Column("proof", TEXT, "name of the proof: who proves what", "circle-wins, cross-wins, "
               "circle-holds, cross-holds (a draw at least), with -best for that strategy",
               encoding=DICTIONARY),
        Column("prover", TEXT, "side that needs one move in each of its turns", "circle, cross",
               encoding=DICTIONARY),
        Column("claim", INT8, "bound of the score of the empty board, circle's view",
               "at least this if circle proves, at most this if cross proves",
               encoding=DICTIONARY),
        Column("strategy", TEXT, "what the prover's moves keep",
               "any: the claim; best: also the score of the class", encoding=DICTIONARY),
        Column("class", POSITION, "number of the class", "as in classes", encoding=DELTA,
               refers="classes.class"),
        _CLASS["board"],
        _PLY,
        Column("turn", TEXT, "side to move", "circle, cross", null="when the game is over",
               encoding=DICTIONARY),
        _CLASS["status"],
        Column("move", INT8, "the prover's move on the board", "cell number, x + columns * y",
               null="where the prover is not to move", encoding=SPLIT),
        Column("nodes", INT32, "classes of the whole proof", unit="classes", encoding=DICTIONARY),
        Column("lower_bound", INT32, "no proof of the claim by the strategy has fewer classes",
               "computed by the solver, in floating-point arithmetic", unit="classes",
               encoding=DICTIONARY),
        Column("is_optimal", BOOL, "nodes is the lower bound: no proof is smaller",
               encoding=PLAIN),
    ),
)  # fmt: skip
TYPES = ("leaves", "answered", "pv_nodes", "cut_nodes", "all_nodes", "first_cuts")
_OF_TYPES = (
    "nodes that are finished, or at the last ply searched",
    "nodes that the table answered",
    "expanded nodes with a score inside of the window",
    "expanded nodes with a score of beta at least",
    "expanded nodes with a score of alpha at most",
    "cut nodes whose first move cut",
)
TECHNIQUES = Table(
    "techniques",
    "a search of a position by one setting of the techniques: see docs/techniques.md",
    ("setting", "ply", "board"),
    (
        Column("setting", TEXT, "name of the setting: the columns up to techniques in one text",
               encoding=DICTIONARY),
        Column("algorithm", TEXT, "the algorithm", "as in search_options", encoding=DICTIONARY),
        Column("ordering", TEXT, "AI that orders the moves", "name of the AI",
               null="static order", encoding=DICTIONARY),
        Column("order_all", BOOL, "sort all moves by the AI's scores", "else its choice is first",
               encoding=PLAIN),
        Column("init_window", BOOL, "start with the range of scores", encoding=PLAIN),
        Column("use_table", BOOL, "store bounds", encoding=PLAIN),
        Column("seed", INT32, "seed of the random games", null="nothing is drawn",
               encoding=DICTIONARY),
        Column("techniques", TEXT, "the techniques, in alphabetic order, with spaces",
               "as --techniques takes them; empty: none", encoding=DICTIONARY),
        Column("step", INT8, "number on the ladder, which adds techniques one by one", "from 0",
               null="not on the ladder", encoding=DICTIONARY),
        Column("board", TEXT, "the position searched, as text: the member of its class with the "
               "smallest masks", ". empty, o circle, x cross", encoding=DICTIONARY),
        _PLY,
        Column("score", INT8, "score that the search found, circle's view", "+1, 0, -1",
               null="the search was stopped: it visited more nodes than node_limit",
               encoding=DICTIONARY),
        Column("nodes", INT64, "nodes visited, until the stop if it was stopped", unit="nodes"),
        *(
            Column(name, INT64, meaning, unit="nodes", null="the algorithm has no window")
            for name, meaning in zip(TYPES, _OF_TYPES, strict=True)
        ),
        Column("node_limit", INT64, "most nodes that the search was allowed", unit="nodes",
               encoding=DICTIONARY),
    ),
)  # fmt: skip
KEPT = {table.name: table for table in (ANSWERS, PROOFS, TECHNIQUES)}
"""The tables that commands keep next to those of a game, by name."""
DECLARED = {**TABLES, **SOLVED, **KEPT}
"""Every table by name."""
