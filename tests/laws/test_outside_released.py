"""The environments that others released, each installed apart, differ as docs/environments.md says.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. A release that differs in other ways fails.
"""

import json

import pytest

from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with

GAMES = 20

AT_THE_END, OUTSIDE = "legal moves at the end", "move outside the board"
DIFFERING = {
    "pettingzoo": {"tictactoe_v3": {"observation", AT_THE_END}, "connect_four_v3": {AT_THE_END}},
    "openspiel": {
        "tic_tac_toe": {OUTSIDE},
        "mnk(m=4,n=3,k=3)": {OUTSIDE},
        "connect_four": set[str](),
    },
    "pgx": {"tic_tac_toe": {AT_THE_END, OUTSIDE}, "connect_four": {AT_THE_END, OUTSIDE}},
    "kaggle": {"connectx": set[str](), "connectx(columns=5,rows=4,inarow=3)": set[str]()},
}
"""The kinds of difference of each environment."""


@outside
@pytest.mark.parametrize("framework", DIFFERING)
def test_released_environments_differ_as_documented(framework: str, apart: Apart) -> None:
    folder = apart.packages(*FRAMEWORKS[framework])
    for name, differing in DIFFERING[framework].items():
        done = run_with(
            folder, "-m", "marubatsu", "conform-env", f"{framework}:{name}",
            "--sample", str(GAMES), "--format", "json",
        )  # fmt: skip
        assert done.returncode == bool(differing), done.stderr
        found = {row["compared"] for row in json.loads(done.stdout) if row["agrees"] is False}
        assert found == differing, name
