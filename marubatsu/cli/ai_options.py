"""The options that name AIs, and the interface by which a foreign AI is asked."""

from contextlib import suppress
from typing import Annotated, Any

import typer

from marubatsu.cli.options import DEFAULT_GAME, option, root_in
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.judge.agents.interfaces import INTERFACES

ADDRESS_HELP = (
    "An AI is a name as in `marubatsu ais`, with parameters as in ai14s:score_201=3; "
    "file.py:function; package.module:object.attribute; evaluation:file.py:function, which values "
    "boards; 'command:PROGRAM ARGUMENTS'; or answers:FILE, a table with a reply for each board."
)

AnySeedOption = Annotated[int | None, option("SEED", "Seed of the AI's choices (default: random).")]
InterfaceOption = Annotated[
    str | None,
    option(
        "INTERFACE", f"Ask a foreign AI as another framework does: {', '.join(INTERFACES)}.", "--as"
    ),
]


def complete_ai(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of an AI: a built-in one, or one that an audit has saved."""
    from marubatsu.engine.search.roster import all_ais
    from marubatsu.judge.agents.saved_ais import saved_choices
    from marubatsu.pipeline.support.errors import MarubatsuError
    from marubatsu.pipeline.tables.data_set import DataSet

    names = [ai.name for ai in all_ais()]
    with suppress(InputError, MarubatsuError):
        game = Game(ctx.params.get("game") or DEFAULT_GAME)
        names += saved_choices(DataSet(root_in(ctx), game))
    return [name for name in names if name.startswith(incomplete)]


def ai_option(meaning: str) -> Any:
    """Return an option that names an AI."""
    return option("AI", meaning, autocompletion=complete_ai)
