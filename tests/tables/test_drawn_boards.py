"""The drawing of a board in a page: every shape lies in the cell that it is about."""

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.report import board_figure

DRAWN = (
    '<figure><svg viewBox="-2 -2 184 124" role="img" aria-label="a &gt; b">'
    '<rect class="good" x="60" y="60" width="60" height="60"/>'
    '<rect class="bad" x="120" y="0" width="60" height="60"/>'
    '<rect class="bad" x="0" y="60" width="60" height="60"/>'
    '<path class="grid" fill="none" d="M0 0V120M60 0V120M120 0V120M180 0V120M0 0H180M0 60H180'
    'M0 120H180"/>'
    '<circle class="mark circle" cx="30" cy="30" r="17"/>'
    '<path class="mark cross" d="M75 15l30 30M105 15l-30 30"/>'
    '<text x="64" y="14" font-size="13">2</text>'
    '<path class="mark cross" d="M135 75l30 30M165 75l-30 30"/>'
    '<text x="124" y="74" font-size="13">12</text>'
    "</svg><figcaption>a &gt; b</figcaption></figure>"
)
"""Cells are squares of 60: cell 4 is good, cells 2 and 3 are bad; crosses moved as 2 and 12."""


def test_every_shape_of_a_drawn_board_lies_in_its_cell() -> None:
    game, marks = Game("3x2k2"), {0: "o", 1: "x2", 5: "x12"}
    assert board_figure(game, marks, "a > b", bad=[2, 3], good=[4]) == DRAWN
    board = ["o", "x", ".", ".", ".", "x"]
    alone = {cell: mark[0] for cell, mark in marks.items()}
    assert board_figure(game, board, "it") == board_figure(game, alone, "it")
