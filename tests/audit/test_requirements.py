"""What an audit is required to prove: by name, by a share, and by the exit code."""

from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.requirements import parse
from marubatsu.pipeline.support.errors import UsageError
from tests.helpers.processes.commands import Marubatsu


@pytest.fixture(scope="module")
def audits(root: Path) -> dict[str, Audit]:
    """Return audits of some of our AIs."""
    return {name: mb.audit(name, data=root) for name in ("perfect", "ai14s", "ai7", "ai2")}


@pytest.mark.parametrize(
    ("ai", "required", "least", "most", "message"),
    [
        ("perfect", ["strong", "weak", "no-findings", "share=1"], 1, 0, ""),
        ("ai14s", ["share=0.98", "no-findings", "weak"], 0.98, 0, ""),
        ("ai14s", ["strong"], None, None, "strong: it is not perfect"),
        ("ai14s", [], 0.99, None, "--fail-under 0.99: it is right in 98.37 % of the critical"),
        ("ai7", [], None, 0.445, "a best opponent gets 0.445238 points a game from"),
        ("ai2", ["weak", "share=0.9"], None, None,
         "weak: it can lose; share=0.9: it is right in 0.00 % of the critical positions"),
    ],
)  # fmt: skip
def test_what_is_required_is_proved_or_lacking(
    audits: dict[str, Audit], ai: str, required: list[str], least: Any, most: Any, message: str
) -> None:
    lacks = [lacks(audits[ai]) for lacks in parse(required, least=least, most=most)]
    assert message in "; ".join(lack for lack in lacks if lack)
    assert bool(message) == any(lacks)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("perfect --require=strong --fail-under=1 --max-exploitability=0", ""),
        ("ai2 --fail-under=1e-9 --require=weak", "weak: it can lose; --fail-under 1e-09: it is"),
        (
            "perfect --positions=random --sample=9 --require=weak",
            "weak: drawn positions do not tell",
        ),
        ("ai2 --no-matches --max-exploitability=0.9", "the best response is unknown"),
        ("ai2 --plies=4-6 --sample=9 --max-exploitability=0.5", "0.5: it was not asked in"),
    ],
)
def test_what_is_required_decides_the_exit_code(
    marubatsu: Marubatsu, arguments: str, message: str
) -> None:
    done = marubatsu("audit", *arguments.split())
    assert done.returncode == (1 if message else 0)
    assert message in done.stderr
    assert done.stderr.count("\n") == bool(message)
    assert "on tictactoe\n" in done.stdout


@pytest.mark.parametrize("wrong", ["", "perfect", "share", "share=0", "share=1.1", "share=nan"])
def test_a_wrong_requirement_is_told(wrong: str) -> None:
    with pytest.raises(UsageError, match="expected strong, weak, no-findings, or share=S"):
        parse([wrong])
