"""Files that somebody wrote in place of ours, with a manifest that fits them.

With the same rows, every answer is right or refused, and the file is named. Rows that say something
else are what `check` is for; nothing else may fail on them but with a sentence.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from marubatsu.pipeline.checking.verify import data_sets, verify
from marubatsu.pipeline.support.errors import UsageError
from tests.attacks.forged import LAYOUTS, LIES, SHAPES, Forge, flipped, footer, lying, pages, put
from tests.attacks.mutated import other_footer, other_page
from tests.attacks.readers import BUILT, LINES, READERS, SLOW, SOLVED, Ask, copy_of, game_of
from tests.attacks.tally import ATTEMPTS, Refused, Tally
from tests.helpers.processes.commands import run_here

QUICK = sorted({*READERS} - SLOW - {"anchors"})


def forge(data: Path, root: Path, game: str, how: Forge, random: Random) -> Path:
    """Copy the data and put a forged file in place of one of a game; return its path."""
    path = random.choice(sorted((copy_of(data, root) / game).rglob("*.parquet")))
    put(path, how(path.read_bytes()))
    return path


def naming(path: Path, ask: Ask, root: Path) -> Callable[[], str]:
    """Return what asks, and expects of a refusal that it names the file, or who lists it."""

    def asked() -> str:
        try:
            return ask(root)
        except Refused as refused:
            if path.name in str(refused) or "manifest.json" in str(refused):
                raise
            return f"{path.name} is not named: {refused}"

    return asked


@pytest.mark.parametrize(
    ("family", "forges"),
    [("other layouts", {**LAYOUTS, "false statistics": lying}), ("other columns", SHAPES)],
    ids=["layouts", "columns"],
)
def test_the_same_rows_in_another_file(
    family: str, forges: dict[str, Forge], data: Path, right: dict[str, str], tmp_path: Path
) -> None:
    tally = Tally(f"forged files: {family}")
    random = Random(family)
    for number in range(ATTEMPTS):
        reader = random.choice(QUICK)
        name = random.choice(sorted(forges))
        path = forge(data, tmp_path / "data", game_of(reader), forges[name], random)
        what = f"{number} {reader} {name} {path.name}"
        tally.add(what, naming(path, READERS[reader], tmp_path / "data"), right[reader])
    tally.report()


@pytest.mark.parametrize("name", sorted({*LAYOUTS} - {"small pages"}))
def test_verify_names_each_rewritten_file(name: str, data: Path, tmp_path: Path) -> None:
    """Also one whose rows, and whose entry in the manifest, are right.

    Some files are laid out as ours but for the pages, which no reader counts.
    """
    root = copy_of(data, tmp_path / "data")
    paths = {path for game in (BUILT, SOLVED) for path in (root / game).rglob("*.parquet")}
    for path in paths:
        put(path, LAYOUTS[name](path.read_bytes()))
    found = [problem for data_set in data_sets(root)[0] for problem in verify(data_set)]
    assert {problem.path for problem in found if problem.kind == "damaged"} == paths


@pytest.mark.parametrize(
    ("family", "part"), [("footers", footer), ("pages", pages)], ids=["footers", "pages"]
)
def test_a_bit_is_other(
    family: str,
    part: Callable[[bytes], tuple[int, int]],
    data: Path,
    right: dict[str, str],
    tmp_path: Path,
) -> None:
    """In pages it may give other rows, in a footer not."""
    tally = Tally(f"forged files: a bit of {family}")
    random = Random(family)
    for number in range(ATTEMPTS):
        reader = random.choice(QUICK)
        try:
            path = forge(data, tmp_path / "data", game_of(reader), flipped(part, random), random)
        except OSError:  # Arrow cannot say how many rows there are.
            continue
        ask = READERS[reader] if part is footer else partial(sentence, reader)
        expected = right[reader] if part is footer else ""
        tally.add(f"{number} {reader} {path.name}", partial(ask, tmp_path / "data"), expected)
    tally.report()


@pytest.mark.parametrize(
    ("family", "change"),
    [("footers", other_footer), ("heads of pages", other_page)],
    ids=["footers", "pages"],
)
def test_a_record_is_other(
    family: str,
    change: Callable[[Random, bytes], bytes],
    data: Path,
    right: dict[str, str],
    tmp_path: Path,
) -> None:
    """With another footer, answers are right or the file is named; pages may give other rows."""
    tally = Tally(f"forged files: values of {family}")
    random = Random(family)
    for number in range(ATTEMPTS):
        reader = random.choice(QUICK)
        root = tmp_path / "data"
        path = random.choice(sorted((copy_of(data, root) / game_of(reader)).rglob("*.parquet")))
        put(path, change(random, path.read_bytes()), is_read=False)
        what = f"{number} {reader} {path.name}"
        if change is other_footer:
            tally.add(what, naming(path, READERS[reader], root), right[reader])
        else:
            tally.add(what, partial(sentence, reader, root), "")
    tally.report()


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


def test_rows_that_are_lies(data: Path, tmp_path: Path) -> None:
    tally = Tally("forged files: other rows")
    random = Random("lies")
    for number in range(ATTEMPTS):
        reader = random.choice(QUICK)
        name = random.choice(sorted(LIES))
        path = forge(data, tmp_path / "data", game_of(reader), LIES[name], random)
        what = f"{number} {reader} {name} {path.name}"
        tally.add(what, partial(sentence, reader, tmp_path / "data"), "")
    tally.report()
