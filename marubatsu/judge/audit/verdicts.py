"""The verdicts on an AI, their badge, and the columns of the tables that an audit has."""

from dataclasses import dataclass
from html import escape
from typing import Any

from marubatsu.engine.ais.statistics import wilson
from marubatsu.engine.rules.game import Game

GAMES = 100
"""Games against each opponent on each side, where results are not computed exactly."""

OPPONENTS = RANDOM_PLAY, PERFECT_PLAY = ("ai2", "perfect")
"""Random play, and perfect play that takes each best move with equal chance."""

BEST_RESPONSE = "best response"
"""The opponent that knows an AI's choices in every position; no AI can have this name."""

BY_PLY_COLUMNS = ("ply", "critical", "wrong", "loses_a_won_game",
                  "mean_chance_percent")  # fmt: skip
BLUNDER_COLUMNS = ("board", "turn", "move", "board_after", "score", "score_after", "loss",
                   "chance_percent", "best_moves", "ply", "class")  # fmt: skip
REFUTATION_COLUMNS = ("side", "length", "moves", "final_board")
MATCH_COLUMNS = ("opponent", "side", "win_percent", "draw_percent", "lose_percent", "win", "draw",
                 "lose", "mean", "mean_at_least", "mean_at_most")  # fmt: skip

ACCURACY_COLUMNS = ("ply", "positions", "out_of_time", "critical", "right", "right_percent",
                    "at_least_percent", "at_most_percent", "mean_loss",
                    "mean_plies_lost")  # fmt: skip
ANSWER_COLUMNS = ("line", "board", "turn", "ply", "critical", "score", "distance", "move",
                  "chance_percent", "score_after", "distance_after", "loss", "plies_lost",
                  "best_moves")  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """How many critical positions an AI is right in, what it gives away, and whether it ever loses.

    All figures are about the positions that the AI is judged in. A critical position counts as
    right when every candidate of the AI is a best move; of an AI that draws its moves, when every
    move is that it gave. A critical class counts as right when all of its positions do, and not at
    all where that is open; ``representatives_right`` counts the classes whose representative is
    right, as the tutorial series does.

    ``best_move_percent`` and ``expected_loss`` count the candidates by their chances instead: the
    mean chance of a best move, and the mean drop of the mover's score (a win is 1, a draw 0, a loss
    -1), both over the critical positions; None when there is no critical position.

    ``mean_plies_lost``: by how many plies the AI wins later, or loses sooner, than it could. The
    mean is over all unfinished positions in which some candidate is a best move, and in each of
    them over these candidates by their chances; a draw loses no plies. None without such a
    position.

    ``as_circle`` and ``as_cross``: from the empty board the AI never loses on that side, and every
    move that it may play there is legal; None where that is not known: it can reach too many
    positions, or only drawn ones were examined.

    ``exploitability``: the mean result of a best response to the AI, over both sides (a win is 1, a
    draw 0, a loss -1); perfect play against perfect play has 0. None without choices in every
    position. Then ``exploitability_at_least`` is what perfect play gets in games against the AI
    from the empty board, at the lower end of a 95 % confidence interval; None without such games.

    For an AI that gave no valid answer, everything is None but the numbers of critical classes and
    positions.
    """

    classes: int  # critical classes
    classes_right: int | None
    representatives_right: int | None  # None: the AI was asked about one member of each class
    is_sample: bool  # of the unfinished positions, or classes, of the game
    is_complete: bool  # its choices in every unfinished position of the game are known
    draws_moves: bool  # it gave other moves when it was asked again, and may give others next time
    forfeited: int  # unfinished positions in which some answer was no legal move
    positions_unjudged: int  # others that are or may be critical: no answer, or no truth in time
    positions: int  # critical positions
    positions_right: int | None
    best_move_percent: float | None
    expected_loss: float | None
    mean_plies_lost: float | None
    as_circle: bool | None
    as_cross: bool | None
    exploitability: float | None
    exploitability_at_least: float | None

    @property
    def strongly_solved(self) -> bool | None:
        """Whether every answer everywhere consists of best moves; a move that is not legal is none.

        None without any valid answer, or if there is no blunder but positions were left out.
        """
        if self.positions_right is None:
            return None
        if self.positions_right < self.positions or self.forfeited:
            return False
        return True if self.is_complete else None

    @property
    def weakly_solved(self) -> bool | None:
        """Whether the AI never loses from the empty board, on both sides; None: not known."""
        sides = (self.as_circle, self.as_cross)
        return False if False in sides else None if None in sides else True

    @property
    def share(self) -> tuple[float, float] | None:
        """Bounds for the share of critical positions in which the AI is right.

        For a sample, Wilson's 95 % confidence interval; otherwise both are the share itself. Where
        no answer came, or the search ran out of time, the AI counts as wrong in the lower bound,
        and as right in the upper one. None without any valid answer.
        """
        if self.positions_right is None:
            return None
        total = self.positions + self.positions_unjudged
        most = self.positions_right + self.positions_unjudged
        least = 0 if self.draws_moves else self.positions_right
        if self.is_sample or not total:
            return wilson(least, total)[0], wilson(most, total)[1]
        return least / total, most / total

    def to_json(self) -> dict[str, Any]:
        """Return the verdicts as one object."""
        at_least, at_most = self.share or (None, None)
        counts = ("classes_right", "classes", "representatives_right", "positions_right",
                  "positions")  # fmt: skip
        others = ("best_move_percent", "expected_loss", "mean_plies_lost", "strongly_solved",
                  "as_circle", "as_cross", "weakly_solved", "exploitability",
                  "exploitability_at_least")  # fmt: skip
        return {
            **{name: getattr(self, name) for name in counts},
            "share_right_at_least": at_least,
            "share_right_at_most": at_most,
            **{name: getattr(self, name) for name in others},
        }


_GREEN, _YELLOW, _RED = "#2f7d32", "#8a6d00", "#b3261e"  # white text on each is easy to read
_CHARACTER, _PADDING = 7, 10  # pixels


def badge(game: Game, verdicts: Verdicts) -> str:
    """Return an image of the game, and of the critical classes in which the AI is right.

    It is green where the AI solves the game strongly, yellow where it solves it weakly, else red. A
    sample says so, and counts the critical positions of drawn classes.
    """
    name = "tic-tac-toe" if game.name == "tictactoe" else game.name
    result = "no valid answer"
    if verdicts.classes_right is not None:
        at_most, of = "at most " * verdicts.draws_moves, " of a sample" * verdicts.is_sample
        result = f"{at_most}{verdicts.classes_right:,} of {verdicts.classes:,} classes{of}"
    color = _GREEN if verdicts.strongly_solved else _YELLOW if verdicts.weakly_solved else _RED
    left, right = (len(text) * _CHARACTER + _PADDING for text in (name, result))
    parts = [(0, left, "#444", name), (left, right, color, result)]
    boxes = "".join(
        f'<rect x="{x}" width="{width}" height="20" fill="{fill}"/>'
        f'<text x="{x + width / 2:g}" y="14" textLength="{width - _PADDING}">{escape(text)}</text>'
        for x, width, fill, text in parts
    )
    title = escape(f"{name} | {result}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title><g fill="#fff" text-anchor="middle" '
        f'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{boxes}</g></svg>\n'
    )
