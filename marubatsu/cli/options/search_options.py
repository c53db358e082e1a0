"""The options of a search on the command line: the fields of `Options`, but for its techniques."""

from inspect import cleandoc
from re import MULTILINE, findall
from typing import TYPE_CHECKING, Any

from typer.core import TyperOption

from marubatsu.cli.options.made_options import MadeOptions

if TYPE_CHECKING:
    from marubatsu.judge.agents.players import Players

_MADE = MadeOptions()


def search_options() -> list[TyperOption]:
    """Return an option for each field; it keeps its value for `chosen_options`."""
    from dataclasses import fields

    from marubatsu.engine.search.options import TECHNIQUES, Options

    meanings = dict(findall(r"^(\w+) {2,}(.+)$", cleandoc(Options.__doc__ or ""), MULTILINE))
    return [
        _option(field.name, field.type, field.default, meanings.get(field.name, ""))
        for field in fields(Options)
        if field.name not in TECHNIQUES
    ]


def _option(name: str, kind: Any, default: Any, meaning: str) -> TyperOption:
    """Return the option of a field."""
    from marubatsu.cli.options.shared import ais_here
    from marubatsu.engine.ais.ai import AI

    settings: dict[str, Any]
    if kind is bool:
        settings = {"is_flag": True, "default": default}
    elif kind == AI | None:
        settings = {"metavar": "AI", "autocompletion": ais_here}
        meaning += "; a name as in `marubatsu ais`, file.py:function or evaluation:file.py:function"
    elif kind in (int, int | None):
        settings = {"type": int, "metavar": "N", "default": default}
    else:
        settings = {"metavar": "NAME", "default": str(default)}
        meaning += f": {', '.join(kind)}"
    is_shown = kind is not bool and default is not None
    sentence = f"{meaning[:1].upper()}{meaning[1:]}."
    return _MADE.make(
        f"--{name.replace('_', '-')}", help=sentence, show_default=is_shown, **settings
    )


def chosen_options(players: "Players") -> dict[str, Any]:
    """Return the values of the options as `Options` takes them. Raises InputError."""
    from marubatsu.engine.search.options import algorithm_of

    values = dict(_MADE.values)
    values["algorithm"] = algorithm_of(values["algorithm"])
    for name, find in (("ordering", players.ordering), ("evaluation", players.evaluation)):
        if values[name] is not None:
            values[name] = find(values[name])
    return values
