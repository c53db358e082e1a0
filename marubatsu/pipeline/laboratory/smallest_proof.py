"""The smallest proof of a claim, as an integer program.

One variable for each class says whether the proof has it. The empty board is in it. A class of the
opponent's turn brings all its children along; a class of an own turn brings one at least. The sum
is as small as possible. The problem is hard in general: NP-hard on graphs that are no trees (Furtak
and Buro, *Minimum Proof Graphs and Fastest-Cut-First Search Heuristics*, IJCAI 2009). The solver is
HiGHS, by way of SciPy; the same version and options always give the same set.
"""

import math

import numpy as np

from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.pipeline.laboratory.proof_graph import Proof, ProofGraph, proof_of

_TOLERANCE = 1e-3
"""How far a bound of the solver may be above the true one, in classes."""

_OPTIMAL = 0
"""The status of a problem that SciPy solved."""


def solved_proof(graph: ProofGraph, seconds: float) -> tuple[Proof | None, int]:
    """Return the smallest proof that the solver finds in so many seconds, and a lower bound.

    The proof is None when it finds none; without any knowledge, the bound is 1. Where the integer
    program is not solved in time, its relaxation by interior points may take as long again: it
    gives large graphs a bound much sooner.
    Raises ModuleNotFoundError where SciPy is missing.
    """
    from scipy.optimize import Bounds, LinearConstraint, linprog, milp
    from scipy.sparse import csr_array

    needs, rows = inequalities(graph)
    matrix = csr_array((needs[2], (needs[0], needs[1])), shape=(rows, len(graph)), dtype=np.float64)
    least, most = np.zeros(len(graph)), np.ones(len(graph))
    least[0] = 1
    solved = milp(
        most,
        constraints=LinearConstraint(matrix, 0, np.inf),
        bounds=Bounds(least, most),
        integrality=most,
        options={"time_limit": seconds, "mip_rel_gap": 0},
    )
    bounds = [solved.mip_dual_bound]
    if solved.status != _OPTIMAL:
        relaxed = linprog(
            most,
            A_ub=-matrix,
            b_ub=np.zeros(rows),
            bounds=np.column_stack([least, most]),
            method="highs-ipm",
            options={"time_limit": seconds},
        )
        bounds.append(relaxed.fun if relaxed.status == _OPTIMAL else None)
    known = (bound for bound in bounds if bound is not None and math.isfinite(bound))
    lower_bound = max([1, *(math.ceil(bound - _TOLERANCE) for bound in known)])
    if solved.x is None:
        return None, lower_bound
    return proof_of(graph, _chosen(graph, solved.x > 1 / 2), lower_bound), lower_bound


def _chosen(graph: ProofGraph, is_in: Bools) -> Ints:
    """Return the first move of each own turn that stays in a set: [N], -1 elsewhere."""
    choice = np.full(len(graph), -1, np.int64)
    stays = np.flatnonzero(graph.is_own[graph.parent] & is_in[graph.child])[::-1]
    choice[graph.parent[stays]] = stays
    return choice


def inequalities(graph: ProofGraph) -> tuple[Ints, int]:
    """Return what a proof needs: entries (row, class, sign) [3, K] of rows with a sum >= 0."""
    is_own = graph.is_own[graph.parent]
    ours, theirs = np.flatnonzero(is_own), np.flatnonzero(~is_own)
    turns = np.flatnonzero(graph.is_own)
    row = len(theirs) + np.cumsum(graph.is_own) - 1
    each = np.arange(len(theirs))
    entries = np.concatenate(
        [
            [each, graph.child[theirs], np.ones_like(each)],
            [each, graph.parent[theirs], -np.ones_like(each)],
            [row[graph.parent[ours]], graph.child[ours], np.ones_like(ours)],
            [row[turns], turns, -np.ones_like(turns)],
        ],
        axis=1,
    )
    return entries, len(theirs) + len(turns)
