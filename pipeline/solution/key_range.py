"""Ascending keys in memory, with a value for each, ready for kernels to look up."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.kernels import Ints, index

_SHARED = 8  # keys for each entry of the index


class KeyRange:
    """Some classes of a ply: their keys, an index of the keys, and a value for each."""

    def __init__(self, keys: Ints, values: NDArray[Any]) -> None:
        """Index the keys: ascending, each once, possibly none."""
        self.keys, self.values = keys, values
        span = int(keys[-1] - keys[0]) if keys.size else 0
        self.shift = max(0, span.bit_length() - (keys.size // _SHARED).bit_length())
        self.starts = np.empty((span >> self.shift) + 2, np.int64)
        if keys.size:
            index(keys, self.shift, self.starts)
