"""The results of recorded games: words, marks and scores for them, and where they contradict."""

from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.judge.review.recorded_game import Token
from tests.audit.conftest import Reviewer
from tests.helpers.data.logs import read, refusal


@pytest.mark.parametrize("content", ['{"moves": [], "result": "1-0"}\n', "4 0 8\n[]\n"])
def test_a_game_without_moves_counts_by_its_result(review: Reviewer, content: str) -> None:
    assert set(review(content).tables.leaderboard.column("player")) == {"circle", "cross"}


IN_TABLES = {
    "circle": ("winner: ann", "white"),
    "cross": ("Second", "second player wins", "Bob", "Black won", "BLACK_WINS"),
    "draw": ("½-½", "Tie!", "DRAW"),
    None: ("", "None", "nan", "ongoing", "IN_PROGRESS"),
}
IN_BOTH = {
    "circle": ("1-0", "1–0", "先手", "first", "first player wins", "ann"),  # noqa: RUF001
    "cross": ("0-1", "0 - 1", "後手勝ち", "second player", "bob wins",
              "ann resigns", "First player lost"),
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
UNKNOWN = ": expected 1-0, 0-1, 1/2-1/2, first, second, draw or the name of a player; the option"


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("0.5", "draw"), ("0", "draw"), ("remis", "draw"), ("-1", "second"), ("2", "second"),
        ("L", "second"), ("player 2", "second"),
    ],
)  # fmt: skip
def test_the_example_in_a_refusal_is_the_likely_meaning(word: str, meaning: str) -> None:
    for content in (f"moves,result\n4 0 8,{word}\n", f'{{"moves": [4, 0], "result": "{word}"}}'):
        cure = f"the option results gives it a meaning, as in {word}={meaning}"
        assert refusal(content).endswith(cure)
        assert read(content, results={word: meaning})[0][3] is not None


BY_X = '{"moves": [4, 0], "winner": "X"}'
CONNECT4 = {"game": Game("connect4")}


