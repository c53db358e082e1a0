"""Logs as people have them: tables, names, and the message of each refusal."""

import json
import re
from typing import Any

import pytest

from marubatsu.pipeline.support.errors import UsageError
from tests.audit.conftest import Reviewer
from tests.helpers.data.logs import Read, read, refusal

ANN_BOB: list[Read] = [("ann", "bob", ["4", "0", "8"], None)]

TABLES = {
    "tabs": "WHITE\tBLACK\tMOVES\nann\tbob\t4,0,8\n",
    "bars": "player1|player2|game_moves\nann|bob|4 0 8\n",
    "a byte order mark": '\ufeff"Player 1","Player 2","Moves"\n"ann","bob","4 0 8"\n',
    "a Python list": 'player0,player1,actions\nann,bob,"[4, 0, 8]"\n',
    "texts in a list": """p1,p2,move_list\nann,bob,"['4', '0', '8']"\n""",
    "a Python tuple": 'p1,p2,moves\nann,bob,"(4, 0, 8)"\n',
    "more columns": "date,first,second,moves,length\n2026,ann,bob,4 0 8,3\n",
    "blank rows": "first,second,moves\n,,\nann,bob,4 0 8\n , ,\n",
    "a table in Markdown": "| first | second | moves |\n|---|:-:|--|\n| ann | bob | 4 0 8 |\n",
    "blanks before quotes": 'first, second, moves\nann, bob, "4, 0, 8"\n',
    "a table between rules": "+--+--+--+\n|p1|p2|moves|\n+==+==+==+\n|ann|bob|4 0 8|\n+--+--+--+\n",
    "a table of psql": " first | second | moves \n-------+--------+-------\n ann | bob | 4 0 8\n",
    "a second file, without games": "first,second,moves\nann,bob,4 0 8\n\ufefffirst,second,moves\n",
    "a separator that Excel states": "sep=;\nFirst;Second;Moves\nann;bob;4 0 8\n",
    "full-width digits": "first,second,moves\nann,bob,\uff14 \uff10 \uff18\n",
    "no move behind the last one": "p1,p2,MOVE1,MOVE2,MOVE3,MOVE4,MOVE5\nann,bob,4,0,8,?,?\n",
    "JSON": '{"players": ["ann", "bob"], "moves": "4 0 8"}',
    "JSON with columns": '{"White": "ann", "Black": "bob", "history": ["4", "0", "8"]}',
    "JSON with words as keys": '{"players": {"first": "ann", "second": "bob"}, "moves": "4 0 8"}',
    "circle begins": '[Cross "bob"]\n[Circle "ann"]\n1. 4 0 2. 8\n',
    "names in Japanese": "先手,後手,moves\nann,bob,4 0 8\n",
    "JSON with agents": '{"agents": ["ann", "bob"], "moves": "4 0 8"}',
    "a comment before it": "# games of 2024\nfirst,second,moves\nann,bob,4 0 8\n",
    "empty lines before it": "\n\nfirst,second,moves\nann,bob,4 0 8\n",
    "a list of NumPy": 'first,second,moves\nann,bob,"[np.int64(4), np.int64(0), np.int64(8)]"\n',
    "a column a move": "first,second,move_1,move_2,move_3,move_4\nann,bob,4,0,8,\n",
    "numbers of which some are missing": "p1,p2,ply1,ply2,ply3,ply4\nann,bob,4.0,0.0,8.0,NaN\n",
    "a column a move, in any order": "m3;m1;m2;p1;p2\n8;4;0;ann;bob\n",
    "a row a move": "game_id,player,move\n1,ann,4\n1,bob,0\n1,ann,8\n",
    "numbered moves": "ply;who;cell\n0;ann;4\n1;bob;0\n2;ann;8\n",
    "moves in any order": "episode,step,agent,action\ne,3,ann,8\ne,1,ann,4\ne,2,bob,0\n",
    "JSON a move": "".join(
        json.dumps({"match_id": 7, "player": player, "move": move}) + "\n"
        for player, move in (("ann", "4"), ("bob", "0"), ("ann", "8"))
    ),
    "JSON moves of a game": json.dumps(
        {"moves": [{"player": player, "cell": cell} for player, cell in
                   (("ann", "4"), ("bob", "0"), ("ann", "8"))]}
    ),
    "JSON turns of a game": json.dumps(
        {"first": "ann", "second": "bob", "thoughts": [{"text": "hm"}],
         "turns": [{"move": "4"}, {"move": "0"}, {"move": "8"}]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_one_game_in_many_tables(case: str) -> None:
    assert read(TABLES[case]) == ANN_BOB


def test_two_names_before_a_list_of_moves() -> None:
    for between in ("-", "–", "—", "vs", "vs.", "VS", "v", "v.", "versus"):  # noqa: RUF001
        assert read(f"ann {between} bob: 4 0 8\n") == ANN_BOB


def test_pairs_before_a_result_need_no_brackets() -> None:
    for pairs in ("1,1 0,0", "1, 1 0, 0", "1,1; 0,0"):
        for behind, result in (("1-0", "circle"), ("draw", "draw"), ("bob wins", "cross")):
            expected: list[Read] = [("ann", "bob", ["1,1", "0,0"], result)]
            assert read(f"ann - bob: {pairs} {behind}\n") == expected


NO_NAMES = ("circle", "cross")
NAMELESS: list[Read] = [(*NO_NAMES, ["4", "0", "8"], None)]
WON_BY_ANN: list[Read] = [("ann", "bob", ["4", "0", "8"], "circle")]
WON_BY_BOB: list[Read] = [("ann", "bob", ["4", "0", "8"], "cross")]
TWO_GAMES: list[Read] = [*ANN_BOB, ("bob", "ann", ["1", "2"], None)]
READ: list[tuple[str, dict[str, Any], list[Read]]] = [
    # Columns and keys that the user names.
    ("no,who,cell\n1,ann,4\n1,bob,0\n1,ann,8\n2,bob,1\n2,ann,2\n",
     {"columns": {"game_id": "no", "player": "who", "move": "cell"}}, TWO_GAMES),
    ("white,black,player1,player2,moves\na,b,ann,bob,4 0 8\n",
     {"columns": {"first": "player1", "second": "player2"}}, ANN_BOB),
    ('{"plan": [4, 0]}', {"columns": {"moves": "plan"}}, [(*NO_NAMES, [4, 0], None)]),
    ('{"a": "ann", "b": "bob", "messages": [{"content": "4"}, {"content": "0"}, {"content": "8"}]}',
     {"columns": {"first": "a", "second": "b", "move": "content"}}, ANN_BOB),
    ("episode,i,j\n1,1,1\n1,0,2\n", {"columns": {"move": "i+j"}},
     [(*NO_NAMES, [(1, 1), (0, 2)], None)]),
    ("history,actions\nx,4 0 8\n", {"columns": {"moves": "actions"}}, NAMELESS),
    ("first,second,line,cell,row,col\nann,bob,4 0 8,8,2,2\n", {"columns": {"moves": "line"}},
     ANN_BOB),
    ("game_id,turn,player,index,time\n1,1,ann,4,59.1\n1,0,bob,0,60\n1,1,ann,8,58\n",
     {"columns": {"move": "index"}}, ANN_BOB),  # Neither column orders the moves.
    *[(f"game_id,when,date,move\n1,,{one},4\n1,,{two},0\n1,,{three},8\n", {}, NAMELESS)
      for one, two, three in [("31/01/2026 23:59", "01/02/2026 00:01", "01/02/2026 00:02"),
                              ("31.01.2026 9:59:00", "31.01.2026 10:00:00", "31.01.2026 10:00:02"),
                              ("01/31/2026 11:59 AM", "01/31/2026 12:01 PM", "01/31/2026 01:02 PM"),
                              ]],
    # One letter may be two signs, as in names of files on a Mac.
    ("first,second,moves,winner\njo\u0301,jo,4 0 8,j\u00f3\nj\u00f3,jo,4 0 8,Jo\u0301\n", {},
     [("j\u00f3", "jo", ["4", "0", "8"], "circle")] * 2),
    ("first,second,moves\nann,bob,4 0 8 1-0\n", {"results": {"8": "draw"}}, WON_BY_ANN),
    # A row a move.
    ("ply,who,cell\n1,ann,4\n2,bob,0\n3,ann,8\n1,bob,1\n2,ann,2\n", {}, TWO_GAMES),
    ("game,who,cell\n1,ann,4\n1,bob,0\n1,ann,8\n2,bob,1\n2,ann,2\n", {}, TWO_GAMES),
    ('{"game": 1, "moves": "4 0 8"}', {}, NAMELESS),
    ('{"white": {"name": "ann"}, "black": {"name": "bob"}, "moves": "4 0 8"}', {}, ANN_BOB),
    ("game_id,player,row,col,winner\n1,X,1,1,\n1,O,0,2,O\n", {},
     [("X", "O", [(1, 1), (0, 2)], "cross")]),
    ('move1,move2\n"1,2",\n"0, 2","1,1"\n', {},
     [(*NO_NAMES, ["(1,2)"], None), (*NO_NAMES, ["(0, 2)", "(1,1)"], None)]),
    ('game_id,move\n1,"1, 2"\n1,"0,2"\n', {}, [(*NO_NAMES, ["1, 2", "0,2"], None)]),
    ("game_id,col\n1,3\n1,2\n", {}, [(*NO_NAMES, ["3", "2"], None)]),
    ("game_id,player,row,col\n1,ann,\uff12,0\n1,bob,0,1\n", {"is_column_first": True},
     [("ann", "bob", [(0, 2), (1, 0)], None)]),
    ("game_id,player,move,winner\n1,O,4,X\n1,X,0,X\n", {}, [("O", "X", ["4", "0"], "cross")]),
    # Tags, comments, variations and signs of a PGN; pairs are no variations.
    ('[White "ann"]\n[Black "bob"]\n[Winner "bob"]\n1. 4 0 2. 8\n', {}, WON_BY_BOB),
    ('[First "ann"]\n[Black "bob"]\n\n1. 4! {a (1. a1} 0 (1. a2 (1. a3)) $3 2. 8 ; end\n*\n', {},
     ANN_BOB),
    ('% of 2024\n\n%\n[White "ann"]\n[Black "bob"]\n1. 4 0 2. 8\n', {}, ANN_BOB),
    ('  [White "ann"]\n  [Black "bob"]\n\n  1. 4 0 2. 8 *\n', {}, ANN_BOB),
    ("1. 4 {!; ok} 1... 0 (1. a1 ; a1)\n) 2. 8\n", {}, NAMELESS),
    ("1. (1,1) x(0, 0) (a note) 2. (2,2) {(0,1)} 1-0\n", {},
     [(*NO_NAMES, ["(1,1)", "x(0, 0)", "(2,2)"], "circle")]),
    ('[White "?"]\n[Black "?"]\n\n1. b2 a3 *\n', {}, [(*NO_NAMES, ["b2", "a3"], None)]),
    # Lists of moves, after names or alone.
    ("ann - bob\uff1a4 0 8\n", {}, ANN_BOB),
    ("llama3:8b vs gpt:5: 4 0 8\n", {}, [("llama3:8b", "gpt:5", ["4", "0", "8"], None)]),
    ("ann - bob: 4 [0:05] 0\n", {}, [("ann", "bob", ["4", "[0:05]", "0"], None)]),
    ("ann - bob: 4 0 8 1\n", {"results": {"1": "first"}}, WON_BY_ANN),
    ("[4, 0, 8]\n[4, 1]\n", {}, [*NAMELESS, (*NO_NAMES, ["4", "1"], None)]),
    # Players by marks and numbers, the first player, and the starting position.
    ("X,O,moves\nann,bob,4 0 8\n", {"first": "x"}, ANN_BOB),
    ("X,O,moves\nbob,ann,4 0 8\n", {"first": "o"}, ANN_BOB),
    ("circle,cross,moves,winner_name\nbob,ann,4 0 8,bob\n", {"first": "x"}, WON_BY_BOB),
    ('{"players": {"0": "ann", "1": "bob"}, "moves": [4, 0, 8]}\n', {},
     [("ann", "bob", [4, 0, 8], None)]),
    ('{"players": [{"name": "ann", "mark": "X"}, {"name": "bob"}], "moves": "4 0 8", "winner":"X"}',
     {}, WON_BY_ANN),
    ('{"players": ["2", "1"], "moves": [{"player": 2, "cell": 4}, {"player": 1, "cell": 8}]}', {},
     [("2", "1", [4, 8], None)]),
    ('{"players": ["ann", "bob"], "moves": "4 0 8", "starting_player": "Ann"}', {}, ANN_BOB),
    ("player1,player2,starter,moves\nann,bob,1,4 0 8\n", {}, ANN_BOB),
    ('{"players": ["ann", "bob"], "moves": "4 0 8", "startingPlayer": 0}', {}, ANN_BOB),
    ('{"players": ["ann", "bob"], "fen": "... ... ...", "moves": ["4", "0", "8"]}', {}, ANN_BOB),
]  # fmt: skip


@pytest.mark.parametrize(("content", "options", "games"), READ)
def test_logs_are_read_with_their_fields_or_the_options(
    content: str, options: dict[str, Any], games: list[Read]
) -> None:
    assert read(content, **options) == games


REFUSED: list[tuple[str | bytes, str]] = [
    ("no,who,cell\n1,ann,4\n1,bob,0\n", "the fields are 'no,who,cell': one row a move, in 'cell'"),
    ("ann,bob,4 0 8,1-0\n", "line 1 of 'log': 'ann,bob,4 0 8,1-0' looks like a row of a table"),
    *[(rows, f"line 1 of 'log': {rows.splitlines()[0]!r} looks like a row of a table")
      for rows in ("1,1,4\n1,2,0\n1,3,8\n", "1;b2\n2;a3\n3;c1\n", "1,1\n0,0\n2,2\n",
                   "1,X,4\n2,O,0\n", "0 1 4\n0 2 0\n0 3 8\n", "1,4 0 8\n", "4 0 | 8 1\n",
                   "2026-01-31 10:22,ann,4\n2026-01-31 10:23,bob,0\n")],
    ("x,x,x,x,o,o,x,o,o,positive\n", "looks like a board: expected the moves"),
    ("board,winner\nxox.o.x..,x\n", "line 2 of 'log': 'xox.o.x..,x' looks like a board"),
    ("history,actions\n4,4\n", "'history' and 'actions' could both be moves: the option columns"),
    ("game_id,turn,player,position\n1,1,X,4\n", "or game_id=COLUMN,move=COLUMN for one"),
    *[(line, f"{line!r} looks like several games: expected a line for each game")
      for line in ("4 0 8; 4 1 8", "ann - bob: 4 0; bob - ann: 4", '["4 0", "4 1"]')],
    ("4 0 8 1-0 4 1 8 0-1\n", "'1-0' is a result, and moves follow: expected a line for each game"),
    *[(f"ann - bob: 4 0 8 {word}\n", f"'{word}' is no move: if it is the result, the option")
      for word in ("resign", "1:0", "+1/-1", "-1", "no winner", "NR", "ann wins by two")],
    ("ann: 4\nbob: 0\n", "if each line is a move, write a table with the first line game_id,"),
    ("X| |\n-+-+-\n |O|\n", "'X| |' looks like a board: expected the moves of a game"),
    *[(table, "of 'log': it looks like HTML, XML or a printed table: save it as CSV")
      for table in ("<html><table>\n", " id first moves\n0 1 ann 4 0 8\n", "┌───────┐\n")],
    *[(f'{before}{{"moves": [4, 0]}}\n', "it has JSON among other text: expected only JSON")
      for before in ("# 2026\n", "INFO:", "2026-01-31 10:22:01,5 INFO ", "games = ")],
    ("(1) b2 (2) a3\n", "'(1)' may be a move, or the number of one: write '1.' for a number, or"),
    ("1 b2 a3 2 c1\n", "'1' may be a move, or the number of one: write '1.' for a number, or all"),
    ("first,moves\nann,1 b2 a3 2 c1\n", "'1' may be a move, or the number of one"),
    ('[First "ann"]\n\n1 b2 a3 2 c1 *\n', "'1' may be a move, or the number of one"),
    ("white,black,first,moves\nann,bob,bob,4\n", "'first' is 'bob': expected the player who begin"),
    ("1. 4 0 3. 8\n", "'3.' comes before move 3 of the game: expected the moves numbered as in"),
    ("1... 4 2. 0\n", "'1...' comes before move 1 of the game"),
    ('[Result "*"]\n[Result "1-0"]\n1. 4 0\n', "line 2 of 'log': the tag 'result' is there twice"),
    ("1. 4 0 2. 8 no winner\n", "'no winner' is no move: if it is the result, write it in one w"),
    ("1. 4 0 1-0 0-1\n", "'0-1' ends no game: expected moves before a result"),
    ('[FEN "ox1/3/3"]\n1. 4 0\n', "'fen' is 'ox1/3/3': expected games from the empty board; leave"),
    ('{"players": ["ann", "bob"], "moves": [4], "first": "bob"}', "\"players\" has 'ann' there"),
    *[(f"{item} ann - bob: 4 0\n", f"'{item}' comes before the names of the players: leave it out")
      for item in ("(1)", "2)", "-", "*", "2026-01-31", "[2026-01-31T10:22]", "31.1.26", "10:22")],
    *[(f"{names}: 4 0 8\n", f"'{score}' is among the names: write the result behind the mov")
      for names, score in [("ann - bob 1-0", "1-0"), ("ann 0 - 1 bob", "0 - 1"),
                           ("1/2-1/2 ann - bob", "1/2-1/2")]],
    ("X1,O1,X2\n4,0,8\n", "'X1,O1,X2' looks like the numbers of columns: expected moves with"),
    ("0,1,2,3,4\n4,0,8,1,7\n", "'0,1,2,3,4' looks like the numbers of columns: expected moves w"),
    ("[\n  [\n    4,\n    0\n  ]\n]\n", "of 'log': a list goes on in the next line: expected"),
    ("(;GM[1]FF[4]SZ[3]\nAB[bb];W[aa])\n", "line 1 of 'log': it looks like SGF: write the moves"),
    ("4\n0\n8\n", "every line has one move: expected all moves of a game in one line"),
    ('{"initial_board": "x...o....", "moves": [1, 2]}', "'initial_board' is 'x...o....': expected"),
    ("start_position,game_id,move\n[4 0],1,8\n", "or write its moves from the empty board"),
    *[(f"game_id,{name},move\n1,{ats[0]},8\n1,{ats[1]},0\n1,{ats[2]},4\n",
       f"line 2 of 'log': '{name}' is not ascending in the game '1': expected the moves in their")
      for name, ats in [("turn", (3, 2, 1)), ("Move ID", (10, 9, 11)), ("ts", (17.5, 16.5, 15)),
                        ("time", [f"2026-01-31 10:0{at}" for at in (3, 2, 1)]),
                        ("date", [f"31/01/2026 10:0{at}" for at in (3, 2, 1)])]],
    ("game_id,nr,move\n" + "".join(f"1,{nr},{nr}\n" for nr in sorted(map(str, range(11)))),
     "'nr' is not ascending in the game '1': expected the moves in their order"),
    *[(json.dumps({"moves": [{"cell": 4, key: three}, {"cell": 0, key: two}, {"cell": 8, key: 1}]}),
       f"'{key}' is not ascending: expected the moves in their order")
      for key, three, two in [("timestamp", 3, 2), ("ply", "10", "9"), ("turn", 2, 3)]],
    ("game_id,move,moves\n1,4,4 0\n", "'moves' could hold the moves of a game, and 'move' one"),
    ("white,black,player1,player2,moves\na,b,c,d,4\n", "player1 and player2 could all be the pl"),
    ("X,O,moves\nann,bob,4\n", "by their marks: the option first says which mark begins, o or x"),
    *[(f"{one},{other},moves\nann,bob,4\n",
       f"do not say who begins: the option columns does, as in first={one},second={other}")
      for one, other in [("Red", "Yellow"), ("yellow", "red"), ("black", "white")]],
    ('{"plan": [4, 0]}', "the fields are 'plan': no field holds moves; the option columns names"),
    ("game_id,player,move\n1,ann,4\n1,bob,0\n1,bob,8\n",
     "line 4 of 'log': 'bob' makes move 3 of the game that begins in line 2: expected two"),
    ("game_id,move\n1,4\n2,4\n1,0\n", "line 4 of 'log': game '1' goes on after other games"),
    ("game_id,ply,move\n1,0,4\n1,2,0\n", "expected the moves from 0 or 1, each once"),
    ("ply,move\n0,4\n2,0\n", "line 3 of 'log': move 2 where 1 was expected"),
    ("move1,move2,move3\n4,,0\n", "'move2' is empty, and a later move is not"),
    ("ply,move\nfirst,4\n", "line 2 of 'log': 'ply' is 'first': expected a whole number"),
    ("game_id,move\n1,\n", "line 2 of 'log': 'move' is 'None': expected one move"),
    ("game_id,row,col\n1,a,2\n", "the move is ['a', '2']: expected two whole numbers"),
    ("first,second,moves,result\nann,bob,4 0,\nTotal,,,\n",
     "line 3 of 'log': the row holds only 'Total': expected a game; leave a row of totals out"),
    *[(f"game_id,{rows}\n", "no row has more than two moves in 'moves': expected all moves of a")
      for rows in ("moves\n1,4\n1,0\n1,8", "move1,move2\n1,4,0\n1,8,\n")],
    ('{"moves": [["X", 4]]}', "expected a list of whole numbers, names of cells or pairs"),
    ('{"moves": [4.0, 0.0]}', "expected a list of whole numbers, names of cells or pairs"),
    ('{"moves": [4, 0], "moves": [1, 2]}', "the key 'moves' is there twice: expected it once"),
    ('{"players": ["a", "b"], "moves": 2}', "\"moves\" is '2': expected a list"),
    *[(f'{{"players": ["ann", "bob"], "moves": ["4"], "{key}": {begins}}}',
       ": expected the player who begins, who is named first, here 'ann'")
      for key, begins in [("starting_player", '"bob"'), ("starter", 1), ("first_player", '"Bob"'),
                          ("goes_first", '"second"'), ("starting_mark", '"O"'),
                          ("first_to_move", '"bob"'), ("Went First", '"bob"')]],
    *[(f'[White "ann"]\n[Black "bob"]\n[Starter "{who}"]\n1. b2 a3 *\n',
       f"'starter' is '{who}': expected the player who begins, who is named first, here 'ann'")
      for who in ("bob", "Black")],
    ('[InitialBoard "x...o...."]\n1. b3 *\n', "'initialboard' is 'x...o....': expected games fr"),
    ("player1,player2,starter,moves\nann,bob,player2,4\n", "'starter' is 'player2': expected the"),
    ('{"players": ["ann", "bob"], "moves": [{"player": 1, "cell": 4}, {"player": 0, "cell": 8}]}',
     "'1' moves first, and 'ann' is first: leave out the columns of both players if another"),
    ("first,second,game,ply,ai,move\nai6,ai2,1,0,ai2,4\nai6,ai2,1,1,ai6,0\n",
     "'ai2' moves first, and 'ai6' is first"),
    ('{"players": ["ann", "bob"], "starter": "bob", "moves": [{"cell": 4}, {"cell": 8}]}',
     "'starter' is 'bob': expected the player who begins, who is named first, here 'ann'"),
    ('{"moves": [{"cell": 4, "ply": 2}, {"cell": 8, "ply": 1}]}', "'ply' is not ascending: expect"),
    ('{"fen": "ox1/3/3", "moves": [{"cell": 4}, {"cell": 8}]}', "'fen' is 'ox1/3/3': expected"),
    ("X,O,game_id,player,cell\nann,bob,1,O,4\nann,bob,1,X,8\n", "by their marks: the option first"),
    ('{"players": ["second", "bob"], "moves": [4], "winner": "second"}',
     "the result is 'second', which is the name of a player and a word: "),
    ('{"players": ["ann", "ann"], "moves": [4], "winner": "ann"}', "the name of both players: "),
    ('{"players": {"2": "bob", "1": "ann"}, "moves": [4], "rewards": [1, -1]}',
     "'player2' comes before 'player1', so the first score may be that of either player"),
    ('{"moves": [4, 0], "rewards": [1]}', "[1]: expected the scores of two players"),
    ('{"moves": [4, 0], "rewards": [1, "x"]}', "the scores of two players, as numbers"),
    ('{"moves": [4, 0], "rewards": [NaN, 1]}', "the scores of two players, as numbers"),
    (f'{{"moves": [4, 0], "winner": "{"the winner is " * 5000}"}}', "expected 1-0, 0-1, 1/2-1/2"),
    ("first,first,moves\nann,bob,4\n", "the column 'first' is there 2 times: expected it once"),
    ('{"cells": [{"outputs": []}], "nbformat": 4}', "it is a notebook: write the games that it ho"),
    ('{"moves": [4, 0], "rewards": {"X": 1, "O": 0}}', "the result has the keys 'X', 'O'"),
    ('{"moves": [4, 0], "rewards": true}', "the result is 'True': expected a word or a score"),
    ('{"games": [{"moves": [4, 0]}]}', "the games are inside 'games': expected each as an"),
    ('{"messages": [{"role": "user", "content": "4"}]}',
     "if each is a move, the option columns names its key, as in move=content"),
    ('{"turns": [{"move": 4}], "thoughts": [{"move": 0}]}', "'turns' and 'thoughts' could both be"),
    *[(frame, "for each row, as with orient='records'")
      for frame in ('{"moves": {"0": "4 0"}, "first": {"0": "ann"}}', '{"a": [4, 0], "b": [4, 1]}',
                    '{"columns": ["moves"], "index": [0], "data": [["4 0"]]}')],
    ("ann - bob 4 0 8\n", "'ann' is no move: expected a colon between names and moves"),
    ("4 0 8 resigns\n", "the option results gives it a meaning, as in resigns=first"),
    (b"4 0\n4 \xff\n", "line 2 of 'log': byte 2 is no UTF-8"),
    ("ann: 4\n", "line 1 of 'log': expected the names of two players"),
    ("a" * 101 + " - b: 4", "line 1 of 'log': the name 'aaa"),
    ('{"moves": [{"cell": 4}], "rewards": [[1], [2]]}', "expected the scores of two players"),
    ("4 " * 1001, "line 1 of 'log': a game of 1,001 moves"),
    ("4\n" + "4 " * 2_000_001, "line 2 of 'log': it has more than 4,000,000"),
    ('[First "ann"]\n[Second "b\n', "line 2 of 'log': '[Second \"b' is no tag"),
    ('[First "a"]\n1. b2 {x', "line 2 of 'log': '{' is never closed"),
    ('[First "a"]\n1. b2 }', "line 2 of 'log': '}' closes nothing"),
    ('{"moves": [4]}\n{"moves":\n[4', "line 3 of 'log': no JSON"),
    ('{"moves": ' + "[" * 100_000, "line 1 of 'log': the JSON is nested too deeply"),
    ('{"moves": [' + "9" * 5000 + "]}", "line 1 of 'log': the JSON has a number of too many digit"),
    ('{"moves": [true]}', "line 1 of 'log': \"moves\" is '[true]': expected a list"),
    ('[{"moves": [4]},\n', "line 2 of 'log': the list is never closed"),
    ('{"name": "tictactoe", "steps": 3}', "line 1 of 'log': expected a replay"),
    ("game_id,row,col\n1," + "1" * 5000 + ",0\n", "expected two whole numbers"),
    ("first,moves\nann,4 0; 8 1\n", "'4 0; 8 1' has two kinds of separators: expected only moves"),
    ("moves,first\n4\n", "line 2 of 'log': 1 fields: expected 2"),
    ("moves,Moves\n", "line 1 of 'log': the fields are 'moves,Moves': "),
    ('moves\n"4 0\n', "line 2 of 'log': no CSV"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_log_that_is_not_clear_is_refused_with_a_way_on(
    content: str | bytes, message: str
) -> None:
    text = refusal(content)
    assert re.match(r"line \d of 'log': ", text)
    assert message in text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        *((content, "no game in '.*' has a move or a result")
          for content in ("first,second,moves\nann,bob,\n", '{"moves": []}\n', "ann - bob:\n")),
        ("", "holds no games"),
        ("ann - bob: 4 [0:05] 0\n", r"'\[0:05\]' is no move of tictactoe"),
        ("[4, None, 0]\n", "'None' is no move of tictactoe"),
        *((board, "looks like a board") for board in (
            "0,0,0,0,1,0,0,0,-1\n", '{"history": ["....o....", "x...o...."]}',
            '{"history": [[0, 0, 0, 0, 1, 0, 0, 0, 0]]}',
        )),
        ("cell1,cell2,cell3,cell4,cell5,cell6,cell7,cell8,cell9\n0,0,1,2,0,0,0,0,0\n", "a board"),
        ("4 0\n4,,0\n", "'' is no move .* with blanks or commas between moves"),
        *((f'{{"moves": [4, 0]}}\n{{"moves": [4, {rest}]}}\n', "line 2 .* move 2 is null, and not")
          for rest in ("null, null", "null, 0")),
        ('{"moves": ["中", NaN]}\n', r"""is '\["中", NaN\]': expected a list of whole numbers"""),
        ('{"moves": [1, 1, 0, 0, 2, 2]}\n', "the numbers may be pairs of row and column"),
    ],
)  # fmt: skip
def test_an_unreadable_game_stops_the_review(review: Reviewer, content: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        review(content)


def test_lines_end_in_any_way(review: Reviewer) -> None:
    assert review("4 0 8\r0 4 8\r\n4 8\r\r\n8 0 4\n").games == 4
    assert review("game_id,move\r1,4\r1,0\r").moves == 2


def test_one_column_holds_one_field() -> None:
    message = refusal("a,b,line\nann,bob,4 0\n", columns={"first": "a", "second": "a"})
    assert message.endswith(
        "'a' cannot be both first and second: the option columns names a column for each"
    )


def test_columns_are_for_logs_with_names(review: Reviewer) -> None:
    for log, content in (("moves", "4 0 8\n"), (None, '{"name": "tictactoe", "steps": []}')):
        with pytest.raises(
            UsageError, match="and the option columns names fields of csv, jsonl, p"
        ):
            review(content, log=log, columns={"first": "name"})
