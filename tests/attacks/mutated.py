"""Footers in which one value is another, in files whose places fit again."""

import struct
from collections.abc import Callable
from random import Random
from typing import Any

from marubatsu.pipeline.tables.parquet_records import (
    BOOL,
    FOOTER,
    I8,
    Kind,
    ListOf,
    Record,
    Structure,
    record_of,
)
from tests.attacks.forged import footer

_NUMBERS = (-1, 0, 1, 2, 3, 127, 1 << 15, (1 << 31) - 1, 1 << 31, 1 << 62, -(1 << 63))
_TEXTS = (b"", b"geo", b"\xff", b"x" * 999)


def written(kind: Kind, value: Any) -> bytes:
    """Write a value as Thrift does, a record by the names of its fields."""
    if isinstance(kind, Structure):
        out, before = b"", 0
        for number, (name, of) in kind.fields.items():
            if name in value:
                code = of.codes[of is BOOL and not value[name]]
                out += bytes([number - before << 4 | code])
                out += b"" if of is BOOL else written(of, value[name])
                before = number
        return out + b"\0"
    if isinstance(kind, ListOf):
        (code,), size = kind.of.codes, len(value)
        head = bytes([size << 4 | code]) if size < 15 else bytes([240 | code]) + _varint(size)
        return head + b"".join(written(kind.of, each) for each in value)
    if kind is I8:
        return bytes([value & 255])
    if kind.bits:
        return _varint(value << 1 if value >= 0 else ~(value << 1))
    return _varint(len(value)) + bytes(value)


def _varint(number: int) -> bytes:
    """Write a number without a sign, seven bits a byte."""
    out = []
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def change_one(container: Any, random: Random) -> None:
    """Make one value of a record or a list, or of one in it, another, gone, or there twice."""
    key = random.choice([*container] if isinstance(container, dict) else range(len(container)))
    one, chance = container[key], random.randrange(6)
    if isinstance(one, dict | list) and one and chance:
        change_one(one, random)
    elif isinstance(container, list) and chance == 1:
        container.insert(key, one)
    elif isinstance(one, bool) and chance:
        container[key] = not one
    elif isinstance(one, int) and chance:
        container[key] = random.choice([*_NUMBERS, one + 1, one * 2])
    elif isinstance(one, bytes) and chance:
        container[key] = random.choice(_TEXTS)
    else:
        del container[key]


def other_footer(data: bytes, change: Callable[[Record], None]) -> bytes:
    """Change the record of a file's footer."""
    start, end = footer(data)
    record, _ = record_of(data[start:end], FOOTER)
    change(record)
    text = written(FOOTER, record)
    return data[:start] + text + struct.pack("<I", len(text)) + b"PAR1"
