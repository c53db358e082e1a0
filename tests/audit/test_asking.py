"""One question at a time: the question of the items; replies are read as a grade reads them."""

from functools import cache, partial
from pathlib import Path

import pytest

import marubatsu as mb
from marubatsu import frameworks

REPLIES = ("move: {}", "I think\n**Move: {}**", "{}", "cell {}", "", "move: a9", "a1 or b2", "99")
VERDICTS = {"best": "legal", "worse": "legal", "illegal": "illegal", "unparsable": "unparsable"}


@pytest.mark.parametrize("notation", ["board", "text"])
def test_questions_and_items_agree(notation: str, root: Path) -> None:
    items = mb.items("3x2k2", split="all", notation=notation, data=root)
    assert len(items) > 5
    for item in items:
        question = mb.question(item["board"], "3x2k2", notation=notation)
        assert (question.text, list(question.names)) == (item["question"], item["moves"])
        assert question == mb.Question.of_item({**item, "moves": item["moves"][::-1]})
        with pytest.raises(mb.UsageError, match="the moves of the item are 'b1': expected "):
            mb.Question.of_item({**item, "moves": ["b1"]})
        with pytest.raises(mb.UsageError, match=r"'oo\.x\.\.' is finished: expected a board"):
            mb.Question.of_item({**item, "board": "oo.x..", "moves": []})


def test_replies_are_read_as_a_grade_reads_them(root: Path) -> None:
    items = mb.items("3x2k2", split="all", notation="all", twins=True, data=root)
    texts = [REPLIES[place % len(REPLIES)] for place in range(len(items))]
    replies = {
        item["id"]: text.format(item["moves"][-1]) for item, text in zip(items, texts, strict=True)
    }
    reward = cache(partial(mb.reward, "3x2k2", data=root))
    for item, graded in zip(items, mb.grade(items, replies).answers.records(), strict=True):
        assert graded["id"] == item["id"]
        read = mb.Question.of_item(item).read(replies[item["id"]])
        assert read.verdict == VERDICTS[graded["verdict"]]
        assert read.is_in_form == graded["is_in_form"]
        loss = None if read.move is None else reward(item["board"], read.move).loss
        assert loss == graded["loss"]


def test_questions_that_make_no_sense_are_refused() -> None:
    assert mb.question("o........").read(None).verdict == "unparsable"
    with pytest.raises(mb.UsageError, match=r"ooo\.xx\.\.\. is finished: it has no moves"):
        mb.question("ooo.xx...")
    with pytest.raises(mb.UsageError, match="notation='moves': expected one of board, text"):
        mb.question("o........", notation="moves")
    with pytest.raises(mb.InputError, match="got 3"):
        mb.question("o..")


def test_a_perfect_player_draws_among_all_best_moves(root: Path) -> None:
    board = "o...x...o"
    drawn = {
        frameworks.player("tictactoe", "perfect", seed=seed, data=root)(board) for seed in range(40)
    }
    assert drawn == {*mb.answer(board, data=root).best_moves}
    twice = [frameworks.player("tictactoe", seed=3, data=root) for _ in range(2)]
    assert [twice[0](board) for _ in range(9)] == [twice[1](board) for _ in range(9)]
    with pytest.raises(mb.UsageError, match=r"ooo\.xx\.\.\. is finished"):
        twice[0]("ooo.xx...")
    after_x = frameworks.player("tictactoe", seed=3, first="x", data=root)
    assert after_x("xx..o.o..") == twice[0]("oo..x.x..")
