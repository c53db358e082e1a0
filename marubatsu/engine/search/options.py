"""The options of a search, and its result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import chain
from math import inf
from typing import Annotated, Literal, NamedTuple, TypedDict

from marubatsu.engine.ais.ai import AI, Number
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import (
    InputError,
    expectation,
    is_one_of,
    quote,
    whole_number,
)
from marubatsu.engine.rules.position import Status

DEFAULT_PLAYOUTS, AI_PLAYOUTS, MAX_PLAYOUTS = 100, 30, 1_000_000
MOST_PLACES = 1 << 26  # of a table: 1 GiB
_LAST_SEED = (1 << 63) - 1  # that compiled searches take


class SearchError(InputError):
    """Invalid options of a search; the message names them and says what is expected."""


class Algorithm(StrEnum):
    """The algorithm of a search: those of the tutorial series (episodes 100 to 237), and others.

    `TRAITS` says how each searches.
    """

    MINIMAX = "minimax"  # visit everything
    ALPHABETA = "alphabeta"  # cut when the score leaves the window, fail-soft
    SCOUT = "scout"  # null window for all but the first move, searched again when it fails high
    MTDF = "mtdf"  # null windows at the root only, around the last score
    NULLWINDOW = "nullwindow"  # one window that separates wins, draws and losses: (-0.5, 0.5)
    DEPTH_LIMITED = "depth_limited"  # alpha-beta that evaluates positions at max_depth
    ITERATIVE_DEEPENING = "iterative_deepening"  # the same, deeper and deeper
    PVS = "pvs"  # the same with scout's null windows
    MONTE_CARLO = "monte_carlo"  # random games
    SSS = "sss"  # SSS* as null windows from above (Plaat, Schaeffer, Pijls, de Bruin 1996)
    DUAL = "dual"  # DUAL*, the same from below
    PROOF_NUMBER = "proof_number"  # a tree in memory, grown at the easiest proof (Allis 1994)
    DF_PN = "df_pn"  # the same depth first, with a table (Nagai 2002)
    UCT = "uct"  # random games that grow a tree, with bounds (Cazenave and Saffidine 2010)


def algorithm_of(name: str) -> Algorithm:
    """Return an algorithm by its name. Raises SearchError, quoting it, when there is none."""
    if not is_one_of(name, set(Algorithm)):
        raise SearchError(f"there is no algorithm {quote(name)}: {expectation(name, Algorithm)}")
    return Algorithm(name)


class Replacement(StrEnum):
    """What a full table does with a new entry (Breuker, Uiterwijk, van den Herik 1994)."""

    ALWAYS = "always"  # it replaces the old one
    DEPTH = "depth"  # unless the old one saves a deeper search
    TWO_TIER = "two_tier"  # two entries a place: the deepest, and the newest of the others


class SearchSettings(TypedDict, total=False):
    """How to search. The command line and `marubatsu.search` have an option for each key."""

    order_all: Annotated[bool, "Sort all moves by AI score, instead of only its choice first."]
    shortest_victory: Annotated[bool, "Score quick wins higher: the scores are score_sv."]
    init_window: Annotated[
        bool, "Start with the range of scores instead of everything; in MTD(f), the bounds."
    ]
    use_table: Annotated[bool, "Store bounds for a position and all of its images."]
    max_depth: Annotated[int | None, "Plies to search (default: to the end)."]
    seed: Annotated[
        int | None,
        "Draw among equal moves of the ordering (default: the first), or playouts (default: 0).",
    ]
    playouts: Annotated[int, f"Random games after each move (default: {DEFAULT_PLAYOUTS})."]


class TechniqueOptions(TypedDict, total=False):
    """The techniques, which only `engine.kernels` knows. `parse_techniques` reads them."""

    by_lines: Annotated[bool, "Begin ascending order with the cells that most lines cross."]
    table_move: Annotated[bool, "Search the best move of the table first."]
    killers: Annotated[
        bool, "Then search the last two moves that cut at this ply (Akl, Newborn 1977)."
    ]
    counter_moves: Annotated[
        bool, "Then search the move that last cut after the same move (Uiterwijk 1992)."
    ]
    history: Annotated[
        bool, "Sort moves by a counter: where one was best, add 2**depth (Schaeffer 1989)."
    ]
    internal_deepening: Annotated[
        bool, "Without a move of the table, search two plies less deep first."
    ]
    deepening: Annotated[
        bool, "Search 1, 2, 3 … plies deep, with draws there, until one side wins."
    ]
    aspiration: Annotated[
        bool, "Start with a window around the score of the depth before, or around a draw."
    ]
    enhanced_cutoffs: Annotated[
        bool, "Look up all children before searching the first (Plaat and others 1996)."
    ]
    fail_hard: Annotated[bool, "Return no score beyond the window (Knuth and Moore 1975)."]
    symmetry: Annotated[
        bool, "Use one entry of the table for all images of a position (default: true)."
    ]
    table_size: Annotated[
        int | None, "Places of the table, a power of two (default: as many as needed)."
    ]
    replacement: Annotated[
        Literal["always", "depth", "two_tier"],
        "The entry that a full table drops for a new one (default: always the old one).",
    ]


TECHNIQUES = frozenset(TechniqueOptions.__annotations__)

_COMMON = frozenset({"ordering", "order_all", "use_table"})
_EVALUATING = _COMMON | {"evaluation", "max_depth"}
_CUTTING = _COMMON | TECHNIQUES - {"aspiration"}
_WINDOWED = _CUTTING | {"seed", "shortest_victory", "init_window"}


class Traits(NamedTuple):
    """How an algorithm searches, and the options that it makes use of."""

    used: frozenset[str]
    prunes: bool = True  # moves that cannot matter are left out
    scouts: bool = False  # all moves but the first are searched with a null window
    deepens: bool = False  # it searches repeatedly, one ply deeper each time
    closes_in: bool = False  # null windows, until an upper and a lower bound meet
    plays_out: bool = False  # it compares the results of random games
    only_on_bitboards: bool = False  # `engine.kernels` runs it, and no readable search


TRAITS: Mapping[Algorithm, Traits] = {
    Algorithm.MINIMAX: Traits(_COMMON | {"seed", "shortest_victory"}, prunes=False),
    Algorithm.ALPHABETA: Traits(_WINDOWED | {"aspiration"}),
    Algorithm.SCOUT: Traits(_WINDOWED | {"aspiration"}, scouts=True),
    Algorithm.MTDF: Traits(_WINDOWED, closes_in=True),
    Algorithm.NULLWINDOW: Traits(_CUTTING - {"fail_hard"} | {"seed"}),
    Algorithm.DEPTH_LIMITED: Traits(_EVALUATING | {"seed"}),
    Algorithm.ITERATIVE_DEEPENING: Traits(_EVALUATING, deepens=True),
    Algorithm.PVS: Traits(_EVALUATING, scouts=True, deepens=True),
    Algorithm.MONTE_CARLO: Traits(frozenset({"seed", "playouts"}), prunes=False, plays_out=True),
    Algorithm.SSS: Traits(_CUTTING, closes_in=True, only_on_bitboards=True),
    Algorithm.DUAL: Traits(_CUTTING, closes_in=True, only_on_bitboards=True),
    Algorithm.PROOF_NUMBER: Traits(frozenset({"by_lines"}), only_on_bitboards=True),
    Algorithm.DF_PN: Traits(
        frozenset({"use_table", "by_lines", "symmetry"}), only_on_bitboards=True
    ),
    Algorithm.UCT: Traits(frozenset({"seed", "by_lines"}), only_on_bitboards=True),
}
"""The traits of every algorithm."""

_UNUSED = {
    "max_depth": "searches to the end: leave out the option max_depth, or choose depth_limited",
    "evaluation": "values no positions: leave out the option evaluation, or choose depth_limited",
}
"""Why an algorithm makes no use of an option, where there is more to say."""

_NUMBERS = ("max_depth", "seed", "playouts", "table_size")

_OF_TABLE = (
    "enhanced_cutoffs", "internal_deepening", "replacement", "symmetry", "table_move", "table_size"
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """The options of one search, with their defaults.

    `SearchSettings` and `TechniqueOptions` say what they mean. The AI ``ordering`` orders the
    moves, None in ascending order; ``evaluation`` values positions at the depth and finished ones.
    """

    algorithm: Algorithm = Algorithm.ALPHABETA
    ordering: AI | None = None
    order_all: bool = False
    shortest_victory: bool = False
    init_window: bool = False
    use_table: bool = False
    max_depth: int | None = None
    evaluation: AI | None = None
    seed: int | None = None
    playouts: int = DEFAULT_PLAYOUTS
    by_lines: bool = False
    table_move: bool = False
    killers: bool = False
    counter_moves: bool = False
    history: bool = False
    internal_deepening: bool = False
    deepening: bool = False
    aspiration: bool = False
    enhanced_cutoffs: bool = False
    fail_hard: bool = False
    symmetry: bool = True
    table_size: int | None = None
    replacement: Replacement = Replacement.ALWAYS

    @property
    def traits(self) -> Traits:
        """How its algorithm searches."""
        return TRAITS[self.algorithm]

    @property
    def techniques(self) -> frozenset[str]:
        """The techniques that differ from their defaults: only `engine.kernels` knows them."""
        changed = {each.name for each in fields(self) if getattr(self, each.name) != each.default}
        return frozenset(changed & TECHNIQUES)

    @property
    def written_techniques(self) -> str:
        """The techniques as `parse_techniques` reads them, in alphabetic order, with spaces."""
        values = ((name, getattr(self, name)) for name in sorted(self.techniques))
        return " ".join(
            name if value is True else f"no_{name}" if value is False else f"{name}={value}"
            for name, value in values
        )

    @property
    def needs_bitboards(self) -> bool:
        """Whether the search runs on bitboards only."""
        return self.traits.only_on_bitboards or bool(self.techniques)

    def __post_init__(self) -> None:
        """Raise SearchError for options that the algorithm lacks or would ignore."""
        faults = self._of_another_type(), self._unused(), self._missing(), self._impossible()
        fault = next(chain(*faults), None)
        if fault:
            raise SearchError(f"{self.algorithm} {fault}")
        for name in _NUMBERS:  # Those of NumPy are no seeds.
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, int(value))

    def _of_another_type(self) -> Iterator[str]:
        """Say which options are no whole number or no name, as they must be."""
        for name in _NUMBERS:
            value = getattr(self, name)
            try:
                _ = (value is None and name != "playouts") or whole_number(value)
            except TypeError:
                yield f"takes a number as {name}: expected a whole one, got {quote(value)}"
        if not is_one_of(self.replacement, set(Replacement)):
            kinds = ", ".join(Replacement)
            yield f"knows no replacement {quote(self.replacement)}: expected {kinds}"

    def _unused(self) -> Iterator[str]:
        """Say which options the algorithm would ignore, alone or with the others."""
        used = self.traits.used
        for each in fields(self)[1:]:
            if each.name not in used and getattr(self, each.name) != each.default:
                kind = "technique" if each.name in TECHNIQUES else "option"
                yield _UNUSED.get(
                    each.name, f"makes no use of the {kind} {each.name}: leave it out"
                )
        if self.shortest_victory and self.needs_bitboards:
            yield (
                "finds no shortest victory with techniques: leave out the option shortest_victory"
            )
        has_equal = self.ordering is not None and not self.order_all and not self.needs_bitboards
        if self.seed is not None and "ordering" in used and not has_equal:
            yield (
                "draws nothing: the option seed is for equal moves of an ordering, or for random "
                "games"
            )

    def _missing(self) -> Iterator[str]:
        """Say which options the algorithm, or others, need."""
        algorithm, used = self.algorithm, self.traits.used
        if "evaluation" in used and self.evaluation is None:
            yield "needs the option evaluation: an AI that values positions"
        if algorithm is Algorithm.DEPTH_LIMITED and self.max_depth is None:
            yield "needs the option max_depth: a number of plies"
        if "use_table" in used and self.traits.only_on_bitboards and not self.use_table:
            yield "needs a table: set the option use_table"
        if self.order_all and self.ordering is None:
            yield (
                "has nothing to order by: set the option ordering, or leave out the option "
                "order_all"
            )
        if not self.use_table:
            for name in _OF_TABLE:
                if name in self.techniques:
                    yield f"has no table for {name}: set the option use_table"
        if self.internal_deepening and not self.table_move:
            yield "deepens inside to get a move of the table: set the technique table_move"
        if "replacement" in self.techniques and self.table_size is None:
            yield "replaces nothing in a table that grows: set the technique table_size"

    def _impossible(self) -> Iterator[str]:
        """Say which values no search can have."""
        depth, size = self.max_depth, self.table_size
        if self.evaluation is not None and self.evaluation.evaluate is None:
            yield "needs an AI that values positions as the option evaluation, such as ai14s"
        if depth is not None and depth < 0:
            yield f"cannot search {depth} plies: expected 0 or more"
        if self.seed is not None and not 0 <= self.seed <= _LAST_SEED:
            yield f"cannot draw by the seed {quote(self.seed)}: expected 0 to {_LAST_SEED:,}"
        if not 1 <= self.playouts <= MAX_PLAYOUTS:
            yield f"cannot play {self.playouts} games a move: expected 1 to {MAX_PLAYOUTS:,}"
        if size is not None and not (2 <= size <= MOST_PLACES and size & (size - 1) == 0):
            yield (
                f"cannot use a table of {size} places: expected a power of two, 2 to "
                f"{MOST_PLACES:,}"
            )


def parse_techniques(text: str) -> dict[str, bool | int | Replacement]:
    """Read techniques, as in ``killers history no_symmetry table_size=1024 replacement=depth``.

    Raises SearchError, quoting the word, for anything else.
    """
    techniques: dict[str, bool | int | Replacement] = {}
    flags = TECHNIQUES - {"symmetry", "table_size", "replacement"}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name in techniques:
            raise SearchError(f"{quote(text)} names {name} twice: expected each technique once")
        if word in flags:
            techniques[word] = True
        elif word == "no_symmetry":
            techniques["symmetry"] = False
        elif name == "table_size" and value.isdecimal() and value.isascii() and len(value) < 20:
            techniques[name] = int(value)
        elif name == "replacement" and value in set(Replacement):
            techniques[name] = Replacement(value)
        else:
            written = [*sorted(flags), "no_symmetry", "table_size=PLACES"]
            written += [f"replacement={kind}" for kind in Replacement]
            raise SearchError(f"there is no technique {quote(word)}: {expectation(word, written)}")
    return techniques


@dataclass(frozen=True)
class Result:
    """The result of a search.

    score           of the position, circle's view
    nodes           entries into the recursive function, the position itself included
    best_moves      legal moves whose child has the best score for the mover, ascending
    principal_variation  one variation of best moves, up to the depth of the search
    table_size      boards in the table at the end, counting all images; on bitboards: its entries
    """

    score: float
    nodes: int
    best_moves: tuple[int, ...]
    principal_variation: tuple[int, ...]
    table_size: int


def plain(score: Number) -> float:
    """Return a score as a plain number: an int where it is whole."""
    return int(score) if score == int(score) else float(score)


def score_range(game: Game, *, shortest_victory: bool) -> tuple[int, int]:
    """Return the least and the greatest score of a game: (-1, 1), or (-2, 3) by score_sv on 3x3."""
    if not shortest_victory:
        return -1, 1
    soonest = (2 * game.run - 1, 2 * game.run, game.cells)  # a line of circles, of crosses, no line
    results = (*game.line_results, game.full_board)
    wins = [(game.size_of_win(ply), result) for ply, result in zip(soonest, results, strict=True)]
    least, greatest = (
        max((size for size, result in wins if result is winner), default=0)
        for winner in (Status.CROSS, Status.CIRCLE)
    )
    return -least, greatest


EVERYTHING = -inf, inf
"""The window that never cuts."""

Stop = Callable[[], bool]
"""Returns whether time is up; the search calls it between nodes."""
