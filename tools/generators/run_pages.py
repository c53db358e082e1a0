"""Run the examples in the documents, and compare or write their output.

Two kinds of blocks are run, in their order on the page:

    ```console      one command after ``$``, continued on lines with ``>``, and what it prints,
                    errors included
    ```python       examples with ``>>>``, as in a doctest; a page has one namespace for all

README.md starts with no data, every page of ``docs/`` with the tables of tic-tac-toe. ``python -m
tools.generators.run_pages [PAGE]...`` (``make readme``) writes the output of today into them, as
a machine without bubblewrap prints it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from doctest import DocTestParser, Example
from functools import partial
from io import StringIO
from pathlib import Path
from unittest import mock

from tools.bare_path import bare_path

CHECKOUT = Path(__file__).parents[2]
README = CHECKOUT / "README.md"
JAPANESE = CHECKOUT / "README.ja.md"
PAGES = (
    README,
    *sorted(path for path in (CHECKOUT / "docs").glob("*.md") if not path.is_symlink()),
)
"""The documents with blocks that are run. A symbolic link shows a document of another folder."""

DATA = "MARUBATSU_DATA"

_CONSOLE = re.compile(r"```console\n\$ (?P<command>.+\n(?:> .*\n)*)(?:.*\n)*?```\n")
_PYTHON = re.compile(r"```python\n(?P<examples>(?=>>>)(?:.*\n)*?)```\n")
_BLOCK = re.compile(f"{_CONSOLE.pattern}|{_PYTHON.pattern}")
_TIME = re.compile(r"(?<![\w.])\d[\d,.]* (s|ms|µs|ns|minutes?)\b")
_WEAKER_BOX = re.compile(r"^\nnot confined: .*\n|^foreign AIs are not confined: .*\n", re.MULTILINE)


def run_example(names: dict[str, object], source: str) -> str:
    """Run one example and return what it prints, including the value of an expression."""
    with redirect_stdout(StringIO()) as printed:
        try:
            exec(compile(source, "<page>", "single"), names)  # noqa: S102, our own page
        except Exception as error:  # noqa: BLE001, it is shown
            print("Traceback (most recent call last):\n    ...")
            print(*traceback.format_exception_only(error), sep="", end="")
    return printed.getvalue()


def output(command: str, data: Path) -> str:
    """Run a command as a reader would; the output shows the data folder as ``data``."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=CHECKOUT,
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.replace(str(data), "data")


def rerun(document: str, data: Path, run: Callable[[str, Path], str] = output) -> str:
    """Return a document with the present output of its blocks, run in order on some data."""
    names: dict[str, object] = {"__name__": "__main__"}

    def block(match: re.Match[str]) -> str:
        if match["command"] is None:
            examples = _examples(match["examples"], partial(run_example, names))
            return f"```python\n{examples}```\n"
        shown = match["command"]
        return f"```console\n$ {shown}{run(_command(shown), data)}```\n"

    with chdir(CHECKOUT), mock.patch.dict(os.environ, environment(data)):
        return _BLOCK.sub(block, document)


def commands(document: str) -> Iterator[str]:
    """Yield the commands of a document."""
    for match in _CONSOLE.finditer(document):
        yield _command(match["command"])


def build(data: Path) -> None:
    """Build what the pages of ``docs/`` start with: every table of tic-tac-toe."""
    subprocess.run(
        ["marubatsu", "build"], cwd=CHECKOUT, env=environment(data), check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def start(page: Path, built: Path, folder: Path) -> Path:
    """Return a new data folder inside a folder, with the tables that a page starts with."""
    data = folder / "data"
    if page == README:
        data.mkdir()
    else:
        shutil.copytree(built / "tictactoe", data / "tictactoe")
    return data


def without_times(document: str) -> str:
    """Return a document without what differs between machines: times, what a box does not hold."""
    return _TIME.sub(r"0 \1", _WEAKER_BOX.sub("", document))


def with_blocks_of(document: str, other: str) -> str:
    """Return a document with the commands and outputs of another one, block by block."""
    blocks = iter([match[0] for match in _BLOCK.finditer(other)])
    return _BLOCK.sub(lambda match: next(blocks), document)


def with_parts(page: str, **parts: str) -> str:
    """Return a page with each text between the mark of its name and the next mark of an end."""
    for name, text in parts.items():
        before, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->\n")
        assert start and end, name  # noqa: PT018
        page = f"{before}{start}\n{text.rstrip()}\n\n{end}{after}"
    return page


def rewrite(page: Path, render: Callable[[str], str]) -> None:
    """Write what a generator makes of a page."""
    page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")


def _command(shown: str) -> str:
    return shown.rstrip("\n").replace("\n> ", "\n")


def _examples(block: str, run: Callable[[str], str]) -> str:
    parts = DocTestParser().parse(block)
    return "".join(
        _prompted(part.source) + run(part.source) if isinstance(part, Example) else part
        for part in parts
    )


def _prompted(source: str) -> str:
    first, *more = source.splitlines()
    return "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in more)]) + "\n"


def environment(data: Path) -> dict[str, str]:
    """Return the environment in which the commands of a page run."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    outside_make = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    return {**outside_make, "PATH": path, DATA: str(data), "MARUBATSU_PROGRESS": "off"}


def _write(pages: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as links, tempfile.TemporaryDirectory() as built:
        os.environ["PATH"] = bare_path(Path(links), ["bwrap"])
        if pages != [README]:
            build(Path(built))
        for page in pages:
            with tempfile.TemporaryDirectory() as folder:
                data = start(page, Path(built), Path(folder))
                page.write_text(rerun(page.read_text(encoding="utf-8"), data), encoding="utf-8")
            print(page.relative_to(CHECKOUT))
    shown, japanese = (path.read_text(encoding="utf-8") for path in (README, JAPANESE))
    if len(_BLOCK.findall(shown)) == len(_BLOCK.findall(japanese)):
        JAPANESE.write_text(with_blocks_of(japanese, shown), encoding="utf-8")
    else:
        print("README.ja.md has other blocks than README.md: translate it first", file=sys.stderr)


if __name__ == "__main__":
    _write([CHECKOUT / name for name in sys.argv[1:]] or list(PAGES))
