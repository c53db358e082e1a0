"""The files that come with the code: SQL, reference figures, the page."""

from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
"""The checkout, or the installed package: both contain the folders below."""

QUERIES = HOME / "queries"
REFERENCE = QUERIES / "reference"
PAGE = HOME / "explorer"


def is_checkout() -> bool:
    """Return whether the code runs from a checkout, which has its own ``data/``."""
    return (HOME / "pyproject.toml").is_file()
