"""Commands about positions: their values and best moves, and searches whose nodes are counted."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from marubatsu.cli.options.agent_options import chosen_limits
from marubatsu.cli.options.given_positions import given_position, note_first
from marubatsu.cli.options.search_options import chosen_options
from marubatsu.cli.options.shared import (
    DEFAULT_FIRST,
    DEFAULT_GAME,
    DataOption,
    FirstOption,
    FormatOption,
    GameArgument,
    GameOption,
    NumberingOption,
    OutputOption,
    SearchMemoryOption,
    TimeOption,
    app,
    outside_data,
    print_rows,
    root_of,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.search_limits import ANSWER_SECONDS, LONGEST, MEMORY, checked_time
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.engine.rules.position import Position
    from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
    from marubatsu.judge.oracle.oracle import Oracle
    from marubatsu.pipeline.store.data_set import DataSet

_MOST_INPUT = 64_000_000  # bytes of positions
_MOST_NODES = 10**12

BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="Cells row by row, as in o.x...... or O-X/---/---, or moves, as in 0,2 or 'a3 c3'; "
        "docs/positions.md lists the spellings.",
    ),
]


@app.command()
def show(
    board: BoardArgument,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Draw a position and show its value, its class and the value of each move.

    A small game must be built first. A larger one without tables and without a solution is
    searched: then, when the time is up or after Ctrl-C, bounds are shown that hold for certain. The
    board - stands for many on standard input, one a line, or with their rows on lines and an empty
    line between two; it shows a row for each.

    Example: marubatsu show o.x......
    Example: marubatsu show "X,O,_,_,X,_,_,_,_" --first x
    Example: marubatsu show - --format csv < boards.txt
    Example: marubatsu show "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.json_text import json_text

    data_set = data_set_of(game, data)
    if board == "-":
        _show_many(_oracle(data_set, time, memory), format_, first, numbering)
        return
    position = given_position(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory), position)
    if format_ is Format.JSON:
        print(json_text(answer.to_json(), indent=1))
        return
    moves = _named(answer)
    if format_ is Format.TABLE:
        print(f"{answer}\n" if moves else answer)
    if moves:
        print_rows(list(moves[0]), [list(move.values()) for move in moves], format_)


@app.command()
def best(
    board: BoardArgument,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Print the best moves of a position, and the result that they lead to.

    A small game must be built first. A larger one without tables and without a solution is
    searched: when the time is up or after Ctrl-C, the moves may be those that look best so far; the
    column is_proved tells.

    Example: marubatsu best o...x...o
    Example: marubatsu best "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    from marubatsu.engine.rules.input_error import quote
    from marubatsu.judge.oracle.answer import BoundedAnswer
    from marubatsu.pipeline.stages.on_demand import data_set_of

    data_set = data_set_of(game, data)
    position = given_position(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory), position)
    if not answer.moves:
        raise UsageError(f"{quote(answer.board)} is {answer.summary}; expected a board with moves")
    is_proved = bool(answer.best_moves)
    chosen = answer.promising if isinstance(answer, BoundedAnswer) else answer.best_moves
    rows = [
        (row["move"], row["name"], row["outcome"], row.get("distance"), is_proved)
        for row in _named(answer)
        if row["move"] in chosen
    ]
    if format_ is Format.TABLE:
        unproved = "no best move is proved yet; these look best so far\n" * (not is_proved)
        print(f"{answer.summary}\n{unproved}")
    print_rows(("move", "name", "outcome", "distance", "is_proved"), rows, format_)


def _named(answer: "Answer | BoundedAnswer") -> list[dict[str, Any]]:
    """Return the moves of an answer, each with its cell's name."""
    from marubatsu.engine.rules.numbering import cell_name

    return [
        {"move": move.move, "name": cell_name(answer.game, move.move), **move.to_json()}
        for move in answer.moves
    ]


def _oracle(data_set: "DataSet", seconds: float, memory: str) -> "Oracle":
    """Open the oracle of a game; a search gets so much time for an answer, and memory."""
    from marubatsu.judge.oracle.opening import open_oracle
    from marubatsu.pipeline.support.machine import parse_memory
    from marubatsu.pipeline.support.progress import say_waiting

    return open_oracle(
        data_set, say_waiting, seconds=checked_time(seconds), memory=parse_memory(memory)
    )


def _answer(oracle: "Oracle", position: "Position") -> "Answer | BoundedAnswer":
    """Ask an oracle; a search answers with bounds when it has no more time, or after Ctrl-C."""
    from marubatsu.pipeline.support.progress import progress

    with progress("searching") as advance:
        return oracle.within(position, advance, until_interrupted=True)


