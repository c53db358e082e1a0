"""The report of a grade: as text, and as a page of HTML."""

from collections import Counter
from collections.abc import Iterator

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.audit import report
from marubatsu.judge.audit.report import Report, Section
from marubatsu.judge.items.grade import Grade
from marubatsu.judge.items.replies import ReplyVerdict
from marubatsu.pipeline.tables.output import Rows

_LISTED = 20  # rows of a table about single replies

_RIGHT = ("group", "value", "items", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent")  # fmt: skip
_REPLIES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
            "best_at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip


def text(grade: Grade) -> str:
    """Write a grade for a terminal."""
    return _report(grade).text()


def page(grade: Grade) -> str:
    """Write a grade as a page of HTML that needs no other file."""
    return report.page(f"Grade of replies about {', '.join(grade.games)}", [_report(grade)])


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
