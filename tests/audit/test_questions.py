"""Agents whose questions cost something: samples, a limit of questions."""

import json
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import marubatsu as mb
from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.judge.agents.agent import Agent, BoardQuestion
from marubatsu.judge.agents.reply_reader import ReplyReader
from marubatsu.judge.agents.responder import Responder
from marubatsu.pipeline.support.errors import UsageError
from tests.audit.conftest import Counted, Write
from tests.helpers import CHECKOUT
from tests.helpers.processes.commands import Marubatsu, require_refused

SMALL = "3x2k2"
FIRST = "def choose(board, legal): return legal[0]\n"


def test_a_sample_of_a_game_with_tables_has_one_position_of_each_class(root: Path) -> None:
    game, boards = Game(SMALL), dict[int | str, list[str]]()
    for sample in (3, 9, "all"):
        ai = Counted()
        found = mb.audit(ai, SMALL, sample=sample, seed=1, data=root)
        boards[sample] = list(dict.fromkeys(ai.boards))[: found.interview.examined]
        classes = {min(class_members(game, from_text(game, board))) for board in boards[sample]}
        assert len(classes) == len(boards[sample]) == found.interview.examined
        assert (found.unit, found.seed) == ("class", 1)
        assert not found.verdicts.strongly_solved
        assert found.verdicts.is_sample == (sample != "all")
    assert set(boards[3]) < set(boards[9]) < set(boards["all"])
    assert len(boards["all"]) == found.unfinished
    perfect = mb.audit("perfect", SMALL, sample="all", data=root)
    assert perfect.verdicts.positions_right == perfect.verdicts.positions
    assert perfect.verdicts.strongly_solved is None
    assert perfect.verdicts.as_circle


@pytest.mark.parametrize(
    ("options", "unit", "most"),
    [
        ({}, "position", 1),
        ({}, "position", 30),
        ({"sample": 40}, "class", 8),
        ({"sample": 40}, "class", 400),
        ({"positions": "random"}, "class", 30),
        ({"positions": "random", "sample": 7}, "class", 8),
    ],
)
def test_an_audit_asks_no_more_than_it_may(
    root: Path, options: dict[str, object], unit: str, most: int
) -> None:
    ai = Counted()
    found = mb.audit(ai, SMALL, most_questions=most, data=root, **options)  # type: ignore[arg-type]
    assert len(ai.boards) <= most
    assert found.unit == unit
    assert 0 < found.interview.examined <= most
    assert found.interview.unjudged == 0
    assert found.interview.findings == []
    whole = mb.audit(Counted(), SMALL, data=root, **options)  # type: ignore[arg-type]
    if whole.interview.asked > most:
        assert len(ai.boards) == most
        assert found.verdicts.strongly_solved in (None, False)
    else:
        assert found.blunders.rows == whole.blunders.rows


def test_a_limit_of_questions_is_reported_and_proves_nothing(
    marubatsu: Marubatsu, written: Write
) -> None:
    capped = ("--game", SMALL, "--most-questions", "25", "--seed", "3")
    done = marubatsu("audit", written(FIRST), *capped, "--require", "weak")
    assert done.returncode == 1
    assert re.search(
        r"^25 questions about 25 of \d+ positions, seed 3 in", done.stdout, re.MULTILINE
    )
    assert "fails weak: it was not asked in every position that it can" in done.stderr
    assert "may solve the game weakly: it was not asked in every" in done.stdout
    assert "critical positions of the sample" in done.stdout


def test_a_function_of_this_program_answers_alone(root: Path) -> None:
    message = "^jobs=2: Counted is a function of this program, which answers"
    with pytest.raises(UsageError, match=message):
        mb.audit(Counted(), SMALL, jobs=2, data=root)


