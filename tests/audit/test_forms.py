"""How answers are read: in every form, or refused with the forms that they can be."""

import json
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.plain_values import Unread, of_json, plain, to_json
from marubatsu.judge.agents.protocol import ProgramDialogue
from marubatsu.judge.agents.reply_reader import FORMS, AmbiguousError, ReplyReader
from marubatsu.pipeline.support.errors import OptionError, UsageError
from tools.generators.run_pages import CHECKOUT

pytestmark = pytest.mark.quick

ALL = list(range(9))
SOME = [0, 1, 4, 7]  # legal moves of a position
PAIR = {"row-column", "column-row", "move-score", "score-move", "moves"}
VALUES = {"weights", "scores", "moves"}
PAIRS = {"row-column", "column-row", "chances", "weights", "scores"}
CONNECT4 = [*range(35, 42)]


class Tensor:
    """A tensor as those of torch: only one element is a number, only several are a list."""

    dtype = "torch.int64"

    def __init__(self, value: Any, *shape: int) -> None:
        self._value, self.shape = value, shape

    def __index__(self) -> int:
        if not isinstance(self._value, int):
            raise TypeError("only integer tensors can be converted to an index")
        return self._value

    def __float__(self) -> float:
        return float(self._value)

    def __iter__(self) -> Iterator["Tensor"]:
        return map(Tensor, self._value)


class Cell(IntEnum):
    """Names of moves."""

    CENTRE = 4


class Named(Enum):
    """Names of moves that are no numbers."""

    CENTRE = 4


Move = namedtuple("Move", "row column")  # noqa: PYI024, as agents write it


def read(answer: Any, form: str = "auto", legal: list[int] = ALL, game: str = "tictactoe") -> Any:
    """Read the first answer of an AI: moves, (moves, weights), the kind of a fault, or forms."""
    value = plain(answer)
    sent = of_json(json.loads(json.dumps(to_json(value))))
    assert sorted(repr(sent)) == sorted(repr(value))  # NaN is not equal to itself.
    try:
        found = ReplyReader(form, Game(game)).moves(value, legal)
    except AmbiguousError as error:
        return {form for form in error.forms if form in str(error)}
    if isinstance(found, Fault):
        return found.kind
    return (found.moves, found.weights) if found.weights else list(found.moves)


