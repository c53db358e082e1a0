"""Commands that judge what was written down: recorded games, and replies of language models."""

from pathlib import Path
from typing import Annotated

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    GameArgument,
    OutputOption,
    argument,
    complete_game,
    flag,
    new_file,
    option,
    report_format,
)
from marubatsu.cli.output import JSON_LINES, ReportFormat, ending_of, write_report, wrong_ending
from marubatsu.cli.search_options import NumberingOption, PliesOption, SeedOption, TimeOption
from marubatsu.pipeline.stages.on_demand import with_splits_if_quick
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import MOVE_SECONDS
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.output import destination


def _json_lines(output: Path | None) -> Path | None:
    """Return a path to write to. Raises UsageError for the name of another format as well."""
    if output is not None and ending_of(output) not in ("", *JSON_LINES):
        raise wrong_ending(output, JSON_LINES)
    return new_file(output)


@app.command()
def review(
    *,
    files: Annotated[
        list[Path], argument("FILE...", "Files of recorded games; - is standard input.")
    ],
    game: Annotated[
        str | None,
        option(
            "GAME",
            "The game, as 3x3k3 or connect4 (default: the one that the log names).",
            "--game",
            "-g",
            autocompletion=complete_game,
        ),
    ] = None,
    log: Annotated[
        str | None,
        option(
            "moves|pgn|jsonl|kaggle|textarena|openenv|verifiers|csv",
            "The format of the files (default: what their content looks like).",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        option(
            "FIELD=COLUMN,…",
            "The columns of a table, or the keys of JSON, that hold moves, first, second, result, "
            "game, or for one row a move: game_id, player, move, move_number.",
        ),
    ] = None,
    numbering: NumberingOption = None,
    first: Annotated[
        str | None, option("o|x", "The mark that begins, where a log names marks.")
    ] = None,
    results: Annotated[
        str | None,
        option(
            "WORD=RESULT,…",
            "What the words that a log writes as results mean: first, second, draw or none, as in "
            "1=first,-1=second,0=draw.",
        ),
    ] = None,
    plies: PliesOption = None,
    time: TimeOption = MOVE_SECONDS,
    data: DataOption = None,
    format_: Annotated[ReportFormat, report_format("the leaderboard")] = "table",
    output: OutputOption = None,
) -> None:
    """Judge the players of recorded games: by their moves, and by their results.

    A log holds lists of moves (`ann - bob: b2 a3 c1`, a game a line), games as in PGN, JSON lines,
    replays of Kaggle, traces of TextArena, episodes of OpenEnv and verifiers, or a table. In a
    game without tables and without a solution, a search judges each position for --time SECONDS at
    most.

    Example: marubatsu review examples/games.txt --game tictactoe
    Example: marubatsu review games.csv --columns moves=line,first=white,second=black -g connect4
    Example: marubatsu review games.jsonl --game connect4 --numbering columns
    """
    from marubatsu.judge.review.layouts import columns_of, results_of
    from marubatsu.judge.review.review import review as review_files

    result = review_files(
        [Path("/dev/stdin") if file == Path("-") else file for file in files],
        game,
        log=log,
        columns=None if columns is None else columns_of(columns),
        numbering=numbering,
        first=first,
        results=None if results is None else results_of(results),
        plies=plies,
        time=time,
        data=data,
    )
    write_report(result, result.leaderboard, format_, output)


@app.command()
def items(
    game: GameArgument = DEFAULT_GAME,
    *,
    split: Annotated[
        str, option("train|validation|test|all", "The split whose classes to ask about.")
    ] = "test",
    notation: Annotated[
        str,
        option(
            "board|text|moves|all",
            "How a question shows the position: drawn, as its cells in a line, or as the moves so "
            "far.",
        ),
    ] = "board",
    twins: Annotated[
        bool,
        flag(
            "--twins",
            "Add the same questions in other forms: turned or reflected, with exchanged marks, "
            "with other names.",
        ),
    ] = False,
    sample: Annotated[
        int | None, option("CLASSES", "Take this many classes, by ply and score (default: all).")
    ] = None,
    seed: SeedOption = 0,
    data: DataOption = None,
    output: Annotated[
        Path | None,
        option(
            "FILE",
            "Write to a file instead, such as items.jsonl; a further .zst compresses it.",
            "--output",
            "-o",
            callback=_json_lines,
        ),
    ] = None,
) -> None:
    """Write positions as questions for language models, with answers, as JSON lines.

    `marubatsu grade` compares replies with the answers.

    Example: marubatsu items --twins --output items.jsonl
    Example: marubatsu items 4x3k3 --notation all --sample 100 --seed 1
    """
    from marubatsu.judge.items.item_set import choice_of, items_of

    choice = choice_of(split, notation, sample, seed, twins=twins)
    data_set = with_splits_if_quick(game, data)
    with progress("items") as advance, destination(output) as out:
        for item in items_of(data_set, choice, advance):
            out.write(json_text(item) + "\n")


@app.command()
def grade(
    *,
    items: Annotated[Path, argument("ITEMS", "A file that `marubatsu items` wrote.")],
    replies: Annotated[
        Path, argument("REPLIES", 'JSON lines as {"id": ID, "reply": TEXT}, one for each item.')
    ],
    numbering: NumberingOption = None,
    fail_under: Annotated[
        float | None,
        option(
            "SHARE",
            "Exit with 1 unless the replies are right in this share of the critical items, as in "
            "0.5, with 95 % confidence.",
        ),
    ] = None,
    format_: Annotated[ReportFormat, report_format("the shares")] = "table",
    output: OutputOption = None,
) -> None:
    """Grade a language model's replies to items, and compare items with their twins.

    A reply ends with a line `move: CELL`, or names exactly one legal move. Every other reply is
    illegal or unparsable, and counts as wrong. Nothing but the two files is read. Replies to
    questions of your own may name moves in another numbering.

    Example: marubatsu grade items.jsonl replies.jsonl
    Example: marubatsu grade items.jsonl replies.jsonl --numbering cells-from-1
    """
    from marubatsu.judge.items.grade import grade as grade_replies

    if fail_under is not None and not 0 < fail_under <= 1:
        raise UsageError(
            f"--fail-under {fail_under:g}: expected a share above 0, at most 1, as in 0.95"
        )
    result = grade_replies(items, replies, numbering=numbering)
    write_report(result, result.shares, format_, output)
    if fail_under is not None and result.least_right < fail_under:
        raise MarubatsuError(
            f"the replies fail --fail-under {fail_under:g}: with 95 % confidence, they are right "
            f"in at least {100 * result.least_right:.2f} % of the critical items that these sample"
        )
