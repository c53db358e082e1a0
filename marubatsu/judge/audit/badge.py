"""A badge of an audit: a small SVG image for a page about an AI."""

from html import escape

from marubatsu.engine.rules.game import Game
from marubatsu.judge.audit.verdicts import Verdicts

_GREEN, _YELLOW, _RED = "#2f7d32", "#8a6d00", "#b3261e"  # white text on each is easy to read
_CHARACTER, _PADDING = 7, 10  # pixels


def badge(game: Game, verdicts: Verdicts) -> str:
    """Return an image of the game, and of the critical classes in which the AI is right.

    It is green where the AI solves the game strongly, yellow where it solves it weakly, else red. A
    sample says so, and counts the critical positions of drawn classes.
    """
    name = "tic-tac-toe" if game.name == "tictactoe" else game.name
    result = f"{verdicts.classes_right:,} of {verdicts.classes:,} classes"
    if verdicts.classes_right is None:
        result = "no valid answer"
    elif verdicts.is_sample:
        result += " of a sample"
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
