"""Commands that make, list and publish tables."""

import time
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FolderOption,
    FormatOption,
    GameArgument,
    GameOption,
    argument,
    complete_game,
    flag,
    option,
)
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import DataSet, Saved, checked_root
from marubatsu.pipeline.tables.formats import Format
from marubatsu.version import STARTED

if TYPE_CHECKING:
    from marubatsu.pipeline.checking.checks import Outcome
    from marubatsu.pipeline.stages.stage import Stage


@app.command()
def tree(
    game: GameArgument = DEFAULT_GAME,
    order: Annotated[
        Literal["bfs", "dfs"] | None, typer.Option(help="Build only this tree (default: both).")
    ] = None,
    data: DataOption = None,
) -> None:
    """Build the full game tree, with its positions, classes and moves.

    Example: marubatsu tree 3x3k3-misere --order dfs
    """
    from marubatsu.engine.rules.size_limits import require_small
    from marubatsu.pipeline.stages.stage import TREE_STAGES

    parsed = Game(game)
    require_small(parsed)
    left_out = {"bfs": "tree_dfs", "dfs": "tree_bfs"}.get(order or "")
    _build(parsed, data, [stage for stage in TREE_STAGES if stage.table.name != left_out])


@app.command()
def build(
    game: GameArgument = DEFAULT_GAME,
    *,
    plan: Annotated[
        bool,
        flag(
            "--plan",
            "Print which tables would be made, why, how long that takes, and with how many rows by "
            "estimate.",
        ),
    ] = False,
    check: Annotated[
        bool, flag("--check", "Check each table before the next one is made; stop at a failure.")
    ] = False,
    graph: Annotated[
        bool, flag("--graph", "Print the stages, tables and checks as a Mermaid flowchart.")
    ] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Build every table of a game that is missing or stale.

    A plan measures for a second how busy this machine is.

    Example: marubatsu build 4x3k3 --plan
    """
    from marubatsu.pipeline.stages.stage import stages_of

    if plan + check + graph > 1:
        raise UsageError("--plan, --check and --graph do three different things: give one of them")
    if format_ is not Format.TABLE and not plan:
        raise UsageError("--format is for --plan: only a plan is printed as rows")
    parsed = Game(game)
    stages = stages_of(parsed)
    if graph:
        from marubatsu.pipeline.checking.checks import mermaid

        print(mermaid(stages), end="")
    elif plan:
        from marubatsu.cli.output import print_rows
        from marubatsu.pipeline.stages import plan as planning

        rows = planning.plan(DataSet(checked_root(data), parsed), stages, planning.slowness)
        rounded = [each._replace(seconds=round(each.seconds, 2)) for each in rows]
        print_rows(planning.Planned._fields, rounded, format_)
    else:
        _build(parsed, data, stages, checks=check)


def _build(
    game: Game, data: Path | None, stages: "Sequence[Stage]", *, checks: bool = False
) -> None:
    from marubatsu.pipeline.stages import build as building

    data_set = DataSet(checked_root(data), game)
    outcomes: list[Outcome] = []
    with progress(f"building {game.name}") as advance:
        if checks:
            from marubatsu.pipeline.checking.checks import build_checked

            built, outcomes = build_checked(data_set, stages, progress=advance)
        else:
            built = building.build(data_set, stages, progress=advance)
    print(building.summary(data_set, built))
    if checks:
        from marubatsu.cli.output import exit_at_failures

        exit_at_failures(outcomes)
        passed = sum(outcome.verdict == "pass" for outcome in outcomes)
        print(f"{passed} checks passed")
    if data_set.sibling(Saved).has_manifest:
        from marubatsu.judge.agents.saved_ais import renew

        if renew(data_set):
            print("the matches of saved AIs were computed again")
    print(f"{time.perf_counter() - STARTED:.2f} s")


@app.command()
def games(data: DataOption = None, format_: FormatOption = Format.TABLE) -> None:
    """List known, built and solved games with their sizes and tables.

    Example: marubatsu games
    """
    from marubatsu.cli.output import print_rows
    from marubatsu.pipeline.checking.inventory import list_games

    rows = list_games(checked_root(data))
    print_rows(rows.columns, rows.rows, format_)


@app.command()
def publish(
    *,
    games: Annotated[
        list[str] | None,
        argument(
            "[GAME]...",
            f"{GAME_HELP.removesuffix('.')} (default: {DEFAULT_GAME}).",
            autocompletion=complete_game,
        ),
    ] = None,
    out: FolderOption,
    date: Annotated[
        str | None, option("YYYY-MM-DD", "Date of publication (default: the date of this version).")
    ] = None,
    url: Annotated[str | None, option("URL", "Future address of the folder on the web.")] = None,
    data: DataOption = None,
) -> None:
    """Write built and solved games as a folder for a data hub, with all that describes them.

    `marubatsu verify --data DIR` verifies the folder, and every command reads it.

    Example: marubatsu publish tictactoe --out tictactoe-data
    """
    from marubatsu.pipeline.publishing.publication import RELEASED, checked_date, checked_url
    from marubatsu.pipeline.publishing.publish import publish as write

    parsed = [Game(name) for name in games or [DEFAULT_GAME]]
    day, address = checked_date(RELEASED if date is None else date), checked_url(url)
    with progress("publish") as advance:
        files = write(checked_root(data), parsed, out, day, address, advance)
    size = sum(file.bytes for file in files)
    check = f"`marubatsu verify --data {quote(str(out))}`"
    print(f"{len(files)} files, {size:,} bytes in {out}; {check} checks them")


@app.command()
def site(
    *,
    out: FolderOption,
    game: GameOption = DEFAULT_GAME,
    url: Annotated[
        str | None,
        option("URL", "Future address of the site; links to it then show a preview card."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the page and its data as a static site, for any file host.

    The game needs its tables or its solution.

    Example: marubatsu site --out site
    """
    from marubatsu.pipeline.publishing.publication import checked_url
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.web.site import write_site

    address = checked_url(url)
    with progress("site") as advance:
        files, size = write_site(data_set_of(game, data), out, address, advance)
    print(f"{files} files, {size:,} bytes in {out}; a file server shows it, such as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {quote(str(out))}")
