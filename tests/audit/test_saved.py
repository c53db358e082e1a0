"""AIs that an audit saves: rows like those of ours, verified, removed without a trace."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import FunctionAI
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.documents import Documents
from marubatsu.web.games import opponents_of
from tests.audit.conftest import Write
from tests.helpers.data.blunders import require_reported
from tests.helpers.data.data_sets import contents
from tests.helpers.frameworks.framework_agents import agents
from tests.helpers.processes.commands import require_refused, run_here, without_box

GAME = "3x2k2"
CORNERS = "examples/middle.py:choose"
WEIGHING = """
def choose(board, legal):
    return {cell: (1 + 8 * (cell == legal[-2:][0])) / (8 + len(legal)) for cell in legal}

def value(board):
    return board.count("o")
"""


@pytest.fixture
def data(root: Path, tmp_path: Path) -> Path:
    """Return a folder with the tables of a game, in which tests may save."""
    shutil.copytree(root / GAME, tmp_path / "data" / GAME)
    return tmp_path / "data"


@pytest.fixture
def weighing(written: Write) -> str:
    return written(WEIGHING)


def run(data: Path, *arguments: str) -> str:
    """Run a command about the game; return what it prints."""
    done = run_here(*arguments, "--game", GAME, data=data)
    assert (done.returncode, without_box(done.stderr)) == (0, "")
    return done.stdout


def rows(data: Path, *arguments: str) -> Any:
    """Run a command about the game; return its JSON."""
    return json.loads(run(data, *arguments, "--format", "json"))


def test_only_a_whole_table_of_answers_is_saved(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "first.csv"
    boards = [row["board"] for row in rows(data, "sql", "from positions where status = 'playing'")]
    lines = ["board,reply", *(f"{board},{board.index('.')}" for board in boards)]
    for count, message in ((40, "answers in 39 of"), (None, "")):
        file.write_text("\n".join(lines[:count]), encoding="utf-8")
        saved = run_here("audit", f"answers:{file}", "--save", "first", "-g", GAME, data=data)
        assert message in saved.stderr
        assert saved.returncode == bool(message)
    (first,) = (row for row in rows(data, "query", "strong") if row["ai"] == "first")
    verdicts = rows(data, "audit", "first")["verdicts"]
    assert verdicts["classes_right"] == first["classes_right"]


def test_a_saved_ai_is_an_ai_like_ours(data: Path, weighing: str) -> None:
    before = contents(data)
    audits = {}
    for name, address in (("corners", CORNERS), ("weighing", weighing)):
        audits[name] = rows(data, "audit", address, "--save", name)
    # Saved, the first one meets the second, which weighs its moves.
    audits["corners"] = rows(data, "audit", "corners")
    found = rows(data, "sql", "from matches")
    matches = {(row["circle_ai"], row["cross_ai"]): row for row in found}
    assert len(matches) == len(found) == 35 * 35
    for name, audit in audits.items():
        require_reported({**audit, "ai": name}, lambda report: rows(data, "query", report))
        for row in audit["matches"]:
            if row["side"] == "total" or row["opponent"] == "best response":
                continue
            pair, sides = (name, row["opponent"]), ("circle", "draw", "cross")
            if row["side"] == "cross":
                pair, sides = pair[::-1], sides[::-1]
            for side, result in zip(sides, ("win", "draw", "lose"), strict=True):
                assert matches[pair][f"fraction_{side}"] == row[result]
                assert round(100 * matches[pair][f"p_{side}"], 3) == row[f"{result}_percent"]
    for name, other in (("weighing", "corners"), ("corners", "weighing")):
        assert {row["opponent"] for row in audits[name]["matches"]} > {other, "perfect"}
    listed = [row["ai"] for row in rows(data, "ais")]
    assert listed[-2:] == ["corners", "weighing"]
    with open_catalog(DataSet(data, Game(GAME))) as catalog:
        of_ais = {name: c for name, c in checks().items() if "ai_moves" in c.needs}
        done = {name: run_check(catalog, check) for name, check in of_ais.items()}
    assert len(of_ais) > 2
    assert {check.verdict for check in done.values()} == {"pass"}
    assert done["match_chances"].examined == 35 * 35
    verified = run_here("verify", GAME, data=data)
    assert verified.stdout.startswith(f"every file is as its manifest says: {GAME}\n")
    run(data, "ais", "--remove", "weighing")
    assert [row["ai"] for row in rows(data, "ais")] == listed[:-1]
    run(data, "ais", "--remove", "corners")
    assert contents(data) == before


def test_a_saved_ai_plays_on_the_page(data: Path, weighing: str) -> None:
    run(data, "audit", weighing, "--save", "mine")
    data_set = DataSet(data, Game(GAME))
    with (
        open_catalog(data_set) as catalog,
        opponents_of(data_set, [], AgentSettings()) as opponents,
    ):
        rows: Any = opponents.choices("mine", "o.....", lambda: None)
        documents = Documents(open_oracle(data_set), catalog)
        site, ours = (json.loads(documents.get(f"ais/{ai}.json")) for ai in ("mine", "ai2"))
    chances = [*[1 / 13] * 3, 9 / 13, 1 / 13]
    assert [row["probability"] for row in rows] == pytest.approx(chances)
    first = len("......")  # The moves of the empty board come before those of the first mark.
    assert site["probabilities"][first : first + 5] == pytest.approx(chances)
    assert site["candidates"] == ours["candidates"]
    assert ours["probabilities"] is None


def test_a_saved_ai_is_an_address_like_every_other(data: Path, weighing: str) -> None:
    """It does everywhere what the function does that it was saved from."""
    run(data, "audit", weighing, "--save", "weighing")
    answers = []
    for each in ("weighing", weighing):
        audit = rows(data, "audit", each)
        assert audit.pop("ai") == each
        audit.pop("not_confined")  # A saved AI needs no box.
        match = rows(data, "match", each, "ai2", "--games", "50")
        search = rows(data, "search", "--ordering", each, "--order-all")
        play = run_here("play", each, "--game", GAME, "--seed", "1", data=data, lines="0\n").stdout
        answers.append(json.dumps([audit, match, search, play]).replace(weighing, "weighing"))
    assert answers[0] == answers[1]


def test_a_wrong_use_of_a_saved_ai_is_refused(data: Path, weighing: str) -> None:
    run(data, "audit", weighing, "--save", "weighing")
    before = contents(data)
    values = "--algorithm depth_limited --max-depth 1 --evaluation weighing"
    for line, sentence in (
        (
            "match weighing ai2 --game 2x2k2",
            "the AI 'weighing' is saved for 3x2k2, not for 2x2k2: exp",
        ),
        ("match weighin ai2", "there is no AI 'weighin': did you mean weighing?\n"),
        ("play ai77", "there is no AI 'ai77': did you mean ai7 or ai7s?\n"),
        ("audit weighing --save=other", "expected a foreign AI; weighing is saved already"),
        ("match weighing ai2 --fast", "an AI weighs its moves on ......"),
        ("audit weighing:seed=1", "'weighing:seed=1' names no AI: expected file.py:function"),
        (f"search {values}", "'weighing' is a saved AI, which answers with moves"),
    ):
        command, *words = line.split()
        require_refused(run_here(command, "--game", GAME, *words, data=data), sentence)
    assert contents(data) == before


def test_the_shell_completes_saved_ais(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(data, "audit", CORNERS, "--save", "mine")
    monkeypatch.setenv("_MARUBATSU_COMPLETE", "complete_bash")
    for typed, offered in (
        (f"match -g {GAME} min", ["minimax", "mine"]),
        ("match min", ["minimax"]),
    ):
        monkeypatch.setenv("COMP_WORDS", f"marubatsu {typed}")
        monkeypatch.setenv("COMP_CWORD", str(typed.count(" ") + 1))
        assert run_here(data=data).stdout.split() == offered


def test_only_the_same_address_replaces_a_saved_ai(data: Path, weighing: str) -> None:
    run(data, "audit", weighing, "--save", "mine")
    before = contents(data)
    other = "evaluation:" + weighing.replace(":choose", ":value")
    refused = f"was saved from {weighing}: expected another name, or run `marubatsu ais --remove m"
    require_refused(run_here("audit", other, "--save=mine", "-g", GAME, data=data), refused)
    run(data, "audit", weighing, "--save", "mine")
    assert contents(data) == before
    file = Path(weighing.partition(":")[0])
    file.write_text(WEIGHING.replace("-2:", "-1:"), encoding="utf-8")
    run(data, "audit", weighing, "--save", "mine")
    assert contents(data) != before
    run(data, "ais", "--remove", "mine")
    run(data, "audit", other, "--save", "mine")
    (kept,) = (row for row in rows(data, "ais") if row["family"] == "foreign")
    assert kept["rule"] == f"A foreign AI, saved from {other}."


def test_an_agent_of_an_interface_plays_another_ai_by_its_saved_answers(data: Path) -> None:
    mb.audit(agents(Game(GAME))["connectx"], GAME, interface="connectx", save="other", data=data)
    played = mb.match("other", lambda board, legal: legal[0], GAME, games=1, data=data)
    assert played.total.games == 2


@dataclass
class Taker:
    """An AI that takes the legal move at a place in their list."""

    place: Any

    def __call__(self, board: str, legal: list[int]) -> Any:
        return legal[self.place]


def take(place: int) -> Callable[[str, list[int]], int]:
    return lambda board, legal: legal[place]


def test_another_function_of_the_same_name_replaces_no_answers(data: Path, tmp_path: Path) -> None:
    def taking(board: str, legal: list[int], place: int) -> int:
        return legal[place]

    functions: list[Any] = [partial(taking, place=0), partial(taking, place=-1)]
    functions += [lambda board, legal: legal[0]]
    functions += [lambda board, legal: legal[0]]
    functions += [lambda board, legal: legal[0], lambda board, legal: legal[-1]]
    for place in ("0", "-1"):  # A notebook defines it again.
        scope: dict[str, Any] = {"__name__": "__main__"}
        exec(f"def choose(board, legal): return legal[{place}]", scope)  # noqa: S102, our own
        functions.append(scope["choose"])
    functions += [Taker(0), Taker(-1), Taker(0).__call__, Taker(-1).__call__, take(0), take(-1)]
    addresses = [FunctionAI("mine", each).address for each in functions]
    assert len({*addresses}) == len(functions)
    assert FunctionAI("mine", take(0)).address == addresses[-2]
    one, other = Taker(0), Taker(-1)
    places: list[Any] = [{"save": "mine"}, {"resume": tmp_path / "kept"}]
    for kept in places:
        mb.audit(one, GAME, data=data, matches=False, **kept)
        with pytest.raises(OptionError, match=r"expected (another name|a new file)"):
            mb.audit(other, GAME, data=data, matches=False, **kept)
        with pytest.raises(AIError, match=r"pickle .*lock' object\): expected a function at"):
            mb.audit(Taker(Lock()), GAME, data=data, matches=False, **kept)