ONE_HOT = [0, 0, 0, 0, 1, 0, 0, 0, 0]
VISITS = [3, 0, 1, 0, 10, 0, 2, 0, 1]
BOARDS = [[1, 0, 1, 2, 0, 2, 1, 0, 2], [0.0, 1, 1, -1, 0, -1, 1, 0, -1]]
LOGITS = [0.1, -1.2, 0.3, 0.0, 2.5, -0.7, 0.2, -3.0, 0.4]
INF = float("inf")
LOGARITHMS = [*[-INF] * 4, 0.0, *[-INF] * 4]
RANK = [4, 0, 2, 6, 8, 1, 3, 5, 7]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        # A move.
        (4, [4]), (np.int64(4), [4]), (np.array(4), [4]), (Cell.CENTRE, [4]),
        (Tensor(4, 1, 1), [4]), (Tensor(4), [4]),
        # Moves.
        ([0, 4], [0, 4]), (frozenset({0, 4}), [0, 4]), ((m for m in ALL if m % 2), [1, 3, 5, 7]),
        (range(3), [0, 1, 2]), ({4: 1}.keys(), [4]), (np.array([0, 2, 4]), [0, 2, 4]), (RANK, RANK),
        # Chances.
        ({4: 0.75, 0: 0.25}, ((4, 0), (0.75, 0.25))), ([(4, 0.5), [0, 0.5]], [4, 0]),
        ({"4": 0.75, "0": 0.25}, ((4, 0), (0.75, 0.25))),
        ({np.int64(4): np.float32(0.7), 0: np.float32(0.3)},
         ((4, 0), (float(np.float32(0.7)), float(np.float32(0.3))))),
        ({4: Fraction(2, 3), 0: Fraction(1, 3)}, ((4, 0), (2 / 3, 1 / 3))),
        ({4: 0.667, 0: 0.333}, ((4, 0), (0.667, 0.333))), ({4: 1.0, 99: 0.0}, [4]),
        (ONE_HOT, [4]), (np.full(9, 1 / 9), ALL), (Tensor(ONE_HOT, 9), [4]),
        # Weights and scores that mean the same.
        ({4: 1, 0: 1}, [4, 0]), ({4: 5, 0: 0}, [4]), ([2.0] * 9, ALL),
        # Two readings.
        ((1, 2), PAIR), (Move(0, 2), PAIR), (np.array([1, 2]), PAIR), ((4, -1), PAIR),
        (np.unravel_index(4, (3, 3)), PAIR), ([1, 1], PAIR), ([4, INF], {"move-score"}),
        ((0.0, 4), {"score-move"}), ([1, 1, -1], {"row-column", "column-row", "moves"}),
        ([1, 1, 0.5], {"row-column", "column-row"}), ((1, 1, -INF), {"row-column", "column-row"}),
        ([120, 30, 45, 33, 200, 31, 44, 32, 46], VALUES), ([*range(1, 10)], VALUES),
        ({(0, 0), (1, 1)}, PAIRS), ([[1, 1], [0, 2]], PAIRS),
        ({(0, 0): 0.5, (1, 1): 0.5}, {"row-column", "column-row"}),
        ({4: 2, 0: 1}, {"weights", "scores"}), (VISITS, {"weights", "scores"}),
        ({4: 1, 0: -1}, {"scores"}), (np.array(LOGITS, np.float32), {"scores"}),
        (BOARDS[0], {"weights", "scores"}), (BOARDS[1], {"scores"}),
        ({4: 0, 0: 0}, {"scores"}), ([(4, -0.1), (0, -0.2)], {"scores"}),
        # Faults.
        (None, "wrong answer"), (True, "wrong answer"), (np.True_, "wrong answer"),
        ("4", "wrong answer"), (b"4", "wrong answer"), (4.0, "wrong answer"),
        (np.float64(4), "wrong answer"), (Tensor(0.5), "wrong answer"),
        ([], "no move"), ({}, "no move"), (["4", "0"], "wrong answer"),
        ({"row": 1, "col": 1}, "wrong answer"), ({4: "0.5"}, "wrong answer"),
        ([[0, 0, 0], [0, 1, 0], [0, 0, 0]], "wrong answer"),
        (((1, 1), 0), "wrong answer"), ([(4, 0.5), (4, 0.5)], "wrong answer"),
        ({4: 1, "4": 0.5}, "wrong answer"), (bytearray(b"\x04"), "wrong answer"),
        (memoryview(b"\x04"), "wrong answer"), (int, "wrong answer"),
        (Fraction(4), "wrong answer"), ({4.0: 1}, "wrong answer"), ({True: 1}, "wrong answer"),
        ({"(1, 1)": 1}, "wrong answer"), (np.ones((1, 9)) / 9, "wrong answer"),
        ({4: 10**10, 0: -(10**10)}, {"scores"}),
        ({4: 1e308, 0: 1e308}, {"scores"}), ({4: 1e-320}, [4]), ({4: 0.0, 0: -0.0}, {"scores"}),
        (enumerate([0, 1]), PAIRS), (range(10**9), "wrong answer"), (10**30, "wrong answer"),
        ({4: float("nan")}, "bad values"), ({4: INF, 0: 1}, "bad values"),
    ],
)  # fmt: skip
def test_answers_are_read_in_the_only_form_that_they_can_have(answer: Any, expected: Any) -> None:
    assert read(answer) == expected


class Done:
    """As a future of asyncio that is done: its iterator has no item."""

    def __await__(self) -> Iterator[int]:
        return iter(())

    __iter__ = __await__


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        (None, "does the function return one in every case?"),
        *((text, "as int(...) makes one of digits; agents that reply in sentences are asked by the")
          for text in ("4", np.str_("4"), "top right")),
        (Done(), "expected a function that returns when it is done: def, not async def"),
        ({4: 1, "4": 0.5}, "expected each move once as a key"),
        *((other, "expected the number of a move, as int(...) makes one, several moves, a mapping")
          for other in (True, 4.0, {"move": 4}, [0.25] * 4, np.ones((3, 3)), (0, (1, 1)), len,
                        np.where(np.arange(9) > 4), [*"o........"], Named.CENTRE, {4.0: 1})),
    ],
)  # fmt: skip
def test_a_wrong_answer_comes_with_a_cure(answer: Any, cure: str) -> None:
    fault = ReplyReader("auto", Game("tictactoe")).moves(plain(answer), SOME)
    assert isinstance(fault, Fault)
    assert fault.kind == "wrong answer"
    assert cure in fault.cure


