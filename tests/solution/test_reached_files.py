"""The files that say which rows play reaches: any rows are read from any pieces, or refused."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
import zstandard

from marubatsu.engine.large.arrays import bytes_of, words_of
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving import journal
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.tables.data_set import Unfinished

PLY, ROWS = 7, 1000
WORDS = np.random.default_rng(0).integers(-(1 << 63), (1 << 63) - 1, 16, endpoint=True)


@pytest.fixture(params=[64, 192, 1 << 27], ids="pieces of {}".format)
def goal(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Unfinished:
    """Write the words in pieces of some size, the rows from 320 on as another engine may do."""
    monkeypatch.setattr(journal, "_PIECE", request.param)
    unfinished = Unfinished(tmp_path, Game("3x4k3-gravity"))
    journal.write_reached(unfinished, PLY, WORDS, 320)
    journal.write_reached(unfinished, PLY, WORDS[5:], ROWS - 320, first=320)
    return unfinished


@pytest.mark.parametrize("first", [0, 64, 320, 960])
@pytest.mark.parametrize("rows", [1, 64, 40, 680])
def test_any_rows_are_read(goal: Unfinished, first: int, rows: int) -> None:
    rows = min(rows, ROWS - first)
    words = words_of(rows)
    journal.read_reached(goal, PLY, words, rows, first)
    assert bytes_of(words, rows).tolist() == bytes_of(WORDS[first // 64 :], rows).tolist()


def test_the_hash_is_that_of_the_bits_whatever_the_pieces(goal: Unfinished) -> None:
    bits = bytes_of(WORDS, ROWS)
    assert journal.reached_sha256(goal, PLY, ROWS) == hashlib.sha256(bits.data).hexdigest()
    for rows in (ROWS - 8, ROWS + 8):
        with pytest.raises(DamagedError, match="reached/07 is damaged"):
            journal.reached_sha256(goal, PLY, rows)


@pytest.mark.parametrize("what", ["missing", "torn", "flipped", "a pipe"])
def test_a_file_that_is_not_whole_is_refused(goal: Unfinished, what: str) -> None:
    path = goal.path(journal.reached_file(PLY, 320))
    data = path.read_bytes()
    path.write_bytes(data[:-1] if what == "torn" else data[:-9] + b"?" + data[-8:])
    if what in {"missing", "a pipe"}:
        path.unlink()
    if what == "a pipe":
        os.mkfifo(path)
    for read in (
        lambda: journal.read_reached(goal, PLY, words_of(ROWS), ROWS),
        lambda: journal.reached_sha256(goal, PLY, ROWS),
    ):
        with pytest.raises(DamagedError, match="reached/07 is damaged"):
            read()


def test_rows_of_a_missing_file_are_refused(goal: Unfinished) -> None:
    for first in (320, 384):  # Where the pieces are small, the second has a file of its own.
        goal.path(journal.reached_file(PLY, first)).unlink(missing_ok=True)
    for first in (320, 384):
        with pytest.raises(DamagedError, match="reached/07 is damaged"):
            journal.read_reached(goal, PLY, words_of(64), 64, first)


def test_a_small_file_of_many_rows_is_refused(goal: Unfinished) -> None:
    many = zstandard.compress(bytes((journal._PIECE >> 3) + 1))  # noqa: SLF001
    goal.path(journal.reached_file(PLY)).write_bytes(many)
    with pytest.raises(DamagedError, match="reached/07 is damaged"):
        journal.read_reached(goal, PLY, words_of(64), 64)


def test_files_of_an_earlier_run_are_removed(goal: Unfinished) -> None:
    journal.remove_reached(goal, PLY)
    assert not goal.path(journal.reached_file(PLY)).parent.exists()
    journal.remove_reached(goal, PLY)
