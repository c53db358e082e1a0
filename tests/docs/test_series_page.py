"""The page about the tutorial series has what the reference files publish, and how ours differ."""

import csv

from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.support.resources import REFERENCE
from tests.helpers import CHECKOUT
from tests.helpers.data.known import known_of
from tests.helpers.data.published import published_nodes

TEXT = (CHECKOUT / "docs" / "series.md").read_text(encoding="utf-8")


def test_the_page_tells_each_count_and_verdict_of_the_series() -> None:
    counts = {
        each.quantity: each.count
        for each in known_of("tictactoe")
        if "tutorial series" in each.source and each.ply is None
    }
    assert len(counts) == 5
    for count in counts.values():
        assert f"{count:,}" in TEXT
    with (REFERENCE / "published_verdicts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert f"`{row['ai']}`" in TEXT
            assert row["representatives_right"] in TEXT


def test_the_page_counts_the_published_nodes(catalog: Catalog) -> None:
    drawn = [figure for figure in published_nodes() if figure.drawn]
    reasons = [str(row["why"]) for row in catalog.ask(report("orderings")).records() if row["why"]]
    within = sum("within these 30" in reason for reason in reasons)
    near = sum("within 4 standard deviations" in reason for reason in reasons)
    assert within + near == len(drawn) == len(reasons)
    assert f"| {len(published_nodes()) - len(drawn)} node counts (episode 164) | equal" in TEXT
    ours = f"{within} in the range of 30 seeds | The other {near} lie within 4 standard deviations"
    assert f"| {len(drawn)} node counts (episode 164) | {ours}" in TEXT


def test_the_page_tells_the_games_that_are_repeated() -> None:
    with (REFERENCE / "published_matches.csv").open(encoding="utf-8", newline="") as file:
        notes = [row["note"] for row in csv.DictReader(file) if "random.seed(0)" in row["note"]]
    assert len(notes) == 4
    for note in notes:
        games = note.partition(" games")[0].split(" / ")
        assert ", ".join(f"{int(count):,}" for count in games) in TEXT
