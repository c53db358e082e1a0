"""The raw file of a solution, and programs that derive its values: C, a browser, and a search."""

import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import zstandard

from marubatsu.engine.large.values import NULL
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.answer import Answer
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.tables.data_set import Solution
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.shared import Shared
from tests.helpers.page.browser import Browser, watched
from tests.helpers.processes.commands import raw_file, require_refused, run_here
from tools.checker import search_sample

pytestmark = pytest.mark.programs

SOURCE = CHECKOUT / "tools" / "checker" / "check.c"
GAMES = ("1x9k3", "3x3k3-misere", "3x3k3-gravity", "4x3k3", "4x3k3-misere-torus")
DAMAGED = ("3x2k2", "3x3k3-misere", "3x3k3-gravity")

Check = Callable[[bytes], "subprocess.CompletedProcess[str]"]


class Ply(NamedTuple):
    """Where the blocks and the rows of a ply are in a raw file."""

    number: int
    blocks: range
    rows: range


def plies(raw: bytes) -> Iterator[Ply]:
    """Yield the plies of a raw file, by its lines."""
    lines, empty, _ = raw.partition(b"\n\n")
    at = len(lines + empty)
    for line in lines.decode().splitlines()[3:]:
        number, blocks, rows = map(int, line.split()[1::2])
        first = at + 8 * blocks
        yield Ply(number, range(at, first), range(first, first + rows))
        at = first + rows


@pytest.fixture(params=["compiled", "in_a_browser"])
def check(request: pytest.FixtureRequest) -> Check:
    """Return one of the two checkers, which say the same."""
    checker: Check = request.getfixturevalue(request.param)
    return checker


IN_A_BROWSER = """async ([base64, path]) => {
    const { prove } = await import(path);
    const raw = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    try {
        return await prove(new Blob([raw]).stream());
    } catch (error) {
        if (error.name !== 'ProofError') throw error;
        return error.message;
    }
}"""


@pytest.fixture(scope="module")
def in_a_browser(browser: Browser, address: str) -> Iterator[Check]:
    with watched(browser, f"{address}proof/index.html") as page:

        def run(raw: bytes) -> "subprocess.CompletedProcess[str]":
            arguments = [b64encode(raw).decode(), "/proof/checker.js"]
            found = page.evaluate(IN_A_BROWSER, arguments)
            if isinstance(found, str):
                code = 2 if found.startswith("this is no file of") else 1
                return subprocess.CompletedProcess([], code, "", found)
            columns = ["rows", "classes", "won", "drawn", "lost"]
            lines = [" ".join(["ply", *columns])]
            for number, ply in enumerate(found["plies"]):
                lines.append(" ".join(map(str, [number, *(ply[name] for name in columns)])))
            return subprocess.CompletedProcess([], 0, "\n".join([*lines, "all values follow"]), "")

        yield run


