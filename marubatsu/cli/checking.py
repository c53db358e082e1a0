"""Commands that compare: files, tables, known numbers, boards and environments of others."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FormatOption,
    GameArgument,
    GameOption,
    GamesArgument,
    OutputOption,
    argument,
    complete_game,
    goal,
    option,
)
from marubatsu.cli.output import as_typed, exit_at_failures, game_words, print_rows
from marubatsu.cli.search_options import MemoryOption, SeedOption, memory_of, require_between
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted, quote
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.importing import no_exit
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import checked_time
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import checked_root
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import destination, write

_MOST = 1_000_000


@app.command()
def verify(
    game: Annotated[
        str | None, argument("[GAME]", GAME_HELP + " Default: all.", autocompletion=complete_game)
    ] = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Name every damaged, missing, stale, unknown or different file; exit 1 when there is one.

    A file is different when its rows are not those that this version publishes for the game. In a
    folder from `marubatsu publish`, every file is also compared with the checksums, and every
    document with the one that this version writes. All formats but the table also list intact
    files.

    Example: marubatsu verify 3x3k3
    """
    from marubatsu.pipeline.publishing.verify_folder import COLUMNS, verify_folder

    root = checked_root(data)
    with progress("verifying") as advance:
        result = verify_folder(root, Game(game) if game else None, advance)
    if not result.problems and not result.intact:
        tree = f"`marubatsu tree {game_words(Game(DEFAULT_GAME), root)}`"
        raise DataError(f"there is no data set in {near(root)}: run {tree} first")
    if result.problems or format_ is not Format.TABLE:
        print_rows(COLUMNS, result.rows, format_)
    for cure in result.cures:
        note("cure", cure)
    if result.problems:
        raise typer.Exit(1)
    if format_ is Format.TABLE:
        print(result.summary())


