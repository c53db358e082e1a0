"""An answer: the facts that an oracle knows about a position and each of its moves."""

from dataclasses import dataclass, field
from typing import Any

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries


@dataclass(frozen=True)
class Move:
    """A legal move: the cell it fills, and its result when both sides play perfectly.

    ``score`` is circle's view; ``distance`` counts the plies to the end after this one; ``loss``
    is how much the mover's score drops: 0, 1 or 2. ``is_best_sv``: no best move wins sooner or
    loses later. ``score_sv`` is None where only a solution knows the position.
    """

    move: int
    board_after: str
    score: int
    score_sv: int | None
    distance: int
    loss: int
    is_best: bool
    is_best_sv: bool

    @property
    def outcome(self) -> str:
        """The result that the move leads to."""
        return outcome(self.score)

    def to_json(self) -> dict[str, Any]:
        """Return the move as one object; unknown fields are left out."""
        known = {name: value for name, value in vars(self).items() if value is not None}
        return {**known, "outcome": self.outcome}


@dataclass(frozen=True)
class Answer:
    """The facts about a position: its value, its class, and its legal moves, best first.

    ``score`` is circle's view: +1 circle wins, 0 draw, -1 cross wins. ``distance`` counts the plies
    to the end when both play the fastest win or slowest loss. ``turn`` is circle, cross, or None
    when the position is finished. ``class_`` is None where only a solution knows the position.
    ``facts`` holds the rest: a row of table positions, or the key of a solution.
    """

    game: Game
    board: str
    ply: int
    turn: str | None
    status: str
    score: int
    distance: int
    orbit: int
    class_: int | None
    moves: tuple[Move, ...]
    facts: dict[str, Any] = field(default_factory=dict, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            "game": self.game.name,
            "board": self.board,
            "ply": self.ply,
            "turn": self.turn,
            "status": self.status,
            "score": self.score,
            "distance": self.distance,
            "orbit": self.orbit,
            **({} if self.class_ is None else {"class": self.class_}),
            **self.facts,
            "moves": [move.to_json() for move in self.moves],
        }

    def __str__(self) -> str:
        """Write the answer for people, without the moves."""
        drawing = draw(self.game, from_text(self.game, self.board))
        return "\n".join([drawing, "", *self._place(), self._value(), *self._chances()])

    def _place(self) -> list[str]:
        """Name the position by its number, if it has one, and its class."""
        if self.class_ is None:
            return [
                f"{self.board} is a position of {self.game.name}, ply {self.ply}",
                f"class with key {self.facts['key']}, orbit of {self.orbit}",
            ]
        symmetry = self.facts["symmetry"]
        representative = (
            "represented by this board"
            if symmetry == 0
            else f"represented by {self.facts['representative']} "
            f"({symmetries(self.game)[symmetry].name})"
        )
        return [
            f"{self.board} is position {self.facts['position']} of {self.game.name}",
            f"ply {self.ply}, nodes of the tree that show it: {self.facts['nodes']:,}",
            f"class {self.class_}, orbit of {self.orbit}, {representative}",
        ]

    def _value(self) -> str:
        if self.turn is None:
            return f"finished: {outcome(self.score)}"
        way = f"in {self.distance} {'ply' if self.distance == 1 else 'plies'} with best play"
        return f"{self.turn} to move: {outcome(self.score)} {way}"

    def _chances(self) -> list[str]:
        facts = self.facts
        if self.turn is None or "random_circle" not in facts:
            return []
        scores = f"score {self.score}, score_sv {facts['score_sv']}"
        chances = ", ".join(
            f"{result} {100 * facts[f'random_{result}']:.2f} %"
            for result in ("circle", "draw", "cross")
        )
        return [
            f"{scores}, score_svrd {facts['score_svrd']:g} (circle's view)",
            f"both sides at random: {chances}",
        ]


def outcome(score: int) -> str:
    """Name the result that a score stands for."""
    return {1: "circle wins", 0: "draw", -1: "cross wins"}[score]
