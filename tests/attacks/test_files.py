"""Files that are damaged, swapped and renamed before, while and after they are read.

Every answer is right, or refused with a sentence.
"""

import gc
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import duckdb
import pyarrow.parquet as pq
import pytest
from starlette.types import ASGIApp

import marubatsu
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.stages import usable
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables import open_file
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.app import open_app
from tests.attacks.readers import BUILT, READERS, SLOW, SOLVED, copy_of, game_of, made_views
from tests.attacks.tally import ATTEMPTS, Refused, Tally, some
from tests.helpers.data.data_sets import damage
from tests.helpers.processes.in_process import ask_app

NAMES = (
    "score=0", "ply=2", "two words", "wh?t", "d[a]ta", "st*r", "quo'te\"s", "line\nfeed",
    "back\\slash", "{a,b}",
)  # fmt: skip

TRIED = some(NAMES, cost=10)
MOST_COPIED = usable.MOST_COPIED  # Larger files are not copied.


@pytest.fixture(scope="module")
def lies(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same tables with values in other rows: whole files, but false."""
    root = tmp_path_factory.mktemp("lies")
    for path in data.rglob("*.parquet"):
        rows = pq.ParquetFile(path).read()
        for place in range(1, rows.num_columns):
            column = rows.column(place).combine_chunks()
            order = [*range(1, len(column)), 0]
            rows = rows.set_column(place, rows.field(place), column.take(order))
        goal = root / path.relative_to(data)
        goal.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(rows, goal)
    return root


@pytest.mark.parametrize("name", TRIED, ids=ascii)
def test_no_part_of_a_folder_s_name_is_a_pattern_or_a_column(
    name: str, data: Path, lies: Path, right: dict[str, str], tmp_path: Path
) -> None:
    """Next to it there are folders with false tables that such a pattern would match."""
    for other in ("star", "what", "data", "a", "b"):
        copy_of(lies, tmp_path / other)
    root = copy_of(data, tmp_path / name)
    readers = [reader for reader in READERS if reader not in SLOW or name == TRIED[0]]
    assert {reader: READERS[reader](root) for reader in readers} == {
        reader: right[reader] for reader in readers
    }
    assert made_views(root) == made_views(data)


def test_a_name_that_duckdb_has_no_pattern_for_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"whose name has a backslash and one of \*\?\["):
        made_views(copy_of(data, tmp_path / "a\\b*"))


class Target(NamedTuple):
    """A file to damage, another of the same data set, and a lie about the first."""

    path: Path
    other: Path
    lie: Path


def replace_by_lie(target: Target) -> None:
    spare = target.path.with_name("spare")
    shutil.copyfile(target.lie, spare)
    spare.replace(target.path)


def exchange(target: Target) -> None:
    spare = target.path.with_name("spare")
    target.path.rename(spare)
    target.other.rename(target.path)
    spare.rename(target.other)


def rename_folder(target: Target) -> None:
    """Rename the folder of a file; in a solution only the file: without any, tables answer."""
    is_solution = target.path.parent.name == "solution"
    renamed = target.path if is_solution else target.path.parent
    renamed.rename(renamed.with_name("elsewhere"))


def instead(put: Callable[[Target], object]) -> Callable[[Target], None]:
    """Return the damage that puts something else in the place of a file."""

    def damage(target: Target) -> None:
        target.path.unlink()
        put(target)

    return damage


DAMAGES: dict[str, Callable[[Target], object]] = {
    "flip": lambda target: damage(target.path, 1 / 3, bit=2),
    "cut": lambda target: os.truncate(target.path, target.path.stat().st_size // 2),
    "empty": lambda target: target.path.write_bytes(b""),
    "remove": lambda target: target.path.unlink(), "replace by a lie": replace_by_lie,
    "overwrite by a lie": lambda target: target.path.write_bytes(target.lie.read_bytes()),
    "exchange": exchange, "a folder": instead(lambda target: target.path.mkdir()),
    "a pipe": instead(lambda target: os.mkfifo(target.path)),
    "a link": instead(lambda target: target.path.symlink_to(target.lie)),
    "a circle": instead(lambda target: target.path.symlink_to(target.path)),
    "rename the folder": rename_folder, "take rights": lambda target: target.path.chmod(0),
}  # fmt: skip


def aim(root: Path, lies: Path, game: str, random: Random) -> Target:
    files = sorted((root / game).rglob("*.parquet"))
    path, other = random.sample(files, 2)
    return Target(path, other, lies / path.relative_to(root))


def then_damage(
    hashed: Callable[..., object], left: int, damage: Callable[[], object]
) -> Callable[..., object]:
    """Return the function that hashes, and does damage after it was called so many times."""
    calls = count(1)

    def hash_then_damage(*arguments: object) -> object:
        found = hashed(*arguments)
        if next(calls) == left:
            damage()
        return found

    return hash_then_damage


def test_damage_before_and_while_files_are_read(
    data: Path, lies: Path, right: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While: right after the file, or one of the next, was hashed."""
    tally = Tally("damage before and while files are read")
    random = Random("files")
    hashed = open_file._hashed  # noqa: SLF001, the moment between hash and use
    for number in range(ATTEMPTS):
        root = copy_of(data, tmp_path / "data")
        reader = random.choice(sorted(READERS))
        target = aim(root, lies, game_of(reader), random)
        name = random.choice([*DAMAGES])
        damage = partial(DAMAGES[name], target)
        left = random.choice((None, 1, 1, 1, 2, 5))  # files hashed before the damage
        most = 0 if random.random() < 0.5 else MOST_COPIED
        what = f"{number} {reader} {name} {target.path.name} {left} {most}"
        with monkeypatch.context() as patched:
            patched.setattr(usable, "MOST_COPIED", most)
            if left is None:
                damage()
            else:
                patched.setattr(open_file, "_hashed", then_damage(hashed, left, damage))
            tally.add(what, partial(READERS[reader], root), right[reader])
    tally.report()


def request(app: ASGIApp, path: str, sql: str | None = None) -> tuple[int, str]:
    """Ask the server in this process; return the status and the answer."""
    reply = ask_app(app, f"/api/v2/games/{path}", None if sql is None else {"sql": sql})
    return reply.status, reply.body.decode("utf-8", "replace")


PATHS = {
    BUILT: (
        "game.json", "plies/2.json", "ais/ai2.json", "trees/bfs.json", "reports/plies.json",
        "positions/o...", "tables/moves.parquet",
    ),
    SOLVED: ("game.json", "positions/o.....", "positions/oxo..."),
}  # fmt: skip
SERVED_SQL = {
    BUILT: "select board, score from positions order by all",
    SOLVED: "select board, score from solution order by all",
}


def served(app: ASGIApp, path: str, sql: str | None = None) -> str:
    status, answer = request(app, path, sql)
    if status == 503:
        raise Refused(json.loads(answer)["error"])
    return f"{status} {answer}"


def test_damage_under_a_running_server(
    data: Path, lies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows what there was at its start, or names the file in a 503."""
    tally = Tally("damage under a running server")
    random = Random("server")
    right: dict[tuple[str, str], str] = {}
    for game in (BUILT, SOLVED):
        with open_app(DataSet(data, Game(game))) as app:
            right.update({(game, path): served(app, f"{game}/{path}") for path in PATHS[game]})
            right[game, "sql"] = served(app, f"{game}/sql", SERVED_SQL[game])
    for number in range(max(4, ATTEMPTS // 4)):
        root = copy_of(data, tmp_path / "data")
        game, most = random.choice((BUILT, SOLVED)), 0 if random.random() < 0.7 else MOST_COPIED
        monkeypatch.setattr(usable, "MOST_COPIED", most)
        with open_app(DataSet(root, Game(game))) as app:
            for name in random.sample([*DAMAGES][:-2], 2):
                target = aim(root, lies, game, random)
                # The first damage may have left nothing to damage, or a pipe without a reader.
                if target.path.is_file():
                    with suppress(OSError):
                        DAMAGES[name](target)
                what = f"{number} {game} {name} {target.path.name} {most}"
                for path in PATHS[game]:
                    ask = partial(served, app, f"{game}/{path}")
                    tally.add(f"{what} {path}", ask, right[game, path])
            if number % 4 == 0:
                ask = partial(served, app, f"{game}/sql", SERVED_SQL[game])
                tally.add(f"{what} sql", ask, right[game, "sql"])
    tally.report()


def test_a_changed_large_file_is_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_of(data, tmp_path / "data")
    monkeypatch.setattr(usable, "MOST_COPIED", 0)
    positions = root / BUILT / "positions.parquet"
    with (
        open_app(DataSet(root, Game(BUILT))) as app,
        open_catalog(DataSet(root, Game(BUILT))) as catalog,
    ):
        relation = marubatsu.tables(BUILT, data=root).positions
        damage(positions, 1 / 3, bit=2)
        message = f"{positions} was changed while it was in use"
        for path, sql in (("game.json", None), ("reports/plies.json", None),
                          ("sql", SERVED_SQL[BUILT])):  # fmt: skip
            status, answer = request(app, f"{BUILT}/{path}", sql)
            assert status == 503
            assert message in json.loads(answer)["error"]
        with pytest.raises(DataError, match="was changed while it was in use"):
            catalog.ask(report("plies"))
        with pytest.raises(duckdb.Error, match="was changed while it was in use"):
            relation.fetchall()


_TAKES_RIGHTS = """
import os, sys
from pathlib import Path
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.support.errors import DamagedError
path = Path(sys.argv[1])
file = OpenFile(path, is_copied=False)
os.link(path, path.with_name("another name"))
file.require_unchanged()
path.chmod(0)
try:
    file.require_unchanged()
except DamagedError as error:
    print(error)
"""


def test_a_large_file_that_may_not_be_read_any_more_is_named(tmp_path: Path) -> None:
    """Only users other than root can lose the right to read a file."""
    path = tmp_path / "large"
    path.write_bytes(b"bytes")
    ordinary = ["unshare", "--user", "--map-user=1000"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*ordinary, sys.executable, "-c", _TAKES_RIGHTS, str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode and "unshare failed" in done.stderr:
        pytest.skip("root cannot become an ordinary user here")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{path} cannot be read any more: Permission denied" in done.stdout


def test_a_new_solution_switches_as_a_whole(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader with open old files goes on with them, large or not, although they have no name."""
    root = copy_of(data, tmp_path / "data")
    with open_app(DataSet(root, Game(SOLVED))) as app:
        right = served(app, f"{SOLVED}/sql", SERVED_SQL[SOLVED])
    for most in (0, MOST_COPIED):
        monkeypatch.setattr(usable, "MOST_COPIED", most)
        with open_app(DataSet(root, Game(SOLVED))) as app:
            shutil.rmtree(root / SOLVED)
            assert served(app, f"{SOLVED}/sql", SERVED_SQL[SOLVED]) == right
            assert request(app, f"{SOLVED}/positions/o.....")[0] == 200
        shutil.copytree(data / SOLVED, root / SOLVED)


def test_a_relation_outlives_the_tables_it_came_from(data: Path) -> None:
    """The files stay open as long as it may read them, and no longer."""
    gc.collect()  # Other tests may have left objects with open files.
    before = open_files()
    relation = marubatsu.sql("select count(*) from positions", BUILT, data=data)
    assert relation.fetchall() == relation.fetchall() == [(29,)]
    del relation
    assert open_files() == before


def open_files() -> int:
    """Count the descriptors of this process, where the system lists them."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0
