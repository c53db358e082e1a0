"""A published folder of the smallest games: written, and read as files."""

import hashlib
import json
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.publishing.publication import RELEASED
from marubatsu.pipeline.publishing.publish import publish
from tests.helpers.data.data_sets import contents

DOCUMENTS = {
    "CITATION.cff", "LICENSE", "README.md", "SHA256SUMS", "catalogue.ducklake", "croissant.json",
    "datapackage.json", "load.py", "ro-crate-metadata.json", "views.sql",
}  # fmt: skip


def write(data: Path, out: Path, *names: str, date: str = RELEASED, url: str | None = None) -> Path:
    games = [Game(name) for name in names]
    publish(data, games, out, date, url, lambda share: None)
    return out


def document(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_bytes())


def hashes(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in contents(folder).items()}