def _show_many(oracle: "Oracle", form: Format, first: str, numbering: str | None) -> None:
    """Answer the positions of standard input. Raises UsageError for none, and for what is none."""
    from marubatsu.engine.notations.many_positions import read_many
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.tables.plain_text import NoTextError, text_of

    read = sys.stdin.buffer.read(_MOST_INPUT + 1)
    if len(read) > _MOST_INPUT:
        raise UsageError(f"standard input holds more than {_MOST_INPUT:,} bytes: expected fewer")
    try:
        text = text_of(read)
    except NoTextError as error:
        raise UsageError(f"cannot read standard input: {error}") from None
    answers = []
    for number, position in read_many(oracle.game, text, first=first, numbering=numbering):
        try:
            answers.append(oracle.answer(position).to_json())
        except UsageError as error:
            raise UsageError(f"line {number}: {error}") from None
    if not answers:
        raise UsageError(
            "standard input holds no position: expected a board or a list of moves on each line"
        )
    if form is Format.JSON:
        print(json_text(answers, indent=1))
        return
    note_first(first)
    columns = ("board", "ply", "turn", "status", "score", "distance", "best_moves")
    print_rows(columns, [[answer[name] for name in columns] for answer in answers], form)


@app.command()
def search(
    game: GameArgument = DEFAULT_GAME,
    board: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOARD]", help="Cells row by row, or moves; without it, the empty board."
        ),
    ] = None,
    *,
    numbering: NumberingOption = None,
    techniques: Annotated[
        str,
        typer.Option(
            "--techniques",
            metavar="NAMES",
            help="Of docs/techniques.md, as in 'killers history' or 'table_size=1024'.",
        ),
    ] = "",
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=outside_data,
            help="Also write every step of the search that you ask for; the explorer plays it.",
        ),
    ] = None,
    first: FirstOption = DEFAULT_FIRST,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Search a position, and compare the nodes with those of our orderings.

    An ordering is a function of a board and its legal moves; it returns a list of them, the first
    to search first, or a mapping from moves to scores. An evaluation is a function of a board; it
    returns its value for the player who just moved.

    Example: marubatsu search tictactoe o...x...o --ordering ai14s --use-table
    Example: marubatsu search tictactoe --ordering examples/corners.py:choose
    Example: marubatsu search 4x4k4-gravity --use-table --techniques "by_lines killers"
    Example: marubatsu search 4x4k4 --algorithm depth_limited --max-depth 2 --evaluation ai10s
    Example: marubatsu search tictactoe o...x...o --ordering ai14s --trace steps.json
    """
    from marubatsu.engine.search.options import parse_techniques
    from marubatsu.judge.agents.players import Players
    from marubatsu.judge.searching.position_search import COLUMNS, compare_orderings
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.tables.output import destination, write

    data_set = data_set_of(game, data)
    position = given_position(data_set.game, board, first, numbering)
    with Players(data_set, chosen_limits(first)) as players, progress("searching") as advance:
        options = {**chosen_options(players), **parse_techniques(techniques)}
        rows = compare_orderings(
            data_set.game,
            position,
            trace=trace,
            progress=advance,
            **options,
        )
    with destination(output) as out:
        write(COLUMNS, rows, format_, out)


@app.command()
def compare(
    *,
    game: GameArgument = DEFAULT_GAME,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="NODES", help="Most nodes of one search (default: 1,000,000)."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--time", metavar="SECONDS", help="Stop then.")
    ] = LONGEST,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove what is kept of the game instead.")
    ] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Count the nodes of every search technique on a game, and keep them.

    The positions are the empty board and all critical classes, or 30 drawn ones on larger games. A
    search ends without a score when it visits more nodes than the limit. A stopped run resumes, and
    a greater limit repeats the searches that did not end.

    Example: marubatsu compare 3x3k3-gravity
    Example: marubatsu compare 4x4k4 --limit 5000000 --time 600
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.laboratory import technique_runs as runs
    from marubatsu.pipeline.laboratory.kept_table import remove_rows
    from marubatsu.pipeline.store.data_set import DataSet, TechniquesTable
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.support.resources import near

    data_set = DataSet(root_of(data), Game(game))
    table = data_set.beside(TechniquesTable)
    folder, name = near(table.folder), data_set.game.name
    if remove:
        print(f"removed {remove_rows(table):,} searches of {name}")
        return
    most = runs.NODE_LIMIT if limit is None else limit
    if not 1 <= most <= _MOST_NODES:
        raise UsageError(f"--limit {most}: expected 1 to {_MOST_NODES:,} nodes")
    checked_time(seconds)
    try:
        with progress(f"comparing techniques on {name}") as advance:
            made = runs.compare(data_set, limit=most, seconds=seconds, advance=advance)
    except Interrupted as interrupted:
        note("stopped", f"stopped; what was counted is kept in {folder}")
        raise typer.Exit(128 + interrupted.number) from None
    columns = ("setting", "searches", "stopped", "nodes", "from_empty_board")
    print_rows(columns, runs.totals(made), format_)
    if format_ is Format.TABLE:
        left = f"; {made.left:,} settings are left: run the same command again" if made.left else ""
        print(f"\n{len(made.positions):,} positions each; the searches are in {folder}{left}")
