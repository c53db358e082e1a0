"""A grade: what replies to items are worth, as tables and as a report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.audit import report
from marubatsu.judge.audit.intervals import wilson
from marubatsu.judge.audit.report import Report, Section
from marubatsu.judge.items.replies import ReplyVerdict
from marubatsu.pipeline.tables.output import Rows
from marubatsu.version import __version__

SCHEMA = 1
"""The version of the JSON of a grade."""

SHARES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
          "best_at_most_percent", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip
TWINS = ("form", "notation", "pairs", "both_right", "only_original_right", "only_twin_right",
         "neither_right", "difference_percent", "at_least_percent", "at_most_percent")  # fmt: skip
ANSWERS = ("id", "verdict", "move", "loss", "is_in_form", "reply_line")
FINDINGS = ("finding", "id", "reply_line")
_LISTED = 20  # rows of a table about single replies

_RIGHT = ("group", "value", "items", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent")  # fmt: skip
_REPLIES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
            "best_at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip


@dataclass(frozen=True)
class Grade:
    """What replies to items are worth.

    A reply is right when it names a best move in a critical position. Illegal, unparsable and
    missing replies are wrong. ``mean_loss`` is over the replies with a legal move. Each item is one
    observation of the 95 % intervals.
    """

    games: Sequence[str]
    items: int
    replies: int
    in_form: int  # replies that end with the line that the question asks for
    replies_to_no_item: int  # others than ``replies``: their id is that of no item
    shares: Rows  # a group of items
    twins: Rows  # a form of twins in a notation
    findings: Rows  # a reply to no item
    answers: Rows  # an item
    fitting_numberings: Sequence[str] = ()  # in which most replies would name a legal move

    @property
    def least_right(self) -> float:
        """The lower end of the 95 % interval for the share of right replies."""
        whole = self.shares.records()[0]
        return wilson(whole["right"], whole["critical"])[0]

    def __str__(self) -> str:
        """Return the text that the command prints."""
        return _report(self).text().removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show the grade as a page in a notebook."""
        return report.page(f"Grade of replies about {', '.join(self.games)}", [_report(self)])

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object, without times."""
        tables = {name: each.records() for name, each in vars(self).items() if type(each) is Rows}
        counts = {name: each for name, each in vars(self).items() if type(each) is not Rows}
        return {"schema": SCHEMA, "version": __version__, **counts, **tables}


def _report(grade: Grade) -> Report:
    return Report(_heading(grade), list(_sentences(grade)), list(_sections(grade)))


def _heading(grade: Grade) -> str:
    return (
        f"grade of {grade.replies:,} replies to {grade.items:,} items of {', '.join(grade.games)}"
    )


def _sentences(grade: Grade) -> Iterator[str]:
    if grade.findings.rows:
        unknown = grade.replies_to_no_item
        name = "reply names" if unknown == 1 else "replies name"
        first = quote(grade.findings.column("id")[0])
        yield f"{unknown:,} more {name} no item; the first id is {first}"
    if grade.fitting_numberings:
        yield (
            "most replies name no legal move as the questions ask for it; they would with "
            f"--numbering {' or '.join(grade.fitting_numberings)}"
        )
    yield f"{grade.in_form:,} replies end with the line that the question asks for"
    yield (
        "right means a best move in a critical position; illegal, unparsable and missing replies "
        "are wrong; at_least and at_most are a 95 % interval"
    )


def _sections(grade: Grade) -> Iterator[Section]:
    """Yield the tables that have rows."""
    columns = ("id", "verdict", "move", "loss", "reply_line")
    wrong = [
        [row[name] for name in columns]
        for row in grade.answers.records()
        if row["verdict"] not in (ReplyVerdict.BEST, ReplyVerdict.MISSING)
    ]
    shares = _of_several(grade.shares)
    for section in (
        Section("right moves", shares.only(*_RIGHT)),
        Section("replies", shares.only(*_REPLIES)),
        Section("critical originals and their twins", grade.twins),
        Section("wrong replies", Rows(columns, wrong), _LISTED),
        Section("replies to no item", grade.findings.without("finding"), _LISTED),
    ):
        if section.rows.rows:
            yield section


def _of_several(shares: Rows) -> Rows:
    """Leave out groups of one value, which hold all items."""
    sizes = Counter(shares.column("group"))
    rows = [row for row in shares.rows if sizes[row[0]] > 1 or row[0] == "all"]
    return Rows(shares.columns, rows)
