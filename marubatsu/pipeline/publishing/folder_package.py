"""``datapackage.json`` of a published folder: the tables of all games, and the files of solutions.

The resources are those of `pipeline.store.data_package`, under the names of the folder. A resource
of several files would be one stream of bytes, so each file of a solution is a resource.
"""

from marubatsu.pipeline.publishing.publication import Publication, PublishedTable
from marubatsu.pipeline.store.data_package import FILE, package, resource
from marubatsu.version import __version__

__all__ = ["FILE", "render"]


def render(published: Publication) -> bytes:
    """Describe a published folder."""
    name = "marubatsu-" + "-".join(game.game.name for game in published.games)
    resources = [
        resource(table.game, table.table, file.name, _name(table, file.name), f"{table.game.name}.")
        for table in published.tables
        for file in table.files
    ]
    return package(name, published.title, __version__, resources)


def _name(table: PublishedTable, file: str) -> str:
    """Return the name of a table, or of one of its files: ``2x2k2.solution.ply=02.part-0000``."""
    if len(table.files) == 1:
        return table.name
    return file.removesuffix(".parquet").replace("/", ".")
