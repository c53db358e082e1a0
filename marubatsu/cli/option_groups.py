"""Options that a floor below declares as a TypedDict, as options of a command."""

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

import typer


def option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for each key of its parameters that are TypedDicts.

    Help, placeholder and type of an option come from the annotation of its key. The command gets
    a dict with the options that the user sets, among them those that it also has by itself.
    """
    own = inspect.signature(command).parameters
    groups = {
        parameter.name: get_type_hints(parameter.annotation, include_extras=True)
        for parameter in own.values()
        if is_typeddict(parameter.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.items():
        keys = groups.get(name)
        parameters += [parameter] if keys is None else _options(keys, leave_out=own)

    @wraps(command)
    def run(**values: Any) -> None:
        grouped = {
            group: {
                name: False if _is_turned_off(name, key) else values[name]
                for name, key in keys.items()
                if _is_set(values[name])
            }
            for group, keys in groups.items()
        }
        kept = {name: value for name, value in values.items() if name in own}
        command(**kept, **grouped)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _is_set(value: object) -> bool:
    """Whether a user set an option; 0 is a value."""
    return value is not None and value is not False and value != []


def _is_turned_off(name: str, annotation: Any) -> bool:
    """Whether the option for a key makes it false: its placeholder is the flag ``--no-KEY``."""
    return f"--no-{name}" in annotation.__metadata__


def _options(keys: Mapping[str, Any], leave_out: Container[str]) -> Iterator[inspect.Parameter]:
    for name in keys:
        if name not in leave_out:
            option, default = _option(name, keys[name])
            yield inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option
            )


def _option(name: str, annotation: Any) -> tuple[Any, object]:
    """Return the annotation, as Typer reads it, and the default of the option for a key."""
    meaning, placeholder = (*annotation.__metadata__, "N")[:2]
    types = {get_origin(each) or each for each in get_args(annotation.__origin__)}
    types |= {annotation.__origin__}
    flag = f"--{name.replace('_', '-')}"
    if _is_turned_off(name, annotation):
        _, flag, meaning = annotation.__metadata__
    if bool in types:
        return Annotated[bool, typer.Option(flag, help=meaning)], False
    kind: Any = next((kind for kind in (str, int, float) if kind in types), str)
    kind = list[kind] if Iterable in types else kind
    return Annotated[kind | None, typer.Option(flag, metavar=placeholder, help=meaning)], None
