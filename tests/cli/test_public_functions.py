"""`import marubatsu`: what the commands do, from Python."""

import inspect
import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu import frameworks
from marubatsu.engine.ais.ai import AIError
from marubatsu.judge.agents import box
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers import CHECKOUT
from tests.helpers.broken.broken_environments import Right, SeesTheBoardInAMirror
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import every_command, run_here

CORNERS = CHECKOUT / "examples" / "corners.py"


def first(board: str, legal: list[int]) -> int:
    return legal[0]


def test_an_answer_says_what_show_says(root: Path) -> None:
    for board in (".........", "o...x...o", "ooo.xx..."):
        shown = run_here("show", board, "--format", "json", data=root)
        answer = mb.answer(board, data=root)
        assert answer.to_json() == json.loads(shown.stdout)
        assert str(answer) in run_here("show", board, data=root).stdout
        assert answer.summary in str(answer)
        assert ("both sides at random: circle " in str(answer)) == (answer.turn is not None)
        assert isinstance(answer.best_moves, tuple)


def test_missing_data_is_built_when_that_is_quick(tmp_path: Path) -> None:
    assert mb.answer("....", "2x2k2", data=tmp_path).score == 1
    assert mb.answer("...", mb.Game("1x3k2"), data=tmp_path).score == 1
    assert (tmp_path / "2x2k2" / "manifest.json").exists()
    with pytest.raises(DataError, match="is too large to be solved on one machine: use"):
        mb.answer("." * 56, "8x7k4-gravity", data=tmp_path)
    audited = mb.audit("ai2", "2x2k2", data=tmp_path)  # builds the moves of AIs, too
    assert audited.verdicts.is_complete


def test_a_game_without_data_is_searched(tmp_path: Path) -> None:
    oracle = mb.oracle("connect4", time=30, memory="16MB", data=tmp_path)
    late = "d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 b1 b2 b3 a1 a2"
    found = oracle.within(late)
    assert found == oracle.answer(late) == mb.answer(late, "connect4", data=tmp_path)
    assert [move.loss for move in found.moves] == [0, 2, 2, 2, 2, 2]
    hurried = mb.oracle("6x6k4-gravity", time=0, data=tmp_path)
    with pytest.raises(mb.OutOfTimeError, match="was stopped after 0 s, and knows: nothing yet"):
        hurried.answer("d1")
    bounds = hurried.within("d1")
    assert isinstance(bounds, mb.BoundedAnswer)
    assert (bounds.at_least, bounds.at_most, bounds.score, bounds.best_moves) == (-17, 17, None, ())


def test_the_times_of_searches_are_those_of_the_commands() -> None:
    for ask in (
        lambda time: mb.answer("d1", "connect4", time=time),
        lambda time: mb.match("perfect", "ai2", games=1, game="connect4", time=time),
        lambda time: mb.review([CORNERS], time=time),
        lambda time: frameworks.openspiel_bot("connect4", time=time),
    ):
        for time in (-1.0, float("nan"), 86_401.0):
            with pytest.raises(UsageError, match=rf"^time={time}: expected 0 to 86,400 seconds$"):
                ask(time)
    for function, command in (
        (mb.answer, "show"), (mb.oracle, "show"), (mb.audit, "audit"), (mb.match, "match"),
        (mb.review, "review"),
    ):  # fmt: skip
        typed = {option.name: option.default for option in every_command()[command].params}
        ours = inspect.signature(function).parameters
        for name in {"time", "memory"} & set(ours):
            assert ours[name].default == typed[name], (function, name)


def test_a_game_is_solved_and_its_oracle_opened(kernels: None, tmp_path: Path) -> None:
    solved = mb.solve("2x2k2", memory="16MB", data=tmp_path)
    assert solved.answer("....").key == 0
    assert solved.answer("....") == mb.answer("....", "2x2k2", data=tmp_path)
    with pytest.raises(mb.InputError, match="6x6k4"):
        mb.solve("6x6k4", data=tmp_path)


def test_an_environment_of_the_program_is_walked_as_by_the_command(tmp_path: Path) -> None:
    name = f"{Right.__module__}:SeesTheBoardInAMirror"
    done = run_here("conform-env", name, "--game", "5x1k2", "--format", "json", data=tmp_path)
    assert done.returncode == 1
    answer = [(row["compared"], row["examined"], row["differences"])
            for row in json.loads(done.stdout)]  # fmt: skip
    for environment in (SeesTheBoardInAMirror, SeesTheBoardInAMirror(), name):
        walk = mb.conform_env(environment, "5x1k2")
        assert not walk.agrees()
        assert walk.agrees(["observation"])
        differences = walk.differences.values()
        assert [(each.kind, each.examined, each.differing) for each in differences] == answer
    assert mb.conform_env(Right, mb.Game("5x1k2"), sample=20, seed=1).agrees()


