"""The proofs of a game's value, kept in the table ``proofs``."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from marubatsu.engine.rules.position import Side, Status
from marubatsu.engine.tree.classes import Classes
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.laboratory.kept_table import read_kept, read_rows, replace_rows
from marubatsu.pipeline.laboratory.proof_graph import NO_MOVE, STRATEGIES, Claim, Proof, better
from marubatsu.pipeline.stages.make_positions import STATUS_WORDS, TURNS, board_text
from marubatsu.pipeline.store.data_set import DataSet, ProofsTable
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.columns import Columns, Labels, Nullable


def read(data_set: DataSet) -> dict[Claim, Proof]:
    """Read what is kept of a game. Raises DataError when it is damaged or of another version."""
    return read_kept(data_set.sibling(ProofsTable), _proofs) or {}


def add(data_set: DataSet, positions: Positions, classes: Classes, proof: Proof) -> None:
    """Keep a proof, or improve the kept one of the same claim.

    Raises DataError when the kept proofs are damaged, or the file cannot be written.
    """
    table = ProofsTable(data_set.root, data_set.game)
    with table.lock(write=True, on_wait=say_waiting):
        kept = read_rows(table, _proofs) or {}
        for name, other in kept.items():
            if other.class_.max(initial=0) >= len(classes.representative):
                raise DamagedError(f"{near(table.folder)} has a proof {name.name} of another game")
        kept[proof.claim] = better(proof, kept.get(proof.claim))
        replace_rows(table, _columns(positions, classes, kept.values()))


def _proofs(rows: Any) -> dict[Claim, Proof]:
    of: dict[Claim, list[dict[str, Any]]] = {}
    for row in rows.to_pylist():
        prover = Side[row["prover"].upper()]
        if row["strategy"] not in STRATEGIES or row["claim"] not in (-1, 0, 1) or row["class"] < 0:
            raise ValueError(f"class {row['class']} in it is no part of a proof")
        claim = Claim(prover, prover.sign * row["claim"], row["strategy"])
        of.setdefault(claim, []).append(row)
    return {claim: _proof(claim, rows) for claim, rows in of.items()}


def _proof(claim: Claim, rows: list[dict[str, Any]]) -> Proof:
    moves = [NO_MOVE if row["move"] is None else row["move"] for row in rows]
    return Proof(
        claim,
        np.array([row["class"] for row in rows], np.int64),
        np.array(moves, np.int8),
        sum(row["status"] == Status.PLAYING.word for row in rows),
        rows[0]["lower_bound"],
    )


def _columns(positions: Positions, classes: Classes, proofs: Iterable[Proof]) -> Columns:
    """Return the rows of proofs, which are sorted by name here."""
    ordered = sorted(proofs, key=lambda proof: proof.claim.name)
    of = np.repeat(np.arange(len(ordered)), [proof.nodes for proof in ordered])
    class_ = np.concatenate([proof.class_ for proof in ordered])
    move = np.concatenate([proof.move for proof in ordered])
    member = classes.representative[class_]
    ply, status = positions.ply[member], positions.status[member]
    return {
        "proof": Labels(of, tuple(proof.claim.name for proof in ordered)),
        "prover": Labels(of, tuple(proof.claim.prover.word for proof in ordered)),
        "claim": np.array([proof.claim.score for proof in ordered])[of],
        "strategy": Labels(of, tuple(proof.claim.strategy for proof in ordered)),
        "class": class_,
        "board": board_text(
            positions.game.cells, positions.circle[member], positions.cross[member]
        ),
        "ply": ply,
        "turn": Labels(np.where(status == Status.PLAYING, ply % 2, len(Side)), TURNS),
        "status": Labels(status, STATUS_WORDS),
        "move": Nullable(move, move == NO_MOVE),
        "nodes": np.array([proof.nodes for proof in ordered])[of],
        "lower_bound": np.array([proof.lower_bound for proof in ordered])[of],
        "is_optimal": np.array([proof.is_optimal for proof in ordered])[of],
    }
