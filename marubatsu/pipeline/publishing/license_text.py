"""``LICENSE``: the text of the license of the data, CC0 1.0, as Creative Commons words it."""

from pathlib import Path

from marubatsu.pipeline.publishing.publication import Publication

FILE = "LICENSE"


def render(published: Publication) -> bytes:
    """Return the text, which is the same for every folder."""
    return Path(__file__).with_name("CC0-1.0.txt").read_bytes()
