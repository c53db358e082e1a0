"""Commands that search, and count or keep what searches find."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameArgument,
    OutputOption,
    RequiredGame,
    argument,
    flag,
    goal,
    option,
)
from marubatsu.cli.output import print_rows
from marubatsu.cli.search_options import (
    DEFAULT_FIRST,
    EngineOption,
    MasterOption,
    NumberingOption,
    SearchMemoryOption,
    ThreadsOption,
    ai_option,
    noting_a_stop,
    position_of,
    require_between,
    require_engine,
    require_only_removal,
    threads_of,
)
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.search.options import Algorithm, SearchSettings, parse_techniques
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.machine import LONGEST, MEMORY, checked_time, parse_memory
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import AnswersTable, TechniquesTable
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.pipeline.laboratory.technique_grid import Counted
    from marubatsu.pipeline.laboratory.technique_runs import OwnOrdering

_AI_HELP = "a name as in `marubatsu ais`, file.py:function or evaluation:file.py:function"
_MOST_NODES = 10**12
_ALL_TIME = 1e9  # seconds


@app.command()
def search(
    game: GameArgument = DEFAULT_GAME,
    board: Annotated[
        str | None, argument("[BOARD]", "Cells row by row, or moves; without it, the empty board.")
    ] = None,
    *,
    numbering: NumberingOption = None,
    algorithm: Annotated[
        str, option("NAME", f"How to search: {', '.join(Algorithm)}.")
    ] = Algorithm.ALPHABETA.value,
    ordering: Annotated[
        str | None, ai_option(f"The AI that orders the moves (default: ascending): {_AI_HELP}.")
    ] = None,
    evaluation: Annotated[
        str | None,
        ai_option(
            f"The AI that values positions at the search depth, and finished ones: {_AI_HELP}."
        ),
    ] = None,
    settings: SearchSettings,
    techniques: Annotated[
        str, option("NAMES", "Search techniques, as in 'killers history' or 'table_size=1024'.")
    ] = "",
    trace: Annotated[
        Path | None,
        goal(
            "FILE", "Also write every step of the search that you ask for; the explorer replays it."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        option("SECONDS", "Time limit of each search; needed for large games.", "--time"),
    ] = None,
    critical: Annotated[
        bool, flag("--critical", "Sum the nodes over all critical classes, each searched once.")
    ] = False,
    by_move: Annotated[
        bool, flag("--by-move", "Search the position after each move, without a comparison.")
    ] = False,
    share_table: Annotated[
        bool,
        flag(
            "--share-table",
            "With --by-move, each search starts with the table of the previous one.",
        ),
    ] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
    agents: AgentOptions,
) -> None:
    """Search a position, and compare its nodes with each built-in ordering.

    An ordering is a function of a board and its legal moves; it returns a list of them, the first
    to search first, or a mapping from moves to scores. An evaluation is a function of a board; it
    returns its value for the player who just moved.

    Example: marubatsu search tictactoe o...x...o --ordering ai14s --use-table
    Example: marubatsu search tictactoe --ordering examples/corners.py:choose
    Example: marubatsu search 4x4k4-gravity --use-table --techniques "by_lines killers"
    Example: marubatsu search 4x4k4 --algorithm depth_limited --max-depth 2 --evaluation ai10s
    Example: marubatsu search 4x4k4 --ordering examples/corners.py:choose --use-table --time 60
    Example: marubatsu search tictactoe o...x...o --use-table --by-move --share-table
    Example: marubatsu search tictactoe --critical --ordering examples/corners.py:choose
    Example: marubatsu search tictactoe o...x...o --ordering ai14s --trace steps.json
    """
    if game in list(Algorithm):
        raise UsageError(f"{game} is an algorithm, not a game: expected --algorithm {game}")
    from marubatsu.judge.agents.position_search import opened_options
    from marubatsu.pipeline.laboratory import run_search as searches

    data_set = data_set_of(game, data)
    if critical and (by_move or board is not None or trace is not None or seconds is not None):
        raise UsageError(
            "--critical searches all classes: leave out BOARD, --by-move, --trace and --time"
        )
    if by_move and trace is not None:
        raise UsageError("--by-move is several searches, and --trace of one: leave out either")
    if trace is not None and trace.resolve() == (output or Path("-")).resolve():
        raise UsageError("--trace and the rows have one output: expected two, as by --output")
    if share_table and not (by_move and settings.get("use_table")):
        raise UsageError("--share-table is one table for all moves: add --by-move and --use-table")
    position = position_of(data_set.game, board, agents.get("first", DEFAULT_FIRST), numbering)
    named = {**settings, **parse_techniques(techniques), **agents}
    with (
        opened_options(data_set, algorithm, ordering, evaluation, named) as options,
        progress("searching") as advance,
    ):
        if critical:
            columns: tuple[str, ...] = searches.COLUMNS_OF_CLASSES
            rows = searches.sum_over_classes(data_set.game, options, advance)
        elif by_move:
            columns = searches.COLUMNS_OF_MOVES
            rows = searches.search_each_move(
                data_set.game, position, options, seconds=seconds, progress=advance,
                share_table=share_table,
            )  # fmt: skip
        else:
            columns = searches.COLUMNS
            rows = searches.compare_orderings(
                data_set.game, position, options, trace=trace, seconds=seconds, progress=advance
            )
    print_rows(columns, rows, format_, output)


@app.command()
def compare(
    ctx: typer.Context,
    *,
    game: GameArgument = DEFAULT_GAME,
    limit: Annotated[
        int | None, option("NODES", "Most nodes of one search (default: 1,000,000).")
    ] = None,
    seconds: Annotated[float, option("SECONDS", "Time limit.", "--time")] = LONGEST,
    ordering: Annotated[
        str | None,
        ai_option(f"Also count alpha-beta with this ordering, which is not kept: {_AI_HELP}."),
    ] = None,
    plot: Annotated[
        Path | None,
        goal(
            "FILE",
            "Plot the nodes with this ordering, without one, and the fewest (games of at most a "
            "million positions) into a .svg or .png file.",
        ),
    ] = None,
    remove: Annotated[bool, flag("--remove", "Remove these searches instead.")] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Count the nodes of every search technique on a game, and keep them.

    The positions are the empty board and all critical classes, or 30 random positions of a larger
    game. A search ends without a score when it visits more nodes than the limit. A stopped run
    resumes, and a greater limit repeats the searches that did not end.

    An ordering is called once for each position that a search expands. A call takes some tenths of
    a millisecond, so lower the limit on a large game, or set a time.

    Example: marubatsu compare 3x3k3-gravity
    Example: marubatsu compare 4x4k4 --limit 5000000 --time 600
    Example: marubatsu compare 3x3k3-gravity --ordering examples/middle.py:choose --plot nodes.svg
    Example: marubatsu compare connect4 --ordering examples/middle.py:choose --limit 2000
    """
    from marubatsu.judge.agents.address import ai_at
    from marubatsu.judge.agents.agent_settings import AgentSettings
    from marubatsu.judge.agents.players import Players
    from marubatsu.pipeline.laboratory import technique_runs as runs
    from marubatsu.pipeline.laboratory.kept_tables import remove_rows
    from marubatsu.pipeline.laboratory.pictures import LEAST, require_format

    data_set = data_set_of(game, data)
    table, name = data_set.sibling(TechniquesTable), data_set.game.name
    folder = near(table.folder)
    if remove:
        require_only_removal(ctx, "searches")
        print(f"removed {remove_rows(table):,} searches of {name}")
        return
    most = runs.NODE_LIMIT if limit is None else limit
    require_between("--limit", most, 1, _MOST_NODES, " nodes")
    checked_time(seconds)
    if plot is not None:
        if ordering is None:
            raise UsageError("--plot draws the curve of an ordering: add --ordering AI")
        require_format(plot)
    with (
        noting_a_stop(f"stopped; the counted searches are kept in {folder}"),
        progress(f"comparing techniques on {name}") as advance,
    ):
        own, started = None, monotonic()
        if ordering is not None:
            with Players(data_set, AgentSettings()) as players:
                own = runs.count_ordering(
                    data_set.game, players.ordering(ai_at(ordering, data_set)),
                    limit=most, seconds=seconds, progress=advance,
                )  # fmt: skip
        still = max(0, started + seconds - monotonic())
        made = runs.compare(data_set, limit=most, seconds=still, progress=advance)
    counts, costs = [(setting, made.counted.get(setting.name)) for setting in made.settings], ""
    rows = [runs.total(setting, of) for setting, of in counts if of]
    if own is not None:
        least = runs.least_curve(data_set.game, made.positions)
        rows += [runs.total(*each) for each in own.counted.items()]
        if least is not None:
            rows.append([LEAST, len(least), 0, sum(least), least[0]])
        costs = f"\n{ordering} was asked about {own.asked:,} positions, in {own.seconds:.1f} s"
        if own.left:
            costs += f"; no time for {own.left} of its settings: lower --limit or raise --time"
        if plot is not None:
            _draw(data_set.game, own, made.counted.get("alphabeta"), least, plot)
    kept = f"; the searches are in {folder}" if table.folder.exists() else ""
    again = "run it without --ordering" if own else "run the same command again"
    left = f"; {made.left:,} settings are left: {again}" if made.left else ""
    print_rows(
        ("setting", "searches", "stopped", "nodes", "from_empty_board"),
        rows,
        format_,
        after=f"\n{counted(len(made.positions), 'position')} each{kept}{left}{costs}\n",
    )


