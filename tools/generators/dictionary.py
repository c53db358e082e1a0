"""The tables of the data dictionary, ``data/README.md``, written from the schemas.

Run as ``python -m tools.generators.dictionary``; a test compares the file in the repository with
this text.
"""

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.schemas import TABLES, Table, resolve
from marubatsu.pipeline.tables.solved_schemas import KEPT, SOLVED
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts

PAGE = CHECKOUT / "data" / "README.md"
_EXAMPLES = ("tictactoe", "4x4k4-gravity")


def render(page: str) -> str:
    """Return the dictionary with its tables."""
    return with_parts(
        page,
        tables="\n".join(_described(table, "##", *_EXAMPLES) for table in TABLES.values()),
        solution="\n".join(_described(table, "###", _EXAMPLES[1]) for table in SOLVED.values()),
        kept="\n".join(_described(table, "##", _EXAMPLES[1]) for table in KEPT.values()),
        views=_views(),
        symmetries=_symmetries(),
    )


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
    return "".join(["| view or macro | one row is |\n|---|---|\n", *rows])


def _symmetries() -> str:
    rows = (
        f"| {number} | {symmetry.name} | {', '.join(map(str, symmetry.image))} |\n"
        for number, symmetry in enumerate(symmetries(Game(3, 3, 3)))
    )
    return "".join(
        ["| number | name | cells 0 to 8 of a 3x3 board go to |\n|---:|---|---|\n", *rows]
    )


if __name__ == "__main__":
    rewrite(PAGE, render)
