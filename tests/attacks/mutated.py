"""Footers and heads of pages in which one value is another, in files whose places fit again."""

import struct
from dataclasses import dataclass, field
from random import Random
from typing import Any

_LIST, _BYTES, _RECORD = 9, 8, 12
_WHOLE = (4, 5, 6)
_BOOLEAN = (1, 2)


@dataclass
class Node:
    """A value with its kind in Thrift's compact protocol; a record has fields, a list has items."""

    kind: int
    value: Any = None
    fields: dict[int, "Node"] = field(default_factory=dict)
    items: list["Node"] = field(default_factory=list)
    of: int = 0  # kind of the items

    def __getitem__(self, number: int) -> "Node":
        return self.fields[number]


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def node(self, kind: int) -> Node:
        if kind in _BOOLEAN:
            return Node(kind)
        if kind == 3:
            return Node(kind, self._take(1))
        if kind in _WHOLE:
            coded = self._varint()
            return Node(kind, coded >> 1 ^ -(coded & 1))
        if kind == _BYTES:
            return Node(kind, self._take(self._varint()))
        return self._list() if kind == _LIST else self._record()

    def _take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def _varint(self) -> int:
        found = shift = 0
        while True:
            byte = self._take(1)[0]
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def _list(self) -> Node:
        head = self._take(1)[0]
        size = head >> 4 if head >> 4 < 15 else self._varint()
        return Node(_LIST, items=[self.node(head & 15) for _ in range(size)], of=head & 15)

    def _record(self) -> Node:
        found, number = Node(_RECORD), 0
        while head := self._take(1)[0]:
            number += head >> 4
            found.fields[number] = self.node(head & 15)
        return found


def read(data: bytes, at: int = 0) -> tuple[Node, int]:
    """Read a record of small numbers of fields; return it, and where it ends."""
    reader = _Reader(data, at)
    return reader.node(_RECORD), reader.at


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def written(node: Node) -> bytes:
    if node.kind in _BOOLEAN:
        return b""
    if node.kind in _WHOLE:
        return _varint(node.value << 1 if node.value >= 0 else (-node.value << 1) - 1)
    if node.kind == _BYTES:
        return _varint(len(node.value)) + bytes(node.value)
    if node.kind == _LIST:
        size = len(node.items)
        head = bytes([size << 4 | node.of]) if size < 15 else bytes([240 | node.of]) + _varint(size)
        return head + b"".join(map(written, node.items))
    if node.kind == _RECORD:
        out, last = b"", 0
        for number, each in sorted(node.fields.items()):
            out += bytes([(number - last) << 4 | each.kind]) + written(each)
            last = number
        return out + b"\0"
    return bytes(node.value)


_NUMBERS = (-1, 0, 1, 2, 3, 127, 1 << 15, (1 << 31) - 1, 1 << 31, 1 << 62, -(1 << 63))
_OTHERS = (b"", b"geo", b"\xff", b"x" * 999)


def change(node: Node, random: Random) -> None:
    """Change one value somewhere in a record: another number, kind, text; one more, one less."""
    while True:
        inner = [*node.fields.values(), *node.items]
        inside = [each for each in inner if each.fields or each.items]
        if not inside or random.random() < 0.2:
            break
        node = random.choice(inside)
    keys = [*node.fields] if node.fields else [*range(len(node.items))]
    key = random.choice(keys)
    held: Any = node.fields or node.items
    one = held[key]
    match random.randrange(6):
        case 0:
            del held[key]
        case 1 if node.fields:
            node.fields[random.choice([n for n in range(1, 15) if n not in node.fields])] = one
        case 1:
            node.items.insert(key, one)
        case 2 if one.kind in _WHOLE and node.fields:
            held[key] = Node(random.choice([k for k in _WHOLE if k != one.kind]), one.value)
        case _ if one.kind in _WHOLE:
            held[key] = Node(one.kind, random.choice([*_NUMBERS, one.value + 1, one.value * 2]))
        case _ if one.kind == _BYTES:
            held[key] = Node(_BYTES, random.choice(_OTHERS))
        case _ if one.kind in _BOOLEAN and node.fields:
            held[key] = Node(3 - one.kind)
        case _:
            del held[key]


def _split(data: bytes) -> tuple[int, Node]:
    (size,) = struct.unpack("<I", data[-8:-4])
    start = len(data) - 8 - size
    return start, read(data, start)[0]


def _joined(body: bytes, footer: Node) -> bytes:
    text = written(footer)
    return body + text + struct.pack("<I", len(text)) + b"PAR1"


def other_footer(random: Random, data: bytes) -> bytes:
    start, footer = _split(data)
    change(footer, random)
    return _joined(data[:start], footer)


def other_page(random: Random, data: bytes) -> bytes:
    """Change a value in the head of a page, and let the footer fit."""
    _, footer = _split(data)
    columns = [chunk[3] for group in footer[4].items for chunk in group[1].items]
    chosen = random.randrange(len(columns))
    body = b"PAR1"
    for number, column in enumerate(columns):
        begin = column.fields.get(11, column[9]).value
        old, at, moved = data[begin : begin + column[7].value], 0, {}
        new = b""
        heads = []
        while at < len(old):
            head, end = read(old, at)
            heads.append((at, head, old[end : end + head[3].value]))
            at = end + head[3].value
        if number == chosen and heads:
            change(random.choice(heads)[1], random)
        for was, head, page in heads:
            moved[begin + was] = len(body) + len(new)
            new += written(head) + page
        for place in (9, 11):
            if place in column.fields:
                column[place].value = moved.get(column[place].value, column[place].value)
        column[6].value += len(new) - len(old)
        column[7].value = len(new)
        body += new
    return _joined(body, footer)
