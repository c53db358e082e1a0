"""The verdicts on one AI, from the same SQL that judges our own AIs."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from marubatsu.engine.players.matches import exact, weighted
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.audit.interview import Answers
from marubatsu.pipeline.sql import query_files
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.support.output import Rows

PERFECT = "perfect"


@dataclass(frozen=True)
class Audit:
    """The verdicts on one AI."""

    game: str
    answers: Answers
    strong: dict[str, Any]  # a row of report strong
    weak: dict[str, Any]  # a row of report weak
    by_ply: Rows  # report blunders_by_ply
    blunders: Rows  # report blunders: in representatives of critical classes
    refutations: Rows  # report refutations: how it loses, as circle and as cross
    matches: Rows  # against each of our AIs

    def _repr_html_(self) -> str:
        """Show the audit as a page in a notebook."""
        from marubatsu.pipeline.audit.audit_page import render

        return render(self, Game(self.game))

    @property
    def summary(self) -> dict[str, Any]:
        """Return only the verdicts."""
        strong = {
            key: self.strong[key]
            for key in ("classes_right", "classes", "positions_right", "positions",
                        "strongly_solved")
        }  # fmt: skip
        weak = {key: self.weak[key] for key in ("as_circle", "as_cross", "weakly_solved")}
        return {**strong, **weak}

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            **self.answers.to_json(),
            "game": self.game,
            "positions": self.answers.unfinished,
            "positions_without_answer": self.answers.silent,
            "verdicts": self.summary,
            "blunders_by_ply": self.by_ply.records(),
            "blunders": self.blunders.records(),
            "refutations": self.refutations.without("ai").records(),
            "matches": self.matches.records(),
        }


def judge(catalog: Catalog, positions: Positions, answers: Answers) -> Audit:
    """Judge an AI by its answers. Raises DataError when the tables of our AIs are missing."""
    matches = _matches(catalog, positions, answers)
    catalog.replace("ais", _ais(answers))
    catalog.replace("ai_moves", _ai_moves(positions, answers))
    ask = {name: catalog.ask(query_files.report(name)) for name in (
        "strong", "weak", "blunders", "blunders_by_ply", "refutations"
    )}  # fmt: skip
    return Audit(
        game=positions.game.name,
        answers=answers,
        strong=dict(zip(ask["strong"].columns, ask["strong"].rows[0], strict=True)),
        weak=dict(zip(ask["weak"].columns, ask["weak"].rows[0], strict=True)),
        by_ply=ask["blunders_by_ply"].without("ai"),
        blunders=ask["blunders"].without("ai"),
        refutations=ask["refutations"],
        matches=matches,
    )


def _ais(answers: Answers) -> pa.Table:
    return pa.table({"ai": [answers.name], "family": [answers.family], "rule": [answers.rule],
                     "parameters": ["{}"]})  # fmt: skip


def _ai_moves(positions: Positions, answers: Answers) -> pa.Table:
    moves = len(positions.move)
    return pa.table(
        {
            "ai": pa.array([answers.name] * moves, pa.string()),
            "position": pa.array(positions.parent),
            "move": pa.array(positions.move),
            "ai_score": pa.nulls(moves, pa.float64()),
            "is_candidate": pa.array(answers.is_candidate),
            "probability": pa.array(answers.probability),
        }
    )


def _matches(catalog: Catalog, positions: Positions, answers: Answers) -> Rows:
    """Play the AI against all of ours, as circle and as cross, exactly."""
    catalog.require("an audit", "ais", "ai_moves", "classes", "moves")
    ours = catalog.ask(query_files.lookup("ais")).column("ai")
    chosen = catalog.columns(query_files.lookup("chances_of_moves"))
    shape = (len(ours), len(positions.move))
    rows = []
    if answers.uniform:
        theirs = np.asarray(chosen["is_candidate"]).reshape(shape)
        mine = answers.is_candidate[None]
        as_circle, denominator = exact(positions, mine, theirs)
        as_cross, below = exact(positions, theirs, mine)
        parts = zip(ours, as_circle[0].tolist(), as_cross[:, 0].tolist(), strict=True)
        for name, circle, cross in parts:
            rows.append(_row(name, "circle", [Fraction(n, denominator) for n in circle]))
            rows.append(_row(name, "cross", [Fraction(n, below) for n in reversed(cross)]))
    else:
        chances = np.asarray(chosen["probability"]).reshape(shape)
        weights: NDArray[np.float64] = answers.probability[None]
        as_circle_ = weighted(positions, weights, chances)[0]
        as_cross_ = weighted(positions, chances, weights)[:, 0]
        for name, won, lost in zip(ours, as_circle_.tolist(), as_cross_.tolist(), strict=True):
            rows.append(_row(name, "circle", won))
            rows.append(_row(name, "cross", lost[::-1]))
    return Rows(
        ("opponent", "side", "win_percent", "draw_percent", "lose_percent", "win", "draw", "lose"),
        rows,
    )


def _row(name: str, side: str, chances: list[Any]) -> list[Any]:
    """Return win, draw and lose in percent, and as fractions where the chances are exact."""
    percent = [round(100 * float(chance), 3) for chance in chances]
    fractions = [str(c) if isinstance(c, Fraction) else None for c in chances]
    return [name, side, *percent, *fractions]
