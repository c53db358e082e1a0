"""Commands that compare what is there: files, tables, and numbers known from elsewhere."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.cli.cures import as_typed, game_words
from marubatsu.cli.options.shared import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FormatOption,
    GameArgument,
    MemoryOption,
    OutputOption,
    app,
    games_here,
    memory_of,
    print_rows,
    root_of,
)
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.events import note, step
from marubatsu.pipeline.support.search_limits import LONGEST
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from pathlib import Path

    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.store.integrity import Problem


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
    folder that `marubatsu publish` wrote, all files are compared with its checksums too, and its
    documents with those that this version writes for its data.
    Other formats than a table also list what is intact.

    Example: marubatsu verify 3x3k3
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.checking import checksums, published_content
    from marubatsu.pipeline.checking import verify as verification
    from marubatsu.pipeline.publishing.document_check import document_problems
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.store.integrity import parts_of
    from marubatsu.pipeline.support.progress import say_waiting
    from marubatsu.pipeline.support.resources import near

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
        tree = f"`marubatsu tree {game_words(Game(DEFAULT_GAME), root)}`"
        raise DataError(f"there is no data set in {near(root)}: run {tree} first")
    told = {problem.path for problem in problems}
    cures = [str(checksums.CURE)] if wrong else []
    rows = [_row(problem) for problem in problems]
    for data_set in data_sets:
        step("verify", f"comparing {near(data_set.folder)}", folder=str(data_set.folder))
        with data_set.lock(write=False, on_wait=say_waiting):
            found = verification.verify(data_set)
            found = [*found, *published_content.differences(data_set, found)]
        more = [problem for problem in found if problem.path not in told]
        if more:
            cures.append(verification.cure(data_set, more))
            rows += map(_row, more)
        elif not found:
            how = "as" if published_content.published_of(data_set) else "not"
            rows.append(("intact", str(near(data_set.folder)), f"its rows are {how} published"))
    is_sound = game is None and not cures and not problems
    differing = list(document_problems(root)) if is_sound else []
    cures += [str(checksums.CURE)] * bool(differing)
    rows += map(_row, differing)
    if cures or problems or format_ is not Format.TABLE:
        print_rows(("state", "path", "reason"), rows, format_)
    for cure in cures:
        note("cure", cure)
    if cures or problems:
        raise typer.Exit(1)
    if format_ is Format.TABLE:
        _tell_intact(data_sets)


def _row(problem: "Problem") -> tuple[str, str, str]:
    """Return a problem as a row; a name that is no UTF-8 is escaped."""
    from marubatsu.pipeline.support.resources import near

    path = str(near(problem.path)).encode("utf-8", "backslashreplace").decode()
    return problem.kind, path, problem.reason


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
    from marubatsu.pipeline.sql import query_files
    from marubatsu.pipeline.sql.catalog import open_catalog
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import write

    data_set = data_set_of(game, data)
    given = memory_of(memory)
    chosen = list(query_files.checks().values()) if only is None else [query_files.check(only)]
    outcomes = []
    with (
        progress("checking") as advance,
        open_catalog(data_set, say_waiting, require_sound, given) as catalog,
    ):
        checks.require_known_rules(catalog)
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
def anchors(
    *,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help=GAME_HELP + " Default: all.", autocompletion=games_here
        ),
    ] = None,
    make: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="First build small games, and solve games up to this time, by estimate.",
        ),
    ] = None,
    memory: MemoryOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Compare every number known from elsewhere with ours; exit 1 when one differs.

    Positions and classes per ply, values, wins, draws and losses, lines of play; all with sources.

    Example: marubatsu anchors tictactoe 4x4k4
    """
    from marubatsu.pipeline.checking import anchors as registry
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import destination, write

    if make is not None and not 0 < make <= LONGEST:
        raise UsageError(f"--make {make:g}: expected more than 0, at most {LONGEST} seconds")
    root, given, chosen = root_of(data), memory_of(memory), registry.games_of(games or [])
    made = [_make(root, game, make, given) for game in chosen] if make is not None else []
    with progress("comparing") as advance:
        found = registry.compare(root, chosen, given, progress=advance, on_wait=say_waiting)
    with destination(output) as out:
        write(registry.Anchor._fields, found, format_, out)
        if format_ is Format.TABLE:
            out.write(f"\n{as_typed(registry.tell(found))}\n")
    agreements = {anchor.agreement for anchor in found}
    if not all(made) or agreements & {registry.DIFFERS, registry.FAILED}:
        raise typer.Exit(1)
    if agreements == {registry.NOT_THERE}:
        raise DataError("no number was compared, so none agrees")


def _make(root: "Path", game: "Game", seconds: float, memory: int) -> bool:
    """Build the tables of a game and solve it, as far as its size and the time allow.

    Print what cannot be done; return whether everything was done.
    """
    from marubatsu.engine.rules.bounds import MAX_POSITIONS
    from marubatsu.engine.rules.size import estimate_positions
    from marubatsu.pipeline.solving.cost_estimate import estimate
    from marubatsu.pipeline.solving.local_engine import solve
    from marubatsu.pipeline.stages.build import build
    from marubatsu.pipeline.stages.stage import TREE_STAGES, stages_of
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.progress import progress, say_waiting

    expected = estimate(game)
    try:
        with progress(f"making {game.name}") as advance:
            if estimate_positions(game) <= MAX_POSITIONS:
                stages = stages_of(game, TREE_STAGES)
                build(DataSet(root, game), stages, progress=advance, on_wait=say_waiting)
            if expected.seconds <= seconds:
                solve(
                    root, game, memory, expected=expected, on_wait=say_waiting,
                    progress=lambda what, share, classes: advance(share, what),
                )  # fmt: skip
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    except DataError as error:
        print(f"marubatsu: {as_typed(str(error))}", file=sys.stderr)
        return False
    return True
