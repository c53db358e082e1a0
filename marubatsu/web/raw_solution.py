"""The raw file of a solution for the page, which checks every value of it in the browser.

`marubatsu.pipeline.solving.raw_file` describes the file; it is compressed by gzip, because every
browser decompresses that.
"""

import gzip
from collections.abc import Mapping
from io import BytesIO
from typing import BinaryIO, cast

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.raw_file import write_raw
from marubatsu.pipeline.solving.solved_rows import CompleteRows
from marubatsu.pipeline.store.data_set import Solution
from marubatsu.pipeline.store.listed_files import is_part
from marubatsu.pipeline.store.open_file import Opened

RAW = "solution.raw.gz"
"""The name of the file, below the folder of its game."""

MOST_CELLS = 31  # of a game: the page has masks of 32 bits
MOST_ROWS = 200_000_000  # of all plies: a minute in a browser, and 100 MB of its memory


def is_checkable(game: Game, parts: Mapping[str, Opened]) -> bool:
    """Whether a game has a solution that a browser can check."""
    if Solution.part not in parts or game.cells > MOST_CELLS:
        return False
    files = parts[Solution.part].manifest.files
    return sum(entry.rows for name, entry in files.items() if is_part(name)) <= MOST_ROWS


def raw_solution(game: Game, parts: Mapping[str, Opened]) -> bytes:
    """Return the file of an open solution. Raises DamagedError when a part has changed."""
    packed, (manifest, files) = BytesIO(), parts[Solution.part]
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as out:
        solution = CompleteRows(game, manifest, files.__getitem__)
        write_raw(solution, cast("BinaryIO", out), lambda share: None)
    return packed.getvalue()
