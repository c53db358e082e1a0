"""The pages about the tutorial series: what its names are here, and what it publishes."""

import os
import re
import shlex
from dataclasses import fields
from inspect import signature
from pathlib import Path
from unittest import mock

import pytest

import marubatsu as mb
from marubatsu.engine.boards.bit_board import BitBoard
from marubatsu.engine.boards.laws import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.engine.search.options import Algorithm
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.bridges.series import INSTEAD
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report, reports, views
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers import CHECKOUT
from tests.helpers.data.known import known_of
from tests.helpers.data.published import published_nodes
from tests.helpers.processes.commands import every_command, require_refused, run_here
from tools.generators.series_names_page import KINDS, PAGE, read, render

NAMES = read()
COMMANDS = every_command()
OPTIONS = {
    option for command in COMMANDS.values() for each in command.params for option in each.opts
}
WORDS = {
    *dir(BitBoard(Game("tictactoe"))), *TABLES, *mb.SearchOptions.__annotations__,
    *(column.name for table in TABLES.values() for column in table.columns),
    *reports(), *(view.name for view in views()), *(ai.name for ai in all_ais()),
    *all_boards(), *map(str, (*Algorithm, *Numbering)),
    *signature(mb.search).parameters, *signature(mb.oracle).parameters,
    *"ox.", "evaluation", "@evaluation", "+counters",
}  # fmt: skip


def exists(code: str) -> bool:
    """Return whether code of the page names something: a command, a path, a name of ours."""
    first, *others = shlex.split(code)
    if first == "marubatsu":
        name = max((each for each in COMMANDS if code[10:].startswith(each)), key=len)
        options = {option for each in COMMANDS[name].params for option in each.opts}
        return {word for word in others if word.startswith("--")} <= options
    if first.startswith("mb."):
        found, *names = first.split(".")[1:]
        of = {each.name for each in fields(getattr(mb, found))} if names else set()
        return found in mb.__all__ and of >= set(names)
    parts = first.split(":")
    return parts[0] in WORDS | OPTIONS or (CHECKOUT / parts[0]).exists()


def test_the_page_is_that_of_the_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == render(page)
    assert {each.kind for each in NAMES} == set(KINDS)
    assert len({(each.name, each.module) for each in NAMES}) == len(NAMES) > 200


@pytest.mark.parametrize(
    "code", sorted({code for each in NAMES for code in re.findall("`([^`]+)`", each.here)})
)
def test_code_of_the_page_exists(code: str) -> None:
    assert exists(code)


@pytest.mark.documents
@pytest.mark.usefixtures("kernels")
def test_each_line_of_the_page_runs(root: Path) -> None:
    with mock.patch.dict(os.environ, MARUBATSU_DATA=str(root)):
        for line in {each.runs: None for each in NAMES if each.runs}:
            if line.startswith("marubatsu "):
                done = run_here(*shlex.split(line)[1:], data=root)
                assert done.returncode == 0, f"{line}: {done.stderr}"
                assert done.stdout, line
            else:
                eval(line, {"mb": mb})  # noqa: S307, our own page


@pytest.mark.parametrize("name", INSTEAD)
def test_a_name_of_the_series_gets_a_sentence(name: str) -> None:
    message = f"marubatsu has no {name} of the tutorial series: "
    with pytest.raises(AttributeError, match=message):
        getattr(mb, name)
    with pytest.raises(ImportError, match=message):
        exec(f"from marubatsu import {name}")  # noqa: S102, as users write it
    assert not hasattr(mb, name)
    assert any(name in each.name for each in NAMES)


def test_the_package_is_not_a_file_of_the_same_name(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("marubatsu.py").write_text("def ai(mb):\n    return min(mb.calc_legal_moves())\n")
    done = run_here("audit", "marubatsu:ai", data=root)
    require_refused(done, "names the package marubatsu, not marubatsu.py: expected marubatsu.py:ai")
    done = run_here("match", "marubatsu.py:ai", "ai1", "--as", "series", "--games", "1", data=root)
    assert done.returncode == 0, done.stderr


TEXT = (CHECKOUT / "docs" / "series.md").read_text(encoding="utf-8")


def test_the_page_has_each_count_and_verdict_of_the_series() -> None:
    counts = {
        each.quantity: each.count
        for each in known_of("tictactoe")
        if "tutorial series" in each.source and each.ply is None
    }
    assert len(counts) == 5
    for count in counts.values():
        assert f"{count:,}" in TEXT
    for row in reference_rows("published_verdicts"):
        assert f"`{row['ai']}`" in TEXT
        assert row["representatives_right"] in TEXT


def test_the_page_counts_the_published_nodes(catalog: Catalog) -> None:
    drawn = [figure for figure in published_nodes() if figure.is_random]
    reasons = [str(row["why"]) for row in catalog.ask(report("orderings")).records() if row["why"]]
    within = sum("within these 30" in reason for reason in reasons)
    near = sum("within 4 standard deviations" in reason for reason in reasons)
    assert within + near == len(drawn) == len(reasons)
    assert f"| {len(published_nodes()) - len(drawn)} node counts (episode 164) | equal" in TEXT
    ours = f"{within} in the range of 30 seeds | The other {near} lie within 4 standard deviations"
    assert f"| {len(drawn)} node counts (episode 164) | {ours}" in TEXT


def test_the_page_lists_the_games_that_are_repeated() -> None:
    notes = [row["note"] for row in reference_rows("published_matches")]
    notes = [note for note in notes if "random.seed(0)" in note]
    assert len(notes) == 4
    for note in notes:
        games = note.partition(" games")[0].split(" / ")
        assert ", ".join(f"{int(count):,}" for count in games) in TEXT
