"""Folders that hold data, recognized by what is in them."""

import os
from contextlib import suppress
from pathlib import Path

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.pipeline.store.data_set import COMPACT, PARTS, Unfinished
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import START
from marubatsu.pipeline.store.regular_file import opened


def data_around(path: Path) -> Path | None:
    """Return the folder with data in which a path lies, also through links; None if in none."""
    return next(filter(holds_data, Path(os.path.realpath(path)).parents), None)


def holds_data(folder: Path) -> bool:
    """Return whether a folder has a manifest, or the name of a game and a part of its data."""
    with suppress(OSError), os.fdopen(opened(folder / MANIFEST), "rb") as file:
        if file.read(len(START)) == START:
            return True
    with suppress(GameError):
        Game(folder.name)
        whole = (Path(part.part, MANIFEST) for part in PARTS)
        parts = [*whole, Path(Unfinished.part), Path(COMPACT)]
        return any((folder / part).exists() for part in parts)
    return False
