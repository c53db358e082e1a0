"""How kernels are compiled: without the interpreter lock, and kept for the next process.

Numba keeps the code of a kernel until its module changes. But a kernel has functions and constants
of other modules built in, and the index of what is kept names their classes. So here the code of
all kernels is forgotten when any module changes that kernels may have built in. It is kept in the
user's cache folder, so uninstalling leaves nothing that can be imported. This is the one module of
the engine that touches files, and signals: while LLVM calls Python, Numba bears no exception.
"""

import hashlib
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from marubatsu.engine.rules.input_error import InputError

_LEAST = 10**9
"""Bytes of address space: in less, BLAS, which Numba loads, asks for memory again and again."""

if 0 <= resource.getrlimit(resource.RLIMIT_AS)[0] < _LEAST:
    raise MemoryError("compiled code needs more address space")
try:
    import numba
    from llvmlite import ir  # type: ignore[import-untyped]
except ValueError as error:
    raise InputError(f"Numba refuses a variable NUMBA_… of the environment: {error}") from None
_settings: Any = numba.config
if _settings.DISABLE_JIT:
    raise InputError("NUMBA_DISABLE_JIT is set, and kernels run only as compiled code: unset it")
from numba.core import event  # noqa: E402, it needs Numba
from numba.core.caching import FunctionCache, UserProvidedCacheLocator, UserWideCacheLocator  # noqa: E402

Function = TypeVar("Function", bound=Callable[..., Any])

_INT64 = numba.types.int64

ROOMS = ("rules", "large", "kernels")
"""The rooms of the engine from which kernels have functions and constants built in."""


@cache
def stamp() -> str:
    """Return a hash of all modules that kernels may have built in."""
    engine = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in ROOMS:
        for path in sorted((engine / room).glob("*.py")):
            digest.update(f"\n{room}/{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class _OfTheseModules:
    """Lets a folder of Numba keep code of these modules only; see `numba.core.caching`.

    The stamp is in the names of the files. So a process that still runs older modules finds and
    writes its own files.
    """

    get_cache_path: Callable[[], str]

    def get_disambiguator(self) -> str:
        """Return a part of the names of the files of a kernel."""
        name: str = super().get_disambiguator()  # type: ignore[misc]  # that of Numba's class
        return f"{name}-{stamp()}"

    def ensure_cache_path(self) -> None:
        """Make the folder, and remove what is of no use any more."""
        super().ensure_cache_path()  # type: ignore[misc]  # that of Numba's class
        for path in Path(self.get_cache_path()).glob("*.nb[ic]"):
            if f"-{stamp()}." not in path.name:
                path.unlink(missing_ok=True)


class ChosenFolder(_OfTheseModules, UserProvidedCacheLocator):
    """The folder that ``NUMBA_CACHE_DIR`` names."""


class UserFolder(_OfTheseModules, UserWideCacheLocator):
    """A folder of the user's cache for this installation: nothing stays when it is removed."""


_LOCATORS = ",".join(f"{each.__module__}.{each.__name__}" for each in (ChosenFolder, UserFolder))


class _Code(FunctionCache):
    """The code of a kernel, which is kept where a file can be written."""

    def save_overload(self, *compiled: Any) -> None:
        """Keep the code for some types of arguments."""
        with suppress(OSError):  # The disk is full.
            super().save_overload(*compiled)  # type: ignore[no-untyped-call]  # that of Numba


class _Heard(event.Listener):
    """Signals that have come, handled where Numba locks its compiler, some times a second."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._handlers: dict[int, Any] = {}

    def hear(self, number: int, frame: object) -> None:
        self._numbers.append(number)

    def handle(self, _: object = None) -> None:
        while self._numbers and threading.current_thread() is threading.main_thread():
            number = self._numbers.pop()
            self._handlers[number](number, None)

    on_start = on_end = handle

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Hear signals in a block, those that a handler of Python would hear."""
        for each in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(each)):
                self._handlers[each] = signal.signal(each, self.hear)
        try:
            with event.install_listener("numba:compiler_lock", self):
                yield
        finally:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self.handle()


def _hearing(compile_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what compiles a kernel for some types, and handles signals only in between."""

    def compile_and_hear(types: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return compile_(types)
        with _Heard().instead():
            return compile_(types)

    return compile_and_hear


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep it where a file can be written.

    Other users of Numba in this process keep their code as Numba does. Its own option `cache` would
    let a full disk end the search.
    """
    kernel: Any = uncached(function)
    before = _settings.CACHE_LOCATOR_CLASSES
    _settings.CACHE_LOCATOR_CLASSES = _LOCATORS
    try:
        kernel._cache = _Code(function)  # type: ignore[no-untyped-call]  # noqa: SLF001
    except RuntimeError:  # No folder for the cache can be written.
        pass
    finally:
        _settings.CACHE_LOCATOR_CLASSES = before
    return cast(Function, kernel)


def uncached(function: Function) -> Function:
    """Compile a function when it is first called, and keep nothing."""
    kernel: Any = numba.njit(nogil=True)(function)
    kernel.compile = _hearing(kernel.compile)
    return cast(Function, kernel)


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


def _prefetch(context: Any, array: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.gep(data, [arguments[1]])
        integer, nothing = ir.IntType(32), ir.VoidType()
        kind = ir.FunctionType(nothing, [pointer.type, integer, integer, integer])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        builder.call(hint, [pointer, *(ir.Constant(integer, each) for each in (0, 3, 1))])
        return context.get_dummy_value()

    return numba.types.void(array, place), generate


def _lower(lanes: int) -> Any:
    def lower(context: Any, out: Any, row: Any, values: Any, begin: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def several(array: int) -> Any:
                data = context.make_array(signature.args[array])(context, builder, arguments[array])
                place = builder.gep(data.data, [arguments[array + 1]])
                return builder.bitcast(place, ir.VectorType(ir.IntType(8), lanes).as_pointer())

            place = several(0)
            old, new = builder.load(place, align=1), builder.load(several(2), align=1)
            less = builder.select(builder.icmp_signed("<", new, old), new, old)
            builder.store(less, place, align=1)
            return context.get_dummy_value()

        return numba.types.void(out, row, values, begin), generate

    return numba.extending.intrinsic(lower)


lower_8, lower_32 = (cast(Callable[[Any, Any, Any, Any], None], _lower(n)) for n in (8, 32))
"""Lower 8 or 32 small numbers, from a place of an array on, to those of another, where less."""

count_bits = cast(Callable[[Any], int], numba.extending.intrinsic(_count_bits))
"""Count the bits of a mask, by the processor's own instruction; only kernels can call it."""

shifted = cast(Callable[[Any, Any], int], numba.extending.intrinsic(_shifted))
"""Move the bits of a word down by less than 64 places, the sign like all others."""


prefetch = cast(Callable[[Any, Any], None], numba.extending.intrinsic(_prefetch))
"""Ask for an entry of an array, which takes a while to come from memory, before it is read."""

MULTIPLIER = 0x1E3779B97F4A7C15
"""Odd, so it permutes the integers of 64 bits; the upper bits of a product choose a table's row."""


@inlined
def first_row(key: int, rows: int) -> int:
    """Return where to look for a key first, in a table whose rows are a power of two."""
    return key * MULTIPLIER >> 64 - count_bits(rows - 1) & rows - 1
