"""Write and read the files of a solution: its parts, ``blocks`` and ``value_counts``.

An unfinished solution is in ``solution.partial/`` next to it, with a journal. At the end the folder
is renamed, so a solution is either complete or absent. Until then it also has, in games with
gravity, files that say which rows of a ply play reaches. They have a bit for each row, compressed
to about a quarter. The files of a ply are named by their first row, so what one engine wrote in its
pieces, another one reads.
"""

import hashlib
import math
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from marubatsu.engine.large.arrays import Words, bytes_of
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.values import NULL, Values, distances, scores_mover
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.resources import near, read_whole
from marubatsu.pipeline.tables.columns import Columns, Nullable
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.integrity import open_listed
from marubatsu.pipeline.tables.manifest import Entry, entry_of, part_file, parts
from marubatsu.pipeline.tables.parquet import Encoded, encode
from marubatsu.pipeline.tables.schemas import Table
from marubatsu.pipeline.tables.solved_schemas import BLOCKS, SOLUTION, VALUE_COUNTS

ValueCount = tuple[int, int, int]
"""A value, and how many classes and positions have it."""


def encode_part(game: Game, values: Values) -> Encoded:
    """Encode a part; `NULL` becomes null."""
    return encode(SOLUTION, game, {"value": Nullable(values, values == NULL)})


def write_part(goal: DataSet, ply: int, number: int, values: Values) -> tuple[str, Entry]:
    """Write and sync a part; return its name and its entry for the manifest."""
    return _write(goal, part_file(ply, number), encode_part(goal.game, values))


def write_blocks(goal: DataSet, index: Index, plies: Iterable[int]) -> tuple[str, Entry]:
    """Write the blocks of some plies; return the name of the file and its entry."""
    masks = {ply: index.blocks(ply) for ply in sorted(plies)}
    columns = {
        "ply": np.repeat(list(masks), list(map(len, masks.values()))),
        "block": np.concatenate([np.arange(len(each)) for each in masks.values()]),
        "mask": np.concatenate(list(masks.values())),
    }
    return _write_table(goal, BLOCKS, columns)


def write_value_counts(
    goal: DataSet, counts: Mapping[int, Iterable[ValueCount]]
) -> tuple[str, Entry]:
    """Write how many classes of each ply have which value; return the file and its entry."""
    rows = [(ply, *count) for ply in sorted(counts) for count in counts[ply]]
    ply, value, classes, positions = np.array(rows, np.int64).T
    score_mover, distance = scores_mover(value), distances(value, goal.game.cells - ply)
    order = np.lexsort((distance, score_mover, ply))
    columns = {
        "ply": ply,
        "score_mover": score_mover,
        "distance": distance,
        "classes": classes,
        "positions": positions,
    }
    return _write_table(
        goal, VALUE_COUNTS, {name: column[order] for name, column in columns.items()}
    )


def _write_table(goal: DataSet, table: Table, columns: Columns) -> tuple[str, Entry]:
    return _write(goal, table.file, encode(table, goal.game, columns))


def _write(goal: DataSet, file: str, encoded: Encoded) -> tuple[str, Entry]:
    goal.write(file, memoryview(encoded.data))
    return file, entry_of(encoded, VERSION, {})


def read_values(source: Any) -> Values:
    """Read the values of a part from its path or an open file."""
    import pyarrow.parquet as pq

    return values_of(pq.ParquetFile(source).read(use_threads=False)["value"].combine_chunks())


def read_value_counts(solution: Solution) -> Any:
    """Read how many classes and positions have which value, as an Arrow table.

    Raises DataError when the file is missing or damaged.
    """
    manifest = solution.manifest()
    if manifest is None or VALUE_COUNTS.file not in manifest.files:
        raise not_built(solution)
    return open_listed(solution, manifest, VALUE_COUNTS.file).rows()


def values_of(column: Any) -> Values:
    """Return values from a column of a part, an Arrow array in one piece; null becomes `NULL`."""
    validity, data = column.buffers()
    values: Values = np.frombuffer(data, np.int8, len(column), column.offset)
    if validity is None or not column.null_count:
        return values
    bits = np.frombuffer(validity, np.uint8)
    valid: NDArray[np.uint8] = np.unpackbits(
        bits, count=column.offset + len(column), bitorder="little"
    )
    return np.where(valid[column.offset :], values, NULL)


