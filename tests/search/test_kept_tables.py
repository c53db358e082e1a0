"""Results that commands keep next to the tables of a game, and how they are removed."""

from functools import partial
from pathlib import Path

import pytest

from tests.helpers.data.data_sets import build_tree
from tests.helpers.processes.commands import require_refused, run_here

SMALL = "2x2k2-gravity"


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(("part", "command", "state", "again", "removed", "gone"), [
    ("answers", "book 4x5k4-gravity --plies 2", "{rows} answers", "search again",
     "{rows} answers", "removed 0 answers"),
    ("proofs", f"prove {SMALL}", '"partly built, proved"', "prove it again", "the proofs",
     "there are no proofs"),
    ("techniques", f"compare {SMALL}", '"partly built, compared"', "compare again",
     "{rows} searches", "removed 0 searches"),
])  # fmt: skip
def test_kept_results_are_listed_until_they_are_damaged_and_removed(
    part: str, command: str, state: str, again: str, removed: str, gone: str, tmp_path: Path
) -> None:
    run, (verb, game, *_) = partial(run_here, data=tmp_path), command.split()
    if game == SMALL:
        build_tree(tmp_path, game)
    assert run(*command.split()).returncode == 0
    counted = run("sql", f"select count(*) as n from {part}", "-g", game, "-f", "csv")  # noqa: S608
    _, rows = counted.stdout.split()
    assert int(rows) > 0
    assert f"\n{game},{state.format(rows=rows)}," in run("games", "-f", "csv").stdout
    assert run("verify").returncode == 0
    manifest, file = sorted((tmp_path / game / part).iterdir(), key=lambda file: file.suffix)
    assert (manifest.suffix, file.suffix) == (".json", ".parquet")
    file.write_bytes(file.read_bytes()[:-1])
    cure = f"run `marubatsu {verb} {game} --remove`, and {again}"
    require_refused(run(*command.split()), cure, 1)
    found = run("verify")
    assert (found.returncode, file.name in found.stdout) == (1, True)
    for printed in (f"removed {removed.format(rows=rows)}", gone):
        assert run(verb, game, "--remove").stdout == f"{printed} of {game}\n"
    assert not file.parent.exists()
    assert run(*command.split()).returncode == 0
