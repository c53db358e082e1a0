"""Agents that attack their judge, its user and the machine: nothing gets in, nothing gets out."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import parse_command, parse_function
from marubatsu.judge.agents.agent import Agent, RefusedError
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.confine import children
from marubatsu.judge.agents.players import agent_of
from tests.attacks.agents import FAMILIES, PROGRAM
from tests.attacks.tally import ATTEMPTS, Refused, Tally, some
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has boxes"),
]

NOT_HELD: dict[str, set[str]] = {"namespaces": set(), "kernel rules": {"files without end"}}
"""Attacks that a kind of box does not stop, which it says."""


class Targets(NamedTuple):
    """The targets of an agent."""

    victim: str  # a file in its own folder
    secret: str  # a file elsewhere
    table: str  # a folder in its own
    data: str  # another, which judges it
    port: int
    pipe: str  # a local socket
    judge: int
    witness: int  # a process of the same user
    ipc: str  # the name of our shared memory


@pytest.fixture(scope="module")
def targets(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    """Make targets, and check at the end that no agent has reached them."""
    ipc = Path("/proc/self/ns/ipc").readlink()
    own, users = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("users")
    (own / "table").mkdir()
    shutil.copytree(build_smallest(shared) / SMALLEST, own / "data" / SMALLEST)
    for path in (own / "victim", own / "table" / "rows", users / "secret"):
        path.write_text("known\n", encoding="utf-8")
    os.setxattr(own / "victim", "user.known", b"x")
    servers = [socket.create_server(("127.0.0.1", 0))]
    port = servers[0].getsockname()[1]
    servers += [socket.create_server(("::1", port), family=socket.AF_INET6)]
    for name in (str(users / "pipe"), f"\0{os.getpid()}"):
        servers.append(socket.socket(socket.AF_UNIX))
        servers[-1].bind(name)
        servers[-1].listen()
    servers.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    servers[-1].bind(("127.0.0.1", port))
    with subprocess.Popen(["sleep", "10000"]) as witness:
        try:
            yield Targets(
                str(own / "victim"), str(users / "secret"), str(own / "table"), str(own / "data"),
                port, str(users / "pipe"), os.getpid(), witness.pid, str(ipc),
            )  # fmt: skip
            assert witness.poll() is None
        finally:
            witness.kill()
    for server in servers:
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.recv(1) if server.type == socket.SOCK_DGRAM else server.accept()
        server.close()


@pytest.mark.parametrize("family", FAMILIES)
def test_an_agent_stays_in_its_box(
    monkeypatch: pytest.MonkeyPatch, targets: Targets, box_kind: str, family: str
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_USER", "known")
    monkeypatch.setenv("MARUBATSU_DATA", targets.data)
    tally = Tally(f"agents, {family}, {box_kind}")
    for name in some([each for each in FAMILIES[family] if each not in NOT_HELD[box_kind]]):
        tally.add(name, partial(_attacked, targets, FAMILIES[family][name]), "nothing happened")
    tally.report()


def _attacked(targets: Targets, attack: str) -> str:
    """Ask an agent that attacks; say what it has done. Raises Refused when it was ended."""
    agent = Path(targets.victim).with_name("agent.py")
    text = PROGRAM.replace("TARGETS", repr(tuple(targets))).replace("ATTACK", attack)
    agent.write_text(text, encoding="utf-8")
    ours, before = children(), _state(targets)
    settings, data = AgentSettings(seconds=60), Path(targets.data)
    agent_process = agent_of(parse_function(f"{agent}:choose"), Game("2x2k2"), settings, data)
    with agent_process as process:
        answers = [process.ask("....", [0, 1, 2, 3]), process.ask("o...", [1, 2, 3])]
    if children() - ours:
        return f"it left {children() - ours}"
    if _state(targets) != before:
        return f"it changed {before} to {_state(targets)}"
    if answers == [Reply((0, 1, 2, 3)), Reply((1, 2, 3))]:
        return "nothing happened"
    if all(isinstance(each, Reply) or each.kind == "crash" for each in answers):
        raise Refused(f"it ended itself: {answers}")
    return str(answers)


def _state(targets: Targets) -> list[Any]:
    """Return the state that no agent may change: files, shared memory, world-writable places."""
    own = Path(targets.victim).parent
    found: list[Any] = [Path(f"/proc/sysvipc/{kind}").read_text() for kind in ("shm", "sem", "msg")]
    places = (Path.home(), own.parent, Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108
    found += [sorted(path.name for path in place.glob("marubatsu*")) for place in places]
    for path in sorted(path for path in own.rglob("*") if path.name != "agent.py"):
        status = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)}
        found.append(
            [str(path), status.st_mode, status.st_uid, status.st_mtime_ns, content, attributes]
        )
    return found


NEARLY = """
import os, random, sys
random = random.Random(0)
parts = [b"1", b" ", b"0", b",", b":", b"0.5", b"-1", b"\\n", b"\\xff", b"9" * 5000, b"{}",
         b"[" * 9000, b"\\0", b"nan", b"1e9"]
for question in sys.stdin:
    line = b"".join(random.choices(parts, k=random.randrange(9)))
    os.write(1, random.choice([b"", line + b"\\n"]))
    os.write(1, question.split()[0].encode() + b" " + line + b"\\n")
"""


def test_random_lines_are_answers_or_faults_or_refused(tmp_path: Path) -> None:
    """A program that writes what is nearly a line of the protocol."""
    program = tmp_path / "program.py"
    program.write_text(NEARLY, encoding="utf-8")
    command = parse_command(f"{sys.executable} {program}")
    with agent_of(command, Game("2x2k2"), AgentSettings(seconds=60)) as process:
        kinds = [_kind_of_answer(process) for _ in range(15 * ATTEMPTS)]
    assert {*kinds} >= {"reply", "no move", "wrong answer", "refused"}


def _kind_of_answer(agent: Agent) -> str:
    try:
        answer = agent.ask("....", [0, 1, 2, 3])
    except RefusedError:
        return "refused"
    return answer.kind if isinstance(answer, Fault) else "reply"
