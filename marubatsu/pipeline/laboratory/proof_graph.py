"""Proofs of a game's value: two searches for small ones, and what alpha-beta visits at least.

A proof of a claim is a set of classes with the empty board. Where the opponent is to move, it has
every child; where the prover is to move, it has a child that keeps the claim. All its classes
fulfil the claim, so the finished ones do. It has no class that it does not need.

**Greedy.** A first estimate of what a class costs is the size of its proof as a tree, with less
weight for classes that several moves lead to. Ply by ply, the prover then covers its turns with as
few and as cheap children as it finds (the greedy rule for weighted set cover, Chvatal 1979).
Classes of the last proof cost nothing in the next round. The smallest proof of all rounds wins.

**Integer program.** One variable for each class says whether the proof has it. The empty board is
in it. A class of the opponent's turn brings all its children along; a class of an own turn brings
one at least. The sum is as small as possible. The problem is NP-hard on graphs that are no trees
(Furtak and Buro, *Minimum Proof Graphs and Fastest-Cut-First Search Heuristics*, IJCAI 2009). The
solver is HiGHS, by way of SciPy; the same version and options always give the same set.

**The least tree**, over all orders of the moves at all its nodes: Knuth and Moore, *An Analysis of
Alpha-Beta Pruning* (1975), count it for uniform trees. Here it is counted in the full tree of a
game, where two nodes that show one position may order its moves differently. The minimum depends on
position and window only, so one pass over the positions finds it, for all windows between scores.

**The left-first minimal graph**, which alpha-beta with a table visits when it errs nowhere: Plaat,
Schaeffer, Pijls and de Bruin, *Exploiting Graph Properties of Game Trees* (AAAI 1996), call it so,
and measure how much smaller a graph suffices: the *real minimal graph*, of which they write that it
is too expensive to compute. Here the moves come by their true value, best first, and among equal
values the first cell first. The table holds bounds of every class.
"""

import math
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Side, Status
from marubatsu.engine.tree.induction import PositionScores, Step, steps_backward
from marubatsu.engine.tree.positions import Classes, Positions


@dataclass(frozen=True, eq=False)
class ClassGraph:
    """C classes and E moves: one for each pair of classes that a move connects.

    The numbers of classes grow with the ply, and the moves are sorted by parent, then by child. So
    every array operation on one ply is an operation on slices.
    """

    ply: NDArray[np.int8]  # [C]
    is_playing: Bools  # [C] unfinished
    score: NDArray[np.int8]  # [C] circle's view
    parent: Ints  # [E] class
    child: Ints  # [E] class
    move: NDArray[np.int8]  # [E] first cell of the parent's representative that leads there


def class_graph(positions: Positions, classes: Classes, scores: PositionScores) -> ClassGraph:
    """Return the graph of a game's classes, from the moves of their representatives."""
    representative = classes.representative
    first, end = positions.first_move[representative], positions.first_move[representative + 1]
    count = (end - first).astype(np.int64)
    parent = np.repeat(np.arange(len(representative)), count)
    move = np.arange(count.sum()) + np.repeat(first - (np.cumsum(count) - count), count)
    child = classes.class_[positions.child[move]]
    _, unique = np.unique(parent * len(representative) + child, return_index=True)
    return ClassGraph(
        ply=positions.ply[representative],
        is_playing=positions.status[representative] == Status.PLAYING,
        score=scores.score[representative],
        parent=parent[unique],
        child=child[unique],
        move=positions.move[move[unique]],
    )


STRATEGIES = ("any", "best")


class Claim(NamedTuple):
    """The value of the empty board is ``bound`` at least for the prover.

    With the strategy ``any`` the prover's moves keep the claim. With ``best`` each of them also
    keeps the value of its position: the prover takes every win that the opponent allows.

    >>> Claim(Side.CROSS, 0, "best").name
    'cross-holds-best'
    """

    prover: Side
    bound: int  # the prover's view: +1 a win, 0 at least a draw
    strategy: str  # one of STRATEGIES

    @property
    def name(self) -> str:
        """The name of the proof: who proves what, as in ``circle-wins`` or ``cross-holds``."""
        text = f"{self.prover.word}-{'wins' if self.bound == 1 else 'holds'}"
        return f"{text}-best" if self.strategy == "best" else text

    @property
    def score(self) -> int:
        """The bound from circle's view: the score is this at least, or at most if cross proves."""
        return self.prover.sign * self.bound


