"""Requirements of audits: by name, by a share, and by the exit code."""

import json

import pytest

from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.pipeline.support.errors import UsageError
from tests.helpers.processes.commands import Marubatsu


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("perfect --require=strong --fail-under=1 --max-exploitability=0", ""),
        ("ai14s --require=share=0.98 --require=no-findings --require=weak --fail-under=0.98", ""),
        ("ai14s --require=strong", "strong: it is not perfect"),
        ("ai14s --fail-under=0.99", "--fail-under 0.99: it is right in 98.37 % of the critical"),
        ("ai7 --max-exploitability=0.445", "a best opponent gets 0.445238 points a game from"),
        ("ai2 --fail-under=1e-9 --require=weak", "weak: it can lose; --fail-under 1e-09: it is"),
        ("perfect --positions=random --sample=9 --require=weak", "weak: drawn positions do not"),
        ("ai2 --no-matches --max-exploitability=0.9", "the best response is unknown"),
        ("ai2 --plies=4-6 --sample=9 --max-exploitability=0.5", "0.5: it was not asked in"),
    ],
)
def test_requirements_decide_the_exit_code(
    marubatsu: Marubatsu, arguments: str, message: str
) -> None:
    done = marubatsu("audit", *arguments.split())
    assert done.returncode == (1 if message else 0)
    assert message in done.stderr
    assert done.stderr.count("\n") == bool(message)
    assert "on tictactoe\n" in done.stdout


def test_a_requirement_that_is_not_met_is_an_event_of_the_log(marubatsu: Marubatsu) -> None:
    done = marubatsu("--log-json", "audit", "ai14s", "--require=strong")
    *_, event = map(json.loads, done.stderr.splitlines())
    assert (event["event"], event["exit_code"]) == ("error", 1)
    assert event["message"].startswith("marubatsu: ai14s fails strong")


@pytest.mark.parametrize("wrong", ["", "perfect", "share", "share=0", "share=1.1", "share=nan"])
def test_a_wrong_requirement_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="expected strong, weak, no-findings, or share=S"):
        parse_requirements([wrong])
