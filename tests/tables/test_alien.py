"""`verify` over folders that hold no data, or nothing at all: it never says that all is well."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.data_set import DataSet, Saved, Solution
from marubatsu.pipeline.store.manifest import FILE, Manifest
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import run_here

NOTHING = "there is no data set in"
UNBUILT = f"{SMALLEST} is not built in"
NO_GAME = "its name is not the name of a game"
LOST = "it was never built to the end, or lost it"

ALIENS = [
    ("", "", NOTHING),
    ("", SMALLEST, UNBUILT),
    ("README.md", "", NOTHING),
    ("notes.txt", "", NO_GAME),
    ("photos/", "", NO_GAME),
    ("photos/", SMALLEST, UNBUILT),
    ("99x99k99/solution/", "", NO_GAME),
    (f"{SMALLEST}", "", "it is not a folder"),
    (f"{SMALLEST}", SMALLEST, "Not a directory"),
    (f"{SMALLEST}/", "", NOTHING),
    (f"{SMALLEST}/", SMALLEST, LOST),
    (f"{SMALLEST}/README.md", SMALLEST, LOST),
    (f"{SMALLEST}/notes.txt", "", LOST),
    (f"{SMALLEST}/solution/", "", LOST),
    (f"{SMALLEST}/solution/", SMALLEST, LOST),
    (f"{SMALLEST}/solution/ply=00/", "", LOST),
    (f"{SMALLEST}/solution", "", "Not a directory"),
    (f"{SMALLEST}/saved/", "", LOST),
    (f"{SMALLEST}/saved/", SMALLEST, LOST),
    (f"{SMALLEST}/saved/notes.txt", "", LOST),
    (f"{SMALLEST}/solution.partial/", SMALLEST, "its solution is being made: nothing yet"),
]
"""What there is, a game that is named or none, and a part of what is told."""


@pytest.mark.parametrize(("there", "named", "told"), ALIENS)
def test_verify_fails_over_what_is_no_data(
    there: str, named: str, told: str, tmp_path: Path
) -> None:
    place = tmp_path / there
    (place if there.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
    if there and not there.endswith("/"):
        place.touch()
    done = run_here("verify", *filter(None, [named]), data=tmp_path)
    assert done.returncode == 1
    assert told in done.stdout + done.stderr
    assert "is as its manifest says" not in done.stdout


def test_verify_fails_inside_data(shared: Shared) -> None:
    for folder in (SMALLEST, f"{SMALLEST}/solution", f"{SMALLEST}/solution/ply=00"):
        done = run_here("verify", data=build_smallest(shared) / folder)
        assert done.returncode == 1
        assert NO_GAME in done.stdout


@pytest.mark.parametrize("kind", [DataSet, Solution, Saved])
def test_verify_fails_over_a_manifest_of_nothing(kind: type[DataSet], tmp_path: Path) -> None:
    data_set = kind(tmp_path, Game(SMALLEST))
    data_set.write(FILE, memoryview(Manifest(SMALLEST, "", {}).render()))
    done = run_here("verify", SMALLEST, data=tmp_path)
    assert (done.returncode, "it lists no file" in done.stdout) == (1, True)