@pytest.mark.parametrize(
    ("form", "answer", "cure"),
    [
        ("row-column", 4, "expected a row and a column in whole numbers, such as 0 and 2"),
        (
            "column-row",
            Unread("'(1, 2)'", "line"),
            "expected a column and a row in whole numbers, ",
        ),
        ("column", [1 / 7] * 7, "expected a column, several of them, or a mapping of columns to"),
        ("move-score", 4, "expected a move and its score, such as 4 and 0.5"),
        ("score-move", 4, "expected a score and the move that has it, such as 0.5 and 4"),
        ("row-column", plain(None), "expected a move: does the function return one in every case?"),
    ],
)
def test_the_cure_of_a_wrong_answer_keeps_to_the_form(form: str, answer: Any, cure: str) -> None:
    fault = ReplyReader(form, Game("connect4")).moves(answer, CONNECT4)
    assert isinstance(fault, Fault)
    assert fault.cure.startswith(cure)


@pytest.mark.parametrize(
    ("form", "answer", "expected"),
    [
        ("moves", (1, 2), [1, 2]), ("moves", [1, 1], "wrong answer"), ("moves", 4, [4]),
        ("row-column", (1, 2), [5]), ("row-column", Move(0, 2), [2]),
        ("row-column", [1, 2, -1], [5]), ("row-column", {(0, 0), (2, 2)}, "either"),
        ("row-column", [(1, 1, 0.5)], [4]), ("row-column", (3, 0), "illegal move"),
        ("row-column", (1, -1), "illegal move"), ("row-column", 4, "wrong answer"),
        ("row-column", {(0, 0): 0.25, (2, 2): 0.75}, ((0, 8), (0.25, 0.75))),
        ("row-column", [(1, 1), (1, 1)], "wrong answer"),
        ("column-row", (1, 2), [7]), ("column-row", [(2, 0), (0, 2)], [2, 6]),
        ("move-score", (4, 0.5), [4]), ("move-score", [4, None], [4]),
        ("move-score", 4, "wrong answer"), ("move-score", (0.5, 4), "wrong answer"),
        ("score-move", (1, 4), [4]), ("score-move", (-INF, 4), [4]),
        ("chances", {4: 0.5, 0: 0.5}, [4, 0]), ("chances", {4: 2, 0: 1}, "bad values"),
        ("chances", {4: 1.5, 0: -0.5}, "bad values"), ("chances", [(4, 1), (0, 0)], [4]),
        ("chances", 4, [4]), ("chances", [0, 4], "wrong answer"),
        ("weights", {4: 2, 0: 1}, ((4, 0), (2, 1))), ("weights", {4: -2, 0: 1}, "bad values"),
        ("weights", {4: 0}, "bad values"), ("weights", VISITS, ((0, 2, 4, 6, 8), (3, 1, 10, 2, 1))),
        ("scores", {4: 1, 0: -1, 2: 1}, [4, 2]), ("scores", {4: -1, 0: -1}, [4, 0]),
        ("scores", LOGITS, [4]), ("scores", {4: 0.5, 0: INF}, "bad values"),
        ("scores", [(0, 0), (4, 1)], [4]),
        # Only scores may be the logarithm of zero.
        ("scores", LOGARITHMS, [4]), ("weights", LOGARITHMS, "bad values"),
        ("scores", [-INF] * 9, "bad values"), ("scores", [INF] * 9, "bad values"),
    ],
)  # fmt: skip
def test_answers_of_a_form_that_is_named(form: str, answer: Any, expected: Any) -> None:
    found = read(answer, form)
    assert (sorted(found) == [0, 8]) if expected == "either" else found == expected


