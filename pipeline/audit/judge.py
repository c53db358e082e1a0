"""The verdicts on one AI, from the same SQL that judges our own AIs."""

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from marubatsu.engine.players.matches import exact, weighted
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.audit.interview import Choices, Interview
from marubatsu.pipeline.audit.verdicts import MATCHES, Audit, Verdicts
from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.sql import query_files
from marubatsu.pipeline.sql.catalog import Catalog


def judge(
    catalog: Catalog, positions: Positions, interview: Interview, choices: Choices, data: str
) -> Audit:
    """Judge an AI by its choices. Raises DataError when the tables of our AIs are missing."""
    matches = _matches(catalog, positions, interview, choices)
    catalog.replace("ais", _ais(interview))
    catalog.replace("ai_moves", _ai_moves(positions, interview.name, choices))
    ask = {name: catalog.ask(query_files.report(name)) for name in (
        "strong", "weak", "expected_loss", "blunders", "blunders_by_ply", "refutations"
    )}  # fmt: skip
    (strong,), (weak,) = ask["strong"].records(), ask["weak"].records()
    by_chance = next(iter(ask["expected_loss"].records()), {})
    counted = ("classes", "classes_right", "positions", "positions_right")
    return Audit(
        game=positions.game,
        interview=interview,
        unit="position",
        unfinished=interview.unfinished,
        seed=None,
        data=data,
        verdicts=Verdicts(
            **{name: strong[name] for name in counted},
            is_sample=False,
            best_move_percent=by_chance.get("best_move_percent"),
            expected_loss=by_chance.get("expected_loss"),
            as_circle=weak["as_circle"],
            as_cross=weak["as_cross"],
        ),
        by_ply=ask["blunders_by_ply"].without("ai"),
        blunders=ask["blunders"].without("ai"),
        blunders_found=len(ask["blunders"].rows),
        refutations=ask["refutations"].without("ai"),
        matches=matches,
    )


def _ais(interview: Interview) -> pa.Table:
    return pa.table({"ai": [interview.name], "family": [interview.family],
                     "rule": [interview.rule], "parameters": ["{}"]})  # fmt: skip


def _ai_moves(positions: Positions, name: str, choices: Choices) -> pa.Table:
    moves = len(positions.move)
    return pa.table(
        {
            "ai": pa.array([name] * moves, pa.string()),
            "position": pa.array(positions.parent),
            "move": pa.array(positions.move),
            "ai_score": pa.nulls(moves, pa.float64()),
            "is_candidate": pa.array(choices.is_candidate),
            "probability": pa.array(choices.probability),
        }
    )


def _matches(
    catalog: Catalog, positions: Positions, interview: Interview, choices: Choices
) -> Rows:
    """Play the AI against all of ours, as circle and as cross, exactly."""
    catalog.require("an audit", "ais", "ai_moves", "classes", "moves")
    ours = catalog.ask(query_files.lookup("ais")).column("ai")
    chosen = catalog.columns(query_files.lookup("chances_of_moves"))
    shape = (len(ours), len(positions.move))
    rows = []
    if interview.uniform:
        theirs = np.asarray(chosen["is_candidate"]).reshape(shape)
        mine = choices.is_candidate[None]
        as_circle, denominator = exact(positions, mine, theirs)
        as_cross, below = exact(positions, theirs, mine)
        parts = zip(ours, as_circle[0].tolist(), as_cross[:, 0].tolist(), strict=True)
        for name, circle, cross in parts:
            rows.append(_row(name, "circle", [Fraction(n, denominator) for n in circle]))
            rows.append(_row(name, "cross", [Fraction(n, below) for n in reversed(cross)]))
    else:
        chances = np.asarray(chosen["probability"]).reshape(shape)
        weights: NDArray[np.float64] = choices.probability[None]
        as_circle_ = weighted(positions, weights, chances)[0]
        as_cross_ = weighted(positions, chances, weights)[:, 0]
        for name, won, lost in zip(ours, as_circle_.tolist(), as_cross_.tolist(), strict=True):
            rows.append(_row(name, "circle", won))
            rows.append(_row(name, "cross", lost[::-1]))
    return Rows(MATCHES, rows)


def _row(name: str, side: str, chances: list[Any]) -> list[Any]:
    """Return win, draw and lose in percent, and as fractions where the chances are exact."""
    percent = [round(100 * float(chance), 3) for chance in chances]
    fractions = [str(c) if isinstance(c, Fraction) else None for c in chances]
    return [name, side, *percent, *fractions]
