"""Columns of Parquet files as NumPy arrays, without the libraries that Arrow would import."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def numbers(column: Any) -> NDArray[Any]:
    """Return a column of numbers without nulls, read from one row group, as a read-only array.

    Arrow's own ``to_numpy`` imports pandas where it is installed, which takes longer than reading.
    """
    array: NDArray[Any] = np.from_dlpack(column.chunk(0))
    return array


def lists(column: Any, places: NDArray[Any]) -> list[list[int]]:
    """Return some lists of a column of lists of integers, read from one row group."""
    chunk = column.chunk(0)
    values, start = np.from_dlpack(chunk.values), np.from_dlpack(chunk.offsets)
    bounds = zip(start[places].tolist(), start[places + 1].tolist(), strict=True)
    return [values[first:end].tolist() for first, end in bounds]
