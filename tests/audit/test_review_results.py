"""The results of recorded games: words, marks and scores for them, and where they contradict."""

import json
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from tests.audit.conftest import Reviewer
from tests.helpers.data.logs import read, refusal


@pytest.mark.parametrize("content", ['{"moves": [], "result": "1-0"}\n', "4 0 8\n[]\n"])
def test_a_game_without_moves_counts_by_its_result(review: Reviewer, content: str) -> None:
    assert set(review(content).tables.leaderboard.column("player")) == {"circle", "cross"}


IN_TABLES = {
    "circle": ("winner: ann", "white"),
    "cross": ("Second", "second player wins", "Bob", "Black won"),
    "draw": ("½-½", "Tie!", "DRAW"),
    None: ("", "None", "nan", "ongoing"),
}
IN_BOTH = {
    "circle": ("1-0", "1–0", "先手", "first", "first player wins", "ann"),  # noqa: RUF001
    "cross": ("0-1", "0 - 1", "後手勝ち", "second player", "bob wins"),
    "draw": ("1/2-1/2", "1/2 - 1/2", "1/2", "½", "draw", "Draw", "drawn", "tie", "TIED", "d", "D",
             "stalemate", "引き分け", "引分"),
    None: ("*", "?", "unfinished"),
}  # fmt: skip
"""Words for a result in a column, and also behind a list of moves."""


@pytest.mark.parametrize("result", IN_BOTH)
def test_a_result_in_words(result: str | None) -> None:
    for word in IN_BOTH[result]:
        assert read(f"ann - bob: 4 0 8 {word}\n") == [("ann", "bob", ["4", "0", "8"], result)]
        if " " not in word and word not in "?unfinished":
            found = read(f"first,second,moves,result\nann,bob,4 0 8,{word}\n")
            assert found[0][3] == result, word
    for word in IN_TABLES[result]:
        assert read(f"White,Black,Moves,Winner\nann,bob,4 0 8,{word}\n")[0][3] == result, word
    ends = [game[3] for game in read("1. 4 0 2. 8 tie\n1. 4 0 1/2\n1. 4 0 0-1\n1. 4 0 *\n")]
    assert ends == ["draw", "draw", "cross", None]


MARK = ", a mark, and the log does not say which mark begins: the option first names it, o or x"
UNKNOWN = (
    ": expected 1-0, 0-1, 1/2-1/2, first, second, draw or the name of a player; the option results "
    "gives it a meaning, as in {}=first"
)


@pytest.mark.parametrize(
    ("word", "why"),
    [("X", MARK), ("O wins", MARK), ("1", UNKNOWN), ("player 1", UNKNOWN), ("7-0", UNKNOWN)],
)
def test_a_word_that_can_mean_two_results_is_refused(word: str, why: str) -> None:
    assert refusal(f"first,second,moves,result\nann,bob,4 0 8,{word}\n") == (
        f"line 2 of 'log': the result is {word!r}{why.format(word)}"
    )


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("0.5", "draw"), (".5", "draw"), ("0", "draw"), ("remis", "draw"),
        ("-1", "second"), ("2", "second"), ("L", "second"), ("player 2", "second"),
    ],
)  # fmt: skip
def test_the_example_in_a_refusal_is_the_likely_meaning(word: str, meaning: str) -> None:
    for content in (f"moves,result\n4 0 8,{word}\n", f'{{"moves": [4, 0], "result": "{word}"}}'):
        cure = f"the option results gives it a meaning, as in {word}={meaning}"
        assert refusal(content).endswith(cure)
        assert read(content, results={word: meaning})[0][3] is not None


def test_a_letter_behind_moves_is_a_column_or_a_result_or_neither() -> None:
    connect4 = Game("connect4")
    assert read("d e d\n", game=connect4)[0][2:] == (["d", "e", "d"], None)
    assert read("3 4 3 d\n", game=connect4)[0][2:] == (["3", "4", "3"], "draw")
    assert read("b2 a3 d\n", game=Game("tictactoe"))[0][2:] == (["b2", "a3"], "draw")
    assert read("d1 e1 d\n", game=connect4, results={"d": "draw"})[0][3] == "draw"
    assert refusal("d1 e1 d\n", game=connect4) == (
        "line 1 of 'log': 'd' may be a column or a result: the option results gives it a meaning, "
        "as in d=draw, or write the cell of the column"
    )
    assert refusal("4 0 x\n").endswith("the option first names it, o or x")
    assert refusal("4 0 W\n").endswith("the option results gives it a meaning, as in W=first")
    assert refusal("4 0 0.5\n").endswith("as in 0.5=draw")


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ({"first": "x"}, "circle"), ({"first": "o"}, "cross"), ({"results": {"X": "draw"}}, "draw"),
        ({"results": {"X": "none"}}, None),
    ],
)  # fmt: skip
def test_the_user_says_what_a_mark_means(options: dict[str, Any], result: str | None) -> None:
    assert read('{"moves": [4, 0], "winner": "X"}', **options)[0][3] == result


def test_the_log_says_which_mark_begins() -> None:
    assert read('{"moves": ["x(1,1)", "o(0,0)"], "winner": "X"}')[0][3] == "circle"
    assert read('{"moves": ["o3", "x3"], "winner": "X"}')[0][3] == "cross"
    assert refusal("game_id,player,move,winner\n1,O,4,X\n1,X,0,X\n", first="x") == (
        "line 2 of 'log': o moves first, and the option first says x"
    )


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        ([1, -1], "circle"), ([-1.0, 1.0], "cross"), ([0, 0], "draw"), ([None, None], None),
        ({"1": -1, "0": 1}, "circle"), ({"player_2": 1, "player_1": 0}, "cross"),
    ],
)  # fmt: skip
def test_a_result_is_the_score_of_each_player(scores: Any, result: str | None) -> None:
    assert read(json.dumps({"moves": [4, 0], "rewards": scores}))[0][3] == result


CONTRADICTIONS = {
    "pgn": '[Result "1-0"]\n1. 4 0 2. 1 2 3. 3 5 4. 6 7 5. 8 1/2-1/2\n',
    "csv": "moves,result,winner\n4 0,1-0,draw\n",
    "jsonl": '{"moves": [4, 0], "result": "1-0", "rewards": [0, 0]}',
    "moves": "4 0 1/2-1/2 1-0\n",
    "a row a move": "game_id,move,winner\n1,4,first\n1,0,draw\n",
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_two_results_of_one_game_are_a_finding(case: str, review: Reviewer) -> None:
    found = review(CONTRADICTIONS[case])
    (finding,) = found.tables.findings.records()
    line = 2 if "\n4" in CONTRADICTIONS[case] or "\n1,4" in CONTRADICTIONS[case] else 1
    assert (finding["finding"], finding["times"], finding["file_line"]) == (
        "contradictory results", 1, line,
    )  # fmt: skip
    words = {"first player wins", "draw"}
    assert set(finding["detail"].removeprefix("the log says ").split(" and ")) == words
    row = found.tables.leaderboard.records()[0]
    ended = case == "pgn"  # The board of the others is not full.
    assert (row["drawn"], row["without_result"]) == (int(ended), int(not ended))
