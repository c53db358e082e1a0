"""The commands about recordings: of games, and of replies to items."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.cli.judging import AuditFormat
from marubatsu.cli.options.shared import (
    DataOption,
    NumberingOption,
    OutputOption,
    TimeOption,
    app,
    games_here,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.search_limits import MOVE_SECONDS, checked_time
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.pipeline.tables.output import Rows


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
            help="The game, as 3x3k3 or connect4 (default: the one that the log names).",
            autocompletion=games_here,
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="moves|pgn|jsonl|kaggle|textarena|openenv|csv",
            help="The format of the files (default: what their content looks like).",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD=COLUMN,…",
            help="The columns of a table, or the keys of JSON, that hold moves, first, second, "
            "result, game, or for one row a move: game_id, player, move, move_number.",
        ),
    ] = None,
    numbering: NumberingOption = None,
    first: Annotated[
        str | None,
        typer.Option(
            "--first", metavar="o|x", help="The mark that begins, where a log names marks."
        ),
    ] = None,
    results: Annotated[
        str | None,
        typer.Option(
            metavar="WORD=RESULT,…",
            help="What the words that a log writes as results mean: first, second, draw or none, "
            "as in 1=first,-1=second,0=draw.",
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
    replays of Kaggle, traces of TextArena, episodes of OpenEnv, or a table. In a game without
    tables and without a solution, a search judges each position for --time SECONDS at most.

    Example: marubatsu review examples/games.txt --game tictactoe
    Example: marubatsu review games.csv --columns moves=line,first=white,second=black -g connect4
    Example: marubatsu review games.jsonl --game connect4 --numbering columns
    """
    from marubatsu.judge.review import review_report
    from marubatsu.judge.review.layouts import columns_of
    from marubatsu.judge.review.recorded_game import results_of
    from marubatsu.judge.review.review import run
    from marubatsu.pipeline.support.json_text import json_text

    found = run(
        files,
        game,
        log=log,
        columns=None if columns is None else columns_of(columns),
        numbering=numbering,
        first=first,
        results=None if results is None else results_of(results),
        plies=plies,
        seconds=checked_time(time),
        data=data,
    )
    _write(
        {
            AuditFormat.JSON: lambda: json_text(found.to_json(), indent=1) + "\n",
            AuditFormat.HTML: lambda: review_report.page(found),
            AuditFormat.TABLE: lambda: review_report.text(found),
        },
        found.leaderboard,
        format_,
        output,
    )


@app.command()
def grade(
    *,
    items: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="A file that `marubatsu items` wrote.")
    ],
    replies: Annotated[
        Path,
        typer.Argument(
            metavar="REPLIES", help='JSON lines as {"id": ID, "reply": TEXT}, one for each item.'
        ),
    ],
    numbering: NumberingOption = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Exit with 1 unless the replies are right in this share of the critical items, "
            "as in 0.5, with 95 % confidence.",
        ),
    ] = None,
    format_: Annotated[
        AuditFormat,
        typer.Option(
            "--format",
            "-f",
            help="How to write the grade: table, json and html tell all of it, the others the "
            "shares.",
        ),
    ] = AuditFormat.TABLE,
    output: OutputOption = None,
) -> None:
    """Grade what a language model replied to items: its moves, and how twins differ.

    A reply ends with a line `move: CELL`, or names exactly one legal move. Every other reply is
    illegal or unparsable, and counts as wrong. Nothing but the two files is read. Replies to
    questions of your own may name moves in another numbering.

    Example: marubatsu grade items.jsonl replies.jsonl
    Example: marubatsu grade items.jsonl replies.jsonl --numbering cells-from-1
    """
    from marubatsu.judge.items import grade_report
    from marubatsu.judge.items.grade import grade_replies
    from marubatsu.pipeline.support.json_text import json_text

    if fail_under is not None and not 0 < fail_under <= 1:
        raise UsageError(f"--fail-under {fail_under:g}: expected a share above 0, at most 1")
    found = grade_replies(items, replies, numbering)
    _write(
        {
            AuditFormat.JSON: lambda: json_text(found.to_json(), indent=1) + "\n",
            AuditFormat.HTML: lambda: grade_report.page(found),
            AuditFormat.TABLE: lambda: grade_report.text(found),
        },
        found.shares,
        format_,
        output,
    )
    if fail_under is not None and found.least_right < fail_under:
        print(
            f"marubatsu: the replies fail --fail-under {fail_under:g}: they are right in at least "
            f"{100 * found.least_right:.2f} % of the critical items",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def _write(
    whole: Mapping[AuditFormat, Callable[[], str]],
    rows: "Rows",
    format_: AuditFormat,
    output: Path | None,
) -> None:
    """Write all that was found, in a format that has room for it, or else its main table."""
    from marubatsu.pipeline.tables.output import destination, write

    with destination(output) as out:
        if format_ in whole:
            out.write(whole[format_]())
        else:
            write(rows.columns, rows.rows, Format(format_.value), out)
