"""``load.py``: ten lines that load every table with DuckDB, pandas, Polars or `datasets`."""

from pathlib import Path

from marubatsu.pipeline.publishing.publication import Publication

FILE = "load.py"


def render(published: Publication) -> bytes:
    """Return the script, which is the same for every folder."""
    return Path(__file__).with_name("load.txt").read_bytes()
