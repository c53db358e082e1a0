"""The data of a game as it is at one moment, for those who read for long."""

from collections.abc import Callable

from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import Opened, open_parts


def snapshot(
    data_set: DataSet, on_wait: Callable[[], None], require: Callable[[DataSet], Opened]
) -> DataSet:
    """Return a data set that stays as it is, whatever is built, saved or solved meanwhile.

    Builds need not wait for it. Its files are open until nobody refers to it. Raises DataError when
    nothing is there, and the errors of ``require``.
    """
    with data_set.lock(write=False, on_wait=on_wait):
        return DataSet(data_set.root, data_set.game, open_parts(data_set, require))
