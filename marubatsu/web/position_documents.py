"""The documents of a game's positions, one for each ply, from its oracle."""

from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Side, Status
from marubatsu.judge.oracle.answers import Answers
from marubatsu.judge.oracle.oracle import Numbered, Oracle


class PositionDocuments:
    """The documents of all positions; the oracle is asked about all of them at once, when needed.

    Numbers of positions ascend with the ply, so the positions of a ply are a range of numbers.
    """

    def __init__(self, oracle: Oracle, positions: Numbered) -> None:
        self._oracle, self._positions = oracle, positions

    @cached_property
    def _truth(self) -> Answers:
        return self._oracle.answer_masks(self._positions.circle, self._positions.cross)

    @cached_property
    def _children(self) -> Ints:
        """The number of the position after each move: [M]."""
        number, _ = self._positions.find(*self._truth.children)
        return number

    @cached_property
    def _subtrees(self) -> NDArray[np.int64]:
        """The nodes of the full tree at and below each node that shows a position: [N].

        They follow from the moves alone, so no oracle keeps them.
        """
        truth, sizes = self._truth, np.ones(len(self._truth), np.int64)
        ply_of_move = truth.ply[truth.parent]
        for ply in reversed(self.plies):
            moves = ply_of_move == ply
            np.add.at(sizes, truth.parent[moves], sizes[self._children[moves]])
        return sizes

    @property
    def plies(self) -> range:
        """The plies that have positions."""
        last = self._positions.circle[-1] | self._positions.cross[-1]
        return range(int(last).bit_count() + 1)

    def of_ply(self, ply: int) -> dict[str, object]:
        """Return all positions of a ply, as a list for each column.

        ``first`` is the number of the first position, ``first_move`` the number of moves before its
        own in the table; ``children`` are positions of the next ply.
        """
        truth = self._truth
        here = slice(*np.searchsorted(truth.ply, [ply, ply + 1]).tolist())
        facts = self._oracle.facts(truth.circle[here], truth.cross[here])
        statuses = [Status(code) for code in truth.status[here].tolist()]
        first_move = truth.first_move[here.start : here.stop + 1]
        moves, start = slice(first_move[0], first_move[-1]), first_move - first_move[0]
        move, loss, child = truth.move[moves], truth.loss[moves], self._children[moves]
        every = np.ones(len(move), np.bool_)
        return {
            "ply": ply,
            "first": here.start,
            "first_move": int(first_move[0]),
            "board": [to_text(truth.game, truth[i]) for i in range(here.start, here.stop)],
            "status": [status.word for status in statuses],
            "turn": [
                Side(ply % 2).word if status is Status.PLAYING else None for status in statuses
            ],
            "class": facts["class_"],
            "symmetry": facts["symmetry"],
            "orbit": facts["orbit"],
            "representative": facts["representative"],
            "nodes": facts["nodes"],
            "subtree": self._subtrees[here].tolist(),
            "score": truth.score[here].tolist(),
            "score_sv": truth.score_sv[here].tolist(),
            "score_svrd": facts["score_svrd"],
            "distance": truth.distance[here].tolist(),
            "critical": truth.critical[here].tolist(),
            "random_circle": facts["random_circle"],
            "random_draw": facts["random_draw"],
            "random_cross": facts["random_cross"],
            "best_moves": _lists(move, truth.is_best[moves], start),
            "best_moves_sv": _lists(move, truth.is_best_sv[moves], start),
            "best_moves_svrd": facts["best_moves_svrd"],
            "moves": _lists(move, every, start),
            "children": _lists(child, every, start),
            "loss": _lists(loss, every, start),
        }


def _lists(values: Ints, is_in: Bools, start: Ints) -> list[list[int]]:
    """Cut M values, one for each move, into a list for each position; keep those that are in."""
    before = np.concatenate([[0], np.cumsum(is_in)])[start].tolist()
    kept = values[is_in].tolist()
    return [kept[first:end] for first, end in pairwise(before)]
