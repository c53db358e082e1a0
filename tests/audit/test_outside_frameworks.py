"""Agents asked by the frameworks themselves, and by us: they see the same, and answer the same.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each framework is installed apart; its games
run in a process of its own, and so do the odd replies of agents. Two modules in
`tests/helpers/frameworks` are these processes: `framework_games` and `framework_replies`.
"""

import pytest

from tests.helpers.frameworks import framework_games, framework_replies
from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with
from tests.helpers.frameworks.odd_replies import GTP, boards_of

PACKAGES = {
    "connectx": FRAMEWORKS["kaggle"],
    "aec": FRAMEWORKS["pettingzoo"],
    "openspiel": FRAMEWORKS["openspiel"],
    "textarena": FRAMEWORKS["textarena"],
}
"""The packages for each interface."""
pytestmark = outside


@pytest.mark.parametrize("interface", PACKAGES)
def test_an_agent_sees_and_answers_the_same_in_its_own_framework(
    interface: str, apart: Apart
) -> None:
    folder = apart.packages(*PACKAGES[interface])
    played = run_with(folder, framework_games.__file__, interface)
    assert played.returncode == 0, played.stderr
    assert int(played.stdout.split()[-1]) > framework_games.GAMES


@pytest.mark.parametrize("interface", [*PACKAGES, "gtp"])
def test_a_framework_plays_what_the_table_of_odd_replies_says(interface: str, apart: Apart) -> None:
    folder = apart.packages(*PACKAGES.get(interface, FRAMEWORKS["openspiel"]))
    played = run_with(folder, framework_replies.__file__, interface)
    assert played.returncode == 0, played.stderr
    tables = [GTP] if interface == "gtp" else boards_of(interface).values()
    assert int(played.stdout.split()[-1]) == sum(map(len, tables))
