"""Refused commands: each says why in one sentence, and writes nothing."""

import shlex
from pathlib import Path

import pytest

from marubatsu.judge.agents.interfaces import INTERFACES
from tests.helpers.broken import badly_behaved
from tests.helpers.data.shared import states
from tests.helpers.processes.commands import Marubatsu, every_command, require_refused, without_box
from tools.generators.run_pages import CHECKOUT

BAD = Path(badly_behaved.__file__)
EXAMPLES = CHECKOUT / "examples"
CONNECTX = f"{EXAMPLES}/connectx_agent.py:agent"
LINES = f"evaluation:{EXAMPLES}/open_lines.py"
DRAWN = "audit ai2 --game 4x4k4 --sample 5"
ENDS = f"audit {BAD}:ends"
*SOME_INTERFACES, LAST_INTERFACE = INTERFACES

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
    ("tree 3x2k2 connect4", "unexpected extra argument(s) (connect4)\n"),
    ("play ai2 --from oxoxoxo..", "--from 'oxoxoxo..' is finished: expected a position with moves"),
    ("audit ai1 ai2", "(ai2); name the second AI as --baseline AI"),
    ("query moves",
     "report 'moves', which is a table or a view: read it by the SQL 'from moves'"),
    ("query openings --where ' '", "of one report: expected its NAME and SQL"),
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
    ("build 4x4k3", "; `marubatsu solve 4x4k3` solves it without tables"),
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
    # Arguments of best.
    ("best ooo.xx...", "'ooo.xx...' is finished: circle wins; expected a board with moves"),
    ("best o.x", "expected 9 cells of '.ox' for tictactoe, got 3: 'o.x'"),
    ("best -", "expected 9 cells of '.ox' for tictactoe, got 1: '-'"),
    ("best d2 --game connect4", "'d2', is not legal: expected one of 35, 36"),
    ("best d1 --game connect4 --memory x", "expected one like 500MB or 2GB"),
    *[(f"{words} --game connect4 --time {time}", f"--time {time}: expected 0 to 86,400 seconds")
      for words in ("best d1", "match ai1 ai2", "play ai1") for time in ("-1", "nan", "86401")],
    # Matches.
    ("match ai2", "expected pairs of AIs, got 1 of them: ai2"),
    ("match alphabeta:ordering=5 ai2", "there is no AI '5': expected ai1"),
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
    ("gtp --ai nobody", "'nobody' names no AI: expected file.py:f"),
    ("search --algorithm monte_carlo --seed -1", "cannot draw by the seed -1: expected 0 to 9,22"),
    ("gtp --seed -1", "--seed -1: expected 0 or more"),
    ("gtp --moves sgf", "'sgf' is not one of 'vertices', 'openspiel'."),
    # Values in SQL.
    *[(f"sql 'select $x' {options}", f"marubatsu: {message}") for options, message in (
        ("-p x", "--parameter 'x': expected NAME=VALUE"),
        ("-p =1", "--parameter '=1': expected NAME=VALUE"),
        ("-p 'a b=1'", "--parameter 'a b=1': expected NAME=VALUE"),
        ("-p x=1 -p x=2", "--parameter x is given twice"),
        ("-p y=1", "expected values for $x, got $y: give --parameter for each"),
        ("-p x=1 -p y=1", "expected values for $x, got $x, $y"),
        ("", "expected values for $x: give --parameter for each"),
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
    *[(f"search 2x2k2 --trace {names}", "--trace and the rows have one output: expected two")
      for names in ("t.json -o ./t.json", "-", "- --output -")],
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
        ("--ai tests/helpers/broken/badly_behaved.py:nothing", "nothing is no function in"),
        ("--ai nowhere.py:f", "nowhere.py"),
        ("--ai command:nothing_such", "'command:nothing_such' names no program"),
        ("--ai minimax --game 4x5k4", "minimax searches to the end"),
    )],
    ("conform-env pgx:tic_tac_toe --game 3x3k3",
     "'pgx:tic_tac_toe' names its game itself: leave out --game"),
]  # fmt: skip
"""Command lines, and a part of the message that each gets."""

