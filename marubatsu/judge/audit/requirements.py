"""What a user requires of an AI: an audit that does not prove it makes the command fail."""

from collections.abc import Callable, Sequence

from marubatsu.engine.rules.input_error import counted, quote
from marubatsu.judge.audit.audit_report import (
    CHANGES,
    Audit,
    confidence,
    critical_positions,
    why_unknown,
    why_weakly_unknown,
)
from marubatsu.pipeline.support.errors import UsageError

Requirement = Callable[[Audit], str | None]
"""Returns what an audit lacks, or None when it proves what is required."""


def parse_requirements(
    required: Sequence[str], least: float | None = None, most: float | None = None
) -> list[Requirement]:
    """Read requirements: ``strong``, ``weak``, ``no-findings``, ``share=0.98``, and thresholds.

    ``least`` is a share of the critical positions, ``most`` an exploitability. Raises UsageError
    for other text, and for thresholds that no audit could meet or that every one would.

    ``strong`` and ``no-findings`` together also require that the AI could not read the answers.
    """
    requirements = [_SIMPLE.get(text) or _named_share(text) for text in required]
    if {"strong", "no-findings"}.issubset(required):
        requirements.append(_could_not_read)
    if least is not None:
        if not 0 < least <= 1:
            raise UsageError(
                f"--fail-under {least:g}: expected a share above 0, at most 1, as in 0.95"
            )
        requirements.append(_share(f"--fail-under {least:g}", least))
    if most is not None:
        if not 0 <= most < 1:
            raise UsageError(f"--max-exploitability {most:g}: expected 0 or more, below 1")
        requirements.append(_exploitability(f"--max-exploitability {most:g}", most))
    return requirements


def _why(audit: Audit, lack: str) -> str:
    """Say what the verdicts lack; those on an AI without any valid answer lack everything."""
    return lack if audit.interview.is_judged else "it gave no valid answer in any position"


def _strong(audit: Audit) -> str | None:
    verdict = audit.verdicts.strongly_solved
    lack = "it is not perfect"
    if verdict is None:
        lack = "it was asked in one position of each class, which does not prove the others"
        if audit.verdicts.is_sample:
            lack = "a sample without a mistake proves nothing"
        lack = why_unknown(audit, lack)
    return None if verdict else f"strong: {_why(audit, lack)}"


def _weak(audit: Audit) -> str | None:
    verdict = audit.verdicts.weakly_solved
    lack = why_weakly_unknown(audit) if verdict is None else "it can lose"
    return None if verdict else f"weak: {_why(audit, lack)}"


def _no_findings(audit: Audit) -> str | None:
    kinds = ", ".join(finding.kind for finding in audit.interview.findings)
    return f"no-findings: {kinds}" if kinds else None


def _could_not_read(audit: Audit) -> str | None:
    why = audit.interview.could_read_answers
    return f"strong with no-findings: it could read the answers, because {why}" if why else None


_SIMPLE = {"strong": _strong, "weak": _weak, "no-findings": _no_findings}


def _named_share(text: str) -> Requirement:
    name, _, number = text.partition("=")
    try:
        least = float(number)
    except ValueError:
        least = -1.0
    if name != "share" or not 0 < least <= 1:
        raise UsageError(
            f"--require {quote(text)}: expected strong, weak, no-findings, or share=S with S above "
            "0, at most 1"
        )
    return _share(text, least)


def _share(text: str, least: float) -> Requirement:
    def share(audit: Audit) -> str | None:
        right, most = audit.verdicts.share or (0.0, 1.0)
        if right >= least:
            return None
        sure = f"with {confidence(audit)}, " * audit.verdicts.is_sample
        at_least = "at least " * (right < most)
        is_of_game = audit.scope in ("all", "positions", "classes")
        about = critical_positions(audit, "" if is_of_game else " drawn in this way")
        message = f"{sure}it is right in {at_least}{100 * right:.2f} % of the {about}"
        if audit.interview.draws_moves:
            message = f"{CHANGES}, so its share is unknown"
        if not audit.verdicts.positions:
            message = "it was asked about no critical position"
        return f"{text}: {_why(audit, message)}"

    return share


def _exploitability(text: str, most: float) -> Requirement:
    def exploitability(audit: Audit) -> str | None:
        value, forfeited = audit.verdicts.exploitability, audit.interview.forfeited
        if value is None:
            why = "it was not asked in every position"
            if audit.verdicts.is_complete:
                why = "it played no matches"
            lack = f"{why_unknown(audit, why)}, so the best response is unknown"
            return f"{text}: {_why(audit, lack)}"
        if value > most:
            return f"{text}: a best opponent gets {value:.6g} points a game from it"
        if forfeited:
            return f"{text}: it gave no legal move in {counted(forfeited, 'position')}"
        return None

    return exploitability
