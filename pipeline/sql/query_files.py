"""The SQL files of ``queries/``: their headers and their statements.

A header is the comment lines above a statement that read ``-- key: value``: ``question`` and
``grain`` in words, ``needs`` (the tables without which it makes no sense) and, in checks,
``examines`` (the relation whose rows it goes over) and ``for each`` (a column of that relation: the
check runs once for each of its values, which the variable of that name holds).
"""

import difflib
import re
from dataclasses import dataclass

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.resources import QUERIES

_VIEWS = ("views.sql", "solution.sql")
_HEADER = re.compile(r"^-- (question|grain|needs|examines|for each): (.*)$", re.MULTILINE)
_VIEW = re.compile(
    r"^create or replace (?:view (\w+) as|macro (\w+)\(.*\) as table)$", re.MULTILINE
)


@dataclass(frozen=True)
class Query:
    """One statement: what it asks, what one row of its answer is, what it needs."""

    name: str
    question: str
    grain: str
    needs: tuple[str, ...]
    examines: str
    each: str
    sql: str

    @property
    def statement(self) -> str:
        """The SQL without its header."""
        return _HEADER.sub("", self.sql).strip().removesuffix(";")

    @property
    def reads_files(self) -> bool:
        """Tell a view over a file from one over other views."""
        return "getvariable(" in self.sql

    @property
    def is_macro(self) -> bool:
        """Tell a macro, which takes the name of a relation, from a view."""
        return "create or replace macro" in self.sql


def reports() -> dict[str, Query]:
    """Read the reports: answers to questions, by name."""
    return _read_folder("reports")


def checks() -> dict[str, Query]:
    """Read the checks: each returns counterexamples, none is a pass; by name."""
    return _read_folder("checks")


def report(name: str) -> Query:
    """Return one report. Raises UsageError, with the nearest names, when there is none."""
    return _named(name, reports(), "report")


def check(name: str) -> Query:
    """Return one check. Raises UsageError, with the nearest names, when there is none."""
    return _named(name, checks(), "check")


def views() -> list[Query]:
    """Read the views and macros, in the order in which they build on each other."""
    text = "".join((QUERIES / file).read_text(encoding="utf-8") for file in _VIEWS)
    return [
        _parse(match[1] or match[2], statement)
        for statement in re.split(r";\n", text)
        if (match := _VIEW.search(statement))
    ]


def _named(name: str, queries: dict[str, Query], kind: str) -> Query:
    if name not in queries:
        near = difflib.get_close_matches(name, queries, n=3) or sorted(queries)
        raise UsageError(f"there is no {kind} {quote(name)}: expected {', '.join(near)}")
    return queries[name]


def _read_folder(kind: str) -> dict[str, Query]:
    return {
        path.stem: _parse(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((QUERIES / kind).glob("*.sql"))
    }


def _parse(name: str, text: str) -> Query:
    header = dict(_HEADER.findall(text))
    needs = header.get("needs", "")
    return Query(
        name=name,
        question=header.get("question", ""),
        grain=header.get("grain", ""),
        needs=tuple(needs.split(", ")) if needs else (),
        examines=header.get("examines", ""),
        each=header.get("for each", ""),
        sql=text,
    )
