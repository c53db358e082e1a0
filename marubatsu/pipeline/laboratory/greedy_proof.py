"""A small proof without a solver: the prover shares positions among its answers.

A first estimate of what a class costs is the size of its proof as a tree, with less weight for
classes that several moves lead to. Ply by ply, the prover then covers its turns with as few and as
cheap children as it finds (the greedy rule for weighted set cover, Chvatal 1979). Classes of the
last proof cost nothing in the next round. The smallest proof of all rounds wins.
"""

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
    found: list[Proof] = []
    for share in _SHARES:
        weight, known = parents**-share, np.zeros(len(graph), np.bool_)
        for _ in range(_ROUNDS):
            choice = _cover(graph, _costs(graph, weight, known))
            proof = proof_of(graph, choice, 1)
            known = np.isin(graph.class_, proof.class_)
            found.append(proof)
    return min(found, key=lambda proof: proof.nodes)


def _costs(graph: ProofGraph, weight: NDArray[np.float64], known: Bools) -> NDArray[np.float64]:
    """Estimate what a proof of each class costs: [N]; nothing for the class itself if known."""
    cost = np.where(known, 1e-3, 1.0)
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
            child = min(
                leads,
                key=lambda child: (cost[child] / len(leads[child]), child),
            )
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
