"""The search for the smallest proofs of a game, and the table ``proofs`` that keeps them.

It also counts what alpha-beta must visit, for comparison.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from marubatsu.engine.rules.masks import board_texts
from marubatsu.engine.rules.position import Side, Status
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import Classes, Positions, classify, enumerate_positions
from marubatsu.pipeline.laboratory.kept_tables import read_kept, read_rows, replace_rows
from marubatsu.pipeline.laboratory.proof_graph import (
    NO_MOVE,
    STRATEGIES,
    Claim,
    Proof,
    better,
    claims_of,
    class_graph,
    greedy_proof,
    least_nodes,
    left_first_graph,
    proof_graph,
    solved_proof,
)
from marubatsu.pipeline.stages.make_tree import STATUS_WORDS, TURNS
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, ProofsTable
from marubatsu.pipeline.tables.schemas import Columns, Labels, Nullable


class Proving:
    """A game whose positions are in memory, and the proofs that are kept of it."""

    def __init__(self, data_set: DataSet, progress: Callable[[float], None]) -> None:
        """Enumerate and solve all positions. Raises TooLargeError when there are too many."""
        self._data_set = data_set
        self._positions = enumerate_positions(data_set.game, progress=progress)
        self._scores, self._classes = score_positions(self._positions), classify(self._positions)
        self._graph = class_graph(self._positions, self._classes, self._scores)

    @property
    def claims(self) -> list[Claim]:
        """The claims that its value makes true."""
        return claims_of(int(self._graph.score[0]))

    def least(self) -> tuple[int, int]:
        """Count what alpha-beta must visit, to compare the proofs with.

        It is the least tree without a root window, and the left-first minimal graph.
        """
        tree = least_nodes(self._positions, self._scores)[0]
        return int(tree), left_first_graph(self._graph)

    def prove(self, claim: Claim, seconds: float, progress: Advance) -> Proof:
        """Look for the smallest proof, keep it, and return the best that is kept.

        A proof that is kept and optimal is not looked for again. The integer program gets so many
        seconds, and where they do not suffice, its relaxation as many more. Without time no solver
        runs.
        Raises DataError when kept proofs are damaged or cannot be written.
        """
        kept = read(self._data_set)
        before = kept.get(claim)
        if before is not None and before.is_optimal:
            return before
        graph = proof_graph(self._graph, claim)
        best = better(greedy_proof(graph), before)
        if claim.strategy == "any":  # What proves it by best moves proves it by any.
            stricter = kept.get(claim._replace(strategy="best"))
            best = better(best, stricter and stricter.of(claim))
        self._keep(best)  # A stopped run has it.
        if seconds:
            began = time.monotonic()

            def look() -> None:
                share = min(1.0, (time.monotonic() - began) / (2 * seconds))
                progress(share, f"{claim.name}: {best.nodes:,} classes without the solver")

            solve = partial(solved_proof, graph, seconds)
            proof, lower_bound = in_background(solve, stop=None, look=look)
            best = better(best.bounded(lower_bound), proof)
            self._keep(best)
        return best

    def _keep(self, proof: Proof) -> None:
        """Keep a proof, or improve the kept one of the same claim."""
        table = ProofsTable(self._data_set.root, self._data_set.game)
        with table.lock(write=True):
            kept = read_rows(table, _proofs) or {}
            for name, other in kept.items():
                if other.class_.max(initial=0) >= len(self._classes.representative):
                    place = near(table.folder)
                    raise DamagedError(f"{place} has a proof {name.name} of another game")
            kept[proof.claim] = better(proof, kept.get(proof.claim))
            replace_rows(table, _columns(self._positions, self._classes, kept.values()))


def read(data_set: DataSet) -> dict[Claim, Proof]:
    """Read what is kept of a game. Raises DataError when it is damaged or of another version."""
    return read_kept(data_set.sibling(ProofsTable), _proofs) or {}


def _proofs(rows: Any) -> dict[Claim, Proof]:
    of: dict[Claim, list[dict[str, Any]]] = {}
    for row in rows.to_pylist():
        prover = Side[row["prover"].upper()]
        if row["strategy"] not in STRATEGIES or row["claim"] not in (-1, 0, 1) or row["class"] < 0:
            raise ValueError(f"class {row['class']} in it is no part of a proof")
        claim = Claim(prover, prover.sign * row["claim"], row["strategy"])
        of.setdefault(claim, []).append(row)
    return {
        claim: Proof(
            claim,
            np.array([row["class"] for row in part], np.int64),
            np.array([NO_MOVE if row["move"] is None else row["move"] for row in part], np.int8),
            sum(row["status"] == Status.PLAYING.word for row in part),
            part[0]["lower_bound"],
        )
        for claim, part in of.items()
    }


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
        "board": board_texts(positions.game, positions.circle[member], positions.cross[member]),
        "ply": ply,
        "turn": Labels(np.where(status == Status.PLAYING, ply % 2, len(Side)), TURNS),
        "status": Labels(status, STATUS_WORDS),
        "move": Nullable(move, move == NO_MOVE),
        "nodes": np.array([proof.nodes for proof in ordered])[of],
        "lower_bound": np.array([proof.lower_bound for proof in ordered])[of],
        "is_optimal": np.array([proof.is_optimal for proof in ordered])[of],
    }
