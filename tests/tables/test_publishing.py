"""A published folder: its contents are right, and it is whole or not there."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.verify import listed_files
from marubatsu.pipeline.publishing.publication import RELEASED
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.output import whole_folder
from marubatsu.pipeline.tables.solved_schemas import DECLARED
from marubatsu.version import __version__
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST as GAME
from tests.helpers.data.data_sets import build_tree, contents, copied, manifest_of
from tests.helpers.data.published_folder import DOCUMENTS, document, hashes, write
from tests.helpers.processes.commands import require_refused, run_here
from tests.helpers.processes.stopping import stopped_at_every_step

CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
WORDS = ["tic-tac-toe", "m,n,k-game", "game-tree", "minimax", "ground-truth", "parquet"]
MEDIA_TYPES = {
    "LICENSE": "text/plain", "cff": "text/yaml", "ducklake": "application/octet-stream",
    "json": "application/json", "md": "text/markdown", "py": "text/x-python",
    "parquet": "application/vnd.apache.parquet", "sql": "application/sql",
}  # fmt: skip


def test_the_folder_holds_the_rows_of_the_data_set_and_the_documents(
    data: Path, published: Path
) -> None:
    written = contents(published)
    built = {f"{GAME}/{name}": bytes_ for name, bytes_ in contents(data / GAME).items()}
    assert written.keys() == built.keys() | DOCUMENTS
    for name, bytes_ in built.items():
        if name.endswith(".parquet"):
            schema = pq.read_schema(data / name)
            assert pq.read_table(published / name).equals(pq.read_table(data / name))
            assert pq.read_schema(published / name).equals(schema, check_metadata=True)
        if "/ply=" in name:
            assert written[name] == bytes_
    assert [path.name for path in published.parent.iterdir()] == ["folder"]


def test_every_hash_is_that_of_the_file(published: Path) -> None:
    right = hashes(published)
    lines = (published / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert sums == {name: digest for name, digest in right.items() if name != "SHA256SUMS"}
    *files, parts = document(published, "croissant.json")["distribution"]
    pattern = f"{GAME}/solution/ply=*/part-*.parquet"
    assert (parts["@type"], parts["@id"], parts["includes"]) == ("cr:FileSet", pattern, pattern)
    assert {each["contentUrl"]: each["sha256"] for each in files} == {
        name: digest for name, digest in right.items() if name.endswith(".parquet")
    }
    for each in files:
        assert each["contentSize"] == f"{(published / each['contentUrl']).stat().st_size} B"
    graph = document(published, "ro-crate-metadata.json")["@graph"]
    entities = {each["@id"]: each for each in graph}
    described = sums.keys() - {"ro-crate-metadata.json"}
    assert {part["@id"] for part in entities["./"]["hasPart"]} == described
    for name in described:
        assert entities[name]["sha256"] == right[name]
        assert int(entities[name]["contentSize"]) == (published / name).stat().st_size


def test_the_crate_describes_all_that_it_refers_to(published: Path) -> None:
    graph = document(published, "ro-crate-metadata.json")["@graph"]
    entities = {each["@id"]: each for each in graph}
    assert len(entities) == len(graph)
    referred = {
        each["@id"]
        for entity in graph
        for message in entity.values()
        for each in (message if isinstance(message, list) else [message])
        if isinstance(each, dict)
    }
    assert referred - entities.keys() == {"https://w3id.org/ro/crate/1.2"}
    for name, entity in entities.items():
        assert entity["name"]
        assert name == "#authors" or entity["description"], name
    for entity in graph:
        lists = [message for message in entity.values() if isinstance(message, list)]
        assert all(len(message) > 1 for message in lists)


def columns(folder: Path) -> dict[str, dict[str, str]]:
    """Read the names and types of columns from the Parquet files, by table."""
    found: dict[str, dict[str, str]] = {}
    for path in folder.rglob("*.parquet"):
        table = "solution" if path.parent.name.startswith("ply=") else path.stem
        types = {each.name: str(each.type) for each in pq.read_schema(path)}
        assert found.setdefault(table, types) == types
    return found


CROISSANT = {"bool": "sc:Boolean", "string": "sc:Text", "float": "cr:Float32",
             "double": "cr:Float64", "list<element: int8 not null>": "cr:Int8", "int8": "cr:Int8",
             "int16": "cr:Int16", "int32": "cr:Int32", "int64": "cr:Int64"}  # fmt: skip


def test_every_table_and_column_is_described(published: Path) -> None:
    tables = columns(published)
    assert len(tables) == 14
    sets = {each["name"]: each for each in document(published, "croissant.json")["recordSet"]}
    assert sets.keys() == {f"{GAME}.{table}" for table in tables}
    for table, types in tables.items():
        record = sets[f"{GAME}.{table}"]
        fields = {field["name"]: field for field in record["field"]}
        keys = [each["@id"].removeprefix(f"{GAME}.{table}/") for each in record.get("key", ())]
        assert keys == list(DECLARED[table].key)
        kind, place = "fileObject", next(map(str, published.rglob(f"{table}.parquet")), "")
        if table == "solution":
            kind, place = "fileSet", f"{GAME}/solution/ply=*/part-*.parquet"
        place = place.removeprefix(f"{published}/")
        assert {name: field["dataType"] for name, field in fields.items()} == {
            name: CROISSANT[type_] for name, type_ in types.items()
        }
        for name, field in fields.items():
            array = (True, "-1") if types[name].startswith("list") else (None, None)
            assert (field.get("isArray"), field.get("arrayShape")) == array
            assert field["source"] == {kind: {"@id": place}, "extract": {"column": name}}
    resources = document(published, "datapackage.json")["resources"]
    assert len({each["name"] for each in resources}) == len(resources)
    assert {each["path"] for each in resources} == {
        str(path.relative_to(published)) for path in published.rglob("*.parquet")
    }
    card = (published / "README.md").read_text(encoding="utf-8")
    for table, types in tables.items():
        section = card.split(f"### {table}\n")[1].split("### ")[0]
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(types)
        key = DECLARED[table].key
        assert re.findall(r"Sorted by (.+)\.\n", section) == [", ".join(key)] * bool(key)
    listed = re.findall(
        rf"^\| `{GAME}\.(\w+)` \| ([\d,]+) \| ([\d,]+) \| `(.+?)` \|", card, re.MULTILINE
    )
    assert {table for table, *_ in listed} == tables.keys()
    for _, rows, size, pattern in listed:
        files = [*published.glob(pattern)]
        assert rows == f"{sum(pq.read_metadata(file).num_rows for file in files):,}"
        assert size == f"{sum(file.stat().st_size for file in files):,}"


def test_the_card_has_a_configuration_for_each_table(published: Path) -> None:
    card = (published / "README.md").read_text(encoding="utf-8")
    _, front, _ = card.split("---\n", 2)
    names = re.findall(r'config_name: "(.+)"\n  data_files: "(.+)"', front)
    files = [{str(p.relative_to(published)) for p in published.glob(files)} for _, files in names]
    assert {name for name, _ in names} == {f"{GAME}.{table}" for table in columns(published)}
    assert sum(map(len, files)) == len(set.union(*files)) == len(list(published.rglob("*.parquet")))
    assert (
        front.count("default: true") == front.split("config_name:")[1].count("default: true") == 1
    )
    assert "license: cc0-1.0\n" in front
    assert "\nsize_categories:\n- 1K<n<10K\n" in front


def test_the_crate_says_how_its_data_were_made(published: Path) -> None:
    entities = {e["@id"]: e for e in document(published, "ro-crate-metadata.json")["@graph"]}
    made = entities[f"#make-{GAME}"]
    assert made["description"] == f"marubatsu build {GAME} && marubatsu solve {GAME}"
    assert {each["@id"] for each in made["result"]} == {
        name for name in contents(published) if name.startswith(f"{GAME}/")
    }
    assert entities[made["instrument"]["@id"]]["name"] == "marubatsu"
    assert entities["./"]["mentions"] == {"@id": made["@id"]}
    ours = (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")
    theirs = (published / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", f"version: {__version__}", f"date-released: {RELEASED}"):
        assert f"{line}\n" in ours
        assert f"{line}\n" in theirs
    assert "type: dataset\n" in theirs
    assert "CC0 1.0 Universal" in (published / "LICENSE").read_text(encoding="utf-8")


def test_day_and_address_are_in_the_documents(data: Path, published: Path, tmp_path: Path) -> None:
    url = "https://example.org/d"
    folder = write(data, tmp_path / "new", GAME, date="2030-01-31", url=url)
    head = document(folder, "croissant.json")
    for name in ("@context", "distribution", "recordSet"):
        del head[name]
    described = {"name": f"{GAME}, solved completely", "description": head["description"],
                 "version": __version__, "datePublished": "2030-01-31", "url": url}  # fmt: skip
    assert f"every position of {GAME}: " in head["description"]
    cited = {"author": "{The marubatsu developers}", "title": described["name"], "year": "2030",
             "version": __version__, "url": url}  # fmt: skip
    entry = ",\n".join(f"  {key} = {{{value}}}" for key, value in cited.items())
    assert head == {
        **described,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": CC0,
        "citeAs": f"@misc{{marubatsu-data,\n{entry}\n}}",
        "keywords": WORDS,
        "creator": {"@type": "sc:Organization", "name": "The marubatsu developers"},
    }
    crate = {each["@id"]: each for each in document(folder, "ro-crate-metadata.json")["@graph"]}
    assert crate["./"] == {
        **described,
        "@id": "./",
        "@type": "Dataset",
        "license": {"@id": CC0},
        "author": {"@id": "#authors"},
        "publisher": {"@id": "#authors"},
        "keywords": ", ".join(WORDS),
        **{name: crate["./"][name] for name in ("hasPart", "mentions")},
    }
    assert crate[CC0]["identifier"] == "CC0-1.0"
    assert crate["#authors"]["name"] == head["creator"]["name"]
    kinds = {name.rpartition(".")[2]: each.get("encodingFormat") for name, each in crate.items()}
    assert kinds.items() >= MEDIA_TYPES.items()
    assert f'url: "{url}"\nauthors:\n  - name: "The marubatsu developers"\n' in (
        folder / "CITATION.cff"
    ).read_text(encoding="utf-8")
    assert f"--   set variable root = '{url}';" in (folder / "views.sql").read_text()
    old, new = contents(published), contents(folder)
    changed = {name for name in old if old[name] != new[name]}
    assert changed == DOCUMENTS - {"LICENSE", "load.py", "datapackage.json"}
    done = run_here("verify", data=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_published_folder_is_data_for_every_command(published: Path, tmp_path: Path) -> None:
    done = run_here("verify", data=published)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"every file is as its manifest says: {GAME}\n")
    assert run_here("sql", "from(positions)select(count(*))", "--game", GAME,
                    data=published).stdout.split()[-1] == "29"  # fmt: skip
    again = write(published, tmp_path / "again", GAME)
    assert contents(again) == contents(published)
    write(again, again, GAME)  # over itself
    assert contents(again) == contents(published)


@pytest.mark.parametrize("command", ["publish", "site --game"])
def test_a_command_that_it_prints_names_the_folder(
    command: str, published: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "two words")
    done = run_here(*command.split(), GAME, "--out", out, data=published)
    assert out in shlex.split(done.stdout.replace("`", " "))


def test_data_with_a_problem_are_not_published(data: Path, tmp_path: Path) -> None:
    root, out = copied(data, tmp_path / "data"), tmp_path / "out"

    def refused() -> str:
        done = run_here("publish", GAME, "--out", str(out), data=root)
        assert (done.returncode, done.stdout) == (1, "")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]
        return done.stderr

    moves = root / GAME / "moves.parquet"
    right = moves.read_bytes()
    moves.write_bytes(right[:-1] + b"?")
    assert re.search(r"moves\.parquet is damaged: has sha256", refused())
    moves.unlink()
    assert re.search(r"moves\.parquet is missing: the manifest lists it", refused())
    moves.write_bytes(right)
    (root / GAME / "solution" / "manifest.json").write_text("{}")
    assert "manifest.json is damaged" in refused()
    shutil.rmtree(root / GAME / "solution")
    tables = DataSet(root, Game(GAME))
    manifest = manifest_of(tables)
    older = replace(manifest.files["moves.parquet"], made_by="0")
    tables.publish([], manifest.with_files(manifest.version, {"moves.parquet": older}))
    assert "moves.parquet is stale: it was built by other code" in refused()


def write_whole(out: Path, meanwhile: Callable[[], object]) -> None:
    with whole_folder(out, "published folder", listed_files):
        meanwhile()


def test_only_a_published_folder_is_replaced(data: Path, published: Path, tmp_path: Path) -> None:
    def refused(out: Path, message: str, code: int = 2) -> None:
        require_refused(run_here("publish", GAME, "--out", str(out), data=data), message, code)

    letters, ours = tmp_path / "letters", copied(published, tmp_path / "ours")
    letters.mkdir()
    for folder in (letters, ours):
        (folder / "letter.txt").write_text("dear")
    refused(letters, "holds something that is no published folder: name another folder")
    assert contents(letters) == {"letter.txt": b"dear"}
    refused(ours, "holds 'letter.txt', which is no part of a published folder")
    refused(data, "holds something that is no published folder")
    refused(Path("/"), "'/' holds something that is no published folder")
    blocked = ours / "README.md" / "x"
    refused(blocked, f"cannot write {blocked}: Not a directory; name another folder", 1)
    (ours / "letter.txt").unlink()
    late = tmp_path / "late"
    for out, meanwhile in ((letters, pytest.fail), (late, lambda: copied(letters, late))):
        with pytest.raises(UsageError, match="holds something that is no published folder"):
            write_whole(out, meanwhile)
        assert contents(out) == {"letter.txt": b"dear"}
    (ours / "README.md").write_text("an older one")
    done = run_here("publish", GAME, "--out", str(ours), data=data)
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(ours) == contents(published)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["4x3k3"], 1, "4x3k3 is not built in"),
        (["2x2k2", "../x"], 2, "'../x'"),
        (["2x2k2", "--date", "22.11.2026"], 2, "--date '22.11.2026': expected a day as in"),
        (["2x2k2", "--date", "20261122"], 2, "--date '20261122': expected a day as in"),
        (["2x2k2", "--url", "ftp://x"], 2, "--url 'ftp://x': expected an address as in https://"),
        (["2x2k2", "--url", "https://x/'"], 2, "expected an address as in https://"),
    ],
)
def test_wrong_usage_is_refused(
    arguments: list[str], code: int, message: str, data: Path, tmp_path: Path
) -> None:
    done = run_here("publish", *arguments, "--out", str(tmp_path / "out"), data=data)
    require_refused(done, message, code)
    assert list(tmp_path.iterdir()) == []


def test_the_views_work_in_the_folder_and_from_elsewhere(
    data: Path, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (published / "views.sql").read_text(encoding="utf-8")
    count = "select (select count(*) from nodes), (select sum(orbit) from solution)"
    with duckdb.connect() as connection:
        connection.execute(f"set variable root = '{published}'")
        connection.execute(script)
        assert connection.execute(count).fetchall() == [(41, 29)]
    monkeypatch.chdir(published)
    with duckdb.connect() as connection:
        connection.execute(script)
        assert connection.execute(count).fetchall() == [(41, 29)]
    root = copied(data, tmp_path / "data")
    build_tree(root, "1x3k2")
    monkeypatch.chdir(two := write(root, tmp_path / "two", "1x3k2", GAME))
    assert run_here("verify", data=two).returncode == 0
    script = Path("views.sql").read_text(encoding="utf-8")
    for game, nodes in ((None, 16), ("1x3k2", 16), (GAME, 41)):
        with duckdb.connect() as connection:
            if game:
                connection.execute(f"set variable game = '{game}'")
            connection.execute(script)
            assert connection.execute("select count(*) from nodes").fetchall() == [(nodes,)]
            views = connection.execute("select view_name from duckdb_views()").fetchall()
            assert ("solution",) not in views  # Only one of the games is solved.
    with duckdb.connect() as connection:
        connection.execute("set variable game = 'chess'")
        with pytest.raises(duckdb.Error, match=f"game to be one of: 1x3k2, {GAME}"):
            connection.execute(script)


def test_the_script_loads_every_table(published: Path) -> None:
    """With DuckDB; `make outside` tries other readers."""
    done = subprocess.run([sys.executable, published / "load.py", "duckdb"], cwd="/",
                          capture_output=True, text=True, check=True)  # fmt: skip
    bare = subprocess.run([sys.executable, published / "load.py"], cwd="/",
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert bare.returncode == 1
    assert bare.stderr.startswith("Load every table of this folder:")
    rows = dict(line.split() for line in done.stdout.splitlines())
    right: dict[str, int] = {}
    for kind in (DataSet, Solution):
        for name, entry in manifest_of(kind(published, Game(GAME))).files.items():
            table = "solution" if "/" in name else name.removesuffix(".parquet")
            right[f"{GAME}.{table}"] = right.get(f"{GAME}.{table}", 0) + entry.rows
    assert {name: int(count) for name, count in rows.items()} == right


@pytest.mark.parametrize(("how", "stride"), [("SIGKILL", 97), ("ENOSPC", 53)])
def test_a_stopped_publication_leaves_the_old_folder_nothing_or_the_new_one(
    how: str, stride: int, data: Path, tmp_path: Path
) -> None:
    before, into = tmp_path / "before", tmp_path / "into"
    copied(data, before)
    old = contents(write(before, before / "published", GAME))
    into.mkdir()
    *stops, last = stopped_at_every_step("publish", Game(GAME), before, into, how, stride=stride)
    new = contents(last.root / "published")
    assert new.keys() == old.keys()
    assert new != old
    assert len(stops) > 3
    for stop in stops:
        found = contents(stop.root / "published")
        assert found in (old, new, {}), stop.step
        with whole_folder(stop.root / "published", "published folder", listed_files):
            assert contents(stop.root / "published") == (found or old), stop.step
        assert {path.name for path in stop.root.iterdir()} == {GAME, "published"}
        if how == "ENOSPC":
            assert found in (old, new), stop.step
            assert stop.code == 1 or found == new  # A folder that is there need not be made.
            assert stop.code == 0 or stop.message.startswith("cannot write ")
