"""The command about recorded games."""

from pathlib import Path
from typing import Annotated

import typer

from marubatsu.pipeline.cli.judging import AuditFormat
from marubatsu.pipeline.cli.options.shared import (
    MOVE_SECONDS,
    DataOption,
    OutputOption,
    TimeOption,
    app,
    checked_time,
    games_here,
)
from marubatsu.pipeline.rows.formats import Format


@app.command()
def review(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of recorded games."),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The game of logs that do not tell it, as 3x3k3 or connect4.",
            autocompletion=games_here,
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="moves|pgn|jsonl|kaggle|csv",
            help="The format of the files (default: what their content looks like).",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD=COLUMN,…",
            help="The columns of CSV that hold moves, first, second, result and game, where they "
            "are not named so.",
        ),
    ] = None,
    plies: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST-LAST",
            help="Judge the moves of these plies, as in 12- or 12-20 (default: all; where only a "
            "search knows the game, those where it is quick).",
        ),
    ] = None,
    time: TimeOption = MOVE_SECONDS,
    data: DataOption = None,
    format_: Annotated[
        AuditFormat,
        typer.Option(
            "--format",
            "-f",
            help="How to write the review: table, json and html tell all of it, the others the "
            "leaderboard.",
        ),
    ] = AuditFormat.TABLE,
    output: OutputOption = None,
) -> None:
    """Judge the players of recorded games: by their moves, and by their results.

    A log holds lists of moves (`ann - bob: b2 a3 c1`, a game a line), games as in PGN, JSON lines,
    replays of Kaggle, or a table in CSV. In a game without tables and without a solution, a search
    judges each position for --time SECONDS at most.

    Example: marubatsu review examples/games.txt --game tictactoe
    Example: marubatsu review games.csv --columns moves=line,first=white,second=black -g connect4
    """
    from marubatsu.pipeline.reviewing import review_shown
    from marubatsu.pipeline.reviewing.csv_tables import columns_of
    from marubatsu.pipeline.reviewing.review import run
    from marubatsu.pipeline.rows.output import destination, write
    from marubatsu.pipeline.support.json_text import json_text

    found = run(
        files,
        game,
        log=log,
        columns=columns_of(columns) if columns is not None else None,
        plies=plies,
        seconds=checked_time(time),
        data=data,
    )
    with destination(output) as out:
        match format_:
            case AuditFormat.JSON:
                out.write(json_text(found.to_json(), indent=1) + "\n")
            case AuditFormat.HTML:
                out.write(review_shown.page(found))
            case AuditFormat.TABLE:
                out.write(review_shown.text(found))
            case _:
                rows = found.leaderboard
                write(rows.columns, rows.rows, Format(format_.value), out)
