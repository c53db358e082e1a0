"""``CITATION.cff``: how to cite the data, in the Citation File Format 1.2."""

from json import dumps

from marubatsu.pipeline.publishing.publication import AUTHORS, WORDS, Publication
from marubatsu.pipeline.store.data_package import LICENSE
from marubatsu.version import __version__

FILE = "CITATION.cff"


def render(published: Publication) -> bytes:
    """Write the citation of a published folder. A text of JSON is one of YAML."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this data, please cite it as below."',
        "type: dataset",
        f"title: {dumps(published.title)}",
        f"abstract: {dumps(published.description)}",
        f"version: {__version__}",
        f"date-released: {published.date}",
        f"license: {LICENSE['name']}",
        *([f"url: {dumps(published.url)}"] if published.url else []),
        "authors:",
        f"  - name: {dumps(AUTHORS)}",
        "keywords:",
        *(f"  - {dumps(word)}" for word in WORDS),
    ]
    return "".join(f"{line}\n" for line in lines).encode()
