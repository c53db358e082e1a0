"""Forged files in place of ours, with a manifest that fits them.

With the same rows, every answer is right or refused, and the file is named. Rows that say something
else are what `check` is for; nothing else may fail on them but with a sentence.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from marubatsu.pipeline.checking.inventory import data_sets
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.support.errors import UsageError
from tests.attacks.forged import LAYOUTS, LIES, SHAPES, Forge, flipped, footer, lying, pages, put
from tests.attacks.mutated import change_one, other_footer
from tests.attacks.readers import BUILT, LINES, READERS, SLOW, SOLVED, Ask, copy_of, game_of
from tests.attacks.tally import ATTEMPTS, Refused, Tally
from tests.helpers.processes.commands import run_here

QUICK = sorted({*READERS} - SLOW - {"anchors"})


class Family(NamedTuple):
    """Ways to forge a file, what an answer must be, and whether the manifest has the new rows."""

    forges: Callable[[Random], Mapping[str, Forge]]
    must_be: str
    is_read: bool = True


RIGHT_OR_REFUSED, RIGHT_OR_NAMED, SENTENCE = "right or refused", "right, or it names", "a sentence"
FAMILIES = {
    "other layouts": Family(lambda _: {**LAYOUTS, "false statistics": lying}, RIGHT_OR_NAMED),
    "other columns": Family(lambda _: SHAPES, RIGHT_OR_NAMED),
    "a bit of footers": Family(lambda random: {"": flipped(footer, random)}, RIGHT_OR_REFUSED),
    "a bit of pages": Family(lambda random: {"": flipped(pages, random)}, SENTENCE),
    "values of footers": Family(
        lambda random: {"": partial(other_footer, change=partial(change_one, random=random))},
        RIGHT_OR_NAMED,
        is_read=False,
    ),
    "other rows": Family(lambda _: LIES, SENTENCE),
}
"""A bit of a page, and other rows, may give another answer."""


@pytest.mark.parametrize("family", FAMILIES)
def test_forged_files_are_read_right_or_refused(
    family: str, data: Path, right: dict[str, str], tmp_path: Path
) -> None:
    tally, random, root = Tally(f"forged files: {family}"), Random(family), tmp_path / "data"
    forges, must_be, is_read = FAMILIES[family]
    for number in range(ATTEMPTS):
        reader = random.choice(QUICK)
        name, how = random.choice(sorted(forges(random).items()))
        path = random.choice(sorted((copy_of(data, root) / game_of(reader)).rglob("*.parquet")))
        try:
            put(path, how(path.read_bytes()), is_read=is_read)
        except OSError:  # Arrow cannot say how many rows there are.
            continue
        expected = "" if must_be == SENTENCE else right[reader]
        asks = {
            SENTENCE: partial(sentence, reader, root),
            RIGHT_OR_REFUSED: partial(READERS[reader], root),
            RIGHT_OR_NAMED: partial(naming, path, READERS[reader], root),
        }
        tally.add(f"{number} {reader} {name} {path.name}", asks[must_be], expected)
    tally.report()


def naming(path: Path, ask: Ask, root: Path) -> str:
    """Ask, and expect that a refusal names the file, or the one that lists it."""
    try:
        return ask(root)
    except Refused as refused:
        if path.name in str(refused) or "manifest.json" in str(refused):
            raise
        return f"{path.name} is not named: {refused}"


def sentence(reader: str, root: Path) -> str:
    """Ask about rows that are lies; return nothing when that ends with an answer or a sentence."""
    if reader in LINES:
        done = run_here(*LINES[reader], data=root)
        assert done.returncode in (0, 1, 2)
        assert done.stdout or done.stderr.startswith("marubatsu: ")
    else:
        with suppress(UsageError):  # No game reaches a position whose rows are gone.
            READERS[reader](root)
    return ""


def test_verify_names_each_rewritten_file(data: Path, tmp_path: Path) -> None:
    """Also one whose rows, and whose entry in the manifest, are right.

    Some files are laid out as ours but for the pages, which no reader counts.
    """
    root = copy_of(data, tmp_path / "data")
    layouts = cycle(sorted({*LAYOUTS} - {"small pages"}))
    paths = sorted(path for game in (BUILT, SOLVED) for path in (root / game).rglob("*.parquet"))
    assert len(paths) > len(LAYOUTS)
    for path, name in zip(paths, layouts, strict=False):
        put(path, LAYOUTS[name](path.read_bytes()))
    found = [problem for data_set in data_sets(root)[0] for problem in verify(data_set)]
    assert sorted(problem.path for problem in found if problem.kind == "damaged") == paths
