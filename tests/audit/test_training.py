"""The common code of our environments for language models, without any of their frameworks."""

import re

import pytest

import marubatsu as mb
from marubatsu_environments.judged_replies import critical_items, judge
from marubatsu_environments.play import SIDES, Play
from marubatsu_environments.proof import losses
from tests.helpers import CHECKOUT

GAME = "3x2k2"
PACKAGE = CHECKOUT / "integrations"
SOURCES = [*(PACKAGE / "src").rglob("*.py")]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize("game", ["3x2k2-misere", "3x3k2-gravity"])
def test_the_rules_alone_prove_every_item_and_every_reward(game: str, data: str) -> None:
    items = critical_items(game, "all", "board", twins=True, data=data)
    assert len(items) > 10
    for item in items:
        question = mb.Question.of_item(item)
        truth = losses(question.game, question.position)
        assert list(truth.values()) == item["losses"]
        for name, cell in question.names.items():
            judged = judge(question, f"move: {name}", data=data)
            expected = {"legal": 1.0, "best": float(not truth[cell]), "dense": -truth[cell]}
            assert judged.rewards() == expected
            assert judged.metrics()["loss"] == truth[cell]


@pytest.mark.parametrize(("reply", "verdict"), [
    ("", "unparsable"), ("a1 or b1", "unparsable"), ("move: z9", "illegal"), ("a2", "illegal"),
])  # fmt: skip
def test_a_reply_without_a_legal_move_gets_the_documented_rewards(
    reply: str, verdict: str, data: str
) -> None:
    judged = judge(mb.question("o.....", GAME), reply, illegal=-3.0, data=data)
    assert (judged.verdict, judged.move) == (verdict, None)
    assert judged.rewards() == {"legal": 0.0, "best": 0.0, "dense": -3.0}
    assert "loss" not in judged.metrics()
    with pytest.raises(ValueError, match="illegal=nan: expected a finite number"):
        judge(mb.question("o.....", GAME), reply, illegal=float("nan"), data=data)


def best_reply(play: Play, data: str) -> str:
    best = mb.answer(play.position, play.game, data=data).best_moves[0]
    return f"move: {next(name for name, cell in play.question.names.items() if cell == best)}"


@pytest.mark.parametrize("side", SIDES)
def test_best_moves_reach_the_value_against_a_perfect_opponent(side: str, data: str) -> None:
    value = mb.answer("......", GAME, data=data).score
    for seed in range(10):
        play = Play(GAME, side=side, seed=seed, data=data)
        while not play.is_over:
            assert play.turn == side
            play.answer(best_reply(play, data))
        result = float(value if side == "circle" else -value)
        expected = {"result": result, "legal": 1.0, "best": 1.0, "dense": 0.0}
        assert play.rewards(side) == expected


def test_the_seed_fixes_what_the_opponent_draws(data: str) -> None:
    assert len({Play(GAME, side="cross", data=data).board for _ in range(40)}) > 1
    boards = [Play(GAME, side="cross", seed=seed % 20, data=data).board for seed in range(40)]
    assert boards[:20] == boards[20:]
    assert len({*boards}) > 1


def test_without_an_opponent_the_replies_move_both_sides(data: str) -> None:
    assert Play(GAME, opponent=None, board="x.....", first="x", data=data).board == "o....."
    play = Play(GAME, opponent=None, board="o.....", data=data)
    assert play.turn == "cross"
    with pytest.raises(ValueError, match="the game goes on: it has no result yet"):
        play.rewards("cross")
    play.answer("move: b2")
    assert (play.board, play.turn) == ("ox....", "circle")
    play.answer("I give up")
    assert play.is_over
    assert play.rewards("circle") == {"result": -1.0, "legal": 0.0, "best": 0.0, "dense": -2.0}
    assert play.rewards("cross")["result"] == 1.0
    with pytest.raises(ValueError, match="the game is over: begin another one"):
        play.answer("move: b1")


def test_a_game_that_makes_no_sense_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="side 'both': expected circle or cross"):
        Play(GAME, side="both", data=data)
    with pytest.raises(mb.UsageError, match="is finished"):
        Play(GAME, board="oo.x..", opponent=None, data=data)


def test_the_package_uses_only_public_names() -> None:
    ours = {
        line for file in SOURCES for line in file.read_text().splitlines()
        if re.match(r" *(from|import) marubatsu\b", line)
    }  # fmt: skip
    assert ours == {"import marubatsu as mb", "from marubatsu import frameworks"}
