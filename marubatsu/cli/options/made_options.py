"""Options that code adds to commands, and the values that a user gave them."""

from typing import Any

from typer.core import TyperOption


class MadeOptions:
    """Options that keep their values here, so that no command needs a parameter for each."""

    def __init__(self) -> None:
        """Start without values."""
        self.values: dict[str, Any] = {}

    def make(self, name: str, **settings: Any) -> TyperOption:
        """Return an option of this name, such as ``--timeout``."""

        def keep(ctx: Any, param: Any, value: Any) -> None:
            self.values[param.name] = value

        return TyperOption(param_decls=[name], callback=keep, expose_value=False, **settings)
