"""Doubts about the numbering of moves: a log that makes sense in another one stops the review.

Nobody is blamed for moves that were read in the wrong numbering. A numbering that the user or the
format states is not doubted.
"""

from collections.abc import Sequence

import numpy as np

from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.engine.rules.position import Status
from marubatsu.judge.review.recorded import GamePlace
from marubatsu.judge.review.replayed import NO_RESULT, GameLog, Replayed
from marubatsu.pipeline.support.errors import UsageError

EARLY = 4
"""The first plies, in which an illegal move raises a doubt."""

FEW = 3
"""The fewest games that break early, or have a result, where only several raise a doubt."""


def require_no_doubt(log: GameLog, played: Replayed) -> None:
    """Raise UsageError where most games of a file make no sense in the numbering of the log.

    They make no sense if more than half have an illegal move in the first `EARLY` plies, or moves
    after their end, or if no more than half of the results that the log states are those of the
    moves. Then the message names the numberings in which most games make sense.
    """
    ends = [start for _, start in log.files[1:]] + [len(log)]
    doubts = _Doubts(log, played)
    for (_, start), end in zip(log.files, ends, strict=True):
        doubts.check(slice(start, end))


def _is_early(played: Replayed) -> Bools:
    """Return which games break at an illegal move in their first plies: [G]."""
    return (played.illegal >= 0) & (played.illegal < EARLY) & ~played.is_missing


def _is_broken(played: Replayed) -> Bools:
    """Return which games break early, or go on after their end: [G]."""
    return _is_early(played) | (played.beyond > 0)


def _agrees(played: Replayed) -> Bools:
    """Return which games end as the log states: [G]."""
    agrees: Bools = (played.status != Status.PLAYING) & (played.stated == played.status)
    return agrees


class _Doubts:
    """The games of a log, and how they go in other numberings."""

    def __init__(self, log: GameLog, played: Replayed) -> None:
        self.log, self.played = log, played
        self.replays: dict[Numbering, Replayed] = {}

    def others(self, games: slice) -> dict[Numbering, Replayed]:
        """Replay all games in the numberings that are possible for some of them."""
        others = self.log.other_numberings(games)
        for numbering in others:
            if numbering not in self.replays:
                self.replays[numbering] = self.log.replay(numbering)
        return {numbering: self.replays[numbering] for numbering in others}

    def check(self, games: slice) -> None:
        """Check the games of one file. Raises UsageError."""
        played = self.played
        asked = ~played.is_numbered[games]
        count = int(asked.sum())
        broken = _is_broken(played)[games] & asked
        early = _is_early(played)[games] & asked
        if 2 * broken.sum() > count:
            fits = {
                numbering: int((asked & ~_is_broken(other)[games]).sum())
                for numbering, other in self.others(games).items()
            }
            better = {each: fit for each, fit in fits.items() if 2 * fit >= count}
            if better or (2 * early.sum() > count and early.sum() >= FEW):
                what = (
                    f"{broken.sum():,} of {count:,} games have an illegal move in the first "
                    f"{EARLY} plies or moves after the end"
                )
                raise self.fault(games, broken, what, "fits", better, count)
        stated = asked & (played.stated[games] != NO_RESULT)
        results = int(stated.sum())
        agrees = _agrees(played)[games] & stated
        contradicts = played.contradicts[games] & stated
        if 2 * agrees.sum() <= results and (2 * contradicts.sum() > results or results >= FEW):
            fits = {
                numbering: int((_agrees(other)[games] & stated).sum())
                for numbering, other in self.others(games).items()
            }
            better = {each: fit for each, fit in fits.items() if 2 * fit > results}
            if better:
                what = f"{agrees.sum():,} of {results:,} games end as the log says"
                raise self.fault(games, stated & ~agrees, what, "agrees in", better, results)

    def fault(
        self,
        games: slice,
        wrong: Bools,
        what: str,
        verb: str,
        better: dict[Numbering, int],
        count: int,
    ) -> UsageError:
        log = self.log
        place: GamePlace = log.places[games.start + int(np.argmax(wrong))]
        cure = (
            "no numbering makes sense of most games; the option numbering, set to "
            f"{log.numbering}, reviews them as they are"
        )
        if better:
            named = ", ".join(
                f"{each} ({verb} {better[each]:,} of {count:,})" for each in _best_first(better)
            )
            cure = f"the option numbering says how moves are numbered: {named}"
        return place.fault(f"in the numbering {log.numbering}, {what}; {cure}")


def _best_first(fits: dict[Numbering, int]) -> Sequence[Numbering]:
    return sorted(fits, key=lambda each: -fits[each])
