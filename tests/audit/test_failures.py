"""Failures that end an audit: agents of another kind, the same failure again and again, outages."""

import socket
import ssl
import sys
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import Future
from http import HTTPStatus
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.ais.ai import AIError
from marubatsu.judge.agents.faults import INFRASTRUCTURE, failure
from marubatsu.judge.agents.interfaces import CHOICE_ARGUMENTS, require_signature
from marubatsu.judge.audit import interviewer
from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.audit.conftest import Write
from tests.helpers.processes.commands import Marubatsu, require_refused

pytestmark = pytest.mark.programs

SMALL = "3x2k2"

AGENTS = """
class Agent:
    def choose(self, board, legal): return legal[0]

class Called:
    __hash__ = None  # as of a dataclass
    def __call__(self, board, legal): return legal[0]

class Waits:
    async def __call__(self, board, legal): return legal[0]

agent, called, waiting = Agent(), Called(), Waits()

def one(board): return 0
def three(board, legal, depth): return legal[0]
def named(board, *, legal): return legal[0]
def more(board, legal, depth=3, *rest, **options): return legal[0]
def connectx(observation, configuration): return observation.board.index(0)
def policy(observation, action_mask): return 0
def by_player(board, player): return 0
def by_depth(board, depth=3): return 0
def by_letter(board, computerLetter): return 0
def by_switch(board, is_ai_turn): return 0
def by_history(board, history): return board.index(".")
def by_default(board, config=None): return board.index(".")
def by_place(board, last_move, /): return board.index(".")
def by_type(board, n: int): return board.index(".")
def by_text(board, m="best"): return board.index(".")
def maybe(board, legal=None, depth=3): return legal[0]
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Agent", "write `agent = Agent(...)` below it, and name agent, or a method of it; expect"),
        ("Agent.choose", "of a class, write `agent = CLASS(...)` below it, and name agent.METHOD"),
        ("waiting", "it is an async function: write def, not async def"),
        ("one", "one takes (board): expected one(board, legal_moves); agents of other frameworks"),
        ("one", "a function that values boards is named evaluation:FILE:one\n"),
        ("three", "three takes (board, legal, depth): expected three(board, legal_moves); agents"),
        ("by_player", "takes (board, player), and player would be the list of legal moves"),
        ("by_depth", "takes (board, depth=3), and depth would be the list of legal moves"),
        ("by_letter", "and computerLetter would be the list of legal moves"),
        ("by_history", "expected by_history(board, legal_moves); if it is that list, call it"),
        ("by_default", "and config would be the list of legal moves"),
        ("by_place", "and last_move would be the list of legal moves"),
        ("by_type", "by_type takes (board, n: int), and n would be the list of legal moves"),
        ("by_text", "by_text takes (board, m='best'), and m would be the list of legal moves"),
        ("by_switch", "and is_ai_turn would be the list of legal moves"),
        ("named", "named takes (board, *, legal): expected named(board, legal_moves)"),
        ("connectx", "frameworks are asked by --as connectx (an observation), --as aec (an obser"),
        ("policy", "and action_mask would be the list of legal moves"),
        ("agent", "agent is no function in FILE, which has one, three, named, more, connectx"),
    ],
)  # fmt: skip
def test_functions_with_other_arguments_are_refused_at_once(
    marubatsu: Marubatsu, written: Write, name: str, message: str
) -> None:
    file, _, _ = written(AGENTS).rpartition(":")
    command = ["match", f"{file}:{name}", "ai2"] if name == "one" else ["audit", f"{file}:{name}"]
    require_refused(marubatsu(*command, "--game", SMALL), message.replace("FILE", file))


def test_callables_with_optional_arguments_are_agents(root: Path) -> None:
    names: dict[str, Any] = {}
    exec(AGENTS, names)  # noqa: S102, it is ours
    with pytest.raises(
        AIError, match=r"no AI: expected a function, or a text .*; of an object, a method"
    ):
        mb.audit(names["agent"], SMALL, data=root)
    for agent in (names["agent"].choose, names["called"], names["more"], names["maybe"]):
        assert mb.audit(agent, SMALL, data=root).interview.findings == []


@pytest.mark.parametrize(
    "name",
    ["legal", "legal_moves", "validMoves", "LEGAL_ACTIONS", "availableCells", "empty_squares",
     "possible_actions", "free", "spots", "moves_list", "m", "_", "_unused", "*rest"],
)  # fmt: skip
def test_names_of_legal_moves_are_known(name: str) -> None:
    named: dict[str, Any] = {}
    exec(f"def choose(board, {name}): pass", named)  # noqa: S102, it is ours
    require_signature(named["choose"], "choose", CHOICE_ARGUMENTS)


def test_functions_of_this_program_are_refused_in_the_words_of_python() -> None:
    class Agent:
        def choose(self, board: str, legal: list[int]) -> int:
            return legal[0]

    with pytest.raises(UsageError, match=r"`agent = Agent\(\.\.\.\)` below it, and name agent, or"):
        mb.match(Agent, "ai2", games=1)
    with pytest.raises(UsageError, match=r"are asked by the option interface='connectx'"):
        mb.match(lambda board: 0, "ai2", games=1)
    with pytest.raises(UsageError, match=r"takes \(board, legal\): expected .*\(board\)$"):
        mb.search("depth_limited", max_depth=1, evaluation=lambda board, legal: 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys\ndepth = int(sys.argv[1])", "IndexError: list index out of range (mine.py, "),
        ("move = int(input())", "EOFError: EOF when reading a line (mine.py, line 1)"),
        ("import sys\nsys.exit('usage: mine.py DEPTH')", "SystemExit: usage: mine.py DEPTH"),
    ],
)  # fmt: skip
def test_a_module_that_runs_as_a_program_gets_the_cure(
    marubatsu: Marubatsu, written: Write, text: str, message: str
) -> None:
    ai = written(f"{text}\ndef choose(board, legal): return legal[0]\n")
    done = marubatsu("audit", ai, "--game", SMALL)
    require_refused(done, f"cannot be loaded: {message}", 1)
    assert 'put what reads its arguments under `if __name__ == "__main__":`' in done.stderr


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("./n.ipynb:choose", "is no file that Python imports: expected one that ends in .py"),
        *((each, f"{each!r} names no AI: expected file.py:function, .*'command:PROGRAM ARGUMENTS'")
          for each in ("n.ipynb", "./prog.sh", "sh prog.sh", "mine.py", "mine.py choose", "/bin/sh",
                       "mine.choose", "step.jsonl", "evaluation", "zzz")),
        ("https://example.com/ai.py", "there is no file 'https'|names no AI"),
        ("command:mine.py", "'command:mine.py' names no program on the path that may be executed"),
        ("ai_gt1", "there is no AI 'ai_gt1': the AIs ai_gt of the tutorial series are here"),
    ],
)  # fmt: skip
def test_another_spelling_of_an_address_is_refused_with_the_right_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    for name in ("prog.sh", "mine.py", "step.jsonl", "n.ipynb"):
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises((AIError, UsageError), match=message):
        mb.match(address, "ai2", games=1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return board.board", "agents of other frameworks are asked by --as connectx (an o"),
        ("return board.legal_actions()[0]", "--as openspiel (a state)"),
        ("return board['board'].index(0)", "agents of other frameworks are asked by --as"),
        ("board[0] = 'o'", "the board is a text such as o.x......, of which list(board) makes"),
        ("return board[0][1]", "of which list(board) makes a list"),
        ("return board.copy()", "of which list(board) makes a list"),
        ("return {legal: 0}", "no list is hashable, as functools.cache needs it: tuple(legal_m"),
        ("import multiprocessing as m; m.Pool(1)", "processes: leave multiprocessing out"),
        ("return 1 // 0", "raises: ZeroDivisionError: integer division or modulo by zero (mine.py"),
        ("return None", "wrong answer: None; expected a move: does the function return one"),
        ("return {'move': legal[0]}", "expected the number of a move, as int(...) makes one, "),
        ("return int(input())", "EOF when reading a line (mine.py, line 2); nothing is on"),
        ("raise ConnectionError('reset')", "reset (mine.py, line 2); --allow-network lets it"),
    ],
)  # fmt: skip
def test_ten_failures_of_one_cause_end_the_audit_with_the_cure(
    marubatsu: Marubatsu, written: Write, body: str, message: str
) -> None:
    ai = written(f"def choose(board, legal):\n    {body}\n")
    done = marubatsu("audit", ai, "--game", SMALL)
    require_refused(done, message, 1)
    ended = "mine.py:choose is not judged: it failed in the same way 10 times in a row, the first"
    assert ended in done.stderr


def test_nine_failures_in_a_row_are_findings(root: Path) -> None:
    boards: list[str] = []

    def choose(board: str, legal: list[int]) -> int:
        boards.append(board)
        if len(boards) % 10:
            raise RuntimeError("no idea")
        return legal[0]

    found = mb.audit(choose, "3x3k3-gravity", data=root).interview
    assert [finding.kind for finding in found.findings] == ["raises"]
    assert found.findings[0].count == found.asked - found.asked // 10


UNFLUSHED = f"""exec {sys.executable} -c '
import sys
for line in sys.stdin:
    print(line.split()[0], 0)'"""


