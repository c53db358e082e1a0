"""Wrong requests for an audit, or about the AIs of one: each is told in a sentence."""

import shlex
from pathlib import Path

import pytest

from marubatsu.judge.agents.interfaces import INTERFACES
from tests.helpers.broken import badly_behaved
from tests.helpers.processes.commands import Marubatsu, every_command, require_refused
from tools.generators.run_pages import CHECKOUT

BAD = Path(badly_behaved.__file__)
EXAMPLES = CHECKOUT / "examples"
CONNECTX = f"{EXAMPLES}/connectx_agent.py:agent"
LINES = f"evaluation:{EXAMPLES}/open_lines.py"
DRAWN = "audit ai2 --game 4x4k4 --sample 5"
ENDS = f"audit {BAD}:ends"
*SOME_INTERFACES, LAST_INTERFACE = INTERFACES

WRONG = [
    # The address of an AI.
    (f"audit {BAD}:number", "number is no function in"),
    ("audit no_such_module:choose", "there is no module 'no_such_module'"),
    ("audit '../no such file:choose'", "there is no file '../no such file'"),
    ("audit 'x y:choose'", "'x y' is the name of no module"),
    ("audit math:nothing", "nothing is not there in math: no function is defined there"),
    ("audit HTTPS://example.com/ai.py", "is an address of the web: expected a function"),
    ("audit a.py:not-a-name", "names no AI: expected file.py:function"),
    ("audit ai15s", "there is no AI 'ai15s': did you mean ai"),
    ("audit ai14s:weight=1", "ai14s has no parameter 'weight'"),
    ("audit 'command:no-such-program x'", "there is no program 'no-such-program'"),
    ("audit command:", "names no program"),
    ('audit "command:\'"', "is no command"),
    # Its limits, and what is asked.
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
    # What is saved.
    ("audit ai2 --save mine", "--save 'mine': expected a foreign AI; ai2 is a built-in AI"),
    (f"{ENDS} --save ai2", "--save 'ai2': a built-in AI has this name; expected another"),
    (f"{ENDS} --save ../x", "--save '../x': expected a name of at most 30 characters"),
    (f"{ENDS} --save ''", "--save '': expected a name"),
    (f"{ENDS} --save mine --sample 9", "leave out --sample, --positions, --plies and --most-quest"),
    (f"{ENDS} --save mine --most-questions 9", "answers are kept in every position: leave out"),
    (f"{ENDS} --save mine --game connect4", "connect4 is too large for tables of AIs, in which"),
    ("ais --remove mine", "--remove 'mine': no AI is saved there"),
    # What is required.
    ("audit ai2 --fail-under=0", "--fail-under 0: expected a share above 0, at most 1"),
    ("audit ai2 --fail-under=nan", "--fail-under nan: expected a share above 0, at most 1"),
    ("audit ai2 --max-exploitability=-0.1", "expected 0 or more, below 1"),
    ("audit ai2 --max-exploitability=1", "--max-exploitability 1: expected 0 or more, below 1"),
    ("audit ai2 --require=most", "expected strong, weak, no-findings, or share=S"),
    # What else is written, and games that end early.
    ("audit ai2 -g 3x2k2 --badge badge.png", "'badge.png': expected a name that ends in .svg"),
    ("match ai1 ai2 --forfeit --fast", "--forfeit ends games early"),
    ("match ai1 ai2 --forfeit --review", "--forfeit ends games early"),
    # Functions that value boards.
    (f"audit {LINES}", "open_lines.py' names no function that values boards: expected one as in"),
    ("audit evaluation:", "'evaluation:' names no function that values boards"),
    ("audit evaluation:ai14s", "'ai14s' is an AI already: leave out evaluation:"),
    ("match evaluation:none.py:value ai2", "there is no file 'none.py'"),
    ("search tictactoe --algorithm depth_limited --max-depth 1 --evaluation command:true",
     "is a program, which answers with moves"),
    (f"audit {LINES}:LINES", "list is no function: expected f(board) that returns a number"),
    (f"audit {LINES}:value --as aec", "agents that are asked for moves, not for '"),
    # Agents of other frameworks.
    (f"audit {CONNECTX} --as kaggle",
     f"--as 'kaggle': expected {', '.join(SOME_INTERFACES)} or {LAST_INTERFACE}"),
    ("audit ai2 --as connectx", "foreign agents that are asked for moves, not for 'ai2': leave"),
    (f"audit {CONNECTX} --as gtp", "is none; expected 'command:PROGRAM ARGUMENTS'"),
    ("audit command:true --as connectx", "'true' is a program; expected file.py:name"),
    (f"audit {EXAMPLES}/openspiel_bot.py:bot --as connectx", "FirstBot is no function: expected"),
    (f"audit {CONNECTX[:-5]}Any.__name__ --as openspiel", "str is no agent of OpenSpiel"),
    ("search tictactoe --as aec", "No such option: --as"),
]  # fmt: skip
"""Command lines, and a part of what each is told."""


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_wrong_usage_is_a_sentence(marubatsu: Marubatsu, line: str, message: str) -> None:
    require_refused(marubatsu(*shlex.split(line)), message)


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
