"""Commands that build, list and check tables."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu import STARTED
from marubatsu.pipeline.cli.options.shared import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FormatOption,
    GameArgument,
    MemoryOption,
    app,
    games_here,
    memory_of,
    print_rows,
    root_of,
)
from marubatsu.pipeline.rows.formats import Format
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.events import note, step

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.stages.stage import Stage
    from marubatsu.pipeline.store.data_set import DataSet


@app.command()
def tree(
    game: GameArgument = DEFAULT_GAME,
    order: Annotated[
        str | None,
        typer.Option(metavar="bfs|dfs", help="Build only this tree (default: both)."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Build the full game tree, with its positions, classes and moves.

    Example: marubatsu tree 3x3k3-misere --order dfs
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.tree.full_tree import require_small
    from marubatsu.pipeline.stages.stage import TREE_STAGES

    if order not in (None, "bfs", "dfs"):
        raise UsageError(f"there is no order {order!r}: expected bfs or dfs")
    parsed = Game(game)
    require_small(parsed)
    left_out = {"bfs": "tree_dfs", "dfs": "tree_bfs"}.get(order or "")
    _build(parsed, data, [s for s in TREE_STAGES if s.table.name != left_out])


@app.command()
def build(game: GameArgument = DEFAULT_GAME, data: DataOption = None) -> None:
    """Build every table of a game that is missing or stale.

    Example: marubatsu build 4x3k3
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.stages.stage import stages_of

    parsed = Game(game)
    _build(parsed, data, stages_of(parsed))


@app.command()
def verify(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help=GAME_HELP + " Default: all.", autocompletion=games_here
        ),
    ] = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Name every damaged, missing, stale, foreign or different file; exit 1 when there is one.

    A file is different when its rows are not those that this version publishes for the game. Of a
    folder that `marubatsu publish` wrote, all files are compared with its checksums too.
    Other formats than a table also list what is intact.

    Example: marubatsu verify 3x3k3
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.checking import checksums, published_content
    from marubatsu.pipeline.checking import verify as verification
    from marubatsu.pipeline.store.data_set import DataSet, near
    from marubatsu.pipeline.store.integrity import parts_of
    from marubatsu.pipeline.support.progress import say_waiting

    root = root_of(data)
    wrong = [] if game else list(checksums.problems(root))
    if game is None:
        data_sets, problems = verification.data_sets(root)
        problems = [*wrong, *problems]
    else:
        parsed = Game(game)
        data_sets = parts_of(root, parsed) or [DataSet(root, parsed)]
        problems = []
    if not data_sets and not problems:
        raise DataError(f"there is no data set in {near(root)}: run `marubatsu tree` first")
    told = {problem.path for problem in problems}
    cures = [checksums.CURE] if wrong else []
    rows = [(problem.kind, near(problem.path), problem.reason) for problem in problems]
    for data_set in data_sets:
        step("verify", f"comparing {near(data_set.folder)}", folder=str(data_set.folder))
        with data_set.lock(write=False, on_wait=say_waiting):
            found = verification.verify(data_set)
            found = [*found, *published_content.differences(data_set, found)]
        more = [problem for problem in found if problem.path not in told]
        if more:
            cures.append(verification.cure(data_set, more))
            rows += [(problem.kind, near(problem.path), problem.reason) for problem in more]
        elif not found:
            how = "as" if published_content.published_of(data_set) else "not"
            rows.append(("intact", near(data_set.folder), f"its rows are {how} published"))
    if cures or problems or format_ is not Format.TABLE:
        print_rows(("state", "path", "reason"), rows, format_)
    for cure in cures:
        note("cure", cure)
    if cures or problems:
        raise typer.Exit(1)
    if format_ is Format.TABLE:
        _tell_intact(data_sets)


def _tell_intact(data_sets: "Sequence[DataSet]") -> None:
    """Print the games whose data sets have no problem, and those whose rows are published."""
    from marubatsu.pipeline.checking.published_content import published_of

    names = dict.fromkeys(data_set.game.name for data_set in data_sets)
    known = dict.fromkeys(each.game.name for each in data_sets if published_of(each))
    others = [name for name in names if name not in known]
    print(f"every file is as its manifest says: {', '.join(names)}")
    if known:
        print(f"every row is as published: {', '.join(known)}")
    if others:
        print(f"no content hash is published: {', '.join(others)}")


@app.command()
def check(
    game: GameArgument = DEFAULT_GAME,
    only: Annotated[
        str | None, typer.Option("--only", metavar="CHECK", help="Run one check only.")
    ] = None,
    memory: MemoryOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Verify the files, then derive the tables again in SQL; exit 1 with counterexamples.

    Example: marubatsu check 3x3k3 --only scores
    """
    from marubatsu.pipeline.checking import checks
    from marubatsu.pipeline.checking.verify import require_sound
    from marubatsu.pipeline.rows.output import write
    from marubatsu.pipeline.sql import query_files
    from marubatsu.pipeline.sql.catalog import open_catalog
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.support.progress import progress, say_waiting

    data_set = data_set_of(game, data)
    given = memory_of(memory)
    chosen = list(query_files.checks().values()) if only is None else [query_files.check(only)]
    outcomes = []
    with (
        progress("checking") as advance,
        open_catalog(data_set, say_waiting, require_sound, given) as catalog,
    ):
        for number, one in enumerate(chosen):

            def reached(share: float, before: int = number) -> None:
                advance((before + share) / len(chosen))

            reached(0)
            outcome = checks.run_check(catalog, one, reached)
            step("check", f"{one.name}: {outcome.verdict}", check=one.name, verdict=outcome.verdict)
            outcomes.append(outcome)
    if format_ is Format.JSON:
        print(json_text([o.to_json() for o in outcomes], indent=1))
    else:
        print_rows(checks.COLUMNS, [o.row() for o in outcomes], format_)
    for outcome in outcomes if format_ is Format.TABLE else []:
        if outcome.verdict == "fail":
            print(f"\n{checks.complaint(outcome)}", file=sys.stderr)
            found = outcome.counterexamples
            if found.rows:
                write(found.columns, found.rows[: checks.SHOWN], Format.TABLE, sys.stderr)
    if any(outcome.verdict == "fail" for outcome in outcomes):
        raise typer.Exit(1)
    if all(outcome.verdict == "none" for outcome in outcomes):
        raise DataError("no check examined any row, so none has passed")


@app.command()
def games(data: DataOption = None, format_: FormatOption = Format.TABLE) -> None:
    """List known, built and solved games with their sizes and tables.

    Example: marubatsu games
    """
    from marubatsu.pipeline.checking.inventory import list_games

    listed = list_games(root_of(data))
    print_rows(listed.columns, listed.rows, format_)


def _build(game: "Game", data: Path | None, stages: "Sequence[Stage]") -> None:
    """Run stages and print a summary of the tables."""
    from marubatsu.pipeline.stages import build as building
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.progress import progress, say_waiting

    data_set = DataSet(root_of(data), game)
    try:
        with progress(f"building {game.name}") as advance:
            built = building.build(data_set, stages, progress=advance, on_wait=say_waiting)
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    print(building.summary(data_set, built))
    print(f"{time.perf_counter() - STARTED:.2f} s")
