"""Steps that a change of the project forgets, with the cure: part of `make quick`."""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from marubatsu.cli import reviewing
from marubatsu.cli.output import _WORDS_FOR_COMMANDS
from marubatsu.engine.rules.game import SWITCHES, USUAL_SWITCHES, Game
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.agent_options import AgentOptions, PositionOptions, QuestionOptions
from marubatsu.judge.agents.agent_settings import AgentSettings, settings_for
from marubatsu.judge.audit.draw_positions import PositionRequest
from marubatsu.judge.review.game_logs import READERS
from marubatsu.pipeline.checking.verify import published
from marubatsu.pipeline.laboratory.board_conformance import SAMPLED
from marubatsu.pipeline.sql.query_files import reports
from marubatsu.pipeline.support.cures import _WORDS_FOR_PYTHON
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import GAMES

pytestmark = pytest.mark.quick

JAPANESE = PAGE / "words" / "japanese.js"


def words(kind: str) -> set[str]:
    """Return the names of a kind that have a Japanese sentence."""
    text = JAPANESE.read_text(encoding="utf-8")
    start = text.index(f"\n  {kind}: {{\n")
    return set(
        re.findall(r"^    (\w+): '.+',$", text[start : text.index("\n  },", start)], re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("ai", {ai.name for ai in all_ais()}),
        ("family", {*(ai.family for ai in all_ais()), "foreign"}),
        ("question", set(reports())),
        ("grain", set(reports())),
    ],
)
def test_each_ai_family_and_report_has_its_japanese_words(kind: str, names: set[str]) -> None:
    forgotten = names - words(kind)
    assert not forgotten, f"add {sorted(forgotten)} to `{kind}` in explorer/words/japanese.js"
    gone = words(kind) - names
    assert not gone, f"remove {sorted(gone)} from `{kind}` in explorer/words/japanese.js"


def test_help_names_each_format_of_logs() -> None:
    """A list of the readers themselves would import all of them for the help of `review`."""
    source = inspect.getsource(reviewing)
    assert f'"{"|".join(READERS)}"' in source, "list READERS in the option --log"


def test_each_cure_is_worded_for_python_and_for_the_command_line() -> None:
    renewed = {key for key in _WORDS_FOR_COMMANDS if key.startswith("renew ")}
    assert _WORDS_FOR_PYTHON.keys() == _WORDS_FOR_COMMANDS.keys() - renewed


def test_each_table_has_its_published_hashes() -> None:
    known = {row.file for row in published() if row.part == "tables" and row.file}
    forgotten = {table.file for table in TABLES.values()} - known
    assert not forgotten, f"run `make hashes`: {sorted(forgotten)} have no published content hash"


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_has_games_that_are_tried_and_published(switch: str) -> None:
    lists = {
        "TREE_GAMES of tests/helpers/data/data_sets.py": GAMES,
        "SAMPLED of pipeline/laboratory/board_conformance.py": SAMPLED,
        "MORE of tools/generators/content_hashes.py": {row.game for row in published()},
    }
    lacking = [
        place for place, names in lists.items()
        if not any(getattr(Game(name), switch) for name in names)
    ]  # fmt: skip
    assert not lacking, f"add a game with -{switch} to {' and to '.join(lacking)}"


def test_the_page_has_words_for_the_usual_switches() -> None:
    names = (PAGE / "words" / "game-names.js").read_text(encoding="utf-8")
    known = re.findall(r"'(\w+)'", names[names.index("KNOWN_RULES = [") :].partition("]")[0])
    assert known == list(USUAL_SWITCHES), "name the switch in explorer/words/game-names.js"
    strip = (PAGE / "board" / "game-strip.js").read_text(encoding="utf-8")
    (hint,) = (line for line in strip.splitlines() if "'games.hint':" in line)
    unnamed = [switch for switch in USUAL_SWITCHES if hint.count(f"-{switch}") < 2]
    assert not unnamed, f"name {unnamed} in games.hint of explorer/board/game-strip.js"


def test_each_option_of_an_audit_is_read(tmp_path: Path) -> None:
    agents: dict[str, Any] = {
        "answers": "scores", "timeout": 2, "agent_memory": "1GB", "allow_network": True,
        "allow_read": tmp_path, "allow_env": "HOME", "confinement": "strict", "first": "x",
    }  # fmt: skip
    questions: dict[str, Any] = {
        "most_questions": 9, "jobs": 2, "retries": 1, "resume": tmp_path / "kept",
    }  # fmt: skip
    untried = {*AgentOptions.__annotations__, *QuestionOptions.__annotations__}
    untried -= {*agents, *questions}
    assert not untried, f"give {sorted(untried)} a value in this test"
    read = {each.name for each in fields(PositionRequest)}
    unread = PositionOptions.__annotations__.keys() - read
    assert not unread, f"add the fields {sorted(unread)} to PositionRequest"
    example = f"{CHECKOUT}/examples/corners.py:choose"
    (ai,) = ais_at([example], DataSet(tmp_path, Game("tictactoe")), None)
    given: Any
    for given in ({name: value} for name, value in agents.items()):
        assert settings_for([ai], given) != AgentSettings(), f"settings_for does not read {given}"
    for given in ({name: value} for name, value in questions.items()):
        settings = settings_for([ai], {}, given)
        assert settings != AgentSettings(), f"settings_for does not read {given}"
