"""Options that a TypedDict declares: keywords of public functions, and options of commands.

The annotation of a key has the meaning of the option, then the placeholder of its value, if any,
or the flag that turns it off, with its help.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

from marubatsu.engine.rules.input_error import expectation, quote
from marubatsu.pipeline.support.errors import UsageError, flag

_Options = TypeVar("_Options", bound=type)


def described(options: _Options) -> _Options:
    """Add the meanings of the options to the docstring of a TypedDict."""
    annotations = get_type_hints(options, include_extras=True)
    meanings = (f"``{name}``\n    {each.__metadata__[0]}" for name, each in annotations.items())
    options.__doc__ = "\n".join([inspect.cleandoc(options.__doc__ or ""), "", *meanings])
    return options


def require_keywords(
    function: Callable[..., Any], given: Mapping[str, object], options: type[Any]
) -> None:
    """Raise UsageError for a keyword of no parameter and of no option, and for a flag that is none.

    Python refuses a wrong keyword itself, but not where a function takes ``**options``.
    ``options`` is the TypedDict that lists them.
    """
    keywords = options.__annotations__
    for name, value in given.items():
        if name not in keywords:
            named = [
                each.name
                for each in inspect.signature(function).parameters.values()
                if each.kind is not each.VAR_KEYWORD
            ]
            expected = expectation(name, [*named, *keywords])
            raise UsageError(f"{function.__name__} has no keyword {quote(name)}: {expected}")
        if keywords[name].__origin__ is bool:
            flag(name, value)