def test_every_fault_of_a_function_is_a_finding(root: Path) -> None:
    def choose(board: str, legal: list[int]) -> Any:
        if "o" not in board:
            raise ZeroDivisionError("nothing yet")
        if board == "o........":
            sys.exit()
        return 99 if board.count("x") == 1 else legal

    findings = {finding.kind: finding for finding in mb.audit(choose, data=root).interview.findings}
    assert set(findings) == {"raises", "illegal move"}
    place = f"test_public_functions.py, line {choose.__code__.co_firstlineno + 2}"
    assert findings["raises"].detail == f"ZeroDivisionError: nothing yet ({place})"
    assert findings["raises"].count == 1 + 2  # Only the empty board is not critical: asked once.


def test_a_match_is_that_of_the_command(root: Path) -> None:
    played = mb.match("ai14s", "ai2", games=200, seed=3)
    text = run_here("match", "ai14s", "ai2", "--games", "200", "--seed", "3", "--format", "csv",
                    data=root).stdout.splitlines()  # fmt: skip
    for line, tally in zip(text[1:3], (played.as_circle, played.as_cross), strict=True):
        assert list(map(int, line.split(",")[4:7])) == [tally.win, tally.lose, tally.draw]
    assert mb.match(first, "ai2", games=200, seed=3) == mb.match("ai1", "ai2", games=200, seed=3)
    both = mb.match(lambda board, legal: legal[:2], "ai2", games=200, seed=3)
    assert both == mb.match(lambda board, legal: set(legal[1::-1]), "ai2", games=200, seed=3)
    with pytest.raises(AIError, match=r"fails on \.{9}: illegal move: 99; legal: 0, 1") as raised:
        mb.match(lambda board, legal: 99, "ai2", games=1)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # noqa: S301, our own
    with pytest.raises(UsageError, match=r"on \.{9}: its form is not clear; .* \(scores\)$"):
        mb.match(lambda board, legal: {0: -2, 1: 1}, "ai2", games=1)


def test_a_function_plays_by_its_weights() -> None:
    seen: list[str] = []

    def choose(board: str, legal: list[int]) -> dict[int, float]:
        seen.append(board)
        return dict(zip(legal, (0, 0.75, 0.25) if len(legal) == 9 else [1] * 9, strict=False))

    mb.match(choose, first, games=400, seed=0)
    second = [board for board in seen if board.count("o") == board.count("x") == 1]
    assert {board.index("o") for board in second} == {1, 2}
    assert len(second) == 400
    assert 250 < sum(board[1] == "o" for board in second) < 350
    vector = mb.match(lambda _, legal: [float(cell == legal[-1]) for cell in range(9)], "ai1")
    assert vector == mb.match(lambda _, legal: legal[-1], "ai1")


SEEN = """\
import os, pathlib
def choose(board, legal):
    pathlib.Path(SECRET).read_bytes()
    os.environ["MINE"]
    return legal[0]
"""
"""An AI that plays when it may read a file, and see a variable."""


def test_options_confine_an_ai_at_an_address(
    shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, file = tmp_path / "secrets" / "one", tmp_path / "own" / "mine.py"
    for path in (secret, file):
        path.parent.mkdir()
        path.write_text(SEEN.replace("SECRET", repr(str(secret))), encoding="utf-8")
    monkeypatch.setenv("MINE", "1")
    ai, game, data = f"{file}:choose", SMALLEST, build_smallest(shared)
    opened: AgentOptions = {"timeout": 60, "allow_read": [secret.parent], "allow_env": "MINE"}
    played = mb.match(ai, "ai2", games=9, game=game, data=data, **opened)
    assert played == mb.match("ai1", "ai2", games=9, game=game, data=data)
    ordered = mb.search(ordering=ai, game=game, data=data, **opened)
    assert ordered.nodes == mb.search(ordering="ai1s", game=game, data=data).nodes
    assert mb.audit(ai, game, data=data, **opened).interview.findings == []
    blind: AgentOptions = {"timeout": 60, "allow_read": secret.parent}
    for ask in (
        lambda: mb.match(ai, "ai2", games=1, game=game, data=data, **blind),
        lambda: mb.search(ordering=ai, game=game, data=data, **blind),
        lambda: mb.audit(ai, game, data=data, **blind),
    ):
        with pytest.raises((AIError, DataError), match="raises: KeyError: 'MINE'"):
            ask()
    if sys.platform == "linux":
        with pytest.raises(AIError, match=r"raises: (FileNotFound|Permission)Error"):
            mb.match(ai, "ai2", games=1, game=game, data=data, timeout=60, allow_env="MINE")
        file.write_text(f"open({str(secret)!r})\ndef choose(board, legal): return legal[0]\n")
        with pytest.raises(
            DataError,
            match=r"files outside its folder may be hidden from it: .* allow_read shows one$",
        ):
            mb.audit(ai, game, data=data)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"timeout": 0}, "timeout=0: expected more than 0, at most 3,600 seconds"),
    ({"agent_memory": "much"}, "'much' is no amount of memory: expected one like 500MB or 2GB"),
    ({"confinement": "some"}, "confinement='some': expected best or strict"),
    ({"allow_read": "no such"}, "allow_read='no such': there is no such file or folder"),
    ({"allow_read": ["/"]}, "allow_read='/': expected less than everything"),
]


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_wrong_options_are_refused(options: dict[str, Any], sentence: str, shared: Shared) -> None:
    ai, game, data = f"{CORNERS}:choose", SMALLEST, build_smallest(shared)
    for ask in (
        lambda: mb.audit(ai, game, data=data, **options),
        lambda: mb.match("ai2", ai, game=game, data=data, **options),
        lambda: mb.search(evaluation=ai, game=game, data=data, **options),
    ):
        with pytest.raises(UsageError, match=f"^{sentence}$"):
            ask()


