"""Agents that read the answers of their judge: no way leads to them, by no name."""

import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import parse_command, parse_function
from marubatsu.judge.agents.agent import Agent
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.players import agent_of
from tests.attacks.answer_readers import PLACES, READER, TABLE, WAYS
from tests.attacks.tally import Tally, some
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has boxes"),
]

FORMS = ("function", "program")


@pytest.fixture(scope="module")
def data(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of data in the folder of an agent, with links into and out of it."""
    folder = tmp_path_factory.mktemp("own") / "own"
    built = build_smallest(shared)
    shutil.copytree(built / SMALLEST, folder / "data" / SMALLEST)
    (folder / "data" / "notes.txt").write_text("known\n", encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "link").symlink_to(folder / "data")
    (folder.parent / "alias").symlink_to(folder)
    disk = folder / "disk"
    (disk / "3x2k2").mkdir(parents=True)
    shutil.copy(folder / "data" / TABLE, disk / "3x2k2")
    (folder / "data" / "3x2k2").symlink_to(disk / "3x2k2")
    classes = folder / "data" / SMALLEST / "classes.parquet"
    shutil.move(classes, disk)
    classes.symlink_to(disk / classes.name)
    return folder / "data"


@pytest.mark.parametrize("form", FORMS)
def test_no_attack_reads_the_answers(data: Path, box_kind: str, form: str) -> None:
    tally = Tally(f"answers, {form}s, {box_kind}")
    for name in some([*PLACES]):
        through = _through(data, form, PLACES[name], AgentSettings(seconds=60))
        for way in WAYS:
            message = "it is read" if way in through else "it is not read"
            tally.add(f"{name} by {way}", partial(str, message), "it is not read")
    tally.report()


@pytest.mark.usefixtures("box_kind")
@pytest.mark.parametrize("form", FORMS)
def test_every_attack_reads_files_that_an_option_allows(data: Path, form: str) -> None:
    """The ways are real: they read the same file when the user shows it."""
    settings = AgentSettings(seconds=60, readable=(data / TABLE,))
    # A hard link would make a file of the user one that the agent may write to.
    assert _through(data, form, PLACES["its path"], settings) == {*WAYS} - {"a hard link"}
    assert _through(data, form, PLACES["the manifest"], settings) == set()


def _through(data: Path, form: str, place: str, settings: AgentSettings) -> set[str]:
    """Return the ways by which an agent reads a place."""
    with _agent(data, form, place, settings) as agent:
        answer = agent.ask("....", [0, 1, 2, 3])
    assert isinstance(answer, Fault)
    answers = re.findall(r"\b(?:yes|no)\b", answer.detail.partition("got through: ")[2])
    assert len(answers) == len(WAYS), answer
    return {way for way, is_through in zip(WAYS, answers, strict=True) if is_through == "yes"}


def _agent(data: Path, form: str, place: str, settings: AgentSettings) -> Agent:
    file = data.parent / "reader.py"
    text = READER.replace("TARGETS", repr((str(data), os.getpid()))).replace("PLACE", place)
    file.write_text(text, encoding="utf-8")
    address = parse_function(f"{file}:choose")
    if form == "program":
        address = parse_command(f"{sys.executable} {file}")
    return agent_of(address, Game(SMALLEST), settings, data)
