"""The compact form of a solution: one file that leaves out what the rules say.

::

    marubatsu compact 1
    game 3x2k2
    order 0 1 2 3 4 5
    data 0f6e…                                 hash of all rows in the complete form
    classes 38 unfinished 17
    ply 0 first 0 rows 1 bytes 10 sha256 5a…   a frame
    …
    sha256 c1…                                 of the lines above

An empty line follows, then the frames: a byte for each row, as in the raw file, compressed by
Zstandard. `engine.large.rows` says which values follow from the rules: in their place is the value
before, so that runs are long. 127 is only where no rule says that a row has no value.
"""

import hashlib
import os
import re
import shutil
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from itertools import accumulate, islice
from tempfile import TemporaryFile, gettempdir
from typing import IO, BinaryIO, NamedTuple, Self

import numpy as np
import zstandard

from marubatsu.engine.large.index import Index, rows_of_plies
from marubatsu.engine.large.values import FAR, NULL, Values
from marubatsu.pipeline.solving.solution_files import (
    GROUP,
    CompleteRows,
    SolvedRows,
    first_lines,
    read_rows,
)
from marubatsu.pipeline.stages.usable import open_listed, require_fresh, require_usable
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import DamagedError, NoRoomError, StaleError
from marubatsu.pipeline.support.resources import MOST, near, opened
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built

_FORM, _VERSION = "compact", 1
_FRAME = 8 * GROUP  # rows of a frame, but for the last one of a ply
_LEVEL = 19
_REMEMBERED = 64  # frames that a reader keeps decompressed
_CHUNK = 1 << 16
_MOST = FAR - 3  # The values nearer to the end follow from the rules.
_Place = tuple[int, int, int]  # ply, first row, rows

_HASH = "([0-9a-f]{64})"
_NUMBER = r"(\d{1,18})"
_TOTALS = re.compile(rf"data {_HASH}\nclasses {_NUMBER} unfinished {_NUMBER}\n")
_LINE = re.compile(
    rf"ply {_NUMBER} first {_NUMBER} rows {_NUMBER} bytes {_NUMBER} sha256 {_HASH}\n"
)


class _Frame(NamedTuple):
    """A frame: where its rows are, and its bytes."""

    ply: int
    first: int
    rows: int
    size: int
    sha256: str

    @classmethod
    def of(cls, *words: str) -> Self:
        return cls(*map(int, words[:4]), words[4])  # type: ignore[call-arg, arg-type]

    @property
    def line(self) -> str:
        ply, first, rows, size, sha256 = self
        return f"ply {ply} first {first} rows {rows} bytes {size} sha256 {sha256}\n"


class _Totals(NamedTuple):
    """What the lines say of the whole solution."""

    data_hash: str
    classes: int
    unfinished: int

    @property
    def lines(self) -> str:
        return f"data {self.data_hash}\nclasses {self.classes} unfinished {self.unfinished}\n"


