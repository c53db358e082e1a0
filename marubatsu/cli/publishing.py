"""The commands that write data for others: published data sets, and items."""

from pathlib import Path
from typing import Annotated

import typer

from marubatsu.cli.options.shared import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    GameArgument,
    app,
    games_here,
    outside_data,
    root_of,
)


def _json_lines(output: Path | None) -> Path | None:
    """Return a path to write to. Raises UsageError for the name of another format as well."""
    from marubatsu.pipeline.tables.formats import JSON_LINES, ending_of, wrong_ending

    if output is not None and ending_of(output) not in ("", *JSON_LINES):
        raise wrong_ending(output, JSON_LINES)
    return outside_data(output)


@app.command()
def publish(
    *,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...",
            help=f"{GAME_HELP.removesuffix('.')} (default: {DEFAULT_GAME}).",
            autocompletion=games_here,
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder to write; an older published folder is replaced.",
            callback=outside_data,
        ),
    ],
    date: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD", help="Day of publication (default: that of this version)."
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address that the folder will have on the web."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write built and solved games as a folder for a data hub, with all that describes them.

    `marubatsu verify --data DIR` verifies the folder, and every command reads it.

    Example: marubatsu publish tictactoe --out tictactoe-data
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.publishing.publication import RELEASED, checked_date, checked_url
    from marubatsu.pipeline.publishing.publish import publish as write
    from marubatsu.pipeline.support.progress import progress, say_waiting

    chosen = [Game(name) for name in games or [DEFAULT_GAME]]
    day, address = checked_date(date or RELEASED), checked_url(url)
    with progress("publish") as advance:
        files = write(root_of(data), chosen, out, day, address, say_waiting, advance)
    size = sum(file.bytes for file in files)
    print(
        f"{len(files)} files, {size:,} bytes in {out}; `marubatsu verify --data {out}` checks them"
    )


@app.command()
def items(
    game: GameArgument = DEFAULT_GAME,
    *,
    split: Annotated[
        str,
        typer.Option(
            metavar="train|validation|test|all", help="The classes of this split are asked about."
        ),
    ] = "test",
    notation: Annotated[
        str,
        typer.Option(
            metavar="board|text|moves|all",
            help="How a question shows the position: drawn, as its cells in a line, or as the "
            "moves so far.",
        ),
    ] = "board",
    twins: Annotated[
        bool,
        typer.Option(
            "--twins",
            help="Add the same questions in other forms: turned or reflected, with exchanged "
            "marks, with other names.",
        ),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="CLASSES", help="Ask about so many classes, by ply and score (default: all)."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="SEED", help="Seed of the sample, and of the images.")
    ] = 0,
    data: DataOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file instead, as in items.jsonl; .zst behind that compresses it.",
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
    from marubatsu.pipeline.stages.on_demand import splits_on_demand
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import destination

    choice = choice_of(split, notation, sample, seed, twins=twins)
    data_set = splits_on_demand(game, root_of(data))
    with progress("items") as advance, destination(output) as out:
        for item in items_of(data_set, choice, say_waiting, advance):
            out.write(json_text(item.to_json()) + "\n")
