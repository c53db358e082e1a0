"""Third-party packages in folders of their own, which only the processes that need them read."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT

outside = pytest.mark.skipif(
    "MARUBATSU_OUTSIDE" not in os.environ,
    reason="packages that others wrote are installed only by `make outside`",
)
"""Marks tests with packages of others: `make outside` sets the variable and runs them."""

FRAMEWORKS = {
    "inspect": ("inspect_ai",), "kaggle": ("kaggle-environments",), "mcp": ("mcp",),
    "openenv": ("openenv",), "openspiel": ("open_spiel",),
    "pettingzoo": ("pettingzoo", "gymnasium", "pygame"), "pgx": ("pgx",),
    "reasoning-gym": ("reasoning-gym",), "textarena": ("textarena",), "verifiers": ("verifiers",),
}  # fmt: skip
"""The packages that pip installs for each framework."""

ENOUGH = {"kaggle-environments": ("jsonschema", "numpy", "requests")}
"""Dependencies that suffice here for packages whose own lists would install five gigabytes."""

AS_SOURCE = {"reasoning-gym": ("cellpylib", "pycosat", "zss")}
"""Packages that come as source only, by the framework that needs them; one wants a C compiler."""


class Apart:
    """Folders of packages, each installed once in a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._failed: dict[tuple[str, ...], str] = {}
        with (CHECKOUT / "pyproject.toml").open("rb") as file:
            ours = tomllib.load(file)["project"]["dependencies"]
        (folder / "ours.txt").write_text("\n".join(ours), encoding="utf-8")

    def packages(self, *names: str, beside_ours: bool = True) -> Path:
        """Return the folder of packages; skip the test where pip cannot install them.

        Next to ours, they hide our own dependencies, so they bring only what fits those. Nothing is
        compiled for that but `AS_SOURCE`; a package of pure Python on its own may come as
        source.
        """
        goal = self._folder / "+".join(names)
        if not goal.exists() and names not in self._failed:
            ours = ["--only-binary", ":all:", "--constraint", str(self._folder / "ours.txt")]
            sources = [each for name in names for each in AS_SOURCE.get(name, ())]
            ours += ["--no-binary", ",".join(sources)] if sources else []
            how = ours if beside_ours else ["--prefer-binary"]
            self._failed[names] = self._install(names, goal, how)
        if reason := self._failed[names]:
            pytest.skip(f"pip cannot install {', '.join(names)} here: {reason}")
        return goal

    def environments(self) -> Path:
        """Return the folder of our own package for these frameworks, built and installed.

        Inspect takes a package as installed only in a folder with this name.
        """
        goal = self._folder / "site-packages"
        if not goal.exists():
            how = ["--no-deps", "--no-build-isolation"]
            failed = self._install((str(CHECKOUT / "integrations"),), goal, how)
            assert not failed, failed
        return goal

    def _install(self, names: tuple[str, ...], goal: Path, how: list[str]) -> str:
        """Install packages; return what pip says where it fails."""
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
               "--no-compile", "--target", str(goal), *how]  # fmt: skip
        needed = [each for name in names for each in ENOUGH.get(name, (name,))]
        bare = [name for name in names if name in ENOUGH]
        for words in [needed, ["--no-deps", *bare]] if bare else [needed]:
            done = subprocess.run([*pip, *words], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
        return ""


def run_with(
    folder: Path, *words: str | Path, lines: str = "", ours: bool = True, more: Path | None = None,
    **variables: str,
) -> "subprocess.CompletedProcess[str]":  # fmt: skip
    """Run Python with one or two folders of packages, and perhaps without our dependencies."""
    path = os.pathsep.join([str(each) for each in (folder, more, CHECKOUT) if each])
    return subprocess.run(
        [sys.executable, *([] if ours else ["-S"]), *words],
        input=lines, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path, **variables},
    )  # fmt: skip
