"""Which rows of a ply play reaches, in games with gravity: files that are needed until the end.

They have a bit for each row, compressed to about a quarter. The files of a ply are named by their
first row, so what one engine wrote in its pieces, another one reads.
"""

import hashlib
import math
import shutil
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import zstandard
from numpy.typing import NDArray

from marubatsu.engine.large.tables import Words, bytes_of
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.regular_file import read_whole
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.resources import near

Bytes = NDArray[np.uint8]

REACHED = "reached"
"""The folder of these files."""

_PIECE = 1 << 27  # rows of a file, at most
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
