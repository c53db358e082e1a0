"""The drawing of a board in a page: every shape lies in the cell that it is about."""

import re
import xml.etree.ElementTree as ET

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.report import board_figure

GAME = Game("4x3k3")
MARKS = {0: "o", 3: "x2", 5: "o12", 8: "x"}

SIZE = 60
"""The side of a cell."""


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text)]


def corner(cell: int) -> tuple[int, int]:
    return SIZE * (cell % 4), SIZE * (cell // 4)


def test_every_shape_of_a_drawn_board_lies_in_its_cell() -> None:
    figure = ET.fromstring(board_figure(GAME, MARKS, "a > b", bad=[2, 9], good=[7]))  # noqa: S314, our own
    drawing = figure[0]
    assert (drawing.get("aria-label"), figure[1].text) == ("a > b", "a > b")
    assert numbers(drawing.attrib["viewBox"]) == [-2, -2, 4 * SIZE + 4, 3 * SIZE + 4]
    shaded = [
        (each.get("class"), *(int(each.attrib[key]) for key in ("x", "y", "width", "height")))
        for each in drawing.findall("rect")
    ]
    assert shaded == [
        (style, *corner(cell), SIZE, SIZE) for style, cell in (("good", 7), ("bad", 2), ("bad", 9))
    ]
    grid, *crosses = drawing.findall("path")
    upright = [f"M{SIZE * x} 0V{3 * SIZE}" for x in range(5)]
    level = [f"M0 {SIZE * y}H{4 * SIZE}" for y in range(4)]
    assert grid.get("d") == "".join([*upright, *level])
    centers = [
        (int(each.attrib["cx"]), int(each.attrib["cy"])) for each in drawing.findall("circle")
    ]
    for path in crosses:
        x, y, right, down, x2, y2, left, down2 = numbers(path.attrib["d"])
        assert right == down == down2 == -left == x2 - x
        assert y2 == y
        centers.append((x + right // 2, y + down // 2))
    middle = SIZE // 2
    assert centers == [tuple(at + middle for at in corner(cell)) for cell in (0, 5, 3, 8)]
    labels = drawing.findall("text")
    assert [label.text for label in labels] == ["2", "12"]
    for label, (x, y) in zip(labels, map(corner, (3, 5)), strict=True):
        assert x < int(label.attrib["x"]) < x + middle // 2
        assert y < int(label.attrib["y"]) < y + middle


def test_a_board_in_text_is_drawn_as_its_marks_are() -> None:
    board = [MARKS.get(cell, ".")[0] for cell in range(GAME.cells)]
    marks = {cell: mark[0] for cell, mark in MARKS.items()}
    assert board_figure(GAME, board, "it") == board_figure(GAME, marks, "it")
