"""Environments that others wrote: each planted fault is found, and named with its line."""

import json
import signal
import sys
from pathlib import Path

import pytest

from examples.noughts import Noughts
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.judge.bridges import conformance
from marubatsu.judge.bridges.environments import (
    FRAMEWORKS,
    Environment,
    WalkedEnvironment,
    environment_names,
    find_environment,
)
from marubatsu.pipeline.laboratory.board_conformance import find_board
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers.broken import broken_environments
from tests.helpers.broken.broken_environments import BROKEN, GAME, CannotBegin, Right
from tests.helpers.processes.commands import run_here

TICTACTOE = Game("tictactoe")
EXAMINED = {
    "errors": 134, "legal moves": 86, "turn": 86, "end": 134, "winner": 48, "rewards": 134,
    "observation": 134, "legal moves at the end": 48, "illegal move": 147,
    "move outside the board": 112, "move after the end": 30,
}  # fmt: skip
"""Of 5x1k2: 133 moves lead to its 80 positions, and the first position is no move's."""

HELPERS = "tests.helpers.broken.broken_environments"


def walked_environment(environment: Environment, game: Game = GAME) -> WalkedEnvironment:
    return WalkedEnvironment("it", environment, game, "")


def walked(
    environment: Environment, game: Game = GAME, games: int | None = None
) -> conformance.Walk:
    return conformance.walk_environment(
        walked_environment(environment, game), games, 0, lambda _: None
    )


@pytest.mark.parametrize("name", BROKEN)
def test_a_planted_fault_is_found_and_named_with_its_shortest_line(name: str) -> None:
    broken, shown = BROKEN[name]
    found = walked(broken())
    differing = {row[0]: (row[4], row[6]) for row in conformance.rows(found) if row[1] is False}
    assert differing == shown
    assert not found.agrees()


def test_a_move_outside_the_board_that_never_ends_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Waits(Right):
        may_crash = True

        def play(self, cell: int) -> None:
            if cell == GAME.cells:
                signal.pause()
            super().play(cell)

    monkeypatch.setattr(conformance, "_PATIENCE", 0.1)
    found = walked(Waits()).differences[conformance.OUTSIDE]
    assert (found.line, found.found) == ((5,), "takes more than 0.1 s")


def test_every_kind_of_difference_has_a_planted_fault() -> None:
    assert {kind for _, shown in BROKEN.values() for kind in shown} == conformance.KINDS.keys()


@pytest.mark.parametrize(
    ("right", "answer"),
    [
        (Right, "raises ValueError"),
        (broken_environments.PunishesIllegalMoves,
         "ends the game: -1 for the mover, 0 for the opponent"),
        (broken_environments.IgnoresIllegalMoves, "changes nothing"),
    ],
)  # fmt: skip
def test_a_right_environment_passes(right: type[Right], answer: str) -> None:
    found = walked(right())
    assert found.agrees()
    assert found.answers[conformance.FILLED, answer] == EXAMINED[conformance.FILLED]
    assert {kind: each.examined for kind, each in found.differences.items()} == EXAMINED
    assert len(found.positions) == 80


def test_the_example_of_the_docs_agrees_on_samples() -> None:
    found = walked(Noughts(), TICTACTOE, games=20)
    assert found.agrees()
    assert found.differences["winner"].examined == 20
    assert found.differences["observation"].agrees is None  # It shows none.


def test_every_move_of_every_position_is_walked_once() -> None:
    moves, positions = 0, {EMPTY}
    for line in conformance.every_move(TICTACTOE):
        position = EMPTY
        for ply, cell in enumerate(line.moves, 1):
            position = TICTACTOE.play(position, cell)
            assert (position in positions) or ply >= line.new_from
            positions.add(position)
        moves += len(line.moves) - max(line.new_from, 1) + 1
    assert (moves, len(positions)) == (16_167, 5_478)


def test_random_games_end_and_are_drawn_by_their_seed() -> None:
    games = list(conformance.random_games(TICTACTOE, 30, 1))
    for game in games:
        position = EMPTY
        for cell in game.moves:
            position = TICTACTOE.play(position, cell)
        assert TICTACTOE.legal_moves(position) == ()
    assert games == list(conformance.random_games(TICTACTOE, 30, 1))
    assert games != list(conformance.random_games(TICTACTOE, 30, 2))


