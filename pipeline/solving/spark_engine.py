"""Solve a game on Apache Spark: its tasks run our kernels; it does distinct, sort, join, aggregate.

::

    forward    keys of a ply -> children_of -> distinct -> sort -> keys of the next ply
    backward   keys of a ply -> edges (class, class of the next ply) -> join with the values of
               the next ply -> least value by class -> sort into parts -> combine -> files

Keys are stored as Parquet, sorted over all files of a ply, in the folder of the unfinished
solution. The values of the next ply are read from its parts. Both engines write the same bytes.

Driver and executors need the data under the same path, and the same marubatsu installed.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from marubatsu import __version__
from marubatsu.engine.large.kernels import (
    LACKING,
    NO_CHILD,
    Ints,
    Rules,
    children_of,
    combine,
    edges,
    rules_of,
)
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solution.parts import PART, parts, read_values, write_part
from marubatsu.pipeline.solving.cost_estimate import Estimate
from marubatsu.pipeline.solving.journal import KEYS, Journal
from marubatsu.pipeline.solving.solve_job import Progress, Solved, make
from marubatsu.pipeline.solving.spark_session import BATCH, require_spark, session
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import Unfinished, file_sha256, near
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.store.parquet import WRITER
from marubatsu.pipeline.support.errors import DataError

LOG = f"{KEYS}/spark.log"
"""Spark's output during a run, in the folder of the unfinished solution."""

_PARTITION = 1 << 22  # rows of a shuffle per task, about 64 MB
_KEY_OPTIONS = {"parquet.writer.version": "v2", "compression": "zstd"}  # one or two bytes per key
_SAME = f"marubatsu {__version__}, {WRITER}, {VERSION}"  # equal on the driver and all executors
_PATIENCE = 0.2  # seconds between two checks for signals


def solve(
    root: Path,
    game: Game,
    *,
    master: str | None = None,
    memory: int | None = None,
    expected: Estimate | None = None,
    progress: Progress = lambda what, share, classes: None,
    on_wait: Callable[[], None] = lambda: None,
) -> Solved:
    """Solve a game as `local_engine.solve` does, on the Spark of a master URL.

    Without ``master`` Spark's own configuration decides, else all cores of this machine.
    ``memory`` in bytes is the heap of the driver and of each executor; the Python of each core
    takes some 500 MB more. Without it Spark's own configuration decides, else half of this
    machine's memory.
    Raises UsageError when Spark or Java are not installed, and the errors of `local_engine.solve`.
    """
    rules_of(game)
    require_spark()

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        solver = _Solver(goal, expected.classes if expected else 1.0)
        if not solver.is_done:
            _run(solver, master, memory, reached)
        return solver.journal.files

    return make(root, game, fill, progress=progress, on_wait=on_wait)


