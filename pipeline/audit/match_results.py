"""The results of an audited AI against others: computed exactly, or from games."""

from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.arena import Arena
from marubatsu.engine.players.matches import exact, weighted
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.audit.interview import Choices, Interview
from marubatsu.pipeline.audit.verdicts import GAMES, MATCHES
from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.support.progress import progress

OPPONENTS = ("ai2", "perfect")
"""Random and perfect play: the AIs against which games are played."""


def computed(ais: Catalog, interview: Interview, choices: Choices) -> Rows:
    """Compute the results against each AI of the tables, by the choices in all positions."""
    positions = enumerate_positions(ais.data_set.game)
    ours = ais.ask(lookup("ais")).column("ai")
    chosen = ais.columns(lookup("chances_of_moves"))
    shape = (len(ours), len(positions.move))
    rows = []
    if interview.uniform:
        theirs = np.asarray(chosen["is_candidate"]).reshape(shape)
        mine = choices.is_candidate[None]
        as_circle, denominator = exact(positions, mine, theirs)
        as_cross, below = exact(positions, theirs, mine)
        parts = zip(ours, as_circle[0].tolist(), as_cross[:, 0].tolist(), strict=True)
        for name, circle, cross in parts:
            rows.append(_row(name, "circle", [Fraction(n, denominator) for n in circle]))
            rows.append(_row(name, "cross", [Fraction(n, below) for n in reversed(cross)]))
    else:
        chances = np.asarray(chosen["probability"]).reshape(shape)
        weights: NDArray[np.float64] = choices.probability[None]
        as_circle_ = weighted(positions, weights, chances)[0]
        as_cross_ = weighted(positions, chances, weights)[:, 0]
        for name, won, lost in zip(ours, as_circle_.tolist(), as_cross_.tolist(), strict=True):
            rows.append(_row(name, "circle", won))
            rows.append(_row(name, "cross", lost[::-1]))
    return Rows(MATCHES, rows)


def _row(name: str, side: str, chances: list[Any]) -> list[Any]:
    """Return win, draw and lose in percent, and as fractions where the chances are exact."""
    percent = [round(100 * float(chance), 3) for chance in chances]
    fractions = [str(c) if isinstance(c, Fraction) else None for c in chances]
    return [name, side, *percent, *fractions]


def played(game: Game, players: Players, whom: Subject, seed: int) -> Rows:
    """Play some games against each of `OPPONENTS`; no row where the AI fails in one of them."""
    rows: list[list[Any]] = []
    with progress("playing"), suppress(AIError):
        for name in OPPONENTS:
            seats = (ai.on(game) for ai in (players.seated(whom), players.player(name)))
            found = Arena(new_board(game), *seats).play(GAMES, Random(seed))  # noqa: S311, a game
            for side, tally in (("circle", found.as_circle), ("cross", found.as_cross)):
                counts = (tally.win, tally.draw, tally.lose)
                percent = (round(100 * count / GAMES, 3) for count in counts)
                rows.append([name, side, *percent, None, None, None])
    return Rows(MATCHES, rows)
