"""Commands that publish data: as a folder for a data hub, and as a site."""

from shlex import quote
from typing import Annotated

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FolderOption,
    GameOption,
    argument,
    complete_game,
    option,
)
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import checked_root


@app.command()
def publish(
    *,
    games: Annotated[
        list[str] | None,
        argument(
            "[GAME]...",
            f"{GAME_HELP.removesuffix('.')} (default: {DEFAULT_GAME}).",
            autocompletion=complete_game,
        ),
    ] = None,
    out: FolderOption,
    date: Annotated[
        str | None, option("YYYY-MM-DD", "Date of publication (default: the date of this version).")
    ] = None,
    url: Annotated[str | None, option("URL", "Future address of the folder on the web.")] = None,
    data: DataOption = None,
) -> None:
    """Write built and solved games as a folder for a data hub, with all that describes them.

    `marubatsu verify --data DIR` verifies the folder, and every command reads it.

    Example: marubatsu publish tictactoe --out tictactoe-data
    """
    from marubatsu.pipeline.publishing.publication import RELEASED, checked_date, checked_url
    from marubatsu.pipeline.publishing.publish import publish as write

    parsed = [Game(name) for name in games or [DEFAULT_GAME]]
    day, address = checked_date(RELEASED if date is None else date), checked_url(url)
    with progress("publish") as advance:
        files = write(checked_root(data), parsed, out, day, address, advance)
    size = sum(file.bytes for file in files)
    check = f"`marubatsu verify --data {quote(str(out))}`"
    print(f"{len(files)} files, {size:,} bytes in {out}; {check} checks them")


@app.command()
def site(
    *,
    out: FolderOption,
    game: GameOption = DEFAULT_GAME,
    url: Annotated[
        str | None,
        option("URL", "Future address of the site; links to it then show a preview card."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the page and its data as a static site, for any file host.

    The game needs its tables or its solution.

    Example: marubatsu site --out site
    """
    from marubatsu.pipeline.publishing.publication import checked_url
    from marubatsu.web.site import write_site

    address = checked_url(url)
    with progress("site") as advance:
        files, size = write_site(data_set_of(game, data), out, address, advance)
    print(f"{files} files, {size:,} bytes in {out}; a file server shows it, such as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {quote(str(out))}")