def test_values_of_cells_that_are_not_legal() -> None:
    """A vector has one for every cell: chances there are moves, scores are not looked at."""
    scores = [9.0, -1, 5, 5, -2, 5, 5, -1, 5]
    assert read(scores, "scores", [1, 4, 7]) == [1, 7]
    masked = [-INF, -1, -INF, -INF, -2, -INF, -INF, -1, -INF]
    assert read(masked, "scores", [1, 4, 7]) == [1, 7]
    assert read(masked, "auto", [1, 4, 7]) == {"scores"}
    assert read([0.5, 0.5, *[0] * 7], "chances", [1, 4]) == [0, 1]
    assert read({9: 5, 4: 1}, "scores", [1, 4]) == [9]


def test_whole_numbers_can_be_values_of_the_legal_moves() -> None:
    assert read([9, 5, 3, 2], legal=SOME) == VALUES
    assert read([7, 4, 1, 0], legal=SOME) == [7, 4, 1, 0]
    assert read([9, 5, 3, 2], "moves", SOME) == [9, 5, 3, 2]
    reader = ReplyReader("auto", Game("tictactoe"))
    assert reader.moves(4, SOME) == Reply((4,))
    assert reader.moves([9, 5, 3, 2], SOME) == Reply((9, 5, 3, 2))  # It has answered with a move.


def test_a_column_is_a_move_only_where_it_is_named() -> None:
    def connect4(answer: Any, form: str = "auto", legal: list[int] = CONNECT4) -> Any:
        return read(answer, form, legal, "connect4")

    assert connect4(3) == {"column", "moves"}
    for columns in ([3], (3,), {3}, np.array([3]), {3: 1.0}, {3: 0.5, 2: 0.5}, {"3": 1},
                    [(3, 0.5), (2, 0.5)], [(3, 0), (2, 1.0)], [3, 2, 4, 1, 5, 0, 6]):  # fmt: skip
        assert connect4(columns) == {"column", "moves"}
    assert connect4([3, 4]) == PAIR | {"column"}
    assert connect4([3, 2, 4]) == {"row-column", "column-row", "moves", "column"}
    assert connect4({3: 0.5, 38: 0.5}) == [3, 38]
    assert connect4({0: 0.5, 3: 0.5}, legal=[0, *range(36, 42)]) == [0, 3]
    assert connect4([0, 0, 0, 1, 0, 0, 0]) == "wrong answer"
    assert connect4([0, 7], legal=[0, 7, *range(36, 41)]) == [0, 7]
    assert connect4(38) == [38]
    assert connect4(3, "column") == [38]
    assert connect4([3, 4], "column") == [38, 39]
    assert connect4({3: 0.25, 4: 0.75}, "column") == ((38, 39), (0.25, 0.75))
    assert connect4(9, "column") == "illegal move"
    assert connect4(3, "moves") == [3]
    assert connect4((5, 3), "row-column") == [38]
    assert connect4([1 / 7] * 7) == "wrong answer"
    with pytest.raises(OptionError, match="tictactoe is played without gravity"):
        ReplyReader("column", Game("tictactoe"))
    reader = ReplyReader("auto", Game("connect4"))
    assert reader.moves(38, CONNECT4) == Reply((38,))
    assert reader.moves(3, CONNECT4) == Reply((3,))  # It has answered with a cell before.
    reader = ReplyReader("auto", Game("connect4"))
    assert reader.moves(7, CONNECT4) == Reply((7,))
    with pytest.raises(AmbiguousError, match=r"not clear; .* answers \(column or moves\)$"):
        reader.moves(6, CONNECT4)  # Both can be columns from 1.


