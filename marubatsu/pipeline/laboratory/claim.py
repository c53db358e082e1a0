"""A claim about the value of a game, and how strict its prover is."""

from typing import NamedTuple

from marubatsu.engine.rules.position import Side

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
