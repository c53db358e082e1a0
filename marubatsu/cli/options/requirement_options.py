"""The options of an audit that make it fail: verdicts and thresholds."""

from typing import Annotated

import typer

RequireOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="VERDICT",
        help="Exit with 1 unless the audit proves it: strong, weak, no-findings or "
        "share=0.98 (of the critical positions). May be repeated.",
    ),
]
FailUnderOption = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Exit with 1 unless it is right in this share of the critical positions, as in 0.95 "
        "(of a sample, with 95 % confidence).",
    ),
]
MaxExploitabilityOption = Annotated[
    float | None,
    typer.Option(
        metavar="POINTS",
        help="Exit with 1 if a best opponent gets more from it, as in 0.1: the mean over both "
        "sides; a win is 1, a draw 0, a loss -1.",
    ),
]
