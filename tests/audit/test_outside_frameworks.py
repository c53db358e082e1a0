"""Agents asked by the frameworks themselves, and by us: they see the same, and answer the same.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each framework is installed apart; its games
run in a process of its own, which `tests/helpers/frameworks/framework_games.py` is.
"""

import os

import pytest

from tests.helpers.frameworks import framework_games
from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, run_with

PACKAGES = {
    "connectx": FRAMEWORKS["kaggle"],
    "aec": FRAMEWORKS["pettingzoo"],
    "openspiel": FRAMEWORKS["openspiel"],
    "textarena": FRAMEWORKS["textarena"],
}
"""What pip installs for an interface."""


@pytest.mark.skipif(
    "MARUBATSU_OUTSIDE" not in os.environ,
    reason="frameworks that others wrote are asked only by `make outside`",
)
@pytest.mark.parametrize("interface", PACKAGES)
def test_an_agent_sees_and_answers_the_same_in_its_own_framework(
    interface: str, apart: Apart
) -> None:
    folder = apart.packages(*PACKAGES[interface])
    played = run_with(folder, framework_games.__file__, interface)
    assert played.returncode == 0, played.stderr
    assert int(played.stdout.split()[-1]) > framework_games.GAMES
