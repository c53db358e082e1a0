"""How kernels are compiled: without the interpreter lock, and kept for the next process."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from marubatsu.engine.large.kernel_cache import kept, numba

_INT64 = numba.types.int64

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep it where a file can be written."""
    try:
        return cast(Function, kept(lambda: numba.njit(nogil=True, cache=True)(function)))
    except RuntimeError:  # No folder for the cache can be written.
        return cast(Function, numba.njit(nogil=True)(function))


def inlined(function: Function) -> Function:
    """Compile a function as a part of those that call it."""
    return cast(Function, numba.njit(nogil=True, inline="always")(function))


def _count_bits(context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return _INT64(_INT64), generate


def _shifted(context: Any, word: Any, places: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.lshr(*arguments)

    return _INT64(_INT64, _INT64), generate


count_bits = cast(Callable[[Any], int], numba.extending.intrinsic(_count_bits))
"""Count the bits of a mask, by the processor's own instruction; only kernels can call it."""

shifted = cast(Callable[[Any, Any], int], numba.extending.intrinsic(_shifted))
"""Move the bits of a word down by less than 64 places, the sign like all others."""


MULTIPLIER = 0x1E3779B97F4A7C15
"""Odd, so it permutes the integers of 64 bits; the upper bits of a product choose a table's row."""
