"""The options that say where a long computation runs."""

from enum import StrEnum
from typing import Annotated

import typer

from marubatsu.cli.options import option
from marubatsu.pipeline.support.errors import UsageError


class EngineName(StrEnum):
    """Where a long computation runs."""

    LOCAL = "local"
    SPARK = "spark"


EngineOption = Annotated[
    EngineName, typer.Option("--engine", help="Work on this machine, or on Apache Spark.")
]
MasterOption = Annotated[
    str | None,
    option(
        "URL",
        "Spark's master, such as local[2] or spark://HOST:7077 (default: that of Spark's "
        "configuration, else all cores of this machine).",
        "--master",
    ),
]


def require_engine(name: EngineName, engine: EngineName, option_: str, given: object) -> None:
    """Refuse an option of one engine with another one."""
    if given is not None and engine is not name:
        raise UsageError(f"{option_} is for --engine {name}: add that, or leave {option_} out")
