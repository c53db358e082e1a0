"""The AIs that audits have saved: read from rows of the tables of AIs, and asked again."""

import json
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.ais.policy import require_chances
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.agents.address import SavedAI
from marubatsu.pipeline.stages.staleness import usable
from marubatsu.pipeline.store.data_set import DataSet, Saved
from marubatsu.pipeline.store.integrity import Opened
from marubatsu.pipeline.store.listed_files import ai_of, table_of
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.tables.columns import numbers
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS

COULD_READ = "could_read_answers"
"""The parameter of a saved AI that says why it could read the answers of the judge."""


class SavedChoices(NamedTuple):
    """An AI and its choices for the M moves of all positions, in the order of `Positions.move`."""

    rule: str
    could_read_answers: str | None  # why, when it gave these
    is_candidate: Bools  # [M]
    probability: NDArray[np.float64]  # [M]


def saved_choices(data_set: DataSet) -> dict[str, SavedChoices]:
    """Return the saved AIs of a game by name, none where the game has no data.

    Those whose files cannot be used are left out: see `usable`, which says so.
    """
    saved = data_set.beside(Saved)
    if not saved.has_manifest:
        return {}
    with saved.lock(write=False, on_wait=say_waiting):
        return read(data_set)


def saved_ais(data_set: DataSet) -> dict[str, SavedAI]:
    """Return the saved AIs of a game by name, ready to answer, as `saved_choices` does."""
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

    return {
        name: SavedAI(name, ai.rule, answering(ai), ai.could_read_answers)
        for name, ai in saved.items()
    }


def read(data_set: DataSet) -> dict[str, SavedChoices]:
    """Do the same as `saved_choices`. The caller holds the lock."""
    return choices_in(usable(data_set.beside(Saved)))


def choices_in(opened: Opened) -> dict[str, SavedChoices]:
    """Read the saved AIs of open files, by name."""
    files = {(table_of(file), ai_of(file)): held for file, held in opened.files.items()}
    if not files:
        return {}
    game = next(held.declared.game for held in opened.files.values() if held.declared)
    positions = enumerate_positions(game)
    found = {}
    for ai in sorted(ai for table, ai in files if table == AIS.name):
        told, chosen = files[AIS.name, ai], files[AI_MOVES.name, ai]
        with told.reading():
            (row,) = told.rows().to_pylist()
        with chosen.reading():
            moves = chosen.rows()
            candidates = np.array(moves["is_candidate"].to_pylist(), np.bool_)
            chances = numbers(moves["probability"])
            require_chances(positions, chances)
            if (~candidates & (chances > 0)).any():
                raise ValueError("it chooses a move that is no candidate")
        found[ai] = SavedChoices(row["rule"], _could_read(row["parameters"]), candidates, chances)
    return found


def _could_read(parameters: str) -> str | None:
    """Return why an AI could read the answers, from its parameters."""
    with suppress(ValueError, RecursionError):
        known = json.loads(parameters)
        return str(known[COULD_READ]) if isinstance(known, dict) and COULD_READ in known else None
    return None
