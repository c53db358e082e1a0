"""What an ordering of the moves costs alpha-beta: a curve between no ordering and the least tree.

Alpha-beta has no table and no root window, so the least tree is a bound for it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.laboratory.least_trees import least_nodes
from marubatsu.pipeline.laboratory.technique_rows import Counted

LEAST = "least possible"


class Curve(NamedTuple):
    """Nodes from each position; None where the search was stopped."""

    name: str
    nodes: Sequence[int | None]


def curve(name: str, counted: Counted) -> Curve:
    """Return the curve of the searches of one setting."""
    return Curve(name, [t.nodes if t.score is not None else None for t in counted.tallies])


def least(game: Game, positions: Sequence[Position]) -> Curve | None:
    """Return the fewest nodes over all orders of the moves.

    None for a game with more than a million positions: it takes all of them.
    """
    if estimate_positions(game) > MAX_POSITIONS:
        return None
    every = enumerate_positions(game)
    nodes = least_nodes(every, score_positions(every))
    wanted = set(positions)
    at = {each: number for number, each in enumerate(every) if each in wanted}
    return Curve(LEAST, [int(nodes[at[position]]) for position in positions])


def draw(game: Game, curves: Sequence[Curve], file: Path) -> None:
    """Draw curves as SVG or PNG: the positions from the most nodes of the first curve to the least.

    The label of a curve has its nodes from the first position, the empty board.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    lines = {each.name: np.array(each.nodes, dtype=float) for each in curves}
    first = next(iter(lines.values()))
    order = np.argsort(-np.nan_to_num(first, nan=np.inf), kind="stable")
    with mpl.rc_context({"svg.hashsalt": "marubatsu", "font.size": 9}):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes: Any = figure.subplots()
        for name, nodes in lines.items():
            style = {"color": "0.3", "linestyle": "--"} if name == LEAST else {"marker": "."}
            label = f"{name}: {nodes[0]:,.0f}" if np.isfinite(nodes[0]) else f"{name}: stopped"
            axes.plot(range(1, len(order) + 1), nodes[order], markersize=3, label=label, **style)
        axes.set(
            title=f"Nodes of alpha-beta on {game.name}; numbers: from the empty board",
            xlabel="position, from the most nodes of the first curve",
            ylabel="nodes",
            xscale="log",
            yscale="log",
        )
        axes.legend()
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
