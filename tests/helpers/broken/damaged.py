"""Files and JSON of which parts are changed, cut out, or doubled, and how they are refused."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from marubatsu.pipeline.support.errors import UsageError

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 29.0, 1e300, 2**63, 10**30, "", "x", "[", "\ud800", "\x1b[31m", "é",
    [], {}, [[]], [{}], [1, 2, 3], {"x": 1}, "0" * 64, "positions.parquet", "../x",
)  # fmt: skip
NAMES = ("answers.7.parquet", "positions.0.parquet", "positions.parquet", "x", "\x1b")


def damaged(content: bytes, random: Random, least: int = 1) -> bytes:
    """Return a file with at most three damages, and at least so many."""
    found = bytearray(content)
    for _ in range(random.randint(least, 3)):
        at, size = random.randrange(len(found)), random.randint(0, 20)
        noise = random.choice([b"", bytes([random.randrange(256)]), found[at : at + size]])
        found[at : at + random.choice([0, 1, size])] = noise
    return bytes(found)


def damaged_json(value: Any, random: Random) -> Any:
    """Return JSON of which one part is another, is gone, or has another name."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.15:
        return random.choice(ODD)
    found: Any = value.copy()
    chance = random.random()
    key = random.choice([*value] if isinstance(value, dict) else range(len(value)))
    if chance < 0.1:
        del found[key]
    elif chance < 0.2 and isinstance(value, dict):
        found[random.choice(NAMES)] = found.pop(key)
    else:
        found[key] = damaged_json(value[key], random)
    return found


def refusals(read: Callable[[], object], times: int, file: str) -> int:
    """Read a file, each time with other damages; return how often a sentence names its line."""
    messages = list[str]()
    for _ in range(times):
        try:
            read()
        except UsageError as error:
            messages.append(str(error))
    assert [each for each in messages if not re.fullmatch(rf"line \d+ of '{file}': .+", each)] == []
    assert 0 < len(messages) < times
    return len(messages)
