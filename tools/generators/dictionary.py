"""The data dictionary: ``data/README.md``, written from the schemas.

Run as ``python -m tools.generators.dictionary``; a test compares the file in the repository with
this text.
"""

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.schemas import TABLES, Table, resolve
from marubatsu.pipeline.tables.solved_schemas import KEPT, SOLVED
from tools.generators.run_pages import CHECKOUT

_EXAMPLES = ("tictactoe", "4x4k4-gravity")

_INTRODUCTION = """\
# Data dictionary

`marubatsu build GAME` writes the tables of a game into `data/<game>/`: one Parquet file each
(zstd), next to a `manifest.json` and a `datapackage.json`, which is this dictionary for programs: a
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
versions), and `inputs` (content hashes of the tables whose numbers it uses). The manifest
holds the hash of its own content. It holds no times and no machine names: two builds of one version
are byte-identical. `marubatsu verify` compares size and SHA-256 of every file, the manifest's own
hash, the columns, the code or versions, and the inputs.
"""


_SOLUTION = """\
## solution

`marubatsu solve GAME` writes `data/<game>/solution/`: the values in `ply=NN/part-NNNN.parquet`, \
`blocks.parquet`, `value_counts.parquet`, and a `manifest.json`. The key of a row is its number in \
the ply, over all parts, from 0; no file repeats it. A block has a row for each way to choose the \
cells of one side: without gravity those of cross among the cells that circle leaves, with gravity \
those of circle among the filled cells. The rows of block 0 come first. The views `solution` and \
`solution_moves` derive board, score and distance.
"""


def render() -> str:
    """Write the data dictionary."""
    return "\n".join([
        _INTRODUCTION + " and ".join(f"`{name}`" for name in _EXAMPLES) + ".\n",
        *(_described(table, "##", *_EXAMPLES) for table in TABLES.values()),
        _SOLUTION,
        *(_described(table, "###", _EXAMPLES[1]) for table in SOLVED.values()),
        *(_described(table, "##", _EXAMPLES[1]) for table in KEPT.values()),
        _views(),
        _symmetries(),
        _MANIFEST,
    ])  # fmt: skip


def _described(table: Table, mark: str, *games: str) -> str:
    ordered = f" Sorted by {', '.join(table.key)}." if table.key else ""
    lines = [
        f"{mark} {table.name}\n\nOne row is {table.grain}.{ordered}\n",
        f"| column | {' | '.join(games)} | meaning | unit | values |",
        "|---|" + "---|" * len(games) + "---|---|---|",
    ]
    for column in table.columns:
        types = " | ".join(
            resolve(Game(game), column.type) if _has(Game(game), table) else "none"
            for game in games
        )
        null = f"null {column.null}" if column.null else ""
        values = "; ".join(filter(None, (column.codes, null)))
        lines.append(f"| `{column.name}` | {types} | {column.meaning} | {column.unit} | {values} |")
    return "\n".join(lines) + "\n"


def _has(game: Game, table: Table) -> bool:
    """Whether a game has a table, as all have those that no stage builds."""
    return table.name not in TABLES or any(stage.table is table for stage in stages_of(game))


def _views() -> str:
    rows = (
        f"| `{view.name}{f'({view.takes})' if view.takes else ''}` | {view.grain} |\n"
        for view in views()
        if view.name not in TABLES
    )
    return f"""\
## Views

`queries/views/` names every table as a view. `marubatsu views` prints one script that makes them \
in a DuckDB of your own. There are also these:

| view or macro | one row is |
|---|---|
{"".join(rows)}"""


def _symmetries() -> str:
    rows = (
        f"| {number} | {symmetry.name} | {', '.join(map(str, symmetry.image))} |\n"
        for number, symmetry in enumerate(symmetries(Game(3, 3, 3)))
    )
    return f"""\
## Symmetries

These are the numbers in `positions.symmetry`. Square boards have all, rectangles 0 to 3, boards \
with gravity 0 and 1. On a torus a shift of all cells, which takes cell 0 to cell c, may follow \
each of these: the number is then c * 8 greater, on rectangles c * 4. The view `symmetry_cells` \
lists them for any game.

| number | name | cells 0 to 8 of a 3x3 board go to |
|---:|---|---|
{"".join(rows)}"""


if __name__ == "__main__":
    (CHECKOUT / "data" / "README.md").write_text(render(), encoding="utf-8")