@pytest.mark.parametrize("options", [{}, {"sample": 9}, {"positions": "random"}])
def test_without_matches_only_answers_count(root: Path, options: dict[str, object]) -> None:
    ai = Counted()
    found = mb.audit(ai, SMALL, matches=False, data=root, **options)  # type: ignore[arg-type]
    assert found.matches.rows == []
    assert (found.verdicts.exploitability, found.verdicts.exploitability_at_least) == (None, None)
    assert (found.verdicts.as_circle is None) == bool(options)
    marks = found.interview.asked // 10  # questions with exchanged marks
    assert len(ai.boards) <= found.interview.asked + marks + 2 * -(-marks // 5)  # in capitals
    assert "best response" not in str(found)
    assert "games" not in str(found).partition("\n\n")[0].replace("random games", "")


@pytest.mark.parametrize("options", [{"sample": 9}, {"positions": "random", "sample": 9}])
def test_questions_in_games_are_counted(root: Path, options: dict[str, object]) -> None:
    known = mb.oracle(SMALL, data=root)
    boards = []

    def choose(board: str, legal: list[int]) -> list[int]:
        boards.append(board)
        return list(known.answer(board).best_moves)

    found = mb.audit(choose, SMALL, data=root, **options)  # type: ignore[arg-type]
    assert found.interview.asked == len(boards)
    assert f"{len(boards):,} questions about " in str(found)
    few = mb.audit(choose, SMALL, most_questions=len(boards) - 1, data=root, **options)  # type: ignore[arg-type]
    assert " and those of its games, seed 0" in str(few)
    assert " and those of its games, seed 0" in str(found)


ODD = """
def illegal(board, legal): return [legal[0], 7] if board.count("o") == 2 else legal[0]
def failing(board, legal): return legal[len(board) if board.startswith("o") else 0]
def broken(board, legal): raise ValueError("no")
def printing(board, legal):
    print(board)
    return legal[-1]
"""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("failing", ()),
        ("printing", ()),
        ("broken", ()),
        ("illegal", ("--sample=7", "--most-questions=40", "--no-matches")),
    ],
)
def test_several_processes_give_the_audit_of_one(
    marubatsu: Marubatsu, written: Write, name: str, options: tuple[str, ...]
) -> None:
    ai = written(ODD).replace(":choose", f":{name}")
    command = ("audit", ai, "-g", SMALL, "-f", "json", "--timeout", "60", *options)
    one, three = (marubatsu(*command, "--jobs", jobs) for jobs in "13")
    assert (one.returncode, one.stdout) == (three.returncode, three.stdout)
    assert one.stderr == three.stderr
    assert one.returncode == (name == "broken")


class _Together(Responder):
    """It answers only while another responder of the same AI is asked, or until it is stopped."""

    def __init__(self, others: threading.Barrier) -> None:
        self._others = others

    def ask(self, board: str, legal: list[int]) -> tuple[Fault, list[Fault]]:
        try:
            self._others.wait()
        except threading.BrokenBarrierError:
            return Fault("crash"), []
        return Fault("no move", board), []

    def value(self, board: str) -> float:
        return 0.0

    def stop(self) -> None:
        self._others.abort()


def asked_together(barrier: threading.Barrier) -> Agent:
    both = [_Together(barrier), _Together(barrier)]
    return Agent("both", both, ReplyReader("auto", Game(SMALL)))


def test_concurrent_answers_come_in_order() -> None:
    barrier = threading.Barrier(2)
    questions = [BoardQuestion(str(number), [0]) for number in range(20)]
    with asked_together(barrier) as agent:
        boards = [
            each.answer.detail
            for each in agent.answers(questions)
            if isinstance(each.answer, Fault)
        ]
    assert boards == [question.board for question in questions]


@pytest.mark.parametrize(
    ("retries", "failures", "pauses", "kinds"),
    [(0, 1, [], ["infrastructure"]), (1, 1, [1], []), (6, 6, [1, 2, 4, 8, 16, 30], [])],
)
def test_failures_of_a_service_are_retried_with_growing_pauses(
    root: Path, monkeypatch: pytest.MonkeyPatch, retries: int, failures: int,
    pauses: list[float], kinds: list[str],
) -> None:  # fmt: skip
    paused: list[float] = []
    wait_for = threading.Event.wait

    def wait(event: threading.Event, seconds: float | None = None) -> bool:
        if seconds is None or seconds < 1:  # A thread begins, or works.
            return wait_for(event, seconds)
        paused.append(seconds)
        return False

    left = [failures]

    def choose(board: str, legal: list[int]) -> list[int]:
        if board == "o....." and left[0]:
            left[0] -= 1
            raise ConnectionError("no service")
        return legal

    monkeypatch.setattr(threading.Event, "wait", wait)
    found = mb.audit(choose, SMALL, retries=retries, data=root)
    assert paused[: len(pauses)] == pauses
    assert [finding.kind for finding in found.interview.findings] == kinds
    assert found.interview.unjudged == 0  # It is asked once more at the end.
    assert found.interview.without_answer == 0


