"""Keywords of the public functions that take some of them as ``**options``."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from marubatsu.engine.rules.input_error import expectation, quote
from marubatsu.pipeline.support.errors import UsageError


def require_keywords(
    function: Callable[..., Any], given: Mapping[str, object], options: type[Any]
) -> None:
    """Raise UsageError for a keyword of no parameter and of no option, quoting the first one.

    Python refuses a wrong keyword itself, but not where a function takes ``**options``.
    ``options`` is the TypedDict that lists them.
    """
    keywords = options.__annotations__
    for name in given:
        if name not in keywords:
            named = [
                each.name
                for each in inspect.signature(function).parameters.values()
                if each.kind is not each.VAR_KEYWORD
            ]
            expected = expectation(name, [*named, *keywords])
            raise UsageError(f"{function.__name__} has no keyword {quote(name)}: {expected}")
