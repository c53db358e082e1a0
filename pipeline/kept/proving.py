"""The search for the smallest proofs of a game, and the trees and graphs beside them."""

import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import NamedTuple

from marubatsu.engine.proofs.claim import Claim, claims_of
from marubatsu.engine.proofs.class_graph import class_graph
from marubatsu.engine.proofs.greedy_proof import greedy_proof
from marubatsu.engine.proofs.least_trees import OPEN, least_tree
from marubatsu.engine.proofs.minimal_graph import left_first_graph
from marubatsu.engine.proofs.proof_graph import Proof, better, proof_graph
from marubatsu.engine.proofs.smallest_proof import solved_proof
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.classes import classify
from marubatsu.engine.tree.induction import solve
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.kept import proofs_table
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.progress import Advance

_LOOK = 0.05  # seconds between looks at the solver


class Beside(NamedTuple):
    """What alpha-beta must visit, to compare the proofs with."""

    least_tree: int
    left_first_graph: int


class Proving:
    """A game whose positions are in memory, and the proofs that are kept of it."""

    def __init__(self, data_set: DataSet, progress: Callable[[float], None]) -> None:
        """Enumerate and solve all positions. Raises TooLargeError when there are too many."""
        self._data_set = data_set
        self._positions = enumerate_positions(data_set.game, progress=progress)
        self._scores, self._classes = solve(self._positions), classify(self._positions)
        self._graph = class_graph(self._positions, self._classes, self._scores)

    @property
    def game(self) -> Game:
        """The game."""
        return self._data_set.game

    @property
    def claims(self) -> list[Claim]:
        """The claims that its value makes true."""
        return claims_of(int(self._graph.score[0]))

    def beside(self) -> Beside:
        """Count the least tree without a root window, and the left-first minimal graph."""
        return Beside(
            least_tree(self._positions, self._scores, -OPEN, OPEN), left_first_graph(self._graph)
        )

    def prove(self, claim: Claim, seconds: float, advance: Advance) -> Proof:
        """Look for the smallest proof, keep it, and return the best that is kept.

        A proof that is kept and optimal is not looked for again. Without time no solver runs.
        Raises DataError when kept proofs are damaged or cannot be written.
        """
        kept = proofs_table.read(self._data_set)
        known = kept.get(claim)
        if known is not None and known.is_optimal:
            return known
        graph = proof_graph(self._graph, claim)
        found = better(greedy_proof(graph), known)
        if claim.strategy == "any":  # What proves it by best moves proves it by any.
            stricter = kept.get(claim._replace(strategy="best"))
            found = better(found, stricter and stricter.of(claim))
        self._keep(found)  # A stopped run has it.
        if seconds:
            for share in _shares(seconds, solver := _Solver(lambda: solved_proof(graph, seconds))):
                advance(share, f"{claim.name}: {found.nodes:,} classes without the solver")
            found = solver.better_than(found)
            self._keep(found)
        return found

    def _keep(self, proof: Proof) -> None:
        proofs_table.add(self._data_set, self._positions, self._classes, proof)


class _Solver(Thread):
    """The solver in a thread, so that the main thread shows progress and hears signals."""

    def __init__(self, call: Callable[[], tuple[Proof | None, int]]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self._error: BaseException | None = None
        self._found: tuple[Proof | None, int] = None, 1

    def run(self) -> None:
        try:
            self._found = self._call()
        except BaseException as error:  # noqa: BLE001, raised again by who waits
            self._error = error

    def better_than(self, known: Proof) -> Proof:
        """Return the better of a proof and what was found, with the bound that was proved."""
        if self._error:
            raise self._error
        proof, lower_bound = self._found
        return better(known.bounded(lower_bound), proof)


def _shares(seconds: float, solver: _Solver) -> Iterator[float]:
    """Start the solver, and yield the share of its time until it has ended."""
    began = time.monotonic()
    solver.start()
    while solver.is_alive():
        solver.join(_LOOK)
        yield min(1.0, (time.monotonic() - began) / seconds)
