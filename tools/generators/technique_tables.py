"""The table and the plot of ``docs/techniques.md``, and the two CSV files that they come from.

Run as ``python -m tools.generators.technique_tables`` to write them from the CSV files. With
``--count FOLDER`` all searches run first, some minutes, and write those files; FOLDER keeps them.
"""

import argparse
import csv
from collections.abc import Iterable, Mapping
from math import log10
from pathlib import Path
from statistics import fmean

from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.pipeline.laboratory.technique_grid import ladder
from marubatsu.pipeline.laboratory.technique_runs import NODE_LIMIT, compare
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.support.resources import REFERENCE, reference_rows
from marubatsu.pipeline.tables.data_set import DataSet
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts

PAGE = CHECKOUT / "docs" / "techniques.md"
PLOT = CHECKOUT / "docs" / "technique_ladder.svg"
LADDERS, MEANS = REFERENCE / "technique_ladder.csv", REFERENCE / "technique_means.csv"

GAMES = (
    "3x2k2", "3x3k3-gravity", "tictactoe", "3x3k3-misere", "4x3k3", "4x3k4", "4x4k3",
    "4x4k4-gravity", "4x4k4", "5x4k4-gravity", "5x5k4-gravity",
)  # fmt: skip
MEANS_SHOWN = ("tictactoe", "4x4k4", "5x4k4-gravity")
"""The games in the table of means; the CSV file has all."""

MOST = 10_000_000  # nodes of a search of the ladder

STEPS = (
    "minimax", "alpha-beta", "by_lines", "table", "symmetry", "null window", "table_move",
    "killers", "counter_moves", "history", "enhanced_cutoffs",
)  # fmt: skip
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 440" role="img" '
    'aria-labelledby="title" font-family="sans-serif" font-size="11">'
)
_COLOURS = (
    "#2563c9", "#c2410c", "#15803d", "#7c3aed", "#b45309", "#0e7490", "#be185d", "#4d7c0f",
    "#475569", "#9333ea", "#dc2626",
)  # fmt: skip

Row = Mapping[str, str]


def means_table(rows: Iterable[Row]) -> str:
    """Return the mean of nodes against alpha-beta with a table, by setting and game, best first.

    It leaves out tables of a fixed size.
    """
    means: dict[str, dict[str, str]] = {}
    for row in rows:
        if "table_size=" in row["setting"]:
            continue
        means.setdefault(row["setting"], {})[row["game"]] = row["times_base"]
    lines = [
        f"| `{setting}` | {' | '.join(each.get(game, '') for game in MEANS_SHOWN)} |"
        for setting, each in sorted(means.items(), key=lambda pair: _mean(pair[1].values()))
    ]
    head = f"| setting | {' | '.join(MEANS_SHOWN)} |"
    return "\n".join([head, "|---|" + "---:|" * len(MEANS_SHOWN), *lines])


def _mean(times: Iterable[str]) -> float:
    """Return the mean of logarithms, rounded, so that it is the same on every machine."""
    return round(fmean(log10(float(each)) for each in times), 9)


def plot(rows: Iterable[Row]) -> str:
    """Draw the ladder of each game as SVG: nodes on a scale of powers of ten."""
    counts: dict[str, dict[int, int]] = {}
    for row in rows:
        if row["score"]:
            counts.setdefault(row["game"], {})[int(row["step"])] = int(row["nodes"])

    def at(step: float, nodes: float) -> str:
        return f"{76 + 49 * step:.0f} {330 - 45 * (log10(nodes) - 1):.1f}"

    parts = [
        _HEAD,
        '<title id="title">Nodes from the empty board, by step of the ladder</title>',
        '<rect width="720" height="440" fill="#fff"/>',
    ]
    for power in range(1, 8):
        x, y = at(0, 10**power).split()
        parts.append(f'<path d="M{x} {y}H566" stroke="#ddd"/>')
        parts.append(f'<text x="68" y="{y}" text-anchor="end">{10**power:,}</text>')
    for step, name in enumerate(STEPS):
        x, y = at(step, 10).split()
        parts.append(
            f'<text x="{x}" y="{float(y) + 14:.1f}" text-anchor="end" '
            f'transform="rotate(-40 {x} {float(y) + 14:.1f})">{step} {name}</text>'
        )
    ends = sorted((each[max(each)], game) for game, each in counts.items())
    for number, (_, game) in enumerate(ends):
        colour = _COLOURS[number % len(_COLOURS)]
        line = "L".join(at(step, nodes) for step, nodes in counts[game].items())
        level = 330 - number * 28
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end = at(max(counts[game]), counts[game][max(counts[game])])
        parts.append(f'<path d="M{end}L598 {level}" stroke="{colour}" stroke-width="0.5"/>')
        parts.append(f'<text x="602" y="{level + 4}" fill="{colour}">{game}</text>')
    return "\n".join([*parts, "</svg>", ""])


def with_means(page: str) -> str:
    """Return the page with the table of means between its marks."""
    return with_parts(page, means=means_table(reference_rows(MEANS.stem)))


def count_ladders() -> None:
    """Run the ladder from the empty board of each game, and write its file."""
    with LADDERS.open("w", encoding="utf-8") as file:
        print(
            f"# From the empty board, at most {MOST:,} nodes; no score: stopped there.", file=file
        )
        print("game,step,score,nodes", file=file)
        for name in GAMES:
            for setting in ladder():
                found = searcher_of(Game(name), setting.options).count(EMPTY, MOST)
                score = "" if found.score is None else found.score
                print(name, setting.step, score, found.nodes, sep=",", file=file)


def count_means(root: Path) -> None:
    """Compare the techniques on each game, and write what they change alone."""
    with MEANS.open("w", encoding="utf-8", newline="") as file:
        print("# Report techniques_alone after `marubatsu compare`, by game.", file=file)
        writer = csv.writer(file, lineterminator="\n")
        is_begun = False
        for name in GAMES:
            data_set = DataSet(root, Game(name))
            compare(data_set, limit=NODE_LIMIT, seconds=1e6, progress=lambda share, note="": None)
            with open_catalog(data_set) as catalog:
                found = catalog.ask(report("techniques_alone"))
            if not is_begun:
                writer.writerow(["game", *found.columns])
                is_begun = True
            writer.writerows([name, *row] for row in found.rows)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.count:
        count_ladders()
        count_means(arguments.count)
    rewrite(PAGE, with_means)
    PLOT.write_text(plot(reference_rows(LADDERS.stem)), encoding="utf-8")


if __name__ == "__main__":
    main()