def test_the_end_of_several_waits_for_no_answer() -> None:
    barrier = threading.Barrier(3)  # of two processes: they would wait for ever

    def questions() -> Iterator[BoardQuestion]:
        yield from (BoardQuestion(str(number), [0]) for number in range(3))
        raise KeyboardInterrupt

    agent = asked_together(barrier)
    with pytest.raises(KeyboardInterrupt), agent:
        list(agent.answers(questions()))


@pytest.mark.parametrize(
    ("options", "kept"),
    [({}, 1), ({}, 0.5), ({}, 0.0), ({"sample": 5}, 0.99), ({"positions": "random"}, 0.1)],
)
def test_an_audit_goes_on_from_the_answers_that_it_has(
    root: Path, tmp_path: Path, options: dict[str, object], kept: float
) -> None:
    file, ai = tmp_path / "answers.jsonl", Counted()
    options = {"resume": file, "data": root, **options}
    whole = mb.audit(ai, SMALL, **options).to_json()  # type: ignore[arg-type]
    text, questions = file.read_bytes(), len(ai.boards)
    file.write_bytes(text[: int(kept * len(text))])  # as after kill -9: the last line is torn
    answers = max(0, file.read_bytes().count(b"\n") - 1)
    again = Counted()
    assert mb.audit(again, SMALL, **options).to_json() == whole  # type: ignore[arg-type]
    assert len(again.boards) == questions - answers
    assert sorted(file.read_bytes().splitlines()) == sorted(text.splitlines())


class CountedPlaces(Counted):
    """The same move as a row and a column."""

    def __call__(self, board: str, legal: list[int]) -> Any:
        return divmod(super().__call__(board, legal), 3)


