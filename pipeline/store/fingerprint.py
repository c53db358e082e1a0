"""The fingerprint of code: a module and every module of ours that it imports, directly or not.

Nobody has to remember to name what a table depends on: the imports say it.
"""

import hashlib
import importlib.util
import re
from functools import cache
from pathlib import Path

_OUR_IMPORT = re.compile(
    r"^\s*(?:from|import) (marubatsu\.(?:engine|pipeline)[\w.]*)", re.MULTILINE
)


@cache
def code_fingerprint(*modules: str) -> str:
    """Hash the source of modules and of all that they import, and the version of pyarrow."""
    from marubatsu.pipeline.store.parquet import WRITER

    digest = hashlib.sha256(WRITER.encode())
    for name in closure(*modules):
        digest.update(f"\n{name}\n".encode())
        digest.update(_source(name))
    return digest.hexdigest()[:16]


@cache
def closure(*modules: str) -> tuple[str, ...]:
    """Return modules and all modules of ours that they import, in the order of their names."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _OUR_IMPORT.findall(_source(name).decode())
    return tuple(sorted(found))


@cache
def _source(module: str) -> bytes:
    spec = importlib.util.find_spec(module)
    assert spec
    assert spec.origin
    return Path(spec.origin).read_bytes()