def rows_of_blocks(size: int, most: int) -> int:
    """Return the rows of as many whole blocks as have ``most`` rows, but of at least one."""
    return size * max(1, most // size)


def joined_rows(rows: int, first: int, last: int, read: Callable[[int], Values]) -> Values:
    """Return some rows of a ply from its parts; ``read`` returns one by its number."""
    values = np.empty(last - first, np.int8)
    for number, begin, end in parts(rows):
        if begin < last and first < end:
            low, high = max(first, begin), min(last, end)
            values[low - first : high - first] = read(number)[low - begin : high - begin]
    return values


def publish(unfinished: DataSet, solution: DataSet) -> None:
    """Replace the old solution by a finished one. The caller holds both locks."""
    replaced = solution.folder.with_name("solution.replaced.partial")
    shutil.rmtree(replaced, ignore_errors=True)
    if solution.folder.exists():
        solution.folder.rename(replaced)
    unfinished.folder.rename(solution.folder)
    shutil.rmtree(replaced, ignore_errors=True)


Bytes = NDArray[np.uint8]

REACHED = "reached"
"""The folder of the files that say which rows play reaches."""

_PIECE = 1 << 27  # rows of such a file, at most
_LEVEL = 1  # 2 billion rows a second; level 9 takes off a sixth more, and six times as long


def reached_file(ply: int, first: int = 0) -> str:
    """Name the file of the rows of a ply from ``first`` on, with which a byte begins."""
    return f"{REACHED}/{ply:02}/{first:019}.zst"


def write_reached(goal: DataSet, ply: int, words: Words, rows: int, first: int = 0) -> None:
    """Write the bits of so many rows of a ply from ``first`` on."""
    bits, compressor = bytes_of(words, rows), zstandard.ZstdCompressor(_LEVEL, write_checksum=True)
    for start in range(0, rows, _PIECE):
        piece = bits[start // 8 : (start + _PIECE) // 8]
        data = compressor.compress(piece.data)
        goal.write(reached_file(ply, first + start), memoryview(data))


def remove_reached(goal: DataSet, ply: int) -> None:
    """Remove what an earlier run wrote of a ply, perhaps in other pieces."""
    shutil.rmtree(goal.path(reached_file(ply)).parent, ignore_errors=True)


def read_reached(goal: DataSet, ply: int, words: Words, rows: int, first: int = 0) -> None:
    """Read the bits of so many rows of a ply from ``first`` on.

    Raises DamagedError when files of them are damaged or missing.
    """
    bits, begin = bytes_of(words, rows), first // 8
    end, read = begin + bits.size, 0
    for at, piece in _pieces(goal, ply, begin, end):
        low, high = max(begin, at), min(end, at + piece.size)
        if high <= low:
            break
        bits[low - begin : high - begin] = piece[low - at : high - at]
        read += high - low
    if read != bits.size:
        raise _damaged(goal, ply)


def reached_sha256(goal: DataSet, ply: int, rows: int) -> str:
    """Return the SHA-256 of the bits of all rows of a ply.

    Raises DamagedError when their files are damaged or missing, or have other rows.
    """
    size, digest = 0, hashlib.sha256()
    for at, piece in _pieces(goal, ply, 0, -(-rows // 8)):
        if at != size:
            raise _damaged(goal, ply)
        size += piece.size
        digest.update(piece.data)
    if size != -(-rows // 8):
        raise _damaged(goal, ply)
    return digest.hexdigest()


def _pieces(goal: DataSet, ply: int, begin: int, end: int) -> Iterator[tuple[int, Bytes]]:
    """Yield the files with some of the bytes of a ply, in order: their first byte, and all."""
    folder = goal.path(reached_file(ply)).parent
    names = [path.stem for path in folder.glob("*.zst")]
    starts: list[float] = sorted(int(name) // 8 for name in names if name.isdecimal())
    for start, stop in pairwise([*starts, math.inf]):
        if start < end and begin < stop:
            at = int(start)
            try:
                data = read_whole(goal.path(reached_file(ply, 8 * at)))
                if zstandard.frame_content_size(data) > _PIECE // 8:
                    raise _damaged(goal, ply)
                yield at, np.frombuffer(zstandard.ZstdDecompressor().decompress(data), np.uint8)
            except (OSError, zstandard.ZstdError):
                raise _damaged(goal, ply) from None


def _damaged(goal: DataSet, ply: int) -> DamagedError:
    return DamagedError(f"{near(goal.path(reached_file(ply)).parent)} is damaged")
