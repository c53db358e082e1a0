"""What commands cannot do: each tells it in one sentence, and writes nothing."""

import shlex
from pathlib import Path

import pytest

from tests.helpers.data.shared import states
from tests.helpers.processes.commands import Marubatsu, require_refused, without_box

SENTENCES = (
    "nothing", "tree 0x0", "tree 99x99", "tree 3x3k9", "tree 3x3k-1", "tree ../../x",
    "tree 4x3k3", "tree --order sideways", "tree tictactoe tictactoe", "build 4x4k4",
    "build connect4", "verify nothing", "check nothing", "check --only nothing",
    "query nothing", "query ../checks/scores", "query plies --format xml",
    "query plies --game ../../x", "query plies --output .", "query plies --output ''",
    "show ''", "show xo......", "show abcdefghi", "show xxx......", "show oooxxx...",
    "show ......... --game 4x3k3", "sql selec", "sql 'drop table moves'",
    "sql 'select 1' --timeout 0", "sql 'select 1' --timeout nan", "sql 'select 1' --timeout inf",
    "sql 'select 1' --timeout soon", "sql 'select 1' --memory much", "play --from 'b2 b2'",
    "play nobody", "play --side left", "play --seed -1", "search 3x2k2 o..... --critical",
    "search tictactoe --by-move --critical", "search tictactoe --by-move --trace t.json",
    "search tictactoe --share-table", "query openings --all x", "query --where 1",
    "query --all x --output y",
)  # fmt: skip

