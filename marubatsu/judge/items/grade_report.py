"""A grade as text, and as a page of HTML."""

from collections import Counter
from collections.abc import Iterator
from io import StringIO

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.items.grade import Grade
from marubatsu.judge.items.replies import ReplyVerdict
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, write
from marubatsu.pipeline.tables.page_parts import document, sentence, table

_LISTED = 20  # rows of a table about single replies

_RIGHT = ("group", "value", "items", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent")  # fmt: skip
_REPLIES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
            "best_at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip


def text(grade: Grade) -> str:
    """Write a grade for people."""
    return "\n".join(_lines(grade))


def _lines(grade: Grade) -> Iterator[str]:
    yield _heading(grade)
    yield from _sentences(grade)
    yield ""
    for title, rows in _tables(grade):
        out = StringIO()
        more = f", {_LISTED} of {len(rows.rows):,}" if _is_cut(title, rows) else ""
        yield title + more
        shown = rows.rows[:_LISTED] if more else rows.rows
        write(rows.columns, shown, Format.TABLE, out)
        yield out.getvalue()


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


_WRONG, _UNKNOWN = "wrong replies", "replies to no item"


def _is_cut(title: str, rows: Rows) -> bool:
    return title in (_WRONG, _UNKNOWN) and len(rows.rows) > _LISTED


def _tables(grade: Grade) -> Iterator[tuple[str, Rows]]:
    """Yield the tables with their titles; those without rows are left out."""
    answers = grade.answers.records()
    columns = ("id", "verdict", "move", "loss", "reply_line")
    wrong = [
        [row[name] for name in columns]
        for row in answers
        if row["verdict"] not in (ReplyVerdict.BEST, ReplyVerdict.MISSING)
    ]
    shares = _of_several(grade.shares)
    for title, rows in (
        ("right moves", shares.only(*_RIGHT)),
        ("replies", shares.only(*_REPLIES)),
        ("critical originals beside their twins", grade.twins),
        (_WRONG, Rows(columns, wrong)),
        (_UNKNOWN, grade.findings.without("finding")),
    ):
        if rows.rows:
            yield title, rows


def _of_several(shares: Rows) -> Rows:
    """Leave out groups of one value, which hold all items."""
    sizes = Counter(shares.column("group"))
    rows = [row for row in shares.rows if sizes[row[0]] > 1 or row[0] == "all"]
    return Rows(shares.columns, rows)


def page(grade: Grade) -> str:
    """Write a grade as a page of its own."""
    parts = [f"<h1>{sentence(_heading(grade))}</h1>"]
    parts += [f"<p>{sentence(told)}.</p>" for told in _sentences(grade)]
    for title, rows in _tables(grade):
        parts.append(f"<h2>{sentence(title)}</h2>")
        parts.append(table(rows))
    return document(f"Grade of replies about {', '.join(grade.games)}", "\n".join(parts))