def claims_of(score: int) -> list[Claim]:
    """List the strongest claims that the empty board's score, circle's view, makes true.

    Both sides hold a draw. A won game has the winner's claim alone: all positions of its proof are
    won for the prover, so moves that keep the claim keep the value.
    """
    if score:
        return [Claim(Side.CIRCLE if score > 0 else Side.CROSS, 1, "any")]
    return [Claim(side, 0, strategy) for side in Side for strategy in STRATEGIES]


NO_MOVE = -1


@dataclass(frozen=True, eq=False)
class ProofGraph:
    """N classes that play reaches when the prover's moves are allowed, and E moves among them.

    Their numbers follow the order of their classes; 0 is the empty board.
    """

    claim: Claim
    class_: Ints  # [N]
    ply: NDArray[np.int8]  # [N]
    is_playing: Bools  # [N]
    is_own: Bools  # [N] unfinished, and the prover is to move
    parent: Ints  # [E] ascending
    child: Ints  # [E]
    move: NDArray[np.int8]  # [E] cell of the parent's representative
    first: Ints  # [N + 1] where the moves of each class start

    def __len__(self) -> int:
        return len(self.class_)

    def children(self, node: int) -> Ints:
        """Return the children of a class: [K]."""
        return self.child[self.first[node] : self.first[node + 1]]


@dataclass(frozen=True, eq=False)
class Proof:
    """A set of P classes that proves a claim, and the move that it keeps in each own turn."""

    claim: Claim
    class_: Ints  # [P] ascending
    move: NDArray[np.int8]  # [P] cell of the representative; NO_MOVE but at the prover's turn
    inner: int  # unfinished classes
    lower_bound: int  # no proof has fewer classes

    @property
    def nodes(self) -> int:
        """The number of classes."""
        return len(self.class_)

    @property
    def own_turns(self) -> int:
        """The number of classes in which the prover is to move: rows of a table to play by."""
        return int(np.count_nonzero(self.move != NO_MOVE))

    @property
    def is_optimal(self) -> bool:
        """Whether no proof has fewer classes."""
        return self.lower_bound == self.nodes

    def bounded(self, lower_bound: int) -> "Proof":
        """Return the same set with a greater lower bound, if this one is greater."""
        return replace(self, lower_bound=max(self.lower_bound, lower_bound))

    def of(self, claim: Claim) -> "Proof":
        """Return the same set as a proof of a weaker claim, for which no bound is known."""
        return replace(self, claim=claim, lower_bound=1)


def better(proof: Proof, other: Proof | None) -> Proof:
    """Return the smaller of two proofs of one claim, with the greater of their lower bounds."""
    if other is None:
        return proof
    smaller = other if other.nodes < proof.nodes else proof
    return smaller.bounded(max(proof.lower_bound, other.lower_bound))


def proof_graph(graph: ClassGraph, claim: Claim) -> ProofGraph:
    """Return the part of a game that a proof may use. Raises ValueError for a wrong claim."""
    sign = claim.prover.sign
    value = graph.score * sign  # the prover's view
    if value[0] < claim.bound:
        raise ValueError(f"{claim.name} is not true of a game with score {int(graph.score[0])}")
    is_own = graph.is_playing & (graph.ply % 2 == claim.prover)
    parent, child = graph.parent, graph.child
    least = value[parent] if claim.strategy == "best" else np.int8(claim.bound)
    allowed = ~is_own[parent] | (value[child] >= least)
    parent, child, move = parent[allowed], child[allowed], graph.move[allowed]
    is_reached = _reached(graph.ply, parent, child)
    kept = is_reached[parent]
    number = np.cumsum(is_reached) - 1
    class_ = np.flatnonzero(is_reached)
    parent, child = number[parent[kept]], number[child[kept]]
    return ProofGraph(
        claim=claim,
        class_=class_,
        ply=graph.ply[class_],
        is_playing=graph.is_playing[class_],
        is_own=is_own[class_],
        parent=parent,
        child=child,
        move=move[kept],
        first=np.searchsorted(parent, np.arange(len(class_) + 1)),
    )


def _reached(ply: NDArray[np.int8], parent: Ints, child: Ints) -> Bools:
    """Return the classes that moves reach from the empty board: [C]."""
    reached = np.zeros(len(ply), np.bool_)
    reached[0] = True
    bounds = np.searchsorted(ply[parent], np.arange(int(ply[-1]) + 2))
    for start, end in pairwise(bounds.tolist()):
        reached[child[start:end][reached[parent[start:end]]]] = True
    return reached


