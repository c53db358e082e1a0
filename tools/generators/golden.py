"""Write the golden hashes of the files in the solutions of some small games.

``python -m tools.generators.golden`` solves the games and writes
``queries/reference/golden_solutions.csv``. A content hash depends on the rows of a file, and not on
the Parquet writer. Run it together with a change of the format of solutions or of the rules of a
game, never to silence a failing test.
"""

import csv
import io
import tempfile
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.store.data_set import Solution
from marubatsu.pipeline.store.parquet import content_hash
from marubatsu.pipeline.support.resources import REFERENCE

GOLDEN = REFERENCE / "golden_solutions.csv"

GAMES = (
    "2x2k2", "3x2k2", "2x2k2-misere", "3x3k3", "3x3k3-misere", "3x3k3-gravity", "5x2k3",
    "4x3k3-gravity", "4x3k3-gravity-misere", "4x3k3",
)  # fmt: skip
"""Games of every kind of rules, with square boards and others."""


class Golden(NamedTuple):
    """The content of one file of a solution."""

    game: str
    file: str
    rows: int
    content: str


def found(root: Path, name: str) -> list[Golden]:
    """Read the files of a game's solution, and hash their content."""
    game = Game(name)
    folder = Solution(root, game).folder
    golden = []
    for path in sorted(folder.rglob("*.parquet")):
        table = pq.read_table(path, partitioning=None)
        file = str(path.relative_to(folder))
        golden.append(Golden(game.notation, file, table.num_rows, content_hash(table)))
    return golden


def written() -> list[Golden]:
    """Read the file of golden hashes."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Golden(row["game"], row["file"], int(row["rows"]), row["content"]) for row in rows]


def render(golden: list[Golden]) -> str:
    """Return the text of the file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Golden._fields)
    writer.writerows(golden)
    return out.getvalue()


def main() -> None:
    """Solve the games, write the file."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        golden = []
        for name in GAMES:
            solve(root, Game(name), 10**9)
            golden += found(root, name)
    GOLDEN.write_text(render(golden), encoding="utf-8")


if __name__ == "__main__":
    main()