WRONG = [
    # A game that is named twice, and words beyond what is expected.
    *[(line, "the game is given twice, as 3x2k2 and as --game 2x2k2")
      for line in ("tree 3x2k2 --game 2x2k2", "show 3x2k2 o... --game 2x2k2")],
    *[(line, "unexpected extra argument")
      for line in ("show 3x3 o........ extra", "show 9x9x9 o...", "search 2x2k2 o... -g 3x2k2")],
    ("audit ai1 connect4", "(connect4); name the game first, or as --game connect4"),
    ("audit ai1 ai2", "(ai2); name the second AI as --baseline AI"),
    ("query moves",
     "report 'moves', which is a table or a view: read it by the SQL 'from moves'"),
    ("sql select 1", '(1); put quotes around the statement, as in sql "select 1"'),
    ("sql '-- comment\nselect 1'", "write -- before a statement that begins with a comment"),
    ("tree --game", "requires an argument"),
    ("games --data ''", "'' is no path: expected the name of a file or a folder"),
    ("publish --out ''", "'' is no path: expected the name of a file or a folder"),
    # Options that would have no effect.
    ("prove --remove --side circle --time 3",
     "--remove removes all proofs of the game: leave out --side, --time"),
    ("compare 3x2k2 --remove --limit 5 -f json",
     "--remove removes all searches of the game: leave out --limit"),
    ("book --game connect4 --remove --plies 3",
     "--remove removes all answers of the game: leave out --plies"),
    ("solve 4x4k4 --expand --memory 1GB --engine local",
     "--expand does not solve: leave out --memory, --engine"),
    ("build 3x2k2 --plan --graph", "--plan, --check and --graph do three different things"),
    ("build 3x2k2 --format csv", "--format is for --plan"),
    ("build 4x4k4 --plan", "4x4k4 has about 9.74 million positions by estimate"),
    *[(line, "expected --raw or --compact")
      for line in ("export 3x3k3-gravity", "export 3x3k3-gravity --raw --compact")],
    # Boards.
    ("show .....o..x --game 3x3k3-gravity", "no game of 3x3k3-gravity reaches"),
    *[(f"show {board}", message) for board, message in (
        ("xox.o.x..", "a game reaches it with --first"),
        ("1,2,0,0,0,0,0,0,0", "either may have begun: write o for the mark that began"),
        ("o........ --first z", "expected o or x, the mark of the side that begins"),
        ("9", "--numbering chooses another: cells-from-1, cells-by-column-from-1"),
        ("0 --numbering cels", "'cels' is no numbering: did you mean cells?"),
        ("0 --numbering columns", "the numbering columns is for games with gravity"),
        ("'|o|x|/| | |/| | |'", "has rows of another length: expected 3 rows of 3 cells"),
    )],
    # What best needs.
    ("best ooo.xx...", "'ooo.xx...' is finished: circle wins; expected a board with moves"),
    ("best o.x", "expected 9 cells of '.ox' for tictactoe, got 3: 'o.x'"),
    ("best -", "expected 9 cells of '.ox' for tictactoe, got 1: '-'"),
    ("best d2 --game connect4", "'d2', is not legal: expected one of 35, 36"),
    ("best d1 --game connect4 --memory x", "expected one like 500MB or 2GB"),
    *[(f"{words} --game connect4 --time {time}", f"--time {time}: expected 0 to 86,400 seconds")
      for words in ("best d1", "match ai1 ai2", "play ai1") for time in ("-1", "nan", "86401")],
    # Matches.
    ("match ai2", "expected pairs of AIs, got 1 of them: ai2"),
    ("match ai2 ai99", "there is no AI 'ai99': did you mean ai9s?"),
    ("match ai2 ai2 --games 0", "--games 0: expected 1 to 1,000,000,000"),
    ("match ai2 ai2 --games 1000000001", "--games 1000000001: expected 1 to"),
    ("match ai2 ai2 --seed -1", "--seed -1"),
    ("match ai2 ai2 --game 9x9", "9x9"),
    ("match ai2 ai2 --game connect4 --fast", "positions by estimate"),
    ("match ai6 ai2 --review --fast", "--review shows games move by move, --fast plays too many"),
    ("match ai6 ai2 --review --games 10001", "--games 10001: expected 1 to 10,000 with --review"),
    # The protocol of Go programs.
    ("gtp 4x4k9", "'4x4k9' is not a game: no line of 9 fits on a board of 4x4: expected k1 to k4"),
    ("gtp --ai nobody", "there is no AI 'nobody': expected "),
    ("search --algorithm monte_carlo --seed -1", "cannot draw by the seed -1: expected 0 to 9,22"),
    ("gtp --seed -1", "--seed -1: expected 0 or more"),
    ("gtp --moves sgf", "'sgf' is not one of 'vertices', 'openspiel'."),
    # Values in SQL.
    *[(f"sql 'select $x' {options}", f"marubatsu: {message}") for options, message in (
        ("-p x", "--parameter 'x': expected NAME=VALUE"),
        ("-p =1", "--parameter '=1': expected NAME=VALUE"),
        ("-p 'a b=1'", "--parameter 'a b=1': expected NAME=VALUE"),
        ("-p x=1 -p x=2", "--parameter x is given twice"),
        ("-p y=1", "expected values for $x, got $y; give --parameter NAME=VALUE for each"),
        ("-p x=1 -p y=1", "expected values for $x, got $x, $y"),
        ("", "expected values for $x; give --parameter NAME=VALUE for each"),
    )],
    # Items and reviews.
    *[(f"items 2x2k2 {options}", f"marubatsu: {message}\n") for options, message in (
        ("--split exam", "--split 'exam': expected one of train, validation, test, all"),
        ("--notation fen", "--notation 'fen': expected one of board, text, moves, all"),
        ("--sample 0", "--sample 0: expected 1 or more"),
        ("--seed -1", "--seed -1: expected 0 or more"),
        ("", "--split 'test': no class of 2x2k2 is in it; expected another, such as all"),
    )],
    *[(f"review examples/games.txt {options}", f"marubatsu: {message}") for options, message in (
        ("--log xml", "--log 'xml': expected one of moves, pgn, jsonl, kaggle, textarena, "),
        ("--columns mov=x", "--columns 'mov=x': expected FIELD=COLUMN"),
        ("--numbering colums", "'colums' is no numbering: did you mean columns"),
        ("-g tictactoe --numbering columns",
         "the numbering columns is for games with gravity, and "),
        ("--first y", "--first 'y': expected o or x"),
        ("--results x", "--results 'x': expected WORD=RESULT,… with the results first, "),
        ("-g tictactoe --plies 9-1", "--plies '9-1': expected a ply or a range"),
        ("--game x", "'x' is not the name of a game"),
        ("--time -1", "--time -1: expected 0 to"),
    )],
    ("search 2x2k2 --trace t.json -o ./t.json", "--trace and --output name one file"),
    ("publish 2x2k2 --out hub --date ''", "--date '': expected a day as in"),
    # The laboratory.
    ("prove 2x2k2 --side cross", "--side cross: circle wins 2x2k2, so expected --side circle"),
    ("prove 2x2k2 --strategy best", "--strategy best: circle wins 2x2k2"),
    ("prove 2x2k2 --time -1", "--time -1: expected 0 to 86,400 seconds"),
    ("prove 4x4k4", "4x4k4 has about"),
    ("prove 2x2k2 --side both", "'both' is not one of 'circle', 'cross'"),
    ("compare 2x2k2 --limit 0", "--limit 0: expected 1 to 1,000,000,000,000 nodes"),
    ("compare 2x2k2 --time nan", "--time nan: expected 0 to 86,400 seconds"),
    ("compare 8x4k4", "8x4k4 has 32 cells: expected at most 31"),
    ("search 8x4k4 --techniques killers", "8x4k4 has 32 cells: expected at most 31; with"),
    ("search 2x2k2 --techniques best", "there is no technique 'best'"),
    ("book tictactoe", "tictactoe is not searched"),
    ("book 8x7k4-gravity", "8x7k4-gravity is too large to be searched"),
    ("book 4x5k4 --plies -1", "--plies -1: expected 0 to 19"),
    ("book 4x5k4 --plies 20", "--plies 20: expected 0 to 19"),
    ("book 4x5k4 --time -1", "--time -1: expected 0 or more seconds"),
    ("book 4x5k4 --memory much", "'much' is no amount of memory"),
    # Boards and environments of others.
    ("conform Board", "names no board: expected file.py:Class"),
    ("conform nowhere.py:Board", "there is no file 'nowhere.py'"),
    ("conform examples/dict_board.py:Dict",
     "Dict is not there: examples/dict_board.py has DictBoard"),
    ("conform examples/corners.py:choose", "choose makes no board of 3x3k3: TypeError"),
    ("conform json:JSONDecoder", "JSONDecoder is no board: expected a subclass"),
    ("bench boards --pairs 0", "--pairs 0: expected 1 to"),
    ("bench boards --repeats -1", "--repeats -1: expected 1 to"),
    ("bench boards --plot boards.gif", "names no picture"),
    ("bench boards --plot nowhere/boards.svg", "there is no folder 'nowhere'"),
    ("bench boards --board Bitboard", "names no board"),
    ("bench boards --board BitBoard3x3 --game 4x4", "BitBoard3x3 plays 3x3k3"),
    *[(f"conform-env tests.helpers.broken.broken_environments:Right {options}", message)
      for options, message in (
        ("--sample 0", "--sample 0: expected 1 to 1,000,000 games"),
        ("--accept luck", "--accept 'luck': expected one of errors, legal moves, turn"),
    )],
    # The page.
    *[(f"explore --no-browser {options}", message) for options, message in (
        ("--port 99999", "99999"),
        ("--game 7x7k4", "7x7k4 is too large to be searched"),
        ("--as series", "name it by --ai"),
        ("--ai tests/helpers/broken/badly_behaved.py:nothing", "nothing is not there in"),
        ("--ai nowhere.py:f", "nowhere.py"),
        ("--ai command:nothing_such", "there is no program 'nothing_such'"),
        ("--ai minimax --game 4x5k4", "minimax searches to the end"),
    )],
    ("conform-env pgx:tic_tac_toe --game 3x3k3",
     "'pgx:tic_tac_toe' names its game itself: leave out --game"),
]  # fmt: skip
"""Command lines, and a part of the message that each gets."""

MISSING = [
    ("best a1 --game 8x7k4-gravity", "8x7k4-gravity is not solved"),
    ("match ai6 ai2 --review --game 8x7k4-gravity", "8x7k4-gravity is not solved"),
    ("audit ai2 --game 2x4k2", "run `marubatsu build 2x4k2`"),
    ("audit email.nothing:choose", "cannot be loaded: ModuleNotFoundError"),
]


@pytest.mark.parametrize(("line", "message", "code"), [
    *((line, "", 2) for line in SENTENCES),
    *((*row, 2) for row in WRONG),
    *((*row, 1) for row in MISSING),
])  # fmt: skip
def test_what_cannot_be_done_is_a_sentence_and_writes_nothing(
    marubatsu: Marubatsu, root: Path, line: str, message: str, code: int
) -> None:
    before = states(root), {*root.rglob("*")}
    done = marubatsu(*shlex.split(line))
    require_refused(done, message, code)
    said = without_box(done.stderr)
    is_sentence = said.startswith("marubatsu: ") and len(said.splitlines()) == 1
    assert is_sentence or said.startswith(("Usage: ", "Error: Option "))
    assert (states(root), {*root.rglob("*")}) == before
