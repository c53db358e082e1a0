"""Libraries that only some commands need, and the extra of marubatsu that installs each."""

from marubatsu.pipeline.support.errors import UsageError

EXTRAS = {
    "solve": ("numba",),
    "explore": ("starlette", "uvicorn", "h11"),
    "plot": ("matplotlib",),
    "prove": ("scipy",),
    "spark": ("pyspark",),
}
"""The libraries of each extra, as pyproject.toml declares them."""


def not_installed(error: ModuleNotFoundError) -> UsageError | None:
    """Return an error that names the missing extra; None for a library of no extra."""
    from marubatsu.pipeline.support.resources import is_checkout

    library = (error.name or "").partition(".")[0]
    for extra, libraries in EXTRAS.items():
        if library in libraries:
            cure = f"pip install 'marubatsu[{extra}]'"
            if is_checkout():  # Its environment comes from the Makefile, with pinned versions.
                cure = f"run `make {'spark' if extra == 'spark' else 'data'}` in the checkout"
            return UsageError(f"this needs {library}, which is not installed: {cure}")
    return None