AUDITS = [
    # The address of an AI.
    (f"audit {BAD}:number", "number is no function in"),
    ("audit no_such_module:choose", "there is no module 'no_such_module'"),
    ("audit '../no such file:choose'", "there is no file '../no such file'"),
    ("audit 'x y:choose'", "'x y:choose' names no file and no module: expected file.py:choose or"),
    ("audit sig.py::e", "'sig.py::e' names no file and no module: expected file.py:e or package"),
    ("audit math:nothing", "nothing is no function in math, which has none; of an object"),
    ("audit a.py:not-a-name", "names no AI: expected file.py:function"),
    ("audit ai15s", "there is no AI 'ai15s': did you mean ai"),
    ("audit ai14s:weight=1", "ai14s has no parameter 'weight'"),
    ("audit 'command:no-such-program x'", "'command:no-such-program x' names no program"),
    ("audit command:", "'command:' names no program"),
    ('audit "command:\'"', "is no command"),
    # Limits and questions of audits.
    ("audit ai2 --timeout 0", "--timeout 0"),
    ("audit ai2 --agent-memory much", "'much' is no amount of memory"),
    ("audit ai2 --repeat 0", "--repeat 0"),
    ("match ai1 ai2 --first y", "--first 'y': expected o or x, the mark of the side that begins"),
    # The boards and answers of foreign AIs, where all are built in.
    ("audit ai2 --positions random --first x", "file.py:function, not ai2"),
    ("audit ai2 --baseline ai1 --answers chances", "--answers is about a foreign AI: expected one"),
    ("match ai1 ai2 --first x", "file.py:function, not ai1 or ai2"),
    ("search tictactoe --ordering ai2 --answers moves", "--answers is about a foreign AI"),
    ("search tictactoe --answers moves", "--answers is about a foreign AI"),
    ("play ai2 --answers row-column", "--answers is about a foreign AI"),
    ("gtp --ai ai2 --answers moves", "--answers is about a foreign AI"),
    ("explore --no-browser --answers moves", "--answers is about a foreign AI"),
    # Positions that are drawn.
    (f"{DRAWN} --positions nowhere.txt", "--positions 'nowhere.txt': No such file or directory"),
    (f"{DRAWN} --positions .", "Is a directory; expected random, own, or a file of positions"),
    (f"{DRAWN} --positions ''", "expected random, own, or a file of positions"),
    (f"{DRAWN} --sample all", "--sample 'all': expected a number of positions to draw"),
    (f"{DRAWN} --sample 0", "--sample '0': expected a number of positions to draw"),
    ("audit ai2 --sample 1.5", "--sample '1.5': expected a number of classes, or all"),
    (f"{DRAWN} --plies 12-9", "--plies '12-9': expected a ply or a range as in 12- or 12-20"),
    (f"{DRAWN} --plies 16", "of 0 to 15 for 4x4k4"),
    (f"{DRAWN} --plies x", "--plies 'x': expected a ply or a range"),
    (f"{DRAWN} --time nan", "--time nan: expected more than 0"),
    # How often it is asked.
    (f"{ENDS} --most-questions 0", "--most-questions 0: expected 1 or more"),
    (f"{ENDS} --most-questions 9 --positions own", "positions of its own games need an unknown"),
    ("audit ai2 --most-questions 9", "--most-questions 9: expected an AI at an address"),
    (f"{ENDS} --jobs 65", "--jobs 65: expected 1 to 64"),
    (f"{ENDS} --retries -1", "--retries -1: expected 0 or more"),
    # Saved AIs.
    ("audit ai2 --save mine", "--save 'mine': expected a foreign AI; ai2 is a built-in AI"),
    (f"{ENDS} --save ai2", "--save 'ai2': a built-in AI has this name; expected another"),
    (f"{ENDS} --save ../x", "--save '../x': expected a name of at most 30 characters"),
    (f"{ENDS} --save ''", "--save '': expected a name"),
    (f"{ENDS} --save mine --sample 9", "leave out --sample, --positions, --plies and --most-quest"),
    (f"{ENDS} --save mine --most-questions 9", "answers are kept in every position: leave out"),
    (f"{ENDS} --save mine --game connect4", "connect4 is too large for tables of AIs, in which"),
    ("ais --remove mine", "--remove 'mine': no AI is saved there"),
    # Requirements.
    ("audit ai2 --fail-under=0", "--fail-under 0: expected a share above 0, at most 1"),
    ("audit ai2 --fail-under=95", "--fail-under 95: expected a share above 0, at most 1"),
    ("audit ai2 --fail-under=nan", "--fail-under nan: expected a share above 0, at most 1"),
    ("audit ai2 --max-exploitability=-0.1", "expected 0 or more, below 1"),
    ("audit ai2 --max-exploitability=1", "--max-exploitability 1: expected 0 or more, below 1"),
    ("audit ai2 --require=most", "expected strong, weak, no-findings, or share=S"),
    # Other outputs, and games that end early.
    ("audit ai2 -g 3x2k2 --badge badge.png", "'badge.png': expected a name that ends in .svg"),
    ("match ai1 ai2 --forfeit --fast", "--forfeit ends games early"),
    ("match ai1 ai2 --forfeit --review", "--forfeit ends games early"),
    # Functions that value boards.
    (f"audit {LINES}", "open_lines.py' names no function that values boards: expected one as in"),
    ("audit evaluation:ai14s", "'evaluation:ai14s' names no function that values boards: expected"),
    ("match evaluation:none.py:value ai2", "there is no file 'none.py'"),
    ("search tictactoe --algorithm depth_limited --max-depth 1 --evaluation command:true",
     "is a program, which answers with moves"),
    ("search 3x2k2 --ordering answers:examples/answers_step_200.jsonl",
     "is a table, which answers only on its boards: expected"),
    (f"audit {LINES}:LINES", "list is no function: expected LINES(board)"),
    (f"audit {LINES}:value --as aec", "agents that are asked for moves, not for '"),
    # Agents of other frameworks.
    (f"audit {CONNECTX} --as kaggle",
     f"--as 'kaggle': expected {', '.join(SOME_INTERFACES)} or {LAST_INTERFACE}"),
    ("audit ai2 --as connectx", "foreign agents that are asked for moves, not for 'ai2': leave"),
    (f"audit {CONNECTX} --as gtp", "is none; expected 'command:PROGRAM ARGUMENTS'"),
    ("audit command:true --as connectx", "'true' is a program; expected file.py:name"),
    (f"audit {EXAMPLES}/openspiel_bot.py:bot --as connectx", "FirstBot is no function: expected"),
    (f"audit {CONNECTX[:-5]}Any.__name__ --as openspiel", "str is no agent of OpenSpiel"),
    (f"audit {CONNECTX} --as openspiel", "function is no agent of OpenSpiel"),
    (f"audit {EXAMPLES}/openspiel_bot.py:FirstBot --as openspiel",
     "FirstBot is a class: write `agent = FirstBot(...)` below it, and name agent, or"),
    ("search tictactoe --as aec", "No such option: --as"),
]  # fmt: skip
"""Wrong requests for an audit, or about the AIs of one."""

