"""The walk: an environment is played beside our rules, and every difference is kept.

A position is reached by lines of one length only, its number of marks. So the difference with the
fewest marks has the shortest line that the walk found.
"""

from collections import Counter
from collections.abc import Container
from itertools import accumulate

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.judge.bridges.differences import KINDS, REQUIRED, Difference, cells_text
from marubatsu.judge.bridges.environment import (
    Environment,
    Seen,
    expected,
    look,
    reward_text,
)
from marubatsu.judge.bridges.illegal_moves import (
    AT_THE_END,
    OUTSIDE,
    answer_apart,
    answer_to,
    error_line,
    illegal_moves,
)
from marubatsu.judge.bridges.lines_walked import Line


class Walk:
    """An environment beside our rules, and the differences found so far."""

    def __init__(self, game: Game, environment: Environment, *, every_illegal_move: bool) -> None:
        """Begin; a walk that does not try every illegal move tries one in each position."""
        self.game = game
        self.differences = {kind: Difference(kind) for kind in KINDS}
        self.answers: Counter[tuple[str, str]] = Counter()
        """How often illegal moves, and moves after the end, were answered in which way."""
        self.positions: set[Position] = set()
        self._environment = environment
        self._may_crash = getattr(environment, "may_crash", False)
        self._lines = 0
        self._every_illegal_move = every_illegal_move
        self._left: set[Position] = set()  # positions from which the environment cannot go on
        self._images = symmetries(game)  # those that turn every board into what was observed

    def agrees(self, accepted: Container[str] = ()) -> bool:
        """Return whether all that must be examined was, and only accepted kinds differ."""
        return all(
            (difference.examined or kind not in REQUIRED)
            and (not difference.differing or kind in accepted)
            for kind, difference in self.differences.items()
        )

    @property
    def observed_as(self) -> str | None:
        """The name of the symmetry under which every observation is the board."""
        return next((image.name for image in self._images), None)

    def follow(self, line: Line) -> None:
        """Play a line, compare what is new in it, and try illegal moves in new positions."""
        self._lines += 1
        places = list(accumulate(line.moves, Position.after, initial=EMPTY))
        if not self._left.isdisjoint(places[: line.new_from]):
            return
        for ply in self._play(line, places):
            if places[ply] not in self.positions:
                self.positions.add(places[ply])
                self._try_illegal_moves(line.moves[:ply], places[ply])

    def _play(self, line: Line, places: list[Position]) -> list[int]:
        """Play a line as far as the environment follows; return the plies that were compared."""
        done = list[int]()
        for ply, position in enumerate(places):
            moves = line.moves[:ply]
            try:
                if ply:
                    self._environment.play(moves[-1])
                else:
                    self._environment.reset()
                seen = look(self._environment) if ply >= line.new_from else None
            except Exception as error:  # noqa: BLE001, an environment may raise anything
                self.differences["errors"].note(moves, "no exception", error_line(error))
                self._left.add(position)
                break
            if seen is not None:
                self._compare(moves, position, seen)
                done.append(ply)
            if position in self._left:
                break
        return done

    def _compare(self, moves: tuple[int, ...], position: Position, seen: Seen) -> None:
        right, differences = expected(self.game, position), self.differences
        differences["errors"].note(moves, "no exception", "no exception")
        differences["end"].note(moves, right.over, seen.over, _end)
        for observed in seen.observations:
            differences["observation"].note(moves, position, observed, self._board)
            self._images = tuple(s for s in self._images if s.of_position(position) == observed)
        if right.over != seen.over:
            self._left.add(position)
            return
        if right.over:
            differences["winner"].note(moves, right.winner, seen.winner, str)
            differences["legal moves at the end"].note(moves, right.legal, seen.legal, self._cells)
        else:
            differences["turn"].note(moves, right.turn, seen.turn)
            differences["legal moves"].note(moves, right.legal, seen.legal, self._cells)
        differences["rewards"].note(moves, right.rewards, seen.rewards, _rewards)

    def _try_illegal_moves(self, moves: tuple[int, ...], position: Position) -> None:
        if position in self._left:
            return
        for kind, cells in illegal_moves(self.game, position).items():
            answer_by = answer_to
            if kind == OUTSIDE and self._may_crash:
                if self._lines > 1:  # Another process takes its time: one line is enough.
                    continue
                answer_by = answer_apart
            right = "no change" if kind == AT_THE_END else "no change, or a loss for the mover"
            one = len(self.positions) % max(len(cells), 1)
            for cell in cells if self._every_illegal_move else cells[one : one + 1]:
                answer, is_right = answer_by(self._environment, moves, position, cell)
                self.answers[kind, answer] += 1
                self.differences[kind].note((*moves, cell), right, right if is_right else answer)

    def _cells(self, cells: tuple[int, ...]) -> str:
        return cells_text(self.game, cells) or "none"

    def _board(self, position: Position) -> str:
        circle, cross = position
        if circle & cross or (circle | cross) & ~self.game.full:
            return f"masks {circle} and {cross}"
        return to_text(self.game, position)


def _end(over: bool) -> str:  # noqa: FBT001, the value that is shown
    return "over" if over else "goes on"


def _rewards(rewards: tuple[float | None, float | None]) -> str:
    return f"circle {reward_text(rewards[0])}, cross {reward_text(rewards[1])}"
