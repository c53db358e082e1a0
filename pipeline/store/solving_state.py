"""How far the solution of a game has come that is not finished, as its journal says."""

import json
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.manifest import FILE as MANIFEST

JOURNAL = "journal.json"
"""The file in the folder of an unfinished solution: a hash, a line feed, JSON."""


def state_of(folder: Path, game: Game) -> str:
    """Say which plies are done in the folder of an unfinished solution, which need not exist."""
    try:
        text = (folder / JOURNAL).read_bytes().partition(b"\n")[2]
        return describe(json.loads(text), game)
    except (OSError, ValueError, KeyError, TypeError):
        finished = (folder / MANIFEST).exists()
        return "all plies done, to be published" if finished else "no ply done"


def describe(journal: dict[str, Any], game: Game) -> str:
    """Say which plies are done according to the content of a journal."""
    found, valued = len(journal["forward"]) - 1, [int(ply) for ply in journal["backward"]]
    if not journal["is_complete"]:
        return f"forward, ply {found} of {game.cells} done" if found >= 0 else "no ply done"
    if not valued:
        return "forward, all plies done"
    first, last = max(valued), min(valued)
    return f"backward, {f'ply {first}' if first == last else f'plies {first} to {last}'} done"
