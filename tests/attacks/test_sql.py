"""Hostile SQL: it is refused with a sentence, or answered without a secret."""

from collections.abc import Iterator
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.support.errors import MarubatsuError, harmless
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import write
from tests.attacks.statements import FAMILIES
from tests.attacks.tally import Refused, Tally, some
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared, states

KNOWN = "known to no one else"
"""A text in a file and in the environment that must not come out."""


def table(data: Path, sql: str) -> str:
    """Return the answer as the command prints it."""
    out = StringIO()
    limits = QueryLimits(seconds=3, memory=300 * 10**6, answer=100 * 10**6)
    with run_sql(DataSet(data, Game(SMALLEST)), Statement(sql), limits) as answer:
        write(answer.columns, answer.rows, Format.TABLE, out)
    return out.getvalue()


def harm(sql: str, data: Path, planted: Path) -> str:
    """Run SQL; return what is wrong with the answer. Raises Refused when there is a sentence."""
    before = states(planted)
    sentence = ""
    try:
        text = table(data, sql)
    except MarubatsuError as error:
        text = sentence = harmless(str(error))
    secrets = (KNOWN, str(data), str(CHECKOUT), str(Path.home()) + "/", "root:x:")
    found = [secret for secret in secrets if secret in text.replace(str(planted), "")]
    if found or states(planted) != before:
        return f"it reached {found or planted}: {text}"
    if not all(char.isprintable() or char == "\n" for char in text) or "\n" in sentence:
        return f"it is no text or no sentence: {text!r}"
    if sentence:
        raise Refused(sentence)
    return ""


@pytest.fixture(scope="module")
def data(shared: Shared) -> Iterator[Path]:
    """Return data that still answers at the end; `shared` sees that no file has changed.

    What should not come out would be noticed.
    """
    root = build_smallest(shared)
    yield root
    sql = "select count(*), 'KNOWN' from positions".replace("KNOWN", KNOWN)
    assert table(root, sql).splitlines()[-1].split(maxsplit=1) == ["29", KNOWN]
    assert harm(sql, root, root / "nothing").startswith(f"it reached ['{KNOWN}']")


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_sql_gets_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    planted = tmp_path / "planted"
    planted.mkdir()
    secret = planted / "secret.csv"
    secret.write_text(f"{KNOWN}\n", encoding="utf-8")
    monkeypatch.setenv("MARUBATSU_SECRET", KNOWN)
    monkeypatch.chdir(planted)
    tally = Tally(f"SQL, {family}")
    for name in some(list(FAMILIES[family]), cost=10):
        sql = FAMILIES[family][name].replace("SECRET", str(secret))
        sql = sql.replace("FOLDER", str(planted))
        tally.add(name, partial(harm, sql, data, planted), "")
    assert list(planted.iterdir()) == [secret]
    tally.report()
