"""The part of Spark that the engine uses, in plain Python: everything at once, in this process."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self


class PlainSpark:
    """A context of Spark, and its distributed lists."""

    def __init__(self, partitions: list[list[Any]] | None = None) -> None:
        self.partitions = partitions or []

    defaultParallelism = 2  # noqa: N815

    def parallelize(self, items: list[Any], number: int) -> Self:
        """Put items into so many partitions."""
        return type(self)([items[first::number] for first in range(number)])

    def map(self, function: Callable[[Any], Any]) -> Self:
        return self.mapPartitions(lambda items: map(function, items))

    def mapPartitions(self, function: Callable[[Iterator[Any]], Iterable[Any]]) -> Self:  # noqa: N802
        return self.mapPartitionsWithIndex(lambda _, items: function(items))

    def mapPartitionsWithIndex(  # noqa: N802
        self, function: Callable[[int, Iterator[Any]], Iterable[Any]]
    ) -> Self:
        return type(self)(
            [list(function(number, iter(each))) for number, each in enumerate(self.partitions)]
        )

    def partitionBy(self, number: int, place: Callable[[Any], int]) -> Self:  # noqa: N802
        """Put pairs, the last one first, into the partitions of their keys."""
        pairs = self.collect()[::-1]
        return type(self)([[p for p in pairs if place(p[0]) == each] for each in range(number)])

    def collect(self) -> list[Any]:
        return [item for each in self.partitions for item in each]
