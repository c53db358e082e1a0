"""The command that publishes data sets."""

import re
from datetime import date as calendar_date
from pathlib import Path
from typing import Annotated

import typer

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.cli.options.shared import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    app,
    games_here,
    outside_data,
    root_of,
)
from marubatsu.pipeline.support.errors import UsageError


@app.command()
def publish(
    *,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help=GAME_HELP, autocompletion=games_here),
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
    from marubatsu.pipeline.publishing.publication import RELEASED
    from marubatsu.pipeline.publishing.publish import publish as write
    from marubatsu.pipeline.support.progress import progress, say_waiting

    chosen = [Game(name) for name in games or [DEFAULT_GAME]]
    day, address = _day(date or RELEASED), _address(url)
    with progress("publish") as advance:
        files = write(root_of(data), chosen, out, day, address, say_waiting, advance)
    size = sum(file.bytes for file in files)
    print(
        f"{len(files)} files, {size:,} bytes in {out}; `marubatsu verify --data {out}` checks them"
    )


def _day(text: str) -> str:
    """Return a day as the documents write it. Raises UsageError."""
    try:
        if calendar_date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise UsageError(f"--date {quote(text)}: expected a day as in 2026-11-21")


def _address(url: str | None) -> str | None:
    """Return the address of a folder, without a slash at the end. Raises UsageError."""
    if url is None or re.fullmatch(r"https?://[\w.~:/?#@!$&()*+,;=%-]+", url, re.ASCII):
        return url and url.rstrip("/")
    raise UsageError(f"--url {quote(url)}: expected an address as in https://example.org/data")
