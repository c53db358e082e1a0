"""The AIs that audits have saved: read from rows of the tables of AIs, and asked again."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.agents.address import SavedAI
from marubatsu.pipeline.rows.arrays import numbers
from marubatsu.pipeline.stages.staleness import tell_stale
from marubatsu.pipeline.store.data_set import DataSet, Saved
from marubatsu.pipeline.store.integrity import hold
from marubatsu.pipeline.store.schemas import AI_MOVES, AIS, Table
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import say_waiting


class SavedChoices(NamedTuple):
    """An AI and its choices for the M moves of all positions, in the order of `Positions.move`."""

    rule: str
    is_candidate: Bools  # [M]
    probability: NDArray[np.float64]  # [M]


def saved_choices(data_set: DataSet) -> dict[str, SavedChoices]:
    """Return the saved AIs of a game by name, none where the game has no data.

    Raises DataError when their files are damaged, or were made from other tables.
    """
    saved = data_set.beside(Saved)
    if not saved.has_manifest:
        return {}
    with saved.lock(write=False, on_wait=say_waiting):
        return read(data_set)


def saved_ais(data_set: DataSet) -> dict[str, SavedAI]:
    """Return the saved AIs of a game by name, ready to answer.

    Raises DataError as `saved_choices` does.
    """
    saved = saved_choices(data_set)
    if not saved:
        return {}
    positions = enumerate_positions(data_set.game)
    number_of = {position: number for number, position in enumerate(positions)}

    def answering(ai: SavedChoices) -> Choose:
        def choose(board: str, legal: list[int]) -> dict[int, float]:
            number = number_of[from_text(data_set.game, board)]
            at = slice(int(positions.first_move[number]), int(positions.first_move[number + 1]))
            chosen = ai.is_candidate[at]
            moves = positions.move[at][chosen].tolist()
            chances = ai.probability[at][chosen].tolist()
            return dict(zip(moves, chances, strict=True))

        return choose

    return {name: SavedAI(name, ai.rule, answering(ai)) for name, ai in saved.items()}


def read(data_set: DataSet) -> dict[str, SavedChoices]:
    """Do the same as `saved_choices`. The caller holds the lock."""
    saved = data_set.beside(Saved)
    manifest = saved.manifest()
    if manifest is None:
        return {}
    tell_stale(saved, manifest, manifest.files)
    rules, moves = read_table(saved, AIS), read_table(saved, AI_MOVES)
    shape = (rules.num_rows, -1)
    candidates = np.array(moves["is_candidate"].to_pylist(), np.bool_).reshape(shape)
    chances = numbers(moves["probability"]).reshape(shape)
    rows = zip(rules["rule"].to_pylist(), candidates, chances, strict=True)
    return dict(zip(rules["ai"].to_pylist(), (SavedChoices(*row) for row in rows), strict=True))


def read_table(data_set: DataSet, table: Table) -> Any:
    """Read a table of AIs whose bytes are those of its manifest. Raises DataError."""
    manifest = data_set.manifest()
    if manifest is None or table.file not in manifest.files:
        raise DataError(f"a saved AI needs {table.name}: {data_set.cure}")
    return hold(data_set, manifest, table.file).rows()
