"""Options that a floor below declares as a TypedDict, as options of a command."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import starmap
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

import typer


def option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for each key of its parameters that are TypedDicts.

    Help, placeholder and type of an option come from the annotation of its key. The command gets
    a dict with the options that the user sets.
    """
    own = inspect.signature(command).parameters
    groups = {
        parameter.name: get_type_hints(parameter.annotation, include_extras=True)
        for parameter in own.values()
        if is_typeddict(parameter.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.items():
        parameters += starmap(_option, groups[name].items()) if name in groups else [parameter]

    @wraps(command)
    def run(**values: Any) -> None:
        grouped = {
            group: {name: value for name in keys if _is_set(value := values.pop(name))}
            for group, keys in groups.items()
        }
        command(**values, **grouped)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _is_set(value: object) -> bool:
    """Whether a user set an option; 0 is a value."""
    return value is not None and value is not False and value != []


def _option(name: str, annotation: Any) -> inspect.Parameter:
    meaning, placeholder = (*annotation.__metadata__, "N")[:2]
    types = {get_origin(each) or each for each in get_args(annotation.__origin__)}
    types |= {annotation.__origin__}
    kind: Any = next((kind for kind in (bool, str, int, float) if kind in types), str)
    option = typer.Option(f"--{name.replace('_', '-')}", help=meaning)
    if kind is not bool:
        option.metavar = placeholder
        kind = (list[kind] if Iterable in types else kind) | None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if kind is bool else None,
        annotation=Annotated[kind, option],
    )
