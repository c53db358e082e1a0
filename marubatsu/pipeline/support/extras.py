"""The libraries that only some commands need, and the error when one is missing."""

from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.resources import is_checkout

EXTRAS = {
    "solve": ("numba",),
    "explore": ("starlette", "uvicorn", "h11"),
    "plot": ("matplotlib",),
    "prove": ("scipy",),
    "mcp": ("mcp",),
    "spark": ("pyspark",),
}
"""The libraries that only some commands need, by the extra that installs each (pyproject.toml)."""

PINNED = EXTRAS.keys() - {"mcp"}
"""The extras whose versions the checkout pins, and installs by make."""


def not_installed(error: ModuleNotFoundError) -> UsageError | None:
    """Return an error that names the missing extra; None for a library of no extra."""
    library = (error.name or "").partition(".")[0]
    for extra, libraries in EXTRAS.items():
        if library in libraries:
            return UsageError(
                f"this needs {library}, which is not installed: {how_to_install(extra)}"
            )
    return None


def how_to_install(extra: str) -> str:
    """Say how to install an extra."""
    if extra in PINNED and is_checkout():  # The Makefile makes its environment.
        return f"run `make {'spark' if extra == 'spark' else 'data'}` in the checkout"
    return f"pip install 'marubatsu[{extra}]'"