@app.command()
def check(
    game: GameArgument = DEFAULT_GAME,
    only: Annotated[
        list[str] | None, option("CHECK", "Run only this check; may be repeated.")
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

    data_set = data_set_of(game, data)
    queries = list(map(query_files.check, dict.fromkeys(only or query_files.checks())))
    with (
        progress("checking") as advance,
        open_catalog(data_set, require_sound, memory_of(memory)) as catalog,
    ):
        outcomes = checks.run_checks(catalog, queries, advance)
    idle = [outcome.check.name for outcome in outcomes if outcome.verdict == "none"]
    hidden = [] if only or format_ is not Format.TABLE else idle
    if format_ is Format.JSON:
        print(json_text([outcome.to_json() for outcome in outcomes], indent=1))
    else:
        rows = [outcome.row() for outcome in outcomes if outcome.check.name not in hidden]
        others = f"\n{counted(len(hidden), 'check')} examined nothing: --format csv says why\n"
        print_rows(checks.COLUMNS, rows, format_, after=others * bool(hidden))
    exit_at_failures(outcomes, shows=format_ is Format.TABLE)
    if len(idle) == len(outcomes):
        raise DataError("no check examined any row, so none has passed")
    if only and idle:
        raise DataError(f"{', '.join(idle)} examined no row, so it has not passed")


@app.command()
def anchors(
    *,
    games: GamesArgument = None,
    make: Annotated[
        float | None,
        option("SECONDS", "First build small games, and solve games up to this time, by estimate."),
    ] = None,
    memory: MemoryOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Compare every number published elsewhere with the data; exit 1 when one differs.

    The numbers are positions and classes per ply, values, wins, draws and losses, and lines of
    play, each with its source.

    Example: marubatsu anchors tictactoe 4x4k4
    """
    from marubatsu.pipeline.checking import anchors as registry

    if make is not None:
        checked_time(make, "make", may_be_zero=False)
    root, most, parsed = checked_root(data), memory_of(memory), registry.games_of(games or [])
    failures = []
    if make is not None:
        for game in parsed:
            with progress(f"making {game.name}") as advance:
                failures += registry.make(root, game, make, most, advance)
    for failure in failures:
        note("error", f"marubatsu: {failure}", exit_code=1)
    with progress("comparing") as advance:
        rows = registry.compare(root, parsed, most, progress=advance)
    sentence = as_typed(registry.summary(rows))
    print_rows(registry.Anchor._fields, rows, format_, output, after=f"\n{sentence}\n")
    agreements = {anchor.agreement for anchor in rows}
    if failures or agreements & {registry.DIFFERS, registry.FAILED}:
        raise typer.Exit(1)
    compared = {anchor.game for anchor in rows if anchor.agreement != registry.NOT_THERE}
    lacking = [game.name for game in parsed if game.name not in compared]
    if lacking and (games or not compared):
        those = f"of {', '.join(lacking)} " if games else ""
        raise DataError(f"no number {those}was compared, so none agrees")


@app.command()
def conform(
    spec: Annotated[
        str,
        argument(
            "MODULE:CLASS", "file.py:Class, package.module:Class, or a built-in board by name."
        ),
    ],
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Check a board class of your own against every law; exit 1 when it breaks one.

    It uses all 5,478 positions of 3x3 and samples of other boards. The class is a subclass of
    marubatsu.engine.boards.board.Board, takes a game, and runs in this process.

    Example: marubatsu conform examples/dict_board.py:DictBoard
    """
    from marubatsu.pipeline.laboratory import board_conformance as boards

    board = boards.find_board(spec)
    with progress("conform") as advance:
        result = boards.conform(board, progress=advance)
    rows, sentences = boards.rows(result), boards.summary(result)
    print_rows(boards.COLUMNS, rows, format_, output, after="\n" + sentences)
    if not result.holds:
        raise typer.Exit(1)


@app.command("conform-env")
def conform_env(
    spec: Annotated[
        str,
        argument(
            "NAME",
            "pettingzoo:tictactoe_v3, openspiel:mnk(m=4,n=3,k=3), pgx:connect_four, "
            "kaggle:connectx(columns=5,rows=4,inarow=3), file.py:Class or package.module:Class.",
        ),
    ],
    game: Annotated[
        str | None, option("GAME", "The game of a class (default: tictactoe).", "--game", "-g")
    ] = None,
    sample: Annotated[
        int | None,
        option(
            "N",
            "Play N random games (default: every move of every position of a small game, 100 "
            "games of a larger one).",
        ),
    ] = None,
    seed: SeedOption = 0,
    accept: Annotated[
        list[str] | None,
        option(
            "KIND",
            "Do not fail for this kind of difference, named as in the table; may be repeated.",
        ),
    ] = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Compare an environment of another package with the rules; exit 1 when they differ.

    It compares legal moves, turn, end, winner, rewards, observations and the answers to illegal
    moves, and names the shortest line to each difference. The package of the environment must
    be installed where marubatsu runs; a class answers the questions in docs/environments.md.

    Example: marubatsu conform-env pettingzoo:tictactoe_v3
    """
    from marubatsu.judge.bridges.conformance import COLUMNS, KINDS, rows, summary, walk_environment
    from marubatsu.judge.bridges.environments import find_environment

    require_between("--sample", sample, 1, _MOST, " games")
    accepted = accept or []
    if unknown := [kind for kind in accepted if kind not in KINDS]:
        raise UsageError(f"--accept {quote(unknown[0])}: expected one of {', '.join(KINDS)}")
    environment = find_environment(spec, None if game is None else Game(game))
    with progress("conform-env") as advance:
        result = walk_environment(environment, sample, seed, advance)
    sentence = summary(environment, result, accepted)
    print_rows(COLUMNS, rows(result), format_, output, after="\n" + sentence)
    if not result.agrees(accepted):
        raise typer.Exit(1)


@app.command()
def bench(
    kind: Annotated[Literal["boards"], argument("boards", "What is measured.")],
    board: Annotated[
        list[str] | None,
        option("BOARD", "Only this board, or your own as file.py:Class; may be repeated."),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    pairs: Annotated[int, option("N", "Pairs of games in a run.")] = 500,
    repeats: Annotated[int, option("N", "Rounds that count.")] = 7,
    plot: Annotated[Path | None, goal("FILE", "Draw the figures: a name in .svg or .png.")] = None,
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            "-f",
            help="How to write the figures: table, markdown and json have all of them, the others "
            "one row for each board and measure.",
        ),
    ] = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Measure matches, searches and single calls on every board, and compare the answers.

    The published figures are shown next to ours.

    Example: marubatsu bench boards --pairs 2000 --plot boards.svg
    """
    from marubatsu.engine.boards.laws import boards_of
    from marubatsu.pipeline.laboratory import board_benchmark as benchmark
    from marubatsu.pipeline.laboratory import pictures
    from marubatsu.pipeline.laboratory.board_conformance import find_board

    require_between("--pairs", pairs, 1, _MOST)
    require_between("--repeats", repeats, 1, _MOST)
    if plot is not None:
        pictures.require_format(plot)
    parsed = Game(game)
    boards = {name: find_board(name) for name in board} if board else boards_of(parsed)
    with progress("bench") as advance, no_exit():
        result = benchmark.bench(boards, parsed, pairs=pairs, repeats=repeats, progress=advance)
    with destination(output) as out:
        match format_:
            case Format.JSON:
                benchmark.write_json(result, boards, out)
            case Format.TABLE | Format.MARKDOWN:
                out.write(benchmark.render(result, boards, format_))
            case _:
                write(benchmark.FIGURES, benchmark.figure_rows(result), format_, out)
    if plot is not None:
        pictures.plot(result, plot)