@pytest.mark.parametrize(
    ("content", "options", "moves", "result"),
    [
        # An option says what a mark means, or the log which mark begins.
        (BY_X, {"first": "x"}, [4, 0], "circle"), (BY_X, {"first": "o"}, [4, 0], "cross"),
        (BY_X, {"results": {"X": "draw"}}, [4, 0], "draw"),
        (BY_X, {"results": {"X": "none"}}, [4, 0], None),
        ('{"moves": ["x4", "o0"], "winner": "X"}', {}, ["x4", "o0"], "circle"),
        ('{"moves": ["o3", "x3"], "winner": "X"}', {}, ["o3", "x3"], "cross"),
        ('{"moves": [4, 0], "starting_player": "O", "winner": "X"}', {}, [4, 0], "cross"),
        ('{"starter": "o", "moves": [{"cell": 4}, {"cell": 0}], "winner": "X"}', {}, [4, 0],
         "cross"),
        ("first,second,first_mark,moves,winner\nann,bob,O,4 0,X\n", {}, ["4", "0"], "cross"),
        ("game_id,player,symbol,move,winner\n1,ann,O,4,X\n1,bob,X,0,X\n", {}, ["4", "0"], "cross"),
        ('{"players": ["a", "b"], "marks": ["X", "O"], "moves": [4], "winner": "O"}', {}, [4],
         "cross"),
        ('{"agents": ["a", "b"], "marks": {"a": "O"}, "moves": [{"cell": 4}], "winner": "X"}',
         {}, [4], "cross"),
        ('[White "a"]\n[WhiteMark "X"]\n[Winner "O"]\n1. 4 *\n', {}, ["4"], "cross"),
        ('{"players": {"b": "O", "a": "X"}, "moves": [4], "winner": "a"}', {"first": "x"}, [4],
         "circle"),
        # A letter behind moves is a column or a result.
        ("d e d\n", CONNECT4, ["d", "e", "d"], None),
        ("3 4 3 d\n", CONNECT4, ["3", "4", "3"], "draw"), ("b2 a3 d\n", {}, ["b2", "a3"], "draw"),
        ("d1 e1 d\n", {**CONNECT4, "results": {"d": "draw"}}, ["d1", "e1"], "draw"),
        # Each player has a score.
        ('{"moves": [4], "rewards": [1, -1]}', {}, [4], "circle"),
        ('{"moves": [4], "rewards": [-1.0, 1.0]}', {}, [4], "cross"),
        ('{"moves": [4], "rewards": [0.5, 0.5]}', {}, [4], "draw"),
        ('{"moves": [4], "rewards": [0, 0], "result": "draw"}', {}, [4], "draw"),
        ('{"moves": [4], "rewards": [null, null]}', {}, [4], None),
        ('{"moves": [4], "rewards": {"1": -1, "0": 1}}', {}, [4], "circle"),
        ('{"moves": [4], "rewards": {"player_2": 1, "player_1": 0}}', {}, [4], "cross"),
        # A field names the loser.
        ('{"moves": [4], "loser": "first"}', {}, [4], "cross"),
        ("moves,winner,loser\n4,,second\n", {}, ["4"], "circle"),
        ("moves,Winning Side\n4,cross\n", {}, ["4"], "cross"),
        ("moves,winner,loser\n4,first,first\n", {}, ["4"], None),
        ('[Loser "first"]\n1. 4 *\n', {}, ["4"], "cross"),
    ],
)  # fmt: skip
def test_a_mark_a_letter_or_scores_are_a_result(
    content: str, options: dict[str, Any], moves: list[Token], result: str | None
) -> None:
    assert read(content, **options)[0][2:] == (moves, result)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        *((f"first,second,moves,result\nann,bob,4 0 8,{word}\n", {}, f"the result is {word!r}{why}")
          for word, why in (("X", MARK), ("O wins", MARK), ("1", UNKNOWN), ("7-0", UNKNOWN))),
        ("d1 e1 d\n", CONNECT4,
         "as in d=draw, or write the cell of the column"),
        ("4 0 x\n", {}, "the option first names it, o or x"),
        ("4 0 W\n", {}, "the option results gives it a meaning, as in W=first"),
        ("4 0 0.5\n", {}, "as in 0.5=draw"),
        ("game_id,player,move,winner\n1,O,4,X\n1,X,0,X\n", {"first": "x"},
         "o moves first, and the option first says x"),
        ("moves,starter,winner\n4 0,O,X\n", {"first": "x"}, "o moves first, and the option first"),
        ('[WhiteMark "O"]\n[White "a"]\n1. 4 0\n', {"first": "x"}, "o moves first, and the optio"),
        ('[WhiteMark "O"]\n[White "a"]\n1. x4 o0\n', {},
         "x moves first, and the log says that o begins"),
        ("moves,first,winner\n4 0,O,X\n", {"first": "x"}, "o moves first, and the option first"),
        ("player1,player2,player1_mark,moves,winner\na,b,O,4 0,X\n", {"first": "x"},
         "o moves first, and the option first"),
    ],
)  # fmt: skip
def test_a_result_that_is_not_clear_leads_to_the_option(
    content: str, options: dict[str, Any], message: str
) -> None:
    assert message in refusal(content, **options)


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


def test_zeros_are_a_draw_only_where_the_moves_end_the_game(review: Reviewer) -> None:
    """In OpenSpiel and PettingZoo, the scores of an unfinished game are zeros, too."""
    drawn, won = [4, 0, 2, 6, 3, 5, 1, 7, 8], [4, 0, 2, 6, 3, 5, 1, 8, 7]
    unfinished, ended, contradicted = (
        review(f'{{"moves": {moves}, "returns": [0, 0.0]}}').tables for moves in ([4], drawn, won)
    )
    assert unfinished.leaderboard.column("without_result") == [1, 1]
    assert ended.leaderboard.column("drawn") == [1, 1]
    assert contradicted.findings.column("finding") == ["another result"]


