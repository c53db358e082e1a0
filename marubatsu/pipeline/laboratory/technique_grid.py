"""The table ``techniques``: which settings run on a game, in which positions; and its rows.

A fingerprint covers this module and what it uses of the engine: see `pipeline.stages.staleness`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.kernels.bit_rules import BitboardSearch, NodeTypes, SearchTally
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.engine.search.options import Algorithm, Options, Replacement
from marubatsu.engine.search.roster import options_of
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import classify, enumerate_positions
from marubatsu.pipeline.tables.schemas import ColumnData, Columns, Labels, Nullable
from marubatsu.pipeline.tables.solved_schemas import TYPES

ORDERINGS = ("ai1s", "ai2s", "ai10s", "ai14s")
"""AIs that order moves, on games with few positions: a policy of each is made first."""

FEW_POSITIONS = 10_000
"""A game with no more positions is searched in all its critical classes."""

SAMPLE, SEED = 30, 20
"""The number of positions drawn on other games, besides the empty board, and the seed."""

_TRIES = 100
"""Draws for each position, as some are finished or known: on odd boards there are fewer."""

MOST_CELLS = 20
"""On larger boards only the end of the ladder runs."""

_TABLE_SIZES = (1 << 8, 1 << 12, 1 << 16)


class Setting(NamedTuple):
    """A search of the grid."""

    options: Options
    step: int | None = None  # its number on the ladder

    @property
    def name(self) -> str:
        """Its name: the algorithm, the ordering, what it remembers, and the techniques."""
        options = self.options
        parts = [
            str(options.algorithm),
            options.ordering.name if options.ordering else "",
            "all" if options.order_all else "",
            "init_window" if options.init_window else "",
            "table" if options.use_table else "",
            "" if options.seed is None else f"seed={options.seed}",
            options.written_techniques,
        ]
        return " ".join(filter(None, parts))


def is_small(game: Game) -> bool:
    """Return whether a game has few positions."""
    return estimate_positions(game) <= FEW_POSITIONS


def settings_of(game: Game) -> list[Setting]:
    """List the searches of a game, each once: ladder, alone, factorial, orderings."""
    steps = list(ladder())
    if game.cells > MOST_CELLS:
        return [step for step in steps if step.options.use_table]
    others = [*alone(), *factorial(), *(orderings() if is_small(game) else ())]
    listed = {step.options: step for step in steps}
    for options in others:
        listed.setdefault(options, Setting(options))
    return list(listed.values())


def ladder() -> Iterator[Setting]:
    """Yield the techniques added one by one, in the order of Pons' tutorial.

    He has minimax, alpha-beta, the order of the columns, the table, null windows, and a better
    order. Techniques that he does not use follow where they belong.
    """
    options = Options(Algorithm.MINIMAX)
    changes: tuple[dict[str, Any], ...] = (
        {}, {"algorithm": Algorithm.ALPHABETA}, {"by_lines": True},
        {"use_table": True, "symmetry": False}, {"symmetry": True},
        {"algorithm": Algorithm.NULLWINDOW}, {"table_move": True}, {"killers": True},
        {"counter_moves": True}, {"history": True}, {"enhanced_cutoffs": True},
    )  # fmt: skip
    for step, change in enumerate(changes):
        options = replace(options, **change)
        yield Setting(options, step)


def alone() -> Iterator[Options]:
    """Yield alpha-beta with a table, each technique alone with it, and the other algorithms."""
    base = Options(Algorithm.ALPHABETA, use_table=True)
    yield base
    for name in (
        "by_lines", "init_window", "table_move", "killers", "counter_moves", "history", "deepening",
        "aspiration", "enhanced_cutoffs", "fail_hard",
    ):  # fmt: skip
        changed: dict[str, Any] = {name: True}
        yield replace(base, **changed)
    yield replace(base, symmetry=False)
    yield replace(base, table_move=True, internal_deepening=True)
    yield replace(base, table_move=True, deepening=True)
    yield replace(base, table_move=True, deepening=True, aspiration=True)
    for size, replacement in product(_TABLE_SIZES, Replacement):
        yield replace(base, table_size=size, replacement=replacement)
    for algorithm in (
        Algorithm.SCOUT, Algorithm.MTDF, Algorithm.NULLWINDOW, Algorithm.SSS, Algorithm.DUAL,
        Algorithm.DF_PN,
    ):  # fmt: skip
        yield Options(algorithm, use_table=True)
    yield Options(Algorithm.PROOF_NUMBER)
    yield Options(Algorithm.UCT, seed=0)


def factorial() -> Iterator[Options]:
    """Yield every combination of five techniques: each on and off, with all others on and off."""
    for scouts, by_lines, table, killers, history in product((False, True), repeat=5):
        yield Options(
            Algorithm.SCOUT if scouts else Algorithm.ALPHABETA,
            by_lines=by_lines,
            use_table=table,
            killers=killers,
            history=history,
        )


def orderings(ais: Iterable[AI | str] = ORDERINGS) -> Iterator[Options]:
    """Yield alpha-beta with the order of each AI, without and with a table."""
    for ai, order_all, table in product(ais, (False, True), (False, True)):
        yield options_of(Algorithm.ALPHABETA, ordering=ai, order_all=order_all, use_table=table)


def positions_of(game: Game) -> list[Position]:
    """Return the positions in which a game is searched, the empty board first.

    On a game with few positions they are the members with the smallest masks of all critical
    classes. On others some are drawn: random moves lead to a random ply, and each class counts
    once.
    """
    if is_small(game):
        positions = enumerate_positions(game)
        representative = classify(positions).representative
        numbers = representative[score_positions(positions).critical[representative]]
        members = [smallest_member(game, positions[number]) for number in np.sort(numbers).tolist()]
    else:
        members = list(_drawn(game))
    return sorted({EMPTY, *members}, key=lambda each: (each.ply, to_text(game, each)))


def _drawn(game: Game) -> Iterator[Position]:
    random = Random(SEED)  # noqa: S311, chance need not be unguessable
    seen: set[Position] = set()
    for _ in range(_TRIES * SAMPLE):
        if len(seen) == SAMPLE:
            return
        position = EMPTY
        for _ in range(2 + int(random.random() * (game.cells - 4))):
            legal = game.legal_moves(position)
            if not legal:
                break
            position = position.after(legal[int(random.random() * len(legal))])
        member = smallest_member(game, position)
        if game.status(position) is Status.PLAYING and member not in seen:
            seen.add(member)
            yield member


class Counted(NamedTuple):
    """The searches of one setting: of all positions, with the same limit."""

    limit: int
    tallies: tuple[SearchTally, ...]

    @property
    def is_finished(self) -> bool:
        """Whether no search was stopped at the limit."""
        return all(tally.score is not None for tally in self.tallies)


def count_each(searcher: BitboardSearch, positions: Sequence[Position], limit: int) -> Counted:
    """Search some positions, each with the same limit."""
    return Counted(limit, tuple(searcher.count(position, limit) for position in positions))


def counted_of(
    game: Game, rows: Iterable[Mapping[str, Any]], positions: Sequence[Position]
) -> dict[str, Counted]:
    """Return the searches of some positions by the name of their setting.

    Settings whose rows show other positions are left out.
    """
    boards = [to_text(game, position) for position in positions]
    of: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        of.setdefault(row["setting"], {})[row["board"]] = row
    return {
        name: Counted(rows_of[boards[0]]["node_limit"], tuple(_tally(rows_of[b]) for b in boards))
        for name, rows_of in of.items()
        if rows_of.keys() == set(boards)
    }


def _tally(row: Mapping[str, Any]) -> SearchTally:
    types = None if row["leaves"] is None else NodeTypes(*(row[name] for name in TYPES))
    return SearchTally(row["score"], row["nodes"], types)


def columns_of(
    game: Game,
    settings: Iterable[Setting],
    positions: Sequence[Position],
    counted: Mapping[str, Counted],
) -> Columns:
    """Return the rows of those settings that were counted, sorted by name here."""
    counted_settings = sorted(
        (setting for setting in settings if setting.name in counted), key=lambda each: each.name
    )
    of = np.repeat(np.arange(len(counted_settings)), len(positions))
    at = np.tile(np.arange(len(positions)), len(counted_settings))
    options = [setting.options for setting in counted_settings]
    tallies = [tally for setting in counted_settings for tally in counted[setting.name].tallies]
    boards = [to_text(game, position) for position in positions]
    orderings = tuple(each.ordering.name if each.ordering else None for each in options)

    def nullable(values: Sequence[int | None]) -> Nullable:
        array = np.array([0 if value is None else value for value in values], np.int64)
        return Nullable(array, np.array([value is None for value in values], np.bool_))

    def each(values: Sequence[int | None]) -> Nullable:
        array = nullable(values)
        return Nullable(array.values[of], array.is_null[of])

    def flags(name: str) -> ColumnData:
        return np.array([getattr(option, name) for option in options], np.bool_)[of]

    types = {
        name: nullable([None if tally.types is None else tally.types[i] for tally in tallies])
        for i, name in enumerate(TYPES)
    }
    return {
        "setting": Labels(of, tuple(setting.name for setting in counted_settings)),
        "algorithm": Labels(of, tuple(str(each.algorithm) for each in options)),
        "ordering": Labels(of, orderings),
        "order_all": flags("order_all"),
        "init_window": flags("init_window"),
        "use_table": flags("use_table"),
        "seed": each([option.seed for option in options]),
        "techniques": Labels(of, tuple(option.written_techniques for option in options)),
        "step": each([setting.step for setting in counted_settings]),
        "board": Labels(np.argsort(np.argsort(boards))[at], tuple(sorted(boards))),
        "ply": np.array([position.ply for position in positions], np.int8)[at],
        "score": nullable([tally.score for tally in tallies]),
        "nodes": np.array([tally.nodes for tally in tallies], np.int64),
        **types,
        "node_limit": np.array(
            [counted[setting.name].limit for setting in counted_settings], np.int64
        )[of],
    }
