"""Agents that tests write, and the tables by which recorded games are reviewed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from marubatsu.judge.review.review import GameReview
from marubatsu.judge.review.review import review as review_files
from tests.helpers.data.data_sets import build_tree
from tests.helpers.data.shared import Shared

REVIEWED = ("tictactoe", "3x3k3-gravity")

Write = Callable[[str], str]
"""Writes the text of an AI to a file, and returns its address."""

Reviewer = Callable[..., GameReview]
"""Writes a log of one game, and returns its review."""


class Counted:
    """An AI that takes the first legal move, and keeps the boards that it gets."""

    def __init__(self) -> None:
        self.boards: list[str] = []

    def __call__(self, board: str, legal: list[int]) -> int:
        self.boards.append(board)
        return legal[0]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Return a function that writes an AI to `mine.py`; its address names `choose` there."""

    def write(text: str) -> str:
        file = tmp_path / "mine.py"
        file.write_text(text, encoding="utf-8")
        return f"{file}:choose"

    return write


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Return a function that writes a program in the language of the shell."""

    def write(text: str) -> str:
        file = tmp_path / "program.sh"
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)
        return f"command:{file}"

    return write


@pytest.fixture(scope="session")
def data(shared: Shared) -> Path:
    """Return a folder with the tables of REVIEWED; most modules have data of their own."""

    def build(folder: Path) -> None:
        for name in REVIEWED:
            build_tree(folder, name)

    return shared.make("reviews", build)


@pytest.fixture
def review(data: Path, tmp_path: Path) -> Reviewer:
    """Return a function that writes a log of one game and reviews it."""

    def review(content: str | bytes, game: str | None = "tictactoe", **options: Any) -> GameReview:
        file = tmp_path / "log"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        (found,) = review_files([file], game, data=data, **options).reviews
        return found

    return review