WON = '{"moves": [0, 3, 1, 4, 2], '  # ooo / xx. / ...
PLAYED = '{"moves": [0, 3, 1, 4], "players": ["ann", "bob"], '
ROWS = "game_id,move,final_board,plies,board\n1,0,o...x....,2,...\n1,3,o...x....,2,o..\n"
OTHER_ENDS: list[tuple[str, str]] = [
    (WON + '"final_board": "ooox.x..."}', "final_board 'ooox.x...'"),
    (WON + '"final_board": "xxx/o.o/..."}', "final_board 'xxx/o.o/...'"),
    (WON + '"board": [["X", "X", "X"], ["O", "", "O"], ["", "", ""]]}', "board "),
    (WON + '"state": [1, 1, 0, -1, -1, 0, 1, 0, 0]}', "state '[1, 1, 0, -1, -1, 0, 1, 0, 0]'"),
    ("moves,Final Board,num_moves\n0 3 1 4 2,oooxx....,6\n", "num_moves '6'"),
    ("moves,Final Board,num_moves\n0 3 1 4 2,o.oxx.o..,5\n", "Final Board 'o.oxx.o..'"),
    (WON + '"is_draw": true}', "is_draw 'True'"),
    ("moves,is_draw\n4 0 2 6 3 5 1 7 8,no\n", "is_draw 'no'"),
    *[(f'{WON}"{field}": 4}}', f"{field} '4'")
      for field in ("num_moves", "move_count", "plies", "game_length")],
    ('[PlyCount "6"]\n1. 0 3 2. 1 4 3. 2 *\n', "plycount '6'"),
    (PLAYED + '"currentPlayer": "bob"}', "currentPlayer 'cross'"),
    (PLAYED + '"currentPlayer": 2}', "currentPlayer 'cross'"),
    ('{"moves": [0, 3], "starting_mark": "O", "nextPlayer": "X"}', "nextPlayer 'cross'"),
    (ROWS, "final_board 'o...x....'"),
    ('{"moves": [{"cell": 4}, {"cell": 0}], "starter": "O", "plies": 2, "currentPlayer": "X"}',
     "currentPlayer 'cross'"),
]  # fmt: skip


@pytest.mark.parametrize("numbering", [None, "cells-by-column"])
@pytest.mark.parametrize(
    "board", ["[1, 2, 0, 1, 2, 0, 1, 0, 0]", '"O,X,,O,X,,O,,"', '"ox.ox.o.."',
              '[["O", "X", ""], ["O", "X", ""], ["O", "", ""]]']
)  # fmt: skip
def test_a_board_by_columns_may_be_the_end_of_a_game(
    board: str, numbering: str | None, review: Reviewer
) -> None:
    moves = "[0, 3, 1, 4, 2]" if numbering is None else "[0, 1, 3, 4, 6]"
    content = f'{{"moves": {moves}, "final_board": {board}}}\n'
    assert review(content, numbering=numbering).tables.findings.rows == []


@pytest.mark.parametrize(("content", "said"), OTHER_ENDS)
def test_another_end_than_the_moves_have_is_a_finding(
    content: str, said: str, review: Reviewer
) -> None:
    (finding,) = review(content).tables.findings.records()
    assert finding["finding"] == "another end"
    assert finding["detail"].startswith(f"the log says {said}")


@pytest.mark.parametrize(
    "content",
    [
        # The end that the moves have, by one's own marks and numbers.
        *(f"{WON}{end}}}" for end in (
            '"final_board": "OOOXX...."', '"final_board": "xxx/oo./..."', '"state": "111220000"',
            '"board": [["X", "X", "X"], ["O", "O", null], ["", "", ""]]', '"plies": 5',
            '"final_state": [[1, 1, 1], [-1, -1, 0], [0, 0, 0]]', '"is_draw": false',
            '"final_board": ["...", "oo.", "xxx"]', '"final_board": "ox./ox./o.."',
            # What is not sure: a board before the last move, or the first one; something else.
            '"board": "oo.xx...."', '"board": "........."', '"board": "3"', '"state": "ended"',
            '"state": [4, 0]', '"board": {"x": 4}', '"length": 35', '"is_draw": "maybe"',
            '"final_board": "????....."', '"currentPlayer": "X"', '"num_moves": null',
        )),
        *(f'{PLAYED}"currentPlayer": {who}}}' for who in ('"ann"', 0, 1, '"X"', '""')),
        PLAYED + '"is_draw": true}',
        '{"moves": [0, 3, 1, 4, 4], "num_moves": 4}', '{"moves": [0, 3, null], "num_moves": 2}',
        "game_id,move,plies,board\n1,0,1,o........\n1,3,2,o..x.....\n",
        "game_id,current_player,move\n1,X,0\n1,O,3\n",
        '{"moves": [{"cell": 4}, {"cell": 0}], "starter": "O", "plies": 2, "currentPlayer": "O"}',
    ],
)  # fmt: skip
def test_the_end_that_the_moves_have_or_that_is_unclear_is_no_finding(
    content: str, review: Reviewer
) -> None:
    assert "another end" not in review(content).tables.findings.column("finding")
