"""The option that says in which terms a foreign AI is asked."""

from typing import Annotated

from marubatsu.cli.options.shared import option
from marubatsu.judge.agents.interfaces import INTERFACES

InterfaceOption = Annotated[
    str | None,
    option(
        "INTERFACE",
        f"Ask a foreign AI in the terms of another framework: {', '.join(INTERFACES)}.",
        "--as",
    ),
]
