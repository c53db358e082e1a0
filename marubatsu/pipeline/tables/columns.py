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
    """Text from a short list: ``labels[codes[i]]``, where None stands for null."""

    codes: Ints  # [N]
    labels: tuple[str | None, ...]


class Lists(NamedTuple):
    """A list of small integers per row; the lists of all rows are concatenated."""

    values: NDArray[np.int8]
    counts: Ints  # [N] length of each row's list


ColumnData: TypeAlias = NDArray[Any] | Nullable | Labels | Lists
Columns: TypeAlias = Mapping[str, ColumnData]
