"""The search for the smallest proofs of a game, and what alpha-beta must visit, for comparison."""

import time
from collections.abc import Callable

from marubatsu.engine.tree.classes import classify
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.laboratory import proofs_table
from marubatsu.pipeline.laboratory.find_proof import greedy_proof, solved_proof
from marubatsu.pipeline.laboratory.least_trees import OPEN, least_tree, left_first_graph
from marubatsu.pipeline.laboratory.proof_graph import (
    Claim,
    Proof,
    better,
    claims_of,
    class_graph,
    proof_graph,
)
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.background import Background
from marubatsu.pipeline.support.progress import Advance


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
        tree = least_tree(self._positions, self._scores, -OPEN, OPEN)
        return tree, left_first_graph(self._graph)

    def prove(self, claim: Claim, seconds: float, advance: Advance) -> Proof:
        """Look for the smallest proof, keep it, and return the best that is kept.

        A proof that is kept and optimal is not looked for again. The integer program gets so many
        seconds, and where they do not suffice, its relaxation as many more. Without time no solver
        runs.
        Raises DataError when kept proofs are damaged or cannot be written.
        """
        kept = proofs_table.read(self._data_set)
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
            solver = Background(lambda: solved_proof(graph, seconds))
            for _ in solver.looks():
                share = min(1.0, (time.monotonic() - began) / (2 * seconds))
                advance(share, f"{claim.name}: {best.nodes:,} classes without the solver")
            proof, lower_bound = solver.result()
            best = better(best.bounded(lower_bound), proof)
            self._keep(best)
        return best

    def _keep(self, proof: Proof) -> None:
        proofs_table.add(self._data_set, self._positions, self._classes, proof)
