"""The SQL files of ``queries/``: one statement per file, with a header.

A header is the comment lines above a statement that read ``-- key: value``::

    question     what the statement answers, in words
    grain        what one row of the answer is, in words
    needs        the tables that must be there
    parameters   in look-ups: the values for the ?, in their order
    examines     in checks: the relation whose rows the check goes over
    for each     in checks: a column of that relation; the check runs once for each of its values,
                 and the variable of that name holds the value
    sampled by   in checks of solutions: a check of many classes examines the rows from the variable
                 ``first_key`` to ``last_key``, which are null for all
    empty when   in checks: why there may be no rows to examine; without it such a check fails
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from types import MappingProxyType

from marubatsu.engine.rules.input_error import expectation, quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.resources import QUERIES

_HEADER = re.compile(
    r"^-- (question|grain|needs|parameters|examines|for each|sampled by|empty when): (.*)$",
    re.MULTILINE,
)
_COMMENT = re.compile(r"--.*")
_READ = re.compile(
    r"""
    (?<!distinct[ ])\b(?:from|join)\s+(?!lateral\b)
    (\w+(?:[ ]as[ ]\w+)?(?:,\s+\w+(?:[ ]as[ ]\w+)?)*)  # one relation, or some with commas
    (?:\('(\w+)'\))?                                   # the relation that a macro reads
    """,
    re.VERBOSE,
)
_NAMED_HERE = re.compile(r"\b(\w+)(?: \([\w, ]+\))? as \(")  # a common table expression
_CALLED = re.compile(r"\b(\w+)\(")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Query:
    """One statement with its header: its question, the grain of its answer, the tables it needs."""

    name: str
    question: str
    grain: str
    needs: tuple[str, ...]
    parameters: tuple[str, ...]
    examines: str
    each: str
    sampled_by: str
    empty_when: str
    sql: str

    @property
    def statement(self) -> str:
        """The SQL without its header."""
        return _HEADER.sub("", self.sql).strip().removesuffix(";")

    @property
    def reads_files(self) -> bool:
        """Whether the statement is a view over a file, not over other views."""
        return "getvariable(" in self.sql

    @property
    def takes(self) -> str:
        """The parameters of a macro; nothing for a view."""
        macro = re.search(r"^create or replace macro \w+\(([\w, ]+)\)", self.sql, re.MULTILINE)
        return macro[1] if macro else ""

    def sources(self, relations: Iterable[str]) -> list[str]:
        """List the relations that the statement reads or calls, in alphabetical order.

        Raises LookupError for a name that is neither a relation nor a function of DuckDB.
        """
        sql = _COMMENT.sub("", self.sql)
        read: set[str] = set()
        for names, argument in _READ.findall(sql):
            read.update(name.split()[0] for name in names.split(","))
            read.update([argument] if argument else [])
        read.difference_update(_NAMED_HERE.findall(sql))
        known, called = set(relations), set(_CALLED.findall(sql))
        for unknown in sorted(read - known - called):
            raise LookupError(f"{self.name} reads {quote(unknown)}, which is no view")
        return sorted((read | called) & known - {self.name})


def reports() -> Mapping[str, Query]:
    """Read the reports: answers to questions, by name."""
    return _read_folder("reports")


def checks() -> Mapping[str, Query]:
    """Read the checks by name. A check returns counterexamples; it passes without any."""
    return _read_folder("checks")


def report(name: str) -> Query:
    """Return one report. Raises UsageError, with names like it, when there is none."""
    return _named(name, reports(), "report")


def check(name: str) -> Query:
    """Return one check. Raises UsageError, with names like it, when there is none."""
    return _named(name, checks(), "check")


def lookup(name: str) -> Query:
    """Return one query of our own code. Raises KeyError when there is none."""
    return lookups()[name]


def lookups() -> Mapping[str, Query]:
    """Read the queries of our own code, by name."""
    return _read_folder("lookups")


@cache
def views() -> tuple[Query, ...]:
    """Read the views and macros, each after those it reads."""
    return tuple(in_order(_read_folder("views")))


def in_order(queries: Mapping[str, Query]) -> list[Query]:
    """Sort views so that each comes after those it reads.

    The same views always get the same order. Raises LookupError when one reads an unknown relation,
    graphlib.CycleError when views read each other in a circle.
    """
    sources = {name: queries[name].sources(queries) for name in sorted(queries)}
    return [queries[name] for name in TopologicalSorter(sources).static_order()]


def named_in(sql: str, among: Sequence[Query]) -> list[Query]:
    """List those of some views that a statement names, and those that these read, in their order.

    A word that only looks like the name of a view, such as a column, counts as well.
    """
    words = set(_WORD.findall(sql))
    named = []
    for view in reversed(among):
        if view.name in words:
            named.append(view)
            words.update(_WORD.findall(_COMMENT.sub("", view.sql)))
    return named[::-1]


def _named(name: str, queries: Mapping[str, Query], kind: str) -> Query:
    if name not in queries:
        raise UsageError(f"there is no {kind} {quote(name)}: {expectation(name, sorted(queries))}")
    return queries[name]


@cache
def _read_folder(kind: str) -> Mapping[str, Query]:
    files = sorted((QUERIES / kind).glob("*.sql"))
    return MappingProxyType(
        {path.stem: parse(path.stem, path.read_text(encoding="utf-8")) for path in files}
    )


def parse(name: str, text: str) -> Query:
    """Read one statement with its header."""
    header = dict(_HEADER.findall(text))
    return Query(
        name=name,
        question=header.get("question", ""),
        grain=header.get("grain", ""),
        needs=_names(header.get("needs", "")),
        parameters=_names(header.get("parameters", "")),
        examines=header.get("examines", ""),
        each=header.get("for each", ""),
        sampled_by=header.get("sampled by", ""),
        empty_when=header.get("empty when", ""),
        sql=text,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()
