"""Records as Apache Thrift writes them compactly, as in the footer of a Parquet file.

A record is a dict of its values by the numbers of their fields, so a reader sees also the fields
that it does not know. Source: the specification "Thrift compact protocol" of Apache Thrift.
"""

from typing import Any

_DEEPEST = 16
"""Records and lists inside each other; those of Parquet are at most 7 deep."""

_LONGEST = 10
"""Bytes of a number of 64 bits."""

Record = dict[int, Any]


class ThriftError(ValueError):
    """Bytes that are no record."""


def record_of(data: bytes) -> Record:
    """Read the record that is the whole of these bytes. Raises ThriftError when it is not."""
    reader = _Reader(data)
    try:
        record = reader.record(0)
    except IndexError:
        raise ThriftError("it ends too early") from None
    if reader.at != len(data):
        raise ThriftError(f"{len(data) - reader.at} bytes follow its end")
    return record


class _Reader:
    """A place in bytes. Reading past the end raises IndexError."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def record(self, depth: int) -> Record:
        found: Record = {}
        number = 0
        while head := self._byte():
            step = head >> 4
            number = number + step if step else self._integer()
            if number in found:
                raise ThriftError(f"it has field {number} twice")
            found[number] = self._value(head & 15, depth + 1)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ThriftError("its records are nested too deep")
        found: Any
        match kind:
            case 1 | 2:
                found = kind == 1
            case 3:
                found = self._byte()
            case 4 | 5 | 6:
                found = self._integer()
            case 7:
                found = self._bytes(8)
            case 8:
                found = self._bytes(self._varint())
            case 9 | 10:
                found = self._list(depth)
            case 12:
                found = self.record(depth)
            case _:
                raise ThriftError(f"it has a value of the unknown kind {kind}")
        return found

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size, kind = head >> 4, head & 15
        if size == 15:
            size = self._varint()
        if size > len(self.data) - self.at:  # A value has a byte at least.
            raise ThriftError("it ends too early")
        if kind in (1, 2):
            return [self._byte() == 1 for _ in range(size)]
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        start = self.at
        self.at += size
        if self.at > len(self.data):
            raise ThriftError("it ends too early")
        return self.data[start : self.at]

    def _varint(self) -> int:
        """Read a number without a sign: seven bits a byte, the lowest first."""
        found = 0
        for shift in range(0, 7 * _LONGEST, 7):
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
        raise ThriftError("it has a number of more than 64 bits")

    def _integer(self) -> int:
        """Read a number whose lowest bit is its sign."""
        coded = self._varint()
        return coded >> 1 ^ -(coded & 1)