MISSING = [
    ("best a1 --game 8x7k4-gravity", "8x7k4-gravity is not solved"),
    ("match ai6 ai2 --review --game 8x7k4-gravity", "8x7k4-gravity is not solved"),
    ("audit ai2 --game 2x4k2", "run `marubatsu build 2x4k2`"),
    ("audit email.nothing:choose", "cannot be loaded: ModuleNotFoundError"),
]


@pytest.mark.parametrize(("line", "message", "code"), [
    *((line, "", 2) for line in SENTENCES),
    *((*row, 2) for row in (*WRONG, *AUDITS)),
    *((*row, 1) for row in MISSING),
])  # fmt: skip
def test_a_refused_command_prints_a_sentence_and_writes_nothing(
    marubatsu: Marubatsu, root: Path, line: str, message: str, code: int
) -> None:
    before = states(root), {*root.rglob("*")}
    done = marubatsu(*shlex.split(line))
    require_refused(done, message, code)
    errors = without_box(done.stderr)
    is_sentence = errors.startswith("marubatsu: ") and len(errors.splitlines()) == 1
    assert is_sentence or errors.startswith(("Usage: ", "Error: Option "))
    assert (states(root), {*root.rglob("*")}) == before


ABOUT_ALL = {"game", "data", "format_", "output"}
ABOUT_ONE = [
    option.opts[0] if getattr(option, "is_flag", False) else f"{option.opts[0]}=1"
    for option in every_command()["audit"].params
    if option.opts[0].startswith("--") and getattr(option, "expose_value", False)
    and option.name not in ABOUT_ALL
]  # fmt: skip
"""All options of `audit` but these, without parsing their values."""


@pytest.mark.parametrize("option", ABOUT_ONE)
def test_options_about_one_ai_need_its_name(marubatsu: Marubatsu, option: str) -> None:
    message = f"marubatsu: {option.partition('=')[0]} is about one AI: name it\n"
    require_refused(marubatsu("audit", "--game", "3x2k2", option), message)
