"""The figures that the tutorial series publishes, as the tests read them."""

from typing import NamedTuple

from marubatsu.pipeline.support.resources import reference_rows


class Nodes(NamedTuple):
    """One published node count of alpha-beta."""

    scope: str  # empty board, or critical classes: the sum over their representatives
    ordering: str | None
    order_all: bool
    shortest_victory: bool
    init_window: bool
    use_table: bool
    drawn: bool  # whether ties were drawn at random, so that the count is a sample
    nodes: int


def published_nodes() -> list[Nodes]:
    return [
        Nodes(
            scope=row["scope"],
            ordering=row["ordering"] or None,
            order_all=row["order_all"] == "true",
            shortest_victory=row["shortest_victory"] == "true",
            init_window=row["init_window"] == "true",
            use_table=row["use_table"] == "true",
            drawn=row["drawn"] == "true",
            nodes=int(row["nodes"]),
        )
        for row in reference_rows("published_nodes")
    ]
