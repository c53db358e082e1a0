"""``ro-crate-metadata.json``: every file with its hash and what made it, by RO-Crate 1.2."""

import json
from collections.abc import Iterable
from typing import Any

from marubatsu import __version__
from marubatsu.pipeline.publishing.publication import (
    AUTHORS,
    WORDS,
    Publication,
    PublishedFile,
    PublishedGame,
)
from marubatsu.pipeline.store.data_package import LICENSE, MEDIA_TYPE

FILE = "ro-crate-metadata.json"

_SPECIFICATION = "https://w3id.org/ro/crate/1.2"
_AUTHORS = "#authors"
_MEDIA_TYPES = {"cff": "text/yaml", "json": "application/json", "md": "text/markdown",
                "parquet": MEDIA_TYPE, "py": "text/x-python", "sql": "application/sql"}  # fmt: skip


def render(published: Publication, files: Iterable[PublishedFile]) -> bytes:
    """Describe a folder that holds these files, besides this one and the list of checksums."""
    files = list(files)
    versions = sorted({__version__, *(v for game in published.games for v in game.versions)})
    made = [_made(game, files) for game in published.games]
    graph = [
        {
            "@id": FILE,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": _SPECIFICATION},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": published.title,
            "description": published.description,
            "datePublished": published.date,
            "version": __version__,
            "license": {"@id": LICENSE["path"]},
            "author": {"@id": _AUTHORS},
            "keywords": ", ".join(WORDS),
            **({"url": published.url} if published.url else {}),
            "hasPart": [{"@id": file.name} for file in files],
            "mentions": [{"@id": action["@id"]} for action in made],
        },
        {
            "@id": LICENSE["path"],
            "@type": "CreativeWork",
            "name": LICENSE["title"],
            "identifier": LICENSE["name"],
        },
        {"@id": _AUTHORS, "@type": "Organization", "name": AUTHORS},
        *(_software(version) for version in versions),
        *made,
        *map(_file, files),
    ]
    content = {"@context": f"{_SPECIFICATION}/context", "@graph": graph}
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def _software(version: str) -> dict[str, Any]:
    return {
        "@id": f"#marubatsu-{version}",
        "@type": "SoftwareApplication",
        "name": "marubatsu",
        "version": version,
        "description": "Solves small games completely, and publishes them as tables.",
        "license": {"@id": "https://spdx.org/licenses/MIT"},
    }


def _made(game: PublishedGame, files: list[PublishedFile]) -> dict[str, Any]:
    """Describe how the files of a game came about."""
    folder = f"{game.game.name}/"
    return {
        "@id": f"#make-{game.game.name}",
        "@type": "CreateAction",
        "name": f"Solve {game.game.name}",
        "description": " && ".join(game.made_by),
        "instrument": [{"@id": f"#marubatsu-{version}"} for version in game.versions],
        "result": [{"@id": file.name} for file in files if file.name.startswith(folder)],
        "actionStatus": {"@id": "http://schema.org/CompletedActionStatus"},
    }


def _file(file: PublishedFile) -> dict[str, Any]:
    ending = file.name.rpartition(".")[2]
    return {
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "contentSize": str(file.bytes),
        "encodingFormat": _MEDIA_TYPES.get(ending, "text/plain"),
        "sha256": file.sha256,
    }