def test_an_answer_that_a_full_disk_takes_in_part_is_not_kept(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, write = tmp_path / "answers.jsonl", os.write
    mb.audit(Counted(), SMALL, resume=file, data=root, matches=False, sample=1)
    kept = file.read_bytes()
    monkeypatch.setattr(os, "write", lambda to, data: write(to, data[: len(data) // 2]))
    with pytest.raises(OSError, match="No space left"):
        mb.audit(Counted(), SMALL, resume=file, data=root, matches=False, sample=2)
    assert file.read_bytes() == kept


def test_an_audit_in_another_form_goes_on_from_its_answers(root: Path, tmp_path: Path) -> None:
    ais = CountedPlaces(), CountedPlaces()
    kept: dict[str, Any] = {"resume": tmp_path / "answers.jsonl", "data": root}
    with pytest.raises(UsageError, match="its form is not clear"):
        mb.audit(ais[0], SMALL, **kept)
    found = mb.audit(ais[1], SMALL, answers="row-column", **kept).interview
    exchanged, capitals = found.asked // 10, found.asked // 50 + 1
    asked = sum(len(ai.boards) for ai in ais)
    assert (found.findings, asked) == ([], found.asked + exchanged + 2 * capitals)


def test_a_baseline_is_asked_while_the_answers_of_the_other_ai_are_kept(
    root: Path, tmp_path: Path
) -> None:
    ai, baseline = Counted(), Counted()
    kept: dict[str, Any] = {"resume": tmp_path / "answers.jsonl", "data": root}
    mb.audit(ai, SMALL, baseline=baseline, **kept)
    compared, again = len(baseline.boards), Counted()
    mb.audit(again, SMALL, baseline=baseline, **kept)
    assert (len(again.boards), len(baseline.boards)) == (0, 2 * compared)


def test_failures_are_asked_about_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(board: str, legal: list[int]) -> list[int]:
        if board == os.environ.get("FAILING"):
            raise ConnectionError("no service")
        return legal

    file = tmp_path / "answers.jsonl"
    monkeypatch.setenv("FAILING", "ox....")
    assert mb.audit(choose, SMALL, resume=file, data=root).interview.unjudged
    monkeypatch.delenv("FAILING")
    assert mb.audit(choose, SMALL, resume=file, data=root).interview.unjudged == 0


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (None, {"game": "2x2k2"}, "it holds answers with game '3x2k2', not '2x2k2'"),
        (None, {"first": "x"}, "it holds answers with first 'o', not 'x'"),
        ("[]\n[]\n", {}, "it holds other things than answers"),
        ("HEADER\rHEADER\r", {}, "it holds other things than answers"),
        ('HEADER\n{"board": "......", "legal": [], "answer": {"returned": {}}, "faults": []}\n', {},
         "line 2 is no answer; remove it, or name a new file"),
        ('HEADER\n{"board": "......", "legal": [], "answer": {"returned": 0}, "faults": [1]}\n', {},
         "line 2 is no answer; remove it, or name a new file"),
    ],
)  # fmt: skip
def test_a_file_of_something_else_is_refused_and_kept(
    root: Path, tmp_path: Path, text: str | None, options: dict[str, object], message: str
) -> None:
    file = tmp_path / "answers.jsonl"
    mb.audit(Counted(), SMALL, resume=file, data=root)
    if text is not None:
        header = file.read_text(encoding="utf-8").splitlines()[0]
        file.write_text(text.replace("HEADER", header), encoding="utf-8")
    before = file.read_bytes()
    arguments = {"game": SMALL, "resume": file, "data": root, **options}
    with pytest.raises(UsageError, match=re.escape(message)):
        mb.audit(Counted(), **arguments)  # type: ignore[arg-type]
    assert file.read_bytes() == before


def test_answers_of_another_ai_are_refused(
    marubatsu: Marubatsu, written: Write, tmp_path: Path
) -> None:
    first, kept = written(FIRST), ("--game", SMALL, "--resume", str(tmp_path / "answers.jsonl"))
    for options in ((), ("--jobs", "2")):
        assert marubatsu("audit", first, *kept, *options).returncode == 0
    (tmp_path / "second.py").write_text(FIRST, encoding="utf-8")
    done = marubatsu("audit", first.replace("mine.py", "second.py"), *kept)
    require_refused(done, "it holds answers with ai '")
    written(f"{FIRST}\n")  # The user has changed the file.
    require_refused(marubatsu("audit", first, *kept), "it holds answers with code '")


FAILING = """
def illegal(board, legal): return 0
def outage(board, legal): raise ConnectionError("no service")
def text(board, legal): return "a1"
"""


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("illegal", 0, "each game in which it fails counts as lost"),
        ("outage", 2, "infrastructure"),
        ("text", 0, "are asked by --as textarena; each game in which it fails counts as lost"),
    ],
)
def test_a_failure_loses_one_game(
    marubatsu: Marubatsu, written: Write, name: str, code: int, message: str
) -> None:
    ai = written(FAILING).replace(":choose", f":{name}")
    played = ("match", "ai1", ai, "-g", "2x2k2", "--games", "5", "-f", "json")
    assert marubatsu(*played).returncode == 2
    done = marubatsu(*played, "--forfeit")
    assert done.returncode == code
    assert message in done.stderr
    assert done.stderr.count("fails on") == 1
    if code == 0:
        rows = {row["first_is"]: row for row in json.loads(done.stdout)}
        assert rows["total"]["games"] == 10
        assert rows["circle"]["win"] == 5


@pytest.mark.parametrize(
    ("game", "ai", "options", "message", "color"),
    [
        ("tictactoe", "perfect", (), "tic-tac-toe | 431 of 431 classes", "#2f7d32"),
        (SMALL, "ai2", ("--sample", "9"), "3x2k2 | ", "#b3261e"),
    ],
)
def test_a_badge_shows_the_verdict(
    marubatsu: Marubatsu, tmp_path: Path, game: str, ai: str, options: tuple[str, ...],
    message: str, color: str,
) -> None:  # fmt: skip
    file = tmp_path / "badge.svg"
    done = marubatsu("audit", ai, "-g", game, "--badge", str(file), *options)
    assert done.returncode == 0
    text = file.read_text(encoding="utf-8")
    image = ET.fromstring(text)  # noqa: S314, it is ours
    assert message in (image[0].text or "")
    assert color in text
    assert ("of a sample" in text) == bool(options)
    assert "href" not in text


def test_the_workflow_runs_commands_that_there_are(
    marubatsu: Marubatsu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (CHECKOUT / "examples/github-action.yml").read_text(encoding="utf-8")
    (command,) = re.findall(r"run: marubatsu (audit .*)", text)
    (tmp_path / "my_agent.py").write_text(FIRST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = marubatsu(*command.split())
    assert done.returncode == 1
    assert "fails weak: it can lose; --fail-under 0.9: it is right in" in done.stderr
    assert Path("audit.svg").exists()