@pytest.mark.parametrize(
    ("script", "most", "cure"),
    [
        (UNFLUSHED, 3, "a program must answer each line at once, on standard output"),
        ("while read n b; do echo '= A3'; echo; done", 1, "speak GTP are asked by --as gtp"),
        ("while read n b m; do echo $n 0 >&2; done", 1, "it wrote '1 0' to standard error; a"),
        ("while read n b; do echo 99; done", 1, "it wrote '99'; expected a line as in '1 4'"),
    ],
)  # fmt: skip
def test_a_program_whose_answers_do_not_arrive_gets_the_cure(
    marubatsu: Marubatsu, program: Write, script: str, most: int, cure: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """After three time-outs; where a shell must start and write, which takes time, after one."""
    monkeypatch.setattr(interviewer, "_MOST_CRASHES", most)
    seconds = "0.1" if script == UNFLUSHED else "2"
    done = marubatsu("audit", program(script), "--game", SMALL, "--timeout", seconds)
    require_refused(done, cure, 1)
    ended = f"is not judged: after {most} crashes, time-outs or other limits it is asked no"
    assert ended in done.stderr


def error_of(module: str, name: str, base: type[Exception] = Exception, **code: object) -> Any:
    """Return an exception as a client library defines it, and perhaps keeps a code in it."""
    return type(name, (base,), {"__module__": module, **code})("no text")


def with_code(**code: object) -> Any:
    return error_of("mine", "ClientError", RuntimeError, **code)


OUTAGES = [
    ConnectionResetError(104, "Connection reset by peer"), ssl.SSLError("handshake"),
    TimeoutError(110, "Connection timed out"), TimeoutError("The read operation timed out"),
    RemoteDisconnected("Remote end closed connection without response"),
    urllib.error.URLError("unreachable"),
    urllib.error.HTTPError("http://x", 503, "Service Unavailable", None, None),  # type: ignore[arg-type]
    error_of("requests.exceptions", "ReadTimeout", OSError),
    error_of("openai._exceptions", "APITimeoutError"),
    error_of("anthropic", "InternalServerError"), error_of("httpx", "ConnectError"),
    error_of("aiohttp.client_exceptions", "ClientConnectorError"),
    error_of("google.api_core.exceptions", "ResourceExhausted"),
    RuntimeError("HTTP 429: Too Many Requests"), Exception("Connection refused"),
    RuntimeError("request failed with status code 503"),
    ValueError("Error code: rate_limit_exceeded"), with_code(status_code=503),
    with_code(http_status=429), with_code(status=HTTPStatus.BAD_GATEWAY),
]  # fmt: skip
PLAY = [
    with_code(status_code=400), with_code(status=599.0), with_code(depth=503),
    with_code(status=None), IndexError("list index out of range"),
    ValueError("429 is not in list"), KeyError("o.x......"), RuntimeError("no idea"),
    AssertionError("500 nodes"), error_of("torch", "OutOfMemoryError"),
    FileNotFoundError(2, "No such file"), TimeoutError(), TimeoutError("the search took too long"),
    RuntimeError("the search timed out at depth 9"),
]  # fmt: skip


@pytest.mark.parametrize("error", OUTAGES, ids=lambda error: type(error).__name__)
def test_outages_are_failures_of_infrastructure(error: Exception) -> None:
    assert failure(error).kind == INFRASTRUCTURE
    wrapped = RuntimeError("the model failed")
    wrapped.__cause__ = error
    assert failure(wrapped).kind == INFRASTRUCTURE


@pytest.mark.parametrize("error", PLAY, ids=lambda error: type(error).__name__)
def test_exceptions_of_an_agent_are_its_own(error: Exception) -> None:
    assert failure(error).kind == "raises"


def test_a_time_out_is_an_outage_where_it_comes_from_the_network() -> None:
    with pytest.raises(TimeoutError) as of_agent:
        Future[None]().result(timeout=0.001)
    assert failure(of_agent.value).kind == "raises"

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(TimeoutError) as of_service:
            urllib.request.urlopen(address, timeout=0.01)
    of_service.value.args = ()
    assert failure(of_service.value).kind == INFRASTRUCTURE
    wrapped = RuntimeError("the model failed")
    wrapped.__cause__ = of_service.value
    assert failure(wrapped).kind == INFRASTRUCTURE


def test_an_outage_is_asked_about_again_and_leaves_nothing(root: Path) -> None:
    boards: set[str] = set()

    def choose(board: str, legal: list[int]) -> int:
        if len(board.replace(".", "")) == 3 and board not in boards and len(boards) < 9:
            boards.add(board)
            raise ConnectionError
        return legal[0]

    game = "3x3k3-gravity"
    found, whole = mb.audit(choose, game, data=root), mb.audit("ai1", game, data=root)
    assert found.verdicts == whole.verdicts
    assert [(each.kind, each.count) for each in found.interview.findings] == [("infrastructure", 9)]
    assert (found.interview.unjudged, found.interview.without_answer) == (0, 0)


def test_a_position_without_an_answer_is_one_however_often_it_is_asked(root: Path) -> None:
    """The questions begin with the empty board, and follow the AI from there."""

    def choose(board: str, legal: list[int]) -> int:
        if board == ".........":
            raise TimeoutError("HTTP 504")
        return legal[0]

    assert mb.audit(choose, sample="all", data=root).interview.unjudged == 1


@pytest.mark.parametrize("options", [{}, {"positions": "random", "sample": 1}])
def test_where_no_answer_comes_the_reason_is_told(root: Path, options: Any) -> None:
    def choose(board: str, legal: list[int]) -> int:
        raise TimeoutError("HTTP 504")

    with pytest.raises(DataError, match=r"is not judged: .* first .*: HTTP 504"):
        mb.audit(choose, "2x2k2", data=root, **options)


def test_positions_without_an_answer_are_not_counted_and_prove_nothing(root: Path) -> None:
    """An AI without a mistake passes no threshold by the positions that it leaves open."""
    known = mb.oracle("tictactoe", data=root)

    def choose(board: str, legal: list[int]) -> list[int]:
        if board in {"ox.......", "o.x......"}:  # both are critical
            raise TimeoutError("HTTP 504")
        return list(known.answer(board).best_moves)

    found = mb.audit(choose, data=root)
    interview, verdicts = found.interview, found.verdicts
    assert (interview.unjudged, interview.without_answer, interview.examined) == (2, 0, 4520 - 2)
    assert verdicts.positions == verdicts.positions_right == 3191 - 2
    assert verdicts.positions_unjudged == 2
    assert verdicts.strongly_solved is verdicts.weakly_solved is verdicts.exploitability is None
    assert verdicts.as_circle is verdicts.as_cross is None
    assert found.blunders.rows == found.matches.rows == found.refutations.rows == []
    assert verdicts.classes_right == verdicts.classes == 431 - 2  # with an open position
    assert verdicts.share == (3189 / 3191, 1)
    assert "sample" not in str(found) + found.badge()
    required = parse_requirements(["strong", "weak", "share=0.999"], least=0.9995, most=0.5)
    assert [lacks(found) for lacks in required] == [
        "strong: it gave no answer in 2 positions",
        "weak: it gave no answer in 2 positions",
        None,
        "--fail-under 0.9995: it is right in at least 99.94 % of the critical positions",
        (
            "--max-exploitability 0.5: it gave no answer in 2 positions, so the best response is "
            "unknown"
        ),
    ]
    with pytest.raises(DataError, match="gave no answer in 2 positions, because of time-outs"):
        mb.audit(choose, data=root, save="lost")


def test_outages_without_end_withhold_the_verdicts() -> None:
    def choose(board: str, legal: list[int]) -> int:
        raise ConnectionError(f"refused {len(board)}" + board)

    with pytest.raises(DataError, match=r"10 times in a row.*infrastructure: ConnectionError:"):
        mb.audit(choose, "tictactoe", positions="random", sample=50)


def test_a_late_answer_is_no_blunder(marubatsu: Marubatsu, written: Write) -> None:
    ai = written(
        "import time\ndef choose(board, legal):\n"
        "    if board == 'o.....': time.sleep(99)\n    return legal[0]\n"
    )
    text = marubatsu("audit", ai, "--game", SMALL, "--timeout", "2").stdout
    assert "gave no answer in 1 position, because of time-outs or outages; none of that is" in text
    assert "may solve the game weakly: it gave no answer in 1 position" in text


def test_exceptions_that_name_the_board_are_the_same(root: Path) -> None:
    """A table without any position fails at its first question; one with holes is judged."""
    table: dict[str, int] = {}
    with pytest.raises(mb.DataError, match="in the same way 10 times in a row, the first time"):
        mb.audit(lambda board, legal: table[board], data=root)
    table["." * 9] = 0
    (finding,) = mb.audit(lambda board, legal: table[board], data=root).interview.findings
    assert (finding.kind, finding.count) == ("raises", 4519 + 431)


def test_no_outage_takes_back_an_illegal_move(root: Path) -> None:
    """In positions that are asked about twice, the first answer is one, then a service fails."""
    asked: Counter[str] = Counter()
    failing: set[str] = set()
    truth = mb.oracle("3x3k3-gravity", data=root)

    def choose(board: str, legal: list[int]) -> int:
        asked[board] += 1
        if board in failing and asked[board] == 1:
            return 99
        if board in failing:
            raise RemoteDisconnected("no answer")
        return truth.answer(board).moves[0].move

    mb.audit(choose, "3x3k3-gravity", matches=False, data=root)
    failing |= {*sorted(board for board, count in asked.items() if count == 2)[:3]}
    asked.clear()
    found = mb.audit(choose, "3x3k3-gravity", matches=False, data=root).interview
    assert (found.unjudged, found.without_answer) == (0, 3)
    assert {finding.kind for finding in found.findings} >= {"illegal move", INFRASTRUCTURE}
