"""The files that come with the code: SQL, reference figures, the page."""

from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
"""The checkout, or the installed package: the folders below stand side by side in both."""

QUERIES = HOME / "queries"
REFERENCE = QUERIES / "reference"
PAGE = HOME / "explorer"


def is_checkout() -> bool:
    """Tell whether the code runs from a checkout, which has a ``data/`` of its own."""
    return (HOME / "pyproject.toml").is_file()
