"""Two searches for a small proof of a claim: a greedy one, and an integer program.

**Greedy.** A first estimate of what a class costs is the size of its proof as a tree, with less
weight for classes that several moves lead to. Ply by ply, the prover then covers its turns with as
few and as cheap children as it finds (the greedy rule for weighted set cover, Chvatal 1979).
Classes of the last proof cost nothing in the next round. The smallest proof of all rounds wins.

**Integer program.** One variable for each class says whether the proof has it. The empty board is
in it. A class of the opponent's turn brings all its children along; a class of an own turn brings
one at least. The sum is as small as possible. The problem is NP-hard on graphs that are no trees
(Furtak and Buro, *Minimum Proof Graphs and Fastest-Cut-First Search Heuristics*, IJCAI 2009). The
solver is HiGHS, by way of SciPy; the same version and options always give the same set.
"""

import math

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.pipeline.laboratory.proof_graph import Proof, ProofGraph, proof_of

_ROUNDS = 4
_SHARES = (0.0, 0.5, 1.0)
"""How far the number of parents divides the cost of a class: not at all, up to all of it."""


def greedy_proof(graph: ProofGraph) -> Proof:
    """Return a small proof of a graph's claim. Its lower bound is 1, as nothing is known."""
    parents = np.maximum(np.bincount(graph.child, minlength=len(graph)), 1)
    proofs: list[Proof] = []
    for share in _SHARES:
        weight, in_last = parents**-share, np.zeros(len(graph), np.bool_)
        for _ in range(_ROUNDS):
            choice = _cover(graph, _costs(graph, weight, in_last))
            proof = proof_of(graph, choice, 1)
            in_last = np.isin(graph.class_, proof.class_)
            proofs.append(proof)
    return min(proofs, key=lambda proof: proof.nodes)


def _costs(graph: ProofGraph, weight: NDArray[np.float64], in_last: Bools) -> NDArray[np.float64]:
    """Estimate what a proof of each class costs: [N]; nothing for the class itself if known."""
    cost = np.where(in_last, 1e-3, 1.0)
    bounds = np.searchsorted(graph.ply, np.arange(int(graph.ply[-1]) + 2))
    for ply in reversed(range(len(bounds) - 1)):
        first, end = graph.first[bounds[ply]], graph.first[bounds[ply + 1]]
        if first == end:
            continue
        at, start = np.unique(graph.parent[first:end], return_index=True)
        below = (cost * weight)[graph.child[first:end]]
        own = graph.is_own[at]
        cost[at] += np.where(own, np.minimum.reduceat(below, start), np.add.reduceat(below, start))
    return cost


def _cover(graph: ProofGraph, cost: NDArray[np.float64]) -> Ints:
    """Choose a move in each own turn that play reaches: [N], numbers of moves, -1 elsewhere."""
    choice = np.full(len(graph), -1, np.int64)
    reached = {0}
    for ply in range(int(graph.ply[-1])):
        here = sorted(node for node in reached if graph.ply[node] == ply)
        own = {node for node in here if graph.is_own[node]}
        reached = {int(child) for node in here if node not in own for child in graph.children(node)}
        moves = {node: range(int(graph.first[node]), int(graph.first[node + 1])) for node in own}
        leads: dict[int, list[int]] = {}  # moves by child
        for node in sorted(own):
            for move in moves[node]:
                leads.setdefault(int(graph.child[move]), []).append(move)
        while own:
            child = min(leads, key=lambda child: (cost[child] / len(leads[child]), child))
            for move in leads[child]:
                choice[graph.parent[move]] = move
                own.discard(int(graph.parent[move]))
            reached.add(child)
            for other, ways in list(leads.items()):
                left = [move for move in ways if int(graph.parent[move]) in own]
                if left:
                    leads[other] = left
                else:
                    del leads[other]
    return choice


_TOLERANCE = 1e-3  # how far a bound of the solver may be above the true one, in classes
_OPTIMAL = 0  # the status of a problem that SciPy solved


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
    finite = (bound for bound in bounds if bound is not None and math.isfinite(bound))
    lower_bound = max([1, *(math.ceil(bound - _TOLERANCE) for bound in finite)])
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
    entries = np.hstack([
        [each, graph.child[theirs], np.ones_like(each)],
        [each, graph.parent[theirs], -np.ones_like(each)],
        [row[graph.parent[ours]], graph.child[ours], np.ones_like(ours)],
        [row[turns], turns, -np.ones_like(turns)],
    ])  # fmt: skip
    return entries, len(theirs) + len(turns)
