"""AIs that know boards on which cross begins: asked with the marks exchanged, or found out."""

from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from tests.helpers.processes.commands import Marubatsu
from tools.generators.run_pages import CHECKOUT

PLAYER = """
from functools import cache
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

@cache
def value(board, mover, other):
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return -1
    after = (board[:m] + mover + board[m + 1:] for m, c in enumerate(board) if c == ".")
    return max((-value(each, other, mover) for each in after), default=0)

def choose(board, legal):
    mover = "x" if board.count("x") == board.count("o") else "o"
    other = "o" if mover == "x" else "x"
    after = {m: board[:m] + mover + board[m + 1:] for m in legal}
    return max(legal, key=lambda m: -value(after[m], other, mover))

def strict(board, legal):
    if board.count("x") not in (board.count("o"), board.count("o") + 1):
        raise ValueError("x begins")
    return choose(board, legal)
"""
"""A perfect player on boards on which x begins."""


@pytest.fixture(scope="module")
def player() -> dict[str, Any]:
    """Return the functions of the player."""
    names: dict[str, Any] = {}
    exec(PLAYER, names)  # noqa: S102, it is ours
    return names


def test_a_player_of_other_marks_is_found_out_and_judged_with_them(
    root: Path, player: dict[str, Any]
) -> None:
    found = mb.audit(player["choose"], data=root)
    assert not found.verdicts.strongly_solved
    (finding,) = found.interview.findings
    assert finding.kind == "exchanged marks"
    assert finding.detail.startswith("right in ")
    assert "of 200 critical positions as it is asked, in 200 when x begins: try" in finding.detail
    as_asked = int(finding.detail.split()[2])
    assert finding.count == 200 - as_asked
    exchanged = mb.audit(player["choose"], data=root, first="x")
    assert exchanged.verdicts.strongly_solved
    assert exchanged.interview.findings == []


def test_marks_are_exchanged_back(root: Path) -> None:
    """A player of our marks that is asked as one of the others."""
    names: dict[str, Any] = {}
    exec((CHECKOUT / "examples" / "minimax.py").read_text(), names)  # noqa: S102, it is ours
    (finding,) = mb.audit(names["choose"], data=root, first="x").interview.findings
    assert "in 200 when o begins: try the option first='o'" in finding.detail


def test_the_finding_names_the_option_of_the_command(marubatsu: Marubatsu, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAYER, encoding="utf-8")
    found = marubatsu("audit", f"{file}:choose").stdout
    assert "in 200 when x begins: try --first x" in found
    assert "\nis not perfect" in found
    solved = marubatsu("audit", f"{file}:choose", "--first", "x").stdout
    assert "\nsolves the game strongly" in solved
    assert "\nfindings: none\n" in solved
    ended = marubatsu("audit", f"{file}:strict")
    assert ended.returncode == 1
    assert "raises: ValueError: x begins" in ended.stderr
    assert "findings: none" in marubatsu("audit", f"{file}:strict", "--first", "x").stdout


@pytest.mark.parametrize("name", ["corners", "middle"])
def test_an_imperfect_player_of_our_marks_has_no_such_finding(root: Path, name: str) -> None:
    names: dict[str, Any] = {}
    exec((CHECKOUT / "examples" / f"{name}.py").read_text(), names)  # noqa: S102, it is ours
    found = mb.audit(names["choose"], data=root)
    assert not found.verdicts.strongly_solved
    assert found.interview.findings == []


def test_what_fails_with_exchanged_marks_is_no_finding(root: Path) -> None:
    asked: list[str] = []

    def choose(board: str, legal: list[int]) -> int:
        asked.append(board)
        if board.count("x") > board.count("o"):
            raise ValueError("o begins")
        return legal[0]

    found = mb.audit(choose, data=root)
    assert found.interview.findings == []
    assert found.interview.asked == 4951
    assert len(asked) == 4951 + 200
    assert found.verdicts == mb.audit("ai1", data=root).verdicts


def test_a_small_audit_asks_few_more_questions(player: dict[str, Any]) -> None:
    asked: list[str] = []

    def choose(board: str, legal: list[int]) -> int:
        asked.append(board)
        return legal[0]

    found = mb.audit(choose, positions="random", sample=50)
    assert len(asked) == found.interview.asked + found.interview.asked // 10


def test_first_exchanges_marks_everywhere(
    marubatsu: Marubatsu, tmp_path: Path, player: dict[str, Any]
) -> None:
    seen: list[str] = []

    def choose(board: str, legal: list[int]) -> int:
        seen.append(board)
        return legal[0]

    def value(board: str) -> int:
        seen.append(board)
        return 0

    mb.match(choose, "ai1", "3x1k3", games=1, first="x")
    assert seen == ["...", "xo.", "x.."]
    seen.clear()
    mb.search(ordering=choose, game="3x1k3", first="x")
    assert seen[:3] == ["...", "x..", "xo."]
    seen.clear()
    mb.search("depth_limited", game="3x1k3", max_depth=1, first="x", evaluation=value)
    assert seen[:3] == ["x..", ".x.", "..x"]
    program = tmp_path / "seen.sh"
    program.write_text(
        '#!/bin/sh\nwhile read -r n b m; do echo "$b" >&2; echo "$n ${m%%,*}"; done\n'
    )
    program.chmod(0o755)
    done = marubatsu("audit", f"command:{program}", "--game", "3x2k2", "--first", "x")
    assert "'......'" in done.stdout
    perfect = mb.match(player["choose"], "perfect", games=20, first="x").total
    assert (perfect.win, perfect.lose) == (0, 0)


def test_agents_of_frameworks_keep_their_marks(marubatsu: Marubatsu) -> None:
    agent = f"{CHECKOUT}/examples/connectx_agent.py:agent"
    options = ("--as", "connectx", "--game", "3x2k2")
    plain = marubatsu("audit", agent, *options)
    exchanged = marubatsu("audit", agent, *options, "--first", "x")
    assert exchanged.stdout.splitlines()[2:] == plain.stdout.splitlines()[2:]
    assert "connectx has its own marks, which are not exchanged" in exchanged.stderr


@pytest.mark.parametrize("first", ["y", "cross", "", "0"])
def test_a_mark_that_is_none(marubatsu: Marubatsu, first: str) -> None:
    done = marubatsu("match", "ai1", "ai2", "--first", first)
    assert done.returncode == 2
    assert f"--first {first!r}: expected o or x, the mark of the side that begins" in done.stderr