def test_a_keyword_that_a_flag_turns_off_means_the_opposite(tmp_path: Path) -> None:
    assert "``matches``\n    Also play games, and follow" in str(mb.AuditOptions.__doc__)
    audit_help = run_here("audit", "--help", data=tmp_path).stdout
    assert re.search(r"--no-matches +Play no games; without tables, do not follow", audit_help)


def test_a_misspelled_keyword_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    wrong: Any
    for ask, wrong, expected in (
        (lambda **given: mb.audit("ai14s", data=tmp_path, **given), {"sampel": 10}, "sample"),
        (lambda **given: mb.match("ai1", "ai2", **given), {"timeout": 5, "timout": 5}, "timeout"),
        (mb.search, {"use_tabel": True}, "use_table"),
        (mb.search, {"gaem": "2x2k2"}, "game"),
    ):
        *_, name = wrong
        message = rf"has no keyword '{name}': did you mean {expected}\b"
        with pytest.raises(UsageError, match=message):
            ask(**wrong)
    with pytest.raises(UsageError, match="has no keyword 'oops': expected ai, opponent, game"):
        mb.match("ai1", "ai2", oops=1)  # type: ignore[call-arg]


def test_strict_confinement_is_refused_from_python_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "best", lambda *_, **__: Unconfined())
    with pytest.raises(UsageError, match=r"^this machine does not confine anything: install"):
        mb.match(f"{CORNERS}:choose", "ai2", confinement="strict")


class Unconfined:
    """A box that holds nothing."""

    not_confined = "anything"
    shows_hidden = "it hides nothing"


def test_options_of_confinement_are_refused_for_functions_of_this_program(shared: Shared) -> None:
    sentence = (
        "timeout, confinement: only an AI at an address is confined, as in file.py:function; a "
        "function of this program runs in it without limits"
    )
    given: Any = {"game": SMALLEST, "data": build_smallest(shared)}
    options: AgentOptions = {"timeout": 5, "confinement": "strict"}
    for ask in (
        lambda: mb.audit(first, **given, **options),
        lambda: mb.match(first, "ai2", **given, **options),
        lambda: mb.search(ordering=first, **given, **options),
        lambda: mb.search(**given, **options),
    ):
        with pytest.raises(UsageError, match=f"^{sentence}$"):
            ask()
    ours = mb.match("ai1", "ai2", games=1, timeout=5, **given)
    assert ours == mb.match(first, "ai2", games=1, **given)


def test_a_review_takes_one_file_as_a_list_of_one(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("ann - bob: b2 b3 a3 c1 a2 a1 c2", encoding="utf-8")
    listed, one, named = (mb.review(each, "tictactoe") for each in ([file], file, str(file)))
    assert listed.to_json() == one.to_json() == named.to_json()


def test_an_error_names_an_option_as_its_caller_wrote_it(root: Path) -> None:
    for keyword, option, value in (
        ("allow_read", "--allow-read", "no such"), ("interface", "--as", "kaggle"),
        ("plies", "--plies", "9-1"), ("timeout", "--timeout", 5000),
    ):  # fmt: skip
        with pytest.raises(UsageError) as raised:
            mb.audit(f"{CORNERS}:choose", data=root, **{keyword: value})  # type: ignore[arg-type]
        begins, _, sentence = str(raised.value).partition(": ")
        assert begins == f"{keyword}={value!r}"
        done = run_here("audit", f"{CORNERS}:choose", option, str(value), data=root)
        assert done.stderr == f"marubatsu: {option} {value!r}: {sentence}\n"


def test_a_search_takes_names_and_functions() -> None:
    assert mb.search(ordering="ai1s").nodes == mb.search(ordering=first).nodes == 18297
    backwards = mb.search(
        "alphabeta", ordering=lambda board, legal: {move: move for move in legal}, order_all=True
    )
    assert backwards.nodes == 18297  # Turned by half a turn.
    assert mb.search("nullwindow").nodes == 16811
    full: Any = {"use_table": True, "table_size": 1024}
    assert mb.search(**full, replacement="depth").score == 0


def test_tables_are_relations_and_sql_reads_them(root: Path) -> None:
    tables = mb.tables(data=root)
    assert tables.positions.count("*").fetchall() == [(5478,)]
    assert tables.positions.to_arrow_table().num_rows == 5478
    assert {"positions", "ai_moves", "nodes"} <= set(dir(tables))
    with pytest.raises(AttributeError, match="has no table 'oops' here: expected one of"):
        _ = tables.oops
    with pytest.raises(AttributeError, match=r"no table 'solution' here: call marubatsu\.solve"):
        _ = tables.solution
    counted = mb.sql("select count(*) from classes", data=root)
    assert counted.fetchall() == [(765,)]
