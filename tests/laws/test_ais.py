"""Every AI in every unfinished position against its rule, written again; and its parameters."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from marubatsu.engine.ais.ai import AIError, draw_candidate
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.slow import slow_ais

TICTACTOE = Game(3, 3, 3)
BOARDS = [
    to_text(TICTACTOE, position)
    for positions in [enumerate_positions(TICTACTOE)]
    for position in positions
    if TICTACTOE.legal_moves(position)
]
FAMILIES = {
    family: [ai.name for ai in all_ais() if ai.family == family]
    for family in ("rule", "evaluation", "table", "search")
}


@cache
def position(text: str) -> Board[Any]:
    """Return a board that shows a position; an AI that asks it leaves it as it was."""
    board = new_board(TICTACTOE)
    board.load(text)
    return board


def test_the_registry_holds_every_ai_once() -> None:
    new = {*FAMILIES["rule"]} - {f"ai{n}" for n in range(1, 8)}
    assert not new, f"add {sorted(new)} here and to tests/helpers/slow/slow_ais.py"
    assert FAMILIES["rule"] == [f"ai{n}" for n in range(1, 8)]
    assert FAMILIES["evaluation"] == [f"ai{n}s" for n in range(1, 15)]
    assert FAMILIES["table"] == ["perfect", "perfect_sv", "perfect_svrd"]
    assert FAMILIES["search"] == [
        "minimax", "alphabeta", "scout", "mtdf", "nullwindow", "depth_limited",
        "iterative_deepening", "pvs", "monte_carlo",
    ]  # fmt: skip
    for ai in all_ais():
        assert find(ai.name) is ai or find(ai.name) == ai
        assert ai.rule.endswith(".")
        assert "\n" not in ai.rule


@pytest.mark.parametrize("name", FAMILIES["rule"])
def test_a_rule_names_the_moves_that_it_says(name: str) -> None:
    choose = find(name).on(TICTACTOE).choice
    for board in BOARDS:
        choice = choose(position(board))
        slow = slow_ais.candidates_by_rule(name, board)
        differ = f"{name} differs on {board} from its copy in tests/helpers/slow/slow_ais.py"
        assert list(choice.candidates) == slow, differ
        assert list(choice.legal) == slow_ais.empty(board)
        assert choice.ai_scores is None


@pytest.mark.parametrize("name", FAMILIES["evaluation"])
def test_an_evaluation_values_the_moves_as_it_says(name: str) -> None:
    choose = find(name).on(TICTACTOE).choice
    for board in BOARDS:
        choice = choose(position(board))
        values = [slow_ais.value(name, board, move) for move in choice.legal]
        assert choice.ai_scores is not None
        assert [Fraction(value) for value in choice.ai_scores] == values, board
        best = max(values)
        expected = [m for m, v in zip(choice.legal, values, strict=True) if v == best]
        assert list(choice.candidates) == expected


@pytest.mark.parametrize(
    ("name", "flags"), [("perfect", "is_best"), ("perfect_sv", "is_best_sv"),
                        ("perfect_svrd", "is_best_svrd")],
)  # fmt: skip
def test_a_table_looks_up_the_best_moves(name: str, flags: str) -> None:
    positions = enumerate_positions(TICTACTOE)
    best = getattr(score_positions(positions), flags)
    board = new_board(TICTACTOE)
    choose = find(name).on(TICTACTOE).choice
    for number in range(len(positions)):
        at = slice(positions.first_move[number], positions.first_move[number + 1])
        if at.start < at.stop:
            board.set_up(positions[number])
            assert list(choose(board).candidates) == positions.move[at][best[at]].tolist()


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "scout", "mtdf", "nullwindow", "pvs"])
def test_a_search_to_the_end_takes_exactly_the_best_moves(name: str) -> None:
    perfect, chooser = find("perfect").on(TICTACTOE), find(name).on(TICTACTOE)
    for text in BOARDS[10::20]:  # Without a table, searches of nearly empty boards take long.
        board = position(text)
        assert chooser.choice(board).candidates == perfect.choice(board).candidates, text


def test_a_search_no_plies_deep_is_the_evaluation() -> None:
    shallow = find("depth_limited:max_depth=0,evaluation=ai10s").on(TICTACTOE)
    evaluation = find("ai10s").on(TICTACTOE)
    for board in BOARDS:
        assert shallow.choice(position(board)) == evaluation.choice(position(board)), board


def test_every_ai_plays_every_kind_of_board() -> None:
    random = Random(0)
    for name in ("2x2k2", "4x3k3", "3x3k3-gravity", "3x3k3-misere", "1x5k2", "1x1"):
        game = Game(name)
        for ai in all_ais():
            chooser, board = ai.on(game), new_board(game)
            while moves := board.legal_moves():
                if board.ply < 3 and game.cells > 9 and ai.family == "search":
                    move = random.choice(moves)  # Searching nearly empty boards takes long.
                else:
                    choice = chooser.choice(board)
                    assert choice.legal == tuple(map(board.cell_of, moves))
                    assert set(choice.candidates) <= set(choice.legal)
                    move = board.move_of(draw_candidate(choice.candidates, random))
                board.make(move)


def test_weights_are_parameters_and_exact() -> None:
    bold = find("ai14s:score_201=3,score_012=-0.1")
    assert dict(bold.parameters)["score_012"] == Fraction(-1, 10)
    values = bold.on(TICTACTOE).choice(position("o...x....")).ai_scores
    assert values is not None
    assert all(Fraction(10 * value).denominator <= 2 for value in values)
    assert find("alphabeta:use_table=false,ordering=ai14s") != find("alphabeta")
    assert find("ai14s:score_201=0.1").parameters[4][1] == Fraction(1, 10)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ai15s", "there is no AI 'ai15s'"),
        ("ai14", "did you mean ai14s"),
        ("ai14s:weight=3", "ai14s has no parameter 'weight': it has score_victory"),
        ("ai2:score=1", "it has none"),
        ("ai14s:score_201", "sets no parameter"),
        ("ai14s:score_201=1,score_201=2", "'ai14s:score_201=1,score_201=2' sets score_201 twice"),
        ("ai14s:score_201=much", "expected a number"),
        ("ai14s:score_201=1/0", "expected a number"),
        ("ai14s:score_201=1e400", "expected a number of at most 99 digits"),
        ("ai14s:score_201=1e99999999", "expected a number of at most 99 digits"),
        ("alphabeta:use_table=maybe", "expected true or false"),
    ],
)
def test_a_wrong_name_is_refused(spec: str, message: str) -> None:
    with pytest.raises(AIError, match=message):
        find(spec)
