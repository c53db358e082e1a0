"""The part of a home that a box shows: the installation of a program, and nothing next to it."""

import os
import sys
from pathlib import Path

import pytest

from marubatsu.judge.agents import box, confine

ELSE = ("share/keyrings/login.keyring", "state/history", "etc/token", "secret")
"""Files that may be in the folder above ``bin``."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home whose programs are on the path; the command runs elsewhere."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.environ["PATH"])  # `installed` adds to it.
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def installed(home: Path, prefix: str, *files: str, program: str = "bin/agent") -> Path:
    """Install a program and files in a folder of a home; return the folder."""
    folder = home / prefix
    for name in (program, *files, *ELSE):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / program).chmod(0o755)
    os.environ["PATH"] = f"{(folder / program).parent}{os.pathsep}{os.environ['PATH']}"
    return folder


def sees(path: Path) -> bool:
    """Return whether the program ``agent`` sees a path."""
    visible = box.Box().visible(["agent"])
    return any(path.resolve().is_relative_to(each.resolve()) for each in visible)


@pytest.mark.parametrize(
    ("prefix", "program", "files"),
    [
        (".local", "bin/agent", ()),
        (".local", "bin/agent", ("lib/node_modules/a/index.js",)),
        (".venv", "bin/agent", ("pyvenv.cfg", "lib/python3.12/site-packages/a.py")),
        (".pyenv/versions/3.12.1", "bin/agent", ("lib/python3.12/os.py",)),
        (".pyenv", "shims/agent", ("versions/3.12.1/bin/python", "libexec/pyenv")),
        ("opt/tool", "sbin/agent", ()),
    ],
)
def test_a_program_sees_its_installation_and_nothing_else(
    home: Path, prefix: str, program: str, files: tuple[str, ...]
) -> None:
    folder = installed(home, prefix, *files, program=program)
    assert sees(folder / program)
    assert all(sees(folder / name) for name in files)
    assert not any(sees(folder / name) for name in ELSE)


def test_a_package_of_node_sees_itself(home: Path) -> None:
    package = home / ".local/lib/node_modules/agent"
    (package / "bin").mkdir(parents=True)
    for name in ("package.json", "bin/cli.js", "lib.js"):
        (package / name).write_text("", encoding="utf-8")
    (package / "bin/cli.js").chmod(0o755)
    folder = installed(home, ".local")
    (folder / "bin/agent").unlink()
    (folder / "bin/agent").symlink_to(package / "bin/cli.js")
    assert sees(package / "lib.js")
    assert not any(sees(folder / name) for name in ELSE)


@pytest.mark.parametrize(
    ("platform", "left"), [("linux", "the network and signals"), ("darwin", "signals and memory")]
)
def test_without_landlock_only_python_s_audit_hooks_are_claimed(
    monkeypatch: pytest.MonkeyPatch, platform: str, left: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(confine, "landlock_version", lambda: 0)
    monkeypatch.setattr(box, "_not_confined", box._not_confined.__wrapped__)  # noqa: SLF001
    text = box.Box().not_confined or ""
    assert text.startswith("its files (except by Python's own functions), the network")
    assert text.endswith(left)
