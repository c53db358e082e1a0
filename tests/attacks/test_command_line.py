"""Hostile command lines: each does its work, or says in a sentence why not."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.data_set import DataSet
from tests.attacks.arguments import COMMANDS, OPTIONS, VALUES
from tests.attacks.tally import ATTEMPTS, Refused, Tally
from tests.helpers.data.data_sets import SMALLEST, build_smallest, copied, verified
from tests.helpers.data.shared import Shared, states
from tests.helpers.processes.commands import every_command, run_here

WRITES = {"build", "solve", "tree", "ais", "audit", "book", "compare", "items", "prove"}
"""Commands that may write to the data."""

TAKES = {
    name: {each for parameter in command.params for each in parameter.opts}
    for name, command in every_command().items()
}
"""The options of every command."""


def value(kind: str, random: Random) -> str:
    """Return a value of a kind, seldom of another."""
    if random.random() < 0.1:
        kind = random.choice(sorted(VALUES.keys() - {"PATH", "ODD"})) if kind != "PATH" else kind
    ordinary = VALUES[kind][:2] if random.random() < 0.6 else ()
    return random.choice(ordinary or VALUES[kind])


def line(random: Random) -> list[str]:
    """Return a command with arguments and options, mostly its own."""
    command = random.choice(sorted(COMMANDS))
    words = [value(kind, random) for kind in COMMANDS[command].split()]
    own = sorted(OPTIONS.keys() & TAKES.get(command, set()))
    for _ in range(random.randrange(4)):
        name = random.choice(own if own and random.random() < 0.9 else sorted(OPTIONS))
        added = [name, *(value(kind, random) for kind in OPTIONS[name].split())]
        at = random.choice((0, len(words)))
        words[at:at] = added
    if random.random() < 0.1:
        words.insert(random.randint(0, len(words)), random.choice(VALUES["ODD"]))
    if command in ("publish", "site") and random.random() < 0.8:
        words += ["--out", value("PATH", random)]
    if "--time" in TAKES.get(command, ()):
        words += ["--time", "0.1"]
    if "--game" in TAKES.get(command, ()):
        words[:0] = ["--game", SMALLEST]  # unless another follows
    return [*command.split(), *words]


def complaint(command: list[str], data: Path, planted: Path) -> str:
    """Run a command; return what is wrong. Raises Refused when there is a sentence."""
    before, kept = states(planted), states(data)
    done = run_here(*command, data=data)
    if states(planted) != before:
        return "it wrote elsewhere"
    if states(data) != kept and command[0] not in WRITES:
        return "it wrote to the data"
    if done.returncode == 0:
        return ""
    if done.returncode not in (1, 2):
        return str(done)
    if "Traceback" in done.stderr or not all(c.isprintable() or c == "\n" for c in done.stderr):
        return f"no sentence: {done.stderr!r}"
    if done.returncode == 1 and done.stdout and not done.stderr:
        raise Refused("told in the rows")  # as verify, check and conform do
    lines = done.stderr.splitlines()
    if not any("marubatsu: " in each or each.startswith("Error: ") for each in lines):
        return f"no sentence: {done.stderr!r}"
    raise Refused(done.stderr)


def test_hostile_command_lines_are_told_in_a_sentence(
    shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copied(build_smallest(shared), tmp_path / "data")
    planted, folder = tmp_path / "planted", tmp_path / "outer" / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "loop").symlink_to("loop")
    (folder / "away").symlink_to("inner")
    copied(data, planted)
    monkeypatch.chdir(folder)
    random = Random("command lines")
    tally = Tally("command lines")
    for _ in range(ATTEMPTS):
        words = line(random)
        places = {"FOLDER": str(folder), "DATA": str(data)}
        for name, place in places.items():
            words = [word.replace(name, place) for word in words]
        tally.add(repr([word[:60] for word in words]), partial(complaint, words, data, planted), "")
    assert Path.cwd() == folder
    assert verified(DataSet(data, Game(SMALLEST))) == []
    tally.report()
