"""What a published folder holds: games, tables, files, and how they came about.

Every document of the folder is written from a `Publication`.
"""

import re
from dataclasses import dataclass
from datetime import date as calendar_date

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.tables.manifest import Manifest, table_of
from marubatsu.pipeline.tables.schemas import TABLES, Table
from marubatsu.pipeline.tables.solved_schemas import SOLUTION, SOLVED
from marubatsu.version import __version__

RELEASED = "2026-11-28"
"""The date of this version, as in the citation file of the repository."""

AUTHORS = "The marubatsu developers"
WORDS = ("tic-tac-toe", "m,n,k-game", "game-tree", "minimax", "ground-truth", "parquet")
"""What hubs find the data by."""


def checked_date(text: object) -> str:
    """Return a day as the documents write it. Raises UsageError."""
    try:
        if isinstance(text, str) and calendar_date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise OptionError("date", text, "expected a day as in 2026-11-21")


def checked_url(url: object) -> str | None:
    """Return the address of a folder, without a slash at the end. Raises UsageError."""
    if url is None:
        return None
    if isinstance(url, str) and re.fullmatch(r"https?://[\w.~:/@!$&()*+,;=%-]+", url, re.ASCII):
        return url.rstrip("/")
    raise OptionError("url", url, "expected an address as in https://example.org/data")


@dataclass(frozen=True)
class PublishedFile:
    """One file; its name is relative to the published folder."""

    name: str
    bytes: int
    sha256: str
    rows: int = 0


@dataclass(frozen=True)
class PublishedTable:
    """One table of one game with its files; those of a solution are in the order of its rows."""

    game: Game
    table: Table
    files: tuple[PublishedFile, ...]

    @property
    def name(self) -> str:
        """The name in every document, as in ``tictactoe.positions``."""
        return f"{self.game.name}.{self.table.name}"

    @property
    def rows(self) -> int:
        """The rows of all files."""
        return sum(file.rows for file in self.files)

    @property
    def bytes(self) -> int:
        """The bytes of all files."""
        return sum(file.bytes for file in self.files)

    @property
    def pattern(self) -> str:
        """The name of the file, or the pattern that fits all files of a solution."""
        if self.table is SOLUTION:
            return f"{self.game.name}/{SOLUTION.name}/ply=*/part-*.parquet"
        (file,) = self.files
        return file.name


@dataclass(frozen=True)
class PublishedGame:
    """The manifests of one game by the folder that they describe: ``""``, ``solution``."""

    game: Game
    manifests: dict[str, Manifest]

    @property
    def versions(self) -> list[str]:
        """The versions of marubatsu that made the tables and the solution."""
        return sorted({manifest.version for manifest in self.manifests.values()})

    @property
    def made_by(self) -> list[str]:
        """The commands that make the same again."""
        commands = {"": "build", SOLUTION.name: "solve"}
        return [f"marubatsu {commands[part]} {self.game.name}" for part in self.manifests]

    @property
    def tables(self) -> list[PublishedTable]:
        """The tables in the order of the dictionary, then those of the solution."""
        files: dict[str, list[PublishedFile]] = {}
        for part, manifest in self.manifests.items():
            folder = f"{self.game.name}/{part}/".replace("//", "/")
            for name, entry in sorted(manifest.files.items()):
                table = table_of(name)
                file = PublishedFile(folder + name, entry.bytes, entry.sha256, entry.rows)
                files.setdefault(table, []).append(file)
        declared = {**TABLES, **SOLVED}
        return [
            PublishedTable(self.game, declared[name], tuple(files[name]))
            for name in declared
            if name in files
        ]


@dataclass(frozen=True)
class Publication:
    """All of a published folder, with the day and, where it is known, the address."""

    games: tuple[PublishedGame, ...]
    date: str = RELEASED  # YYYY-MM-DD
    url: str | None = None  # of the folder on the web, without a slash at the end

    @property
    def tables(self) -> list[PublishedTable]:
        """The tables of all games."""
        return [table for game in self.games for table in game.tables]

    @property
    def names(self) -> str:
        """The games in words."""
        *first, last = [game.game.name for game in self.games]
        return f"{', '.join(first)} and {last}" if first else last

    @property
    def title(self) -> str:
        """The title in every document."""
        return f"{self.names}, solved completely"

    @property
    def description(self) -> str:
        """The description in every document."""
        return (
            f"The exact value of every position of {self.names}: the result of best play, the "
            "distance to the end and the value of each move. It is ground truth for agents that "
            "play, explain or search such games."
        )

    @property
    def citation(self) -> str:
        """An entry for BibTeX."""
        lines = {
            "author": f"{{{AUTHORS}}}",
            "title": self.title,
            "year": self.date[:4],
            "version": __version__,
            **({"url": self.url} if self.url else {}),
        }
        body = ",\n".join(f"  {key} = {{{value}}}" for key, value in lines.items())
        return f"@misc{{marubatsu-data,\n{body}\n}}"
