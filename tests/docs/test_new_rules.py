"""Throw-away rules of all kinds, added as docs/extending.md says.

Everything knows each, or refuses it by name; a forgotten copy of a rule fails a build or a check.
"""

from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.processes.extended import Change, Extended
from tests.helpers.processes.throw_away_rules import (
    CONNECTED,
    CORNERSFIRST,
    LASTCROSS,
    LEFTWARD,
    LONGER,
    NOCENTRE,
    STRAIGHT,
    WILD,
)

pytestmark = pytest.mark.documents

GUIDE = (CHECKOUT / "docs" / "extending.md").read_text(encoding="utf-8")

RULES = {
    "straight": STRAIGHT, "lastcross": LASTCROSS, "nocentre": NOCENTRE, "leftward": LEFTWARD,
    "cornersfirst": CORNERSFIRST, "connected": CONNECTED,
}  # fmt: skip

SIZES = {
    "straight": (672_346, 5_620, 787, 0), "lastcross": (549_946, 5_478, 765, -1),
    "nocentre": (494_441, 5_469, 762, 0), "leftward": (3_278, 694, 359, 0),
    "cornersfirst": (142_041, 2_507, 357, 1), "connected": (48_122, 2_942, 409, 1),
}  # fmt: skip
"""Nodes, positions, classes and the score of 3x3 with each rule, as plain loops count them."""


@pytest.mark.parametrize("name", RULES)
def test_the_guide_names_every_place_of_a_rule(name: str) -> None:
    section = GUIDE.split("## A game rule")[1].split("\n## ")[0]
    assert [change.file for change in RULES[name] if change.file not in section] == []


REFUSALS = {
    "straight": {"book 7x6k4-gravity-straight": (2, "a search without tables")},
    "lastcross": {
        "solve 3x3k3-lastcross": (2, "a solution does not know the full_board of"),
        "items 3x3k3-lastcross": (2, "the text of the rules does not know the full_board"),
        "best .......................... --game 13x2k2-lastcross": (1, "full_board"),
    },
    "nocentre": {
        "solve 3x3k3-nocentre": (2, "a solution does not know the first_cells of"),
        "compare 3x3k3-nocentre": (2, "on bitboards does not know the first_cells of"),
        "tree 1x1k1-nocentre": (2, "the rules leave no cell for the first mark"),
    },
    "leftward": {
        "solve 3x3k3-leftward": (2, "a solution does not know the supports, first_cells of"),
        "compare 3x3k3-leftward": (2, "does not know the supports, first_cells of"),
    },
    "cornersfirst": {
        "book 5x5k4-cornersfirst": (2, "a search without tables does not know the supp"),
        "items 3x3k3-cornersfirst": (2, "the text of the rules does not know the supp"),
    },
    "connected": {"tree 3x3k3-connected-gravity": (2, "expected one of these rules, not both")},
}
"""By rule, the commands that do not know it, with their exit codes and what they say."""

NEEDED = ("boards", "moves_legal", "orbits", "scores", "shortest_victory", "tree_links")
"""The checks that derive the rules again."""

COUNT = (
    "select (select count(*) from tree_bfs) as nodes, (select count(*) from positions) as p, "
    "(select count(*) from classes) as c, (select score from positions where ply = 0) as score"
)


@pytest.mark.parametrize("name", RULES)
def test_a_new_rule_is_known_or_refused_by_name(tmp_path: Path, name: str) -> None:
    copy, game = Extended(tmp_path / "checkout", RULES[name]), f"3x3k3-{name}"
    done = copy.results(
        ["tree", game],
        ["sql", COUNT, "--game", game, "--format", "csv"],
        ["check", game, "--format", "csv"],
        *(line.split() for line in REFUSALS[name]),
    )
    assert [code for code, *_ in done[:3]] == [0, 0, 0], done[:3]
    (_, counted, _), (_, checked, _), refused = *done[1:3], done[3:]
    assert tuple(map(int, counted.split()[1].split(","))) == SIZES[name]
    found = dict(line.split(",")[:2] for line in checked.splitlines()[1:])
    assert {found[check] for check in NEEDED} == {"pass"}
    assert set(found.values()) == {"pass", "none"}
    for (code, _, message), wanted in zip(refused, REFUSALS[name].values(), strict=True):
        assert (code, wanted[1] in message) == (wanted[0], True), message


