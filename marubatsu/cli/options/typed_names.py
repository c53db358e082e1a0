"""The names of options as users of the command line type them."""

import re

_TYPED = {"interface": "as"}  # Python keeps the word as for itself.
_NAMED = re.compile(r"\bthe option (\w+)(?:='([\w-]+)')?")


def typed(option: str) -> str:
    """Return an option as commands take it, by the name of the parameter of public functions.

    >>> typed("allow_read"), typed("interface")
    ('--allow-read', '--as')
    """
    return "--" + _TYPED.get(option, option).replace("_", "-")


def as_typed(sentence: str) -> str:
    """Return a sentence in which options have the names that users type.

    >>> as_typed("raise the option max_depth")
    'raise --max-depth'
    >>> as_typed("ask it by the option interface='connectx'")
    'ask it by --as connectx'
    """
    return _NAMED.sub(lambda found: " ".join(filter(None, (typed(found[1]), found[2]))), sentence)
