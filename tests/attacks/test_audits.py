"""Hostile texts in an audit: they stay text in its page, in its JSON and on a terminal."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import ai_at, parse_function
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.interview import Finding
from marubatsu.judge.audit.run_audit import run
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, write
from tests.attacks.tally import Tally, some
from tests.attacks.texts import TEXTS
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared


def with_interview(audit: Audit, **changes: Any) -> Audit:
    return replace(audit, interview=replace(audit.interview, **changes))


FIELDS: dict[str, Callable[[Audit, str], Audit]] = {
    "name": lambda audit, text: with_interview(audit, name=text),
    "rule": lambda audit, text: with_interview(audit, rule=text),
    "kind": lambda audit, text: with_interview(audit, findings=[Finding(text, 1, "....", "x")]),
    "board": lambda audit, text: with_interview(audit, findings=[Finding("x", 1, text, "x")]),
    "detail": lambda audit, text: with_interview(audit, findings=[Finding("x", 1, "....", text)]),
    "opponent": lambda audit, text: replace(
        audit, matches=Rows(audit.matches.columns, [[text, *row[1:]] for row in audit.matches.rows])
    ),
}
"""Fields of an audit that may hold a foreign text."""


class _Elements(HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(" ".join([tag, *(name for name, _ in attrs)]))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.found.append(data)

    unknown_decl = handle_pi = handle_comment

    def handle_decl(self, decl: str) -> None:
        self.found.append(decl)


def is_printable(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


def harm(audit: Audit, harmless: Audit, *, is_line: bool) -> str:
    """Say what a text has done to an audit; the harmless one has another text in its place."""
    found = []
    page = audit._repr_html_()
    if _Elements(page).found != _Elements(harmless._repr_html_()).found:
        found.append("other elements")
    if not is_printable(page):
        found.append("control characters in the page")
    text = f"{audit}\n"
    if not is_printable(text):
        found.append("control characters in the text")
    if is_line and len(text.splitlines()) != len(f"{harmless}\n".splitlines()):
        found.append("other lines")
    row, markdown = audit.verdict_row(), StringIO()
    write(row.columns, row.rows, Format.MARKDOWN, markdown)
    if not is_printable(markdown.getvalue()) or len(markdown.getvalue().splitlines()) != 3:
        found.append("another table")
    written = json.dumps(audit.to_json(), default=str)
    if not written.isascii() or json.loads(written)["ai"] != audit.interview.name:
        found.append("another JSON")
    return ", ".join(found)


@pytest.fixture(scope="module")
def data_set(shared: Shared) -> DataSet:
    return DataSet(build_smallest(shared), Game(SMALLEST))


@pytest.fixture(scope="module")
def audit(data_set: DataSet) -> Audit:
    found = run(data_set, [ai_at("ai2", data_set)], {})
    assert found.matches.rows
    return found


@pytest.mark.parametrize("field", FIELDS)
def test_a_text_stays_a_text(audit: Audit, field: str) -> None:
    put = FIELDS[field]
    tally = Tally(f"audits, a hostile {field}")
    is_line = field in ("name", "rule")
    for text in some(TEXTS):
        check = partial(harm, put(audit, text), put(audit, "x"), is_line=is_line)
        tally.add(ascii(text[:60]), check, "")
    tally.report()


AGENT = """
import sys
TEXT = {}
def choose(board, moves):
    printed = TEXT.encode("utf-8", "replace").decode()
    print(printed)
    print(printed, file=sys.stderr)
    if len(moves) == 4:
        raise ValueError(TEXT)
    return {{3: TEXT, 2: {{TEXT: 1}}, 1: [TEXT]}}[len(moves)] if board[0] == "o" else moves
"""


def test_texts_of_an_agent_stay_texts(data_set: DataSet, tmp_path: Path) -> None:
    def audited(text: str) -> Audit:
        name = "".join(char for char in text[:40] if char not in "\0/:\ud800") + ".py"
        file = tmp_path / name
        file.write_text(AGENT.format(ascii(text)), encoding="ascii")
        return run(data_set, [parse_function(f"{file}:choose")], {"timeout": 60})

    def judged(text: str) -> str:
        return harm(audited(text), harmless, is_line=False)

    harmless = audited("x")
    assert len(harmless.interview.findings) == 3
    tally = Tally("audits of agents with hostile texts")
    for text in some(TEXTS, cost=20):
        tally.add(ascii(text[:60]), partial(judged, text), "")
    tally.report()