class CompactFile:
    """The file of a compact form; it stays open, so a new one in its place changes nothing."""

    def __init__(self, solution: Solution) -> None:
        """Open the file of a solution, and read its lines.

        Raises DamagedError when they are damaged, StaleError when they are of another version.
        """
        self._solution, self.index = solution, Index(solution.game)
        with self._reading():
            self._handle = opened(solution.compact)
            weakref.finalize(self, os.close, self._handle)
            self.size = os.fstat(self._handle).st_size
            lines = self._read_lines()
            self.totals, self.frames = self._parsed(lines)
            self.sha256 = hashlib.sha256(lines).hexdigest()  # They have the hashes of all frames.
            self._starts = [*accumulate((each.size for each in self.frames), initial=len(lines))]
            if self._starts[-1] != self.size:
                raise ValueError(f"it has {self.size:,} bytes, its lines say {self._starts[-1]:,}")

    def read(self, number: int) -> Values:
        """Return the rows of a frame, as `_Rules.left_out` returned them.

        Raises DamagedError when it is not the one of which the lines have the hash.
        """
        frame = self.frames[number]
        with self._reading():
            data = os.pread(self._handle, frame.size, self._starts[number])
            digest = hashlib.sha256(data).hexdigest()
            if digest != frame.sha256:
                where = f"the frame of ply {frame.ply} from row {frame.first:,} on"
                raise ValueError(f"{where} has sha256 {digest[:12]}…, not {frame.sha256[:12]}…")
            if zstandard.frame_content_size(data) != frame.rows:
                raise ValueError(f"a frame of ply {frame.ply} has not {frame.rows:,} rows")
            content = zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
            kept = np.frombuffer(content, np.int8)
            if (np.abs(kept[kept != NULL].astype(np.int16)) > _MOST).any():
                raise ValueError(f"a frame of ply {frame.ply} has bytes that are no values")
        return kept

    def require_intact(self) -> None:
        """Raise DamagedError when a frame is damaged."""
        for number in range(len(self.frames)):
            self.read(number)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise DamagedError where the file cannot be read, or has what it cannot have."""
        try:
            yield
        except OSError as error:
            raise self._damaged(f"it cannot be read: {error.strerror}") from error
        except (ValueError, zstandard.ZstdError) as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> DamagedError:
        path = self._solution.compact
        problem = f"{near(path)} is damaged: {why}"
        cure, game = self._solution.cure_of_compact, self._solution.game.name
        return DamagedError(problem, cure, game=game, path=path, why=why)

    def _read_lines(self) -> bytes:
        """Return the lines up to the empty one."""
        lines, end = bytearray(), -1
        while end < 0 and len(lines) <= MOST:
            chunk = os.pread(self._handle, _CHUNK, len(lines))
            if not chunk:
                break
            lines += chunk
            end = lines.find(b"\n\n", max(0, len(lines) - len(chunk) - 1))
        if not lines.startswith(f"marubatsu {_FORM} ".encode()) or end < 0:
            raise ValueError("it is no compact form of a solution")
        return bytes(lines[: end + 2])

    def _parsed(self, lines: bytes) -> tuple[_Totals, list[_Frame]]:
        """Return what the lines say, which have only one valid form."""
        game, path = self._solution.game, near(self._solution.compact)
        first = first_lines(_FORM, _VERSION, self.index).encode("ascii")
        if lines.partition(b"\n")[0] != first.partition(b"\n")[0]:
            problem = f"{path} is of another version: expected marubatsu {_FORM} {_VERSION}"
            raise StaleError(problem, self._solution.cure_of_compact, game=game.name)
        text = lines[: -len(_last_line(b""))]
        if lines != text + _last_line(text):
            raise ValueError("its lines do not fit their own sha256")
        if not text.startswith(first):
            raise ValueError(f"it does not belong to {game.notation}")
        rest = text.removeprefix(first).decode("ascii", "replace")
        match = _TOTALS.match(rest)
        totals = _Totals(match[1], int(match[2]), int(match[3])) if match else _Totals("", 0, 0)
        frames = [_Frame.of(*line) for line in _LINE.findall(rest)]
        places = _places(rows_of_plies(game)[: frames[-1].ply + 1] if frames else [1])
        if (
            rest != _text(totals, frames)
            or [*islice(places, len(frames) + 1)] != [frame[:3] for frame in frames]
            or max(frame.size for frame in frames) > 2 * _FRAME
            or totals.unfinished > totals.classes
        ):
            raise ValueError("its lines are not those of a solution")
        return totals, frames


class CompactRows:
    """The rows of a solution in the compact form."""

    def __init__(self, file: CompactFile) -> None:
        self.game, self.rows = file.index.game, rows_of_plies(file.index.game)
        del self.rows[file.frames[-1].ply + 1 :]
        self.unfinished, self.data_hash = file.totals.unfinished, file.totals.data_hash
        self.fingerprint = file.sha256
        self._rules = _Rules(file.index)
        self._numbers = {frame[:2]: number for number, frame in enumerate(file.frames)}
        self._read = lru_cache(_REMEMBERED)(file.read)

    def read(self, ply: int, group: int) -> Values:
        """Return the values of a row group. Raises DamagedError when its frame is damaged."""
        first = group * GROUP
        begin = first % _FRAME
        kept = self._read(self._numbers[ply, first - begin])[begin : begin + GROUP]
        return self._rules.put_back(ply, first, kept)


class _Rules:
    """What the rules of a game say of its rows: see `engine.large.rows`."""

    def __init__(self, index: Index) -> None:
        from marubatsu.engine.large import arrays, rows  # They need Numba.

        self._derive, self._open = rows.derive, rows.OPEN
        self._rules = arrays.rules_of(index, links=False)
        self._ply = cache(partial(arrays.ply_of, index))

    def left_out(self, ply: int, first: int, values: Values) -> Values:
        """Return rows with the value before in place of each that the rules say.

        Raises ValueError when they say another one.
        """
        said = self._said(ply, first, values)
        is_open, is_null = said == self._open, values == NULL
        if not (is_open | is_null | (said == values)).all():
            raise ValueError(f"a value of ply {ply} is not the one that the rules say")
        last = np.maximum.accumulate(np.where(is_open & ~is_null, np.arange(values.size), -1))
        kept = np.where(last < 0, np.int8(0), values[last])
        kept[is_null & (said != NULL)] = NULL
        return kept

    def put_back(self, ply: int, first: int, kept: Values) -> Values:
        """Return the values of rows from what `left_out` returned."""
        said = self._said(ply, first, kept)
        return np.where((said == self._open) | (kept == NULL), kept, said)

    def _said(self, ply: int, first: int, rows: Values) -> Values:
        said = np.empty_like(rows)
        self._derive(self._ply(ply), first, first + rows.size, self._rules, said)
        return said


def write_compact(solution: SolvedRows, out: BinaryIO, progress: Callable[[float], None]) -> None:
    """Write the compact form of a solution, frame by frame, on all cores.

    Raises DamagedError when a file is damaged, or a value is not the one that the rules say.
    """
    index = Index(solution.game)
    rules, frames, classes, written = _Rules(index), [], 0, 0

    def compressed(item: tuple[_Place, Values]) -> tuple[_Frame, bytes, int]:
        (ply, first, rows), values = item
        try:
            kept = rules.left_out(ply, first, values)
        except ValueError as error:
            problem = f"the solution of {solution.game.name} is damaged: {error}"
            raise DamagedError(problem, Cure("check", solution.game)) from error
        data = zstandard.ZstdCompressor(_LEVEL).compress(kept.tobytes())
        frame = _Frame(ply, first, rows, len(data), hashlib.sha256(data).hexdigest())
        return frame, data, int(np.count_nonzero(values != NULL))

    items = ((place, read_rows(solution, *place)) for place in _places(solution.rows))
    with WorkerThreads() as workers, TemporaryFile(buffering=0) as after_lines:
        for frame, data, more in workers.each(compressed, items):
            frames.append(frame)
            _set_aside(after_lines, data)
            classes, written = classes + more, written + frame.rows
            progress(written / sum(solution.rows))
        totals = _Totals(solution.data_hash, classes, solution.unfinished)
        text = (first_lines(_FORM, _VERSION, index) + _text(totals, frames)).encode("ascii")
        out.write(text + _last_line(text))
        after_lines.seek(0)
        shutil.copyfileobj(after_lines, out)


def _set_aside(file: IO[bytes], data: bytes) -> None:
    """Write to a file without a buffer, which would fail again when it is closed.

    Raises NoRoomError, which names the folder of temporary files.
    """
    try:
        while data:
            data = data[file.write(data) :]
    except OSError as error:
        problem = f"cannot write a temporary file to {gettempdir()}: {error.strerror}"
        raise NoRoomError(problem, "make room there, or name another folder by TMPDIR") from error


def _places(rows: Sequence[int]) -> Iterator[_Place]:
    """Yield the ply, the first row and the rows of each frame."""
    for ply, here in enumerate(rows):
        for first in range(0, here, _FRAME):
            yield ply, first, min(_FRAME, here - first)


def _text(totals: _Totals, frames: Iterable[_Frame]) -> str:
    """Return the lines but the first ones and the last."""
    return "".join([totals.lines, *(frame.line for frame in frames)])


def _last_line(text: bytes) -> bytes:
    """Return the last line, and the empty one."""
    return f"sha256 {hashlib.sha256(text).hexdigest()}\n\n".encode("ascii")


def open_rows(solution: Solution) -> SolvedRows:
    """Open the rows of a solution; a file is compared with its hash when it is first needed.

    Raises DataError when there is none, and when the list of the files is damaged.
    """
    with solution.lock(write=False):
        manifest = solution.manifest()
        if manifest is None and solution.is_compact:
            return CompactRows(CompactFile(solution))
    if manifest is None:
        raise not_built(solution)
    require_fresh(solution, manifest, manifest.files)
    return CompleteRows(solution.game, manifest, partial(open_listed, solution, manifest))


def open_intact(solution: Solution) -> SolvedRows:
    """Open the rows of a solution as `open_rows` does, after all files are compared."""
    if not solution.is_solved:
        raise not_built(solution)
    with solution.lock(write=False):
        if solution.is_compact:
            file = CompactFile(solution)
            file.require_intact()
            return CompactRows(file)
        manifest, files = require_usable(solution)
    return CompleteRows(solution.game, manifest, files.__getitem__)


def data_hash_of(data_set: DataSet) -> str | None:
    """Return the hash of the rows of a game's tables, else of its solution; None without any."""
    solution = data_set.sibling(Solution)
    if manifest := data_set.manifest() or solution.manifest():
        return manifest.data_hash
    return CompactFile(solution).totals.data_hash if solution.is_compact else None
