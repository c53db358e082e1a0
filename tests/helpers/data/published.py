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
    is_random: bool  # whether ties were drawn at random, so that the count is a sample
    nodes: int


def published_nodes() -> list[Nodes]:
    flags = Nodes._fields[2:-1]
    return [
        Nodes._make([row["scope"], row["ordering"] or None,
                     *(row[flag] == "true" for flag in flags), int(row["nodes"])])
        for row in reference_rows("published_nodes")
    ]  # fmt: skip
