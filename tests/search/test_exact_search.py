"""The search without tables: every value, each technique, each bound, what play can reach."""

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest

from marubatsu.engine.kernels import exact_kernel, exact_layout, exact_search
from marubatsu.engine.kernels.exact_layout import ExactTechniques, is_searchable
from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.kernels.static_bounds import _following
from marubatsu.engine.large.values import FAR, Bounds
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.numbering import cell_name
from marubatsu.engine.rules.position import EMPTY, Position, Status, bits
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers import CHECKOUT
from tests.helpers.data.known import KnownCount, known_counts
from tests.helpers.data.played import late
from tests.helpers.data.static_bounds import WINDOWS, looked
from tests.helpers.slow import slow_bounds
from tests.helpers.slow.slow_solution import values_of
from tools.benchmarks import bench_search
from tools.solved_games import records

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = (
    "tictactoe", "3x3k3-misere", "3x3k3-gravity", "3x3k3-gravity-misere", "3x3k3-misere-torus",
    "2x2k1-misere", "3x3k1", "2x4k2", "6x2k2-gravity", "1x9k3", "9x1k3-misere", "1x10k3-gravity",
    "10x1k4", "5x2k4-misere", "5x2k5-gravity", "1x5k5",
)  # fmt: skip
"""Games of which every position is searched."""

LARGE = (
    "7x6k4-gravity", "8x6k4-gravity", "9x6k5-gravity-misere", "6x8k4-gravity-misere", "31x1k4",
    "3x20k4-gravity", "3x20k4-gravity-misere", "31x1k31-gravity", "20x2k4-gravity",
    "1x31k4-gravity", "6x5k4", "5x6k4-misere", "5x6k5-misere-torus", "10x3k4", "31x1k3-gravity",
)  # fmt: skip
"""Games whose masks take all or nearly all bits, and one whose marks lie in a row."""

SAMPLED = ("3x3k3", "4x3k3-torus", "4x3k3-gravity-misere")
"""Games of which some positions are searched in many ways."""

LOOKED_AT = (
    "4x4k4-gravity", "4x4k4-gravity-misere", "4x4k3-gravity", "3x5k3-gravity", "5x3k3-gravity",
    "3x5k4-gravity-misere", "6x2k2-gravity", "6x2k2-gravity-misere", "2x7k4-gravity",
)  # fmt: skip
"""Games of which every position is looked at, of even and odd heights and widths."""

FOLLOWED = ("7x6k4-gravity", "6x5k4-gravity-misere", "4x4k3-gravity-misere", "5x6k4-gravity")

MEMORY = 1 << 24
ALL, NONE = ExactTechniques(), ExactTechniques(*[False] * len(ExactTechniques._fields))
LEFT = 6
SEED = 17


def value_of(score_mover: int, distance: int) -> int:
    """Return the value for the side to move, as `engine.large.values` writes it."""
    return score_mover * (FAR - distance)


@cache
def truth(name: str) -> dict[Position, int]:
    """Return the value of every position of a game by induction over its tree."""
    positions = enumerate_positions(Game(name))
    solved = score_positions(positions)
    rows = zip(positions, solved.score.tolist(), solved.distance.tolist(), strict=True)
    return {
        position: value_of(position.turn.sign * score, distance)
        for position, score, distance in rows
    }


def sample(name: str, count: int) -> dict[Position, int]:
    """Choose the empty board and some positions of a game, with their values."""
    drawn = dict(Random(SEED).sample(sorted(truth(name).items()), count))
    return drawn | {EMPTY: truth(name)[EMPTY]}


def slow_value(game: Game, position: Position) -> int:
    """Return the value of a position by a search of everything, with the rules by coordinates."""
    return value_of(*values_of(game, position)[position])


@pytest.mark.parametrize("name", GAMES)
def test_every_value_is_that_of_the_tree(name: str) -> None:
    search = ExactSearch(Game(name), memory=MEMORY)
    assert {position: search.value(position) for position in truth(name)} == truth(name)


@pytest.mark.parametrize("name", LARGE)
def test_late_values_on_boards_of_many_bits_are_those_of_a_slow_search(name: str) -> None:
    game, random = Game(name), Random(SEED)
    search = ExactSearch(game, memory=MEMORY)
    for _ in range(5):
        position = late(game, random, LEFT)
        assert search.value(position) == slow_value(game, position), position


def test_a_line_that_fits_no_row_is_found_in_no_other_column() -> None:
    """A mask of 63 bits, shifted by the distance of three diagonal steps, comes round."""
    game, random, left = Game("3x20k4-gravity"), Random(SEED), 8
    filled = range(0, game.cells, 3), range(1, game.cells, 3), range(2 + 3 * left, game.cells, 3)
    cells = [cell for column in filled for cell in column]
    search = ExactSearch(game, memory=MEMORY)
    for _ in range(60):
        position = Position(game.full, game.full)
        while any(map(game.has_line, position)):
            random.shuffle(cells)
            half = len(cells) // 2
            position = Position(
                *(sum(1 << cell for cell in of) for of in (cells[:half], cells[half:]))
            )
        assert search.value(position) == slow_value(game, position), position


