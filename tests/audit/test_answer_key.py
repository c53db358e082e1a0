"""AIs that could read the answers of the judge: audits say so, and give them no certificate."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.judge.agents import box, confine
from marubatsu.judge.agents.box import answer_key
from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.pipeline.support.resources import PACKAGE, REFERENCE
from tests.helpers import CHECKOUT
from tests.helpers.processes.commands import json_of, require_refused, run_here

pytestmark = pytest.mark.programs

GAME = "3x2k2"
KEY = [CHECKOUT / "data", PACKAGE / "judge" / "oracle", REFERENCE]
ANY = "def choose(board, moves):\n    return moves\n"
READER = f"""
import pyarrow.parquet
rows = pyarrow.parquet.read_table("DATA/{GAME}/positions.parquet").to_pylist()
best = {{row["board"]: row["best_moves"] for row in rows}}
def choose(board, moves):
    return best[board]
"""
ORACLE = f"""
import marubatsu as mb
def choose(board, moves):
    return list(mb.answer(board, "{GAME}", data="DATA").best_moves)
"""
REQUIRED = ("--require", "strong", "--require", "no-findings")


@pytest.fixture
def data(root: Path, tmp_path: Path) -> Path:
    shutil.copytree(root / GAME, tmp_path / "data" / GAME)
    return tmp_path / "data"


@pytest.fixture
def _boxed() -> None:
    """Skip where the box of this machine hides no files."""
    if box.Box(bubblewrap=box._bubblewrap()).shows_hidden:  # noqa: SLF001
        pytest.skip("this box hides no files here")


def agent(data: Path, text: str) -> str:
    """Write an agent next to its data; return its address."""
    file = data.parent / "mine.py"
    file.write_text(text.replace("DATA", str(data)), encoding="utf-8")
    return f"{file}:choose"


def could_read(data: Path, *arguments: str) -> Any:
    """Audit an agent; return why it could read the answers."""
    audit = ("audit", "--game", GAME, "--format", "json", *arguments)
    return json_of(run_here(*audit, data=data))["could_read_answers"]


@pytest.mark.usefixtures("box_kind", "_boxed")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (READER, "positions.parquet"),
        (ORACLE, "ImportError: an audited AI may not ask the oracle of marubatsu"),
    ],
)
def test_an_ai_that_reads_the_answers_is_not_judged(data: Path, text: str, message: str) -> None:
    done = run_here("audit", agent(data, text), "--game", GAME, *REQUIRED, data=data)
    require_refused(done, message, 1)


@pytest.mark.usefixtures("box_kind", "_boxed")
def test_an_ai_with_read_access_to_the_answers_gets_no_certificate(data: Path) -> None:
    address, table = agent(data, READER), data / GAME / "positions.parquet"
    found = mb.audit(address, GAME, data=data, allow_read=[table])
    assert found.verdicts.strongly_solved
    assert found.interview.findings == []
    why = f"the option allow_read shows it {table}"
    assert found.to_json()["could_read_answers"] == why
    assert f"<p>Could read the answers, because {why}.</p>" in found._repr_html_()
    (row,) = found.verdict_row().records()
    assert row["could_read_answers"] is True
    assert [lacks(found) for lacks in parse_requirements(["strong"])] == [None]
    shown = ("--allow-read", str(table))
    both = run_here("audit", address, "--game", GAME, *shown, *REQUIRED, data=data)
    why = f"could read the answers, because --allow-read shows it {table}\n"
    assert f"\n{why}" in both.stdout
    assert (both.returncode, both.stderr) == (
        1, f"marubatsu: {address} fails strong with no-findings: it {why}"
    )  # fmt: skip


@pytest.mark.usefixtures("_boxed")
def test_a_wider_folder_does_not_show_the_answers(data: Path) -> None:
    shown = ("--allow-read", str(data.parent))
    done = run_here("audit", agent(data, READER), "--game", GAME, *shown, data=data)
    require_refused(done, "positions.parquet", 1)
    assert could_read(data, agent(data, ANY), *shown) is None


@pytest.mark.usefixtures("box_kind", "_boxed")
def test_our_ais_may_play_for_others(root: Path, data: Path) -> None:
    text = "from marubatsu import frameworks\nagent = frameworks.connectx_agent('ai7', seed=0)\n"
    shutil.copytree(root / "3x3k3-gravity", data / "3x3k3-gravity")
    address = agent(data, text).replace(":choose", ":agent")
    drawn = ("--game", "3x3k3-gravity", "--plies", "3-", "--sample", "9", "--repeat", "2")
    done = run_here("audit", address, "--as", "connectx", *drawn, "--format", "json", data=data)
    found = json_of(done)
    assert (found["findings"], found["could_read_answers"]) == ([], None)


@pytest.mark.usefixtures("_boxed")
def test_the_network_may_give_the_answers(data: Path) -> None:
    why = could_read(data, agent(data, ANY), "--allow-network")
    assert why == "the option allow_network lets it ask servers"


def test_without_a_box_an_ai_could_read_the_answers(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box, "_bubblewrap", lambda: None)
    monkeypatch.setattr(confine, "landlock_version", lambda: 0)
    monkeypatch.setattr(box, "_not_confined", box._not_confined.__wrapped__)  # noqa: SLF001
    assert could_read(data, agent(data, ANY)) == "no box of this machine hides files"


def test_a_function_of_the_same_program_could_read_the_answers(data: Path) -> None:
    found = mb.audit(lambda board, moves: moves, GAME, data=data)
    why = "it runs in the program that asks"
    assert found.interview.could_read_answers == why
    assert f"could read the answers, because {why}" in str(found)
    assert mb.audit("ai7", GAME, data=data).interview.could_read_answers is None


@pytest.mark.usefixtures("_boxed")
def test_a_saved_ai_remembers_that_it_could_read_the_answers(data: Path) -> None:
    table = data / GAME / "positions.parquet"
    could_read(data, agent(data, READER), "--allow-read", str(table), "--save", "reader")
    assert could_read(data, "reader") == f"the option allow_read shows it {table}"
    could_read(data, agent(data, ANY), "--save", "first")
    assert could_read(data, "first") is None


@pytest.mark.usefixtures("_boxed")
def test_an_agent_inside_the_answers_is_refused(data: Path) -> None:
    inside, outside = data / GAME / "mine.py", data / "mine.py"
    inside.write_text(ANY, encoding="utf-8")
    done = run_here("audit", f"{inside}:choose", "--game", GAME, data=data)
    require_refused(done, "lies in the answers of the judge: move it, or show it by --allow-read\n")
    shutil.move(inside, outside)
    assert could_read(data, f"{outside}:choose") is None


def test_the_answer_key_is_the_data_and_what_its_links_lead_to(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MARUBATSU_DATA", raising=False)
    assert answer_key(data, []) == sorted([*KEY, data])
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "2x2k2").mkdir(parents=True)
    (data / "2x2k2").symlink_to(elsewhere / "2x2k2")
    (data / "home").symlink_to(tmp_path)  # The code lies there: it stays visible.
    (data / "missing").symlink_to(tmp_path / "missing")
    code = [tmp_path / "mine.py"]
    assert answer_key(data, code) == sorted([*KEY, data, elsewhere / "2x2k2"])
    monkeypatch.chdir(data)
    assert answer_key(Path(), []) == sorted([*KEY, data / GAME])
    monkeypatch.setenv("MARUBATSU_DATA", str(elsewhere))
    assert elsewhere in answer_key(None, [])
