"""The data dictionary: ``data/README.md``, printed from the schemas.

Run as ``python -m tools.generators.dictionary``; a test compares the file in the repository with
this text.
"""

from collections.abc import Iterator

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.schemas import TABLES, Column, Table, resolve
from marubatsu.pipeline.tables.solved_schemas import KEPT, SOLVED

_EXAMPLES = ("tictactoe", "4x4k4-gravity")

_INTRODUCTION = """\
# Data dictionary

`marubatsu build GAME` writes the tables of a game into `data/<game>/`: one Parquet file each
(zstd), beside a `manifest.json` and a `datapackage.json`, which is this dictionary for programs: a
[Data Package](https://datapackage.org) with fields, primary and foreign keys. Git holds this page
only. `make dictionary` prints it from the schemas that the writer enforces.
[Tables](../docs/tables.md) explains how the tables fit together.

The data is in the public domain (CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/). Use
it without asking; a citation is welcome (`CITATION.cff`). The code has the MIT license.

The folder of a game has the alias as its name where there is one (`tictactoe` is `3x3k3`,
`connect4` is `7x6k4-gravity`). Scores are from circle's view. A cell is x + columns * y, row by
row, 0 at the top left. A move is the cell that gets filled. An integer has the smallest type for
the bound that its game sets (cells, ways to place the marks, lines of play), so types differ from
game to game. This page shows the types of """

_MANIFEST = """\
## manifest.json

Per file: `rows`, `bytes`, `sha256` of the file, `content` (BLAKE2b hash of the rows: per column
name, type, lengths, nulls and values, so it does not depend on the Parquet writer), `schema`
(fingerprint of the table's names, types, units, nulls and key), `made_by` (a fingerprint of the
code that decides the bytes of the table, comments left out, and of the version of pyarrow; for
`techniques` a fingerprint of the code that counts; for solutions, answers, proofs and saved AIs
versions), and `inputs` (content hashes of the tables whose numbers it uses). `code` has the hash of
each module behind a fingerprint, so `marubatsu build --plan` names those that changed. The manifest
holds the hash of its own content. It holds no times and no machine names: two builds of one version
are byte-identical. `marubatsu verify` compares size and SHA-256 of every file, the manifest's own
hash, the columns, the code or versions, and the inputs.
"""


def render() -> str:
    """Write the data dictionary."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _INTRODUCTION + " and ".join(f"`{name}`" for name in _EXAMPLES) + "."
    for table in TABLES.values():
        yield ""
        yield from _table(table)
    yield ""
    yield from _solution()
    for table in KEPT.values():
        yield ""
        yield from _stored(table, "##")
    yield ""
    yield from _views()
    yield ""
    yield from _symmetries()
    yield ""
    yield _MANIFEST.rstrip("\n")


def _table(table: Table) -> Iterator[str]:
    yield f"## {table.name}"
    yield ""
    yield f"One row is {table.grain}. Sorted by {', '.join(table.key)}."
    yield ""
    yield "| column | " + " | ".join(_EXAMPLES) + " | meaning | unit | values |"
    yield "|---|" + "---|" * len(_EXAMPLES) + "---|---|---|"
    games = [Game(name) for name in _EXAMPLES]
    for column in table.columns:
        types = " | ".join(
            resolve(game, column.type) if _has(game, table) else "none" for game in games
        )
        told = f"{column.meaning} | {column.unit} | {_values(column)}"
        yield f"| `{column.name}` | {types} | {told} |"


def _solution() -> Iterator[str]:
    yield "## solution"
    yield ""
    yield (
        "`marubatsu solve GAME` writes `data/<game>/solution/`: the values in "
        "`ply=NN/part-NNNN.parquet`, `blocks.parquet`, `value_counts.parquet`, and a "
        "`manifest.json`. The key of a row is its number in the ply, over all parts, from 0; no "
        "file repeats it. "
        "A block has a row for each way to choose the cells of one side: without gravity those of "
        "cross among the cells that circle leaves, with gravity those of circle among the filled "
        "cells. The rows of block 0 come first. The views `solution` and `solution_moves` derive "
        "board, score and distance."
    )
    for table in SOLVED.values():
        yield ""
        yield from _stored(table, "###")


def _stored(table: Table, mark: str) -> Iterator[str]:
    """Describe a table that no stage builds, under a heading with a mark."""
    yield f"{mark} {table.name}"
    yield ""
    ordered = f" Sorted by {', '.join(table.key)}." if table.key else ""
    yield f"One row is {table.grain}.{ordered}"
    yield ""
    yield f"| column | {_EXAMPLES[1]} | meaning | unit | values |"
    yield "|---|---|---|---|---|"
    for column in table.columns:
        kind = resolve(Game(_EXAMPLES[1]), column.type)
        yield f"| `{column.name}` | {kind} | {column.meaning} | {column.unit} | {_values(column)} |"


def _values(column: Column) -> str:
    """Tell the codes of a column, and what null means."""
    null = f"null {column.null}" if column.null else ""
    return "; ".join(filter(None, (column.codes, null)))


def _has(game: Game, table: Table) -> bool:
    return any(stage.table is table for stage in stages_of(game))


def _views() -> Iterator[str]:
    yield "## Views"
    yield ""
    yield (
        "`queries/views/` names every table as a view. `marubatsu views` prints one script that "
        "makes them in a DuckDB of your own. There are also these:"
    )
    yield ""
    yield "| view or macro | one row is |"
    yield "|---|---|"
    for view in views():
        if view.name not in TABLES:
            takes = f"({view.takes})" if view.takes else ""
            yield f"| `{view.name}{takes}` | {view.grain} |"


def _symmetries() -> Iterator[str]:
    yield "## Symmetries"
    yield ""
    yield (
        "These are the numbers in `positions.symmetry`. Square boards have all, rectangles 0 to 3, "
        "boards with gravity 0 and 1. On a torus a shift of all cells, which takes cell 0 to cell "
        "c, may follow each of these: the number is then c * 8 greater, on rectangles c * 4. The "
        "view `symmetry_cells` lists them for any game."
    )
    yield ""
    yield "| number | name | cells 0 to 8 of a 3x3 board go to |"
    yield "|---:|---|---|"
    for number, symmetry in enumerate(symmetries(Game(3, 3, 3))):
        yield f"| {number} | {symmetry.name} | {', '.join(map(str, symmetry.image))} |"


if __name__ == "__main__":
    print(render(), end="")