@pytest.mark.parametrize(
    ("game", "board", "cells"),
    [
        ("tictactoe", "o.x......", [0, 2]),
        ("3x2k3-gravity", "...ox.", []),
        ("3x2k3-gravity", "x..o..", [0]),
        ("3x2k3-gravity", "xo.ox.", [0, 1]),
    ],
)
def test_illegal_moves_are_those_whose_action_is_not_legal(
    game: str, board: str, cells: list[int]
) -> None:
    masks = (sum(1 << i for i, mark in enumerate(board) if mark == sign) for sign in "ox")
    found = conformance.illegal_moves(Game(game), Position(*masks))
    assert found == {conformance.FILLED: cells, conformance.OUTSIDE: [-1, Game(game).cells]}


def test_illegal_moves_at_the_end_are_those_that_a_board_has_room_for() -> None:
    oooxx = Position(0b111, 0b11000)
    assert conformance.illegal_moves(TICTACTOE, oooxx) == {conformance.AT_THE_END: [5, 6, 7, 8]}


def test_a_symmetry_that_explains_every_observation_is_named() -> None:
    text = conformance.summary(
        walked_environment(Right()), walked(broken_environments.SeesTheBoardInAMirror())
    )
    assert "after 0: expected o...., found ....o\n" in text
    assert "every observation is the board under one symmetry: mirror left-right\n" in text
    assert "symmetry" not in conformance.summary(
        walked_environment(Right()), walked(broken_environments.SeesTwoCellsSwapped())
    )


def test_a_walk_that_examined_nothing_does_not_pass() -> None:
    found = walked(CannotBegin())
    assert not found.agrees(list(conformance.KINDS))
    assert not conformance.Walk(GAME, Right(), every_illegal_move=True).agrees()


def test_an_accepted_difference_does_not_fail() -> None:
    found = walked(broken_environments.RewardsIllegalMoves())
    assert not found.agrees(["turn"])
    assert not found.agrees(["illegal move"])
    both = ["move outside the board", "illegal move"]
    assert found.agrees(both)
    text = conformance.summary(walked_environment(Right()), found, both)
    assert text.endswith(
        "agrees with 5x1k2 in 80 positions, but for: illegal move, move outside the board\n"
    )


@pytest.mark.parametrize("word", FRAMEWORKS)
def test_a_missing_package_is_a_sentence_that_says_what_to_install(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("pettingzoo", "pyspiel", "pgx", "kaggle_environments"):
        monkeypatch.setitem(sys.modules, library, None)
    name = next(name for name in environment_names() if name.startswith(f"{word}:"))
    with pytest.raises(UsageError) as caught:
        find_environment(name)
    package = FRAMEWORKS[word].package
    assert str(caught.value) == (
        f"'{name}' needs {package}, which is not installed where marubatsu runs: "
        f"{sys.executable} -m pip install {package}"
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nothing", "'nothing' names no environment: expected file.py:Class"),
        ("pgx:chess", "'pgx:chess' names no environment: expected one of pettingzoo:tictactoe_v3"),
        ("pgx:", "'pgx:' names no environment"),
        ("kaggle:connectx(k=4)", "'kaggle:connectx(k=4)' has a parameter that is not known"),
        ("openspiel:mnk(m=x)", "'openspiel:mnk(m=x)' names no environment"),
        ("no.py:Class", "there is no file 'no.py': expected one with a class of an environment"),
        (f"{HELPERS}:GAME", "makes no environment, as it has no reset, turn, over"),
        (f"{HELPERS}:Nobody", f"Nobody is not there: {HELPERS} has Right"),
        ("string:Nobody", "Nobody is not there: string has no environment"),
        ("builtins:object", "makes no environment, as it has no reset"),
    ],
)
def test_a_name_that_is_none_is_a_sentence(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_environment(spec)
    assert message in str(caught.value)


def test_code_that_cannot_be_loaded_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("raise RuntimeError('no')")
    with pytest.raises(DataError, match=r"wrong.py:It cannot be loaded: RuntimeError: no"):
        find_environment(f"{file}:It")
    file.write_text("raise SystemExit")
    for find in (find_environment, find_board):
        with pytest.raises(DataError, match=r"wrong.py:It cannot be loaded: ExitError: sys.exit"):
            find(f"{file}:It")


def test_the_command_reports_a_difference_and_fails(tmp_path: Path) -> None:
    arguments = ("conform-env", f"{HELPERS}:OverwritesMarks", "--game", GAME.name)
    done = run_here(*arguments, "--format", "json", data=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    (row,) = (row for row in json.loads(done.stdout) if row["agrees"] is False)
    assert row == {
        "compared": "illegal move", "agrees": False, "examined": 147, "differences": 55,
        "line": "0 0", "expected": "no change, or a loss for the mover",
        "found": "changes observations",
    }  # fmt: skip
    accepted = run_here(*arguments, "--accept", "illegal move", data=tmp_path)
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert "agrees with 5x1k2 in 80 positions, but for: illegal move\n" in accepted.stdout
