"""Columns that a stage returns: NumPy arrays, so that no stage needs Arrow.

A column is a plain array, or one of the three forms below.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints


class Nullable(NamedTuple):
    """An array with nulls where ``is_null``; the values there are ignored."""

    values: NDArray[Any]  # [N]
    is_null: Bools  # [N]


class Labels(NamedTuple):
    """Text from a short list: ``labels[codes[i]]``, where None means null."""

    codes: Ints  # [N]
    labels: tuple[str | None, ...]


class Lists(NamedTuple):
    """A list of small integers per row; the lists of all rows are concatenated."""

    values: NDArray[np.int8]
    counts: Ints  # [N] length of each row's list


ColumnData: TypeAlias = NDArray[Any] | Nullable | Labels | Lists
Columns: TypeAlias = Mapping[str, ColumnData]


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