def _draw(
    game: Game, own: "OwnOrdering", without: "Counted | None", least: "list[int] | None", plot: Path
) -> None:
    from marubatsu.pipeline.laboratory.pictures import LEAST, draw_curves
    from marubatsu.pipeline.laboratory.technique_runs import curve

    counts = {each.name: of for each, of in own.counted.items() if not each.options.use_table}
    drawn = {name: curve(of) for name, of in ({"none": without} | counts).items() if of}
    if drawn:
        draw_curves(game, drawn | ({LEAST: least} if least else {}), plot)
    else:
        note("not drawn", f"{plot} is not drawn: no setting was counted in the time")


@app.command()
def book(
    ctx: typer.Context,
    *,
    game: RequiredGame,
    plies: Annotated[int, option("N", "Search all positions with N marks.")] = 1,
    seconds: Annotated[
        float, option("SECONDS", "Time limit (default: none).", "--time", show_default=False)
    ] = _ALL_TIME,
    memory: SearchMemoryOption = MEMORY,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    master: MasterOption = None,
    remove: Annotated[bool, flag("--remove", "Remove all answers of the game instead.")] = False,
    data: DataOption = None,
) -> None:
    """Search the first positions of a game, and keep their answers for later.

    `show`, `best`, `play` and audits look there before they search. A stopped run resumes. Later
    searches that take some seconds keep their answers there too. With Spark each position is a
    task, and --memory is the table of each core.

    Example: marubatsu book 6x6k4-gravity --plies 8 --time 3600
    Example: marubatsu book 6x6k4-gravity --plies 8 --engine spark --master spark://HOST:7077
    """
    from marubatsu.engine.kernels.exact_layout import require_searchable
    from marubatsu.judge.oracle.book import Searches, ThreadSearches, spark_searches, write_book
    from marubatsu.judge.oracle.choose_oracle import is_searched_without_data
    from marubatsu.pipeline.laboratory.kept_tables import remove_rows

    data_set = data_set_of(game, data)
    table, name = data_set.sibling(AnswersTable), data_set.game.name
    if remove:
        require_only_removal(ctx, "answers")
        print(f"removed {remove_rows(table):,} answers of {name}")
        return
    require_searchable(data_set.game)
    if not is_searched_without_data(data_set.game):
        raise UsageError(
            f"{name} is not searched: expected a game whose tables take longer to build"
        )
    require_between("--plies", plies, 0, data_set.game.cells - 1)
    require_between("--time", seconds, 0, unit=" seconds")
    require_engine("spark", engine, "--master", master)
    require_engine("local", engine, "--threads", threads)
    opened: AbstractContextManager[Searches]
    if engine == "spark":
        opened = spark_searches(data_set.game, parse_memory(memory), master)
    else:
        here = ThreadSearches(data_set.game, parse_memory(memory), threads_of(threads))
        opened = nullcontext(here)
    with (
        noting_a_stop(f"stopped; the answers are kept in {near(table.folder)}"),
        opened as searches,
        progress(f"searching {name}") as advance,
    ):
        made = write_book(data_set, plies, searches, seconds=seconds, progress=advance)
    print(f"{name} to ply {plies}: {made.classes:,} classes, in {near(table.folder)}")
    left = f"; {made.left:,} are left: run the same command again" if made.left else ""
    print(f"searched now: {made.searched:,}{left}")