def proof_of(graph: ProofGraph, choice: Ints, lower_bound: int) -> Proof:
    """Return what the prover needs who makes one move in each class.

    ``choice``: [N], the number of a move among all of the graph, where the prover is to move.
    """
    is_kept = ~graph.is_own[graph.parent]
    is_kept[choice[graph.is_own]] = True
    members = np.flatnonzero(_reached(graph.ply, graph.parent[is_kept], graph.child[is_kept]))
    own = graph.is_own[members]
    move = np.full(len(members), NO_MOVE, np.int8)
    move[own] = graph.move[choice[members[own]]]
    inner = int(np.count_nonzero(graph.is_playing[members]))
    return Proof(graph.claim, graph.class_[members], move, inner, lower_bound)


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


OPEN = 2
"""A bound beyond all scores: the window (-OPEN, OPEN) never cuts."""

Counts = NDArray[np.float64]
"""Nodes: [positions]; infinite where an order of moves is impossible. Exact up to 2**53."""

_Nodes = dict[tuple[int, int], Counts]
"""The least nodes by window, from the view of the side to move."""


def least_nodes(
    positions: Positions, scores: PositionScores, alpha: int = -OPEN, beta: int = OPEN
) -> Counts:
    """Return the fewest nodes that alpha-beta visits from each position with a root window: [N].

    The scores are -1, 0 and +1. A search with alpha = -OPEN and beta = OPEN has no root window.
    """
    score_mover = scores.score * np.where(positions.ply % 2 == 0, 1, -1)  # [N]
    windows = list(combinations(range(-OPEN, OPEN + 1), 2))
    nodes: _Nodes = {window: np.ones(len(positions)) for window in windows}
    for step in steps_backward(positions):
        gains = -score_mover[step.child]  # what each move is worth to the mover
        below = [_least_below(nodes, step, gains, *window) for window in windows]
        for window, counts in zip(windows, below, strict=True):
            nodes[window][step.at] = 1 + counts
    return nodes[alpha, beta]


def _least_below(
    nodes: _Nodes, step: Step, gains: NDArray[np.int8], alpha: int, beta: int
) -> Counts:
    """Return the least nodes of all children, over all ways in which alpha may grow: [U]."""
    between = range(alpha + 1, beta)
    ways = [way for size in range(len(between) + 1) for way in combinations(between, size)]
    totals = [_total(nodes, step, gains, (alpha, *way), beta) for way in ways]
    least: Counts = np.minimum.reduce(totals)
    return least


def _total(
    nodes: _Nodes, step: Step, gains: NDArray[np.int8], alphas: tuple[int, ...], beta: int
) -> Counts:
    """Return the least nodes of all children while alpha takes these values in turn: [U].

    Each value after the first is that of one child, searched with the window before it. A position
    with a child that reaches beta needs one such child, and no other.
    """
    after = [nodes[-beta, -alpha][step.child] for alpha in alphas]  # [K] each
    cuts = _least(step, gains >= beta, after[-1])
    # A child that does not raise alpha is searched with the least of the windows.
    searched = zip(alphas, after, strict=True)
    quiet = np.minimum.reduce([np.where(gains <= a, counts, np.inf) for a, counts in searched])
    raising, extra = np.zeros(len(step.at)), np.zeros(len(step.at))
    with np.errstate(invalid="ignore"):
        for gain, counts in zip(alphas[1:], after[:-1], strict=True):
            raising += _least(step, gains == gain, counts)
            extra += _least(step, gains == gain, counts - quiet)
        all_children = np.add.reduceat(quiet, step.start) + extra
    return np.where(np.isfinite(cuts), cuts + raising, all_children)


def _least(step: Step, among: Bools, counts: Counts) -> Counts:
    least: Counts = np.minimum.reduceat(np.where(among, counts, np.inf), step.start)
    return least


def left_first_graph(graph: ClassGraph) -> int:
    """Return how many classes alpha-beta with a table visits, from the empty board."""
    sign = np.where(graph.ply % 2 == 0, 1, -1)
    gains = graph.score[graph.child] * sign[graph.parent]
    order = np.lexsort((graph.move, -gains, graph.parent))
    child = graph.child[order].tolist()
    first = np.searchsorted(graph.parent, np.arange(len(graph.ply) + 1)).tolist()
    value = (graph.score * sign).tolist()  # the mover's view
    bounds: dict[int, tuple[int, int]] = {}

    def search(node: int, alpha: int, beta: int) -> int:
        start, end = first[node], first[node + 1]
        low, high = bounds.setdefault(
            node, (-OPEN, OPEN) if end > start else (value[node], value[node])
        )
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best = -OPEN
        for after in child[start:end]:
            best = max(best, -search(after, -beta, -max(alpha, best)))
            if best >= beta:
                break
        bounds[node] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    search(0, -OPEN, OPEN)
    return len(bounds)