@pytest.fixture(scope="session")
def compiled(shared: Shared) -> Check:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc): tools/checker is not tested")

    options = ("-O2", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror")

    def compile_it(folder: Path) -> None:
        subprocess.run([compiler, *options, SOURCE, "-o", folder / "check"], check=True)

    program = shared.make("checker", compile_it) / "check"

    def run(raw: bytes) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run([program, "-"], input=raw, capture_output=True, check=False)
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


def exported(solutions: Solutions, game: str) -> bytes:
    return raw_file(solutions.of(game), game)


@pytest.mark.parametrize("game", GAMES)
def test_every_value_is_proved(game: str, solutions: Solutions, check: Check) -> None:
    """And classes, wins, draws and losses of each ply are those of the solution."""
    raw = exported(solutions, game)
    done = check(raw)
    assert (done.returncode, done.stderr) == (0, "")
    head, *found, end = done.stdout.splitlines()
    assert head.split() == ["ply", "rows", "classes", "won", "drawn", "lost"]
    assert end == "all values follow"
    expected = {ply.number: [ply.number, len(ply.rows), 0, 0, 0, 0] for ply in plies(raw)}
    for row in read_value_counts(Solution(solutions.of(game), Game(game))).to_pylist():
        expected[row["ply"]][2] += row["classes"]
        expected[row["ply"]][4 - row["score_mover"]] += row["classes"]
    assert [[*map(int, line.split())] for line in found] == list(expected.values())


def decompressed(content: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(content)


def changed(raw: bytes, at: int, byte: int) -> bytes:
    return raw[:at] + bytes([byte % 256]) + raw[at + 1 :]


@pytest.mark.parametrize("game", DAMAGED)
def test_every_changed_byte_is_found(game: str, solutions: Solutions, check: Check) -> None:
    raw, random = exported(solutions, game), Random(game)
    null = int(NULL)
    rows = {at: ply.number for ply in plies(raw) for at in ply.rows}
    values = [at for at in rows if raw[at] != null]
    nulls = [at for at in rows if raw[at] == null]
    defects = [(at, raw[at] + step) for step in (-1, 1) for at in random.sample(values, 15)]
    defects += [(at, null) for at in random.sample(values, 15)]
    defects += [
        (at, value) for value in (0, 64) for at in random.sample(nulls, min(15, len(nulls)))
    ]
    for at, byte in defects:
        done = check(changed(raw, at, byte))
        message = f"at {at}, ply {rows[at]}, {raw[at]} becomes {byte}: {done.stderr}"
        assert done.returncode == 1, message
        # The row itself, or one from which a move leads there.
        assert done.stderr.startswith((f"ply {rows[at]}, row ", f"ply {rows[at] - 1}, row ")), (
            message
        )
    blocks = [at for ply in plies(raw) for at in ply.blocks]
    for at in random.sample(blocks, 15):
        done = check(changed(raw, at, raw[at] ^ 1 << random.randrange(8)))
        assert done.returncode == 1
        assert ", block " in done.stderr


@pytest.mark.parametrize("game", ["tictactoe", "3x3k3-gravity"])
def test_every_other_file_is_found(game: str, solutions: Solutions, check: Check) -> None:
    raw = exported(solutions, game)
    last = [*plies(raw)][-1]
    line = b"ply 9 blocks %d rows %d\n" % (len(last.blocks) // 8, len(last.rows))
    assert raw.count(line) == 1
    more = line + line.replace(b"ply 9 ", b"ply 10 ")
    order = raw.splitlines()[2]
    turned_message = (
        "the order of cells" if "gravity" in game else "ply 1, block 1: expected another mask"
    )
    turned = b"order " + b" ".join(reversed(order.split()[1:]))
    wrong = {
        "a byte is cut off": (raw[:-1], 1, "ply 9: the file ends too early"),
        "a byte follows": (raw + b"\0", 1, "the file goes on after its last ply"),
        "the last ply is cut off": (
            raw[: last.blocks.start].replace(line, b""), 1,
            "ply 8 is the last of the file, but play goes on",
        ),
        "a ply is repeated": (raw.replace(line, line + line), 1, "expected the line of ply 10"),
        "a ply beyond the board": (raw.replace(line, more), 1, "expected the line of ply 10"),
        "another number of rows": (raw.replace(line, line[:-1] + b"0\n"), 1, "ply 9: expected "),
        "another rule": (raw.replace(b"3x3k3", b"3x3k3-misere", 1), 1, "ply 5, row "),
        "another run": (raw.replace(b"3x3k3", b"3x3k2", 1), 1, "ply 3, row "),
        "a cell twice": (raw.replace(order, order[:-1] + b"0"), 1, "the order of cells"),
        "another order": (raw.replace(order, turned), 1, turned_message),
        "no game": (raw.replace(b"3x3k3", b"3x99k3", 1), 2, "this is no file of"),
        "unknown rules": (raw.replace(b"3x3k3", b"3x3k3-cubic", 1), 2, "this is no file of"),
        "another version": (raw.replace(b"raw 1", b"raw 2", 1), 2, "this is no file of"),
        "nothing": (b"", 2, "this is no file of"),
        "only lines": (raw[: raw.index(b"\n\n") + 2], 1, "ply 0"),
    }  # fmt: skip
    for name, (other, code, message) in wrong.items():
        done = check(other)
        assert done.returncode == code, (name, done)
        assert message in done.stderr, (name, done)


def test_a_file_holds_the_same(solutions: Solutions, tmp_path: Path) -> None:
    raw, data = exported(solutions, "3x2k2"), solutions.of("3x2k2")
    for name, read in (("x.raw", bytes), ("x.raw.zst", decompressed)):
        done = run_here("export", "3x2k2", "--raw", "--output", str(tmp_path / name), data=data)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert read((tmp_path / name).read_bytes()) == raw
    assert {path.name for path in tmp_path.iterdir()} == {"x.raw", "x.raw.zst"}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("3x2k2",), 2, "expected --raw"),
        (("2x5k2", "--raw"), 1, "run `marubatsu solve 2x5k2`"),
        (("3x2k9", "--raw"), 2, "no line of 9 fits"),
        (("3x2k2", "--raw", "--output", "DATA/3x2k2/new"), 2, "lies in the data of"),
        (("3x2k2", "--raw", "--output", "/dev/full"), 1, "cannot write /dev/full"),
    ],
)
def test_exports_that_are_refused(
    arguments: tuple[str, ...], code: int, message: str, solutions: Solutions
) -> None:
    data = solutions.of("3x2k2")
    words = [word.replace("DATA", str(data)) for word in arguments]
    require_refused(run_here("export", *words, data=data), message, code)


def test_a_search_finds_the_same_values(
    solutions: Solutions, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["4x4k4-gravity", "--data", str(solutions.of("4x4k4-gravity")), "--sample", "20"]
    assert search_sample.main(arguments) == 0
    assert capsys.readouterr().out == "4x4k4-gravity: the same values in 20 unfinished positions\n"
    answer = SearchOracle.answer

    def wrong(self: SearchOracle, position: Position) -> Answer:
        right = answer(self, position)
        return replace(right, distance=right.distance + 1)

    monkeypatch.setattr(SearchOracle, "answer", wrong)
    assert search_sample.main(arguments) == 1
    assert capsys.readouterr().out.startswith("4x4k4-gravity: they differ at ")
