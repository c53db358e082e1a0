"""The process in which a foreign AI runs. Only `judge.agents.agent_process` starts it.

``CONFINEMENT INTERFACE file|module PATH NAME``: import an agent, which is asked in the terms of an
interface (ours if that is empty), and answer questions on standard input, one a line:
``{"question": NUMBER, "board": "...", "legal": [...]}``. Each answer is one line on the descriptor
that was standard output, ``{"question": NUMBER, "returned": ...}``, or a fault. A question without
legal moves asks for the value of a board: ``{"value": ...}``. The output of the AI goes to standard
error.
``CONFINEMENT INTERFACE command PROGRAM ARGUMENTS...``: become the program.
"""

import json
import os
import sys
import types
from contextlib import suppress
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.confine import Confinement, WeakerError, confine, supervise
from marubatsu.judge.agents.faults import cut, raised_by_import
from marubatsu.judge.agents.interfaces import NoAgentError, lend_names
from marubatsu.judge.agents.plain_values import message_of
from marubatsu.judge.agents.responder import CalledFunction
from marubatsu.pipeline.support import importing

_WRITES: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.remove": ((0, 1),), "os.rename": ((0, 2), (1, 3)), "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),), "os.link": ((1, 3),), "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),), "os.chmod": ((0, 2),), "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
}  # fmt: skip
"""Events, and which arguments are the paths that they change, each with the folder's descriptor."""
_STARTS = {
    "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system",
    "subprocess.Popen", "pty.spawn",
}  # fmt: skip
_ORACLE = "marubatsu.judge.oracle"
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main() -> None:
    """Confine this process, load the AI and let it answer."""
    confinement, interface, kind, name, *rest = sys.argv[1:]
    to = Confinement(**json.loads(confinement))
    if not to.is_boxed:
        supervise()
    if kind != "command":
        importing.list_folder(kind, name)
    try:
        confine(to)
    except WeakerError as error:
        sys.exit(f"the box of this machine does not hold: {error}")
    if kind == "command":
        os.execvp(name, [name, *rest])  # noqa: S606, that is what the user asks for
    sys.meta_path.insert(0, _NoOracle())
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # An AI that reads its input finds the end.
    os.dup2(2, 1)
    watch = _Watch(to.scratch)
    sys.addaudithook(watch.hear)
    os.register_at_fork(after_in_child=lambda: os.close(answers.fileno()))
    game = Game(os.environ["MARUBATSU_GAME"])
    sys.argv = [name]
    lend_names(interface)
    try:
        module = importing.load(kind, name)
        ai = _named(module, name, rest[0], is_function=not interface)
        agent = CalledFunction(ai, f"{name}:{rest[0]}", game, interface, caught=BaseException)
    except BaseException as error:  # noqa: BLE001, a module may raise anything
        _tell(
            answers, {"failed": raised_by_import(error), "usage": isinstance(error, NoAgentError)}
        )
        return
    _tell(answers, {"ready": True})
    for line in questions:
        request = json.loads(line)
        watch.answering = True
        board, legal = request["board"], request.get("legal")
        answer = agent.value(board) if legal is None else agent.ask(board, legal)[0]
        watch.answering = False
        with suppress(Exception):  # It may have replaced or closed it.
            sys.stdout.flush()
        message = message_of(answer)
        _tell(answers, {**message, **watch.noticed(), "question": request["question"]})


def _named(module: types.ModuleType, where: str, name: str, *, is_function: bool) -> Any:
    """Return what a module has under a name, or under a name of one of its objects."""
    target: Any = module
    for part in name.split("."):
        target = getattr(target, part, None)
    if target is None or (is_function and not callable(target)):
        own = {name: each for name, each in vars(module).items() if not name.startswith("_")}
        names = [name for name, each in own.items() if isinstance(each, types.FunctionType)]
        raise NoAgentError(
            f"{name} is no function in {where}, which has {cut(', '.join(names)) or 'none'}; of an "
            "object, name a method, as in agent.choose"
        )
    return target


class _NoOracle:
    """A finder of modules that refuses our oracle with a sentence; the box hides its files."""

    def find_spec(self, name: str, *_: object) -> None:
        if f"{name}.".startswith(f"{_ORACLE}."):
            raise ImportError("an audited AI may not ask the oracle of marubatsu", name=name)


class _Watch:
    """An audit hook: it forbids the AI to write files or start processes, and records attempts."""

    def __init__(self, scratch: str) -> None:
        self._scratch = os.path.realpath(scratch)
        self._noticed: dict[str, str] = {}
        self.answering = False

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes) and isinstance(flags, int) and flags & _TO_WRITE:
                self._forbid(os.fsdecode(path))
        elif event in _WRITES:
            for place, folder in _WRITES[event]:
                path, handle = arguments[place], -1 if folder is None else arguments[folder]
                name = os.fsdecode(path) if isinstance(path, str | bytes) else ""
                if isinstance(path, int):  # an open file
                    name = f"/proc/self/fd/{path}"
                self._forbid(name if handle < 0 else f"/proc/self/fd/{handle}/{name}", event)
        elif event in _STARTS and self.answering:
            self._noticed["starts"] = event
            raise PermissionError("an audited AI may not start processes")

    def _forbid(self, path: str, event: str = "") -> None:
        if path == os.devnull or os.path.realpath(path).startswith(self._scratch + os.sep):
            return
        text = cut(f"{event} {path}".strip())
        self._noticed["writes"] = text
        raise PermissionError(f"an audited AI may not write: {text}")

    def noticed(self) -> dict[str, str]:
        """Return the attempts since the last call."""
        noticed, self._noticed = self._noticed, {}
        return noticed


def _tell(answers: Any, message: dict[str, Any]) -> None:
    try:
        answers.write(json.dumps(message) + "\n")
        answers.flush()
    except OSError:  # The AI forked this process; the copy may not answer.
        os._exit(1)


if __name__ == "__main__":
    main()
