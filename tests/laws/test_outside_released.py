"""The environments that others released, each installed apart, differ as docs/environments.md says.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. A release that differs in other ways fails.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

IS_WANTED = os.environ.get("MARUBATSU_OUTSIDE", "0") != "0"
OURS = "typer<0.29"  # as pyproject.toml says: a package that brings a newer one would hide ours
GAMES = 20

PACKAGES = {
    "pettingzoo": ["pettingzoo", "pygame"],
    "openspiel": ["open_spiel"],
    "pgx": ["pgx"],
    "kaggle": ["kaggle-environments"],
}
"""What pip installs for the environments of a framework."""

AT_THE_END, OUTSIDE = "legal moves at the end", "move outside the board"
DIFFERING = {
    "pettingzoo": {
        "tictactoe_v3": {"observation", AT_THE_END},
        "connect_four_v3": {AT_THE_END},
    },
    "openspiel": {
        "tic_tac_toe": {OUTSIDE},
        "mnk(m=4,n=3,k=3)": {OUTSIDE},
        "connect_four": set[str](),
    },
    "pgx": {"tic_tac_toe": {AT_THE_END, OUTSIDE}, "connect_four": {AT_THE_END, OUTSIDE}},
    "kaggle": {"connectx": set[str](), "connectx(columns=5,rows=4,inarow=3)": set[str]()},
}
"""The kinds of difference of each environment."""


@pytest.mark.skipif(
    not IS_WANTED, reason="environments of other frameworks are walked only by `make outside`"
)
@pytest.mark.parametrize("framework", DIFFERING)
def test_released_environments_differ_as_documented(framework: str, tmp_path: Path) -> None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
        "--target",
        str(tmp_path),
        OURS,
    ]
    pip += PACKAGES[framework]
    if subprocess.run(pip, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"pip cannot install {framework} on this machine: it is not walked")
    for name, differing in DIFFERING[framework].items():
        done = subprocess.run(
            [sys.executable, "-m", "marubatsu", "conform-env", f"{framework}:{name}",
             "--sample", str(GAMES), "--format", "json"],
            capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == bool(differing), done.stderr
        found = {row["compared"] for row in json.loads(done.stdout) if row["agrees"] is False}
        assert found == differing, name