def test_a_game_of_few_open_cells_is_as_small_as_it_is(tmp_path: Path) -> None:
    """It has the positions of 4x4k4-gravity, and fewer than the ways to place its marks."""
    copy = Extended(tmp_path / "checkout", LEFTWARD)
    ((code, text, message),) = copy.results(["build", "4x4k4-leftward"])
    assert (code, message) == (0, "")
    assert "\npositions    161,029 rows " in text


_MASKS, _GAME = "marubatsu/engine/rules/masks.py", "marubatsu/engine/rules/game.py"
FORGOTTEN = {
    "arrays forget what the first mark may fill": (
        [*NOCENTRE, Change(_MASKS, "    opened[occupied == 0] = game.first_cells\n", "", True)],
        "tree 3x3k3-nocentre",
        "two readings of the rules of 3x3k3-nocentre differ: on ......... the arrays say playing",
    ),
    "arrays forget the result of a full board, where there is no tree": (
        [*LASTCROSS,
         Change(_MASKS, "game.full_board, Status.PLAYING", "Status.DRAW, Status.PLAYING", True)],
        "build 4x3k3-lastcross",
        "two readings of the rules of 4x3k3-lastcross differ: on ",
    ),
    "arrays forget what opens a cell": (
        [*LEFTWARD,
         Change(_MASKS, "np.full_like(occupied, free)", "np.full_like(occupied, game.full)", True)],
        "tree 3x3k3-leftward",
        "two readings of the rules of 3x3k3-leftward differ: on o........ the arrays say playing",
    ),
    "methods forget supports of several cells": (
        [*CORNERSFIRST, Change(_GAME, "if occupied & mask == mask:", "if occupied:", True)],
        "tree 3x3k3-cornersfirst",
        "two readings of the rules of 3x3k3-cornersfirst differ: on ",
    ),
    "a method knows more than the data": (
        [NOCENTRE[0],
         Change(_GAME, "        return self.full_board if position.occupied == self.full",
                "        if self.nocentre and position.occupied == self.full:\n"
                "            return Status.CROSS\n")],
        "tree 3x3k3-nocentre",
        "the rule nocentre changes none of directions, lines, line_results",
    ),
    "each side may set either mark": (
        WILD, "tree 3x3k3-wild", "each side sets one mark of its own in each turn",
    ),
    "a line is longer than the name says": (
        LONGER, "tree 3x3k3-longer", "the rules have a line of 9 cells: expected lines of 3",
    ),
    "the depth-first tree has a rule of its own": (
        [Change("marubatsu/engine/tree/depth_first.py", "iter(game.legal_moves(EMPTY)))]\n",
                "iter(set(game.legal_moves(EMPTY)) - {4}))]\n", True)],
        "tree 3x3k3",
        "the breadth-first one has line 5 (board ....o....); nothing was published",
    ),
    "SQL does not know the rule": (
        [NOCENTRE[0], NOCENTRE[2]], "check 3x3k3-nocentre",
        "was checked: queries/views/game.sql does not know the rule nocentre",
    ),
    "SQL forgets what opens a cell": (
        CORNERSFIRST[:3], "check 3x3k3-cornersfirst --only moves_legal", "moves_legal: ",
    ),
    "SQL forgets the broken symmetry": (
        LEFTWARD[:3], "check 3x3k3-leftward --only orbits", "orbits: ",
    ),
}  # fmt: skip
"""Changes of the sources, a command, and a part of its message; `NO_RULES` end with code 2."""
NO_RULES = ("a method knows more", "each side may set", "a line is longer")


@pytest.mark.parametrize("case", FORGOTTEN)
def test_a_forgotten_copy_of_a_rule_fails_a_build_or_a_check(tmp_path: Path, case: str) -> None:
    changes, command, sentence = FORGOTTEN[case]
    copy = Extended(tmp_path / "checkout", changes)
    name, game, *only = command.split()
    before = [["tree", game]] if name == "check" else []
    *_, (code, _, message) = copy.results(*before, [name, game, *only])
    assert sentence in message
    assert code == (2 if case.startswith(NO_RULES) else 1)
    if name != "check":
        assert list((copy.folder / "data").rglob("*.parquet")) == []
