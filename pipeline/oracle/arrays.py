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