def test_a_list_of_two_is_moves_until_it_cannot_be() -> None:
    rows = ReplyReader("auto", Game("tictactoe"))
    assert rows.moves([0, 1], ALL) == Reply((0, 1))
    with pytest.raises(
        AmbiguousError, match="row-column, column-row, move-score, score-move or moves"
    ):
        rows.moves([0, 1], SOME[1:])
    moves = ReplyReader("auto", Game("tictactoe"))
    assert moves.moves([0, 1, 2, 4], ALL) == Reply((0, 1, 2, 4))
    assert moves.moves([0, 2], SOME) == Reply((0, 2))  # 2 is an illegal move, and a finding.
    twice = moves.moves([1, 1], SOME)
    assert isinstance(twice, Fault)
    assert twice.detail == "1, 1, with 1 more than once"
    assert twice.cure.startswith("expected each move once; ")
    triples = ReplyReader("auto", Game("tictactoe"))
    assert triples.moves([2, 1, 0], ALL) == Reply((2, 1, 0))
    with pytest.raises(AmbiguousError, match="row-column, column-row or moves"):
        triples.moves([2, 1, -1], ALL)


def test_lists_of_all_legal_moves_may_be_ranks() -> None:
    """Ten in a row, unless one leaves a move out, or all are in the order of the cells."""

    def refused(answers: list[list[int]], form: str = "auto") -> int | None:
        reader = ReplyReader(form, Game("tictactoe"))
        for number, answer in enumerate(answers, start=1):
            try:
                reader.moves(answer, ALL)
            except AmbiguousError:
                return number
        return None

    assert refused([ALL, RANK] * 8) == 10
    assert [refused([ALL] * 20), refused([ALL, ALL[::-1]] * 8)] == [None, None]
    assert [refused([[4], *[RANK] * 20]), refused([RANK] * 20, "moves")] == [None, None]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4", [4]), ("0 4", [0, 4]), ("0,4", [0, 4]), ("4:0.75 0:0.25", ((4, 0), (0.75, 0.25))),
        ("4:.5,0:.5", [4, 0]), ("4:1e0 0:0", [4]),
        ("0.5 4", {"score-move"}), ("0 0 0 0 1 0 0 0 0", [4]), ("4:nan", "bad values"),
        ("", "no move"), ("b2", "wrong answer"), ("4 0:1", "wrong answer"), ("4.0", "wrong answer"),
        ("4:0.5 4:0.5", "wrong answer"), ("1" * 30, "wrong answer"),
    ],
)  # fmt: skip
def test_lines_of_programs_are_read_as_answers_of_functions(line: str, expected: Any) -> None:
    lines = ProgramDialogue()
    lines.question("." * 9, ALL)
    heard = lines.heard(f"1 {line}".encode())
    assert heard
    assert isinstance(heard.answer, Returned)
    value = heard.answer.value
    if isinstance(value, Unread):
        assert expected == "wrong answer"
        assert ReplyReader("auto", Game("tictactoe")).moves(value, ALL) == Fault(
            "wrong answer", repr(line), "expected the numbers of moves, separated by spaces, or "
            "each of them with :chance",
        )  # fmt: skip
    else:
        assert read(value) == expected


def test_odd_lines_of_programs_are_no_answer_or_a_wrong_one() -> None:
    lines = ProgramDialogue()
    lines.question("." * 9, ALL)
    assert [lines.heard(other) for other in (b"", b"\xff", b"2 4")] == [None] * 3
    for odd in (b"9" * 5000, b"4:" + b"9" * 5000, b"\xff", b"[" * 9000, b"\0"):
        heard = lines.heard(b"1 " + odd)
        assert heard
        assert isinstance(heard.answer, Returned)
        assert isinstance(heard.answer.value, Unread)