# --- what runs in the tasks -----------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of a ply, as the tasks get it."""

    root: str
    notation: str
    ply: int
    version: str  # `_SAME` on the driver

    @property
    def rules(self) -> Rules:
        """The rules, prepared once in each process. Raises DataError for another version."""
        if self.version != _SAME:
            raise DataError(
                "the executors have another version of marubatsu or pyarrow than the driver: "
                "install the same on all machines"
            )
        return _rules(self.notation)

    @property
    def goal(self) -> Unfinished:
        """The folder of the unfinished solution."""
        return Unfinished(Path(self.root), Game(self.notation))

    def expand(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Turn keys into the keys of the next ply, without duplicates in each batch."""
        for keys in _keys(batches):
            yield _batch(key=children_of(keys, self.ply % 2, self.rules))

    def edges(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Turn keys into pairs: a class, and a class of the next ply that its value needs."""
        for keys in _keys(batches):
            key, child = (np.empty(keys.size * self.rules.most, np.int64) for _ in range(2))
            count = edges(keys, self.ply % 2, self.rules, key, child)
            yield _batch(key=key[:count], child=child[:count])

    def read_values(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Turn names of parts into the keys and values in them."""
        for batch in batches:
            for (file,) in zip(*batch.to_pydict().values(), strict=True):
                keys = pq.read_table(self.goal.path(file), columns=["key"], partitioning=None)
                values = read_values(self.goal, [file])
                for first in range(0, values.size, BATCH):
                    yield _batch(
                        child=keys["key"].to_numpy()[first : first + BATCH],
                        value=values[first : first + BATCH],
                    )

    def write(self, rows: pa.Table, counts: list[int]) -> pa.Table:
        """Write a part from keys and the least value of the children of each; return its entry."""
        number = rows["part"][0].as_py()
        order = np.argsort(rows["key"].to_numpy())
        keys = np.ascontiguousarray(rows["key"].to_numpy()[order])
        values, orbits = np.empty(keys.size, np.int8), np.empty(keys.size, np.int8)
        least = np.ascontiguousarray(rows["value"].to_numpy()[order])
        wrong = combine(keys, self.ply % 2, self.rules, least, values, orbits)
        if wrong or keys.size != counts[number]:
            raise DataError(
                f"{near(self.goal.path(keys_folder(self.ply + 1)))} or the files of its ply lack "
                "classes that the ply before leads to: they were damaged while they were used; "
                "run the same command again"
            )
        file, entry = write_part(self.goal, self.ply, number, keys, values, orbits)
        return pa.table({"file": [file], "entry": [json.dumps(asdict(entry))]})

    def first_keys(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Find, in files of sorted keys, the first keys of parts."""
        for batch in batches:
            for file, rank in zip(*batch.to_pydict().values(), strict=True):
                keys = pq.read_table(file, columns=["key"], partitioning=None)["key"].to_numpy()
                yield _batch(key=keys[-rank % PART :: PART].copy())


def part_of(first: Ints, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the part of each row's key as a column, by the first keys of all parts."""
    for batch in batches:
        part = np.searchsorted(first, batch.column("key").to_numpy(), side="right") - 1
        yield batch.append_column("part", pa.array(part.astype(np.int32)))


@lru_cache
def _rules(notation: str) -> Rules:
    return rules_of(Game(notation))


def _keys(batches: Iterable[pa.RecordBatch]) -> Iterator[Ints]:
    """Yield keys as new arrays, because the kernels are compiled for writable ones."""
    return (np.array(batch.column("key").to_numpy()) for batch in batches)


def _batch(**columns: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(columns)


# --- what runs in the driver ----------------------------------------------------------------------


def keys_folder(ply: int) -> str:
    """Name the folder of the keys of a ply."""
    return f"{KEYS}/{ply:02}"


class _Journal(Journal):
    """A journal whose keys are folders of Parquet files."""

    def key_files(self, ply: int) -> list[Path]:
        """Return the files of a ply in the order of their keys."""
        return sorted(self.goal.path(keys_folder(ply)).glob("part-*"))

    def hash_of_keys(self, ply: int, count: int) -> str:
        """Hash all files of a ply."""
        told = [(path.name, file_sha256(path)) for path in self.key_files(ply)]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def rows_of(files: list[Path]) -> list[int]:
    """Return how many rows each Parquet file has."""
    return [pq.read_metadata(file).num_rows for file in files]


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(self, goal: Unfinished, expected: float) -> None:
        self.goal = goal
        self.journal = _Journal.open(goal, f"{VERSION}, spark")
        self.told: tuple[str, float, int] = ("starting Spark", 0.0, 0)
        self._expected = expected
        self._looked_at = 0
        self.is_stopped = False

    @property
    def is_done(self) -> bool:
        """Whether every ply is written."""
        return self.journal.is_complete and 0 in self.journal.backward

    def solve(self, spark: Any) -> None:
        """Solve all plies."""
        self._spark = spark
        journal = self.journal
        if not journal.forward:
            empty = rules_of(self.goal.game).empty
            self._write_keys(0, spark.createDataFrame(pa.table({"key": [empty]})))
        while not journal.is_complete:
            ply = len(journal.forward) - 1
            self._begin(ply)
            children = self._keys(ply).mapInArrow(self._step(ply).expand, "key long")
            self._write_keys(ply + 1, children.distinct().orderBy("key"))
        for ply in reversed(range(len(journal.forward))):
            if ply not in journal.backward:
                self._begin(ply)
                journal.backward_done(ply, dict(self._write_parts(ply, self._least(ply))))

    def _step(self, ply: int) -> Step:
        game = self.goal.game
        return Step(str(self.goal.root.resolve()), game.notation, ply, _SAME)

    def _begin(self, ply: int) -> None:
        """Record the ply that comes, and set the number of partitions; stop when asked to."""
        counts = [count for count, _ in self.journal.forward]
        if self.journal.is_complete:
            what, share = "backward", 0.5 + sum(counts[ply + 1 :]) / sum(counts) / 2
        else:
            what, share = "forward", sum(counts[:ply]) / max(self._expected, sum(counts)) / 2
        self.told = f"{what}, ply {ply}", share, self._looked_at
        self._looked_at += counts[ply]
        if self.is_stopped:
            raise _Stopped
        least = self._spark.sparkContext.defaultParallelism
        rows = counts[ply] * rules_of(self.goal.game).most
        partitions = max(least, rows // _PARTITION)
        self._spark.conf.set("spark.sql.shuffle.partitions", str(partitions))

    def _keys(self, ply: int) -> Any:
        pattern = re.sub(r"([\\{}\[\]*?])", r"\\\1", self._address(ply))
        return self._spark.read.schema("key long").parquet(pattern)

    def _address(self, ply: int) -> str:
        """Return the URL of the keys of a ply, as Spark expects it: no characters are escaped."""
        return f"file://{self.goal.path(keys_folder(ply)).resolve()}"

    def _write_keys(self, ply: int, keys: Any) -> None:
        from pyspark.sql import Observation
        from pyspark.sql import functions as f

        written = Observation()
        keys = keys.observe(written, f.count("key").alias("count"))
        keys.write.mode("overwrite").options(**_KEY_OPTIONS).parquet(self._address(ply))
        count = sum(rows_of(self.journal.key_files(ply)))
        if count != written.get["count"]:
            raise self._not_shared()
        self.journal.forward_done(count, self.journal.hash_of_keys(ply, count))

    def _least(self, ply: int) -> Any:
        """Return, for every class of a ply, the least value among the classes that it needs."""
        from pyspark.sql import functions as f

        nothing = f.lit(NO_CHILD).cast("byte")
        rows = self._keys(ply).withColumn("value", nothing)
        if ply + 1 in self.journal.backward:
            step = self._step(ply)
            names = pa.table({"file": sorted(self.journal.backward[ply + 1])})
            files = self._spark.createDataFrame(names)
            values = files.mapInArrow(step.read_values, "child long, value byte")
            pairs = self._keys(ply).mapInArrow(step.edges, "key long, child long")
            lacking = f.lit(LACKING).cast("byte")
            found = pairs.join(values, "child", "left")
            rows = rows.union(found.select("key", f.coalesce("value", lacking)))
        return rows.groupBy("key").agg(f.min("value").alias("value"))

    def _write_parts(self, ply: int, least: Any) -> Iterator[tuple[str, Entry]]:
        step, first = self._step(ply), self._first_keys(ply)
        counts = [last - start for _, start, last in parts(self.journal.forward[ply][0])]
        placed = least.mapInArrow(
            lambda batches: part_of(first, batches), "key long, value byte, part int"
        )
        written = placed.groupBy("part").applyInArrow(
            lambda rows: step.write(rows, counts), "file string, entry string"
        )
        for file, told in written.collect():
            entry = Entry(**json.loads(told))
            if not self.goal.path(file).exists():
                raise self._not_shared()
            yield file, entry

    def _not_shared(self) -> DataError:
        return DataError(
            f"not all executors write to {near(self.goal.folder)}: name a folder with --data that "
            "all machines have under the same path"
        )

    def _first_keys(self, ply: int) -> Ints:
        """Return the first key of each part of a ply."""
        if self.journal.forward[ply][0] <= PART:
            return np.zeros(1, np.int64)
        files = self.journal.key_files(ply)
        ranks = np.cumsum([0, *rows_of(files[:-1])])
        named = pa.table({"file": list(map(str, files)), "rank": ranks})
        files_of_keys = self._spark.createDataFrame(named)
        found = files_of_keys.mapInArrow(self._step(ply).first_keys, "key long").collect()
        return np.sort(np.array([key for (key,) in found], np.int64))


class _Stopped(BaseException):
    """An order to stop, in the thread of Spark."""


def _run(solver: _Solver, master: str | None, memory: int | None, reached: Progress) -> None:
    """Run Spark in a thread, while this thread handles signals and reports the progress."""
    log = solver.goal.path(LOG)
    log.parent.mkdir(exist_ok=True)
    contexts: list[Any] = []

    def work() -> None:
        with session(master, memory, log) as spark:
            contexts.append(spark.sparkContext)
            solver.solve(spark)

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        try:
            while wait([working], _PATIENCE).not_done:
                reached(*solver.told)
        except BaseException:
            solver.is_stopped = True
            while wait([working], _PATIENCE).not_done:  # It may start a job after its check.
                for context in contexts:
                    with suppress(Exception):  # It may have ended just now.
                        context.cancelAllJobs()
            raise
        working.result()
