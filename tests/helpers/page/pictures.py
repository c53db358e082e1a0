"""The colours in the pictures of the page."""

from collections.abc import Sequence
from typing import Any

from tests.helpers.page.browser import Page

Box = tuple[int, int, int, int]
"""The left, upper, right and lower edge of a part of a picture, in its pixels."""

COUNT = r"""(canvas, [names, boxes]) => {
  const { width, height } = canvas;
  const paper = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  paper.drawImage(canvas, 0, 0);
  const colours = names.map((name) => {
    paper.fillStyle = getComputedStyle(canvas).getPropertyValue(`--${name}`).trim();
    return paper.fillStyle.match(/\w\w/g).map((part) => parseInt(part, 16));
  });
  return (boxes ?? [[0, 0, width, height]]).map(([left, upper, right, lower]) => {
    const { data } = paper.getImageData(left, upper, right - left, lower - upper);
    const found = names.map(() => 0);
    for (let at = 0; at < data.length; at += 4) {
      const isNear = (colour) => colour.every((part, of) => Math.abs(part - data[at + of]) < 4);
      const index = colours.findIndex(isNear);
      if (index >= 0) found[index] += 1;
    }
    return found;
  });
}"""
"""How many pixels of a canvas have each colour; what shines through is counted, too."""


def pixels(
    page: Page, selector: str, names: Sequence[str], boxes: Sequence[Box] | None = None
) -> list[list[int]]:
    """Count the pixels of each colour of the page's style in each box, else in all of a picture."""
    found: list[list[int]] = page.locator(selector).first.evaluate(COUNT, [names, boxes])
    return found


def boxes_of(
    nodes: Sequence[Any], wide: float, high: float
) -> dict[int, tuple[float, float, float, float]]:
    """Return the edges of the box of each node in a map of the tree, by its line.

    Nodes have their line, parent, number, ply and size of the subtree; parents come first.
    """
    sizes = {node: subtree for _, _, node, _, subtree in nodes}
    found: dict[int, tuple[float, float, float, float]] = {}
    at: dict[int | None, tuple[float, float]] = {}  # where each box is
    ends: dict[int | None, float] = {}  # of the children so far
    for line, parent, node, ply, subtree in nodes:
        left, right = at.get(parent, (0, wide))
        share = 1 if parent is None else subtree / (sizes[parent] - 1)
        begin = ends.get(parent, left)
        end = begin + (right - left) * share
        at[node], ends[parent] = (begin, end), end
        found[line] = begin, ply * high, end, (ply + 1) * high
    return found