@pytest.mark.parametrize(
    "value",
    [
        True, None, "4", {"tuple": 4}, {"list": [4]}, [[[[4]]]], 10**15,
        {"mapping": [[1], []]}, {"mapping": [1]}, {"unread": "x"}, {"unread": ["x", 1]}, [None],
        {"set": [{"mapping": [[], []]}]}, [0] * 1001, {},
    ],
)  # fmt: skip
def test_wrong_messages_of_workers_are_errors(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        of_json(value)


def test_the_documents_have_the_table_of_forms() -> None:
    page = (CHECKOUT / "docs" / "your-ai.md").read_text(encoding="utf-8")
    table = page[page.index("| `--answers` |") :].partition("\n\n")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == ["--answers", *FORMS]


def test_an_unknown_form_of_answers_is_refused() -> None:
    forms: tuple[Any, ...] = ("", "rows", "Moves", None, 4, ["moves"])
    for form in forms:
        with pytest.raises(OptionError, match="expected auto, moves, row-column, column-row, col"):
            mb.match("ai1", "ai2", games=1, answers=form)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([4, 7, 0, 1], [4, 7, 0, 1]), ((4, 7, 0), [4, 7, 0]), ([4, 7], [4, 7]), (4, [4]),
        (iter([7, 4]), [7, 4]), ({4: -5, 7: -1, 0: -9}, [7, 4, 0]), (VISITS, [4, 0, 1, 7]),
        ([(4, 0.5), (7, 0.75)], [7, 4]),
        ([0.0, 0.5, 9.0, 9.0, 0.75, 9.0, 9.0, -1.0, 9.0], [4, 1, 0, 7]), ({"4": 1, "7": 2}, [7, 4]),
        ({4, 7}, "wrong answer"), ([4, 4, 7, 0], "wrong answer"), ([], "no move"),
        ({4: float("nan")}, "bad values"), ({4: INF}, "bad values"), ("4 7", "wrong answer"),
        ((4, 7), PAIR), ([(4, 1), (7, 0)], PAIRS), ([0, 0, 1, -1, 1, 1, -1, 0, -1], {"scores"}),
    ],
)  # fmt: skip
def test_a_list_is_a_rank_and_values_are_scores(answer: Any, expected: Any) -> None:
    reader = ReplyReader("auto", Game("tictactoe"))
    if isinstance(expected, set):
        with pytest.raises(AmbiguousError):
            reader.ranks(plain(answer), SOME)
        return
    found = reader.ranks(plain(answer), SOME)
    if isinstance(found, Fault):
        assert found.kind == expected
    else:
        assert found.weights
        pairs = sorted(zip(found.weights, found.moves, strict=True), key=lambda pair: -pair[0])
        assert [move for _, move in pairs] == expected


def test_an_ordering_searches_in_the_order_of_its_list() -> None:
    def rank(board: str, legal: list[int]) -> list[int]:
        return [move for move in RANK if move in legal]

    def pairs(board: str, legal: list[int]) -> list[tuple[int, int]]:
        return [divmod(move, 3) for move in rank(board, legal)]

    def scores(board: str, legal: list[int]) -> dict[int, int]:
        return {move: -RANK.index(move) for move in legal}

    def some(board: str, legal: list[int]) -> list[int]:
        return [move for move in (8, 4) if move in legal] or legal

    def every(board: str, legal: list[int]) -> list[int]:
        return list(dict.fromkeys([*some(board, legal), *legal]))  # Other moves come last.

    def nodes(ordering: Callable[..., Any], **options: Any) -> int:
        return mb.search(ordering=ordering, **options).nodes

    assert nodes(rank, order_all=True) == nodes(scores, order_all=True) == 7275
    assert nodes(pairs, order_all=True, answers="row-column") == 7275
    assert nodes(some, order_all=True) == nodes(every, order_all=True)
    assert nodes(rank) == nodes(scores) == nodes(lambda *arguments: rank(*arguments)[:1]) == 9970
    with pytest.raises(mb.InputError, match=r"legal: 0, .*; an ordering returns only legal moves"):
        mb.search(ordering=lambda board, legal: RANK, board="........o")
    with pytest.raises(mb.UsageError, match=r"form is not clear; .* \(moves or scores\)$"):
        nodes(lambda board, legal: [4, 4, *RANK[2:]])


def test_agents_of_a_framework_have_no_other_form() -> None:
    agent = f"{CHECKOUT}/examples/connectx_agent.py:agent"
    with pytest.raises(UsageError, match="agents of connectx answer in its terms; leave this out"):
        mb.match(agent, "ai2", "4x4k3-gravity", games=1, interface="connectx", answers="moves")


def test_a_form_is_that_of_the_ai_that_is_no_evaluation() -> None:
    first, second = mb.evaluation(lambda board: 0), lambda board, legal: divmod(legal[0], 3)
    assert mb.match(first, second, "3x2k2", games=1, answers="row-column").total.games == 2
    with pytest.raises(UsageError, match=r"answers is about a foreign AI: .* not evaluation:"):
        mb.match(first, "ai2", "3x2k2", games=1, answers="row-column")