@pytest.mark.parametrize(
    "known",
    [
        known
        for known in known_counts()
        if known.quantity == "value" and is_searchable(known.game) and known.game.cells < 32
    ],
    ids=lambda known: known.game.name,
)
def test_the_value_of_the_empty_board_is_the_known_one(known: KnownCount) -> None:
    value = ExactSearch(known.game, memory=1 << 27).value(EMPTY)
    assert (value > 0) - (value < 0) == known.count


@pytest.mark.parametrize("name", SAMPLED)
@pytest.mark.parametrize(
    "use",
    [*(ALL._replace(**{off: False}) for off in ExactTechniques._fields), NONE],
    ids=[*(f"without {off}" for off in ExactTechniques._fields), "none"],
)
def test_techniques_change_no_value(name: str, use: ExactTechniques) -> None:
    search = ExactSearch(Game(name), memory=MEMORY, use=use)
    for position, value in sample(name, 30).items():
        assert search.value(position) == value, position


@pytest.mark.parametrize("name", SAMPLED)
@pytest.mark.parametrize("use", [ALL, NONE._replace(window=True)], ids=["all", "window"])
def test_a_search_in_slices_is_the_same_search(
    name: str, use: ExactTechniques, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = list(sample(name, 20))
    for slice_ in (1 << 19, 7, 1):
        monkeypatch.setattr(exact_search, "SLICE", slice_)
        search = ExactSearch(Game(name), memory=MEMORY, use=use)
        found = [(search.value(position), search.nodes) for position in positions]
        if slice_ == 1 << 19:
            expected = found
        assert found == expected


@pytest.mark.parametrize("name", SAMPLED)
def test_bounds_hold_the_value_come_closer_and_are_a_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is known already, the value is the same, and no bound is farther away."""
    monkeypatch.setattr(exact_search, "SLICE", 5)
    search = ExactSearch(Game(name), memory=MEMORY)
    stopped = 0
    for position, value in sample(name, 40).items():
        bounds = list(search.narrow(position))
        wider = Bounds(-FAR, FAR)
        for here in bounds:
            assert wider.low <= here.low <= value <= here.high <= wider.high
            if here.tells_result:
                assert np.sign(here.low) == np.sign(value) == np.sign(here.high)
            wider = here
        assert bounds[-1] == (value, value)
        for known in bounds:
            again = list(search.narrow(position, known))
            assert all(known.low <= each.low <= each.high <= known.high for each in again)
            assert again[-1] == (value, value)
        stopped += len(bounds) > 2
    assert stopped


@pytest.mark.parametrize("name", LARGE)
def test_place_and_tag_distinguish_all_keys(name: str) -> None:
    """Hashes permute the keys, and the table loses none of their bits."""
    layout = exact_layout.layout_of(Game(name))
    key, size = layout.board.key, exact_kernel.least_table(layout)
    largest = 2 * layout.board.full if layout.lines is None else (1 << key) - 1
    assert largest < 1 << key <= 1 << 63
    # A place is that of two entries; the rest of a hash must fit above the ply and two bounds.
    assert key - (size - 1) + 6 + 2 * 7 <= 64


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("8x7k4-gravity", "expected at most 63 cells, with a further one on top of each column"),
        ("32x1k4-gravity", "expected at most 63 cells, with a further one on top of each column"),
        ("8x4k4", "expected at most 31 cells without gravity"),
        ("6x6k5-misere-torus", "expected at most 31 cells without gravity"),
    ],
)
def test_a_game_that_is_too_large_is_refused(name: str, message: str) -> None:
    assert not is_searchable(Game(name))
    with pytest.raises(GameError) as caught:
        ExactSearch(Game(name), memory=MEMORY)
    assert str(caught.value) == f"{name} is too large to be searched: {message}"


def test_the_bench_measures_the_positions_that_its_seed_gives() -> None:
    """A change of the search shows here: `python -m tools.benchmarks.bench_search write`."""
    rows = records(bench_search.POSITIONS, bench_search.Row)
    assert Counter(each.set for each in rows) == dict.fromkeys(
        (*(f"{ply} plies" for ply in bench_search.PLIES), *bench_search.HARDNESS), bench_search.EACH
    )
    first = rows[: bench_search.EACH]
    assert list(islice(bench_search.positions(), len(first))) == first
    ladder = records(bench_search.LADDER, bench_search.Rung)
    of_one = {rung.technique: rung.nodes for rung in ladder if rung.set.endswith("all but one")}
    whole = sum(row.nodes for row in rows if row.set == bench_search.WITHOUT)
    page = (CHECKOUT / "docs" / "large-games.md").read_text(encoding="utf-8")
    for technique, nodes in of_one.items():
        assert f"| `{technique}` |" in page
        assert f"| {nodes:,} | {nodes / whole:.2f} |" in page
    assert of_one.keys() == {*ExactTechniques._fields}
    name, numbers = bench_search.RUNGS[-1]
    known = [rung for rung in ladder if rung.set == name]
    assert [rung.technique for rung in known] == list(ExactTechniques._fields)[-len(numbers) :]
    assert bench_search.searched("5x4k4-gravity", EMPTY) == (0, known[-1].nodes)


def test_the_page_has_the_first_moves_of_connect_four() -> None:
    """`make bench-search` searches them; the scores are those that Pons gives."""
    game, page, scores = Game("connect4"), CHECKOUT / "docs" / "large-games.md", []
    text = page.read_text(encoding="utf-8")
    words = " ".join(text.split())
    for opening in records(bench_search.OPENINGS, bench_search.Opening):
        position = from_text(Game(opening.game), opening.board)
        end = position.ply + FAR - abs(opening.value) if opening.value else game.cells
        if (opening.game, position) == (game.name, EMPTY):
            assert (opening.value > 0, end) == (True, 41)
            assert f"A search from the empty board visits {opening.nodes:,} nodes" in words
            continue
        if opening.game != game.name:
            result = f"cross wins in {end} plies" if opening.value < 0 else "is a draw"
            assert position == EMPTY
            assert f"{result} ({opening.nodes:,} nodes)" in words
            continue
        winner = position.turn if opening.value > 0 else position.turn.other
        result = f"{winner.word} wins" if opening.value else "a draw"
        # Half of the marks that the winner has left, and one more; positive when circle wins.
        score = winner.sign * ((game.cells + 2 - end) // 2) if opening.value else 0
        scores.append(score)
        (move,) = bits(position.circle)
        names = dict.fromkeys(cell_name(game, m) for m in (move, 76 - move))
        assert f"| {', '.join(names)} | {result} | {end} | {score} | {opening.nodes:,} |\n" in text
    assert scores == [-2, -1, 0, 1]


def test_a_table_that_grows_keeps_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    copies = []

    def copied(table: Longs, larger: Longs) -> None:
        exact_kernel.copy_table(table, larger)
        copies.append((table, larger))

    monkeypatch.setattr(exact_search, "copy_table", copied)
    monkeypatch.setattr(exact_kernel, "_LEAST_TABLE", 10)
    search = ExactSearch(Game("6x4k4-gravity"), memory=1 << 18)
    value = search.value(EMPTY)
    table, _ = copies[-1]
    sizes = [(len(before), len(after)) for before, after in copies]
    assert sizes == [(1 << size, 1 << size + 2) for size in (10, 12)] + [(1 << 14, 1 << 15)]
    assert len(np.unique(table)) > 5_000
    # Copied again, all entries are there: the table has bounds of the empty board, too.
    again = exact_kernel.new_table(15)
    exact_kernel.copy_table(table, again)
    assert np.count_nonzero(again) == np.count_nonzero(table)
    before = search.nodes
    assert search.value(EMPTY) == value == 24 - FAR
    assert search.nodes - before < 100


@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_bounds_of_a_look_hold_every_value(name: str) -> None:
    game = Game(name)
    positions = enumerate_positions(game)
    solved = score_positions(positions)
    here = np.flatnonzero(positions.status == Status.PLAYING)
    ply = positions.ply[here].astype(int)
    score = np.where(ply % 2 == 0, 1, -1) * solved.score[here]
    values = score * (game.cells + 1 - ply - solved.distance[here])
    found = looked(game, positions.circle[here], positions.cross[here], values)
    assert found.wrong == -1, positions[int(here[found.wrong])]
    assert found.looks == len(WINDOWS) * len(here)
    if game.run == game.columns == game.rows:
        assert min(found.moved, found.never_wins, found.loses, found.never_loses) > 0


@pytest.mark.parametrize("name", FOLLOWED)
def test_following_up_gives_what_every_pairing_gives(name: str) -> None:
    game, random = Game(name), Random(5)
    board, found = exact_layout.layout_of(game).board, Counter[int | None]()
    while found.total() < 400:
        position = EMPTY
        for _ in range(game.cells - 2 * random.randrange(1, game.cells // 3)):
            if moves := game.legal_moves(position):
                position = position.after(random.choice(moves))
        if game.status(position) is Status.PLAYING and (game.cells - position.ply) % 2 == 0:
            bound = _following(*exact_layout.masks_of(game, position), 0, board)
            expected = slow_bounds.following(game, position)
            assert bound == (board.cells if expected is None else expected), position
            found[expected] += 1
    assert min(found[None], found[0], found[-1]) > 0
