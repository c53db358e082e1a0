"""Run the commands of README.md and hold, or write, their output.

Every block that opens with ```` ```console ```` holds one command after ``$`` and what it prints,
errors included. ``python -m tools.documents`` (``make readme``) writes what they print now.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent
README = CHECKOUT / "README.md"
JAPANESE = CHECKOUT / "README.ja.md"

_BLOCK = re.compile(r"```console\n\$ (.+)\n(?:.*\n)*?```\n")
_SECONDS = re.compile(r"\b\d+\.\d\d s\b")


def rerun(document: str) -> str:
    """Return a document with the output of its commands as it is now, all run in order."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"

        def block(match: re.Match[str]) -> str:
            return f"```console\n$ {match[1]}\n{output(match[1], data)}```\n"

        return _BLOCK.sub(block, document)


def commands(document: str) -> Iterator[str]:
    """Yield the commands of a document."""
    for match in _BLOCK.finditer(document):
        yield match[1]


def output(command: str, data: Path) -> str:
    """Run a command as a reader would, on data of its own; its folder is written as ``data``."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    outside_make = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=CHECKOUT,
        env={**outside_make, "PATH": path, "MARUBATSU_DATA": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.replace(str(data), "data")


def without_seconds(document: str) -> str:
    """Return a document with every time blotted out: that is what differs between machines."""
    return _SECONDS.sub("0.00 s", document)


def with_blocks_of(document: str, other: str) -> str:
    """Return a document with the commands and outputs of another one, block by block."""
    blocks = iter([match[0] for match in _BLOCK.finditer(other)])
    return _BLOCK.sub(lambda match: next(blocks), document)


if __name__ == "__main__":
    shown = rerun(README.read_text(encoding="utf-8"))
    README.write_text(shown, encoding="utf-8")
    JAPANESE.write_text(
        with_blocks_of(JAPANESE.read_text(encoding="utf-8"), shown), encoding="utf-8"
    )
